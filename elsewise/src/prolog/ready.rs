//! A predicate that is loaded and can be explored.

use crate::calls::{Callable, ReadyCalls};
use crate::exit::Problem;
use crate::kept::Kept;
use crate::prolog::{self, Predicate, kept};
use crate::ready::Ready;
use crate::wanted::Wanted;
use elsewise_explore::Subject;
use elsewise_prolog::{Options, Project};
use std::path::Path;

pub fn build(predicate: &Predicate, wanted: &Wanted) -> Result<Box<dyn Ready>, Problem> {
    let options = prolog::options(predicate, &wanted.settings, wanted.limits)?;
    let project = open(&options)?;
    Ok(Box::new(ReadyCalls::new(Loaded { project, options })))
}

pub fn open(options: &Options) -> Result<Project, Problem> {
    Project::open(options).map_err(Problem::subject)
}

struct Loaded {
    project: Project,
    options: Options,
}

impl Callable for Loaded {
    fn bounds(&self) -> Vec<String> {
        self.project.bounds()
    }

    fn subject(&self) -> Result<Box<dyn Subject>, Problem> {
        let subject = self.project.subject().map_err(Problem::subject)?;
        Ok(Box::new(subject))
    }

    fn keep(&self, campaign: &Path, command: &[String]) -> Result<(), Problem> {
        kept::keep(&self.options, campaign, command)
    }

    fn kept(&self, campaign: &Path) -> Result<Option<Box<dyn Kept>>, Problem> {
        let kept = kept::of(campaign)?;
        Ok(kept.map(|kept| Box::new(kept.loaded(self.project.clone())) as Box<dyn Kept>))
    }
}
