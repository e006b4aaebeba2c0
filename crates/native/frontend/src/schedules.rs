//! Cases with threads: only the instrumented program can be told which thread is to move, so a
//! campaign keeps it as soon as there is a finding with a schedule, and such cases are replayed on it.

use crate::build_folder;
use crate::flags::variables;
use crate::program_error::{ProgramError, problem};
use crate::record::NativeRecord;
use elsewise_campaign::{Finding, SCHEDULE};
use elsewise_contain::Containment;
use elsewise_driver::{Cache, Program};
use elsewise_explore::{Case, Outcome, Subject};
use elsewise_frontend::{FrontEndError, Problem, notices, record};
use elsewise_native::{LaidOut, NativeOptions, NativeSubject, lay_out_run};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The instrumented program, beside the uninstrumented one.
pub const EXPLORED: &str = "explored";

/// Has one of these a schedule?
pub fn have_threads(findings: &[Finding]) -> bool {
    let scheduled = |finding: &Finding| finding.path.join(SCHEDULE).is_file();
    findings.iter().any(scheduled)
}

/// Says which functions that are to be operations are none: nothing would be found of them. A library
/// that is loaded later may have them yet.
pub fn warn_of_operations(program: &Program, names: &[String]) {
    for name in names {
        match program.operation(name) {
            Some(true) => {}
            Some(false) => notices::warning(&format!(
                "calls of `{name}` are not told, so --linearizable does not check them: build the program \
                 with CFLAGS=-DELSEWISE_OPERATIONS={}",
                names.join(",")
            )),
            None => notices::warning(&format!(
                "the program has no function `{name}`, so --linearizable does not check its calls: \
                 compare the name with the source"
            )),
        }
    }
}

/// Keeps the instrumented program in a campaign's directory.
pub fn save(program: &Path, campaign: &Path) -> Result<(), Problem> {
    let folder = record::folder(campaign);
    let cannot = FrontEndError::not_saved("the instrumented program", &folder);
    Ok(record::put_copy(&folder, EXPLORED, program).map_err(cannot)?)
}

/// The program that the campaign keeps.
fn explored(campaign: &Path, cache: &Cache) -> Result<Program, Problem> {
    let explored = record::folder(campaign).join(EXPLORED);
    if !explored.is_file() {
        return Err(ProgramError::MissingForThreads { path: explored }.into());
    }
    Program::open_with(&explored, cache).map_err(problem)
}

/// Runs a case by its schedule, on the program that the campaign keeps.
pub fn replay(campaign: &Path, saved: &NativeRecord, case: &Case) -> Result<Outcome, Problem> {
    let (_folder, cache) = build_folder::folder()?;
    follow(&explored(campaign, &cache)?, saved, case)
}

/// Lays a case out in `folder` for a debugger, which is to start the program that comes with it.
pub fn lay_out(
    campaign: &Path,
    saved: &NativeRecord,
    case: &Case,
    folder: &Path,
) -> Result<(PathBuf, LaidOut), Problem> {
    let (_folder, cache) = build_folder::folder()?;
    let program = explored(campaign, &cache)?;
    let options = options(saved, None)?;
    let laid_out = lay_out_run(&program, &options, case, folder).map_err(problem)?;
    Ok((program.instrumented, laid_out))
}

/// Runs a case by its schedule.
fn follow(program: &Program, saved: &NativeRecord, case: &Case) -> Result<Outcome, Problem> {
    let mut shown = follow_all(program, saved, case)?.into_iter();
    let outcome = shown.next().unwrap_or(Outcome::Exit(0));
    Ok(match (outcome, shown.next()) {
        (Outcome::Exit(_), Some(race)) => race,
        (outcome, _) => outcome,
    })
}

/// Runs a case by its schedule: how it ended, and its data races.
pub fn follow_all(
    program: &Program,
    saved: &NativeRecord,
    case: &Case,
) -> Result<Vec<Outcome>, Problem> {
    let (folder, _) = build_folder::folder()?;
    let options = options(saved, Some(folder.path()))?;
    let mut subject = NativeSubject::new(program, &options).map_err(problem)?;
    Ok(subject.confirm_all(case)?)
}

/// How the subject was explored.
fn options(saved: &NativeRecord, place: Option<&Path>) -> Result<NativeOptions, Problem> {
    Ok(NativeOptions {
        args: saved.args.iter().map(Into::into).collect(),
        env: variables(&saved.env)?,
        stdin: saved.stdin(),
        // As findings are confirmed: a slow machine must not look like a hang.
        time_limit: Duration::from_millis(saved.timeout_ms.saturating_mul(3)),
        memory_limit: saved.memory_mb.saturating_mul(1 << 20),
        spurious: saved.threads.spurious,
        memory_model: saved.threads.memory_model.for_threads(),
        move_limit: saved.threads.moves,
        operations: saved.threads.linearizable,
        reuse: false,
        containment: Containment {
            place: place.map(Path::to_path_buf),
            ..saved.containment.containment()
        },
        ..NativeOptions::default()
    })
}
