//! When more was looked at of the races of runs that have very many: what is to be tried follows from the order.

use super::{Replay, StoreWriter};
use crate::CampaignError;
use rusqlite::params;

/// What the names begin with of rows that say so, and what is behind all of them.
const LOOK: &str = "look ";
const BEHIND: &str = "look!";

impl StoreWriter {
    /// Writes one down: its number, how many runs there are, and the run that is looked at.
    pub fn note_look(&self, number: u32, (runs, run): (u32, u32)) -> Result<(), CampaignError> {
        self.set_meta(&format!("{LOOK}{number:010}"), &format!("{runs} {run}"))
    }
}

impl Replay<'_> {
    /// All of them in order.
    pub fn looks(&self) -> Result<Vec<(u32, u32)>, CampaignError> {
        let read = || -> rusqlite::Result<Vec<String>> {
            self.connection
                .prepare("SELECT value FROM meta WHERE name >= ?1 AND name < ?2 ORDER BY name")?
                .query_map(params![LOOK, BEHIND], |row| row.get(0))?
                .collect()
        };
        let rows = read().map_err(|error| self.damaged(error))?;
        let look = |row: &String| {
            let (runs, run) = row.split_once(' ')?;
            Some((runs.parse().ok()?, run.parse().ok()?))
        };
        let looks: Option<Vec<_>> = rows.iter().map(look).collect();
        looks.ok_or_else(|| self.damaged("when a run was looked at makes no sense"))
    }
}
