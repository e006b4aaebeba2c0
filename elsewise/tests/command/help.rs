//! The help texts, as people see them.

use crate::support::Place;

#[test]
fn help_texts() {
    let place = Place::new();
    for verb in [
        "",
        "explore",
        "replay",
        "show",
        "status",
        "worker",
        "report",
        "check",
        "export",
        "capture",
        "doctor",
        "cache",
        "stdlib",
        "lsp",
        "mcp",
        "completions",
        "man",
    ] {
        let args: Vec<&str> = [verb, "--help"]
            .into_iter()
            .filter(|a| !a.is_empty())
            .collect();
        let ran = place.run(&args);
        assert_eq!(ran.code, 0);
        insta::assert_snapshot!(format!("help_{verb}"), ran.stdout);
    }
    assert_eq!(place.run(&["--version"]).code, 0);
}
