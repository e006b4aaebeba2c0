//! Every sample as people see it, and what must hold for any graph whatever.

use super::line::Terminal;
use super::{GraphPicture, Picture, samples};
use crate::samples::plain;
use elsewise_graph::Graph;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use unicode_width::UnicodeWidthStr;

fn picture(graph: &Graph) -> GraphPicture<'_> {
    GraphPicture {
        graph,
        title: "sample <1>",
    }
}

#[test]
fn samples_as_text() {
    for (name, graph) in samples::all() {
        let text = picture(&graph).text(Terminal::default());
        insta::assert_snapshot!(format!("text_{name}"), plain(&text));
    }
}

#[test]
fn the_book_shows_what_is_drawn() {
    let shown = [
        samples::list_of_five(),
        samples::doubly_linked(),
        samples::cyclic(),
        samples::shared_tail(),
        samples::hash_table(),
    ];
    for graph in &shown {
        let text = plain(&picture(graph).text(Terminal::default()));
        samples::assert_in_book(&text);
    }
    let drawn = GraphPicture {
        graph: &samples::hash_table(),
        title: "A hash table with four buckets",
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = folder.join("../../docs/src/pictures/hash-table.svg");
    if std::env::var_os("ELSEWISE_BLESS").is_some() {
        fs::write(&file, drawn.svg()).unwrap();
    }
    assert_eq!(drawn.svg(), fs::read_to_string(file).unwrap());
}

#[test]
fn samples_as_svg() {
    for (name, graph) in samples::all() {
        insta::assert_snapshot!(format!("svg_{name}"), picture(&graph).svg());
    }
}

#[test]
fn ascii_only() {
    let terminal = Terminal {
        width: 80,
        unicode: false,
    };
    let graphs = [
        samples::cyclic(),
        samples::hash_table(),
        samples::doubly_linked(),
    ];
    let text: String = graphs
        .iter()
        .map(|graph| picture(graph).text(terminal))
        .collect();
    assert!(text.is_ascii());
    insta::assert_snapshot!("text_ascii", plain(&text));
}

#[test]
fn nothing_to_draw() {
    let graph = Graph::default();
    assert_eq!(picture(&graph).text(Terminal::default()), "");
    roxmltree::Document::parse(&picture(&graph).svg()).unwrap();
}

/// `(x, y, right, bottom)` of every box in a drawing.
fn boxes(svg: &str) -> Vec<[i32; 4]> {
    let document = roxmltree::Document::parse(svg).unwrap();
    let is_box = |node: &roxmltree::Node| node.attribute("class") == Some("elw-box");
    let boxes = document.descendants().filter(is_box).map(|node| {
        let [x, y, width, height] = ["x", "y", "width", "height"]
            .map(|name| node.attribute(name).unwrap().parse().unwrap());
        let corner: [i32; 4] = [x, y, x + width, y + height];
        corner
    });
    boxes.collect()
}

fn overlaps(svg: &str) -> bool {
    let boxes = boxes(svg);
    boxes.iter().enumerate().any(|(index, a)| {
        let meets = |b: &[i32; 4]| a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
        boxes[index + 1..].iter().any(meets)
    })
}

/// How many objects a text says it does not show.
fn cut(text: &str) -> usize {
    let line = text.lines().find_map(|line| line.strip_prefix("… and "));
    line.map_or(0, |line| line.split(' ').next().unwrap().parse().unwrap())
}

/// The numbers of all `thing N` that a text mentions.
fn mentioned(text: &str) -> BTreeSet<usize> {
    let after = text.split("thing ").skip(1);
    after
        .filter_map(|rest| {
            let end = rest.find(|char: char| !char.is_ascii_digit());
            rest[..end.unwrap_or(rest.len())].parse().ok()
        })
        .collect()
}

proptest! {
    #![proptest_config(crate::samples::steady(100))]

    #[test]
    fn any_graph_has_a_text(
        seed in proptest::collection::vec(any::<u8>(), 0..600),
        width in 0usize..200,
        unicode in any::<bool>(),
    ) {
        let graph = samples::random(&seed);
        let picture = picture(&graph);
        let terminal = Terminal { width, unicode };
        let text = plain(&picture.text(terminal));
        for line in text.lines() {
            prop_assert!(line.width() <= width.max(24), "{line}");
            prop_assert!(!line.chars().any(char::is_control));
        }
        if unicode && width >= 60 {
            let shown = mentioned(&text).len();
            prop_assert!(shown + cut(&text) >= graph.objects.len(), "{text}");
        }
    }

    #[test]
    fn any_graph_has_a_drawing(seed in proptest::collection::vec(any::<u8>(), 0..600)) {
        let graph = samples::random(&seed);
        let svg = picture(&graph).svg();
        let document = roxmltree::Document::parse(&svg).unwrap();
        prop_assert!(!overlaps(&svg));
        let texts: Vec<&str> = document
            .descendants()
            .filter(|node| node.has_tag_name("text"))
            .filter_map(|node| node.text())
            .collect();
        let titles = texts.iter().filter(|text| text.starts_with("thing ")).count();
        prop_assert_eq!(titles + cut(&texts.join("\n")), graph.objects.len());
        prop_assert_eq!(svg, picture(&graph).svg());
    }
}
