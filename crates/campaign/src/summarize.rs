//! The summary of what all workers share, as it stands.

use crate::ledger::packed_site;
use crate::schedule_search::{ORDERS, ORDERS_DONE, ORDERS_OPEN};
use crate::state::Shared;
use crate::{
    ApproximationPlace, CampaignError, Ended, Options, SCHEMA, Sides, Subsumption, Summary,
};
use elsewise_explore::{ApproximationKind, Reason};
use std::collections::BTreeMap;

/// Places of approximations that a summary lists.
const PLACES: usize = 20;

impl Shared {
    /// Approximations by word and packed site: those that happened, and alternatives that are
    /// given up now.
    fn approximations(&self) -> BTreeMap<(&str, u64), u64> {
        let mut all: BTreeMap<(&str, u64), u64> = BTreeMap::new();
        for (word, site, count) in self.ledger.approximations() {
            *all.entry((word, site)).or_default() += count;
        }
        for ((reason, site), count) in self.work.tree().given_up() {
            // These two have been counted when they happened.
            if !matches!(reason, Reason::Divergence | Reason::Lost) {
                let key = (reason.kind().word(), packed_site(Some(*site)));
                *all.entry(key).or_default() += count;
            }
        }
        let unconfirmed = self.findings.rows().iter().filter(|row| !row.confirmed);
        match unconfirmed.count() as u64 {
            0 => {}
            count => {
                *all.entry((ApproximationKind::Unconfirmed.word(), 0))
                    .or_default() += count
            }
        }
        all
    }

    pub fn approximation_count(&self) -> u64 {
        self.approximations().values().sum()
    }

    pub fn summary(&self, options: &Options, ended: Ended) -> Summary {
        let dir = self.ledger.dir();
        let totals = self.counts.with_session(&self.session);
        let (tree, coverage) = (self.work.tree(), self.work.coverage());
        let (runs, races) = (u64::from(self.ledger.runs()), &self.counts.totals.races);
        let mut by_kind: BTreeMap<String, u64> = BTreeMap::new();
        let mut places: BTreeMap<(String, String, u32, String, String), u64> = BTreeMap::new();
        for ((word, site), count) in self.approximations() {
            *by_kind.entry(word.to_owned()).or_default() += count;
            let site = site
                .checked_sub(1)
                .and_then(|site| usize::try_from(site).ok());
            let info = site.and_then(|site| self.blueprint.sites.get(site));
            let location = info.map(|info| info.location.clone()).unwrap_or_default();
            let key = (
                word.to_owned(),
                location.file,
                location.line,
                location.function,
                info.map(|info| info.callee.clone()).unwrap_or_default(),
            );
            *places.entry(key).or_default() += count;
        }
        let mut approximation_places: Vec<ApproximationPlace> = places
            .into_iter()
            .map(
                |((kind, file, line, function, callee), count)| ApproximationPlace {
                    kind,
                    file,
                    line,
                    function,
                    callee,
                    count,
                },
            )
            .collect();
        approximation_places.sort_by_key(|place| std::cmp::Reverse(place.count));
        approximation_places.truncate(PLACES);
        Summary {
            schema: SCHEMA,
            subject: options.title.clone(),
            ended,
            runs,
            optimistic_runs: self.counts.optimistic,
            repeated_runs: totals.repeated_runs,
            paths: tree.paths(),
            frontier: tree.frontier() + self.work.schedules.open() as u64,
            complete: ended == Ended::Complete,
            findings: self.findings.public(dir, true, races),
            unconfirmed: self.findings.public(dir, false, races),
            branch_sides: Sides {
                reached: coverage.reached(),
                total: coverage.total(),
            },
            check_sides: match coverage.checks() {
                (_, 0) => None,
                (reached, total) => Some(Sides { reached, total }),
            },
            cpu_seconds: totals.engine_cpu_seconds + totals.subject_cpu_seconds,
            wall_seconds: totals.wall_seconds,
            engine_cpu_seconds: totals.engine_cpu_seconds,
            subject_cpu_seconds: totals.subject_cpu_seconds,
            sanitizer_seconds: totals.sanitizer_seconds,
            queries: totals.queries,
            approximations: by_kind,
            approximation_places,
            bounds: options.all_bounds(tree.has_threads()),
            strategy: options.strategy.clone(),
            seed: options.seed,
            workers: self.session.workers as u64,
            schedules: tree
                .has_threads()
                .then(|| self.work.schedules.searched(runs)),
            subsumption: self.subsumed(options),
            resumed: self.session.resumed,
            campaign: dir.to_owned(),
            rotated: self.session.rotated.clone(),
        }
    }

    /// What subsumption did, in this session and earlier ones.
    fn subsumed(&self, options: &Options) -> Option<Subsumption> {
        let closed = self.work.tree().subsumed();
        // Nobody has asked for it, and nothing came of it.
        if closed == 0 && options.subsume.after > 0 {
            return None;
        }
        let known = self.counts.subsumption.clone();
        let known = known.or_else(|| (closed > 0).then(Subsumption::default))?;
        Some(Subsumption {
            closed,
            cover: options.subsume.cover,
            ..known
        })
    }

    /// Writes down how things stand, for whoever looks at the folder or resumes.
    pub fn write_summary(&mut self, options: &Options, ended: Ended) -> Result<(), CampaignError> {
        self.ledger.flush(true)?;
        let summary = serde_json::to_string(&self.summary(options, ended)).unwrap_or_default();
        let totals = self.counts.with_session(&self.session);
        let totals = serde_json::to_string(&totals).unwrap_or_default();
        self.ledger.set_meta("summary", &summary)?;
        // Until nothing is left to do, runs may not have been looked at that an earlier session has made.
        let over = matches!(ended, Ended::Complete | Ended::Exhausted);
        let orders = match over && self.work.schedules.is_done() {
            true => ORDERS_DONE,
            false => ORDERS_OPEN,
        };
        self.ledger.set_meta(ORDERS, orders)?;
        self.ledger.set_meta("totals", &totals)
    }
}
