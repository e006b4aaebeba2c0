//! `cargo measure known`: published bugs in old versions of libraries, found again.
//!
//! Each library is compiled with AddressSanitizer and a harness of ours, given one trivial input and
//! explored until the finding is there that was published: of that kind, in that function.

mod bugs;

use crate::compile::{Build, Part, empty, once, prepare, succeed};
use crate::engine::Engine;
use crate::runner::{Clock, Missed, Session, Table, chosen};
use crate::source;
use anyhow::{Context, Result};
use bugs::Bug;
use elsewise_campaign::Finding;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Seconds for which a bug is looked for.
const LIMIT: u64 = 300;

#[derive(clap::Args)]
pub struct Options {
    names: Vec<String>,
}

pub fn run(session: &Session, options: &Options) -> Result<()> {
    let chosen = chosen("bug", bugs::ALL, |bug| bug.name, &options.names)?;
    let engine = session.engine()?;
    let cache = source::cache()?.join("known");
    let sources = vendor(&cache.join("crates"))?;
    let mut table = Table::new("bug | library | finding | runs | seconds");
    let mut lost = Missed::default();
    let mut not_found = Vec::new();
    for bug in chosen {
        println!("{} ...", bug.published);
        let folder = cache.join(bug.name);
        let source = sources.join(format!("{}-{}", bug.package, bug.version));
        let source = prepare(&folder, &source, bug.prepare)?;
        let harness = session.harness(&format!("known-{}.c", bug.harness));
        let subject = build(&engine, bug, &source, &harness, &folder.join("elsewise"))?;
        let look = || look(&engine, bug, &subject, &folder.join("run"));
        let (what, runs, seconds) = match Clock::Wall.time(look)? {
            (seconds, Some(found)) => (
                format!(
                    "{} in `{}` ({}:{})",
                    bug.kind,
                    bug.function,
                    found.file.rsplit('/').next().unwrap_or("?"),
                    found.line
                ),
                (found.case + 1).to_string(),
                seconds.max(1.0),
            ),
            (_, None) => {
                lost.unless(!bug.found, bug.name);
                not_found.push(bug.name);
                ("not found".into(), "-".into(), LIMIT as f64)
            }
        };
        table.row(format_args!(
            "{} | {} | {what} | {runs} | {seconds:.0}",
            bug.published, bug.library
        ));
    }
    table.print("");
    if !not_found.is_empty() {
        println!("\nnot found: {}", not_found.join(", "));
    }
    lost.none("found before, not now")
}

/// The crates' sources, by cargo's own means; none of their code is run.
fn vendor(folder: &Path) -> Result<PathBuf> {
    let mut manifest = String::from(
        "[package]\nname = \"known\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n",
    );
    let crates = bugs::ALL.iter().map(|bug| (bug.package, bug.version));
    for (package, version) in crates.collect::<BTreeSet<_>>() {
        writeln!(manifest, "{package} = \"={version}\"")?;
    }
    once(folder, &manifest, || {
        fs::create_dir_all(folder.join("src"))?;
        fs::write(folder.join("src/lib.rs"), "")?;
        fs::write(folder.join("Cargo.toml"), &manifest)?;
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["vendor", "--versioned-dirs", "vendor"]);
        succeed(cargo.current_dir(folder))
    })?;
    Ok(folder.join("vendor"))
}

fn build(engine: &Engine, bug: &Bug, source: &Path, own: &Path, folder: &Path) -> Result<PathBuf> {
    let options = ["-g", "-O1", "-w", "-fsanitize=address"].iter();
    let names = bug.sources.split_whitespace();
    let mut files: Vec<PathBuf> = names.map(|name| Path::new(bug.folder).join(name)).collect();
    files.push(own.to_path_buf());
    let part = Part {
        compiler: &engine.cc,
        options: options.chain(bug.options).copied().collect(),
        files,
    };
    let build = Build {
        source,
        parts: vec![part],
        link: &["-lm"],
        environment: &[],
    };
    build.program(folder, "harness")
}

/// Explores until the bug is found.
fn look(engine: &Engine, bug: &Bug, subject: &Path, folder: &Path) -> Result<Option<Finding>> {
    empty(folder)?;
    let seeds = folder.join("seeds");
    fs::create_dir(&seeds)?;
    fs::write(seeds.join("seed"), bug.seed)?;
    let campaign = folder.join("campaign");
    let mut child = engine
        .explore_in(&campaign, subject)
        .arg("--seeds")
        .arg(&seeds)
        .args(["--jobs=1", &format!("--budget={LIMIT}s")])
        .stdin(Stdio::null())
        .stdout(fs::File::create(folder.join("summary.json"))?)
        .stderr(fs::File::create(folder.join("errors"))?)
        .spawn()
        .context("elsewise cannot be run")?;
    loop {
        let ended = child.try_wait()?.is_some();
        let found = published(bug, &campaign.join("findings"));
        if found.is_some() || ended {
            stop(&mut child)?;
            return Ok(found);
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// The finding that is the published bug, if it is there.
fn published(bug: &Bug, findings: &Path) -> Option<Finding> {
    for entry in fs::read_dir(findings).ok()?.flatten() {
        let text = fs::read(entry.path().join("finding.json")).unwrap_or_default();
        // A file that is being written is read again the next time.
        let Ok(finding) = serde_json::from_slice::<Finding>(&text) else {
            continue;
        };
        let here = bug.lines.is_empty() || bug.lines.contains(&finding.line);
        if here && finding.kind == bug.kind && finding.function == bug.function {
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
            let finding = crate::engine::samples::finding(kind, "", function, line);
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
