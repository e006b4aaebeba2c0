//! `cargo xtask threaded`: real programs and data structures with threads, explored as they are.
//!
//! Sources and headers come from the machine's own archive of packages, pinned by version, into the
//! cache that `cargo xtask packages` has; each program is built by its own build system.

mod judgements;
mod programs;

use crate::engine::{Engine, Wishes};
use crate::packages::compile::{self, succeed};
use crate::packages::source;
use anyhow::{Context, Result, bail, ensure};
use judgements::{Finding, Judgements};
use programs::{Origin, Program};
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub fn run(root: &Path, words: &[&str]) -> Result<()> {
    let wishes = Wishes::new(words, 30)?;
    let chosen = chosen(&wishes.names)?;
    let judgements = Judgements::read(root)?;
    let engine = Engine::build(root, wishes.profile)?;
    let cache = source::cache()?;
    let place = Place {
        root,
        engine: &engine,
        cache: &cache,
        seconds: wishes.seconds,
    };
    let mut table = String::from(
        "\n| program | threads | executions | a second | complete | findings | in the way |\n\
         |---|---|---|---|---|---|---|\n",
    );
    let mut bad = Vec::new();
    for program in chosen {
        println!("{} ...", program.name);
        let summary = place.explore(program)?;
        let (told, wrong) = told(&summary, &judgements, program.name);
        bad.extend(wrong);
        let runs = summary["runs"].as_u64().unwrap_or(0);
        let wall = summary["wall_seconds"].as_f64().unwrap_or(0.0);
        let complete = summary["complete"] == Value::Bool(true);
        writeln!(
            table,
            "| {} | {} | {runs} | {:.0} | {} | {told} | {} |",
            program.title,
            program.threads,
            runs as f64 / wall.max(0.001),
            if complete { "yes" } else { "no" },
            program.in_the_way,
        )?;
    }
    print!("{table}");
    ensure!(
        bad.is_empty(),
        "not judged, or judged to be our fault (xtask/judgements/threaded.toml):\n{}",
        bad.join("\n")
    );
    Ok(())
}

fn chosen(names: &[&str]) -> Result<Vec<&'static Program>> {
    let all = || programs::ALL.iter();
    if names.is_empty() {
        return Ok(all().collect());
    }
    let find = |name: &&str| {
        all().find(|one| one.name == *name).with_context(|| {
            let known: Vec<&str> = all().map(|one| one.name).collect();
            format!("no program {name}; there are {}", known.join(", "))
        })
    };
    names.iter().map(find).collect()
}

/// What the table says of findings, and those that must not be.
fn told(summary: &Value, judgements: &Judgements, program: &str) -> (String, Vec<String>) {
    let list = |key: &str| summary[key].as_array().cloned().unwrap_or_default();
    let all = [list("findings"), list("unconfirmed")].concat();
    let mut words: Vec<String> = Vec::new();
    let mut wrong = Vec::new();
    for found in &all {
        let finding = Finding::of(program, found);
        let judged = judgements.of(&finding);
        let word = match judged {
            Some(judgement) => {
                if !judgement.is_of_the_program() {
                    wrong.push(format!("{finding}: {}", judgement.why));
                }
                format!("{} ({})", finding.kind, judgement.judged)
            }
            None => {
                wrong.push(finding.to_string());
                format!("{} (not judged)", finding.kind)
            }
        };
        let of = |said: &&mut String| said.split_once("× ").is_some_and(|(_, rest)| rest == word);
        match words.iter_mut().find(of) {
            Some(said) => {
                let count = said
                    .split_once('×')
                    .and_then(|(count, _)| count.parse().ok());
                *said = format!("{}× {word}", count.unwrap_or(1) + 1);
            }
            None => words.push(format!("1× {word}")),
        }
    }
    match words.is_empty() {
        true => ("none".into(), wrong),
        false => (words.join(", "), wrong),
    }
}

struct Place<'a> {
    root: &'a Path,
    engine: &'a Engine,
    cache: &'a Path,
    seconds: u32,
}

impl Place<'_> {
    fn harness(&self, file: &str) -> PathBuf {
        self.root.join("xtask/harness/threaded").join(file)
    }

    /// Explores a program for so many seconds; its summary.
    fn explore(&self, program: &Program) -> Result<Value> {
        let folder = self.cache.join("threaded").join(program.name);
        fs::create_dir_all(&folder)?;
        let mut command = Command::new(&self.engine.elsewise);
        command.arg("explore");
        match program.origin {
            Origin::Headers { package, version } => {
                let headers = source::fetch_built(self.cache, package, version)?;
                let include = headers.join("usr/include");
                let flags = format!("-O1 -I{} {}", include.display(), program.flags);
                command
                    .arg(self.harness(program.harness))
                    .args(["--cflags", &flags]);
            }
            Origin::Source {
                package,
                version,
                build,
                built,
            } => {
                source::fetch_lists(self.cache)?;
                let sources = source::fetch(self.cache, package, version)?;
                let built = self.build(&sources, &folder, build, built, program)?;
                command.arg(built);
            }
        }
        let output = command
            .args(program.options)
            .arg(format!("--budget={}s", self.seconds))
            .arg("--campaign")
            .arg(folder.join("campaign"))
            .args(["--fresh", "--quiet", "--format", "json"])
            .args(program.arguments)
            .current_dir(&folder)
            .stdin(Stdio::null())
            .output()?;
        serde_json::from_slice(&output.stdout).with_context(|| {
            let why = String::from_utf8_lossy(&output.stderr);
            format!("no summary of {}: {why}", program.name)
        })
    }

    /// Builds a package's program with our compilers, once.
    fn build(
        &self,
        sources: &Path,
        folder: &Path,
        line: &str,
        built: &str,
        program: &Program,
    ) -> Result<PathBuf> {
        let harness = self.harness(program.harness);
        let line = line
            .replace("@HARNESS@", &harness.to_string_lossy())
            .replace("@FLAGS@", program.flags);
        let own = match program.harness {
            "" => String::new(),
            _ => fs::read_to_string(&harness)?,
        };
        let key = format!("{line} {} {own}", compile::stamp(&self.engine.cxx)?);
        let folder = folder.join("build");
        let built = folder.join("source").join(built);
        if compile::is_filled(&folder, &key)? {
            return Ok(built);
        }
        let copy = folder.join("source");
        succeed(Command::new("cp").arg("-a").arg(sources).arg(&copy))?;
        succeed(
            Command::new("sh")
                .args(["-c", &line])
                .current_dir(&copy)
                .env("CC", &self.engine.cc)
                .env("CXX", &self.engine.cxx)
                .env_remove("MAKEFLAGS"),
        )?;
        if !built.is_file() {
            bail!("`{line}` has made no {}", built.display());
        }
        compile::fill(&folder, &key)?;
        Ok(built)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_finding_that_nobody_has_judged_is_wrong() {
        let judgements = Judgements::parse(
            "[[finding]]\nprogram = \"p\"\nkind = \"data race\"\nfile = \"a.h\"\nlines = [3]\n\
             judged = \"benign\"\nwhy = \"w\"\n",
        )
        .unwrap();
        let found =
            |line: u32| json!({"kind": "data race", "file": "/x/a.h", "line": line, "message": ""});
        let summary = json!({"findings": [found(3), found(3)], "unconfirmed": []});
        let (words, wrong) = told(&summary, &judgements, "p");
        assert_eq!(words, "2× data race (benign)");
        assert!(wrong.is_empty());
        let summary = json!({"findings": [found(3), found(4)]});
        let (words, wrong) = told(&summary, &judgements, "p");
        assert_eq!(words, "1× data race (benign), 1× data race (not judged)");
        assert_eq!(wrong.len(), 1);
        assert_eq!(told(&summary, &judgements, "q").1.len(), 2);
    }

    #[test]
    fn a_program_that_is_not_known_is_said_to_be() {
        assert!(chosen(&["nonsense"]).is_err());
        assert_eq!(chosen(&["pbzip2"]).unwrap().len(), 1);
    }
}
