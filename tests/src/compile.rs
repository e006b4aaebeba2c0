//! Plain compilers of C and C++.

use anyhow::{Context, Result, bail};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compiler {
    Gcc,
    Clang,
    ClangCpp,
}

impl Compiler {
    fn program(self) -> &'static str {
        match self {
            Compiler::Gcc => "gcc",
            Compiler::Clang => "clang-22",
            Compiler::ClangCpp => "clang++-22",
        }
    }

    /// Compiles and links `sources`; an error with the compiler's words when it does not.
    pub fn build(self, sources: &[PathBuf], options: &[&str], out: &Path) -> Result<()> {
        let mut command = Command::new(self.program());
        command.args(options).args(sources).arg("-o").arg(out);
        let output = command
            .output()
            .with_context(|| format!("{} is needed: run scripts/setup", self.program()))?;
        if !output.status.success() {
            let names: Vec<_> = sources.iter().filter_map(|s| s.file_name()).collect();
            bail!(
                "{} {options:?} {:?} failed:\n{}",
                self.program(),
                names.join(OsStr::new(" ")),
                String::from_utf8_lossy(&output.stderr)
            );
        }
        Ok(())
    }
}

/// The root of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("tests stands below the root")
}
