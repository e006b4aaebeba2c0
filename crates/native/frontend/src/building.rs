//! Building: from what the user named to a program that can be explored.

use crate::flags::{BuildFlags, NativeFlags};
use crate::harness;
use crate::target::NativeTarget;
use elsewise_contain::Containment;
use elsewise_explore::Subject;
use elsewise_frontend::contain::Contained;
use elsewise_frontend::flags::{StepFlags, word};
use elsewise_frontend::{Exit, ExploreRequest, Problem};
use elsewise_native::function::FunctionSubject;
use elsewise_native::types::TypesError;
use elsewise_native::{Cache, NativeError, NativeOptions, NativeSubject, Program};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{env, fs};
use tempfile::TempDir;

/// Temporary folders are named after the process, so that those of killed ones can be told.
const PREFIX: &str = "elsewise-build-";

/// A program that is ready to be explored.
pub struct BuiltProgram {
    pub program: Program,
    /// The function that it is a harness for.
    pub function: Option<FunctionSubject>,
    /// Where it was built; removed with it.
    folder: TempDir,
}

impl BuiltProgram {
    /// Runs get their directories where the program is: what a killed exploration leaves behind is
    /// removed by the next one.
    pub fn containment(&self, contained: &Contained) -> Containment {
        Containment {
            place: Some(self.folder.path().to_path_buf()),
            ..contained.containment()
        }
    }
}

pub fn build(target: &NativeTarget, request: &ExploreRequest) -> Result<BuiltProgram, Problem> {
    let own: NativeFlags = request.flags.read()?;
    let mut flags = flags(&own.build)?;
    let operations = &own.operations.linearizable;
    if !operations.is_empty() {
        let names = operations.join(",");
        flags.push(format!("-DELSEWISE_OPERATIONS={names}"));
    }
    match target {
        NativeTarget::Executable(path) => {
            let (folder, cache) = folder()?;
            Ok(BuiltProgram {
                program: Program::open_with(path, &cache).map_err(problem)?,
                function: None,
                folder,
            })
        }
        NativeTarget::Sources(files) => {
            let (folder, cache) = folder()?;
            let flags: Vec<OsString> = flags.into_iter().map(Into::into).collect();
            let program = Program::from_source_with(files, &flags, folder.path(), &cache);
            Ok(BuiltProgram {
                program: program.map_err(problem)?,
                function: None,
                folder,
            })
        }
        NativeTarget::Sequence { file, others } => function(file, "", others, flags, &own, request),
        NativeTarget::Function {
            file,
            function,
            others,
        } => self::function(file, function, others, flags, &own, request),
    }
}

/// Flags for the compiler.
fn flags(settings: &BuildFlags) -> Result<Vec<String>, Problem> {
    let mut flags = match settings.cflags.as_deref() {
        None => Vec::new(),
        Some(text) => shlex::split(text).ok_or_else(|| {
            Problem::usage(format!(
                "--cflags cannot be split into words: {text}; close the quotation marks"
            ))
        })?,
    };
    if !settings.sanitize.is_empty() {
        let names: Vec<String> = settings.sanitize.iter().map(|name| word(*name)).collect();
        flags.push(format!("-fsanitize={}", names.join(",")));
    }
    Ok(flags)
}

/// A program that is written in a folder of its own, and then built there with other files.
pub fn build_written(
    write: impl FnOnce(&Path) -> std::io::Result<PathBuf>,
    others: &[PathBuf],
    own_flags: Vec<OsString>,
    request: &ExploreRequest,
) -> Result<BuiltProgram, Problem> {
    let (folder, cache) = folder()?;
    let main = write(folder.path()).map_err(|error| {
        Problem::subject(format!(
            "cannot write what is to be built to {}: {error}; set TMPDIR to a directory that can be \
             written to",
            folder.path().display()
        ))
    })?;
    let mut files = vec![main];
    files.extend_from_slice(others);
    let mut all = own_flags;
    all.extend(
        flags(&request.flags.read()?)?
            .into_iter()
            .map(OsString::from),
    );
    let program = Program::from_source_with(&files, &all, folder.path(), &cache);
    Ok(BuiltProgram {
        program: program.map_err(problem)?,
        function: None,
        folder,
    })
}

/// A harness, built.
fn function(
    file: &Path,
    function: &str,
    others: &[PathBuf],
    flags: Vec<String>,
    own: &NativeFlags,
    request: &ExploreRequest,
) -> Result<BuiltProgram, Problem> {
    let (folder, cache) = folder()?;
    let steps = request.flags.read::<StepFlags>()?.steps;
    let wanted = harness::Wanted {
        file,
        function,
        others,
        flags: flags.into_iter().map(Into::into).collect(),
        sequence: &own.sequence.sequence,
        steps,
        settings: &own.function,
        quiet: request.quiet,
    };
    let subject = harness::harness(wanted, &folder, &cache)?;
    let program = Program::from_parts(
        &subject.files,
        &subject.flags,
        &subject.reals,
        folder.path(),
        &cache,
    );
    Ok(BuiltProgram {
        program: program.map_err(problem)?,
        function: Some(subject),
        folder,
    })
}

/// One subject per worker, all of the same build.
pub fn subjects(
    program: &Program,
    options: &NativeOptions,
    jobs: u16,
) -> Result<Vec<Box<dyn Subject>>, Problem> {
    (0..jobs)
        .map(|_| {
            let subject = NativeSubject::new(program, options).map_err(problem)?;
            Ok(Box::new(subject) as Box<dyn Subject>)
        })
        .collect()
}

pub fn problem(error: NativeError) -> Problem {
    let exit = match error {
        NativeError::Usage(_)
        | NativeError::NotInstrumented(_)
        | NativeError::Types(TypesError::NoDebug) => Exit::Usage,
        _ => Exit::Subject,
    };
    Problem {
        exit,
        message: error.to_string(),
    }
}

/// A folder to build in, and the cache for that, of which programs that are unpacked lie in the folder
/// as well.
pub fn folder() -> Result<(TempDir, Cache), Problem> {
    let place = env::temp_dir();
    remove_leftovers(&place);
    tempfile::Builder::new()
        .prefix(&format!("{PREFIX}{}-", std::process::id()))
        .tempdir_in(&place)
        .map(|folder| {
            let cache = Cache::user_with_twins_at(folder.path().join("unpacked"));
            (folder, cache)
        })
        .map_err(|error| {
            Problem::subject(format!(
                "cannot make a folder to build in, in {}: {error}; set TMPDIR to a directory that \
                 can be written to",
                place.display()
            ))
        })
}

/// Removes what processes left behind that were killed: they could not do it themselves.
fn remove_leftovers(place: &Path) {
    let Ok(entries) = fs::read_dir(place) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let owner = name
            .to_str()
            .and_then(|name| name.strip_prefix(PREFIX))
            .and_then(|rest| rest.split('-').next())
            .and_then(|pid| pid.parse::<u32>().ok());
        if owner.is_some_and(|pid| !PathBuf::from(format!("/proc/{pid}")).exists()) {
            // Another user's, or gone meanwhile: not ours to worry about.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_folders_of_dead_processes_are_removed() {
        let place = tempfile::tempdir().unwrap();
        let mine = place
            .path()
            .join(format!("{PREFIX}{}-x", std::process::id()));
        // Above any process number that Linux gives.
        let dead = place.path().join(format!("{PREFIX}4194999-x"));
        let other = place.path().join("something-else");
        for folder in [&mine, &dead, &other] {
            fs::create_dir(folder).unwrap();
        }
        remove_leftovers(place.path());
        assert!(mine.exists() && other.exists() && !dead.exists());
    }
}
