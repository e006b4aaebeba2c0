//! Cases with threads: only the instrumented program can be told which thread is to move, so a
//! campaign keeps it as soon as there is a finding with a schedule, and such cases are replayed on it.

use crate::exit::Problem;
use crate::record::{self, Record};
use crate::{native, subject};
use elsewise_campaign::{Finding, SCHEDULE};
use elsewise_explore::{Case, Outcome, Subject};
use elsewise_native::{Containment, NativeOptions, NativeSubject, Program};
use std::fs;
use std::path::Path;
use std::time::Duration;

/// The instrumented program, beside the uninstrumented one.
pub const EXPLORED: &str = "explored";

/// Has one of these a schedule?
pub fn have_threads(findings: &[Finding]) -> bool {
    let scheduled = |finding: &Finding| finding.path.join(SCHEDULE).is_file();
    findings.iter().any(scheduled)
}

/// Keeps the instrumented program in a campaign's directory.
pub fn keep(program: &Path, campaign: &Path) -> Result<(), Problem> {
    let folder = record::folder(campaign);
    let write = || -> std::io::Result<()> {
        fs::create_dir_all(&folder)?;
        // Through another name: it may be running.
        let new = folder.join(".new");
        fs::copy(program, &new)?;
        fs::rename(&new, folder.join(EXPLORED))
    };
    write().map_err(|error| {
        Problem::usage(format!(
            "cannot keep the instrumented program in {}: {error}; is the disk full?",
            folder.display()
        ))
    })
}

/// Runs a case by its schedule, on the program that the campaign keeps.
pub fn replay(campaign: &Path, record: &Record, case: &Case) -> Result<Outcome, Problem> {
    let explored = record::folder(campaign).join(EXPLORED);
    if !explored.is_file() {
        return Err(Problem::usage(format!(
            "the case has a schedule of threads, and {}, which can follow it, is missing; run the \
             same `elsewise explore` again to restore it",
            explored.display()
        )));
    }
    let (_folder, cache) = native::folder()?;
    let program = Program::open_with(&explored, &cache).map_err(native::problem)?;
    follow(&program, record, case)
}

/// Runs a case by its schedule.
pub fn follow(program: &Program, record: &Record, case: &Case) -> Result<Outcome, Problem> {
    let (folder, _) = native::folder()?;
    let options = NativeOptions {
        args: record.args.iter().map(Into::into).collect(),
        env: subject::variables(&record.env)?,
        stdin: record.stdin(),
        // As findings are confirmed: a slow machine must not look like a hang.
        time_limit: Duration::from_millis(record.timeout_ms.saturating_mul(3)),
        memory_limit: record.memory_mb.saturating_mul(1 << 20),
        spurious: record.threads.spurious,
        move_limit: record.threads.moves,
        reuse: false,
        containment: Containment {
            place: Some(folder.path().to_path_buf()),
            ..record.containment.containment()
        },
        ..NativeOptions::default()
    };
    let mut subject = NativeSubject::new(program, &options).map_err(native::problem)?;
    subject
        .confirm(case)
        .map_err(|error| Problem::subject(error.to_string()))
}
