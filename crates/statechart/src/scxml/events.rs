//! The events of an SCXML document: those that it mentions, and which of them a transition waits for.

use super::{OURS, own_kind};
use crate::model::{Event, EventId, EventKind, Parameter, Sent, SourcePosition, Timer, VertexId};
use crate::problem::Problem;
use crate::xml::{Xml, attribute, children, tag};
use roxmltree::Node;
use std::collections::HashMap;

/// Wildcards could stand for very many events at very many transitions.
const MOST_TRIGGERS: usize = 2_000_000;
/// A name with more parts than this is none that somebody wrote.
const MOST_PARTS: usize = 32;

pub struct Events<'a> {
    pub all: Vec<Event>,
    pub sent: Vec<Sent>,
    pub timers: Vec<Timer>,
    ids: HashMap<&'a str, EventId>,
    /// By every beginning of a name: the events that a descriptor of that text stands for.
    matching: HashMap<String, Vec<EventId>>,
    triggers: usize,
}

impl<'a> Events<'a> {
    /// Looks for all names of events.
    pub fn collect(
        xml: &Xml,
        root: Node<'a, '_>,
        states: &HashMap<&'a str, VertexId>,
        problems: &mut Vec<Problem>,
    ) -> Self {
        let mut events = Events {
            all: Vec::new(),
            sent: Vec::new(),
            timers: Vec::new(),
            ids: HashMap::new(),
            matching: HashMap::new(),
            triggers: 0,
        };
        let elements = || root.descendants().filter(|node| node.is_element());
        // What is declared is what the environment can send; without a declaration, it can send all
        // that the machine does not raise itself.
        let ours = |node: &Node| node.tag_name().namespace() == Some(OURS);
        let declared: Vec<Node> = elements()
            .filter(|node| ours(node) && tag(*node) == "event")
            .collect();
        let closed = !declared.is_empty();
        for node in declared {
            let id = events.add(attribute(node, "name"), EventKind::Message, xml.place(node));
            events.all[id.index()].parameters = children(node, "param")
                .map(|parameter| Parameter {
                    name: attribute(parameter, "name").to_owned(),
                    of: match attribute(parameter, "type") {
                        "" => "int".to_owned(),
                        of => of.to_owned(),
                    },
                    array: match attribute(parameter, "array") {
                        "" => None,
                        size => Some(size.to_owned()),
                    },
                })
                .collect();
        }
        for node in elements().filter(|node| matches!(tag(*node), "raise" | "send")) {
            let name = attribute(node, "event");
            let delayed =
                !attribute(node, "delay").is_empty() || !attribute(node, "delayexpr").is_empty();
            let kind = match delayed {
                true => EventKind::Timeout,
                false => EventKind::Internal,
            };
            if !name.is_empty() && to_itself(node) {
                let id = events.add(name, kind, xml.place(node));
                // A timer whose event is also raised at once is no less a timer.
                if delayed && events.all[id.index()].kind == EventKind::Internal {
                    events.all[id.index()].kind = EventKind::Timeout;
                }
            }
        }
        for node in elements().filter(|node| tag(*node) == "transition") {
            for descriptor in attribute(node, "event").split_whitespace() {
                let name = base(descriptor);
                if name.split('.').count() > MOST_PARTS {
                    problems.push(Problem::error(
                        xml.place(node),
                        "too large",
                        format!("an event has more than {MOST_PARTS} parts"),
                    ));
                    continue;
                }
                let done = name.strip_prefix("done.state.");
                let completed = done.and_then(|state| states.get(state));
                let kind = match (completed.copied(), own_kind(name), closed) {
                    (Some(state), _, _) => EventKind::Completion(state),
                    (None, Some(kind), _) => kind,
                    (None, None, true) => EventKind::Internal,
                    (None, None, false) => EventKind::Message,
                };
                if !name.is_empty() && !events.ids.contains_key(name) {
                    events.add(name, kind, xml.place(node));
                }
            }
        }
        events.index();
        events
    }

    fn add(&mut self, name: &'a str, kind: EventKind, place: SourcePosition) -> EventId {
        if let Some(id) = self.ids.get(name) {
            return *id;
        }
        let id = EventId::of(self.all.len());
        self.ids.insert(name, id);
        self.all.push(Event {
            id: name.to_owned(),
            name: name.to_owned(),
            place,
            port: None,
            kind,
            parameters: Vec::new(),
            payload: None,
        });
        id
    }

    fn index(&mut self) {
        for (number, event) in self.all.iter().enumerate() {
            for (at, _) in event.name.match_indices('.') {
                let list = self.matching.entry(event.name[..at].to_owned());
                list.or_default().push(EventId::of(number));
            }
            let list = self.matching.entry(event.name.clone());
            list.or_default().push(EventId::of(number));
        }
    }

    /// The events that a list of descriptors stands for; None if they are too many.
    pub fn matching(&mut self, descriptors: &str) -> Option<Vec<EventId>> {
        let mut found = Vec::new();
        for descriptor in descriptors.split_whitespace() {
            match base(descriptor) {
                "" => found.extend((0..self.all.len()).map(EventId::of)),
                name => found.extend(self.matching.get(name).into_iter().flatten()),
            }
        }
        found.sort();
        found.dedup();
        self.triggers += found.len();
        (self.triggers <= MOST_TRIGGERS).then_some(found)
    }

    pub fn named(&self, name: &str) -> Option<EventId> {
        self.ids.get(name).copied()
    }
}

/// A descriptor without what stands for more: `a.b.*` and `a.b.` are `a.b`, `*` is nothing.
fn base(descriptor: &str) -> &str {
    let name = descriptor.strip_suffix('*').unwrap_or(descriptor);
    name.strip_suffix('.').unwrap_or(name)
}

/// Whether a `<raise>` or `<send>` gives its event to the machine itself.
pub fn to_itself(node: Node) -> bool {
    tag(node) == "raise"
        || (matches!(attribute(node, "target"), "" | "#_internal")
            && attribute(node, "targetexpr").is_empty())
}
