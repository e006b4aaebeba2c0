//! A system: capsules as parts of a whole, connected by their ports.

use super::{PortId, SourcePosition};

#[derive(Clone, Debug, Default)]
pub struct System {
    pub name: String,
    pub place: SourcePosition,
    pub parts: Vec<Part>,
    pub connectors: Vec<Connector>,
}

/// An object of a capsule in the system. Parts of parts stand in the same table, under a name that
/// tells the way to them (`car.engine`).
#[derive(Clone, Debug)]
pub struct Part {
    pub id: String,
    pub name: String,
    pub place: SourcePosition,
    /// An index of the model's capsules.
    pub capsule: usize,
    /// How many of them there are, as C; one if nothing is said.
    pub replication: Option<String>,
    /// Made by code while the system runs, not with it.
    pub optional: bool,
}

/// What is sent at one end arrives at the other.
#[derive(Clone, Debug)]
pub struct Connector {
    pub id: String,
    pub place: SourcePosition,
    pub ends: [End; 2],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// An index of the system's parts.
    pub part: usize,
    pub port: PortId,
}
