//! `cargo xtask soak`: the tests whose worth is in their number, on many more cases than a change has
//! to wait for.

use anyhow::{Context, Result, bail, ensure};
use std::path::Path;
use std::process::Command;
use std::time::Instant;

struct Part {
    name: &'static str,
    /// What is compared with what.
    about: &'static str,
    /// Which tests, as nextest selects them.
    tests: &'static str,
    /// Says how many cases, and how many there are unless said otherwise.
    count: (&'static str, u64),
    /// Says which is the first, where they have numbers.
    first: Option<&'static str>,
}

const PARTS: &[Part] = &[
    Part {
        name: "paths",
        about: "random programs: paths and outcomes against running them on every input",
        tests: "package(elsewise-tests) & test(/^paths::/)",
        count: ("ELSEWISE_RANDOM_PATHS", 1200),
        first: Some("ELSEWISE_RANDOM_FIRST"),
    },
    Part {
        name: "borders",
        about: "random programs with input through libraries: what is said of failures against runs",
        tests: "package(elsewise-tests) & test(/^borders::/)",
        count: ("ELSEWISE_RANDOM_BORDERS", 2000),
        first: Some("ELSEWISE_RANDOM_FIRST"),
    },
    Part {
        name: "functions",
        about: "random functions: what is said of failures against everything they may be given",
        tests: "package(elsewise-tests) & test(/^random_functions::/)",
        count: ("ELSEWISE_RANDOM_FUNCTIONS", 3000),
        first: Some("ELSEWISE_RANDOM_FIRST"),
    },
    Part {
        name: "textbook",
        about: "C++ programs as they are taught, with and without their bugs: what is said of each",
        tests: "package(elsewise-tests) & test(/^textbook\\//)",
        count: ("ELSEWISE_TEXTBOOK", 30),
        first: None,
    },
    Part {
        name: "programs",
        about: "csmith's programs: instrumented against plain, conditions against the inputs",
        tests: "package(elsewise-native) & test(/^(random_programs|relation)::random_programs/)",
        count: ("ELSEWISE_RANDOM_PROGRAMS", 300),
        first: Some("ELSEWISE_RANDOM_FIRST"),
    },
    Part {
        name: "threads",
        about: "random programs with threads: outcomes and executions against all interleavings",
        tests: "package(elsewise-tests) & test(=interleavings::random_programs_with_threads)",
        count: ("ELSEWISE_RANDOM_THREADS", 3000),
        first: Some("ELSEWISE_RANDOM_FIRST"),
    },
    Part {
        name: "tso",
        about: "the same where stores are buffered: outcomes and executions against all interleavings",
        tests: "package(elsewise-tests) & test(=interleavings::random_programs_with_buffers)",
        count: ("ELSEWISE_RANDOM_BUFFERS", 500),
        first: Some("ELSEWISE_RANDOM_FIRST"),
    },
    Part {
        name: "schedules",
        about: "the search over schedules against brute force, without programs",
        tests: "(package(elsewise-explore) & test(/^schedules::/)) | \
                (package(elsewise-campaign) & test(/^threads::/))",
        count: ("ELSEWISE_RANDOM_SCHEDULES", 3000),
        first: None,
    },
    Part {
        name: "models",
        about: "random state machines: generated code against the reference interpreter",
        tests: "package(elsewise-statechart) & test(/^generated::/)",
        count: ("ELSEWISE_RANDOM_MODELS", 120),
        first: None,
    },
    Part {
        name: "prolog",
        about: "random logic programs: classes of inputs against a meta-interpreter",
        tests: "package(elsewise) & test(/^prolog_classes::classes_of_random/)",
        count: ("ELSEWISE_RANDOM_PROLOG", 300),
        first: Some("ELSEWISE_RANDOM_FROM"),
    },
    Part {
        name: "library",
        about: "modules of Erlang's library, instrumented and optimised: results against the originals'",
        tests: "package(elsewise-erlang) & test(=beam::behaviour_is_kept)",
        count: ("ELSEWISE_OPTIMISED", 1),
        first: None,
    },
    Part {
        name: "subsume",
        about: "random programs: failures with subsumption, in six ways, against those without",
        tests: "package(elsewise-tests) & test(/^subsume::random_programs/)",
        count: ("ELSEWISE_SUBSUME_PROGRAMS", 1000),
        first: Some("ELSEWISE_SUBSUME_FIRST"),
    },
    Part {
        name: "mutations",
        about: "damage to traces, executables, objects, rows and databases: no panic",
        tests: "test(no_mutation_makes_decoding_panic) | test(no_damage_to_) | \
                test(damaged_bytes_are_errors) | test(mutated_databases_never_panic)",
        count: ("ELSEWISE_MUTATIONS", 200_000),
        first: None,
    },
    Part {
        name: "syscalls",
        about: "random system calls inside of runs: nothing outside notices (10 minutes)",
        tests: "package(elsewise-tests) & test(/^containment::syscalls::/)",
        count: ("ELSEWISE_RANDOM_SYSCALLS", 36),
        first: Some("ELSEWISE_RANDOM_FIRST"),
    },
    Part {
        name: "campaigns",
        about: "campaigns of somebody who means harm, read by every verb that only reads",
        tests: "package(elsewise-tests) & test(/^hostile::/)",
        count: ("ELSEWISE_HOSTILE_CAMPAIGNS", 10_000),
        first: Some("ELSEWISE_RANDOM_FIRST"),
    },
    Part {
        name: "kills",
        about: "campaigns that are killed, with many thousand paths: nothing is lost",
        tests: "package(elsewise-tests) & test(/^kill::/)",
        count: ("ELSEWISE_KILLED_BITS", 13),
        first: None,
    },
    Part {
        name: "fleets",
        about: "random programs of each kind: what two to eight members explore against one",
        tests: "package(elsewise-tests) & test(/^fleet::/)",
        count: ("ELSEWISE_RANDOM_FLEET", 50),
        first: Some("ELSEWISE_RANDOM_FIRST"),
    },
    Part {
        name: "faults",
        about: "members, connections, clocks and the server of a fleet fail: the same tree, little done twice",
        tests: "(package(elsewise-cluster) & test(/^faults::/)) | \
                (package(elsewise-tests) & test(/^clocks::/))",
        count: ("ELSEWISE_RANDOM_FAULTS", 100),
        first: Some("ELSEWISE_RANDOM_FIRST"),
    },
    Part {
        name: "solvers",
        about: "campaigns that ask Z3 much: 1, 2, 4 and 8 workers, solvers killed: the same tree",
        tests: "package(elsewise) & test(/^solving::any_number/)",
        count: ("ELSEWISE_ASKING_CAMPAIGNS", 6),
        first: None,
    },
    Part {
        name: "fixtures",
        about: "what the fixtures of tests say of themselves; writes tests/checked.toml",
        tests: "package(elsewise-tests) & \
                (test(/^(subjects|structures|generator)::/) | test(/::expectations_/))",
        count: ("ELSEWISE_CHECK_FIXTURES", 1),
        first: None,
    },
];

/// `words`: names of parts; behind the only one, how many cases and the first one's number.
pub fn run(root: &Path, words: &[&str]) -> Result<()> {
    if words == ["list"] {
        for part in PARTS {
            println!("{:<10} {:>8}  {}", part.name, part.count.1, part.about);
        }
        return Ok(());
    }
    let (names, numbers): (Vec<&str>, Vec<&str>) =
        words.iter().partition(|word| word.parse::<u64>().is_err());
    ensure!(
        numbers.len() <= 2 && (numbers.is_empty() || names.len() == 1),
        "numbers are for one part: how many cases, and which is the first"
    );
    let mut parts = Vec::new();
    for name in &names {
        let part = PARTS.iter().find(|part| part.name == *name);
        parts.push(part.with_context(|| {
            let known: Vec<&str> = PARTS.iter().map(|part| part.name).collect();
            format!("no part {name}; there are {}", known.join(", "))
        })?);
    }
    if parts.is_empty() {
        parts = PARTS.iter().collect();
    }
    let begun = Instant::now();
    let mut failed = Vec::new();
    for part in parts {
        let (variable, usual) = part.count;
        let count = numbers
            .first()
            .map_or(usual.to_string(), ToString::to_string);
        println!("=== {}: {} ({count})", part.name, part.about);
        let mut command = Command::new(env!("CARGO"));
        command
            .args([
                "nextest",
                "run",
                "--locked",
                "--workspace",
                "--profile=soak",
            ])
            .args(["-E", part.tests])
            .current_dir(root)
            .env(variable, &count);
        if let Some(first) = numbers.get(1) {
            let Some(variable) = part.first else {
                bail!("the cases of {} have no numbers", part.name);
            };
            command.env(variable, first);
        }
        if !command.status()?.success() {
            failed.push(part.name);
        }
    }
    println!("=== {} minutes", begun.elapsed().as_secs() / 60);
    ensure!(failed.is_empty(), "failed: {}", failed.join(", "));
    Ok(())
}
