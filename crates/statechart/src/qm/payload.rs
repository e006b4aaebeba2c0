//! Which struct carries a signal of QM. The file does not say it, but action code casts to it.

use super::parameter;
use crate::model::{
    Capsule, EventId, EventKind, Guard, Machine, Statement, Transition, TransitionId, VertexKind,
};
use crate::xml::{Xml, children};
use roxmltree::Node;
use std::collections::{BTreeMap, HashMap};

/// Gives events their parameters, by the casts in the code of the transitions that they trigger, and
/// timers their events, by the signals of timers that are known.
pub fn find(
    capsule: &mut Capsule,
    classes: &BTreeMap<&str, Node>,
    signals: &HashMap<String, String>,
) {
    let Some(machine) = &capsule.machine else {
        return;
    };
    let mut found: BTreeMap<EventId, &str> = BTreeMap::new();
    for (index, transition) in machine.transitions.iter().enumerate() {
        if transition.triggers.is_empty() {
            continue;
        }
        for id in behind(machine, TransitionId::of(index)) {
            for text in texts(machine.transition(id)) {
                for name in casts(text).filter_map(|name| classes.get_key_value(name)) {
                    for event in &transition.triggers {
                        found.entry(*event).or_insert(name.0);
                    }
                }
            }
        }
    }
    for (event, name) in found {
        let event = &mut capsule.events[event.index()];
        event.payload = Some(name.to_owned());
        event.parameters = children(classes[name], "attribute")
            .map(parameter)
            .collect();
    }
    let by_name: HashMap<&str, EventId> = capsule
        .events
        .iter()
        .enumerate()
        .map(|(number, event)| (event.name.as_str(), EventId::of(number)))
        .collect();
    let timeouts: Vec<Option<EventId>> = capsule
        .timers
        .iter()
        .map(|timer| by_name.get(signals.get(&timer.name)?.as_str()).copied())
        .collect();
    for (timer, event) in capsule.timers.iter_mut().zip(timeouts) {
        timer.event = event;
        if let Some(event) = event {
            capsule.events[event.index()].kind = EventKind::Timeout;
        }
    }
}

/// Which signal every timer gives, by `QTimeEvt_ctorX(&me->timer, owner, SIGNAL_SIG, …)` anywhere in a
/// file. Objects of different classes rarely have timers of the same name for different signals.
pub fn timers(xml: &Xml) -> HashMap<String, String> {
    let texts = xml.document.descendants().filter(|node| node.is_text());
    let mut signals = HashMap::new();
    for text in texts.filter_map(|node| node.text()) {
        for call in text.split("QTimeEvt_ctor").skip(1) {
            let arguments = call.split_once('(').map_or("", |(_, rest)| rest);
            let mut arguments = arguments.splitn(4, ',').map(str::trim);
            let timer = arguments.next().and_then(|it| it.rsplit("->").next());
            let signal = arguments.find_map(|it| it.split_once("_SIG"));
            if let (Some(timer), Some((signal, _))) = (timer, signal) {
                signals
                    .entry(timer.to_owned())
                    .or_insert_with(|| signal.to_owned());
            }
        }
    }
    signals
}

/// A transition and those that go on from the choices that it leads to.
fn behind(machine: &Machine, first: TransitionId) -> Vec<TransitionId> {
    let mut all = vec![first];
    let mut next = 0;
    while next < all.len() {
        let target = machine.transition(all[next]).target;
        next += 1;
        if let Some(target) = target.map(|target| machine.vertex(target))
            && target.kind == VertexKind::Choice
        {
            for id in &target.outgoing {
                // A choice of QM has one way in, so that nothing comes twice.
                all.push(*id);
            }
        }
    }
    all
}

fn texts(transition: &Transition) -> impl Iterator<Item = &str> {
    let guard = match &transition.guard {
        Some(Guard::When(code)) => Some(code.text.as_str()),
        _ => None,
    };
    let actions = transition
        .action
        .iter()
        .filter_map(|statement| match statement {
            Statement::Code(code) => Some(code.text.as_str()),
            _ => None,
        });
    guard.into_iter().chain(actions)
}

/// The types to which a text casts its event: `Q_EVT_CAST(T)`, `(T const *)e`, `(T *)e`.
fn casts(text: &str) -> impl Iterator<Item = &str> {
    let by_macro = text
        .split("Q_EVT_CAST(")
        .skip(1)
        .filter_map(|rest| rest.split(')').next());
    let by_hand = text.match_indices("*)e").filter_map(|(at, _)| {
        let before = text[..at].rsplit('(').next()?;
        before.split_whitespace().find(|word| *word != "const")
    });
    by_macro.chain(by_hand).map(str::trim)
}
