//! The command line. Each flag is defined once, here: help, `elsewise.toml` and the book's
//! reference come from this definition.

use crate::budget::Budget;
use clap::{Args, Parser, Subcommand, ValueEnum};
use elsewise_explore::schedule::Schedules;
use serde::{Deserialize, Deserializer};
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
    Completions(CompletionsArgs),
    Man(ManArgs),
}

/// Explore a subject: run it, turn its choices around, report what fails.
///
/// The subject is one or more C or C++ source files, which Elsewise builds itself, or an executable
/// that was built with `CC=elsewise-cc` or `CXX=elsewise-cxx`. Its standard input is the input, or a
/// file, arguments and variables that are marked as such, and whatever it asks for with
/// `elsewise_input` from `<elsewise.h>`. Harnesses for libFuzzer, KLEE and SV-COMP are subjects as
/// they are. Running the same command again continues where the last one ended.
#[derive(Debug, Args)]
#[command(after_help = EXPLORE_EXAMPLES)]
pub struct ExploreArgs {
    /// C or C++ source files (FILE.c ...), one executable built with elsewise-cc, or one function
    /// of a C file (FILE.c::FUNCTION), with other files that it needs.
    #[arg(required = true)]
    pub subject: Vec<String>,

    /// Arguments of the subject. @@ stands for a file with the main input in place of standard
    /// input; @arg or @arg:N at the end of an argument is an input of up to N bytes [default: 8].
    #[arg(last = true)]
    pub args: Vec<String>,

    /// Settings file instead of `elsewise.toml` in the working directory.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,

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
  elsewise explore tool.c --env LEVEL=@arg:2 -- --name=@arg:4 -v

Every flag above can stand in `elsewise.toml` under its long name (`input-size = 20`); a flag on
the command line wins.";

/// What `explore` can be told, on the command line or in `elsewise.toml`.
#[derive(Clone, Debug, Default, Args, Deserialize)]
#[serde(rename_all = "kebab-case", default, deny_unknown_fields)]
pub struct Settings {
    /// Flags for the compiler, as a shell would read them: '-DN=3 -Iinclude'.
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true)]
    pub cflags: Option<String>,

    /// Build the subject with clang's sanitizers, separated by commas, and report what they find.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub sanitize: Vec<Sanitizer>,

    /// The main input (standard input, or the file that @@ stands for) has exactly this many
    /// bytes; without it, its length is explored too.
    #[arg(long, value_name = "BYTES")]
    pub input_size: Option<u32>,

    /// The main input has at most this many bytes [default: 4096].
    #[arg(long, value_name = "BYTES")]
    pub max_input: Option<u32>,

    /// Set a variable in the subject's environment; in VALUE, @@ and @arg mean what they mean in
    /// arguments.
    #[arg(long, value_name = "NAME=VALUE")]
    pub env: Vec<String>,

    /// End after a time, a number of runs, or whichever comes first: 60s, 5m, 1000runs,
    /// 60s,1000runs [default: until all is explored].
    #[arg(long)]
    pub budget: Option<Budget>,

    /// How the next alternative is picked [default: mix].
    #[arg(long, value_enum)]
    pub strategy: Option<Strategy>,

    /// Turn around only the first N choices of a run.
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,

    /// Seed of everything that is picked at random [default: 0].
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// Begin with the inputs in this directory: each file is one main input.
    #[arg(long, value_name = "DIR")]
    pub seeds: Option<PathBuf>,

    /// Milliseconds that one run may take; longer is a hang [default: 2000].
    #[arg(long, value_name = "MS")]
    pub timeout: Option<u64>,

    /// Megabytes of memory that one run may use [default: 2048].
    #[arg(long, value_name = "MB")]
    pub memory: Option<u64>,

    /// Megabytes that one run may write to files [default: 256].
    #[arg(long, value_name = "MB")]
    pub disk: Option<u64>,

    /// Let the subject use the network and other sockets.
    #[arg(long)]
    pub allow_network: bool,

    /// Let the subject write to this file or directory, too; may be given more than once.
    #[arg(long, value_name = "PATH")]
    pub allow_write: Vec<PathBuf>,

    /// Run the subject in this directory, which it may only read, instead of in one of its own.
    #[arg(long, value_name = "DIR")]
    pub workdir: Option<PathBuf>,

    /// Let the subject do whatever you may do, in the working directory.
    #[arg(long)]
    pub no_containment: bool,

    /// Give every run a process of its own, even where one that has changed nothing could have the
    /// next, too.
    #[arg(long)]
    pub fork: bool,

    /// Workers that explore at the same time; with one, the order of runs repeats exactly unless
    /// queries take long [default: 1].
    #[arg(long, value_name = "N")]
    pub jobs: Option<u16>,

    /// Directory of the campaign [default: SUBJECT.elsewise].
    #[arg(long, value_name = "DIR")]
    pub campaign: Option<PathBuf>,

    /// Put an existing campaign aside and begin anew.
    #[arg(long)]
    pub fresh: bool,

    /// Form of the result: text, one JSON object, or lines as compilers write them, all on standard
    /// output [default: text].
    #[arg(long, value_enum)]
    pub format: Option<ResultFormat>,

    /// No progress, only the result.
    #[arg(long, short)]
    pub quiet: bool,

    /// Milliseconds that one query to the solver may take [default: 5000].
    #[arg(long, value_name = "MS")]
    pub query_timeout: Option<u64>,

    /// Solver stages to leave out, separated by commas: slice, syntactic, cache, search, bitblast,
    /// enumerate, z3.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub stages_off: Vec<Stage>,

    /// Values to try where a run goes on with one value of many [default: 256].
    #[arg(long, value_name = "N")]
    pub max_values: Option<u32>,

    /// Do not ask what input would make a sum overflow, a shift go too far, an index leave its
    /// array or an allocation fail.
    #[arg(long)]
    pub no_checks: bool,

    /// Which schedules of threads are run: all; bounded:N, those with at most N preemptions; or samples
    /// by chance, random, pct:D (priorities of threads, bugs of depth D) or pos (priorities of moves).
    /// auto is all, and samples after half of the time if all are too many for it [default: auto].
    #[arg(long, value_name = "WHICH")]
    #[serde(deserialize_with = "schedules")]
    pub schedules: Option<Schedules>,

    /// Waits for a condition that may end without a signal, of each thread [default: 0].
    #[arg(long, value_name = "N")]
    pub spurious: Option<u64>,

    /// Functions of a data structure, separated by commas: in every execution, their results must be
    /// those of some order in which the same calls come one after the other.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub linearizable: Vec<String>,

    /// Moves of threads after which a run counts as one that does not end [default: 100000].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub moves: Option<u64>,

    /// The parameter P of the function is an array of N elements, where N is another parameter;
    /// without it, that is told from their names.
    #[arg(long, value_name = "P:N")]
    pub array: Vec<String>,

    /// Variables at file scope that the function uses are inputs too.
    #[arg(long)]
    pub globals: bool,

    /// Explore calls of these functions of the file, in any order that begins with the first of
    /// them: 'new,add,remove'. What one returns others are given.
    #[arg(long, value_name = "FUNCTIONS", value_delimiter = ',')]
    pub sequence: Vec<String>,

    /// Calls of a sequence, at most [default: 6].
    #[arg(long, value_name = "N")]
    pub steps: Option<u32>,

    /// Only values of this type count for which FUNCTION, called with one, does not return 0; in a
    /// sequence, it must not return 0 after any step.
    #[arg(long, value_name = "TYPE:FUNCTION")]
    pub valid: Vec<String>,

    /// Link the real FUNCTION, from whichever file of the build defines it, in place of a stub.
    #[arg(long, value_name = "FUNCTION")]
    pub real: Vec<String>,

    /// At most so many objects of each type [default: 24].
    #[arg(long, value_name = "N")]
    pub max_objects: Option<u32>,

    /// Arrays have at most so many elements [default: 8].
    #[arg(long, value_name = "N")]
    pub max_array: Option<u32>,

    /// Strings have at most so many characters [default: 8].
    #[arg(long, value_name = "N")]
    pub max_string: Option<u32>,

    /// The compilation database, or its folder, that says how the function's file is compiled
    /// [default: compile_commands.json beside the file or above it].
    #[arg(long, value_name = "PATH")]
    pub compile_commands: Option<PathBuf>,
}

/// As the flag has it.
fn schedules<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Schedules>, D::Error> {
    let text = String::deserialize(from)?;
    text.parse().map(Some).map_err(serde::de::Error::custom)
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Strategy {
    /// By what has paid lately
    #[default]
    Mix,
    /// Nearest to a run that counts
    Near,
    /// Deepest first
    Dfs,
    /// All alternatives of the run that added most
    Generational,
    /// Any, with equal chance
    Random,
    /// Nearest to what no run has reached
    Cfg,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sanitizer {
    /// Accesses outside of an object, or after its end
    Address,
    /// Undefined behaviour
    Undefined,
    /// Memory that is not freed
    Leak,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    Slice,
    Syntactic,
    Cache,
    Search,
    Bitblast,
    Enumerate,
    Z3,
}

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

    #[command(flatten)]
    pub place: Place,
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

    /// The framework that runs the tests.
    #[arg(long = "as", value_name = "FRAMEWORK", default_value = "tap")]
    pub framework: TestFramework,

    /// Where the tests are written.
    #[arg(long, value_name = "DIR", default_value = "tests")]
    pub out: PathBuf,
}

const EXPORT_EXAMPLES: &str = "\
Examples:
  elsewise export list_concat.elsewise --as cmocka --out tests
  elsewise export --as tap";

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
