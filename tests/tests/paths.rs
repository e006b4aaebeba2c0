//! For random small programs, what Elsewise explores is what there is: the paths and outcomes that
//! running the plain program on every input shows, no more and no less.

use anyhow::{Context, Result, ensure};
use elsewise_tests::brute::Truth;
use elsewise_tests::command::explore;
use elsewise_tests::compile::Compiler;
use elsewise_tests::generator::program;
use std::ops::Range;

/// Programs with more paths than this are left to the others: exploring them takes too long here.
const MOST_PATHS: usize = 600;

/// Compares the programs of these seeds with the truth; how many were compared.
fn compare(seeds: Range<u64>) -> Result<u64> {
    let mut compared = 0;
    let mut wrong = Vec::new();
    for seed in seeds {
        let folder = tempfile::tempdir()?;
        let program = program(seed);
        let truth = Truth::of(&program, Compiler::Gcc, &["-O0"], folder.path())?;
        if truth.paths().len() > MOST_PATHS {
            continue;
        }
        compared += 1;
        let source = folder.path().join(format!("program{seed}.c"));
        let options = [
            format!("--input-size={}", program.bytes),
            "--cflags=-w".to_owned(),
        ];
        let explored =
            explore(&[source], &options, folder.path()).with_context(|| format!("seed {seed}"))?;
        let cases: Vec<Vec<u8>> = explored
            .cases
            .iter()
            .map(|case| case.get("stdin").cloned().unwrap_or_default())
            .collect();
        let summary = &explored.summary;
        let aborted = summary
            .findings
            .iter()
            .any(|finding| finding.kind == "abort");
        let comparison = truth.compare(&cases, summary.paths, aborted)?;
        // Where something was given up, the summary must not say complete; here nothing has to be.
        if !comparison.is_equal() || !summary.complete {
            wrong.push(format!(
                "seed {seed}: {} paths, explored {}, complete: {}, approximations: {:?}, abort \
                 differs: {}, missed: {:?}",
                comparison.paths,
                comparison.claimed,
                summary.complete,
                summary.approximations,
                comparison.abort_differs,
                comparison.missed
            ));
        }
    }
    ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(compared)
}

/// A test per range, so that they run side by side and none takes long; 240 seeds in all, so that
/// at least 200 are compared.
macro_rules! ranges {
    ($($name:ident: $range:expr;)*) => {
        $(
            #[test]
            fn $name() -> Result<()> {
                let range: Range<u64> = $range;
                let wanted = (range.end - range.start) * 5 / 6;
                let compared = compare(range)?;
                ensure!(compared >= wanted, "only {compared} programs were compared");
                Ok(())
            }
        )*
    };
}

ranges! {
    seeds_0_to_39: 0..40;
    seeds_40_to_79: 40..80;
    seeds_80_to_119: 80..120;
    seeds_120_to_159: 120..160;
    seeds_160_to_199: 160..200;
    seeds_200_to_239: 200..240;
}
