//! `capture`: runs a build and writes down how it compiles each file.

use crate::args::CaptureArgs;
use crate::exit::Problem;
use crate::{interrupt, native, output};
use elsewise_native::commands::{NAME, capture};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{ExitCode, ExitStatus};

/// The exit code is the build's.
pub fn run(args: &CaptureArgs) -> Result<ExitCode, Problem> {
    interrupt::outlast()?;
    let out = args.out.as_deref().unwrap_or(Path::new(NAME));
    let captured = capture::capture(&args.build, out).map_err(native::problem)?;
    for note in &captured.notes {
        output::warning(note);
    }
    if captured.commands > 0 {
        output::note(&format!(
            "{} of {} in {}",
            number(captured.commands, "compilation"),
            number(captured.files, "file"),
            describe(out, captured.all),
        ));
    }
    Ok(code(captured.status))
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
