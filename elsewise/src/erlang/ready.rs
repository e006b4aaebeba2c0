//! A function of Erlang or Elixir that is compiled and can be explored.

use crate::erlang::{self, Call, kept};
use crate::exit::Problem;
use crate::kept::Kept;
use crate::ready::Ready;
use crate::wanted::Wanted;
use elsewise_erlang::{ErlangSubject, Options, Project};
use elsewise_explore::{Case, Outcome, RunError, Subject};
use std::path::Path;

pub fn build(call: &Call, wanted: &Wanted) -> Result<Box<dyn Ready>, Problem> {
    let options = erlang::options(call, &wanted.settings, wanted.limits)?;
    Ok(Box::new(ReadyCall {
        project: open(&options)?,
        options,
        subject: None,
    }))
}

pub fn open(options: &Options) -> Result<Project, Problem> {
    Project::open(options).map_err(Problem::subject)
}

pub fn problem(error: RunError) -> Problem {
    Problem::subject(error)
}

struct ReadyCall {
    project: Project,
    options: Options,
    /// What cases are run again on.
    subject: Option<ErlangSubject>,
}

impl Ready for ReadyCall {
    fn bounds(&self) -> Vec<String> {
        self.project.bounds()
    }

    fn subjects(&self, jobs: u16) -> Result<Vec<Box<dyn Subject>>, Problem> {
        (0..jobs)
            .map(|_| {
                let subject = self.project.subject().map_err(problem)?;
                Ok(Box::new(subject) as Box<dyn Subject>)
            })
            .collect()
    }

    fn keep(&mut self, campaign: &Path, command: &[String]) -> Result<(), Problem> {
        kept::keep(&self.options, campaign, command)
    }

    /// The same that was explored: to compile it again would take longer than many an exploration.
    fn kept(&self, campaign: &Path) -> Box<dyn Kept> {
        match kept::of(campaign) {
            Ok(Some(kept)) => Box::new(kept.compiled(self.project.clone())),
            _ => crate::kept::of_or_bytes(campaign),
        }
    }

    fn again(&mut self, case: &Case) -> Result<Vec<Outcome>, Problem> {
        let subject = match &mut self.subject {
            Some(subject) => subject,
            none => none.insert(self.project.subject().map_err(problem)?),
        };
        subject.again(case).map_err(problem)
    }
}
