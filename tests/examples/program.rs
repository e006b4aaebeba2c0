//! Prints the random program of a seed, or for a range of seeds how many paths each program has.
//!
//! `cargo run -p elsewise-tests --example program -- 17` and `… -- 0 300`.

#![allow(clippy::print_stdout, reason = "a command, not a library")]

use anyhow::{Result, bail};
use elsewise_tests::brute::Truth;
use elsewise_tests::compile::Compiler;
use elsewise_tests::generator::program;

fn main() -> Result<()> {
    let numbers: Vec<u64> = std::env::args()
        .skip(1)
        .map(|word| word.parse())
        .collect::<Result<_, _>>()?;
    match numbers.as_slice() {
        [seed] => print!("{}", program(*seed).source),
        [from, to] => {
            let folder = tempfile::tempdir()?;
            for seed in *from..*to {
                let program = program(seed);
                let truth = Truth::of(&program, Compiler::Gcc, &["-O0"], folder.path())?;
                println!(
                    "seed {seed}: {} bytes, {} paths, aborts: {}",
                    program.bytes,
                    truth.paths().len(),
                    truth.aborts()
                );
            }
        }
        _ => bail!("give a seed, or the first seed and the one after the last"),
    }
    Ok(())
}
