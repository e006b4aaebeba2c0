//! Beginning a campaign: a new folder, an old one resumed, or an old one set aside.

use crate::begin::{FOLDERS, bounds_of, create};
use crate::counts::{Counts, Session};
use crate::findings::Findings;
use crate::ledger::Ledger;
use crate::merge::merge;
use crate::portion::{PORTION, PORTION_SOUGHT, PortionCase};
use crate::schedule_search::{ORDERS, ORDERS_DONE, ORDERS_OPEN, ScheduleSearch};
use crate::state::Shared;
use crate::store::{self, Lock, Origin, OutcomeCode, Store, StoreWriter};
use crate::work::Work;
use crate::{CampaignError, Options};
use elsewise_explore::strategy;
use elsewise_explore::{Blueprint, Case, Coverage, Reason, State, Tree};
use std::collections::VecDeque;
use std::fs;
use std::path::Path;
use std::time::Instant;

/// Campaigns that are kept beside the present one.
const KEPT: u32 = 3;
/// Cases of a campaign set aside that the new one begins with, at most.
const OLD_CASES: usize = 4096;

/// Opens the campaign's folder, with whatever it holds taken up. `first` is the subject's own
/// first case.
pub(crate) fn open(
    options: &Options,
    blueprint: &Blueprint,
    first: Case,
    workers: usize,
) -> Result<(Shared, Lock), CampaignError> {
    let dir = options.dir.as_path();
    let Some(strategy) = strategy::by_name(&options.strategy, options.seed, blueprint) else {
        let name = options.strategy.clone();
        return Err(CampaignError::Strategy { name });
    };
    for shard in &options.merge {
        let same = fs::canonicalize(shard).is_ok_and(|shard| {
            // One that is not there yet is no shard.
            fs::canonicalize(dir).is_ok_and(|dir| dir == shard)
        });
        if same {
            return Err(CampaignError::IntoItself {
                dir: dir.to_owned(),
            });
        }
    }
    let mut lock = take_folder(dir)?;
    let mut seeds: VecDeque<Case> = options.seeds.iter().cloned().collect();
    let portion = options.portion.as_ref();
    if let Some(portion) = portion.filter(|it| !it.is_whole()) {
        seeds = portion.cases.iter().map(PortionCase::case).collect();
    }
    if seeds.is_empty() {
        seeds.push_back(first);
    }
    let given = options.given.iter().flat_map(|portion| &portion.cases);
    seeds.extend(given.map(PortionCase::case));
    let mut rotated = None;
    let mut resumed = false;
    if dir.join("campaign.db").exists() {
        let new = options.fresh || !options.merge.is_empty();
        resumed = !new && same_campaign(dir, options, blueprint)?;
        if !resumed {
            let old = store::rotate(dir, KEPT)?;
            if !new {
                seeds.extend(old_cases(&old)?);
            }
            rotated = Some(old);
            // The old lock went with the old folder.
            lock = take_folder(dir)?;
        }
    }
    let merged = !resumed && !options.merge.is_empty();
    let store = match resumed {
        true => StoreWriter::open(dir)?,
        false if merged => merge(options, blueprint)?,
        false => create(dir, options, blueprint)?,
    };
    let mut work = Work::new(
        Tree::new(bounds_of(options)),
        Coverage::new(blueprint),
        strategy,
        seeds,
        ScheduleSearch::new(options),
        workers,
    );
    if let Some(shard) = options.shard {
        work.keep_to(shard);
    }
    if let Some(portion) = portion {
        if !resumed && !portion.is_whole() {
            store.set_meta(PORTION, PORTION_SOUGHT)?;
        }
        let sought = store.replay().meta(PORTION)?.as_deref() == Some(PORTION_SOUGHT);
        // What is others' is in the journal once it is found.
        work.keep_to_portion(portion, options.given.clone(), resumed && !sought);
    }
    let mut shared = Shared {
        blueprint: blueprint.clone(),
        ledger: Ledger::new(store),
        work,
        findings: Findings::default(),
        counts: Counts::default(),
        session: Session::new(resumed, rotated),
        to_give: None,
        ended: None,
        failed: None,
    };
    if resumed || merged {
        load(&mut shared, options)?;
    }
    if let Some(took) = options.merged_took.filter(|_| merged) {
        let total = &mut shared.counts.totals.wall_seconds;
        *total = total.max(took.as_secs_f64());
    }
    shared.session.earlier_runs = shared.ledger.runs();
    shared.session.opened = Instant::now();
    Ok((shared, lock))
}

/// Makes the folder if need be and locks it; a folder of something else is left alone.
fn take_folder(dir: &Path) -> Result<Lock, CampaignError> {
    fs::create_dir_all(dir).map_err(CampaignError::io("create", dir))?;
    if !dir.join("campaign.db").exists() {
        let entries = fs::read_dir(dir).map_err(CampaignError::io("read", dir))?;
        for entry in entries {
            let entry = entry.map_err(CampaignError::io("read", dir))?;
            if !is_of_a_beginning(&entry) {
                return Err(CampaignError::NotACampaign {
                    dir: dir.to_owned(),
                });
            }
        }
    }
    Lock::take(dir)
}

/// Whether this is what [`create`] leaves behind when it is killed.
fn is_of_a_beginning(entry: &fs::DirEntry) -> bool {
    let name = entry.file_name();
    let Some(name) = name.to_str() else {
        return false;
    };
    if FOLDERS.contains(&name) {
        return fs::read_dir(entry.path()).is_ok_and(|mut inside| inside.next().is_none());
    }
    matches!(name, "lock" | "README.txt") || store::unfinished_files().any(|left| left == name)
}

/// Whether the folder's campaign is of the same build and the same options.
fn same_campaign(
    dir: &Path,
    options: &Options,
    blueprint: &Blueprint,
) -> Result<bool, CampaignError> {
    let store = Store::open_read(dir)?;
    let replay = store.replay();
    let build = replay.meta("build")?;
    let identity = replay.meta("identity")?;
    Ok(build.as_ref() == Some(&blueprint.build) && identity == Some(options.identity()))
}

/// Cases of a campaign that was set aside.
fn old_cases(dir: &Path) -> Result<Vec<Case>, CampaignError> {
    let store = Store::open_read(dir)?;
    let replay = store.replay();
    let mut cases = Vec::new();
    for run in replay.worthy()?.into_iter().take(OLD_CASES) {
        let (packed, _) = replay.case(run)?;
        cases.push(replay.unpack(&packed)?);
    }
    Ok(cases)
}

/// Makes tree, coverage and counts anew from the store.
fn load(shared: &mut Shared, options: &Options) -> Result<(), CampaignError> {
    let Shared {
        ledger,
        work,
        findings,
        counts,
        ..
    } = shared;
    let path = ledger.dir().join("campaign.db");
    let damaged = |what: String| CampaignError::damaged(&path, what);
    *findings = Findings::load(ledger.replay().findings()?);
    // With other limits, what the solver gave up is worth asking again.
    let solver = options.solver_identity();
    let same_solver = ledger.replay().meta("solver")?.as_ref() == Some(&solver);
    let believed = |verdict| {
        let by_solver = matches!(
            verdict,
            State::GaveUp(Reason::QueryLimit | Reason::QuerySize | Reason::QueryUnsupported)
        );
        same_solver || !by_solver
    };
    let orders_done = ledger.replay().meta(ORDERS)?.as_deref() == Some(ORDERS_DONE);
    work.load(ledger, orders_done, believed, |id, run| {
        if let OutcomeCode::Failure(finding) = run.outcome
            && !findings.hit(finding)
        {
            return Err(damaged(format!("run {id} has a finding that is not there")));
        }
        counts.optimistic += u64::from(run.origin == Origin::Optimistic);
        Ok(())
    })?;
    if let Some(text) = ledger.replay().meta("totals")? {
        counts.totals = serde_json::from_str(&text).map_err(|error| damaged(error.to_string()))?;
    }
    if orders_done {
        // What is explored from now on, of what is open or is to come, may have others.
        ledger.set_meta(ORDERS, ORDERS_OPEN)?;
    }
    if !same_solver {
        ledger.set_meta("solver", &solver)?;
    }
    Ok(())
}
