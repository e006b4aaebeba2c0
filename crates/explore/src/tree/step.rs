//! Choices and ends of traces as the tree sees them.

use crate::{Choice, FailureKind, Outcome, Shape, SiteId, Trace};

/// [`Shape`] without its terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Kind {
    Branch = 0,
    Switch = 1,
    Value = 2,
    Assume = 3,
    Question = 4,
    Thread = 5,
    Pick = 6,
    Form = 7,
}

impl Kind {
    pub fn from_u8(code: u8) -> Option<Kind> {
        use Kind::*;
        [Branch, Switch, Value, Assume, Question, Thread, Pick, Form]
            .into_iter()
            .find(|kind| *kind as u8 == code)
    }

    /// Are the taken alternatives kept in a table, since there is no telling how many there are?
    pub(super) fn is_table(self) -> bool {
        matches!(self, Kind::Value | Kind::Thread)
    }
}

/// A choice as the tree sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub site: SiteId,
    pub kind: Kind,
    /// Number of alternatives, the unwanted one of an assumption included; 0 for a value or a
    /// thread.
    pub alternatives: u32,
    pub taken: u64,
    /// Its other alternatives are explored elsewhere.
    pub asleep: bool,
}

impl From<&Choice> for Step {
    fn from(choice: &Choice) -> Step {
        let (kind, alternatives) = match &choice.shape {
            Shape::Branch { .. } => (Kind::Branch, 2),
            Shape::Form { .. } => (Kind::Form, 2),
            Shape::Switch { cases, .. } => {
                (Kind::Switch, u32::try_from(cases.len() + 1).unwrap_or(0))
            }
            Shape::Ways { conditions } => {
                (Kind::Switch, u32::try_from(conditions.len()).unwrap_or(0))
            }
            Shape::Value { .. } => (Kind::Value, 0),
            Shape::Assume { .. } => (Kind::Assume, 2),
            Shape::Question { .. } => (Kind::Question, 2),
            Shape::Thread => (Kind::Thread, 0),
            Shape::Pick { ways } => (Kind::Pick, *ways),
        };
        Step {
            site: choice.site,
            kind,
            alternatives,
            taken: choice.taken,
            asleep: false,
        }
    }
}

impl Step {
    /// Most alternatives that a choice may have; a bound for what comes from a file.
    pub const MAX_ALTERNATIVES: u32 = 1 << 24;

    /// Whether number of alternatives and the taken one fit the kind.
    pub fn is_sound(&self) -> bool {
        match self.kind {
            Kind::Value | Kind::Thread => self.alternatives == 0,
            Kind::Branch | Kind::Form | Kind::Assume => self.alternatives == 2 && self.taken < 2,
            Kind::Question => self.alternatives == 2 && self.taken == 0,
            Kind::Switch | Kind::Pick => {
                (1..=Step::MAX_ALTERNATIVES).contains(&self.alternatives)
                    && self.taken < u64::from(self.alternatives)
            }
        }
    }
}

/// How a trace ends, as far as the tree cares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeafEnd {
    /// An assumption did not hold: not a path of interest.
    pub assumed: bool,
    /// The run went on beyond the trace's last choice, so a longer trace with the same choices
    /// is no contradiction.
    pub cut: bool,
}

impl LeafEnd {
    pub fn of(trace: &Trace) -> LeafEnd {
        let hang = matches!(
            &trace.outcome,
            Outcome::Failure {
                kind: FailureKind::Hang,
                ..
            }
        );
        LeafEnd {
            assumed: trace.outcome == Outcome::Assumed,
            cut: hang || trace.approximations.iter().any(|a| a.kind.cuts_trace()),
        }
    }
}
