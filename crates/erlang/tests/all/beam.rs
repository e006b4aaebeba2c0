//! What runs inside of the machine, tested there: `crates/erlang/beam/test`.

use std::path::Path;
use std::process::Command;

fn passes(name: &str) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("beam/test/run.escript");
    let output = Command::new("escript")
        .arg(script)
        .arg(name)
        .env("ERL_CRASH_DUMP_SECONDS", "0")
        .output()
        .expect("escript is there: run scripts/setup");
    assert!(
        output.status.success(),
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Calls of instrumented modules of the library end as those of the originals do.
#[test]
fn behaviour_is_kept() {
    passes("kept");
}

/// Functions that are told again give what the real ones give.
#[test]
fn models_are_the_functions() {
    passes("models");
}

/// Mailboxes, stacks, guards, tails, maps: what instrumentation must leave alone.
#[test]
fn traps_are_avoided() {
    passes("traps");
}

/// What is changed in place is what would be put anew.
#[test]
fn cells_are_kept_in_place() {
    passes("cell");
}

/// Limits, leftovers and funs as inputs.
#[test]
fn the_server_keeps_its_promises() {
    passes("server");
}

/// Modules of Elixir, by their debug information.
#[test]
fn modules_of_elixir_are_followed() {
    passes("elixir");
}
