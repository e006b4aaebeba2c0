//! What is kept of a run for people: the files of its case, and how often its data races have been seen.

use crate::CampaignError;
use crate::findings::Failed;
use crate::minimize_schedule::cause_of;
use crate::state::Shared;
use crate::store::{write_case, write_story};
use elsewise_explore::{Case, FailureKind, Outcome, SideId, Trace};

impl Shared {
    /// Counts the executions that have each data race, and those that fail.
    pub(crate) fn count_races(&mut self, trace: &Trace, shown: Option<u32>) {
        let fails = matches!(trace.outcome, Outcome::Failure { .. });
        let is_race = |outcome: &&Outcome| {
            matches!(
                outcome,
                Outcome::Failure {
                    kind: FailureKind::DataRace,
                    ..
                }
            )
        };
        for cause in trace.flaws.iter().filter(is_race).filter_map(cause_of) {
            let seen = self.totals.races.entry(cause).or_default();
            seen.executions += 1;
            if fails {
                seen.failed += 1;
                seen.failure = seen.failure.or(shown);
            }
        }
    }

    /// Files for people; before the transaction, so that what is in the database has them.
    pub(crate) fn write_files(
        &self,
        run: u32,
        case: &Case,
        new_sides: &[SideId],
        failures: &[(u32, &Failed)],
    ) -> Result<(), CampaignError> {
        let dir = self.store.dir();
        if !failures.is_empty() || !new_sides.is_empty() {
            write_case(&dir.join("cases").join(run.to_string()), case)?;
        }
        for (id, failed) in failures {
            let finding = self.findings.rows().get(*id as usize - 1);
            let Some(finding) = finding.filter(|finding| finding.run == run) else {
                continue;
            };
            let public = finding.public(dir, 1, &self.totals.races);
            write_case(&public.path, failed.shorter.as_ref().unwrap_or(case))?;
            write_story(&public.path, &failed.story)?;
            let path = public.path.join("finding.json");
            let text = serde_json::to_string_pretty(&public).unwrap_or_default();
            std::fs::write(&path, text + "\n").map_err(CampaignError::io("write", &path))?;
        }
        Ok(())
    }
}
