//! Beginning a campaign: a new folder, an old one resumed, or an old one set aside.

use crate::findings::Findings;
use crate::schedule_search::ScheduleSearch;
use crate::state::{Shared, Words};
use crate::store::{self, Lock, Origin, OutcomeCode, README, Replay, Store, StoreWriter};
use crate::summary::Totals;
use crate::unproductive::Unproductive;
use crate::{CampaignError, Options, cpu};
use elsewise_explore::strategy::{self, News};
use elsewise_explore::{Blueprint, Bounds, Case, Coverage, Reason, State, Tree};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, VecDeque};
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
) -> Result<(Shared, Lock), CampaignError> {
    let dir = options.dir.as_path();
    let Some(strategy) = strategy::by_name(&options.strategy, options.seed, blueprint) else {
        let name = options.strategy.clone();
        return Err(CampaignError::Strategy { name });
    };
    let mut lock = take_folder(dir)?;
    let mut seeds: VecDeque<Case> = options.seeds.iter().cloned().collect();
    if seeds.is_empty() {
        seeds.push_back(first);
    }
    let mut rotated = None;
    let mut resumed = false;
    if dir.join("campaign.db").exists() {
        resumed = !options.fresh && same_campaign(dir, options, blueprint)?;
        if !resumed {
            let old = store::rotate(dir, KEPT)?;
            if !options.fresh {
                seeds.extend(old_cases(&old)?);
            }
            rotated = Some(old);
            // The old lock went with the old folder.
            lock = take_folder(dir)?;
        }
    }
    let store = match resumed {
        true => StoreWriter::open(dir)?,
        false => create(dir, options, blueprint)?,
    };
    let bounds = Bounds {
        depth: options.depth,
        values: options.max_values.max(1),
        ..Bounds::default()
    };
    let mut shared = Shared {
        blueprint: blueprint.clone(),
        tree: Tree::new(bounds),
        coverage: Coverage::new(blueprint),
        strategy,
        store,
        findings: Findings::default(),
        words: Words::default(),
        events: BTreeMap::new(),
        known: FxHashMap::default(),
        runs: 0,
        optimistic: 0,
        seeds,
        deferred: VecDeque::new(),
        unproductive: Unproductive::default(),
        schedules: ScheduleSearch::new(options),
        order_next: false,
        unseen: VecDeque::new(),
        totals: Totals::default(),
        subsumption: None,
        resumed,
        rotated,
        waiting: Vec::new(),
        stages: Vec::new(),
        started: Instant::now(),
        cpu_at_start: cpu::process_seconds(),
        runs_at_start: 0,
        in_flight: 0,
        ended: None,
        failed: None,
    };
    if resumed {
        load(&mut shared, options)?;
    }
    shared.runs_at_start = shared.runs;
    Ok((shared, lock))
}

/// Makes the folder if need be and locks it; a folder of something else is left alone.
fn take_folder(dir: &Path) -> Result<Lock, CampaignError> {
    fs::create_dir_all(dir).map_err(CampaignError::io("create", dir))?;
    if !dir.join("campaign.db").exists() {
        let ours = [
            "lock",
            "README.txt",
            "campaign.db.new",
            "campaign.db.new-journal",
        ];
        let entries = fs::read_dir(dir).map_err(CampaignError::io("read", dir))?;
        for entry in entries {
            let entry = entry.map_err(CampaignError::io("read", dir))?;
            if !ours.iter().any(|name| entry.file_name() == *name) {
                return Err(CampaignError::NotACampaign {
                    dir: dir.to_owned(),
                });
            }
        }
    }
    Lock::take(dir)
}

fn create(
    dir: &Path,
    options: &Options,
    blueprint: &Blueprint,
) -> Result<StoreWriter, CampaignError> {
    for name in ["cases", "findings"] {
        let path = dir.join(name);
        fs::create_dir_all(&path).map_err(CampaignError::io("create", &path))?;
    }
    let readme = dir.join("README.txt");
    fs::write(&readme, README).map_err(CampaignError::io("write", &readme))?;
    let meta = [
        ("build", blueprint.build.clone()),
        ("title", options.title.clone()),
        ("identity", options.identity()),
        ("solver", options.solver_identity()),
    ];
    StoreWriter::create(dir, &meta, &blueprint.sites)
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
        store,
        tree,
        coverage,
        strategy,
        findings,
        words,
        events,
        known,
        runs,
        optimistic,
        unseen,
        schedules,
        totals,
        ..
    } = shared;
    let path = store.dir().join("campaign.db");
    let replay = Replay {
        connection: store.connection(),
        path: path.clone(),
    };
    let damaged = |what: String| CampaignError::damaged(&path, what);
    *words = Words::load(replay.words()?);
    *findings = Findings::load(replay.findings()?);
    replay.grow(tree, |tree, id, run, positions| {
        let from = run.trace.tree.attach.and_then(|attach| attach.position);
        if run.origin == Origin::Sample {
            schedules.recall_sample();
        } else if tree.has_threads() {
            unseen.push_back((id, run.origin == Origin::Schedule));
        }
        let new = run
            .trace
            .new_sides
            .iter()
            .filter(|side| coverage.add(**side));
        let new_sides = new.count() as u32;
        replay.count(&run, words.list.len(), events)?;
        if let OutcomeCode::Failure(finding) = run.outcome
            && !findings.hit(finding)
        {
            return Err(damaged(format!("run {id} has a finding that is not there")));
        }
        known.entry(run.hash).or_insert(id);
        *optimistic += u64::from(run.origin == Origin::Optimistic);
        *runs = id + 1;
        let news = News {
            run: id,
            positions,
            reopened: None,
            new_sides,
            dismissed: run.outcome == OutcomeCode::Assumed,
            from,
        };
        strategy.note(tree, coverage, &news);
        Ok(())
    })?;
    // With other limits, what the solver gave up is worth asking again.
    let solver = options.solver_identity();
    let same_solver = replay.meta("solver")?.as_ref() == Some(&solver);
    replay.judge(tree, words.list.len(), events, |verdict| {
        let by_solver = matches!(
            verdict,
            State::GaveUp(Reason::QueryLimit | Reason::QuerySize | Reason::QueryUnsupported)
        );
        same_solver || !by_solver
    })?;
    if let Some(text) = replay.meta("totals")? {
        *totals = serde_json::from_str(&text).map_err(|error| damaged(error.to_string()))?;
    }
    if !same_solver {
        store.set_meta("solver", &solver)?;
    }
    Ok(())
}
