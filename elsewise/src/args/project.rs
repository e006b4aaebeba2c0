//! Verbs for what a project keeps: a finding as a test, and all of that run again.

use super::{Allowed, ResultFormat};
use clap::Args;
use std::path::PathBuf;

/// Keep a finding in the project, as a regression case that its tests run.
///
/// Writes the input and a script into tests/elsewise. The script builds and runs the program alone, and fails while the
/// bug is there. For CTest, Meson, make and cargo, whichever the project has, a file is written that runs all kept cases,
/// and the lines that include it are shown. Findings of functions, predicates and models become tests, as `export` writes
/// them.
#[derive(Debug, Args)]
#[command(
    after_help = KEEP_EXAMPLES,
    override_usage = "elsewise keep [OPTIONS] [CAMPAIGN] [FINDING]"
)]
pub struct KeepArgs {
    /// A finding's number or folder; before it, or alone, a campaign or its subject, as in parser.c
    /// [default: the first finding].
    #[arg(value_name = "FINDING", num_args = 0..=2)]
    pub what: Vec<PathBuf>,

    /// Where cases are kept [default: tests/elsewise; for tests, tests].
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// The name of the case [default: that of the campaign, and the finding's number].
    #[arg(long, value_name = "NAME", value_parser = case_name)]
    pub name: Option<String>,

    /// Directory of the campaign [default: the newest *.elsewise in the working directory].
    #[arg(long, value_name = "DIR")]
    pub campaign: Option<PathBuf>,

    /// The file that the campaign was explored with instead of elsewise.toml.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// Keep what a campaign has that was not made here by you, or was changed since: its words are in the script.
    #[arg(long)]
    pub trust: bool,
}

const KEEP_EXAMPLES: &str = "\
Examples:
  elsewise keep                         the first finding of the newest campaign here
  elsewise keep 2 --name empty-header
  elsewise keep parser.c 2
  tests/elsewise/parser-1/run.sh           builds the program and runs it on the input
  tests/elsewise/parser-1/run.sh ./parser  runs this one";

/// A name that every build system takes.
fn case_name(text: &str) -> Result<String, String> {
    let good = |char: char| char.is_ascii_alphanumeric() || "._-".contains(char);
    match text.chars().all(good) && text.starts_with(|char: char| char.is_ascii_alphanumeric()) {
        true => Ok(text.to_string()),
        false => Err("use letters, digits, `.`, `_` and `-`".into()),
    }
}

/// Run the kept cases of campaigns and of the project again, on the program as it is now.
///
/// The subject is built as `explore` built it, and the cases that reached something new and those of
/// the findings are run without instrumentation: that takes seconds. So are the cases that `keep` has put into
/// tests/elsewise. Nothing is explored and no campaign is changed. Exit code 0 when every case of a campaign ends as it
/// did then, or a finding is gone, and every case of the project passes; 2 when a case fails that did not, or ends
/// otherwise, or one of the project fails.
#[derive(Debug, Args)]
#[command(after_help = CHECK_EXAMPLES)]
pub struct CheckArgs {
    /// Directories of campaigns, or their subjects, as in parser.c; single findings; or folders of kept
    /// cases [default: all *.elsewise here, and tests/elsewise].
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
  elsewise check parser.elsewise --format json
  elsewise check tests/elsewise                   only what `keep` has put there";
