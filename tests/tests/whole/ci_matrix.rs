//! Jobs of a CI service that share a campaign, for a change and for a day: their scripts are run as the service runs them, with
//! its cache and its artifacts, which are folders here.

use crate::ci::{Checkout, step, yaml};
use anyhow::{Context, Result, ensure};
use elsewise_tests::compile::root;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A program with some hundred paths, whose second bug is what a change brings in.
fn source(with_new_bug: bool) -> String {
    let new = if with_new_bug { NEW } else { "" };
    format!(
        "#include <assert.h>\n#include <unistd.h>\n\nint main(void)\n{{\n    unsigned char b[8];\n    \
         int n = 0;\n    if (read(0, b, 8) != 8)\n        return 0;\n    for (int i = 0; i < 8; i++)\n        \
         n += b[i] & 1 ? 1 : 0;\n    if (n == 5)\n        {OLD}\n{new}    return 0;\n}}\n"
    )
}

const OLD: &str = "assert(b[3] != 'x');";
const NEW: &str = "    if (n == 2)\n        assert(b[5] != 'W');\n";

/// Where reports in Markdown say that a bug is.
fn place(source: &str, assertion: &str) -> Result<String> {
    let line = source
        .lines()
        .position(|line| line.contains(assertion.trim()));
    Ok(format!("a.c&#58;{}", line.context("it is there")? + 1))
}

/// What a service keeps: caches by their keys, and artifacts.
struct Service {
    checkout: Checkout,
    kept: TempDir,
    /// By their pipelines' names and their own.
    artifacts: BTreeMap<(&'static str, String), PathBuf>,
}

impl Service {
    fn new() -> Result<Service> {
        Ok(Service {
            checkout: Checkout::new()?,
            kept: tempfile::tempdir()?,
            artifacts: BTreeMap::new(),
        })
    }

    /// A job begins, at the same path as every other: with the sources, and with what was kept under the first of these keys
    /// that there is.
    fn begin(&self, source: &str, folder: &str, keys: &[&str]) -> Result<()> {
        for left in [".elsewise-ci", ".elsewise-shards"] {
            let _ = fs::remove_dir_all(self.checkout.path().join(left));
        }
        fs::write(self.checkout.path().join("a.c"), source)?;
        let caches = keys.iter().map(|key| self.kept.path().join(key));
        match caches.into_iter().find(|cache| cache.is_dir()) {
            Some(cache) => copy(&cache, &self.checkout.path().join(folder)),
            None => Ok(()),
        }
    }

    fn keep(&self, folder: &str, key: &str) -> Result<()> {
        let cache = self.kept.path().join(key);
        let _ = fs::remove_dir_all(&cache);
        copy(&self.checkout.path().join(folder), &cache)
    }

    fn upload(&mut self, pipeline: &'static str, name: &str, folder: &str) -> Result<()> {
        let kept = self.kept.path().join(format!("{pipeline}-{name}"));
        let _ = fs::remove_dir_all(&kept);
        copy(&self.checkout.path().join(folder), &kept)?;
        self.artifacts.insert((pipeline, name.to_owned()), kept);
        Ok(())
    }

    fn of_pipeline(&self, pipeline: &str) -> impl Iterator<Item = (&str, &Path)> {
        let all = self.artifacts.iter();
        let own = all.filter(move |((of, _), _)| *of == pipeline);
        own.map(|((_, name), kept)| (name.as_str(), kept.as_path()))
    }

    fn explored(&self, campaign: &str) -> Result<Explored> {
        let command = format!("elsewise status --format json --campaign {campaign}");
        let (code, text) = self.checkout.bash(&command, &[])?;
        ensure!(code == 0, "{text}");
        let said: Value = serde_json::from_str(&text)?;
        Ok(Explored {
            runs: said["runs"].as_u64().context("runs")?,
            complete: said["complete"].as_bool().context("complete")?,
        })
    }
}

#[derive(Debug, PartialEq)]
struct Explored {
    runs: u64,
    complete: bool,
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    let status = Command::new("cp").arg("-r").args([from, to]).status()?;
    ensure!(status.success(), "{} is not copied", from.display());
    Ok(())
}

const SUBJECT: &str = "a.c --input-size 8";
const OF: u32 = 2;

/// A branch on which jobs run: the main one, or a pull request.
struct Branch {
    name: &'static str,
    main: &'static str,
    source: String,
}

impl Branch {
    fn main() -> Branch {
        Branch {
            name: "main",
            main: "1",
            source: source(false),
        }
    }

    fn change(name: &'static str, source: String) -> Branch {
        let main = "0";
        Branch { name, main, source }
    }
}

/// One of GitHub's jobs, as `ci/github/action.yml` has its steps.
fn github(
    service: &mut Service,
    branch: &Branch,
    shard: Option<u32>,
    budget: &str,
) -> Result<(i32, String)> {
    let action = yaml("ci/github/action.yml")?;
    let number = shard.map_or(String::new(), |number| format!("{number}/{OF}"));
    let key = |branch: &str| format!("github-{branch}-{}", number.replace('/', "-"));
    let keys = [key(branch.name), key("main")];
    service.begin(&branch.source, ".elsewise-ci", &[&keys[0], &keys[1]])?;
    let path = service.checkout.path().to_owned();
    let merge = if shard.is_none() {
        ".elsewise-shards"
    } else {
        ""
    };
    if shard.is_none() {
        fs::create_dir(path.join(merge))?;
        for (name, artifact) in service.of_pipeline(branch.name) {
            copy(artifact, &path.join(merge).join(name))?;
        }
    }
    let output = path.join("output");
    fs::write(&output, "")?;
    let here = root().join("ci/github");
    let env = [
        ("SUBJECT", SUBJECT),
        ("ELSEWISE_BUDGET", budget),
        ("ELSEWISE_MAIN", branch.main),
        ("ELSEWISE_SHARD", number.as_str()),
        ("ELSEWISE_MERGE", merge),
        ("HERE", here.to_str().context("a path")?),
        ("GITHUB_OUTPUT", output.to_str().context("a path")?),
    ];
    let (code, text) = service.checkout.bash(step(&action, "Explore")?, &env)?;
    ensure!(code == 0, "{code}: {text}");
    let outputs = fs::read_to_string(&output)?;
    let shard = outputs.lines().find_map(|line| line.strip_prefix("shard="));
    if let Some(shard) = shard {
        // As the step says what is uploaded. A folder's content is, without its name.
        let folder = format!(".elsewise-ci/shard-{shard}.elsewise");
        service.upload(branch.name, &format!("elsewise-shard-{shard}"), &folder)?;
    }
    service.keep(".elsewise-ci", &keys[0])?;
    match outputs.contains("new=true") {
        false => Ok((0, text)),
        true => service
            .checkout
            .bash(step(&action, "Fail if a finding is new")?, &env),
    }
}

#[test]
fn jobs_on_github_share_a_campaign() -> Result<()> {
    let mut service = Service::new()?;
    let main = Branch::main();
    for shard in 1..=OF {
        github(&mut service, &main, Some(shard), "60s")?;
    }
    let (code, text) = github(&mut service, &main, None, "60s")?;
    let old = place(&main.source, OLD)?;
    ensure!(code == 1 && text.contains(&old), "{code}: {text}");
    let whole = service.explored(".elsewise-ci/campaign.elsewise")?;
    ensure!(whole.complete && whole.runs > 256, "{whole:?}");

    // Two pull requests at once, which begin with what the main branch has. One brings in a bug, and a job of it dies.
    let bad = Branch::change("bad", source(true));
    let good = Branch::change("good", source(false).replace("!= 8", "< 8"));
    for shard in 1..=OF {
        for branch in [&bad, &good] {
            github(&mut service, branch, Some(shard), "60s")?;
        }
    }
    let dead = ("bad", format!("elsewise-shard-{OF}-of-{OF}"));
    ensure!(service.artifacts.remove(&dead).is_some());
    let (code, text) = github(&mut service, &bad, None, "60s")?;
    let new = place(&bad.source, NEW.lines().last().unwrap_or_default())?;
    ensure!(code == 1 && text.contains(&new), "{code}: {text}");
    ensure!(!text.contains(&old), "the main branch has it: {text}");
    ensure!(service.explored(".elsewise-ci/campaign.elsewise")?.complete);
    let (code, text) = github(&mut service, &good, None, "60s")?;
    ensure!(code == 0, "{code}: {text}");

    // All have died: the job that merges goes on with what it has.
    service.artifacts.clear();
    let (code, text) = github(&mut service, &good, None, "60s")?;
    ensure!(
        code == 0 && text.contains("no shard has come"),
        "{code}: {text}"
    );
    Ok(())
}

/// The workflow asks for what the action has.
#[test]
fn the_workflow_is_one_of_the_action() -> Result<()> {
    let action = yaml("ci/github/action.yml")?;
    let workflow = yaml("ci/github/matrix.yml")?;
    let jobs = &workflow["jobs"];
    for job in ["explore", "merge"] {
        let with = &jobs[job]["steps"][1]["with"];
        for (name, _) in with.as_object().context("inputs")? {
            ensure!(action["inputs"][name].is_object(), "{name}");
        }
    }
    let shards = jobs["explore"]["strategy"]["matrix"]["shard"].as_array();
    let shards = shards.context("shards")?;
    for (at, shard) in shards.iter().enumerate() {
        ensure!(*shard == format!("{}/{}", at + 1, shards.len()), "{shard}");
    }
    ensure!(jobs["merge"]["needs"] == "explore");
    Ok(())
}

/// One of GitLab's jobs, as `ci/gitlab/elsewise.yml` has its script.
fn gitlab(service: &mut Service, shard: Option<u32>, budget: &str) -> Result<(i32, String)> {
    let template = yaml("ci/gitlab/elsewise.yml")?;
    let (job, folder) = match shard {
        Some(_) => (".elsewise-shard", ".elsewise-shards"),
        None => (".elsewise", ".elsewise-ci"),
    };
    let key = format!("gitlab-{}", shard.unwrap_or(0));
    service.begin(&source(false), folder, &[&key])?;
    if shard.is_none() {
        // All are unpacked in the same place.
        for (_, artifact) in service.of_pipeline("main") {
            let to = service.checkout.path().join(".elsewise-shards");
            fs::create_dir_all(&to)?;
            copy(&artifact.join("."), &to)?;
        }
    }
    let merge = &template[".elsewise-merge"];
    ensure!(merge["extends"] == ".elsewise");
    let merge = merge["variables"]["ELSEWISE_MERGE"].as_str();
    let script = template[job]["script"][0].as_str().context("a script")?;
    let explore = root().join("ci/explore");
    let (index, of) = (shard.unwrap_or(0).to_string(), OF.to_string());
    let env = [
        ("ELSEWISE_SUBJECT", SUBJECT),
        ("ELSEWISE_BUDGET", budget),
        ("ELSEWISE_CI", explore.to_str().unwrap_or_default()),
        (
            "ELSEWISE_MERGE",
            merge.filter(|_| shard.is_none()).unwrap_or_default(),
        ),
        ("CI_NODE_INDEX", &index),
        ("CI_NODE_TOTAL", &of),
        ("CI_COMMIT_BRANCH", "main"),
        ("CI_DEFAULT_BRANCH", "main"),
    ];
    let ran = service.checkout.bash(script, &env)?;
    if shard.is_some() {
        service.upload("main", &key, folder)?;
    }
    service.keep(folder, &key)?;
    Ok(ran)
}

/// What a day has no time for, the next one goes on with.
#[test]
fn jobs_on_gitlab_go_on_the_next_day() -> Result<()> {
    let mut service = Service::new()?;
    let mut last = 0;
    for (day, budget) in [(1, "30runs"), (2, "30runs"), (3, "60s")] {
        for shard in 1..=OF {
            let (code, text) = gitlab(&mut service, Some(shard), budget)?;
            ensure!(code == 0, "day {day}: {code}: {text}");
            let campaign = format!(".elsewise-shards/shard-{shard}-of-{OF}.elsewise");
            let explored = service.explored(&campaign)?;
            ensure!(
                day == 3 || explored.runs == 30 * day,
                "day {day}: {explored:?}"
            );
        }
        let (code, text) = gitlab(&mut service, None, "1runs")?;
        let explored = service.explored(".elsewise-ci/campaign.elsewise")?;
        ensure!(
            explored.runs >= last,
            "day {day}: {explored:?} after {last}"
        );
        last = explored.runs;
        ensure!(explored.complete == (day == 3), "day {day}: {explored:?}");
        // On the first day that it is seen, it is new.
        ensure!(matches!(code, 0 | 2), "day {day}: {code}: {text}");
    }
    Ok(())
}
