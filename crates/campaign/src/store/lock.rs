//! One explorer at a time in a campaign's folder.

use crate::{CampaignError, regular};
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, Write};
use std::path::Path;

/// Held as long as it lives; the operating system lets go of it when the process ends in
/// whatever way, so a killed explorer leaves no stale lock.
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    pub fn take(dir: &Path) -> Result<Lock, CampaignError> {
        let path = dir.join("lock");
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        // A link there would have us write elsewhere.
        let mut file = regular::open(&mut options, &path, libc::O_NOFOLLOW)
            .map_err(|source| refused(dir, &path, source))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(std::fs::TryLockError::WouldBlock) => {
                let mut pid = String::new();
                // A pid is a few digits; whatever else the file holds is not shown.
                let _ = Read::by_ref(&mut file).take(20).read_to_string(&mut pid);
                let pid = match pid.trim() {
                    "" => "(unknown)".to_owned(),
                    pid => pid.chars().filter(char::is_ascii_digit).collect(),
                };
                let dir = dir.to_owned();
                return Err(CampaignError::Locked { dir, pid });
            }
            Err(std::fs::TryLockError::Error(error)) => {
                return Err(CampaignError::io("lock", &path)(error));
            }
        }
        let written = file
            .set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| write!(file, "{}", std::process::id()));
        written.map_err(CampaignError::io("write", &path))?;
        Ok(Lock { _file: file })
    }
}

/// Where nothing can be written, that is what is wrong, and not the lock.
fn refused(dir: &Path, path: &Path, source: std::io::Error) -> CampaignError {
    use std::io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem};
    match source.kind() {
        PermissionDenied | ReadOnlyFilesystem if dir.join("campaign.db").exists() => {
            CampaignError::ReadOnly {
                dir: dir.to_owned(),
                path: path.to_owned(),
                source,
            }
        }
        _ => CampaignError::io("open", path)(source),
    }
}
