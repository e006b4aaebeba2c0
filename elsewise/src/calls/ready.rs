//! A subject whose cases are calls, built and ready to be explored.

use crate::exit::Problem;
use crate::kept::{Kept, of_or_bytes};
use crate::ready::Ready;
use crate::record::Contained;
use elsewise_explore::{Case, Outcome, Subject};
use std::path::Path;

/// What a front end has built of such a subject.
pub trait Callable {
    /// What is told of it in the summary.
    fn bounds(&self) -> Vec<String>;

    /// What its machine is kept from.
    fn contained(&self) -> &Contained;

    fn subject(&self) -> Result<Box<dyn Subject>, Problem>;

    /// Keeps how it is built and called.
    fn keep(&self, campaign: &Path, command: &[String]) -> Result<(), Problem>;

    /// What its campaign keeps, with what is built already: to build it again could take longer than
    /// many an exploration.
    fn kept(&self, campaign: &Path) -> Result<Option<Box<dyn Kept>>, Problem>;
}

pub struct ReadyCalls<T> {
    callable: T,
    /// What cases are run again on.
    subject: Option<Box<dyn Subject>>,
}

impl<T: Callable> ReadyCalls<T> {
    pub fn new(callable: T) -> ReadyCalls<T> {
        ReadyCalls {
            callable,
            subject: None,
        }
    }
}

impl<T: Callable> Ready for ReadyCalls<T> {
    fn bounds(&self) -> Vec<String> {
        self.callable.bounds()
    }

    fn weaker(&self) -> Vec<String> {
        self.callable.contained().containment().weaknesses()
    }

    fn subjects(&self, jobs: u16) -> Result<Vec<Box<dyn Subject>>, Problem> {
        (0..jobs).map(|_| self.callable.subject()).collect()
    }

    fn keep(&mut self, campaign: &Path, command: &[String]) -> Result<(), Problem> {
        self.callable.keep(campaign, command)
    }

    fn kept(&self, campaign: &Path) -> Box<dyn Kept> {
        match self.callable.kept(campaign) {
            Ok(Some(kept)) => kept,
            _ => of_or_bytes(campaign),
        }
    }

    fn again(&mut self, case: &Case) -> Result<Vec<Outcome>, Problem> {
        let subject = match &mut self.subject {
            Some(subject) => subject,
            none => none.insert(self.callable.subject()?),
        };
        subject.again(case).map_err(Problem::subject)
    }
}
