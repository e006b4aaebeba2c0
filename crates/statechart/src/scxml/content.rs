//! What an SCXML document does at entries, exits and transitions, as statements.

use super::events::{Events, to_itself};
use super::left_out;
use crate::expression::{parse_expression, parse_statements};
use crate::model::{Argument, Code, Sent, SourcePosition, Statement, Timer, VertexId};
use crate::problem::Problem;
use crate::xml::{Xml, attribute, child, children, tag};
use roxmltree::Node;
use std::collections::{HashMap, HashSet};

/// Nobody nests conditions deeper.
const DEEPEST: usize = 64;

pub struct Contents<'c, 'x, 'a, 'i> {
    pub xml: &'x Xml<'i>,
    pub ids: &'c HashMap<&'a str, VertexId>,
    pub events: &'c mut Events<'a>,
    pub foreign: Option<&'c HashSet<&'a str>>,
    pub problems: &'c mut Vec<Problem>,
}

impl<'a, 'i> Contents<'_, '_, 'a, 'i> {
    fn error(&mut self, node: Node, reason: &'static str, message: String) {
        let place = self.xml.place(node);
        self.problems.push(Problem::error(place, reason, message));
    }

    fn expression(&mut self, node: Node, text: &str) -> Option<Code> {
        expression(self.xml, self.ids, self.foreign, self.problems, node, text)
    }

    /// The statements directly inside of an element.
    pub fn of(&mut self, node: Node<'a, 'i>, depth: usize) -> Vec<Statement> {
        if depth > DEEPEST {
            self.error(
                node,
                "too deep",
                format!("conditions are nested deeper than {DEEPEST}"),
            );
            return Vec::new();
        }
        let elements: Vec<Node> = node.children().filter(Node::is_element).collect();
        elements
            .into_iter()
            .filter_map(|element| self.statement(element, depth))
            .collect()
    }

    fn statement(&mut self, node: Node<'a, 'i>, depth: usize) -> Option<Statement> {
        let place = self.xml.place(node);
        match tag(node) {
            "raise" => {
                let event = self.events.named(attribute(node, "event"))?;
                Some(Statement::Raise { event, place })
            }
            "send" => self.send(node, place),
            "cancel" => match attribute(node, "sendid") {
                "" => {
                    self.computed(node, "sendid");
                    None
                }
                id => Some(Statement::Cancel {
                    id: id.to_owned(),
                    place,
                }),
            },
            "assign" => self.assign(node, place),
            "script" => {
                let code = self.xml.code(node)?;
                if self.foreign.is_some() && parse_statements(&code.text).is_none() {
                    self.error(node, "not C", "this script is not C".to_owned());
                }
                let text = with_states(&code.text, self.ids);
                Some(Statement::Code(Code { text, ..code }))
            }
            "log" => {
                let text = attribute(node, "expr");
                // What a log line says changes nothing, so that it need not be understood.
                let is_c = self.foreign.is_none() || parse_expression(text).is_some();
                let value = match text.is_empty() || !is_c {
                    true => None,
                    false => self.expression(node, text),
                };
                Some(Statement::Log {
                    label: attribute(node, "label").to_owned(),
                    value,
                    place,
                })
            }
            "if" => self.condition(node, depth),
            "elseif" | "else" => None,
            "foreach" => {
                self.error(
                    node,
                    left_out("foreach"),
                    "<foreach> is not read; a script can have a loop".to_owned(),
                );
                None
            }
            _ => None,
        }
    }

    fn condition(&mut self, node: Node<'a, 'i>, depth: usize) -> Option<Statement> {
        let condition = self.expression(node, attribute(node, "cond"))?;
        let mut branches = vec![(Some(condition), Vec::new())];
        let elements: Vec<Node> = node.children().filter(Node::is_element).collect();
        for element in elements {
            match tag(element) {
                "elseif" => {
                    let condition = self.expression(element, attribute(element, "cond"))?;
                    branches.push((Some(condition), Vec::new()));
                }
                "else" => branches.push((None, Vec::new())),
                _ if depth >= DEEPEST => {
                    self.of(element, depth + 1);
                }
                _ => {
                    let statement = self.statement(element, depth + 1);
                    if let Some((_, statements)) = branches.last_mut() {
                        statements.extend(statement);
                    }
                }
            }
        }
        Some(Statement::If { branches })
    }

    fn assign(&mut self, node: Node<'a, 'i>, place: SourcePosition) -> Option<Statement> {
        let location = attribute(node, "location").trim();
        let value = match attribute(node, "expr") {
            "" => self.xml.code(node)?.text,
            text => self.expression(node, text)?.text,
        };
        let declared = self.foreign.is_none_or(|names| names.contains(location));
        if location.is_empty() || !declared {
            self.error(
                node,
                "unknown variable",
                format!("there is no variable {location} to assign to"),
            );
            return None;
        }
        let text = format!("{location} = {};", value.trim());
        Some(Statement::Code(Code { text, place }))
    }

    fn computed(&mut self, node: Node, name: &str) {
        self.error(
            node,
            "computed name",
            format!("<{}> needs a {name} that is written down", tag(node)),
        );
    }

    fn send(&mut self, node: Node<'a, 'i>, place: SourcePosition) -> Option<Statement> {
        let name = attribute(node, "event");
        if name.is_empty() {
            self.computed(node, "event");
            return None;
        }
        if !attribute(node, "targetexpr").is_empty() || !attribute(node, "typeexpr").is_empty() {
            self.computed(node, "target");
            return None;
        }
        if !attribute(node, "idlocation").is_empty() {
            self.computed(node, "id");
            return None;
        }
        if child(node, "content").is_some() {
            self.error(
                node,
                "<content>",
                "messages have parameters, no <content>".to_owned(),
            );
            return None;
        }
        let itself = to_itself(node);
        let kind = attribute(node, "type");
        let standard = [
            "",
            "scxml",
            "http://www.w3.org/TR/scxml/#SCXMLEventProcessor",
        ];
        if itself && !standard.contains(&kind) {
            self.error(
                node,
                "other event processor",
                format!("a machine that takes events of type {kind} is not known"),
            );
            return None;
        }
        let event = itself.then(|| self.events.named(name)).flatten();
        if attribute(node, "target") == "#_internal"
            && let Some(event) = event
        {
            return Some(Statement::Raise { event, place });
        }
        let mut arguments = Vec::new();
        for name in attribute(node, "namelist").split_whitespace() {
            let value = self.expression(node, name)?;
            arguments.push(Argument {
                name: name.to_owned(),
                value,
            });
        }
        for parameter in children(node, "param").collect::<Vec<_>>() {
            let text = match attribute(parameter, "expr") {
                "" => attribute(parameter, "location"),
                text => text,
            };
            let value = self.expression(parameter, text)?;
            arguments.push(Argument {
                name: attribute(parameter, "name").to_owned(),
                value,
            });
        }
        let delay = self.delay(node, place);
        let id = match attribute(node, "id") {
            "" => None,
            id => Some(id.to_owned()),
        };
        match event {
            Some(event) if delay.is_some() => self.events.timers.push(Timer {
                name: id.clone().unwrap_or_else(|| name.to_owned()),
                place,
                event: Some(event),
            }),
            Some(_) => {}
            None => self.events.sent.push(Sent {
                port: None,
                name: name.to_owned(),
                parameters: Vec::new(),
            }),
        }
        Some(Statement::Send {
            event,
            name: name.to_owned(),
            arguments,
            delay,
            id,
            place,
        })
    }

    /// How long a send waits, as C in milliseconds. None if it does not.
    fn delay(&mut self, node: Node, place: SourcePosition) -> Option<Code> {
        let computed = attribute(node, "delayexpr").trim();
        // A text in quotes is as good as one that is written down.
        let constant = computed
            .strip_prefix('\'')
            .and_then(|text| text.strip_suffix('\''));
        if !computed.is_empty() && constant.is_none() {
            return self.expression(node, computed);
        }
        let written = constant.unwrap_or(attribute(node, "delay")).trim();
        if written.is_empty() {
            return None;
        }
        let Some(milliseconds) = milliseconds(written) else {
            self.error(
                node,
                "not a time",
                format!("{written} is no time; write it as 2s or 100ms"),
            );
            return None;
        };
        (milliseconds > 0).then(|| Code {
            text: milliseconds.to_string(),
            place,
        })
    }
}

/// A time of CSS2, as SCXML has them.
fn milliseconds(text: &str) -> Option<u64> {
    let (number, factor) = match text.strip_suffix("ms") {
        Some(number) => (number, 1.0),
        None => (text.strip_suffix('s')?, 1000.0),
    };
    let number: f64 = number.trim().parse().ok()?;
    (number.is_finite() && (0.0..1e12).contains(&number)).then(|| (number * factor).round() as u64)
}

/// An expression as C. Where the document is of another data model, it has to be C as well.
pub fn expression(
    xml: &Xml,
    ids: &HashMap<&str, VertexId>,
    foreign: Option<&HashSet<&str>>,
    problems: &mut Vec<Problem>,
    node: Node,
    text: &str,
) -> Option<Code> {
    let place = xml.place(node);
    let text = with_states(text.trim(), ids);
    if text.is_empty() {
        let message = format!("<{}> has an expression that is empty", tag(node));
        problems.push(Problem::error(place, "not C", message));
        return None;
    }
    if let Some(variables) = foreign {
        let Some(parsed) = parse_expression(&text) else {
            let message = format!("{text} is not C");
            problems.push(Problem::error(place, "not C", message));
            return None;
        };
        let mut unknown = None;
        parsed.names(&mut |name| {
            if !variables.contains(name) && !name.starts_with("_event.data.") {
                unknown.get_or_insert(name.to_owned());
            }
        });
        if let Some(unknown) = unknown {
            let message = format!("{unknown} is no variable of this document");
            problems.push(Problem::error(place, "unknown variable", message));
            return None;
        }
    }
    Some(Code { text, place })
}

/// Code in which `In('state')` names the state as the model does, by its number.
fn with_states(text: &str, ids: &HashMap<&str, VertexId>) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("In(") {
        let (before, behind) = rest.split_at(at);
        let inner = &behind[3..];
        let alone = !before.ends_with(|it: char| it.is_alphanumeric() || it == '_');
        let close = inner.find(')').filter(|_| alone);
        let name = close.map(|close| inner[..close].trim().trim_matches(['\'', '"']));
        result.push_str(before);
        match (name.and_then(|name| ids.get(name)), close, name) {
            (Some(state), Some(close), Some(name)) => {
                result.push_str(&format!("In({} /* {name} */)", state.0));
                rest = &inner[close + 1..];
            }
            _ => {
                result.push_str("In(");
                rest = inner;
            }
        }
    }
    result.push_str(rest);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_css() {
        for (text, expected) in [
            ("1s", Some(1000)),
            (".5s", Some(500)),
            ("250ms", Some(250)),
            ("0", None),
            ("-1s", None),
            ("1e400s", None),
        ] {
            assert_eq!(milliseconds(text), expected, "{text}");
        }
    }

    #[test]
    fn states_are_named_by_their_numbers() {
        let ids = HashMap::from([("s1", VertexId(4))]);
        assert_eq!(with_states("In('s1') && x", &ids), "In(4 /* s1 */) && x");
        assert_eq!(with_states("BuiltIn('s1')", &ids), "BuiltIn('s1')");
        assert_eq!(with_states("In('s9'", &ids), "In('s9'");
    }
}
