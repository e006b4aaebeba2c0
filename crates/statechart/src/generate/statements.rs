//! What is done at an entry, an exit or a transition.

use super::functions::Functions;
use super::text::{comment, ident, quoted};
use crate::model::{Argument, Code, SourcePosition, Statement};

/// What is still to be written, innermost last: nested statements stand in the model at any depth.
enum Work<'a> {
    Statements(std::slice::Iter<'a, Statement>),
    Branches(std::slice::Iter<'a, (Option<Code>, Vec<Statement>)>),
}

/// Writes statements; `element` is what they belong to.
pub fn write(functions: &mut Functions<'_>, statements: &[Statement], element: &str) {
    let mut work = vec![Work::Statements(statements.iter())];
    while let Some(top) = work.last_mut() {
        match top {
            Work::Branches(branches) => match branches.next() {
                None => {
                    work.pop();
                }
                Some((condition, inner)) => {
                    match condition {
                        Some(code) => {
                            let text = format!("if ({}) {{", code.text.trim());
                            functions.text.line_at(&text, code.place, element);
                        }
                        None => functions.text.line("{"),
                    }
                    functions.text.deeper();
                    work.push(Work::Statements(inner.iter()));
                }
            },
            Work::Statements(rest) => match rest.next() {
                None => {
                    work.pop();
                    // The end of a branch: the next one comes behind an `else`.
                    if let Some(Work::Branches(branches)) = work.last() {
                        functions.text.back();
                        match branches.len() {
                            0 => functions.text.line("}"),
                            _ => functions.text.line("} else"),
                        }
                    }
                }
                Some(Statement::If { branches }) => {
                    work.push(Work::Branches(branches.iter()));
                }
                Some(statement) => one(functions, statement, element),
            },
        }
    }
}

fn one(functions: &mut Functions<'_>, statement: &Statement, element: &str) {
    match statement {
        Statement::Code(code) => functions.text.code(code, element),
        Statement::Raise { event, place } => {
            let signal = functions.plan.signal(*event);
            let raise = functions.call("raise", &signal);
            functions
                .text
                .line_at(&format!("{raise};"), *place, element);
        }
        Statement::Send {
            event,
            name,
            arguments,
            delay,
            id,
            place,
        } => match event {
            None => send_out(functions, name, arguments, *place, element),
            Some(event) => {
                functions.text.line_at("{", *place, element);
                functions.text.deeper();
                let plan = functions.plan;
                let message = format!("{}_Message sent = {{0}};", plan.name);
                functions.text.line(&message);
                let signal = plan.signal(*event);
                functions.text.line(&format!("sent.signal = {signal};"));
                functions.text.line("sent.asked = 1;");
                for argument in arguments {
                    let known = plan.capsule.event(*event).parameters.iter();
                    if known.clone().any(|one| one.name == argument.name) {
                        let field = &plan.events[event.index()];
                        let text = format!(
                            "sent.with.{field}.{} = {};",
                            argument.name,
                            argument.value.text.trim()
                        );
                        functions.text.line_at(&text, argument.value.place, element);
                    }
                }
                let text = match delay {
                    None => functions.call("post", "&sent"),
                    Some(delay) => {
                        let id = id.as_deref().map_or("0".into(), quoted);
                        let arguments = format!("&sent, {}, {id}", delay.text.trim());
                        functions.call("arm", &arguments)
                    }
                };
                functions.text.line_at(&format!("{text};"), *place, element);
                functions.text.close("}");
            }
        },
        Statement::Cancel { id, place } => {
            let cancel = functions.call("disarm", &quoted(id));
            functions
                .text
                .line_at(&format!("{cancel};"), *place, element);
        }
        Statement::Log {
            label,
            value,
            place,
        } => {
            // Nobody reads it; what it computes is computed all the same.
            functions.text.line(&comment(&format!("log: {label}")));
            if let Some(value) = value {
                let text = format!("(void)({});", value.text.trim());
                functions.text.line_at(&text, *place, element);
            }
        }
        // Handled where it is met.
        Statement::If { .. } => {}
    }
}

/// A message to whoever is outside.
fn send_out(
    functions: &mut Functions<'_>,
    name: &str,
    arguments: &[Argument],
    place: SourcePosition,
    element: &str,
) {
    let plan = functions.plan;
    let mut sends = plan.capsule.sends.iter();
    let Some(index) = sends.position(|sent| sent.port.is_none() && sent.name == name) else {
        let text = format!("elw_note({}, {}, 0);", "0", quoted(name));
        functions.text.line_at(&text, place, element);
        return;
    };
    let sent = &plan.capsule.sends[index];
    functions.text.line_at("{", place, element);
    functions.text.deeper();
    let of = format!("struct {}_out_{index} out", plan.name);
    functions.text.line(&format!("{of} = {{0}};"));
    for argument in arguments {
        if sent.parameters.iter().any(|one| one.name == argument.name) {
            let text = format!(
                "out.{} = {};",
                ident(&argument.name),
                argument.value.text.trim()
            );
            functions.text.line_at(&text, argument.value.place, element);
        }
    }
    let call = functions.call(&format!("send_{index}"), "&out");
    functions.text.line_at(&format!("{call};"), place, element);
    functions.text.close("}");
}
