//! The shared libraries of a program: which ones it loads, which of them are instrumented, and
//! their plain twins laid out for the plain program.

use crate::NativeError;
use crate::artefacts::Cache;
use crate::objects::{self, Executable};
use elsewise_wire::map::ProgramMap;
use object::read::elf::ElfFile64;
use object::{Endianness, Object, ObjectSymbol};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

/// Where the dynamic loader looks first.
pub const LIBRARY_PATH: &str = "LD_LIBRARY_PATH";
/// The longest script that is looked into.
const MAX_SCRIPT: u64 = 1 << 20;

/// An instrumented shared library.
pub struct Library {
    pub path: PathBuf,
    pub maps: Vec<ProgramMap>,
    pub code: Arc<[u8]>,
    pub build: String,
    plain: Option<Vec<u8>>,
}

/// Reads a library; `None` when it is not one of ours.
pub fn open(path: &Path) -> Result<Option<Library>, NativeError> {
    let bytes = fs::read(path).map_err(NativeError::io("read", path))?;
    let Some(found) = objects::executable(&bytes) else {
        return Ok(None);
    };
    let Executable {
        map,
        code,
        plain,
        build,
    } = found;
    let maps = ProgramMap::decode_all(map).map_err(|error| NativeError::BadProgram {
        path: path.to_path_buf(),
        reason: error.to_string(),
    })?;
    Ok(Some(Library {
        path: path.to_path_buf(),
        maps,
        code: code.into(),
        build,
        plain: plain.map(<[u8]>::to_vec),
    }))
}

/// The libraries that the program loads when it starts, as its dynamic loader finds them.
pub(crate) fn loaded(
    program: &Path,
    library_path: Option<&OsStr>,
) -> Result<Vec<(OsString, PathBuf)>, NativeError> {
    let mut command = Command::new(program);
    command
        // Asked this way, the loader lists what it would load and does not start the program.
        .env("LD_TRACE_LOADED_OBJECTS", "1")
        .env_remove("LD_PRELOAD")
        .stdin(Stdio::null())
        .stderr(Stdio::null());
    if let Some(path) = library_path {
        command.env(LIBRARY_PATH, path);
    }
    let output = command
        .output()
        .map_err(|error| NativeError::Start(format!("{}: {error}", program.display())))?;
    Ok(parse_list(&output.stdout))
}

/// Which of the libraries that a program loads define these functions, by the functions' names. Those that cannot be
/// read define nothing.
pub fn defining(program: &Path, names: &BTreeSet<String>) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for (name, path) in loaded(program, None).unwrap_or_default() {
        let Ok(bytes) = fs::read(&path) else {
            continue;
        };
        let Ok(file) = ElfFile64::<Endianness>::parse(&*bytes) else {
            continue;
        };
        let library = Path::new(&name).file_name().unwrap_or(&name);
        let defined = file
            .dynamic_symbols()
            .filter(|symbol| symbol.is_definition());
        for symbol in defined {
            if let Ok(symbol) = symbol.name()
                && names.contains(symbol)
            {
                // The first that has it is the one that is called.
                let library = || library.to_string_lossy().into_owned();
                found.entry(symbol.to_string()).or_insert_with(library);
            }
        }
    }
    found
}

/// Lines such as `libf.so.1 => /path/libf.so.1 (0x00007f…)`.
fn parse_list(text: &[u8]) -> Vec<(OsString, PathBuf)> {
    text.split(|byte| *byte == b'\n')
        .filter_map(|line| {
            let line = line.trim_ascii();
            let end = find(line, b" (0x").unwrap_or(line.len());
            let line = &line[..end];
            let (name, path) = match find(line, b" => ") {
                Some(at) => (&line[..at], &line[at + 4..]),
                None => (line, line),
            };
            path.contains(&b'/').then(|| {
                (
                    OsString::from_vec(name.to_vec()),
                    PathBuf::from(OsStr::from_bytes(path)),
                )
            })
        })
        .collect()
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}

/// Puts the plain twins of the libraries into one folder, each under the name it is loaded by.
pub(crate) fn lay_out_twins(
    libraries: &[(OsString, Library)],
    build: &str,
    cache: &Cache,
) -> Result<PathBuf, NativeError> {
    let mut twins = Vec::new();
    for (name, library) in libraries {
        let plain = library
            .plain
            .as_deref()
            .ok_or_else(|| NativeError::NoPlain(library.path.clone()))?;
        // Where a library is loaded by a path, no folder takes the place of it.
        if let Some(name) = Path::new(name).file_name() {
            twins.push((name.to_string_lossy().into_owned(), plain));
        }
    }
    cache.keep_all(&twins, build)
}

/// The loader's path with `folder` in front of it.
pub fn before(folder: &Path, path: Option<OsString>) -> OsString {
    let mut all = folder.as_os_str().to_os_string();
    let rest = path.or_else(|| std::env::var_os(LIBRARY_PATH));
    if let Some(rest) = rest.filter(|rest| !rest.is_empty()) {
        all.push(":");
        all.push(rest);
    }
    all
}

/// What libtool left to be started: a script that sets the loader's path for the program beside
/// it.
pub(crate) struct Wrapped {
    pub program: PathBuf,
    pub library_path: Option<OsString>,
}

/// The program behind a script of libtool's; `None` when the file is something else.
pub(crate) fn behind_wrapper(path: &Path) -> Option<Wrapped> {
    if fs::metadata(path).ok()?.len() > MAX_SCRIPT {
        return None;
    }
    let text = fs::read(path).ok()?;
    if !text.starts_with(b"#!") || find(&text, b"libtool").is_none() {
        return None;
    }
    let name = path.file_name()?;
    let folder = path.parent()?.join(".libs");
    let mut renamed = OsString::from("lt-");
    renamed.push(name);
    let program = [OsString::from(name), renamed]
        .iter()
        .map(|name| folder.join(name))
        .find(|program| program.is_file())?;
    Some(Wrapped {
        program,
        library_path: wrapper_path(&text, std::env::var_os(LIBRARY_PATH)),
    })
}

/// The path that the script sets: a line `LD_LIBRARY_PATH="/a/.libs:/b:$LD_LIBRARY_PATH"`.
fn wrapper_path(script: &[u8], inherited: Option<OsString>) -> Option<OsString> {
    let set = format!("{LIBRARY_PATH}=\"");
    let own = format!("${LIBRARY_PATH}");
    let line = script
        .split(|byte| *byte == b'\n')
        .map(<[u8]>::trim_ascii)
        .find(|line| line.starts_with(set.as_bytes()))?;
    let value = line[set.len()..].strip_suffix(b"\"")?;
    let mut parts: Vec<OsString> = value
        .split(|byte| *byte == b':')
        .filter(|part| !part.is_empty() && *part != own.as_bytes())
        .map(|part| OsString::from_vec(part.to_vec()))
        .collect();
    parts.extend(inherited.filter(|path| !path.is_empty()));
    Some(parts.join(OsStr::new(":")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_loader_lists() {
        let text = b"\tlinux-vdso.so.1 (0x00007ffff7fc9000)\n\tlibf.so.1 => /a b/libf.so.1 \
            (0x00007ffff7f00000)\n\tlibgone.so => not found\n\t/lib64/ld-linux-x86-64.so.2 \
            (0x00007ffff7fcb000)\n";
        assert_eq!(
            parse_list(text),
            [
                ("libf.so.1".into(), PathBuf::from("/a b/libf.so.1")),
                (
                    "/lib64/ld-linux-x86-64.so.2".into(),
                    PathBuf::from("/lib64/ld-linux-x86-64.so.2")
                ),
            ]
        );
        assert_eq!(parse_list(b"\tstatically linked\n"), []);
    }

    #[test]
    fn the_path_in_a_script_of_libtool() {
        let script = b"#! /bin/sh\n# libtool\n  LD_LIBRARY_PATH=\"/w/.libs:/x:$LD_LIBRARY_PATH\"\n";
        assert_eq!(wrapper_path(script, None).unwrap(), "/w/.libs:/x");
        assert_eq!(
            wrapper_path(script, Some("/mine".into())).unwrap(),
            "/w/.libs:/x:/mine"
        );
        assert_eq!(wrapper_path(b"#! /bin/sh\n", None), None);
    }
}
