//! What can go wrong with a campaign as a whole. What to do about it is known to the command, in whose words it is said.

use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum CampaignError {
    /// Only within a campaign, which ends by it as by any end of its budget.
    #[error("the time was over")]
    Late,
    #[error("cannot start a worker: {0}")]
    Thread(std::io::Error),
    #[error("{} is in use by process {pid}", dir.display())]
    Locked { dir: PathBuf, pid: String },
    #[error("{} is not empty and holds no campaign", dir.display())]
    NotACampaign { dir: PathBuf },
    #[error("{} holds no campaign", dir.display())]
    Missing { dir: PathBuf },
    #[error("{} has format {found}, and this version reads format {known}", dir.display())]
    Version {
        dir: PathBuf,
        found: i64,
        known: i64,
    },
    #[error("{} is damaged ({what})", path.display())]
    Damaged { path: PathBuf, what: String },
    #[error(
        "{} can only be looked at: {} cannot be written ({source})",
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
    #[error("cannot write to the campaign's database: {0}")]
    Write(rusqlite::Error),
    #[error("no strategy is called `{name}`")]
    Strategy { name: String },
    #[error("its runs have threads, whose orders hang together: they cannot be explored in shards")]
    ThreadsInShard,
    #[error("{} was explored with {other}", dir.display())]
    OtherCampaign { dir: PathBuf, other: &'static str },
    #[error("{} cannot be merged into itself", dir.display())]
    IntoItself { dir: PathBuf },
    #[error("nothing to run: a campaign needs at least one subject")]
    NoSubject,
    #[error("the subject cannot be run: {0}")]
    Subject(String),
    #[error("no run {run} in this campaign")]
    NoRun { run: u64, runs: u64 },
    #[error("no finding {id} in this campaign")]
    NoFinding { id: u32 },
}

impl CampaignError {
    /// Is something wrong with what is in this folder?
    pub fn is_of(&self, folder: &Path) -> bool {
        match self {
            CampaignError::Damaged { path, .. } | CampaignError::Io { path, .. } => {
                path.starts_with(folder)
            }
            CampaignError::OtherCampaign { dir, .. } => dir.starts_with(folder),
            _ => false,
        }
    }

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
