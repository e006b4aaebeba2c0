//! What can be wrong wherever a subject is named, saved or looked at, whatever its language is.

use crate::problem::{Advice, CommandError, Exit};
use elsewise_explore::RunError;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

#[derive(Debug, Error)]
pub enum FrontEndError {
    // What is named as the subject, and flags.
    #[error("cannot read the subject `{name}`: {source}")]
    UnreadableSubject { name: String, source: io::Error },
    #[error("`{name}` is a directory")]
    SubjectIsFolder { name: String },
    #[error("{flag} {value} leaves nothing to explore")]
    TooSmall {
        flag: &'static str,
        value: u32,
        least: u32,
    },
    #[error("--allow-write {}: {source}", path.display())]
    AllowWrite { path: PathBuf, source: io::Error },
    #[error("--workdir {}: {source}", path.display())]
    Workdir { path: PathBuf, source: io::Error },
    #[error("{flag} says something about containment, and --no-containment switches it off")]
    NoContainment { flag: &'static str },

    // Cases and inputs from files.
    #[error("cannot read {}: {source}", folder.display())]
    UnreadableCase { folder: PathBuf, source: io::Error },
    #[error("{} is not a list of numbers", path.display())]
    BadSchedule { path: PathBuf },
    #[error("cannot read the input {}: {source}", path.display())]
    UnreadableInput { path: PathBuf, source: io::Error },
    #[error(
        "the input {} has {size} bytes, more than the {most} that a run can be given",
        path.display()
    )]
    LargeInput { path: PathBuf, size: u64, most: u64 },

    // Campaigns, and what they have of their subjects.
    #[error("{} has not finished its first run yet", campaign.display())]
    NoRunYet { campaign: PathBuf },
    #[error("{} was not made here by you, or was changed since", campaign.display())]
    Stranger { campaign: PathBuf },
    /// `about`: what would have to be observed for it.
    #[error("{} does not say {about}", campaign.display())]
    NotObserved { campaign: PathBuf, about: String },
    #[error("{} is damaged ({why})", path.display())]
    Damaged { path: PathBuf, why: String },
    #[error("cannot read {}", path.display())]
    NoRecord { path: PathBuf },
    #[error("the subject cannot be saved: {0}")]
    NoForm(serde_json::Error),
    #[error("cannot save {what} in {}: {source}", folder.display())]
    NotSaved {
        what: &'static str,
        folder: PathBuf,
        source: io::Error,
    },
    /// `shell`: what the language has instead.
    #[error("gdb is for native programs")]
    NoGdb { shell: &'static str },

    // Results.
    #[error("the result has no form in JSON: {0}")]
    NotJson(serde_json::Error),
    #[error("cannot write {}: {source}", path.display())]
    UnwrittenTests { path: PathBuf, source: io::Error },

    // The system.
    /// `purpose`: as in "to observe in".
    #[error("cannot make a folder {purpose}: {source}")]
    NoFolder {
        purpose: &'static str,
        source: io::Error,
    },
    #[error("cannot handle signals: {0}")]
    Signals(io::Error),
}

impl FrontEndError {
    /// What a file of a campaign, or its place, cannot be saved by.
    pub fn not_saved(what: &'static str, folder: &Path) -> impl FnOnce(io::Error) -> FrontEndError {
        let folder = folder.to_path_buf();
        move |source| FrontEndError::NotSaved {
            what,
            folder,
            source,
        }
    }

    /// Of folders that are temporary.
    pub fn no_folder(purpose: &'static str) -> impl Fn(io::Error) -> FrontEndError + Copy {
        move |source| FrontEndError::NoFolder { purpose, source }
    }
}

impl CommandError for FrontEndError {
    fn exit(&self) -> Exit {
        match self {
            FrontEndError::UnwrittenTests { .. } => Exit::Unwritten,
            _ => Exit::Usage,
        }
    }

    fn advice(&self) -> Option<Advice> {
        use FrontEndError::*;
        match self {
            UnreadableSubject { .. } | UnreadableInput { .. } => {
                Advice::semicolon("check the path")
            }
            SubjectIsFolder { .. } => Advice::colon("give files of it, or an executable"),
            TooSmall { least, .. } => Advice::colon(format!("give at least {least}")),
            AllowWrite { .. } => {
                Advice::semicolon("name a file or directory that is there already")
            }
            Workdir { .. } => Advice::semicolon("name a directory"),
            NoContainment { .. } => Advice::colon("leave one of them out"),
            NoRunYet { .. } => {
                Advice::colon("try again in a moment, or run the same `elsewise explore` again")
            }
            Stranger { .. } => Advice::colon("give --trust if what it runs may run here"),
            NotObserved { .. } => Advice::colon("run the same `elsewise explore` again"),
            Damaged { .. } | NoRecord { .. } => {
                Advice::semicolon("run the same `elsewise explore` again to restore it")
            }
            NotSaved { .. } => Advice::semicolon("is the disk full?"),
            NoGdb { shell } => Advice::colon(format!("`elsewise replay --shell` starts {shell}")),
            UnwrittenTests { .. } => {
                Advice::semicolon("give --out a directory that can be written to")
            }
            NoFolder { .. } => Advice::semicolon("set TMPDIR"),
            Signals(_) => Advice::semicolon("try again"),
            UnreadableCase { .. }
            | BadSchedule { .. }
            | LargeInput { .. }
            | NoForm(_)
            | NotJson(_) => None,
        }
    }
}

/// Flags that clap does not take: its own words say all.
impl CommandError for clap::Error {
    fn exit(&self) -> Exit {
        Exit::Usage
    }

    fn advice(&self) -> Option<Advice> {
        None
    }
}

impl CommandError for RunError {
    fn exit(&self) -> Exit {
        Exit::Subject
    }

    fn advice(&self) -> Option<Advice> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Problem;
    use elsewise_campaign::CampaignError;

    #[test]
    fn numbers_and_names_stand_in_the_advice() {
        let small = FrontEndError::TooSmall {
            flag: "--term-depth",
            value: 0,
            least: 1,
        };
        let words = "--term-depth 0 leaves nothing to explore: give at least 1";
        assert_eq!(Problem::from(small).to_string(), words);
        let words = "gdb is for native programs: `elsewise replay --shell` starts erl";
        let gdb = FrontEndError::NoGdb { shell: "erl" };
        assert_eq!(Problem::from(gdb).to_string(), words);
        let run = CampaignError::NoRun { run: 9, runs: 4 };
        let words = "no run 9 in this campaign; it has 4 runs, numbered from 0";
        assert_eq!(Problem::from(run).to_string(), words);
        let strategy = CampaignError::Strategy { name: "bfs".into() };
        let problem = Problem::from(strategy).to_string();
        let named = problem.strip_prefix("no strategy is called `bfs`; there are ");
        assert!(
            named.is_some_and(|named| named.split(", ").any(|one| one == "dfs")),
            "{problem}"
        );
    }

    #[test]
    fn errors_of_the_system_keep_their_source() {
        let unwritten = FrontEndError::UnwrittenTests {
            path: "out".into(),
            source: io::ErrorKind::StorageFull.into(),
        };
        let source = std::error::Error::source(&unwritten);
        assert!(source.is_some_and(|source| source.is::<io::Error>()));
        assert_eq!(unwritten.exit(), Exit::Unwritten);
        let advice = "give --out a directory that can be written to";
        assert_eq!(unwritten.advice(), Advice::semicolon(advice));
    }
}
