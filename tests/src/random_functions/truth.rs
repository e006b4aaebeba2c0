//! The truth about a random function: where the plain function fails.

use super::generate::Program;
use crate::compile::Compiler;
use anyhow::{Context, Result, ensure};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// A kind of failure, as the summary spells it, and a line.
pub type Failure = (String, u32);

#[derive(Clone, Debug, Default)]
pub struct Truth {
    pub failures: BTreeSet<Failure>,
    /// Was everything tried that the function may be given?
    pub exhaustive: bool,
    pub calls: u64,
}

impl Truth {
    /// Builds and runs the driver in `folder`, which has the function in `subject.c`.
    pub fn of(program: &Program, folder: &Path) -> Result<Truth> {
        let source = folder.join("driver.c");
        let built = folder.join("driver");
        std::fs::write(&source, &program.driver)?;
        Compiler::Clang.build(&[source], &["-w", "-g", "-O0"], &built)?;
        let output = Command::new(&built).output()?;
        ensure!(
            output.status.success(),
            "the driver ended with {}",
            output.status
        );
        let mut truth = Truth::default();
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            let (kind, number) = line.split_once(' ').context("a line of one word")?;
            match kind {
                "calls" => truth.calls = number.parse()?,
                "all" => truth.exhaustive = number == "1",
                _ => {
                    truth.failures.insert((kind.to_owned(), number.parse()?));
                }
            }
        }
        Ok(truth)
    }
}
