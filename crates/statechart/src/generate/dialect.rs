//! In what action code of the formats differs: how it sees its capsule, a message and the world.

use super::fields::{fields, is_number, member};
use super::functions::Functions;
use super::plan::Plan;
use super::text::{Text, quoted};
use super::{ports, qp};
use crate::model::{Attribute, Code, EventId, Format};

/// A guard or an invariant as an expression of C.
pub fn condition(_plan: &Plan<'_>, code: &Code) -> String {
    let text = code.text.trim();
    let returned = text.strip_prefix("return").filter(|rest| {
        let first = rest.chars().next();
        first.is_some_and(|char| char.is_whitespace() || char == '(')
    });
    let text = returned.unwrap_or(text).trim().trim_end_matches(';');
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What the members of a message's union are.
pub fn payloads(plan: &Plan<'_>, out: &mut Text) {
    if plan.model.format == Format::Qm {
        out.line("QEvt evt;");
    }
    for event in plan.event_ids() {
        let about = plan.capsule.event(event);
        let field = &plan.events[event.index()];
        if let Some(payload) = &about.payload {
            out.line(&format!("{payload} {field};"));
        } else if !about.parameters.is_empty() {
            out.open(&format!("struct {}_data_{field} {{", plan.name));
            for parameter in &about.parameters {
                out.line(&member(parameter));
            }
            out.close(&format!("}} {field};"));
        }
    }
}

/// What else is known once it is known which message it is.
pub fn taken(plan: &Plan<'_>, event: EventId, out: &mut Text) {
    if plan.model.format == Format::Qm {
        let name = &plan.capsule.event(event).name;
        out.line(&format!("m->with.evt.sig = {name}_SIG;"));
    }
}

/// Makes the parameters of a message, which is one of these, visible to action code.
pub fn see(functions: &mut Functions<'_>, events: &[EventId]) {
    let plan = functions.plan;
    match plan.model.format {
        Format::Qm => {
            let line = "QEvt const *e = &m->with.evt; (void)e;";
            functions.text.line(line);
        }
        Format::UmlRt => see_names(functions, events),
        Format::Scxml => {
            let with = events
                .iter()
                .find(|event| !plan.capsule.event(**event).parameters.is_empty());
            let (of, value) = match with {
                Some(event) => {
                    let field = &plan.events[event.index()];
                    (
                        format!("struct {}_data_{field}", plan.name),
                        format!(", m->with.{field}"),
                    )
                }
                None => ("int".into(), ", 0".into()),
            };
            let name = match events.first() {
                Some(event) => quoted(&plan.capsule.event(*event).name),
                None => "\"\"".into(),
            };
            let line =
                format!("struct {{ const char *name; {of} data; }} _event = {{ {name}{value} }};");
            functions.text.line(&line);
            functions.text.line("(void)_event;");
        }
    }
}

/// Parameters under their own names; `rtdata` is the first of them.
fn see_names(functions: &mut Functions<'_>, events: &[EventId]) {
    let plan = functions.plan;
    let mut seen: Vec<&str> = Vec::new();
    for event in events {
        let field = &plan.events[event.index()];
        for parameter in &plan.capsule.event(*event).parameters {
            let (name, of) = (parameter.name.as_str(), &parameter.of);
            if seen.contains(&name) {
                continue;
            }
            let line = match (plan.is_cpp(), &parameter.array) {
                (true, Some(size)) => {
                    format!("{of} (&{name})[{size}] = m->with.{field}.{name}; (void){name};")
                }
                (true, None) => format!("{of} &{name} = m->with.{field}.{name}; (void){name};"),
                (false, Some(_)) => format!("{of} *{name} = m->with.{field}.{name}; (void){name};"),
                (false, None) => format!("{of} {name} = m->with.{field}.{name}; (void){name};"),
            };
            functions.text.line(&line);
            if seen.is_empty() {
                let line = match parameter.array {
                    Some(_) => format!("{of} *rtdata = {name}; (void)rtdata;"),
                    None => format!("{of} *rtdata = &{name}; (void)rtdata;"),
                };
                functions.text.line(&line);
            }
            seen.push(name);
        }
    }
}

/// Before a part's first transition.
pub fn begin(functions: &mut Functions<'_>) {
    let plan = functions.plan;
    match plan.model.format {
        Format::Qm => qp::begin(functions),
        Format::UmlRt => ports::begin(functions),
        Format::Scxml => {
            for attribute in &plan.capsule.attributes {
                if let Some(initial) = assigned(attribute) {
                    let text = format!("{} = {initial};", attribute.name);
                    let words = &plan.capsule.name;
                    functions.text.line_at(&text, attribute.place, words);
                }
            }
        }
    }
}

/// An initial value that is assigned, as it need not be a constant.
fn assigned(attribute: &Attribute) -> Option<&str> {
    let initial = attribute.initial.as_deref()?;
    (attribute.array.is_none() && !initial.trim_start().starts_with('{')).then_some(initial)
}

fn declared(attribute: &Attribute) -> String {
    match &attribute.array {
        Some(size) => format!("{} {}[{size}]", attribute.of, attribute.name),
        None => format!("{} {}", attribute.of, attribute.name),
    }
}

/// The capsule as a type, with the functions that it has in C++.
pub fn class(plan: &Plan<'_>, heads: &[String], out: &mut Text) {
    let name = &plan.name;
    let capsule = plan.capsule;
    let words = &capsule.name;
    if plan.model.format == Format::UmlRt {
        ports::types(plan, out);
    }
    out.open(&format!("typedef struct {name} {{"));
    if plan.model.format == Format::Qm {
        out.line("QActive super;");
    }
    if plan.model.format != Format::Scxml {
        for attribute in capsule.attributes.iter().filter(|one| !one.shared) {
            let text = match (&attribute.initial, plan.is_cpp()) {
                (Some(initial), true) => format!("{} = {initial};", declared(attribute)),
                _ => format!("{};", declared(attribute)),
            };
            out.line_at(&text, attribute.place, words);
        }
    }
    if plan.model.format == Format::UmlRt {
        ports::members(plan, out);
    }
    fields(plan, out);
    if plan.is_cpp() {
        for head in heads {
            out.line(head);
        }
        for operation in &capsule.operations {
            out.line(&format!("{};", ports::head(operation, "")));
        }
    }
    out.close(&format!("}} {name};"));
    for attribute in &capsule.attributes {
        let shared = attribute.shared || plan.model.format == Format::Scxml;
        if !shared || is_early(plan, attribute) {
            continue;
        }
        variable(plan, attribute, out);
    }
    out.blank();
    if !plan.is_cpp() {
        for head in heads {
            out.line(head);
        }
        out.blank();
    }
}

/// A document's variables have plain names, of which C's own headers may have taken some (`index`).
pub fn names(plan: &Plan<'_>, out: &mut Text) {
    if plan.model.format == Format::Scxml {
        for attribute in &plan.capsule.attributes {
            out.line(&format!("#define {0} {0}_", attribute.name));
        }
        out.blank();
    }
}

/// Is it a variable that needs no type of the model's? Functions of an SCXML document's script may use it.
fn is_early(plan: &Plan<'_>, attribute: &Attribute) -> bool {
    let size = attribute.array.as_deref().unwrap_or("0");
    plan.model.format == Format::Scxml
        && is_number(&attribute.of)
        && size.chars().all(|char| char.is_ascii_digit())
}

/// Variables that come before the model's own declarations.
pub fn early(plan: &Plan<'_>, out: &mut Text) {
    for attribute in &plan.capsule.attributes {
        if is_early(plan, attribute) {
            variable(plan, attribute, out);
        }
    }
}

fn variable(plan: &Plan<'_>, attribute: &Attribute, out: &mut Text) {
    let text = match (&attribute.initial, assigned(attribute)) {
        (Some(initial), None) => format!("static {} = {initial};", declared(attribute)),
        (Some(initial), Some(_)) if plan.model.format != Format::Scxml => {
            format!("static {} = {initial};", declared(attribute))
        }
        _ => format!("static {};", declared(attribute)),
    };
    out.line_at(&text, attribute.place, &plan.capsule.name);
}

/// What a capsule has beside its machine.
pub fn operations(plan: &Plan<'_>, out: &mut Text) {
    match plan.model.format {
        Format::Qm => qp::operations(plan, out),
        Format::UmlRt | Format::Scxml => ports::operations(plan, out),
    }
}
