//! Builds packages of the distribution with our compilers, their build systems unchanged, and runs
//! their own test suites: instrumentation must not change what a program does.

mod recipes;

use crate::compile::{empty, succeed};
use crate::engine::Engine;
use crate::package::Package;
use crate::runner::{Clock, Missed, Session, Table, chosen};
use crate::source;
use anyhow::{Result, ensure};
use recipes::Recipe;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// How long a package's build, or its tests, may take.
const LIMIT_SECONDS: u64 = 1800;

/// What became of one package with one pair of compilers.
struct Outcome {
    build_seconds: f64,
    /// The tests that passed, and all of them; `None` when the suite does not count them.
    counts: Option<(u64, u64)>,
    good: bool,
}

#[derive(clap::Args)]
pub struct Options {
    names: Vec<String>,
}

pub fn run(session: &Session, options: &Options) -> Result<()> {
    let chosen = chosen("package", recipes::ALL, |one| one.name, &options.names)?;
    let ours = Compilers::ours(&session.root)?;
    let mut table = Table::new("package | version | build system | build | tests");
    let mut missed = Missed::default();
    for recipe in chosen {
        let Package { name, version, .. } = Package::named(recipe.name)?;
        println!("{name} {version} ...");
        let source = source::fetch(name, version)?;
        let (build, tests) = match attempt(recipe, &source, &ours) {
            Ok(outcome) => {
                let build = format!("{:.0} s", outcome.build_seconds);
                (build, verdict(recipe, &source, &outcome, &mut missed))
            }
            Err(error) => {
                missed.unless(false, name);
                println!("  {error:#}");
                ("failed".to_string(), "not run".to_string())
            }
        };
        println!("  build {build}, tests {tests}");
        let system = recipe.system.name();
        table.row(format_args!(
            "{name} | {version} | {system} | {build} | {tests}"
        ));
    }
    table.print("");
    missed.none("not as with plain clang")
}

/// What the tests' column says; where a test failed, the same suite with plain clang decides whose
/// fault that is.
fn verdict(recipe: &Recipe, source: &Path, outcome: &Outcome, missed: &mut Missed) -> String {
    let said = |outcome: &Outcome| match outcome.counts {
        Some((passed, all)) => format!("{passed} of {all} passed"),
        None if outcome.good => "passed".to_string(),
        None => "failed".to_string(),
    };
    if outcome.good {
        return said(outcome);
    }
    match attempt(recipe, source, &Compilers::plain()) {
        Ok(plain) if !plain.good && plain.counts == outcome.counts => {
            format!("{}, as with plain clang", said(outcome))
        }
        Ok(plain) => {
            missed.unless(false, recipe.name);
            format!("{}; with plain clang {}", said(outcome), said(&plain))
        }
        Err(error) => {
            missed.unless(false, recipe.name);
            format!("{}; plain clang cannot build it: {error:#}", said(outcome))
        }
    }
}

/// The compilers of one build.
struct Compilers {
    /// Names the build's folder.
    name: &'static str,
    c: PathBuf,
    cxx: PathBuf,
    cmake: Option<PathBuf>,
    meson: Option<PathBuf>,
}

impl Compilers {
    /// Those of this checkout, built as it stands.
    fn ours(root: &Path) -> Result<Compilers> {
        let engine = Engine::build(root, true)?;
        let share = root.join("elsewise/share");
        Ok(Compilers {
            name: "elsewise",
            c: engine.cc,
            cxx: engine.cxx,
            cmake: Some(share.join("elsewise.cmake")),
            meson: Some(share.join("elsewise-native.ini")),
        })
    }

    fn plain() -> Compilers {
        Compilers {
            name: "plain",
            c: "clang-22".into(),
            cxx: "clang++-22".into(),
            cmake: None,
            meson: None,
        }
    }
}

/// Builds a package in a folder of its own and runs its tests.
fn attempt(recipe: &Recipe, source: &Path, compilers: &Compilers) -> Result<Outcome> {
    let name = format!("{}-{}", recipe.name, compilers.name);
    let folder = source::cache()?.join("builds").join(name);
    empty(&folder)?;
    succeed(Command::new("cp").arg("-aT").arg(source).arg(&folder))?;
    let lines = recipe.build_lines(compilers.cmake.as_deref(), compilers.meson.as_deref());
    let build = || {
        for (number, line) in lines.iter().enumerate() {
            let log = folder.join(format!("elsewise-build-{number}.log"));
            let (good, _) = shell(line, &folder, recipe, compilers, &log)?;
            ensure!(good, "`{line}` failed: see {}", log.display());
        }
        Ok(())
    };
    let (build_seconds, ()) = Clock::Wall.time(build)?;
    let log = folder.join("elsewise-tests.log");
    let (good, output) = shell(recipe.tests, &folder, recipe, compilers, &log)?;
    Ok(Outcome {
        build_seconds,
        counts: recipe.system.count(&output),
        good,
    })
}

/// Runs a line with the compilers in its environment; whether it succeeded, and what it said.
fn shell(
    line: &str,
    folder: &Path,
    recipe: &Recipe,
    compilers: &Compilers,
    log: &Path,
) -> Result<(bool, String)> {
    let file = fs::File::create(log)?;
    let mut command = Command::new("timeout");
    command
        .args([
            "--kill-after=10",
            &LIMIT_SECONDS.to_string(),
            "sh",
            "-c",
            line,
        ])
        .current_dir(folder.join(recipe.folder))
        .env("CC", &compilers.c)
        .env("CXX", &compilers.cxx)
        .env("LC_ALL", "C")
        .env_remove("MAKEFLAGS")
        .stdin(Stdio::null())
        .stdout(file.try_clone()?)
        .stderr(file);
    // The files for CMake and Meson name the compilers as they are installed: on the path.
    if let (Some(folder), Some(path)) = (compilers.c.parent(), std::env::var_os("PATH")) {
        let all = std::iter::once(folder.to_path_buf()).chain(std::env::split_paths(&path));
        command.env("PATH", std::env::join_paths(all)?);
    }
    let good = command.status()?.success();
    Ok((good, String::from_utf8_lossy(&fs::read(log)?).into_owned()))
}
