//! Building: from what the user named to a program that can be explored.

use crate::build_folder::folder;
use crate::flags::{BuildFlags, NativeFlags};
use crate::harness;
use crate::names::NativeTarget;
use crate::program_error::{ProgramError, problem};
use crate::target_error::TargetError;
use elsewise_contain::Containment;
use elsewise_driver::{Part, Program, commands};
use elsewise_frontend::contain::Contained;
use elsewise_frontend::flags::{StepFlags, word};
use elsewise_frontend::{ExploreRequest, Problem};
use elsewise_functions::FunctionSubject;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

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
            let database = own.database.compile_commands.as_deref();
            let (files, parts) = as_its_build_does(files, &flags, database, request.quiet)?;
            let program = Program::from_parts(&files, &flags, &parts, folder.path(), &cache);
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

/// The files that are compiled with our flags alone, and those of which a compilation database says how the project's
/// build compiles them.
fn as_its_build_does(
    files: &[PathBuf],
    flags: &[OsString],
    database: Option<&Path>,
    quiet: bool,
) -> Result<(Vec<PathBuf>, Vec<Part>), Problem> {
    let (mut plain, mut parts) = (Vec::new(), Vec::new());
    for file in files {
        match commands::flags_for(file, database).map_err(problem)? {
            None => plain.push(file.clone()),
            Some(known) => {
                harness::tell(&known, file, quiet);
                let mut all = known.args;
                // What the user says comes last, and so holds.
                all.extend_from_slice(flags);
                parts.push(Part {
                    file: file.clone(),
                    flags: all,
                });
            }
        }
    }
    Ok((plain, parts))
}

/// Flags for the compiler.
fn flags(settings: &BuildFlags) -> Result<Vec<String>, Problem> {
    let mut flags = match settings.cflags.as_deref() {
        None => Vec::new(),
        Some(text) => {
            let text = text.to_string();
            shlex::split(&text).ok_or(TargetError::Cflags { text })?
        }
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
    let main = write(folder.path()).map_err(|source| ProgramError::NotGenerated {
        folder: folder.path().to_path_buf(),
        source,
    })?;
    let mut files = vec![main];
    files.extend_from_slice(others);
    let mut all = own_flags;
    all.push(nowhere(folder.path()));
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

/// Where a program was built is no part of it: built again, it is the same.
fn nowhere(folder: &Path) -> OsString {
    let mut map = OsString::from("-ffile-prefix-map=");
    map.push(folder);
    map.push("=/elsewise");
    map
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
        database: own.database.compile_commands.as_deref(),
        quiet: request.quiet,
    };
    let subject = harness::harness(wanted, &folder, &cache)?;
    let mut flags = subject.flags.clone();
    flags.push(nowhere(folder.path()));
    let program = Program::from_parts(
        &subject.files,
        &flags,
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
