//! A campaign's subject, built again as `explore` built it.

use crate::error::VerbError;
use crate::request::Explore;
use elsewise_frontend::contain::AllowFlags;
use elsewise_frontend::made_here::{self, Maker};
use elsewise_frontend::{BuiltSubject, Problem, SavedSubject};
use std::path::Path;

/// What the reader says of it: the campaign's own word does not count.
pub struct Said<'a> {
    pub allowed: &'a AllowFlags,
    pub cflags: Option<&'a str>,
    pub config: Option<&'a Path>,
}

/// Builds the subject from its sources as they are now.
pub fn rebuilt(
    directory: &Path,
    saved: &dyn SavedSubject,
    said: &Said<'_>,
) -> Result<(Explore, Box<dyn BuiltSubject>), Problem> {
    let explore = Explore::again(saved.command(), said.config).unwrap_or_else(|| {
        let campaign = directory.to_path_buf();
        Err(VerbError::NoBuild { campaign }.into())
    })?;
    explore.refuse_unsaid(said.allowed, said.cflags)?;
    let (_, target, mut request) = explore.request()?;
    if made_here::maker(directory) == Maker::Stranger {
        request.lower_limits();
    }
    let built = target.build(&request)?;
    Ok((explore, built))
}
