//! C subjects: from what the user named to something that can be explored.

mod debug;
pub mod kept;
pub mod ready;
pub mod seeds;

use crate::args::{Settings, word};
use crate::charts::Chart;
use crate::erlang::Call;
use crate::exit::{Exit, Problem};
use crate::functions;
use crate::prolog::Predicate;
use crate::record::Contained;
use crate::subject::Named;
use elsewise_explore::Subject;
use elsewise_native::function::FunctionSubject;
use elsewise_native::types::TypesError;
use elsewise_native::{Cache, Containment, NativeError, NativeOptions, NativeSubject, Program};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{env, fs};
use tempfile::TempDir;

/// Temporary folders are named after the process, so that those of killed ones can be told.
const PREFIX: &str = "elsewise-build-";

/// A program that is ready to be explored.
pub struct Built {
    pub program: Program,
    /// The function that it is a harness for.
    pub function: Option<FunctionSubject>,
    /// Where it was built; removed with it.
    folder: TempDir,
}

impl Built {
    /// Runs get their directories where the program is: what a killed exploration leaves behind is
    /// removed by the next one.
    pub fn containment(&self, contained: &Contained) -> Containment {
        Containment {
            place: Some(self.folder.path().to_path_buf()),
            ..contained.containment()
        }
    }
}

pub fn build(named: &Named, settings: &Settings) -> Result<Built, Problem> {
    let (cflags, sanitize) = (settings.cflags.as_deref(), &settings.sanitize);
    let mut flags = flags(settings)?;
    if !settings.linearizable.is_empty() {
        let names = settings.linearizable.join(",");
        flags.push(format!("-DELSEWISE_OPERATIONS={names}"));
    }
    if !settings.sequence.is_empty() && !matches!(named, Named::Sources(_)) {
        return Err(Problem::usage(
            "--sequence names the functions itself: give FILE.c alone as the subject, and other \
             files that it needs",
        ));
    }
    match named {
        Named::Executable(_) if !sanitize.is_empty() => Err(Problem::usage(
            "--sanitize is for source files, and this subject is built already: build it with \
             -fsanitize= in its CFLAGS and LDFLAGS instead",
        )),
        Named::Executable(_) if cflags.is_some() => Err(Problem::usage(
            "--cflags is for .c files, and this subject is built already: leave it out",
        )),
        Named::Executable(path) => {
            let (folder, cache) = folder()?;
            Ok(Built {
                program: Program::open_with(path, &cache).map_err(problem)?,
                function: None,
                folder,
            })
        }
        Named::Sources(files) if !settings.sequence.is_empty() => {
            function(&files[0], "", &files[1..], flags, settings)
        }
        Named::Sources(files) => {
            let (folder, cache) = folder()?;
            let flags: Vec<OsString> = flags.into_iter().map(Into::into).collect();
            let program = Program::from_source_with(files, &flags, folder.path(), &cache);
            Ok(Built {
                program: program.map_err(problem)?,
                function: None,
                folder,
            })
        }
        Named::Call(Call { file, .. })
        | Named::Predicate(Predicate { file, .. })
        | Named::Chart(Chart { file, .. }) => Err(Problem::usage(format!(
            "{} is not for a compiler of C",
            file.display()
        ))),
        Named::Function {
            file,
            function,
            others,
        } => self::function(file, function, others, flags, settings),
    }
}

/// Flags for the compiler.
fn flags(settings: &Settings) -> Result<Vec<String>, Problem> {
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
    settings: &Settings,
) -> Result<Built, Problem> {
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
    all.extend(flags(settings)?.into_iter().map(OsString::from));
    let program = Program::from_source_with(&files, &all, folder.path(), &cache);
    Ok(Built {
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
    settings: &Settings,
) -> Result<Built, Problem> {
    let (folder, cache) = folder()?;
    let flags = flags.into_iter().map(Into::into).collect();
    let subject = functions::harness(file, function, others, flags, settings, &folder, &cache)?;
    let program = Program::from_parts(
        &subject.files,
        &subject.flags,
        &subject.reals,
        folder.path(),
        &cache,
    );
    Ok(Built {
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
