//! The directory of a run: empty, or as the program left it before its first input, whatever the
//! run before has done there.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Files that a program made before its first input are kept up to so many bytes in all.
const MAX_KEPT: u64 = 16 << 20;
/// So many files and directories are looked at; more are taken for a full disk.
const MAX_ENTRIES: usize = 100_000;

pub struct Area {
    folder: TempDir,
    /// What was there before the first input.
    kept: Vec<(PathBuf, Kept)>,
}

enum Kept {
    Folder,
    File { bytes: Vec<u8>, mode: u32 },
    Link(PathBuf),
}

impl Area {
    pub fn new(place: Option<&Path>) -> io::Result<Area> {
        let mut builder = tempfile::Builder::new();
        builder.prefix("elsewise-run-");
        let folder = match place {
            Some(place) => builder.tempdir_in(place),
            None => builder.tempdir(),
        }?;
        Ok(Area {
            folder,
            kept: Vec::new(),
        })
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Remembers what is there now as what every run begins with.
    pub fn keep(&mut self) -> io::Result<()> {
        let mut left = MAX_KEPT;
        let mut kept = Vec::new();
        walk(self.path(), |path, metadata| {
            let entry = if metadata.is_dir() {
                Kept::Folder
            } else if metadata.is_symlink() {
                Kept::Link(fs::read_link(path)?)
            } else if metadata.is_file() {
                left = left.checked_sub(metadata.len()).ok_or_else(|| {
                    io::Error::other(format!(
                        "the program writes more than {MAX_KEPT} bytes of files before its first \
                         input; let it write to another place, with --allow-write"
                    ))
                })?;
                Kept::File {
                    bytes: fs::read(path)?,
                    mode: metadata.mode(),
                }
            } else {
                // A pipe, say: nothing in it can be kept, and it is left where it is.
                return Ok(());
            };
            kept.push((path.to_path_buf(), entry));
            Ok(())
        })?;
        self.kept = kept;
        Ok(())
    }

    /// Cheap: false when it was empty and is.
    pub fn may_have_changed(&self) -> bool {
        let is_empty = || fs::read_dir(self.path()).is_ok_and(|mut all| all.next().is_none());
        !self.kept.is_empty() || !is_empty()
    }

    /// Makes the directory what it was before the run.
    pub fn restore(&self) -> io::Result<()> {
        if self.kept.is_empty() {
            return empty(self.path());
        }
        // Files stay the same ones, as far as they are still there: the program may have them open.
        let mut extra = Vec::new();
        walk(self.path(), |path, metadata| {
            let known = self.kept.iter().any(|(name, kept)| {
                name == path
                    && match kept {
                        Kept::Folder => metadata.is_dir(),
                        Kept::File { .. } => metadata.is_file(),
                        Kept::Link(to) => fs::read_link(path).is_ok_and(|now| now == *to),
                    }
            });
            let special = !(metadata.is_dir() || metadata.is_file() || metadata.is_symlink());
            if !known && !special {
                extra.push((path.to_path_buf(), metadata.is_dir()));
            }
            Ok(())
        })?;
        for (path, is_folder) in extra.iter().rev() {
            if *is_folder {
                empty(path)?;
                fs::remove_dir(path)?;
            } else {
                fs::remove_file(path)?;
            }
        }
        for (path, kept) in &self.kept {
            match kept {
                Kept::Folder if path.is_dir() => {}
                Kept::Folder => fs::create_dir(path)?,
                // One that led elsewhere is gone by now.
                Kept::Link(_) if path.is_symlink() => {}
                Kept::Link(to) => std::os::unix::fs::symlink(to, path)?,
                Kept::File { bytes, mode } => {
                    if fs::read(path).ok().as_ref() != Some(bytes) {
                        fs::write(path, bytes)?;
                    }
                    fs::set_permissions(path, Permissions::from_mode(*mode))?;
                }
            }
        }
        Ok(())
    }

    /// Whether there is more in it than `limit` bytes; 0 = no limit.
    pub fn is_over(&self, limit: u64) -> bool {
        let mut bytes = 0;
        let mut over = false;
        // What cannot be looked at (a path that is too long) was counted as far as it could.
        let _ = walk(self.path(), |_, metadata| {
            bytes += metadata.blocks() * 512;
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

impl Drop for Area {
    fn drop(&mut self) {
        // The rest is the temporary folder's own.
        let _ = empty(self.path());
    }
}

/// Visits everything below a directory, folders before what is in them.
fn walk(
    folder: &Path,
    mut visit: impl FnMut(&Path, &fs::Metadata) -> io::Result<()>,
) -> io::Result<()> {
    let mut seen = 0;
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in list(&folder)? {
            seen += 1;
            if seen > MAX_ENTRIES {
                return Err(io::ErrorKind::QuotaExceeded.into());
            }
            let metadata = match entry.symlink_metadata() {
                // Gone meanwhile.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                metadata => metadata?,
            };
            visit(&entry, &metadata)?;
            if metadata.is_dir() {
                folders.push(entry);
            }
        }
    }
    Ok(())
}

/// What is in a folder, which the subject may have made unreadable.
fn list(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            fs::set_permissions(folder, Permissions::from_mode(0o700))?;
            fs::read_dir(folder)?
        }
        entries => entries?,
    };
    entries
        .take(MAX_ENTRIES)
        .map(|entry| entry.map(|entry| entry.path()))
        .collect()
}

/// Removes everything in a folder. Folders in folders are first moved up: a subject can nest them
/// deeper than any path is long.
fn empty(folder: &Path) -> io::Result<()> {
    let mut moved = 0u64;
    loop {
        let entries = list(folder)?;
        if entries.is_empty() {
            return Ok(());
        }
        if fs::metadata(folder)?.mode() & 0o700 != 0o700 {
            fs::set_permissions(folder, Permissions::from_mode(0o700))?;
        }
        for entry in entries {
            if !entry.symlink_metadata()?.is_dir() {
                fs::remove_file(&entry)?;
                continue;
            }
            fs::set_permissions(&entry, Permissions::from_mode(0o700))?;
            for inner in list(&entry)? {
                if inner.symlink_metadata()?.is_dir() {
                    // Another folder may have the name already.
                    let up = loop {
                        moved += 1;
                        let up = folder.join(format!("%{moved}"));
                        if up.symlink_metadata().is_err() {
                            break up;
                        }
                    };
                    fs::rename(&inner, up)?;
                } else {
                    fs::remove_file(&inner)?;
                }
            }
            // Not empty yet if it held more than is listed at once: then in the next round.
            match fs::remove_dir(&entry) {
                Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => {}
                done => done?,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(area: &Area) -> Vec<String> {
        let mut names = Vec::new();
        walk(area.path(), |path, _| {
            let name = path.strip_prefix(area.path()).unwrap();
            names.push(name.display().to_string());
            Ok(())
        })
        .unwrap();
        names.sort();
        names
    }

    #[test]
    fn what_a_run_made_is_gone_afterwards() {
        let area = Area::new(None).unwrap();
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
        let area = Area::new(None).unwrap();
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
        assert!(!area.is_over(0));
        assert!(!area.is_over(1 << 20));
        assert!(area.is_over(500_000));
    }
}
