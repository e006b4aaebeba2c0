//! The truth about a random program: every input run on a plain build.

use crate::compile::Compiler;
use crate::generator::{ABORTED, Program};
use anyhow::{Context, Result, ensure};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, Stdio};

/// Warnings that would make a program's meaning doubtful.
pub const WARNINGS: &[&str] = &[
    "-Wall",
    "-Werror=uninitialized",
    "-Werror=implicit-function-declaration",
    "-Werror=incompatible-pointer-types",
    "-Werror=return-type",
    "-Werror=shift-count-overflow",
    "-Werror=shift-count-negative",
    "-Werror=div-by-zero",
    "-Werror=array-bounds",
    "-Werror=sequence-point",
    "-Werror=implicit-fallthrough",
    "-Wno-sign-compare",
    "-Wno-unused",
];

/// How one input went: which path, and how it ended (0 to 7: the exit code, 8: abort).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PathEnd {
    pub path: u64,
    pub outcome: u8,
}

/// All inputs of a program, and how each one goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Truth {
    bytes: usize,
    /// By input, its first byte lowest.
    all: Vec<PathEnd>,
}

impl Truth {
    /// Builds and runs the program in `folder`.
    pub fn of(
        program: &Program,
        compiler: Compiler,
        options: &[&str],
        folder: &Path,
    ) -> Result<Truth> {
        let source = folder.join(format!("program{}.c", program.seed));
        let out = folder.join(format!("brute{}", program.seed));
        std::fs::write(&source, &program.source)?;
        let mut all = options.to_vec();
        all.push("-DBRUTE");
        if compiler == Compiler::Gcc {
            all.extend(WARNINGS);
        } else {
            all.push("-w");
        }
        compiler.build(&[source], &all, &out)?;
        let output = Command::new(&out).stdin(Stdio::null()).output()?;
        ensure!(
            output.status.success(),
            "seed {}: brute force ended with {}: {}",
            program.seed,
            output.status,
            String::from_utf8_lossy(&output.stderr)
        );
        ensure!(
            output.stdout.len() == 9 * program.inputs(),
            "seed {}: cut short",
            program.seed
        );
        let table = output
            .stdout
            .chunks_exact(9)
            .map(|record| PathEnd {
                path: u64::from_le_bytes(record[..8].try_into().expect("8 of 9 bytes")),
                outcome: record[8],
            })
            .collect();
        Ok(Truth {
            bytes: program.bytes,
            all: table,
        })
    }

    /// The distinct paths with their outcomes, each with one input that takes it.
    pub fn paths(&self) -> BTreeMap<PathEnd, Vec<u8>> {
        let mut paths = BTreeMap::new();
        for (input, end) in self.all.iter().enumerate() {
            paths.entry(*end).or_insert_with(|| self.input(input));
        }
        paths
    }

    pub fn aborts(&self) -> bool {
        self.all.iter().any(|end| end.outcome == ABORTED)
    }

    fn input(&self, number: usize) -> Vec<u8> {
        (0..self.bytes)
            .map(|byte| (number >> (8 * byte)) as u8)
            .collect()
    }

    /// How an input goes; an error when it is too short for the program.
    pub fn look_up(&self, input: &[u8]) -> Result<PathEnd> {
        ensure!(
            input.len() >= self.bytes,
            "the case has only {} bytes",
            input.len()
        );
        let mut number = usize::from(input[0]) | usize::from(input[1]) << 8;
        if self.bytes > 2 {
            number |= usize::from(input[2] & 7) << 16;
        }
        Ok(self.all[number])
    }

    /// Compares an exploration with the truth: `cases` are the inputs it ran, `paths` is how many
    /// distinct paths it says there are, `aborted` whether it reports an abort.
    pub fn compare(&self, cases: &[Vec<u8>], paths: u64, aborted: bool) -> Result<Comparison> {
        let truth = self.paths();
        let mut explored = BTreeSet::new();
        for case in cases {
            explored.insert(self.look_up(case)?);
        }
        let missed = truth
            .iter()
            .filter(|(end, _)| !explored.contains(end))
            .map(|(end, input)| (*end, input.clone()))
            .collect();
        Ok(Comparison {
            paths: truth.len() as u64,
            claimed: paths,
            missed,
            abort_differs: aborted != self.aborts(),
        })
    }
}

/// What an exploration and the truth have to say about each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// Paths there are.
    pub paths: u64,
    /// Paths that the exploration counted.
    pub claimed: u64,
    /// Paths that no explored case takes, each with an input that does.
    pub missed: Vec<(PathEnd, Vec<u8>)>,
    /// An abort was reported and there is none, or the other way round.
    pub abort_differs: bool,
}

impl Comparison {
    pub fn is_equal(&self) -> bool {
        self.paths == self.claimed && self.missed.is_empty() && !self.abort_differs
    }
}

/// Runs an ordinary build on one input; what it printed must agree with how it ended.
pub fn run_one(program: &Path, input: &[u8]) -> Result<PathEnd> {
    use std::io::Write as _;
    use std::os::unix::process::ExitStatusExt as _;
    let mut child = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    child
        .stdin
        .take()
        .context("standard input is piped")?
        .write_all(input)?;
    let output = child.wait_with_output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let (path, outcome) = text
        .trim()
        .split_once(' ')
        .with_context(|| format!("printed {text:?}"))?;
    let end = PathEnd {
        path: u64::from_str_radix(path, 16)?,
        outcome: outcome.parse()?,
    };
    let agrees = match output.status.code() {
        Some(code) => code == i32::from(end.outcome),
        None => output.status.signal() == Some(6) && end.outcome == ABORTED,
    };
    ensure!(agrees, "printed {text:?} but ended with {}", output.status);
    Ok(end)
}
