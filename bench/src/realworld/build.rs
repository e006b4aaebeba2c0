//! Builds a library with its harness in the four ways that a measurement needs, each only once.

use crate::compile::{Build, Part};
use crate::engine::Engine;
use crate::package::Package;
use crate::runner::Session;
use anyhow::Result;
use std::path::{Path, PathBuf};

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

/// Counters that are mapped into the file, so that a run that fails leaves its own there, too.
const COUNTERS: &[&str] = &[
    "-fprofile-instr-generate",
    "-fcoverage-mapping",
    "-mllvm",
    "-runtime-counter-relocation",
];

/// One library's folder in the cache.
pub struct LibraryFolder {
    pub package: &'static Package,
    pub seed: &'static str,
    pub folder: PathBuf,
    harness: PathBuf,
}

/// The file of a library's harness.
pub fn harness(session: &Session, package: &Package) -> PathBuf {
    let ending = if package.is_cxx() { "cc" } else { "c" };
    session.harness(&format!("{}.{ending}", package.name))
}

impl LibraryFolder {
    /// Gets the library's source.
    pub fn new(session: &Session, (name, seed): &(&str, &'static str)) -> Result<LibraryFolder> {
        let package = Package::named(name)?;
        Ok(LibraryFolder {
            package,
            seed,
            folder: package.place("realworld")?,
            harness: harness(session, package),
        })
    }

    /// The executable of a variant.
    pub fn build(&self, engine: &Engine, variant: Variant) -> Result<PathBuf> {
        let source = self.folder.join("source");
        let cxx = self.package.is_cxx();
        // The driver of AFL++, a loop in one process, comes with an option.
        let fuzzer: &[&str] = &["-lm", "-fsanitize=fuzzer"];
        let afl = if cxx {
            "afl-clang-fast++"
        } else {
            "afl-clang-fast"
        };
        let plain = if cxx { "clang++-22" } else { "clang-22" };
        let ours = if cxx { &engine.cxx } else { &engine.cc };
        let (name, compiler, link) = match variant {
            Variant::Elsewise => ("elsewise", ours.as_path(), &fuzzer[..1]),
            Variant::Afl => ("afl", Path::new(afl), fuzzer),
            Variant::AflComparisons => ("afl-comparisons", Path::new(afl), fuzzer),
            Variant::Coverage => ("coverage", Path::new(plain), &fuzzer[..1]),
        };
        let options = ["-g", "-O2", "-w"].into_iter();
        let options: Vec<&str> = options.chain(self.package.options()).collect();
        let part = |options, files| Part {
            compiler,
            options,
            files,
        };
        let mut parts = vec![
            part(options.clone(), self.package.files(&source)?),
            part(options, vec![self.harness.clone()]),
        ];
        if variant == Variant::Coverage {
            parts[0].options.extend(COUNTERS);
            parts.push(Part {
                compiler: Path::new("clang-22"),
                options: Vec::new(),
                files: vec![self.harness.with_file_name("replay.c")],
            });
        }
        let environment = [("AFL_QUIET", "1"), ("AFL_LLVM_CMPLOG", "1")];
        let build = Build {
            source: &source,
            parts,
            link,
            environment: match variant {
                Variant::AflComparisons => &environment,
                _ => &environment[..1],
            },
        };
        build.program(&self.folder.join(name), "harness")
    }
}
