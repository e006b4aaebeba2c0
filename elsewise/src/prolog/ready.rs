//! A predicate that is loaded and can be explored.

use crate::calls::{Callable, ReadyCalls};
use crate::contain;
use crate::exit::Problem;
use crate::kept::Kept;
use crate::prolog::{self, Predicate, kept};
use crate::ready::Ready;
use crate::record::Contained;
use crate::wanted::Wanted;
use elsewise_explore::Subject;
use elsewise_prolog::{Options, Project};
use std::path::Path;

pub fn build(predicate: &Predicate, wanted: &Wanted) -> Result<Box<dyn Ready>, Problem> {
    let mut options = prolog::options(predicate, &wanted.settings, wanted.limits)?;
    let contained = wanted.contained.clone();
    contain::warn_of_shortcoming(&contained.containment());
    options.starter = contain::starter(&contained);
    let project = open(&options)?;
    Ok(Box::new(ReadyCalls::new(Loaded {
        project,
        options,
        contained,
    })))
}

pub fn open(options: &Options) -> Result<Project, Problem> {
    Project::open(options).map_err(Problem::subject)
}

struct Loaded {
    project: Project,
    options: Options,
    contained: Contained,
}

impl Callable for Loaded {
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
        Ok(kept.map(|kept| Box::new(kept.loaded(self.project.clone())) as Box<dyn Kept>))
    }
}
