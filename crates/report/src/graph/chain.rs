//! Lists: boxes in a row, each with an arrow from the member that leads to the next.

use super::line::{Line, width};
use super::rows::{Cell, Row};
use super::scene::{From, Scene};
use crate::style::DIM;
use elsewise_graph::Step;

/// Boxes of more objects than this are too many to take in.
const OBJECTS: usize = 24;
/// Columns of a value in a box.
const VALUE: usize = 32;
/// Columns of a root's name before an arrow.
const ROOT: usize = 20;

/// Objects that one member each leads to the next of.
struct Chain {
    root: Option<usize>,
    objects: Vec<usize>,
    /// The row of each object, but the last, that leads to the next.
    links: Vec<usize>,
}

/// The graph as rows of boxes; nothing when it is no set of lists, or does not fit.
pub fn draw(scene: &Scene) -> Option<Vec<Line>> {
    if scene.order.len() > OBJECTS {
        return None;
    }
    let chains = chains(scene)?;
    let mut lines = plain_roots(scene, &chains);
    for chain in &chains {
        lines.extend(draw_chain(scene, chain)?);
    }
    Some(lines)
}

fn chains(scene: &Scene) -> Option<Vec<Chain>> {
    let mut seen = vec![false; scene.rows.len()];
    let mut chains = Vec::new();
    let roots = scene.roots.iter().enumerate();
    let starts = roots.filter_map(|(at, row)| match &row.cell {
        Cell::Pointer { object, path } if path.is_empty() => Some((Some(at), *object)),
        _ => None,
    });
    let rest = scene.order.iter().map(|object| (None, *object));
    for (root, start) in starts.chain(rest) {
        if seen[start] {
            continue;
        }
        let mut chain = Chain {
            root,
            objects: Vec::new(),
            links: Vec::new(),
        };
        let mut next = Some(start);
        while let Some(object) = next.take() {
            seen[object] = true;
            chain.objects.push(object);
            for (at, row) in scene.rows[object].iter().enumerate() {
                let Cell::Pointer { object: to, .. } = row.cell else {
                    continue;
                };
                match next {
                    _ if seen[to] => {}
                    None => {
                        next = Some(to);
                        chain.links.push(at);
                    }
                    Some(other) if other == to => {}
                    // Two ways on: not a list.
                    Some(_) => return None,
                }
            }
        }
        chains.push(chain);
    }
    Some(chains)
}

/// The roots from which no arrow is drawn.
fn plain_roots(scene: &Scene, chains: &[Chain]) -> Vec<Line> {
    let drawn = |at: usize| chains.iter().any(|chain| chain.root == Some(at));
    let roots = scene.roots.iter().enumerate();
    let rows = roots.filter(|(at, _)| !drawn(*at)).map(|(_, row)| row);
    scene.root_lines(rows)
}

/// How a row of a box is shown.
enum Port {
    Text(String),
    /// An arrow to the right; what it points at in there.
    Right(String),
    /// An arrow to the box on the left.
    Left,
}

struct Drawn<'a> {
    title: Line,
    rows: Vec<(&'a Row, Port)>,
    inner: usize,
}

impl Drawn<'_> {
    /// With its borders.
    fn width(&self) -> usize {
        self.inner + 4
    }
}

/// The box before another on the same line.
#[derive(Clone, Copy)]
struct Left {
    object: usize,
    /// Its row from which the arrow to the right leaves.
    link: usize,
}

impl Left {
    /// Whether row `at` of the box beside it can be drawn as an arrow back to it.
    fn takes(self, at: usize, to: usize, path: &[Step]) -> bool {
        to == self.object && at != self.link && path.is_empty()
    }
}

/// `right`: the row that an arrow leaves from.
fn make<'a>(
    scene: &'a Scene,
    object: usize,
    left: Option<Left>,
    right: Option<usize>,
) -> Drawn<'a> {
    let mut rows = Vec::new();
    for (at, row) in scene.rows[object].iter().enumerate() {
        let port = match &row.cell {
            Cell::Pointer { path, .. } if right == Some(at) => {
                Port::Right(super::spell::path(path, scene.terminal))
            }
            Cell::Pointer { object: to, path }
                if left.is_some_and(|left| left.takes(at, *to, path)) =>
            {
                Port::Left
            }
            Cell::Pointer { object: to, path } if *to == object && path.is_empty() => {
                Port::Text(format!("{} itself", scene.terminal.to()))
            }
            _ => Port::Text(scene.terminal.cut(&scene.value(row, false), VALUE)),
        };
        rows.push((row, port));
    }
    let title = scene.title(object);
    let label = rows.iter().map(|(row, _)| width(&row.label)).max();
    let label = label.unwrap_or(0);
    let space = usize::from(label > 0);
    let needed = rows.iter().map(|(row, port)| match port {
        Port::Text(text) if row.label.is_empty() => width(text),
        Port::Text(text) => label + space + width(text),
        Port::Right(path) => label + space + width(path) + 1,
        Port::Left => 2 + width(&row.label),
    });
    let inner = needed.max().unwrap_or(0).max(title.width());
    Drawn { title, rows, inner }
}

/// Where the arrow out of the last box of a line goes.
enum Out {
    Nowhere,
    /// To an object that is drawn elsewhere.
    Away {
        row: usize,
        name: String,
    },
    /// Around, to the box of this number on the same line.
    Around {
        row: usize,
        to: usize,
    },
}

fn draw_chain(scene: &Scene, chain: &Chain) -> Option<Vec<Line>> {
    let mut lead = Line::default();
    if let Some(root) = chain.root {
        let row = &scene.roots[root];
        let label = scene.terminal.cut(&row.label, ROOT);
        lead.push(label);
        lead.push(" ─▶");
    }
    for gap in [3, 2] {
        let (count, lines) = draw_line(scene, chain, 0, &lead, gap)?;
        if count == chain.objects.len() {
            return Some(lines);
        }
    }
    let mut lines = Vec::new();
    let mut at = 0;
    while at < chain.objects.len() {
        let (count, drawn) = draw_line(scene, chain, at, &lead, 2)?;
        lines.extend(drawn);
        at += count;
        lead = Line::of("   ");
    }
    Some(lines)
}

/// As many objects of the chain, from number `begin` on, as fit on one line: how many, and drawn.
fn draw_line(
    scene: &Scene,
    chain: &Chain,
    begin: usize,
    lead: &Line,
    gap: usize,
) -> Option<(usize, Vec<Line>)> {
    let columns = scene.terminal.columns();
    let mut boxes: Vec<Drawn> = Vec::new();
    let mut used = lead.width();
    let mut out = Out::Nowhere;
    for (at, object) in chain.objects.iter().enumerate().skip(begin) {
        let left = (at > begin).then(|| Left {
            object: chain.objects[at - 1],
            link: chain.links[at - 1],
        });
        let link = chain.links.get(at).copied();
        let before = if boxes.is_empty() { 0 } else { gap };
        let last = at + 1 == chain.objects.len();
        let ending = match last {
            true => ending(scene, chain, begin, left),
            false => away(scene, *object, link?, chain.objects[at + 1]),
        };
        // Without the arrow out, a last box may still fit.
        let choices = match last {
            true => vec![ending, Out::Nowhere],
            false => vec![ending],
        };
        let fits = choices.into_iter().find_map(|ending| {
            let right = match &ending {
                Out::Nowhere => link,
                Out::Away { row, .. } | Out::Around { row, .. } => Some(*row),
            };
            let drawn = make(scene, *object, left, right);
            let tail = match &ending {
                Out::Nowhere => 0,
                Out::Away { name, .. } => 3 + width(name),
                Out::Around { .. } => 2,
            };
            let total = used + before + drawn.width();
            (total + tail <= columns).then_some((drawn, ending, total))
        });
        let Some((drawn, ending, total)) = fits else {
            break;
        };
        boxes.push(drawn);
        out = ending;
        used = total;
    }
    if boxes.is_empty() {
        return None;
    }
    Some((boxes.len(), render(&boxes, lead, gap, &out)))
}

fn away(scene: &Scene, object: usize, row: usize, next: usize) -> Out {
    let path: &[Step] = match &scene.row(From::Object(object, row)).cell {
        Cell::Pointer { path, .. } => path,
        _ => &[],
    };
    let name = super::spell::place(scene.graph, next, path, scene.terminal);
    Out::Away { row, name }
}

/// The arrow out of the last box of a chain: to an earlier one, or to one of another chain.
fn ending(scene: &Scene, chain: &Chain, begin: usize, left: Option<Left>) -> Out {
    let object = chain.objects[chain.objects.len() - 1];
    let pointers = scene.rows[object].iter().enumerate();
    let pointers = pointers.filter_map(|(at, row)| match &row.cell {
        Cell::Pointer { object: to, path } => Some((at, *to, path)),
        _ => None,
    });
    let pointers = pointers.filter(|(at, to, path)| {
        *to != object && !left.is_some_and(|left| left.takes(*at, *to, path))
    });
    for (row, to, path) in pointers {
        let place = chain.objects.iter().position(|other| *other == to);
        match place {
            Some(place) if place >= begin && path.is_empty() => {
                return Out::Around {
                    row,
                    to: place - begin,
                };
            }
            Some(_) => {}
            None => return away(scene, object, row, to),
        }
    }
    Out::Nowhere
}

fn render(boxes: &[Drawn], lead: &Line, gap: usize, out: &Out) -> Vec<Line> {
    let height = boxes.iter().map(|drawn| drawn.rows.len()).max();
    let height = height.unwrap_or(0).max(1);
    let blank = " ".repeat(lead.width());
    let mut top = Line::of(blank.clone());
    for (index, drawn) in boxes.iter().enumerate() {
        if index > 0 {
            top.push(" ".repeat(gap));
        }
        let end = top.width() + drawn.width() - 1;
        top.paint(DIM, "┌ ");
        top.append(&drawn.title);
        top.push(" ");
        let mut border = String::new();
        border.push_str(&"─".repeat(end.saturating_sub(top.width())));
        border.push('┐');
        top.paint(DIM, border);
    }
    let mut lines = vec![top];
    let around = match out {
        Out::Around { row, to } => Some((*row, *to)),
        _ => None,
    };
    for y in 0..height {
        let mut line = match y {
            0 => lead.clone(),
            _ => Line::of(blank.clone()),
        };
        for (index, drawn) in boxes.iter().enumerate() {
            let row = drawn.rows.get(y);
            let port = row.map(|(_, port)| port);
            if index > 0 {
                let before = boxes[index - 1].rows.get(y).map(|(_, port)| port);
                let dash = "─".repeat(gap - 1);
                line.push(match (before, port) {
                    (Some(Port::Right(_)), _) => format!("{dash}▶"),
                    (_, Some(Port::Left)) => format!("◀{dash}"),
                    _ => " ".repeat(gap),
                });
            }
            draw_row(&mut line, drawn, row);
        }
        match out {
            Out::Away { row, name } if *row == y => line.push(format!("─▶ {name}")),
            Out::Around { row, .. } if *row == y => line.push("─┐"),
            Out::Around { row, .. } if *row < y => line.push(" │"),
            _ => {}
        }
        lines.push(line);
    }
    let mut bottom = Line::of(blank);
    let mut target = 0;
    for (index, drawn) in boxes.iter().enumerate() {
        if index > 0 {
            bottom.push(" ".repeat(gap));
        }
        let inside = drawn.width() - 2;
        if around.is_some_and(|(_, to)| to == index) {
            target = bottom.width() + 2;
            bottom.paint(DIM, "└─");
            bottom.push("▲");
            bottom.paint(DIM, format!("{}┘", "─".repeat(inside - 2)));
        } else {
            bottom.paint(DIM, format!("└{}┘", "─".repeat(inside)));
        }
    }
    if around.is_some() {
        bottom.push(" │");
        let mut under = Line::of(" ".repeat(target));
        under.push("└");
        under.fill(bottom.width() - 1, '─');
        under.push("┘");
        lines.push(bottom);
        lines.push(under);
    } else {
        lines.push(bottom);
    }
    lines
}

fn draw_row(line: &mut Line, drawn: &Drawn, row: Option<&(&Row, Port)>) {
    let Some((row, port)) = row else {
        line.paint(DIM, format!("│{}│", " ".repeat(drawn.inner + 2)));
        return;
    };
    let end = line.width() + drawn.inner + 2;
    match port {
        Port::Left => line.push("┼"),
        _ => line.paint(DIM, "│"),
    }
    let mut content = Line::default();
    match port {
        Port::Left => content.push("─"),
        _ => content.push(" "),
    }
    let inner = match port {
        Port::Left => format!("● {}", row.label),
        Port::Text(text) if row.label.is_empty() => text.clone(),
        Port::Text(text) => aligned(drawn, &row.label, text),
        Port::Right(path) => aligned(drawn, &row.label, &format!("{path}●")),
    };
    content.push(inner);
    line.append(&content);
    line.pad(end);
    match port {
        Port::Right(_) => line.push("─┼"),
        _ => {
            line.push(" ");
            line.paint(DIM, "│");
        }
    }
}

/// A label, and its value at the right side of the box.
fn aligned(drawn: &Drawn, label: &str, value: &str) -> String {
    let blanks = drawn.inner.saturating_sub(width(label) + width(value));
    format!("{label}{}{value}", " ".repeat(blanks))
}
