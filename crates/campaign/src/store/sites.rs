//! The subject's sites in the store, so that a campaign can be shown without its subject.

use super::{Replay, hash64};
use crate::CampaignError;
use elsewise_explore::{Location, SiteInfo};
use rusqlite::{Connection, params};

/// Most sides of one subject; a bound for what comes from a file.
const MAX_SIDES: u32 = 1 << 28;

/// Bits of the column `hidden`, which once was that alone.
const HIDDEN: u8 = 1;
const CLAUSES: u8 = 2;
const INSERTED: u8 = 4;

fn marks(site: &SiteInfo) -> u8 {
    let marks = [
        (site.hidden, HIDDEN),
        (site.clauses, CLAUSES),
        (site.inserted, INSERTED),
    ];
    let set = marks.into_iter().filter(|(is_set, _)| *is_set);
    set.map(|(_, mark)| mark).sum()
}

fn sum(id: u32, site: &SiteInfo) -> i64 {
    let place = &site.location;
    let mut bytes = Vec::new();
    for number in [
        u64::from(id),
        site.key,
        u64::from(place.line),
        u64::from(place.column),
        u64::from(site.first_side),
        u64::from(site.sides),
        u64::from(marks(site)),
        place.file.len() as u64,
    ] {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    bytes.extend_from_slice(place.file.as_bytes());
    bytes.extend_from_slice(place.function.as_bytes());
    hash64(&bytes)
}

pub(super) fn write_sites(connection: &Connection, sites: &[SiteInfo]) -> rusqlite::Result<()> {
    let mut insert =
        connection.prepare("INSERT INTO sites VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10)")?;
    for (id, site) in (0u32..).zip(sites) {
        insert.execute(params![
            id,
            site.key as i64,
            site.location.file,
            site.location.line,
            site.location.column,
            site.location.function,
            site.first_side,
            site.sides,
            marks(site),
            sum(id, site),
        ])?;
    }
    Ok(())
}

impl Replay<'_> {
    pub fn sites(&self) -> Result<Vec<SiteInfo>, CampaignError> {
        let read = || -> rusqlite::Result<Vec<(u32, SiteInfo, i64)>> {
            self.connection
                .prepare(
                    "SELECT id, key, file, line, column, function, first_side, sides, hidden, sum \
                     FROM sites ORDER BY id",
                )?
                .query_map([], |row| {
                    let site = SiteInfo {
                        key: row.get::<_, i64>(1)? as u64,
                        location: Location {
                            file: row.get(2)?,
                            line: row.get(3)?,
                            column: row.get(4)?,
                            function: row.get(5)?,
                        },
                        first_side: row.get(6)?,
                        sides: row.get(7)?,
                        hidden: row.get::<_, u8>(8)? & HIDDEN != 0,
                        inserted: row.get::<_, u8>(8)? & INSERTED != 0,
                        clauses: row.get::<_, u8>(8)? & CLAUSES != 0,
                        // Only what is given up needs it, and that is in the summary.
                        callee: String::new(),
                    };
                    Ok((row.get(0)?, site, row.get(9)?))
                })?
                .collect()
        };
        let rows = read().map_err(|error| self.damaged(error))?;
        let mut sites = Vec::with_capacity(rows.len());
        for (index, (id, site, expected)) in rows.into_iter().enumerate() {
            let last = site.first_side.checked_add(site.sides);
            if id as usize != index
                || sum(id, &site) != expected
                || last.is_none_or(|last| last > MAX_SIDES)
            {
                return Err(self.damaged(format!("site {index} was changed")));
            }
            sites.push(site);
        }
        Ok(sites)
    }
}
