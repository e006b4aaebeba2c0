//! Inputs that fuzzers find are taken while a campaign explores, and they get what the campaign finds.
//!
//! With AFL++ that is its protocol: below the directory that its instances share, each has a folder of its own, in
//! whose `queue` are the inputs that it keeps, named `id:` and a number that goes up by one. Every instance reads
//! the others' queues now and then; the campaign is one of them, named after its folder. With libFuzzer and LibAFL it
//! is a directory of inputs, which all read and write.

use crate::flags::InputFlags;
use crate::target_error::TargetError;
use elsewise_campaign::{Exchange, Found};
use elsewise_explore::Case;
use elsewise_frontend::{Problem, campaigns, notices};
use elsewise_native::Stdin;
use std::collections::HashSet;
use std::ffi::OsString;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Inputs that are taken at once.
const AT_ONCE: usize = 256;

/// Where fuzzers keep what they find.
#[derive(Clone)]
pub enum Place {
    /// The directory that instances of AFL++ share.
    Afl(PathBuf),
    /// A directory of inputs.
    Corpus(PathBuf),
}

impl Place {
    pub fn of(flags: &InputFlags) -> Option<Place> {
        let afl = flags.afl.clone().map(Place::Afl);
        afl.or_else(|| flags.corpus.clone().map(Place::Corpus))
    }
}

/// See the module's comment.
pub struct Fuzzers {
    place: Place,
    /// Of AFL++, the campaign's own folder.
    own: OsString,
    /// What the main input is called in cases, and how long it may be.
    main: &'static str,
    stdin: Stdin,
    /// Files that have been looked at, and inputs that were taken or given.
    files: HashSet<PathBuf>,
    inputs: HashSet<u64>,
    /// The number of the next input that is given.
    next: u32,
    /// Somebody has been told that it does not work.
    failed: bool,
    /// Inputs were asked for or given: the campaign has begun.
    used: bool,
    taken: u64,
    given: u64,
}

impl Fuzzers {
    /// `campaign` is its folder, after which its instance is named.
    pub fn new(
        place: Place,
        campaign: &Path,
        main: &'static str,
        stdin: Stdin,
    ) -> Result<Fuzzers, Problem> {
        let mut own = OsString::from("elsewise-");
        own.push(campaign.file_stem().unwrap_or_default());
        let mut fuzzers = Fuzzers {
            place,
            own,
            main,
            stdin,
            files: HashSet::default(),
            inputs: HashSet::default(),
            next: 0,
            failed: false,
            used: false,
            taken: 0,
            given: 0,
        };
        let folder = fuzzers.to();
        fuzzers
            .begin()
            .map_err(|source| TargetError::Exchange { folder, source })?;
        Ok(fuzzers)
    }

    /// Where inputs are given.
    fn to(&self) -> PathBuf {
        match &self.place {
            Place::Afl(shared) => shared.join(&self.own).join("queue"),
            Place::Corpus(corpus) => corpus.clone(),
        }
    }

    /// What an earlier session has given stays, and its numbers go on.
    fn begin(&mut self) -> io::Result<()> {
        fs::create_dir_all(self.to())?;
        if let Place::Afl(shared) = &self.place {
            if self.from()?.is_empty() {
                notices::note(&format!("no fuzzer is in {} yet", shared.display()));
            }
            for file in files(&self.to())? {
                self.next = self.next.max(number(&file).map_or(0, |number| number + 1));
                if let Ok(input) = campaigns::read_input(&file) {
                    self.inputs.insert(hash(&input));
                }
            }
        }
        Ok(())
    }

    /// Folders in which others keep inputs.
    fn from(&self) -> io::Result<Vec<PathBuf>> {
        let shared = match &self.place {
            Place::Afl(shared) => shared,
            Place::Corpus(corpus) => return Ok(vec![corpus.clone()]),
        };
        let mut folders = Vec::new();
        for entry in fs::read_dir(shared)? {
            let entry = entry?;
            if entry.file_name() == self.own || !entry.file_type()?.is_dir() {
                continue;
            }
            for kept in ["queue", "crashes"] {
                let folder = entry.path().join(kept);
                if folder.is_dir() {
                    folders.push(folder);
                }
            }
        }
        folders.sort();
        Ok(folders)
    }

    fn look(&mut self) -> io::Result<Vec<Found>> {
        let mut found = Vec::new();
        for folder in self.from()? {
            for file in files(&folder)? {
                if found.len() == AT_ONCE {
                    return Ok(found);
                }
                let named = matches!(self.place, Place::Corpus(_)) || number(&file).is_some();
                if !named || !self.files.insert(file.clone()) {
                    continue;
                }
                // It may be gone again, or too large for anybody.
                let Ok(input) = campaigns::read_input(&file) else {
                    continue;
                };
                let fits = self.stdin.length(input.len()) == input.len() as u64;
                if fits && self.inputs.insert(hash(&input)) {
                    found.push(Found {
                        case: Case {
                            inputs: [(self.main.to_owned(), input)].into(),
                            ..Case::default()
                        },
                        is_new: is_new(&folder, &file),
                    });
                }
            }
        }
        Ok(found)
    }

    fn put(&mut self, input: &[u8]) -> io::Result<()> {
        let to = self.to();
        let name = match self.place {
            Place::Afl(_) => format!("id:{:06},src:elsewise", self.next),
            Place::Corpus(_) => format!("elsewise-{:016x}", hash(input)),
        };
        // Nobody reads half of it: names that begin with a dot are left alone.
        let begun = to.join(format!(".{name}"));
        // What a process has left that was killed, or somebody has put there, is not written through.
        if let Err(error) = fs::remove_file(&begun)
            && error.kind() != io::ErrorKind::NotFound
        {
            return Err(error);
        }
        fs::File::create_new(&begun)?.write_all(input)?;
        let path = to.join(name);
        fs::rename(&begun, &path)?;
        self.files.insert(path);
        self.next += 1;
        Ok(())
    }

    fn fails(&mut self, error: &io::Error) {
        if !self.failed {
            self.failed = true;
            let to = self.to();
            notices::warning(&format!(
                "no inputs are exchanged by way of {}: {error}",
                to.display()
            ));
        }
    }
}

impl Exchange for Fuzzers {
    fn take(&mut self) -> Vec<Found> {
        self.used = true;
        let found = self.look().unwrap_or_else(|error| {
            self.fails(&error);
            Vec::new()
        });
        self.taken += found.len() as u64;
        found
    }

    fn give(&mut self, case: &Case) {
        self.used = true;
        let Some(input) = case.inputs.get(self.main) else {
            return;
        };
        if self.inputs.insert(hash(input)) {
            match self.put(input) {
                Ok(()) => self.given += 1,
                Err(error) => self.fails(&error),
            }
        }
    }
}

impl Drop for Fuzzers {
    fn drop(&mut self) {
        if !self.used {
            return;
        }
        notices::note(&format!(
            "exchanged with fuzzers: {} taken, {} given in {}",
            self.taken,
            self.given,
            self.to().display()
        ));
    }
}

/// The files in a folder by their names, but for those that are not yet whole.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        if !hidden && entry.file_type()?.is_file() {
            files.push(entry.path());
        }
    }
    files.sort();
    Ok(files)
}

/// Has an input reached something new? AFL++ keeps those, too, that have only gone through something more often, which are
/// most; it says so in their names. Others' names say nothing about it.
fn is_new(folder: &Path, file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let changed = name.contains(",op:") || name.contains(",sync:");
    !changed || name.ends_with(",+cov") || folder.ends_with("crashes")
}

/// The number in AFL's name of an input.
fn number(file: &Path) -> Option<u32> {
    let name = file.file_name()?.to_str()?;
    let digits = name.strip_prefix("id:")?;
    digits.split(',').next()?.parse().ok()
}

fn hash(input: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    input.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_afl_keeps_for_its_counts_alone_can_wait() {
        let is_new = |folder: &str, name: &str| is_new(Path::new(folder), Path::new(name));
        let queue = "shared/main/queue";
        assert!(is_new(queue, "id:000000,time:0,execs:0,orig:seed"));
        let found = "id:000007,src:000003,time:905,execs:7712,op:havoc,rep:4";
        assert!(!is_new(queue, found));
        assert!(is_new(queue, &format!("{found},+cov")));
        assert!(is_new("shared/main/crashes", found));
        assert!(!is_new(queue, "id:000009,sync:two,src:000001"));
        assert!(is_new(queue, "id:000001,src:elsewise"));
        assert!(is_new("inputs", "0a1b2c"));
    }
}
