//! Where results come into being, and how they get where the user wants them: whole, or not at all.

use super::Stop;
use crate::NativeError;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::env;
use std::fs::{self, Permissions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::TempDir;

/// Folders that go when the driver is told to end.
static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn folders() -> MutexGuard<'static, Vec<PathBuf>> {
    FOLDERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A folder for what nobody asked for.
pub(super) struct Scratch(TempDir);

impl Scratch {
    pub fn new() -> Result<Scratch, Stop> {
        let folder = tempfile::Builder::new()
            .prefix("elsewise-cc.")
            .tempdir()
            .map_err(NativeError::io("make a folder in", &env::temp_dir()))?;
        folders().push(folder.path().to_path_buf());
        Ok(Scratch(folder))
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// A folder in it.
    pub fn folder(&self, name: &str) -> Result<PathBuf, Stop> {
        let folder = self.path().join(name);
        fs::create_dir(&folder).map_err(NativeError::io("make", &folder))?;
        Ok(folder)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let own = self.path();
        folders().retain(|folder| folder != own);
    }
}

/// Has a signal that ends the process remove what was only in the making.
pub(super) fn clean_up_on_signals() {
    let Ok(mut signals) = Signals::new([SIGHUP, SIGINT, SIGTERM]) else {
        return;
    };
    std::thread::spawn(move || {
        for signal in signals.forever() {
            for folder in folders().iter() {
                let _ = fs::remove_dir_all(folder);
            }
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    });
}

/// Puts a result in its place: beside it first, then there by its name, so that nobody sees half of
/// it, what is there may be running, and a full disk leaves what was there before. Behind a symbolic
/// link the file that it leads to is replaced.
pub(super) fn place(output: &Path, bytes: &[u8], executable: bool) -> Result<(), NativeError> {
    let file = output.canonicalize().unwrap_or_else(|_| output.into());
    let written = match beside(&file, bytes, executable) {
        // Only the file itself may be written, not its folder.
        Err(error) if is_forbidden(error.kind()) => fs::write(&file, bytes),
        written => written,
    };
    written.map_err(NativeError::io("write", output))
}

fn is_forbidden(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem
    )
}

fn beside(file: &Path, bytes: &[u8], executable: bool) -> std::io::Result<()> {
    let folder = match file.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    // What the user's mask takes away is taken away, as from any file that is made.
    let mode = if executable { 0o777 } else { 0o666 };
    let mut new = tempfile::Builder::new()
        .prefix(".elsewise-cc.")
        .permissions(Permissions::from_mode(mode))
        .tempfile_in(folder)?;
    new.write_all(bytes)?;
    // Closed before it gets its name: a file still open for writing cannot be executed.
    new.into_temp_path().persist(file)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_takes_the_place_of_the_one_before_whole() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.o");
        place(&file, b"one", false).unwrap();
        let link = folder.path().join("link.o");
        std::os::unix::fs::symlink(&file, &link).unwrap();
        let other = folder.path().join("hard.o");
        fs::hard_link(&file, &other).unwrap();
        place(&link, b"two", true).unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"two");
        assert!(link.is_symlink());
        assert_eq!(fs::read(&other).unwrap(), b"one");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
    }

    #[test]
    fn what_cannot_be_placed_leaves_what_was_there() {
        let folder = tempfile::tempdir().unwrap();
        let inside = folder.path().join("no-folder").join("a.o");
        assert!(place(&inside, b"one", false).is_err());
        assert!(place(folder.path(), b"one", false).is_err());
        assert!(folder.path().is_dir());
    }
}
