//! Compilation databases (`compile_commands.json`): how a real build compiles a file, read from
//! one where there is one, and [written](capture::capture) where there is none.

pub mod capture;
mod flags;
mod shim;

pub use shim::shim;

use crate::NativeError;
use crate::cc::response;
use crate::toolchain::Toolchain;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The name that every tool looks for.
pub const NAME: &str = "compile_commands.json";

/// One command of a database. What Elsewise does not know of it is kept as it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Entry {
    pub directory: PathBuf,
    pub file: PathBuf,
    /// The command as words, or else as a line for the shell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arguments: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<PathBuf>,
    #[serde(flatten)]
    rest: BTreeMap<String, serde_json::Value>,
}

/// How a real build compiles a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flags {
    /// Options with which the file means what it means in that build; paths in them are absolute.
    pub args: Vec<OsString>,
    /// Options that clang does not know, and that are not among `args` for that reason.
    pub left_out: Vec<OsString>,
    /// The database that says so.
    pub database: PathBuf,
}

/// The flags with which `file` is compiled in the build that the database `given` describes: a
/// file, or a folder that holds one. Without it, databases are looked for in the folder of `file`
/// and those above it, and in `build` in each of them. Of several commands for one file, the first
/// counts.
///
/// `None` where no database knows the file; for one that was given, that is an error.
pub fn flags_for(file: &Path, given: Option<&Path>) -> Result<Option<Flags>, NativeError> {
    let wanted = file.canonicalize().map_err(NativeError::io("find", file))?;
    let databases = match given {
        Some(given) => vec![given_database(given)?],
        None => wanted.ancestors().skip(1).flat_map(databases_in).collect(),
    };
    for database in databases {
        let entries = read(&database)?;
        if let Some(entry) = entry_of(&entries, &wanted) {
            let words = entry.words(&database)?;
            let (args, left_out) = known_to_clang(flags::that_matter(&words, &entry.directory));
            return Ok(Some(Flags {
                args,
                left_out,
                database,
            }));
        }
        if given.is_some() {
            return Err(NativeError::Usage(format!(
                "{} has no command that compiles {}: name a file that the build compiles, or write \
                 the database anew with `elsewise capture -- make`",
                database.display(),
                file.display()
            )));
        }
    }
    Ok(None)
}

/// The files that the build of a database compiles, each once.
pub fn files(database: &Path) -> Result<Vec<PathBuf>, NativeError> {
    let entries = read(database)?;
    let mut files: Vec<PathBuf> = entries.iter().map(Entry::place).collect();
    files.sort();
    files.dedup();
    Ok(files)
}

fn databases_in(folder: &Path) -> impl Iterator<Item = PathBuf> {
    [folder.join(NAME), folder.join("build").join(NAME)]
        .into_iter()
        .filter(|path| path.is_file())
}

fn given_database(given: &Path) -> Result<PathBuf, NativeError> {
    if !given.exists() {
        return Err(NativeError::Usage(format!(
            "there is no {}: give a {NAME} or the folder that has one, or write one with `elsewise \
             capture -- make`",
            given.display()
        )));
    }
    if !given.is_dir() {
        return Ok(given.to_path_buf());
    }
    databases_in(given).next().ok_or_else(|| {
        NativeError::Usage(format!(
            "there is no {NAME} in {}: write one with `elsewise capture -- make`, or give the file",
            given.display()
        ))
    })
}

/// Reads a database; the folders in it are absolute afterwards.
pub(crate) fn read(path: &Path) -> Result<Vec<Entry>, NativeError> {
    let text = fs::read(path).map_err(NativeError::io("read", path))?;
    let mut entries: Vec<Entry> = serde_json::from_slice(&text).map_err(|error| {
        NativeError::Usage(format!(
            "{} is no compilation database: {error}; write it anew with `elsewise capture -- \
             make`, or remove it",
            path.display()
        ))
    })?;
    let folder = path.canonicalize().map_err(NativeError::io("find", path))?;
    let folder = folder.parent().unwrap_or(Path::new("/"));
    for entry in &mut entries {
        entry.directory = folder.join(&entry.directory);
    }
    Ok(entries)
}

/// Writes a database in one step, so that no reader sees half of one.
pub(crate) fn write(path: &Path, entries: &[Entry]) -> Result<(), NativeError> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let cannot = || NativeError::io("write", path);
    let mut text = serde_json::to_vec_pretty(entries).map_err(|error| cannot()(error.into()))?;
    text.push(b'\n');
    let mut file = tempfile::Builder::new()
        .prefix(".elsewise-commands.")
        .permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644))
        .tempfile_in(folder)
        .map_err(cannot())?;
    file.write_all(&text).map_err(cannot())?;
    file.persist(path).map_err(|error| cannot()(error.error))?;
    Ok(())
}

fn entry_of<'a>(entries: &'a [Entry], wanted: &Path) -> Option<&'a Entry> {
    let same_name = |entry: &&Entry| entry.file.file_name() == wanted.file_name();
    let is_it = |entry: &&Entry| entry.place() == wanted;
    // A file of another name can be the same one through a link, but that is worth a look at
    // every file only where nothing else was found.
    let mut named = entries.iter().filter(same_name);
    named.find(is_it).or_else(|| entries.iter().find(is_it))
}

impl Entry {
    /// The file that is compiled, whatever it is called.
    fn place(&self) -> PathBuf {
        let path = self.directory.join(&self.file);
        path.canonicalize().unwrap_or(path)
    }

    /// The command in words, compiler first, with what stands in response files.
    fn words(&self, database: &Path) -> Result<Vec<OsString>, NativeError> {
        let words = match (&self.arguments, &self.command) {
            (Some(words), _) => words.clone(),
            (None, Some(line)) => shlex::split(line).ok_or_else(|| self.unclear(database))?,
            (None, None) => return Err(self.unclear(database)),
        };
        let words: Vec<OsString> = words.into_iter().map(OsString::from).collect();
        response::expand_in(&words, &self.directory)
    }

    fn unclear(&self, database: &Path) -> NativeError {
        NativeError::Usage(format!(
            "{} does not say how {} is compiled: correct its `command`, or write the database anew \
             with `elsewise capture -- make`",
            database.display(),
            self.file.display()
        ))
    }
}

/// Parts options into those that clang knows and the rest: a build may be gcc's. Each option is
/// whole, with its argument.
fn known_to_clang(options: Vec<Vec<OsString>>) -> (Vec<OsString>, Vec<OsString>) {
    let clang = Toolchain::find().map(|toolchain| toolchain.clang);
    let known = |options: &[&Vec<OsString>]| match &clang {
        // Without a compiler there is nothing to ask, and soon something worse to say.
        Err(_) => true,
        Ok(clang) => accepts(clang, options),
    };
    let doubtful: Vec<&Vec<OsString>> = options.iter().filter(|o| flags::is_doubtful(o)).collect();
    let all_known = doubtful.is_empty() || known(&doubtful);
    let (mut args, mut left_out) = (Vec::new(), Vec::new());
    for option in &options {
        let good = all_known || !flags::is_doubtful(option) || known(&[option]);
        match good {
            true => args.extend_from_slice(option),
            false => left_out.extend_from_slice(option),
        }
    }
    (args, left_out)
}

/// Whether clang compiles an empty file with these options.
fn accepts(clang: &Path, options: &[&Vec<OsString>]) -> bool {
    let mut command = std::process::Command::new(clang);
    for option in options {
        command.args(option.iter());
    }
    let nothing = std::process::Stdio::null;
    command
        .args(["-fsyntax-only", "-x", "c", "/dev/null"])
        .stdin(nothing())
        .stdout(nothing())
        .stderr(nothing());
    command.status().is_ok_and(|status| status.success())
}

/// Name of a program, without its folder.
fn base(path: &OsStr) -> String {
    Path::new(path)
        .file_name()
        .map_or_else(Default::default, |name| name.to_string_lossy().into_owned())
}

/// The entries of a database that may not be there yet.
fn read_if_there(path: &Path) -> Result<Vec<Entry>, NativeError> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        _ => read(path),
    }
}

#[cfg(test)]
mod tests;
