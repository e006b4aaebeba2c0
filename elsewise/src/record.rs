//! What a campaign keeps of its subject, so that a case can be replayed later: the uninstrumented
//! program and how it is run.

use crate::args::MemoryModel;
use crate::exit::Problem;
use crate::{contain, made_here, native, subject};
use elsewise_campaign::read_unlinked_text;
use elsewise_explore::Deadline;
use elsewise_native::{Containment, LIBRARY_PATH, MOVES, Plain, Sanitizers, Stdin, Surroundings};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Folder in a campaign's directory.
const FOLDER: &str = "subject";
/// Folder in it, with the uninstrumented twins of instrumented shared libraries.
pub const LIBRARIES: &str = "lib";
/// Name of a file in it that is not whole yet.
pub const NEW: &str = ".new";
const RECORD: &str = "subject.json";
const SCHEMA: u32 = 1;

/// Where a campaign keeps its subject.
pub fn folder(campaign: &Path) -> PathBuf {
    campaign.join(FOLDER)
}

/// What a campaign keeps of its subject beside the record, in a file of its own; none if it has none.
pub fn kept<T: DeserializeOwned>(
    campaign: &Path,
    name: &str,
    schema: u32,
) -> Result<Option<T>, Problem> {
    #[derive(Deserialize)]
    struct Head {
        schema: u32,
    }
    let path = folder(campaign).join(name);
    let Ok(text) = read_unlinked_text(&path) else {
        return Ok(None);
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

/// Keeps such a file in a campaign's folder: whole or not at all.
pub fn keep(campaign: &Path, name: &str, record: &impl Serialize) -> Result<(), Problem> {
    let folder = folder(campaign);
    let write = || -> io::Result<()> {
        let text = serde_json::to_string_pretty(record).map_err(io::Error::other)?;
        put(&folder, name, |new| fs::write(new, text))
    };
    write().map_err(|error| {
        Problem::usage(format!(
            "cannot keep the subject in {}: {error}; is the disk full?",
            folder.display()
        ))
    })
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
    Problem::usage(format!(
        "{} is damaged ({why}); run the same `elsewise explore` again to restore it",
        path.display()
    ))
}

/// How the subject is run; `subject.json` in the campaign's `subject` folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    pub schema: u32,
    /// The uninstrumented program's file name, beside this file.
    pub program: String,
    /// As given: parts of them may be inputs.
    pub args: Vec<String>,
    /// Variables, `NAME=VALUE`, as given.
    #[serde(default)]
    pub env: Vec<String>,
    /// The main input has exactly so many bytes.
    pub input_size: Option<u64>,
    /// The main input has at most so many bytes.
    pub max_input: u64,
    /// The words of the `explore` that made the campaign, for `check`.
    #[serde(default)]
    pub command: Vec<String>,
    pub timeout_ms: u64,
    pub memory_mb: u64,
    /// What threads may do: a schedule means the same only with the same.
    #[serde(default)]
    pub threads: Threads,
    pub containment: Contained,
}

/// What threads may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Threads {
    /// Waits for a condition that may end without a signal, of each.
    pub spurious: u64,
    /// When others see what one stores.
    #[serde(default)]
    pub memory_model: MemoryModel,
    /// Moves of all of them after which a run counts as one that does not end.
    pub moves: u64,
    /// Calls of operations are looked at, and are points.
    #[serde(default)]
    pub linearizable: bool,
}

impl Default for Threads {
    fn default() -> Threads {
        Threads {
            spurious: 0,
            memory_model: MemoryModel::Sc,
            moves: MOVES,
            linearizable: false,
        }
    }
}

/// What the subject is kept from, and where it runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contained {
    pub on: bool,
    pub network: bool,
    pub write: Vec<PathBuf>,
    pub workdir: Option<PathBuf>,
    pub disk_mb: u64,
}

impl Contained {
    pub fn containment(&self) -> Containment {
        Containment {
            on: self.on,
            network: self.network,
            write: self.write.clone(),
            workdir: self.workdir.clone(),
            disk_limit: self.disk_mb.saturating_mul(1 << 20),
            place: None,
        }
    }
}

impl Record {
    pub fn new(
        program: &Path,
        args: &[String],
        env: &[String],
        stdin: Stdin,
        limits: Limits,
        containment: Contained,
    ) -> Record {
        let (input_size, max_input) = match stdin {
            Stdin::Fixed(size) => (Some(size), size),
            Stdin::Free { max } => (None, max),
        };
        let name = program.file_name().unwrap_or("program".as_ref());
        Record {
            schema: SCHEMA,
            program: name.to_string_lossy().into_owned(),
            args: args.to_vec(),
            env: env.to_vec(),
            input_size,
            max_input,
            command: Vec::new(),
            timeout_ms: limits.timeout_ms,
            memory_mb: limits.memory_mb,
            threads: limits.threads,
            containment,
        }
    }

    /// Writes the record, and the program and its libraries beside it, into a campaign's directory.
    pub fn write(
        &self,
        program: &Path,
        libraries: Option<&Path>,
        campaign: &Path,
    ) -> Result<(), Problem> {
        let folder = campaign.join(FOLDER);
        let write = || -> io::Result<()> {
            put_copy(&folder, &self.program, program)?;
            if let Some(from) = libraries {
                for entry in fs::read_dir(from)? {
                    let entry = entry?;
                    let name = entry.file_name();
                    let name = format!("{LIBRARIES}/{}", name.to_string_lossy());
                    put_copy(&folder, &name, &entry.path())?;
                }
            }
            let text = serde_json::to_string_pretty(self).map_err(io::Error::other)?;
            put(&folder, RECORD, |new| fs::write(new, text))
        };
        write().map_err(|error| {
            Problem::usage(format!(
                "cannot keep the subject in {}: {error}; is the disk full?",
                folder.display()
            ))
        })
    }

    /// The record in a campaign's directory, with the path of the program.
    pub fn read(campaign: &Path) -> Result<(Record, PathBuf), Problem> {
        let folder = campaign.join(FOLDER);
        let path = folder.join(RECORD);
        let again = "run the same `elsewise explore` again to restore it";
        let text = read_unlinked_text(&path).map_err(|error| {
            Problem::usage(format!("cannot read {}: {error}; {again}", path.display()))
        })?;
        let bad =
            |why: String| Problem::usage(format!("{} is damaged ({why}); {again}", path.display()));
        let mut record: Record =
            serde_json::from_str(&text).map_err(|error| bad(error.to_string()))?;
        if record.schema != SCHEMA {
            return Err(bad(format!("schema {} is not known", record.schema)));
        }
        let largest = record.input_size.unwrap_or(0).max(record.max_input);
        // Nobody can ask for more.
        if largest > u32::MAX.into() {
            return Err(bad(format!("inputs of {largest} bytes")));
        }
        // Only a name: a record from elsewhere must not start any other program.
        if Path::new(&record.program).file_name() != Some(record.program.as_ref()) {
            return Err(bad("the program's name is a path".into()));
        }
        record.containment = contain::by_reader(record.containment);
        let program = folder.join(&record.program);
        if !program.is_file() {
            return Err(Problem::usage(format!(
                "{} is missing; {again}",
                program.display()
            )));
        }
        Ok((record, program))
    }

    pub fn stdin(&self) -> Stdin {
        match self.input_size {
            Some(size) => Stdin::Fixed(size),
            None => Stdin::Free {
                max: self.max_input,
            },
        }
    }

    /// The uninstrumented program, ready to run.
    pub fn plain(&self, program: &Path) -> Result<Plain, Problem> {
        let mut env = library_env(program);
        env.extend(subject::variables(&self.env)?);
        Ok(Plain {
            program: program.to_path_buf(),
            args: self.args.iter().map(Into::into).collect(),
            env,
            stdin: self.stdin(),
            // As findings are confirmed: a slow machine must not look like a hang.
            time_limit: Duration::from_millis(self.timeout_ms.saturating_mul(3)),
            memory_limit: self.memory_mb.saturating_mul(1 << 20),
            containment: self.containment.containment(),
            sanitizers: Sanitizers::of_file(program),
            deadline: Deadline::default(),
        })
    }

    /// Under which key cases keep the main input.
    pub fn main_key(&self) -> Result<&'static str, Problem> {
        let args: Vec<OsString> = self.args.iter().map(Into::into).collect();
        let surroundings = Surroundings::new(&args, &subject::variables(&self.env)?);
        Ok(surroundings.map_err(native::problem)?.main_key())
    }
}

/// What the environment of a kept program has so that its kept libraries are found.
fn library_env(program: &Path) -> Vec<(OsString, OsString)> {
    program
        .parent()
        .and_then(|folder| folder.join(LIBRARIES).canonicalize().ok())
        .map(|folder| (LIBRARY_PATH.into(), elsewise_native::before(&folder, None)))
        .into_iter()
        .collect()
}

/// What one run may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub timeout_ms: u64,
    pub memory_mb: u64,
    pub threads: Threads,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(program: &Path) -> Record {
        let limits = Limits {
            timeout_ms: 100,
            memory_mb: 64,
            threads: Threads::default(),
        };
        let containment = Contained {
            on: true,
            network: false,
            write: vec!["/var/tmp".into()],
            workdir: None,
            disk_mb: 256,
        };
        let args = ["-n".into()];
        let env = ["HOME=/".into()];
        Record::new(program, &args, &env, Stdin::Fixed(20), limits, containment)
    }

    #[test]
    fn what_is_written_is_read_again() {
        let place = tempfile::tempdir().unwrap();
        let program = place.path().join("bst");
        fs::write(&program, "program").unwrap();
        let record = record(&program);
        record.write(&program, None, place.path()).unwrap();
        contain::trust();
        let (read, path) = Record::read(place.path()).unwrap();
        assert_eq!(read, record);
        assert_eq!(fs::read(path).unwrap(), b"program");
    }

    #[test]
    fn inputs_that_nobody_can_ask_for_are_refused() {
        let place = tempfile::tempdir().unwrap();
        let program = place.path().join("bst");
        fs::write(&program, "program").unwrap();
        let mut bad = record(&program);
        bad.input_size = Some(u64::MAX);
        bad.write(&program, None, place.path()).unwrap();
        let message = Record::read(place.path()).unwrap_err().message;
        assert!(message.contains("is damaged"), "{message}");
    }

    #[test]
    fn a_program_elsewhere_is_refused() {
        let place = tempfile::tempdir().unwrap();
        let program = place.path().join("bst");
        fs::write(&program, "program").unwrap();
        record(&program)
            .write(&program, None, place.path())
            .unwrap();
        for name in ["../bst", "/bin/true", "..", ""] {
            let mut bad = record(&program);
            bad.program = name.into();
            let text = serde_json::to_string(&bad).unwrap();
            fs::write(place.path().join("subject/subject.json"), text).unwrap();
            let message = Record::read(place.path()).unwrap_err().message;
            assert!(message.contains("damaged"), "{message}");
        }
    }
}
