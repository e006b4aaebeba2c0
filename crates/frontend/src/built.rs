//! A subject that is built and can be explored, whatever kind it is.

use crate::problem::Problem;
use crate::saved::SavedSubject;
use elsewise_campaign::{Exchange, Finding, Summary};
use elsewise_explore::{Case, Outcome, Subject};
use serde_json::Value;
use std::path::Path;

/// A command to try, and what it means.
pub type Hint = (String, String);

/// What `explore` and `check` ask of a subject that is built.
pub trait BuiltSubject {
    /// What bounds its inputs, and what is unusual about its runs, in words.
    fn bounds(&self) -> Vec<String>;

    /// What is weaker here about its containment, in words.
    fn weaker(&self) -> Vec<String> {
        Vec::new()
    }

    /// What bounds runs that have threads, in words.
    fn thread_bounds(&self) -> Vec<String> {
        Vec::new()
    }

    /// Cases to begin with.
    fn seeds(&self) -> Vec<Case> {
        Vec::new()
    }

    /// Others who look for inputs at the same time, of the campaign that has this folder.
    fn exchange(&self, campaign: &Path) -> Result<Option<Box<dyn Exchange>>, Problem> {
        let _ = campaign;
        Ok(None)
    }

    /// Says what the user ought to know before it is explored.
    fn warn(&self) {}

    /// Another subject of this build: each worker has its own.
    fn subject(&self) -> Result<Box<dyn Subject>, Problem>;

    /// Puts the files into a campaign's `subject` folder that other verbs need, and gives what its record says.
    fn save(&mut self, campaign: &Path) -> Result<Value, Problem>;

    /// Saves what these findings need beside that.
    fn save_for(&mut self, findings: &[Finding], campaign: &Path) -> Result<(), Problem> {
        let _ = (findings, campaign);
        Ok(())
    }

    /// Makes findings ready to be shown, once the exploration has ended.
    fn finish(&mut self, summary: &Summary) -> Result<(), Problem> {
        let _ = summary;
        Ok(())
    }

    /// What its campaign has saved, where to open that again would take long.
    fn saved(&self, campaign: &Path) -> Option<Box<dyn SavedSubject>> {
        let _ = campaign;
        None
    }

    /// What to try where nothing depends on the inputs, as commands and what they mean; none where that is
    /// a result as any other.
    fn when_indifferent(&self) -> Option<Vec<Hint>> {
        None
    }

    /// What to try where something was not explored.
    fn when_incomplete(&self, _summary: &Summary) -> Vec<Hint> {
        Vec::new()
    }

    /// Runs a case on what is not instrumented: how it ended, and whatever else it showed.
    fn confirm_all(&mut self, case: &Case) -> Result<Vec<Outcome>, Problem>;
}
