//! A function of Erlang or Elixir that is compiled and can be explored.

use crate::calls::{Callable, ReadyCalls};
use crate::contain;
use crate::erlang::{self, Call, kept};
use crate::exit::Problem;
use crate::kept::Kept;
use crate::ready::Ready;
use crate::record::Contained;
use crate::wanted::Wanted;
use elsewise_erlang::{Options, Project};
use elsewise_explore::Subject;
use std::path::Path;

pub fn build(call: &Call, wanted: &Wanted) -> Result<Box<dyn Ready>, Problem> {
    let mut options = erlang::options(call, &wanted.settings, wanted.limits)?;
    let contained = wanted.contained.clone();
    contain::warn_of_shortcoming(&contained.containment());
    options.starter = contain::starter(&contained);
    let project = open(&options)?;
    Ok(Box::new(ReadyCalls::new(Compiled {
        project,
        options,
        contained,
    })))
}

pub fn open(options: &Options) -> Result<Project, Problem> {
    Project::open(options).map_err(Problem::subject)
}

struct Compiled {
    project: Project,
    options: Options,
    contained: Contained,
}

impl Callable for Compiled {
    fn bounds(&self) -> Vec<String> {
        let mut bounds = self.project.bounds();
        bounds.extend(contain::words(&self.contained));
        bounds
    }

    fn contained(&self) -> &Contained {
        &self.contained
    }

    fn subject(&self) -> Result<Box<dyn Subject>, Problem> {
        let subject = self.project.subject().map_err(Problem::subject)?;
        Ok(Box::new(subject))
    }

    fn keep(&self, campaign: &Path, command: &[String]) -> Result<(), Problem> {
        kept::keep(&self.options, &self.contained, campaign, command)
    }

    fn kept(&self, campaign: &Path) -> Result<Option<Box<dyn Kept>>, Problem> {
        let kept = kept::of(campaign)?;
        Ok(kept.map(|kept| Box::new(kept.compiled(self.project.clone())) as Box<dyn Kept>))
    }
}
