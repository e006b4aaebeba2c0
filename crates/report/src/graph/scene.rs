//! What a picture of a graph shows: which objects, their rows, and who led to whom first.

use super::line::{Line, Terminal, commas, wrap};
use super::rows::{self, Cell, Row};
use super::spell;
use crate::style::{NAME, WARN};
use elsewise_graph::{Graph, Step};
use std::collections::VecDeque;

/// Who points at an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    /// A row of the roots.
    Root(usize),
    /// An object and its row.
    Object(usize, usize),
}

pub struct Scene<'a> {
    pub graph: &'a Graph,
    pub terminal: Terminal,
    pub roots: Vec<Row>,
    /// The rows of each object; none for those that are not shown.
    pub rows: Vec<Vec<Row>>,
    /// The objects shown, breadth first from the roots.
    pub order: Vec<usize>,
    /// From where an object was reached first; nothing for one that no root leads to.
    pub parents: Vec<Option<From>>,
    /// How many steps from the roots, which are at 0.
    pub layers: Vec<usize>,
    /// Objects that are not shown.
    pub cut: usize,
}

impl<'a> Scene<'a> {
    /// At most `limit` objects of `graph`.
    pub fn new(graph: &'a Graph, limit: usize, terminal: Terminal) -> Scene<'a> {
        let count = graph.objects.len();
        let mut scene = Scene {
            graph,
            terminal,
            roots: Vec::new(),
            rows: (0..count).map(|_| Vec::new()).collect(),
            order: Vec::new(),
            parents: vec![None; count],
            layers: vec![0; count],
            cut: 0,
        };
        for root in &graph.roots {
            scene.roots.extend(rows::of_root(graph, root, terminal));
        }
        scene.walk(limit);
        scene
    }

    fn walk(&mut self, limit: usize) {
        let mut seen = vec![false; self.rows.len()];
        let mut queue = VecDeque::new();
        // A root that points into what an earlier one leads to is no beginning: the end of a list
        // stays its end when something points at it.
        let mut reached = vec![false; self.rows.len()];
        for (at, row) in self.roots.iter().enumerate() {
            if let Cell::Pointer { object, .. } = row.cell
                && !reached[object]
            {
                queue.push_back((object, Some(From::Root(at)), 1));
                reach(self.graph, object, &mut reached);
            }
        }
        // Those that no root leads to come last.
        let mut rest = 0..self.rows.len();
        loop {
            let next = queue.pop_front();
            let Some((object, from, layer)) = next.or_else(|| Some((rest.next()?, None, 1))) else {
                break;
            };
            if std::mem::replace(&mut seen[object], true) {
                continue;
            }
            if self.order.len() == limit {
                self.cut += 1;
                continue;
            }
            let rows = rows::of_object(self.graph, object, self.terminal);
            for (at, row) in rows.iter().enumerate() {
                if let Cell::Pointer { object: to, .. } = row.cell {
                    queue.push_back((to, Some(From::Object(object, at)), layer + 1));
                }
            }
            self.rows[object] = rows;
            self.order.push(object);
            self.parents[object] = from;
            self.layers[object] = layer;
        }
    }

    pub fn is_shown(&self, object: usize) -> bool {
        self.order.contains(&object)
    }

    pub fn row(&self, from: From) -> &Row {
        match from {
            From::Root(at) => &self.roots[at],
            From::Object(object, at) => &self.rows[object][at],
        }
    }

    /// Every pointer that is shown, and what it points at.
    pub fn pointers(&self) -> impl Iterator<Item = (From, usize, &[Step])> {
        let roots = self.roots.iter().enumerate();
        let roots = roots.map(|(at, row)| (From::Root(at), row));
        let objects = self.order.iter().flat_map(|object| {
            let rows = self.rows[*object].iter().enumerate();
            rows.map(|(at, row)| (From::Object(*object, at), row))
        });
        roots
            .chain(objects)
            .filter_map(|(from, row)| match &row.cell {
                Cell::Pointer { object, path } => Some((from, *object, &path[..])),
                _ => None,
            })
    }

    pub fn name(&self, object: usize) -> String {
        spell::object(self.graph, object, self.terminal)
    }

    /// The name of an object, with what there is to say of it as a whole.
    pub fn title(&self, object: usize) -> Line {
        let mut line = Line::default();
        let name = self.terminal.cut(&self.name(object), 32);
        line.paint(NAME, name);
        if self
            .graph
            .objects
            .get(object)
            .is_some_and(|object| object.freed)
        {
            line.push(" ");
            line.paint(WARN, "(freed)");
        }
        line
    }

    /// `l`, `node 3.next`.
    pub fn place(&self, from: From) -> String {
        match from {
            From::Root(at) => self.roots[at].label.clone(),
            From::Object(object, at) => {
                let path = &self.rows[object][at].path;
                spell::place(self.graph, object, path, self.terminal)
            }
        }
    }

    /// `v 3`, `next ∅`, `next → node 3`; with `back`, a pointer back to an object that leads here.
    pub fn item(&self, row: &Row, separator: &str, back: bool) -> Line {
        let terminal = self.terminal;
        let value = terminal.cut(&self.value(row, back), terminal.columns() / 2);
        let mut text = row.label.clone();
        if !text.is_empty() {
            text.push_str(match row.cell {
                Cell::Pointer { .. } => " ",
                _ => separator,
            });
        }
        text.push_str(&value);
        let mut line = Line::default();
        line.push(text);
        line
    }

    /// What a row holds, pointers by name.
    pub fn value(&self, row: &Row, back: bool) -> String {
        let terminal = self.terminal;
        match &row.cell {
            Cell::Text(text) => text.clone(),
            Cell::Null => terminal.null().into(),
            Cell::Pointer { object, path } => {
                let arrow = if back { terminal.back() } else { terminal.to() };
                let place = spell::place(self.graph, *object, path, terminal);
                format!("{arrow} {place}")
            }
            Cell::Cut(more) => format!("{} {more} more", terminal.more()),
        }
    }

    /// Roots that no arrow leaves from: `n = 3, tail → node 5`.
    pub fn root_lines<'r>(&self, rows: impl Iterator<Item = &'r Row>) -> Vec<Line> {
        let items = commas(rows.map(|row| self.item(row, " = ", false)));
        match items.is_empty() {
            true => Vec::new(),
            false => wrap(Line::default(), &items, &Line::default(), self.terminal),
        }
    }
}

/// Marks all that `object` leads to.
fn reach(graph: &Graph, object: usize, reached: &mut [bool]) {
    let mut stack = vec![object];
    while let Some(object) = stack.pop() {
        if !std::mem::replace(&mut reached[object], true) {
            spell::each_pointer(&graph.objects[object].value, &mut |to, _| {
                if to < graph.objects.len() {
                    stack.push(to);
                }
            });
        }
    }
}
