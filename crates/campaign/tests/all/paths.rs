//! All paths of small programs, against brute force.

use elsewise_campaign::toy::{
    Cond, Expr, Stmt, Toy, options, random_program, run, run_on, subjects, wide_program,
};
use elsewise_campaign::{
    Company, Ended, Options, Progress, Reserve, Store, explore, explore_together,
};
use elsewise_explore::{Blueprint, Case, Outcome, RunError, Subject, Trace};
use elsewise_term::{Bits, Model, Op, Sort, Terms};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

#[test]
fn every_strategy_finds_all_paths_of_random_programs() {
    for seed in 0..40 {
        let toy = random_program(seed);
        let (paths, failures) = toy.brute_force();
        for strategy in elsewise_explore::strategy::names() {
            let folder = crate::folder();
            let options = Options {
                strategy: strategy.to_owned(),
                ..options(&folder.path().join("c"))
            };
            let summary = run(&options, &toy).unwrap();
            let found: Vec<u32> = summary.findings.iter().map(|f| f.line).collect();
            let about = format!("{strategy} on program {seed}: {:?}", toy.body);
            assert_eq!(summary.paths, paths, "{about}");
            assert_eq!(found.len(), failures.len(), "{about}");
            assert!(found.iter().all(|line| failures.contains(line)), "{about}");
            assert_eq!(
                summary.ended,
                Ended::Complete,
                "{about} {:?}",
                summary.approximations
            );
            assert!(summary.complete && summary.frontier == 0);
        }
    }
}

#[test]
fn the_same_seed_makes_the_same_runs() {
    let toy = random_program(11);
    let runs = |strategy: &str| {
        let folder = crate::folder();
        let options = Options {
            strategy: strategy.to_owned(),
            ..options(&folder.path().join("c"))
        };
        let summary = run(&options, &toy).unwrap();
        let store = elsewise_campaign::Store::open_read(&options.dir).unwrap();
        let mut all = store.runs(0, 10_000).unwrap();
        // When a run ended is nobody's choice.
        all.iter_mut().for_each(|run| run.millis = 0);
        assert_eq!(all.len() as u64, summary.runs);
        let cases: Vec<_> = (0..summary.runs)
            .map(|run| store.case(run).unwrap())
            .collect();
        (all, cases)
    };
    for strategy in elsewise_explore::strategy::names() {
        assert_eq!(runs(strategy), runs(strategy), "{strategy}");
    }
}

#[test]
fn several_workers_find_what_one_finds() {
    for seed in 0..20 {
        let toy = random_program(seed);
        let (paths, failures) = toy.brute_force();
        let folder = crate::folder();
        let summary = run_on(&options(&folder.path().join("c")), &toy, 3).unwrap();
        assert_eq!(summary.paths, paths, "program {seed}");
        assert_eq!(summary.findings.len(), failures.len(), "program {seed}");
        assert!(
            summary.complete,
            "program {seed}: {:?}",
            summary.approximations
        );
    }
}

/// None is lost or run twice where alternatives wait for the worker that has the trace to ask with.
#[test]
fn one_run_for_each_path_by_several_workers() {
    for workers in [2, 5] {
        let folder = crate::folder();
        let options = options(&folder.path().join("c"));
        let summary = run_on(&options, &wide_program(10), workers).unwrap();
        assert_eq!((summary.paths, summary.runs), (1024, 1024));
        assert!(summary.complete && summary.frontier == 0);
    }
}

/// What is small is explored by one worker, in the order that one has; others help with what is not.
#[test]
fn workers_in_reserve_begin_when_there_is_much_to_do() {
    let explore = |count: usize, after_runs: u64| {
        let folder = crate::folder();
        let options = options(&folder.path().join("c"));
        let toy = wide_program(count);
        let mut made = 0;
        let mut make = || {
            made += 1;
            // One of three cannot be had.
            subjects(&toy, usize::from(made < 3)).pop()
        };
        let reserve = Reserve {
            workers: 3,
            after_runs,
            after: Duration::MAX,
            make: &mut make,
        };
        let company = Company {
            reserve: Some(reserve),
            ..Company::default()
        };
        let (stop, mut own) = (AtomicBool::new(false), subjects(&toy, 1));
        let watch = &mut |_: &Progress| {};
        let summary = explore_together(&options, &mut own, watch, &stop, company).unwrap();
        assert_eq!(summary.paths, 1 << count);
        assert!(summary.complete && summary.frontier == 0);
        let store = Store::open_read(&options.dir).unwrap();
        let cases = (0..summary.runs).map(|run| store.case(run).unwrap().inputs);
        (made, summary.workers, cases.collect::<Vec<_>>())
    };
    let (made, workers, runs) = explore(6, u64::MAX);
    assert_eq!((made, workers), (0, 1));
    assert_eq!(explore(6, u64::MAX).2, runs);
    // More runs than there are in the moment until somebody looks.
    let (made, workers, _) = explore(13, 1);
    assert_eq!((made, workers), (3, 3));
}

#[test]
fn one_run_for_each_path() {
    let folder = crate::folder();
    let summary = run(&options(&folder.path().join("c")), &wide_program(9)).unwrap();
    assert_eq!((summary.paths, summary.runs), (512, 512));
    assert_eq!(summary.repeated_runs, 0);
    assert_eq!(summary.branch_sides.reached, 18);
}

/// A toy whose inputs are bounded: the first byte is below 100.
struct Bounded(Toy);

impl Subject for Bounded {
    fn blueprint(&self) -> &Blueprint {
        self.0.blueprint()
    }

    fn first_case(&self) -> Case {
        self.0.first_case()
    }

    fn run(&mut self, case: &Case, terms: &mut Terms) -> Result<Trace, RunError> {
        let first = case.inputs["bytes"][0];
        if first >= 100 {
            return Err(RunError::Start(format!("{first} is no input")));
        }
        let mut trace = self.0.run(case, terms)?;
        let byte = terms.variable(0, Sort::BitVec(8));
        let most = terms.bits(8, 100);
        trace.bounds.push(terms.compare(Op::BvUlt, byte, most));
        if let Some(var) = terms.as_var(byte) {
            trace.present.set(var, Bits::new(8, first.into()));
        }
        Ok(trace)
    }

    fn apply_model(&self, case: &Case, terms: &Terms, model: &Model) -> Case {
        self.0.apply_model(case, terms, model)
    }

    fn confirm(&mut self, case: &Case) -> Result<Outcome, RunError> {
        self.0.confirm(case)
    }
}

/// Where a query is given up, a case for its last condition is tried: one that is an input.
#[test]
fn what_is_tried_after_a_query_was_given_up_is_within_the_bounds() {
    let folder = crate::folder();
    let mut options = options(&folder.path().join("c"));
    // Enough for one comparison and the bound, not with what comes before it.
    options.solver.max_terms = 8;
    let input = |index| Box::new(Expr::Input(index));
    let product = (1..8).fold(Expr::Input(0), |product, index| {
        Expr::Mul(Box::new(product), input(index))
    });
    let exit = |code| vec![Stmt::Exit(code)];
    let body = vec![
        Stmt::If(0, Cond::Equal(product, Expr::Const(77)), exit(1), vec![]),
        Stmt::If(
            1,
            Cond::Less(Expr::Const(200), Expr::Input(0)),
            exit(2),
            vec![],
        ),
        Stmt::If(
            2,
            Cond::Less(Expr::Const(50), Expr::Input(0)),
            exit(3),
            vec![],
        ),
    ];
    let subject = Bounded(Toy::new("bounded", body, 8));
    let stop = AtomicBool::new(false);
    let summary = explore(&options, vec![Box::new(subject)], &mut |_| {}, &stop).unwrap();
    assert_eq!(
        (summary.runs, summary.optimistic_runs),
        (2, 1),
        "{summary:?}"
    );
    assert!(!summary.complete && summary.findings.is_empty());
}
