//! The program that stands before a compiler while a build is captured: it writes down what it is
//! called with and becomes the compiler.

use super::{base, flags};
use crate::cc::response;
use serde::{Deserialize, Serialize};
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The variable that says where calls are written down.
pub const LOG: &str = "ELSEWISE_CAPTURE";

/// What a shell says of a program that is not there.
const NOT_FOUND: u8 = 127;

/// One call of a compiler. Its words need not be text.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    pub directory: Vec<u8>,
    pub words: Vec<Vec<u8>>,
}

impl Call {
    pub fn directory(&self) -> PathBuf {
        PathBuf::from(OsString::from_vec(self.directory.clone()))
    }

    pub fn words(&self) -> Vec<OsString> {
        let words = self.words.iter().cloned();
        words.map(OsString::from_vec).collect()
    }
}

/// Whether a program of this name is a compiler, or takes a compiler's command: `cc`, `gcc-12`,
/// `x86_64-linux-gnu-g++`, `elsewise-cc`, `ccache`.
pub fn is_compiler(name: &str) -> bool {
    const NAMES: [&str; 11] = [
        "cc", "c++", "cxx", "c89", "c99", "gcc", "g++", "clang", "clang++", "tcc", "icx",
    ];
    // gcc-12, clang-22, g++-4.8
    let unversioned = match name.rsplit_once('-') {
        Some((front, version)) if is_version(version) => front,
        _ => name,
    };
    let last = unversioned.rsplit('-').next().unwrap_or(unversioned);
    NAMES.contains(&last) || flags::LAUNCHERS.contains(&name)
}

fn is_version(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_digit() || c == '.')
}

/// Where this program was called by a compiler's name: writes the call down, where calls are
/// written down, and becomes the compiler of that name that comes next in the path. It comes back
/// only if there is none, with what to say and the exit code.
pub fn shim(args: &[OsString]) -> Option<(String, u8)> {
    let name = base(args.first()?);
    if !is_compiler(&name) {
        return None;
    }
    let path = env::var_os("PATH").unwrap_or_default();
    let (compiler, path) = next(&name, &path);
    if let Some(log) = env::var_os(LOG)
        && let Err(error) = write_down(&log, &name, &args[1..])
    {
        // A build that goes wrong for the sake of being watched helps nobody.
        eprintln_lossy(&format!(
            "elsewise: this call of {name} is not captured: {error}"
        ));
    }
    let Some(compiler) = compiler else {
        return Some((format!("{name}: not found in PATH"), NOT_FOUND));
    };
    // The compiler and what it starts see no shims: a compiler that calls another is one call, and
    // one that looks for itself further on (ccache) does not come back here.
    let error = Command::new(&compiler)
        .arg0(&name)
        .args(&args[1..])
        .env("PATH", path)
        .exec();
    Some((format!("{}: {error}", compiler.display()), NOT_FOUND - 1))
}

fn eprintln_lossy(text: &str) {
    // Nothing is left to do when even the complaint cannot be written.
    let _ = writeln!(io::stderr(), "{text}");
}

/// The program that `name` stands for when this one is not counted, and the path without the
/// folders where this one stands for it.
fn next(name: &str, path: &OsStr) -> (Option<PathBuf>, OsString) {
    let own = env::current_exe().and_then(|own| own.canonicalize()).ok();
    let is_own = |file: &Path| own.is_some() && file.canonicalize().ok() == own;
    let folders: Vec<PathBuf> = env::split_paths(path)
        .filter(|folder| !is_own(&folder.join(name)))
        .collect();
    let compiler = folders
        .iter()
        .map(|folder| folder.join(name))
        .find(|file| is_executable(file));
    let path = env::join_paths(&folders).unwrap_or_else(|_| path.to_os_string());
    (compiler, path)
}

pub fn is_executable(file: &Path) -> bool {
    file.metadata()
        .is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

fn write_down(log: &OsStr, name: &str, args: &[OsString]) -> io::Result<()> {
    // Response files are often gone when the build is over.
    let args = response::expand(args).map_err(io::Error::other)?;
    let words = std::iter::once(OsStr::new(name)).chain(args.iter().map(OsString::as_os_str));
    let call = Call {
        directory: env::current_dir()?.into_os_string().into_vec(),
        words: words.map(|word| word.as_bytes().to_vec()).collect(),
    };
    let mut line = serde_json::to_vec(&call)?;
    line.push(b'\n');
    let mut file = OpenOptions::new().append(true).open(log)?;
    // Several compilers write at the same time.
    file.lock()?;
    file.write_all(&line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compilers_by_their_names() {
        for name in [
            "cc",
            "gcc",
            "gcc-12",
            "g++-4.8",
            "clang++-22",
            "c99",
            "x86_64-linux-gnu-gcc-12",
            "elsewise-cxx",
            "ccache",
        ] {
            assert!(is_compiler(name), "{name}");
        }
        for name in [
            "elsewise",
            "gcc-ar",
            "gcc-ranlib-12",
            "clang-format-22",
            "clang-cpp",
            "ld",
            "distcc-pump",
            "",
        ] {
            assert!(!is_compiler(name), "{name}");
        }
    }
}
