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
        "minimize",
        "status",
        "worker",
        "report",
        "keep",
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
        let args: Vec<&str> = [verb, "-h"].into_iter().filter(|a| !a.is_empty()).collect();
        let ran = place.run(&args);
        assert_eq!(ran.code, 0);
        insta::assert_snapshot!(format!("short_{verb}"), ran.stdout);
        // A line for each flag: what does not fit goes on where the text begins.
        let goes_on = |line: &&str| line.starts_with(&" ".repeat(20)) && !line.contains("   -");
        let flags = ran.stdout.split("Options:").skip(1).flat_map(str::lines);
        let long: Vec<&str> = flags.filter(goes_on).collect();
        assert!(long.is_empty(), "{verb}: {long:#?}");
    }
    assert_eq!(place.run(&["--version"]).code, 0);
}
