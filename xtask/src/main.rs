//! What developers do: `cargo xtask <task>`.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a command, not a library"
)]

mod calls;
mod dist;
mod editor;
mod miri;
mod optional;
mod pictures;
mod release;
mod repository;
mod screenshots;
mod soak;
mod tidy;

use anyhow::{Result, bail};
use repository::Repository;
use std::process::ExitCode;

const HELP: &str = "\
Usage: cargo xtask <task>

Tasks:
  calls   write the page of the book on system calls anew, from the table that containment is made
          from
  dist [--debug] [--built] [--made] [--url URL] [--check [SYSTEM...]]
          make a tarball, a .deb and an .rpm in target/dist, with the pass for each release of LLVM,
          and recipes for Homebrew and Arch that fetch the tarball from URL; --check installs them in fresh systems (debian-12, debian-13, ubuntu-24.04; all if none is
          named), made with debootstrap, and explores something there; --debug packs a debug build,
          --built what cargo has built before; --made takes the packages that are there
  editor  the extension for VS Code in a workbench of its own, driven as a person would, with pictures in
          target/editor; ELSEWISE_BIN, or the debug build, is what explores
  miri [TEST...]
          unit tests of term, wire and solve on Miri, which needs a nightly tool-chain that has it
  optional
          the features that are off by default: buckets of S3, against a server of that kind, which it
          builds, and spans for OpenTelemetry
  pictures [--debug] [FILE...]
          the pictures in docs/src/images that show what the program prints or draws, made anew from
          real runs; all, or those that are named
  release VERSION [--url URL] [--dry-run]
          set the version, date the changelog, and build the packages; says then what to publish;
          --dry-run only shows what would be changed
  screenshots [--debug] [--small] [--yardstick DIR]
          pages of a yardstick subject, a library and a function as pictures in target/screenshots,
          checked for accessibility, and the page of a campaign of a million runs opened (not with
          --small); where ELSEWISE_BIN is set, that program explores, and nothing is built
  soak [PART...] | soak PART N [FIRST] | soak list
          the tests whose worth is in their number, on many more cases than in .ci/run: all parts
          (less than three hours), some, or one with N cases from number FIRST on; list says which
          parts there are
  tidy    check the rules that a script can check: the direction of dependencies, the length of
          ARCHITECTURE.md and of files, what files begin with, the page on system calls, what no file
          may mention

What measures is `cargo measure <name>`: bench, charts, erlang, functions, headers, known, overhead,
packages, prolog, rate, realworld, structures, subsume, threaded, threads.
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
        ["optional"] => optional::run(Repository::here()?.root()),
        ["miri", words @ ..] => miri::run(&Repository::here()?, words),
        ["dist", words @ ..] => match dist::Options::new(words) {
            Some(options) => dist::run(Repository::here()?.root(), &options),
            None => {
                bail!(
                    "`cargo xtask dist` takes --debug, --built, --made, --url URL and --check SYSTEM..."
                )
            }
        },
        ["release", words @ ..] => match release::Options::new(words) {
            Some(options) => release::run(Repository::here()?.root(), &options),
            None => bail!("`cargo xtask release` takes a version, --url URL and --dry-run"),
        },
        ["editor", words @ ..] => editor::run(Repository::here()?.root(), words),
        ["pictures", words @ ..] => pictures::run(Repository::here()?.root(), words),
        ["screenshots", words @ ..] => screenshots::run(Repository::here()?.root(), words),
        ["soak", words @ ..] => soak::run(Repository::here()?.root(), words),
        [] | ["help" | "--help" | "-h"] => {
            print!("{HELP}");
            Ok(())
        }
        [task, ..] => {
            bail!("no task \"{task}\" with these arguments; `cargo xtask help` lists them")
        }
    }
}
