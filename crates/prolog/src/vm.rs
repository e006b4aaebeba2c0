//! SWI-Prolog as a process beside the engine.

use crate::term::Term;
use crate::text;
use elsewise_child::{Left, Machine, Running, Starter, null};
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// What runs inside of SWI-Prolog.
const SOURCES: [(&str, &str); 12] = [
    (
        "elsewise_classes.pl",
        include_str!("../swi/elsewise_classes.pl"),
    ),
    (
        "elsewise_instrument.pl",
        include_str!("../swi/elsewise_instrument.pl"),
    ),
    ("elsewise_load.pl", include_str!("../swi/elsewise_load.pl")),
    (
        "elsewise_modes.pl",
        include_str!("../swi/elsewise_modes.pl"),
    ),
    (
        "elsewise_prelude.pl",
        include_str!("../swi/elsewise_prelude.pl"),
    ),
    (
        "elsewise_resolve.pl",
        include_str!("../swi/elsewise_resolve.pl"),
    ),
    ("elsewise_rt.pl", include_str!("../swi/elsewise_rt.pl")),
    ("elsewise_run.pl", include_str!("../swi/elsewise_run.pl")),
    (
        "elsewise_server.pl",
        include_str!("../swi/elsewise_server.pl"),
    ),
    (
        "elsewise_source.pl",
        include_str!("../swi/elsewise_source.pl"),
    ),
    (
        "elsewise_state.pl",
        include_str!("../swi/elsewise_state.pl"),
    ),
    (
        "elsewise_write.pl",
        include_str!("../swi/elsewise_write.pl"),
    ),
];

#[derive(Debug, thiserror::Error)]
pub enum VmError {
    #[error("swipl cannot be started ({0}): on Debian, `apt install swi-prolog-nox`")]
    Missing(std::io::Error),
    #[error("SWI-Prolog does not answer: {0}")]
    Silent(String),
    #[error("{0}")]
    Refused(String),
}

pub struct Vm {
    process: Box<dyn Running>,
    stream: UnixStream,
    /// Read, but not yet asked for.
    read: Vec<u8>,
}

/// Writes the server's files to a folder.
pub fn install(folder: &Path) -> std::io::Result<()> {
    for (name, text) in SOURCES {
        std::fs::write(folder.join(name), text)?;
    }
    Ok(())
}

impl Vm {
    /// Starts the server whose files are in a folder.
    pub fn start(starter: &Starter, folder: &Path, directory: &Path) -> Result<Vm, VmError> {
        let silent = |error: std::io::Error| VmError::Silent(error.to_string());
        let (ours, theirs) = UnixStream::pair().map_err(silent)?;
        let input = OwnedFd::from(theirs.try_clone().map_err(silent)?);
        let output = OwnedFd::from(theirs);
        let mut command = Command::new("swipl");
        command
            .args(["-f", "none", "--no-packs", "-q", "--stack-limit=512m"])
            .arg(folder.join("elsewise_server.pl"))
            .current_dir(directory);
        let process = starter
            .start(Machine {
                command,
                stdio: [input, output, null().map_err(silent)?],
                inherit: Vec::new(),
                own_folder: false,
            })
            .map_err(VmError::Missing)?;
        Ok(Vm {
            process,
            stream: ours,
            read: Vec::new(),
        })
    }

    fn send(&mut self, request: &Term, limit: Duration) -> Result<(), VmError> {
        let silent = |error: std::io::Error| VmError::Silent(error.to_string());
        self.stream.set_read_timeout(Some(limit)).map_err(silent)?;
        let line = format!("{}.\n", text::plain(request));
        self.stream.write_all(line.as_bytes()).map_err(silent)
    }

    /// Reads up to a byte, which is left out.
    fn until(&mut self, end: u8) -> Result<String, VmError> {
        let mut seen = 0;
        loop {
            if let Some(at) = self.read[seen..].iter().position(|byte| *byte == end) {
                let rest = self.read.split_off(seen + at + 1);
                let mut text = std::mem::replace(&mut self.read, rest);
                text.pop();
                return String::from_utf8(text)
                    .map_err(|_| VmError::Silent("it writes no UTF-8".into()));
            }
            seen = self.read.len();
            let mut more = [0; 1 << 16];
            match self.stream.read(&mut more) {
                Ok(0) => return Err(VmError::Silent("it has ended".into())),
                Ok(count) => self.read.extend(&more[..count]),
                Err(error) => return Err(VmError::Silent(error.to_string())),
            }
        }
    }

    fn line(&mut self) -> Result<Term, VmError> {
        let line = self.until(b'\n')?;
        text::parse(&line)
            .ok_or_else(|| VmError::Silent(format!("its answer cannot be read: {line}")))
    }

    /// Loads a program; what it consists of.
    pub fn load(&mut self, request: &Term, limit: Duration) -> Result<Vec<Term>, VmError> {
        self.send(request, limit)?;
        let mut lines = Vec::new();
        loop {
            let line = self.line()?;
            if line.is_atom("done") {
                let silent = |error: std::io::Error| VmError::Silent(error.to_string());
                self.process.is_ready().map_err(silent)?;
                return Ok(lines);
            }
            if let Some([_, words]) = line.args_of("error") {
                let words = match words {
                    Term::Atom(words) | Term::Text(words) => words.to_string(),
                    other => text::show(other),
                };
                return Err(VmError::Refused(words));
            }
            lines.push(line);
        }
    }

    /// Runs a call: how it ended on the program as it is, the events of the instrumented one, and how
    /// that ended.
    pub fn run(
        &mut self,
        request: &Term,
        limit: Duration,
    ) -> Result<(Term, String, Term), VmError> {
        self.send(request, limit)?;
        let plain = self.line()?;
        let events = self.until(1)?;
        Ok((plain, events, self.line()?))
    }

    /// Ends what a run has left.
    pub fn clean(&mut self, took: Duration) -> Result<Left, VmError> {
        let silent = |error: std::io::Error| VmError::Silent(error.to_string());
        self.process.clean(took).map_err(silent)
    }

    /// A question with an answer of one line.
    pub fn ask(&mut self, request: &Term, limit: Duration) -> Result<Term, VmError> {
        self.send(request, limit)?;
        self.line()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_server_is_installed() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("swi");
        let mut there: Vec<String> = std::fs::read_dir(folder)
            .expect("the folder is there")
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter(|name| name.ends_with(".pl"))
            .collect();
        there.sort();
        assert_eq!(there, SOURCES.map(|(name, _)| name.to_string()));
    }
}
