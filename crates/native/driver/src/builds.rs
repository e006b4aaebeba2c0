//! Finished builds, kept by what they were made of, so that what has not changed is not compiled
//! again. Shared by `elsewise explore`, `elsewise-cc` and the tests.
//!
//! An entry is one file, named by its key, which is the hash of all that a build depends on. It is
//! written beside its place and moved there, so any number of processes may write the same one. It
//! begins with a hash of the rest: one that was cut, or filled with anything else, is taken for
//! missing and removed. When there is more than [`limit`] allows, what was not used for the longest
//! time goes.

use crate::NativeError;
use crate::artefacts::Cache;
use std::env;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Raised whenever entries or keys change their meaning.
const MAGIC: &[u8; 16] = b"elsewise build 1";
/// What a whole cache may take, unless `ELSEWISE_CACHE_SIZE` says otherwise (in MiB).
const LIMIT: u64 = 2 << 30;
/// After a sweep this much of the limit is left, in percent.
const LEFT: u64 = 80;
/// One of so many new entries is followed by a sweep, where the limit is not so small that each is.
const SWEEPS: u8 = 16;
const SMALL: u64 = 256 << 20;
/// How often a folder is removed again into which other processes write.
const CLEARS: usize = 50;

pub(crate) type Key = blake3::Hash;

pub struct Builds {
    folder: PathBuf,
    limit: u64,
}

/// How much there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    pub entries: u64,
    pub bytes: u64,
}

/// What all entries together may take, in bytes; nothing is kept where that is 0.
pub fn limit() -> Result<u64, NativeError> {
    let Some(said) = env::var_os("ELSEWISE_CACHE_SIZE").filter(|said| !said.is_empty()) else {
        return Ok(LIMIT);
    };
    let number = said.to_str().and_then(|text| text.trim().parse().ok());
    let bytes = number.and_then(|mebibytes: u64| mebibytes.checked_mul(1 << 20));
    bytes.ok_or_else(|| {
        NativeError::Usage(format!(
            "ELSEWISE_CACHE_SIZE is {said:?}: a number of MiB is expected, 0 to keep nothing"
        ))
    })
}

impl Builds {
    /// Those of a cache; none where nothing is to be kept.
    pub fn of(cache: &Cache) -> Result<Option<Builds>, NativeError> {
        let limit = limit()?;
        Ok((limit > 0).then(|| Builds::at(Builds::folder_of(cache), limit)))
    }

    pub fn folder_of(cache: &Cache) -> PathBuf {
        cache.lasting().join("builds")
    }

    pub fn at(folder: PathBuf, limit: u64) -> Builds {
        Builds { folder, limit }
    }

    fn place(&self, key: &Key) -> PathBuf {
        let name = key.to_hex();
        self.folder.join(&name[..2]).join(&name[2..])
    }

    /// The files of a build; `None` when it is not there, or not whole.
    pub(crate) fn get(&self, key: &Key) -> Option<Vec<Vec<u8>>> {
        let place = self.place(key);
        let bytes = self.read(&place).ok()?;
        let files = unpack(key, &bytes);
        match &files {
            // When it was used last decides what goes first; whether that can be noted does not
            // matter now.
            Some(_) => {
                let _ = File::open(&place).and_then(|file| file.set_modified(SystemTime::now()));
            }
            None => {
                let _ = fs::remove_file(&place);
            }
        }
        files
    }

    /// What is there, if it is a file. Anything else could keep whoever opens it waiting, or never
    /// end.
    fn read(&self, place: &Path) -> std::io::Result<Vec<u8>> {
        let file = OpenOptions::new()
            .read(true)
            .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK)
            .open(place)?;
        let mut bytes = Vec::new();
        if file.metadata()?.is_file() {
            file.take(self.limit).read_to_end(&mut bytes)?;
        }
        Ok(bytes)
    }

    /// Keeps a build. A cache that cannot be written is no reason to fail: the build is there.
    pub(crate) fn put(&self, key: &Key, files: &[&[u8]]) {
        let size: usize = files.iter().map(|file| file.len()).sum();
        if size as u64 > self.limit / 2 {
            return;
        }
        let now = self.limit < SMALL || key.as_bytes()[0].is_multiple_of(SWEEPS);
        if self.write(key, files).is_ok() && now {
            self.sweep();
        }
    }

    fn write(&self, key: &Key, files: &[&[u8]]) -> std::io::Result<()> {
        let place = self.place(key);
        let folder = place.parent().unwrap_or(&self.folder);
        fs::create_dir_all(folder)?;
        let mut file = tempfile::Builder::new()
            .prefix(".new")
            .tempfile_in(folder)?;
        file.write_all(&pack(key, files))?;
        file.into_temp_path().persist(&place)?;
        Ok(())
    }

    /// Every file that is there, with its size and when it was used last.
    fn all(&self) -> Vec<(PathBuf, u64, SystemTime)> {
        let entries = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten();
        let parts =
            entries(&self.folder).filter(|part| part.file_type().is_ok_and(|kind| kind.is_dir()));
        let files = parts.flat_map(|part| entries(&part.path()));
        files
            .filter_map(|file| {
                let about = file.metadata().ok().filter(fs::Metadata::is_file)?;
                Some((file.path(), about.len(), about.modified().ok()?))
            })
            .collect()
    }

    pub fn usage(&self) -> Usage {
        let all = self.all();
        Usage {
            entries: all.len() as u64,
            bytes: all.iter().map(|(_, size, _)| size).sum(),
        }
    }

    /// Removes everything; says how much that was.
    pub fn clear(&self) -> std::io::Result<Usage> {
        let usage = self.usage();
        for _ in 0..CLEARS {
            match fs::remove_dir_all(&self.folder) {
                // Somebody has just written a build.
                Err(error) if error.kind() == ErrorKind::DirectoryNotEmpty => {}
                Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
                _ => return Ok(usage),
            }
        }
        Ok(usage)
    }

    /// Removes what was not used for the longest time, if there is more than the limit.
    fn sweep(&self) {
        let limit = self.limit;
        let mut all = self.all();
        let mut bytes: u64 = all.iter().map(|(_, size, _)| size).sum();
        if bytes <= limit {
            return;
        }
        all.sort_by_key(|(_, _, used)| *used);
        for (path, size, _) in all {
            if bytes <= limit / 100 * LEFT {
                break;
            }
            // Another process may have been quicker.
            let _ = fs::remove_file(path);
            bytes -= size;
        }
    }
}

/// Magic, hash of the rest, key, number of files, their sizes, the files.
fn pack(key: &Key, files: &[&[u8]]) -> Vec<u8> {
    let mut rest = key.as_bytes().to_vec();
    rest.extend((files.len() as u64).to_le_bytes());
    for file in files {
        rest.extend((file.len() as u64).to_le_bytes());
    }
    for file in files {
        rest.extend_from_slice(file);
    }
    let mut bytes = MAGIC.to_vec();
    bytes.extend(blake3::hash(&rest).as_bytes());
    bytes.extend(rest);
    bytes
}

fn unpack(key: &Key, bytes: &[u8]) -> Option<Vec<Vec<u8>>> {
    let bytes = bytes.strip_prefix(MAGIC)?;
    let (hash, rest) = bytes.split_first_chunk::<32>()?;
    if blake3::hash(rest) != *hash {
        return None;
    }
    let (own_key, mut rest) = rest.split_first_chunk::<32>()?;
    let mut number = || {
        let (number, behind) = rest.split_first_chunk::<8>()?;
        rest = behind;
        usize::try_from(u64::from_le_bytes(*number)).ok()
    };
    let count = number().filter(|_| *key == *own_key)?;
    let sizes: Vec<usize> = (0..count).map_while(|_| number()).collect();
    let mut files = Vec::new();
    for size in &sizes {
        let (file, behind) = rest.split_at_checked(*size)?;
        files.push(file.to_vec());
        rest = behind;
    }
    (files.len() == count && rest.is_empty()).then_some(files)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn key(number: u32) -> Key {
        blake3::hash(&number.to_le_bytes())
    }

    #[test]
    fn what_was_put_is_found_by_its_key_alone() {
        let folder = tempfile::tempdir().unwrap();
        let builds = Builds::at(folder.path().join("builds"), LIMIT);
        assert_eq!(builds.get(&key(1)), None);
        builds.put(&key(1), &[b"object", b"", b"words"]);
        let found = builds.get(&key(1)).unwrap();
        assert_eq!(found, [&b"object"[..], b"", b"words"]);
        assert_eq!(builds.get(&key(2)), None);
        assert_eq!(builds.clear().unwrap().entries, 1);
        assert_eq!(builds.usage(), Usage::default());
    }

    #[test]
    fn a_damaged_entry_is_never_believed_and_goes() {
        let folder = tempfile::tempdir().unwrap();
        let builds = Builds::at(folder.path().to_path_buf(), LIMIT);
        let whole = pack(&key(7), &[b"object", b"twin"]);
        let place = builds.place(&key(7));
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        // Cut anywhere.
        for size in 0..whole.len() {
            fs::write(&place, &whole[..size]).unwrap();
            assert_eq!(builds.get(&key(7)), None, "{size} bytes");
            assert!(!place.exists());
        }
        // Any byte another one.
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << (at % 8);
            fs::write(&place, &bytes).unwrap();
            assert_eq!(builds.get(&key(7)), None, "byte {at}");
        }
        // A whole entry in the place of another.
        fs::write(&place, pack(&key(8), &[b"object"])).unwrap();
        assert_eq!(builds.get(&key(7)), None);
        fs::write(&place, &whole).unwrap();
        assert!(builds.get(&key(7)).is_some());
    }

    #[test]
    fn two_writers_leave_one_whole_entry() {
        let folder = tempfile::tempdir().unwrap();
        let large = vec![7; 1 << 20];
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let builds = Builds::at(folder.path().to_path_buf(), LIMIT);
                    for _ in 0..20 {
                        builds.put(&key(3), &[&large, b"x"]);
                        assert_eq!(builds.get(&key(3)).unwrap()[0], large);
                    }
                });
            }
        });
        assert_eq!(
            Builds::at(folder.path().to_path_buf(), LIMIT)
                .usage()
                .entries,
            1
        );
    }

    #[test]
    fn what_was_not_used_for_longest_goes_first() {
        let folder = tempfile::tempdir().unwrap();
        let builds = Builds::at(folder.path().to_path_buf(), 20_000);
        let now = SystemTime::now();
        for number in 0..10 {
            builds.put(&key(number), &[&[0; 1000]]);
            let file = File::open(builds.place(&key(number))).unwrap();
            let age = Duration::from_secs(100 - u64::from(number));
            file.set_modified(now - age).unwrap();
        }
        // Used again, so it stays.
        assert!(builds.get(&key(0)).is_some());
        let builds = Builds {
            limit: 6000,
            ..builds
        };
        builds.sweep();
        let kept: Vec<u32> = (0..10).filter(|n| builds.get(&key(*n)).is_some()).collect();
        assert_eq!(kept.first(), Some(&0));
        assert!(
            kept.len() <= 5 && kept.contains(&9) && !kept.contains(&1),
            "{kept:?}"
        );
    }

    #[test]
    fn what_is_no_file_is_no_entry() {
        let folder = tempfile::tempdir().unwrap();
        let builds = Builds::at(folder.path().join("builds"), LIMIT);
        let place = builds.place(&key(5));
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        for target in ["/dev/zero", "/dev/null"] {
            std::os::unix::fs::symlink(target, &place).unwrap();
            assert_eq!(builds.get(&key(5)), None, "{target}");
            fs::remove_file(&place).unwrap();
        }
        let path = std::ffi::CString::new(place.as_os_str().as_encoded_bytes()).unwrap();
        // SAFETY: a string that ends, for the time of the call.
        assert_eq!(unsafe { libc::mkfifo(path.as_ptr(), 0o600) }, 0);
        assert_eq!(builds.get(&key(5)), None);
        // A folder of somebody else's is neither counted nor swept.
        let others = folder.path().join("others");
        fs::create_dir(&others).unwrap();
        fs::write(others.join("letter"), [0; 5000]).unwrap();
        std::os::unix::fs::symlink(&others, builds.folder.join("zz")).unwrap();
        assert_eq!(builds.usage(), Usage::default());
    }

    #[test]
    fn a_small_limit_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let builds = Builds::at(folder.path().to_path_buf(), 10_000);
        for number in 0..30 {
            builds.put(&key(number), &[&[0; 3000]]);
            assert!(builds.usage().bytes <= 10_000);
        }
        builds.put(&key(99), &[&[0; 12_000]]);
        assert_eq!(builds.get(&key(99)), None);
        assert!(builds.usage().entries > 0);
    }
}
