//! A subject that is built and can be explored, whatever kind it is.

use crate::charts;
use crate::erlang;
use crate::exit::Problem;
use crate::kept::{self, Kept};
use crate::native;
use crate::prolog;
use crate::subject::Named;
use crate::wanted::Wanted;
use elsewise_campaign::{Finding, Summary};
use elsewise_explore::{Case, Outcome, Subject};
use std::path::Path;

/// A command to try, and what it means.
pub type Hint = (String, String);

/// What `explore` and `check` ask of a subject; each kind of front end has one.
pub trait Ready {
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

    /// One subject per worker, all of the same build.
    fn subjects(&self, jobs: u16) -> Result<Vec<Box<dyn Subject>>, Problem>;

    /// Keeps in a campaign's directory what other verbs need of the subject, and the words of the
    /// `explore` that made it.
    fn keep(&mut self, campaign: &Path, command: &[String]) -> Result<(), Problem>;

    /// Keeps what these findings need beside that.
    fn keep_for(&mut self, findings: &[Finding], campaign: &Path) -> Result<(), Problem> {
        let _ = (findings, campaign);
        Ok(())
    }

    /// Makes findings ready to be shown, once the exploration has ended.
    fn finish(&mut self, summary: &Summary) -> Result<(), Problem> {
        let _ = summary;
        Ok(())
    }

    /// What its campaign keeps, to be shown at the end of the exploration.
    fn kept(&self, campaign: &Path) -> Box<dyn Kept> {
        kept::of_or_bytes(campaign)
    }

    /// What to try where nothing depends on the inputs, as commands and what they mean; none where that is
    /// a result as any other.
    fn when_indifferent(&self) -> Option<Vec<Hint>> {
        None
    }

    /// What to try where something was given up.
    fn when_given_up(&self, _summary: &Summary) -> Vec<Hint> {
        Vec::new()
    }

    /// Runs a case on what is not instrumented: how it ended, and whatever else it showed.
    fn again(&mut self, case: &Case) -> Result<Vec<Outcome>, Problem>;
}

pub fn build(wanted: &Wanted) -> Result<Box<dyn Ready>, Problem> {
    match &wanted.named {
        #[cfg(feature = "erlang")]
        Named::Call(call) => erlang::ready::build(call, wanted),
        #[cfg(not(feature = "erlang"))]
        Named::Call(_) => Err(left_out("erlang")),
        #[cfg(feature = "prolog")]
        Named::Predicate(predicate) => prolog::ready::build(predicate, wanted),
        #[cfg(not(feature = "prolog"))]
        Named::Predicate(_) => Err(left_out("prolog")),
        #[cfg(feature = "statechart")]
        Named::Chart(chart) => charts::ready::build(chart, wanted),
        #[cfg(not(feature = "statechart"))]
        Named::Chart(_) => Err(left_out("statechart")),
        _ => native::ready::build(wanted),
    }
}

/// A front end that this program was built without.
#[cfg(not(all(feature = "erlang", feature = "prolog", feature = "statechart")))]
fn left_out(feature: &str) -> Problem {
    Problem::subject(format!(
        "this elsewise was built without the front end `{feature}`: build it again with that feature, \
         or without --no-default-features"
    ))
}
