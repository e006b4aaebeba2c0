//! What is shown as a finding, what is not, and what makes a campaign incomplete.

use elsewise_campaign::toy::{Cond, Expr, Stmt, Toy, options, random_program, run, wide_program};
use elsewise_campaign::{Ended, Options, Store, file_name};
use elsewise_explore::Case;
use std::fs;

fn failing() -> Toy {
    let is = |index, value| Cond::Equal(Expr::Input(index), Expr::Const(value));
    let body = vec![Stmt::If(
        0,
        is(0, 77),
        vec![
            Stmt::If(1, is(1, 3), vec![Stmt::Fail("segv", 40)], vec![]),
            Stmt::If(2, is(1, 4), vec![Stmt::Fail("assertion", 41)], vec![]),
        ],
        vec![],
    )];
    Toy::new("failing", body, 2)
}

#[test]
fn findings_come_with_their_case() {
    let folder = crate::folder();
    let options = options(&folder.path().join("c"));
    let summary = run(&options, &failing()).unwrap();
    assert!(summary.complete);
    let store = Store::open_read(&options.dir).unwrap();
    let mut seen: Vec<(String, u32, Vec<u8>)> = Vec::new();
    for finding in &summary.findings {
        assert!(finding.confirmed && finding.runs == 1);
        let bytes = fs::read(finding.path.join("bytes")).unwrap();
        assert_eq!(store.case(finding.case).unwrap().inputs["bytes"], bytes);
        let text = fs::read_to_string(finding.path.join("finding.json")).unwrap();
        assert!(text.contains(&finding.kind));
        assert_eq!(store.finding(finding.id).unwrap().line, finding.line);
        seen.push((finding.kind.clone(), finding.line, bytes));
    }
    seen.sort();
    let expected = [
        ("assertion".to_owned(), 41, vec![77, 4]),
        ("segv".to_owned(), 40, vec![77, 3]),
    ];
    assert_eq!(seen, expected);
    assert!(store.finding(9).is_err() && store.case(10_000).is_err());
    assert!(options.dir.join("README.txt").exists());
}

#[test]
fn what_the_plain_build_does_not_show_is_no_finding() {
    let folder = crate::folder();
    let options = options(&folder.path().join("c"));
    let mut toy = failing();
    toy.harmless = true;
    let summary = run(&options, &toy).unwrap();
    assert_eq!((summary.findings.len(), summary.unconfirmed.len()), (0, 2));
    assert_eq!(summary.approximations["unconfirmed"], 2);
    assert!(!summary.complete && summary.ended == Ended::Exhausted);
    assert!(summary.unconfirmed[0].note.contains("exits with 0"));
}

#[test]
fn a_trace_that_contradicts_its_inputs_is_cut_and_counted() {
    let folder = crate::folder();
    let options = options(&folder.path().join("c"));
    let mut toy = wide_program(6);
    toy.lie_every = Some(5);
    let summary = run(&options, &toy).unwrap();
    assert!(!summary.complete);
    assert!(summary.approximations["label-mismatch"] > 0);
    assert_eq!(summary.approximation_places[0].file, "toy");
    // A lie costs what lies behind it, never a wrong path.
    assert!(summary.paths <= 64, "{}", summary.paths);
}

#[test]
fn a_case_that_was_run_before_is_a_divergence_and_no_run() {
    let folder = crate::folder();
    let options = options(&folder.path().join("c"));
    let mut toy = wide_program(6);
    toy.stubborn = true;
    let summary = run(&options, &toy).unwrap();
    assert_eq!((summary.runs, summary.paths), (1, 1));
    assert_eq!(summary.approximations["divergence"], 6);
    assert_eq!(summary.ended, Ended::Exhausted);
    let again = run(&options, &toy).unwrap();
    assert!(again.resumed && again.approximations == summary.approximations);
}

#[test]
fn a_choice_with_too_many_values_is_given_up() {
    let folder = crate::folder();
    let body = vec![Stmt::Concrete(0, Expr::Input(0))];
    let toy = Toy::new("values", body, 1);
    let few = Options {
        max_values: 10,
        ..options(&folder.path().join("few"))
    };
    let summary = run(&few, &toy).unwrap();
    assert_eq!((summary.paths, summary.complete), (10, false));
    assert_eq!(summary.approximations["value-limit"], 1);
    // A byte's values are no more than that.
    let all = Options {
        max_values: 256,
        ..options(&folder.path().join("all"))
    };
    let summary = run(&all, &toy).unwrap();
    assert_eq!((summary.paths, summary.complete), (256, true));
}

#[test]
fn seeds_are_run_first_and_once() {
    let folder = crate::folder();
    let toy = random_program(2);
    let case = toy.case(vec![9, 200]);
    let options = Options {
        seeds: vec![case.clone(), case.clone(), toy.case(vec![1, 2])],
        ..options(&folder.path().join("c"))
    };
    let summary = run(&options, &toy).unwrap();
    let store = Store::open_read(&options.dir).unwrap();
    assert_eq!(store.case(0).unwrap(), case);
    let mut cases: Vec<Case> = (0..summary.runs).map(|r| store.case(r).unwrap()).collect();
    cases.sort();
    let count = cases.len();
    cases.dedup();
    assert_eq!(cases.len(), count, "a case was run twice");
}

#[test]
fn long_inputs_are_kept_as_differences_and_come_back_whole() {
    let folder = crate::folder();
    let mut toy = wide_program(8);
    toy.size = 3_000;
    let options = options(&folder.path().join("c"));
    let summary = run(&options, &toy).unwrap();
    assert_eq!((summary.paths, summary.complete), (256, true));
    let store = Store::open_read(&options.dir).unwrap();
    let mut first: Vec<u8> = (0..summary.runs)
        .map(|run| {
            let bytes = store.case(run).unwrap().inputs["bytes"].clone();
            assert!(bytes.len() == 3_000 && bytes[1..].iter().all(|byte| *byte == 0));
            bytes[0]
        })
        .collect();
    first.sort_unstable();
    assert_eq!(first, (0..=255).collect::<Vec<u8>>());
    let size = fs::metadata(options.dir.join("campaign.db")).unwrap().len();
    assert!(size < 256 * 1_000, "{size} bytes");
}

#[test]
fn names_of_inputs_cannot_leave_the_folder() {
    assert_eq!(file_name("../../etc/passwd"), "%2E.%2F..%2Fetc%2Fpasswd");
}
