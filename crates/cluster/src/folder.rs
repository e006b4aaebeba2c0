//! Members that share a folder, on one machine or on a file system that several have.
//!
//! | what | for |
//! |---|---|
//! | `tasks/TASK` | a portion that is to be explored; whoever is at it has a lock on the file |
//! | `waiting/NAME` | a member that has nothing to do |
//! | `store/KEY` | what is known of portions |
//!
//! Locks are the system's: they end with the process that has them, however it ends, and nobody has to guess by a clock
//! whether somebody is still at work. Of a network's file system that means one that has locks between machines (NFS).

use crate::names::{Key, Task};
use crate::place::{Lease, Queue, Store};
use crate::{ClusterError, files};
use rustix::fs::{FlockOperation, OFlags, flock};
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::ErrorKind;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use tempfile::NamedTempFile;

/// How often it is looked for tasks, and for members that wait.
const LOOK: Duration = Duration::from_millis(20);
/// Who was told of and still has nothing says so again after this time.
const AGAIN: Duration = Duration::from_millis(200);

/// See the module's comment.
pub struct Folder {
    tasks: PathBuf,
    waiting: PathBuf,
    store: PathBuf,
}

impl Folder {
    pub fn open(folder: &Path) -> Result<Folder, ClusterError> {
        let [tasks, waiting, store] = Folder::parts(folder)?;
        Ok(Folder {
            tasks,
            waiting,
            store,
        })
    }

    /// The folders in it, which are there from now on.
    pub fn parts(folder: &Path) -> Result<[PathBuf; 3], ClusterError> {
        let make = |name| files::make(folder, name);
        Ok([make("tasks")?, make("waiting")?, make("store")?])
    }

    /// A task that nobody is at, locked.
    fn lock_one(&self) -> Result<Option<FolderLease>, ClusterError> {
        let entries = fs::read_dir(&self.tasks).map_err(ClusterError::io("read", &self.tasks))?;
        let mut denied = None;
        for entry in entries.flatten() {
            let name = entry.file_name();
            let Some(task) = name.to_str().and_then(|name| name.parse::<Task>().ok()) else {
                continue;
            };
            let path = entry.path();
            let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits() as i32;
            let file = OpenOptions::new()
                .read(true)
                .write(true)
                .custom_flags(flags)
                .open(&path);
            let file = match file {
                Ok(file) => file,
                // A link or a folder that is named as a task: nobody could take it, and all would wait.
                Err(_) if files::is_foreign(&path) => {
                    Queue::put(self, &task)?;
                    continue;
                }
                Err(error) if error.kind() == ErrorKind::PermissionDenied => {
                    denied.get_or_insert((path, error));
                    continue;
                }
                Err(_) => continue,
            };
            let locked = flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok();
            // It may have been done between the look and the lock.
            let there = file.metadata().is_ok_and(|metadata| metadata.nlink() > 0);
            if locked && there {
                return Ok(Some(FolderLease {
                    waiting: self.waiting.clone(),
                    task,
                    path,
                    file,
                    looked: Mutex::new(Instant::now()),
                }));
            }
        }
        match denied {
            // Otherwise it would be waited for in silence.
            Some((path, error)) => Err(ClusterError::io("open", &path)(error)),
            None => Ok(None),
        }
    }

    fn path(&self, key: &Key) -> PathBuf {
        self.store.join(key.to_string())
    }
}

impl Queue for Folder {
    fn put(&self, task: &Task) -> Result<(), ClusterError> {
        let path = self.tasks.join(task.as_str());
        let made = || {
            let mut options = OpenOptions::new();
            options.write(true).create_new(true).mode(files::FILE);
            options.open(&path).map(drop)
        };
        let put = match made() {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                match files::is_foreign(&path) {
                    true => files::set_aside(&self.tasks, &path).and_then(|()| made()),
                    false => Ok(()),
                }
            }
            made => made,
        };
        match put {
            // Somebody else was faster.
            Err(error)
                if matches!(error.kind(), ErrorKind::AlreadyExists | ErrorKind::NotFound) =>
            {
                Ok(())
            }
            put => put.map_err(ClusterError::io("make", &path)),
        }
    }

    fn take(&self, wait: Duration) -> Result<Option<Box<dyn Lease>>, ClusterError> {
        let end = Instant::now() + wait;
        let mut waiting: Option<(NamedTempFile, Instant)> = None;
        loop {
            if let Some(lease) = self.lock_one()? {
                return Ok(Some(Box::new(lease)));
            }
            if Instant::now() >= end {
                return Ok(None);
            }
            let since = waiting.as_ref().map(|(file, since)| (file.path(), since));
            let told = since.is_none_or(|(file, since)| !file.exists() && since.elapsed() >= AGAIN);
            if told {
                let file = files::shared(&self.waiting);
                let file = file.map_err(ClusterError::io("write to", &self.waiting))?;
                waiting = Some((file, Instant::now()));
            }
            std::thread::sleep(LOOK);
        }
    }
}

struct FolderLease {
    waiting: PathBuf,
    task: Task,
    path: PathBuf,
    /// Has the lock.
    file: File,
    looked: Mutex<Instant>,
}

impl Lease for FolderLease {
    fn task(&self) -> &Task {
        &self.task
    }

    fn others_wait(&self) -> bool {
        let Ok(mut looked) = self.looked.try_lock() else {
            return false;
        };
        if looked.elapsed() < LOOK {
            return false;
        }
        *looked = Instant::now();
        let Ok(entries) = fs::read_dir(&self.waiting) else {
            return false;
        };
        // Whoever removes it is the only one who is told.
        let is_ours = |name: OsString| name.to_string_lossy().starts_with(files::OURS);
        entries
            .flatten()
            .filter(|entry| is_ours(entry.file_name()))
            .any(|entry| fs::remove_file(entry.path()).is_ok())
    }

    fn renew_after(&self) -> Option<Duration> {
        None
    }

    fn renew(&self) -> Result<bool, ClusterError> {
        Ok(true)
    }

    fn done(&self) -> Result<(), ClusterError> {
        fs::remove_file(&self.path).map_err(ClusterError::io("remove", &self.path))
    }

    fn give_back(&self) -> Result<(), ClusterError> {
        let unlocked = flock(&self.file, FlockOperation::Unlock);
        unlocked.map_err(|error| ClusterError::io("unlock", &self.path)(error.into()))
    }
}

impl Store for Folder {
    fn get(&self, key: &Key) -> Result<Option<Vec<u8>>, ClusterError> {
        files::read(&self.path(key), key.kind.most())
    }

    fn has(&self, key: &Key) -> Result<bool, ClusterError> {
        Ok(fs::symlink_metadata(self.path(key)).is_ok_and(|it| it.is_file()))
    }

    fn put(&self, key: &Key, bytes: &[u8]) -> Result<(), ClusterError> {
        files::replace(&self.store, &key.to_string(), bytes)
    }

    fn forget(&self, key: &Key) -> Result<(), ClusterError> {
        files::remove(&self.path(key))
    }

    fn put_new(&self, key: &Key, bytes: &[u8]) -> Result<bool, ClusterError> {
        let path = self.path(key);
        match files::written(&self.store, bytes)?.persist_noclobber(&path) {
            Ok(_) => Ok(true),
            Err(error) if error.error.kind() == ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(ClusterError::io("write", &path)(error.error)),
        }
    }
}
