//! The system of a UML-RT model: what the top capsule consists of, and which ports are connected.

use super::{Index, attribute, child, children, id};
use crate::model::{Connector, End, Model, Part, PortId, System};
use crate::problem::Problem;
use roxmltree::Node;
use std::collections::{HashMap, HashSet};

/// Parts of parts of parts could be very many in few lines.
const MOST_PARTS: usize = 10_000;

/// Of ports that are connected with more others than this, no more are looked at.
const MOST_ENDS: usize = 100;

/// Whether an attribute of a capsule is a part of it.
pub fn is_part<'x: 'a, 'a, 'i>(index: &Index<'x, 'a, 'i>, node: Node<'a, 'i>) -> bool {
    index.stereotype(node, "CapsulePart").is_some()
        || index
            .referred(node, "type")
            .is_some_and(|of| index.stereotype(of, "Capsule").is_some())
}

/// An object in the system while it is put together.
struct Object<'a> {
    path: String,
    capsule: usize,
    /// The object that it is a part of.
    whole: Option<usize>,
    /// Its own parts, by the attributes that declare them.
    parts: HashMap<&'a str, usize>,
    replication: Option<String>,
    optional: bool,
    place: crate::model::SourcePosition,
    id: &'a str,
}

/// Reads the system of the top capsule, if there is one that consists of others.
pub fn read<'x: 'a, 'a, 'i>(
    index: &Index<'x, 'a, 'i>,
    model: &mut Model,
    nodes: &[Node<'a, 'i>],
    problems: &mut Vec<Problem>,
) {
    let by_id: HashMap<&str, usize> = nodes
        .iter()
        .enumerate()
        .map(|(n, it)| (id(*it), n))
        .collect();
    let parts_of = |node: Node<'a, 'i>| {
        let parts = children(node, "ownedAttribute").filter(|it| is_part(index, *it));
        parts.collect::<Vec<_>>()
    };
    let used: HashSet<&str> = nodes
        .iter()
        .flat_map(|node| parts_of(*node))
        .map(|part| attribute(part, "type"))
        .collect();
    let named = index
        .xml
        .document
        .descendants()
        .filter(|node| attribute(*node, "source") == "UMLRT_Default_top")
        .find_map(|node| child(node, "details"))
        .map(|details| attribute(details, "value"));
    let top = nodes
        .iter()
        .filter(|node| !parts_of(**node).is_empty() && !used.contains(id(**node)))
        .max_by_key(|node| Some(attribute(**node, "name")) == named);
    let Some(top) = top else {
        return;
    };
    let mut objects = vec![Object {
        path: String::new(),
        capsule: by_id[id(*top)],
        whole: None,
        parts: HashMap::new(),
        replication: None,
        optional: false,
        place: index.place(*top),
        id: "",
    }];
    let mut next = 0;
    while next < objects.len() {
        let node = nodes[objects[next].capsule];
        for part in parts_of(node) {
            let Some(capsule) = by_id.get(attribute(part, "type")).copied() else {
                continue;
            };
            let mut around = Some(next);
            while let Some(whole) = around {
                if objects[whole].capsule == capsule {
                    problems.push(Problem::error(
                        index.place(part),
                        "cyclic containment",
                        format!(
                            "capsule {} contains itself by way of part {}",
                            model.capsules[capsule].name,
                            attribute(part, "name")
                        ),
                    ));
                    return;
                }
                around = objects[whole].whole;
            }
            if objects.len() > MOST_PARTS {
                problems.push(Problem::error(
                    index.place(*top),
                    "too large",
                    format!("the system has more than {MOST_PARTS} parts"),
                ));
                return;
            }
            let number = objects.len();
            let path = match objects[next].path.as_str() {
                "" => attribute(part, "name").to_owned(),
                outer => format!("{outer}.{}", attribute(part, "name")),
            };
            objects[next].parts.insert(id(part), number);
            objects.push(Object {
                path,
                capsule,
                whole: Some(next),
                parts: HashMap::new(),
                replication: index.replication(part),
                optional: attribute(part, "aggregation") == "shared"
                    || child(part, "lowerValue")
                        .is_some_and(|lower| matches!(attribute(lower, "value"), "" | "0")),
                place: index.place(part),
                id: id(part),
            });
        }
        next += 1;
    }
    let groups = connected(index, model, nodes, &objects);
    model.system = Some(system(model, &objects, groups, *top, index));
}

/// Ends that are one through connectors and relay ports, each with a place for messages.
type Groups = Vec<(crate::model::SourcePosition, Vec<(usize, PortId)>)>;

fn connected<'x: 'a, 'a, 'i>(
    index: &Index<'x, 'a, 'i>,
    model: &Model,
    nodes: &[Node<'a, 'i>],
    objects: &[Object<'a>],
) -> Groups {
    let mut ports: HashMap<(usize, &str), PortId> = HashMap::new();
    for (number, capsule) in model.capsules.iter().enumerate() {
        for (port_number, port) in capsule.ports.iter().enumerate() {
            ports.insert((number, port.id.as_str()), PortId::of(port_number));
        }
    }
    let mut groups: Groups = Vec::new();
    let mut of: HashMap<(usize, PortId), usize> = HashMap::new();
    for (number, object) in objects.iter().enumerate() {
        for connector in children(nodes[object.capsule], "ownedConnector") {
            let ends: Vec<(usize, PortId)> = children(connector, "end")
                .filter_map(|end| {
                    let holder = match attribute(end, "partWithPort") {
                        "" => number,
                        part => *object.parts.get(part)?,
                    };
                    let port = ports.get(&(objects[holder].capsule, attribute(end, "role")))?;
                    Some((holder, *port))
                })
                .collect();
            let [one, other] = ends.as_slice() else {
                continue;
            };
            let place = index.place(connector);
            let group = match (of.get(one).copied(), of.get(other).copied()) {
                (Some(group), Some(second)) if group != second => {
                    let moved = std::mem::take(&mut groups[second].1);
                    for end in &moved {
                        of.insert(*end, group);
                    }
                    groups[group].1.extend(moved);
                    group
                }
                (Some(group), _) | (None, Some(group)) => group,
                (None, None) => {
                    groups.push((place, Vec::new()));
                    groups.len() - 1
                }
            };
            for end in [one, other] {
                if of.insert(*end, group).is_none() {
                    groups[group].1.push(*end);
                }
            }
        }
    }
    groups
}

fn system<'x: 'a, 'a, 'i>(
    model: &Model,
    objects: &[Object<'a>],
    groups: Groups,
    top: Node<'a, 'i>,
    index: &Index<'x, 'a, 'i>,
) -> System {
    // The whole is a part of its own if it does something itself.
    let top_acts = model.capsules[objects[0].capsule].machine.is_some();
    let skipped = usize::from(!top_acts);
    let parts = objects
        .iter()
        .skip(skipped)
        .map(|object| Part {
            id: object.id.to_owned(),
            name: match object.path.as_str() {
                "" => model.capsules[object.capsule].name.clone(),
                path => path.to_owned(),
            },
            place: object.place,
            capsule: object.capsule,
            replication: object.replication.clone(),
            optional: object.optional,
        })
        .collect();
    let mut connectors = Vec::new();
    for (place, ends) in groups {
        let acting: Vec<&(usize, PortId)> = ends
            .iter()
            .filter(|(object, _)| model.capsules[objects[*object].capsule].machine.is_some())
            .collect();
        for (number, one) in acting.iter().take(MOST_ENDS).enumerate() {
            for other in &acting[number + 1..] {
                let end = |end: &(usize, PortId)| End {
                    part: end.0 - skipped,
                    port: end.1,
                };
                connectors.push(Connector {
                    id: String::new(),
                    place,
                    ends: [end(one), end(other)],
                });
            }
        }
    }
    System {
        name: attribute(top, "name").to_owned(),
        place: index.place(top),
        parts,
        connectors,
    }
}
