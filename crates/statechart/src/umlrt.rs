//! Reads UML-RT models (`.uml`, the XMI of Papyrus-RT and of other tools on Eclipse UML2): what the
//! file declares here, state machines in `chart.rs`, types in `types.rs`, parts in `parts.rs`.
//!
//! Elements say what they are by `xmi:type` (or `xsi:type`), which a tool may leave out where the tag
//! says it already. What is a capsule or a protocol is said by stereotypes beside the model; in a
//! file without stereotypes, a class with a state machine is a capsule.

mod chart;
mod parts;
mod protocols;
mod types;

use crate::model::{
    Capsule, Code, Event, EventId, EventKind, Format, Language, Model, Parameter, Port, PortId,
    Semantics, Sent, Service, SourcePosition, Timer,
};
use crate::problem::{Problem, Refusal};
use crate::qm::stem;
use crate::xml::{Xml, attribute, child, children, tag};
use crate::{Reading, finish};
use roxmltree::Node;
use std::collections::HashMap;

/// Reads the text of a `.uml` file.
pub fn read(file: &str, text: &str) -> Result<Reading, Refusal> {
    let xml = Xml::parse(file, text)?;
    let root = xml.document.root_element();
    let top = root
        .descendants()
        .find(|node| node.is_element() && matches!(tag(*node), "Model" | "Package"));
    let Some(top) = top else {
        return Err(Refusal::one(
            file,
            Problem::error(
                xml.place(root),
                "no state machine",
                format!(
                    "a UML model has a uml:Model in it; this file is a <{}>",
                    tag(root)
                ),
            ),
        ));
    };
    let (index, mut problems) = Index::new(&xml);
    let mut model = Model {
        name: match attribute(top, "name") {
            "" => stem(file).to_owned(),
            name => name.to_owned(),
        },
        file: file.to_owned(),
        format: Format::UmlRt,
        language: Language::Cpp,
        semantics: Semantics::UML_RT,
        declarations: types::declarations(&index),
        files: Vec::new(),
        protocols: Vec::new(),
        capsules: Vec::new(),
        system: None,
        properties: Vec::new(),
    };
    let protocols = protocols::read(&index, &mut model);
    let nodes = capsules(&index);
    for node in &nodes {
        let (capsule, found) = capsule(&index, &model, &protocols, *node);
        model.capsules.push(capsule);
        problems.extend(found);
    }
    match model.capsules.iter().any(|it| it.machine.is_some()) {
        true => parts::read(&index, &mut model, &nodes, &mut problems),
        false => problems.push(Problem::error(
            xml.place(top),
            "no state machine",
            "no capsule of this model has a state machine",
        )),
    }
    finish(model, problems)
}

/// All elements of a file by their ids, and what stereotypes say of them.
pub(crate) struct Index<'x, 'a, 'i> {
    xml: &'x Xml<'i>,
    by_id: HashMap<&'a str, Node<'a, 'i>>,
    /// Stereotypes by the element that they are applied to.
    applied: HashMap<&'a str, Vec<Node<'a, 'i>>>,
}

impl<'x: 'a, 'a, 'i> Index<'x, 'a, 'i> {
    fn new(xml: &'x Xml<'i>) -> (Self, Vec<Problem>) {
        let mut index = Index {
            xml,
            by_id: HashMap::new(),
            applied: HashMap::new(),
        };
        let mut problems = Vec::new();
        let root = xml.document.root_element();
        for node in root.descendants().filter(Node::is_element) {
            let id = id(node);
            if !id.is_empty()
                && let Some(other) = index.by_id.insert(id, node)
            {
                problems.push(Problem::error(
                    xml.place(node),
                    "duplicate id",
                    format!("the id {id} stands in line {} too", xml.place(other).line),
                ));
            }
        }
        for node in root.children().filter(Node::is_element) {
            let bases = node
                .attributes()
                .filter(|attribute| attribute.name().starts_with("base_"));
            for base in bases {
                index.applied.entry(base.value()).or_default().push(node);
            }
        }
        (index, problems)
    }

    fn place(&self, node: Node) -> SourcePosition {
        self.xml.place(node)
    }

    /// The element that an attribute refers to.
    fn referred(&self, node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
        self.by_id.get(attribute(node, name)).copied()
    }

    /// The stereotype of that name that is applied to an element.
    fn stereotype(&self, node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
        let applied = self.applied.get(id(node))?;
        applied.iter().copied().find(|it| tag(*it) == name)
    }

    /// The last body of a behaviour or an expression that is C++, or has no other language.
    fn body(&self, node: Node) -> Option<Code> {
        let languages: Vec<&str> = children(node, "language")
            .map(|language| language.text().unwrap_or_default().trim())
            .collect();
        let bodies: Vec<Node> = children(node, "body").collect();
        let chosen = bodies.iter().enumerate().find(|(number, _)| {
            let language = languages.get(*number).copied().unwrap_or_default();
            matches!(
                language,
                "" | "C++" | "C" | "C/C++" | "CPP" | "cpp" | "umlrt-cpp"
            )
        });
        // A body may also be an attribute.
        match chosen {
            Some((_, body)) => self.xml.code(*body),
            None if bodies.is_empty() && !attribute(node, "body").trim().is_empty() => Some(Code {
                text: attribute(node, "body").to_owned(),
                place: self.place(node),
            }),
            None => None,
        }
    }

    /// What a literal or an expression says, as C.
    fn value(&self, node: Node<'a, 'i>) -> Option<String> {
        let written = attribute(node, "value");
        match kind(node) {
            "OpaqueExpression" => self.body(node).map(|code| code.text.trim().to_owned()),
            "LiteralBoolean" | "LiteralInteger" | "LiteralReal" | "LiteralUnlimitedNatural" => {
                Some(match (written, kind(node)) {
                    ("", "LiteralBoolean") => "false".to_owned(),
                    ("", _) => "0".to_owned(),
                    (value, _) => value.to_owned(),
                })
            }
            "LiteralString" => {
                let inner = child(node, "value").and_then(|value| value.text());
                Some(inner.unwrap_or(written).to_owned())
            }
            "LiteralNull" => Some("0".to_owned()),
            "InstanceValue" => {
                let instance = self.referred(node, "instance")?;
                Some(attribute(instance, "name").to_owned())
            }
            _ => None,
        }
    }

    /// How many there can be: None for one, the number or its C otherwise.
    fn replication(&self, node: Node<'a, 'i>) -> Option<String> {
        let upper = self.value(child(node, "upperValue")?)?;
        (!matches!(upper.as_str(), "" | "0" | "1")).then_some(upper)
    }
}

/// An element's `xmi:id`.
fn id<'a>(node: Node<'a, '_>) -> &'a str {
    let mut found = "";
    for attribute in node.attributes().filter(|it| it.name() == "id") {
        if attribute.namespace().is_some() {
            return attribute.value();
        }
        found = attribute.value();
    }
    found
}

/// What an element is, without the `uml:` of its type; where the file does not say, by its tag.
fn kind<'a>(node: Node<'a, '_>) -> &'a str {
    let said = node
        .attributes()
        .find(|attribute| attribute.name() == "type" && attribute.namespace().is_some());
    match said {
        Some(said) => said.value().rsplit(':').next().unwrap_or_default(),
        None => match tag(node) {
            "ownedAttribute" | "ownedEnd" => "Property",
            "ownedOperation" => "Operation",
            "ownedParameter" => "Parameter",
            "region" => "Region",
            "transition" => "Transition",
            "connectionPoint" => "Pseudostate",
            "subvertex" => "State",
            "trigger" | "deferrableTrigger" => "Trigger",
            "ownedRule" => "Constraint",
            "ownedConnector" => "Connector",
            "ownedLiteral" => "EnumerationLiteral",
            "effect" | "entry" | "exit" | "doActivity" => "OpaqueBehavior",
            "specification" => "OpaqueExpression",
            other => other,
        },
    }
}

/// What a reference to another file names: the part behind the hash.
fn fragment<'a>(node: Node<'a, '_>) -> &'a str {
    attribute(node, "href")
        .rsplit('#')
        .next()
        .unwrap_or_default()
}

fn capsules<'x: 'a, 'a, 'i>(index: &Index<'x, 'a, 'i>) -> Vec<Node<'a, 'i>> {
    let root = index.xml.document.root_element();
    let classes = || {
        root.descendants()
            .filter(|node| node.is_element() && kind(*node) == "Class")
    };
    let named: Vec<Node> = classes()
        .filter(|node| index.stereotype(*node, "Capsule").is_some())
        .collect();
    if !named.is_empty()
        || index
            .applied
            .values()
            .flatten()
            .any(|it| tag(*it) == "Protocol")
    {
        return named;
    }
    let has_machine = |node: &Node| {
        children(*node, "ownedBehavior").any(|behavior| kind(behavior) == "StateMachine")
    };
    classes().filter(has_machine).collect()
}

fn capsule<'x: 'a, 'a, 'i>(
    index: &Index<'x, 'a, 'i>,
    model: &Model,
    protocols: &protocols::Protocols<'a>,
    node: Node<'a, 'i>,
) -> (Capsule, Vec<Problem>) {
    let mut problems = Vec::new();
    let mut capsule = Capsule {
        id: id(node).to_owned(),
        name: attribute(node, "name").to_owned(),
        place: index.place(node),
        attributes: Vec::new(),
        operations: types::operations(index, node),
        ports: Vec::new(),
        events: Vec::new(),
        sends: Vec::new(),
        timers: Vec::new(),
        machine: None,
    };
    for general in children(node, "generalization") {
        let other = index.referred(general, "general");
        let name = other.map_or("another file's", |other| attribute(other, "name"));
        problems.push(Problem::error(
            index.place(general),
            "inherited capsule",
            format!(
                "capsule {} inherits from {name}; inherited structure and behaviour are not read, \
                 write them out",
                capsule.name
            ),
        ));
    }
    let mut ports: HashMap<&str, PortId> = HashMap::new();
    for member in children(node, "ownedAttribute") {
        match kind(member) {
            "Port" => {
                ports.insert(id(member), PortId::of(capsule.ports.len()));
                port(index, protocols, model, member, &mut capsule);
            }
            _ if parts::is_part(index, member) => {}
            _ => capsule.attributes.push(types::attribute_of(index, member)),
        }
    }
    capsule.timers = capsule
        .events
        .iter()
        .enumerate()
        .filter(|(_, event)| event.kind == EventKind::Timeout)
        .filter_map(|(number, event)| {
            let port = &capsule.ports[event.port?.index()];
            Some(Timer {
                name: port.name.clone(),
                place: port.place,
                event: Some(EventId::of(number)),
            })
        })
        .collect();
    let machine =
        children(node, "ownedBehavior").find(|behavior| kind(*behavior) == "StateMachine");
    if let Some(machine) = machine {
        chart::read(
            index,
            protocols,
            &ports,
            machine,
            &mut capsule,
            &mut problems,
        );
    }
    (capsule, problems)
}

fn port<'x: 'a, 'a, 'i>(
    index: &Index<'x, 'a, 'i>,
    protocols: &protocols::Protocols<'a>,
    model: &Model,
    node: Node<'a, 'i>,
    capsule: &mut Capsule,
) {
    let number = PortId::of(capsule.ports.len());
    let place = index.place(node);
    let conjugated = attribute(node, "isConjugated") == "true";
    let protocol = protocols.by_id.get(attribute(node, "type")).copied();
    let service = child(node, "type").and_then(|of| protocols::service(fragment(of)));
    capsule.ports.push(Port {
        id: id(node).to_owned(),
        name: attribute(node, "name").to_owned(),
        place,
        protocol,
        conjugated,
        replication: index.replication(node),
        service,
    });
    let mut add = |id: &str, name: &str, kind: EventKind, parameters: Vec<Parameter>| {
        capsule.events.push(Event {
            id: id.to_owned(),
            name: name.to_owned(),
            place,
            port: Some(number),
            kind,
            parameters,
            payload: None,
        });
    };
    if service == Some(Service::Timing) {
        add(
            protocols::TIMEOUT,
            "timeout",
            EventKind::Timeout,
            Vec::new(),
        );
    }
    let Some(protocol) = protocol.map(|number| &model.protocols[number]) else {
        return;
    };
    let (incoming, outgoing) = match conjugated {
        false => (&protocol.incoming, &protocol.outgoing),
        true => (&protocol.outgoing, &protocol.incoming),
    };
    for message in incoming {
        let parameters = message.parameters.clone();
        add(&message.id, &message.name, EventKind::Message, parameters);
    }
    capsule.sends.extend(outgoing.iter().map(|message| Sent {
        port: Some(number),
        name: message.name.clone(),
        parameters: message.parameters.clone(),
    }));
}
