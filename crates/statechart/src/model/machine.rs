//! A state machine as tables of vertices and transitions.

use super::{Code, EventId, SourcePosition};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VertexId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TransitionId(pub u32);

impl VertexId {
    /// The machine itself, which contains all others.
    pub const TOP: Self = Self(0);

    /// The id of the element at an index of a table; tables are far smaller than 32 bits allow.
    pub fn of(index: usize) -> Self {
        Self(index as u32)
    }
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl TransitionId {
    /// The id of the element at an index of a table; tables are far smaller than 32 bits allow.
    pub fn of(index: usize) -> Self {
        Self(index as u32)
    }
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The state machine of a capsule. Vertex 0 is the machine itself: a composite state that is never
/// left, which has the initial transition and may have transitions for messages in any state.
#[derive(Clone, Debug)]
pub struct Machine {
    pub name: String,
    pub vertices: Vec<Vertex>,
    pub transitions: Vec<Transition>,
}

impl Machine {
    /// A machine with nothing in it but itself.
    pub fn new(name: &str, place: SourcePosition) -> Self {
        Self {
            name: name.to_owned(),
            vertices: vec![Vertex::new(VertexKind::State, name, None, place)],
            transitions: Vec::new(),
        }
    }

    pub fn vertex(&self, id: VertexId) -> &Vertex {
        &self.vertices[id.index()]
    }

    pub fn transition(&self, id: TransitionId) -> &Transition {
        &self.transitions[id.index()]
    }

    /// Adds a vertex inside of its parent.
    pub fn add_vertex(&mut self, vertex: Vertex) -> VertexId {
        let id = VertexId::of(self.vertices.len());
        if let Some(parent) = vertex.parent {
            self.vertices[parent.index()].children.push(id);
        }
        self.vertices.push(vertex);
        id
    }

    /// Adds a transition to what leaves its source; an initial one becomes its source's.
    pub fn add_transition(&mut self, transition: Transition) -> TransitionId {
        let id = TransitionId::of(self.transitions.len());
        let source = &mut self.vertices[transition.source.index()];
        match transition.kind {
            TransitionKind::Initial => source.initial = Some(id),
            _ => source.outgoing.push(id),
        }
        self.transitions.push(transition);
        id
    }

    /// The vertex and all that it stands in, from the inside, the machine itself last.
    pub fn upwards(&self, from: VertexId) -> impl Iterator<Item = VertexId> + '_ {
        std::iter::successors(Some(from), |id| self.vertex(*id).parent)
    }

    /// Whether a vertex is another one or stands inside of it.
    pub fn within(&self, inner: VertexId, outer: VertexId) -> bool {
        self.upwards(inner).any(|id| id == outer)
    }

    /// A vertex by the names on the way to it, as people write it: `on.ready.begin`.
    pub fn path(&self, id: VertexId) -> String {
        let mut names: Vec<&str> = self
            .upwards(id)
            .filter(|id| *id != VertexId::TOP)
            .map(|id| self.vertex(id).name.as_str())
            .collect();
        names.reverse();
        match names.is_empty() {
            true => self.name.clone(),
            false => names.join("."),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VertexKind {
    /// A simple state, or a composite one if it has states in it.
    State,
    /// Where a composite state has come to its end, or, at the top, the machine.
    Final,
    /// Its guards are evaluated when it is reached, after all actions on the way to it.
    Choice,
    /// Its guards are evaluated before anything on the way is done.
    Junction,
    /// On the border of a composite state: leads inside. Without a way on, it is where the state
    /// was left last (see `Semantics::border_target`).
    EntryPoint,
    /// On the border of a composite state: leads outside.
    ExitPoint,
    /// Stands for the state that was last active directly inside of its parent.
    ShallowHistory,
    /// Stands for the innermost state that was last active inside of its parent.
    DeepHistory,
}

#[derive(Clone, Debug)]
pub struct Vertex {
    pub kind: VertexKind,
    /// What the file calls it; in some formats nothing does.
    pub id: String,
    pub name: String,
    pub place: SourcePosition,
    pub parent: Option<VertexId>,
    /// In the order of the file.
    pub children: Vec<VertexId>,
    /// Where one begins inside of it: a transition whose source is this vertex. Of a history
    /// vertex, the transition for a state that was never active before is its only outgoing one.
    pub initial: Option<TransitionId>,
    /// Other transitions that leave it, internal ones too, in the order of the file.
    pub outgoing: Vec<TransitionId>,
    pub entry: Vec<Statement>,
    pub exit: Vec<Statement>,
    /// What is done while the state is active; taken to be done at once after its entry.
    pub activity: Vec<Statement>,
    /// Kept for later as long as the state is active and nothing inside of it takes them.
    pub deferred: Vec<EventId>,
    /// What holds whenever the state is active and the machine is at rest.
    pub invariants: Vec<Code>,
}

impl Vertex {
    pub fn new(
        kind: VertexKind,
        name: &str,
        parent: Option<VertexId>,
        place: SourcePosition,
    ) -> Self {
        Self {
            kind,
            id: String::new(),
            name: name.to_owned(),
            place,
            parent,
            children: Vec::new(),
            initial: None,
            outgoing: Vec::new(),
            entry: Vec::new(),
            exit: Vec::new(),
            activity: Vec::new(),
            deferred: Vec::new(),
            invariants: Vec::new(),
        }
    }

    /// Whether a machine can be at rest here: states and final states, not points on a way.
    pub fn is_state(&self) -> bool {
        matches!(self.kind, VertexKind::State | VertexKind::Final)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TransitionKind {
    /// Leaves its source, whatever its target.
    External,
    /// Of its source and its target, the one that contains the other (or is the other) is neither
    /// left nor entered; only what is inside of it is. As an external one if neither contains the
    /// other. All of QM's are local but those of a state to itself (QEP: a transition to a
    /// substate does not leave the source, one to a superstate does not enter the target); UML-RT's
    /// are if they are drawn inside of that state; SCXML's if they are of type `internal` and lead
    /// from a composite state to what is inside of it.
    Local,
    /// Leaves nothing and has no target.
    Internal,
    /// Where one begins inside of its source.
    Initial,
}

#[derive(Clone, Debug)]
pub struct Transition {
    pub id: String,
    pub name: String,
    pub place: SourcePosition,
    pub kind: TransitionKind,
    pub source: VertexId,
    /// None for internal ones only, and for a way out of a choice that leads nowhere: then the
    /// machine stays where it is (QM: what is written behind the guard is all that is done).
    pub target: Option<VertexId>,
    /// Any of these makes it happen. None at a state: it happens by itself as soon as the state is
    /// complete (UML) or the machine has nothing else to do (SCXML). None at other vertices.
    pub triggers: Vec<EventId>,
    pub guard: Option<Guard>,
    pub action: Vec<Statement>,
}

#[derive(Clone, Debug)]
pub enum Guard {
    /// A C expression without side effects.
    When(Code),
    /// If no other guard of the same choice holds.
    Else,
}

/// What is done at an entry, an exit or a transition. QM and UML-RT have one piece of code there.
#[derive(Clone, Debug)]
pub enum Statement {
    /// C or C++ as it stands in the model: statements, as in the body of a function.
    Code(Code),
    /// Gives the machine itself an event, before any from outside.
    Raise {
        event: EventId,
        place: SourcePosition,
    },
    /// Sends a message to others (`event` is None then), or to the machine itself, perhaps later.
    Send {
        event: Option<EventId>,
        name: String,
        arguments: Vec<Argument>,
        /// After this time it is a timer: `delay` is a C expression of milliseconds.
        delay: Option<Code>,
        /// By what `Cancel` knows it.
        id: Option<String>,
        place: SourcePosition,
    },
    /// A delayed send that has not happened yet never does.
    Cancel { id: String, place: SourcePosition },
    /// The first whose condition holds, or that has none.
    If {
        branches: Vec<(Option<Code>, Vec<Statement>)>,
    },
    /// A line for people; `value` is a C expression.
    Log {
        label: String,
        value: Option<Code>,
        place: SourcePosition,
    },
}

/// A parameter that goes with a message.
#[derive(Clone, Debug)]
pub struct Argument {
    pub name: String,
    pub value: Code,
}
