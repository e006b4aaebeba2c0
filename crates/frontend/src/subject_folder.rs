//! The folder in which a campaign keeps its subject, and what is always called the same there.

use std::path::{Path, PathBuf};

/// Folder in a campaign's directory.
const FOLDER: &str = "subject";
/// Folder in it, with the uninstrumented twins of instrumented shared libraries.
pub const LIBRARIES: &str = "lib";
/// Name of a file in it that is not whole yet.
pub const NEW: &str = ".new";

/// Where a campaign keeps its subject.
pub fn folder(campaign: &Path) -> PathBuf {
    campaign.join(FOLDER)
}
