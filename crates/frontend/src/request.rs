//! What the user asked for, looked at before anything is built.

use crate::contain::Contained;
use crate::flags::Flags;
use crate::limits::{DISK_MB, MEMORY_MB, STRANGERS_TIMEOUT_MS, TIMEOUT_MS};
use std::path::PathBuf;

/// What is to be explored, and how its runs are.
pub struct ExploreRequest {
    /// The words that name the subject.
    pub subject: Vec<String>,
    /// Those that come after `--`.
    pub arguments: Vec<String>,
    pub flags: Flags,
    pub timeout_ms: Option<u64>,
    pub memory_mb: Option<u64>,
    pub contained: Contained,
    /// Only the result is wanted.
    pub quiet: bool,
}

impl ExploreRequest {
    /// Milliseconds that one run may take.
    pub fn timeout_or_usual(&self) -> u64 {
        self.timeout_ms.unwrap_or(TIMEOUT_MS).max(1)
    }

    /// Runs of somebody else's campaign get no more than usual, whatever it says.
    pub fn lower_limits(&mut self) {
        self.timeout_ms = self.timeout_ms.map(|time| time.min(STRANGERS_TIMEOUT_MS));
        self.memory_mb = self.memory_mb.map(|memory| memory.min(MEMORY_MB));
        self.contained.disk_mb = self.contained.disk_mb.min(DISK_MB);
    }

    /// Megabytes of memory that one run may use.
    pub fn memory_or_usual(&self) -> u64 {
        self.memory_mb.unwrap_or(MEMORY_MB)
    }
}

/// Tests that are to be written.
pub struct ExportRequest {
    /// Who runs them; the usual one where nothing is said.
    pub framework: Option<String>,
    pub folder: PathBuf,
}
