//! gdb, for a person who wants to look.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// gdb on the search path.
pub fn find() -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path)
        .map(|folder| folder.join("gdb"))
        .find(|path| path.is_file())
}

/// Commands of gdb's with which a person goes along a schedule.
pub const SCHEDULE: &str = include_str!("gdb/schedule.py");

/// How the program begins.
pub struct Begin<'a> {
    /// Its standard input.
    pub stdin: &'a Path,
    /// Its directory.
    pub folder: Option<&'a Path>,
    /// What gdb does instead of only starting it.
    pub script: Option<&'a Path>,
}

/// The command that starts `program` under gdb.
pub fn command(gdb: &Path, program: &Path, arguments: &[OsString], begin: &Begin<'_>) -> Command {
    let mut command = Command::new(gdb);
    command.arg("-q");
    if let Some(folder) = begin.folder {
        command
            .arg("-ex")
            .arg(format!("set cwd {}", folder.display()));
    }
    // `run < file` would drop arguments given with --args; gdb passes this line to a shell.
    let mut line = OsString::from("set args");
    for argument in arguments {
        line.push(" ");
        line.push(quote(argument));
    }
    line.push(" < ");
    line.push(quote(begin.stdin.as_os_str()));
    command.arg("-ex").arg(line);
    match begin.script {
        None => command.args(["-ex", "run"]),
        Some(script) => command.arg("-x").arg(script),
    };
    command.arg(program);
    command
}

/// Becomes gdb; comes back only if that fails.
pub fn become_gdb(mut command: Command) -> io::Error {
    command.exec()
}

fn quote(word: &OsStr) -> OsString {
    // Only a zero byte has no quoted form, and no argument holds one.
    let quoted = shlex::bytes::try_quote(word.as_bytes());
    OsString::from_vec(quoted.map_or_else(|_| Vec::new(), |word| word.into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_and_input_are_quoted_for_the_shell_that_gdb_starts() {
        let command = command(
            Path::new("/bin/gdb"),
            Path::new("x.elsewise/subject/plain"),
            &["-n".into(), "it's here".into()],
            &Begin {
                stdin: Path::new("my case/stdin"),
                folder: Some(Path::new("my case/work")),
                script: None,
            },
        );
        let words: Vec<_> = command
            .get_args()
            .map(|word| word.to_string_lossy())
            .collect();
        assert_eq!(
            words,
            [
                "-q",
                "-ex",
                "set cwd my case/work",
                "-ex",
                "set args -n \"it's here\" < 'my case/stdin'",
                "-ex",
                "run",
                "x.elsewise/subject/plain"
            ]
        );
    }
}
