//! `cargo xtask screenshots`: pages of three campaigns as people see them, checked for
//! accessibility, and the time that a page of a very large campaign takes to open.
//!
//! Chromium is driven by puppeteer-core and asked by axe-core, both of the versions that
//! `xtask/screenshots/package.json` names, which npm brings into the cache.

use anyhow::{Context, Result, ensure};
use elsewise_bench::engine::{Engine, target};
use elsewise_bench::runner::Session;
use elsewise_bench::{realworld, source};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A page must be open after so many milliseconds.
const LIMIT: u64 = 2000;
/// Runs of the large campaign, and nodes of its tree that its page must have.
const RUNS: u64 = 1_000_000;
const NODES: u64 = 95_000;
/// Pixels of a page that a picture shows.
const TALL: u64 = 9000;

pub fn run(root: &Path, words: &[&str]) -> Result<()> {
    let mut session = Session::new(false)?;
    let mut large = true;
    let mut yardstick = None;
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "--debug" => session.debug = true,
            "--small" => large = false,
            "--yardstick" => {
                yardstick = Some(Path::new(
                    words.next().context("--yardstick takes a folder")?,
                ));
            }
            word => anyhow::bail!("`cargo xtask screenshots` does not know {word}"),
        }
    }
    let yardstick = session.yardstick(yardstick)?;
    let engine = session.engine()?;
    let modules = modules(root)?;
    let out = target(root).join("screenshots");
    fs::create_dir_all(&out)?;
    let folder = tempfile::tempdir()?;
    let shots = Shots {
        engine: &engine,
        folder: folder.path(),
        out: &out,
    };
    let mut pages = vec![
        shots.yardstick(&yardstick)?,
        shots.library(&session)?,
        shots.function(root)?,
    ];
    if large {
        pages.push(shots.large(&session)?);
    }
    let job = json!({
        "modules": modules,
        "chromium": chromium()?,
        "pages": pages,
    });
    let file = folder.path().join("job.json");
    fs::write(&file, job.to_string())?;
    let output = Command::new("node")
        .arg(root.join("xtask/screenshots/shoot.mjs"))
        .arg(&file)
        .stderr(Stdio::inherit())
        .output()
        .context("node cannot be run; scripts/setup installs it")?;
    ensure!(output.status.success(), "the pages could not be looked at");
    let results: Vec<Value> = serde_json::from_slice(&output.stdout)?;
    judge(&results)?;
    println!("pictures are in {}", out.display());
    Ok(())
}

/// Prints what was seen of each page; an error if something is wrong with one.
fn judge(results: &[Value]) -> Result<()> {
    let mut wrong = Vec::new();
    println!("| page | size | tree nodes | opens after | of that busy | search | accessibility |");
    println!("|---|---|---|---|---|---|---|");
    for result in results {
        let name = result["name"].as_str().unwrap_or("?");
        let slowest = most(&result["opened"]).context("a page was not opened")?;
        let busy = most(&result["busy"]).unwrap_or(0);
        let nodes = result["nodes"].as_u64().unwrap_or(0);
        let problems = result["problems"].as_array().cloned().unwrap_or_default();
        println!(
            "| {name} | {} KiB | {nodes} | {slowest} ms | {busy} ms | {:.0} ms | {} |",
            result["bytes"].as_u64().unwrap_or(0) >> 10,
            result["words"][0].as_f64().unwrap_or(0.0),
            match (result["checked"].as_u64(), problems.len()) {
                (None, _) => "not checked".to_string(),
                (Some(times), 0) => format!("no violation in {times} views"),
                (Some(_), number) => format!("{number} problems"),
            }
        );
        for problem in &problems {
            wrong.push(format!("{name}: {}", problem.as_str().unwrap_or("?")));
        }
        if slowest > LIMIT {
            wrong.push(format!("{name}: opens after {slowest} ms, not {LIMIT}"));
        }
        if name == "large" && nodes < NODES {
            wrong.push(format!("{name}: only {nodes} nodes"));
        }
    }
    ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}

fn most(times: &Value) -> Option<u64> {
    times.as_array()?.iter().filter_map(Value::as_u64).max()
}

struct Shots<'a> {
    engine: &'a Engine,
    folder: &'a Path,
    out: &'a Path,
}

impl Shots<'_> {
    /// Explores and writes the page; run in `place`, from where source files are found.
    fn page(&self, name: &str, place: &Path, words: &[&str]) -> Result<Value> {
        let campaign = self.folder.join(name).with_extension("elsewise");
        let output = Command::new(&self.engine.elsewise)
            .arg("explore")
            .args(words)
            .arg("--campaign")
            .arg(&campaign)
            .args(["--quiet", "--format", "json"])
            .current_dir(place)
            .stdin(Stdio::null())
            .output()?;
        ensure!(
            matches!(output.status.code(), Some(0 | 2 | 3)),
            "{name}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        self.written(name, place, &campaign)
    }

    /// Writes the page of a campaign.
    fn written(&self, name: &str, place: &Path, campaign: &Path) -> Result<Value> {
        let file = self.out.join(name).with_extension("html");
        let status = Command::new(&self.engine.elsewise)
            .args(["report", "--html", "--out"])
            .arg(&file)
            .arg(campaign)
            .current_dir(place)
            .stderr(Stdio::null())
            .status()?;
        ensure!(status.success(), "{name}: no page");
        Ok(json!({
            "name": name,
            "file": file,
            "shots": self.out.join(name),
            "tall": TALL,
            "axe": true,
            "search": "1",
        }))
    }

    fn yardstick(&self, yardstick: &Path) -> Result<Value> {
        println!("a yardstick subject ...");
        let words = ["bst.c", "--cflags", "-DN=3", "--input-size", "20"];
        self.page("yardstick", yardstick, &words)
    }

    fn library(&self, session: &Session) -> Result<Value> {
        println!("a library ...");
        let built = realworld::subject(session, self.engine, "cjson")?;
        let seeds = self.folder.join("seeds");
        fs::create_dir_all(&seeds)?;
        fs::write(seeds.join("seed"), built.seed)?;
        let program = built.program.to_string_lossy();
        let seeds = seeds.to_string_lossy();
        let words = [&*program, "--seeds", &*seeds, "--budget", "20s"];
        self.page("library", &built.source, &words)
    }

    fn function(&self, root: &Path) -> Result<Value> {
        println!("a function ...");
        let words = [
            "dlist.c::dlist_concat",
            "--valid",
            "dlist:dlist_check",
            "--cflags",
            "-DBUGGY",
            "--budget",
            "200runs",
        ];
        self.page("function", &root.join("tests/structures"), &words)
    }

    fn large(&self, session: &Session) -> Result<Value> {
        println!("a campaign of {RUNS} runs ...");
        let campaign = self.folder.join("large.elsewise");
        let mut command = Command::new(env!("CARGO"));
        command.args(["run", "--quiet", "--package", "elsewise-campaign"]);
        command.args((!session.debug).then_some("--release"));
        let status = command
            .args(["--example", "million", "--"])
            .arg(RUNS.to_string())
            .arg(&campaign)
            .current_dir(&session.root)
            .status()?;
        ensure!(status.success(), "the large campaign was not made");
        let mut page = self.written("large", self.folder, &campaign)?;
        // Checking each of its elements would say nothing that the others do not.
        page["axe"] = json!(false);
        Ok(page)
    }
}

/// The folder with the modules of `xtask/screenshots/package.json`.
fn modules(root: &Path) -> Result<PathBuf> {
    let wanted = fs::read_to_string(root.join("xtask/screenshots/package.json"))?;
    let folder = source::cache()?.join("screenshots");
    let list = folder.join("package.json");
    if fs::read_to_string(&list).ok().as_ref() != Some(&wanted) {
        fs::create_dir_all(&folder)?;
        let new = folder.join("package.json");
        fs::write(&new, &wanted)?;
        let status = Command::new("npm")
            .args([
                "install",
                "--no-audit",
                "--no-fund",
                "--ignore-scripts",
                "--silent",
            ])
            .current_dir(&folder)
            .status()
            .context("npm cannot be run; scripts/setup installs it")?;
        if !status.success() {
            fs::remove_file(&new)?;
        }
        ensure!(
            status.success(),
            "npm could not fetch axe-core and puppeteer-core"
        );
    }
    Ok(folder)
}

pub fn chromium() -> Result<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .map(|folder| folder.join("chromium"))
        .find(|file| file.is_file())
        .context("there is no chromium; scripts/setup installs it")
}
