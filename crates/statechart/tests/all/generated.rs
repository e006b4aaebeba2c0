//! Generated code does what the reference does: on random models and random messages, the same states
//! are left and entered and the same transitions are taken, in the same order.

use elsewise_driver::{Cache, Program};
use elsewise_explore::Case;
use elsewise_statechart::Project;
use elsewise_statechart::generate::{ElementKind, Options};
use elsewise_statechart::model::{EventId, Format, Model, TransitionId, VertexId};
use elsewise_statechart_testing::chance;
use elsewise_statechart_testing::random::{Shape, random};
use elsewise_statechart_testing::reference::{EventInstance, Happening, Interpreter, Scripted};
use elsewise_test_random::Random;
use std::fs;
use std::path::Path;
use std::process::Command;

const STEPS: u32 = 12;
const CASES: usize = 40;

/// What the generated program did, as it tells it itself.
fn generated(project: &Project, program: &Program, case: &Case, folder: &Path) -> Vec<Happening> {
    let (inputs, observed) = (folder.join("case"), folder.join("observed"));
    let _ = fs::remove_dir_all(&inputs);
    fs::create_dir_all(&inputs).unwrap();
    for (name, bytes) in &case.inputs {
        fs::write(inputs.join(name), bytes).unwrap();
    }
    let status = Command::new(&program.plain)
        .env("ELSEWISE_CASE", &inputs)
        .env("ELSEWISE_OBSERVED", &observed)
        .status()
        .unwrap();
    assert!(status.success(), "{status}");
    let told = fs::read_to_string(&observed).unwrap();
    let happening = |line: &str| {
        let (word, number) = line.split_once(' ')?;
        let element = match word {
            "reached" | "left" => &project.generated.elements[number.parse::<usize>().unwrap()],
            _ => return None,
        };
        Some(match (word, element.kind) {
            ("left", _) => Happening::Exited(VertexId::of(element.index)),
            (_, ElementKind::State) => Happening::Entered(VertexId::of(element.index)),
            (_, ElementKind::Transition) => Happening::Took(TransitionId::of(element.index)),
        })
    };
    told.lines().filter_map(happening).collect()
}

/// What the reference does with the same messages, up to the first that nobody takes.
fn expected(project: &Project, case: &Case) -> Vec<Happening> {
    let model: &Model = &project.model;
    let capsule = &model.capsules[0];
    let mut interpreter = Interpreter::new(capsule, model.semantics).unwrap();
    let mut host = Scripted::new(&capsule.attributes);
    interpreter.start(&mut host).unwrap();
    for step in 1..=STEPS {
        let Some(which) = case.inputs.get(&format!("step_{step}")) else {
            break;
        };
        let label = &project.generated.labels[0][usize::from(which[0])];
        let labels = (0..capsule.events.len()).map(|at| capsule.event_label(EventId::of(at)));
        let event = EventId::of(labels.into_iter().position(|one| one == *label).unwrap());
        let data = capsule.event(event).parameters.iter().map(|parameter| {
            let bytes = &case.inputs[&format!("step_{step}_{}", parameter.name)];
            let value = i32::from_le_bytes(bytes[..4].try_into().unwrap());
            (parameter.name.clone(), i64::from(value))
        });
        let data = data.collect();
        let before = interpreter.happened.len();
        interpreter
            .give_with(EventInstance { event, data }, &mut host)
            .unwrap();
        let new = &interpreter.happened[before..];
        if new.iter().any(|one| matches!(one, Happening::Discarded(_))) {
            break;
        }
    }
    assert_eq!(host.unknown, Vec::<String>::new());
    let order = interpreter.happened.iter().copied();
    order
        .filter(|one| {
            matches!(
                one,
                Happening::Entered(_) | Happening::Exited(_) | Happening::Took(_)
            )
        })
        .collect()
}

/// `ELSEWISE_RANDOM_MODELS` of them.
fn compare(format: Format) {
    let models = std::env::var("ELSEWISE_RANDOM_MODELS").map_or(3, |n| n.parse().unwrap());
    let mut moved = 0;
    for seed in 0..models {
        let made = random(Shape {
            seed,
            format,
            branches: 60,
            depth: 4,
        });
        let options = Options {
            steps: STEPS,
            ..Options::default()
        };
        let project = Project::of(made.model, &options).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let main = project.write(folder.path()).unwrap();
        let cache = Cache::at(folder.path().join("unpacked"));
        let program = Program::from_source_with(&[main], &["-w".into()], folder.path(), &cache);
        let program = program.unwrap_or_else(|error| panic!("{format:?} {seed}: {error}"));
        let mut dice = Random::new(seed);
        for number in 0..CASES {
            let case = chance::case(&project.generated, STEPS, &mut dice);
            let did = generated(&project, &program, &case, folder.path());
            let should = expected(&project, &case);
            assert_eq!(did, should, "{format:?}, model {seed}, case {number}");
            moved += did.len();
        }
    }
    assert!(moved > 500, "{format:?}: only {moved} things happened");
}

#[test]
fn models_of_qm() {
    compare(Format::Qm);
}

#[test]
fn models_of_umlrt() {
    compare(Format::UmlRt);
}

#[test]
fn models_of_scxml() {
    compare(Format::Scxml);
}
