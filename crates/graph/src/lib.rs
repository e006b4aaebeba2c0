//! Values as the programmer of a subject sees them: numbers, text, structs, and objects that point
//! at one another. Front ends make them, views draw them and exported tests build them again; this
//! crate knows neither.

use serde::{Deserialize, Serialize};

/// A memory graph: what the roots (parameters, globals, results) hold, and every object that can be
/// reached from them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    pub roots: Vec<Field>,
    /// A [`Value::Pointer`] names an object by its place here.
    pub objects: Vec<Object>,
}

/// A piece of memory of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    /// How people call it; unique in the graph: `node 1`.
    pub name: String,
    /// The type of one element in the subject's language: `struct node`, `int`.
    pub ty: String,
    /// How many elements there are when it is an array: `value` is then a [`Value::Array`] or a
    /// [`Value::Text`].
    pub count: Option<usize>,
    pub value: Value,
    /// The subject gave it back.
    pub freed: bool,
}

/// A named value: a parameter, a member of a struct, a result.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Empty for a member without a name.
    pub name: String,
    /// The type as the subject's language spells it: `unsigned int`, `struct node *`, `int [4]`.
    pub ty: String,
    pub value: Value,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Integer(i128),
    /// A single-precision float, whose shortest spelling is shorter.
    Single(f32),
    Double(f64),
    /// Something that has a name in the source: an enumerator, `true`, a function.
    Named(String),
    /// A string or an array of characters, as it lies in memory (with its NUL, if it has one).
    Text(Vec<u8>),
    Null,
    /// Into an object: to its beginning, or to the part that `path` leads to.
    Pointer {
        object: usize,
        path: Vec<Step>,
    },
    /// What an earlier call of a sequence returned, by its number from 0.
    Result(usize),
    /// A pointer to something that is not in the graph.
    Elsewhere,
    Struct(Vec<Field>),
    /// The member of a union that was looked at.
    Union(Box<Field>),
    Array(Vec<Value>),
    /// Memory of which nothing is known but its bytes.
    Bytes(Vec<u8>),
}

/// A step from an object to a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    Member(String),
    Element(usize),
}

/// A call of a function of the subject.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    pub function: String,
    pub arguments: Vec<Field>,
    /// What it returned, by type and value; none for a function that returns nothing or did not
    /// return.
    pub result: Option<Field>,
    /// The type that it returns; none for `void`.
    pub returns: Option<String>,
}

/// What one case makes the subject do: one call, or a sequence of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Behaviour {
    /// The case's number in its campaign.
    pub case: u64,
    /// Memory before the first call. Its roots are globals that were set; arguments are in `calls`.
    pub before: Graph,
    pub calls: Vec<Call>,
    /// What functions returned that nobody defines, each time that they were called.
    pub stubs: Vec<Field>,
    /// Memory after the last call, with the objects of `before` at the same places; none when the
    /// subject did not come so far. Objects that the calls made come after them where they are
    /// known, and are [`Value::Elsewhere`] where they are not.
    pub after: Option<Graph>,
    pub ending: Ending,
    /// Sides that this case reached, as people name them: `list.c:12 true`; where cases are told one
    /// after the other, those that it was the first to reach.
    pub reached: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    Returned,
    /// The subject ended the process itself.
    Exited(i32),
    /// It failed, in a few words: `segmentation fault at list.c:31`.
    Failed(String),
}

/// What called what in a run of a logic program: one step for each clause that a call entered, and one
/// for each call that no clause took, in the order in which they happened.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Derivation {
    pub steps: Vec<DerivationStep>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DerivationStep {
    /// The step whose clause made the call.
    pub outer: Option<usize>,
    /// The goal as it was called.
    pub goal: String,
    /// Line of the clause.
    pub line: Option<u32>,
    pub ended: Derived,
}

/// How a step ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Derived {
    /// With this answer.
    Answer(String),
    Failed,
    /// The run ended in it: with an error, or at the last answer that was asked for.
    Open,
    /// No clause applies.
    Rejected,
}

/// What went to and fro between the machines of a model and whoever is outside, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Messages {
    /// The machines by name.
    pub parts: Vec<String>,
    pub steps: Vec<MessageStep>,
}

/// A message that a machine was given, and what came of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MessageStep {
    /// An index of [`Messages::parts`].
    pub part: usize,
    /// Empty for the beginning of the machine.
    pub message: String,
    /// What it carries: names and values.
    pub arguments: Vec<(String, String)>,
    /// From outside, not from another machine or from the machine itself.
    pub outside: bool,
    /// Transitions that were taken, in words.
    pub transitions: Vec<String>,
    /// What was sent meanwhile, with what it carries.
    pub sent: Vec<(String, Vec<(String, String)>)>,
    /// The state that the machine was in afterwards.
    pub state: String,
}

/// A state machine as it is drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StateChart {
    pub name: String,
    pub states: Vec<ChartState>,
    pub arrows: Vec<ChartArrow>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChartState {
    pub name: String,
    /// The state around it: an index of [`StateChart::states`] before its own.
    pub parent: Option<usize>,
    pub kind: ChartKind,
    pub fate: ChartFate,
    /// Line in the model.
    pub line: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChartKind {
    State,
    Final,
    /// Where its parent begins.
    Initial,
    /// A point on a way: a choice, a junction, an entry or exit point.
    Point,
    History,
}

/// What became of a part of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChartFate {
    Reached,
    /// No run has reached it, and why, as far as that is known.
    Missed(String),
    /// No case reaches it.
    Unreachable(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChartArrow {
    pub from: usize,
    /// None for an internal one.
    pub to: Option<usize>,
    pub label: String,
    pub fate: ChartFate,
    pub line: u32,
}
