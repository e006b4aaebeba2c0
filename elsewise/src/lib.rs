//! The `elsewise` command: arguments in, words and an exit code out.
//!
//! It is thin: what is explored, stored and shown is the business of the crates below it, and what a language is that
//! of its front end (`languages.rs` has the list). It is a library so that the book's reference can be made from the
//! same definition of the flags, and so that a front end can be tried before it is on the list.

mod again;
pub mod args;
mod assist;
pub mod budget;
mod campaigns;
mod check;
pub mod config;
mod default_campaign;
mod doctor;
mod error;
mod explore;
mod export;
mod fault;
mod fleet;
mod fleet_status;
mod http;
mod interrupt;
mod jobs;
mod keep;
mod kept;
mod keys;
pub mod languages;
mod manual;
mod metrics;
mod minimize;
mod named;
mod options;
mod output;
mod progress;
pub mod quota;
mod replay;
mod report;
mod request;
mod settings_error;
pub mod shard;
mod show;
mod status;
mod telemetry;

use args::{Cli, Verb};
use clap::error::ErrorKind;
use clap::{ArgMatches, FromArgMatches};
use elsewise_frontend::{Exit, FrontEnd, Problem, notices};
use std::ffi::OsString;
use std::process::ExitCode;

/// How this program is told to be the process that asks Z3.
pub(crate) const SOLVER: &str = "solver-process";

/// The whole command with these front ends, from the process's arguments to its exit code.
pub fn main(front_ends: &'static [&'static dyn FrontEnd]) -> ExitCode {
    languages::install(front_ends);
    notices::go_to(&output::Printed);
    let args: Vec<OsString> = std::env::args_os().collect();
    if args.get(1).is_some_and(|word| word == SOLVER) {
        elsewise_solve::serve_z3();
    }
    if let Some(code) = front_ends.iter().find_map(|one| one.helper(&args)) {
        return code;
    }
    let command = move || command(&args);
    let deep = std::thread::Builder::new().stack_size(elsewise_campaign::STACK);
    match deep.spawn(command.clone()) {
        Ok(deep) => deep.join().unwrap_or_else(|_| Exit::Fault.into()),
        Err(_) => command(),
    }
}

/// The command itself, by its arguments.
fn command(args: &[OsString]) -> ExitCode {
    fault::guard(|| {
        let matches = args::command().try_get_matches_from(args);
        let (matches, cli) = match matches.and_then(|given| {
            let cli = own_verb(&given)
                .then(|| Cli::from_arg_matches(&given))
                .transpose()?;
            Ok((given, cli))
        }) {
            Ok(parsed) => parsed,
            Err(error) => {
                // The short form has fewer lines than what is parsed with.
                let is_short =
                    error.kind() == ErrorKind::DisplayHelp && args.iter().any(|word| word == "-h");
                let short = is_short.then(|| args::in_short(args::command()));
                let short = short.and_then(|short| short.try_get_matches_from(args).err());
                let error = short.unwrap_or(error);
                output::usage(&error);
                return delivered(match error.kind() {
                    ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Ok(Exit::Clean.into()),
                    _ => Ok(Exit::Usage.into()),
                });
            }
        };
        let typed = args.iter().skip(1);
        let typed = typed.map(|word| word.to_string_lossy().into_owned());
        delivered(match cli {
            Some(cli) => carry_out(cli.verb, &matches, typed.collect()),
            None => of_front_end(&matches),
        })
    })
}

/// Is the verb one of those that are for all front ends?
fn own_verb(matches: &ArgMatches) -> bool {
    let verbs = languages::all().iter().flat_map(|one| one.verbs());
    let mut names = verbs.map(|verb| (verb.command)().get_name().to_string());
    let given = matches.subcommand_name();
    !names.any(|name| Some(name.as_str()) == given)
}

/// A verb that a front end has added.
fn of_front_end(matches: &ArgMatches) -> Result<ExitCode, Problem> {
    let Some((name, given)) = matches.subcommand() else {
        return Ok(Exit::Usage.into());
    };
    let mut verbs = languages::all().iter().flat_map(|one| one.verbs());
    match verbs.find(|verb| (verb.command)().get_name() == name) {
        Some(verb) => (verb.run)(given),
        None => Ok(Exit::Usage.into()),
    }
}

/// How the command ends: whoever did not get the result is not told that all is well.
fn delivered(result: Result<ExitCode, Problem>) -> ExitCode {
    let result = result.and_then(|exit| output::unwritten().map_or(Ok(exit), Err));
    result.unwrap_or_else(|problem| {
        output::problem(&problem);
        problem.exit().into()
    })
}

fn carry_out(verb: Verb, matches: &ArgMatches, typed: Vec<String>) -> Result<ExitCode, Problem> {
    let exit = match verb {
        Verb::Explore(_) => explore::explore(&request::Explore::new(matches, typed)?),
        Verb::Replay(args) => replay::replay(&args),
        Verb::Show(args) => show::show(&args),
        Verb::Minimize(args) => minimize::minimize(&args),
        Verb::Worker(args) => fleet::worker(&args),
        Verb::Status(args) => status::status(&args),
        Verb::Keep(args) => keep::keep(&args),
        Verb::Check(args) => check::check(&args),
        Verb::Report(args) => report::report(&args, args::format_of(matches)),
        Verb::Export(args) => export::export(&args),
        Verb::Completions(args) => manual::completions(&args),
        Verb::Man(args) => manual::man(&args),
        Verb::Lsp(_) => assist::lsp(),
        Verb::Mcp(args) => assist::mcp(&args),
        Verb::Doctor(args) => doctor::doctor(&args),
    };
    exit.map(ExitCode::from)
}
