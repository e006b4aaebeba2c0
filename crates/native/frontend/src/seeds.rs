//! Cases to begin with, from the user's files.

use crate::target_error::TargetError;
use elsewise_explore::Case;
use elsewise_frontend::{Problem, campaigns, notices};
use elsewise_native::Stdin;
use std::fs;
use std::path::Path;

/// Cases to begin with: each file is a main input, which cases keep under `main`, each folder a
/// whole case.
pub fn seeds(folder: &Path, main: &str, stdin: Stdin) -> Result<Vec<Case>, Problem> {
    let cannot = |source| TargetError::UnreadableSeeds {
        folder: folder.to_path_buf(),
        source,
    };
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(cannot)? {
        paths.push(entry.map_err(cannot)?.path());
    }
    // The order in which a directory is listed is nobody's choice; the exploration repeats.
    paths.sort();
    let mut cases = Vec::new();
    for path in &paths {
        let mut case = match path.is_dir() {
            true => campaigns::read_case(path)?,
            false => Case {
                inputs: [(main.to_string(), campaigns::read_input(path)?)].into(),
                ..Case::default()
            },
        };
        let input = case.inputs.entry(main.into()).or_default();
        let length = stdin.length(input.len()) as usize;
        if input.len() > length {
            notices::warning(&format!(
                "the seed {} has {} bytes: only the first {length} are used",
                path.display(),
                input.len()
            ));
        }
        input.resize(length, 0);
        cases.push(case);
    }
    if cases.is_empty() {
        let folder = folder.to_path_buf();
        return Err(TargetError::NoSeeds { folder }.into());
    }
    Ok(cases)
}
