//! Whole files in folders that others write to, too.

use crate::ClusterError;
use elsewise_campaign::open_unlinked;
use std::fs::{self, DirBuilder, Permissions};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use tempfile::{NamedTempFile, PersistError};

/// No more is read of what somebody has written.
pub const LARGEST: u64 = 4 << 30;
/// Of what is made here: whoever may open a file can lock it, so that others wait.
const FOLDER: u32 = 0o770;
pub const FILE: u32 = 0o660;
/// What temporary files begin with.
pub const OURS: &str = "member-";

/// A folder in another one, which is there from now on.
pub fn make(folder: &Path, name: &str) -> Result<PathBuf, ClusterError> {
    let path = folder.join(name);
    let made = DirBuilder::new().recursive(true).mode(FOLDER).create(&path);
    made.map_err(ClusterError::io("make", &path))?;
    // Files are removed here: it does not lead elsewhere.
    let is_own = fs::symlink_metadata(&path).is_ok_and(|it| it.is_dir());
    let link = || io::Error::other("it is a link");
    match is_own {
        true => Ok(path),
        false => Err(ClusterError::io("use", &path)(link())),
    }
}

/// A temporary file that members of its group can read and write, as far as the umask lets them.
pub fn shared(folder: &Path) -> io::Result<NamedTempFile> {
    tempfile::Builder::new()
        .prefix(OURS)
        .permissions(Permissions::from_mode(FILE))
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
    let failed = |error: PersistError| ClusterError::io("write", &path)(error.error);
    match written(folder, bytes)?.persist(&path) {
        Ok(_) => Ok(()),
        Err(error) if error.error.kind() == ErrorKind::IsADirectory => {
            set_aside(folder, &path).map_err(ClusterError::io("replace", &path))?;
            error.file.persist(&path).map(drop).map_err(failed)
        }
        Err(error) => Err(failed(error)),
    }
}

/// Gives something another name that is not to be where a file is.
pub fn set_aside(folder: &Path, path: &Path) -> io::Result<()> {
    if !fs::symlink_metadata(path)?.is_dir() {
        return fs::remove_file(path);
    }
    let name = tempfile::Builder::new().prefix(OURS).tempdir_in(folder)?;
    // It takes the place of an empty folder.
    fs::rename(path, name.keep())
}

/// Is there something that is no file?
pub fn is_foreign(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|it| !it.is_file())
}

/// What is in a file, if there is one. What is no file, or larger than so many bytes, is damaged.
pub fn read(path: &Path, most: u64) -> Result<Option<Vec<u8>>, ClusterError> {
    let damaged = |why: String| {
        let key = path.file_name().unwrap_or_default().to_string_lossy();
        Err(ClusterError::Damaged {
            key: key.into_owned(),
            why,
        })
    };
    let read = || {
        if is_foreign(path) {
            return Err(io::Error::new(ErrorKind::InvalidInput, "it is no file"));
        }
        let file = open_unlinked(path)?;
        let mut bytes = Vec::new();
        // Of what is too large nothing is read: it may have no bytes on the disk, and would take memory.
        if file.metadata()?.len() <= most {
            (&file).take(most + 1).read_to_end(&mut bytes)?;
            if bytes.len() as u64 <= most {
                return Ok(bytes);
            }
        }
        Err(ErrorKind::FileTooLarge.into())
    };
    use ErrorKind::{FileTooLarge, InvalidInput, PermissionDenied};
    match read() {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => match error.kind() {
            FileTooLarge | InvalidInput | PermissionDenied => damaged(error.to_string()),
            // A link that was put there just now.
            _ if error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error()) => {
                damaged(error.to_string())
            }
            _ => Err(ClusterError::io("read", path)(error)),
        },
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
