//! Reads SCXML (`.scxml`, W3C recommendation of 2015) with C in its expressions and scripts: the
//! document here, events in `events.rs`, what is done in `content.rs`.
//!
//! The data model is `c`: variables of C, which a `<script>` before all states can add types and
//! functions to. Documents of other data models are read as long as their expressions are C as well,
//! of variables that they declare.
//! What SCXML has no words for stands in a namespace of our own (`urn:elsewise:chart`), which other
//! tools pass over: types of variables, and events with their parameters.
//!
//! Left out, with a message: `<parallel>`, `<invoke>`, `<foreach>`, `<donedata>`, and what is
//! computed that others have as a constant (`eventexpr`, `targetexpr` and the like).

mod content;
mod events;

use crate::model::{
    Attribute, Capsule, Code, Declaration, DeclarationKind, EventKind, Format, Guard, Language,
    Machine, Model, Nesting, Semantics, Transition, TransitionKind, Vertex, VertexId, VertexKind,
};
use crate::problem::{Problem, Refusal};
use crate::qm::stem;
use crate::xml::{Xml, attribute, child, children, tag};
use crate::{Reading, finish};
use content::Contents;
use events::Events;
use roxmltree::Node;
use std::collections::{HashMap, HashSet};

/// What is ours in a document.
const OURS: &str = "urn:elsewise:chart";

/// Reads the text of an `.scxml` file.
pub fn read(file: &str, text: &str) -> Result<Reading, Refusal> {
    let xml = Xml::parse(file, text)?;
    let root = xml.document.root_element();
    if tag(root) != "scxml" {
        return Err(Refusal::one(
            file,
            Problem::error(
                xml.place(root),
                "not SCXML",
                format!(
                    "an SCXML document begins with <scxml>, not with <{}>",
                    tag(root)
                ),
            ),
        ));
    }
    let name = match attribute(root, "name") {
        "" => stem(file).to_owned(),
        name => name.to_owned(),
    };
    let machine = Machine::new(&name, xml.place(root));
    let mut reader = Reader {
        xml: &xml,
        problems: Vec::new(),
        nesting: Nesting::new(&machine),
        machine,
        ids: HashMap::new(),
        states: Vec::new(),
        foreign: foreign(root),
    };
    reader.vertices(root);
    reader.nesting = Nesting::new(&reader.machine);
    let mut events = Events::collect(&xml, root, &reader.ids, &mut reader.problems);
    for (node, id) in std::mem::take(&mut reader.states) {
        reader.state(node, id, &mut events);
    }
    let attributes = reader.attributes(root);
    let declarations = reader.declarations(root);
    let capsule = Capsule {
        id: name.clone(),
        name: name.clone(),
        place: xml.place(root),
        attributes,
        operations: Vec::new(),
        ports: Vec::new(),
        events: events.all,
        sends: events.sent,
        timers: events.timers,
        machine: Some(reader.machine),
    };
    let model = Model {
        name,
        file: file.to_owned(),
        format: Format::Scxml,
        language: Language::C,
        semantics: Semantics::SCXML,
        declarations,
        files: Vec::new(),
        protocols: Vec::new(),
        capsules: vec![capsule],
        system: None,
        properties: Vec::new(),
    };
    finish(model, reader.problems)
}

struct Reader<'x, 'a, 'i> {
    xml: &'x Xml<'i>,
    problems: Vec<Problem>,
    machine: Machine,
    nesting: Nesting,
    ids: HashMap<&'a str, VertexId>,
    states: Vec<(Node<'a, 'i>, VertexId)>,
    /// The variables of a document of another language, whose expressions may not be C.
    foreign: Option<HashSet<&'a str>>,
}

impl<'a, 'i> Reader<'_, 'a, 'i> {
    fn error(&mut self, node: Node, reason: &'static str, message: String) {
        let place = self.xml.place(node);
        self.problems.push(Problem::error(place, reason, message));
    }

    fn vertices(&mut self, root: Node<'a, 'i>) {
        self.states.push((root, VertexId::TOP));
        let mut left = vec![(root, VertexId::TOP)];
        while let Some((node, parent)) = left.pop() {
            let first = left.len();
            for inner in node.children().filter(Node::is_element) {
                let kind = match tag(inner) {
                    "state" => VertexKind::State,
                    "final" => VertexKind::Final,
                    "history" if attribute(inner, "type") == "deep" => VertexKind::DeepHistory,
                    "history" => VertexKind::ShallowHistory,
                    "parallel" | "invoke" | "donedata" => {
                        self.error(
                            inner,
                            left_out(tag(inner)),
                            format!("<{}> is not read", tag(inner)),
                        );
                        // What is inside has names that others use.
                        match tag(inner) {
                            "parallel" => VertexKind::State,
                            _ => continue,
                        }
                    }
                    _ => continue,
                };
                let id = attribute(inner, "id");
                let name = match id {
                    "" => format!("{}{}", tag(inner), self.machine.vertices.len()),
                    id => id.to_owned(),
                };
                let mut vertex = Vertex::new(kind, &name, Some(parent), self.xml.place(inner));
                vertex.id = id.to_owned();
                let vertex = self.machine.add_vertex(vertex);
                if !id.is_empty()
                    && let Some(other) = self.ids.insert(id, vertex)
                {
                    let line = self.machine.vertex(other).place.line;
                    self.error(
                        inner,
                        "duplicate id",
                        format!("the id {id} stands in line {line} too"),
                    );
                }
                self.states.push((inner, vertex));
                left.push((inner, vertex));
            }
            left[first..].reverse();
        }
    }

    /// What a state does, and the transitions that leave it.
    fn state(&mut self, node: Node<'a, 'i>, id: VertexId, events: &mut Events<'a>) {
        for inner in node.children().filter(Node::is_element) {
            match tag(inner) {
                "onentry" => {
                    let statements = self.contents(inner, events);
                    let vertex = &mut self.machine.vertices[id.index()];
                    vertex.entry.extend(statements);
                }
                "onexit" => {
                    let statements = self.contents(inner, events);
                    self.machine.vertices[id.index()].exit.extend(statements);
                }
                "transition" => self.transition(inner, id, false, events),
                "invariant" if inner.tag_name().namespace() == Some(OURS) => {
                    let code = self.expression(inner, attribute(inner, "cond"));
                    self.machine.vertices[id.index()].invariants.extend(code);
                }
                _ => {}
            }
        }
        let vertex = self.machine.vertex(id);
        let place = self.xml.place(node);
        if vertex.kind != VertexKind::State {
            return;
        }
        if let Some(initial) = child(node, "initial") {
            match child(initial, "transition") {
                Some(transition) => self.transition(transition, id, true, events),
                None => self.error(
                    initial,
                    "no initial",
                    "an <initial> has a <transition> in it".to_owned(),
                ),
            }
            return;
        }
        let written = attribute(node, "initial");
        let first = vertex.children.iter().copied();
        let mut first = first.filter(|it| self.machine.vertex(*it).is_state());
        let target = match written {
            "" => first.next(),
            written => match self.target(node, written) {
                Some(target) => Some(target),
                None => return,
            },
        };
        if let Some(target) = target {
            self.machine.add_transition(Transition {
                id: String::new(),
                name: "initial".to_owned(),
                place,
                kind: TransitionKind::Initial,
                source: id,
                target: Some(target),
                triggers: Vec::new(),
                guard: None,
                action: Vec::new(),
            });
        }
    }

    fn target(&mut self, node: Node, written: &str) -> Option<VertexId> {
        let mut names = written.split_whitespace();
        let name = names.next().unwrap_or_default();
        if names.next().is_some() {
            self.error(
                node,
                "several targets",
                format!("{written} are several targets, which only <parallel> needs"),
            );
            return None;
        }
        let found = self.ids.get(name).copied();
        if found.is_none() {
            self.error(
                node,
                "dangling target",
                format!("there is no state {name}, to which this leads"),
            );
        }
        found
    }

    fn transition(
        &mut self,
        node: Node<'a, 'i>,
        source: VertexId,
        initial: bool,
        events: &mut Events<'a>,
    ) {
        let written = attribute(node, "target").trim();
        let target = match written {
            "" => None,
            written => match self.target(node, written) {
                Some(target) => Some(target),
                None => return,
            },
        };
        let from = self.machine.vertex(source);
        let inside = target.is_some_and(|it| it != source && self.nesting.within(it, source));
        let composite = from.kind == VertexKind::State && !from.children.is_empty();
        let kind = match target {
            _ if initial => TransitionKind::Initial,
            None => TransitionKind::Internal,
            Some(_) if attribute(node, "type") == "internal" && inside && composite => {
                TransitionKind::Local
            }
            Some(_) => TransitionKind::External,
        };
        let cond = attribute(node, "cond");
        let guard = match cond.trim() {
            "" => None,
            _ => self.expression(node, cond).map(Guard::When),
        };
        let descriptors = attribute(node, "event");
        let triggers = match events.matching(descriptors) {
            Some(triggers) => triggers,
            None => {
                self.error(
                    node,
                    "too large",
                    "the transitions have too many events in all".to_owned(),
                );
                return;
            }
        };
        let action = self.contents(node, events);
        let name = match (descriptors.trim(), cond.trim()) {
            ("", "") => written.to_owned(),
            ("", cond) => format!("[{cond}]"),
            (event, _) => event.to_owned(),
        };
        self.machine.add_transition(Transition {
            id: attribute(node, "id").to_owned(),
            name,
            place: self.xml.place(node),
            kind,
            source,
            target,
            triggers,
            guard,
            action,
        });
    }

    fn contents(
        &mut self,
        node: Node<'a, 'i>,
        events: &mut Events<'a>,
    ) -> Vec<crate::model::Statement> {
        let mut contents = Contents {
            xml: self.xml,
            ids: &self.ids,
            events,
            foreign: self.foreign.as_ref(),
            problems: &mut self.problems,
        };
        contents.of(node, 0)
    }

    fn expression(&mut self, node: Node, text: &str) -> Option<Code> {
        content::expression(
            self.xml,
            &self.ids,
            self.foreign.as_ref(),
            &mut self.problems,
            node,
            text,
        )
    }

    /// All variables, wherever they are declared: they exist from the start.
    fn attributes(&mut self, root: Node<'a, 'i>) -> Vec<Attribute> {
        let data: Vec<Node> = root
            .descendants()
            .filter(|node| node.is_element() && tag(*node) == "data")
            .collect();
        let mut all = Vec::new();
        for node in data {
            if !attribute(node, "src").is_empty() {
                self.error(
                    node,
                    "data of another file",
                    "values of variables stand in the document itself".to_owned(),
                );
            }
            let ours = |name: &str| node.attribute((OURS, name)).map(str::to_owned);
            let written = self.xml.code(node).map(|code| code.text.trim().to_owned());
            let initial = match attribute(node, "expr") {
                "" => match written {
                    Some(text) => self.expression(node, &text).map(|code| code.text),
                    None => None,
                },
                text => self.expression(node, text).map(|code| code.text),
            };
            all.push(Attribute {
                id: attribute(node, "id").to_owned(),
                name: attribute(node, "id").to_owned(),
                place: self.xml.place(node),
                of: ours("type").unwrap_or_else(|| "int".to_owned()),
                array: ours("array"),
                initial,
                shared: false,
            });
        }
        all
    }

    /// Scripts before all states, which are declarations in C.
    fn declarations(&mut self, root: Node<'a, 'i>) -> Vec<Declaration> {
        let mut all = Vec::new();
        for node in children(root, "script").collect::<Vec<_>>() {
            if !attribute(node, "src").is_empty() || self.foreign.is_some() {
                self.error(
                    node,
                    "script",
                    "a script is C that stands in the document, which says datamodel=\"c\""
                        .to_owned(),
                );
            }
            all.extend(self.xml.code(node).map(|code| Declaration {
                name: "script".to_owned(),
                kind: DeclarationKind::Prelude,
                code,
            }));
        }
        all
    }
}

/// The variables of a document whose data model is not C, and nothing of one whose is.
fn foreign<'a>(root: Node<'a, '_>) -> Option<HashSet<&'a str>> {
    if matches!(attribute(root, "datamodel"), "c" | "C") {
        return None;
    }
    let data = root
        .descendants()
        .filter(|node| node.is_element() && tag(*node) == "data");
    Some(data.map(|node| attribute(node, "id")).collect())
}

/// The reason for which an element is left out, for counting.
fn left_out(name: &str) -> &'static str {
    match name {
        "parallel" => "<parallel>",
        "invoke" => "<invoke>",
        "foreach" => "<foreach>",
        "donedata" => "<donedata>",
        _ => "unknown element",
    }
}

/// Whether an event is one that only the machine itself gives.
fn own_kind(name: &str) -> Option<EventKind> {
    let first = name.split('.').next().unwrap_or_default();
    matches!(first, "error" | "done").then_some(EventKind::Internal)
}
