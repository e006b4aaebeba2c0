//! What small machines do, as one line for each event.

pub mod lines;

use elsewise_statechart::model::Model;
use elsewise_statechart::validate;
use elsewise_statechart_testing::reference::{Interpreter, Scripted};

/// What a machine does at its start and at each event, as names of what was called.
pub fn runs(model: &Model, events: &[&str]) -> Vec<String> {
    let errors: Vec<_> = validate(model)
        .into_iter()
        .filter(|it| it.severity == elsewise_statechart::Severity::Error)
        .collect();
    assert_eq!(errors, [], "the machine is not well formed");
    let capsule = &model.capsules[0];
    let mut interpreter = Interpreter::new(capsule, model.semantics).unwrap();
    let mut host = Scripted::default();
    host.variables.insert("x".into(), 0);
    let mut lines = Vec::new();
    interpreter.start(&mut host).unwrap();
    lines.push(taken(&mut host));
    for name in events {
        let event = capsule.event_named(None, name);
        let event = event.unwrap_or_else(|| panic!("no event {name}"));
        interpreter.give(event, &mut host).unwrap();
        lines.push(taken(&mut host));
    }
    assert_eq!(
        host.unknown,
        Vec::<String>::new(),
        "code was not understood"
    );
    lines
}

fn taken(host: &mut Scripted) -> String {
    let calls = std::mem::take(&mut host.calls);
    let names: Vec<String> = calls.into_iter().map(|(name, _)| name).collect();
    names.join(" ")
}
