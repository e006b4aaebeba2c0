//! Pages of small campaigns: everything is in them, and nothing of a subject is taken for markup.

use super::*;
use crate::{Picture, samples, sides};
use elsewise_campaign::toy::{options, random_program, run, wide_program, with_runs};
use elsewise_campaign::{Ended, RunEnd, Store};
use elsewise_explore::{Case, State};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// Tags taken out; what is left is text.
pub(super) fn without_tags(html: &str) -> String {
    let mut out = String::new();
    let mut rest = html;
    while let Some(open) = rest.find('<') {
        out.push_str(&rest[..open]);
        let close = rest[open..]
            .find('>')
            .map_or(rest.len(), |at| open + at + 1);
        rest = &rest[close..];
    }
    out.push_str(rest);
    out
}

pub(super) fn unescape(text: &str) -> String {
    let text = text.replace("&lt;", "<").replace("&gt;", ">");
    let text = text.replace("&quot;", "\"").replace("&#39;", "'");
    text.replace("&amp;", "&")
}

/// Every tag with the names of its attributes, as a browser would find them.
fn structure(html: &str) -> Vec<String> {
    let mut tags = Vec::new();
    let mut rest = html;
    while let Some(open) = rest.find('<') {
        rest = &rest[open + 1..];
        let mut tag = String::new();
        let mut quoted = false;
        let mut at = 0;
        for (index, char) in rest.char_indices() {
            at = index + char.len_utf8();
            match char {
                '"' => quoted = !quoted,
                '>' if !quoted => break,
                _ if !quoted => tag.push(char),
                _ => {}
            }
        }
        rest = &rest[at..];
        let name = tag.split_whitespace().next().unwrap_or_default();
        // What these hold is no markup; it ends at the first sign of its end.
        if name == "script" || name == "style" {
            let end = format!("</{name}");
            rest = rest.find(&end).map_or("", |at| &rest[at..]);
        }
        tags.push(tag);
    }
    tags
}

/// A campaign of a toy with a failure, and all that a page shows of it.
struct Sample {
    summary: elsewise_campaign::Summary,
    survey: elsewise_campaign::Survey,
}

fn sample(seed: u64) -> Sample {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("toy.elsewise");
    let summary = run(&options(&dir), &random_program(seed)).unwrap();
    let survey = Store::open_read(&dir).unwrap().survey().unwrap();
    Sample { summary, survey }
}

/// A picture of whatever a front end says.
struct Hostile(String);

impl Picture for Hostile {
    fn heading(&self) -> &'static str {
        "memory"
    }

    fn text(&self, _: crate::Terminal) -> String {
        self.0.clone()
    }

    fn svg(&self) -> String {
        let mut svg = String::from("<svg><title>");
        push_html(&mut svg, &self.0);
        svg + "</title></svg>"
    }
}

/// A page in which every word of the subject's is `word`.
fn page_of(sample: &mut Sample, word: &str) -> String {
    for site in &mut sample.survey.sites {
        site.location.file = word.to_string();
        site.location.function = word.to_string();
    }
    let (mut finding, _) = samples::finding();
    finding.kind = word.to_string();
    finding.message = word.to_string();
    finding.file = word.to_string();
    finding.function = word.to_string();
    finding.path = word.into();
    for frame in &mut finding.stack {
        frame.file = word.to_string();
        frame.function = word.to_string();
    }
    let mut summary = samples::incomplete(Ended::Budget);
    summary.subject = word.to_string();
    summary.campaign = word.into();
    summary.bounds = vec![word.to_string()];
    summary.strategy = word.to_string();
    summary.approximations = BTreeMap::from([(word.to_string(), 3)]);
    for place in &mut summary.approximation_places {
        place.kind = word.to_string();
        place.file = word.to_string();
        place.function = word.to_string();
    }
    for stage in &mut summary.queries.stages {
        stage.name = word.to_string();
    }
    summary.findings = vec![finding.clone()];
    let case = Case {
        inputs: [(word.to_string(), word.as_bytes().to_vec())].into(),
        ..Case::default()
    };
    let picture = Hostile(word.to_string());
    let part = |picture| FindingPart {
        finding: &finding,
        case: Some(&case),
        picture,
        debug: word.to_string(),
        keep: word.to_string(),
    };
    let sides = sides(&sample.survey, false);
    Page {
        summary: &summary,
        survey: &sample.survey,
        sides: &sides,
        sources: &[],
        findings: vec![part(None), part(Some(&picture as &dyn Picture))],
        cases: vec![CaseRow {
            run: 3,
            from: Some(1),
            inputs: word.to_string(),
            result: word.to_string(),
            finding: Some(1),
            adds: vec![word.to_string()],
            millis: 5,
        }],
        drawings: &[],
        live: false,
    }
    .html()
}

#[test]
fn a_page_holds_what_the_campaign_does() {
    let Sample { summary, survey } = sample(4);
    let sides = sides(&survey, summary.complete);
    let sources = [SourceFile {
        name: "toy".into(),
        text: Some((1..40).map(|line| format!("statement {line};\n")).collect()),
        withheld: false,
        changed: false,
        syntax: &PLAIN,
    }];
    let page = |live| {
        let page = Page {
            summary: &summary,
            survey: &survey,
            sides: &sides,
            sources: &sources,
            findings: Vec::new(),
            cases: Vec::new(),
            drawings: &[],
            live,
        };
        page.html()
    };
    // Of a campaign that is resumed, the last summary may say that all was done.
    let live = page(true);
    assert!(live.contains("So far") && !live.contains("Explored completely"));
    let page = page(false);
    assert!(page.starts_with("<!doctype html>"));
    assert!(page.contains("Explored completely"));
    assert!(
        page.contains(">statement <i") || page.contains("statement 39;"),
        "{page}"
    );
    let reached = sides
        .iter()
        .filter(|side| side.fate == Fate::Covered)
        .count();
    assert_eq!(reached as u32, summary.branch_sides.reached);
    assert!(page.contains(&format!("reached ({reached})")));
    for address in ["http:", "https:", "src=", "@import", "url("] {
        let own = page.replace("http://www.w3.org/2000/svg", "");
        assert!(
            !own.contains(address),
            "the page must need nothing else: {address}"
        );
    }
}

#[test]
fn a_page_is_called_after_the_file() {
    for (subject, title) in [
        ("/opt/build/src/readtags -- -f @@", "readtags -- -f @@"),
        ("src/bst.c::insert", "bst.c::insert"),
        ("bst.c", "bst.c"),
        ("./a.out -- /etc/a -- b", "a.out -- /etc/a -- b"),
        // Two files, or a folder with a space.
        ("src/a.c src/b.c", "src/a.c src/b.c"),
        ("my builds/tool", "my builds/tool"),
    ] {
        let page = page_of(&mut sample(4), subject);
        for part in [
            format!("<title>{title} · Elsewise</title>"),
            format!("<h1>{title}</h1>"),
            format!("<dt>subject</dt><dd>{subject}</dd>"),
        ] {
            assert!(unescape(&page).contains(&part), "{part}");
        }
    }
}

#[test]
fn words_that_look_like_markup_stay_words() {
    let mut sample = sample(4);
    let plain = structure(&page_of(&mut sample, "xyz"));
    for word in [
        "x</script><script>alert(1)</script>",
        "x\" onload=\"alert(1)",
        "x'><img src=x onerror=alert(1)>",
        "x<!--",
        "x]]>",
        "x</title></style></pre></textarea>",
        "x\u{202e}\u{0}\x1b[2J\u{2028}",
        "x&lt;&#60;",
    ] {
        let page = page_of(&mut sample, word);
        assert_eq!(structure(&page), plain, "{word}");
        assert!(
            !page.chars().any(|char| char.is_control() && char != '\n'),
            "{word}"
        );
    }
}

proptest! {
    #![proptest_config(crate::samples::steady(48))]

    #[test]
    fn any_word_stays_a_word(word in "x[<>&\"'/=! a-z\\\\`{}%#\u{0}-\u{1f}\u{85}\u{202e}\u{fffe}-]{0,24}") {
        let mut sample = sample(1);
        let plain = structure(&page_of(&mut sample, "xyz"));
        prop_assert_eq!(structure(&page_of(&mut sample, &word)), plain);
    }
}

/// The numbers of a tree's text.
fn numbers(tree: &TreeData) -> Vec<u64> {
    let json = serde_json::to_value(tree).unwrap();
    let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bits, mut held, mut numbers) = (0u32, 0, Vec::new());
    let (mut number, mut shift) = (0u64, 0);
    for char in json["nodes"]
        .as_str()
        .unwrap()
        .chars()
        .filter(|char| *char != '=')
    {
        bits = bits << 6 | digits.find(char).unwrap() as u32;
        held += 6;
        if held >= 8 {
            held -= 8;
            let byte = (bits >> held) as u8;
            bits &= (1 << held) - 1;
            number |= u64::from(byte & 127) << shift;
            shift += 7;
            if byte & 128 == 0 {
                numbers.push(number);
                (number, shift) = (0, 0);
            }
        }
    }
    numbers
}

/// Nodes by their code, and the paths that are left out.
fn counted(tree: &TreeData) -> (BTreeMap<u64, usize>, u64) {
    let numbers = numbers(tree);
    let mut at = numbers.iter().copied();
    let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
    let mut folded = 0;
    let mut children = 1;
    while let Some(code) = at.next() {
        *counts.entry(code).or_default() += 1;
        at.next().unwrap();
        children -= 1;
        let rest: Vec<u64> = match code {
            0..=4 => at.by_ref().take(3).collect(),
            9 | 13 => at.by_ref().take(2).collect(),
            8 | 10 | 12 => at.by_ref().take(1).collect(),
            _ => Vec::new(),
        };
        match code {
            0..=4 => children += rest[2],
            13 => folded += rest[0],
            _ => {}
        }
    }
    assert_eq!(children, 0, "every child is there");
    (counts, folded)
}

#[test]
fn the_whole_tree_is_in_the_page() {
    for seed in 0..6 {
        let Sample { survey, .. } = sample(seed);
        let tree = TreeData::new(&survey, NODES);
        let (counts, folded) = counted(&tree);
        assert!(tree.whole && folded == 0);
        assert_eq!(counts.values().sum::<usize>(), tree.count);
        let choices: usize = (0..5).filter_map(|kind| counts.get(&kind)).sum();
        assert_eq!(choices as u32, survey.tree.positions());
        let ended = counts.get(&8).unwrap_or(&0) + counts.get(&9).unwrap_or(&0);
        assert_eq!(ended as u64, survey.tree.paths());
        let failing = |end: &&RunEnd| matches!(end, RunEnd::Failure(_));
        let failed = survey.ends.iter().filter(failing).count();
        assert!(counts.get(&9).is_none_or(|shown| *shown <= failed));
    }
}

#[test]
fn of_a_large_tree_the_part_near_the_root_is_in_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("wide.elsewise");
    run(&with_runs(&options(&dir), 600), &wide_program(12)).unwrap();
    let survey = Store::open_read(&dir).unwrap().survey().unwrap();
    let tree = TreeData::new(&survey, 100);
    let (counts, folded) = counted(&tree);
    assert!(
        !tree.whole && tree.count <= 100 && tree.count > 80,
        "{}",
        tree.count
    );
    let shown = counts.get(&8).copied().unwrap_or(0) as u64;
    assert_eq!(shown + folded, survey.tree.paths());
    assert!(matches!(survey.tree.root(), State::Position(_)));
}

#[test]
fn base64_is_what_others_read() {
    for (bytes, text) in [
        (&b""[..], ""),
        (b"f", "Zg=="),
        (b"fo", "Zm8="),
        (b"foo", "Zm9v"),
        (b"\xff\x00\x7fx", "/wB/eA=="),
    ] {
        assert_eq!(base64(bytes), text);
    }
}

#[test]
fn folders_are_left_out_of_titles() {
    assert_eq!(title("src/parser.c"), "parser.c");
    assert_eq!(title("/usr/bin/tool -- a/b"), "tool -- a/b");
    assert_eq!(title("src/bank.erl::transfer/3"), "bank.erl::transfer/3");
    assert_eq!(title("rules.pl::route/3"), "rules.pl::route/3");
}
