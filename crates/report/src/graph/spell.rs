//! Values in one line: numbers, text, and whole graphs in a short notation.

use super::line::{Terminal, width};
use crate::escape;
use elsewise_graph::{Field, Graph, Object, Step, Value};
use std::fmt::Write;

/// Elements of an array, and bytes of a text or of plain memory, that are spelled before the rest
/// is only counted.
const ELEMENTS: usize = 16;
const BYTES: usize = 48;
/// Objects that one notation spells; a long list says no more after so many.
const OBJECTS: usize = 24;

/// `.next`, `[2].key`: the way from an object to a part of it.
pub fn path(steps: &[Step], terminal: Terminal) -> String {
    let mut out = String::new();
    for step in steps {
        let _ = match step {
            Step::Member(name) => write!(out, ".{}", terminal.name(name)),
            Step::Element(index) => write!(out, "[{index}]"),
        };
    }
    out
}

/// How an object is called.
pub fn object(graph: &Graph, index: usize, terminal: Terminal) -> String {
    match graph.objects.get(index) {
        Some(object) => terminal.name(&object.name),
        None => elsewhere(),
    }
}

/// A pointer to something that is not shown.
pub fn elsewhere() -> String {
    "?".into()
}

/// `node 1.next`.
pub fn place(graph: &Graph, index: usize, steps: &[Step], terminal: Terminal) -> String {
    object(graph, index, terminal) + &path(steps, terminal)
}

/// Whether a value is spelled in one piece: no object hangs on it.
pub fn is_plain(value: &Value) -> bool {
    match value {
        Value::Pointer { .. } => false,
        Value::Struct(fields) => fields.iter().all(|field| is_plain(&field.value)),
        Value::Union(field) => is_plain(&field.value),
        Value::Array(values) => values.iter().all(is_plain),
        _ => true,
    }
}

/// A value without the objects that it points at; those are named.
pub fn value(graph: &Graph, of: &Value, terminal: Terminal) -> String {
    let mut notation = Notation::naming(graph, terminal);
    notation.value(of);
    notation.out
}

/// The same in at most `room` columns: long arrays and texts are cut first.
pub fn value_within(graph: &Graph, of: &Value, room: usize, terminal: Terminal) -> String {
    let mut out = String::new();
    for share in [1, 2, 3, 4, 6, 8] {
        let mut notation = Notation::naming(graph, terminal);
        notation.elements = ELEMENTS / share;
        notation.bytes = BYTES / share;
        notation.value(of);
        out = notation.out;
        if width(&out) <= room {
            return out;
        }
    }
    terminal.cut(&out, room)
}

/// Fields with all that they point at: `l → 3 → 1 → ∅, t → {key 2, left ∅, right ∅}, n = 2`.
pub fn fields<'a>(
    graph: &Graph,
    fields: impl IntoIterator<Item = &'a Field>,
    terminal: Terminal,
) -> String {
    let mut notation = Notation::new(graph, terminal);
    for (index, field) in fields.into_iter().enumerate() {
        if index > 0 {
            notation.out.push_str(", ");
        }
        notation.field(field, " = ");
    }
    notation.out
}

/// Writes values down, and remembers which objects were written already.
pub struct Notation<'a> {
    graph: &'a Graph,
    terminal: Terminal,
    /// How many pointers lead to each object: those with several need their name.
    pointers: Vec<usize>,
    written: Vec<bool>,
    /// Objects in whose notation we are.
    within: Vec<usize>,
    /// Objects that may still be spelled.
    left: usize,
    elements: usize,
    bytes: usize,
    pub out: String,
}

impl<'a> Notation<'a> {
    /// One that names objects and spells none.
    fn naming(graph: &'a Graph, terminal: Terminal) -> Notation<'a> {
        Notation {
            graph,
            terminal,
            pointers: Vec::new(),
            written: Vec::new(),
            within: Vec::new(),
            left: 0,
            elements: ELEMENTS,
            bytes: BYTES,
            out: String::new(),
        }
    }

    pub fn new(graph: &'a Graph, terminal: Terminal) -> Notation<'a> {
        let mut notation = Notation::naming(graph, terminal);
        notation.pointers = vec![0; graph.objects.len()];
        notation.written = vec![false; graph.objects.len()];
        notation.left = OBJECTS;
        for field in &graph.roots {
            notation.expect(&field.value);
        }
        for object in &graph.objects {
            notation.expect(&object.value);
        }
        notation
    }

    /// Gives an object its name where it is written, however few lead to it.
    pub fn name(&mut self, object: usize) {
        if let Some(count) = self.pointers.get_mut(object) {
            *count += 2;
        }
    }

    /// Counts the pointers of a value that will be written and is not in the graph.
    pub fn expect(&mut self, value: &Value) {
        let pointers = &mut self.pointers;
        each_pointer(value, &mut |object, _| {
            if let Some(count) = pointers.get_mut(object) {
                *count += 1;
            }
        });
    }

    pub fn field(&mut self, field: &Field, equals: &str) {
        let name = self.terminal.name(&field.name);
        self.out.push_str(&name);
        match &field.value {
            Value::Pointer { object, path } if *object < self.graph.objects.len() => {
                if !name.is_empty() {
                    self.out.push(' ');
                }
                self.pointer(*object, path);
            }
            value => {
                if !name.is_empty() {
                    self.out.push_str(equals);
                }
                self.value(value);
            }
        }
    }

    pub fn value(&mut self, value: &Value) {
        let terminal = self.terminal;
        match value {
            Value::Integer(number) => {
                let _ = write!(self.out, "{number}");
            }
            Value::Single(number) => {
                let _ = write!(self.out, "{}", float(format!("{number:?}")));
            }
            Value::Double(number) => {
                let _ = write!(self.out, "{}", float(format!("{number:?}")));
            }
            Value::Named(name) => self.out.push_str(&terminal.name(name)),
            Value::Text(bytes) => self.out.push_str(&text(bytes, self.bytes, terminal)),
            Value::Null => self.out.push_str(terminal.null()),
            Value::Pointer { object, path } => self.pointer(*object, path),
            Value::Result(call) => self.out.push_str(&result_name(*call)),
            Value::Elsewhere => self.out.push_str(&elsewhere()),
            Value::Struct(fields) => self.members(&fields.iter().collect::<Vec<_>>()),
            Value::Union(field) => self.members(&[field]),
            Value::Array(values) => {
                self.out.push('[');
                for (index, value) in values.iter().take(self.elements).enumerate() {
                    if index > 0 {
                        self.out.push_str(", ");
                    }
                    self.value(value);
                }
                if let more @ 1.. = values.len().saturating_sub(self.elements) {
                    let _ = write!(self.out, ", {} {more} more", terminal.more());
                }
                self.out.push(']');
            }
            Value::Bytes(bytes) => self.out.push_str(&memory(bytes, self.bytes, terminal)),
        }
    }

    fn pointer(&mut self, index: usize, steps: &[Step]) {
        let terminal = self.terminal;
        let Some(target) = self.graph.objects.get(index) else {
            return self.out.push_str(&elsewhere());
        };
        let arrow = match self.within.contains(&index) {
            true => terminal.back(),
            false => terminal.to(),
        };
        self.out.push_str(arrow);
        self.out.push(' ');
        let fresh = self.left > 0 && !self.written[index];
        if !fresh || self.pointers[index] > 1 || target.freed {
            self.out.push_str(&object(self.graph, index, terminal));
        }
        self.out.push_str(&path(steps, terminal));
        if target.freed {
            self.out.push_str(" (freed)");
        }
        if !fresh {
            return;
        }
        let named = !self.out.ends_with(' ');
        let at = self.out.len();
        self.written[index] = true;
        self.left -= 1;
        match self.link(target) {
            Some(link) => self.list_node(index, target, link),
            None => {
                self.within.push(index);
                self.value(&target.value);
                self.within.pop();
            }
        }
        let between = match self.out[at..].starts_with('{') {
            _ if !named => "",
            _ if !steps.is_empty() => " of ",
            true => " ",
            false => ": ",
        };
        self.out.insert_str(at, between);
    }

    /// Which member leads from a node of a simple list to the next: the only pointer that it has.
    fn link(&self, object: &Object) -> Option<usize> {
        let Value::Struct(fields) = &object.value else {
            return None;
        };
        let is_end = |field: &Field| matches!(field.value, Value::Null | Value::Elsewhere);
        let is_way = |field: &Field| is_end(field) || !is_plain(&field.value);
        let mut ways = fields.iter().enumerate().filter(|(_, field)| is_way(field));
        let (at, field) = ways.next()?;
        let same = |index: usize| {
            let other = self.graph.objects.get(index);
            other.is_some_and(|other| other.ty == object.ty)
        };
        let leads_on = match &field.value {
            Value::Pointer { object: to, path } => path.is_empty() && same(*to),
            _ => {
                is_end(field)
                    && (field.ty.trim_end_matches('*').trim_end() == object.ty
                        || self.within.last().is_some_and(|before| same(*before)))
            }
        };
        (leads_on && ways.next().is_none() && fields.len() > 1).then_some(at)
    }

    /// `3 → 1 → ∅`, `{a 3, b 4} → ∅`: what a node holds, and the rest of the list.
    fn list_node(&mut self, index: usize, object: &Object, link: usize) {
        let Value::Struct(fields) = &object.value else {
            return;
        };
        self.within.push(index);
        let others = fields.iter().enumerate().filter(|(at, _)| *at != link);
        let others: Vec<&Field> = others.map(|(_, field)| field).collect();
        match others[..] {
            [only] => self.value(&only.value),
            _ => self.members(&others),
        }
        self.out.push(' ');
        match &fields[link].value {
            Value::Pointer { object, path } => self.pointer(*object, path),
            end => {
                let _ = write!(self.out, "{} ", self.terminal.to());
                self.value(end);
            }
        }
        self.within.pop();
    }

    fn members(&mut self, fields: &[&Field]) {
        self.out.push('{');
        for (index, field) in fields.iter().enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            self.field(field, " ");
        }
        self.out.push('}');
    }
}

/// The name of what call number `call` of a sequence returned: `a`, `b` … `z`, `a1` …
pub fn result_name(call: usize) -> String {
    let letter = char::from(b'a' + (call % 26) as u8);
    match call / 26 {
        0 => letter.to_string(),
        round => format!("{letter}{round}"),
    }
}

/// Every pointer in a value, with the way to it.
pub fn each_pointer<'v>(value: &'v Value, found: &mut impl FnMut(usize, &'v [Step])) {
    match value {
        Value::Pointer { object, path } => found(*object, path),
        Value::Struct(fields) => fields
            .iter()
            .for_each(|field| each_pointer(&field.value, found)),
        Value::Union(field) => each_pointer(&field.value, found),
        Value::Array(values) => values.iter().for_each(|value| each_pointer(value, found)),
        _ => {}
    }
}

fn float(spelled: String) -> String {
    match spelled.as_str() {
        "NaN" => "nan".into(),
        _ => spelled,
    }
}

/// A text as it would stand in source; what cannot be seen of its memory is said behind it.
fn text(bytes: &[u8], limit: usize, terminal: Terminal) -> String {
    let content = bytes
        .iter()
        .rposition(|byte| *byte != 0)
        .map_or(0, |at| at + 1);
    let shown = &bytes[..content.min(limit)];
    let mut out = escape::bytes(shown);
    if content > shown.len() {
        out.push_str(terminal.more());
    }
    let _ = match bytes.len() - content {
        0 => write!(out, " (no NUL)"),
        1 if content <= shown.len() => Ok(()),
        _ => write!(out, " ({} bytes)", bytes.len()),
    };
    out
}

fn memory(bytes: &[u8], limit: usize, terminal: Terminal) -> String {
    let mut out = String::from("<");
    for (index, byte) in bytes.iter().take(limit).enumerate() {
        if index > 0 && index % 4 == 0 {
            out.push(' ');
        }
        let _ = write!(out, "{byte:02x}");
    }
    if bytes.len() > limit {
        let _ = write!(out, " {} {} more", terminal.more(), bytes.len() - limit);
    }
    out.push('>');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::samples;

    fn spelled(of: &Value) -> String {
        value(&Graph::default(), of, Terminal::default())
    }

    #[test]
    fn values_in_one_piece() {
        let all = [
            Value::Integer(i128::MIN),
            Value::Single(0.1),
            Value::Double(-0.0),
            Value::Double(1e300),
            Value::Double(f64::NAN),
            Value::Single(f32::NEG_INFINITY),
            Value::Named("RED\x1b".into()),
            Value::Text(b"ok\0".to_vec()),
            Value::Text(b"no".to_vec()),
            Value::Text(b"\0\0\0\0".to_vec()),
            Value::Text(b"a\0b\0\0".to_vec()),
            Value::Bytes(vec![1, 2, 3, 4, 255]),
            Value::Array(vec![Value::Integer(7); 18]),
            Value::Null,
            Value::Elsewhere,
            Value::Result(1),
            Value::Pointer {
                object: 7,
                path: Vec::new(),
            },
        ];
        let all: Vec<String> = all.iter().map(spelled).collect();
        insta::assert_snapshot!(all.join("\n"));
    }

    #[test]
    fn results_have_names() {
        assert_eq!([0, 25, 26, 53].map(result_name), ["a", "z", "a1", "b2"]);
    }

    #[test]
    fn graphs_in_one_line() {
        let all = samples::all().map(|(name, graph)| {
            let line = fields(&graph, &graph.roots, Terminal::default());
            format!("{name}: {line}")
        });
        insta::assert_snapshot!(all.join("\n"));
    }
}
