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

/// The command that starts `program` under gdb in `folder`, with its standard input from a file.
pub fn command(
    gdb: &Path,
    program: &Path,
    arguments: &[OsString],
    stdin: &Path,
    folder: Option<&Path>,
) -> Command {
    let mut command = Command::new(gdb);
    command.arg("-q");
    if let Some(folder) = folder {
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
    line.push(quote(stdin.as_os_str()));
    let given: [OsString; 5] = [
        "-ex".into(),
        line,
        "-ex".into(),
        "run".into(),
        program.into(),
    ];
    command.args(given);
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
            Path::new("my case/stdin"),
            Some(Path::new("my case/work")),
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
