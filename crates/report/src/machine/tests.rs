//! What other tools read is what their formats allow, whatever the subject is called and says.

use super::*;
use crate::graph::samples as graphs;
use crate::{GraphPicture, machine::samples};
use proptest::prelude::*;
use roxmltree::{Document, ParsingOptions};

/// A word that some format would act on, or any text at all.
fn hostile() -> impl Strategy<Value = String> {
    let words = [
        "</testcase><script>alert(1)</script>",
        "]]>&amp;<![CDATA[",
        "\"; rm -rf / #",
        "a\nend_of_record\nSF:/etc/passwd",
        "\u{0}\u{1}\u{b}\u{1b}[31m\u{9b}2J",
        "\u{fffe}\u{ffff}\u{202e}",
        "\\\" ]; x -> y; \\l\\N",
        "<B>{|}</B>",
        "../../%2e%2e/x y:z?#",
        "=cmd|' /C calc'!A0",
        "",
    ];
    let word = prop_oneof![
        proptest::sample::select(words.to_vec()).prop_map(str::to_owned),
        any::<String>(),
    ];
    proptest::collection::vec(word, 1..4).prop_map(|words| words.concat())
}

fn parse(text: &str) -> Document<'_> {
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    Document::parse_with_options(text, options).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Nothing that steers a terminal; lines and tabs are the document's own.
fn is_harmless(text: &str) -> bool {
    !text
        .chars()
        .any(|char| char.is_control() && !matches!(char, '\n' | '\t'))
}

#[test]
fn a_call_stands_in_the_place_of_its_bytes() {
    let mut sample = samples::usual();
    sample.call = Some("take(13, <<\"x\">>)".to_owned());
    let material = sample.material();
    let json = |text: String| serde_json::from_str::<serde_json::Value>(&text).unwrap();
    let call = "take(13, <<\"x\">>)";
    let document = json(document(&material).unwrap());
    assert_eq!(document["findings"][0]["call"], call);
    let sarif = json(sarif(&material).unwrap());
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!(result["properties"]["call"], call);
    let markdown = markdown(&material);
    assert!(
        markdown.contains(call) && !markdown.contains("Input:"),
        "{markdown}"
    );
    let junit = junit(&material).unwrap();
    let text = parse(&junit);
    let failure = text.descendants().find(|node| node.has_tag_name("failure"));
    let told = failure
        .and_then(|failure| failure.text())
        .unwrap_or_default();
    assert!(
        told.contains(call) && !told.contains("input stdin"),
        "{told}"
    );
}

proptest! {
    #![proptest_config(crate::samples::steady(256))]

    #[test]
    fn xml_keeps_its_shape(text in hostile()) {
        let sample = samples::with(&text);
        let material = sample.material();
        let junit = junit(&material).unwrap();
        let document = parse(&junit);
        prop_assert!(is_harmless(&junit));
        let count = |document: &Document<'_>, tag: &str| {
            document.descendants().filter(|node| node.has_tag_name(tag)).count()
        };
        prop_assert_eq!(count(&document, "testcase"), 3);
        prop_assert_eq!(count(&document, "failure"), 1);
        prop_assert_eq!(count(&document, "skipped"), 1);

        let cobertura = cobertura(&material);
        let document = parse(&cobertura);
        prop_assert!(is_harmless(&cobertura));
        prop_assert_eq!(count(&document, "condition"), 4);
    }

    #[test]
    fn json_keeps_its_shape(text in hostile()) {
        let sample = samples::with(&text);
        let sarif: serde_json::Value =
            serde_json::from_str(&sarif(&sample.material()).unwrap()).unwrap();
        let result = &sarif["runs"][0]["results"][0];
        let at = |value: &serde_json::Value| {
            value["physicalLocation"]["artifactLocation"]["uri"].clone()
        };
        if !text.is_empty() {
            let uri = at(&result["locations"][0]);
            let uri = uri.as_str().unwrap();
            prop_assert!(uri.bytes().all(|b| b.is_ascii_graphic() && !b"<>\"{}|\\^`# ?".contains(&b)), "{}", uri);
        }
        prop_assert_eq!(
            result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().unwrap().len(),
            3
        );
        let document: serde_json::Value =
            serde_json::from_str(&document(&sample.material()).unwrap()).unwrap();
        prop_assert_eq!(document["findings"][0]["message"].as_str(), Some(text.as_str()));
        let issues: serde_json::Value =
            serde_json::from_str(&code_quality(&sample.material()).unwrap()).unwrap();
        let issue = &issues[0];
        prop_assert!(is_harmless(issue["description"].as_str().unwrap()));
        let path = text.strip_prefix("./").unwrap_or(&text);
        prop_assert_eq!(issue["location"]["path"].as_str(), Some(path));
    }

    #[test]
    fn records_keep_their_lines(text in hostile()) {
        let sample = samples::with(&text);
        let lcov = lcov(&sample.places);
        prop_assert!(is_harmless(&lcov));
        // One file now, since all have the same name.
        prop_assert_eq!(lcov.lines().filter(|line| *line == "end_of_record").count(), 1);
        prop_assert_eq!(lcov.lines().filter(|line| line.starts_with("SF:")).count(), 1);
        let problems = problems(&text, &sample.material().findings);
        prop_assert!(is_harmless(&problems));
        prop_assert_eq!(problems.lines().filter(|line| line.contains(": error: ")).count(), 1);
    }

    #[test]
    fn comments_keep_their_blocks(text in hostile()) {
        let sample = samples::with(&text);
        let comment = markdown(&sample.material());
        prop_assert!(is_harmless(&comment));
        // Whatever stands between two fences is one block: they come in pairs.
        let mut open: Option<&str> = None;
        let mut blocks = 0;
        for line in comment.lines() {
            match open {
                None if line.starts_with("```") => {
                    open = Some(line.strip_suffix("text").unwrap());
                    blocks += 1;
                }
                None => prop_assert!(!line.contains('<') && !line.contains('@'), "{}", line),
                Some(fence) if line == fence => open = None,
                Some(_) => {}
            }
        }
        prop_assert!(open.is_none() && (2..=3).contains(&blocks), "{}", comment);
    }

    #[test]
    fn graphviz_strings_end_where_they_should(text in hostile()) {
        let quoted = dot_quoted(&text);
        let inner = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap();
        prop_assert!(is_harmless(&quoted) && !quoted.contains('\n'));
        // No quotation mark without a backslash of its own before it.
        let mut escaped = false;
        for char in inner.chars() {
            prop_assert!(escaped || char != '"');
            escaped = !escaped && char == '\\';
        }
        prop_assert!(!escaped);
    }
}

/// Without the version, which releases change.
fn of_any_version(text: &str) -> String {
    for known in [
        format!("\"{}\"", env!("CARGO_PKG_VERSION")),
        format!("elsewise {}", env!("CARGO_PKG_VERSION")),
    ] {
        if text.contains(&known) {
            return text.replace(
                &known,
                &known.replace(env!("CARGO_PKG_VERSION"), "[version]"),
            );
        }
    }
    panic!("it does not say the version");
}

#[test]
fn what_tools_are_given() {
    let sample = samples::usual();
    let material = sample.material();
    insta::assert_snapshot!("sarif", of_any_version(&sarif(&material).unwrap()));
    insta::assert_snapshot!("junit", junit(&material).unwrap());
    insta::assert_snapshot!("code_quality", code_quality(&material).unwrap());
    insta::assert_snapshot!("lcov", lcov(&material.places));
    insta::assert_snapshot!("cobertura", of_any_version(&cobertura(&material)));
    insta::assert_snapshot!("problems", problems("bst.c", &material.findings));
    insta::assert_snapshot!("markdown", markdown(&material));
    insta::assert_snapshot!("document", of_any_version(&document(&material).unwrap()));
}

#[test]
fn issues_of_one_function_are_told_apart() {
    let sample = samples::usual();
    let mut material = sample.material();
    material.findings.extend(sample.material().findings);
    let issues: serde_json::Value =
        serde_json::from_str(&code_quality(&material).unwrap()).unwrap();
    let print = |at: usize| issues[at]["fingerprint"].as_str().unwrap();
    assert_eq!(print(1), format!("{}/2", print(0)));
    assert_eq!(print(0), fingerprint(&sample.finding));
}

#[test]
fn long_flows_keep_their_end() {
    let mut sample = samples::usual();
    sample.path = vec![sample.path[0].clone(); 1000];
    let sarif: serde_json::Value =
        serde_json::from_str(&sarif(&sample.material()).unwrap()).unwrap();
    let flow = &sarif["runs"][0]["results"][0]["codeFlows"][0];
    let locations = flow["threadFlows"][0]["locations"].as_array().unwrap();
    assert_eq!(locations.len(), 501);
    assert_eq!(locations[500]["importance"], "essential");
    assert!(
        flow["message"]["text"]
            .as_str()
            .unwrap()
            .contains("first 500")
    );
}

#[test]
fn a_tree_in_graphviz() {
    let way = |name: &str, end| TreeWay {
        name: name.into(),
        end,
    };
    let nodes = [
        TreeNode {
            place: "bst.c:12".into(),
            ways: vec![
                way("true", TreeEnd::Choice(1)),
                way("false", TreeEnd::Run(0, "exit code 0".into())),
            ],
        },
        TreeNode {
            place: "bst.c:20".into(),
            ways: vec![
                way("case 1", TreeEnd::Finding(3, 1)),
                way("case 2", TreeEnd::Impossible),
                way("case 3", TreeEnd::Undecided("query-limit".into())),
                way("case 4", TreeEnd::More),
                way("default", TreeEnd::Open),
            ],
        },
    ];
    insta::assert_snapshot!("tree_dot", tree_dot("bst.c \"x\"", &nodes, ""));
    insta::assert_snapshot!("tree_dot_empty", tree_dot("x", &[], "no choice"));
}

#[test]
fn memory_in_graphviz() {
    let picture = |graph: &elsewise_graph::Graph| {
        GraphPicture {
            graph,
            title: "list_concat, case 17",
        }
        .dot()
    };
    insta::assert_snapshot!("graph_dot", picture(&graphs::doubly_linked()));
    // Labels are read as XML.
    for (_, graph) in graphs::all() {
        let dot = picture(&graph);
        for line in dot.lines().filter(|line| line.contains("label=<")) {
            let label = line.split_once("label=<").unwrap().1;
            parse(label.strip_suffix(">];").unwrap());
        }
    }
}
