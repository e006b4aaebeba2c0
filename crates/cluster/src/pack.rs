//! A portion's campaign as it travels: its database, the files of its findings, and how much of it was left to others.
//!
//! What comes from another machine is data: of an archive, only files are taken whose names are those that campaigns have, and they
//! are written to a new folder.

use crate::ClusterError;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, Cursor, Read};
use std::path::{Component, Path, PathBuf};
use tar::{Archive, Builder, EntryType, Header};

/// What is said of a portion's campaign.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// Portions that were left to others, which are the first children of the task.
    pub children: u32,
    /// Runs that were made.
    pub runs: u64,
}

const ABOUT: &str = "about.json";
const DATABASE: &str = "campaign.db";
const FINDINGS: &str = "findings";

/// Nothing that is larger is taken.
const LARGEST: u64 = 4 << 30;
/// Parts of the name of a finding's file: `findings`, its number, the file.
const DEEPEST: usize = 3;

/// What is in `database`, and in the folder of findings of the campaign in `dir`.
pub fn pack(about: About, database: &Path, dir: &Path) -> Result<Vec<u8>, ClusterError> {
    let mut builder = Builder::new(Vec::new());
    let mut write = || {
        let said = serde_json::to_vec(&about)?;
        let mut header = Header::new_gnu();
        header.set_size(said.len() as u64);
        header.set_mode(0o600);
        builder.append_data(&mut header, ABOUT, said.as_slice())?;
        builder.append_file(DATABASE, &mut File::open(database)?)?;
        let findings = dir.join(FINDINGS);
        for finding in folders(&findings)? {
            for entry in fs::read_dir(findings.join(&finding))? {
                let entry = entry?;
                if entry.file_type()?.is_file() {
                    let name = Path::new(FINDINGS).join(&finding).join(entry.file_name());
                    builder.append_file(name, &mut File::open(entry.path())?)?;
                }
            }
        }
        Ok(())
    };
    write().map_err(ClusterError::io("pack", dir))?;
    builder.into_inner().map_err(ClusterError::io("pack", dir))
}

fn folders(of: &Path) -> io::Result<Vec<String>> {
    let entries = match fs::read_dir(of) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            names.extend(entry.file_name().into_string());
        }
    }
    names.sort();
    Ok(names)
}

/// The campaign in a folder that is not there yet.
pub fn unpack(bytes: &[u8], dir: &Path) -> Result<About, ClusterError> {
    let read = || {
        fs::create_dir(dir)?;
        let mut about = None;
        let mut room = LARGEST;
        let mut archive = Archive::new(Cursor::new(bytes));
        for entry in archive.entries()? {
            let mut entry = entry?;
            let Some(name) = name_of(&entry.path()?).filter(|_| is_file(entry.header())) else {
                return Err(io::Error::other("it has what campaigns do not have"));
            };
            room = room
                .checked_sub(entry.size())
                .ok_or_else(|| io::Error::other("it is too large"))?;
            if name == Path::new(ABOUT) {
                about = Some(serde_json::from_reader(entry.by_ref().take(1 << 10))?);
                continue;
            }
            let path = dir.join(&name);
            fs::create_dir_all(path.parent().unwrap_or(dir))?;
            io::copy(&mut entry, &mut File::create_new(&path)?)?;
        }
        about.ok_or_else(|| io::Error::other("it does not say what it is"))
    };
    read().map_err(ClusterError::io("unpack a campaign to", dir))
}

/// What is said of a packed campaign.
pub fn about(bytes: &[u8]) -> Result<About, ClusterError> {
    let read = || {
        let mut archive = Archive::new(Cursor::new(bytes));
        let first = archive.entries()?.next();
        let first = first.ok_or_else(|| io::Error::other("it is empty"))??;
        Ok(serde_json::from_reader(first.take(1 << 10))?)
    };
    read().map_err(ClusterError::io("read", Path::new(ABOUT)))
}

fn is_file(header: &Header) -> bool {
    header.entry_type() == EntryType::Regular
}

/// The name of a file of a campaign, if this is one.
fn name_of(path: &Path) -> Option<PathBuf> {
    let parts: Option<Vec<&str>> = path
        .components()
        .map(|part| match part {
            Component::Normal(part) => part.to_str(),
            _ => None,
        })
        .collect();
    let parts = parts?;
    let known = match parts.as_slice() {
        [ABOUT | DATABASE] => true,
        [FINDINGS, number, file] => {
            number.bytes().all(|byte| byte.is_ascii_digit()) && !file.starts_with('.')
        }
        _ => false,
    };
    (known && parts.len() <= DEEPEST).then(|| parts.iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn archive(name: &str, kind: EntryType) -> Vec<u8> {
        let mut builder = Builder::new(Vec::new());
        let mut header = Header::new_gnu();
        header.set_entry_type(kind);
        header.set_size(0);
        header.set_mode(0o600);
        // As somebody would write it who means harm.
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_cksum();
        builder.append(&header, io::empty()).unwrap();
        builder.into_inner().unwrap()
    }

    #[test]
    fn what_is_packed_is_unpacked() {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().join("from");
        fs::create_dir_all(dir.join("findings/2")).unwrap();
        fs::write(dir.join("campaign.db"), b"rows").unwrap();
        fs::write(dir.join("findings/2/stdin"), b"boom").unwrap();
        let said = About {
            children: 7,
            runs: 12,
        };
        let packed = pack(said, &dir.join("campaign.db"), &dir).unwrap();
        assert_eq!(about(&packed).unwrap(), said);
        let to = folder.path().join("to");
        assert_eq!(unpack(&packed, &to).unwrap(), said);
        assert_eq!(fs::read(to.join("campaign.db")).unwrap(), b"rows");
        assert_eq!(fs::read(to.join("findings/2/stdin")).unwrap(), b"boom");
    }

    #[test]
    fn nothing_is_written_elsewhere() {
        let names = [
            "../planted",
            "/tmp/planted",
            "findings/../../planted",
            "findings/x/stdin",
            "findings/1/.bashrc",
            "subject/subject.json",
            "lock",
        ];
        let folder = tempfile::tempdir().unwrap();
        for (number, name) in names.iter().enumerate() {
            let dir = folder.path().join(number.to_string());
            let packed = archive(name, EntryType::Regular);
            assert!(unpack(&packed, &dir).is_err(), "{name}");
            assert_eq!(fs::read_dir(&dir).unwrap().count(), 0, "{name}");
        }
        for kind in [EntryType::Symlink, EntryType::Link, EntryType::Directory] {
            let dir = folder.path().join(format!("{kind:?}"));
            assert!(unpack(&archive("campaign.db", kind), &dir).is_err());
        }
        assert!(!folder.path().join("planted").exists());
    }
}
