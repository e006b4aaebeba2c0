//! A memory graph as SVG: boxes with a row for each member, and arrows from the rows to what they
//! point at.

use super::GraphPicture;
use super::layers::{self, Block, Join};
use super::line::{Terminal, width};
use super::rows::{Cell, Row};
use super::scene::{From, Scene};
use super::spell;
use crate::numbers;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Objects that are drawn before the rest is only counted.
const OBJECTS: usize = 80;
/// Width of a character: that of the widest common monospace font at this size, rounded up.
const CHAR: i32 = 8;
/// Height of a row and of a title.
const ROW: i32 = 20;
const TITLE: i32 = 24;
/// From the side of a box to its text, with room for the dot that an arrow begins at.
const PAD: i32 = 14;
const BETWEEN: i32 = 22;
const GAP: i32 = 52;
/// Between lines that run side by side.
const TRACK: i32 = 8;
const MARGIN: i32 = 20;
/// Columns of a value and of a label.
const VALUE: usize = 34;
const LABEL: usize = 28;

/// Classes are prefixed and nothing has an id: several drawings can stand in one page.
pub const STYLE: &str = "\
.elw-page{fill:#ffffff}\
.elw text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#1f2328;white-space:pre}\
.elw .elw-name{font-weight:600}\
.elw .elw-dim{fill:#656d76}\
.elw-box{fill:#ffffff;stroke:#8c959f}\
.elw-head{fill:#eaeef2}\
.elw-root .elw-box{fill:#ddf4ff;stroke:#54aeff}\
.elw-freed .elw-box{stroke:#9a6700;stroke-dasharray:4 3}\
.elw-freed .elw-head{fill:#fff8c5}\
.elw-edge{fill:none;stroke:#0969da;stroke-width:1.5}\
.elw-tip{fill:#0969da}\
.elw-back .elw-edge{stroke:#8250df}\
.elw-back .elw-tip{fill:#8250df}\
@media (prefers-color-scheme:dark){\
.elw-page{fill:#0d1117}\
.elw text{fill:#e6edf3}\
.elw .elw-dim{fill:#9198a1}\
.elw-box{fill:#0d1117;stroke:#6e7681}\
.elw-head{fill:#21262d}\
.elw-root .elw-box{fill:#0c2d6b;stroke:#388bfd}\
.elw-freed .elw-box{stroke:#d29922}\
.elw-freed .elw-head{fill:#3b2300}\
.elw-edge{stroke:#58a6ff}\
.elw-tip{fill:#58a6ff}\
.elw-back .elw-edge{stroke:#bc8cff}\
.elw-back .elw-tip{fill:#bc8cff}\
}";

/// One box of the drawing: the roots, or an object.
struct Shape<'a> {
    object: Option<usize>,
    rows: Vec<&'a Row>,
    label: i32,
    width: i32,
    height: i32,
    x: i32,
    y: i32,
}

impl Shape<'_> {
    fn right(&self) -> i32 {
        self.x + self.width
    }

    fn bottom(&self) -> i32 {
        self.y + self.height
    }

    /// The roots have no title.
    fn title(&self) -> i32 {
        self.object.map_or(2, |_| TITLE)
    }

    fn row_top(&self, at: usize) -> i32 {
        self.title() + ROW * at as i32
    }

    /// The middle of a row.
    fn row(&self, at: usize) -> i32 {
        self.y + self.row_top(at) + ROW / 2
    }
}

struct Drawing<'a> {
    scene: &'a Scene<'a>,
    shapes: Vec<Shape<'a>>,
    /// The shape of each object that is shown.
    of_object: BTreeMap<usize, usize>,
    layers: Vec<usize>,
    arrows: Vec<Arrow>,
}

/// An arrow between shapes.
struct Arrow {
    join: Join,
    /// The row of the target that is meant, when it is not the whole object.
    part: Option<usize>,
    way: Way,
}

/// How an arrow runs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// To the next layer, or to the one before.
    Forward,
    Back,
    /// Within the layer.
    Beside,
    /// Under all boxes, to any layer.
    Around,
}

pub fn draw(picture: &GraphPicture) -> String {
    let terminal = Terminal {
        width: 4 * VALUE,
        unicode: true,
    };
    let scene = Scene::new(picture.graph, OBJECTS, terminal);
    let mut drawing = Drawing::new(&scene);
    let lanes = drawing.place();
    drawing.write(picture, &lanes)
}

/// Arrows that run under the boxes to one place share a lane.
struct Lanes {
    /// By the target and its row.
    lanes: BTreeMap<(usize, Option<usize>), Lane>,
    /// From the arrow's number to the track in which it goes down.
    down: BTreeMap<usize, i32>,
}

#[derive(Clone, Copy)]
struct Lane {
    height: i32,
    /// The track in which it goes up.
    up: i32,
    /// It meets the target from below, where no other box is in the way.
    below: bool,
}

impl<'a> Drawing<'a> {
    fn new(scene: &'a Scene<'a>) -> Drawing<'a> {
        let mut drawing = Drawing {
            scene,
            shapes: Vec::new(),
            of_object: BTreeMap::new(),
            layers: Vec::new(),
            arrows: Vec::new(),
        };
        if !scene.roots.is_empty() {
            drawing.add(None, 0, &scene.roots);
        }
        for object in &scene.order {
            drawing.of_object.insert(*object, drawing.shapes.len());
            drawing.add(Some(*object), scene.layers[*object], &scene.rows[*object]);
        }
        drawing.even_out();
        for (from, to, path) in scene.pointers() {
            let Some(to_shape) = drawing.of_object.get(&to).copied() else {
                continue;
            };
            let (from, row) = match from {
                From::Root(row) => (0, row),
                From::Object(object, row) => (drawing.of_object[&object], row),
            };
            let is_part = |row: &Row| !path.is_empty() && path.starts_with(&row.path);
            let rows = &drawing.shapes[to_shape].rows;
            let part = rows
                .iter()
                .position(|row| !row.path.is_empty() && is_part(row));
            let (before, after) = (drawing.layers[from], drawing.layers[to_shape]);
            drawing.arrows.push(Arrow {
                join: Join {
                    from,
                    row,
                    to: to_shape,
                },
                part,
                way: match after {
                    _ if after == before + 1 => Way::Forward,
                    _ if after == before => Way::Beside,
                    _ if after + 1 == before => Way::Back,
                    _ => Way::Around,
                },
            });
        }
        drawing.part_opposites();
        drawing
    }

    /// Two arrows between the same rows would lie on one another: the one back goes around.
    fn part_opposites(&mut self) {
        let ahead: Vec<Join> = self.arrows.iter().map(|arrow| arrow.join).collect();
        for arrow in &mut self.arrows {
            let Join { from, row, to } = arrow.join;
            let opposite = |join: &Join| (join.from, join.row, join.to) == (to, row, from);
            if arrow.way == Way::Back && ahead.iter().any(opposite) {
                arrow.way = Way::Around;
            }
        }
    }

    fn add(&mut self, object: Option<usize>, layer: usize, rows: &'a [Row]) {
        let columns = |text: &str| width(text) as i32 * CHAR;
        let labels = rows.iter().map(|row| columns(&self.label(row)));
        let label = labels.max().unwrap_or(0);
        let label = if label > 0 { label + CHAR } else { 0 };
        let values = rows.iter().map(|row| match row.cell {
            Cell::Cut(_) => columns(&self.value(row)) - label,
            _ => columns(&self.value(row)),
        });
        let inner = label + values.max().unwrap_or(0);
        let title = object.map_or(0, |object| columns(&self.title(object)));
        let mut shape = Shape {
            object,
            label,
            width: inner.max(title) + 2 * PAD,
            height: 0,
            x: 0,
            y: 0,
            rows: rows.iter().collect(),
        };
        shape.height = shape.row_top(rows.len().max(1)) + 4;
        self.shapes.push(shape);
        self.layers.push(layer);
    }

    /// All boxes of a layer get the same width, so that what runs beside a layer meets none.
    fn even_out(&mut self) {
        let mut widths = BTreeMap::new();
        for (shape, layer) in self.shapes.iter().zip(&self.layers) {
            let width: &mut i32 = widths.entry(*layer).or_default();
            *width = shape.width.max(*width);
        }
        for (shape, layer) in self.shapes.iter_mut().zip(&self.layers) {
            shape.width = widths[layer];
        }
    }

    fn label(&self, row: &Row) -> String {
        self.scene.terminal.cut_middle(&row.label, LABEL)
    }

    /// The text of a row; of a pointer with an arrow only the part that it leads to.
    fn value(&self, row: &Row) -> String {
        let text = match &row.cell {
            Cell::Pointer { object, path } if self.scene.is_shown(*object) => {
                spell::path(path, self.scene.terminal)
            }
            _ => self.scene.value(row, false),
        };
        self.scene.terminal.cut(&text, VALUE)
    }

    fn title(&self, object: usize) -> String {
        let mut title = self.scene.terminal.cut(&self.scene.name(object), VALUE);
        let object = &self.scene.graph.objects[object];
        if let Some(count) = object.count {
            let _ = write!(title, " [{count}]");
        }
        if object.freed {
            title.push_str(" freed");
        }
        title
    }

    fn place(&mut self) -> Lanes {
        let count = self.layers.iter().max().map_or(0, |layer| layer + 1);
        let blocks = self.blocks();
        let joins: Vec<Join> = self.arrows.iter().map(|arrow| arrow.join).collect();
        let row = |index: usize, row: usize| self.shapes[index].row_top(row) + ROW / 2;
        let tops = layers::down(&blocks, &joins, BETWEEN, row);
        for (shape, top) in self.shapes.iter_mut().zip(tops) {
            shape.y = top + MARGIN;
        }
        let bottom = self.shapes.iter().map(Shape::bottom).max().unwrap_or(0);
        let mut lowest = vec![0; count];
        for (shape, layer) in self.shapes.iter().zip(&self.layers) {
            lowest[*layer] = shape.bottom().max(lowest[*layer]);
        }
        // Tracks in the gap behind each layer: first those down, then those up to the next layer.
        let mut down = vec![0; count];
        let mut up = vec![0; count];
        let mut tracks = BTreeMap::new();
        let mut lanes = BTreeMap::new();
        for (index, arrow) in self.arrows.iter().enumerate() {
            if arrow.way != Way::Around {
                continue;
            }
            let layer = self.layers[arrow.join.from];
            tracks.insert(index, down[layer]);
            down[layer] += 1;
            let to = arrow.join.to;
            lanes.entry((to, arrow.part)).or_insert_with(|| {
                let layer = self.layers[to];
                let below = arrow.part.is_none() && self.shapes[to].bottom() == lowest[layer];
                let track = up[layer - 1];
                up[layer - 1] += i32::from(!below);
                Lane {
                    height: 0,
                    up: track,
                    below,
                }
            });
        }
        let tracks_of = |layer: usize| TRACK * (down[layer] + up[layer]);
        let gaps: Vec<i32> = (0..count).map(|layer| GAP + tracks_of(layer)).collect();
        for (shape, side) in self.shapes.iter_mut().zip(layers::across(&blocks, &gaps)) {
            shape.x = side + MARGIN;
        }
        // The nearer a target is, the higher is its lane: they nest.
        let mut sorted: Vec<(usize, Option<usize>)> = lanes.keys().copied().collect();
        sorted.sort_by_key(|(to, part)| (std::cmp::Reverse(self.layers[*to]), *to, *part));
        for (number, key) in sorted.iter().enumerate() {
            if let Some(lane) = lanes.get_mut(key) {
                let shape = &self.shapes[key.0];
                lane.height = bottom + BETWEEN + TRACK * number as i32;
                lane.up = match lane.below {
                    true => shape.x + PAD + 6,
                    false => shape.x - PAD - TRACK * (lane.up + 1),
                };
            }
        }
        let down = tracks.into_iter().map(|(arrow, track)| {
            let shape = &self.shapes[self.arrows[arrow].join.from];
            (arrow, shape.right() + PAD + TRACK * track)
        });
        Lanes {
            lanes,
            down: down.collect(),
        }
    }

    fn blocks(&self) -> Vec<Block> {
        let blocks = self.shapes.iter().zip(&self.layers);
        blocks
            .map(|(shape, layer)| Block {
                layer: *layer,
                width: shape.width,
                height: shape.height,
                rows: shape.rows.len(),
            })
            .collect()
    }

    fn write(&self, picture: &GraphPicture, lanes: &Lanes) -> String {
        let right = self.shapes.iter().map(Shape::right).max().unwrap_or(0);
        let right = lanes
            .down
            .values()
            .copied()
            .fold(right + PAD + TRACK, i32::max)
            + MARGIN;
        let bottom = self.shapes.iter().map(Shape::bottom).max().unwrap_or(0);
        let under = lanes.lanes.values().map(|lane| lane.height);
        let mut bottom = under.fold(bottom, i32::max) + MARGIN;
        let note = (self.scene.cut > 0).then(|| {
            let more = numbers::plural(self.scene.cut as u64, "object", "objects");
            bottom += ROW;
            (
                bottom - MARGIN / 2,
                format!("… and {more} that are not shown"),
            )
        });
        let note_width = note
            .as_ref()
            .map_or(0, |(_, text)| width(text) as i32 * CHAR);
        let right = right.max(note_width + 2 * MARGIN);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"elw\" role=\"img\" width=\"{right}\" height=\"{bottom}\" viewBox=\"0 0 {right} {bottom}\">\n"
        );
        let graph = picture.graph;
        let terminal = self.scene.terminal;
        let described = spell::fields(graph, &graph.roots, terminal);
        let _ = writeln!(out, "<title>{}</title>", xml(&terminal.name(picture.title)));
        let _ = writeln!(out, "<desc>{}</desc>", xml(&described));
        let _ = writeln!(out, "<style>{STYLE}</style>");
        let _ = writeln!(
            out,
            "<rect class=\"elw-page\" width=\"{right}\" height=\"{bottom}\"/>"
        );
        for shape in &self.shapes {
            self.write_shape(shape, &mut out);
        }
        for (index, arrow) in self.arrows.iter().enumerate() {
            self.write_arrow(index, arrow, lanes, &mut out);
        }
        if let Some((y, text)) = note {
            let _ = writeln!(
                out,
                "<text class=\"elw-dim\" x=\"{MARGIN}\" y=\"{y}\">{}</text>",
                xml(&text)
            );
        }
        out.push_str("</svg>\n");
        out
    }

    fn write_shape(&self, shape: &Shape, out: &mut String) {
        let Shape {
            x,
            y,
            width,
            height,
            ..
        } = *shape;
        let object = shape.object.map(|index| &self.scene.graph.objects[index]);
        let class = match object {
            None => " class=\"elw-root\"",
            Some(object) if object.freed => " class=\"elw-freed\"",
            Some(_) => "",
        };
        let _ = writeln!(out, "<g{class}>");
        if let Some(object) = object {
            let kind = format!("{}: {}", object.name, object.ty);
            let kind = self.scene.terminal.name(&kind);
            let _ = writeln!(out, "<title>{}</title>", xml(&kind));
        }
        let _ = writeln!(
            out,
            "<rect class=\"elw-box\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"5\"/>"
        );
        let inner = x + 1;
        let text_x = x + PAD;
        if let Some(object) = shape.object {
            let _ = writeln!(
                out,
                "<path class=\"elw-head\" d=\"M{inner} {}v-{side}q0 -4 4 -4H{}q4 0 4 4v{side}z\"/>",
                y + TITLE - 1,
                x + width - 5,
                side = TITLE - 6,
            );
            let _ = writeln!(
                out,
                "<text class=\"elw-name\" x=\"{text_x}\" y=\"{}\">{}</text>",
                y + 17,
                xml(&self.title(object))
            );
        }
        for (at, row) in shape.rows.iter().enumerate() {
            let top = y + shape.row_top(at);
            let baseline = top + 15;
            let label = self.label(row);
            if !label.is_empty() {
                let _ = writeln!(
                    out,
                    "<text class=\"elw-dim\" x=\"{text_x}\" y=\"{baseline}\">{}</text>",
                    xml(&label)
                );
            }
            let value = self.value(row);
            if !value.is_empty() {
                let (class, value_x) = match row.cell {
                    Cell::Cut(_) => (" class=\"elw-dim\"", text_x),
                    Cell::Null => (" class=\"elw-dim\"", text_x + shape.label),
                    _ => ("", text_x + shape.label),
                };
                let _ = writeln!(
                    out,
                    "<text{class} x=\"{value_x}\" y=\"{baseline}\">{}</text>",
                    xml(&value)
                );
            }
        }
        out.push_str("</g>\n");
    }

    fn write_arrow(&self, index: usize, arrow: &Arrow, lanes: &Lanes, out: &mut String) {
        let from = &self.shapes[arrow.join.from];
        let to = &self.shapes[arrow.join.to];
        let begin = from.row(arrow.join.row);
        let level = to.y + TITLE / 2..=to.bottom() - ROW / 2;
        let end = match (arrow.part, arrow.way) {
            (Some(row), _) => to.row(row),
            (None, Way::Around) => to.bottom() - 6,
            // Straight where that meets the box, else to its name.
            (None, Way::Forward | Way::Back) if level.contains(&begin) => begin,
            (None, _) => to.y + TITLE / 2,
        };
        let right = from.right() - 8;
        let to_left = format!("M{} {end}l-8 -4v8z", to.x);
        let to_right = format!("M{} {end}l8 -4v8z", to.right());
        let (leave, path, tip) = match arrow.way {
            Way::Forward => (right, curve(right, begin, to.x - 6, end), to_left),
            Way::Back => {
                let left = from.x + 7;
                (left, curve(left, begin, to.right() + 6, end), to_right)
            }
            Way::Beside => {
                let far = from.right() + 16 + ((end - begin).abs() / 12).min(GAP / 2);
                let (border, end_x) = (from.right(), to.right() + 6);
                let path =
                    format!("M{right} {begin}H{border}C{far} {begin} {far} {end} {end_x} {end}");
                (right, path, to_right)
            }
            Way::Around => {
                let Lane { height, up, below } = lanes.lanes[&(arrow.join.to, arrow.part)];
                let down = lanes.down[&index];
                // Which way it runs down there.
                let side = if up > down { 4 } else { -4 };
                let mut path = format!(
                    "M{right} {begin}H{}q4 0 4 4V{}q0 4 {side} 4H{}q{side} 0 {side} -4",
                    down - 4,
                    height - 4,
                    up - side,
                );
                let tip = match below {
                    true => {
                        let _ = write!(path, "V{}", to.bottom() + 6);
                        format!("M{up} {}l-4 8h8z", to.bottom())
                    }
                    false => {
                        let _ = write!(path, "V{}q0 -4 4 -4H{}", end + 4, to.x - 6);
                        to_left
                    }
                };
                (right, path, tip)
            }
        };
        let class = match self.layers[arrow.join.to] > self.layers[arrow.join.from] {
            true => "elw-to",
            false => "elw-back",
        };
        let _ = writeln!(
            out,
            "<g class=\"{class}\"><circle class=\"elw-tip\" cx=\"{leave}\" cy=\"{begin}\" r=\"3\"/><path class=\"elw-edge\" d=\"{path}\"/><path class=\"elw-tip\" d=\"{tip}\"/></g>"
        );
    }
}

/// A line that leaves and arrives level.
fn curve(x: i32, y: i32, to_x: i32, to_y: i32) -> String {
    if y == to_y {
        return format!("M{x} {y}H{to_x}");
    }
    let middle = (x + to_x) / 2;
    format!("M{x} {y}C{middle} {y} {middle} {to_y} {to_x} {to_y}")
}

/// Text as it may stand in XML.
pub fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            _ => out.push(char),
        }
    }
    out
}
