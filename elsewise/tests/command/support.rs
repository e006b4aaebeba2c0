//! Runs the built command in a folder of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A program with a bug that needs the right four bytes, and a path of its own for short input.
pub const BUGGY: &str = r#"#include <assert.h>
#include <unistd.h>

int main(void) {
    unsigned char b[4];
    if (read(0, b, 4) != 4)
        return 3;
    if (b[0] == 'G' && b[1] == 'O')
        assert(b[2] + b[3] != 300);
    return 0;
}
"#;

/// A working directory for one test.
pub struct Place {
    pub folder: TempDir,
}

impl Place {
    pub fn new() -> Place {
        let folder = tempfile::tempdir().expect("a temporary folder");
        Place { folder }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).expect("a folder");
        }
        fs::write(&path, content).expect("a file");
        path
    }

    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_elsewise"));
        command
            .args(args)
            .current_dir(self.folder.path())
            .env_remove("COLUMNS")
            .env_remove("LC_ALL")
            .env_remove("LC_CTYPE")
            .env_remove("LANG")
            .env_remove("NO_COLOR")
            .env_remove("CLICOLOR_FORCE")
            .env_remove("ELSEWISE_CLANG")
            .env("XDG_STATE_HOME", self.path(".state"))
            .stdin(Stdio::null());
        command
    }

    pub fn run(&self, args: &[&str]) -> Ran {
        Ran::new(self.command(args), self.folder.path())
    }
}

/// What a command did.
pub struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
    folder: PathBuf,
}

impl Ran {
    pub fn new(mut command: Command, folder: &Path) -> Ran {
        let Output {
            status,
            stdout,
            stderr,
        } = command.output().expect("the command runs");
        Ran {
            code: status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&stdout).into_owned(),
            stderr: String::from_utf8_lossy(&stderr).into_owned(),
            folder: folder.to_path_buf(),
        }
    }

    /// Everything that a person sees, with what changes from run to run taken out.
    pub fn seen(&self) -> String {
        let mut text = format!("exit code {}\n", self.code);
        for (name, content) in [("stdout", &self.stdout), ("stderr", &self.stderr)] {
            if !content.is_empty() {
                text.push_str(&format!("--- {name}\n{content}"));
            }
        }
        let folder = self.folder.display().to_string();
        text.replace(&folder, "[folder]")
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}\n{}", self.stdout, self.stderr))
    }
}

/// A socket of the internet's, as the system lists it.
#[derive(Debug)]
pub struct Socket {
    state: String,
}

impl Socket {
    pub fn listens(&self) -> bool {
        self.state == "0A"
    }
}

/// The sockets that a process has, but for those of files.
pub fn sockets(process: u32) -> Vec<Socket> {
    let of_process = format!("/proc/{process}");
    let own: Vec<String> = fs::read_dir(format!("{of_process}/fd"))
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| Some(fs::read_link(entry.path()).ok()?.display().to_string()))
        .filter_map(|link| Some(link.strip_prefix("socket:[")?.strip_suffix(']')?.to_owned()))
        .collect();
    let tables = ["tcp", "tcp6", "udp", "udp6"];
    let tables = tables.map(|table| {
        let table = fs::read_to_string(format!("{of_process}/net/{table}"));
        table.unwrap_or_default()
    });
    let lines = tables.iter().flat_map(|table| table.lines().skip(1));
    lines
        .map(|line| line.split_whitespace().collect::<Vec<_>>())
        .filter(|fields| own.iter().any(|socket| socket == fields[9]))
        .map(|fields| Socket {
            state: fields[3].to_owned(),
        })
        .collect()
}
