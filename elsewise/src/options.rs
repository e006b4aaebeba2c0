//! From the settings of an `explore` to what a campaign is told.

use crate::SOLVER;
use crate::args::Settings;
use crate::request::Explore;
use elsewise_campaign::{Budget, Options, Subsume, SubsumeBy};
use elsewise_explore::schedule::Schedules;
use elsewise_frontend::flags::{SUBSUMPTION, SubsumeFlags, Subsumed};
use elsewise_frontend::{BuiltSubject, Problem};
use elsewise_solve::SolverProgram;
use std::path::PathBuf;

/// What the subject says of its inputs and its runs.
pub fn say_of(options: &mut Options, built: &dyn BuiltSubject) {
    options.seeds = built.seeds();
    options.bounds = built.bounds();
    options.thread_bounds = built.thread_bounds();
    options.weaker = built.weaker();
    if let Schedules::Bounded(most) = options.schedules {
        options.bounds.push(match most {
            1 => "schedules with at most 1 preemption".into(),
            _ => format!("schedules with at most {most} preemptions"),
        });
    }
}

pub fn options(explore: &Explore, dir: PathBuf) -> Result<Options, Problem> {
    let defaults = Options::default();
    let args = &explore.args;
    let settings: &Settings = &args.settings;
    let mut title = args.subject.join(" ");
    if !args.args.is_empty() {
        title.push_str(" -- ");
        title.push_str(&args.args.join(" "));
    }
    let mut solver = defaults.solver;
    if let Some(limit) = settings.query_timeout {
        solver.query_millis = limit;
    }
    solver.z3_program = Some(SolverProgram {
        program: "/proc/self/exe".into(),
        arguments: vec![SOLVER.into()],
    });
    solver.off = settings.stages_off.clone();
    let budget = settings.budget.unwrap_or_default();
    Ok(Options {
        dir,
        title,
        budget: Budget {
            time: budget.time,
            runs: budget.runs,
        },
        strategy: settings.strategy.clone().unwrap_or(defaults.strategy),
        seed: settings.seed.unwrap_or(0),
        schedules: settings.schedules.unwrap_or_default(),
        depth: settings.depth,
        max_values: settings.max_values.unwrap_or(defaults.max_values),
        solver,
        subsume: match settings.shard {
            // What closes a part of the tree may lie in another shard.
            Some(_) => Subsume::default(),
            None => subsume(&explore.flags.read_if_any(&SUBSUMPTION)?),
        },
        shard: settings.shard.map(|shard| shard.0),
        merge: settings.merge.clone(),
        merged_took: None,
        portion: None,
        given: Vec::new(),
        seeds: Vec::new(),
        settings: explore.settings(),
        fresh: settings.fresh,
        check: defaults.check,
        bounds: Vec::new(),
        thread_bounds: Vec::new(),
        weaker: Vec::new(),
    })
}

/// Runs after which what need not be run is closed where nobody said anything about it: what has fewer is
/// soon run anyway.
const MANY_RUNS: u32 = 2_000;

fn subsume(settings: &SubsumeFlags) -> Subsume {
    Subsume {
        by: match settings.subsume {
            Some(Subsumed::Off) => SubsumeBy::Nothing,
            Some(Subsumed::Explored) => SubsumeBy::Explored,
            Some(Subsumed::On | Subsumed::Always) | None => SubsumeBy::Looks,
        },
        // Nobody is to miss a side that has not asked for it.
        cover: settings.cover || settings.subsume.is_none(),
        always: settings.subsume == Some(Subsumed::Always),
        after: settings.subsume.map_or(MANY_RUNS, |_| 0),
    }
}
