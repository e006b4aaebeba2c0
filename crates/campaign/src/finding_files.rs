//! What is kept of a finding for people: the files of its case, its story, and what is known of it.

use crate::findings::{Failed, Findings};
use crate::store::{write_case, write_story};
use crate::summary::Races;
use crate::{CampaignError, Finding};
use elsewise_explore::Case;
use std::path::Path;

/// Writes the files of findings that a run has shown; before the transaction, so that what is in the database has
/// them.
pub(crate) fn write_files(
    dir: &Path,
    findings: &Findings,
    races: &Races,
    run: u32,
    case: &Case,
    failures: &[(u32, &Failed)],
) -> Result<(), CampaignError> {
    for (id, failed) in failures {
        let finding = findings.rows().get(*id as usize - 1);
        let Some(finding) = finding.filter(|finding| finding.run == run) else {
            continue;
        };
        let public = finding.public(dir, 1, races);
        write_case(&public.path, failed.shorter.as_ref().unwrap_or(case))?;
        write_story(&public.path, &failed.story)?;
        write_finding(&public)?;
    }
    Ok(())
}

/// Writes down what is known of a finding, in its folder.
pub(crate) fn write_finding(finding: &Finding) -> Result<(), CampaignError> {
    let path = finding.path.join("finding.json");
    let text = serde_json::to_string_pretty(finding).unwrap_or_default();
    std::fs::write(&path, text + "\n").map_err(CampaignError::io("write", &path))
}
