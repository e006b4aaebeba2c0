//! What a run is given, and what it reports.

use crate::schedule::Moves;
use crate::{Approximation, ApproximationKind, FailureKind, SideId, SiteId, Symmetry};
use elsewise_term::{Model, TermId, Terms, VarId};
use std::collections::BTreeMap;
use std::sync::Arc;

/// All that a run is given. Named byte strings are general enough for every front end: standard
/// input under `stdin`, a C input under its name, a term in its external format.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Case {
    pub inputs: BTreeMap<String, Vec<u8>>,
    /// What the schedule decides, in order: the taken alternatives of [`Shape::Thread`] and
    /// [`Shape::Pick`]. What comes after it is up to the front end, as long as it is always the same.
    pub schedule: Vec<u32>,
}

/// What a line of a story is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StoryKind {
    /// A move of a thread.
    #[default]
    Move,
    /// The beginning or end of an operation; these follow after all moves.
    Call,
    /// What a thread waits for that nobody will do, after all moves; and the thread that would have to.
    Wait(Option<u32>),
}

/// What a thread did, as people are shown it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StoryLine {
    pub kind: StoryKind,
    pub thread: u32,
    /// Where the thread stood.
    pub place: Location,
    /// What is to be said of it besides: `begins eat`.
    pub note: String,
}

/// Alternative of a [`Shape::Value`] choice: any value that no run has taken there yet.
pub const ALTERNATIVE_OTHER: u64 = u64::MAX;

/// What kind of choice, and what its alternatives' conditions are made from.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Alternative 0: `condition` holds; alternative 1: it does not.
    Branch { condition: TermId },
    /// The same, where what holds is only the form in which something is given, an integer or a float,
    /// say: whatever uses it has to tell the forms apart, and then mostly does the same with both.
    Form { condition: TermId },
    /// Alternative i < cases.len(): `term` equals `cases[i]` (a constant term); the last: none.
    Switch { term: TermId, cases: Arc<[TermId]> },
    /// Alternative i: `conditions[i]` holds, and none before it. One of them always holds.
    Ways { conditions: Arc<[TermId]> },
    /// The run went on with one concrete value of `term`. The alternatives are its other values,
    /// taken one at a time; an alternative's number is the value itself (cut to 64 bits), or its
    /// name where it could as well be another.
    Value {
        term: TermId,
        value: TermId,
        alike: Option<Arc<Symmetry>>,
    },
    /// Must hold in every case of interest: alternative 0 holds, alternative 1 is never wanted.
    Assume { condition: TermId },
    /// Not a choice of the subject's but a question about it: would a case for which `condition`
    /// holds here fail? Every run takes alternative 0, whether it holds or not; alternative 1 asks
    /// for a case for which it holds.
    Question { condition: TermId },
    /// Which thread moves next; an alternative's number is the thread's. No input decides it, and
    /// others are tried only where that makes a difference ([`crate::schedule`]).
    Thread,
    /// Something else that the schedule decides and no input, in one of so many ways: which of those
    /// who wait is woken, say.
    Pick { ways: u32 },
}

#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    pub site: SiteId,
    /// The alternative that the run took.
    pub taken: u64,
    pub shape: Shape,
}

impl Choice {
    /// Number of alternatives; `None` for a value, which has as many as the solver finds, and for
    /// a thread.
    pub fn alternatives(&self) -> Option<u64> {
        match &self.shape {
            Shape::Branch { .. } | Shape::Form { .. } => Some(2),
            Shape::Switch { cases, .. } => Some(cases.len() as u64 + 1),
            Shape::Ways { conditions } => Some(conditions.len() as u64),
            Shape::Value { .. } => None,
            Shape::Assume { .. } => Some(1),
            Shape::Question { .. } => Some(2),
            Shape::Thread => None,
            Shape::Pick { ways } => Some(u64::from(*ways)),
        }
    }

    /// Condition under which the choice goes the way of `alternative`. `others` are the values
    /// already taken, for [`ALTERNATIVE_OTHER`].
    pub fn condition(&self, terms: &mut Terms, alternative: u64, others: &[u64]) -> TermId {
        match &self.shape {
            Shape::Branch { condition }
            | Shape::Form { condition }
            | Shape::Assume { condition } => match alternative {
                0 => *condition,
                _ => terms.not(*condition),
            },
            Shape::Question { condition } => match alternative {
                0 => terms.bool(true),
                _ => *condition,
            },
            Shape::Thread | Shape::Pick { .. } => terms.bool(true),
            Shape::Switch { term, cases } => match cases.get(alternative as usize) {
                Some(case) => terms.eq(*term, *case),
                None => {
                    let mut all = terms.bool(true);
                    for case in cases.iter() {
                        let same = terms.eq(*term, *case);
                        let differs = terms.not(same);
                        all = terms.and(all, differs);
                    }
                    all
                }
            },
            Shape::Ways { conditions } => {
                let index = alternative as usize;
                let Some(wanted) = conditions.get(index) else {
                    return terms.bool(false);
                };
                let mut all = *wanted;
                for earlier in &conditions[..index] {
                    let not = terms.not(*earlier);
                    all = terms.and(all, not);
                }
                all
            }
            Shape::Value { term, alike, .. } => {
                let width = terms.width(*term);
                let one_of = |terms: &mut Terms, name: u64| {
                    let values = match alike {
                        Some(alike) => alike.values(name),
                        None => vec![name],
                    };
                    let mut any = terms.bool(false);
                    for value in values {
                        let value = terms.bits(width, value);
                        let same = terms.eq(*term, value);
                        any = terms.or(any, same);
                    }
                    any
                };
                if alternative != ALTERNATIVE_OTHER {
                    return one_of(terms, alternative);
                }
                let mut all = terms.bool(true);
                for other in others {
                    let same = one_of(terms, *other);
                    let differs = terms.not(same);
                    all = terms.and(all, differs);
                }
                all
            }
        }
    }

    /// What the schedule decided here, if it did.
    pub fn scheduled(&self) -> Option<u32> {
        match self.shape {
            Shape::Thread | Shape::Pick { .. } => u32::try_from(self.taken).ok(),
            _ => None,
        }
    }

    /// Condition of the alternative that was taken.
    pub fn taken_condition(&self, terms: &mut Terms) -> TermId {
        // Not by number: the greatest 64-bit value has the same number as "any other value", and
        // a value wider than 64 bits is cut in its number.
        if let Shape::Value { term, value, .. } = &self.shape {
            return terms.eq(*term, *value);
        }
        self.condition(terms, self.taken, &[])
    }
}

/// A place in source, for people.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Location {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub function: String,
}

impl Location {
    /// Is it in a library? The names of its files stand in angle brackets: `<bits/stl_map.h>`.
    pub fn is_library(&self) -> bool {
        self.file.starts_with('<')
    }

    /// Which place of a stack, innermost first, a failure is told by: the innermost that is in no library, since that
    /// is where it can be mended.
    pub fn of_stack(stack: &[Location]) -> Option<&Location> {
        let own = stack.iter().find(|place| !place.is_library());
        own.or(stack.first())
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Returned or exited; the exit code is part of the outcome, not a failure.
    Exit(i32),
    /// An assumption of the subject's own did not hold: the run counts for nothing.
    Assumed,
    /// A failure. `message` is for people, `place` is innermost first, with what is inside of libraries;
    /// [`Location::of_stack`] is the place that it is told by.
    Failure {
        kind: FailureKind,
        message: String,
        place: Vec<Location>,
    },
}

/// One run: its choices in order, what it covered, how it ended.
#[derive(Clone, Debug)]
pub struct Trace {
    pub choices: Vec<Choice>,
    /// What cases that follow from this run keep true beyond the conditions of its choices: others
    /// would only be the same written in another way.
    pub bounds: Vec<TermId>,
    /// Inputs of which some values should be tried first, and the condition that they are those: a
    /// pointer to a new object before one that equals another.
    pub preferences: Vec<(VarId, TermId)>,
    /// What its threads did, if it has several: each move begins with a [`Shape::Thread`].
    pub moves: Moves,
    /// Values, in this run, of every input that choices and bounds mention.
    pub present: Model,
    /// Sides taken, ascending, choices on concrete values included.
    pub covered: Vec<SideId>,
    pub outcome: Outcome,
    /// What is wrong with what its threads did, however it ended: data races and the like, each a
    /// [`Outcome::Failure`].
    pub flaws: Vec<Outcome>,
    pub approximations: Vec<Approximation>,
    /// Processor time that the run took in the subject.
    pub cpu_micros: u64,
    /// Time that passed while another build was run on the same case, which watches what this one cannot.
    pub watch_micros: u64,
}

impl Trace {
    /// A run that made no choice.
    pub fn new(outcome: Outcome) -> Trace {
        Trace {
            choices: Vec::new(),
            bounds: Vec::new(),
            preferences: Vec::new(),
            moves: Moves::default(),
            present: Model::default(),
            covered: Vec::new(),
            outcome,
            flaws: Vec::new(),
            approximations: Vec::new(),
            cpu_micros: 0,
            watch_micros: 0,
        }
    }

    /// Did containment or a limit refuse something to the run?
    pub fn was_refused(&self) -> bool {
        let mut kinds = self.approximations.iter().map(|one| one.kind);
        kinds.any(|kind| kind == ApproximationKind::Refused)
    }
}
