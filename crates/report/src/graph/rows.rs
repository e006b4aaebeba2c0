//! An object as rows, each a member with its value: what a box or a line of a picture shows.

use super::line::Terminal;
use super::spell;
use elsewise_graph::{Field, Graph, Step, Value};

/// Rows of one object before the rest is only counted.
const ROWS: usize = 16;
/// A part without pointers that is spelled in so many columns has one row.
const SHORT: usize = 24;
/// Columns of any value.
const VALUE: usize = 32;

pub struct Row {
    /// `value`, `pos.x`, `bucket[2]`; empty for an object that is no struct.
    pub label: String,
    pub cell: Cell,
    pub path: Vec<Step>,
}

pub enum Cell {
    Text(String),
    Null,
    Pointer {
        object: usize,
        path: Vec<Step>,
    },
    /// So many rows are not shown.
    Cut(usize),
}

/// The rows of an object's value.
pub fn of_object(graph: &Graph, index: usize, terminal: Terminal) -> Vec<Row> {
    let mut rows = Rows::new(graph, terminal);
    rows.value(&graph.objects[index].value, &mut Vec::new());
    rows.finish()
}

/// The rows of one root.
pub fn of_root(graph: &Graph, root: &Field, terminal: Terminal) -> Vec<Row> {
    let mut rows = Rows::new(graph, terminal);
    let mut path = vec![Step::Member(root.name.clone())];
    rows.value(&root.value, &mut path);
    rows.finish()
}

struct Rows<'a> {
    graph: &'a Graph,
    terminal: Terminal,
    rows: Vec<Row>,
}

impl<'a> Rows<'a> {
    fn new(graph: &'a Graph, terminal: Terminal) -> Rows<'a> {
        Rows {
            graph,
            terminal,
            rows: Vec::new(),
        }
    }

    fn value(&mut self, value: &Value, path: &mut Vec<Step>) {
        match value {
            Value::Null => self.push(Cell::Null, path),
            Value::Pointer { object, path: to } if *object < self.graph.objects.len() => {
                let cell = Cell::Pointer {
                    object: *object,
                    path: to.clone(),
                };
                self.push(cell, path);
            }
            Value::Struct(fields) if !self.is_short(value, path) => {
                for field in fields {
                    self.field(field, path);
                }
            }
            Value::Union(field) if !self.is_short(value, path) => self.field(field, path),
            Value::Array(values) if !spell::is_plain(value) || self.is_of_structs(values) => {
                for (index, value) in values.iter().enumerate() {
                    path.push(Step::Element(index));
                    self.value(value, path);
                    path.pop();
                }
            }
            _ => {
                let text = spell::value_within(self.graph, value, VALUE, self.terminal);
                self.push(Cell::Text(text), path);
            }
        }
    }

    fn field(&mut self, field: &Field, path: &mut Vec<Step>) {
        path.push(Step::Member(field.name.clone()));
        self.value(&field.value, path);
        path.pop();
    }

    /// A nested part that is best shown in one piece. An object itself never is.
    fn is_short(&self, value: &Value, path: &[Step]) -> bool {
        !path.is_empty()
            && spell::is_plain(value)
            && super::line::width(&spell::value(self.graph, value, self.terminal)) <= SHORT
    }

    fn is_of_structs(&self, values: &[Value]) -> bool {
        let compound = |value: &Value| matches!(value, Value::Struct(_) | Value::Array(_));
        values.first().is_some_and(compound)
    }

    fn push(&mut self, cell: Cell, path: &[Step]) {
        let label = spell::path(path, self.terminal);
        self.rows.push(Row {
            label: label.trim_start_matches('.').to_string(),
            cell,
            path: path.to_vec(),
        });
    }

    fn finish(mut self) -> Vec<Row> {
        if self.rows.len() > ROWS {
            let more = self.rows.len() - (ROWS - 1);
            self.rows.truncate(ROWS - 1);
            self.rows.push(Row {
                label: String::new(),
                cell: Cell::Cut(more),
                path: Vec::new(),
            });
        }
        self.rows
    }
}
