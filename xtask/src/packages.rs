//! Builds packages of the distribution with our compilers, their build systems unchanged, and runs
//! their own test suites: instrumentation must not change what a program does.
//!
//! Sources come from the machine's own archive of packages, through a list of sources and a state
//! of our own, so that nothing of the system changes. They are kept in a cache outside of the
//! repository.

pub mod compile;
mod recipes;
pub mod source;

use crate::engine::{Engine, Profile};
use anyhow::{Context, Result, ensure};
use recipes::Recipe;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// How long a package's build, or its tests, may take.
const LIMIT_SECONDS: u64 = 1800;

/// What became of one package with one pair of compilers.
struct Outcome {
    build_seconds: f64,
    /// The tests that passed, and all of them; `None` when the suite does not count them.
    counts: Option<(u64, u64)>,
    good: bool,
}

pub fn run(root: &Path, names: &[&str]) -> Result<()> {
    let cache = source::cache()?;
    let chosen = chosen(names)?;
    let ours = Compilers::ours(root)?;
    source::fetch_lists(&cache)?;
    let mut table = String::from(
        "| package | version | build system | build | tests |\n|---|---|---|---|---|\n",
    );
    let mut bad = Vec::new();
    for recipe in chosen {
        println!("{} {} ...", recipe.name, recipe.version);
        let source = source::fetch(&cache, recipe.name, recipe.version)?;
        let outcome = attempt(&cache, recipe, &source, &ours);
        let (build, tests) = match outcome {
            Ok(outcome) => {
                let build = format!("{:.0} s", outcome.build_seconds);
                (build, verdict(&cache, recipe, &source, &outcome, &mut bad))
            }
            Err(error) => {
                bad.push(recipe.name);
                println!("  {error:#}");
                ("failed".to_string(), "not run".to_string())
            }
        };
        println!("  build {build}, tests {tests}");
        writeln!(
            table,
            "| {} | {} | {} | {build} | {tests} |",
            recipe.name,
            recipe.version,
            recipe.system.name()
        )?;
    }
    println!("\n{table}");
    ensure!(
        bad.is_empty(),
        "not as with plain clang: {}",
        bad.join(", ")
    );
    Ok(())
}

/// What the tests' column says; where a test failed, the same suite with plain clang decides whose
/// fault that is.
fn verdict(
    cache: &Path,
    recipe: &Recipe,
    source: &Path,
    outcome: &Outcome,
    bad: &mut Vec<&'static str>,
) -> String {
    let said = |outcome: &Outcome| match outcome.counts {
        Some((passed, all)) => format!("{passed} of {all} passed"),
        None if outcome.good => "passed".to_string(),
        None => "failed".to_string(),
    };
    if outcome.good {
        return said(outcome);
    }
    match attempt(cache, recipe, source, &Compilers::plain()) {
        Ok(plain) if !plain.good && plain.counts == outcome.counts => {
            format!("{}, as with plain clang", said(outcome))
        }
        Ok(plain) => {
            bad.push(recipe.name);
            format!("{}; with plain clang {}", said(outcome), said(&plain))
        }
        Err(error) => {
            bad.push(recipe.name);
            format!("{}; plain clang cannot build it: {error:#}", said(outcome))
        }
    }
}

fn chosen(names: &[&str]) -> Result<Vec<&'static Recipe>> {
    if names.is_empty() {
        return Ok(recipes::ALL.iter().collect());
    }
    names
        .iter()
        .map(|name| {
            let known = recipes::ALL.iter().find(|recipe| recipe.name == *name);
            known.with_context(|| {
                let all: Vec<&str> = recipes::ALL.iter().map(|recipe| recipe.name).collect();
                format!("no package {name}; there are {}", all.join(", "))
            })
        })
        .collect()
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
        let engine = Engine::build(root, Profile::Debug)?;
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
fn attempt(cache: &Path, recipe: &Recipe, source: &Path, compilers: &Compilers) -> Result<Outcome> {
    let folder = cache
        .join("builds")
        .join(format!("{}-{}", recipe.name, compilers.name));
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(folder.parent().context("the cache is the root")?)?;
    let copied = Command::new("cp")
        .arg("-a")
        .arg(source)
        .arg(&folder)
        .status()?;
    ensure!(copied.success(), "{} cannot be copied", source.display());
    let begin = Instant::now();
    for (number, line) in recipe
        .build_lines(compilers.cmake.as_deref(), compilers.meson.as_deref())
        .iter()
        .enumerate()
    {
        let log = folder.join(format!("elsewise-build-{number}.log"));
        let (good, _) = shell(line, &folder, recipe, compilers, &log)?;
        ensure!(good, "`{line}` failed: see {}", log.display());
    }
    let build_seconds = begin.elapsed().as_secs_f64();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_that_is_not_known_is_said_to_be() {
        assert!(chosen(&["nonsense"]).is_err());
        assert_eq!(chosen(&["zlib"]).unwrap()[0].name, "zlib");
        assert_eq!(recipes::System::CMake.name(), "CMake");
    }
}
