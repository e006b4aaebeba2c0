//! How a native program is run, as a campaign saves it: the uninstrumented program lies beside the record.

use crate::flags::{MemoryModel, variables};
use crate::program_error::{ProgramError, problem};
use elsewise_driver::Sanitizers;
use elsewise_driver::libraries::{self, LIBRARY_PATH};
use elsewise_explore::Deadline;
use elsewise_frontend::contain::{self, Contained};
use elsewise_frontend::record::{LIBRARIES, SavedRecord, folder, put_copy};
use elsewise_frontend::{FrontEndError, Problem};
use elsewise_functions::{FunctionOptions, FunctionSubject};
use elsewise_native::{MOVES, Plain, Stdin, Surroundings};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What `subject.json` says of a native program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NativeRecord {
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
    pub timeout_ms: u64,
    pub memory_mb: u64,
    /// What threads may do: a schedule means the same only with the same.
    #[serde(default)]
    pub threads: Threads,
    pub containment: Contained,
    /// The function that it is a harness for.
    #[serde(default)]
    pub function: Option<FunctionRecord>,
}

/// What `subject.json` says of a function, beside its program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FunctionRecord {
    /// The file that has the function.
    pub file: PathBuf,
    /// Files that are linked with it.
    pub others: Vec<PathBuf>,
    /// Options to compile them with.
    pub flags: Vec<String>,
    pub options: FunctionOptions,
}

impl FunctionRecord {
    pub fn new(subject: &FunctionSubject) -> FunctionRecord {
        FunctionRecord {
            file: subject.file.clone(),
            others: subject.files[1..].to_vec(),
            flags: subject
                .flags
                .iter()
                .map(|flag| flag.to_string_lossy().into_owned())
                .collect(),
            options: subject.options.clone(),
        }
    }
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

impl NativeRecord {
    pub fn new(
        program: &Path,
        args: &[String],
        env: &[String],
        stdin: Stdin,
        limits: Limits,
        containment: Contained,
    ) -> NativeRecord {
        let (input_size, max_input) = match stdin {
            Stdin::Fixed(size) => (Some(size), size),
            Stdin::Free { max } => (None, max),
        };
        let name = program.file_name().unwrap_or("program".as_ref());
        NativeRecord {
            program: name.to_string_lossy().into_owned(),
            args: args.to_vec(),
            env: env.to_vec(),
            input_size,
            max_input,
            timeout_ms: limits.timeout_ms,
            memory_mb: limits.memory_mb,
            threads: limits.threads,
            containment,
            function: None,
        }
    }

    /// Puts the program and its libraries into a campaign's directory.
    pub fn save_files(
        &self,
        program: &Path,
        libraries: Option<&Path>,
        campaign: &Path,
    ) -> Result<(), Problem> {
        let folder = folder(campaign);
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
            Ok(())
        };
        Ok(write().map_err(FrontEndError::not_saved("the subject", &folder))?)
    }

    /// As it is obeyed by whoever reads it. It may be somebody else's.
    pub fn checked(mut self, saved: &SavedRecord) -> Result<NativeRecord, Problem> {
        let largest = self.input_size.unwrap_or(0).max(self.max_input);
        // Nobody can ask for more.
        if largest > u32::MAX.into() {
            return Err(saved.damaged(&format!("inputs of {largest} bytes")));
        }
        // Only a name: a record from elsewhere must not start any other program.
        if Path::new(&self.program).file_name() != Some(self.program.as_ref()) {
            return Err(saved.damaged("the program's name is a path"));
        }
        self.containment = contain::by_reader(self.containment);
        Ok(self)
    }

    /// Where the program is in a campaign.
    pub fn program_in(&self, campaign: &Path) -> Result<PathBuf, Problem> {
        let path = folder(campaign).join(&self.program);
        match path.is_file() {
            true => Ok(path),
            false => Err(ProgramError::Missing { path }.into()),
        }
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
        env.extend(variables(&self.env)?);
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
        let surroundings = Surroundings::new(&args, &variables(&self.env)?);
        Ok(surroundings.map_err(problem)?.main_key())
    }
}

/// What the environment of a kept program has so that its kept libraries are found.
fn library_env(program: &Path) -> Vec<(OsString, OsString)> {
    program
        .parent()
        .and_then(|folder| folder.join(LIBRARIES).canonicalize().ok())
        .map(|folder| (LIBRARY_PATH.into(), libraries::before(&folder, None)))
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
    use elsewise_frontend::record;

    fn record() -> NativeRecord {
        let limits = Limits {
            timeout_ms: 100,
            memory_mb: 64,
            threads: Threads::default(),
        };
        let containment = Contained {
            write: vec!["/var/tmp".into()],
            ..Contained::default()
        };
        let args = ["-n".into()];
        let env = ["HOME=/".into()];
        let program = Path::new("build/bst");
        NativeRecord::new(program, &args, &env, Stdin::Fixed(20), limits, containment)
    }

    fn saved(record: &NativeRecord) -> Result<NativeRecord, Problem> {
        let place = tempfile::tempdir().unwrap();
        let value = record::value(record).unwrap();
        record::save(place.path(), "native", &[], value).unwrap();
        let saved = SavedRecord::read(place.path()).unwrap().unwrap();
        saved.subject::<NativeRecord>()?.checked(&saved)
    }

    fn is_damaged(problem: &Problem) -> bool {
        matches!(problem.error(), Some(FrontEndError::Damaged { .. }))
    }

    #[test]
    fn what_is_written_is_read_again() {
        contain::trust();
        let record = record();
        assert_eq!(saved(&record).unwrap(), record);
    }

    #[test]
    fn inputs_that_nobody_can_ask_for_are_refused() {
        let mut bad = record();
        bad.input_size = Some(u64::MAX);
        assert!(is_damaged(&saved(&bad).unwrap_err()));
    }

    #[test]
    fn a_program_elsewhere_is_refused() {
        for name in ["../bst", "/bin/true", "..", ""] {
            let mut bad = record();
            bad.program = name.into();
            assert!(is_damaged(&saved(&bad).unwrap_err()), "{name}");
        }
    }
}
