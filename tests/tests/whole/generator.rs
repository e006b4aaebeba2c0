//! The random programs are what the comparison with them needs: they compile, mean one thing only,
//! and have enough paths to be worth it and few enough to be explored.

use anyhow::{Context, Result, ensure};
use elsewise_tests::brute::{Comparison, PathEnd, Truth, run_one};
use elsewise_tests::checked::unless_checked;
use elsewise_tests::compile::Compiler;
use elsewise_tests::generator::program;

/// What the checks depend on.
const FILES: &[&str] = &[
    "tests/src/generator.rs",
    "tests/src/generator",
    "tests/src/brute.rs",
    "tests/random/src/lib.rs",
    "tests/tests/whole/generator.rs",
];

/// The seeds, in as many tests as keep all processors busy.
fn agree(seeds: std::ops::Range<u64>) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let (mut rich, mut aborting, number) = (0, 0, seeds.end - seeds.start);
    for seed in seeds {
        let program = program(seed);
        let gcc = Truth::of(&program, Compiler::Gcc, &["-O0"], folder.path())
            .with_context(|| format!("seed {seed}"))?;
        let clang = Truth::of(&program, Compiler::Clang, &["-O2"], folder.path())
            .with_context(|| format!("seed {seed}"))?;
        ensure!(
            gcc == clang,
            "seed {seed} means one thing to gcc and another to clang"
        );
        rich += u64::from(gcc.paths().len() >= 10);
        aborting += u64::from(gcc.aborts());
    }
    ensure!(
        rich * 2 > number,
        "only {rich} of {number} programs have ten paths or more"
    );
    ensure!(
        aborting * 10 > number && aborting * 10 < 9 * number,
        "{aborting} programs abort"
    );
    Ok(())
}

#[test]
fn both_compilers_agree_on_every_input_of_seeds_0_to_99() -> Result<()> {
    unless_checked(
        "generator::both_compilers_agree_on_every_input_of_seeds_0_to_99",
        FILES,
        || agree(0..100),
    )
}

#[test]
fn both_compilers_agree_on_every_input_of_seeds_100_to_199() -> Result<()> {
    unless_checked(
        "generator::both_compilers_agree_on_every_input_of_seeds_100_to_199",
        FILES,
        || agree(100..200),
    )
}

#[test]
fn both_compilers_agree_on_every_input_of_seeds_200_to_299() -> Result<()> {
    unless_checked(
        "generator::both_compilers_agree_on_every_input_of_seeds_200_to_299",
        FILES,
        || agree(200..300),
    )
}

#[test]
fn no_input_meets_undefined_behaviour() -> Result<()> {
    unless_checked(
        "generator::no_input_meets_undefined_behaviour",
        FILES,
        || {
            let folder = tempfile::tempdir()?;
            let options = [
                "-O1",
                "-fsanitize=undefined,address",
                "-fno-sanitize-recover=all",
            ];
            for seed in (0..300).step_by(10) {
                // A sanitizer's report ends the run, which is an error here.
                Truth::of(&program(seed), Compiler::Clang, &options, folder.path())
                    .with_context(|| format!("seed {seed}"))?;
            }
            Ok(())
        },
    )
}

#[test]
fn the_ordinary_build_goes_the_way_that_brute_force_says() -> Result<()> {
    unless_checked(
        "generator::the_ordinary_build_goes_the_way_that_brute_force_says",
        FILES,
        || {
            let folder = tempfile::tempdir()?;
            for seed in 0..20 {
                let program = program(seed);
                let truth = Truth::of(&program, Compiler::Gcc, &["-O0"], folder.path())?;
                let source = folder.path().join(format!("program{seed}.c"));
                let ordinary = folder.path().join("ordinary");
                Compiler::Gcc.build(&[source], &["-O1", "-w"], &ordinary)?;
                for (end, input) in truth.paths().iter().take(20) {
                    ensure!(
                        run_one(&ordinary, input)? == *end,
                        "seed {seed}, input {input:?}"
                    );
                }
            }
            Ok(())
        },
    )
}

#[test]
fn a_comparison_sees_what_is_missing() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let program = (0..)
        .map(program)
        .find(|program| program.bytes == 2)
        .context("no seed")?;
    let truth = Truth::of(&program, Compiler::Gcc, &["-O0"], folder.path())?;
    let paths: Vec<(PathEnd, Vec<u8>)> = truth.paths().into_iter().collect();
    let cases: Vec<Vec<u8>> = paths.iter().map(|(_, input)| input.clone()).collect();
    let number = paths.len() as u64;
    let aborts = truth.aborts();
    ensure!(number > 1, "a program with one path shows nothing");
    ensure!(truth.compare(&cases, number, aborts)?.is_equal());

    let Comparison { missed, .. } = truth.compare(&cases[1..], number, aborts)?;
    ensure!(missed == paths[..1], "{missed:?}");
    ensure!(!truth.compare(&cases[1..], number, aborts)?.is_equal());
    ensure!(!truth.compare(&cases, number + 1, aborts)?.is_equal());
    ensure!(!truth.compare(&cases, number, !aborts)?.is_equal());
    ensure!(truth.look_up(&[1]).is_err());
    Ok(())
}
