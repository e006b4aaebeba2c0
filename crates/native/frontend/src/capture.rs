//! `capture`: runs a build and writes down how it compiles each file.

use crate::program_error::problem;
use clap::Args;
use elsewise_driver::commands::{NAME, capture};
use elsewise_frontend::{FrontEndError, Problem, notices};
use signal_hook::consts::SIGINT;
use signal_hook::flag;
use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{ExitCode, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Exit code when a second signal comes before the first was served, as shells have it.
const AT_ONCE: i32 = 130;

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

/// The exit code is the build's.
pub fn run(args: &CaptureArgs) -> Result<ExitCode, Problem> {
    outlast()?;
    let out = args.out.as_deref().unwrap_or(Path::new(NAME));
    let captured = capture::capture(&args.build, out).map_err(problem)?;
    for note in &captured.notes {
        notices::warning(note);
    }
    if captured.commands > 0 {
        notices::note(&format!(
            "{} of {} in {}",
            number(captured.commands, "compilation"),
            number(captured.files, "file"),
            describe(out, captured.all),
        ));
    }
    Ok(code(captured.status))
}

/// The first Ctrl-C is for the build that we wait for, which the terminal tells of it as well.
fn outlast() -> Result<(), Problem> {
    let first = Arc::new(AtomicBool::new(false));
    flag::register_conditional_shutdown(SIGINT, AT_ONCE, Arc::clone(&first))
        .and_then(|_| flag::register(SIGINT, first))
        .map_err(FrontEndError::Signals)?;
    Ok(())
}

fn describe(out: &Path, all: usize) -> String {
    let name = elsewise_report::escape_text(&out.display().to_string());
    format!("{name}, which has {all} in all")
}

fn number(count: usize, word: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {word}{ending}")
}

/// As a shell has it: a build that a signal ended has 128 added to the signal's number.
fn code(status: ExitStatus) -> ExitCode {
    let code = status
        .code()
        .or_else(|| status.signal().map(|signal| 128 + signal))
        .and_then(|code| u8::try_from(code).ok());
    ExitCode::from(code.unwrap_or(u8::MAX))
}
