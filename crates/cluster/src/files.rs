//! Whole files in folders that others write to, too.

use crate::ClusterError;
use elsewise_campaign::open_unlinked;
use std::fs::{self, Permissions};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// No more is read of what somebody has written.
pub const LARGEST: u64 = 4 << 30;
/// What temporary files begin with.
pub const OURS: &str = "member-";

/// A folder in another one, which is there from now on.
pub fn make(folder: &Path, name: &str) -> Result<PathBuf, ClusterError> {
    let path = folder.join(name);
    fs::create_dir_all(&path).map_err(ClusterError::io("make", &path))?;
    // Files are removed here: it does not lead elsewhere.
    let is_own = fs::symlink_metadata(&path).is_ok_and(|it| it.is_dir());
    let link = || io::Error::other("it is a link");
    match is_own {
        true => Ok(path),
        false => Err(ClusterError::io("use", &path)(link())),
    }
}

/// A temporary file that others who may read the folder can read.
pub fn shared(folder: &Path) -> io::Result<NamedTempFile> {
    tempfile::Builder::new()
        .prefix(OURS)
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(folder)
}

/// A file that is whole, under a name of its own.
pub fn written(folder: &Path, bytes: &[u8]) -> Result<NamedTempFile, ClusterError> {
    let written = shared(folder).and_then(|mut file| {
        file.write_all(bytes)?;
        file.as_file().sync_data()?;
        Ok(file)
    });
    written.map_err(ClusterError::io("write to", folder))
}

/// Writes a file, in the place of one that may be there.
pub fn replace(folder: &Path, name: &str, bytes: &[u8]) -> Result<(), ClusterError> {
    let path = folder.join(name);
    let kept = written(folder, bytes)?.persist(&path);
    kept.map_err(|error| ClusterError::io("write", &path)(error.error))?;
    Ok(())
}

/// What is in a file, if there is one.
pub fn read(path: &Path) -> Result<Option<Vec<u8>>, ClusterError> {
    let read = || {
        let mut bytes = Vec::new();
        open_unlinked(path)?.take(LARGEST).read_to_end(&mut bytes)?;
        Ok::<_, io::Error>(bytes)
    };
    match read() {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(ClusterError::io("read", path)(error)),
    }
}

/// Removes a file, if it is there.
pub fn remove(path: &Path) -> Result<(), ClusterError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(ClusterError::io("remove", path)(error))
        }
        _ => Ok(()),
    }
}
