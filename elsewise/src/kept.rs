//! Cases that a project keeps: what says which they are, where they are found, and how they are run again.

use crate::again::{self, Again, Said};
use crate::args::CheckArgs;
use crate::error::VerbError;
use elsewise_campaign::{Finding, Frame, read_unlinked_text};
use elsewise_explore::Outcome;
use elsewise_export::registration::Registered;
use elsewise_frontend::{FrontEndError, Problem, campaigns, made_here};
use elsewise_report::CheckedKept;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

/// Where cases are kept if nothing else is said, seen from the project.
pub const FOLDER: &str = "tests/elsewise";
/// What says of a folder that it is a case.
pub const RECORD: &str = "case.json";
const SCHEMA: u32 = 1;

/// What is kept beside the inputs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KeptRecord {
    schema: u32,
    pub subject: String,
    /// The words of the `explore` that found it.
    pub command: Vec<String>,
    /// What the project's build makes and the script runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    pub finding: KeptFinding,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KeptFinding {
    pub kind: String,
    pub message: String,
    pub file: String,
    pub line: u32,
    pub function: String,
}

impl KeptRecord {
    pub fn new(
        subject: &str,
        command: &[String],
        program: Option<String>,
        finding: &Finding,
    ) -> KeptRecord {
        KeptRecord {
            schema: SCHEMA,
            subject: subject.to_string(),
            command: command.to_vec(),
            program,
            finding: KeptFinding {
                kind: finding.kind.clone(),
                message: finding.message.clone(),
                file: finding.file.clone(),
                line: finding.line,
                function: finding.function.clone(),
            },
        }
    }

    fn read(case: &Path) -> Result<KeptRecord, Problem> {
        let path = case.join(RECORD);
        let damaged = |why: String| FrontEndError::Damaged {
            path: path.clone(),
            why,
        };
        let text = read_unlinked_text(&path).map_err(|error| damaged(error.to_string()))?;
        let record: KeptRecord =
            serde_json::from_str(&text).map_err(|error| damaged(error.to_string()))?;
        match record.schema {
            SCHEMA => Ok(record),
            other => Err(damaged(format!("schema {other} is not known")).into()),
        }
    }
}

/// The cases that a folder is or has.
pub fn in_folder(folder: &Path) -> Vec<PathBuf> {
    let is_case = |folder: &Path| folder.join(RECORD).is_file();
    if is_case(folder) {
        return vec![folder.to_path_buf()];
    }
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut cases: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    cases.retain(|case| is_case(case));
    cases.sort();
    cases
}

/// The cases of a folder, as a build is told of them.
pub fn registered(folder: &Path) -> Vec<Registered> {
    let cases = in_folder(folder);
    let registered = cases.iter().filter_map(|case| {
        let name = case.file_name()?.to_str()?.to_string();
        let program = KeptRecord::read(case).ok()?.program;
        Some(Registered { name, program })
    });
    registered.collect()
}

/// Runs a case on the program as it is now.
pub fn check(case: &Path, said: &CheckArgs) -> Result<CheckedKept, Problem> {
    let is_own = made_here::is_made_here(RECORD, &case.join(RECORD));
    if !is_own && !said.allowed.trust {
        let campaign = case.to_path_buf();
        return Err(FrontEndError::Stranger { campaign }.into());
    }
    let record = KeptRecord::read(case)?;
    let said = Said {
        allowed: &said.allowed.flags,
        cflags: said.cflags.as_deref(),
        config: said.config.as_deref(),
    };
    let Again { mut built, .. } = again::built(&record.command, case, &said, !is_own)?;
    let shown = built.confirm_all(&read(case)?)?;
    let fails = |outcome: &&Outcome| matches!(outcome, Outcome::Failure { .. });
    // The program may run on, and have shown something all the same: a race.
    let outcome = shown.iter().find(fails).or(shown.first());
    let outcome = outcome.cloned().unwrap_or(Outcome::Exit(0));
    let place: &[_] = match &outcome {
        Outcome::Failure { place, .. } => place,
        _ => &[],
    };
    Ok(CheckedKept {
        case: case.to_path_buf(),
        subject: record.subject,
        before: record.finding.kind,
        now: again::words(&outcome),
        fails: fails(&&outcome),
        stack: place.iter().map(Frame::from).collect(),
    })
}

/// The case in a folder: all of its files but ours.
fn read(folder: &Path) -> Result<elsewise_explore::Case, Problem> {
    let mut case = campaigns::read_case(folder)?;
    for ours in [RECORD, elsewise_export::regression::SCRIPT] {
        case.inputs.remove(ours);
    }
    match case.inputs.is_empty() && case.schedule.is_empty() {
        true => Err(VerbError::EmptyCase {
            folder: folder.to_path_buf(),
        }
        .into()),
        false => Ok(case),
    }
}
