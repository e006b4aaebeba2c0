//! The parts that a subject consists of, and how they are connected.

use super::plan::{Plan, unique};
use super::text::ident;
use super::{CannotGenerate, Options};
use crate::model::{End, EventId, EventKind, Format, Model, PortId};

/// An object of a capsule that is explored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// An index of the model's capsules.
    pub capsule: usize,
    /// As people call it.
    pub name: String,
    /// As C calls it.
    pub variable: String,
}

/// The parts that a subject consists of.
pub fn parts(model: &Model, options: &Options) -> Result<Vec<Part>, CannotGenerate> {
    let file = || model.file.clone();
    let machines: Vec<usize> = (0..model.capsules.len())
        .filter(|at| model.capsules[*at].machine.is_some())
        .collect();
    let names = || {
        let names: Vec<&str> = machines
            .iter()
            .map(|at| model.capsules[*at].name.as_str())
            .collect();
        names.join(", ")
    };
    let alone = |at: usize| {
        let name = &model.capsules[at].name;
        let variable = match model.format {
            Format::Qm => format!("{}_inst", ident(name)),
            _ => format!("elw_the_{}", ident(name)),
        };
        vec![Part {
            capsule: at,
            name: name.clone(),
            variable,
        }]
    };
    if let Some(wanted) = &options.capsule {
        let found = machines
            .iter()
            .find(|at| model.capsules[**at].name == *wanted);
        return match found {
            Some(at) => Ok(alone(*at)),
            None if model.capsule(wanted).is_some() => {
                Err(CannotGenerate::NoMachine(wanted.clone()))
            }
            None => Err(CannotGenerate::NoCapsule(wanted.clone(), file(), names())),
        };
    }
    if let Some(system) = &model.system {
        let with_machine = |at: &usize| model.capsules[*at].machine.is_some();
        let kept: Vec<_> = system
            .parts
            .iter()
            .filter(|part| with_machine(&part.capsule) && !part.optional)
            .collect();
        let variables = unique(kept.iter().map(|part| format!("elw_the_{}", part.name)));
        let parts = kept.iter().zip(variables);
        return Ok(parts
            .map(|(part, variable)| Part {
                capsule: part.capsule,
                name: part.name.clone(),
                variable,
            })
            .collect());
    }
    match machines.as_slice() {
        [one] => Ok(alone(*one)),
        [first, ..] => Err(CannotGenerate::WhichCapsule(
            file(),
            model.capsules[*first].name.clone(),
        )),
        [] => Err(CannotGenerate::NoMachine(model.name.clone())),
    }
}

/// A call of a function of a part.
pub fn on_part(plan: &Plan<'_>, part: &Part, function: &str, arguments: &str) -> String {
    let (name, variable) = (&plan.name, &part.variable);
    match (plan.is_cpp(), arguments.is_empty()) {
        (true, _) => format!("{variable}.elw_{function}({arguments})"),
        (false, true) => format!("{name}_{function}(&{variable})"),
        (false, false) => format!("{name}_{function}(&{variable}, {arguments})"),
    }
}

pub fn plan_of<'a, 'b>(plans: &'b [Plan<'a>], part: &Part) -> &'b Plan<'a> {
    let found = plans.iter().find(|plan| plan.index == part.capsule);
    // Plans are made from the parts: there is one for each.
    found.unwrap_or(&plans[0])
}

/// Is it this part of the system?
pub fn is_part(model: &Model, part: &Part, index: usize) -> bool {
    let system = model.system.as_ref();
    let found = system.and_then(|system| system.parts.get(index));
    found.is_some_and(|one| one.name == part.name)
}

/// The other ends of the connectors at a port of a part.
pub fn others(model: &Model, part: &Part, port: PortId) -> Vec<End> {
    let Some(system) = &model.system else {
        return Vec::new();
    };
    let mut ends = Vec::new();
    for connector in &system.connectors {
        let [one, other] = connector.ends;
        for (here, there) in [(one, other), (other, one)] {
            if here.port == port && is_part(model, part, here.part) {
                ends.push(there);
            }
        }
    }
    ends
}

/// Can the environment send it?
pub fn is_offered(model: &Model, plan: &Plan<'_>, part: &Part, event: EventId) -> bool {
    let about = plan.capsule.event(event);
    let connected = about
        .port
        .is_some_and(|port| !others(model, part, port).is_empty());
    about.kind == EventKind::Message && !connected
}
