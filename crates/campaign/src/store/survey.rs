//! A whole campaign as its store tells it: the tree, what was covered when, what was given up
//! where.

use super::{Replay, RunEnd, Store};
use crate::CampaignError;
use elsewise_explore::{Blueprint, Bounds, Coverage, Group, SideId, SiteId, SiteInfo, Tree};
use std::collections::{BTreeMap, BTreeSet};

/// Moments that are kept beside those at which something was new.
const MOMENTS: u64 = 240;

/// All that can be said of a campaign as a whole.
pub struct Survey {
    /// Indexed by [`SiteId`].
    pub sites: Vec<SiteInfo>,
    pub tree: Tree,
    pub coverage: Coverage,
    /// Ascending; the last is that of the last run.
    pub moments: Vec<Moment>,
    /// How each run ended.
    pub ends: Vec<RunEnd>,
    /// Input objects that runs could follow pointers to.
    pub objects: Vec<Group>,
    /// Approximations that happened in runs and beside them, by word and place.
    pub approximations: BTreeMap<(String, Option<SiteId>), u64>,
}

/// How things stood after a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// In the campaign's life: time between explorations does not count.
    pub millis: u64,
    pub runs: u64,
    pub paths: u64,
    /// Branch sides reached.
    pub sides: u32,
    /// Confirmed findings seen.
    pub findings: u32,
}

impl Survey {
    /// The site that a side belongs to, and which of its ways out it is.
    pub fn site_of(&self, side: SideId) -> Option<(SiteId, u32)> {
        let after = self.sites.partition_point(|site| site.first_side <= side.0);
        let at = after.checked_sub(1)?;
        let site = &self.sites[at];
        let way = side.0 - site.first_side;
        (way < site.sides).then_some((SiteId(at as u32), way))
    }
}

impl Store {
    /// The subject's sites.
    pub fn sites(&self) -> Result<Vec<SiteInfo>, CampaignError> {
        self.replay().sites()
    }

    /// Reads the whole campaign; of one that is being explored, how it stood at one moment.
    pub fn survey(&self) -> Result<Survey, CampaignError> {
        let replay = self.replay();
        let damaged = |error| replay.damaged(error);
        // Ends without effect: nothing is written.
        let _snapshot = replay.connection.unchecked_transaction().map_err(damaged)?;
        let sites = replay.sites()?;
        let words = replay.words()?;
        let confirmed: BTreeSet<u32> = replay
            .findings()?
            .iter()
            .filter(|finding| finding.confirmed)
            .map(|finding| finding.id)
            .collect();
        let last: Option<i64> = replay
            .connection
            .query_row(
                "SELECT millis FROM runs ORDER BY id DESC LIMIT 1",
                [],
                |row| row.get(0),
            )
            .or_else(|error| match error {
                rusqlite::Error::QueryReturnedNoRows => Ok(None),
                error => Err(error),
            })
            .map_err(damaged)?;
        let every = (last.unwrap_or(0).max(0) as u64 / MOMENTS).max(1);

        let mut tree = Tree::new(bounds(&replay)?);
        let sides = sites.iter().map(|site| site.first_side + site.sides);
        let blueprint = Blueprint {
            sides: sides.max().unwrap_or(0),
            sites,
            ..Blueprint::default()
        };
        let mut coverage = Coverage::new(&blueprint);
        let mut moments: Vec<Moment> = Vec::new();
        let mut ends = Vec::new();
        let mut events = BTreeMap::new();
        let mut seen = BTreeSet::new();
        let mut now = Moment {
            millis: 0,
            runs: 0,
            paths: 0,
            sides: 0,
            findings: 0,
        };
        replay.grow(&mut tree, |tree, id, run, _| {
            for side in &run.trace.new_sides {
                coverage.add(*side);
            }
            replay.count(&run, words.len(), &mut events)?;
            let end = RunEnd::from(run.outcome);
            ends.push(end);
            if let RunEnd::Failure(finding) = end
                && confirmed.contains(&finding)
            {
                seen.insert(finding);
            }
            now = Moment {
                // A clock that was lost with its process must not go backwards.
                millis: run.millis.max(now.millis),
                runs: u64::from(id) + 1,
                paths: tree.paths(),
                sides: coverage.reached(),
                findings: seen.len() as u32,
            };
            let worth = moments.last().is_none_or(|last| {
                last.sides != now.sides
                    || last.findings != now.findings
                    || now.millis >= last.millis + every
            });
            if worth {
                moments.push(now);
            }
            Ok(())
        })?;
        if now.runs > 0 && moments.last() != Some(&now) {
            moments.push(now);
        }
        replay.judge(&mut tree, words.len(), &mut events, |_| true)?;
        let named = |(word, site): (u32, u64)| {
            let site = site
                .checked_sub(1)
                .and_then(|site| u32::try_from(site).ok());
            (words[word as usize].clone(), site.map(SiteId))
        };
        Ok(Survey {
            sites: blueprint.sites,
            tree,
            coverage,
            moments,
            ends,
            objects: replay.objects()?,
            approximations: events
                .into_iter()
                .map(|(key, count)| (named(key), count))
                .collect(),
        })
    }
}

/// The bounds that the campaign's tree applies.
fn bounds(replay: &Replay<'_>) -> Result<Bounds, CampaignError> {
    let identity = replay.meta("identity")?.unwrap_or_default();
    let identity: serde_json::Value =
        serde_json::from_str(&identity).map_err(|error| replay.damaged(error))?;
    let number = |name: &str| {
        let number = identity.get(name)?.as_u64()?;
        u32::try_from(number).ok()
    };
    Ok(Bounds {
        depth: number("depth"),
        values: number("max_values").unwrap_or(256).max(1),
        ..Bounds::default()
    })
}
