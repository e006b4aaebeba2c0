//! Safety properties: small automata over the messages of a run.

use super::{Code, SourcePosition};

/// Follows what is received and sent; a run that leads it into a state that violates it is a
/// failure. What no edge speaks of is passed over.
#[derive(Clone, Debug)]
pub struct Property {
    pub name: String,
    pub place: SourcePosition,
    pub states: Vec<PropertyState>,
    /// An index of `states`.
    pub initial: usize,
    /// The first that fits is followed.
    pub edges: Vec<Edge>,
}

#[derive(Clone, Debug)]
pub struct PropertyState {
    pub name: String,
    pub violated: bool,
}

#[derive(Clone, Debug)]
pub struct Edge {
    pub from: usize,
    pub to: usize,
    pub observed: Observed,
    pub place: SourcePosition,
}

/// A message as it is seen by a property.
#[derive(Clone, Debug)]
pub struct Observed {
    pub direction: Direction,
    /// None: of any capsule.
    pub capsule: Option<String>,
    /// None: at any port, or at none.
    pub port: Option<String>,
    /// None: any message.
    pub message: Option<String>,
    /// A C expression over the message's parameters, which must hold as well.
    pub when: Option<Code>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Received,
    Sent,
    /// The machine has come to rest after a message: `message` and `port` are None.
    Rest,
}
