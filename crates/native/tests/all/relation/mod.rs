//! Programs as transition relations against the truth: a machine that follows them takes the same sides
//! and ends the same way as the instrumented program does on the same inputs.

mod machine;

use crate::csmith;

use elsewise_driver::{Cache, Program, Toolchain};
use elsewise_explore::{Case, Outcome, Subject};
use elsewise_functions::{Build, FunctionOptions, FunctionSubject};
use elsewise_native::{Capacities, NativeOptions, NativeSubject, Stdin};
use elsewise_term::Terms;
use elsewise_test_random::Random;
use machine::{Ended, Machine};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

fn subject(source: &str, stdin: Stdin, folder: &Path) -> NativeSubject {
    let file = folder.join("subject.c");
    fs::write(&file, source).unwrap();
    let cache = Cache::at(folder.join("cache"));
    let program = Program::from_source_with(&[file], &[], &folder.join("out"), &cache)
        .unwrap_or_else(|error| panic!("{error}"));
    let options = NativeOptions {
        stdin,
        ..NativeOptions::default()
    };
    NativeSubject::new(&program, &options).unwrap_or_else(|error| panic!("{error}"))
}

/// Runs a case both ways; how it ended.
fn compare(subject: &mut NativeSubject, case: &Case) -> Ended {
    let trace = subject.run(case, &mut Terms::new()).unwrap();
    let program = subject.program().expect("there is a program");
    let input = |name: &str, occurrence| subject.input_bytes(case, name, occurrence);
    let mut machine = Machine::new(&program, subject.blueprint(), &input);
    let ended = machine.run();
    if let Ended::Lost(_) = ended {
        // As far as it went, the run went there as well.
        let all: BTreeSet<_> = trace.covered.iter().copied().collect();
        assert!(machine.covered.is_subset(&all), "{case:?}: {ended:?}");
        return ended;
    }
    let expected = match &trace.outcome {
        Outcome::Exit(_) => Ended::Exit,
        Outcome::Assumed => Ended::Dismissed,
        _ => Ended::Fail,
    };
    assert_eq!(ended, expected, "{case:?}: {:?}", trace.outcome);
    let covered: Vec<_> = machine.covered.iter().copied().collect();
    assert_eq!(covered, trace.covered, "{case:?}");
    // Choices of the trace are among those of the machine, in this order.
    let mut taken = machine.choices.iter();
    for choice in &trace.choices {
        let site = &subject.blueprint().sites[choice.site.0 as usize];
        if site.sides > 0 {
            let found =
                taken.any(|(site, side)| *site == choice.site && u64::from(*side) == choice.taken);
            assert!(found, "{case:?}: {choice:?}");
        }
    }
    ended
}

fn case(inputs: &[(&str, &[u8])]) -> Case {
    let mut case = Case::default();
    for (name, bytes) in inputs {
        case.inputs.insert((*name).into(), bytes.to_vec());
    }
    case
}

#[test]
fn a_program_of_scalars_arrays_and_calls() {
    let folder = tempfile::tempdir().unwrap();
    let source = r#"
        #include <assert.h>
        #include <stdlib.h>
        #include <string.h>
        void klee_make_symbolic(void *, size_t, const char *);
        int __VERIFIER_nondet_int(void);
        static int table[4] = { 3, 1, 4, 1 };
        static int *const pointers[2] = { &table[1], table };
        struct pair { int a; short b; };
        static struct pair swap(struct pair p) { struct pair q = { p.b, (short)p.a }; return q; }
        static int twice(int x) { return 2 * x; }
        static int thrice(int x) { return 3 * x; }
        static int (*const functions[2])(int) = { twice, thrice };
        int main(int argc, char **argv) {
            int x, y = __VERIFIER_nondet_int();
            klee_make_symbolic(&x, sizeof x, "x");
            if (argc != 1 || !argv[0][0]) return 9;
            struct pair p = swap((struct pair){ x, (short)y });
            if (p.a == 7) return 1;
            switch (x & 7) { case 1: y++; break; case 5: y--; break; default: y ^= 3; }
            int *memory = malloc(4 * sizeof *memory);
            memset(memory, 0, 16);
            memcpy(memory, table, sizeof table);
            memory[x & 3] += *pointers[y & 1];
            int r = functions[x > 3](y);
            assert(r != 42);
            r = __builtin_popcount(x) + __builtin_clz(y | 1) + __builtin_bswap32(x);
            int sum;
            if (__builtin_add_overflow(x, y, &sum)) r++;
            if (r % 5 == memory[2]) r = y / x;
            free(memory);
            return r == 3 ? 1 : 0;
        }
    "#;
    let mut subject = subject(source, Stdin::Fixed(0), folder.path());
    let mut seen = BTreeSet::new();
    for x in [0, 1, 5, 13, 0x7fff_ffff, -1, 7] {
        for y in [0, 1, 7, 21, 14, 15, -1, i32::MAX] {
            let (x, y) = (i32::to_le_bytes(x), i32::to_le_bytes(y));
            let ended = compare(&mut subject, &case(&[("x", &x), ("nondet_int", &y)]));
            seen.insert(format!("{ended:?}"));
        }
    }
    assert_eq!(seen, ["Exit", "Fail"].map(String::from).into());
}

#[test]
fn comparisons_and_library_functions() {
    let folder = tempfile::tempdir().unwrap();
    let source = r#"
        #include <elsewise.h>
        #include <errno.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        int main(void) {
            char text[8];
            unsigned size;
            elsewise_input(text, 7, "text");
            elsewise_input(&size, sizeof size, "size");
            text[7] = 0;
            elsewise_assume(size < 8);
            int first = memcmp(text, "abcdefg", 3), second = memcmp(text, "abcdefg", size);
            if (first == 0) puts("begins");
            if (second > 0) return 1;
            if (strcmp(text, "abd") < 0 && strncmp(text, "abc", size) == 0) return 2;
            char *copy = strdup(text), *zeroed = calloc(size, 2);
            if (strlen(copy) > 3) strcpy(zeroed, "");
            if (strchr(copy, 'x') || size && zeroed[size]) return 3;
            long number = strtol(text, 0, 10);
            if (number == 12) return errno;
            free(copy);
            free(zeroed);
            return 0;
        }
    "#;
    let mut subject = subject(source, Stdin::Fixed(0), folder.path());
    let mut seen = BTreeMap::new();
    for text in ["abcdefg", "abd", "abc", "", "12", "x", "99999999"] {
        for size in [0u32, 2, 7, 9] {
            let size = size.to_le_bytes();
            let inputs = [
                ("text", &text.as_bytes()[..text.len().min(7)]),
                ("size", &size),
            ];
            let ended = compare(&mut subject, &case(&inputs));
            *seen.entry(format!("{ended:?}")).or_insert(0) += 1;
        }
    }
    assert!(seen["Exit"] == 21 && seen["Dismissed"] == 7, "{seen:?}");
}

/// How runs of programs ended, each with how many.
type Counts = Mutex<BTreeMap<String, usize>>;

fn count(counts: &Counts, ended: &Ended) {
    *counts
        .lock()
        .unwrap()
        .entry(format!("{ended:?}"))
        .or_default() += 1;
}

fn random_program(seed: u64, cache: &Cache, counts: &Counts) {
    let folder = tempfile::tempdir().unwrap();
    let (text, _) = csmith::program(seed, folder.path());
    let names: Vec<String> = csmith::globals(&text).map(String::from).collect();
    let source = folder.path().join("program.c");
    fs::write(&source, text).unwrap();
    let level = ["-O0", "-O1", "-O2", "-O3"][seed as usize % 4];
    let flags = csmith::COMPILE.into_iter().chain([level, "-DEXPECTED=0"]);
    let flags: Vec<OsString> = flags.map(OsString::from).collect();
    let built = Program::from_source_with(&[source], &flags, &folder.path().join("out"), cache);
    let built = built.unwrap_or_else(|error| panic!("{seed}: {error}"));
    let options = NativeOptions {
        stdin: Stdin::Fixed(0),
        time_limit: Duration::from_secs(5),
        capacities: Capacities {
            nodes: 1 << 22,
            events: 1 << 18,
            ..Capacities::default()
        },
        ..NativeOptions::default()
    };
    let mut subject = NativeSubject::new(&built, &options).unwrap();
    let mut random = Random::new(seed);
    for round in 0..3 {
        let mut case = Case::default();
        for name in &names {
            let bytes = (0..64).map(|_| {
                let word = random.word();
                // Most bytes are small: large numbers make loops long.
                match (round, word >> 60) {
                    (0, _) | (_, 0..10) => 0,
                    (_, 10..14) => (word >> 32) as u8 & 3,
                    _ => (word >> 32) as u8,
                }
            });
            case.inputs.insert(name.clone(), bytes.collect());
        }
        count(counts, &compare(&mut subject, &case));
    }
}

#[test]
fn random_programs() {
    let number = |name: &str| std::env::var(name).ok().map(|n| n.parse().unwrap());
    let programs: u64 = number("ELSEWISE_RANDOM_PROGRAMS").unwrap_or(2);
    let first = number("ELSEWISE_RANDOM_FIRST").unwrap_or(1);
    let next = AtomicU64::new(first);
    let counts = Counts::default();
    let place = tempfile::tempdir().unwrap();
    let cache = Cache::at(place.path().join("cache"));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= first + programs {
                        return;
                    }
                    eprintln!("csmith {seed}");
                    random_program(seed, &cache, &counts);
                }
            });
        }
    });
    let counts = counts.into_inner().unwrap();
    println!("{counts:#?}");
    let done = counts.get("Exit").copied().unwrap_or(0) as u64;
    assert!(done > programs, "most are followed to the end");
}

/// A value of an `expect.toml`.
fn value<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    Some(
        line.trim_start()
            .strip_prefix('=')?
            .trim()
            .trim_matches('"'),
    )
}

fn from_hex(text: &str) -> Vec<u8> {
    (0..text.len() / 2)
        .map(|index| u8::from_str_radix(&text[2 * index..2 * index + 2], 16).unwrap())
        .collect()
}

/// Runs a subject of `tests/subjects/inputs` on its failing case, on zeroes, and on what is near to the case.
fn known_subject(folder: &Path, twin: &str, cache: &Cache, counts: &Counts) {
    let text = fs::read_to_string(folder.join("expect.toml")).unwrap();
    let options = value(&text, "options").unwrap_or_default();
    let size = options.split_once("--input-size=").map_or(0, |(_, size)| {
        let digits = size.split(|c: char| !c.is_ascii_digit()).next();
        digits.unwrap().parse().unwrap()
    });
    let mut failing = Case::default();
    let (_, listed) = text.split_once("[witness]").unwrap_or_default();
    for line in listed.lines().filter(|line| line.contains(" = \"")) {
        let (key, hex) = line.split_once(" = ").unwrap();
        let bytes = from_hex(hex.trim_matches('"'));
        failing.inputs.insert(key.into(), bytes);
    }
    let place = tempfile::tempdir().unwrap();
    let mut files = vec![folder.join(twin)];
    files.extend(
        fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|ending| ending == "c"))
            .filter(|path| path.with_extension("").file_name() != folder.file_name())
            .filter(|path| !path.to_string_lossy().ends_with(".fixed.c")),
    );
    let built = Program::from_source_with(&files, &[], &place.path().join("out"), cache);
    let built = built.unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let args = value(&text, "args")
        .unwrap_or_default()
        .trim_matches(['[', ']']);
    let args = args.split(',').map(|arg| arg.trim().trim_matches('"'));
    let options = NativeOptions {
        stdin: Stdin::Fixed(size),
        args: args
            .filter(|arg| !arg.is_empty())
            .map(OsString::from)
            .collect(),
        ..NativeOptions::default()
    };
    let mut subject = NativeSubject::new(&built, &options).unwrap();
    let mut cases = vec![failing.clone(), Case::default()];
    for (key, bytes) in &failing.inputs {
        for index in 0..bytes.len() {
            for change in [1, 0x80] {
                let mut case = failing.clone();
                case.inputs.get_mut(key).unwrap()[index] ^= change;
                cases.push(case);
            }
        }
    }
    assert!(subject.program().is_ok(), "{}", folder.display());
    for case in &cases {
        let ended = compare(&mut subject, case);
        if let Ended::Lost(_) = &ended {
            eprintln!("{}/{twin}: {ended:?}", folder.display());
        }
        count(counts, &ended);
    }
}

#[test]
fn subjects_with_a_bug_and_their_twins() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/subjects/inputs");
    let counts = Counts::default();
    let place = tempfile::tempdir().unwrap();
    let cache = Cache::at(place.path().join("cache"));
    for entry in fs::read_dir(folder).unwrap() {
        let folder = entry.unwrap().path();
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        for twin in [format!("{name}.c"), format!("{name}.fixed.c")] {
            known_subject(&folder, &twin, &cache, &counts);
        }
    }
    let counts = counts.into_inner().unwrap();
    println!("{counts:#?}");
    assert!(counts["Exit"] > 300 && counts["Fail"] > 20, "{counts:?}");
}

/// A function as a subject, with the harness that is written for it.
fn function_subject(source: &str, folder: &Path) -> NativeSubject {
    let file = folder.join("source.c");
    fs::write(&file, source).unwrap();
    let options = FunctionOptions {
        function: "f".into(),
        max_objects: 3,
        max_elements: 4,
        max_string: 4,
        ..FunctionOptions::default()
    };
    let build = Build {
        flags: &[],
        for_all: &[],
        database: None,
    };
    let clang = Toolchain::find().unwrap().clang;
    let written =
        elsewise_functions::harness(&clang, folder, &file, &[], build, &options, folder).unwrap();
    let out = folder.join("out");
    let cache = Cache::at(folder.join("cache"));
    let FunctionSubject {
        files,
        flags,
        reals,
        ..
    } = &written;
    let program = Program::from_parts(files, flags, reals, &out, &cache).unwrap();
    let options = NativeOptions {
        stdin: Stdin::Fixed(0),
        ..NativeOptions::default()
    };
    NativeSubject::new(&program, &options).unwrap()
}

#[test]
fn functions_of_numbers_structs_and_pointers() {
    let folder = tempfile::tempdir().unwrap();
    let source = r#"
        enum colour { RED = 2, GREEN = 7, BLUE };
        struct node { int value; struct node *next; };
        int limit = 3;
        int f(int a, enum colour colour, struct node *list, const char *text)
        {
            int sum = 0;
            if (colour == GREEN)
                a *= 2;
            for (int i = 0; list && i < limit; i++, list = list->next)
                sum += list->value == a ? 1 : 2;
            if (text && text[0] == 'x' && text[1] == 0)
                return sum / a;
            return sum;
        }
    "#;
    let mut subject = function_subject(source, folder.path());
    let mut random = Random::new(0x5eed);
    let (mut seen, mut sides) = (BTreeMap::new(), BTreeSet::new());
    for _ in 0..60 {
        let mut case = Case::default();
        for name in [
            "a",
            "colour",
            "list",
            "text",
            "struct node",
            "char",
            "limit",
        ] {
            let bytes = (0..48).map(|index| {
                let word = random.word();
                match (name, index) {
                    ("char", 0) => b'x',
                    _ => (word >> 40) as u8 & 3,
                }
            });
            let key = name.replace(' ', "%20");
            case.inputs.insert(key, bytes.collect());
        }
        let ended = compare(&mut subject, &case);
        *seen.entry(format!("{ended:?}")).or_insert(0) += 1;
        let trace = subject.run(&case, &mut Terms::new()).unwrap();
        sides.extend(trace.covered);
    }
    assert!(
        seen["Exit"] > 40 && sides.len() >= 10,
        "{seen:?}, {sides:?}"
    );
}
