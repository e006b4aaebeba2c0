//! A sequence of calls as a picture: one line each, and the memory that they were given.

use crate::cases::calls;
use crate::graph::{GraphPicture, Picture, STYLE, Terminal, xml};
use elsewise_graph::{Behaviour, Graph};
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// The calls of a sequence, and the objects among their inputs.
#[derive(Clone, Debug)]
pub struct CallsPicture<'a> {
    pub behaviour: &'a Behaviour,
    pub graph: &'a Graph,
}

impl CallsPicture<'_> {
    fn graph<'a>(&'a self, title: &'a str) -> GraphPicture<'a> {
        GraphPicture {
            graph: self.graph,
            title,
        }
    }
}

impl Picture for CallsPicture<'_> {
    fn heading(&self) -> &'static str {
        match self.graph.objects.is_empty() {
            true if self.behaviour.calls.len() == 1 => "call",
            true => "calls",
            false => "calls, and memory that they are given",
        }
    }

    fn text(&self, terminal: Terminal) -> String {
        let mut text = String::new();
        for call in calls(self.behaviour, terminal) {
            text.push_str(&call);
            text.push('\n');
        }
        if !self.graph.objects.is_empty() {
            text.push_str(&self.graph("").text(terminal));
        }
        text
    }

    fn svg(&self) -> String {
        let terminal = Terminal {
            unicode: true,
            ..Terminal::default()
        };
        let calls = calls(self.behaviour, terminal);
        match self.graph.objects.is_empty() {
            true => lines(&calls),
            false => self.graph(&calls.join("; ")).svg(),
        }
    }
}

/// Calls alone, one under the other.
fn lines(calls: &[String]) -> String {
    /// Points of a line and of a character, and around all.
    const LINE: usize = 20;
    const CHARACTER: usize = 8;
    const MARGIN: usize = 12;
    let columns = calls.iter().map(|call| call.width()).max().unwrap_or(0);
    let width = columns * CHARACTER + 2 * MARGIN;
    let height = calls.len() * LINE + 2 * MARGIN;
    let mut out = format!(
        "<svg class=\"elw\" xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" \
         height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\">\n"
    );
    let _ = writeln!(out, "<title>{}</title>", xml(&calls.join("; ")));
    let _ = writeln!(out, "<style>{STYLE}</style>");
    let _ = writeln!(
        out,
        "<rect class=\"elw-page\" width=\"{width}\" height=\"{height}\"/>"
    );
    for (index, call) in calls.iter().enumerate() {
        let y = MARGIN + LINE * (index + 1) - LINE / 4;
        let _ = writeln!(out, "<text x=\"{MARGIN}\" y=\"{y}\">{}</text>", xml(call));
    }
    out.push_str("</svg>\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::samples::{field, int};
    use elsewise_graph::{Call, Ending, Field, Value};

    fn call(function: &str, arguments: Vec<Field>, result: Option<Value>) -> Call {
        Call {
            function: function.into(),
            arguments,
            returns: result.as_ref().map(|_| "int".to_string()),
            result: result.map(|value| field("", "int", value)),
        }
    }

    #[test]
    fn one_call_in_a_line() {
        let list = |number| field("l", "struct list *", Value::Result(number));
        let new = || call("new", Vec::new(), Some(Value::Elsewhere));
        let behaviour = Behaviour {
            case: 3,
            before: Graph::default(),
            calls: vec![
                new(),
                new(),
                call("add", vec![list(1), int("x", 7)], Some(Value::Integer(1))),
                call("join", vec![list(0), list(1)], None),
            ],
            stubs: Vec::new(),
            after: None,
            ending: Ending::Failed("segv at list.c:3".into()),
            reached: Vec::new(),
        };
        let picture = CallsPicture {
            behaviour: &behaviour,
            graph: &behaviour.before,
        };
        let text = picture.text(Terminal::default());
        assert_eq!(text, "new() → a\nnew() → b\nadd(b, 7) → 1\njoin(a, b)\n");
        assert!(picture.svg().contains("join(a, b)"));
    }
}
