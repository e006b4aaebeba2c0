//! Which behaviours are worth a test: few, with all of the coverage and all kinds of effects.

use super::effects::effects;
use elsewise_graph::{Behaviour, Ending};
use std::collections::BTreeSet;

/// The behaviours that do not fail, as few as keep every side that any of them reached and every
/// kind of effect that any of them had, in their order. All of them when nothing is known of sides.
pub fn covering(behaviours: &[Behaviour]) -> Vec<&Behaviour> {
    let passing: Vec<&Behaviour> = behaviours
        .iter()
        .filter(|b| !matches!(b.ending, Ending::Failed(_)))
        .collect();
    if passing.iter().all(|b| b.reached.is_empty()) {
        return passing;
    }
    let goals: Vec<BTreeSet<String>> = passing
        .iter()
        .map(|b| b.reached.iter().cloned().chain(effects(b)).collect())
        .collect();
    let mut open: BTreeSet<&String> = goals.iter().flatten().collect();
    let mut chosen: Vec<usize> = Vec::new();
    while !open.is_empty() {
        let best = (0..passing.len()).max_by_key(|&at| {
            let gain = goals[at].iter().filter(|goal| open.contains(goal)).count();
            // Of two that bring as much, the smaller one, then the earlier one.
            (gain, std::cmp::Reverse((size(passing[at]), at)))
        });
        let Some(best) = best else { break };
        for goal in &goals[best] {
            open.remove(goal);
        }
        chosen.push(best);
    }
    // What was chosen early may be covered by what came later.
    let mut at = 0;
    while at < chosen.len() {
        let others: BTreeSet<&String> = chosen
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != at)
            .flat_map(|(_, &index)| &goals[index])
            .collect();
        if goals[chosen[at]].iter().all(|goal| others.contains(goal)) {
            chosen.remove(at);
        } else {
            at += 1;
        }
    }
    chosen.sort_unstable();
    chosen.into_iter().map(|at| passing[at]).collect()
}

/// The same, each with those sides only that none before it has reached.
pub fn as_first(chosen: &[&Behaviour]) -> Vec<Behaviour> {
    let mut seen: BTreeSet<&String> = BTreeSet::new();
    let mut all = Vec::new();
    for behaviour in chosen {
        let sides = behaviour.reached.iter();
        let reached = sides.filter(|side| seen.insert(side)).cloned().collect();
        all.push(Behaviour {
            reached,
            ..(*behaviour).clone()
        });
    }
    all
}

/// The behaviours that fail, the smallest of each way to fail.
pub fn failing(behaviours: &[Behaviour]) -> Vec<&Behaviour> {
    let mut chosen: Vec<(&str, &Behaviour)> = Vec::new();
    for behaviour in behaviours {
        let Ending::Failed(what) = &behaviour.ending else {
            continue;
        };
        match chosen.iter_mut().find(|(other, _)| other == what) {
            Some((_, best)) if size(behaviour) < size(best) => *best = behaviour,
            Some(_) => {}
            None => chosen.push((what, behaviour)),
        }
    }
    chosen.into_iter().map(|(_, behaviour)| behaviour).collect()
}

/// How much there is to read in a test.
fn size(behaviour: &Behaviour) -> (usize, usize) {
    (behaviour.calls.len(), behaviour.before.objects.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use elsewise_graph::{Call, Field, Graph, Value};

    fn behaviour(case: u64, reached: &[&str], ending: Ending) -> Behaviour {
        Behaviour {
            case,
            before: Graph::default(),
            calls: Vec::new(),
            stubs: Vec::new(),
            after: None,
            ending,
            reached: reached.iter().map(|s| (*s).to_owned()).collect(),
        }
    }

    fn cases(chosen: &[&Behaviour]) -> Vec<u64> {
        chosen.iter().map(|b| b.case).collect()
    }

    #[test]
    fn few_cases_keep_all_sides() {
        let all = [
            behaviour(1, &["a"], Ending::Returned),
            behaviour(2, &["a", "b"], Ending::Returned),
            behaviour(3, &["c", "b"], Ending::Exited(1)),
            behaviour(4, &["a", "c"], Ending::Returned),
            behaviour(5, &[], Ending::Returned),
            behaviour(6, &["z"], Ending::Failed("crash".to_owned())),
        ];
        // Case 3 brings most: two sides and an exit; the first of the others has the third side.
        assert_eq!(cases(&covering(&all)), [1, 3]);
    }

    #[test]
    fn every_kind_of_result_is_kept_too() {
        let returning = |case, reached: &[&str], result| {
            let mut behaviour = behaviour(case, reached, Ending::Returned);
            behaviour.calls.push(Call {
                function: "f".to_owned(),
                arguments: Vec::new(),
                result: Some(Field {
                    name: String::new(),
                    ty: "int".to_owned(),
                    value: Value::Integer(result),
                }),
                returns: Some("int".to_owned()),
            });
            behaviour
        };
        let all = [
            returning(1, &["a"], 1),
            returning(2, &["a"], 5),
            returning(3, &["a"], -1),
            returning(4, &["b"], 1),
        ];
        // Case 3 alone has a negative result; what case 1 shows, cases 3 and 4 show between them.
        assert_eq!(cases(&covering(&all)), [3, 4]);
    }

    #[test]
    fn what_later_choices_cover_is_dropped_again() {
        // The first choice is the largest set, and the two others then cover all of it.
        let all = [
            behaviour(1, &["b", "c", "d", "e"], Ending::Returned),
            behaviour(2, &["a", "b", "c"], Ending::Returned),
            behaviour(3, &["d", "e", "f"], Ending::Returned),
        ];
        assert_eq!(cases(&covering(&all)), [2, 3]);
    }

    #[test]
    fn every_way_to_fail_is_kept_once() {
        let fail = |what: &str| Ending::Failed(what.to_owned());
        let all = [
            behaviour(1, &[], fail("crash at 3")),
            behaviour(2, &["a"], Ending::Returned),
            behaviour(3, &[], fail("crash at 5")),
            behaviour(4, &[], fail("crash at 3")),
        ];
        assert_eq!(cases(&failing(&all)), [1, 3]);
        assert_eq!(cases(&covering(&all)), [2]);
    }

    #[test]
    fn without_sides_every_case_is_kept() {
        let all = [
            behaviour(1, &[], Ending::Returned),
            behaviour(2, &[], Ending::Returned),
        ];
        assert_eq!(cases(&covering(&all)), [1, 2]);
    }
}
