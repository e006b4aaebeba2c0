//! A whole exploration: workers, what they share, and whoever watches them.

use crate::board::{Board, EndGuard, TICK};
use crate::state::Shared;
use crate::worker::Worker;
use crate::{CampaignError, Ended, Exchange, Options, Others, Phase, Progress, Summary, open};
use elsewise_explore::{Deadline, Subject};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Stack of threads that handle values of subjects, which may be nested as deep as these make them.
pub const STACK: usize = 256 << 20;
/// How often the state of things is written down for those who look at the folder.
const NOTE: Duration = Duration::from_secs(1);
/// How often cases are exchanged with others.
const EXCHANGE: Duration = Duration::from_millis(500);

/// With whom a campaign explores.
#[derive(Default)]
pub struct Company<'a> {
    /// Who explores other parts of the tree.
    pub others: Option<&'a dyn Others>,
    /// Who looks for inputs in a way of its own. Where nothing is left to try and something was not explored, the
    /// campaign waits for what they find.
    pub exchange: Option<&'a mut dyn Exchange>,
    /// More workers, if it turns out to take long.
    pub reserve: Option<Reserve<'a>>,
    /// As long as it is set, workers begin nothing new. Time goes on.
    pub pause: Option<&'a AtomicBool>,
}

/// Workers that begin when a campaign has gone on for a while. What is explored sooner does without the cost of starting
/// them, and its runs are in the same order every time.
pub struct Reserve<'a> {
    /// At most so many.
    pub workers: usize,
    /// They begin when the campaign has so many runs, or has gone on for so long, whichever comes first.
    pub after_runs: u64,
    pub after: Duration,
    /// Another subject of the same build; none if there cannot be more.
    pub make: &'a mut dyn FnMut() -> Option<Box<dyn Subject>>,
}

/// Explores until nothing is left to try, the budget ends, or `stop` is set. One worker thread per
/// subject; all subjects are of the same build. With one subject, and as long as no query runs
/// into its time limit and subsumption is not found to cost more than it saves, the same options make
/// the same runs in the same order.
pub fn explore(
    options: &Options,
    mut subjects: Vec<Box<dyn Subject>>,
    watch: &mut dyn FnMut(&Progress),
    stop: &AtomicBool,
) -> Result<Summary, CampaignError> {
    explore_together(options, &mut subjects, watch, stop, Company::default())
}

/// The same on subjects that are kept.
pub fn explore_on(
    options: &Options,
    subjects: &mut [Box<dyn Subject>],
    watch: &mut dyn FnMut(&Progress),
    stop: &AtomicBool,
) -> Result<Summary, CampaignError> {
    explore_together(options, subjects, watch, stop, Company::default())
}

/// Explores the portion of a tree that the options name, and leaves parts of it to others who have nothing to do.
pub fn explore_portion(
    options: &Options,
    subjects: &mut [Box<dyn Subject>],
    watch: &mut dyn FnMut(&Progress),
    stop: &AtomicBool,
    others: &dyn Others,
) -> Result<Summary, CampaignError> {
    let company = Company {
        others: Some(others),
        ..Company::default()
    };
    explore_together(options, subjects, watch, stop, company)
}

/// The same with others, in whatever ways.
pub fn explore_together(
    options: &Options,
    subjects: &mut [Box<dyn Subject>],
    watch: &mut dyn FnMut(&Progress),
    stop: &AtomicBool,
    company: Company<'_>,
) -> Result<Summary, CampaignError> {
    let Company {
        others,
        mut exchange,
        mut reserve,
        pause,
    } = company;
    let first = subjects.first().ok_or(CampaignError::NoSubject)?;
    let workers = subjects.len();
    let most = workers + reserve.as_ref().map_or(0, |reserve| reserve.workers);
    let (mut shared, _lock) = open::open(options, first.blueprint(), first.first_case(), most)?;
    shared.counts.stages = vec![Vec::new(); most];
    shared.session.workers = workers;
    if exchange.is_some() {
        shared.begin_exchange()?;
    }
    let started = shared.session.started;
    let board = Board::new(shared, most, others, pause);
    let end = options.budget.time.map(|time| started + time);
    let deadline = Deadline::new(end, board.stop());
    std::thread::scope(|scope| {
        let board = &board;
        let builder = || std::thread::Builder::new().stack_size(STACK);
        let not_begun = |error| {
            let mut state = board.state();
            state.failed.get_or_insert(CampaignError::Thread(error));
            drop(state);
            board.end();
            board.leave();
        };
        let mut at_work = Vec::new();
        for (number, subject) in subjects.iter_mut().enumerate() {
            subject.keep_to(deadline.clone());
            board.join();
            let begun = move || work(number, options, board, subject.as_mut());
            let spawned = builder().spawn_scoped(scope, begun);
            at_work.extend(spawned.map_err(not_begun).ok());
        }
        let mut noted = Instant::now();
        let mut told = Instant::now();
        let mut exchanged = None;
        loop {
            if stop.load(Ordering::Relaxed) {
                board.end();
            }
            let Some(mut state) = board.watch() else {
                break;
            };
            if told.elapsed() < TICK {
                continue;
            }
            told = Instant::now();
            let written = match noted.elapsed() >= NOTE {
                true => {
                    noted = Instant::now();
                    state.write_summary(options, Ended::Stopped)
                }
                false => state.ledger.flush(true),
            };
            if let Err(error) = written {
                state.failed.get_or_insert(error);
                board.end();
            }
            let progress = progress(&state, board.phases(), board.is_paused());
            let goes_on = state.ended.is_none() && state.failed.is_none();
            drop(state);
            let is_due = |reserve: &mut Reserve<'_>| {
                progress.runs >= reserve.after_runs || progress.elapsed >= reserve.after
            };
            if goes_on && let Some(reserve) = reserve.take_if(is_due) {
                for number in (workers..most).take(reserve.workers) {
                    let Some(mut subject) = (reserve.make)() else {
                        break;
                    };
                    subject.keep_to(deadline.clone());
                    board.join();
                    board.state().session.workers += 1;
                    let begun = move || work(number, options, board, subject.as_mut());
                    let spawned = builder().spawn_scoped(scope, begun);
                    at_work.extend(spawned.map_err(not_begun).ok());
                }
            }
            if let Err(error) = board.copy(options) {
                board.state().failed.get_or_insert(error);
                board.end();
            }
            let is_time = exchanged.is_none_or(|then: Instant| then.elapsed() >= EXCHANGE);
            if let Some(exchange) = exchange.as_deref_mut().filter(|_| is_time) {
                exchanged = Some(Instant::now());
                let taken = exchange.take();
                let found = board.state().exchange(taken);
                board.changed();
                found.iter().for_each(|case| exchange.give(case));
            }
            watch(&progress);
        }
        for worker in at_work {
            if let Err(panic) = worker.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
    let mut shared = board.into_state();
    if let Some(error) = shared.failed.take() {
        return Err(error);
    }
    if let Some(exchange) = exchange {
        let found = shared.exchange(Vec::new());
        found.iter().for_each(|case| exchange.give(case));
    }
    watch(&progress(&shared, Vec::new(), false));
    let ended = shared.ended.unwrap_or(Ended::Stopped);
    shared.write_summary(options, ended)?;
    Ok(shared.summary(options, ended))
}

/// What a worker's thread does.
fn work(number: usize, options: &Options, board: &Board<'_>, subject: &mut dyn Subject) {
    // Whatever way a worker ends, the others must not wait for it.
    let _end = EndGuard(board);
    let mut worker = Worker::new(number, options, board, subject);
    if let Err(error) = worker.work() {
        board.state().failed.get_or_insert(error);
        board.end();
    }
}

fn progress(shared: &Shared, workers: Vec<Phase>, paused: bool) -> Progress {
    let (ledger, work, counts) = (&shared.ledger, &shared.work, &shared.counts);
    let races = &counts.totals.races;
    Progress {
        runs: u64::from(ledger.runs()),
        paths: work.tree().paths(),
        frontier: work.tree().frontier(),
        sides_reached: work.coverage().reached(),
        sides_total: work.coverage().total(),
        findings: shared.findings.public(ledger.dir(), true, races),
        elapsed: shared.session.elapsed(),
        // The busiest one's.
        phase: workers
            .iter()
            .max()
            .copied()
            .filter(|phase| *phase != Phase::Waiting)
            .unwrap_or(Phase::Running),
        workers,
        paused,
        solver: counts.stages.iter().flatten().cloned().collect(),
        queries: counts.queries(),
        resumed: shared.session.resumed,
        approximations: shared.approximation_count(),
    }
}
