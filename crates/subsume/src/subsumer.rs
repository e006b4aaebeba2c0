//! What a campaign uses: runs in, closed parts of the tree out.

use crate::condition::Condition;
use crate::entry::Question;
use crate::limit::{Limit, Stop};
use crate::look::{Looker, Way};
use crate::machine::{Ending, Machine};
use crate::payoff::Payoff;
use crate::spine::{Event, Followed, Spine};
use crate::trace_replay::{Observed, TraceReplay, Translation};
use elsewise_explore::program::Program;
use elsewise_explore::{Deadline, Item, Outcome, PositionId, Shape, SideId, SiteId, SiteInfo};
use elsewise_solve::Settings;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Terms beyond which everything is begun anew.
const MAX_TERMS: usize = 8_000_000;

/// What is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closed {
    /// An alternative that nothing new lies below, with all that the tree has there.
    Subsumed(Item),
    /// A position that nothing new lies below, with all that the tree has there.
    Below(PositionId),
    /// An alternative that has no case.
    Infeasible(Item),
}

pub struct Subsumer {
    program: Arc<Program>,
    settings: Settings,
    greedy: bool,
    looker: Looker,
    spine: Spine,
    /// What is known of alternatives of the tree, over the state at their position.
    known: FxHashMap<Item, Way>,
    /// Alternatives at which a look has given up.
    tried: FxHashMap<Item, u64>,
    told: FxHashMap<usize, Translation>,
    /// Sites and alternatives by side, where sides are to be kept reachable.
    sides: Vec<(SiteId, u32)>,
    /// The end of all work.
    end: Option<Deadline>,
    pub payoff: Payoff,
}

impl Subsumer {
    /// For a program; with or without greedy confirmation.
    pub fn new(program: Arc<Program>, settings: &Settings, greedy: bool) -> Subsumer {
        let looker = Looker::new(Machine::new(program.clone()), settings);
        Subsumer {
            spine: Spine::new(&looker),
            looker,
            program,
            settings: settings.clone(),
            greedy,
            known: FxHashMap::default(),
            tried: FxHashMap::default(),
            told: FxHashMap::default(),
            sides: Vec::new(),
            end: None,
            payoff: Payoff::default(),
        }
    }

    /// From now on, nothing goes on beyond this. What is given up closes nothing.
    pub fn keep_to(&mut self, end: Deadline) {
        self.end = Some(end);
    }

    /// From now on, nothing is closed from which a side could be reached that no run has reached; these have
    /// been.
    pub fn keep_reachable(&mut self, sites: &[SiteInfo], reached: impl Fn(SideId) -> bool) {
        let mut covered = FxHashSet::default();
        for (site, number) in sites.iter().zip(0..) {
            for side in 0..site.sides {
                self.sides.push((SiteId(number), side));
                // What people are not shown need not be reached.
                if site.hidden || reached(SideId(site.first_side + side)) {
                    covered.insert((SiteId(number), side));
                }
            }
        }
        self.looker.machine.covered = Some(covered);
    }

    /// Interpolants that are kept, and questions that were asked for them.
    pub fn counts(&self) -> (u64, u64) {
        (self.looker.kept.count, self.looker.queries)
    }

    /// A run that is new in the tree: what can be closed now. Much time may go into it if so much is granted, or any
    /// if nothing is said.
    pub fn observe(&mut self, run: &Observed<'_>, granted: Option<Duration>) -> Vec<Closed> {
        self.timed(granted, |it| {
            let mut closed = Vec::new();
            if let Err(stop) = it.observed(run, &mut closed) {
                it.stopped(&stop);
            }
            closed
        })
    }

    /// An alternative of a run that somebody is about to pursue: what can be closed, perhaps that.
    pub fn consider(
        &mut self,
        run: &Observed<'_>,
        (choice, alternative): (u32, u64),
        granted: Option<Duration>,
    ) -> Vec<Closed> {
        self.timed(granted, |it| {
            let mut closed = Vec::new();
            if let Err(stop) = it.considered(run, choice, alternative, &mut closed) {
                it.stopped(&stop);
            }
            closed
        })
    }

    fn timed(
        &mut self,
        granted: Option<Duration>,
        work: impl FnOnce(&mut Subsumer) -> Vec<Closed>,
    ) -> Vec<Closed> {
        let start = Instant::now();
        if self.looker.machine.terms.len() > MAX_TERMS {
            self.renew();
        }
        let granted = granted.map(|granted| start + granted);
        self.looker.limit = Limit::new(self.end.clone(), granted);
        let closed = work(self);
        if self.looker.limit.is_over() {
            // Wherever it was given up: the next run is followed from the beginning.
            self.spine.restart(&mut self.looker);
        }
        self.payoff.spent += start.elapsed();
        for one in &closed {
            match one {
                Closed::Subsumed(_) | Closed::Below(_) => self.payoff.closed += 1,
                Closed::Infeasible(_) => self.payoff.infeasible += 1,
            }
        }
        closed
    }

    fn renew(&mut self) {
        let covered = self.looker.machine.covered.take();
        self.looker = Looker::new(Machine::new(self.program.clone()), &self.settings);
        self.looker.machine.covered = covered;
        self.spine = Spine::new(&self.looker);
        self.known.clear();
        self.tried.clear();
        self.told.clear();
    }

    fn stopped(&mut self, stop: &Stop) {
        if let Stop::Lost(why) = stop {
            self.payoff.lose(why);
        }
    }

    fn observed(&mut self, run: &Observed<'_>, closed: &mut Vec<Closed>) -> Result<(), Stop> {
        if !is_exact(run) {
            return Err(Stop::Lost("it was not recorded exactly".into()));
        }
        if let Some(covered) = &mut self.looker.machine.covered {
            let sides = run.trace.covered.iter();
            covered.extend(sides.filter_map(|side| self.sides.get(side.0 as usize).copied()));
        }
        let followed = self.go_along(run, None)?;
        let condition = match followed {
            Followed::Subsumed { condition, beyond } => {
                self.payoff.follow();
                if let Some(position) = run.positions.get(beyond as usize) {
                    closed.push(Closed::Below(*position));
                }
                condition
            }
            Followed::To(ending) => {
                let agree = matches!(
                    (&ending, &run.trace.outcome),
                    (Ending::Exit, Outcome::Exit(_))
                        | (Ending::Assumed, Outcome::Assumed)
                        | (Ending::Fail, Outcome::Failure { .. })
                );
                match ending {
                    Ending::Lost(why) => return Err(Stop::Lost(why)),
                    _ if !agree => return Err(Stop::Lost("it ended otherwise".into())),
                    // What has failed is known: nothing new lies there.
                    _ => self.payoff.follow(),
                }
                Condition::default()
            }
        };
        self.go_back(run, condition, closed)
    }

    fn considered(
        &mut self,
        run: &Observed<'_>,
        choice: u32,
        alternative: u64,
        closed: &mut Vec<Closed>,
    ) -> Result<(), Stop> {
        let Some(position) = run.positions.get(choice as usize).copied() else {
            return Ok(());
        };
        let shape = run.trace.choices.get(choice as usize);
        let shape = shape.map(|choice| &choice.shape);
        let decides = matches!(shape, Some(Shape::Branch { .. } | Shape::Switch { .. }));
        if !self.greedy || !decides || !is_exact(run) {
            return Ok(());
        }
        let item = Item {
            position,
            alternative,
        };
        // Once more only when there is more to be subsumed by.
        let kept = self.looker.kept.count;
        if self.tried.get(&item).is_some_and(|then| *then == kept) {
            return Ok(());
        }
        self.go_along(run, Some(choice))?;
        let Some(decision) = self.looker.machine.decision().cloned() else {
            return Ok(());
        };
        let Ok(number) = u32::try_from(alternative) else {
            return Ok(());
        };
        if number as usize >= decision.conditions.len() {
            return Ok(());
        }
        let way = self.looker.confirm(&decision, number);
        let way = match way {
            Ok(way) => way,
            Err(Stop::Late) => return Err(Stop::Late),
            Err(_) => {
                self.tried.insert(item, self.looker.kept.count);
                return Ok(());
            }
        };
        closed.push(match &way {
            Way::Infeasible => Closed::Infeasible(item),
            Way::Full(_) => Closed::Subsumed(item),
        });
        self.known.insert(item, way);
        if let Some(condition) = self.decided(run, choice, closed)? {
            self.go_back(run, condition, closed)?;
        }
        Ok(())
    }

    /// Follows a run, to its end or up to a choice.
    fn go_along(&mut self, run: &Observed<'_>, until: Option<u32>) -> Result<Followed, Stop> {
        let (table, epoch) = run.table;
        let told = self.told.entry(table).or_default().at(epoch);
        let mut replay = TraceReplay::new(run, told, &mut self.looker);
        self.spine.leave(&mut self.looker);
        if let Some(until) = until {
            let passed = self.spine.events.iter().position(|event| {
                matches!(event, Event::Decision { choice: Some(choice), .. } if *choice >= until)
            });
            if let Some(passed) = passed {
                self.spine.back_to(&mut self.looker, passed);
            }
        }
        let followed = self.spine.follow(&mut self.looker, &mut replay, until);
        if followed.is_err() {
            self.spine.restart(&mut self.looker);
        }
        followed
    }

    /// Goes back along what was followed, from where the condition holds now, up to the first decision that
    /// is not full.
    fn go_back(
        &mut self,
        run: &Observed<'_>,
        condition: Condition,
        closed: &mut Vec<Closed>,
    ) -> Result<(), Stop> {
        let went = self.went_back(run, condition, closed);
        if went.is_err() {
            self.spine.restart(&mut self.looker);
        }
        went
    }

    fn went_back(
        &mut self,
        run: &Observed<'_>,
        mut condition: Condition,
        closed: &mut Vec<Closed>,
    ) -> Result<(), Stop> {
        let mut last = self.looker.machine.log.len();
        while let Some(event) = self.spine.events.pop() {
            match event {
                Event::Checkpoint { log, point } => {
                    condition = self.looker.push_back(log, last, &condition)?;
                    self.looker.kept.add(point, condition.clone());
                    last = log;
                }
                Event::Decision {
                    mark,
                    taken,
                    choice,
                    ..
                } => {
                    let below = self.looker.push_back(mark.log, last, &condition);
                    self.looker.machine.undo(&mark);
                    self.looker.machine.run();
                    let below = below?;
                    last = mark.log;
                    let full = match choice {
                        Some(choice) => {
                            if let Some(position) = run.positions.get(choice as usize) {
                                let item = Item {
                                    position: *position,
                                    alternative: taken.into(),
                                };
                                self.known.insert(item, Way::Full(below));
                            }
                            self.decided(run, choice, closed)?
                        }
                        None => self.forced(taken, below)?,
                    };
                    match full {
                        Some(full) => condition = full,
                        None => return Ok(()),
                    }
                }
            }
        }
        // Nothing new is left anywhere.
        closed.extend(run.positions.first().map(|first| Closed::Below(*first)));
        Ok(())
    }

    /// A decision that could go one way only.
    fn forced(&mut self, taken: u32, below: Condition) -> Result<Option<Condition>, Stop> {
        let Some(decision) = self.looker.machine.decision().cloned() else {
            return Ok(None);
        };
        let program = self.program.clone();
        let Some(question) = Question::at(&program, decision.at, decision.stage, decision.room)
        else {
            return Ok(None);
        };
        let ways: Vec<_> = (0..question.alternatives())
            .map(|alternative| match alternative {
                _ if alternative == taken => Some(Way::Full(below.clone())),
                _ => Some(Way::Infeasible),
            })
            .collect();
        self.looker.together(&decision, &ways).map(Some)
    }

    /// What has to hold at the decision at which the machine stands for all of its ways to be known; `None`
    /// where one is not.
    fn decided(
        &mut self,
        run: &Observed<'_>,
        choice: u32,
        closed: &mut Vec<Closed>,
    ) -> Result<Option<Condition>, Stop> {
        let (Some(decision), Some(position)) = (
            self.looker.machine.decision().cloned(),
            run.positions.get(choice as usize).copied(),
        ) else {
            return Ok(None);
        };
        let program = self.program.clone();
        let Some(question) = Question::at(&program, decision.at, decision.stage, decision.room)
        else {
            return Ok(None);
        };
        let mut ways = Vec::new();
        for alternative in 0..question.alternatives() {
            if question.is_harmless(alternative) {
                ways.push(None);
                continue;
            }
            let item = Item {
                position,
                alternative: alternative.into(),
            };
            if let Some(way) = self.known.get(&item) {
                ways.push(Some(way.clone()));
                continue;
            }
            let kept = self.looker.kept.count;
            if self.tried.get(&item) == Some(&kept) {
                return Ok(None);
            }
            let way = match self.greedy {
                true => self.looker.confirm(&decision, alternative),
                false => {
                    let condition = decision.conditions[alternative as usize];
                    match self.looker.feasible(condition)? {
                        None => Ok(Way::Infeasible),
                        Some(_) => Err(Stop::Much),
                    }
                }
            };
            let way = match way {
                Ok(way) => way,
                Err(Stop::Late) => return Err(Stop::Late),
                Err(_) => {
                    self.tried.insert(item, self.looker.kept.count);
                    return Ok(None);
                }
            };
            closed.push(match &way {
                Way::Infeasible => Closed::Infeasible(item),
                Way::Full(_) => Closed::Subsumed(item),
            });
            self.known.insert(item, way.clone());
            ways.push(Some(way));
        }
        self.looker.together(&decision, &ways).map(Some)
    }
}

/// Was nothing approximated, and had the run one thread?
fn is_exact(run: &Observed<'_>) -> bool {
    run.trace.approximations.is_empty() && run.trace.moves.moves.is_empty()
}

#[cfg(test)]
mod tests;
