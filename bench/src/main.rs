//! `cargo measure NAME`: measures, and says what was missed.

#![allow(clippy::print_stderr, reason = "a command, not a library")]

use std::process::ExitCode;

fn main() -> ExitCode {
    match elsewise_bench::command::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("measure: {error:#}");
            ExitCode::FAILURE
        }
    }
}
