//! Programs of C without Elsewise: what their witness does in plain builds.

use super::expectation::Witness;
use super::read::{Subject, Twin};
use crate::compile::{Compiler, root};
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Command, Stdio};

impl Subject {
    /// The inputs of its witness.
    pub fn case(&self) -> Result<BTreeMap<String, Vec<u8>>> {
        let Some(Witness::Inputs(inputs)) = &self.expect.witness else {
            bail!("{}: the witness is no inputs", self.name);
        };
        inputs
            .iter()
            .map(|(name, hex)| Ok((name.clone(), from_hex(hex)?)))
            .collect()
    }

    /// Inputs that fail and are as small as any, if their length is free.
    pub fn smallest(&self) -> Result<Option<BTreeMap<String, Vec<u8>>>> {
        let inputs = self.expect.smallest.as_ref().map(|inputs| {
            let inputs = inputs.iter();
            inputs
                .map(|(name, hex)| Ok((name.clone(), from_hex(hex)?)))
                .collect()
        });
        inputs.transpose()
    }

    /// The size that its input must have.
    pub fn input_size(&self) -> Option<usize> {
        self.values("--input-size").next()?.parse().ok()
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
        options.extend(self.values("--cflags").flat_map(str::split_whitespace));
        if twin == Twin::Fixed && self.fixed().is_none() {
            options.push("-DREPAIRED");
        }
        let mut sources = self.sources(twin);
        let mut support = vec!["plain.c", "harness.c", "surroundings.c"];
        // libFuzzer's entry point comes without `main`.
        if std::fs::read_to_string(&self.source)?.contains("LLVMFuzzerTestOneInput") {
            support.push("fuzz_main.c");
        }
        sources.extend(support.iter().map(|file| driver.join("support").join(file)));
        compiler.build(&sources, &options, out)
    }
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
    subject: &Subject,
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
    let env = subject.values("--env").map(|text| {
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

fn from_hex(hex: &str) -> Result<Vec<u8>> {
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
