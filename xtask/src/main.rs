//! What developers do: `cargo xtask <task>`.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command, not a library"
)]

mod bench;
mod calls;
mod charts;
mod cpu;
mod dist;
mod engine;
mod erlang;
mod functions;
mod headers;
mod known;
mod overhead;
mod packages;
mod picture;
mod prolog;
mod rate;
mod realworld;
mod repository;
mod screenshots;
mod soak;
mod structures;
mod subsume;
mod threaded;
mod threads;
mod tidy;

use anyhow::{Result, bail};
use repository::Repository;
use std::process::ExitCode;

const HELP: &str = "\
Usage: cargo xtask <task>

Tasks:
  bench   measure the yardstick's subjects and print the table that the book has
          (--yardstick DIR when it does not lie beside the checkout)
  calls   write the page of the book on system calls anew, from the table that containment is made
          from
  charts conformance
          run the W3C's tests of SCXML that are within what is read (they come with a package of npm)
  charts coverage [--debug] [--time SECONDSs] [--seed N] [--way NAME] [BRANCHES...]
          branch coverage over time of random models, by each way to search and by random messages,
          drawn in target/charts-BRANCHES.svg
  charts public FOLDER...
          read the state-machine models below some folders, and print how many were read, how many
          were refused, and why
  dist [--check] [--debug]
          make a tarball and a .deb in target/dist; --check installs them in a fresh Debian 12,
          made with debootstrap, and explores something there; --debug packs a debug build
  functions [--time 20s] [--jobs 1] [--last] [--debug] [LIBRARY | LIBRARY::FUNCTION...]
          explore every function of libraries of the distribution without a harness written by hand,
          and print what was built, explored and found, and what findings were judged to be (in
          xtask/judgements); --last shows what was explored before
  headers [--time 15s] [--debug] [NAME...]
          explore the operations of uthash's and libbsd's headers through the wrappers in
          tests/headers, and print what was reached and found
  known [--debug] [NAME...]
          find published bugs in old versions of libraries again, whose source comes with crates
  erlang [--debug] [cuter|overhead|projects...]
          CutEr's examples beside what it needed for them, what instrumentation costs Erlang code, and
          test suites of rebar3 projects on instrumented modules
  overhead [--debug] [NAME...]
          time programs of the distribution at work, plain and instrumented
  overhead compile [--debug] [NAME|eca|models...]
          time the compilation of libraries and of generated sources, by clang and by elsewise-cc
  prolog [--debug] [--time 5s] [speed|LIBRARY...]
          libraries of SWI-Prolog explored predicate by predicate, with what their findings were judged
          to be (in xtask/judgements), and how fast Prolog goes
  packages [NAME...]
          build packages of the distribution with elsewise-cc and run their own test suites, the
          same with plain clang where a test fails (needs apt's archive; kept in
          $ELSEWISE_PACKAGES or the user's cache)
  rate [--debug]
          measure how many runs a second there are on small functions, with a process for each run
          and with one for many
  realworld [--time 10m] [--jobs 1] [--resume] [--debug] [NAME...]
          explore libraries of the distribution through harnesses of ours, fuzz them with AFL++ for
          the same time, do one after the other, and print the branches that each reached; it takes
          two and a half times the time for each library, and --resume keeps what was measured
          before
  screenshots [--debug] [--small] [--yardstick DIR]
          pages of a yardstick subject, a library and a function as pictures in target/screenshots,
          checked for accessibility, and the page of a campaign of a million runs opened (not with
          --small)
  soak [PART...] | soak PART N [FIRST] | soak list
          the tests whose worth is in their number, on many more cases than in .ci/run: all parts
          (less than three hours), some, or one with N cases from number FIRST on; list says which
          parts there are
  structures [--time 60s] [--debug] [NAME...]
          explore every operation of the data structures in tests/structures from its invariant
          alone, and find the two bugs of SGLIB that they can have
  subsume [--yardstick DIR] [--time 60s] [--debug] [conditionals|drivers|cost|files FILE.c...]
          explore programs that are made as device drivers are, and programs with more paths than
          anybody runs, with and without --subsume under each strategy, and see what it costs where
          it cannot help; pictures are left in target/subsume; files are C files of your own
  subsume source REQUESTS STEPS SEED
          print one of these programs; those that are measured have the seed 1
  threaded [--time 30s] [--debug] [NAME...]
          explore real programs and data structures with threads, from packages of the distribution,
          and print what was found and what findings were judged to be (in
          xtask/judgements/threaded.toml)
  threads [--time 60s] [--debug]
          explore subjects with threads whose number of executions is known, and jCUTE's case
          studies, and time a run beside one under ThreadSanitizer
  tidy    check the rules that a script can check: the direction of dependencies, the length of
          ARCHITECTURE.md and of files, what files begin with, the page on system calls, what no file
          may mention

Where ELSEWISE_BIN is set, what explores is that program, with its compilers beside it, and nothing is
built.
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<()> {
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["tidy"] => {
            let repository = Repository::here()?;
            let problems = tidy::check(&repository)?;
            for problem in &problems {
                println!("{problem}");
            }
            if !problems.is_empty() {
                bail!("{} to mend", tidy::count(problems.len(), "problem"));
            }
            println!(
                "tidy: {} checked",
                tidy::count(repository.files().len(), "file")
            );
            Ok(())
        }
        ["calls"] => {
            let changed = calls::write(&Repository::here()?)?;
            let said = if changed { "renewed" } else { "was true" };
            println!("{}: {said}", calls::FILE);
            Ok(())
        }
        ["bench"] => bench::run(Repository::here()?.root(), None),
        ["bench", "--yardstick", folder] => bench::run(Repository::here()?.root(), Some(folder)),
        ["charts", words @ ..] => charts::run(words),
        ["dist", words @ ..] => match dist::Options::new(words) {
            Some(options) => dist::run(Repository::here()?.root(), options),
            None => bail!("`cargo xtask dist` takes --check and --debug"),
        },
        ["functions", words @ ..] => {
            let options = functions::Options::new(words)?;
            functions::run(Repository::here()?.root(), &options)
        }
        ["screenshots", words @ ..] => screenshots::run(Repository::here()?.root(), words),
        ["rate", words @ ..] => rate::run(Repository::here()?.root(), words),
        ["threaded", words @ ..] => threaded::run(Repository::here()?.root(), words),
        ["subsume", words @ ..] => subsume::run(Repository::here()?.root(), words),
        ["structures", words @ ..] => structures::run(Repository::here()?.root(), words),
        ["threads", words @ ..] => threads::run(Repository::here()?.root(), words),
        ["headers", words @ ..] => headers::run(Repository::here()?.root(), words),
        ["known", words @ ..] => known::run(Repository::here()?.root(), words),
        ["erlang", words @ ..] => erlang::run(Repository::here()?.root(), words),
        ["overhead", words @ ..] => overhead::run(Repository::here()?.root(), words),
        ["prolog", words @ ..] => prolog::run(Repository::here()?.root(), words),
        ["packages", names @ ..] => packages::run(Repository::here()?.root(), names),
        ["soak", words @ ..] => soak::run(Repository::here()?.root(), words),
        ["realworld", words @ ..] => {
            let options = realworld::Options::new(words)?;
            realworld::run(Repository::here()?.root(), &options)
        }
        [] | ["help" | "--help" | "-h"] => {
            print!("{HELP}");
            Ok(())
        }
        [task, ..] => {
            bail!("no task \"{task}\" with these arguments; `cargo xtask help` lists them")
        }
    }
}
