//! gdb, for a person who wants to look.

use std::env;
use std::ffi::OsString;
use std::io;
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
    arguments: &[String],
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
    let mut line = String::from("set args");
    for argument in arguments {
        line.push(' ');
        line.push_str(&quote(argument));
    }
    line.push_str(" < ");
    line.push_str(&quote(&stdin.to_string_lossy()));
    let given: [OsString; 5] = [
        "-ex".into(),
        line.into(),
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

fn quote(word: &str) -> String {
    // Only a zero byte has no quoted form, and no argument holds one.
    shlex::try_quote(word).map_or_else(|_| String::new(), |word| word.into_owned())
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
