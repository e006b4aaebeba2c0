//! Runs a build and writes down how it compiles each file.
//!
//! A folder of shims, one for every compiler in the path and called as it is, comes first in the
//! path of the build; [`super::shim`] is what they do. The folder stays where it is when the build
//! is over, since a build system may have remembered a shim as its compiler; without somebody to
//! write down calls for, a shim only becomes the compiler.

use super::shim::{self, Call, LOG, is_compiler, is_executable};
use super::{Entry, base, flags, read_if_there, write};
use crate::NativeError;
use crate::artefacts::Cache;
use crate::cc::options::{Action, CommandLine, Language, Source};
use elsewise_contain::process;
use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

/// What came of a build.
#[derive(Debug)]
pub struct Captured {
    /// How the build ended.
    pub status: ExitStatus,
    /// Compilations of this build, and the files that they compile.
    pub commands: usize,
    pub files: usize,
    /// Commands in the database now.
    pub all: usize,
    /// What the user should know.
    pub notes: Vec<String>,
}

/// Runs `build`, a command in words, and writes its compilations into the database `out`. Files
/// that this build does not compile keep the commands that the database has for them.
pub fn capture(build: &[OsString], out: &Path) -> Result<Captured, NativeError> {
    let Some((program, args)) = build.split_first() else {
        return Err(NativeError::Usage(
            "no build was given: write it after --, as in `elsewise capture -- make`".into(),
        ));
    };
    // Before the build, which may take long.
    let before = read_if_there(out)?;
    let path = env::var_os("PATH").unwrap_or_default();
    let shims = make_shims(&compilers_in(&path), &Cache::user()?)?;
    let log = tempfile::Builder::new()
        .prefix("elsewise-capture.")
        .tempfile()
        .map_err(NativeError::io("write to", &env::temp_dir()))?;
    let folders = std::iter::once(shims).chain(env::split_paths(&path));
    let mut command = Command::new(program);
    command
        .args(args)
        .env(
            "PATH",
            env::join_paths(folders).map_err(|error| {
                NativeError::Cache(format!("its path cannot stand in PATH: {error}"))
            })?,
        )
        .env(LOG, log.path());
    process::end_with_us(&mut command);
    let status = command
        .status()
        .map_err(NativeError::io("run", Path::new(program)))?;
    let written = fs::read(log.path()).map_err(NativeError::io("read", log.path()))?;
    let (found, odd) = entries(&written);
    let files: BTreeSet<PathBuf> = found.iter().map(Entry::place).collect();
    let mut captured = Captured {
        status,
        commands: found.len(),
        files: files.len(),
        all: 0,
        notes: past_the_shims(build),
    };
    if odd > 0 {
        captured.notes.push(format!(
            "{odd} compilations are left out: their arguments are not UTF-8, and a database holds \
             nothing else"
        ));
    }
    if found.is_empty() {
        captured.notes.push(
            "no compilation was seen. What is built already is not compiled again: clean it first \
             (`make clean`). A compiler is seen when it is called by its name (CC=gcc), not by its \
             path"
                .into(),
        );
        captured.all = before.len();
        return Ok(captured);
    }
    let all = merge(before, found, &files);
    captured.all = all.len();
    write(out, &all)?;
    Ok(captured)
}

/// Commands for other files stay; the order is that of the files.
fn merge(before: Vec<Entry>, found: Vec<Entry>, files: &BTreeSet<PathBuf>) -> Vec<Entry> {
    let mut all = before;
    all.retain(|entry| !files.contains(&entry.place()));
    all.extend(found);
    all.sort_by_cached_key(|entry| {
        let output = entry.output.clone();
        (entry.place(), output, entry.arguments.clone())
    });
    all.dedup();
    all
}

/// Names of the compilers in a path. A compiler that is not there gets no shim, or the build would
/// believe in it.
fn compilers_in(path: &OsStr) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for folder in env::split_paths(path) {
        let Ok(files) = fs::read_dir(&folder) else {
            continue;
        };
        for file in files.flatten() {
            let Ok(name) = file.file_name().into_string() else {
                continue;
            };
            if is_compiler(&name) && is_executable(&file.path()) {
                found.insert(name);
            }
        }
    }
    found
}

/// The folder of shims of these names.
fn make_shims(names: &BTreeSet<String>, cache: &Cache) -> Result<PathBuf, NativeError> {
    let own = env::current_exe()
        .and_then(|own| own.canonicalize())
        .map_err(NativeError::io("find", Path::new("elsewise")))?;
    let mut hasher = blake3::Hasher::new();
    hasher.update(own.as_os_str().as_bytes());
    for name in names {
        hasher.update(name.as_bytes()).update(b"/");
    }
    let key = &hasher.finalize().to_hex()[..32];
    let folder = cache.lasting().join(format!("shims-{key}"));
    let cannot = |error| NativeError::Cache(format!("{}: {error}", folder.display()));
    fs::create_dir_all(&folder).map_err(cannot)?;
    for name in names {
        match symlink(&own, folder.join(name)) {
            // The folder is named after what it holds.
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            result => result.map_err(cannot)?,
        }
    }
    folder.canonicalize().map_err(cannot)
}

/// The compilations among the calls that were written down, and how many cannot be told.
fn entries(written: &[u8]) -> (Vec<Entry>, usize) {
    let mut odd = 0;
    let mut found: Vec<Entry> = Vec::new();
    let lines = written.split(|byte| *byte == b'\n');
    for call in lines.filter_map(|line| serde_json::from_slice::<Call>(line).ok()) {
        for entry in compilations(&call) {
            match entry {
                // What a configure script compiles to learn about the compiler is gone by now.
                Some(entry) if entry.place().is_file() => found.push(entry),
                Some(_) => {}
                None => odd += 1,
            }
        }
    }
    (found, odd)
}

/// One command for each source that a call compiles.
fn compilations(call: &Call) -> Vec<Option<Entry>> {
    let words = call.words();
    let args = flags::without_compiler(&words);
    let compiler = match &words[..words.len() - args.len()] {
        [.., compiler] => base(compiler),
        [] => return Vec::new(),
    };
    let line = CommandLine::parse(args);
    if line.action == Action::Pass {
        return Vec::new();
    }
    let sources = line.sources();
    sources
        .filter(|source| source.language == Language::Source)
        .map(|source| entry(call, &compiler, &line, source))
        .collect()
}

/// `None` where something is not text.
fn entry(call: &Call, compiler: &str, line: &CommandLine, source: Source) -> Option<Entry> {
    let mut words: Vec<OsString> = vec![compiler.into()];
    words.extend(line.options().flatten().cloned());
    if let Some(language) = source.x {
        words.extend(["-x".into(), language.to_os_string()]);
    }
    words.push("-c".into());
    // The output of a link is no object.
    let output = match line.action {
        Action::Compile => line.output.clone(),
        _ => None,
    };
    if let Some(output) = &output {
        words.extend(["-o".into(), output.clone()]);
    }
    words.push(source.path.to_os_string());
    let arguments: Option<Vec<String>> = words
        .into_iter()
        .map(|word| word.into_string().ok())
        .collect();
    let directory = call.directory();
    directory.to_str()?;
    Some(Entry {
        directory,
        file: source.path.into(),
        arguments: Some(arguments?),
        command: None,
        output: output.map(PathBuf::from),
        rest: BTreeMap::new(),
    })
}

/// Compilers that the user names by their paths: no shim is called in their place.
fn past_the_shims(build: &[OsString]) -> Vec<String> {
    let given = build.iter().map(|word| word.to_string_lossy().into_owned());
    let variables = ["CC", "CXX"].into_iter().filter_map(|name| {
        let value = env::var_os(name)?;
        Some(format!("{name}={}", value.to_string_lossy()))
    });
    let by_path = given.chain(variables).filter(|word| {
        let Some((name, value)) = word.split_once('=') else {
            return false;
        };
        let compiler = value.split_whitespace().next().unwrap_or_default();
        (name.ends_with("CC") || name.ends_with("CXX"))
            && compiler.contains('/')
            && shim::is_compiler(&base(compiler.as_ref()))
    });
    by_path
        .map(|word| {
            let (name, value) = word.split_once('=').unwrap_or_default();
            let compiler = value.split_whitespace().next().unwrap_or_default();
            format!(
                "what {value} compiles is not captured, since it is called by its path: give \
                 {name}={} and put its folder into PATH",
                base(compiler.as_ref())
            )
        })
        .collect()
}
