//! The programs in `tests/border_programs/`: each is about one border of what is followed, and says
//! what must hold there. Those in `tests/textbook/` say it in the same way: C++ as it is taught.
//!
//! A program is one file, or a folder with `main.c` and the other files of the program (of C++, its name ends with
//! `.cc`, and it has a `main.cc`); a `library.c` or `library.cc` among them is built without instrumentation, as a shared
//! library. Lines that begin with `//:` say in TOML what must hold, and the statement that fails is marked
//! `// fails here`. In `open/` are those of which it does not hold yet; they are run where [`OPEN`] is set.

use crate::command::{Exploration, explore_once};
use crate::compile::{Compiler, root};
use crate::heads;
use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use std::ffi::OsString;
use std::fs::{self, File};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Set, what does not hold yet is tried, too.
pub const OPEN: &str = "ELSEWISE_OPEN";

/// What must hold of a program.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Holds {
    /// The failure is found.
    Found,
    /// The failure is found; or the exploration is not called complete, and says what was not followed.
    Honest,
    /// Nothing fails, and nothing is found.
    Clean,
}

/// What the head of a program says.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    pub holds: Holds,
    /// Of the failure, as the summary spells it.
    #[serde(default = "abort")]
    pub kind: String,
    /// Whether all paths are explored, without any approximation.
    #[serde(default)]
    pub complete: bool,
    /// The function that is explored, in place of the program.
    pub function: Option<String>,
    /// Options of `elsewise explore`.
    #[serde(default)]
    pub options: Vec<String>,
    /// Flags of the compiler.
    #[serde(default)]
    pub cflags: String,
    /// The program's own arguments.
    #[serde(default)]
    pub args: Vec<String>,
    /// With `-DREPAIRED` it does not fail, and as much of it is explored.
    #[serde(default)]
    pub twin: bool,
    /// What the plain program fails with: its main input, or what stands for `@arg`, a byte for each
    /// character; of a function, a call of it.
    pub witness: Option<String>,
}

fn abort() -> String {
    "abort".into()
}

#[derive(Clone, Debug)]
pub struct BorderProgram {
    pub name: String,
    /// It does not hold yet.
    pub open: bool,
    /// The file with the head comes first.
    pub sources: Vec<PathBuf>,
    /// What is built without instrumentation.
    pub library: Option<PathBuf>,
    pub head: Head,
    /// Lines of which one is where it fails.
    pub lines: Vec<u32>,
}

/// All programs at borders, by name.
pub fn all() -> Result<Vec<BorderProgram>> {
    programs_in("tests/border_programs")
}

/// The programs of the textbook.
pub fn textbook() -> Result<Vec<BorderProgram>> {
    programs_in("tests/textbook")
}

fn programs_in(folder: &str) -> Result<Vec<BorderProgram>> {
    let folder = root().join(folder);
    let mut programs = Vec::new();
    for (folder, open) in [(folder.join("open"), true), (folder, false)] {
        // The last one that was open may have been moved.
        let Ok(entries) = folder.read_dir() else {
            continue;
        };
        for entry in entries {
            let path = entry?.path();
            if !path.ends_with("open") {
                let read = read(&path, open).with_context(|| format!("{}", path.display()))?;
                programs.push(read);
            }
        }
    }
    programs.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(programs)
}

fn read(path: &Path, open: bool) -> Result<BorderProgram> {
    let mut sources = vec![path.to_path_buf()];
    let mut library = None;
    if path.is_dir() {
        let main = match is_cpp(path) {
            true => "main.cc",
            false => "main.c",
        };
        sources = vec![path.join(main)];
        for entry in path.read_dir()? {
            let file = entry?.path();
            if file.file_stem().is_some_and(|stem| stem == "library")
                && !file.ends_with("library.h")
            {
                library = Some(file);
            } else if file.extension().is_some_and(|end| end == "c") && file != sources[0] {
                sources.push(file);
            }
        }
        sources[1..].sort();
    }
    let text = fs::read_to_string(&sources[0])?;
    let head: Head = heads::head(&text, "//:")?;
    let lines = heads::marked(&text);
    let fails = head.holds != Holds::Clean;
    ensure!(
        fails != lines.is_empty(),
        "what fails is marked, and nothing else"
    );
    ensure!(
        head.witness.is_some() || head.holds != Holds::Honest,
        "what need not be found has a witness"
    );
    let name = path.file_name().context("a name")?;
    Ok(BorderProgram {
        name: name.to_string_lossy().into_owned(),
        open,
        sources,
        library,
        head,
        lines,
    })
}

fn is_cpp(program: &Path) -> bool {
    program.extension().is_some_and(|ending| ending == "cc")
}

/// What the head says is true: of the plain program on its witness, and of the exploration.
pub fn holds(program: &BorderProgram) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let flags = program.flags(folder.path())?;
    if let Some(witness) = &program.head.witness {
        program.fails_on(witness, &flags, folder.path())?;
    }
    let explored = program.explored(&flags, folder.path())?;
    program.is_as_said(&explored)?;
    if program.head.twin {
        let repaired = [flags, vec!["-DREPAIRED".into()]].concat();
        let folder = tempfile::tempdir()?;
        let explored = program.explored(&repaired, folder.path())?;
        let twin = BorderProgram {
            head: Head {
                holds: Holds::Clean,
                ..program.head.clone()
            },
            lines: Vec::new(),
            ..program.clone()
        };
        twin.is_as_said(&explored).context("the repaired twin")?;
    }
    Ok(())
}

impl BorderProgram {
    /// Flags for both builds; the library is built for them.
    fn flags(&self, folder: &Path) -> Result<Vec<String>> {
        let words = self.head.cflags.split_whitespace();
        let mut flags: Vec<String> = words.map(String::from).collect();
        if let Some(library) = &self.library {
            let built = folder.join("library.so");
            Compiler::Clang.build(std::slice::from_ref(library), &["-shared", "-fPIC"], &built)?;
            flags.push(built.display().to_string());
        }
        Ok(flags)
    }

    /// The plain program fails on the witness; without that, nothing would be left to find.
    fn fails_on(&self, witness: &str, flags: &[String], folder: &Path) -> Result<()> {
        let mut sources = self.sources.clone();
        if self.head.function.is_some() {
            let file = sources[0].display();
            let caller = format!("#include \"{file}\"\n\nint main(void)\n{{\n    {witness};\n}}\n");
            sources[0] = folder.join("caller.c");
            fs::write(&sources[0], caller)?;
        }
        let options = self.head.options.iter();
        let sanitizers = options.filter_map(|option| option.strip_prefix("--sanitize="));
        let sanitizers: Vec<String> = sanitizers
            .map(|names| format!("-fsanitize={names}"))
            .collect();
        let mut all: Vec<&str> = vec!["-w", "-g"];
        all.extend(flags.iter().chain(&sanitizers).map(String::as_str));
        if is_cpp(Path::new(&self.name)) {
            all.push("-lstdc++");
        }
        let plain = folder.join("plain");
        Compiler::Clang.build(&sources, &all, &plain)?;

        let bytes: Result<Vec<u8>, _> = witness.chars().map(u8::try_from).collect();
        let bytes = bytes.context("a character of the witness is no byte")?;
        let input = folder.join("witness");
        fs::write(&input, &bytes)?;
        let given = |text: &str| match text.split_once('@') {
            Some((before, "@")) => [before.as_bytes(), input.as_os_str().as_bytes()].concat(),
            Some((before, _)) => [before.as_bytes(), bytes.as_slice()].concat(),
            None => text.as_bytes().to_vec(),
        };
        let mut command = Command::new(&plain);
        command
            .args(
                self.head
                    .args
                    .iter()
                    .map(|arg| OsString::from_vec(given(arg))),
            )
            .env("ASAN_OPTIONS", "abort_on_error=1")
            .stdin(File::open(&input)?)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .current_dir(folder);
        for option in &self.head.options {
            if let Some((name, value)) = option
                .strip_prefix("--env=")
                .and_then(|variable| variable.split_once('='))
            {
                command.env(name, OsString::from_vec(given(value)));
            }
        }
        let status = command.status()?;
        ensure!(
            status.signal().is_some(),
            "expected: the plain program fails on {witness:?}; came: {status}"
        );
        Ok(())
    }

    fn explored(&self, flags: &[String], folder: &Path) -> Result<Exploration> {
        let mut options = self.head.options.clone();
        if !options.iter().any(|option| option.starts_with("--budget")) {
            options.push("--budget=30s".into());
        }
        if !flags.is_empty() {
            options.push(format!("--cflags={}", flags.join(" ")));
        }
        if !self.head.args.is_empty() {
            options.push("--".into());
            options.extend(self.head.args.iter().cloned());
        }
        let mut subject = self.sources.clone();
        if let Some(function) = &self.head.function {
            let mut name = subject[0].clone().into_os_string();
            name.push(format!("::{function}"));
            subject[0] = name.into();
        }
        explore_once(&subject, &options, folder)
    }

    fn is_as_said(&self, explored: &Exploration) -> Result<()> {
        let Head {
            holds,
            kind,
            complete,
            ..
        } = &self.head;
        let summary = &explored.summary;
        let findings = summary.findings.as_slice();
        // What is found is what was meant, whatever else holds.
        let meant = findings.iter().all(|found| {
            let own = Path::new(&found.file).file_name() == self.sources[0].file_name();
            found.kind == *kind && found.confirmed && own && self.lines.contains(&found.line)
        });
        let counted = !summary.complete && !summary.approximations.is_empty();
        let place = format!("{kind} at line {:?}", self.lines);
        let (expected, good) = match holds {
            Holds::Found => (format!("{place} found"), !findings.is_empty()),
            Holds::Honest => (
                format!("{place} found, or not complete and why is counted"),
                !findings.is_empty() || counted,
            ),
            // What is not confirmed is counted, so that it is not complete.
            Holds::Clean => ("nothing found".into(), true),
        };
        let whole = if *complete { ", complete" } else { "" };
        ensure!(
            meant && good && (summary.complete || !complete),
            "expected: {expected}{whole}; came: exit code {}, {summary:?}",
            explored.exit_code,
        );
        Ok(())
    }
}
