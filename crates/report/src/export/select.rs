//! Which behaviours are worth a test: few, and all of the coverage.

use elsewise_graph::{Behaviour, Ending};
use std::collections::BTreeSet;

/// The behaviours that do not fail, as few as keep every side that any of them reached, in their
/// order. All of them when nothing is known of sides.
pub fn covering(behaviours: &[Behaviour]) -> Vec<&Behaviour> {
    let passing: Vec<&Behaviour> = behaviours
        .iter()
        .filter(|b| !matches!(b.ending, Ending::Failed(_)))
        .collect();
    let mut open: BTreeSet<&str> = passing.iter().flat_map(|b| sides(b)).collect();
    if open.is_empty() {
        return passing;
    }
    let mut chosen: Vec<usize> = Vec::new();
    while !open.is_empty() {
        let best = (0..passing.len()).max_by_key(|&at| {
            let gain = sides(passing[at])
                .filter(|side| open.contains(side))
                .count();
            // Of two that bring as much, the smaller one, then the earlier one.
            (gain, std::cmp::Reverse((size(passing[at]), at)))
        });
        let Some(best) = best else { break };
        for side in sides(passing[best]) {
            open.remove(side);
        }
        chosen.push(best);
    }
    // What was chosen early may be covered by what came later.
    let mut at = 0;
    while at < chosen.len() {
        let others: BTreeSet<&str> = chosen
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != at)
            .flat_map(|(_, &index)| sides(passing[index]))
            .collect();
        if sides(passing[chosen[at]]).all(|side| others.contains(side)) {
            chosen.remove(at);
        } else {
            at += 1;
        }
    }
    chosen.sort_unstable();
    chosen.into_iter().map(|at| passing[at]).collect()
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

fn sides(behaviour: &Behaviour) -> impl Iterator<Item = &str> {
    behaviour.reached.iter().map(String::as_str)
}

/// How much there is to read in a test.
fn size(behaviour: &Behaviour) -> (usize, usize) {
    (behaviour.calls.len(), behaviour.before.objects.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use elsewise_graph::Graph;

    fn behaviour(case: u64, reached: &[&str], ending: Ending) -> Behaviour {
        Behaviour {
            case,
            before: Graph::default(),
            calls: Vec::new(),
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
        assert_eq!(cases(&covering(&all)), [2, 3]);
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
