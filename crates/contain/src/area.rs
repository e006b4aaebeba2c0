//! The directory of a run: empty, or as the program left it before its first input, whatever the
//! run before has done there.
//!
//! Everything is done by descriptors: names are looked up below the directory only, no link is
//! followed, and nothing but what is a file is opened as one. So nothing outside is touched, even
//! if somebody is still at work there.

use rustix::fs::{
    AtFlags, CWD, Dir, FileType, Mode, OFlags, ResolveFlags, Stat, chmodat, fchmod, fstat, mkdirat,
    openat, openat2, readlinkat, renameat, statat, symlinkat, unlinkat,
};
use rustix::io::Errno;
use std::ffi::{CString, OsStr};
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Files that a program made before its first input are kept up to so many bytes in all.
const MAX_KEPT: u64 = 16 << 20;
/// So many files and directories are looked at; more are taken for a full disk.
const MAX_ENTRIES: usize = 100_000;

pub struct Area {
    folder: TempDir,
    root: OwnedFd,
    /// Its path as the system has it.
    real: PathBuf,
    /// What was there before the first input, by its path from there.
    kept: Vec<(PathBuf, Snapshot)>,
}

enum Snapshot {
    Folder,
    /// Files stay the same ones, as far as they are still there: the program may have them open.
    File {
        bytes: Vec<u8>,
        mode: Mode,
        inode: u64,
    },
    Link(CString),
    /// A pipe, say: nothing in it can be kept, and it is left where it is.
    Special {
        inode: u64,
    },
}

impl Area {
    pub fn new(place: Option<&Path>) -> io::Result<Area> {
        let mut builder = tempfile::Builder::new();
        builder.prefix("elsewise-run-");
        let folder = match place {
            Some(place) => builder.tempdir_in(place),
            None => builder.tempdir(),
        }?;
        let root = openat(CWD, folder.path(), FOLDER, Mode::empty())?;
        Ok(Area {
            real: folder.path().canonicalize()?,
            folder,
            root,
            kept: Vec::new(),
        })
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Its path without links.
    pub fn real_path(&self) -> &Path {
        &self.real
    }

    /// Remembers what is there now as what every run begins with.
    pub fn keep(&mut self) -> io::Result<()> {
        let mut left = MAX_KEPT;
        let mut kept = Vec::new();
        walk(&self.root, |entry| {
            let it = match entry.kind() {
                FileType::Directory => Snapshot::Folder,
                FileType::Symlink => {
                    Snapshot::Link(readlinkat(entry.folder, entry.name, Vec::new())?)
                }
                FileType::RegularFile => {
                    let (file, stat) = open_file(entry.folder, entry.name, OFlags::RDONLY)?;
                    let mut bytes = Vec::new();
                    file.take(left + 1).read_to_end(&mut bytes)?;
                    left = left.checked_sub(bytes.len() as u64).ok_or_else(|| {
                        io::Error::other(format!(
                            "the program writes more than {MAX_KEPT} bytes of files before its \
                             first input; let it write to another place, with --allow-write"
                        ))
                    })?;
                    Snapshot::File {
                        bytes,
                        mode: Mode::from_raw_mode(stat.st_mode),
                        inode: stat.st_ino,
                    }
                }
                _ => Snapshot::Special {
                    inode: entry.stat.st_ino,
                },
            };
            kept.push((entry.path.to_path_buf(), it));
            Ok(())
        })?;
        self.kept = kept;
        Ok(())
    }

    /// Cheap: false when it was empty and is.
    pub fn may_have_changed(&self) -> bool {
        !self.kept.is_empty() || !is_empty(&self.root)
    }

    /// Makes the directory what it was before the run.
    pub fn restore(&mut self) -> io::Result<()> {
        if self.kept.is_empty() {
            return empty(&self.root);
        }
        let mut extra = Vec::new();
        walk(&self.root, |entry| {
            let mut kept = self.kept.iter();
            let known = kept.any(|(path, kept)| path == entry.path && kept.is_still(entry));
            if !known {
                extra.push((entry.path.to_path_buf(), entry.kind()));
            }
            Ok(())
        })?;
        for (path, kind) in extra.iter().rev() {
            let (folder, name) = parent(&self.root, path)?;
            match kind {
                FileType::Directory => {
                    empty(&open_folder(&folder, name)?)?;
                    unlinkat(&folder, name, AtFlags::REMOVEDIR)?;
                }
                _ => unlinkat(&folder, name, AtFlags::empty())?,
            }
        }
        let root = &self.root;
        for (path, kept) in &mut self.kept {
            let (folder, name) = parent(root, path)?;
            kept.put_back(&folder, name)?;
        }
        Ok(())
    }

    /// Whether there is more in it, with so many bytes `beside`, than `limit`; 0 = no limit.
    pub fn is_over(&self, limit: u64, beside: u64) -> bool {
        let mut bytes = beside;
        let mut over = limit != 0 && bytes > limit;
        if over {
            return true;
        }
        // What cannot be looked at was counted as far as it could.
        let _ = walk(&self.root, |entry| {
            bytes += entry.stat.st_blocks as u64 * 512;
            over = limit != 0 && bytes > limit;
            match over {
                true => Err(io::Error::other("over")),
                false => Ok(()),
            }
        })
        .inspect_err(|error| over |= error.kind() == io::ErrorKind::QuotaExceeded);
        over
    }
}

/// The folder that a path from the root is in, and its name there.
fn parent<'a>(root: &OwnedFd, path: &'a Path) -> io::Result<(OwnedFd, &'a OsStr)> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    Ok((open_beneath(root, folder)?, name))
}

impl Drop for Area {
    fn drop(&mut self) {
        // The rest is the temporary folder's own.
        let _ = empty(&self.root);
    }
}

impl Snapshot {
    /// Is what stands in its place still what was kept?
    fn is_still(&self, entry: &Entry<'_>) -> bool {
        match self {
            Snapshot::Folder => entry.kind() == FileType::Directory,
            Snapshot::Link(to) => {
                entry.kind() == FileType::Symlink
                    && readlinkat(entry.folder, entry.name, Vec::new()).is_ok_and(|now| now == *to)
            }
            Snapshot::File { inode, .. } => {
                entry.kind() == FileType::RegularFile && entry.stat.st_ino == *inode
            }
            Snapshot::Special { inode } => entry.stat.st_ino == *inode,
        }
    }

    /// What was something else is gone by now.
    fn put_back(&mut self, folder: &OwnedFd, name: &OsStr) -> io::Result<()> {
        let is_there = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW).is_ok();
        match self {
            Snapshot::Folder if !is_there => mkdirat(folder, name, Mode::RWXU)?,
            Snapshot::Link(to) if !is_there => symlinkat(&**to, folder, name)?,
            Snapshot::File { bytes, mode, inode } => {
                let (mut file, stat) = match is_there {
                    true => open_file(folder, name, OFlags::RDWR)?,
                    false => open_file(folder, name, OFlags::RDWR | OFlags::CREATE | OFlags::EXCL)?,
                };
                *inode = stat.st_ino;
                if !has(&mut file, bytes) {
                    file.set_len(0)?;
                    file.write_all_at(bytes, 0)?;
                }
                fchmod(&file, *mode)?;
            }
            Snapshot::Folder | Snapshot::Link(_) | Snapshot::Special { .. } => {}
        }
        Ok(())
    }
}

fn has(file: &mut File, bytes: &[u8]) -> bool {
    let mut now = Vec::new();
    let read = file.take(bytes.len() as u64 + 1).read_to_end(&mut now);
    read.is_ok() && now == bytes
}

/// Something in a folder.
struct Entry<'a> {
    /// From the root.
    path: &'a Path,
    folder: &'a OwnedFd,
    name: &'a OsStr,
    stat: Stat,
}

impl Entry<'_> {
    fn kind(&self) -> FileType {
        FileType::from_raw_mode(self.stat.st_mode)
    }
}

/// Visits everything below a directory, folders before what is in them.
fn walk(root: &OwnedFd, mut visit: impl FnMut(&Entry<'_>) -> io::Result<()>) -> io::Result<()> {
    let mut seen = 0;
    let mut folders = vec![PathBuf::new()];
    while let Some(path) = folders.pop() {
        let folder = match open_beneath(root, &path) {
            // Gone meanwhile, or something else.
            Err(error) if is_other_now(&error) => continue,
            folder => folder?,
        };
        for name in list(&folder)? {
            seen += 1;
            if seen > MAX_ENTRIES {
                return Err(io::ErrorKind::QuotaExceeded.into());
            }
            let name = OsStr::from_bytes(name.as_bytes());
            let stat = match statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW) {
                Err(Errno::NOENT) => continue,
                stat => stat?,
            };
            let entry = Entry {
                path: &path.join(name),
                folder: &folder,
                name,
                stat,
            };
            visit(&entry)?;
            if entry.kind() == FileType::Directory {
                folders.push(entry.path.to_path_buf());
            }
        }
    }
    Ok(())
}

fn is_other_now(error: &io::Error) -> bool {
    let gone = [Errno::NOENT, Errno::NOTDIR, Errno::LOOP, Errno::XDEV];
    gone.iter()
        .any(|errno| error.raw_os_error() == Some(errno.raw_os_error()))
}

const FOLDER: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

/// A folder by its path from the root. A path may be too long to be looked up: then it is a quota that is exceeded.
fn open_beneath(root: &OwnedFd, path: &Path) -> io::Result<OwnedFd> {
    if path.as_os_str().is_empty() {
        return root.try_clone();
    }
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_XDEV;
    match openat2(root, path, FOLDER, Mode::empty(), resolve) {
        Ok(folder) => Ok(folder),
        Err(Errno::NAMETOOLONG) => Err(io::ErrorKind::QuotaExceeded.into()),
        // The subject has made it unreadable, or the system has no such call.
        Err(Errno::ACCESS | Errno::NOSYS | Errno::PERM) => {
            let mut folder = root.try_clone()?;
            for name in path {
                folder = open_folder(&folder, name)?;
            }
            Ok(folder)
        }
        Err(error) => Err(error.into()),
    }
}

/// A folder in another, made readable where the subject has made it not.
fn open_folder(at: &OwnedFd, name: &OsStr) -> io::Result<OwnedFd> {
    match openat(at, name, FOLDER, Mode::empty()) {
        Err(Errno::ACCESS) => {
            make_ours(at, name, Mode::RWXU)?;
            Ok(openat(at, name, FOLDER, Mode::empty())?)
        }
        folder => Ok(folder?),
    }
}

/// A regular file in a folder: what is none is an error, and is not waited for.
fn open_file(at: &OwnedFd, name: &OsStr, flags: OFlags) -> io::Result<(File, Stat)> {
    let flags = flags | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    // What opening a device does is done by opening it.
    let mode = Mode::RUSR | Mode::WUSR;
    if !flags.contains(OFlags::CREATE) {
        let stat = statat(at, name, AtFlags::SYMLINK_NOFOLLOW)?;
        is_file(&stat)?;
    }
    let file = match openat(at, name, flags, mode) {
        Err(Errno::ACCESS) => {
            make_ours(at, name, mode)?;
            openat(at, name, flags, mode)
        }
        file => file,
    }?;
    let stat = fstat(&file)?;
    is_file(&stat)?;
    Ok((File::from(file), stat))
}

fn is_file(stat: &Stat) -> io::Result<()> {
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::RegularFile => Ok(()),
        _ => Err(io::Error::other("it is no file any more")),
    }
}

/// Gives its owner rights on something, which may not be opened without.
fn make_ours(at: &OwnedFd, name: &OsStr, mode: Mode) -> io::Result<()> {
    let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let it = openat(at, name, flags, Mode::empty())?;
    if FileType::from_raw_mode(fstat(&it)?.st_mode) == FileType::Symlink {
        return Err(Errno::LOOP.into());
    }
    // What is held is what is meant, whatever has the name by now.
    let held = format!("/proc/self/fd/{}", it.as_raw_fd());
    Ok(chmodat(CWD, held, mode, AtFlags::empty())?)
}

fn is_empty(folder: &OwnedFd) -> bool {
    list_some(folder, 1).is_ok_and(|names| names.is_empty())
}

/// Names in a folder, up to a number.
fn list(folder: &OwnedFd) -> io::Result<Vec<CString>> {
    match list_some(folder, MAX_ENTRIES) {
        // The root is held, and may have become unreadable all the same.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            fchmod(folder, Mode::RWXU)?;
            list_some(folder, MAX_ENTRIES)
        }
        names => names,
    }
}

fn list_some(folder: impl AsFd, most: usize) -> io::Result<Vec<CString>> {
    let names = Dir::read_from(folder)?.filter_map(|entry| match entry {
        Ok(entry) => {
            let name = entry.file_name();
            (name != c"." && name != c"..").then(|| Ok(name.to_owned()))
        }
        Err(error) => Some(Err(error.into())),
    });
    names.take(most).collect()
}

/// Removes everything in a folder. Folders in folders are first moved up: a subject can nest them
/// deeper than any path is long.
fn empty(folder: &OwnedFd) -> io::Result<()> {
    let mut moved = 0u64;
    loop {
        let entries = list(folder)?;
        if entries.is_empty() {
            return Ok(());
        }
        if !Mode::from_raw_mode(fstat(folder)?.st_mode).contains(Mode::RWXU) {
            fchmod(folder, Mode::RWXU)?;
        }
        for entry in &entries {
            let name = OsStr::from_bytes(entry.as_bytes());
            if !is_folder(folder, name)? {
                unlinkat(folder, name, AtFlags::empty())?;
                continue;
            }
            let within = open_folder(folder, name)?;
            fchmod(&within, Mode::RWXU)?;
            for inner in &list(&within)? {
                let inner = OsStr::from_bytes(inner.as_bytes());
                if is_folder(&within, inner)? {
                    // Another folder may have the name already.
                    let up = loop {
                        moved += 1;
                        let up = format!("%{moved}");
                        if statat(folder, &up, AtFlags::SYMLINK_NOFOLLOW).is_err() {
                            break up;
                        }
                    };
                    renameat(&within, inner, folder, up)?;
                } else {
                    unlinkat(&within, inner, AtFlags::empty())?;
                }
            }
            // Not empty yet if it held more than is listed at once: then in the next round.
            match unlinkat(folder, name, AtFlags::REMOVEDIR) {
                Err(Errno::NOTEMPTY) => {}
                done => done?,
            }
        }
    }
}

fn is_folder(at: &OwnedFd, name: &OsStr) -> io::Result<bool> {
    let stat = statat(at, name, AtFlags::SYMLINK_NOFOLLOW)?;
    Ok(FileType::from_raw_mode(stat.st_mode) == FileType::Directory)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{MetadataExt, PermissionsExt};

    fn names(area: &Area) -> Vec<String> {
        let mut names = Vec::new();
        walk(&area.root, |entry| {
            names.push(entry.path.display().to_string());
            Ok(())
        })
        .unwrap();
        names.sort();
        names
    }

    #[test]
    fn what_a_run_made_is_gone_afterwards() {
        let mut area = Area::new(None).unwrap();
        fs::create_dir_all(area.path().join("a/b/c")).unwrap();
        fs::write(area.path().join("a/b/file"), "x").unwrap();
        fs::write(area.path().join("%1"), "x").unwrap();
        std::os::unix::fs::symlink("/", area.path().join("a/link")).unwrap();
        let locked = area.path().join("a/b");
        fs::set_permissions(&locked, Permissions::from_mode(0o000)).unwrap();
        area.restore().unwrap();
        assert!(names(&area).is_empty());
        let path = area.path().to_path_buf();
        drop(area);
        assert!(!path.exists());
    }

    #[test]
    fn folders_deeper_than_any_path_are_removed() {
        let mut area = Area::new(None).unwrap();
        let (inner, outer) = (area.path().join("inner"), area.path().join("outer"));
        fs::create_dir(&inner).unwrap();
        for _ in 0..1500 {
            fs::create_dir(&outer).unwrap();
            fs::rename(&inner, outer.join("inner")).unwrap();
            fs::rename(&outer, &inner).unwrap();
        }
        area.restore().unwrap();
        assert!(names(&area).is_empty());
    }

    #[test]
    fn what_was_there_before_the_first_input_comes_back() {
        let mut area = Area::new(None).unwrap();
        let (log, link) = (area.path().join("log"), area.path().join("link"));
        fs::write(&log, "begin").unwrap();
        fs::create_dir(area.path().join("empty")).unwrap();
        std::os::unix::fs::symlink("log", &link).unwrap();
        area.keep().unwrap();
        let inode = fs::metadata(&log).unwrap().ino();
        fs::write(&log, "begin and more").unwrap();
        fs::write(area.path().join("empty/file"), "x").unwrap();
        fs::remove_file(&link).unwrap();
        fs::create_dir_all(area.path().join("new/inner")).unwrap();
        area.restore().unwrap();
        assert_eq!(names(&area), ["empty", "link", "log"]);
        assert_eq!(fs::read(&log).unwrap(), b"begin");
        assert_eq!(fs::metadata(&log).unwrap().ino(), inode);
        fs::remove_file(&log).unwrap();
        fs::remove_dir(area.path().join("empty")).unwrap();
        area.restore().unwrap();
        assert_eq!(names(&area), ["empty", "link", "log"]);
        assert_eq!(fs::read(&log).unwrap(), b"begin");
    }

    #[test]
    fn what_is_written_is_counted() {
        let area = Area::new(None).unwrap();
        fs::create_dir(area.path().join("d")).unwrap();
        fs::write(area.path().join("d/one"), vec![1; 300_000]).unwrap();
        fs::write(area.path().join("two"), vec![1; 300_000]).unwrap();
        assert!(!area.is_over(0, 1 << 20));
        assert!(!area.is_over(1 << 20, 0));
        assert!(area.is_over(500_000, 0));
        assert!(area.is_over(1 << 20, 600_000));
    }
    #[test]
    fn links_lead_nowhere_and_pipes_are_not_waited_for() {
        let elsewhere = tempfile::tempdir().unwrap();
        let precious = elsewhere.path().join("precious");
        fs::write(&precious, "work").unwrap();
        let mut area = Area::new(None).unwrap();
        let (log, sub) = (area.path().join("log"), area.path().join("sub"));
        fs::create_dir(&sub).unwrap();
        for name in [&log, &sub.join("a"), &sub.join("b")] {
            fs::write(name, "mine").unwrap();
        }
        area.keep().unwrap();
        let was = ["log", "sub", "sub/a", "sub/b"];
        // A folder becomes a link to another that holds files of the same names.
        for name in ["a", "b"] {
            fs::write(elsewhere.path().join(name), "theirs").unwrap();
        }
        fs::remove_dir_all(&sub).unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), &sub).unwrap();
        // A file becomes a link, another file that is somebody else's as well, a pipe.
        fs::remove_file(&log).unwrap();
        std::os::unix::fs::symlink(&precious, &log).unwrap();
        area.restore().unwrap();
        assert_eq!(names(&area), was);
        fs::remove_file(&log).unwrap();
        fs::hard_link(&precious, &log).unwrap();
        area.restore().unwrap();
        assert_eq!(names(&area), was);
        fs::remove_file(&log).unwrap();
        rustix::fs::mknodat(CWD, &log, FileType::Fifo, Mode::RWXU, 0).unwrap();
        fs::set_permissions(sub.join("a"), Permissions::from_mode(0o000)).unwrap();
        area.restore().unwrap();
        assert_eq!(names(&area), was);
        for name in [&log, &sub.join("a"), &sub.join("b")] {
            assert!(fs::symlink_metadata(name).unwrap().is_file());
            assert_eq!(fs::read(name).unwrap(), b"mine");
        }
        assert_eq!(fs::read(&precious).unwrap(), b"work");
        for name in ["a", "b"] {
            assert_eq!(fs::read(elsewhere.path().join(name)).unwrap(), b"theirs");
        }
    }

    #[test]
    fn a_pipe_from_before_the_first_input_stays() {
        let mut area = Area::new(None).unwrap();
        let pipe = area.path().join("pipe");
        rustix::fs::mknodat(CWD, &pipe, FileType::Fifo, Mode::RWXU, 0).unwrap();
        area.keep().unwrap();
        fs::write(area.path().join("file"), "x").unwrap();
        rustix::fs::mknodat(CWD, area.path().join("new"), FileType::Fifo, Mode::RWXU, 0).unwrap();
        area.restore().unwrap();
        assert_eq!(names(&area), ["pipe"]);
    }
}
