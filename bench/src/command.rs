//! The list of measurements, and what each is asked for.

use crate::runner::Session;
use crate::{
    bench, charts, ci, compare, erlang, fleet, functions, headers, known, overhead, packages, pair,
    prolog, rate, realworld, scale, structures, subsume, threaded, threads,
};
use anyhow::Result;
use clap::{Parser, Subcommand};

/// Measures what Elsewise costs and finds, and prints tables as the book has them.
#[derive(Parser)]
#[command(
    bin_name = "cargo measure",
    after_help = "Where ELSEWISE_BIN is set, what explores is that program, with its compilers beside it, \
                  and nothing is built. Packages are kept in $ELSEWISE_PACKAGES or the user's cache."
)]
struct Command {
    /// Take the debug build: to try a measurement, not for its figures
    #[arg(long, global = true)]
    debug: bool,
    #[command(subcommand)]
    measurement: Measurement,
}

#[derive(Subcommand)]
enum Measurement {
    /// The yardstick's subjects: paths, times, and what a round of a loop costs
    Bench(bench::Options),
    /// State-machine models of others, read and run, and how fast they are covered
    #[command(subcommand)]
    Charts(charts::Part),
    /// What a pull request waits for besides exploring, when jobs of a CI matrix share a campaign
    Ci(ci::Options),
    /// This build and another on the yardstick, by turns
    Compare(compare::Options),
    /// CutEr's examples, what instrumentation costs Erlang code, and suites of rebar3 projects
    Erlang(erlang::Options),
    /// What workers of one process gain, and members that meet at a server
    Fleet(fleet::Options),
    /// Every function of libraries of the distribution, without a harness written by hand
    Functions(functions::Options),
    /// The operations of uthash's and libbsd's headers, through the wrappers in tests/headers
    Headers(headers::Options),
    /// Published bugs in old versions of libraries, whose source comes with crates, found again
    Known(known::Options),
    /// Programs of the distribution at work, plain and instrumented
    Overhead(overhead::Options),
    /// Packages of the distribution built with elsewise-cc, and their own test suites
    Packages(packages::Options),
    /// Elsewise beside AFL++ on two cores, against two of either, on three libraries
    ///
    /// It takes nine times the time, and more where the machine has other things to do.
    Pair(pair::Options),
    /// Libraries of SWI-Prolog, predicate by predicate, and how fast Prolog goes
    Prolog(prolog::Options),
    /// Runs a second on small functions, with a process for each run and with one for many
    Rate,
    /// Libraries of the distribution through harnesses, beside AFL++ and after it
    ///
    /// It takes two and a half times the time for each library.
    Realworld(realworld::Options),
    /// Fleets of 10 to 10,000 members, simulated with what requests cost a real server
    Scale(scale::Options),
    /// Every operation of the data structures in tests/structures, from its invariant alone
    Structures(structures::Options),
    /// What --subsume gains and costs; pictures are left in target/subsume
    Subsume(subsume::Options),
    /// Real programs and data structures with threads, from packages of the distribution
    Threaded(threaded::Options),
    /// Subjects with threads whose executions are known, jCUTE's case studies, ThreadSanitizer
    Threads(threads::Options),
}

/// Measures what the command line asks for.
pub fn run() -> Result<()> {
    let command = Command::parse();
    let session = Session::new(command.debug)?;
    match &command.measurement {
        Measurement::Bench(options) => bench::run(&session, options),
        Measurement::Charts(part) => charts::run(&session, part),
        Measurement::Ci(options) => ci::run(&session, options),
        Measurement::Compare(options) => compare::run(&session, options),
        Measurement::Erlang(options) => erlang::run(&session, options),
        Measurement::Fleet(options) => fleet::run(&session, options),
        Measurement::Functions(options) => functions::run(&session, options),
        Measurement::Headers(options) => headers::run(&session, options),
        Measurement::Known(options) => known::run(&session, options),
        Measurement::Overhead(options) => overhead::run(&session, options),
        Measurement::Packages(options) => packages::run(&session, options),
        Measurement::Pair(options) => pair::run(&session, options),
        Measurement::Prolog(options) => prolog::run(&session, options),
        Measurement::Rate => rate::run(&session),
        Measurement::Realworld(options) => realworld::run(&session, options),
        Measurement::Scale(options) => scale::run(&session, options),
        Measurement::Structures(options) => structures::run(&session, options),
        Measurement::Subsume(options) => subsume::run(&session, options),
        Measurement::Threaded(options) => threaded::run(&session, options),
        Measurement::Threads(options) => threads::run(&session, options),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        Command::command().debug_assert();
    }
}
