//! What can go wrong with a campaign as a whole.

use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum CampaignError {
    /// Only within a campaign, which ends by it as by any end of its budget.
    #[error("the time was over")]
    Late,
    #[error("cannot start a worker: {0}; it needs 256 MB of address space (ulimit -v)")]
    Thread(std::io::Error),
    #[error(
        "{} is in use by process {pid}; wait for it, stop it, or give another campaign folder",
        dir.display()
    )]
    Locked { dir: PathBuf, pid: String },
    #[error(
        "{} is not empty and holds no campaign; give another folder, or empty this one",
        dir.display()
    )]
    NotACampaign { dir: PathBuf },
    #[error("{} holds no campaign; run `explore` first, or give another folder", dir.display())]
    Missing { dir: PathBuf },
    #[error(
        "{} has format {found}, and this version reads format {known}; start afresh (the old \
         campaign is kept beside the new one), or use the version that made it",
        dir.display()
    )]
    Version {
        dir: PathBuf,
        found: i64,
        known: i64,
    },
    #[error(
        "{} is damaged ({what}); start afresh (the old campaign is kept beside the new one)",
        path.display()
    )]
    Damaged { path: PathBuf, what: String },
    #[error(
        "{} can only be looked at: {} cannot be written ({source}); copy the folder, or give another with --campaign",
        dir.display(),
        path.display()
    )]
    ReadOnly {
        dir: PathBuf,
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("cannot {what} {}: {source}", path.display())]
    Io {
        what: &'static str,
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("cannot write to the campaign's database: {0}; is the disk full?")]
    Write(rusqlite::Error),
    #[error("no strategy is called `{name}`; there are {}", elsewise_explore::strategy::names().collect::<Vec<_>>().join(", "))]
    Strategy { name: String },
    #[error("nothing to run: a campaign needs at least one subject")]
    NoSubject,
    #[error("the subject cannot be run: {0}")]
    Subject(String),
    #[error("no run {run} in this campaign; it has {runs} runs, numbered from 0")]
    NoRun { run: u64, runs: u64 },
    #[error("no finding {id} in this campaign; `show` lists what there is")]
    NoFinding { id: u32 },
}

impl CampaignError {
    pub(crate) fn io(what: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| CampaignError::Io { what, path, source }
    }

    pub(crate) fn damaged(path: &Path, what: impl ToString) -> CampaignError {
        CampaignError::Damaged {
            path: path.to_owned(),
            what: what.to_string(),
        }
    }
}
