//! A memory graph in text: lists as boxes in a row, trees as an outline, all else as a listing.

use super::GraphPicture;
use super::line::{Line, Terminal};
use super::scene::Scene;
use super::{chain, listing, outline};
use crate::numbers;
use crate::style::DIM;

/// Objects that are shown before the rest is only counted.
const OBJECTS: usize = 100;

pub fn draw(picture: &GraphPicture, terminal: Terminal) -> String {
    let scene = Scene::new(picture.graph, OBJECTS, terminal);
    let lines = chain::draw(&scene).or_else(|| outline::draw(&scene));
    let mut lines = lines.unwrap_or_else(|| listing::draw(&scene));
    if scene.cut > 0 {
        let more = numbers::plural(scene.cut as u64, "object", "objects");
        let text = format!("{} and {more} that are not shown", terminal.more());
        lines.push(Line::painted(DIM, text));
    }
    let mut out = String::new();
    for line in lines {
        out.push_str(&line.render(terminal));
        out.push('\n');
    }
    out
}
