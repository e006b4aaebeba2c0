//! What a campaign tells about itself: while it runs, at its end, and later from its folder.

use elsewise_explore::Location;
use elsewise_solve::StageCount;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// Raised whenever a field of [`Summary`] or [`Finding`] changes its meaning or goes.
pub const SCHEMA: u32 = 1;

/// A moment of a campaign.
#[derive(Clone, Debug)]
pub struct Progress {
    /// Runs and paths over the life of the campaign.
    pub runs: u64,
    pub paths: u64,
    /// Alternatives that wait to be tried.
    pub frontier: u64,
    pub sides_reached: u32,
    pub sides_total: u32,
    /// Confirmed findings.
    pub findings: Vec<Finding>,
    /// Since the call of [`crate::explore`].
    pub elapsed: Duration,
    pub phase: Phase,
    /// What each worker is doing.
    pub workers: Vec<Phase>,
    /// Nothing new is begun until whoever watches says so.
    pub paused: bool,
    pub solver: Vec<StageCount>,
    pub queries: Queries,
    pub resumed: bool,
    /// Number of approximations of all kinds.
    pub approximations: u64,
}

/// What a worker is doing, the one that works most last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// It has nothing to do for now.
    Waiting,
    Running,
    Solving,
    Confirming,
}

/// How a campaign stands.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Summary {
    pub schema: u32,
    pub subject: String,
    pub ended: Ended,
    /// Runs over the life of the campaign.
    pub runs: u64,
    /// Of those, runs of cases that are not known to belong to a path ("optimistic").
    pub optimistic_runs: u64,
    /// Runs repeated to see their choices again; not among `runs`.
    pub repeated_runs: u64,
    /// Distinct paths over the life of the campaign.
    pub paths: u64,
    /// Alternatives that wait to be tried.
    pub frontier: u64,
    /// Every path within the bounds was run or proved impossible, and nothing was approximated.
    pub complete: bool,
    /// Confirmed findings.
    pub findings: Vec<Finding>,
    /// Failures that the plain build did not show.
    pub unconfirmed: Vec<Finding>,
    /// Of the program's own branches.
    pub branch_sides: Sides,
    /// Of checks that sanitizers have put there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check_sides: Option<Sides>,
    /// Engine and subject together, over the life of the campaign.
    pub cpu_seconds: f64,
    pub wall_seconds: f64,
    pub engine_cpu_seconds: f64,
    pub subject_cpu_seconds: f64,
    /// Time that passed in runs of the build with sanitizers, of all workers together.
    #[serde(default)]
    pub sanitizer_seconds: f64,
    pub queries: Queries,
    pub approximations: BTreeMap<String, u64>,
    /// The places with most of them.
    pub approximation_places: Vec<ApproximationPlace>,
    pub bounds: Vec<String>,
    pub strategy: String,
    pub seed: u64,
    /// Workers that have explored in the last session. What several do is in another order every time.
    #[serde(default = "alone")]
    pub workers: u64,
    /// What has been done of the schedules; none if no run had threads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedules: Option<Searched>,
    /// What was closed without being run, if anything was to be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subsumption: Option<Subsumption>,
    /// Went on from an earlier exploration.
    pub resumed: bool,
    /// The campaign's folder.
    pub campaign: PathBuf,
    /// Where an older campaign in the same folder went, if there was one that could not be
    /// resumed.
    pub rotated: Option<PathBuf>,
}

/// Campaigns that do not say it were explored by one, or nobody knows.
fn alone() -> u64 {
    1
}

impl Summary {
    /// Has all been explored without any choice that depends on an input or on a schedule?
    pub fn is_indifferent(&self) -> bool {
        let alone = self.paths <= 1 && self.queries.asked == 0 && self.schedules.is_none();
        let failed = !self.findings.is_empty() || !self.unconfirmed.is_empty();
        self.complete && alone && !failed && self.subsumption.is_none()
    }

    /// Has every side been reached that can be reached within the bounds?
    pub fn reaches_all(&self) -> bool {
        let closed = |it: &Subsumption| it.closed > 0 && !it.cover;
        self.complete && !self.subsumption.as_ref().is_some_and(closed)
    }
}

/// What subsumption did: parts of the tree closed that can hold no failure that was not seen.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Subsumption {
    /// Alternatives that were closed by it.
    pub closed: u64,
    /// Alternatives that it found to have no case.
    pub infeasible: u64,
    /// Runs that it could follow, and runs that it could not.
    pub followed: u64,
    pub lost: u64,
    /// Why they could not be followed, with how many.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub lost_for: BTreeMap<String, u64>,
    /// Interpolants that were kept, and queries that were asked for them.
    pub interpolants: u64,
    pub queries: u64,
    pub seconds: f64,
    /// Nothing was closed from which a side could be reached that no run had reached.
    #[serde(default)]
    pub cover: bool,
    /// Why it was turned off, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub off: Option<String>,
}

/// What has been done of a campaign's schedules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Searched {
    /// How schedules are searched, as the option says it.
    pub mode: String,
    /// About how many executions there are; none where that is not told from what has been done.
    #[serde(default)]
    pub estimate: Option<u64>,
    /// Executions that were not left to chance.
    pub done: u64,
    /// Runs in which chance decided who moves.
    pub samples: u64,
    /// How chance decided, if it did.
    #[serde(default)]
    pub sampling: Option<String>,
}

/// Why a campaign stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ended {
    /// Nothing is left to try, and nothing was approximated.
    Complete,
    /// Nothing is left to try, but something was approximated.
    Exhausted,
    Budget,
    Stopped,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sides {
    pub reached: u32,
    pub total: u32,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Queries {
    pub asked: u64,
    pub sat: u64,
    pub unsat: u64,
    pub unknown: u64,
    /// Put off because they take long; each is asked again when nothing else is left.
    #[serde(default)]
    pub put_off: u64,
    pub stages: Vec<Stage>,
}

/// What one stage of the solver did.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stage {
    pub name: String,
    pub asked: u64,
    pub sat: u64,
    pub unsat: u64,
    pub seconds: f64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApproximationPlace {
    pub kind: String,
    pub file: String,
    pub line: u32,
    pub function: String,
    /// The function that was called there, as the linker knows it; empty if none was.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub callee: String,
    pub count: u64,
}

/// A failure that was seen to happen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    pub id: u32,
    /// A short fixed word: `assertion`, `segv`, `hang`, …
    pub kind: String,
    pub message: String,
    pub file: String,
    pub line: u32,
    pub function: String,
    /// The plain build fails in the same way on the same case.
    pub confirmed: bool,
    /// Why it is not confirmed, in words; empty if it is.
    pub note: String,
    /// The run whose case shows it.
    pub case: u64,
    /// How many runs hit it.
    pub runs: u64,
    /// Of a data race: whether executions that have it fail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub race: Option<RaceSeen>,
    /// The folder with the case's files.
    pub path: PathBuf,
    /// Innermost first, with frames inside of libraries, whose files stand in angle brackets.
    pub stack: Vec<Frame>,
}

impl Finding {
    /// The frame of its stack that it is told by, or what there is of it.
    pub fn frame(&self) -> Frame {
        let same = |frame: &&Frame| (&frame.file, frame.line) == (&self.file, self.line);
        self.stack.iter().find(same).cloned().unwrap_or(Frame {
            file: self.file.clone(),
            line: self.line,
            column: 0,
            function: self.function.clone(),
        })
    }
}

/// Executions that have a data race, its two accesses in either order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RaceSeen {
    pub executions: u64,
    /// Of those, the ones that failed: then the race is fatal.
    pub failed: u64,
    /// The finding that the first of them is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<u32>,
}

/// What is known of data races, by what tells findings apart.
pub(crate) type Races = BTreeMap<String, RaceSeen>;

/// A place in source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub function: String,
}

impl Frame {
    /// Is it inside of a library? See [`Location::is_library`].
    pub fn is_library(&self) -> bool {
        self.file.starts_with('<')
    }

    /// The frame that a failure is told by: see [`Location::of_stack`].
    pub fn of_stack(stack: &[Frame]) -> Option<&Frame> {
        let own = stack.iter().find(|frame| !frame.is_library());
        own.or(stack.first())
    }
}

impl From<&Location> for Frame {
    fn from(location: &Location) -> Frame {
        Frame {
            file: location.file.clone(),
            line: location.line,
            column: location.column,
            function: location.function.clone(),
        }
    }
}

/// Counts that no row holds, kept over resumes.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Totals {
    pub queries: Queries,
    pub wall_seconds: f64,
    pub engine_cpu_seconds: f64,
    pub subject_cpu_seconds: f64,
    #[serde(default)]
    pub sanitizer_seconds: f64,
    pub repeated_runs: u64,
    #[serde(default)]
    pub races: Races,
}

impl Totals {
    /// Adds those of a shard, which was explored at the same time.
    pub fn add(&mut self, more: &Totals) {
        let (queries, other) = (&mut self.queries, &more.queries);
        queries.asked += other.asked;
        queries.sat += other.sat;
        queries.unsat += other.unsat;
        queries.unknown += other.unknown;
        queries.put_off += other.put_off;
        for stage in &other.stages {
            let known = queries.stages.iter_mut().find(|it| it.name == stage.name);
            match known {
                Some(known) => {
                    known.asked += stage.asked;
                    known.sat += stage.sat;
                    known.unsat += stage.unsat;
                    known.seconds += stage.seconds;
                }
                None => queries.stages.push(stage.clone()),
            }
        }
        self.wall_seconds = self.wall_seconds.max(more.wall_seconds);
        self.engine_cpu_seconds += more.engine_cpu_seconds;
        self.subject_cpu_seconds += more.subject_cpu_seconds;
        self.sanitizer_seconds += more.sanitizer_seconds;
        self.repeated_runs += more.repeated_runs;
        for (cause, race) in &more.races {
            let known = self.races.entry(cause.clone()).or_default();
            known.executions += race.executions;
            known.failed += race.failed;
            known.failure = known.failure.or(race.failure);
        }
    }
}

/// Adds what one solver's stages did.
pub(crate) fn add_stages(stages: &mut Vec<Stage>, counts: &[StageCount]) {
    for count in counts {
        let known = stages.iter().position(|stage| stage.name == count.name);
        let at = known.unwrap_or_else(|| {
            stages.push(Stage {
                name: count.name.to_owned(),
                ..Stage::default()
            });
            stages.len() - 1
        });
        let stage = &mut stages[at];
        stage.asked += count.asked;
        stage.sat += count.sat;
        stage.unsat += count.unsat;
        stage.seconds += count.nanos as f64 / 1e9;
    }
}
