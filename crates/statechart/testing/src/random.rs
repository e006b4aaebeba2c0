//! Random models that are well formed, for measurements and for tests against the reference.
//!
//! All branches of such a model can be reached, by construction: states form a tree of transitions
//! from the initial one, guards ask for parameters of the event alone, and conditions in action code
//! for attributes that an event can set to anything at any time, each attribute once per nest. An event
//! is handled by one state only of those that are inside of each other, so that none hides another.
//! What is done goes into one number, `trace`, which tells the order of all entries, exits and actions.

mod write;

pub use write::write_qm;

use elsewise_statechart::model::{
    Attribute, Capsule, Code, Declaration, DeclarationKind, Event, EventId, EventKind, Format,
    Guard, Language, Machine, Message, Model, Parameter, Port, PortId, Protocol, Semantics,
    SourcePosition, Statement, Transition, TransitionKind, Vertex, VertexId, VertexKind,
};
use elsewise_test_random::Random;
use std::collections::HashSet;

/// What a random model is like.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub seed: u64,
    pub format: Format,
    /// How many branches there are at least: two for each guard and each condition of action code.
    pub branches: usize,
    /// How deep states are nested.
    pub depth: usize,
}

/// A random model, and what is known of it.
pub struct RandomModel {
    pub model: Model,
    pub branches: usize,
    /// So many events are enough to reach any of its branches.
    pub length: usize,
}

const ATTRIBUTES: usize = 6;
const EVENTS: usize = 12;

/// Makes a random model.
pub fn random(shape: Shape) -> RandomModel {
    let mut maker = Maker {
        shape,
        dice: Random::new(shape.seed),
        machine: Machine::new("Random", SourcePosition::default()),
        used: vec![HashSet::new()],
        distance: vec![0],
        histories: Vec::new(),
        actions: 0,
        branches: 0,
        length: 0,
    };
    maker.states();
    maker.add_histories();
    maker.fill();
    let (branches, length) = (maker.branches, maker.length);
    RandomModel {
        model: finished(shape, maker.machine),
        branches,
        length,
    }
}

struct Maker {
    shape: Shape,
    dice: Random,
    machine: Machine,
    /// For each vertex, the events that it handles itself.
    used: Vec<HashSet<usize>>,
    /// For each vertex, how many events are enough to be in it.
    distance: Vec<usize>,
    histories: Vec<VertexId>,
    actions: usize,
    branches: usize,
    length: usize,
}

impl Maker {
    fn attribute(&self, name: &str) -> String {
        match self.shape.format {
            Format::Qm => format!("me->{name}"),
            Format::UmlRt | Format::Scxml => name.to_owned(),
        }
    }

    fn parameter(&self, event: usize, name: &str) -> String {
        match self.shape.format {
            Format::Qm => format!("Q_EVT_CAST(E{event}Evt)->{name}"),
            Format::UmlRt => name.to_owned(),
            Format::Scxml => format!("_event.data.{name}"),
        }
    }

    /// A statement that is seen in `trace`, and nowhere else.
    fn note(&mut self) -> String {
        self.actions += 1;
        let trace = self.attribute("trace");
        format!(
            "{trace} = ({trace} * 31 + {}) % 65521;",
            self.actions % 9973
        )
    }

    fn code(text: String) -> Vec<Statement> {
        vec![Statement::Code(Code {
            text,
            place: SourcePosition::default(),
        })]
    }

    /// All states with their entries and exits; what is nested, and where one begins.
    fn states(&mut self) {
        let count = (self.shape.branches / 14).max(4);
        for number in 0..count {
            let parent = match self.dice.chance(45) {
                true => VertexId::of(self.dice.below(self.machine.vertices.len())),
                false => VertexId::TOP,
            };
            let deep = self.machine.upwards(parent).count() > self.shape.depth;
            let parent = if deep { VertexId::TOP } else { parent };
            let name = format!("s{number}");
            let mut vertex = Vertex::new(
                VertexKind::State,
                &name,
                Some(parent),
                SourcePosition::default(),
            );
            vertex.id = name;
            let (entry, exit) = (self.note(), self.note());
            vertex.entry = Self::code(entry);
            vertex.exit = Self::code(exit);
            self.add_vertex(vertex);
        }
        for number in 0..self.machine.vertices.len() {
            let children = &self.machine.vertices[number].children;
            let Some(first) = children.first().copied() else {
                continue;
            };
            let note = self.note();
            self.add(Transition {
                target: Some(first),
                kind: TransitionKind::Initial,
                ..way(VertexId::of(number), Self::code(note))
            });
        }
    }

    /// Histories of some composite states.
    fn add_histories(&mut self) {
        for number in 1..self.states_end() {
            let children = &self.machine.vertices[number].children;
            let Some(first) = children.first().copied() else {
                continue;
            };
            if !self.dice.chance(40) {
                continue;
            }
            let kind = match self.dice.chance(50) {
                true => VertexKind::DeepHistory,
                false => VertexKind::ShallowHistory,
            };
            let parent = Some(VertexId::of(number));
            let mut vertex = Vertex::new(
                kind,
                &format!("h{number}"),
                parent,
                SourcePosition::default(),
            );
            vertex.id = vertex.name.clone();
            let history = self.add_vertex(vertex);
            self.histories.push(history);
            // QM's default of a history does nothing on its way.
            let (kind, action) = match self.shape.format {
                Format::Qm => (TransitionKind::Local, Vec::new()),
                _ => (TransitionKind::External, Self::code(self.note())),
            };
            self.add(Transition {
                target: Some(first),
                kind,
                ..way(history, action)
            });
        }
    }

    fn add_vertex(&mut self, vertex: Vertex) -> VertexId {
        self.used.push(HashSet::new());
        self.distance.push(usize::MAX);
        self.machine.add_vertex(vertex)
    }

    fn add(&mut self, transition: Transition) {
        self.machine.add_transition(transition);
    }

    /// Transitions: first those by which every state can be reached, then others, until there are
    /// branches enough.
    fn fill(&mut self) {
        let states = self.states_end();
        self.arrive(VertexId::TOP, 0);
        for number in 1..states {
            let target = VertexId::of(number);
            if self.distance[number] != usize::MAX {
                continue;
            }
            let near: Vec<usize> = (1..states)
                .filter(|it| self.distance[*it] != usize::MAX)
                .collect();
            // Among some that were thrown, the nearest: few events are enough to be anywhere.
            let thrown: Vec<usize> = (0..8).map(|_| near[self.dice.below(near.len())]).collect();
            let mut sources = thrown;
            sources.sort_by_key(|it| self.distance[*it]);
            sources.extend(near);
            for source in sources {
                if self.transition(VertexId::of(source), Some(target)) {
                    let steps = self.distance[source] + 1;
                    self.arrive(target, steps);
                    break;
                }
            }
        }
        let mut misses = 0;
        while self.branches < self.shape.branches && misses < 10_000 {
            let source = VertexId::of(1 + self.dice.below(states - 1));
            let target = match self.dice.below(100) {
                0..15 => None,
                15..25 if !self.histories.is_empty() => {
                    Some(self.histories[self.dice.below(self.histories.len())])
                }
                _ => Some(VertexId::of(1 + self.dice.below(states - 1))),
            };
            misses += usize::from(!self.transition(source, target));
        }
        let reached = self.distance.iter().filter(|it| **it != usize::MAX);
        // One event to set attributes, and one to take the branch.
        self.length = reached.max().copied().unwrap_or(0) + ATTRIBUTES + 1;
    }

    /// A state can be reached after so many events, and so can where one begins in it.
    fn arrive(&mut self, state: VertexId, steps: usize) {
        let mut at = Some(state);
        while let Some(id) = at {
            let outer: Vec<VertexId> = self.machine.upwards(id).collect();
            for outer in outer {
                let distance = &mut self.distance[outer.index()];
                *distance = (*distance).min(steps);
            }
            let initial = self.machine.vertex(id).initial;
            at = initial.and_then(|it| self.machine.transition(it).target);
        }
    }

    /// An event that no state around or inside of a state handles.
    fn free_event(&mut self, state: VertexId) -> Option<usize> {
        let first = self.dice.below(EVENTS);
        let machine = &self.machine;
        let mut taken: HashSet<usize> = HashSet::new();
        for outer in machine.upwards(state) {
            taken.extend(&self.used[outer.index()]);
        }
        let mut left = vec![state];
        while let Some(id) = left.pop() {
            taken.extend(&self.used[id.index()]);
            left.extend(&machine.vertex(id).children);
        }
        (0..EVENTS)
            .map(|step| (first + step) % EVENTS)
            .find(|event| !taken.contains(event))
    }

    /// A condition on one parameter: always possible, and always possible not to hold.
    fn condition(&mut self, event: usize, name: &str) -> String {
        let parameter = self.parameter(event, name);
        let number = self.dice.below(1000);
        match self.dice.below(5) {
            0 => format!("{parameter} > {number}"),
            1 => format!("{parameter} == {number}"),
            2 => format!("{parameter} < -{number}"),
            3 => format!("{parameter} > {number} && {parameter} < {}", number + 17),
            _ => format!("({parameter} & 15) == {}", number % 16),
        }
    }

    /// What a transition does: attributes are set, conditions are asked, each attribute at most once.
    fn action(&mut self, event: usize) -> Vec<Statement> {
        let mut text = self.note();
        let set = self.dice.below(ATTRIBUTES);
        let attribute = self.attribute(&format!("a{set}"));
        let parameter = self.parameter(event, "p1");
        let mut asked: Vec<usize> = (0..ATTRIBUTES).filter(|it| *it != set).collect();
        text.push_str(&format!("\n{attribute} = {parameter};"));
        let deep = self.dice.below(4);
        let mut indent = String::new();
        for _ in 0..deep {
            let which = asked.remove(self.dice.below(asked.len()));
            let asked = self.attribute(&format!("a{which}"));
            let number = self.dice.below(1000);
            let note = self.note();
            let condition = match self.dice.below(3) {
                0 => format!("{asked} == {number}"),
                1 => format!("{asked} > {number}"),
                _ => format!("({asked} & 7) == {}", number % 8),
            };
            self.branches += 2;
            text.push_str(&format!(
                "\n{indent}if ({condition}) {{\n{indent}    {note}"
            ));
            indent.push_str("    ");
        }
        for _ in 0..deep {
            indent.truncate(indent.len() - 4);
            text.push_str(&format!("\n{indent}}}"));
        }
        Self::code(text)
    }

    /// Adds what a state does at some event; false if it has no event left.
    fn transition(&mut self, source: VertexId, target: Option<VertexId>) -> bool {
        let Some(event) = self.free_event(source) else {
            return false;
        };
        self.used[source.index()].insert(event);
        let triggers = vec![EventId::of(event)];
        let kind = self.kind(source, target);
        let guarded = self.dice.chance(70);
        if !guarded {
            let action = self.action(event);
            self.add(Transition {
                target,
                kind,
                triggers,
                ..way(source, action)
            });
            return true;
        }
        let first = self.condition(event, "p0");
        self.branches += 2;
        let other = match self.dice.chance(50) {
            true => Some(VertexId::of(
                1 + self
                    .dice
                    .below(self.machine.vertices.len().min(self.states_end()) - 1),
            )),
            false => None,
        };
        let (action, otherwise) = (self.action(event), self.action(event));
        let when = Some(Guard::When(Code {
            text: first,
            place: SourcePosition::default(),
        }));
        if self.shape.format == Format::Scxml {
            let other_kind = self.kind(source, other);
            for (target, kind, guard, action) in [
                (target, kind, when, action),
                (other, other_kind, None, otherwise),
            ] {
                self.add(Transition {
                    target,
                    kind,
                    triggers: triggers.clone(),
                    guard,
                    ..way(source, action)
                });
            }
            return true;
        }
        // UML's choices lead on; where nothing else is meant, back to where one came from.
        let back = (self.shape.format == Format::UmlRt).then_some(source);
        let parent = self.machine.vertex(source).parent;
        let name = format!("c{}", self.machine.vertices.len());
        let mut choice = Vertex::new(VertexKind::Choice, &name, parent, SourcePosition::default());
        choice.id = name;
        let choice = self.add_vertex(choice);
        let note = self.note();
        let into = match self.shape.format {
            Format::Qm => TransitionKind::Local,
            _ => TransitionKind::External,
        };
        self.add(Transition {
            target: Some(choice),
            kind: into,
            triggers,
            ..way(source, Self::code(note))
        });
        for (target, guard, action) in [
            (target.or(back), when, action),
            (other.or(back), Some(Guard::Else), otherwise),
        ] {
            let kind = self.kind(source, target);
            self.add(Transition {
                target,
                kind,
                guard,
                ..way(choice, action)
            });
        }
        true
    }

    /// How many vertices are states; choices come behind them.
    fn states_end(&self) -> usize {
        let vertices = &self.machine.vertices;
        vertices.partition_point(|it| it.kind == VertexKind::State)
    }

    /// The kind that a reader would give.
    fn kind(&self, source: VertexId, target: Option<VertexId>) -> TransitionKind {
        match (target, self.shape.format) {
            (None, _) => TransitionKind::Internal,
            (Some(target), Format::Qm) if target != source => TransitionKind::Local,
            _ => TransitionKind::External,
        }
    }
}

/// A transition with nothing but its source and what it does.
fn way(source: VertexId, action: Vec<Statement>) -> Transition {
    Transition {
        id: String::new(),
        name: String::new(),
        place: SourcePosition::default(),
        kind: TransitionKind::External,
        source,
        target: None,
        triggers: Vec::new(),
        guard: None,
        action,
    }
}

fn finished(shape: Shape, mut machine: Machine) -> Model {
    let place = SourcePosition::default();
    let parameters: Vec<Parameter> = ["p0", "p1"]
        .map(|name| Parameter {
            name: name.to_owned(),
            of: "int".to_owned(),
            array: None,
        })
        .to_vec();
    for (number, transition) in machine.transitions.iter_mut().enumerate() {
        transition.name = format!("t{number}");
        transition.id = transition.name.clone();
    }
    let ported = shape.format == Format::UmlRt;
    let name = |number: usize| match shape.format {
        Format::Qm => format!("E{number}"),
        _ => format!("e{number}"),
    };
    let qm = shape.format == Format::Qm;
    let events: Vec<Event> = (0..EVENTS)
        .map(|number| Event {
            id: name(number),
            name: name(number),
            place,
            port: ported.then_some(PortId(0)),
            kind: EventKind::Message,
            parameters: parameters.clone(),
            payload: qm.then(|| format!("E{number}Evt")),
        })
        .collect();
    let types = (0..EVENTS).filter(|_| qm).map(|number| Declaration {
        name: format!("E{number}Evt"),
        kind: DeclarationKind::Type,
        code: Code {
            text: format!(
                "typedef struct {{\n    QEvt super;\n    int p0;\n    int p1;\n}} E{number}Evt;"
            ),
            place,
        },
    });
    let attributes = (0..ATTRIBUTES).map(|number| format!("a{number}"));
    let attributes = attributes.chain(["trace".to_owned()]);
    let protocol = Protocol {
        id: "Environment".to_owned(),
        name: "Environment".to_owned(),
        place,
        incoming: (0..EVENTS)
            .map(|number| Message {
                id: name(number),
                name: name(number),
                place,
                parameters: parameters.clone(),
            })
            .collect(),
        outgoing: Vec::new(),
    };
    let capsule = Capsule {
        id: "Random".to_owned(),
        name: "Random".to_owned(),
        place,
        attributes: attributes
            .map(|name| Attribute {
                id: name.clone(),
                name,
                place,
                of: "int".to_owned(),
                array: None,
                initial: Some("0".to_owned()),
                shared: false,
            })
            .collect(),
        operations: Vec::new(),
        ports: match ported {
            true => vec![Port {
                id: "env".to_owned(),
                name: "env".to_owned(),
                place,
                protocol: Some(0),
                conjugated: false,
                replication: None,
                service: None,
            }],
            false => Vec::new(),
        },
        events,
        sends: Vec::new(),
        timers: Vec::new(),
        machine: Some(machine),
    };
    Model {
        name: "Random".to_owned(),
        file: format!("random{}", shape.seed),
        format: shape.format,
        language: match shape.format {
            Format::UmlRt => Language::Cpp,
            _ => Language::C,
        },
        semantics: match shape.format {
            Format::Qm => Semantics::QM,
            Format::UmlRt => Semantics::UML_RT,
            Format::Scxml => Semantics::SCXML,
        },
        declarations: types.collect(),
        files: Vec::new(),
        protocols: match ported {
            true => vec![protocol],
            false => Vec::new(),
        },
        capsules: vec![capsule],
        system: None,
        properties: Vec::new(),
    }
}
