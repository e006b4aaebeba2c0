//! A campaign and AFL++ side by side: what neither finds alone, both find together.

use anyhow::{Result, ensure};
use elsewise_tests::command::explore;
use elsewise_tests::tools;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A sine is not followed, and eight letters are not guessed.
const PROGRAM: &str = r#"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(void)
{
    unsigned angle;
    char word[8];
    volatile double known = 12345678;
    if (read(0, &angle, 4) != 4 || read(0, word, 8) != 8)
        return 1;
    if ((int)(sin(angle) * 1e9) != (int)(sin(known) * 1e9))
        return 2;
    if (memcmp(word, "ELSEWISE", 8) == 0)
        abort();
    return 0;
}
"#;

/// What the program asks of the first four bytes.
const ANGLE: u32 = 12_345_678;

fn campaign(folder: &Path, options: &[&str]) -> Result<elsewise_tests::command::Exploration> {
    let source = folder.join("program.c");
    fs::write(&source, PROGRAM)?;
    let options = options.iter().map(|word| (*word).to_owned());
    let all = ["--input-size=12".to_owned(), "--cflags=-lm".to_owned()];
    explore(
        &[source],
        &all.into_iter().chain(options).collect::<Vec<_>>(),
        folder,
    )
}

/// AFL++ for a few seconds, in the directory that it shares.
fn fuzz(program: &Path, shared: &Path, begin: &OsStr) -> Result<()> {
    let settings = [
        "AFL_NO_UI",
        "AFL_NO_AFFINITY",
        "AFL_SKIP_CPUFREQ",
        "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES",
        // At once, and not after a while.
        "AFL_IMPORT_FIRST",
    ];
    let mut command = Command::new("afl-fuzz");
    command.envs(settings.map(|name| (name, "1")));
    command.arg("-i").arg(begin).arg("-o").arg(shared);
    command.args(["-M", "main", "-V", "2", "--"]).arg(program);
    let done = command.stdin(Stdio::null()).output()?;
    ensure!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stdout)
    );
    Ok(())
}

fn names(folder: &Path) -> Result<Vec<String>> {
    let names =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name().into_string().unwrap_or_default()));
    names.collect()
}

#[test]
fn each_gives_the_other_what_it_could_not_find() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let folder = folder.path();
    let alone = campaign(folder, &["--budget=400runs"])?;
    ensure!(alone.summary.findings.is_empty(), "{:?}", alone.summary);
    ensure!(!alone.summary.complete, "{:?}", alone.summary);

    let program = folder.join("fuzzed");
    let source = folder.join("program.c");
    let build: [&OsStr; 4] = [
        source.as_ref(),
        "-lm".as_ref(),
        "-o".as_ref(),
        program.as_ref(),
    ];
    tools::run("afl-clang-fast", &build, folder)?;
    let (seeds, shared) = (folder.join("seeds"), folder.join("shared"));
    fs::create_dir(&seeds)?;
    fs::write(
        seeds.join("angle"),
        [&ANGLE.to_le_bytes()[..], b"????????"].concat(),
    )?;
    fuzz(&program, &shared, seeds.as_os_str())?;
    ensure!(crashes(&shared)?.is_empty(), "AFL++ has found it alone");

    let afl = format!("--afl={}", shared.display());
    let beside = campaign(folder, &["--fresh", &afl, "--budget=4s"])?;
    let findings = &beside.summary.findings;
    ensure!(
        findings.len() == 1 && findings[0].kind == "abort",
        "{:?}",
        beside.summary
    );
    let given = names(&shared.join("elsewise-campaign/queue"))?;
    ensure!(
        given.iter().any(|name| name.starts_with("id:000000,")),
        "{given:?}"
    );

    fuzz(&program, &shared, "-".as_ref())?;
    let crashes = crashes(&shared)?;
    ensure!(
        crashes
            .iter()
            .any(|name| name.contains("sync:elsewise-campaign")),
        "{crashes:?}"
    );
    Ok(())
}

fn crashes(shared: &Path) -> Result<Vec<String>> {
    let mut names = names(&shared.join("main/crashes"))?;
    names.retain(|name| name.starts_with("id:"));
    Ok(names)
}

/// A directory of inputs, as libFuzzer and LibAFL keep one.
#[test]
fn a_directory_of_inputs_is_shared() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let folder = folder.path();
    let corpus = folder.join("corpus");
    fs::create_dir(&corpus)?;
    let seed = [&ANGLE.to_le_bytes()[..], b"????????"].concat();
    fs::write(corpus.join("0123456789abcdef"), &seed)?;
    let option = format!("--corpus={}", corpus.display());
    let beside = campaign(folder, &[&option, "--budget=3s"])?;
    ensure!(beside.summary.findings.len() == 1, "{:?}", beside.summary);
    let mut inputs: Vec<PathBuf> = Vec::new();
    for name in names(&corpus)? {
        inputs.push(corpus.join(name));
    }
    let failing = [&ANGLE.to_le_bytes()[..], b"ELSEWISE"].concat();
    let all: Result<Vec<Vec<u8>>, _> = inputs.iter().map(fs::read).collect();
    ensure!(all?.contains(&failing), "{inputs:?}");
    Ok(())
}
