//! Sequences of calls: bugs that need several calls in the right order are found, shown in as few
//! calls as there can be, and exported as tests; repaired twins are clean.

use anyhow::{Context, Result, ensure};
use elsewise_tests::command::{Exploration, explore, program};
use elsewise_tests::compile::{Compiler, root};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn source(name: &str) -> PathBuf {
    root().join("tests/sequences").join(name)
}

fn explored(name: &str, options: &[&str], folder: &Path) -> Result<Exploration> {
    let options: Vec<String> = options.iter().map(|option| option.to_string()).collect();
    explore(&[source(name)], &options, folder)
}

/// What `elsewise` prints.
fn said(arguments: &[&str], folder: &Path) -> Result<String> {
    let output = Command::new(program()?)
        .args(arguments)
        .current_dir(folder)
        .output()?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The calls that `elsewise show 1` lists.
fn calls(prefix: &str, folder: &Path) -> Result<Vec<String>> {
    let shown = said(&["show", "campaign/findings/1"], folder)?;
    let lines = shown.lines().map(str::trim);
    let calls = lines.filter(|line| line.starts_with(prefix) && line.contains('('));
    Ok(calls.map(str::to_string).collect())
}

/// How many calls the shortest sequence has that ends with a signal, trying all of them; a step is
/// what `next` offers for the number of things that `n` has made.
fn shortest(program: &Path, most: usize, next: &dyn Fn(usize) -> Vec<String>) -> Result<usize> {
    let mut sequences = vec![vec!["n".to_string()]];
    for count in 1..=most {
        for sequence in &sequences {
            if Command::new(program)
                .args(sequence)
                .status()?
                .code()
                .is_none()
            {
                return Ok(count);
            }
        }
        sequences = sequences
            .iter()
            .flat_map(|sequence| {
                let made = sequence.iter().filter(|step| *step == "n").count();
                let longer = |step| sequence.iter().cloned().chain([step]).collect();
                next(made).into_iter().map(longer).collect::<Vec<_>>()
            })
            .collect();
    }
    anyhow::bail!("no sequence of at most {most} calls fails")
}

/// A program that makes the calls which its arguments say.
fn driver(name: &str, calls: &str, folder: &Path) -> Result<PathBuf> {
    let text = format!(
        "#include \"{}\"\n#include <stddef.h>\nint main(int argc, char **argv)\n{{\n    void \
         *made[16];\n    int count = 0;\n    for (int i = 1; i < argc; i++) {{\n        const char \
         *step = argv[i];\n        switch (step[0]) {{\n{calls}        }}\n    }}\n    return \
         count < 0;\n}}\n",
        source(name).display()
    );
    let file = folder.join("driver.c");
    fs::write(&file, text)?;
    let program = folder.join("driver");
    Compiler::Clang.build(&[file], &["-O0", "-DBUGGY"], &program)?;
    Ok(program)
}

#[test]
fn the_shortest_way_to_a_queues_bug_is_shown() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let sequence = "queue_new,queue_put,queue_get,queue_free";
    let options = [
        "--sequence",
        sequence,
        "--cflags",
        "-DBUGGY",
        "--steps",
        "6",
    ];
    let found = explored("queue.c", &options, folder.path())?;
    ensure!(found.exit_code == 2, "{found:?}");
    let [finding] = &found.summary.findings[..] else {
        anyhow::bail!("{:?}", found.summary.findings);
    };
    ensure!(
        finding.kind == "assertion" && finding.confirmed,
        "{finding:?}"
    );
    let calls = calls("queue_", folder.path())?;
    let expected = [
        "queue_new() → a",
        "queue_put(a, 0)",
        "queue_get(a)",
        "queue_put(a, 0)",
    ];
    ensure!(calls == expected, "{calls:?}");
    let cases = "case 'n': made[count++] = queue_new(); break;\n\
                 case 'p': queue_put(made[step[1] - '0'], 0); break;\n\
                 case 'g': queue_get(made[step[1] - '0']); break;\n";
    let program = driver("queue.c", cases, folder.path())?;
    let next = |made: usize| {
        let put = (0..made).map(|number| format!("p{number}"));
        let get = (0..made).map(|number| format!("g{number}"));
        std::iter::once("n".to_string())
            .chain(put)
            .chain(get)
            .collect()
    };
    ensure!(shortest(&program, 4, &next)? == calls.len());
    let replayed = said(&["replay", "campaign/findings/1"], folder.path())?;
    ensure!(replayed.contains("queue->first"), "{replayed}");
    Ok(())
}

#[test]
fn a_repaired_queue_is_clean_whatever_is_freed() -> Result<()> {
    let folder = tempfile::tempdir()?;
    // What has been freed is given to no call, so that nothing can be used after it.
    let sequence = "queue_new,queue_put,queue_get,queue_free";
    let found = explored(
        "queue.c",
        &["--sequence", sequence, "--steps", "5"],
        folder.path(),
    )?;
    ensure!(
        found.exit_code == 0 && found.summary.findings.is_empty(),
        "{found:?}"
    );
    ensure!(found.summary.complete, "{:?}", found.summary.approximations);
    Ok(())
}

#[test]
fn two_lists_are_joined() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let sequence = ["--sequence", "list_new,list_add,list_join"];
    let options = [&sequence[..], &["--cflags", "-DBUGGY", "--steps", "5"]].concat();
    let found = explored("list.c", &options, folder.path())?;
    ensure!(found.summary.findings.len() == 1, "{found:?}");
    let calls = calls("list_", folder.path())?;
    ensure!(calls.len() == 4, "{calls:?}");
    ensure!(
        calls[3] == "list_join(a, b)" || calls[3] == "list_join(b, a)",
        "{calls:?}"
    );
    let cases = "case 'n': made[count++] = list_new(); break;\n\
                 case 'a': list_add(made[step[1] - '0'], 0); break;\n\
                 case 'j': list_join(made[step[1] - '0'], made[step[2] - '0']); break;\n";
    let program = driver("list.c", cases, folder.path())?;
    let next = |made: usize| {
        let mut steps = vec!["n".to_string()];
        for one in 0..made {
            steps.push(format!("a{one}"));
            steps.extend((0..made).map(|other| format!("j{one}{other}")));
        }
        steps
    };
    ensure!(shortest(&program, 4, &next)? == calls.len());
    let options = [&sequence[..], &["--steps", "4"]].concat();
    let found = explored("list.c", &options, folder.path())?;
    ensure!(
        found.exit_code == 0 && found.summary.findings.is_empty(),
        "{found:?}"
    );
    Ok(())
}

#[test]
fn an_invariant_must_hold_after_every_step() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let common = [
        "--sequence",
        "stack_init,stack_push,stack_pop",
        "--valid",
        "stack:stack_check",
    ];
    let options = [&common[..], &["--cflags", "-DBUGGY"]].concat();
    let found = explored("stack.c", &options, folder.path())?;
    ensure!(found.summary.findings.len() == 1, "{found:?}");
    ensure!(
        found.summary.findings[0].file.ends_with("stack.c"),
        "{found:?}"
    );
    // Room for two; the third is one too many.
    let calls = calls("stack_", folder.path())?;
    ensure!(calls.len() == 4, "{calls:?}");
    ensure!(
        calls[1..]
            .iter()
            .all(|call| call.starts_with("stack_push(")),
        "{calls:?}"
    );
    let found = explored("stack.c", &common, folder.path())?;
    ensure!(
        found.exit_code == 0 && found.summary.findings.is_empty(),
        "{found:?}"
    );
    Ok(())
}

#[test]
fn sequences_become_tests() -> Result<()> {
    for (name, sequence) in [
        ("queue", "queue_new,queue_put,queue_get,queue_free"),
        ("stack", "stack_init,stack_push,stack_pop"),
    ] {
        let folder = tempfile::tempdir()?;
        let options = ["--sequence", sequence, "--steps", "4"];
        explored(&format!("{name}.c"), &options, folder.path())?;
        let arguments = ["export", "--as", "tap", "--out", "tests", "campaign"];
        said(&arguments, folder.path())?;
        let file = folder.path().join(format!("tests/test_{name}.c"));
        let text = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        for call in sequence.split(',') {
            ensure!(
                text.contains(&format!("{call}(")),
                "{call} is missing:\n{text}"
            );
        }
        let program = folder.path().join("tests/program");
        let built = Command::new("gcc")
            .args(["-Wall", "-Wextra", "-Werror", "-o"])
            .args([&program, &file])
            .output()?;
        let words = String::from_utf8_lossy(&built.stderr);
        ensure!(built.status.success(), "{words}\n{text}");
        let output = Command::new(&program).output()?;
        let said = String::from_utf8_lossy(&output.stdout);
        ensure!(
            output.status.success() && said.contains("\nok 2"),
            "{said}\n{text}"
        );
        ensure!(!said.contains("not ok"), "{said}\n{text}");
    }
    Ok(())
}
