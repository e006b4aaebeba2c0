//! The subjects in `tests/subjects/`: each a folder with `bug.c`, `fixed.c`, what is expected of
//! both in `expect.toml`, and further translation units where it says so.

use crate::command::{Exploration, explore};
use crate::compile::{Compiler, root};
use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expectation {
    /// As the summary spells it: `assertion`, `abort`, `segv`, `fpe`.
    pub kind: String,
    /// Line of the failing statement in `bug.c`.
    pub line: u32,
    /// What stands on that line, so that the number cannot go stale.
    pub statement: String,
    /// For `--input-size`; without it the subject asks for its inputs by name.
    pub input_size: Option<usize>,
    /// For `--max-input`.
    pub max_input: Option<usize>,
    /// The subject's arguments; `@@` and `@arg:N` mark inputs.
    #[serde(default)]
    pub args: Vec<String>,
    /// For `--env`.
    #[serde(default)]
    pub env: Vec<String>,
    /// The subject is libFuzzer's entry point and has no `main`.
    #[serde(default)]
    pub harness: bool,
    /// The failed assertion does not say where it stands.
    #[serde(default)]
    pub says_no_place: bool,
    #[serde(default)]
    pub cflags: String,
    /// Further translation units, of both twins.
    #[serde(default)]
    pub also: Vec<String>,
    /// Why random testing does not find the bug.
    pub random: String,
    /// Can random testing's driver run it? It knows standard input and `elsewise_input` only.
    #[serde(default = "yes")]
    pub driver: bool,
    pub complete: Complete,
    /// A case that fails: inputs by name (`stdin`, or as `elsewise_input` was told), in hex.
    pub case: BTreeMap<String, String>,
}

fn yes() -> bool {
    true
}

/// Whether everything is explored, without any approximation.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Complete {
    pub bug: bool,
    pub fixed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Twin {
    Bug,
    Fixed,
}

#[derive(Clone, Debug)]
pub struct TestSubject {
    pub name: String,
    pub folder: PathBuf,
    pub expect: Expectation,
}

/// All subjects, by name.
pub fn all() -> Result<Vec<TestSubject>> {
    let folder = root().join("tests/subjects");
    let mut subjects = Vec::new();
    for entry in folder.read_dir()? {
        let entry = entry?;
        if !entry.file_type()?.is_dir() {
            continue;
        }
        let folder = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(folder.join("expect.toml"))
            .with_context(|| format!("subject {name} has no expect.toml"))?;
        let expect = toml::from_str(&text).with_context(|| format!("{name}/expect.toml"))?;
        subjects.push(TestSubject {
            name,
            folder,
            expect,
        });
    }
    subjects.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(subjects)
}

impl TestSubject {
    /// The translation units of a twin, the one with `main` first.
    pub fn sources(&self, twin: Twin) -> Vec<PathBuf> {
        let first = match twin {
            Twin::Bug => "bug.c",
            Twin::Fixed => "fixed.c",
        };
        std::iter::once(first)
            .chain(self.expect.also.iter().map(String::as_str))
            .map(|file| self.folder.join(file))
            .collect()
    }

    /// The failing case's inputs.
    pub fn case(&self) -> Result<BTreeMap<String, Vec<u8>>> {
        self.expect
            .case
            .iter()
            .map(|(name, hex)| Ok((name.clone(), from_hex(hex)?)))
            .collect()
    }

    /// The signal that the failure ends a plain build with.
    pub fn signal(&self) -> Result<i32> {
        Ok(match self.expect.kind.as_str() {
            "assertion" | "abort" => 6,
            "fpe" => 8,
            "segv" => 11,
            kind => bail!(
                "{}: no signal is known for a failure of kind {kind}",
                self.name
            ),
        })
    }

    /// Builds a twin without Elsewise, with the support file that its plain builds are linked with.
    pub fn build_plain(
        &self,
        twin: Twin,
        compiler: Compiler,
        optimisation: &str,
        out: &Path,
    ) -> Result<()> {
        let driver = root().join("crates/native/driver");
        let include = format!("-I{}", driver.join("include").display());
        let mut options = vec![optimisation, "-g", "-Wall", "-Wextra", "-Werror", &include];
        options.extend(self.expect.cflags.split_whitespace());
        let mut sources = self.sources(twin);
        let mut support = vec!["plain.c", "harness.c", "surroundings.c"];
        if self.expect.harness {
            support.push("fuzz_main.c");
        }
        sources.extend(support.iter().map(|file| driver.join("support").join(file)));
        compiler.build(&sources, &options, out)
    }
}

/// Explores a twin of a subject as its expectation says.
pub fn explored(subject: &TestSubject, twin: Twin) -> Result<Exploration> {
    let folder = tempfile::tempdir()?;
    let expect = &subject.expect;
    let mut options = Vec::new();
    if let Some(size) = expect.input_size {
        options.push(format!("--input-size={size}"));
    }
    if !expect.cflags.is_empty() {
        options.push(format!("--cflags={}", expect.cflags));
    }
    if let Some(size) = expect.max_input {
        options.push(format!("--max-input={size}"));
    }
    for variable in &expect.env {
        options.push(format!("--env={variable}"));
    }
    if !expect.args.is_empty() {
        options.push("--".into());
        options.extend(expect.args.iter().cloned());
    }
    explore(&subject.sources(twin), &options, folder.path())
}

/// The bug is found and confirmed where it is, and nothing else.
pub fn bug_is_found(subject: &TestSubject) -> Result<()> {
    let Exploration {
        exit_code, summary, ..
    } = explored(subject, Twin::Bug)?;
    let expect = &subject.expect;
    let good = match summary.findings.as_slice() {
        [finding] => {
            let placed = finding.line == expect.line && finding.file.ends_with("bug.c");
            finding.kind == expect.kind && finding.confirmed && placed
        }
        _ => false,
    };
    let good = good && exit_code == 2 && summary.complete == expect.complete.bug;
    ensure!(good, "exit code {exit_code}, {summary:?}");
    Ok(())
}

/// Nothing is found in the repaired twin.
pub fn twin_is_clean(subject: &TestSubject) -> Result<()> {
    let Exploration {
        exit_code, summary, ..
    } = explored(subject, Twin::Fixed)?;
    let good = summary.findings.is_empty()
        && exit_code == 0
        && summary.complete == subject.expect.complete.fixed;
    ensure!(good, "exit code {exit_code}, {summary:?}");
    Ok(())
}

/// What an argument or variable is for a case: `key` is the input that `@arg:N` at its end marks.
fn filled(word: &str, key: &str, case: &BTreeMap<String, Vec<u8>>, file: &Path) -> OsString {
    let mut text = OsString::from(word.replace("@@", &file.to_string_lossy()));
    if let Some((before, _)) = word.split_once("@arg") {
        text = before.into();
        text.push(OsStr::from_bytes(&case[key]));
    }
    text
}

/// Runs a plain build on a case; standard error, and the signal or exit code it ended with.
pub fn run_plain(
    subject: &TestSubject,
    program: &Path,
    case: &BTreeMap<String, Vec<u8>>,
) -> Result<(Ending, String)> {
    use std::os::unix::process::ExitStatusExt as _;
    let folder = tempfile::tempdir()?;
    for (name, bytes) in case {
        std::fs::write(folder.path().join(name), bytes)?;
    }
    let file = folder.path().join("file");
    let args = subject.expect.args.iter().enumerate().map(|(index, word)| {
        let key = format!("arg{}", index + 1);
        filled(word, &key, case, &file)
    });
    let env = subject.expect.env.iter().map(|text| {
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        (name, filled(value, &format!("env-{name}"), case, &file))
    });
    let stdin = match case.contains_key("stdin") {
        true => Stdio::from(std::fs::File::open(folder.path().join("stdin"))?),
        false => Stdio::null(),
    };
    let output = Command::new(program)
        .args(args)
        .envs(env)
        .env("ELSEWISE_CASE", folder.path())
        .stdin(stdin)
        .output()?;
    let ending = match (output.status.code(), output.status.signal()) {
        (Some(code), _) => Ending::Exit(code),
        (None, Some(signal)) => Ending::Signal(signal),
        (None, None) => bail!("the program neither exited nor was ended by a signal"),
    };
    Ok((ending, String::from_utf8_lossy(&output.stderr).into_owned()))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    Exit(i32),
    Signal(i32),
}

pub fn from_hex(hex: &str) -> Result<Vec<u8>> {
    if !hex.is_ascii() || !hex.len().is_multiple_of(2) {
        bail!("{hex:?} is not a sequence of bytes in hexadecimal");
    }
    (0..hex.len())
        .step_by(2)
        .map(|at| {
            u8::from_str_radix(&hex[at..at + 2], 16).with_context(|| format!("{hex:?} is not hex"))
        })
        .collect()
}
