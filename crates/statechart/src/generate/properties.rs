//! Safety properties: automata that follow what is received and sent, and fail where they are violated.

use super::functions::Functions;
use super::text::{Text, quoted};
use crate::model::{Direction, Edge, Model, Property};

/// The variables that hold where each property's automaton is.
pub fn variables(model: &Model, out: &mut Text) {
    for (index, property) in model.properties.iter().enumerate() {
        out.line(&format!(
            "static int elw_property_{index} = {};",
            property.initial
        ));
    }
}

/// Does any property look at what is received?
pub fn look_at_received(model: &Model) -> bool {
    let mut edges = model.properties.iter().flat_map(|property| &property.edges);
    edges.any(|edge| edge.observed.direction == Direction::Received)
}

/// Follows the edges that fit, and fails where that violates the property.
fn follow(model: &Model, index: usize, fits: &dyn Fn(&Edge) -> bool, out: &mut Text) {
    let property = &model.properties[index];
    let state = format!("elw_property_{index}");
    let words = format!("property {}", property.name);
    let mut first = true;
    for edge in property.edges.iter().filter(|edge| fits(edge)) {
        let when = match &edge.observed.when {
            Some(code) => {
                let text = code.text.split_whitespace().collect::<Vec<_>>().join(" ");
                format!(" && ({text})")
            }
            None => String::new(),
        };
        let other = if first { "" } else { "else " };
        first = false;
        let text = format!("{other}if ({state} == {}{when})", edge.from);
        out.check(&text, edge.place, &words);
        out.check(&format!("    {state} = {};", edge.to), edge.place, &words);
    }
    if first {
        return;
    }
    for (number, one) in property.states.iter().enumerate() {
        if one.violated {
            fail(
                model,
                property,
                &format!("{state} == {number}"),
                &words,
                out,
            );
        }
    }
}

fn fail(model: &Model, property: &Property, condition: &str, words: &str, out: &mut Text) {
    out.check(&format!("if ({condition})"), property.place, words);
    let message = quoted(&format!("property {} is violated", property.name));
    // Properties stand in a file of their own.
    let file = quoted(&crate::project::rules_file(&model.file));
    let line = property.place.line;
    let text = format!("    elsewise_fail({message}, {file}, {line});");
    out.check(&text, property.place, words);
}

fn names(wanted: &Option<String>, there: Option<&str>) -> bool {
    match (wanted, there) {
        (None, _) => true,
        (Some(wanted), Some(there)) => wanted == there,
        (Some(_), None) => false,
    }
}

/// A message of the capsule's that was sent.
pub fn sent(functions: &mut Functions<'_>, index: usize) {
    let plan = functions.plan;
    let (model, capsule) = (plan.model, plan.capsule);
    let sent = &capsule.sends[index];
    let port = sent
        .port
        .map(|port| capsule.ports[port.index()].name.as_str());
    let fits = |edge: &Edge| {
        let observed = &edge.observed;
        observed.direction == Direction::Sent
            && names(&observed.capsule, Some(&capsule.name))
            && names(&observed.port, port)
            && names(&observed.message, Some(&sent.name))
    };
    if !model
        .properties
        .iter()
        .any(|property| property.edges.iter().any(fits))
    {
        return;
    }
    functions.text.open("{");
    for parameter in &sent.parameters {
        let (of, name) = (&parameter.of, &parameter.name);
        let star = if parameter.array.is_some() { "*" } else { "" };
        let text = format!("{of} {star}{name} = out->{name}; (void){name};");
        functions.text.line(&text);
    }
    for property in 0..model.properties.len() {
        follow(model, property, &fits, &mut functions.text);
    }
    functions.text.close("}");
}

/// The same for a format that has only names of what is sent.
pub fn sent_signal(model: &Model, name: &str, out: &mut Text) {
    for property in 0..model.properties.len() {
        let fits = |edge: &Edge| {
            edge.observed.direction == Direction::Sent && names(&edge.observed.message, Some(name))
        };
        follow(model, property, &fits, out);
    }
}

/// A message that the capsule is about to be given.
pub fn received(functions: &mut Functions<'_>) {
    let plan = functions.plan;
    let (model, capsule) = (plan.model, plan.capsule);
    if !look_at_received(model) {
        return;
    }
    functions.text.open("switch (m->signal) {");
    for event in plan.event_ids() {
        let about = capsule.event(event);
        let port = about
            .port
            .map(|port| capsule.ports[port.index()].name.as_str());
        let fits = |edge: &Edge| {
            let observed = &edge.observed;
            observed.direction == Direction::Received
                && names(&observed.capsule, Some(&capsule.name))
                && names(&observed.port, port)
                && names(&observed.message, Some(&about.name))
        };
        if !model
            .properties
            .iter()
            .any(|property| property.edges.iter().any(fits))
        {
            continue;
        }
        functions
            .text
            .open(&format!("case {}: {{", plan.signal(event)));
        let field = &plan.events[event.index()];
        functions
            .text
            .line(&format!("{}_take_{field}(m);", plan.name));
        for parameter in &about.parameters {
            let (of, name) = (&parameter.of, &parameter.name);
            let star = if parameter.array.is_some() { "*" } else { "" };
            let text = format!("{of} {star}{name} = m->with.{field}.{name}; (void){name};");
            functions.text.line(&text);
        }
        for property in 0..model.properties.len() {
            follow(model, property, &fits, &mut functions.text);
        }
        functions.text.line("break;");
        functions.text.close("}");
    }
    functions.text.close("}");
}

/// The machine has come to rest.
pub fn rest(functions: &mut Functions<'_>) {
    let plan = functions.plan;
    let (model, capsule) = (plan.model, plan.capsule);
    let fits = |edge: &Edge| {
        edge.observed.direction == Direction::Rest
            && names(&edge.observed.capsule, Some(&capsule.name))
    };
    for property in 0..model.properties.len() {
        follow(model, property, &fits, &mut functions.text);
    }
}
