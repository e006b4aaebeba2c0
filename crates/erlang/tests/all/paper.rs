//! The examples of the paper that the front end is made after (Palacios, Vidal: Concolic Execution in
//! Functional Programming by Program Instrumentation).

use elsewise_erlang::{Options, Project};
use elsewise_explore::Subject;
use elsewise_term::Terms;
use std::path::Path;

/// The flat program of its Figure 5.
const FIGURE_5: &str = r#"
module 'fig5' ['main'/1, 'app'/2] attributes []
'main'/1 = fun (X) -> let <W> = apply 'app'/2 (X, X) in W
'app'/2 = fun (X, Y) ->
    let <W1> = case X of
        <[]> when 'true' -> Y
        <[H|T]> when 'true' -> let <W2> = apply 'app'/2 (T, Y) in [H|W2]
    end in W1
end
"#;

fn project(folder: &Path, name: &str, text: &str, options: Options) -> Project {
    let file = folder.join(name);
    std::fs::write(&file, text).expect("a temporary folder can be written to");
    let options = Options {
        file,
        function: "main".into(),
        ..options
    };
    Project::open(&options).unwrap_or_else(|error| panic!("{error}"))
}

/// Example 2, with the bound variables that Definition 1 gives (the listing in the paper leaves those of
/// patterns out, its Figure 9 does not).
#[test]
fn events_of_example_2() {
    let folder = tempfile::tempdir().expect("there are temporary folders");
    let project = project(folder.path(), "fig5.core", FIGURE_5, Options::default());
    // [a] in the external term format.
    let list = [131, 108, 0, 0, 0, 1, 119, 1, b'a', 106].to_vec();
    let case = project.case_of(&[list]).expect("it is a term");
    let events = project.flat_events(&case).expect("it runs");
    let expected = [
        "call([X], [W], W, [X, X])",
        "case([X, Y], [W1, W2, H, T], 2, X, [H|T], [(1, X, []), (2, X, [H|T])])",
        "call([X, Y], [W1, W2, H, T], W2, [T, Y])",
        "case([X, Y], [W1, W2, H, T], 1, X, [], [(1, X, []), (2, X, [H|T])])",
        "exitcase([X, Y], [W1, W2, H, T], W1, Y)",
        "exit([X, Y], [W1, W2, H, T], W1)",
        "exitcase([X, Y], [W1, W2, H, T], W1, [H|W2])",
        "exit([X, Y], [W1, W2, H, T], W1)",
        "exit([X], [W], W)",
    ];
    assert_eq!(
        events.as_deref(),
        Some(expected.map(String::from).as_slice())
    );
}

/// The trace of Example 2 is 2, 1: two choices, whose other sides ask for an empty list and a longer one.
#[test]
fn choices_of_example_2() {
    let folder = tempfile::tempdir().expect("there are temporary folders");
    let project = project(folder.path(), "fig5.core", FIGURE_5, Options::default());
    let list = [131, 108, 0, 0, 0, 1, 119, 1, b'a', 106].to_vec();
    let case = project.case_of(&[list]).expect("it is a term");
    let mut terms = Terms::new();
    let mut subject = project.subject().expect("it starts");
    let trace = subject.run(&case, &mut terms).expect("it runs");
    let taken: Vec<u64> = trace
        .choices
        .iter()
        .map(|choice| choice.taken + 1)
        .collect();
    assert_eq!(taken, [2, 1]);
    assert!(
        trace.approximations.is_empty(),
        "{:?}",
        trace.approximations
    );
}
