//! A subject that was explored once, built again as it is now.

use crate::error::VerbError;
use crate::request::Explore;
use elsewise_explore::Outcome;
use elsewise_frontend::contain::AllowFlags;
use elsewise_frontend::{BuiltSubject, Problem};
use std::path::Path;

/// What the reader says of it: the campaign's own word does not count.
pub struct Said<'a> {
    pub allowed: &'a AllowFlags,
    pub cflags: Option<&'a str>,
    pub config: Option<&'a Path>,
}

/// A subject, built by the words with which it was explored.
pub struct Again {
    pub explore: Explore,
    pub built: Box<dyn BuiltSubject>,
}

/// Builds what `command` explores. `of` is what has saved these words, `foreign` whether somebody else has.
pub fn built(
    command: &[String],
    of: &Path,
    said: &Said<'_>,
    foreign: bool,
) -> Result<Again, Problem> {
    let explore = explore(command, of, said.config)?;
    explore.refuse_unsaid(said.allowed, said.cflags)?;
    let (_, target, mut request) = explore.request()?;
    if foreign {
        request.lower_limits();
    }
    let built = target.build(&request)?;
    Ok(Again { explore, built })
}

/// The `explore` that these words are.
pub fn explore(command: &[String], of: &Path, config: Option<&Path>) -> Result<Explore, Problem> {
    Explore::again(command, config).unwrap_or_else(|| {
        let campaign = of.to_path_buf();
        Err(VerbError::NoBuild { campaign }.into())
    })
}

/// How a run ended, in words.
pub fn words(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Exit(code) => format!("exit code {code}"),
        Outcome::Assumed => "an assumption does not hold".to_owned(),
        Outcome::Failure { kind, message, .. } => format!("{kind}: {message}"),
    }
}
