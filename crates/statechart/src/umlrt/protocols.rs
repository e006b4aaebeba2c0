//! Protocols of UML-RT: packages with a collaboration, an interface for each direction, and an event
//! for each message.

use super::{Index, attribute, children, id, kind, types};
use crate::model::{Message, Model, Protocol, Service};
use roxmltree::Node;
use std::collections::{HashMap, HashSet};

/// The id of `timeout`'s event in the library of Papyrus-RT's run-time system.
pub const TIMEOUT: &str = "_IaEO8HDxEeSwWKwNKw1iAA";

pub struct Protocols<'a> {
    /// Collaborations, as ports refer to them, and which of the model's protocols they are.
    pub by_id: HashMap<&'a str, usize>,
    /// The operation that a call event stands for.
    pub operations: HashMap<&'a str, &'a str>,
    /// Events that stand for any message.
    pub any: HashSet<&'a str>,
}

/// Messages that the run-time system sends at ports of every protocol, by their events' ids.
pub fn of_every_port(event: &str) -> Option<&'static str> {
    match event {
        "_PQtAwOzeEeSRtqCWFwOf8g" => Some("rtBound"),
        "_R-s4EOzeEeSRtqCWFwOf8g" => Some("rtUnbound"),
        _ => None,
    }
}

/// What the run-time system offers by one of its own protocols, which other files declare.
pub fn service(fragment: &str) -> Option<Service> {
    match fragment {
        "_MxQZgGXsEeS_4daqvwyFrg" | "Timing" => Some(Service::Timing),
        "_6kIb0IeXEeSVyrlWP4nYew" | "Log" => Some(Service::Log),
        "_TWVjwGtVEeSCmtGQ-V4nzg" | "Frame" => Some(Service::Frame),
        _ => None,
    }
}

/// Reads all protocols into the model.
pub fn read<'x: 'a, 'a, 'i>(index: &Index<'x, 'a, 'i>, model: &mut Model) -> Protocols<'a> {
    let mut protocols = Protocols {
        by_id: HashMap::new(),
        operations: HashMap::new(),
        any: HashSet::new(),
    };
    let root = index.xml.document.root_element();
    for node in root.descendants().filter(Node::is_element) {
        match kind(node) {
            "CallEvent" => {
                protocols
                    .operations
                    .insert(id(node), attribute(node, "operation"));
            }
            "AnyReceiveEvent" => {
                protocols.any.insert(id(node));
            }
            "Collaboration" => {
                protocols.by_id.insert(id(node), model.protocols.len());
                model.protocols.push(protocol(index, node));
            }
            _ => {}
        }
    }
    protocols
}

fn protocol<'x: 'a, 'a, 'i>(index: &Index<'x, 'a, 'i>, node: Node<'a, 'i>) -> Protocol {
    let name = attribute(node, "name");
    let mut protocol = Protocol {
        id: id(node).to_owned(),
        name: name.to_owned(),
        place: index.place(node),
        incoming: Vec::new(),
        outgoing: Vec::new(),
    };
    let siblings = node.parent().into_iter().flat_map(|parent| {
        let inside = parent.children();
        inside.filter(|it| it.is_element() && kind(*it) == "Interface")
    });
    for interface in siblings {
        // The direction stands in a stereotype; in its absence the name tells it.
        let said = index
            .stereotype(interface, "RTMessageSet")
            .map(|set| attribute(set, "rtMsgKind"));
        let direction = said.unwrap_or_else(|| {
            let own = attribute(interface, "name");
            match own.strip_prefix(name) {
                Some("~") => "out",
                Some("IO") => "inOut",
                _ => "in",
            }
        });
        let messages = children(interface, "ownedOperation").map(|operation| Message {
            id: id(operation).to_owned(),
            name: attribute(operation, "name").to_owned(),
            place: index.place(operation),
            parameters: types::parameters(index, operation),
        });
        for message in messages {
            if direction != "in" && !direction.is_empty() {
                protocol.outgoing.push(message.clone());
            }
            if direction != "out" {
                protocol.incoming.push(message);
            }
        }
    }
    protocol
}
