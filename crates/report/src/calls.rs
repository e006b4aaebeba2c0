//! A sequence of calls as a picture: one line each, and the memory that they were given.

use crate::cases::calls;
use crate::graph::{GraphPicture, Picture, Terminal};
use elsewise_graph::{Behaviour, Graph};

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
        self.graph(&calls(self.behaviour, terminal).join("; "))
            .svg()
    }
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
