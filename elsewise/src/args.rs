//! The command line. Each flag is defined once, here or by its front end: help, `elsewise.toml` and the book's
//! reference come from this definition.

mod fleet;
mod help;
mod project;
mod settings;

pub use fleet::{PermissionsFor, WorkerArgs};
pub use help::in_short;
pub use project::{CheckArgs, KeepArgs};
pub use settings::Settings;

use crate::budget::Budget;
use crate::languages;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{
    Arg, ArgAction, ArgMatches, Args, Command, CommandFactory, Parser, Subcommand, ValueEnum,
};
use elsewise_cluster::Place;
use elsewise_frontend::contain::AllowFlags;
use elsewise_frontend::verbs::Format as ResultForm;
use elsewise_report::machine::{FORMATS, Format};
use std::path::PathBuf;

/// Finds the inputs that make a program fail.
///
/// Elsewise runs a program for real, records every choice that the run made, asks a solver what
/// would have made it choose otherwise, and runs it again. It reports only failures that it has
/// seen happen in the uninstrumented program, each with the input that reproduces it.
#[derive(Debug, Parser)]
#[command(name = "elsewise", version, max_term_width = 100, after_help = FEW_EXAMPLES, after_long_help = EXAMPLES)]
pub struct Cli {
    #[command(subcommand)]
    pub verb: Verb,
}

const FEW_EXAMPLES: &str = "\
Examples:
  elsewise explore parser.c    build and explore a C program that reads stdin
  elsewise show                what was found
  elsewise replay              see it fail
  elsewise keep                make it a test of the project

`elsewise COMMAND -h` has a line for each flag, `elsewise COMMAND --help` says more, with examples.";

const EXAMPLES: &str = "\
Examples:
  elsewise explore parser.c                    build and explore a C program that reads stdin
  elsewise explore parser.c --input-size 32    with exactly 32 bytes
  elsewise show                                what was found
  elsewise replay                              see it fail
  elsewise keep                                make it a test of the project
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
  6  --require-complete: no findings, but not explored completely
  7  the result could not be written
  70 a fault of Elsewise's own";

#[derive(Debug, Subcommand)]
pub enum Verb {
    Explore(Box<ExploreArgs>),
    Show(ShowArgs),
    Minimize(MinimizeArgs),
    Replay(ReplayArgs),
    Keep(KeepArgs),
    Check(CheckArgs),
    Status(StatusArgs),
    Report(ReportArgs),
    Export(ExportArgs),
    Worker(WorkerArgs),
    Doctor(DoctorArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
    Lsp(LspArgs),
    Mcp(McpArgs),
}

/// Explore a subject: run it, negate its choices one at a time, report what fails.
///
/// Programs of C and C++ are built by Elsewise itself, or with `CC=elsewise-cc` or `CXX=elsewise-cxx`. A
/// program's standard input is the input, or a file, arguments and variables that are marked as such, and
/// whatever it asks for with `elsewise_input` from `<elsewise.h>`. Harnesses for libFuzzer, KLEE and SV-COMP are
/// subjects as they are. Running the same command again continues where the last one ended.
#[derive(Clone, Debug, Args)]
#[command(after_help = explore_examples())]
pub struct ExploreArgs {
    #[arg(required = true, help = forms())]
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
}

/// The whole command line: what is defined here, and what front ends add to it.
pub fn command() -> Command {
    let mut command = Cli::command();
    let names = command.get_subcommands();
    let names: Vec<String> = names.map(|verb| verb.get_name().to_string()).collect();
    // All of them in turn: whichever is changed becomes the last.
    for name in names {
        command = command.mut_subcommand(&name, |verb| match name.as_str() {
            "explore" => with_groups(verb),
            "report" => with_formats(verb),
            _ => verb,
        });
    }
    for verb in languages::shown().flat_map(|one| one.verbs()) {
        command = command.subcommand((verb.command)());
    }
    let names = command.get_subcommands();
    let names: Vec<String> = names.map(|verb| verb.get_name().to_string()).collect();
    for name in names {
        command = command.mut_subcommand(&name, help::in_two_lengths);
    }
    command
}

/// `explore`, with the flags of all front ends.
fn with_groups(mut explore: Command) -> Command {
    // What a group says of itself is for those who read the code.
    let about = explore.get_about().cloned().unwrap_or_default();
    let long_about = explore.get_long_about().cloned().unwrap_or_default();
    let mut groups = Vec::new();
    for group in languages::shown().flat_map(|one| one.flags()) {
        if !groups.contains(&group) {
            groups.push(group);
            explore = (group.augment)(explore.next_help_heading(group.heading));
        }
    }
    help::with_headings(explore.about(about).long_about(long_about))
}

/// The forms of reports, one of which is wanted.
const FORMS: &str = "form";

/// `report`, with a flag for each format.
fn with_formats(mut report: Command) -> Command {
    for format in FORMATS {
        let flag = Arg::new(format.flag).long(format.flag).help(format.about);
        report = report.arg(flag.action(ArgAction::SetTrue));
    }
    report.mut_group(FORMS, |forms| {
        forms.args(FORMATS.iter().map(|format| format.flag))
    })
}

/// The format that was asked for, of `report`.
pub fn format_of(matches: &ArgMatches) -> Option<&'static Format> {
    let report = matches.subcommand_matches("report")?;
    FORMATS.iter().find(|format| report.get_flag(format.flag))
}

/// How subjects are written.
fn forms() -> String {
    let forms = languages::shown().flat_map(|one| one.forms());
    let forms: Vec<String> = forms
        .map(|form| format!("{}: {}", form.text, form.means))
        .collect();
    forms.join("\n")
}

fn explore_examples() -> String {
    let examples = languages::shown().flat_map(|one| one.examples());
    let examples: Vec<String> = examples
        .map(|example| format!("  elsewise explore {example}\n"))
        .collect();
    format!("Examples:\n{}\n{IN_FILE}", examples.join(""))
}

/// Who runs exported tests.
fn frameworks() -> impl TypedValueParser<Value = String> {
    let all = languages::shown().flat_map(|one| one.frameworks());
    let all = all.map(|framework| match framework.about {
        "" => PossibleValue::new(framework.name),
        about => PossibleValue::new(framework.name).help(about),
    });
    PossibleValuesParser::new(all.collect::<Vec<_>>())
}

const IN_FILE: &str = "\
Every flag above can stand in `elsewise.toml` under its long name (`input-size = 20`); a flag on
the command line wins.";

/// Forms of a result that is about places in the source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ResultFormat {
    #[default]
    Text,
    Json,
    /// Lines as compilers write them, for editors
    Problems,
}

/// Run one case on the uninstrumented program and show what happens.
///
/// Exit code 2 when it fails, 0 when it does not.
#[derive(Debug, Args)]
#[command(
    after_help = REPLAY_EXAMPLES,
    override_usage = "elsewise replay [OPTIONS] [CAMPAIGN] [CASE]"
)]
pub struct ReplayArgs {
    /// A finding's number, run:N for the case of a run, or the folder of a finding or case; before it,
    /// or alone, a campaign or its subject, as in parser.c [default: the first finding].
    #[arg(value_name = "CASE", num_args = 0..=2)]
    pub what: Vec<PathBuf>,

    /// Start gdb on it instead; a schedule of threads is followed, move by move.
    #[arg(long)]
    pub gdb: bool,

    /// Start a shell of the subject's language that has made the call instead.
    #[arg(long, conflicts_with = "gdb")]
    pub shell: bool,

    #[command(flatten)]
    pub allowed: Allowed,

    #[command(flatten)]
    pub place: CampaignArgs,
}

/// What a subject is allowed. What its campaign was explored with does not count: it may be somebody else's.
#[derive(Clone, Debug, Default, Args)]
pub struct Allowed {
    /// Run what a campaign has that was not made here by you, or was changed since.
    #[arg(long)]
    pub trust: bool,

    #[command(flatten)]
    pub flags: AllowFlags,
}

const REPLAY_EXAMPLES: &str = "\
Examples:
  elsewise replay                                 the first finding of the newest campaign here
  elsewise replay 2                               finding 2 of it
  elsewise replay parser.c 2                      finding 2 of the campaign of parser.c
  elsewise replay parser.elsewise/findings/2      the same, from anywhere
  elsewise replay 2 --gdb
  elsewise replay run:17";

/// Make the input of a finding smaller: fewer bytes, then plainer ones.
///
/// `explore` does so with each finding it confirms, within 300 runs; this goes on until nothing makes the input
/// smaller, or until the budget ends. The subject is built as `explore` built it. An input counts that fails at the same
/// place in the same way, on the uninstrumented build too. The smaller input takes the place of the one in the
/// finding's folder.
#[derive(Debug, Args)]
#[command(
    after_help = MINIMIZE_EXAMPLES,
    override_usage = "elsewise minimize [OPTIONS] [CAMPAIGN] [FINDING]"
)]
pub struct MinimizeArgs {
    /// A finding's number or folder; before it, or alone, a campaign or its subject [default: the first finding].
    #[arg(value_name = "FINDING", num_args = 0..=2)]
    pub what: Vec<PathBuf>,

    /// Go on for so long, or so many runs, at most: 60s, 5m, 10000runs [default: 60s].
    #[arg(long)]
    pub budget: Option<Budget>,

    #[command(flatten)]
    pub allowed: Allowed,

    /// Options for the compiler, where those of the campaign could make it load or write something.
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true)]
    pub cflags: Option<String>,

    /// The file that the campaign was explored with instead of elsewise.toml.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,

    #[command(flatten)]
    pub place: CampaignArgs,
}

const MINIMIZE_EXAMPLES: &str = "\
Examples:
  elsewise minimize 1
  elsewise minimize parser.elsewise/findings/1 --budget 10m";

/// Show a finding: its place in the source, its stack, its input.
#[derive(Debug, Args)]
#[command(
    after_help = SHOW_EXAMPLES,
    override_usage = "elsewise show [OPTIONS] [CAMPAIGN] [FINDING]"
)]
pub struct ShowArgs {
    /// A finding's number or folder; before it, or alone, a campaign or its subject, as in parser.c.
    /// Without a finding, all are listed.
    #[arg(value_name = "FINDING", num_args = 0..=2)]
    pub what: Vec<PathBuf>,

    /// Draw the memory graph that the function was given, or the schedule, into this file, as SVG.
    #[arg(long, value_name = "FILE", requires = "what")]
    pub svg: Option<PathBuf>,

    /// Write the memory graph into this file for Graphviz.
    #[arg(long, value_name = "FILE", requires = "what", conflicts_with = "svg")]
    pub dot: Option<PathBuf>,

    #[command(flatten)]
    pub place: CampaignArgs,
}

const SHOW_EXAMPLES: &str = "\
Examples:
  elsewise show                        all findings of the newest campaign here
  elsewise show 1                      its finding 1
  elsewise show parser.c               all findings of the campaign of parser.c
  elsewise show parser.elsewise 1
  elsewise show parser.elsewise/findings/1";

/// Show what a campaign has explored, and what keeps it from being complete.
#[derive(Debug, Args)]
pub struct StatusArgs {
    /// The campaign's directory, or its subject, as in parser.c [default: the newest here].
    #[arg(value_name = "CAMPAIGN", conflicts_with = "fleet")]
    pub what: Option<PathBuf>,

    #[command(flatten)]
    pub place: CampaignArgs,

    /// Show how far the members are that meet at this place, as it was given to --fleet.
    #[arg(long, value_name = "PLACE", conflicts_with = "campaign")]
    pub fleet: Option<Place>,

    /// Show that to a browser, and what is new: on this machine only, or at the given address, and then with a token.
    #[arg(
        long,
        value_name = "ADDRESS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "127.0.0.1:0",
        requires = "fleet",
        conflicts_with = "format"
    )]
    pub serve: Option<String>,
}

/// Write what a campaign holds as a page for people or in a form that other tools read.
#[derive(Debug, Args)]
#[command(after_help = REPORT_EXAMPLES)]
pub struct ReportArgs {
    /// The campaign's directory, or its subject, as in parser.c [default: the newest here].
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

/// One of the forms that a report has, beside [`FORMATS`].
#[derive(Clone, Debug, Default, Args)]
#[group(id = FORMS, required = true, multiple = false)]
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

    /// The tree of choices for Graphviz.
    #[arg(long)]
    pub dot: bool,

    /// The cases as a test suite of Test-Comp.
    ///
    /// The program is one that calls __VERIFIER_nondet_int and its kin; there is metadata.xml and one XML file for
    /// each case.
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
    /// The campaign's directory, or its subject, as in parser.c [default: the newest here].
    pub campaign: Option<PathBuf>,

    /// The framework that runs the tests [default: the usual one of the subject's language].
    #[arg(long = "as", value_name = "FRAMEWORK", value_parser = frameworks())]
    pub framework: Option<String>,

    /// Where the tests are written.
    #[arg(long, value_name = "DIR", default_value = "tests")]
    pub out: PathBuf,
}

const EXPORT_EXAMPLES: &str = "\
Examples:
  elsewise export list_concat.elsewise --as cmocka --out tests
  elsewise export --as tap
  elsewise export transfer.elsewise --as eunit --out test";

/// Check that everything is there that Elsewise needs, and say what to install.
#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// Form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub format: ResultForm,
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

/// Serve an editor: a language server on standard input and output.
///
/// Functions get an action that explores them; findings, branches that were not reached, and tests come from there. Nothing
/// is explored unless the editor's user asks for it.
#[derive(Debug, Args)]
pub struct LspArgs {
    /// Accepted since many editors say it: standard input and output are the only way to speak.
    #[arg(long)]
    pub stdio: bool,
}

/// Serve a coding agent: tools of the Model Context Protocol on standard input and output.
///
/// The tools explore, show findings, replay and export in one directory. An agent cannot weaken containment.
#[derive(Debug, Args)]
#[command(after_help = MCP_EXAMPLES)]
pub struct McpArgs {
    /// The directory in which the agent works [default: the working directory].
    #[arg(long, value_name = "DIR")]
    pub folder: Option<PathBuf>,
}

const MCP_EXAMPLES: &str = "\
Examples:
  claude mcp add elsewise -- elsewise mcp
  elsewise mcp --folder src/parser";

/// Which campaign, and how to show it.
#[derive(Debug, Args)]
pub struct CampaignArgs {
    /// Directory of the campaign [default: the newest *.elsewise in the working directory].
    #[arg(long, value_name = "DIR")]
    pub campaign: Option<PathBuf>,

    /// Form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub format: ResultForm,
}

#[cfg(test)]
mod tests {
    use super::*;
    use elsewise_frontend::Exit;

    #[test]
    fn definition_is_sound() {
        command().debug_assert();
    }

    /// What is written for others to start is understood.
    #[test]
    fn members_are_deployed_with_flags_that_exist() {
        let command = command();
        let flags: Vec<String> = ["explore", "worker"]
            .iter()
            .filter_map(|verb| command.find_subcommand(verb))
            .flat_map(|verb| verb.get_arguments())
            .filter_map(|flag| Some(format!("--{}", flag.get_long()?)))
            .collect();
        let deploy = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../deploy");
        for file in [
            "compose.yaml",
            "kubernetes/members.yaml",
            "systemd/elsewise-worker@.service",
        ] {
            let text = std::fs::read_to_string(deploy.join(file)).unwrap();
            let said = text.lines().filter(|line| !line.trim().starts_with('#'));
            let words = said.flat_map(|line| line.split([' ', '=', '"', ',', '[', ']']));
            let is_flag = |word: &&str| word.starts_with("--") && *word != "---";
            let used: Vec<&str> = words.filter(is_flag).collect();
            assert!(used.len() > 1, "{file}");
            for flag in used {
                assert!(flags.iter().any(|known| known == flag), "{file}: {flag}");
            }
        }
    }

    #[test]
    fn help_names_every_exit_code() {
        for exit in Exit::ALL {
            let line = format!("  {:<2} {}", exit.code(), exit.meaning());
            assert!(EXAMPLES.contains(&line), "{line}");
        }
    }
}
