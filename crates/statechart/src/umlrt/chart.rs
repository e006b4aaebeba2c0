//! The state machine of a capsule of UML-RT.
//!
//! What a transition leaves and enters depends on the region that owns it, as Papyrus-RT's
//! flattening has it: one that a composite state owns neither leaves nor enters that state. Points on
//! a border through which nothing goes on are the border itself, and a group transition that begins
//! at such a point begins at the state.

use super::protocols::{self, Protocols};
use super::{Index, attribute, child, children, fragment, id, kind, tag};
use crate::model::{
    Capsule, Code, Event, EventId, EventKind, Guard, Machine, PortId, Statement, Transition,
    TransitionKind, Vertex, VertexId, VertexKind,
};
use crate::problem::Problem;
use roxmltree::Node;
use std::collections::HashMap;

/// Triggers for any message could stand for very many at very many transitions.
const MOST_TRIGGERS: usize = 2_000_000;

/// Reads a state machine into its capsule.
pub fn read<'x: 'a, 'a, 'i>(
    index: &Index<'x, 'a, 'i>,
    protocols: &Protocols<'a>,
    ports: &HashMap<&str, PortId>,
    node: Node<'a, 'i>,
    capsule: &mut Capsule,
    problems: &mut Vec<Problem>,
) {
    let machine = Machine::new(&capsule.name, index.place(node));
    let mut by_message: HashMap<String, Vec<EventId>> = HashMap::new();
    for (number, event) in capsule.events.iter().enumerate() {
        let events = by_message.entry(event.id.clone()).or_default();
        events.push(EventId::of(number));
    }
    let mut reader = Reader {
        index,
        protocols,
        ports,
        capsule,
        problems,
        by_message,
        machine,
        vertices: HashMap::new(),
        initials: HashMap::new(),
        transitions: Vec::new(),
        going_on: HashMap::new(),
        triggers: 0,
    };
    reader.vertices(node);
    reader.points();
    for (node, owner) in std::mem::take(&mut reader.transitions) {
        reader.transition(node, owner);
    }
    let machine = reader.machine;
    capsule.machine = Some(machine);
}

struct Reader<'r, 'x, 'a, 'i> {
    index: &'r Index<'x, 'a, 'i>,
    protocols: &'r Protocols<'a>,
    ports: &'r HashMap<&'r str, PortId>,
    capsule: &'r mut Capsule,
    problems: &'r mut Vec<Problem>,
    /// Events of the capsule by the message that they are, which can come in at several ports.
    by_message: HashMap<String, Vec<EventId>>,
    machine: Machine,
    vertices: HashMap<&'a str, VertexId>,
    /// Initial pseudostates, with the state in which they stand.
    initials: HashMap<&'a str, VertexId>,
    /// With the state whose region owns them.
    transitions: Vec<(Node<'a, 'i>, VertexId)>,
    /// How many transitions without triggers leave a vertex.
    going_on: HashMap<&'a str, usize>,
    /// How many messages all triggers together stand for.
    triggers: usize,
}

impl<'x: 'a, 'a, 'i> Reader<'_, 'x, 'a, 'i> {
    fn error(&mut self, node: Node, reason: &'static str, message: String) {
        let place = self.index.place(node);
        self.problems.push(Problem::error(place, reason, message));
    }

    fn statements(&self, node: Node<'a, 'i>, name: &str) -> Vec<Statement> {
        let behavior = child(node, name).and_then(|behavior| self.index.body(behavior));
        behavior.map(Statement::Code).into_iter().collect()
    }

    fn vertices(&mut self, machine: Node<'a, 'i>) {
        let mut left = vec![(machine, VertexId::TOP)];
        while let Some((node, owner)) = left.pop() {
            if !attribute(node, "extendedStateMachine").is_empty()
                || child(node, "extendedStateMachine").is_some()
            {
                self.error(
                    node,
                    "inherited state machine",
                    format!(
                        "the state machine of capsule {} extends another; write it out",
                        self.capsule.name
                    ),
                );
                return;
            }
            let regions: Vec<Node> = children(node, "region").collect();
            if let Some(second) = regions.get(1) {
                let name = self.machine.path(owner);
                self.error(
                    *second,
                    "orthogonal regions",
                    format!("state {name} has several regions; UML-RT allows one"),
                );
                return;
            }
            for point in children(node, "connectionPoint") {
                self.vertex(point, owner);
            }
            let Some(region) = regions.first() else {
                continue;
            };
            let first = left.len();
            for inner in region.children().filter(Node::is_element) {
                match tag(inner) {
                    "subvertex" => {
                        if let Some(state) = self.vertex(inner, owner) {
                            left.push((inner, state));
                        }
                    }
                    "transition" => {
                        self.transitions.push((inner, owner));
                        let has_trigger = child(inner, "trigger").is_some();
                        if !has_trigger {
                            let source = attribute(inner, "source");
                            *self.going_on.entry(source).or_default() += 1;
                        }
                    }
                    _ => {}
                }
            }
            left[first..].reverse();
        }
    }

    /// Adds a vertex; gives it back if it is a state that can have others in it.
    fn vertex(&mut self, node: Node<'a, 'i>, parent: VertexId) -> Option<VertexId> {
        let written = match kind(node) {
            "Pseudostate" => match attribute(node, "kind") {
                "" => "initial",
                other => other,
            },
            other => other,
        };
        let vertex_kind = match written {
            "State" => VertexKind::State,
            "FinalState" => VertexKind::Final,
            "initial" => {
                self.initials.insert(id(node), parent);
                return None;
            }
            "choice" => VertexKind::Choice,
            "junction" => VertexKind::Junction,
            "entryPoint" => VertexKind::EntryPoint,
            "exitPoint" => VertexKind::ExitPoint,
            "shallowHistory" => VertexKind::ShallowHistory,
            "deepHistory" => VertexKind::DeepHistory,
            other => {
                self.error(
                    node,
                    "unknown kind of state",
                    format!("UML-RT has no {other} in its state machines"),
                );
                return None;
            }
        };
        if !attribute(node, "submachine").is_empty() {
            self.error(
                node,
                "submachine state",
                format!(
                    "state {} is a submachine, which UML-RT does not have",
                    attribute(node, "name")
                ),
            );
        }
        let name = match attribute(node, "name") {
            "" => match vertex_kind {
                VertexKind::DeepHistory => "H*".to_owned(),
                VertexKind::ShallowHistory => "H".to_owned(),
                _ => format!("{}{}", written.to_lowercase(), self.machine.vertices.len()),
            },
            name => name.to_owned(),
        };
        let mut vertex = Vertex::new(vertex_kind, &name, Some(parent), self.index.place(node));
        vertex.id = id(node).to_owned();
        if vertex_kind == VertexKind::State {
            vertex.entry = self.statements(node, "entry");
            vertex.exit = self.statements(node, "exit");
            vertex.activity = self.statements(node, "doActivity");
            for rule in children(node, "ownedRule").chain(children(node, "stateInvariant")) {
                let text = child(rule, "specification").and_then(|it| self.expression(it));
                vertex.invariants.extend(text);
            }
            for trigger in children(node, "deferrableTrigger") {
                vertex.deferred.extend(self.events(trigger));
            }
        }
        let added = self.machine.add_vertex(vertex);
        self.vertices.insert(id(node), added);
        (vertex_kind == VertexKind::State).then_some(added)
    }

    /// Points on borders through which nothing goes on are their states.
    fn points(&mut self) {
        for (name, vertex) in &mut self.vertices {
            let it = self.machine.vertex(*vertex);
            if matches!(it.kind, VertexKind::EntryPoint | VertexKind::ExitPoint)
                && !self.going_on.contains_key(name)
                && let Some(parent) = it.parent
            {
                *vertex = parent;
            }
        }
    }

    fn end(&mut self, node: Node<'a, 'i>, name: &str) -> Option<VertexId> {
        let written = attribute(node, name);
        let found = self.vertices.get(written).copied();
        if found.is_none() {
            let what = match (written.is_empty(), self.index.by_id.contains_key(written)) {
                (true, _) => format!("has no {name}"),
                (false, true) => format!("has a {name} that is no state of this machine"),
                (false, false) => format!("has a {name} ({written}) that is nowhere in the file"),
            };
            self.error(
                node,
                "dangling target",
                format!("transition {} {what}", self.label(node)),
            );
        }
        found
    }

    /// What people call a transition: its name, or where it stands.
    fn label(&self, node: Node) -> String {
        match attribute(node, "name") {
            "" => format!("in line {}", self.index.place(node).line),
            name => name.to_owned(),
        }
    }

    fn transition(&mut self, node: Node<'a, 'i>, owner: VertexId) {
        if !attribute(node, "redefinedTransition").is_empty() {
            self.error(
                node,
                "inherited state machine",
                format!(
                    "transition {} redefines another; write it out",
                    self.label(node)
                ),
            );
            return;
        }
        // Some tools write triggers with nothing in them.
        let said = |it: &Node| !attribute(*it, "event").is_empty() || child(*it, "event").is_some();
        let triggers: Vec<(Vec<EventId>, Option<Code>)> = children(node, "trigger")
            .filter(said)
            .map(|trigger| (self.events(trigger), self.trigger_guard(node, trigger)))
            .collect();
        let initial = self.initials.get(attribute(node, "source")).copied();
        let mut source = match initial {
            Some(state) => state,
            None => match self.end(node, "source") {
                Some(vertex) => vertex,
                None => return,
            },
        };
        let from = self.machine.vertex(source);
        if matches!(from.kind, VertexKind::EntryPoint | VertexKind::ExitPoint)
            && !triggers.is_empty()
            && let Some(state) = from.parent
        {
            source = state;
        }
        let internal = attribute(node, "kind") == "internal";
        let target = match internal {
            true => None,
            false => match self.end(node, "target") {
                Some(target) => Some(target),
                None => return,
            },
        };
        let kind = match (initial, internal) {
            (Some(_), _) => TransitionKind::Initial,
            (None, true) => TransitionKind::Internal,
            _ if source == owner || target == Some(owner) => TransitionKind::Local,
            _ => TransitionKind::External,
        };
        let guard = self.guard(node, source);
        let action = self.statements(node, "effect");
        let name = match attribute(node, "name") {
            "" => self.named_by(&triggers),
            name => name.to_owned(),
        };
        let place = self.index.place(node);
        let add = |machine: &mut Machine, triggers: Vec<EventId>, guard: Option<Guard>| {
            machine.add_transition(Transition {
                id: id(node).to_owned(),
                name: name.clone(),
                place,
                kind,
                source,
                target,
                triggers,
                guard,
                action: action.clone(),
            });
        };
        // A trigger can have a guard of its own: then it is a transition of its own.
        let (own, plain): (Vec<_>, Vec<_>) =
            triggers.into_iter().partition(|(_, guard)| guard.is_some());
        if own.is_empty() || !plain.is_empty() {
            let events = plain.into_iter().flat_map(|(events, _)| events).collect();
            add(&mut self.machine, events, guard.clone());
        }
        for (events, condition) in own {
            let condition = match (condition, &guard) {
                (Some(own), Some(Guard::When(all))) => Some(Guard::When(Code {
                    text: format!("({}) && ({})", all.text, own.text),
                    place: own.place,
                })),
                (Some(own), _) => Some(Guard::When(own)),
                (None, guard) => guard.clone(),
            };
            add(&mut self.machine, events, condition);
        }
    }

    fn named_by(&self, triggers: &[(Vec<EventId>, Option<Code>)]) -> String {
        let events = triggers.iter().flat_map(|(events, _)| events);
        let labels: Vec<String> = events.map(|it| self.capsule.event_label(*it)).collect();
        labels.join(", ")
    }

    fn guard(&mut self, node: Node<'a, 'i>, source: VertexId) -> Option<Guard> {
        let rule = self.index.referred(node, "guard");
        let rule = rule.or_else(|| child(node, "guard"));
        let code = rule
            .and_then(|rule| child(rule, "specification"))
            .and_then(|specification| self.expression(specification));
        let at_choice = self.machine.vertex(source).kind == VertexKind::Choice;
        match code {
            Some(code) if code.text.trim() == "else" => Some(Guard::Else),
            Some(code) if code.text.trim() == "true" && !at_choice => None,
            Some(code) => Some(Guard::When(code)),
            // Papyrus-RT takes a way without a guard if no other can be taken.
            None if at_choice => Some(Guard::Else),
            None => None,
        }
    }

    fn trigger_guard(&self, transition: Node<'a, 'i>, trigger: Node<'a, 'i>) -> Option<Code> {
        let rule = children(transition, "ownedRule").find(|rule| {
            !id(trigger).is_empty() && attribute(*rule, "constrainedElement") == id(trigger)
        })?;
        self.expression(child(rule, "specification")?)
    }

    /// A guard as an expression. Papyrus-RT's guards are bodies of functions that return one.
    fn expression(&self, node: Node<'a, 'i>) -> Option<Code> {
        let place = self.index.place(node);
        let Some(code) = self.index.body(node) else {
            let text = self.index.value(node)?;
            return Some(Code { text, place });
        };
        let trimmed = code.text.trim();
        let single = trimmed.strip_prefix("return").and_then(|rest| {
            let rest = rest.trim().strip_suffix(';').unwrap_or(rest.trim());
            let whole = !rest.contains(';') && !rest.is_empty();
            whole.then(|| rest.trim().to_owned())
        });
        let text = match single {
            Some(single) => single,
            None if trimmed.contains("return") => format!("[&]() -> bool {{ {trimmed} }}()"),
            None => trimmed.trim_end_matches(';').to_owned(),
        };
        Some(Code {
            text,
            place: code.place,
        })
    }

    /// The events of the capsule that a trigger stands for.
    fn events(&mut self, trigger: Node<'a, 'i>) -> Vec<EventId> {
        let elsewhere = child(trigger, "event").map(fragment);
        let event = elsewhere.unwrap_or(attribute(trigger, "event"));
        let ports: Vec<PortId> = attribute(trigger, "port")
            .split_whitespace()
            .filter_map(|port| self.ports.get(port).copied())
            .collect();
        if ports.is_empty() && !attribute(trigger, "port").is_empty() {
            self.error(
                trigger,
                "unknown port",
                format!(
                    "a trigger of capsule {} names no port of it",
                    self.capsule.name
                ),
            );
            return Vec::new();
        }
        if let Some(name) = protocols::of_every_port(event) {
            return self.bound(&ports, event, name, trigger);
        }
        let any = self.protocols.any.contains(event);
        let operation = self.protocols.operations.get(event).copied();
        let wanted = operation.unwrap_or(event);
        let all: Vec<EventId> = match any {
            true => (0..self.capsule.events.len()).map(EventId::of).collect(),
            false => self.by_message.get(wanted).cloned().unwrap_or_default(),
        };
        self.triggers += all.len();
        if self.triggers > MOST_TRIGGERS {
            self.error(
                trigger,
                "too large",
                "the transitions have too many messages in all".to_owned(),
            );
            return Vec::new();
        }
        let at = |it: &EventId| {
            let port = self.capsule.event(*it).port;
            ports.is_empty() || port.is_some_and(|port| ports.contains(&port))
        };
        let found: Vec<EventId> = all.into_iter().filter(at).collect();
        if found.is_empty() && !any {
            let names: Vec<&str> = ports
                .iter()
                .map(|port| self.capsule.ports[port.index()].name.as_str())
                .collect();
            let place = match names.is_empty() {
                true => "any port".to_owned(),
                false => format!("port {}", names.join(", ")),
            };
            let (reason, what) = match (operation, elsewhere) {
                (Some(operation), _) => {
                    let what = match self.index.by_id.get(operation) {
                        Some(message) => format!("message {}", attribute(*message, "name")),
                        None => "a message that is nowhere in the file".to_owned(),
                    };
                    ("unknown message", what)
                }
                (None, Some(_)) => ("refers to another file", "a message of another file".into()),
                (None, None) => ("unknown message", "a message that is not there".to_owned()),
            };
            self.error(
                trigger,
                reason,
                format!(
                    "capsule {} waits for {what}, which does not come in at {place}",
                    self.capsule.name
                ),
            );
        }
        found
    }

    /// Events that come in at ports of every protocol: they are there once somebody waits for them.
    fn bound(&mut self, ports: &[PortId], id: &str, name: &str, node: Node) -> Vec<EventId> {
        let place = self.index.place(node);
        let mut found = Vec::new();
        for port in ports {
            let known = self.capsule.event_named(Some(*port), name);
            found.push(known.unwrap_or_else(|| {
                self.capsule.events.push(Event {
                    id: id.to_owned(),
                    name: name.to_owned(),
                    place,
                    port: Some(*port),
                    kind: EventKind::Message,
                    parameters: Vec::new(),
                    payload: None,
                });
                EventId::of(self.capsule.events.len() - 1)
            }));
        }
        found
    }
}
