//! Any graph: a line for each object, with the names of those it points at and of those that
//! point at it.

use super::line::{Line, commas, wrap};
use super::scene::Scene;
use crate::style::DIM;

/// Places that are named of those that point at one object.
const PLACES: usize = 4;

pub fn draw(scene: &Scene) -> Vec<Line> {
    let terminal = scene.terminal;
    let mut lines = scene.root_lines(scene.roots.iter());
    let mut pointing = vec![Vec::new(); scene.rows.len()];
    for (from, to, _) in scene.pointers() {
        pointing[to].push(from);
    }
    let titles: Vec<Line> = scene.order.iter().map(|at| scene.title(*at)).collect();
    let column = titles.iter().map(Line::width).max().unwrap_or(0);
    let column = column.min(terminal.columns() / 3) + 2;
    let indent = Line::of(" ".repeat(column));
    for (object, mut line) in scene.order.iter().zip(titles) {
        line.pad(column);
        if line.width() > column {
            line.push("  ");
        }
        let rows = scene.rows[*object].iter();
        let mut items = commas(rows.map(|row| scene.item(row, " ", false)));
        // One pointer to it is where the reader comes from.
        if let from @ [_, _, ..] = &pointing[*object][..] {
            let places = from.iter().take(PLACES).map(|from| scene.place(*from));
            let places: Vec<String> = places.collect();
            let mut text = format!("({} {}", terminal.from(), places.join(", "));
            if let more @ 1.. = from.len().saturating_sub(PLACES) {
                text.push_str(&format!(" and {more} more"));
            }
            let room = terminal.columns() - column;
            let text = terminal.cut(&text, room - 1) + ")";
            items.push(Line::painted(DIM, text));
        }
        lines.extend(wrap(line, &items, &indent, terminal));
    }
    lines
}
