//! What runs inside of SWI-Prolog, tested there: instrumented programs behave as they do, the prelude
//! as SWI-Prolog's own predicates, and the server answers.

use std::path::Path;
use std::process::Command;

fn part(name: &str) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("swi/test/run.pl");
    let output = Command::new("swipl")
        .arg(&script)
        .args(["--", name])
        .output()
        .expect("swipl is installed");
    assert!(
        output.status.success(),
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn answers_their_order_and_side_effects_are_kept() {
    part("kept");
}

#[test]
fn the_prelude_does_what_swi_prolog_does() {
    part("prelude");
}

#[test]
fn the_server_answers() {
    part("server");
}
