//! Whole queries: whatever stages are on, answers agree with Z3's, models hold on the whole path,
//! and conflicts conflict.

use crate::common::{Sample, only, without};
use elsewise_solve::{Answer, Path, Settings, Solver, Z3, stage_names};
use elsewise_term::TermId;
use elsewise_test_random::Random;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(20);

fn samples(count: u64) -> impl Iterator<Item = Sample> {
    (0..count).map(|seed| {
        let mut dice = Random::new(seed);
        let width = [4, 8, 8, 16, 32, 80][seed as usize % 6];
        let inputs = 2 + dice.word_below(8);
        let count = 4 + dice.word_below(12) as usize;
        Sample::new(&mut dice, inputs, width, count)
    })
}

fn satisfiable(z3: &Z3, sample: &Sample, conditions: &[TermId]) -> bool {
    let answer = z3.satisfiable(&sample.terms, conditions, LIMIT);
    answer.expect("an answer of Z3 in time")
}

/// Asks for the opposite of every condition in turn.
fn agrees(settings: &Settings, count: u64) {
    let z3 = Z3::load().expect("libz3 is needed to test against");
    let (mut sat, mut unsat, mut open) = (0u64, 0u64, 0u64);
    for mut sample in samples(count) {
        let mut solver = Solver::new(settings.clone());
        let mut path = Path::new(sample.conditions.clone());
        for index in 0..sample.conditions.len() {
            let wanted = sample.terms.not(sample.conditions[index]);
            let answer =
                solver.solve_on(&mut sample.terms, &mut path, index, wanted, &sample.present);
            let mut all = sample.conditions[..index].to_vec();
            all.push(wanted);
            match answer {
                Answer::Sat(model) => {
                    for condition in &all {
                        assert!(sample.terms.eval_bool(*condition, &model));
                    }
                    sat += 1;
                }
                Answer::Unsat(core) => {
                    assert!(core.iter().all(|condition| all.contains(condition)));
                    assert!(!satisfiable(&z3, &sample, &core), "a conflict that is none");
                    unsat += 1;
                }
                Answer::Unknown(_) => open += 1,
            }
        }
        for count in solver.counts() {
            assert_eq!(count.wrong, 0, "wrong models by {}", count.name);
        }
    }
    assert!(
        sat > 2 * count && unsat > count / 3,
        "{sat} sat, {unsat} unsat"
    );
    let complete = |name: &str| !settings.off.iter().any(|off| off == name);
    if complete("bitblast") || complete("z3") {
        assert_eq!(open, 0);
    }
}

#[test]
fn with_all_stages() {
    agrees(&Settings::default(), 30);
}

#[test]
fn without_each_stage_in_turn() {
    for name in stage_names() {
        agrees(&without(&[name]), 12);
    }
}

#[test]
fn with_bit_blasting_alone() {
    agrees(&only(&["bitblast"]), 30);
}

#[test]
fn slices_answer_as_whole_paths_do() {
    let z3 = Z3::load().expect("libz3 is needed to test against");
    for mut sample in samples(12) {
        let mut path = Path::new(sample.conditions.clone());
        // Not in order: later conditions are known already when earlier slices are asked for.
        for index in (0..sample.conditions.len()).rev() {
            let wanted = sample.terms.not(sample.conditions[index]);
            let slice = path.slice(&sample.terms, index, wanted);
            let mut all = sample.conditions[..index].to_vec();
            assert!(slice[..slice.len() - 1].iter().all(|c| all.contains(c)));
            all.push(wanted);
            assert_eq!(
                satisfiable(&z3, &sample, &slice),
                satisfiable(&z3, &sample, &all)
            );
            // Nothing outside shares an input with the slice.
            let inside: Vec<_> = slice
                .iter()
                .flat_map(|condition| sample.terms.support(*condition))
                .collect();
            for condition in &sample.conditions[..index] {
                if !slice.contains(condition) {
                    let support = sample.terms.support(*condition);
                    assert!(support.iter().all(|var| !inside.contains(var)));
                }
            }
        }
    }
}
