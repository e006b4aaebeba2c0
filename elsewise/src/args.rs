//! The command line. Each flag is defined once, here: help, `elsewise.toml` and the book's
//! reference come from this definition.

mod settings;

pub use settings::{MemoryModel, Sanitizer, Settings, Stage, Strategy, Subsumed};

use clap::{Args, Parser, Subcommand, ValueEnum};
use serde::Deserialize;
use std::ffi::OsString;
use std::path::PathBuf;

/// Finds the inputs that make a program fail.
///
/// Elsewise runs a program for real, records every choice that the run made, asks a solver what
/// would have made it choose otherwise, and runs it again. It reports only failures that it has
/// seen happen in the uninstrumented program, each with the input that reproduces it.
#[derive(Debug, Parser)]
#[command(name = "elsewise", version, max_term_width = 100, after_help = EXAMPLES)]
pub struct Cli {
    #[command(subcommand)]
    pub verb: Verb,
}

const EXAMPLES: &str = "\
Examples:
  elsewise explore parser.c                    build and explore a C program that reads stdin
  elsewise explore parser.c --input-size 32    with exactly 32 bytes
  elsewise show                                what was found
  elsewise replay parser.elsewise/findings/1   see it fail
  elsewise check                               run the kept cases again
  elsewise capture -- make                     write down how a project compiles its files
  elsewise doctor                              is everything there that is needed?

Exit codes:
  0  nothing found
  1  wrong usage, or a campaign that cannot be used
  2  findings (replay: the case fails; check: a case ends otherwise)
  3  the budget ended first, nothing found so far
  4  the subject could not be built or run
  5  nothing depends on the program's input, so nothing was tested
  6  --require-complete: nothing found, but something was given up
  7  the result could not be written
  70 a fault of Elsewise's own";

#[derive(Debug, Subcommand)]
pub enum Verb {
    Explore(Box<ExploreArgs>),
    Replay(ReplayArgs),
    Show(ShowArgs),
    Status(StatusArgs),
    Report(ReportArgs),
    Check(CheckArgs),
    Export(ExportArgs),
    Capture(CaptureArgs),
    Doctor(DoctorArgs),
    Cache(CacheArgs),
    Stdlib(StdlibArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

/// Explore a subject: run it, turn its choices around, report what fails.
///
/// The subject is one or more C or C++ source files, which Elsewise builds itself, or an executable
/// that was built with `CC=elsewise-cc` or `CXX=elsewise-cxx`, or a function of C, Erlang or Elixir, or
/// a predicate of Prolog. A program's standard input is the input, or a file, arguments and variables that are marked as such, and whatever it asks for with
/// `elsewise_input` from `<elsewise.h>`. Harnesses for libFuzzer, KLEE and SV-COMP are subjects as
/// they are. Running the same command again continues where the last one ended.
#[derive(Debug, Args)]
#[command(after_help = EXPLORE_EXAMPLES)]
pub struct ExploreArgs {
    /// C or C++ source files (FILE.c ...), one executable built with elsewise-cc, one function of a C
    /// file (FILE.c::FUNCTION) with other files that it needs, one function of an Erlang or Elixir
    /// module (FILE.erl::FUNCTION/ARITY, FILE.beam::FUNCTION/ARITY, FILE.ex::MODULE.FUNCTION/ARITY),
    /// one predicate of a Prolog program (FILE.pl::PREDICATE/ARITY), or a state-machine model
    /// (FILE.qm::CAPSULE, FILE.uml, FILE.scxml) with C files that its actions call.
    #[arg(required = true)]
    pub subject: Vec<String>,

    /// Arguments of the subject. @@ stands for a file with the main input in place of standard
    /// input; @arg or @arg:N at the end of an argument is an input of up to N bytes [default: 8].
    #[arg(last = true)]
    pub args: Vec<String>,

    /// Settings file instead of `elsewise.toml` in the working directory.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Go on with a campaign that was not made here by you, or was changed since.
    #[arg(long)]
    pub trust: bool,

    #[command(flatten)]
    pub settings: Settings,

    /// The words of the command, from `explore` on.
    #[arg(skip)]
    pub typed: Vec<String>,
}

const EXPLORE_EXAMPLES: &str = "\
Examples:
  elsewise explore bst.c --cflags '-DN=3' --input-size 20
  elsewise explore main.c table.c --budget 5m --jobs 2
  elsewise explore parser.c --budget 60s,100000runs --format json
  CC=elsewise-cc make readtags && elsewise explore ./readtags -- -t @@ -l
  elsewise explore src/list.c::list_concat --valid list:list_check
  elsewise explore src/list.c --sequence 'list_new,list_add,list_remove,list_has'
  elsewise explore src/bank.erl::transfer/3 --include include
  elsewise explore lib/bank.ex::Bank.transfer/3
  elsewise explore rules.pl::route/3 --mode 'route(+,+,-)'
  elsewise explore tool.c --env LEVEL=@arg:2 -- --name=@arg:4 -v

Every flag above can stand in `elsewise.toml` under its long name (`input-size = 20`); a flag on
the command line wins.";

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    #[default]
    Text,
    Json,
}

/// Forms of a result that is about places in the source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ResultFormat {
    #[default]
    Text,
    Json,
    /// Lines as compilers write them, for editors
    Problems,
}

/// The word for a value, as it stands on the command line.
pub fn word(value: impl ValueEnum) -> String {
    value
        .to_possible_value()
        .map(|value| value.get_name().to_string())
        .unwrap_or_default()
}

/// Run one case on the uninstrumented program and show what happens.
///
/// Exit code 2 when it fails, 0 when it does not.
#[derive(Debug, Args)]
#[command(after_help = REPLAY_EXAMPLES)]
pub struct ReplayArgs {
    /// A finding's number, run:N for the case of a run, or the folder of a finding or case.
    pub case: String,

    /// Start gdb on it instead; a schedule of threads is followed, move by move.
    #[arg(long)]
    pub gdb: bool,

    /// Start a shell of Erlang, Elixir or Prolog that has made the call instead.
    #[arg(long, conflicts_with = "gdb")]
    pub shell: bool,

    #[command(flatten)]
    pub allowed: Allowed,

    #[command(flatten)]
    pub place: Place,
}

/// What a subject is allowed. What its campaign was explored with does not count: it may be somebody else's.
#[derive(Clone, Debug, Default, Args)]
pub struct Allowed {
    /// Run what a campaign has that was not made here by you, or was changed since.
    #[arg(long)]
    pub trust: bool,

    /// Let the subject use the network and other sockets.
    #[arg(long)]
    pub allow_network: bool,

    /// Let the subject write to this file or directory, too; may be given more than once.
    #[arg(long, value_name = "PATH")]
    pub allow_write: Vec<PathBuf>,

    /// Let the subject do whatever you may do, in the working directory.
    #[arg(long)]
    pub no_containment: bool,
}

const REPLAY_EXAMPLES: &str = "\
Examples:
  elsewise replay 1                               finding 1 of the campaign in this directory
  elsewise replay parser.elsewise/findings/1      the same, from anywhere
  elsewise replay parser.elsewise/findings/1 --gdb
  elsewise replay run:17 --campaign parser.elsewise";

/// Show a finding: its place in the source, its stack, its input.
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// A finding's number or folder; without it, all findings are listed.
    pub finding: Option<String>,

    /// Draw the memory graph that the function was given, or the schedule, into this file, as SVG.
    #[arg(long, value_name = "FILE", requires = "finding")]
    pub svg: Option<PathBuf>,

    /// Write the memory graph into this file for Graphviz.
    #[arg(
        long,
        value_name = "FILE",
        requires = "finding",
        conflicts_with = "svg"
    )]
    pub dot: Option<PathBuf>,

    #[command(flatten)]
    pub place: Place,
}

/// Show what a campaign holds, and what it had to give up.
#[derive(Debug, Args)]
pub struct StatusArgs {
    #[command(flatten)]
    pub place: Place,
}

/// Run the kept cases of campaigns again, on the program as it is now.
///
/// The subject is built as `explore` built it, and the cases that reached something new and those of
/// the findings are run without instrumentation: that takes seconds. Nothing is explored and no
/// campaign is changed. Exit code 0 when every case ends as it did then, or a finding is gone; 2
/// when a case fails that did not, or ends otherwise.
#[derive(Debug, Args)]
#[command(after_help = CHECK_EXAMPLES)]
pub struct CheckArgs {
    /// Directories of campaigns [default: all *.elsewise here].
    pub campaigns: Vec<PathBuf>,

    #[command(flatten)]
    pub allowed: Allowed,

    /// Options for the compiler, where those of a campaign could make it load or write something.
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true)]
    pub cflags: Option<String>,

    /// The file that a campaign was explored with instead of elsewise.toml.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub format: ResultFormat,
}

const CHECK_EXAMPLES: &str = "\
Examples:
  elsewise check                                  before a commit
  elsewise check parser.elsewise --format json";

/// Write what a campaign holds as a page for people or in a form that other tools read.
#[derive(Debug, Args)]
#[command(after_help = REPORT_EXAMPLES)]
pub struct ReportArgs {
    /// The campaign's directory [default: the only one here].
    pub campaign: Option<PathBuf>,

    #[command(flatten)]
    pub form: ReportForm,

    /// An earlier report in SARIF: findings that it has are left out. May be given more than once.
    #[arg(long, value_name = "FILE")]
    pub baseline: Vec<PathBuf>,

    /// File to write [default: standard output; for --html, beside the campaign]; for --test-comp, the
    /// folder [default: test-suite].
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// One of the forms that a report has.
#[derive(Clone, Debug, Default, Args)]
#[group(required = true, multiple = false)]
pub struct ReportForm {
    /// Everything as one page for people, which needs no other file and no network.
    #[arg(long)]
    pub html: bool,

    /// Show that page to a browser, and what is new while the campaign is explored: on this machine
    /// only, or at the given address, and then with a token.
    #[arg(
        long,
        value_name = "ADDRESS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "127.0.0.1:0"
    )]
    pub serve: Option<String>,

    /// Findings as SARIF 2.1.0, with the choices of each run as a code flow: for GitHub and editors.
    #[arg(long)]
    pub sarif: bool,

    /// Findings as JUnit's XML: for CI services.
    #[arg(long)]
    pub junit: bool,

    /// Findings as lines that compilers write, FILE:LINE:COLUMN: error: MESSAGE: for editors.
    #[arg(long)]
    pub problems: bool,

    /// Findings as a comment in Markdown, empty if there are none: for a pull request.
    #[arg(long)]
    pub markdown: bool,

    /// Coverage of branches as lcov's tracefile: for genhtml and coverage views.
    #[arg(long)]
    pub lcov: bool,

    /// Coverage of branches as Cobertura's XML: for GitLab and Jenkins.
    #[arg(long)]
    pub cobertura: bool,

    /// Everything as one JSON document, whose schema is in the book.
    #[arg(long)]
    pub json: bool,

    /// The tree of choices for Graphviz.
    #[arg(long)]
    pub dot: bool,

    /// The cases of a program that calls __VERIFIER_nondet_int and its kin as a test suite of
    /// Test-Comp: metadata.xml and one XML file for each case.
    #[arg(long)]
    pub test_comp: bool,
}

const REPORT_EXAMPLES: &str = "\
Examples:
  elsewise report --html                              writes parser.html beside parser.elsewise
  elsewise report --html -o report.html parser.elsewise
  elsewise report --serve                             the same in a browser, live
  elsewise report --serve=192.0.2.7:8080 parser.elsewise
  elsewise report --sarif -o findings.sarif
  elsewise report --lcov -o coverage.info parser.elsewise && genhtml --branch-coverage coverage.info
  elsewise report --dot parser.elsewise | dot -Tsvg -o tree.svg
  elsewise report --test-comp -o test-suite parser.elsewise
  elsewise report --markdown --baseline main.sarif             what is new since then";

/// Write the cases of a function's campaign as tests.
///
/// One test for each behaviour, as few as reach all that the campaign has reached. What the function
/// returned and changed is what it did, not what it should do: read the tests before you keep them.
/// Failing cases are in a file of their own.
#[derive(Debug, Args)]
#[command(after_help = EXPORT_EXAMPLES)]
pub struct ExportArgs {
    /// The campaign's directory [default: the only one here].
    pub campaign: Option<PathBuf>,

    /// The framework that runs the tests [default: tap; eunit for Erlang, exunit for Elixir,
    /// plunit for Prolog].
    #[arg(long = "as", value_name = "FRAMEWORK")]
    pub framework: Option<TestFramework>,

    /// Where the tests are written.
    #[arg(long, value_name = "DIR", default_value = "tests")]
    pub out: PathBuf,
}

const EXPORT_EXAMPLES: &str = "\
Examples:
  elsewise export list_concat.elsewise --as cmocka --out tests
  elsewise export --as tap
  elsewise export transfer.elsewise --as eunit --out test";

/// Who runs exported tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TestFramework {
    /// The Test Anything Protocol: nothing but the C library
    Tap,
    Cmocka,
    Check,
    Criterion,
    /// GoogleTest, in C++
    Gtest,
    /// For functions of Erlang
    Eunit,
    /// For functions of Elixir
    Exunit,
    /// For predicates of Prolog
    Plunit,
}

/// Run a build and write down how it compiles each file, as `compile_commands.json`.
///
/// The compilers that the build calls by their names are watched; it is not changed otherwise, and
/// its exit code is that of this command. Files that this build does not compile keep what the
/// database says of them already.
#[derive(Debug, Args)]
#[command(after_help = CAPTURE_EXAMPLES)]
pub struct CaptureArgs {
    /// The database to write or to add to [default: compile_commands.json].
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,

    /// The build.
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub build: Vec<OsString>,
}

const CAPTURE_EXAMPLES: &str = "\
Examples:
  elsewise capture -- make -j4
  elsewise capture -- sh -c './configure && make'
  elsewise capture --out db/compile_commands.json -- make CC=clang-22

What is built already is not compiled again, and not seen: clean it first. A compiler that is called
by its path (CC=/opt/bin/gcc) is not seen either: give its name. CMake (with
-DCMAKE_EXPORT_COMPILE_COMMANDS=ON) and Meson write the database themselves.";

/// Check that everything is there that Elsewise needs, and say what to install.
#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// Form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// Show how much is kept of earlier builds, or remove it.
///
/// What was built once and has not changed is taken from there by `elsewise explore`, `elsewise-cc`
/// and `elsewise-cxx`. What was not used for the longest time goes first. ELSEWISE_CACHE_SIZE in the
/// environment says how many MiB are kept at most; with 0 nothing is kept or used.
#[derive(Debug, Args)]
pub struct CacheArgs {
    /// What to do; without it, what is there is shown.
    #[arg(value_enum)]
    pub action: Option<CacheAction>,

    /// Form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CacheAction {
    /// Remove all of it.
    Clear,
}

/// Build the C++ standard library, instrumented.
///
/// Once per machine and version, from the source of GNU's libstdc++ (on Debian the package
/// gcc-12-source). C++ programs that are built afterwards are followed through streams, locales and
/// everything else in it; without it, what they read with `std::cin` is counted as not followed.
#[derive(Debug, Args)]
pub struct StdlibArgs {
    /// A folder libstdc++-v3, or an archive of GCC's source; where the system keeps it, if not
    /// given.
    #[arg(long, value_name = "PATH")]
    pub source: Option<PathBuf>,

    /// Build it even if it is there.
    #[arg(long)]
    pub again: bool,

    /// Form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// Print what a shell needs to complete commands of Elsewise.
#[derive(Debug, Args)]
#[command(after_help = COMPLETIONS_EXAMPLES)]
pub struct CompletionsArgs {
    pub shell: clap_complete::Shell,
}

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  elsewise completions bash > ~/.local/share/bash-completion/completions/elsewise
  elsewise completions zsh > ~/.zfunc/_elsewise
  elsewise completions fish > ~/.config/fish/completions/elsewise.fish";

/// Write manual pages, one for each command.
#[derive(Debug, Args)]
pub struct ManArgs {
    /// Where they are written.
    #[arg(long, value_name = "DIR", default_value = "man")]
    pub out: PathBuf,
}

/// Which campaign, and how to show it.
#[derive(Debug, Args)]
pub struct Place {
    /// Directory of the campaign [default: the only *.elsewise in the working directory].
    #[arg(long, value_name = "DIR")]
    pub campaign: Option<PathBuf>,

    /// Form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exit::Exit;
    use clap::CommandFactory;

    #[test]
    fn definition_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn help_names_every_exit_code() {
        for exit in Exit::ALL {
            let line = format!("  {:<2} {}", exit.code(), exit.meaning());
            assert!(EXAMPLES.contains(&line), "{line}");
        }
    }
}
