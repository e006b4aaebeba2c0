//! Trees: every object below the one that leads to it.

use super::line::{Line, commas, width, wrap};
use super::rows::Cell;
use super::scene::{From, Scene};
use crate::style::DIM;

/// More objects than this are easier to find in a listing.
const OBJECTS: usize = 40;
/// Columns that must be left for what an object holds.
const ROOM: usize = 20;

/// The graph as an outline; nothing when it is no tree in the main, or does not fit.
pub fn draw(scene: &Scene) -> Option<Vec<Line>> {
    let across = scene.pointers().filter(|(from, to, _)| match from {
        From::Root(_) => false,
        From::Object(object, _) => {
            scene.parents[*to] != Some(*from) && !is_above(scene, *to, *object)
        }
    });
    let orphans = scene.order.iter();
    let orphans = orphans.filter(|object| scene.parents[**object].is_none());
    let count = scene.order.len();
    if count > OBJECTS || 2 * across.count() > count || 2 * orphans.count() > count {
        return None;
    }
    let starts = |at: usize| match scene.roots[at].cell {
        Cell::Pointer { object, .. } => {
            Some(object).filter(|object| scene.parents[*object] == Some(From::Root(at)))
        }
        _ => None,
    };
    let plain = (0..scene.roots.len()).filter(|at| starts(*at).is_none());
    let mut lines = scene.root_lines(plain.map(|at| &scene.roots[at]));
    for at in 0..scene.roots.len() {
        if let Some(object) = starts(at) {
            let first = arrow(scene, From::Root(at), 0, Line::default());
            draw_object(scene, object, first, &Line::default(), &mut lines)?;
        }
    }
    for object in &scene.order {
        if scene.parents[*object].is_none() {
            draw_object(
                scene,
                *object,
                Line::default(),
                &Line::default(),
                &mut lines,
            )?;
        }
    }
    Some(lines)
}

/// Whether `object` is `above`, or below it in the outline.
fn is_above(scene: &Scene, above: usize, object: usize) -> bool {
    let mut at = object;
    loop {
        if at == above {
            return true;
        }
        match scene.parents[at] {
            Some(From::Object(parent, _)) => at = parent,
            _ => return false,
        }
    }
}

/// `left ──▶ `, its label as wide as its siblings'.
fn arrow(scene: &Scene, from: From, label: usize, mut line: Line) -> Line {
    let row = scene.row(from);
    line.push(row.label.clone());
    let missing = label.saturating_sub(width(&row.label));
    line.push(format!(" {}─▶ ", "─".repeat(missing)));
    if let Cell::Pointer { path, .. } = &row.cell
        && !path.is_empty()
    {
        line.push(format!("{} of ", super::spell::path(path, scene.terminal)));
    }
    line
}

/// `first` stands before the object, `before` before all that is below it.
fn draw_object(
    scene: &Scene,
    object: usize,
    mut first: Line,
    before: &Line,
    lines: &mut Vec<Line>,
) -> Option<()> {
    let rows = &scene.rows[object];
    let child = |at: usize| match rows[at].cell {
        Cell::Pointer { object: to, .. } => {
            Some(to).filter(|to| scene.parents[*to] == Some(From::Object(object, at)))
        }
        _ => None,
    };
    let children: Vec<usize> = (0..rows.len()).filter(|at| child(*at).is_some()).collect();
    let others = rows
        .iter()
        .enumerate()
        .filter(|(at, _)| child(*at).is_none());
    let items = commas(others.map(|(_, row)| {
        let back = match row.cell {
            Cell::Pointer { object: to, .. } => is_above(scene, to, object),
            _ => false,
        };
        scene.item(row, " ", back)
    }));
    first.append(&scene.title(object));
    if !items.is_empty() {
        first.push("  ");
    }
    let mut indent = before.clone();
    indent.paint(
        DIM,
        if children.is_empty() {
            "    "
        } else {
            "│   "
        },
    );
    if first.width() + ROOM > scene.terminal.columns() {
        return None;
    }
    lines.extend(wrap(first, &items, &indent, scene.terminal));
    let label = children.iter().map(|at| width(&rows[*at].label)).max();
    for (index, at) in children.iter().enumerate() {
        let last = index + 1 == children.len();
        let mut first = before.clone();
        first.paint(DIM, if last { "└ " } else { "├ " });
        let first = arrow(scene, From::Object(object, *at), label.unwrap_or(0), first);
        let mut below = before.clone();
        below.paint(DIM, if last { "  " } else { "│ " });
        draw_object(scene, child(*at)?, first, &below, lines)?;
    }
    Some(())
}
