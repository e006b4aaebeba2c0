//! `cargo xtask mutate`: the tests that damage what the engine reads, many more times.

use anyhow::{Result, ensure};
use std::path::Path;
use std::process::Command;

/// Traces, executables with their program maps, objects with their debug information, rows of a store, whole databases.
const TESTS: [&str; 5] = [
    "no_mutation_makes_decoding_panic",
    "no_damage_to_an_executable_makes_reading_it_panic",
    "no_damage_to_an_object_makes_reading_its_types_panic",
    "damaged_bytes_are_errors",
    "mutated_databases_never_panic",
];

pub fn run(root: &Path, times: u64) -> Result<()> {
    let status = Command::new(env!("CARGO"))
        // The whole workspace, so that what the test suite has built serves here too.
        .args(["test", "--workspace", "--lib", "--test", "damage", "--"])
        .args(TESTS)
        .current_dir(root)
        .env("ELSEWISE_MUTATIONS", times.to_string())
        .status()?;
    ensure!(status.success(), "something could not bear being damaged");
    println!(
        "{times} mutations of each of {} kinds: no panic",
        TESTS.len()
    );
    Ok(())
}
