//! Temporary folders that programs are built and unpacked in.

use crate::program_error::ProgramError;
use elsewise_driver::Cache;
use elsewise_frontend::Problem;
use std::path::{Path, PathBuf};
use std::{env, fs};
use tempfile::TempDir;

/// Temporary folders are named after the process, so that those of killed ones can be told.
const PREFIX: &str = "elsewise-build-";

/// A folder to build in, and the cache for that, of which programs that are unpacked lie in the folder
/// as well.
pub fn folder() -> Result<(TempDir, Cache), Problem> {
    let place = env::temp_dir();
    remove_leftovers(&place);
    let folder = tempfile::Builder::new()
        .prefix(&format!("{PREFIX}{}-", std::process::id()))
        .tempdir_in(&place)
        .map_err(|source| ProgramError::NoBuildFolder { place, source })?;
    let cache = Cache::user_with_twins_at(folder.path().join("unpacked"));
    Ok((folder, cache))
}

/// Removes what processes left behind that were killed: they could not do it themselves.
fn remove_leftovers(place: &Path) {
    let Ok(entries) = fs::read_dir(place) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let owner = name
            .to_str()
            .and_then(|name| name.strip_prefix(PREFIX))
            .and_then(|rest| rest.split('-').next())
            .and_then(|pid| pid.parse::<u32>().ok());
        if owner.is_some_and(|pid| !PathBuf::from(format!("/proc/{pid}")).exists()) {
            // Another user's, or gone meanwhile: not ours to worry about.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_folders_of_dead_processes_are_removed() {
        let place = tempfile::tempdir().unwrap();
        let mine = place
            .path()
            .join(format!("{PREFIX}{}-x", std::process::id()));
        // Above any process number that Linux gives.
        let dead = place.path().join(format!("{PREFIX}4194999-x"));
        let other = place.path().join("something-else");
        for folder in [&mine, &dead, &other] {
            fs::create_dir(folder).unwrap();
        }
        remove_leftovers(place.path());
        assert!(mine.exists() && other.exists() && !dead.exists());
    }
}
