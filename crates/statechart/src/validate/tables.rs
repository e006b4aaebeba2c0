//! Whether the tables of a model fit together: readers see to that, other makers of models may not.

use crate::model::{
    Capsule, EventKind, Machine, Model, Nesting, SourcePosition, Statement, TransitionKind,
    VertexId,
};
use crate::problem::Problem;

pub fn check(model: &Model) -> Vec<Problem> {
    let mut problems = Vec::new();
    for capsule in &model.capsules {
        ports(model, capsule, &mut problems);
        if let Some(machine) = &capsule.machine {
            machine_tables(capsule, machine, &mut problems);
        }
    }
    let Some(system) = &model.system else {
        return problems;
    };
    for part in &system.parts {
        if part.capsule >= model.capsules.len() {
            problems.push(dangling(part.place, "part", &part.name, "a capsule"));
        }
    }
    for connector in &system.connectors {
        for end in connector.ends {
            let part = system.parts.get(end.part);
            let capsule = part.and_then(|part| model.capsules.get(part.capsule));
            if capsule.is_none_or(|capsule| end.port.index() >= capsule.ports.len()) {
                problems.push(dangling(connector.place, "a connector", "", "a port"));
            }
        }
    }
    problems
}

fn dangling(place: SourcePosition, what: &str, name: &str, to: &str) -> Problem {
    Problem::error(
        place,
        "dangling reference",
        format!("{what} {name} refers to {to} that is not there").replace("  ", " "),
    )
}

fn ports(model: &Model, capsule: &Capsule, problems: &mut Vec<Problem>) {
    for port in &capsule.ports {
        if port.protocol.is_some_and(|it| it >= model.protocols.len()) {
            problems.push(dangling(port.place, "port", &port.name, "a protocol"));
        }
    }
    for event in &capsule.events {
        let missing = event
            .port
            .is_some_and(|it| it.index() >= capsule.ports.len());
        let states = capsule.machine.as_ref().map_or(0, |it| it.vertices.len());
        let nowhere = match event.kind {
            EventKind::Completion(state) => state.index() >= states,
            _ => false,
        };
        if missing || nowhere {
            problems.push(dangling(event.place, "event", &event.name, "something"));
        }
    }
    for timer in &capsule.timers {
        if timer
            .event
            .is_some_and(|it| it.index() >= capsule.events.len())
        {
            problems.push(dangling(timer.place, "timer", &timer.name, "an event"));
        }
    }
}

fn machine_tables(capsule: &Capsule, machine: &Machine, problems: &mut Vec<Problem>) {
    let vertices = machine.vertices.len();
    let transitions = machine.transitions.len();
    let events = capsule.events.len();
    if machine.vertices.is_empty() {
        problems.push(dangling(capsule.place, "machine", &machine.name, "itself"));
        return;
    }
    let before = problems.len();
    for (number, vertex) in machine.vertices.iter().enumerate() {
        let wrong_parent = match (vertex.parent, number) {
            (None, 0) => false,
            (Some(parent), 1..) => parent.index() >= vertices,
            _ => true,
        };
        let wrong = wrong_parent
            || vertex.children.iter().any(|it| {
                let child = machine.vertices.get(it.index());
                child.is_none_or(|child| child.parent != Some(VertexId::of(number)))
            })
            || vertex.initial.iter().chain(&vertex.outgoing).any(|it| {
                let way = machine.transitions.get(it.index());
                way.is_none_or(|way| way.source != VertexId::of(number))
            })
            || vertex.deferred.iter().any(|it| it.index() >= events)
            || !statements(&vertex.entry, events)
            || !statements(&vertex.exit, events)
            || !statements(&vertex.activity, events);
        if wrong {
            problems.push(dangling(vertex.place, "state", &vertex.name, "something"));
        }
    }
    for transition in &machine.transitions {
        let ends = [Some(transition.source), transition.target];
        let wrong = ends.iter().flatten().any(|it| it.index() >= vertices)
            || transition.triggers.iter().any(|it| it.index() >= events)
            || !statements(&transition.action, events);
        if wrong {
            let name = &transition.name;
            problems.push(dangling(transition.place, "transition", name, "something"));
        }
    }
    // Every transition is one that leaves its source, in the list that its kind belongs to.
    let mut listed = vec![0_u32; transitions];
    for vertex in &machine.vertices {
        for (id, initial) in vertex
            .initial
            .iter()
            .map(|id| (id, true))
            .chain(vertex.outgoing.iter().map(|id| (id, false)))
        {
            if let Some(way) = machine.transitions.get(id.index())
                && (way.kind == TransitionKind::Initial) == initial
            {
                listed[id.index()] += 1;
            }
        }
    }
    for (transition, listed) in machine.transitions.iter().zip(listed) {
        if listed == 0 && transition.kind == TransitionKind::Initial {
            problems.push(Problem::error(
                transition.place,
                "several initial",
                format!(
                    "state {} has several initial transitions",
                    machine
                        .vertices
                        .get(transition.source.index())
                        .map_or("?", |it| it.name.as_str())
                ),
            ));
        } else if listed != 1 {
            let name = &transition.name;
            problems.push(dangling(transition.place, "transition", name, "a state"));
        }
    }
    if problems.len() > before {
        return;
    }
    let nesting = Nesting::new(machine);
    for (number, vertex) in machine.vertices.iter().enumerate() {
        if !nesting.contains(VertexId::of(number)) {
            problems.push(Problem::error(
                vertex.place,
                "cyclic containment",
                format!("state {} stands inside of itself", vertex.name),
            ));
        }
    }
}

/// Whether all events that statements name are there.
fn statements(statements: &[Statement], events: usize) -> bool {
    let mut left: Vec<&Statement> = statements.iter().collect();
    while let Some(statement) = left.pop() {
        let event = match statement {
            Statement::Raise { event, .. } => Some(event),
            Statement::Send { event, .. } => event.as_ref(),
            Statement::If { branches } => {
                left.extend(branches.iter().flat_map(|(_, inner)| inner));
                None
            }
            _ => None,
        };
        if event.is_some_and(|event| event.index() >= events) {
            return false;
        }
    }
    true
}
