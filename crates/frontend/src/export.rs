//! Cases that become tests, and the files that these are.

use crate::error::FrontEndError;
use crate::problem::Problem;
use crate::saved::SavedSubject;
use crate::{campaigns, notices};
use elsewise_campaign::{Finding, RunEnd, Store};
use elsewise_explore::Case;
pub use elsewise_export::File;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Cases that become tests.
const MOST: usize = 500;

/// The cases that become tests: those that reached something new, and those of the findings.
pub fn cases(
    saved: &dyn SavedSubject,
    store: &Store,
) -> Result<Vec<(Case, Option<Finding>)>, Problem> {
    let findings = store.findings()?;
    let mut cases = Vec::new();
    for info in campaigns::runs(store) {
        let info = info?;
        if cases.len() == MOST {
            break;
        }
        let passes = matches!(info.outcome, RunEnd::Exit(_));
        if passes && (info.run == 0 || !info.new.is_empty()) {
            cases.push((store.case(info.run)?, None));
        }
    }
    for finding in findings {
        cases.push((saved.case_of(store, &finding)?, Some(finding)));
    }
    Ok(cases)
}

/// Writes tests, and says where.
pub fn write(files: &[File], folder: &Path) -> Result<(), Problem> {
    fs::create_dir_all(folder).map_err(cannot_write(folder))?;
    for file in files {
        let path = folder.join(&file.name);
        let written = elsewise_campaign::write_unlinked(&path, file.text.as_bytes());
        written.map_err(cannot_write(&path))?;
        notices::result(&format!("{}\n", path.display()));
    }
    Ok(())
}

pub fn cannot_write(path: &Path) -> impl FnOnce(io::Error) -> FrontEndError {
    let path = path.to_path_buf();
    move |source| FrontEndError::UnwrittenTests { path, source }
}

/// A path as seen from a folder; both absolute.
pub fn relative(path: &Path, folder: &Path) -> PathBuf {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let common = path
        .components()
        .zip(folder.components())
        .take_while(|(a, b)| a == b)
        .count();
    if common <= 1 {
        return path;
    }
    let mut seen = PathBuf::new();
    for _ in folder.components().skip(common) {
        seen.push("..");
    }
    seen.extend(path.components().skip(common));
    seen
}
