//! Builds a library with its harness in the four ways that a measurement needs, each only once.

use super::libraries::{Language, Library};
use crate::engine::Engine;
use crate::packages::compile::{self, succeed};
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a library is built for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    Elsewise,
    /// For AFL++, and with its record of comparisons.
    Afl,
    AflComparisons,
    /// Plain, with counters for llvm-cov; neither the harness nor what runs it has any.
    Coverage,
}

const OPTIONS: &[&str] = &["-g", "-O2", "-w"];

/// Counters that are mapped into the file, so that a run that fails leaves its own there, too.
const COUNTERS: &[&str] = &[
    "-fprofile-instr-generate",
    "-fcoverage-mapping",
    "-mllvm",
    "-runtime-counter-relocation",
];

impl Variant {
    fn name(self) -> &'static str {
        match self {
            Variant::Elsewise => "elsewise",
            Variant::Afl => "afl",
            Variant::AflComparisons => "afl-comparisons",
            Variant::Coverage => "coverage",
        }
    }

    fn compiler(self, engine: &Engine, language: Language) -> PathBuf {
        match (self, language) {
            (Variant::Elsewise, Language::C) => engine.cc.clone(),
            (Variant::Elsewise, Language::Cxx) => engine.cxx.clone(),
            (Variant::Afl | Variant::AflComparisons, Language::C) => "afl-clang-fast".into(),
            (Variant::Afl | Variant::AflComparisons, Language::Cxx) => "afl-clang-fast++".into(),
            (Variant::Coverage, Language::C) => "clang-22".into(),
            (Variant::Coverage, Language::Cxx) => "clang++-22".into(),
        }
    }
}

/// One library's folder in the cache.
pub struct Place<'a> {
    pub library: &'a Library,
    pub folder: PathBuf,
    pub harness: PathBuf,
}

impl Place<'_> {
    /// The executable of a variant, built unless all that it is built from is as it was.
    pub fn build(&self, engine: &Engine, variant: Variant) -> Result<PathBuf> {
        let folder = self.folder.join(variant.name());
        let program = folder.join("harness");
        let key = self.key(engine, variant)?;
        if compile::is_filled(&folder, &key)? {
            return Ok(program);
        }
        let plain = || self.command(engine, variant);
        let counted = || {
            let mut command = plain();
            if variant == Variant::Coverage {
                command.args(COUNTERS);
            }
            command
        };
        let sources: Vec<PathBuf> = self
            .library
            .sources
            .iter()
            .map(|name| Path::new(self.library.folder).join(name))
            .collect();
        let mut objects = compile::objects(counted, &sources, &folder)?;
        let harness = folder.join("harness.o");
        let file = &self.harness;
        succeed(plain().arg("-c").arg(file).arg("-o").arg(&harness))?;
        objects.push(harness);
        if variant == Variant::Coverage {
            let replay = self.harness.with_file_name("replay.c");
            objects.extend(compile::objects(
                || Command::new("clang-22"),
                &[replay],
                &folder,
            )?);
        }
        let mut link = counted();
        link.args(&objects).arg("-o").arg(&program).arg("-lm");
        // The driver of AFL++, a loop in one process, comes with this option.
        if matches!(variant, Variant::Afl | Variant::AflComparisons) {
            link.arg("-fsanitize=fuzzer");
        }
        succeed(&mut link)?;
        compile::fill(&folder, &key)?;
        Ok(program)
    }

    fn command(&self, engine: &Engine, variant: Variant) -> Command {
        let mut command = Command::new(variant.compiler(engine, self.library.language));
        command
            .args(OPTIONS)
            .args(self.library.options)
            .current_dir(self.folder.join("source"))
            .env("AFL_QUIET", "1");
        if variant == Variant::AflComparisons {
            command.env("AFL_LLVM_CMPLOG", "1");
        }
        command
    }

    /// All that a build depends on and that may change: options, the harness, our own compiler.
    fn key(&self, engine: &Engine, variant: Variant) -> Result<String> {
        let harness = fs::read_to_string(&self.harness)
            .with_context(|| format!("no harness {}", self.harness.display()))?;
        let compiler = match variant {
            Variant::Elsewise => compile::stamp(&engine.cc)?,
            _ => String::new(),
        };
        let library = self.library;
        Ok(format!(
            "{variant:?} {compiler} {OPTIONS:?} {COUNTERS:?} {:?} {:?}\n{harness}",
            library.options, library.sources
        ))
    }
}
