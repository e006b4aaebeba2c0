//! Reads what a model has to keep to, from a text file beside it (`door.rules` beside `door.qm`).
//!
//! None of the formats has a place for safety properties, so that there is one notation for all:
//!
//! ```text
//! # A line that begins like this is a comment.
//! property "never vibrate and steer at once"
//!     calm: sent steer.vibrate -> vibrating
//!     vibrating: sent steer.turn [angle != 0] -> violated
//!     vibrating: rest -> calm
//!
//! invariant Controller.warn: warnings > 0
//! payload LidarEvt: LIDAR, RADAR
//! ```
//!
//! A property is an automaton: it begins in the state that is named first, an edge is followed when
//! its message is `sent` or `received` (`*` is any, `port.*` any at that port, `Capsule:port.message`
//! one of that capsule) or when the machine has come to `rest` (`rest Capsule` where there are
//! several), and `violated` is where it must not come to. An `invariant` holds whenever its state is active and the machine is at rest. A
//! `payload` says by which struct of a QM model signals are carried, where action code does not show
//! it by a cast.

use crate::model::{
    Code, DeclarationKind, Direction, Edge, Model, Observed, Parameter, Property, PropertyState,
    SourcePosition, VertexId,
};
use crate::problem::{Problem, Refusal};

/// More lines than this are no rules that somebody wrote.
const MOST_LINES: usize = 100_000;

/// Adds the rules of a text to a model.
pub fn apply(model: &mut Model, file: &str, text: &str) -> Result<(), Refusal> {
    let mut problems = Vec::new();
    let mut current: Option<Property> = None;
    for (number, line) in text.lines().enumerate().take(MOST_LINES) {
        let place = SourcePosition {
            line: number as u32 + 1,
            column: (line.len() - line.trim_start().len()) as u32 + 1,
        };
        let words = line.trim();
        if words.is_empty() || words.starts_with('#') {
            continue;
        }
        let (first, rest) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
        let result = match first {
            "property" => {
                finish(model, current.take(), &mut problems);
                begin(rest.trim(), place).map(|property| current = Some(property))
            }
            "invariant" => invariant(model, rest.trim(), place),
            "payload" => payload(model, rest.trim()),
            _ => match &mut current {
                Some(property) => edge(model, property, words, place),
                None => Err(format!(
                    "{first} is no rule; rules are property, invariant and payload"
                )),
            },
        };
        if let Err(message) = result {
            problems.push(Problem::error(place, "rule", message));
        }
    }
    finish(model, current, &mut problems);
    match problems.is_empty() {
        true => Ok(()),
        false => Err(Refusal {
            file: file.to_owned(),
            problems,
        }),
    }
}

fn begin(name: &str, place: SourcePosition) -> Result<Property, String> {
    let name = name.trim_matches('"');
    match name.is_empty() {
        true => Err("a property has a name: property \"…\"".to_owned()),
        false => Ok(Property {
            name: name.to_owned(),
            place,
            states: Vec::new(),
            initial: 0,
            edges: Vec::new(),
        }),
    }
}

fn finish(model: &mut Model, property: Option<Property>, problems: &mut Vec<Problem>) {
    let Some(property) = property else {
        return;
    };
    if !property.states.iter().any(|state| state.violated) {
        problems.push(Problem::error(
            property.place,
            "rule",
            format!(
                "property {} can never be violated: no edge leads to `violated`",
                property.name
            ),
        ));
    }
    model.properties.push(property);
}

/// `state: sent port.message [condition] -> state`.
fn edge(
    model: &Model,
    property: &mut Property,
    line: &str,
    place: SourcePosition,
) -> Result<(), String> {
    const FORM: &str = "an edge is written as STATE: sent PORT.MESSAGE [CONDITION] -> STATE";
    let (from, rest) = line.split_once(':').ok_or(FORM)?;
    let (what, to) = rest.rsplit_once("->").ok_or(FORM)?;
    let (from, to, what) = (from.trim(), to.trim(), what.trim());
    let word = |name: &str| !name.is_empty() && !name.contains(char::is_whitespace);
    if !word(from) || !word(to) {
        return Err(FORM.to_owned());
    }
    let observed = observed(model, what, place)?;
    let from = state(property, from);
    let to = state(property, to);
    property.edges.push(Edge {
        from,
        to,
        observed,
        place,
    });
    Ok(())
}

fn state(property: &mut Property, name: &str) -> usize {
    let known = property.states.iter().position(|state| state.name == name);
    known.unwrap_or_else(|| {
        property.states.push(PropertyState {
            name: name.to_owned(),
            violated: name == "violated",
        });
        property.states.len() - 1
    })
}

fn observed(model: &Model, what: &str, place: SourcePosition) -> Result<Observed, String> {
    let (what, when) = match what.split_once('[') {
        Some((what, condition)) => {
            let condition = condition
                .trim_end()
                .strip_suffix(']')
                .ok_or("a condition stands between [ and ]")?;
            let text = condition.trim().to_owned();
            (what.trim(), Some(Code { text, place }))
        }
        None => (what, None),
    };
    let (direction, message) = what.split_once(char::is_whitespace).unwrap_or((what, ""));
    let direction = match direction {
        "sent" => Direction::Sent,
        "received" => Direction::Received,
        "rest" => Direction::Rest,
        other => {
            return Err(format!(
                "{other} is nothing that can be seen; write sent, received or rest"
            ));
        }
    };
    let mut message = message.trim();
    if message.is_empty() && direction != Direction::Rest {
        return Err("a message is missing; any is written as *".to_owned());
    }
    let mut capsule = None;
    let whose = match direction {
        Direction::Rest if !message.is_empty() => Some((message, "")),
        _ => message.split_once(':'),
    };
    if let Some((name, rest)) = whose {
        if model.capsule(name).is_none() {
            return Err(format!("there is no capsule {name}"));
        }
        capsule = Some(name.to_owned());
        message = rest;
    }
    let (port, name) = match message.rsplit_once('.') {
        Some((port, name)) if has_port(model, port) => (Some(port), name),
        _ => (None, message),
    };
    let some = |name: &str| (!matches!(name, "*" | "")).then(|| name.to_owned());
    Ok(Observed {
        direction,
        capsule,
        port: port.and_then(some),
        message: some(name),
        when,
    })
}

/// Names of SCXML's events have dots too, so that only what is a port is taken for one.
fn has_port(model: &Model, name: &str) -> bool {
    let mut capsules = model.capsules.iter();
    name == "*" || capsules.any(|capsule| capsule.ports.iter().any(|port| port.name == name))
}

/// `Capsule.state: condition`, with as much of the way to the state as is needed.
fn invariant(model: &mut Model, rule: &str, place: SourcePosition) -> Result<(), String> {
    let form = "an invariant is written as CAPSULE.STATE: CONDITION";
    let (path, condition) = rule.split_once(':').ok_or(form)?;
    let (path, condition) = (path.trim(), condition.trim());
    if condition.is_empty() {
        return Err(form.to_owned());
    }
    let (capsule, state) = path.split_once('.').unwrap_or((path, ""));
    let machine = model
        .capsules
        .iter_mut()
        .find(|it| it.name == capsule)
        .and_then(|it| it.machine.as_mut())
        .ok_or_else(|| format!("there is no capsule {capsule} with a state machine"))?;
    let wanted: Vec<&str> = state.split('.').collect();
    let fits = |id: VertexId| {
        let mut way = machine
            .upwards(id)
            .map(|it| machine.vertex(it).name.as_str());
        machine.vertex(id).is_state() && wanted.iter().rev().all(|name| way.next() == Some(*name))
    };
    let all = (1..machine.vertices.len()).map(VertexId::of);
    let found: Vec<VertexId> = match state {
        "" => vec![VertexId::TOP],
        _ => all.filter(|id| fits(*id)).collect(),
    };
    let [id] = found.as_slice() else {
        return Err(match found.is_empty() {
            true => format!("{capsule} has no state {state}"),
            false => format!("{capsule} has several states {state}; name what they stand in too"),
        });
    };
    machine.vertices[id.index()].invariants.push(Code {
        text: condition.to_owned(),
        place,
    });
    Ok(())
}

/// `Struct: SIGNAL, SIGNAL`.
fn payload(model: &mut Model, rule: &str) -> Result<(), String> {
    let form = "a payload is written as STRUCT: SIGNAL, SIGNAL";
    let (name, signals) = rule.split_once(':').ok_or(form)?;
    let name = name.trim();
    let declared = model
        .declarations
        .iter()
        .find(|it| it.name == name && it.kind == DeclarationKind::Type)
        .ok_or_else(|| format!("there is no struct {name}"))?;
    let members = members(&declared.code.text);
    for signal in signals.split(',').map(str::trim) {
        let mut found = false;
        for event in model.capsules.iter_mut().flat_map(|it| &mut it.events) {
            if event.name == signal {
                event.payload = Some(name.to_owned());
                event.parameters = members.clone();
                found = true;
            }
        }
        if !found {
            return Err(format!("no capsule waits for {signal}"));
        }
    }
    Ok(())
}

/// The members of a struct as the reader of QM writes it, without its base.
fn members(text: &str) -> Vec<Parameter> {
    let lines = text.lines().filter(|line| line.starts_with("    "));
    lines
        .filter_map(|line| {
            let declared = line.trim().strip_suffix(';')?;
            let (of, name) = declared.rsplit_once(' ')?;
            let (name, array) = match name.split_once('[') {
                Some((name, size)) => (name, Some(size.trim_end_matches(']').to_owned())),
                None => (name, None),
            };
            (name != "super").then(|| Parameter {
                name: name.to_owned(),
                of: of.to_owned(),
                array,
            })
        })
        .collect()
}
