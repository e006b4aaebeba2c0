//! Files that a build reads twice: once to tell what it depends on, once to make something of it.
//! Only what stayed as it was in between may be kept.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Seconds and nanoseconds.
type Time = (i64, i64);

pub(super) struct Watch {
    began: Time,
    files: Vec<(PathBuf, Stamp)>,
}

/// Another one whenever a file was written or replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    file: (u64, u64),
    size: u64,
    written: Time,
    changed: Time,
}

impl Watch {
    pub fn begin() -> Watch {
        // The clock that files are stamped by.
        let mut now = libc::timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        // SAFETY: writes a time to where it is told.
        unsafe { libc::clock_gettime(libc::CLOCK_REALTIME_COARSE, &mut now) };
        Watch {
            began: (now.tv_sec, now.tv_nsec),
            files: Vec::new(),
        }
    }

    /// Reads a file, and looks at it from now on.
    pub fn read(&mut self, path: &Path) -> io::Result<Vec<u8>> {
        self.files.push((path.to_path_buf(), stamp(path)?));
        fs::read(path)
    }

    /// Whether a file may have changed after this began: time has a grain.
    pub fn is_too_soon(&self) -> bool {
        let mut stamps = self.files.iter().map(|(_, stamp)| stamp);
        stamps.any(|stamp| stamp.changed >= self.began)
    }

    /// Whether every file is what it was when this began.
    pub fn nothing_changed(&self) -> bool {
        let same = |(path, before): &(PathBuf, Stamp)| stamp(path).is_ok_and(|now| now == *before);
        !self.is_too_soon() && self.files.iter().all(same)
    }
}

fn stamp(path: &Path) -> io::Result<Stamp> {
    let about = fs::metadata(path)?;
    Ok(Stamp {
        file: (about.dev(), about.ino()),
        size: about.len(),
        written: (about.mtime(), about.mtime_nsec()),
        changed: (about.ctime(), about.ctime_nsec()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_file_written_meanwhile_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.c");
        fs::write(&path, "int a;").unwrap();
        let too_soon = Watch::begin();
        std::thread::sleep(Duration::from_millis(40));
        let mut watch = Watch::begin();
        watch.read(&path).unwrap();
        assert!(watch.nothing_changed());
        fs::write(&path, "int b;").unwrap();
        assert!(!watch.nothing_changed());
        // Written after the beginning, and before it was looked at.
        let mut watch = too_soon;
        fs::write(&path, "int c;").unwrap();
        watch.read(&path).unwrap();
        assert!(!watch.nothing_changed());
    }
}
