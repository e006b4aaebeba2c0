//! For random programs whose input goes through libraries, what Elsewise says is true: what it calls
//! explored has no failure that the plain program shows, and what it calls a failure is one there.

use anyhow::{Context, Result, ensure};
use elsewise_test_random::number;
use elsewise_tests::borders::driver::results;
use elsewise_tests::borders::generate::{Program, program};
use elsewise_tests::borders::judge::{Claim, Seen, Verdict, Wrong, judge};
use elsewise_tests::borders::table::{Form, VARIABLE, Way, table};
use elsewise_tests::borders::tally::Tally;
use elsewise_tests::borders::truth::{Truth, aborted, build, run};
use elsewise_tests::command::{Exploration, explore};
use std::ops::Range;
use std::path::Path;

const BUDGET: u64 = 5;

/// Options of `elsewise explore`, and the name of the input.
fn options(program: &Program) -> (Vec<String>, String) {
    let mut options = vec![
        format!("--budget={BUDGET}s"),
        format!("--cflags=-w {}", program.flags.join(" ")),
    ];
    let bytes = program.bytes;
    let mut arguments = Vec::new();
    let name = match program.way {
        Way::Stdin | Way::File => {
            let bound = if program.exact {
                "input-size"
            } else {
                "max-input"
            };
            options.push(format!("--{bound}={bytes}"));
            if program.way == Way::File {
                arguments.push("@@".to_owned());
                "file".to_owned()
            } else {
                "stdin".to_owned()
            }
        }
        Way::Argument => {
            arguments.push(format!("@arg:{bytes}"));
            "arg1".to_owned()
        }
        Way::Variable => {
            options.push(format!("--env={VARIABLE}=@arg:{bytes}"));
            format!("env-{VARIABLE}")
        }
    };
    if !arguments.is_empty() {
        options.push("--".to_owned());
        options.extend(arguments);
    }
    (options, name)
}

/// What the plain program does with the inputs of findings.
fn claims(
    program: &Program,
    plain: &Path,
    explored: &Exploration,
    input: &str,
    folder: &Path,
) -> Result<Vec<Claim>> {
    let claim = |finding: &elsewise_tests::command::Finding| {
        let case = explored.cases.get(finding.case as usize);
        let input = case.and_then(|case| case.get(input)).cloned();
        let input = input.unwrap_or_default();
        let output = run(program.way, plain, &input, folder)?;
        Ok(Claim {
            kind: finding.kind.clone(),
            input,
            aborts: aborted(&output),
        })
    };
    explored.summary.findings.iter().map(claim).collect()
}

/// Compares one program with the truth.
fn compare_one(program: &Program, tally: &mut Tally) -> Result<(Truth, Result<Verdict, Wrong>)> {
    let folder = tempfile::tempdir()?;
    let truth = Truth::of(program, folder.path())?;
    let text = program.source(truth.target);
    let plain = build(program, &text, "plain", &[], folder.path())?;
    if let Some(witness) = &truth.witness {
        let output = run(program.way, &plain, witness, folder.path())?;
        ensure!(aborted(&output), "the truth is wrong about {witness:?}");
    }
    let source = folder.path().join(program.file_name());
    let (options, input) = options(program);
    let explored = match explore(&[source], &options, folder.path()) {
        Ok(explored) => explored,
        Err(error) => return Ok((truth, Err(Wrong::Nothing(format!("{error:#}"))))),
    };
    if !explored.summary.unconfirmed.is_empty() {
        tally.add_unconfirmed(program.seed);
    }
    let seen = Seen {
        exit_code: explored.exit_code,
        complete: explored.summary.complete,
        claims: claims(program, &plain, &explored, &input, folder.path())?,
        seconds: explored.summary.wall_seconds,
        approximations: explored.summary.approximations.into_keys().collect(),
    };
    let verdict = judge(&truth, &seen, BUDGET as f64);
    Ok((truth, verdict))
}

/// Compares the programs of these seeds with the truth.
fn compare(seeds: Range<u64>) -> Result<()> {
    let table = table()?;
    let mut tally = Tally::default();
    let mut wrong = Vec::new();
    // One line for each program, for who watches a long run.
    let watched = number("ELSEWISE_RANDOM_BORDERS").is_some();
    for seed in seeds {
        let program = program(&table, seed);
        let (truth, verdict) = match compare_one(&program, &mut tally) {
            Ok(compared) => compared,
            Err(error) => {
                wrong.push(format!("seed {seed}: {}: {error:#}", program.chain()));
                continue;
            }
        };
        tally.add(&program, verdict.as_ref());
        let said = match &verdict {
            Ok(verdict) => format!("{verdict:?}"),
            Err(error) => error.to_string(),
        };
        let line = format!(
            "seed {seed}: {}, {} values, target {}: {said}",
            program.chain(),
            truth.values,
            truth.target
        );
        if watched {
            println!("{line}");
        }
        if verdict.is_err() {
            wrong.push(line);
        }
    }
    println!("{tally}");
    ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}

/// `ELSEWISE_RANDOM_BORDERS` programs, from seed `ELSEWISE_RANDOM_FIRST` on: one half of them.
fn half(which: u64) -> Result<()> {
    let count = number("ELSEWISE_RANDOM_BORDERS").unwrap_or(8);
    let first = number("ELSEWISE_RANDOM_FIRST").unwrap_or(0) + which * (count / 2);
    compare(first..first + count / 2)
}

/// Two tests, so that they run side by side.
#[test]
fn the_first_half_of_random_programs() -> Result<()> {
    half(0)
}

#[test]
fn the_second_half_of_random_programs() -> Result<()> {
    half(1)
}

/// Snippets build, end, give the same result for the same input, and different ones for different
/// inputs; in a soak, sanitizers find nothing in them.
#[test]
fn snippets_are_what_they_should_be() -> Result<()> {
    let sanitized = [
        "-O1",
        "-fsanitize=address,undefined",
        "-fno-sanitize-recover=all",
    ];
    let (calls, options): (usize, &[&str]) = match number("ELSEWISE_RANDOM_BORDERS") {
        Some(_) => (600, &sanitized),
        None => (300, &["-O0"]),
    };
    let mut constant = Vec::new();
    for file in table()? {
        let folder = tempfile::tempdir()?;
        let results =
            results(&file, calls, options, folder.path()).with_context(|| file.name.clone())?;
        let calls = |form: Form| !matches!(form, Form::Input(_));
        let called = file.snippets.iter().filter(|one| calls(one.form)).count();
        ensure!(results.len() == called, "{}: {results:?}", file.name);
        let same = results.into_iter().filter(|(_, count)| *count == 1);
        constant.extend(same.map(|(name, _)| name));
    }
    ensure!(constant.is_empty(), "always the same result: {constant:?}");
    Ok(())
}
