//! Made-up findings and summaries for the tests of the views.

use elsewise_campaign::{
    ApproximationPlace, Ended, Finding, Frame, Queries, Sides, Stage, Summary,
};
use elsewise_explore::Case;
use proptest::test_runner::{Config, RngSeed};
use std::collections::BTreeMap;

/// Random inputs that are the same in every run of a test.
pub fn steady(cases: u32) -> Config {
    Config {
        cases,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(1),
        ..Config::default()
    }
}

pub fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

/// Checks a view in both forms that people see.
pub fn snapshot(name: &str, text: &str) {
    insta::assert_snapshot!(name, plain(text));
    // The escape character itself, readable in the snapshot.
    insta::assert_snapshot!(format!("{name}_coloured"), text.replace('\x1b', "\u{241b}"));
}

pub fn finding() -> (Finding, Case) {
    let frame = |function: &str, line| Frame {
        file: "bst.c".into(),
        line,
        column: 5,
        function: function.into(),
    };
    let finding = Finding {
        id: 1,
        kind: "assertion".into(),
        message: "assertion failed: find(root, k) == NULL".into(),
        file: "bst.c".into(),
        line: 47,
        function: "check".into(),
        confirmed: true,
        note: String::new(),
        case: 17,
        runs: 12,
        race: None,
        path: "bst.elsewise/findings/1".into(),
        stack: vec![frame("check", 47), frame("main", 58)],
    };
    let stdin = vec![
        1, 0, 0, 0, 2, 0, 0, 0, b'G', b'O', b'!', b'\n', 0xff, 0xff, 0xff, 0xff,
    ];
    (finding, case(&[("stdin", stdin)]))
}

/// A finding of a subject that means harm.
pub fn hostile() -> (Finding, Case) {
    let finding = Finding {
        id: 7,
        kind: "abort".into(),
        message: "bad\x1b]0;owned\x07\nsecond line\u{202e}".into(),
        file: "a\nb.c".into(),
        line: 0,
        function: "f\x1b[2J".into(),
        confirmed: false,
        note: "the plain build\x1b[2J exits with 0".into(),
        case: 99,
        runs: 1,
        race: None,
        path: "x.elsewise/findings/7".into(),
        stack: Vec::new(),
    };
    let inputs = ["\x1b[1m", "b", "c", "d", "e"].map(|name| (name, vec![0x1b; 2]));
    (finding, case(&inputs))
}

pub fn case(inputs: &[(&str, Vec<u8>)]) -> Case {
    let inputs = inputs
        .iter()
        .map(|(name, bytes)| (name.to_string(), bytes.clone()));
    Case {
        inputs: inputs.collect(),
        schedule: Vec::new(),
    }
}

pub fn summary() -> Summary {
    Summary {
        schema: 1,
        subject: "bst.c".into(),
        ended: Ended::Complete,
        runs: 391,
        optimistic_runs: 0,
        repeated_runs: 3,
        paths: 391,
        frontier: 0,
        complete: true,
        findings: Vec::new(),
        unconfirmed: Vec::new(),
        check_sides: None,
        branch_sides: Sides {
            reached: 40,
            total: 42,
        },
        cpu_seconds: 0.81,
        wall_seconds: 0.84,
        engine_cpu_seconds: 0.5,
        subject_cpu_seconds: 0.31,
        sanitizer_seconds: 0.0,
        queries: Queries {
            asked: 1234,
            sat: 800,
            unsat: 434,
            unknown: 0,
            put_off: 0,
            stages: vec![Stage {
                name: "search".into(),
                asked: 1234,
                sat: 700,
                unsat: 0,
                seconds: 0.25,
            }],
        },
        approximations: BTreeMap::new(),
        approximation_places: Vec::new(),
        bounds: vec!["stdin of exactly 20 bytes".into()],
        strategy: "mix".into(),
        seed: 0,
        workers: 1,
        schedules: None,
        subsumption: None,
        resumed: false,
        campaign: "bst.elsewise".into(),
        rotated: None,
    }
}

pub fn incomplete(ended: Ended) -> Summary {
    let places = (1..=7).map(|line| ApproximationPlace {
        kind: "opaque-call".into(),
        file: "lib/read.c".into(),
        line: line * 10,
        function: "next".into(),
        callee: if line == 1 { "strtod" } else { "" }.into(),
        count: 1000 / u64::from(line),
    });
    Summary {
        ended,
        complete: false,
        runs: 1_000_000,
        paths: 999_999,
        wall_seconds: 3725.0,
        approximations: [
            ("opaque-call", 2_345),
            ("query-limit", 12),
            ("something-new", 1),
        ]
        .map(|(kind, count)| (kind.to_string(), count))
        .into(),
        approximation_places: places.collect(),
        queries: Queries {
            asked: 1_000_100,
            sat: 999_998,
            unsat: 90,
            unknown: 12,
            put_off: 0,
            stages: Vec::new(),
        },
        resumed: true,
        rotated: Some("bst.elsewise.1".into()),
        ..summary()
    }
}
