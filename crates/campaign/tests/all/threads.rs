//! Campaigns over inputs and schedules, against trying everything: the programs and the brute force of
//! `elsewise-explore`'s tests, as a subject with terms.

#[path = "../../../explore/tests/all/schedules/machine.rs"]
#[allow(dead_code, reason = "the other test uses more of it")]
pub mod machine;
#[path = "../../../explore/tests/all/schedules/programs.rs"]
pub mod programs;
#[path = "../../../wire/src/sampler.rs"]
#[allow(dead_code, reason = "the runtime uses more of it")]
mod sampler;
#[path = "../../../explore/tests/all/schedules/search.rs"]
#[allow(dead_code, reason = "the other test uses more of it")]
pub mod search;

use elsewise_campaign::toy::{options, with_runs};
use elsewise_campaign::{Ended, Finding, Options, SCHEDULE, Store, Summary, explore};
use elsewise_explore::schedule::{Rule, Sampling, preemptions};
use elsewise_explore::{
    Blueprint, Case, Choice, Location, Outcome, Random, RunError, Shape, SiteInfo, Subject, Trace,
};
use elsewise_term::{Bits, Model, Op as TermOp, Sort, TermId, Terms};
use machine::{CASES, End, Log, Machine, Op, Program, Set, Source};
use sampler::Sampler;
use search::Class;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What all runs of a campaign were.
#[derive(Clone, Default)]
pub struct Ran(Arc<Mutex<(BTreeSet<Class>, BTreeSet<End>)>>);

impl Ran {
    /// How many there were that differ.
    pub fn count(&self) -> usize {
        self.0.lock().unwrap().0.len()
    }
}

pub struct Threads {
    program: Program,
    blueprint: Blueprint,
    ran: Ran,
    /// Runs by which failures are confirmed fail as well.
    reproducible: bool,
}

impl Threads {
    pub fn new(program: &Program, ran: &Ran) -> Threads {
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

impl Threads {
    fn trace(&self, case: &Case, log: Log, end: &End, terms: &mut Terms) -> Trace {
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
        Trace {
            choices,
            bounds: Vec::new(),
            preferences: Vec::new(),
            moves: log.moves,
            present,
            covered: Vec::new(),
            outcome: outcome(end),
            approximations: Vec::new(),
            flaws: Vec::new(),
            cpu_micros: 1,
            watch_micros: 0,
        }
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
        let number = Threads::number(case);
        let (log, end, _) = search::follow(&self.program, number, &case.schedule);
        Ok(self.trace(case, log, &end, terms))
    }

    fn sample(&mut self, case: &Case, rule: &Rule, terms: &mut Terms) -> Result<Trace, RunError> {
        let (kind, depth) = match rule.sampling {
            Sampling::Random => (sampler::UNIFORM, 0),
            Sampling::Pct(depth) => (sampler::PCT, depth),
            Sampling::Pos => (sampler::POS, 0),
        };
        let words = sampler::words(kind, depth, rule.seed, rule.length);
        let mut sampler = Sampler::new(words);
        let mut machine = Machine::new(&self.program, Threads::number(case));
        let threads = self.program.len();
        loop {
            let enabled = machine.enabled();
            let able = |at: usize| enabled.contains(&at);
            let Some(thread) = sampler.choose(threads, able, |_| false) else {
                break;
            };
            sampler.moved(thread, threads, |at| machine.conflicts(thread, at));
            machine.step(thread, |ways| sampler.below(ways.into()) as u32);
        }
        let (log, end) = machine.finish();
        Ok(self.trace(case, log, &end, terms))
    }

    fn apply_model(&self, case: &Case, terms: &Terms, model: &Model) -> Case {
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

pub fn campaign(options: &Options, program: &Program, ran: &Ran, workers: usize) -> Summary {
    let subject = || Box::new(Threads::new(program, ran)) as Box<dyn Subject>;
    let subjects = (0..workers).map(|_| subject()).collect();
    explore(options, subjects, &mut |_| {}, &AtomicBool::new(false)).unwrap()
}

pub fn kinds(summary: &Summary) -> BTreeSet<String> {
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
        let folder = crate::folder();
        let told = format!("seed {seed}: {program:?}");
        test(folder.path(), &program, &all, &told);
        tried += 1;
    }
    assert!(tried > count / 3, "only {tried} programs were small enough");
}

/// What a campaign that has ended must have found.
pub fn compare(summary: &Summary, ran: &Ran, all: &search::Found, told: &str) {
    let ran = ran.0.lock().unwrap();
    assert_eq!(summary.ended, Ended::Complete, "{told}\n{summary:#?}");
    assert!(summary.complete, "{told}");
    assert_eq!(ran.0, all.classes, "{told}");
    assert_eq!(ran.1, all.ends, "{told}");
    let expected = all.ends.iter().filter_map(|end| match outcome(end) {
        Outcome::Failure { kind, .. } => Some(kind.to_string()),
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

/// A session that ends before it has looked at what earlier ones have run knows nothing of their orders.
#[test]
fn interrupted_before_anything_is_seen_again() {
    each_program(40, |folder, program, all, told| {
        let (ran, options) = (Ran::default(), options(&folder.join("c")));
        campaign(&with_runs(&options, 2), program, &ran, 1);
        let mut short = options.clone();
        short.budget.time = Some(Duration::ZERO);
        campaign(&short, program, &ran, 1);
        let summary = campaign(&options, program, &ran, 1);
        compare(&summary, &ran, all, told);
        assert_eq!(summary.runs, all.classes.len() as u64, "{told}");
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
                matches!(outcome(&end), Outcome::Failure { kind, .. } if kind.word() == finding.kind),
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
    let folder = crate::folder();
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

fn by(dir: &Path, schedules: &str) -> Options {
    Options {
        schedules: schedules.parse().unwrap(),
        ..options(dir)
    }
}

/// With a bound on preemptions all ends within it are found, at once or in many sessions, and it is
/// said that nothing is left.
#[test]
fn within_a_bound() {
    each_program(40, |folder, program, _, told| {
        for bound in 0..3 {
            let within = search::everything_within(program, usize::MAX, bound).unwrap();
            let ran = Ran::default();
            let name = format!("bounded:{bound}");
            let summary = campaign(&by(&folder.join(&name), &name), program, &ran, 1);
            assert_eq!(summary.ended, Ended::Complete, "{told}");
            assert_eq!(ran.0.lock().unwrap().1, within.ends, "{name}, {told}");
            let again = Ran::default();
            let options = by(&folder.join(format!("{name}-again")), &name);
            for step in 1.. {
                let summary = campaign(&with_runs(&options, 1 + step % 4), program, &again, 1);
                assert_eq!(summary.resumed, step > 1);
                if summary.ended != Ended::Budget {
                    assert_eq!(summary.ended, Ended::Complete, "{told}");
                    break;
                }
            }
            assert_eq!(again.0.lock().unwrap().1, within.ends, "{name}, {told}");
        }
    });
}

/// Samples are executions that there are; together they show most of what there is, and nobody is told
/// that it is all.
#[test]
fn samples_of_what_there_is() {
    for name in ["random", "pct:3", "pos"] {
        let (mut found, mut there) = (0, 0);
        each_program(20, |folder, program, all, told| {
            let ran = Ran::default();
            let options = with_runs(&by(&folder.join("c"), name), 200);
            let summary = campaign(&options, program, &ran, 1);
            let ran = ran.0.lock().unwrap();
            assert!(ran.0.is_subset(&all.classes), "{told}");
            assert!(ran.1.is_subset(&all.ends), "{told}");
            let searched = summary.schedules.as_ref();
            if searched.is_some_and(|searched| searched.samples > 0) {
                assert!(!summary.complete, "{told}");
            }
            found += ran.1.len();
            there += all.ends.len();
        });
        assert!(found * 10 > there * 8, "{name}: {found} of {there}");
    }
}

/// The schedules of all runs of a campaign.
fn schedules(options: &Options) -> Vec<Vec<u32>> {
    let store = Store::open_read(&options.dir).unwrap();
    let runs = (0..).map_while(|run| store.case(run).ok());
    runs.map(|case| case.schedule).collect()
}

#[test]
fn the_seed_alone_decides_the_samples() {
    let mut others = 0;
    each_program(30, |folder, program, _, told| {
        for name in ["random", "pct:2", "pos"] {
            let of = |seed: u64, which: u32| {
                let dir = folder.join(format!("{name}-{seed}-{which}"));
                let options = Options {
                    seed,
                    ..with_runs(&by(&dir, name), 30)
                };
                campaign(&options, program, &Ran::default(), 1);
                schedules(&options)
            };
            let first = of(1, 0);
            assert_eq!(first, of(1, 1), "{name}, {told}");
            others += u32::from(first != of(2, 0));
        }
    });
    assert!(others > 5, "another seed made a difference {others} times");
}

/// Many threads that write the same variable: more orders than anybody could try.
fn many_orders() -> Program {
    let store = |from| Op::Store {
        variable: 0,
        from: Source::Number(from),
    };
    (0..4).map(|thread| vec![store(thread); 6]).collect()
}

#[test]
fn samples_when_there_is_no_time_for_all() {
    let folder = crate::folder();
    let mut options = options(&folder.path().join("c"));
    options.budget.time = Some(std::time::Duration::from_secs(2));
    let summary = campaign(&options, &many_orders(), &Ran::default(), 1);
    let searched = summary.schedules.unwrap();
    assert_eq!(summary.ended, Ended::Budget);
    assert_eq!(searched.mode, "auto");
    assert_eq!(searched.sampling.as_deref(), Some("pos"));
    assert!(searched.samples > 0 && searched.done > 0, "{searched:?}");
    assert!(searched.estimate.unwrap() > searched.done, "{searched:?}");
    // Without a time that ends, all are tried in turn.
    options.dir = folder.path().join("d");
    options.budget.time = None;
    let summary = campaign(&with_runs(&options, 50), &many_orders(), &Ran::default(), 1);
    let searched = summary.schedules.unwrap();
    assert_eq!((searched.samples, searched.sampling), (0, None));
}

/// Number of preemptions in the finding's folder, and in the run in which it was found.
fn kept_and_found(options: &Options, program: &Program, finding: &Finding) -> (u32, u32) {
    let text = std::fs::read_to_string(finding.path.join(SCHEDULE)).unwrap_or_default();
    let numbers = text.split_whitespace().map(|word| word.parse().unwrap());
    let schedule: Vec<u32> = numbers.collect();
    let store = Store::open_read(&options.dir).unwrap();
    let case = store.case(finding.case).unwrap();
    let count = |schedule: &[u32]| {
        let (log, end) = search::run(program, Threads::number(&case), schedule);
        assert!(fails(&end, &finding.kind), "{program:?}");
        preemptions(&log.moves).len() as u32
    };
    (count(&schedule), count(&case.schedule))
}

fn fails(end: &End, as_kind: &str) -> bool {
    matches!(outcome(end), Outcome::Failure { kind, .. } if kind.word() == as_kind)
}

/// What is kept of a failure has no more preemptions than the run in which it was found, and nearly
/// always as few as there can be.
#[test]
fn findings_have_few_preemptions() {
    let (mut findings, mut fewest) = (0, 0);
    each_program(60, |folder, program, _, told| {
        let options = with_runs(&by(&folder.join("c"), "random"), 100);
        let summary = campaign(&options, program, &Ran::default(), 1);
        for finding in &summary.findings {
            let (kept, found) = kept_and_found(&options, program, finding);
            assert!(kept <= found, "{told}");
            let possible = (0..).find(|bound| {
                let within = search::everything_within(program, usize::MAX, *bound).unwrap();
                within.ends.iter().any(|end| fails(end, &finding.kind))
            });
            findings += 1;
            fewest += u32::from(possible == Some(kept));
        }
    });
    assert!(
        findings > 10 && fewest * 10 >= findings * 9,
        "{fewest} of {findings}"
    );
}

/// A deadlock of two locks takes one preemption, whatever else a random walk has done on its way.
#[test]
fn a_long_random_schedule_is_reduced() {
    let store = |variable| Op::Store {
        variable,
        from: Source::Number(1),
    };
    let locks = |first, second| {
        let mut ops = vec![store(0); 5];
        ops.extend([Op::Lock(first), store(1), Op::Lock(second)]);
        ops.extend([Op::Unlock(second), Op::Unlock(first), store(2)]);
        ops
    };
    let program: Program = vec![locks(0, 1), vec![store(0); 8], locks(1, 0)];
    let mut longer = 0;
    for seed in 0..10 {
        let folder = crate::folder();
        let options = Options {
            seed,
            ..with_runs(&by(&folder.path().join("c"), "random"), 300)
        };
        let summary = campaign(&options, &program, &Ran::default(), 1);
        assert_eq!(
            kinds(&summary),
            ["deadlock".to_string()].into(),
            "seed {seed}"
        );
        let (kept, found) = kept_and_found(&options, &program, &summary.findings[0]);
        assert_eq!(kept, 1, "seed {seed}, found with {found}");
        longer += u32::from(found > 3);
    }
    assert!(longer > 5, "only {longer} were found with more than three");
}
