//! From a behaviour to the statements of its test.

use super::build::Builder;
use super::context::Context;
use super::observe::Observer;
use super::spell::{Spelled, declare};
use super::test::{Statement, Test};
use super::title::sentence;
use elsewise_graph::{Behaviour, Ending, Value};

/// A longer call stands on a line of its own, not inside a check.
const SHORT: usize = 56;
/// So many sides are named above a test.
const SIDES: usize = 4;

pub fn test(context: &Context, behaviour: &Behaviour, slug: String) -> Spelled<Test> {
    let mut builder = Builder::new(context, behaviour);
    builder.memory()?;
    let mut body = Vec::new();
    let last = behaviour.calls.len().saturating_sub(1);
    let mut exits = None;
    for (number, call) in behaviour.calls.iter().enumerate() {
        let mut arguments = Vec::new();
        for field in &call.arguments {
            arguments.push(match &field.value {
                Value::Struct(_) | Value::Union(_) => {
                    builder.value(&field.name, &field.value, &field.ty)?
                }
                value => builder.scalar(value, &field.ty)?,
            });
        }
        body.extend(builder.lines.drain(..).map(Statement::Code));
        if number == 0 && !body.is_empty() {
            body.push(Statement::Gap);
        }
        let text = format!("{}({})", call.function, arguments.join(", "));
        match behaviour.ending {
            Ending::Exited(code) if number == last => {
                exits = Some(code);
                body.push(Statement::Exit { call: text, code });
                continue;
            }
            _ => {}
        }
        let fails = matches!(behaviour.ending, Ending::Failed(_));
        let wanted = wanted_later(behaviour, number);
        let Some(result) = call.result.as_ref().filter(|_| wanted.is_some() || !fails) else {
            body.push(Statement::Code(text));
            continue;
        };
        let mut inline = matches!(
            result.value,
            Value::Integer(_) | Value::Named(_) | Value::Double(_) | Value::Single(_) | Value::Null
        );
        inline &= wanted.is_none() && text.len() <= SHORT && !fails;
        if inline {
            let mut observer = Observer::new(&mut builder);
            observer.result(&text, result)?;
            body.append(&mut observer.checks);
            continue;
        }
        let name = builder.names.pick(wanted.unwrap_or("result"));
        body.push(Statement::Code(format!(
            "{} = {text}",
            declare(&result.ty, &name, context.cpp)?
        )));
        builder.results[number] = Some(name.clone());
        if !fails {
            let mut observer = Observer::new(&mut builder);
            observer.result(&name, result)?;
            let checks = std::mem::take(&mut observer.checks);
            if behaviour.calls.len() == 1 {
                body.push(Statement::Gap);
            }
            body.extend(checks);
        }
    }
    let mut observer = Observer::new(&mut builder);
    observer.changes()?;
    let changes = std::mem::take(&mut observer.checks);
    let called = matches!(body.last(), Some(Statement::Code(_)));
    if called && !changes.is_empty() {
        body.push(Statement::Gap);
    }
    body.extend(changes);
    label(&mut body);
    let owned = builder.owned();
    if !owned.is_empty() && exits.is_none() {
        body.push(Statement::Gap);
        body.extend(
            owned
                .iter()
                .map(|name| Statement::Code(format!("free({name})"))),
        );
    }
    Ok(Test {
        slug,
        comment: comment(behaviour, &builder),
        body,
        exits,
    })
}

/// The name of the parameter that a later call passes the result of call `number` to.
fn wanted_later(behaviour: &Behaviour, number: usize) -> Option<&str> {
    let later = &behaviour.calls[number + 1..];
    let argument = later
        .iter()
        .flat_map(|call| &call.arguments)
        .find(|field| field.value == Value::Result(number));
    let compared = later
        .iter()
        .filter_map(|call| call.result.as_ref())
        .any(|field| field.value == Value::Result(number));
    argument
        .map(|field| field.name.as_str())
        .or_else(|| compared.then_some("result"))
}

/// Says before the first check that what follows was observed.
fn label(body: &mut Vec<Statement>) {
    let first = body.iter().position(|s| matches!(s, Statement::Check(_)));
    let Some(mut at) = first else { return };
    // A constant that a check compares with was observed too.
    while at > 0
        && matches!(&body[at - 1], Statement::Code(code) if code.starts_with("static const"))
    {
        at -= 1;
    }
    body.insert(at, Statement::Comment("observed".to_owned()));
}

fn comment(behaviour: &Behaviour, builder: &Builder) -> Vec<String> {
    let mut lines = Vec::new();
    let what = sentence(behaviour);
    lines.push(if what.is_empty() {
        format!("Case {}.", behaviour.case)
    } else {
        format!("Case {}: {what}.", behaviour.case)
    });
    if let Ending::Failed(failure) = &behaviour.ending {
        lines.push(format!("When this test was written: {failure}."));
    }
    let freed: Vec<&str> = behaviour
        .after
        .iter()
        .flat_map(|after| after.objects.iter().enumerate())
        .filter(|(_, object)| object.freed)
        .filter_map(|(at, _)| builder.variable(at))
        .collect();
    if !freed.is_empty() {
        lines.push(format!("The call frees {}.", listed(&freed)));
    }
    if !behaviour.reached.is_empty() {
        let mut sides: Vec<&str> = Vec::new();
        for side in &behaviour.reached {
            // Operands of `&&` on one line are called alike.
            if !sides.contains(&side.as_str()) {
                sides.push(side);
            }
        }
        let more = match sides.len().checked_sub(SIDES) {
            Some(more @ 1..) => {
                sides.truncate(SIDES);
                format!("{more} more")
            }
            _ => String::new(),
        };
        if !more.is_empty() {
            sides.push(&more);
        }
        lines.push(format!("Reaches {}.", listed(&sides)));
    }
    lines
}

fn listed(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [all @ .., last] => format!("{} and {last}", all.join(", ")),
    }
}
