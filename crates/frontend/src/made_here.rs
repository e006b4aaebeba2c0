//! Which campaigns this user has made on this machine: only those are run without `--trust`.
//!
//! Whoever explores writes down a hash of each file that a campaign keeps to be run or obeyed later, in a folder of
//! the user's own. A campaign whose files are all known there was made here, wherever it was moved to since. The
//! owner of a folder says nothing: what was downloaded belongs to whoever has downloaded it. A key to sign with would
//! be a secret, and a subject reads what its user can read: it could give the key away in what it prints. A
//! list has no secrets, and a contained subject cannot write to it.

use crate::error::FrontEndError;
use crate::problem::Problem;
use crate::{notices, subject_folder};
use sha2::{Digest, Sha256};
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::time::SystemTime;

/// What is shown, and not run: anybody may have written it.
const DATA: [&str; 4] = [
    "told.json",
    "sources.json",
    "generated",
    subject_folder::NEW,
];
/// The only folder with files that are run.
const FOLDERS: [&str; 1] = [subject_folder::LIBRARIES];
/// Larger files are none that we would keep.
const LARGEST: u64 = 2 << 30;
/// How many files are known, at most: those that were not made again for longest are forgotten.
const MOST: usize = 20_000;

/// Whose a campaign is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Maker {
    /// This user, here.
    User,
    Stranger,
    /// It has nothing that could be run.
    Nobody,
}

/// Writes down that this user has made a file of a campaign's `subject` folder, which has this name there.
pub fn note(name: &str, file: &Path) {
    static SAID: Once = Once::new();
    if DATA.contains(&name) {
        return;
    }
    let noted = folder().and_then(|folder| {
        fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&folder)?;
        let hash = hash(name, file)?;
        // Also to say that it is still in use.
        File::create(folder.join(&hash))?.set_modified(SystemTime::now())?;
        // Now and then is enough.
        if hash.starts_with("00") {
            forget(&folder, MOST)?;
        }
        Ok(())
    });
    if let Err(error) = noted {
        SAID.call_once(|| {
            notices::warning(&format!(
                "it cannot be written down that the campaign is yours ({error}), so `replay` and `check` will ask \
                 for --trust: set XDG_STATE_HOME to a folder that can be written"
            ));
        });
    }
}

/// Who has made what a campaign would run.
pub fn maker(campaign: &Path) -> Maker {
    let subject = subject_folder::folder(campaign);
    let metadata = match fs::symlink_metadata(&subject) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Maker::Nobody,
        Err(_) => return Maker::Stranger,
        Ok(metadata) => metadata,
    };
    let mut files = Vec::new();
    let listed = is_own(&metadata) && metadata.is_dir() && list(&subject, "", &mut files).is_ok();
    let Ok(known) = folder() else {
        return Maker::Stranger;
    };
    let is_known = |name: &String| {
        let hash = hash(name, &subject.join(name));
        hash.is_ok_and(|hash| known.join(hash).is_file())
    };
    match listed {
        true if files.is_empty() && !has_data(&subject) => Maker::Nobody,
        true if !files.is_empty() && files.iter().all(is_known) => Maker::User,
        _ => Maker::Stranger,
    }
}

/// Whether this user has made a file, by whatever name it was [noted](note).
pub fn is_made_here(name: &str, file: &Path) -> bool {
    let hash = hash(name, file);
    hash.is_ok_and(|hash| folder().is_ok_and(|known| known.join(hash).is_file()))
}

/// Refuses to run anything of somebody else's campaign, unless that is said to be right.
pub fn require(campaign: &Path, trust: bool) -> Result<(), Problem> {
    match maker(campaign) {
        Maker::Stranger if !trust => {
            let campaign = campaign.to_path_buf();
            Err(FrontEndError::Stranger { campaign }.into())
        }
        _ => Ok(()),
    }
}

/// Says of a campaign that is only looked at if somebody else has made it.
pub fn announce(campaign: &Path) {
    if maker(campaign) == Maker::Stranger {
        notices::warning(&format!(
            "{} was not made here by you, or was changed since: what it says is somebody else's word",
            campaign.display()
        ));
    }
}

/// Removes what a stranger would run: whoever goes on with his campaign puts his own there.
pub fn clear(campaign: &Path) -> io::Result<()> {
    if maker(campaign) != Maker::Stranger {
        return Ok(());
    }
    let subject = subject_folder::folder(campaign);
    match fs::symlink_metadata(&subject)?.is_dir() {
        true => fs::remove_dir_all(&subject),
        false => fs::remove_file(&subject),
    }
}

/// Where hashes are written down, as the names of empty files.
fn folder() -> io::Result<PathBuf> {
    let set = |name: &str| {
        let path = PathBuf::from(std::env::var_os(name)?);
        path.is_absolute().then_some(path)
    };
    let state = set("XDG_STATE_HOME").or_else(|| set("HOME").map(|home| home.join(".local/state")));
    let none = || io::Error::other("neither XDG_STATE_HOME nor HOME is set");
    Ok(state.ok_or_else(none)?.join("elsewise/made-here"))
}

/// Only what nobody else can change between this look and the run.
fn is_own(metadata: &Metadata) -> bool {
    metadata.uid() == nix::unistd::geteuid().as_raw()
}

/// The files below a folder that are run or obeyed; an error where there is something that nobody would have kept.
fn list(folder: &Path, before: &str, files: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let strange = || io::Error::other("nothing that is kept");
        let name = entry.file_name().into_string().map_err(|_| strange())?;
        if before.is_empty() && DATA.contains(&name.as_str()) {
            continue;
        }
        let metadata = fs::symlink_metadata(entry.path())?;
        match metadata.is_dir() {
            _ if !is_own(&metadata) => return Err(strange()),
            true if before.is_empty() && FOLDERS.contains(&name.as_str()) => {
                list(&entry.path(), &format!("{name}/"), files)?;
            }
            false if metadata.is_file() => files.push(format!("{before}{name}")),
            _ => return Err(strange()),
        }
    }
    Ok(())
}

fn has_data(subject: &Path) -> bool {
    let shown = DATA.iter().filter(|name| **name != subject_folder::NEW);
    shown
        .map(|name| subject.join(name))
        .any(|path| path.symlink_metadata().is_ok())
}

/// Of the name and the content: a file that is good for one thing is not good for another.
fn hash(name: &str, file: &Path) -> io::Result<String> {
    let mut file = elsewise_campaign::open_unlinked(file)?.take(LARGEST + 1);
    let mut hash = Sha256::new();
    hash.update(name.as_bytes());
    hash.update([0]);
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 if file.limit() == 0 => return Err(io::ErrorKind::FileTooLarge.into()),
            0 => break,
            read => hash.update(&buffer[..read]),
        }
    }
    let hash = hash.finalize();
    Ok(hash.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Forgets the oldest, and some more, so that it is not done all the time.
fn forget(folder: &Path, most: usize) -> io::Result<()> {
    let mut known: Vec<(SystemTime, PathBuf)> = fs::read_dir(folder)?
        .filter_map(|entry| {
            let entry = entry.ok()?;
            Some((entry.metadata().ok()?.modified().ok()?, entry.path()))
        })
        .collect();
    if known.len() > most {
        known.sort();
        known.truncate(known.len() - most + most / 10);
        for (_, path) in known {
            // Another may have been faster.
            let _ = fs::remove_file(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_name_is_part_of_what_is_known() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("file");
        fs::write(&file, "text").unwrap();
        let one = hash("program", &file).unwrap();
        assert_eq!(one, hash("program", &file).unwrap());
        assert_ne!(one, hash("explored", &file).unwrap());
        fs::write(&file, "other").unwrap();
        assert_ne!(one, hash("program", &file).unwrap());
    }

    #[test]
    fn the_oldest_are_forgotten() {
        let place = tempfile::tempdir().unwrap();
        let now = SystemTime::now();
        for age in 0..30u64 {
            let file = File::create(place.path().join(age.to_string())).unwrap();
            file.set_modified(now - Duration::from_secs(age)).unwrap();
        }
        forget(place.path(), 30).unwrap();
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 30);
        forget(place.path(), 20).unwrap();
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 18);
        assert!(place.path().join("0").exists());
        assert!(!place.path().join("29").exists());
    }
}
