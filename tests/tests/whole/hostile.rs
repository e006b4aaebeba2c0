//! Campaigns of somebody who means harm: what only reads them starts nothing, reads and writes nothing elsewhere,
//! and ends soon, with an exit code that says something.

mod mutate;
mod traced;

use anyhow::{Context, Result, bail, ensure};
use elsewise_report::machine::FORMATS;
use elsewise_test_random::Random;
use elsewise_tests::command::program;
use elsewise_tests::compile::root;
use mutate::Mutator;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::time::Duration;
use traced::Watch;

/// Of a verb on a small campaign, on a machine that has other things to do.
const LIMIT: Duration = Duration::from_secs(20);
/// Kilobytes. A file of a case may have 64 MB, and a record 256.
const MEMORY: u64 = 1 << 20;
const SECRET: &str = "s3cr3t-of-the-reader";

/// What only reads, beside the reports for other tools. `OUT` is a folder for results.
const VERBS: &[&str] = &[
    "status --campaign CAMPAIGN",
    "status CAMPAIGN",
    "show CAMPAIGN 1",
    "status --campaign CAMPAIGN --format json",
    "show --campaign CAMPAIGN",
    "show --campaign CAMPAIGN --format json",
    "show 1 --campaign CAMPAIGN --svg OUT/a.svg --dot OUT/a.dot",
    "show CAMPAIGN/findings/1",
    "report --html -o OUT/a.html CAMPAIGN",
    "report --dot CAMPAIGN",
    "report --test-comp -o OUT/suite CAMPAIGN",
    "export --out OUT/tests CAMPAIGN",
];

/// A subject of each front end, and how it is explored.
const SUBJECTS: &[(&str, &str, &[&str])] = &[
    (
        "program.c",
        "#include <assert.h>\n#include <unistd.h>\nint main(void) {\n    unsigned char b[4];\n    \
         if (read(0, b, 4) != 4)\n        return 3;\n    if (b[0] == 'G')\n        \
         assert(b[2] != 30);\n    return 0;\n}\n",
        &["program.c", "--input-size=4"],
    ),
    (
        "list.c",
        "#include <stddef.h>\nstruct node { struct node *next; int value; };\n\
         int sum(struct node *list, int limit) {\n    int sum = 0;\n    \
         for (; list; list = list->next)\n        sum += list->value;\n    \
         return sum == limit ? 100 / (limit - 7) : sum;\n}\n",
        &["list.c::sum", "--max-objects=2"],
    ),
    (
        "indexer.c",
        "tests/subjects/threads/lock_order/lock_order.c",
        &["indexer.c"],
    ),
    (
        "chart.scxml",
        "tests/subjects/charts/collision/collision.scxml",
        &["chart.scxml"],
    ),
    (
        "absolute_zero.erl",
        "tests/subjects/erlang/absolute_zero/absolute_zero.erl",
        &["absolute_zero.erl::reading/1"],
    ),
    (
        "base_not_set.pl",
        "tests/subjects/prolog/base_not_set/base_not_set.pl",
        &["base_not_set.pl::cost/3"],
    ),
];

/// Campaigns as they are, each in its folder.
fn explored(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut campaigns = Vec::new();
    for (index, (name, text, words)) in SUBJECTS.iter().enumerate() {
        let project = folder.join(index.to_string());
        fs::create_dir(&project)?;
        let text = match text.starts_with("tests/") {
            true => fs::read_to_string(root().join(text))?,
            false => (*text).to_owned(),
        };
        fs::write(project.join(name), text)?;
        let output = Command::new(program()?)
            .arg("explore")
            .args(*words)
            .args(["--quiet", "--budget=20s,12runs", "--campaign=a.elsewise"])
            .current_dir(&project)
            .output()?;
        let known = [Some(0), Some(2), Some(3)].contains(&output.status.code());
        ensure!(known, "{name}: {}", String::from_utf8_lossy(&output.stderr));
        campaigns.push(project.join("a.elsewise"));
    }
    Ok(campaigns)
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        match entry.file_type()?.is_dir() {
            true => copy(&entry.path(), &target)?,
            false => fs::copy(entry.path(), target).map(drop)?,
        }
    }
    Ok(())
}

/// The reader's own things.
fn canary(folder: &Path) -> Result<()> {
    for below in ["", "1", "cases/1", "findings/1", "subject"] {
        let folder = folder.join(below);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("secret"), SECRET)?;
        fs::write(folder.join("stdin"), SECRET)?;
    }
    fs::write(
        folder.join("secret.json"),
        format!("{{\"message\": \"{SECRET}\"}}"),
    )?;
    fs::write(
        folder.join("1/finding.json"),
        format!("{{\"message\": \"{SECRET}\"}}"),
    )?;
    fs::write(folder.join("secret.db"), SECRET)?;
    let tool = folder.join("tool");
    fs::write(&tool, "#!/bin/sh\ntouch made\n")?;
    fs::set_permissions(tool, fs::Permissions::from_mode(0o755))?;
    Ok(())
}

struct Place {
    folder: tempfile::TempDir,
    watch: Watch,
}

impl Place {
    fn new() -> Result<Place> {
        let folder = tempfile::tempdir()?;
        let reader = folder.path().join("reader");
        canary(&reader)?;
        let below = ["", "1", "cases/1", "findings/1", "subject"];
        let watched: Vec<PathBuf> = below.iter().map(|it| reader.join(it)).collect();
        let watched: Vec<&Path> = watched.iter().map(PathBuf::as_path).collect();
        let watch = Watch::new(&watched)?;
        Ok(Place { folder, watch })
    }

    /// One campaign, mutated in its own way, read by every verb; what is wrong.
    fn read(&self, campaigns: &[PathBuf], seed: u64) -> Result<Vec<String>> {
        let mut random = Random::new(seed);
        let base = random.pick(campaigns).clone();
        let project = self.folder.path().join("project");
        let _ = fs::remove_dir_all(&project);
        let campaign = project.join("a.elsewise");
        copy(&base, &campaign)?;
        fs::write(project.join("beside"), "as it was")?;
        let reader = self.folder.path().join("reader");
        let mut mutator = Mutator {
            random,
            canary: &reader,
        };
        let mut how = Vec::new();
        for _ in 0..1 + mutator.random.below(3) {
            how.push(mutator.mutate(&campaign)?);
        }
        self.watch.seen();
        let mut wrong = Vec::new();
        let reports = FORMATS
            .iter()
            .map(|format| format!("report --{} CAMPAIGN", format.flag));
        for verb in VERBS.iter().map(|verb| verb.to_string()).chain(reports) {
            if let Err(error) = self.verb(&verb, &project) {
                let base = base.display();
                wrong.push(format!("seed {seed}: {base}: {how:#?}\n{verb}: {error:#}"));
            }
        }
        Ok(wrong)
    }

    fn verb(&self, verb: &str, project: &Path) -> Result<()> {
        let out = self.folder.path().join("out");
        let _ = fs::remove_dir_all(&out);
        fs::create_dir(&out)?;
        let name = out.display().to_string();
        let words = verb.replace("CAMPAIGN", "a.elsewise").replace("OUT", &name);
        let words: Vec<&OsStr> = words.split(' ').map(OsStr::new).collect();
        let ended = traced::run(program()?, &words, project, &out, LIMIT)?;
        ensure!(!ended.late, "does not end");
        ensure!(
            ended.signal != Some(libc::SIGSYS),
            "it would start something: {}",
            ended.stderr
        );
        ensure!(ended.signal.is_none(), "ended by signal {:?}", ended.signal);
        let honest = ended.code.is_some_and(|code| [0, 1, 2, 4].contains(&code));
        ensure!(honest, "exit code {:?}: {}", ended.code, ended.stderr);
        ensure!(ended.memory < MEMORY, "{} kB of memory", ended.memory);
        let seen = self.watch.seen();
        ensure!(
            seen.is_empty(),
            "files of the reader's were touched: {seen:?}"
        );
        let mut said = vec![ended.stdout, ended.stderr.into_bytes()];
        for file in mutate::files(&out)? {
            said.push(fs::read(file)?);
        }
        let secret = SECRET.as_bytes();
        let told = |text: &Vec<u8>| text.windows(secret.len()).any(|part| part == secret);
        ensure!(!said.iter().any(told), "it tells what is the reader's");
        let mut here = Vec::new();
        for entry in fs::read_dir(project)? {
            here.push(entry?.file_name().into_string().unwrap_or_default());
        }
        here.sort();
        ensure!(
            here == ["a.elsewise", "beside"],
            "files were made: {here:?}"
        );
        Ok(())
    }
}

#[test]
fn what_reads_campaigns_does_nothing_else() -> Result<()> {
    let number = |name: &str, usual: u64| -> Result<u64> {
        match std::env::var(name) {
            Ok(text) => Ok(text.parse()?),
            Err(_) => Ok(usual),
        }
    };
    let first = number("ELSEWISE_RANDOM_FIRST", 1)?;
    let count = number("ELSEWISE_HOSTILE_CAMPAIGNS", 60)?;
    let folder = tempfile::tempdir()?;
    let campaigns = explored(folder.path())?;
    let next = Mutex::new(first..first + count);
    let wrong = Mutex::new(Vec::new());
    let work = || -> Result<()> {
        let place = Place::new()?;
        loop {
            let seed = next.lock().ok().and_then(|mut next| next.next());
            let Some(seed) = seed else { return Ok(()) };
            let found = place
                .read(&campaigns, seed)
                .context("a campaign cannot be made")?;
            let mut wrong = match wrong.lock() {
                Ok(wrong) => wrong,
                Err(_) => bail!("another has panicked"),
            };
            wrong.extend(found);
            // Enough to look at.
            if wrong.len() > 12 {
                return Ok(());
            }
        }
    };
    std::thread::scope(|scope| -> Result<()> {
        let workers: Vec<_> = (0..2).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            worker
                .join()
                .map_err(|_| anyhow::anyhow!("a worker has panicked"))??;
        }
        Ok(())
    })?;
    let wrong = wrong.into_inner().unwrap_or_default();
    ensure!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    Ok(())
}
