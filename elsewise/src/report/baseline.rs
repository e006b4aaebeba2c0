//! Findings that earlier reports have already.

use crate::error::VerbError;
use elsewise_frontend::Problem;
use elsewise_report::machine::FINGERPRINT;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

/// The fingerprints in reports in SARIF.
pub fn known(files: &[PathBuf]) -> Result<BTreeSet<String>, Problem> {
    let mut known = BTreeSet::new();
    for file in files {
        let bad = |source| VerbError::Baseline {
            file: file.clone(),
            source,
        };
        let text = fs::read_to_string(file).map_err(|error| bad(error.into()))?;
        let sarif: Value = serde_json::from_str(&text).map_err(|error| bad(error.into()))?;
        let runs = sarif["runs"].as_array();
        let runs = runs.ok_or_else(|| bad("it is no SARIF".into()))?;
        let results = runs.iter().filter_map(|run| run["results"].as_array());
        let prints = results
            .flatten()
            .filter_map(|result| result["partialFingerprints"][FINGERPRINT].as_str());
        known.extend(prints.map(str::to_owned));
    }
    Ok(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_sarif_is_a_baseline() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("x.sarif");
        let result = r#"{"partialFingerprints":{"elsewise/v1":"segv/a.c/f/"}}"#;
        let text = format!(r#"{{"runs":[{{"results":[{result},{{}}]}},{{}}]}}"#);
        for (text, expected) in [(text.as_str(), 1), (r#"{"runs":[]}"#, 0)] {
            fs::write(&file, text).unwrap();
            assert_eq!(known(std::slice::from_ref(&file)).unwrap().len(), expected);
        }
        for text in ["", "[]", "{}", "\u{0}"] {
            fs::write(&file, text).unwrap();
            let problem = known(std::slice::from_ref(&file)).unwrap_err();
            assert!(
                matches!(problem.error(), Some(VerbError::Baseline { .. })),
                "{problem:?}"
            );
        }
        assert!(known(&[folder.path().join("none")]).is_err());
    }
}
