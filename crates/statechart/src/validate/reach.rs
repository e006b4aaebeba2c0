//! What a machine can come to by its graph alone, whatever guards say.

use crate::model::{Capsule, Machine, Model, Service, TransitionKind, VertexId, VertexKind};
use crate::problem::Problem;

/// Of states that cannot be reached, no more are named.
const MOST_NAMED: usize = 50;

/// Ways from pseudostate to pseudostate that come back to where they began. Through choices that may
/// still end, by what actions on the way do; through others it never does.
pub fn cycles(machine: &Machine, problems: &mut Vec<Problem>) {
    let passing = |id: VertexId| !machine.vertex(id).is_state();
    let mut ways_in = vec![0_usize; machine.vertices.len()];
    let onward = |id: VertexId| {
        let outgoing = machine.vertex(id).outgoing.iter();
        outgoing
            .filter_map(|way| machine.transition(*way).target)
            .filter(|target| passing(*target))
    };
    let points = || {
        let all = (0..machine.vertices.len()).map(VertexId::of);
        all.filter(|id| passing(*id))
    };
    for id in points() {
        for target in onward(id) {
            ways_in[target.index()] += 1;
        }
    }
    let mut left: Vec<VertexId> = points().filter(|id| ways_in[id.index()] == 0).collect();
    while let Some(id) = left.pop() {
        for target in onward(id) {
            ways_in[target.index()] -= 1;
            if ways_in[target.index()] == 0 {
                left.push(target);
            }
        }
    }
    // What is left is on a cycle, or behind one; the first of them is enough to say it.
    let Some(id) = points().find(|id| ways_in[id.index()] > 0) else {
        return;
    };
    let vertex = machine.vertex(id);
    let through_choice =
        points().any(|id| ways_in[id.index()] > 0 && machine.vertex(id).kind == VertexKind::Choice);
    let message = format!(
        "from {} ways lead from choice to choice and back, without any state on them",
        vertex.name
    );
    problems.push(match through_choice {
        true => Problem::warning(vertex.place, "cycle of choices", message),
        false => Problem::error(vertex.place, "cycle without a state", message),
    });
}

/// States that no way leads to.
pub fn unreached(model: &Model, capsule: &Capsule, machine: &Machine, problems: &mut Vec<Problem>) {
    // Once for being active, once for having been the target of something.
    let count = machine.vertices.len();
    let mut active = vec![false; count];
    let mut arrived = vec![false; count];
    let mut left = vec![VertexId::TOP];
    while let Some(id) = left.pop() {
        if std::mem::replace(&mut arrived[id.index()], true) {
            continue;
        }
        let mut next: Vec<VertexId> = Vec::new();
        let initial = machine.vertex(id).initial;
        next.extend(initial.and_then(|initial| machine.transition(initial).target));
        for state in machine.upwards(id) {
            if std::mem::replace(&mut active[state.index()], true) {
                break;
            }
            let outgoing = machine.vertex(state).outgoing.iter();
            next.extend(outgoing.filter_map(|way| machine.transition(*way).target));
            // A border may lead to what was active before, or to where one begins.
            if !machine.vertex(state).is_state() {
                next.extend(machine.vertex(state).parent);
            }
        }
        left.extend(next);
    }
    let missing: Vec<VertexId> = (0..count)
        .map(VertexId::of)
        .filter(|id| !active[id.index()] && machine.vertex(*id).is_state())
        // What is inside of something unreachable need not be named.
        .filter(|id| {
            machine
                .vertex(*id)
                .parent
                .is_none_or(|it| active[it.index()])
        })
        .collect();
    for id in missing.iter().take(MOST_NAMED) {
        let vertex = machine.vertex(*id);
        problems.push(Problem::warning(
            vertex.place,
            "unreachable state",
            format!("no transition leads to state {}", vertex.name),
        ));
    }
    silent_timers(model, capsule, machine, problems);
}

/// Timing ports that nobody waits at: a timeout would be lost.
fn silent_timers(model: &Model, capsule: &Capsule, machine: &Machine, problems: &mut Vec<Problem>) {
    if model.protocols.is_empty() {
        return;
    }
    let mut waited = vec![false; capsule.ports.len()];
    for transition in &machine.transitions {
        if transition.kind == TransitionKind::Initial {
            continue;
        }
        for event in &transition.triggers {
            if let Some(port) = capsule.event(*event).port {
                waited[port.index()] = true;
            }
        }
    }
    for (port, waited) in capsule.ports.iter().zip(waited) {
        if port.service == Some(Service::Timing) && !waited {
            problems.push(Problem::warning(
                port.place,
                "silent timer",
                format!("no transition waits for the timeouts of port {}", port.name),
            ));
        }
    }
}
