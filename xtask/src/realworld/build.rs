//! Builds a library with its harness in the four ways that a measurement needs, each only once.

use super::libraries::{Language, Library};
use crate::engine::Engine;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

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
    /// Copies the source and lets the package configure itself, once.
    pub fn prepare(&self, source: &Path) -> Result<()> {
        let copy = self.source();
        let done = self.folder.join("prepared");
        if fs::read_to_string(&done).is_ok_and(|said| said == self.library.prepare) {
            return Ok(());
        }
        if self.folder.exists() {
            fs::remove_dir_all(&self.folder)?;
        }
        fs::create_dir_all(&self.folder)?;
        succeed(Command::new("cp").arg("-a").arg(source).arg(&copy))?;
        if !self.library.prepare.is_empty() {
            succeed(
                Command::new("sh")
                    .args(["-c", self.library.prepare])
                    .current_dir(&copy)
                    .env("CC", "clang-22")
                    .env("CXX", "clang++-22"),
            )?;
        }
        fs::write(done, self.library.prepare)?;
        Ok(())
    }

    fn source(&self) -> PathBuf {
        self.folder.join("source")
    }

    /// The executable of a variant, built if nothing of what it is built from is as it was.
    pub fn build(&self, engine: &Engine, variant: Variant) -> Result<PathBuf> {
        let folder = self.folder.join(variant.name());
        let program = folder.join("harness");
        let key = self.key(engine, variant)?;
        if fs::read_to_string(folder.join("key")).is_ok_and(|said| said == key) {
            return Ok(program);
        }
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        let mut objects = Vec::new();
        for name in self.library.sources {
            let object = folder.join(name).with_extension("o");
            let mut command = self.command(engine, variant);
            if variant == Variant::Coverage {
                command.args(COUNTERS);
            }
            let file = Path::new(self.library.folder).join(name);
            succeed(command.arg("-c").arg(file).arg("-o").arg(&object))?;
            objects.push(object);
        }
        let harness = folder.join("harness.o");
        let mut command = self.command(engine, variant);
        succeed(command.arg("-c").arg(&self.harness).arg("-o").arg(&harness))?;
        objects.push(harness);
        if variant == Variant::Coverage {
            let replay = folder.join("replay.o");
            let file = self.harness.with_file_name("replay.c");
            let mut command = Command::new("clang-22");
            succeed(command.arg("-c").arg(file).arg("-o").arg(&replay))?;
            objects.push(replay);
        }
        let mut link = self.command(engine, variant);
        link.args(&objects).arg("-o").arg(&program).arg("-lm");
        match variant {
            Variant::Elsewise => {}
            // Its driver comes with AFL++: a loop in one process.
            Variant::Afl | Variant::AflComparisons => {
                link.arg("-fsanitize=fuzzer");
            }
            Variant::Coverage => {
                link.args(COUNTERS);
            }
        }
        succeed(&mut link)?;
        fs::write(folder.join("key"), key)?;
        Ok(program)
    }

    fn command(&self, engine: &Engine, variant: Variant) -> Command {
        let mut command = Command::new(variant.compiler(engine, self.library.language));
        command
            .args(OPTIONS)
            .args(self.library.options)
            .current_dir(self.source());
        if variant == Variant::AflComparisons {
            command.env("AFL_LLVM_CMPLOG", "1");
        }
        command.env("AFL_QUIET", "1");
        command
    }

    /// All that a build depends on and that may change: options, the harness, our own compiler.
    fn key(&self, engine: &Engine, variant: Variant) -> Result<String> {
        let harness = fs::read_to_string(&self.harness)
            .with_context(|| format!("no harness {}", self.harness.display()))?;
        let compiler = match variant {
            Variant::Elsewise => format!("{:?}", fs::metadata(&engine.cc)?.modified()?),
            _ => String::new(),
        };
        let library = self.library;
        Ok(format!(
            "{variant:?} {compiler} {OPTIONS:?} {COUNTERS:?} {:?} {:?}\n{harness}",
            library.options, library.sources
        ))
    }
}

/// Runs a command that has to work; what it said otherwise.
pub fn succeed(command: &mut Command) -> Result<()> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("{} cannot be run", command.get_program().display()))?;
    ensure!(
        output.status.success(),
        "{command:?} failed:\n{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(())
}
