//! Conditions against the truth: on every input of a small program, the conditions of a run hold
//! for exactly those inputs that take the same path.

use elsewise_driver::{Cache, Program};
use elsewise_explore::{Case, Choice, Outcome, Subject};
use elsewise_native::{Capacities, NativeOptions, NativeSubject, Stdin};
use elsewise_term::{Bits, Model, Node, Sort, TermId, Terms};
use std::collections::BTreeMap;
use std::fs;

fn subject(source: &str, stdin: Stdin, folder: &std::path::Path) -> NativeSubject {
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

/// A path: its choices, its outcome, and the inputs that took it.
struct Path {
    choices: Vec<Choice>,
    conditions: Vec<TermId>,
    outcome: Outcome,
    inputs: Vec<usize>,
}

/// Runs all inputs and compares. The number of paths and the outcomes with how many inputs each.
fn compare(subject: &mut NativeSubject, inputs: &[Vec<u8>]) -> (usize, BTreeMap<i32, usize>) {
    let mut terms = Terms::new();
    let mut paths: Vec<Path> = Vec::new();
    let mut outcomes = BTreeMap::new();
    for (index, input) in inputs.iter().enumerate() {
        let mut case = Case::default();
        case.inputs.insert("stdin".into(), input.clone());
        let trace = subject.run(&case, &mut terms).unwrap();
        assert_eq!(trace.approximations, [], "{input:?}");
        if let Outcome::Exit(code) = trace.outcome {
            *outcomes.entry(code).or_default() += 1;
        }
        match paths.iter_mut().find(|path| path.choices == trace.choices) {
            Some(path) => {
                assert_eq!(path.outcome, trace.outcome, "{input:?}");
                path.inputs.push(index);
            }
            None => paths.push(Path {
                conditions: trace
                    .choices
                    .iter()
                    .map(|choice| choice.taken_condition(&mut terms))
                    .collect(),
                choices: trace.choices,
                outcome: trace.outcome,
                inputs: vec![index],
            }),
        }
    }
    for (index, input) in inputs.iter().enumerate() {
        let model = model(&mut terms, input);
        for path in &paths {
            let holds = path
                .conditions
                .iter()
                .all(|condition| terms.eval_bool(*condition, &model));
            assert_eq!(holds, path.inputs.contains(&index), "{input:?}");
        }
    }
    (paths.len(), outcomes)
}

fn model(terms: &mut Terms, input: &[u8]) -> Model {
    let mut model = Model::default();
    let mut set = |terms: &mut Terms, key, width, value| {
        let term = terms.variable(key, Sort::BitVec(width));
        let Node::Var(var) = terms.node(term) else {
            panic!("a variable is a variable");
        };
        model.set(var, Bits::new(width, value));
    };
    for (offset, byte) in input.iter().enumerate() {
        set(terms, offset as u64, 8, (*byte).into());
    }
    set(terms, 0xffff_ffff, 64, input.len() as u64);
    model
}

#[test]
fn every_byte_of_a_program_with_all_kinds_of_choices() {
    let folder = tempfile::tempdir().unwrap();
    let mut subject = subject(
        r#"
        #include <unistd.h>
        static int table[16] = { 3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3 };
        static int digits(unsigned x) { return x < 10 ? 1 : 1 + digits(x / 10); }
        int main(void) {
            unsigned char c;
            if (read(0, &c, 1) != 1) return 99;
            signed char s = (signed char)c;
            int r = 0;
            if (s < -100) r += 1;
            for (int i = 0; i < (c & 3); i++) r += i;
            switch (c % 11) {
            case 0: r += 10; break;
            case 3: r += 20; break;
            case 7: if (c > 100) r += 30; break;
            default: r += c & 1 ? 2 : 4;
            }
            r += table[c >> 4] > 4 ? 40 : 0;
            r += digits(c);
            unsigned long long w = (unsigned long long)c << 40 | c;
            if ((w * 3 ^ w >> 3) % 7 == 2) r ^= 64;
            short h = (short)(c * 300);
            if (h < 0 && h / 7 < -1000) r += 5;
            return r & 127;
        }
        "#,
        Stdin::Fixed(1),
        folder.path(),
    );
    let inputs: Vec<Vec<u8>> = (0..=255).map(|byte| vec![byte]).collect();
    let (paths, outcomes) = compare(&mut subject, &inputs);
    assert!(paths > 50, "{paths} paths");
    assert!(outcomes.len() > 20, "{outcomes:?}");
    // The plain build agrees on the outcome of a sample.
    for byte in (0..=255).step_by(17) {
        let mut case = Case::default();
        case.inputs.insert("stdin".into(), vec![byte]);
        let trace = subject.run(&case, &mut Terms::new()).unwrap();
        assert_eq!(subject.confirm(&case).unwrap(), trace.outcome);
    }
}

#[test]
fn an_undefined_value_is_the_same_wherever_it_is_used() {
    let folder = tempfile::tempdir().unwrap();
    let mut subject = subject(
        r#"
        #include <unistd.h>
        int main(void) {
            unsigned char c;
            if (read(0, &c, 1) != 1) return 99;
            int out_of_range = 0x1p90f; // poison: clang folds the conversion
            int unset;
            int r = out_of_range != c ? 1 : 2;
            r += unset < c ? 4 : 8;
            return r + ((out_of_range ^ c) & 1 ? 16 : 32);
        }
        "#,
        Stdin::Fixed(1),
        folder.path(),
    );
    let inputs: Vec<Vec<u8>> = (0..=255).map(|byte| vec![byte]).collect();
    let (paths, _) = compare(&mut subject, &inputs);
    assert!(paths >= 2, "{paths} paths");
}

#[test]
fn every_length_of_a_program_that_does_not_look_at_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut subject = subject(
        r#"
        #include <unistd.h>
        int main(void) {
            unsigned char b[3] = { 7, 8, 9 };
            (void)!read(0, b, 2);
            long more = read(0, b + 2, 1);
            if (b[0] == 'a') return 1;
            if (b[1] == 'a' && more) return 2;
            return b[2] > 'a' ? 3 : 4;
        }
        "#,
        Stdin::Free { max: 4 },
        folder.path(),
    );
    let alphabet = [0, 7, 8, b'a', b'b'];
    let mut inputs = vec![vec![]];
    let mut from = 0;
    for _ in 0..4 {
        let to = inputs.len();
        for index in from..to {
            for byte in alphabet {
                let mut longer: Vec<u8> = inputs[index].clone();
                longer.push(byte);
                inputs.push(longer);
            }
        }
        from = to;
    }
    let (paths, outcomes) = compare(&mut subject, &inputs);
    assert!(paths >= 8, "{paths} paths");
    assert_eq!(outcomes.keys().copied().collect::<Vec<_>>(), [1, 2, 3, 4]);
}

/// A trace for which there is too little room, wherever it ends, is one that is cut.
#[test]
fn a_trace_without_room_is_cut_and_not_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("subject.c");
    let source = r#"
        #include <stdlib.h>
        #include <unistd.h>
        int main(void) {
            signed char b[3];
            static char table[40];
            if (read(0, b, sizeof b) != sizeof b) return 1;
            int sum = b[0] / b[1] + b[0] % (b[2] | 1);
            table[(unsigned char)b[2] + 20] = 1;
            char *block = malloc(b[0] * 4 + 600);
            switch (b[1]) { case 4: sum++; break; case 5: sum--; }
            write(1, block + (b[2] & 7), 1);
            return sum > 3;
        }
    "#;
    fs::write(&file, source).unwrap();
    let cache = Cache::at(folder.path().join("cache"));
    let flags = ["-fsanitize=undefined".into()];
    let out = folder.path().join("out");
    let program = Program::from_source_with(&[file], &flags, &out, &cache).unwrap();
    let run = |nodes| {
        let options = NativeOptions {
            stdin: Stdin::Fixed(3),
            capacities: Capacities {
                nodes,
                ..Capacities::default()
            },
            ..NativeOptions::default()
        };
        let mut subject = NativeSubject::new(&program, &options).unwrap();
        let mut case = Case::default();
        case.inputs.insert("stdin".into(), vec![40, 3, 2]);
        let trace = subject.run(&case, &mut Terms::new());
        let trace = trace.unwrap_or_else(|error| panic!("{nodes} nodes: {error}"));
        trace
            .approximations
            .iter()
            .any(|one| one.kind.word() == "trace-cut")
    };
    let cut = (2..).take_while(|nodes| run(*nodes)).count();
    assert!((10..400).contains(&cut), "{cut}");
}
