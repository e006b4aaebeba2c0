//! What is known of an alternative.

use super::PositionId;
use crate::ApproximationKind;

/// Why an alternative was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Reason {
    /// The solver's time or conflict limit.
    QueryLimit = 0,
    /// The query has more terms than allowed.
    QuerySize = 1,
    /// The solver does not know an operator of the query.
    QueryUnsupported = 2,
    /// A run that should have taken the alternative did not.
    Divergence = 3,
    /// Deeper than [`crate::Bounds::depth`].
    Depth = 4,
    /// As many values as [`crate::Bounds::values`] have been taken.
    Values = 5,
    /// The choice's values are wider than an alternative's number.
    WideValue = 6,
    /// The run that should have taken the alternative was lost.
    Lost = 7,
    /// Another shard of the campaign explores it.
    OtherShard = 8,
}

impl Reason {
    pub const ALL: [Reason; 9] = [
        Reason::QueryLimit,
        Reason::QuerySize,
        Reason::QueryUnsupported,
        Reason::Divergence,
        Reason::Depth,
        Reason::Values,
        Reason::WideValue,
        Reason::Lost,
        Reason::OtherShard,
    ];

    /// What it is counted as.
    pub fn kind(self) -> ApproximationKind {
        match self {
            Reason::QueryLimit => ApproximationKind::QueryLimit,
            Reason::QuerySize => ApproximationKind::QuerySize,
            Reason::QueryUnsupported => ApproximationKind::QueryUnsupported,
            Reason::Divergence => ApproximationKind::Divergence,
            Reason::Depth => ApproximationKind::DepthLimit,
            Reason::Values => ApproximationKind::ValueLimit,
            Reason::WideValue => ApproximationKind::WideValue,
            Reason::Lost => ApproximationKind::LostRun,
            Reason::OtherShard => ApproximationKind::OtherShard,
        }
    }
}

/// What is known of an alternative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// In the frontier.
    Open,
    /// In the frontier, and someone is at work on it.
    Claimed,
    /// Proved to have no case.
    Infeasible,
    GaveUp(Reason),
    /// The side of an assumption on which it does not hold, a question that need not be asked, or what is explored
    /// elsewhere while a thread sleeps.
    Unwanted,
    /// A question that a run has answered.
    Answered,
    /// Shown to hold nothing that was not seen elsewhere.
    Subsumed,
    /// Taken; the next choice.
    Position(PositionId),
    /// Taken; the trace ends here.
    Leaf(u32),
}

const CHILD: u32 = 1 << 30;
const LEAF: u32 = 2 << 30;
pub(super) const PAYLOAD: u32 = CHILD - 1;
const GAVE_UP: u32 = 16;

impl State {
    pub(super) fn pack(self) -> u32 {
        match self {
            State::Open => 0,
            State::Claimed => 1,
            State::Infeasible => 2,
            State::Unwanted => 3,
            State::Answered => 4,
            State::Subsumed => 5,
            State::GaveUp(reason) => GAVE_UP + reason as u32,
            State::Position(position) => CHILD | position.0,
            State::Leaf(leaf) => LEAF | leaf,
        }
    }

    pub(super) fn unpack(word: u32) -> State {
        match word {
            0 => State::Open,
            1 => State::Claimed,
            2 => State::Infeasible,
            3 => State::Unwanted,
            4 => State::Answered,
            5 => State::Subsumed,
            _ if word & LEAF != 0 => State::Leaf(word & PAYLOAD),
            _ if word & CHILD != 0 => State::Position(PositionId(word & PAYLOAD)),
            _ => State::GaveUp(Reason::ALL[(word - GAVE_UP) as usize]),
        }
    }

    pub fn is_taken(self) -> bool {
        matches!(self, State::Position(_) | State::Leaf(_))
    }
}
