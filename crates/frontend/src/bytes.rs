//! A subject of which nothing is known but the bytes of its cases.

use crate::problem::Problem;
use crate::record;
use crate::request::ExportRequest;
use crate::saved::{Debugger, Never, Rerun, SavedSubject};
use elsewise_campaign::{Finding, Store};
use elsewise_explore::Case;
use elsewise_report::replay_command;
use std::path::{Path, PathBuf};

/// What is left where a campaign has no record of its subject, or none that can be read.
pub struct BytesOnly {
    campaign: PathBuf,
}

impl BytesOnly {
    pub fn of(campaign: &Path) -> BytesOnly {
        BytesOnly {
            campaign: campaign.to_path_buf(),
        }
    }

    fn missing<T>(&self) -> Result<T, Problem> {
        Err(record::missing(&self.campaign))
    }
}

impl SavedSubject for BytesOnly {
    fn export(&self, _: &Store, _: &ExportRequest) -> Result<(), Problem> {
        self.missing()
    }

    fn debug_command(&self, finding: &Finding) -> String {
        replay_command(&finding.path.to_string_lossy(), "")
    }

    fn rerun(&self, _: &Case) -> Result<Rerun, Problem> {
        self.missing()
    }

    fn debug(&self, _: Debugger, _: &Case) -> Result<Never, Problem> {
        self.missing()
    }

    fn main_key(&self) -> Result<String, Problem> {
        self.missing()
    }

    fn command(&self) -> &[String] {
        &[]
    }
}
