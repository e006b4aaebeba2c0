//! The `elsewise` command: arguments in, words and an exit code out.
//!
//! It is thin: what is explored, stored and shown is the business of the crates below it. It is a
//! library only so that the book's reference can be made from the same definition of the flags.

#![cfg_attr(
    not(all(feature = "erlang", feature = "prolog", feature = "statechart")),
    allow(
        dead_code,
        unused_imports,
        reason = "front ends share parts that are not used where one is left out"
    )
)]

pub mod args;
mod behaviours;
pub mod budget;
mod cache;
mod calls;
mod campaigns;
mod capture;
mod charts;
mod check;
pub mod config;
mod contain;
mod doctor;
mod erlang;
pub mod exit;
mod explore;
mod export;
mod fault;
mod functions;
mod gdb;
mod interrupt;
mod kept;
mod made_here;
mod manual;
mod native;
mod output;
mod pictures;
mod progress;
mod prolog;
mod ready;
mod record;
mod replay;
mod report;
mod show;
mod shrink;
mod sources;
mod status;
mod stdlib;
mod subject;
mod suite;
mod threads;
mod told;
mod wanted;

use args::{Cli, Verb};
use clap::Parser;
use clap::error::ErrorKind;
use exit::{Exit, Problem};
use std::ffi::OsString;
use std::process::ExitCode;

/// The whole command, from the process's arguments to its exit code.
/// How this program is told to be the process that asks Z3.
pub(crate) const SOLVER: &str = "solver-process";

pub fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().collect();
    if args.get(1).is_some_and(|word| word == SOLVER) {
        elsewise_solve::serve_z3();
    }
    if let Some((text, code)) = elsewise_native::commands::shim(&args) {
        output::note(&text);
        return ExitCode::from(code);
    }
    fault::guard(|| {
        let cli = match Cli::try_parse_from(&args) {
            Ok(cli) => cli,
            Err(error) => {
                output::usage(&error);
                return delivered(match error.kind() {
                    ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Ok(Exit::Clean.into()),
                    _ => Ok(Exit::Usage.into()),
                });
            }
        };
        let typed = args
            .iter()
            .skip(1)
            .map(|word| word.to_string_lossy().into_owned());
        let mut verb = cli.verb;
        if let Verb::Explore(args) = &mut verb {
            args.typed = typed.collect();
        }
        delivered(carry_out(verb))
    })
}

/// How the command ends: whoever did not get the result is not told that all is well.
fn delivered(result: Result<ExitCode, Problem>) -> ExitCode {
    let result = result.and_then(|exit| output::unwritten().map_or(Ok(exit), Err));
    result.unwrap_or_else(|problem| {
        output::problem(&problem);
        problem.exit.into()
    })
}

fn carry_out(verb: Verb) -> Result<ExitCode, Problem> {
    let exit = match verb {
        Verb::Explore(args) => explore::explore(&args),
        Verb::Replay(args) => replay::replay(&args),
        Verb::Show(args) => show::show(&args),
        Verb::Status(args) => status::status(&args),
        Verb::Check(args) => check::check(&args),
        Verb::Report(args) => report::report(&args),
        Verb::Export(args) => export::export(&args),
        Verb::Completions(args) => manual::completions(&args),
        Verb::Man(args) => manual::man(&args),
        Verb::Doctor(args) => doctor::doctor(&args),
        Verb::Cache(args) => cache::cache(&args),
        Verb::Stdlib(args) => stdlib::stdlib(&args),
        // The exit code is that of somebody else.
        Verb::Capture(args) => return capture::run(&args),
    };
    exit.map(ExitCode::from)
}
