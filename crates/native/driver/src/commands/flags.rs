//! Which options of a compilation matter when the file is compiled as a subject.
//!
//! What changes the meaning of the source stays: macros, where headers are, the language, the
//! machine, the optimisation. What only says where results go, what is warned of, how a program is
//! linked or what is measured while it runs does not.

use super::base;
use crate::cc::flags::is_dependency;
use crate::cc::options::CommandLine;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Programs that take a whole compiler command as their arguments.
pub const LAUNCHERS: [&str; 4] = ["ccache", "sccache", "distcc", "icecc"];

/// Options with a folder, joined to them or after them. Longer names come before their beginnings.
const FOLDERS: [&str; 11] = [
    "--include-directory=",
    "--sysroot=",
    "-isystem-after",
    "-iframework",
    "-cxx-isystem",
    "-idirafter",
    "-isysroot",
    "-isystem",
    "-iprefix",
    "-iquote",
    "-I",
];
/// Options with a file that is looked for like a header, unless it is in the working directory.
const HEADERS: [&str; 2] = ["-include", "-imacros"];

/// Beginnings of options that stay as they are.
const KEPT: [&str; 15] = [
    "-D",
    "-U",
    "-O",
    "-f",
    "-m",
    "-std",
    "--std",
    "-stdlib=",
    "-target",
    "--target",
    "--define-macro",
    "--undefine-macro",
    "-Wp,",
    "-iwithprefix",
    "-nostdinc",
];
const KEPT_WHOLE: [&str; 7] = [
    "-pthread",
    "-ansi",
    "-trigraphs",
    "-undef",
    "-traditional-cpp",
    "-Xclang",
    "-Xpreprocessor",
];

/// Beginnings of `-f` and `-m` options that say nothing of what the source means: what is reported
/// and measured, what is written besides the object, and names of files that are not theirs.
const DROPPED: [&str; 29] = [
    "-fsanitize",
    "-fno-sanitize",
    "-fprofile",
    "-fcoverage",
    "-ftest-coverage",
    "-finstrument-functions",
    "-fxray",
    "-flto",
    "-fno-lto",
    "-ffat-lto",
    "-fno-fat-lto",
    "-fuse-ld",
    "-fplugin",
    "-fpass-plugin",
    "-fdiagnostics",
    "-fno-diagnostics",
    "-fcolor-diagnostics",
    "-fno-color-diagnostics",
    "-fmessage-length",
    "-fmax-errors",
    "-ferror-limit",
    "-ftime-",
    "-fdump-",
    "-fstack-usage",
    "-fverbose-asm",
    "-fdebug-",
    "-ffile-prefix-map",
    "-fmacro-prefix-map",
    "-mllvm",
];

/// The options of a command, each with its argument; `words` begin with the compiler, and paths
/// are those of `directory`.
pub fn that_matter(words: &[OsString], directory: &Path) -> Vec<Vec<OsString>> {
    let line = CommandLine::parse(without_compiler(words));
    let kept = line.options().filter(|option| {
        let name = option[0].to_string_lossy();
        matters(&name)
    });
    kept.map(|option| absolute(option, directory)).collect()
}

/// The arguments of the compiler, which may have been called through another program.
pub fn without_compiler(words: &[OsString]) -> &[OsString] {
    match words {
        [first, second, rest @ ..] if is_launcher(first) && !is_option(second) => rest,
        [_, rest @ ..] => rest,
        [] => &[],
    }
}

pub fn is_launcher(program: &OsStr) -> bool {
    LAUNCHERS.contains(&base(program).as_str())
}

fn is_option(word: &OsStr) -> bool {
    word.as_bytes().starts_with(b"-")
}

fn matters(name: &str) -> bool {
    if is_dependency(name) || DROPPED.iter().any(|prefix| name.starts_with(prefix)) {
        return false;
    }
    KEPT_WHOLE.contains(&name)
        || KEPT
            .iter()
            .chain(&FOLDERS)
            .chain(&HEADERS)
            .any(|prefix| name.starts_with(prefix))
            && !name.starts_with("-include-pch")
        // With the value after it, as in the list with `=`.
        || matches!(name, "--include-directory" | "--sysroot")
}

/// Options that one compiler has and another may not have.
pub fn is_doubtful(option: &[OsString]) -> bool {
    let name = option[0].to_string_lossy();
    ["-f", "-m", "-O", "-std", "--std"]
        .iter()
        .any(|prefix| name.starts_with(prefix))
}

/// An option whose paths no longer depend on where the compiler stands.
fn absolute(option: &[OsString], directory: &Path) -> Vec<OsString> {
    let mut option = option.to_vec();
    if let [name, value] = option.as_mut_slice() {
        let is_folder = FOLDERS
            .iter()
            .any(|folder| name == folder.trim_end_matches('='));
        if is_folder {
            *value = folder(value, directory);
        } else if HEADERS.iter().any(|header| name == header) {
            *value = header(value, directory);
        }
        return option;
    }
    let bytes = option[0].as_bytes().to_vec();
    let after = |prefix: &&&str| bytes.strip_prefix(prefix.as_bytes());
    let joined = |prefix: &str, value: OsString| {
        let mut joined = OsString::from(prefix);
        joined.push(value);
        vec![joined]
    };
    if let Some(prefix) = FOLDERS.iter().find(|prefix| after(prefix).is_some()) {
        let value = OsStr::from_bytes(&bytes[prefix.len()..]);
        return joined(prefix, folder(value, directory));
    }
    if let Some(prefix) = HEADERS.iter().find(|prefix| after(prefix).is_some()) {
        let value = OsStr::from_bytes(&bytes[prefix.len()..]);
        return joined(prefix, header(value, directory));
    }
    option
}

fn folder(value: &OsStr, directory: &Path) -> OsString {
    // `=` and `$SYSROOT` stand for the folder of the system that is compiled for.
    match value.as_bytes().first() {
        Some(b'=' | b'$') => value.to_os_string(),
        _ => directory.join(value).into(),
    }
}

fn header(value: &OsStr, directory: &Path) -> OsString {
    let here = directory.join(value);
    match here.is_file() {
        true => here.into(),
        false => value.to_os_string(),
    }
}
