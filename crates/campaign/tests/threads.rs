//! Campaigns over inputs and schedules, against trying everything: the programs and the brute force of
//! `elsewise-explore`'s tests, as a subject with terms.

#[path = "../../explore/tests/schedules/machine.rs"]
#[allow(dead_code, reason = "the other test uses more of it")]
mod machine;
#[path = "../../explore/tests/schedules/programs.rs"]
mod programs;
#[path = "../../explore/tests/schedules/search.rs"]
#[allow(dead_code, reason = "the other test uses more of it")]
mod search;

use elsewise_campaign::toy::{options, with_runs};
use elsewise_campaign::{Ended, Options, SCHEDULE, Store, Summary, explore};
use elsewise_explore::{
    Blueprint, Case, Choice, Location, Outcome, Random, RunError, Shape, SiteInfo, Subject, Trace,
};
use elsewise_term::{Bits, Model, Op as TermOp, Sort, TermId, Terms};
use machine::{CASES, End, Program, Set};
use search::Class;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

/// What all runs of a campaign were.
#[derive(Clone, Default)]
struct Ran(Arc<Mutex<(BTreeSet<Class>, BTreeSet<End>)>>);

struct Threads {
    program: Program,
    blueprint: Blueprint,
    ran: Ran,
    /// Runs by which failures are confirmed fail as well.
    reproducible: bool,
}

impl Threads {
    fn new(program: &Program, ran: &Ran) -> Threads {
        let site = |key| SiteInfo {
            key,
            location: Location {
                file: "toy".into(),
                line: key as u32,
                ..Location::default()
            },
            ..SiteInfo::default()
        };
        Threads {
            program: program.clone(),
            blueprint: Blueprint {
                build: format!("{program:?}"),
                sites: (0..2000).map(site).collect(),
                ..Blueprint::default()
            },
            ran: ran.clone(),
            reproducible: true,
        }
    }

    fn bytes(case: &Case) -> [u8; 2] {
        let input = case.inputs.get("in").map_or(&[][..], Vec::as_slice);
        [0, 1].map(|index| input.get(index).copied().unwrap_or(0))
    }

    /// The number of the machine's case.
    fn number(case: &Case) -> usize {
        let [first, second] = Threads::bytes(case);
        usize::from(first & 3 | (second & 3) << 2)
    }

    /// The inputs are one of these cases.
    fn is_one_of(terms: &mut Terms, set: Set) -> TermId {
        let byte = |terms: &mut Terms, index| {
            let byte = terms.variable(index, Sort::BitVec(8));
            let mask = terms.bits(8, 3);
            terms.apply(TermOp::BvAnd, &[byte, mask], 8)
        };
        let (first, second) = (byte(terms, 0), byte(terms, 1));
        let mut any = terms.bool(false);
        for case in (0..CASES as u64).filter(|case| set >> case & 1 == 1) {
            let (a, b) = (terms.bits(8, case & 3), terms.bits(8, case >> 2));
            let (a, b) = (terms.eq(first, a), terms.eq(second, b));
            let both = terms.and(a, b);
            any = terms.or(any, both);
        }
        any
    }
}

fn outcome(end: &End) -> Outcome {
    let failure = |kind: &str| Outcome::Failure {
        kind: kind.into(),
        message: kind.into(),
        place: Vec::new(),
    };
    match (end.failed, end.stuck.contains(&true)) {
        (true, _) => failure("failed"),
        (false, true) => failure("deadlock"),
        (false, false) => Outcome::Exit(0),
    }
}

impl Subject for Threads {
    fn blueprint(&self) -> &Blueprint {
        &self.blueprint
    }

    fn first_case(&self) -> Case {
        Case {
            inputs: [("in".to_string(), vec![0, 0])].into(),
            ..Case::default()
        }
    }

    fn run(&mut self, case: &Case, terms: &mut Terms) -> Result<Trace, RunError> {
        let (log, end) = search::run(&self.program, Threads::number(case), &case.schedule);
        let mut present = Model::default();
        for (index, byte) in (0..).zip(Threads::bytes(case)) {
            let input = terms.variable(index, Sort::BitVec(8));
            let input = terms.as_var(input).unwrap();
            present.set(input, Bits::new(8, byte.into()));
        }
        let mut choices = Vec::new();
        for (choice, set) in log.choices.iter().zip(&log.conditions) {
            let shape = match choice.shape {
                Shape::Branch { .. } => Shape::Branch {
                    condition: Threads::is_one_of(
                        terms,
                        if choice.taken == 0 { *set } else { !*set },
                    ),
                },
                ref other => other.clone(),
            };
            choices.push(Choice {
                shape,
                ..choice.clone()
            });
        }
        let mut ran = self.ran.0.lock().unwrap();
        ran.0.insert(search::class(&log, self.program.len()));
        ran.1.insert(end.clone());
        Ok(Trace {
            choices,
            bounds: Vec::new(),
            preferences: Vec::new(),
            moves: log.moves,
            present,
            covered: Vec::new(),
            outcome: outcome(&end),
            approximations: Vec::new(),
            cpu_micros: 1,
        })
    }

    fn amend(&self, case: &Case, terms: &Terms, model: &Model) -> Case {
        let mut bytes = Threads::bytes(case);
        for (input, value) in model.iter() {
            let index = terms.var_key(input) as usize;
            bytes[index] = value.to_u64().unwrap_or(0) as u8;
        }
        Case {
            inputs: [("in".to_string(), bytes.to_vec())].into(),
            schedule: case.schedule.clone(),
        }
    }

    fn confirm(&mut self, case: &Case) -> Result<Outcome, RunError> {
        let (log, end) = search::run(&self.program, Threads::number(case), &case.schedule);
        let scheduled = log.choices.iter().filter_map(Choice::scheduled);
        let whole = scheduled.eq(case.schedule.iter().copied());
        assert!(whole, "a failure is confirmed by its whole schedule");
        Ok(match self.reproducible {
            true => outcome(&end),
            false => Outcome::Exit(0),
        })
    }
}

fn campaign(options: &Options, program: &Program, ran: &Ran, workers: usize) -> Summary {
    let subject = || Box::new(Threads::new(program, ran)) as Box<dyn Subject>;
    let subjects = (0..workers).map(|_| subject()).collect();
    explore(options, subjects, &mut |_| {}, &AtomicBool::new(false)).unwrap()
}

fn kinds(summary: &Summary) -> BTreeSet<String> {
    let findings = summary.findings.iter();
    findings.map(|finding| finding.kind.clone()).collect()
}

fn each_program(count: u64, mut test: impl FnMut(&Path, &Program, &search::Found, &str)) {
    let mut tried = 0;
    for seed in 0..count {
        let program = programs::program(&mut Random::new(seed));
        let Some(all) = search::everything(&program, 3_000) else {
            continue;
        };
        let folder = tempfile::tempdir().unwrap();
        let told = format!("seed {seed}: {program:?}");
        test(folder.path(), &program, &all, &told);
        tried += 1;
    }
    assert!(tried > count / 3, "only {tried} programs were small enough");
}

/// What a campaign that has ended must have found.
fn compare(summary: &Summary, ran: &Ran, all: &search::Found, told: &str) {
    let ran = ran.0.lock().unwrap();
    assert_eq!(summary.ended, Ended::Complete, "{told}\n{summary:#?}");
    assert!(summary.complete, "{told}");
    assert_eq!(ran.0, all.classes, "{told}");
    assert_eq!(ran.1, all.ends, "{told}");
    let expected = all.ends.iter().filter_map(|end| match outcome(end) {
        Outcome::Failure { kind, .. } => Some(kind),
        _ => None,
    });
    assert_eq!(kinds(summary), expected.collect(), "{told}");
}

#[test]
fn every_execution_once() {
    each_program(60, |folder, program, all, told| {
        let ran = Ran::default();
        let summary = campaign(&options(&folder.join("c")), program, &ran, 1);
        compare(&summary, &ran, all, told);
        assert_eq!(summary.runs, all.classes.len() as u64, "{told}");
        assert_eq!(summary.paths, summary.runs, "{told}");
    });
}

#[test]
fn two_workers() {
    each_program(40, |folder, program, all, told| {
        let ran = Ran::default();
        let summary = campaign(&options(&folder.join("c")), program, &ran, 2);
        compare(&summary, &ran, all, told);
    });
}

#[test]
fn interrupted_again_and_again() {
    each_program(40, |folder, program, all, told| {
        let ran = Ran::default();
        let options = options(&folder.join("c"));
        for step in 1.. {
            let summary = campaign(&with_runs(&options, 1 + step % 4), program, &ran, 1);
            assert_eq!(summary.resumed, step > 1);
            if summary.ended != Ended::Budget {
                compare(&summary, &ran, all, told);
                assert_eq!(summary.runs, all.classes.len() as u64, "{told}");
                break;
            }
        }
    });
}

#[test]
fn a_finding_keeps_its_whole_schedule() {
    let mut findings = 0;
    each_program(30, |folder, program, _, told| {
        let options = options(&folder.join("c"));
        let summary = campaign(&options, program, &Ran::default(), 1);
        for finding in &summary.findings {
            let text = std::fs::read_to_string(finding.path.join(SCHEDULE)).unwrap_or_default();
            let numbers = text.split_whitespace().map(|word| word.parse().unwrap());
            let schedule: Vec<u32> = numbers.collect();
            let store = Store::open_read(&options.dir).unwrap();
            let case = store.case(finding.case).unwrap();
            let (log, end) = search::run(program, Threads::number(&case), &schedule);
            let scheduled: Vec<u32> = log.choices.iter().filter_map(Choice::scheduled).collect();
            assert_eq!(schedule, scheduled, "{told}");
            assert!(
                matches!(outcome(&end), Outcome::Failure { kind, .. } if kind == finding.kind),
                "{told}"
            );
            findings += 1;
        }
    });
    assert!(findings > 5, "only {findings} findings");
}

#[test]
fn what_its_schedule_does_not_bring_about_again_is_no_finding() {
    let program = vec![vec![machine::Op::Down(0)]];
    let folder = tempfile::tempdir().unwrap();
    let subject = Threads {
        reproducible: false,
        ..Threads::new(&program, &Ran::default())
    };
    let options = options(&folder.path().join("c"));
    let subjects: Vec<Box<dyn Subject>> = vec![Box::new(subject)];
    let stop = AtomicBool::new(false);
    let summary = explore(&options, subjects, &mut |_| {}, &stop).unwrap();
    assert_eq!(summary.findings.len(), 0);
    // A thread that cannot move at all leaves no schedule.
    assert_eq!(summary.unconfirmed.len(), 1);
    assert!(!summary.complete);
}
