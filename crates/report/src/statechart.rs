//! A state machine with what was reached of it: drawn as nested boxes, and told as text.

use crate::graph::{Picture, STYLE, Terminal, xml};
use crate::numbers::count;
use crate::style::{BAD, DIM, GOOD, HEADING, paint};
use elsewise_graph::{ChartArrow, ChartFate, ChartKind, ChartState, StateChart};
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// What is named of what was not reached, in a terminal.
const LINES: usize = 12;
/// States and arrows that are drawn.
const DRAWN: usize = 400;
const CHARACTER: usize = 8;
const PAD: usize = 22;
const HEAD: usize = 26;

#[derive(Clone, Debug)]
pub struct ChartPicture<'a> {
    pub chart: &'a StateChart,
}

fn is_reached(fate: &ChartFate) -> bool {
    *fate == ChartFate::Reached
}

fn class(fate: &ChartFate) -> &'static str {
    match fate {
        ChartFate::Reached => "elw-is-reached",
        ChartFate::Missed(_) => "elw-is-missed",
        ChartFate::Unreachable(_) => "elw-is-unreachable",
    }
}

/// A part of a whole, where both are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    pub reached: u64,
    pub all: u64,
}

impl Reached {
    fn words(self, what: &str) -> String {
        format!("{} of {} {what}", count(self.reached), count(self.all))
    }
}

impl ChartPicture<'_> {
    fn is_state(state: &ChartState) -> bool {
        matches!(state.kind, ChartKind::State | ChartKind::Final)
    }

    pub fn states(&self) -> Reached {
        let states = self.chart.states.iter().filter(|one| Self::is_state(one));
        let reached = states.clone().filter(|one| is_reached(&one.fate));
        Reached {
            reached: reached.count() as u64,
            all: states.count() as u64,
        }
    }

    pub fn transitions(&self) -> Reached {
        let reached = self.chart.arrows.iter().filter(|one| is_reached(&one.fate));
        Reached {
            reached: reached.count() as u64,
            all: self.chart.arrows.len() as u64,
        }
    }

    /// What was not reached: in words, with the line and the reason.
    pub fn missed(&self) -> Vec<(String, u32, String, bool)> {
        let states = self.chart.states.iter().filter(|one| Self::is_state(one));
        let states = states.map(|one| (format!("state {}", one.name), one.line, &one.fate));
        let arrows = self.chart.arrows.iter();
        let arrows = arrows.map(|one| (one.label.clone(), one.line, &one.fate));
        states
            .chain(arrows)
            .filter_map(|(words, line, fate)| match fate {
                ChartFate::Reached => None,
                ChartFate::Missed(why) => Some((words, line, why.clone(), false)),
                ChartFate::Unreachable(why) => Some((words, line, why.clone(), true)),
            })
            .collect()
    }
}

/// Where a state is drawn.
#[derive(Clone, Copy, Debug, Default)]
struct Frame {
    x: usize,
    y: usize,
    width: usize,
    height: usize,
}

impl Frame {
    fn middle(&self) -> (f64, f64) {
        (
            self.x as f64 + self.width as f64 / 2.0,
            self.y as f64 + self.height as f64 / 2.0,
        )
    }

    /// Where a line from its middle towards a point leaves it.
    fn border(&self, to: (f64, f64)) -> (f64, f64) {
        let (x, y) = self.middle();
        let (dx, dy) = (to.0 - x, to.1 - y);
        let by = |part: f64, half: f64| match part.abs() < 0.01 {
            true => f64::INFINITY,
            false => half / part.abs(),
        };
        let scale = by(dx, self.width as f64 / 2.0).min(by(dy, self.height as f64 / 2.0));
        match scale.is_finite() {
            true => (x + dx * scale.min(1.0), y + dy * scale.min(1.0)),
            false => (x, y),
        }
    }
}

/// Boxes for all states: those inside of a state are put in rows, from the innermost outwards.
fn layout(chart: &StateChart) -> (Vec<Frame>, usize, usize) {
    let states = &chart.states;
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); states.len()];
    let mut roots = Vec::new();
    for (index, state) in states.iter().enumerate() {
        match state.parent.filter(|parent| *parent < index) {
            Some(parent) => children[parent].push(index),
            None => roots.push(index),
        }
    }
    let mut boxes = vec![Frame::default(); states.len()];
    for index in (0..states.len()).rev() {
        let state = &states[index];
        let (inside_width, inside_height) = rows(&children[index], &mut boxes);
        boxes[index] = match state.kind {
            ChartKind::State if children[index].is_empty() => Frame {
                width: (state.name.width().min(28) * CHARACTER + 28).max(80),
                height: 38,
                ..Frame::default()
            },
            ChartKind::State => Frame {
                width: inside_width.max(state.name.width().min(40) * CHARACTER + 28),
                height: inside_height + HEAD,
                ..Frame::default()
            },
            _ => Frame {
                width: 18,
                height: 18,
                ..Frame::default()
            },
        };
    }
    let (width, height) = rows(&roots, &mut boxes);
    // What was relative to the state around it becomes absolute.
    for index in 0..states.len() {
        if let Some(parent) = states[index].parent.filter(|parent| *parent < index) {
            let (x, y) = (boxes[parent].x, boxes[parent].y + HEAD);
            boxes[index].x += x;
            boxes[index].y += y;
        }
    }
    (boxes, width, height)
}

/// Puts boxes into rows; the room that they take.
fn rows(inside: &[usize], boxes: &mut [Frame]) -> (usize, usize) {
    const APART: usize = 90;
    let area: usize = inside
        .iter()
        .map(|at| (boxes[*at].width + APART) * (boxes[*at].height + APART / 2))
        .sum();
    let wide = ((area as f64 * 2.0).sqrt() as usize).max(320);
    let (mut x, mut y, mut row, mut right) = (PAD, PAD, 0, 0);
    for at in inside {
        let one = &mut boxes[*at];
        if x > PAD && x + one.width > wide {
            x = PAD;
            y += row + APART / 2;
            row = 0;
        }
        one.x = x;
        one.y = y;
        x += one.width + APART;
        right = right.max(x - APART);
        row = row.max(one.height);
    }
    (right + PAD, y + row + PAD)
}

impl Picture for ChartPicture<'_> {
    fn heading(&self) -> &'static str {
        "model"
    }

    fn text(&self, terminal: Terminal) -> String {
        let mut out = String::new();
        let _ = writeln!(
            out,
            "  {} {}: {}, {}",
            paint(HEADING, format!("{:<10}", "model")),
            terminal.name(&self.chart.name),
            self.states().words("states"),
            self.transitions().words("transitions"),
        );
        let missed = self.missed();
        for (words, line, why, never) in missed.iter().take(LINES) {
            let (style, mark) = match never {
                true => (DIM, "unreachable"),
                false => (BAD, "not reached"),
            };
            let room = terminal.columns().saturating_sub(30);
            let place = if *line > 0 {
                format!(":{line} ")
            } else {
                String::new()
            };
            let _ = writeln!(
                out,
                "             {} {}{}",
                paint(style, mark),
                paint(DIM, place),
                terminal.cut(words, room),
            );
            if !why.is_empty() {
                let room = terminal.columns().saturating_sub(18);
                let _ = writeln!(
                    out,
                    "               {}",
                    paint(DIM, terminal.cut(why, room))
                );
            }
        }
        if missed.is_empty() {
            let _ = writeln!(out, "             {}", paint(GOOD, "all of it was reached"));
        }
        if missed.len() > LINES {
            let more = missed.len() - LINES;
            let _ = writeln!(out, "             {} {more} more", terminal.more());
        }
        out
    }

    fn svg(&self) -> String {
        if self.chart.states.len() > DRAWN {
            return self.too_large();
        }
        let (boxes, width, height) = layout(self.chart);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"elw\" role=\"img\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n<title>{}</title>\n",
            xml(&self.chart.name)
        );
        let _ = writeln!(out, "<style>{STYLE}{COLOURS}</style>");
        let _ = writeln!(
            out,
            "<rect class=\"elw-page\" width=\"{width}\" height=\"{height}\"/>"
        );
        for (state, at) in self.chart.states.iter().zip(&boxes) {
            write_state(&mut out, state, *at);
        }
        for (number, arrow) in self.chart.arrows.iter().enumerate() {
            write_arrow(&mut out, arrow, &boxes, number);
        }
        out.push_str("</svg>\n");
        out
    }
}

impl ChartPicture<'_> {
    fn too_large(&self) -> String {
        let words = format!(
            "{} and {}: too many to draw",
            self.states().words("states reached"),
            self.transitions().words("transitions")
        );
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"elw\" role=\"img\" width=\"640\" height=\"40\" viewBox=\"0 0 640 40\"><title>{0}</title><style>{STYLE}</style><text x=\"16\" y=\"24\">{0}</text></svg>\n",
            xml(&words)
        )
    }
}

fn write_state(out: &mut String, state: &ChartState, at: Frame) {
    let class = class(&state.fate);
    let Frame {
        x,
        y,
        width,
        height,
    } = at;
    let terminal = Terminal {
        width: 200,
        unicode: true,
    };
    match state.kind {
        ChartKind::State => {
            let name = terminal.cut(&state.name, 40);
            let _ = writeln!(
                out,
                "<rect class=\"elw-state {class}\" rx=\"9\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"><title>{}</title></rect>\n<text class=\"elw-name\" x=\"{}\" y=\"{}\">{}</text>",
                xml(&described(&state.name, &state.fate)),
                x + 12,
                y + 20,
                xml(&name)
            );
        }
        ChartKind::Initial => {
            let _ = writeln!(
                out,
                "<circle class=\"elw-start\" cx=\"{}\" cy=\"{}\" r=\"6\"/>",
                x + 9,
                y + 9
            );
        }
        ChartKind::Final => {
            let _ = writeln!(
                out,
                "<circle class=\"elw-state {class}\" cx=\"{0}\" cy=\"{1}\" r=\"9\"/><circle class=\"elw-start\" cx=\"{0}\" cy=\"{1}\" r=\"5\"><title>{2}</title></circle>",
                x + 9,
                y + 9,
                xml(&described(&state.name, &state.fate))
            );
        }
        ChartKind::Point => {
            let _ = writeln!(
                out,
                "<path class=\"elw-state {class}\" d=\"M{} {y}l9 9l-9 9l-9 -9Z\"><title>{}</title></path>",
                x + 9,
                xml(&state.name)
            );
        }
        ChartKind::History => {
            let _ = writeln!(
                out,
                "<circle class=\"elw-state {class}\" cx=\"{}\" cy=\"{}\" r=\"9\"/><text x=\"{}\" y=\"{}\">H</text>",
                x + 9,
                y + 9,
                x + 5,
                y + 14
            );
        }
    }
}

fn described(name: &str, fate: &ChartFate) -> String {
    match fate {
        ChartFate::Reached => name.to_owned(),
        ChartFate::Missed(why) => format!("{name}: not reached, {why}"),
        ChartFate::Unreachable(why) => format!("{name}: unreachable, {why}"),
    }
}

fn write_arrow(out: &mut String, arrow: &ChartArrow, boxes: &[Frame], number: usize) {
    let class = class(&arrow.fate);
    let Some(from) = boxes.get(arrow.from) else {
        return;
    };
    let title = xml(&described(&arrow.label, &arrow.fate));
    // Arrows between the same two bend to different sides.
    let bend = 18.0 + 7.0 * (number % 5) as f64;
    let Some(to) = arrow.to.and_then(|to| boxes.get(to)) else {
        return;
    };
    let (path, tip) = if arrow.to == Some(arrow.from) {
        let (x, y) = ((from.x + from.width) as f64, from.y as f64 + 12.0);
        let path = format!(
            "M{x:.0} {y:.0}C{:.0} {:.0} {:.0} {:.0} {:.0} {:.0}",
            x + bend + 10.0,
            y - 8.0,
            x + bend + 10.0,
            y + 24.0,
            x,
            y + 16.0
        );
        (path, (x, y + 16.0, -1.0, 0.1))
    } else {
        let start = from.border(to.middle());
        let end = to.border(from.middle());
        let (dx, dy) = (end.0 - start.0, end.1 - start.1);
        let length = (dx * dx + dy * dy).sqrt().max(1.0);
        let (px, py) = (-dy / length * bend, dx / length * bend);
        let middle = ((start.0 + end.0) / 2.0 + px, (start.1 + end.1) / 2.0 + py);
        let path = format!(
            "M{:.0} {:.0}Q{:.0} {:.0} {:.0} {:.0}",
            start.0, start.1, middle.0, middle.1, end.0, end.1
        );
        let (tx, ty) = (end.0 - middle.0, end.1 - middle.1);
        let size = (tx * tx + ty * ty).sqrt().max(1.0);
        (path, (end.0, end.1, tx / size, ty / size))
    };
    let (x, y, dx, dy) = tip;
    let _ = writeln!(
        out,
        "<g class=\"elw-arrow {class}\"><title>{title}</title><path class=\"elw-way\" d=\"{path}\"/><path class=\"elw-point\" d=\"M{x:.0} {y:.0}L{:.0} {:.0}L{:.0} {:.0}Z\"/></g>",
        x - 8.0 * dx - 4.0 * dy,
        y - 8.0 * dy + 4.0 * dx,
        x - 8.0 * dx + 4.0 * dy,
        y - 8.0 * dy - 4.0 * dx,
    );
}

/// The shape of lines tells it, too: dashed for what was not reached, dotted for what cannot be.
const COLOURS: &str = "\
.elw-state{stroke-width:1.5}\
.elw-start{fill:#1f2328}\
.elw-state.elw-is-reached{fill:#dafbe1;fill-opacity:.5;stroke:#1a7f37}\
.elw-state.elw-is-missed{fill:#fff1e5;fill-opacity:.5;stroke:#bc4c00;stroke-dasharray:6 3}\
.elw-state.elw-is-unreachable{fill:#f6f8fa;fill-opacity:.5;stroke:#8c959f;stroke-dasharray:2 3}\
.elw-way{fill:none;stroke-width:1.5}\
.elw-arrow.elw-is-reached .elw-way{stroke:#1a7f37}\
.elw-arrow.elw-is-reached .elw-point{fill:#1a7f37}\
.elw-arrow.elw-is-missed .elw-way{stroke:#bc4c00;stroke-dasharray:6 3}\
.elw-arrow.elw-is-missed .elw-point{fill:#bc4c00}\
.elw-arrow.elw-is-unreachable .elw-way{stroke:#8c959f;stroke-dasharray:2 3}\
.elw-arrow.elw-is-unreachable .elw-point{fill:#8c959f}\
@media (prefers-color-scheme:dark){.elw-start{fill:#e6edf3}.elw-state.elw-is-reached{fill:#033a16}.elw-state.elw-is-missed{fill:#3d1300}.elw-state.elw-is-unreachable{fill:#161b22}}";

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> StateChart {
        let state = |name: &str, parent, kind, fate| ChartState {
            name: name.into(),
            parent,
            kind,
            fate,
            line: 3,
        };
        let arrow = |from, to, label: &str, fate| ChartArrow {
            from,
            to,
            label: label.into(),
            fate,
            line: 9,
        };
        let reached = ChartFate::Reached;
        StateChart {
            name: "Door".into(),
            states: vec![
                state("", None, ChartKind::Initial, reached.clone()),
                state("Closed", None, ChartKind::State, reached.clone()),
                state("Open", None, ChartKind::State, reached.clone()),
                state("Wide", Some(2), ChartKind::State, reached.clone()),
                state(
                    "<Locked>",
                    None,
                    ChartKind::State,
                    ChartFate::Missed("no run takes a way to it".into()),
                ),
            ],
            arrows: vec![
                arrow(0, Some(1), "(start) -> Closed", reached.clone()),
                arrow(1, Some(2), "Closed -> Open on open", reached),
                arrow(
                    1,
                    Some(4),
                    "Closed -> <Locked> on code [value == 7]",
                    ChartFate::Unreachable("its guard never holds".into()),
                ),
            ],
        }
    }

    #[test]
    fn what_was_not_reached_is_named_with_the_reason() {
        let chart = sample();
        let picture = ChartPicture { chart: &chart };
        assert_eq!(picture.states(), Reached { reached: 3, all: 4 });
        assert_eq!(picture.transitions(), Reached { reached: 2, all: 3 });
        let text = picture.text(Terminal::default());
        assert!(text.contains("3 of 4 states, 2 of 3 transitions"), "{text}");
        assert!(text.contains("no run takes a way to it"), "{text}");
        assert!(text.contains("its guard never holds"), "{text}");
    }

    #[test]
    fn boxes_of_inner_states_lie_inside() {
        let chart = sample();
        let (boxes, width, height) = layout(&chart);
        let (outer, inner) = (boxes[2], boxes[3]);
        assert!(inner.x > outer.x && inner.y > outer.y);
        assert!(inner.x + inner.width < outer.x + outer.width);
        assert!(inner.y + inner.height < outer.y + outer.height);
        assert!(outer.x + outer.width < width && outer.y + outer.height < height);
        let svg = ChartPicture { chart: &chart }.svg();
        assert!(svg.contains("&lt;Locked&gt;") && !svg.contains("<Locked>"));
    }
}
