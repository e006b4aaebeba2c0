//! The file that holds the main input of a fork server's runs: written anew before each of them.

use elsewise_contain::process;
use elsewise_wire as wire;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Where the file is.
enum InputFile {
    /// Nowhere but in memory; its reading end is standard input.
    Stdin(File),
    /// In a folder of its own, removed with it, under a path that the arguments name.
    Path { _folder: TempDir, path: PathBuf },
}

pub struct MainInput {
    place: InputFile,
    file: File,
    /// What was written last.
    bytes: Option<Vec<u8>>,
}

impl MainInput {
    /// For standard input.
    pub fn stdin() -> io::Result<MainInput> {
        // SAFETY: a constant name with its NUL; the new descriptor belongs to nobody else.
        let file = unsafe {
            let fd = libc::memfd_create(c"stdin".as_ptr(), libc::MFD_CLOEXEC);
            if fd < 0 {
                return Err(io::Error::last_os_error());
            }
            File::from(process::raise(OwnedFd::from_raw_fd(fd)))
        };
        // Opened anew: only for reading, as a shell's `<` does it.
        let read = File::open(format!("/proc/self/fd/{}", file.as_raw_fd()))?;
        Ok(MainInput {
            place: InputFile::Stdin(File::from(process::raise(read.into()))),
            file,
            bytes: None,
        })
    }

    /// For a file with a path, in a new folder in `parent`.
    pub fn path(parent: &Path) -> io::Result<MainInput> {
        let folder = tempfile::Builder::new()
            .prefix("elsewise-input.")
            .tempdir_in(parent)?;
        let path = folder.path().canonicalize()?.join("input");
        Ok(MainInput {
            file: create(&path)?,
            place: InputFile::Path {
                _folder: folder,
                path,
            },
            bytes: None,
        })
    }

    /// The path, if it has one.
    pub fn named(&self) -> Option<&Path> {
        match &self.place {
            InputFile::Stdin(_) => None,
            InputFile::Path { path, .. } => Some(path),
        }
    }

    /// What a process of the subject has as standard input. There is something in it, so that it shows where it stands
    /// if somebody reads it before there are runs.
    pub fn standard_input(&mut self) -> io::Result<File> {
        match &mut self.place {
            InputFile::Stdin(read) => {
                self.bytes = None;
                self.file.set_len(1)?;
                read.rewind()?;
                read.try_clone()
            }
            InputFile::Path { .. } => File::open("/dev/null"),
        }
    }

    /// Device and inode: how the runtime knows the file.
    pub fn identity(&self) -> io::Result<(u64, u64)> {
        let metadata = self.file.metadata()?;
        Ok((metadata.dev(), metadata.ino()))
    }

    /// Puts a case's bytes into the file. If it `is_safe`, nobody has changed it since.
    pub fn write(&mut self, bytes: &[u8], is_safe: bool) -> io::Result<()> {
        let unchanged = is_safe && self.bytes.as_deref() == Some(bytes);
        match &mut self.place {
            // All runs share the reading end, and where it stands.
            InputFile::Stdin(read) => read.rewind()?,
            InputFile::Path { .. } if unchanged => {}
            InputFile::Path { path, .. } => {
                // A run may have removed it, or put something else in its place.
                let same = fs::symlink_metadata(&*path)
                    .is_ok_and(|found| self.file.metadata().is_ok_and(|own| same(&own, &found)));
                if !same {
                    let _ = fs::remove_file(&*path);
                    self.file = create(path)?;
                }
            }
        }
        if unchanged {
            return Ok(());
        }
        self.bytes = None;
        self.file.set_len(bytes.len() as u64)?;
        self.file.write_all_at(bytes, 0)?;
        self.bytes = Some(bytes.to_vec());
        Ok(())
    }
}

fn same(a: &fs::Metadata, b: &fs::Metadata) -> bool {
    a.dev() == b.dev() && a.ino() == b.ino()
}

fn create(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .read(true)
        .write(true)
        .create_new(true)
        .open(path)
}

/// A name as the shared memory has it.
pub fn padded(name: &[u8]) -> [u8; wire::NAME_BYTES] {
    let mut out = [0; wire::NAME_BYTES];
    let length = name.len().min(wire::NAME_BYTES - 1);
    out[..length].copy_from_slice(&name[..length]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn standard_input_begins_anew_for_every_run() {
        let mut input = MainInput::stdin().unwrap();
        let mut read = input.standard_input().unwrap();
        for bytes in [&b"first"[..], b"2", b"", b"again"] {
            input.write(bytes, true).unwrap();
            let mut text = Vec::new();
            read.read_to_end(&mut text).unwrap();
            assert_eq!(text, bytes);
            assert!(read.set_len(0).is_err(), "only for reading");
        }
    }

    #[test]
    fn a_removed_file_is_there_again() {
        let parent = tempfile::tempdir().unwrap();
        let mut input = MainInput::path(parent.path()).unwrap();
        let path = input.named().unwrap().to_path_buf();
        input.write(b"one", false).unwrap();
        let before = input.identity().unwrap();
        input.write(b"x", false).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"x");
        assert_eq!(input.identity().unwrap(), before);
        fs::remove_file(&path).unwrap();
        std::os::unix::fs::symlink("/dev/null", &path).unwrap();
        input.write(b"two", false).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(
            input.identity().unwrap().1,
            fs::symlink_metadata(&path).unwrap().ino()
        );
    }
}
