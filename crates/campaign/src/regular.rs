//! Files that somebody else may have put there: only what is a file is read or written. A pipe would be waited
//! for, and a device may have no end.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Larger files are nothing that we keep, or show.
const MOST: u64 = 256 << 20;

/// A regular file, by whatever links lead to it.
pub fn read_regular(path: &Path) -> io::Result<Vec<u8>> {
    read(path, 0)
}

/// The same as text.
pub fn read_regular_text(path: &Path) -> io::Result<String> {
    String::from_utf8(read_regular(path)?).map_err(io::Error::other)
}

/// A regular file that a subject, or somebody else's campaign, may have: a link there is none of ours.
pub fn read_unlinked(path: &Path) -> io::Result<Vec<u8>> {
    read(path, libc::O_NOFOLLOW)
}

/// Such a file, to be read piece by piece.
pub fn open_unlinked(path: &Path) -> io::Result<File> {
    open(OpenOptions::new().read(true), path, libc::O_NOFOLLOW)
}

/// The same as text.
pub fn read_unlinked_text(path: &Path) -> io::Result<String> {
    String::from_utf8(read_unlinked(path)?).map_err(io::Error::other)
}

/// Does it lead elsewhere?
pub fn is_link(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|it| it.is_symlink())
}

fn read(path: &Path, flags: i32) -> io::Result<Vec<u8>> {
    let mut options = OpenOptions::new();
    let mut bytes = Vec::new();
    open(options.read(true), path, flags)?
        .take(MOST + 1)
        .read_to_end(&mut bytes)?;
    match bytes.len() as u64 > MOST {
        true => Err(io::ErrorKind::FileTooLarge.into()),
        false => Ok(bytes),
    }
}

/// Writes a regular file whose name nobody has given: a link in its place, which whoever made the folder may have
/// put there, is not followed.
pub fn write_unlinked(path: &Path, text: &[u8]) -> io::Result<()> {
    if is_link(path) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a link"));
    }
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    open(&mut options, path, libc::O_NOFOLLOW)?.write_all(text)
}

/// Opens what is a regular file, or is made to be one.
pub(crate) fn open(options: &mut OpenOptions, path: &Path, flags: i32) -> io::Result<File> {
    // What is looked at first need not be opened: that alone does something to some devices.
    match path.metadata() {
        Ok(metadata) if !metadata.is_file() => return Err(no_file()),
        _ => {}
    }
    let file = options
        .custom_flags(flags | libc::O_NONBLOCK | libc::O_NOCTTY)
        .open(path)?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(no_file()),
    }
}

fn no_file() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::CString;
    use std::fs;
    use std::os::unix::ffi::OsStrExt;

    #[test]
    fn what_is_written_is_not_written_elsewhere() {
        let folder = tempfile::tempdir().unwrap();
        let (precious, link) = (folder.path().join("precious"), folder.path().join("page"));
        fs::write(&precious, "years of work").unwrap();
        std::os::unix::fs::symlink(&precious, &link).unwrap();
        assert!(write_unlinked(&link, b"page").is_err());
        assert_eq!(fs::read(&precious).unwrap(), b"years of work");
        fs::remove_file(&link).unwrap();
        write_unlinked(&link, b"page").unwrap();
        assert_eq!(fs::read(&link).unwrap(), b"page");
    }

    #[test]
    fn what_is_no_file_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("file"), "text").unwrap();
        std::os::unix::fs::symlink(at("file"), at("link")).unwrap();
        let pipe = CString::new(at("pipe").as_os_str().as_bytes()).unwrap();
        // SAFETY: a text with its NUL.
        assert_eq!(unsafe { libc::mkfifo(pipe.as_ptr(), 0o600) }, 0);
        assert_eq!(read_regular_text(&at("file")).unwrap(), "text");
        assert_eq!(read_regular_text(&at("link")).unwrap(), "text");
        assert_eq!(read_unlinked(&at("file")).unwrap(), b"text");
        assert!(read_unlinked(&at("link")).is_err());
        for path in [&at("pipe"), Path::new("/dev/zero"), folder.path()] {
            let error = read_regular(path).unwrap_err();
            assert!(error.to_string().contains("not a regular file"), "{error}");
        }
    }
}
