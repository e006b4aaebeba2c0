//! The state chart of a class of QM: states, histories, choices and submachines.
//!
//! Elements are named by the way to them, as in `../../5/3`: up to the enclosing element, and down
//! to the n-th that is part of the chart. A submachine is put in the place of every state that
//! refers to it, so that an element of the file can be several of the machine: it is known by its
//! node and by the *instance* of the submachine that it is in.

use super::attribute;
use crate::model::{
    Event, EventId, EventKind, Guard, Machine, SourcePosition, Statement, Transition,
    TransitionKind, Vertex, VertexId, VertexKind,
};
use crate::problem::Problem;
use crate::xml::{Xml, child, children, tag};
use roxmltree::{Node, NodeId};
use std::collections::HashMap;

/// Submachines of submachines could make very many states of few lines.
const MOST_VERTICES: usize = 300_000;
/// Nobody nests submachines deeper.
const MOST_DEEP: usize = 100;
/// What QM counts when it numbers the parts of an element.
const COUNTED: &[&str] = &[
    "initial",
    "history",
    "tran",
    "state",
    "smstate",
    "submachine",
    "epseg",
    "xp",
    "xpseg",
    "choice",
];

pub struct Chart {
    pub machine: Machine,
    pub events: Vec<Event>,
    pub problems: Vec<Problem>,
}

/// Reads the chart of a class.
pub fn read(xml: &Xml, class: Node, name: &str) -> Chart {
    let chart = child(class, "statechart").unwrap_or(class);
    let mut reader = Reader {
        xml,
        chart: Chart {
            machine: Machine::new(name, xml.place(chart)),
            events: Vec::new(),
            problems: Vec::new(),
        },
        event_ids: HashMap::new(),
        counted: HashMap::new(),
        vertices: HashMap::new(),
        instances: vec![None],
        inside: HashMap::new(),
        pending: Vec::new(),
    };
    reader.vertices.insert((chart.id(), 0), VertexId::TOP);
    reader.states(chart);
    for (node, source, instance) in std::mem::take(&mut reader.pending) {
        reader.transitions(node, source, instance);
    }
    reader.chart
}

struct Reader<'x, 'a, 'i> {
    xml: &'x Xml<'i>,
    chart: Chart,
    event_ids: HashMap<String, EventId>,
    counted: HashMap<NodeId, Vec<Node<'a, 'i>>>,
    vertices: HashMap<(NodeId, usize), VertexId>,
    /// For each instance of a submachine, the submachine and the instance that it stands in.
    instances: Vec<Option<(NodeId, usize)>>,
    /// For a state that is an instance of a submachine, which.
    inside: HashMap<VertexId, usize>,
    /// Elements that are transitions, with their sources.
    pending: Vec<(Node<'a, 'i>, VertexId, usize)>,
}

impl<'a, 'i> Reader<'_, 'a, 'i> {
    fn error(&mut self, node: Node, reason: &'static str, message: String) {
        let place = self.xml.place(node);
        self.chart
            .problems
            .push(Problem::error(place, reason, message));
    }

    fn statements(&self, node: Node, name: &str) -> Vec<Statement> {
        let code = child(node, name).and_then(|node| self.xml.code(node));
        code.map(Statement::Code).into_iter().collect()
    }

    /// All vertices of the chart, in the order of the file.
    fn states(&mut self, chart: Node<'a, 'i>) {
        let mut left: Vec<(Node<'a, 'i>, VertexId, usize)> = vec![(chart, VertexId::TOP, 0)];
        while let Some((node, parent, instance)) = left.pop() {
            let id = match tag(node) {
                "statechart" => VertexId::TOP,
                "submachine" => parent,
                kind => {
                    if self.chart.machine.vertices.len() > MOST_VERTICES {
                        self.error(
                            node,
                            "too large",
                            format!("with all submachines there are over {MOST_VERTICES} states"),
                        );
                        return;
                    }
                    let id = self.vertex(node, kind, parent);
                    self.vertices.insert((node.id(), instance), id);
                    id
                }
            };
            if tag(node) == "smstate"
                && let Some((submachine, number)) = self.instance(node, instance)
            {
                self.inside.insert(id, number);
                self.vertices.insert((submachine.id(), number), id);
                left.push((submachine, id, number));
            }
            if matches!(tag(node), "submachine" | "statechart") {
                let entry = self.statements(node, "entry");
                let exit = self.statements(node, "exit");
                let vertex = &mut self.chart.machine.vertices[id.index()];
                vertex.entry.extend(entry);
                vertex.exit.extend(exit);
            }
            let first = left.len();
            for inner in node.children().filter(Node::is_element) {
                match tag(inner) {
                    "state" | "smstate" | "history" | "xp" | "epseg" => {
                        left.push((inner, id, instance));
                        if matches!(tag(inner), "history" | "epseg") {
                            self.pending.push((inner, id, instance));
                        }
                    }
                    "initial" | "tran" | "xpseg" => self.pending.push((inner, id, instance)),
                    _ => {}
                }
            }
            left[first..].reverse();
        }
    }

    /// A new instance of the submachine that a state refers to.
    fn instance(&mut self, node: Node<'a, 'i>, within: usize) -> Option<(Node<'a, 'i>, usize)> {
        let path = attribute(node, "submachine");
        let Some(submachine) = self
            .element(node, path)
            .filter(|it| tag(*it) == "submachine")
        else {
            self.error(
                node,
                "dangling reference",
                format!(
                    "state {} refers to a submachine that is not there ({path})",
                    attribute(node, "name")
                ),
            );
            return None;
        };
        let mut outer = within;
        let mut depth = 0;
        while let Some((machine, next)) = self.instances[outer] {
            depth += 1;
            if depth > MOST_DEEP {
                self.error(
                    node,
                    "too deep",
                    format!("submachines are nested deeper than {MOST_DEEP}"),
                );
                return None;
            }
            if machine == submachine.id() {
                self.error(
                    node,
                    "cyclic containment",
                    format!(
                        "submachine {} contains itself by way of state {}",
                        attribute(submachine, "name"),
                        attribute(node, "name")
                    ),
                );
                return None;
            }
            outer = next;
        }
        self.instances.push(Some((submachine.id(), within)));
        Some((submachine, self.instances.len() - 1))
    }

    fn vertex(&mut self, node: Node, kind: &str, parent: VertexId) -> VertexId {
        let kind = match kind {
            "history" if attribute(node, "type") == "deep" => VertexKind::DeepHistory,
            "history" => VertexKind::ShallowHistory,
            "xp" => VertexKind::ExitPoint,
            "epseg" => VertexKind::EntryPoint,
            _ => VertexKind::State,
        };
        let name = match (attribute(node, "name"), kind) {
            ("", VertexKind::DeepHistory) => "H*",
            ("", VertexKind::ShallowHistory) => "H",
            (name, _) => name,
        };
        let mut vertex = Vertex::new(kind, name, Some(parent), self.xml.place(node));
        if kind == VertexKind::State {
            vertex.entry = self.statements(node, "entry");
            vertex.exit = self.statements(node, "exit");
        }
        self.chart.machine.add_vertex(vertex)
    }

    /// The element at the end of a way that begins at another.
    fn element(&mut self, from: Node<'a, 'i>, path: &str) -> Option<Node<'a, 'i>> {
        let mut at = from;
        for step in path.split('/') {
            at = match step {
                ".." => at.parent()?,
                _ => {
                    let number: usize = step.parse().ok()?;
                    let parts = self.counted.entry(at.id()).or_insert_with(|| {
                        at.children()
                            .filter(|part| part.is_element() && COUNTED.contains(&tag(*part)))
                            .collect()
                    });
                    *parts.get(number)?
                }
            };
        }
        Some(at)
    }

    /// The vertex that an element refers to, and, where it refers to a point on that vertex's border
    /// or to its history, that.
    fn target(&mut self, node: Node<'a, 'i>, instance: usize) -> Result<Option<VertexId>, ()> {
        let path = attribute(node, "target");
        if path.is_empty() {
            return Ok(None);
        }
        let state = self
            .element(node, path)
            .and_then(|element| self.vertices.get(&(element.id(), instance)).copied());
        let Some(state) = state else {
            self.error(
                node,
                "dangling target",
                format!(
                    "the transition on {} leads to {path}, where there is no state",
                    label(node)
                ),
            );
            return Err(());
        };
        let point = attribute(node, "cpref");
        if point.is_empty() {
            return Ok(Some(state));
        }
        let inner = self.inside.get(&state).copied().unwrap_or(instance);
        let vertex = self.element(node, point).and_then(|element| {
            let own = self.vertices.get(&(element.id(), instance));
            own.or_else(|| self.vertices.get(&(element.id(), inner)))
                .copied()
        });
        match vertex {
            Some(vertex) => Ok(Some(vertex)),
            None => {
                self.error(
                    node,
                    "dangling target",
                    format!(
                        "the transition on {} leads to point {point}, which is not there",
                        label(node)
                    ),
                );
                Err(())
            }
        }
    }

    /// The transitions of one element: itself, and those behind the choices in it.
    fn transitions(&mut self, node: Node<'a, 'i>, owner: VertexId, instance: usize) {
        let (source, kind, triggers) = match tag(node) {
            "initial" => (owner, TransitionKind::Initial, Vec::new()),
            "history" | "epseg" => {
                let Some(own) = self.vertices.get(&(node.id(), instance)) else {
                    return;
                };
                (*own, TransitionKind::Local, Vec::new())
            }
            "xpseg" => match self.exit_point(node, owner) {
                Some(point) => (point, TransitionKind::External, Vec::new()),
                None => return,
            },
            _ => (owner, TransitionKind::Local, self.triggers(node)),
        };
        let mut left = vec![(node, source, kind, triggers)];
        while let Some((node, from, kind, triggers)) = left.pop() {
            let Ok(mut target) = self.target(node, instance) else {
                continue;
            };
            let guard = match tag(node) == "choice" {
                true => self.guard(node),
                false => None,
            };
            let branches: Vec<Node> = children(node, "choice").collect();
            if !branches.is_empty() {
                let container = self.chart.machine.vertex(source).parent;
                let parent = container.unwrap_or(VertexId::TOP);
                let choice = self.chart.machine.add_vertex(Vertex::new(
                    VertexKind::Choice,
                    &label(node),
                    Some(parent),
                    self.xml.place(node),
                ));
                target = Some(choice);
                for branch in branches.into_iter().rev() {
                    left.push((branch, choice, TransitionKind::Local, Vec::new()));
                }
            }
            let kind = match (kind, target) {
                (TransitionKind::Local, None) => TransitionKind::Internal,
                (TransitionKind::Local, Some(target)) if target == source => {
                    TransitionKind::External
                }
                (kind, _) => kind,
            };
            let action = self.statements(node, "action");
            self.chart.machine.add_transition(Transition {
                id: String::new(),
                name: label(node),
                place: self.xml.place(node),
                kind,
                source: from,
                target,
                triggers,
                guard,
                action,
            });
        }
    }

    /// The point that a segment outside of a submachine goes on from.
    fn exit_point(&mut self, node: Node<'a, 'i>, state: VertexId) -> Option<VertexId> {
        let path = attribute(node, "xpref");
        let instance = self.inside.get(&state).copied();
        let element = self.element(node, path);
        let point = element
            .zip(instance)
            .and_then(|(element, instance)| self.vertices.get(&(element.id(), instance)).copied());
        if point.is_none() {
            self.error(
                node,
                "dangling reference",
                format!("a segment begins at exit point {path}, which is not there"),
            );
        }
        point
    }

    fn guard(&mut self, node: Node) -> Option<Guard> {
        let written = child(node, "guard");
        let code = written.and_then(|guard| self.xml.code(guard));
        // QM 2 has the guard as an attribute; before QM 6, `else` can stand in the brief text alone.
        let code = code.or_else(|| {
            let brief = written.map(|guard| attribute(guard, "brief"));
            let text = brief.unwrap_or(attribute(node, "guard")).trim();
            (!text.is_empty()).then(|| crate::model::Code {
                text: text.to_owned(),
                place: self.xml.place(node),
            })
        });
        match code {
            Some(code) if code.text.trim() == "else" => Some(Guard::Else),
            Some(code) => Some(Guard::When(code)),
            None => {
                self.error(
                    node,
                    "choice without a guard",
                    "a way out of a choice has no guard; write one, or else".to_owned(),
                );
                None
            }
        }
    }

    fn triggers(&mut self, node: Node) -> Vec<EventId> {
        let place = self.xml.place(node);
        let names: Vec<&str> = attribute(node, "trig")
            .split(',')
            .map(str::trim)
            .filter(|name| !name.is_empty())
            .collect();
        if names.is_empty() {
            self.error(
                node,
                "no trigger",
                "a transition has no trigger; QM has no other way to take it".to_owned(),
            );
        }
        names.iter().map(|name| self.event(name, place)).collect()
    }

    fn event(&mut self, name: &str, place: SourcePosition) -> EventId {
        if let Some(id) = self.event_ids.get(name) {
            return *id;
        }
        let id = EventId::of(self.chart.events.len());
        self.event_ids.insert(name.to_owned(), id);
        self.chart.events.push(Event {
            id: name.to_owned(),
            name: name.to_owned(),
            place,
            port: None,
            kind: EventKind::Message,
            parameters: Vec::new(),
            payload: None,
        });
        id
    }
}

/// What people call an element: its trigger, its guard in brief, or what it is.
fn label(node: Node) -> String {
    match tag(node) {
        "choice" => {
            let guard = child(node, "guard");
            let brief = guard
                .map(|guard| attribute(guard, "brief"))
                .unwrap_or_default();
            let text = guard.and_then(|guard| guard.text()).unwrap_or_default();
            let text = match (brief.is_empty(), text.is_empty()) {
                (false, _) => brief,
                (true, false) => text.trim(),
                (true, true) => attribute(node, "guard"),
            };
            format!("[{text}]")
        }
        "tran" => attribute(node, "trig").to_owned(),
        other => other.to_owned(),
    }
}
