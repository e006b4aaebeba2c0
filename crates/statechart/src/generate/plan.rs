//! What is known of a capsule before its code is written: names, numbers, and which ways lead where.

use super::text::ident;
use crate::model::{BorderTarget, ChoiceTime, Statement};
use crate::model::{
    Capsule, EventId, EventKind, Guard, Language, Machine, Model, SourcePosition, Transition,
    TransitionId, TransitionKind, Vertex, VertexId, VertexKind,
};
use std::collections::BTreeSet;

/// An element of the model whose coverage is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    pub kind: ElementKind,
    /// An index of the model's capsules.
    pub capsule: usize,
    /// Which state or transition of its machine.
    pub index: usize,
    /// In words: `Closed`, `Closed -> Open on open [angle > 3]`.
    pub label: String,
    pub place: SourcePosition,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementKind {
    State,
    Transition,
}

/// A capsule whose code is written.
pub struct Plan<'a> {
    pub model: &'a Model,
    /// Which of the model's capsules it is.
    pub index: usize,
    pub capsule: &'a Capsule,
    pub machine: &'a Machine,
    /// The capsule's name in C.
    pub name: String,
    /// Names of its vertices in C, without the capsule's.
    pub vertices: Vec<String>,
    /// Names of its events in C, without the capsule's.
    pub events: Vec<String>,
    /// Numbers of its events: messages first, then timeouts, then what it raises itself.
    pub numbers: Vec<u32>,
    /// By vertex: the number of the element that it is.
    pub states: Vec<usize>,
    /// The number of its first transition, as an element.
    pub first_transition: usize,
    /// By transition: the events that can have led to it, as far as their parameters can be seen.
    pub scopes: Vec<Vec<EventId>>,
    /// By vertex: the state whose transition leads to it, if it is no state itself.
    pub sources: Vec<Option<VertexId>>,
    /// By vertex: the innermost state inside of it that was last active is kept.
    pub kept: Vec<bool>,
}

impl<'a> Plan<'a> {
    /// None for a capsule without a machine.
    pub fn new(model: &'a Model, index: usize, first: usize) -> Option<Plan<'a>> {
        let capsule = model.capsules.get(index)?;
        let machine = capsule.machine.as_ref()?;
        let paths = (0..machine.vertices.len()).map(|at| match at {
            0 => "top".to_string(),
            _ => machine.path(VertexId::of(at)),
        });
        let labels = (0..capsule.events.len()).map(|at| capsule.event_label(EventId::of(at)));
        let mut plan = Plan {
            model,
            index,
            capsule,
            machine,
            name: ident(&capsule.name),
            vertices: unique(paths),
            events: unique(labels),
            numbers: numbers(capsule),
            states: Vec::new(),
            first_transition: 0,
            scopes: Vec::new(),
            sources: vec![None; machine.vertices.len()],
            kept: vec![false; machine.vertices.len()],
        };
        let mut next = first;
        for (at, vertex) in machine.vertices.iter().enumerate() {
            plan.states.push(next);
            // The machine itself is none.
            next += usize::from(at > 0 && vertex.is_state());
        }
        plan.first_transition = next;
        plan.find_scopes();
        plan.find_sources();
        plan.find_kept();
        Some(plan)
    }

    pub fn is_cpp(&self) -> bool {
        self.model.language == Language::Cpp
    }

    pub fn vertex(&self, id: VertexId) -> &'a Vertex {
        &self.machine.vertices[id.index()]
    }

    pub fn transition(&self, id: TransitionId) -> &'a Transition {
        &self.machine.transitions[id.index()]
    }

    pub fn vertex_ids(&self) -> impl Iterator<Item = VertexId> + use<> {
        (0..self.machine.vertices.len()).map(VertexId::of)
    }

    pub fn transition_ids(&self) -> impl Iterator<Item = TransitionId> + use<> {
        (0..self.machine.transitions.len()).map(TransitionId::of)
    }

    pub fn event_ids(&self) -> impl Iterator<Item = EventId> + use<> {
        (0..self.capsule.events.len()).map(EventId::of)
    }

    /// The enumerator of a state.
    pub fn at(&self, id: VertexId) -> String {
        format!("{}_at_{}", self.name, self.vertices[id.index()])
    }

    /// The enumerator of an event.
    pub fn signal(&self, id: EventId) -> String {
        format!("{}_sig_{}", self.name, self.events[id.index()])
    }

    pub fn transition_element(&self, id: TransitionId) -> usize {
        self.first_transition + id.index()
    }

    /// All of its elements in the order of their numbers.
    pub fn elements(&self) -> Vec<Element> {
        let states = self
            .vertex_ids()
            .skip(1)
            .filter(|id| self.vertex(*id).is_state());
        let states = states.map(|id| Element {
            kind: ElementKind::State,
            capsule: self.index,
            index: id.index(),
            label: self.machine.path(id),
            place: self.vertex(id).place,
        });
        let transitions = self.transition_ids().map(|id| Element {
            kind: ElementKind::Transition,
            capsule: self.index,
            index: id.index(),
            label: self.label(id),
            place: self.transition(id).place,
        });
        states.chain(transitions).collect()
    }

    /// A transition in words.
    pub fn label(&self, id: TransitionId) -> String {
        let transition = self.transition(id);
        let source = match transition.kind {
            TransitionKind::Initial if transition.source == VertexId::TOP => "(start)".into(),
            TransitionKind::Initial => format!("({} begins)", self.machine.path(transition.source)),
            _ => self.words(transition.source),
        };
        let mut label = match transition.target {
            Some(target) => format!("{source} -> {}", self.words(target)),
            None => source,
        };
        let triggers: Vec<String> = transition
            .triggers
            .iter()
            .map(|event| self.capsule.event_label(*event))
            .collect();
        if !triggers.is_empty() {
            label.push_str(" on ");
            label.push_str(&triggers.join(", "));
        }
        match &transition.guard {
            Some(Guard::When(code)) => {
                let words: Vec<&str> = code.text.split_whitespace().collect();
                label.push_str(&format!(" [{}]", words.join(" ")));
            }
            Some(Guard::Else) => label.push_str(" [else]"),
            None => {}
        }
        label
    }

    /// A vertex in words.
    pub fn words(&self, id: VertexId) -> String {
        let vertex = self.vertex(id);
        let kind = match vertex.kind {
            VertexKind::State | VertexKind::Final => return self.machine.path(id),
            VertexKind::Choice => "choice",
            VertexKind::Junction => "junction",
            VertexKind::EntryPoint => "entry",
            VertexKind::ExitPoint => "exit",
            VertexKind::ShallowHistory => "history",
            VertexKind::DeepHistory => "deep history",
        };
        let source = self.sources[id.index()].filter(|_| vertex.kind == VertexKind::Choice);
        match source.or(vertex.parent) {
            Some(state) if state != VertexId::TOP => {
                format!("{kind} in {}", self.machine.path(state))
            }
            _ if vertex.name.is_empty() => kind.to_string(),
            _ => format!("{kind} {}", vertex.name),
        }
    }

    /// Is it a state with states in it?
    pub fn is_composite(&self, id: VertexId) -> bool {
        let children = &self.vertex(id).children;
        children.iter().any(|child| self.vertex(*child).is_state())
    }

    /// Can the machine be at rest there?
    pub fn is_leaf(&self, id: VertexId) -> bool {
        id != VertexId::TOP && self.vertex(id).is_state() && !self.is_composite(id)
    }

    /// The state that one is in when one has come to a vertex.
    pub fn state_of(&self, id: VertexId) -> VertexId {
        match self.vertex(id).is_state() {
            true => id,
            false => self.vertex(id).parent.unwrap_or(VertexId::TOP),
        }
    }

    /// Are choices made before anything is left?
    pub fn chooses_first(&self) -> bool {
        self.model.semantics.choice_time == ChoiceTime::BeforeExit
    }

    /// The state that is left as far as its insides go, and no further, on a transition.
    pub fn domain(&self, id: TransitionId) -> VertexId {
        let transition = self.transition(id);
        let Some(target) = transition.target else {
            return transition.source;
        };
        let mut source = transition.source;
        if self.chooses_first() && self.vertex(source).kind == VertexKind::Choice {
            source = self.sources[source.index()].unwrap_or(source);
        }
        let local = match transition.kind {
            TransitionKind::Initial => return source,
            TransitionKind::Local => true,
            TransitionKind::External | TransitionKind::Internal => false,
        };
        if local && self.machine.within(target, source) {
            return self.state_of(source);
        }
        if local && self.machine.within(source, target) {
            return self.state_of(target);
        }
        let above: BTreeSet<VertexId> = self.machine.upwards(source).skip(1).collect();
        let mut up = self.machine.upwards(target).skip(1);
        up.find(|id| above.contains(id)).unwrap_or(VertexId::TOP)
    }

    /// The states that are entered on a transition, from the outside.
    pub fn entered(&self, id: TransitionId) -> Vec<VertexId> {
        let Some(target) = self.transition(id).target else {
            return Vec::new();
        };
        self.between(self.domain(id), self.state_of(target))
    }

    /// The states from one that contains the other, which is left out, to the other, from the outside.
    pub fn between(&self, outer: VertexId, inner: VertexId) -> Vec<VertexId> {
        let up = self.machine.upwards(inner);
        let mut states: Vec<VertexId> = up.take_while(|id| *id != outer).collect();
        states.retain(|id| *id != VertexId::TOP);
        states.reverse();
        states
    }

    /// The innermost states inside of a state, or the state itself.
    pub fn leaves(&self, of: VertexId) -> Vec<VertexId> {
        let mut leaves = Vec::new();
        let mut open = vec![of];
        while let Some(id) = open.pop() {
            match self.is_composite(id) || id == VertexId::TOP {
                true => {
                    let children = self.vertex(id).children.iter();
                    open.extend(children.filter(|child| self.vertex(**child).is_state()));
                }
                false => leaves.push(id),
            }
        }
        leaves.sort_unstable();
        leaves
    }

    /// The events that a state has transitions for.
    pub fn takes(&self, id: VertexId) -> Vec<EventId> {
        let outgoing = self.vertex(id).outgoing.iter();
        let triggers = outgoing.flat_map(|id| &self.transition(*id).triggers);
        triggers.copied().collect()
    }

    /// Has a state anything to say to an event?
    pub fn has_handler(&self, id: VertexId) -> bool {
        let vertex = self.vertex(id);
        let triggered = |id: &TransitionId| !self.transition(*id).triggers.is_empty();
        !vertex.deferred.is_empty() || vertex.outgoing.iter().any(triggered)
    }

    /// Must the transition's code see these statements at all?
    pub fn is_silent(statements: &[Statement]) -> bool {
        statements.iter().all(|statement| match statement {
            Statement::Code(code) => code.text.trim().is_empty(),
            _ => false,
        })
    }

    fn find_scopes(&mut self) {
        let machine = self.machine;
        let mut scopes: Vec<BTreeSet<EventId>> = machine
            .transitions
            .iter()
            .map(|transition| transition.triggers.iter().copied().collect())
            .collect();
        // What leads to a vertex that is no state is seen by what leaves it.
        let mut changed = true;
        while changed {
            changed = false;
            for at in 0..machine.transitions.len() {
                let Some(target) = machine.transitions[at].target else {
                    continue;
                };
                if machine.vertex(target).is_state() {
                    continue;
                }
                let seen = scopes[at].clone();
                for next in &machine.vertex(target).outgoing {
                    let before = scopes[next.index()].len();
                    scopes[next.index()].extend(seen.iter().copied());
                    changed |= scopes[next.index()].len() > before;
                }
            }
        }
        let scopes = scopes.into_iter();
        self.scopes = scopes.map(|scope| scope.into_iter().collect()).collect();
    }

    fn find_sources(&mut self) {
        let machine = self.machine;
        let mut changed = true;
        while changed {
            changed = false;
            for transition in &machine.transitions {
                let Some(target) = transition.target else {
                    continue;
                };
                let source = match machine.vertex(transition.source).is_state() {
                    true => Some(transition.source),
                    false => self.sources[transition.source.index()],
                };
                let unknown = self.sources[target.index()].is_none();
                if unknown && source.is_some() && !machine.vertex(target).is_state() {
                    self.sources[target.index()] = source;
                    changed = true;
                }
            }
        }
    }

    fn find_kept(&mut self) {
        let history = self.model.semantics.border_target == BorderTarget::DeepHistory;
        for id in self.vertex_ids() {
            let vertex = self.vertex(id);
            let keeps = match vertex.kind {
                VertexKind::ShallowHistory | VertexKind::DeepHistory => vertex.parent,
                VertexKind::State if history && id != VertexId::TOP && self.is_composite(id) => {
                    Some(id)
                }
                _ => None,
            };
            if let Some(state) = keeps {
                self.kept[state.index()] = true;
            }
        }
    }
}

/// Messages first, then timeouts, then what the machine raises itself; 0 is none.
fn numbers(capsule: &Capsule) -> Vec<u32> {
    let class = |kind: EventKind| match kind {
        EventKind::Message => 0,
        EventKind::Timeout => 1,
        EventKind::Internal | EventKind::Completion(_) => 2,
    };
    let mut order: Vec<usize> = (0..capsule.events.len()).collect();
    order.sort_by_key(|at| class(capsule.events[*at].kind));
    let mut numbers = vec![0; order.len()];
    for (number, at) in (1..).zip(order) {
        numbers[at] = number;
    }
    numbers
}

/// Names of C, each once.
pub fn unique(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let mut names = Vec::new();
    for text in texts {
        let plain = ident(&text);
        let mut name = plain.clone();
        let mut number = 2;
        while !seen.insert(name.clone()) {
            name = format!("{plain}_{number}");
            number += 1;
        }
        names.push(name);
    }
    names
}
