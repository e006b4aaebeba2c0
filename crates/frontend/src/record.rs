//! What a campaign has of its subject, so that a case can be run again later: `subject.json` and files beside it.

pub use crate::subject_folder::{LIBRARIES, folder};

use crate::error::FrontEndError;
use crate::limits::{DISK_MB, MEMORY_MB, STRANGERS_TIMEOUT_MS};
use crate::made_here::{self, Maker};
use crate::problem::Problem;
use crate::subject_folder::NEW;
use elsewise_campaign::read_unlinked_text;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
const RECORD: &str = "subject.json";
const SCHEMA: u32 = 2;

/// A file of JSON in a campaign's `subject` folder; none if there is none.
pub fn read<T: DeserializeOwned>(
    campaign: &Path,
    name: &str,
    schema: u32,
) -> Result<Option<T>, Problem> {
    #[derive(Deserialize)]
    struct Head {
        schema: u32,
    }
    let path = folder(campaign).join(name);
    let text = match read_unlinked_text(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(damaged(&path, &error.to_string())),
        Ok(text) => text,
    };
    let bad = |error: serde_json::Error| damaged(&path, &error.to_string());
    let head: Head = serde_json::from_str(&text).map_err(bad)?;
    if head.schema != schema {
        return Err(damaged(
            &path,
            &format!("schema {} is not known", head.schema),
        ));
    }
    serde_json::from_str(&text).map(Some).map_err(bad)
}

/// Puts such a file there: whole or not at all.
pub fn write(campaign: &Path, name: &str, record: &impl Serialize) -> Result<(), Problem> {
    let folder = folder(campaign);
    let write = || -> io::Result<()> {
        let text = serde_json::to_string_pretty(record).map_err(io::Error::other)?;
        put(&folder, name, |new| fs::write(new, text))
    };
    Ok(write().map_err(FrontEndError::not_saved("the subject", &folder))?)
}

/// Puts a file into a campaign's `subject` folder, whole or not at all: a replay that runs at this moment must
/// not be disturbed. That it was made here is known before it is there.
pub fn put(
    folder: &Path,
    name: &str,
    write: impl FnOnce(&Path) -> io::Result<()>,
) -> io::Result<()> {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap_or(folder))?;
    let new = folder.join(NEW);
    // It may be a link to somewhere else.
    match fs::remove_file(&new) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    write(&new)?;
    made_here::note(name, &new);
    fs::rename(&new, path)
}

/// The same with a copy.
pub fn put_copy(folder: &Path, name: &str, from: &Path) -> io::Result<()> {
    put(folder, name, |new| fs::copy(from, new).map(|_| ()))
}

pub fn damaged(path: &Path, why: &str) -> Problem {
    let error = FrontEndError::Damaged {
        path: path.to_path_buf(),
        why: why.to_string(),
    };
    error.into()
}

/// `subject.json` in the campaign's `subject` folder.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    schema: u32,
    /// The front end's name.
    kind: String,
    /// The words of the `explore` that made the campaign, for `check`.
    command: Vec<String>,
    /// What the front end wants to know.
    subject: Value,
}

/// What a campaign has saved of its subject.
pub struct SavedRecord {
    pub campaign: PathBuf,
    /// The name of the front end that knows the rest.
    pub kind: String,
    pub command: Vec<String>,
    subject: Value,
    of_somebody_else: bool,
}

impl SavedRecord {
    /// None where a campaign has none.
    pub fn read(campaign: &Path) -> Result<Option<SavedRecord>, Problem> {
        let record: Option<Record> = read(campaign, RECORD, SCHEMA)?;
        Ok(record.map(|record| SavedRecord {
            campaign: campaign.to_path_buf(),
            kind: record.kind,
            command: record.command,
            subject: record.subject,
            of_somebody_else: made_here::maker(campaign) == Maker::Stranger,
        }))
    }

    /// What its front end has written. Runs of somebody else's campaign get no more than usual.
    pub fn subject<T: DeserializeOwned>(&self) -> Result<T, Problem> {
        let mut subject = self.subject.clone();
        if self.of_somebody_else {
            for (name, most) in [
                ("/timeout_ms", STRANGERS_TIMEOUT_MS),
                ("/memory_mb", MEMORY_MB),
                ("/containment/disk_mb", DISK_MB),
            ] {
                lower(subject.pointer_mut(name), most);
            }
        }
        serde_json::from_value(subject).map_err(|error| self.damaged(&error.to_string()))
    }

    pub fn damaged(&self, why: &str) -> Problem {
        damaged(&folder(&self.campaign).join(RECORD), why)
    }
}

/// At most so much, where it is a number at all.
fn lower(value: Option<&mut Value>, most: u64) {
    if let Some(value) = value
        && value.as_u64().is_some_and(|said| said > most)
    {
        *value = most.into();
    }
}

/// Saves what a front end wants to know of a campaign's subject.
pub fn save(
    campaign: &Path,
    kind: &str,
    command: &[String],
    subject: Value,
) -> Result<(), Problem> {
    let record = Record {
        schema: SCHEMA,
        kind: kind.to_string(),
        command: command.to_vec(),
        subject,
    };
    write(campaign, RECORD, &record)
}

/// What is to be written, as JSON.
pub fn value(record: &impl Serialize) -> Result<Value, Problem> {
    Ok(serde_json::to_value(record).map_err(FrontEndError::NoForm)?)
}

/// Says that nothing of a campaign's subject is known.
pub fn missing(campaign: &Path) -> Problem {
    let path = folder(campaign).join(RECORD);
    FrontEndError::NoRecord { path }.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn limits_of_somebody_else_are_no_more_than_usual() {
        let place = tempfile::tempdir().unwrap();
        let subject = json!({
            "timeout_ms": 1_000_000_000_000_u64,
            "memory_mb": 7,
            "containment": { "disk_mb": 100_000 },
        });
        let record = json!({ "schema": SCHEMA, "kind": "toy", "command": [], "subject": subject });
        fs::create_dir(folder(place.path())).unwrap();
        // Not by `save`: so nobody has noted that it was made here.
        fs::write(folder(place.path()).join(RECORD), record.to_string()).unwrap();
        let saved = SavedRecord::read(place.path()).unwrap().unwrap();
        let obeyed = json!({
            "timeout_ms": STRANGERS_TIMEOUT_MS,
            "memory_mb": 7,
            "containment": { "disk_mb": DISK_MB },
        });
        assert_eq!(saved.subject::<Value>().unwrap(), obeyed);
    }
}
