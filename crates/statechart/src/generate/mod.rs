//! C (or C++) from a model: readable, and with a table that ties each line to what it came from.
//!
//! The first file has the capsules: for each state what it does with a message, for each transition
//! what happens on it. The second includes the first, and has `main`: it asks for one message after the
//! other, so that a case is a whole sequence of messages from the initial state on, and which message
//! is next is a choice as any other.

mod capsule;
mod dialect;
mod fields;
mod functions;
mod harness;
mod machine;
mod parts;
mod plan;
mod ports;
mod properties;
mod qp;
mod statements;
mod system;
mod text;
mod whole;

pub use parts::Part;
pub use plan::{Element, ElementKind};
pub use text::Origin;

use crate::model::{EventId, EventKind, Language, Machine, Model, Nesting, VertexId};
use plan::Plan;
use text::ident;
use thiserror::Error;

/// How a model is explored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The capsule that is explored alone; without one, the whole system.
    pub capsule: Option<String>,
    /// Messages of a sequence, at most.
    pub steps: u32,
    /// How often a sequence takes the same transition, at most.
    pub loops: Option<u32>,
    /// A message that no active state has a transition for is a failure.
    pub unhandled: bool,
    /// How often, at most, something comes from outside before a system has come to rest.
    pub overtake: u32,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            capsule: None,
            steps: 10,
            loops: None,
            unhandled: false,
            overtake: 1,
        }
    }
}

/// Why there is no code.
#[derive(Debug, Error)]
pub enum CannotGenerate {
    #[error("there is no capsule `{0}` in {1}: it has {2}")]
    NoCapsule(String, String, String),
    #[error("{0} has several capsules and no system of them: name one, as {0}::{1}")]
    WhichCapsule(String, String),
    #[error("`{0}` has no state machine: name another capsule")]
    NoMachine(String),
    #[error("--steps {0}: a sequence has 1 to {MOST_STEPS} messages")]
    Steps(u32),
    #[error(
        "the system has {0} parts: at most {MOST_PARTS} are explored together; name one capsule"
    )]
    Parts(usize),
    #[error("states of `{0}` are nested {1} deep: at most {MOST_NESTED} can be explored")]
    Deep(String, usize),
}

/// Each step has inputs of its own, of which a trace holds so many.
const MOST_STEPS: u32 = 200;
const MOST_PARTS: usize = 64;
/// Where a state is stands in its name, so that what is generated grows with the square.
const MOST_NESTED: usize = 250;

/// The generated program.
#[derive(Clone, Debug)]
pub struct Generated {
    /// Name of the file with the capsules, and its text.
    pub file: String,
    pub text: String,
    /// By line of that file, from the first on.
    pub origins: Vec<Option<Origin>>,
    /// The file with `main`, which includes the other.
    pub main: String,
    pub main_text: String,
    /// What `elw_reached` is called with.
    pub elements: Vec<Element>,
    /// What follows the end of a function, as the machine goes on there: functions by name.
    pub flows: Vec<(String, Vec<String>)>,
    /// Functions whose calls lead nowhere, as far as the search is concerned.
    pub hubs: Vec<String>,
    pub parts: Vec<Part>,
    /// The parts that the environment speaks to, in the order in which a case counts them.
    pub outside: Vec<usize>,
    /// By capsule of the model: the labels of its events by their numbers.
    pub labels: Vec<Vec<String>>,
    /// The same: the parameters of each, with their types.
    pub parameters: Vec<Vec<Vec<crate::model::Parameter>>>,
    /// The same: the paths of its states by their numbers.
    pub states: Vec<Vec<String>>,
    /// Parameters that are always null, as nobody knows what they should lead to.
    pub null: Vec<String>,
}

fn deepest(machine: &Machine) -> usize {
    let nesting = Nesting::new(machine);
    let all = (0..machine.vertices.len()).map(VertexId::of);
    all.map(|id| nesting.depth(id)).max().unwrap_or(0)
}

pub fn generate(model: &Model, options: &Options) -> Result<Generated, CannotGenerate> {
    if !(1..=MOST_STEPS).contains(&options.steps) {
        return Err(CannotGenerate::Steps(options.steps));
    }
    let parts = parts::parts(model, options)?;
    if parts.len() > MOST_PARTS {
        return Err(CannotGenerate::Parts(parts.len()));
    }
    let mut plans: Vec<Plan<'_>> = Vec::new();
    let mut elements = Vec::new();
    for part in &parts {
        if plans.iter().any(|plan| plan.index == part.capsule) {
            continue;
        }
        let name = &model.capsules[part.capsule].name;
        let depth = model.capsules[part.capsule].machine.as_ref().map(deepest);
        if let Some(depth) = depth.filter(|depth| *depth > MOST_NESTED) {
            return Err(CannotGenerate::Deep(name.clone(), depth));
        }
        let plan = Plan::new(model, part.capsule, elements.len())
            .ok_or_else(|| CannotGenerate::NoMachine(name.clone()))?;
        elements.extend(plan.elements());
        plans.push(plan);
    }
    let name = match &options.capsule {
        Some(capsule) => ident(capsule),
        None => ident(&model.name),
    };
    let ending = match model.language {
        Language::C => "c",
        Language::Cpp => "cpp",
    };
    let written = whole::write(model, &plans, &parts);
    let (text, origins) = written.text.finish();
    let file = format!("{name}.{ending}");
    let main_text = harness::write(model, &plans, &parts, &file, &elements, options);
    Ok(Generated {
        main: format!("{name}_main.{ending}"),
        file,
        text,
        origins,
        main_text,
        elements,
        flows: written.flows,
        hubs: written.hubs,
        labels: by_number(model, &plans, |plan, event| plan.capsule.event_label(event)),
        parameters: by_number(model, &plans, |plan, event| {
            plan.capsule.event(event).parameters.clone()
        }),
        states: model
            .capsules
            .iter()
            .map(|capsule| {
                let vertices = capsule.machine.iter().flat_map(|machine| {
                    let ids = (0..machine.vertices.len()).map(crate::model::VertexId::of);
                    ids.map(|id| machine.path(id))
                });
                vertices.collect()
            })
            .collect(),
        null: null(&plans),
        outside: harness::outside(model, &plans, &parts),
        parts,
    })
}

/// By capsule, and by number of the event; 0 is none.
fn by_number<T: Default + Clone>(
    model: &Model,
    plans: &[Plan<'_>],
    of: impl Fn(&Plan<'_>, EventId) -> T,
) -> Vec<Vec<T>> {
    let mut all = vec![Vec::new(); model.capsules.len()];
    for plan in plans {
        let list = &mut all[plan.index];
        list.resize(plan.capsule.events.len() + 1, T::default());
        for event in plan.event_ids() {
            list[plan.numbers[event.index()] as usize] = of(plan, event);
        }
    }
    all
}

fn null(plans: &[Plan<'_>]) -> Vec<String> {
    let mut null = Vec::new();
    for plan in plans {
        for event in plan.event_ids() {
            let about = plan.capsule.event(event);
            for parameter in &about.parameters {
                let pointer = parameter.of.contains('*') && !parameter.of.contains("char");
                if pointer && about.kind == EventKind::Message {
                    let label = plan.capsule.event_label(event);
                    null.push(format!("{label}: {}", parameter.name));
                }
            }
        }
    }
    null
}
