//! The table of cases: what each was given, what came of it, and what it was the first to reach.

use crate::changes::changes;
use crate::graph::spell::{self, Notation};
use crate::graph::{BehaviourJson, Terminal};
use crate::style::{BAD, GOOD, HEADING, paint};
use elsewise_graph::{Behaviour, Call, Ending, Graph, Value};
use serde::Serialize;
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// Columns between columns.
const GAP: usize = 2;
/// Which of inputs, result and reached sides is cut to how many columns, in turn, until all fit: a
/// failure in full says more than a long input.
const CUTS: [(usize, usize); 6] = [(1, 40), (0, 24), (1, 24), (2, 12), (0, 16), (1, 12)];

/// All cases of a campaign that are worth a line.
pub struct CasesView<'a> {
    pub behaviours: &'a [Behaviour],
}

/// One line of the table, not yet cut.
struct Row {
    case: String,
    inputs: String,
    result: String,
    reached: String,
    failed: bool,
}

impl CasesView<'_> {
    pub fn text(&self, terminal: Terminal) -> String {
        let file = common_file(self.behaviours);
        let rows = self.behaviours.iter().map(|b| row(b, file, terminal));
        let rows: Vec<Row> = rows.collect();
        if rows.is_empty() {
            return String::new();
        }
        let sequences = self.behaviours.iter().any(|b| b.calls.len() > 1);
        let reached = match file {
            Some(file) => format!("new in {}", terminal.name(file)),
            None if rows.iter().all(|row| row.reached.is_empty()) => String::new(),
            None => "first to reach".into(),
        };
        let inputs = match self.behaviours {
            _ if sequences => "calls",
            [first, ..] if is_written_call(first) => "call",
            _ => "inputs",
        };
        let heads = [inputs, "result", &reached];
        let widest = |texts: &mut dyn Iterator<Item = &str>, head: &str| {
            let widest = texts.map(UnicodeWidthStr::width).max().unwrap_or(0);
            widest.max(head.width())
        };
        let case = widest(&mut rows.iter().map(|row| row.case.as_str()), "case");
        let mut widths = [
            widest(&mut rows.iter().map(|row| row.inputs.as_str()), heads[0]),
            widest(&mut rows.iter().map(|row| row.result.as_str()), heads[1]),
            widest(&mut rows.iter().map(|row| row.reached.as_str()), heads[2]),
        ];
        // The mark of those that fail, and the blanks between columns.
        let room = terminal.columns().saturating_sub(2 + case + 3 * GAP);
        fit(&mut widths, room);
        let mut out = String::new();
        let cells = |texts: [&str; 3]| {
            let mut line = String::new();
            for (text, width) in texts.into_iter().zip(widths) {
                let text = terminal.cut_middle(text, width);
                let blanks = width + GAP - text.width();
                line.push_str(&text);
                line.push_str(&" ".repeat(blanks));
            }
            line.trim_end().to_string()
        };
        let head = format!("  {:>case$}  {}", "case", cells(heads));
        let _ = writeln!(out, "{}", paint(HEADING, head));
        for row in &rows {
            let line = cells([&row.inputs, &row.result, &row.reached]);
            let line = format!("{:>case$}  {line}", row.case);
            let _ = match row.failed {
                true => writeln!(
                    out,
                    "{}",
                    paint(BAD, format!("{} {line}", terminal.failed()))
                ),
                false => writeln!(out, "  {line}"),
            };
        }
        let failed = rows.iter().filter(|row| row.failed).count();
        let total = crate::numbers::plural(rows.len() as u64, "case", "cases");
        let _ = match failed {
            0 => writeln!(out, "{}", paint(GOOD, format!("{total}, none fails"))),
            1 => writeln!(out, "{}, {}", total, paint(BAD, "1 fails")),
            _ => writeln!(out, "{}, {}", total, paint(BAD, format!("{failed} fail"))),
        };
        out
    }
}

/// One case in words, for views that lay them out themselves.
pub struct CaseLine {
    pub inputs: String,
    pub result: String,
}

impl CaseLine {
    pub fn new(behaviour: &Behaviour) -> CaseLine {
        let row = row(behaviour, None, Terminal::default());
        CaseLine {
            inputs: row.inputs,
            result: row.result,
        }
    }
}

/// Serialises to a list of cases.
impl Serialize for CasesView<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.behaviours.iter().map(BehaviourJson))
    }
}

/// Makes columns narrower until they fit into `room`.
fn fit(widths: &mut [usize; 3], room: usize) {
    for (column, least) in CUTS {
        let over = widths.iter().sum::<usize>().saturating_sub(room);
        let width = &mut widths[column];
        *width = width.saturating_sub(over).max(least.min(*width));
    }
    // A terminal too narrow for three columns shows what comes first.
    let mut left = room;
    for width in widths {
        *width = left.min(*width);
        left -= *width;
    }
}

/// The file that all sides are in: it is named once.
fn common_file(behaviours: &[Behaviour]) -> Option<&str> {
    let mut files = behaviours
        .iter()
        .flat_map(|behaviour| &behaviour.reached)
        .map(|side| side.split_once(':').map(|(file, _)| file));
    let first = files.next()??;
    files.all(|file| file == Some(first)).then_some(first)
}

fn row(behaviour: &Behaviour, file: Option<&str>, terminal: Terminal) -> Row {
    let (result, failed) = match &behaviour.ending {
        Ending::Failed(how) => (terminal.name(how), true),
        Ending::Exited(code) => (format!("exits with {code}"), false),
        Ending::Returned => (returned(behaviour, terminal), false),
    };
    Row {
        case: behaviour.case.to_string(),
        inputs: inputs(behaviour, terminal),
        result,
        reached: reached(&behaviour.reached, file, terminal),
        failed,
    }
}

/// The first side, without the file that the heading names, and how many more there are.
fn reached(sides: &[String], file: Option<&str>, terminal: Terminal) -> String {
    let Some((first, others)) = sides.split_first() else {
        return String::new();
    };
    let inside = file.and_then(|file| first.strip_prefix(file)?.strip_prefix(':'));
    let first = terminal.name(inside.unwrap_or(first));
    match others.len() {
        0 => first,
        more => format!("{first} +{more}"),
    }
}

/// What a case gives the subject, in one line: globals and arguments, or a sequence of calls.
pub fn inputs(behaviour: &Behaviour, terminal: Terminal) -> String {
    let graph = &behaviour.before;
    let mut notation = notation(behaviour, terminal);
    let separator = match behaviour.calls.len() {
        0 | 1 => ", ",
        _ => "; ",
    };
    for (index, field) in graph.roots.iter().enumerate() {
        if index > 0 {
            notation.out.push_str(", ");
        }
        notation.field(field, " = ");
    }
    if !graph.roots.is_empty() && !behaviour.calls.is_empty() {
        notation.out.push_str(separator);
    }
    if is_written_call(behaviour) {
        return call_texts(behaviour, notation, terminal, false).join(separator);
    }
    if let [call] = &behaviour.calls[..] {
        for (index, argument) in call.arguments.iter().enumerate() {
            if index > 0 {
                notation.out.push_str(", ");
            }
            notation.field(argument, " = ");
        }
        for (index, returned) in behaviour.stubs.iter().enumerate() {
            if index > 0 || !notation.out.is_empty() {
                notation.out.push_str(", ");
            }
            notation.field(returned, " = ");
        }
        return notation.out;
    }
    let mut roots = std::mem::take(&mut notation.out);
    let mut calls = Notation::new(graph, terminal);
    for returned in &behaviour.stubs {
        calls.field(returned, " = ");
        calls.out.push_str(separator);
    }
    roots.push_str(&calls.out);
    roots + &call_texts(behaviour, notation, terminal, true).join(separator)
}

/// Is it one call whose parameters have no names, so that it is told as it is written?
fn is_written_call(behaviour: &Behaviour) -> bool {
    let [call] = &behaviour.calls[..] else {
        return false;
    };
    let mut names = call.arguments.iter().map(|argument| &argument.name);
    !call.arguments.is_empty() && names.all(|name| name.is_empty())
}

/// The calls of a case, each in one line.
pub fn calls(behaviour: &Behaviour, terminal: Terminal) -> Vec<String> {
    call_texts(behaviour, notation(behaviour, terminal), terminal, true)
}

/// How values are spelled of which some have names, because they are met again.
fn notation(behaviour: &Behaviour, terminal: Terminal) -> Notation<'_> {
    let graph = &behaviour.before;
    let mut notation = Notation::new(graph, terminal);
    for call in &behaviour.calls {
        // What is returned is named, so it must have its name here.
        for field in call.arguments.iter().chain(&call.result) {
            notation.expect(&field.value);
        }
    }
    // So is what was changed.
    if let Some(after) = &behaviour.after {
        for change in changes(graph, after) {
            notation.name(change.object);
        }
    }
    notation
}

fn call_texts(
    behaviour: &Behaviour,
    mut notation: Notation,
    terminal: Terminal,
    results: bool,
) -> Vec<String> {
    let mut texts = Vec::new();
    for (index, call) in behaviour.calls.iter().enumerate() {
        let _ = write!(notation.out, "{}(", terminal.name(&call.function));
        for (index, argument) in call.arguments.iter().enumerate() {
            if index > 0 {
                notation.out.push_str(", ");
            }
            notation.value(&argument.value);
        }
        notation.out.push(')');
        if let Some(text) = result_of(behaviour, index, call, terminal).filter(|_| results) {
            let _ = write!(notation.out, " {} {text}", terminal.to());
        }
        texts.push(std::mem::take(&mut notation.out));
    }
    texts
}

/// What a call of a sequence returned: a name where a later call is given it, else the value.
fn result_of(
    behaviour: &Behaviour,
    index: usize,
    call: &Call,
    terminal: Terminal,
) -> Option<String> {
    let result = call.result.as_ref()?;
    let later = behaviour.calls.iter().skip(index + 1);
    let mut arguments = later.flat_map(|call| &call.arguments);
    if arguments.any(|argument| argument.value == Value::Result(index)) {
        return Some(spell::result_name(index));
    }
    Some(spell::value(after(behaviour), &result.value, terminal))
}

fn after(behaviour: &Behaviour) -> &Graph {
    behaviour.after.as_ref().unwrap_or(&behaviour.before)
}

fn returned(behaviour: &Behaviour, terminal: Terminal) -> String {
    let Some(call) = behaviour.calls.last() else {
        return String::new();
    };
    match &call.result {
        // By name: the arguments say what the object was.
        Some(result) => spell::value(after(behaviour), &result.value, terminal),
        None => changed(behaviour, terminal).unwrap_or_else(|| "returns".into()),
    }
}

/// What a function that returns nothing did: the first change, and how many more there are.
fn changed(behaviour: &Behaviour, terminal: Terminal) -> Option<String> {
    let after = behaviour.after.as_ref()?;
    let changes = changes(&behaviour.before, after);
    let (first, others) = changes.split_first()?;
    let mut text = spell::place(after, first.object, &first.path, terminal);
    match first.now {
        None => text.push_str(" freed"),
        Some(value @ Value::Pointer { .. }) => {
            let _ = write!(text, " {}", spell::value(after, value, terminal));
        }
        Some(value) => {
            let _ = write!(text, " = {}", spell::value(after, value, terminal));
        }
    }
    if !others.is_empty() {
        let _ = write!(text, " +{}", others.len());
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::samples::{self as graphs, field, int, list_of_five, pointer, to_object};
    use crate::samples::{plain, snapshot};
    use elsewise_graph::Field;

    fn call(function: &str, arguments: Vec<Field>, result: Option<Value>) -> Call {
        Call {
            function: function.into(),
            arguments,
            returns: result.as_ref().map(|_| "int".to_string()),
            result: result.map(|value| field("", "int", value)),
        }
    }

    fn behaviour(case: u64, before: Graph, calls: Vec<Call>, ending: Ending) -> Behaviour {
        Behaviour {
            case,
            after: (ending == Ending::Returned).then(|| before.clone()),
            before,
            calls,
            stubs: Vec::new(),
            ending,
            reached: Vec::new(),
        }
    }

    fn without_roots(mut graph: Graph) -> Graph {
        graph.roots.clear();
        graph
    }

    fn functions() -> Vec<Behaviour> {
        let arguments = |to: usize, x: i128| vec![pointer("p", to), int("x", x)];
        let find = |to, x, result| vec![call("find", arguments(to, x), result)];
        let mut all = vec![
            behaviour(
                1,
                Graph::default(),
                find(0, 0, Some(Value::Null)),
                Ending::Returned,
            ),
            behaviour(
                2,
                without_roots(graphs::cyclic()),
                find(1, 1, Some(to_object(2))),
                Ending::Returned,
            ),
            behaviour(
                17,
                without_roots(list_of_five()),
                find(1, -7, None),
                Ending::Failed("segmentation fault at list.c:31".into()),
            ),
            behaviour(
                120,
                Graph {
                    roots: vec![int("limit", 3)],
                    objects: Vec::new(),
                },
                find(0, 99, None),
                Ending::Exited(1),
            ),
        ];
        all[0].reached = vec!["list.c:12 true".into()];
        all[1].reached = vec!["list.c:12 false".into(), "list.c:14 true".into()];
        all
    }

    fn sequences() -> Vec<Behaviour> {
        let list = || field("l", "struct list *", Value::Result(0));
        let new = || call("new", Vec::new(), Some(Value::Elsewhere));
        let add = |x| call("add", vec![list(), int("x", x)], Some(Value::Integer(1)));
        let remove = |x| call("remove", vec![list(), int("x", x)], None);
        vec![
            behaviour(3, Graph::default(), vec![new(), add(3)], Ending::Returned),
            behaviour(
                4,
                Graph::default(),
                vec![new(), add(3), add(3), remove(3)],
                Ending::Failed("does not end".into()),
            ),
        ]
    }

    #[test]
    fn table_of_functions() {
        let all = functions();
        let view = CasesView { behaviours: &all };
        snapshot("cases_functions", &view.text(Terminal::default()));
        let wide = Terminal {
            width: 140,
            unicode: false,
        };
        insta::assert_snapshot!("cases_wide", plain(&view.text(wide)));
    }

    #[test]
    fn the_book_shows_what_is_printed() {
        let all = functions();
        let text = CasesView { behaviours: &all }.text(Terminal::default());
        graphs::assert_in_book(&plain(&text));
    }

    #[test]
    fn a_function_that_returns_nothing_changes_something() {
        let before = without_roots(list_of_five());
        let calls = vec![call("cut", vec![pointer("l", 1)], None)];
        let mut cut = behaviour(5, before, calls, Ending::Returned);
        assert_eq!(row(&cut, None, Terminal::default()).result, "returns");
        let after = cut.after.as_mut().unwrap();
        after.objects[1].value = Value::Struct(vec![int("v", 1), pointer("next", 0)]);
        after.objects[2].freed = true;
        let row = row(&cut, None, Terminal::default());
        assert_eq!(row.result, "node 2.next = ∅ +1");
        assert_eq!(row.inputs, "l → 3 → node 2: 1 → node 3: 4 → 1 → 5 → ∅");
    }

    #[test]
    fn what_a_subject_says_is_harmless() {
        let mut all = functions();
        all[2].ending = Ending::Failed("fault\x1b[2J".into());
        all[1].reached = vec!["a\nb.c:1 true".into()];
        all[1].calls[0].arguments[0].name = "p\u{202e}".into();
        let text = plain(&CasesView { behaviours: &all }.text(Terminal::default()));
        assert_eq!(text.lines().count(), all.len() + 2);
        assert!(!text.contains(['\x1b', '\u{202e}']));
    }

    #[test]
    fn table_of_sequences() {
        let all = sequences();
        let view = CasesView { behaviours: &all };
        insta::assert_snapshot!("cases_sequences", plain(&view.text(Terminal::default())));
    }

    #[test]
    fn keeps_to_the_width_however_narrow() {
        let all = functions();
        let view = CasesView { behaviours: &all };
        for width in 0..200 {
            for unicode in [false, true] {
                let text = plain(&view.text(Terminal { width, unicode }));
                for line in text.lines() {
                    assert!(line.width() <= width.max(24), "{width}: {line}");
                }
                assert_eq!(text.lines().count(), all.len() + 2);
            }
        }
        assert_eq!(CasesView { behaviours: &[] }.text(Terminal::default()), "");
    }

    /// The schema is a public interface.
    #[test]
    fn cases_as_json() {
        let mut all = sequences();
        all.truncate(1);
        all.extend(functions().into_iter().skip(1).take(2));
        let line = crate::json_object(&CasesView { behaviours: &all }).unwrap();
        let value: serde_json::Value = serde_json::from_str(&line).unwrap();
        insta::assert_snapshot!("cases_json", serde_json::to_string_pretty(&value).unwrap());
    }
}
