//! Builds that are kept: a campaign with one is the same as with a fresh one, whatever changed is seen, and
//! a cache that was damaged is not believed.

use anyhow::{Context, Result, ensure};
use elsewise_campaign::Store;
use elsewise_tests::command::program;
use serde_json::Value;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

const MAIN: &str = r#"
#include "limit.h"
#include <stdio.h>
#include <stdlib.h>
int weight(int);
int main(void)
{
    int a = getchar(), b = getchar();
    if (a == EOF || b == EOF)
        return 1;
    if (weight(a) > LIMIT && b == 'x')
        abort();
    return a > b;
}
"#;
const OTHER: &str = "int weight(int n) { int unused; return n % 7 == 3 ? n / 2 : 0; }\n";

struct Place {
    folder: tempfile::TempDir,
}

/// What a campaign came to: its cases in order, sides, paths and findings.
#[derive(Debug, PartialEq)]
struct Came {
    cases: Vec<Vec<u8>>,
    sides: (u64, u64),
    paths: u64,
    findings: usize,
}

impl Place {
    fn new() -> Result<Place> {
        let place = Place {
            folder: tempfile::tempdir()?,
        };
        place.write("main.c", MAIN)?;
        place.write("other.c", OTHER)?;
        place.write("limit.h", "#define LIMIT 40\n")?;
        Ok(place)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) -> Result<()> {
        Ok(fs::write(self.path(name), text)?)
    }

    fn command(&self, tool: &str) -> Result<Command> {
        let mut command = Command::new(program()?.with_file_name(tool));
        command
            .current_dir(self.folder.path())
            .env("ELSEWISE_CACHE", self.path("cache"))
            .env_remove("ELSEWISE_CACHE_SIZE");
        Ok(command)
    }

    fn start(&self, campaign: &str) -> Result<Child> {
        Ok(self
            .command("elsewise")?
            .args(["explore", "main.c", "other.c", "--max-input=2", "--quiet"])
            .args(["--format=json", "--campaign", campaign])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?)
    }

    fn end(&self, campaign: &str, child: Child) -> Result<Came> {
        let Output { stdout, stderr, .. } = child.wait_with_output()?;
        let summary: Value = serde_json::from_slice(&stdout)
            .with_context(|| String::from_utf8_lossy(&stderr).into_owned())?;
        let number = |value: &Value| value.as_u64().context("a number");
        let store = Store::open_read(&self.path(campaign))?;
        let case = |run| Ok(store.case(run)?.inputs.remove("stdin").unwrap_or_default());
        ensure!(summary["complete"] == true, "{summary}");
        Ok(Came {
            cases: (0..store.run_count()?).map(case).collect::<Result<_>>()?,
            sides: (
                number(&summary["branch_sides"]["reached"])?,
                number(&summary["branch_sides"]["total"])?,
            ),
            paths: number(&summary["paths"])?,
            findings: summary["findings"].as_array().map_or(0, Vec::len),
        })
    }

    fn explored(&self, campaign: &str) -> Result<Came> {
        self.end(campaign, self.start(campaign)?)
    }

    fn kept(&self) -> Result<u64> {
        let output = self
            .command("elsewise")?
            .args(["cache", "--format=json"])
            .output()?;
        let kept: Value = serde_json::from_slice(&output.stdout)?;
        kept["builds"].as_u64().context("a number")
    }

    /// Every file of every kept build.
    fn entries(&self) -> Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        for part in fs::read_dir(self.path("cache/builds"))? {
            for file in fs::read_dir(part?.path())? {
                files.push(file?.path());
            }
        }
        Ok(files)
    }

    fn compile(&self, options: &[&str]) -> Result<String> {
        let output = self.command("elsewise-cc")?.args(options).output()?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        ensure!(output.status.success(), "{said}");
        Ok(said)
    }
}

#[test]
fn a_campaign_is_the_same_with_a_kept_build() -> Result<()> {
    let place = Place::new()?;
    let fresh = place.explored("fresh")?;
    ensure!(fresh.findings == 1, "{fresh:?}");
    let kept = place.kept()?;
    // Two objects and a program.
    ensure!(kept == 3, "{kept} builds");
    assert_eq!(place.explored("kept")?, fresh);
    ensure!(place.kept()? == kept, "something was built again");
    // A header, an option, and the file itself.
    place.write("limit.h", "#define LIMIT 4000\n")?;
    ensure!(place.explored("header")?.findings == 0);
    place.write("limit.h", "#define LIMIT 40\n")?;
    place.write("other.c", &OTHER.replace("== 3", "== 8"))?;
    ensure!(place.explored("file")?.findings == 0);
    place.write("other.c", OTHER)?;
    assert_eq!(place.explored("back")?, fresh);
    Ok(())
}

#[test]
fn a_damaged_cache_is_not_believed() -> Result<()> {
    let place = Place::new()?;
    let fresh = place.explored("fresh")?;
    type Damage = fn(&[u8]) -> Vec<u8>;
    let damages: [Damage; 3] = [
        |whole| whole[..whole.len() / 2].to_vec(),
        |whole| (0..whole.len()).map(|at| (at * 31 + 7) as u8).collect(),
        |whole| {
            let mut bytes = whole.to_vec();
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
            bytes
        },
    ];
    for (number, damage) in damages.into_iter().enumerate() {
        for entry in place.entries()? {
            fs::write(&entry, damage(&fs::read(&entry)?))?;
        }
        assert_eq!(place.explored(&format!("damaged{number}"))?, fresh);
        ensure!(place.kept()? == 3, "they are kept anew");
    }
    // One entry in the place of another.
    let entries = place.entries()?;
    fs::copy(&entries[0], &entries[1])?;
    assert_eq!(place.explored("exchanged")?, fresh);
    Ok(())
}

#[test]
fn several_builds_at_once_leave_a_whole_cache() -> Result<()> {
    let place = Place::new()?;
    let names = ["a", "b", "c", "d"];
    let children: Vec<Child> = names
        .iter()
        .map(|name| place.start(name))
        .collect::<Result<_>>()?;
    let mut came = Vec::new();
    for (name, child) in names.iter().zip(children) {
        came.push(place.end(name, child)?);
    }
    ensure!(came.iter().all(|one| *one == came[0]), "{came:?}");
    ensure!(place.kept()? == 3);
    assert_eq!(place.explored("after")?, came[0]);
    Ok(())
}

#[test]
fn a_kept_object_comes_with_all_that_belongs_to_it() -> Result<()> {
    let place = Place::new()?;
    let options = ["-c", "other.c", "-Wall", "-MMD", "-o", "made/other.o"];
    fs::create_dir(place.path("made"))?;
    let said = place.compile(&options)?;
    ensure!(said.contains("unused"), "{said}");
    let read = |name: &str| fs::read(place.path(name)).with_context(|| name.to_string());
    let (object, dependencies) = (read("made/other.o")?, read("made/other.d")?);
    ensure!(String::from_utf8_lossy(&dependencies).starts_with("made/other.o:"));
    fs::remove_dir_all(place.path("made"))?;
    fs::create_dir(place.path("made"))?;
    ensure!(place.compile(&options)? == said, "it was said otherwise");
    ensure!(read("made/other.o")? == object, "another object");
    ensure!(read("made/other.d")? == dependencies, "other dependencies");
    ensure!(place.kept()? == 1);
    // Where the file stands in a line is part of the program map.
    place.write("other.c", &format!("  {OTHER}"))?;
    place.compile(&options)?;
    ensure!(place.kept()? == 2, "white space was not seen");
    place.compile(&["-c", "other.c", "-DN=2"])?;
    ensure!(place.kept()? == 3, "an option was not seen");
    Ok(())
}

#[test]
fn nothing_is_kept_where_nothing_is_to_be() -> Result<()> {
    let place = Place::new()?;
    let status = place
        .command("elsewise-cc")?
        .args(["-c", "other.c"])
        .env("ELSEWISE_CACHE_SIZE", "0")
        .status()?;
    ensure!(status.success() && place.kept()? == 0);
    place.compile(&["-c", "other.c"])?;
    let cleared = place
        .command("elsewise")?
        .args(["cache", "clear"])
        .output()?;
    let said = String::from_utf8_lossy(&cleared.stdout);
    ensure!(said.starts_with("1 build removed"), "{said}");
    ensure!(place.kept()? == 0 && !Path::new(&place.path("cache/builds")).exists());
    Ok(())
}

/// Everybody writes to one name, and what is kept under a key is still what belongs to it.
#[test]
fn compilers_that_write_to_one_file_keep_what_is_their_own() -> Result<()> {
    let place = Place::new()?;
    let program = |exit: u32| format!("int main(void) {{ return {exit}; }}\n");
    let name = |exit: u32| format!("exit{exit}.c");
    for exit in 1..=4 {
        place.write(&name(exit), &program(exit))?;
    }
    let mut children = Vec::new();
    for exit in 1..=4 {
        let mut command = place.command("elsewise-cc")?;
        children.push(command.args([&name(exit), "-o", "all"]).spawn()?);
    }
    for mut child in children {
        ensure!(child.wait()?.success());
    }
    for exit in 1..=4 {
        place.compile(&[&name(exit), "-o", "one"])?;
        let code = Command::new(place.path("one")).status()?.code();
        ensure!(code == Some(exit.try_into()?), "{code:?} of {exit}");
    }
    // Four programs and their objects; none was built a second time.
    ensure!(place.kept()? == 8, "{}", place.kept()?);
    Ok(())
}

/// Of a file that is preprocessed already, the preprocessor tells nothing.
#[test]
fn a_change_of_a_preprocessed_file_is_seen() -> Result<()> {
    let place = Place::new()?;
    for exit in [1, 2] {
        place.write("one.i", &format!("int main(void) {{ return {exit}; }}\n"))?;
        place.compile(&["one.i", "-o", "one"])?;
        let code = Command::new(place.path("one")).status()?.code();
        ensure!(code == Some(exit), "{code:?} of {exit}");
    }
    Ok(())
}

#[test]
fn warnings_are_said_again_of_a_kept_program() -> Result<()> {
    let place = Place::new()?;
    let options = ["main.c", "other.c", "-Wall", "-MMD", "-o", "program"];
    let said = place.compile(&options)?;
    ensure!(said.contains("unused"), "{said}");
    let told = fs::read_to_string(place.path("program.d"))?;
    ensure!(told.starts_with("program:"), "{told}");
    fs::remove_file(place.path("program.d"))?;
    ensure!(place.compile(&options)? == said);
    ensure!(fs::read_to_string(place.path("program.d"))? == told);
    Ok(())
}

#[test]
fn a_driver_that_is_told_to_end_leaves_nothing() -> Result<()> {
    let place = Place::new()?;
    let scratch = place.path("scratch");
    fs::create_dir(&scratch)?;
    // A source that takes the compiler long.
    let lines: String = (0..20_000)
        .map(|n| {
            format!(
                "int f{n}(int a) {{ return a * {n} + (a > {n} ? f{}(a) : 1); }}\n",
                n.max(1) - 1
            )
        })
        .collect();
    place.write("long.c", &format!("int f0(int);\n{lines}"))?;
    let mut child = place
        .command("elsewise-cc")?
        .args(["-O2", "-c", "long.c"])
        .env("TMPDIR", &scratch)
        .spawn()?;
    let there = || fs::read_dir(&scratch).is_ok_and(|mut folder| folder.next().is_some());
    for _ in 0..500 {
        if there() {
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    ensure!(there(), "the driver made no folder");
    let told = Command::new("kill").arg(child.id().to_string()).status()?;
    ensure!(told.success());
    let status = child.wait()?;
    ensure!(status.signal() == Some(15), "{status}");
    // The compiler itself may still be on its way out.
    for _ in 0..100 {
        if !there() {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    anyhow::bail!("{:?}", fs::read_dir(&scratch)?.collect::<Vec<_>>())
}

#[test]
fn a_size_that_is_none_is_an_error() -> Result<()> {
    let place = Place::new()?;
    for (tool, args) in [
        ("elsewise-cc", &["-c", "other.c"][..]),
        ("elsewise", &["cache"]),
    ] {
        for size in ["many", "-1", "99999999999999999"] {
            let mut command = place.command(tool)?;
            let output = command
                .args(args)
                .env("ELSEWISE_CACHE_SIZE", size)
                .output()?;
            let said = String::from_utf8_lossy(&output.stderr);
            ensure!(!output.status.success() && said.contains(size), "{said}");
        }
    }
    Ok(())
}
