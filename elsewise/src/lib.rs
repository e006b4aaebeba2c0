//! The `elsewise` command: arguments in, words and an exit code out.
//!
//! It is thin: what is explored, stored and shown is the business of the crates below it. It is a
//! library only so that the book's reference can be made from the same definition of the flags.

pub mod args;
pub mod budget;
mod campaigns;
pub mod config;
mod contain;
mod doctor;
pub mod exit;
mod explore;
mod fault;
mod gdb;
mod interrupt;
mod native;
mod output;
mod progress;
mod record;
mod replay;
mod show;
mod status;
mod subject;

use args::{Cli, Verb};
use clap::Parser;
use clap::error::ErrorKind;
use exit::{Exit, Problem};
use std::process::ExitCode;

/// The whole command, from the process's arguments to its exit code.
pub fn main() -> ExitCode {
    fault::guard(|| {
        let cli = match Cli::try_parse() {
            Ok(cli) => cli,
            Err(error) => {
                // A closed pipe must not turn help into a fault.
                let _ = error.print();
                return match error.kind() {
                    ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Exit::Clean,
                    _ => Exit::Usage,
                };
            }
        };
        carry_out(cli.verb).unwrap_or_else(|problem| {
            output::problem(&problem);
            problem.exit
        })
    })
    .into()
}

fn carry_out(verb: Verb) -> Result<Exit, Problem> {
    match verb {
        Verb::Explore(args) => explore::explore(&args),
        Verb::Replay(args) => replay::replay(&args),
        Verb::Show(args) => show::show(&args),
        Verb::Status(args) => status::status(&args),
        Verb::Doctor(args) => doctor::doctor(&args),
    }
}
