//! A predicate that is loaded and can be explored.

use crate::exit::Problem;
use crate::kept::Kept;
use crate::prolog::{self, Predicate, kept};
use crate::ready::Ready;
use crate::wanted::Wanted;
use elsewise_explore::{Case, Outcome, RunError, Subject};
use elsewise_prolog::{Options, Project, PrologSubject};
use std::path::Path;

pub fn build(predicate: &Predicate, wanted: &Wanted) -> Result<Box<dyn Ready>, Problem> {
    let options = prolog::options(predicate, &wanted.settings, wanted.limits)?;
    Ok(Box::new(ReadyPredicate {
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

struct ReadyPredicate {
    project: Project,
    options: Options,
    /// What cases are run again on.
    subject: Option<PrologSubject>,
}

impl Ready for ReadyPredicate {
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

    /// The same that was explored: it need not be loaded again.
    fn kept(&self, campaign: &Path) -> Box<dyn Kept> {
        match kept::of(campaign) {
            Ok(Some(kept)) => Box::new(kept.loaded(self.project.clone())),
            _ => crate::kept::of_or_bytes(campaign),
        }
    }

    fn again(&mut self, case: &Case) -> Result<Vec<Outcome>, Problem> {
        let subject = match &mut self.subject {
            Some(subject) => subject,
            none => none.insert(self.project.subject().map_err(problem)?),
        };
        Ok(vec![subject.confirm(case).map_err(problem)?])
    }
}
