//! One representation of hierarchical state machines, whatever format they were written in.
//!
//! A model is a set of capsules (UML-RT's word; QM calls them active objects, in SCXML the document
//! is the only one), each with data, operations and a state machine, and possibly a system of parts
//! that are connected by ports. Everything stands in flat tables and is named by its index, so that
//! nothing that works on a model recurses over its depth. Names that a file uses (targets, triggers,
//! ports) have been looked up by whoever read it: an index in here never dangles, and
//! `validate.rs` checks that for models that were made in another way.

mod machine;
mod nesting;
mod property;
mod semantics;
mod system;

pub use machine::{
    Argument, Guard, Machine, Statement, Transition, TransitionId, TransitionKind, Vertex,
    VertexId, VertexKind,
};
pub use nesting::Nesting;
pub use property::{Direction, Edge, Observed, Property, PropertyState};
pub use semantics::{ActionOrder, BorderTarget, ChoiceTime, GuardOrder, Semantics, Unhandled};
pub use system::{Connector, End, Part, System};

/// Where an element stands in the file that it was read from; line 0 for what no file holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourcePosition {
    pub line: u32,
    pub column: u32,
}

/// A piece of C or C++ as it stands in the model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Code {
    pub text: String,
    /// Where its first character stands.
    pub place: SourcePosition,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Qm,
    UmlRt,
    Scxml,
}

/// What action code is written in, and so what the generated program is compiled as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    C,
    Cpp,
}

#[derive(Clone, Debug)]
pub struct Model {
    pub name: String,
    /// The file's name as it was given, for messages.
    pub file: String,
    pub format: Format,
    pub language: Language,
    pub semantics: Semantics,
    /// Declarations of the whole model: headers to include, types, constants, variables and
    /// functions outside of capsules, in an order in which C accepts them.
    pub declarations: Vec<Declaration>,
    /// Source files that the model carries along for its own generator (QM does). They are kept as
    /// they are, directives of that generator included.
    pub files: Vec<SourceFile>,
    pub protocols: Vec<Protocol>,
    pub capsules: Vec<Capsule>,
    /// Parts and connectors, where the model has a top capsule that consists of others.
    pub system: Option<System>,
    pub properties: Vec<Property>,
}

impl Model {
    /// The capsule of that name.
    pub fn capsule(&self, name: &str) -> Option<&Capsule> {
        self.capsules.iter().find(|capsule| capsule.name == name)
    }
}

/// A file of source code that stands in a model.
#[derive(Clone, Debug)]
pub struct SourceFile {
    pub name: String,
    pub code: Code,
}

/// Something that C needs to have seen before action code.
#[derive(Clone, Debug)]
pub struct Declaration {
    pub name: String,
    pub kind: DeclarationKind,
    /// The whole declaration as C: with its semicolon, a function with its body.
    pub code: Code,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeclarationKind {
    /// Preprocessor lines and whatever else comes first.
    Prelude,
    /// A struct, an enumeration or a typedef.
    Type,
    Variable,
    Function,
}

/// What two ports that are connected say to each other.
#[derive(Clone, Debug)]
pub struct Protocol {
    pub id: String,
    pub name: String,
    pub place: SourcePosition,
    /// Messages that a port of this protocol receives; of a conjugated port, those that it sends.
    pub incoming: Vec<Message>,
    pub outgoing: Vec<Message>,
}

#[derive(Clone, Debug)]
pub struct Message {
    pub id: String,
    pub name: String,
    pub place: SourcePosition,
    pub parameters: Vec<Parameter>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    pub name: String,
    /// Its type as C spells it, without a trailing array.
    pub of: String,
    /// How many elements, if it is an array.
    pub array: Option<String>,
}

/// A capsule or active object: a class with a state machine.
#[derive(Clone, Debug)]
pub struct Capsule {
    pub id: String,
    pub name: String,
    pub place: SourcePosition,
    pub attributes: Vec<Attribute>,
    pub operations: Vec<Operation>,
    pub ports: Vec<Port>,
    /// All that the machine can be given, whatever it does with it: messages at its ports, events
    /// without a port, timeouts, and what it raises for itself. Triggers are indices in here.
    pub events: Vec<Event>,
    /// Messages that it can send, as far as the format says; QM says nothing of them.
    pub sends: Vec<Sent>,
    pub timers: Vec<Timer>,
    /// None for a capsule that only has parts.
    pub machine: Option<Machine>,
}

impl Capsule {
    pub fn event(&self, id: EventId) -> &Event {
        &self.events[id.index()]
    }

    /// The event of that name at a port, or without one.
    pub fn event_named(&self, port: Option<PortId>, name: &str) -> Option<EventId> {
        self.events
            .iter()
            .position(|event| event.port == port && event.name == name)
            .map(EventId::of)
    }

    /// An event as people write it: `port.message`, or its name where there is no port.
    pub fn event_label(&self, id: EventId) -> String {
        let event = self.event(id);
        match event.port {
            Some(port) => format!("{}.{}", self.ports[port.index()].name, event.name),
            None => event.name.clone(),
        }
    }
}

/// A variable of a capsule.
#[derive(Clone, Debug)]
pub struct Attribute {
    pub id: String,
    pub name: String,
    pub place: SourcePosition,
    /// Its type as C spells it, without a trailing array.
    pub of: String,
    /// What stands between the brackets of an array, as C: `10`, `N_PHILO`, `3][4`.
    pub array: Option<String>,
    /// Its initial value as C, without the equals sign.
    pub initial: Option<String>,
    /// There is one for all objects of the class.
    pub shared: bool,
}

/// A function of a capsule.
#[derive(Clone, Debug)]
pub struct Operation {
    pub id: String,
    pub name: String,
    pub place: SourcePosition,
    pub returns: String,
    pub parameters: Vec<Parameter>,
    /// There is no object that it works on.
    pub shared: bool,
    /// None where only its head is known.
    pub body: Option<Code>,
}

#[derive(Clone, Debug)]
pub struct Port {
    pub id: String,
    pub name: String,
    pub place: SourcePosition,
    /// None for a port of a protocol of the run-time system, see `service`.
    pub protocol: Option<usize>,
    pub conjugated: bool,
    /// How many connectors it can have at once, as C.
    pub replication: Option<String>,
    /// What the run-time system offers at this port, if it is one of its own.
    pub service: Option<Service>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Service {
    /// UML-RT's Timing: timers are set here, and `timeout` comes from here.
    Timing,
    /// UML-RT's Log: text goes out, nothing comes in.
    Log,
    /// UML-RT's Frame: capsules are made and destroyed.
    Frame,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PortId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventId(pub u32);

impl PortId {
    /// The id of the element at an index of a table; tables are far smaller than 32 bits allow.
    pub fn of(index: usize) -> Self {
        Self(index as u32)
    }
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl EventId {
    /// The id of the element at an index of a table; tables are far smaller than 32 bits allow.
    pub fn of(index: usize) -> Self {
        Self(index as u32)
    }
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Something that a machine can be given.
#[derive(Clone, Debug)]
pub struct Event {
    pub id: String,
    pub name: String,
    /// Where it is first mentioned, or declared.
    pub place: SourcePosition,
    pub port: Option<PortId>,
    pub kind: EventKind,
    pub parameters: Vec<Parameter>,
    /// The struct that carries it, where action code speaks of one (QM's event classes): its
    /// members are the parameters then.
    pub payload: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// The environment or another capsule can send it at any time.
    Message,
    /// Virtual time passes: it can come while its timer runs.
    Timeout,
    /// Only the machine itself raises it.
    Internal,
    /// The machine raises it when that state has reached its final state (SCXML's `done.state`).
    Completion(VertexId),
}

/// A message that a capsule can send.
#[derive(Clone, Debug)]
pub struct Sent {
    pub port: Option<PortId>,
    pub name: String,
    pub parameters: Vec<Parameter>,
}

/// A timer that a capsule has, and what its machine is given when time is up.
#[derive(Clone, Debug)]
pub struct Timer {
    pub name: String,
    pub place: SourcePosition,
    /// None where only code knows, as in QM's constructors.
    pub event: Option<EventId>,
}
