//! Random models are well formed and do what they are said to do, and damaged ones give a model or a
//! message.

use elsewise_statechart::model::{EventId, Format, Model};
use elsewise_statechart::{read_text, validate};
use elsewise_statechart_testing::random::{Shape, random, write_qm};
use elsewise_statechart_testing::reference::{EventInstance, Interpreter, Scripted};
use elsewise_test_random::Random;
use std::fs;
use std::path::Path;

fn shape(seed: u64, format: Format, branches: usize) -> Shape {
    Shape {
        seed,
        format,
        branches,
        depth: 4,
    }
}

/// What a model has done after some random events, as the number that it keeps for that.
fn traces(model: &Model, seed: u64) -> Vec<i64> {
    let capsule = &model.capsules[0];
    let mut interpreter = Interpreter::new(capsule, model.semantics).unwrap();
    let mut host = Scripted::new(&capsule.attributes);
    let name = match model.format {
        Format::Qm => "me->trace",
        Format::UmlRt | Format::Scxml => "trace",
    };
    let mut dice = Random::new(seed);
    interpreter.start(&mut host).unwrap();
    let mut traces = vec![host.variables[name]];
    for _ in 0..60 {
        // By name: another model may number its events in another way.
        let wanted = format!("E{}", dice.below(12));
        let events = capsule.events.iter();
        let position = events
            .clone()
            .position(|it| it.name.eq_ignore_ascii_case(&wanted));
        let data = ["p0", "p1"].map(|name| (name.to_owned(), dice.below(40) as i64 - 10));
        if let Some(event) = position.map(EventId::of) {
            let data = data.to_vec();
            interpreter
                .give_with(EventInstance { event, data }, &mut host)
                .unwrap();
        }
        traces.push(host.variables[name]);
    }
    assert_eq!(host.unknown, Vec::<String>::new());
    traces
}

#[test]
fn random_models_are_well_formed() {
    for format in [Format::Qm, Format::UmlRt, Format::Scxml] {
        let mut moved = 0;
        for seed in 0..60 {
            let made = random(shape(seed, format, 40 + 5 * seed as usize));
            assert_eq!(validate(&made.model), [], "{format:?} {seed}");
            assert!(made.branches >= 40 && made.length < 60, "{}", made.length);
            let traces = traces(&made.model, seed);
            moved += traces.windows(2).filter(|two| two[0] != two[1]).count();
        }
        assert!(
            moved > 600,
            "{format:?}: only {moved} events of 3600 did anything"
        );
    }
}

#[test]
fn a_random_model_is_the_same_when_written_and_read() {
    for seed in 0..60 {
        let made = random(shape(seed, Format::Qm, 120)).model;
        let text = write_qm(&made);
        let read = read_text("random.qm", &text).unwrap().model;
        let count = |model: &Model| {
            let machine = model.capsules[0].machine.clone().unwrap();
            (machine.vertices.len(), machine.transitions.len())
        };
        assert_eq!(count(&made), count(&read), "{seed}");
        assert_eq!(traces(&made, seed), traces(&read, seed), "{seed}");
        let parameters = |model: &Model| {
            let events = &model.capsules[0].events;
            events.iter().filter(|it| it.parameters.len() == 2).count()
        };
        assert!(parameters(&read) > 0);
    }
}

#[test]
fn there_are_large_ones() {
    let made = random(shape(1, Format::Qm, 5000));
    assert!((5000..5100).contains(&made.branches), "{}", made.branches);
    assert_eq!(validate(&made.model), []);
    assert!(made.length <= 30, "{}", made.length);
}

/// A text with a few bytes exchanged, left out or doubled, or with words exchanged.
fn damaged(text: &str, dice: &mut Random) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..1 + dice.below(4) {
        let at = dice.below(bytes.len());
        let end = (at + 1 + dice.below(40)).min(bytes.len());
        match dice.below(6) {
            0 => bytes[at] = dice.below(256) as u8,
            1 => {
                bytes.drain(at..end);
            }
            2 => {
                let piece = bytes[at..end].to_vec();
                let to = dice.below(bytes.len());
                bytes.splice(to..to, piece);
            }
            3 => bytes[at] = b"0123456789./<>\"&;:"[dice.below(18)],
            4 => bytes.truncate(at + 1),
            // A number becomes another one: references lead elsewhere.
            _ => {
                let digits = (0..bytes.len()).filter(|it| bytes[*it].is_ascii_digit());
                let digits: Vec<usize> = digits.collect();
                if !digits.is_empty() {
                    bytes[digits[dice.below(digits.len())]] = b'0' + dice.below(10) as u8;
                }
            }
        }
        if bytes.is_empty() {
            bytes.push(b'<');
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn damaged_models_give_a_model_or_a_message() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/subjects/charts");
    let mut dice = Random::new(7);
    let (mut read, mut refused) = (0, 0);
    for file in [
        "collision/qm/collision.qm",
        "rover/rover.uml",
        "cruise/cruise.scxml",
    ] {
        let text = fs::read_to_string(folder.join(file)).unwrap();
        assert!(read_text(file, &text).is_ok());
        for _ in 0..700 {
            let text = damaged(&text, &mut dice);
            match read_text(file, &text) {
                Ok(reading) => {
                    read += 1;
                    // What was read can be run, whatever it does.
                    let capsule = &reading.model.capsules[0];
                    if let Some(mut machine) = Interpreter::new(capsule, reading.model.semantics) {
                        let mut host = Scripted::new(&capsule.attributes);
                        let mut going = machine.start(&mut host).is_ok();
                        for event in (0..capsule.events.len()).map(EventId::of) {
                            going = going && machine.give(event, &mut host).is_ok();
                        }
                    }
                }
                Err(refusal) => {
                    refused += 1;
                    assert!(refusal.errors().next().is_some());
                    assert!(!refusal.to_string().is_empty());
                }
            }
        }
    }
    assert!(
        read > 100 && refused > 100,
        "{read} read, {refused} refused"
    );
}
