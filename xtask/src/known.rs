//! `cargo xtask known`: published bugs in old versions of libraries, found again.
//!
//! Each library is compiled with AddressSanitizer and a harness of ours, given one trivial input and
//! explored until the finding is there that was published: of that kind, in that function.

mod bugs;

use crate::engine::{Engine, Profile};
use crate::packages::compile::{self, succeed};
use crate::packages::source;
use anyhow::{Context, Result, bail, ensure};
use bugs::Bug;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a bug is looked for.
const LIMIT: Duration = Duration::from_secs(300);
const OPTIONS: &[&str] = &["-g", "-O1", "-w", "-fsanitize=address"];

pub fn run(root: &Path, words: &[&str]) -> Result<()> {
    let mut profile = Profile::Release;
    let mut chosen = Vec::new();
    for word in words {
        match bugs::ALL.iter().find(|bug| bug.name == *word) {
            _ if *word == "--debug" => profile = Profile::Debug,
            Some(bug) => chosen.push(bug),
            None => {
                let all: Vec<&str> = bugs::ALL.iter().map(|bug| bug.name).collect();
                bail!("no bug {word}; there are {}", all.join(", "));
            }
        }
    }
    if chosen.is_empty() {
        chosen = bugs::ALL.iter().collect();
    }
    let engine = Engine::build(root, profile)?;
    let cache = source::cache()?.join("known");
    let sources = vendor(&cache)?;
    let mut table =
        String::from("\n| bug | library | finding | runs | seconds |\n|---|---|---|---|---|\n");
    let mut missed = Vec::new();
    for bug in chosen {
        println!("{} ...", bug.published);
        let folder = cache.join(bug.name);
        let source = sources.join(format!("{}-{}", bug.package, bug.version));
        let source = compile::prepare(&folder, &source, bug.prepare)?;
        let harness = root.join(format!("xtask/harness/known-{}.c", bug.harness));
        let subject = build(&engine, bug, &source, &harness, &folder.join("elsewise"))?;
        let (what, runs, seconds) = match look(&engine, bug, &subject, &folder.join("run"))? {
            Some((finding, time)) => (
                format!(
                    "{} in `{}` ({}:{})",
                    bug.kind,
                    bug.function,
                    base(finding["file"].as_str().unwrap_or("?")),
                    finding["line"]
                ),
                (finding["case"].as_u64().unwrap_or(0) + 1).to_string(),
                format!("{:.0}", time.as_secs_f64().max(1.0)),
            ),
            None => {
                missed.push(bug);
                ("not found".into(), "-".into(), LIMIT.as_secs().to_string())
            }
        };
        writeln!(
            table,
            "| {} | {} | {what} | {runs} | {seconds} |",
            bug.published, bug.library
        )?;
    }
    print!("{table}");
    if !missed.is_empty() {
        println!(
            "\nnot found: {}",
            missed
                .iter()
                .map(|bug| bug.name)
                .collect::<Vec<_>>()
                .join(", ")
        );
    }
    let lost: Vec<&str> = missed
        .into_iter()
        .filter(|bug| bug.found)
        .map(|bug| bug.name)
        .collect();
    ensure!(
        lost.is_empty(),
        "found before, not now: {}",
        lost.join(", ")
    );
    Ok(())
}

fn base(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}

/// The crates' sources, by cargo's own means; none of their code is run.
fn vendor(cache: &Path) -> Result<PathBuf> {
    let mut manifest = String::from(
        "[package]\nname = \"known\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n",
    );
    let crates: BTreeSet<(&str, &str)> = bugs::ALL
        .iter()
        .map(|bug| (bug.package, bug.version))
        .collect();
    for (package, version) in crates {
        writeln!(manifest, "{package} = \"={version}\"")?;
    }
    let folder = cache.join("crates");
    let sources = folder.join("vendor");
    if compile::is_filled(&folder, &manifest)? {
        return Ok(sources);
    }
    fs::create_dir_all(folder.join("src"))?;
    fs::write(folder.join("src/lib.rs"), "")?;
    fs::write(folder.join("Cargo.toml"), &manifest)?;
    succeed(
        Command::new(env!("CARGO"))
            .args(["vendor", "--versioned-dirs", "vendor"])
            .current_dir(&folder),
    )?;
    compile::fill(&folder, &manifest)?;
    Ok(sources)
}

fn build(
    engine: &Engine,
    bug: &Bug,
    source: &Path,
    harness: &Path,
    folder: &Path,
) -> Result<PathBuf> {
    let subject = folder.join("harness");
    let text =
        fs::read_to_string(harness).with_context(|| format!("no harness {}", harness.display()))?;
    let key = format!(
        "{} {OPTIONS:?} {:?} {:?}\n{text}",
        compile::stamp(&engine.cc)?,
        bug.options,
        bug.sources
    );
    if compile::is_filled(folder, &key)? {
        return Ok(subject);
    }
    let command = || {
        let mut command = Command::new(&engine.cc);
        command.args(OPTIONS).args(bug.options).current_dir(source);
        command
    };
    let mut sources: Vec<PathBuf> = bug
        .sources
        .iter()
        .map(|name| Path::new(bug.folder).join(name))
        .collect();
    sources.push(harness.to_path_buf());
    let objects = compile::objects(command, &sources, folder)?;
    succeed(command().args(objects).arg("-lm").arg("-o").arg(&subject))?;
    compile::fill(folder, &key)?;
    Ok(subject)
}

/// Explores until the bug is found; the finding, and the time that it took.
fn look(
    engine: &Engine,
    bug: &Bug,
    subject: &Path,
    folder: &Path,
) -> Result<Option<(Value, Duration)>> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    let seeds = folder.join("seeds");
    fs::create_dir_all(&seeds)?;
    fs::write(seeds.join("seed"), bug.seed)?;
    let campaign = folder.join("campaign");
    let begin = Instant::now();
    let mut child = Command::new(&engine.elsewise)
        .arg("explore")
        .arg(subject)
        .arg("--seeds")
        .arg(&seeds)
        .arg("--campaign")
        .arg(&campaign)
        .args(["--jobs", "1", "--quiet", "--format", "json"])
        .args(["--budget", &format!("{}s", LIMIT.as_secs())])
        .stdin(Stdio::null())
        .stdout(fs::File::create(folder.join("summary.json"))?)
        .stderr(fs::File::create(folder.join("errors"))?)
        .spawn()?;
    loop {
        let ended = child.try_wait()?.is_some();
        let found = published(bug, &campaign.join("findings"));
        if found.is_some() || ended {
            let time = begin.elapsed();
            stop(&mut child)?;
            return Ok(found.map(|finding| (finding, time)));
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// The finding that is the published bug, if it is there.
fn published(bug: &Bug, findings: &Path) -> Option<Value> {
    for entry in fs::read_dir(findings).ok()?.flatten() {
        let text = fs::read(entry.path().join("finding.json")).unwrap_or_default();
        // A file that is being written is read again the next time.
        let Ok(finding) = serde_json::from_slice::<Value>(&text) else {
            continue;
        };
        let line = finding["line"].as_u64().unwrap_or(0);
        let here = bug.lines.is_empty() || bug.lines.contains(&line);
        if here && finding["kind"] == bug.kind && finding["function"] == bug.function {
            return Some(finding);
        }
    }
    None
}

/// Ends an exploration as Ctrl-C does.
fn stop(child: &mut Child) -> Result<()> {
    if child.try_wait()?.is_none() {
        // SAFETY: a signal to a child that has not been waited for, whose id is therefore its own.
        unsafe { libc::kill(child.id().cast_signed(), libc::SIGINT) };
        child.wait()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_is_the_bug_by_kind_and_function() {
        let folder = tempfile::tempdir().unwrap();
        let bug = &bugs::ALL[0];
        let one = folder.path().join("1");
        fs::create_dir(&one).unwrap();
        let write = |kind: &str, function: &str| {
            let line = bug.lines.first().copied().unwrap_or(1);
            let finding = serde_json::json!({"kind": kind, "function": function, "line": line});
            fs::write(one.join("finding.json"), finding.to_string()).unwrap();
        };
        write(bug.kind, "elsewhere");
        assert!(published(bug, folder.path()).is_none());
        write("other", bug.function);
        assert!(published(bug, folder.path()).is_none());
        write(bug.kind, bug.function);
        assert!(published(bug, folder.path()).is_some());
    }

    #[test]
    fn every_bug_has_a_harness() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("harness");
        for bug in bugs::ALL {
            assert!(folder.join(format!("known-{}.c", bug.harness)).is_file());
        }
    }
}
