//! XML as the readers see it: a document without entities of its own, and lines for its elements.

use crate::model::{Code, SourcePosition};
use crate::problem::{Problem, Refusal};
use roxmltree::{Document, Error, Node, ParsingOptions};

/// A file larger than this is no model that somebody drew. The parser keeps about ten times as much.
pub const MOST_BYTES: usize = 64 << 20;
/// More elements, attributes and texts than this are not looked at either.
const MOST_NODES: u32 = 3_000_000;

/// A parsed file. It has no document type declaration, since none of the formats has one and
/// entities are what XML bombs are made of.
pub struct Xml<'a> {
    pub document: Document<'a>,
    lines: Vec<usize>,
}

impl<'a> Xml<'a> {
    pub fn parse(file: &str, text: &'a str) -> Result<Self, Refusal> {
        if text.len() > MOST_BYTES {
            return Err(Refusal::one(
                file,
                Problem::error(
                    SourcePosition::default(),
                    "too large",
                    format!(
                        "the file has {} bytes; models of up to {MOST_BYTES} bytes are read",
                        text.len()
                    ),
                ),
            ));
        }
        let options = ParsingOptions {
            allow_dtd: false,
            nodes_limit: MOST_NODES,
            ..ParsingOptions::default()
        };
        let document = Document::parse_with_options(text, options)
            .map_err(|error| Refusal::one(file, unreadable(&error)))?;
        let lines = std::iter::once(0)
            .chain(text.match_indices('\n').map(|(at, _)| at + 1))
            .collect();
        Ok(Self { document, lines })
    }

    /// Where an element begins. The parser's own way to tell goes through the text from its start.
    pub fn place(&self, node: Node) -> SourcePosition {
        self.place_at(node.range().start)
    }

    fn place_at(&self, at: usize) -> SourcePosition {
        let line = self.lines.partition_point(|start| *start <= at);
        let start = self.lines.get(line.wrapping_sub(1)).copied().unwrap_or(0);
        SourcePosition {
            line: line as u32,
            column: (at - start + 1) as u32,
        }
    }

    /// All text directly inside of an element, as code. None if there is nothing but space.
    pub fn code(&self, node: Node) -> Option<Code> {
        let mut text = String::new();
        let mut first = None;
        for child in node.children().filter(Node::is_text) {
            first.get_or_insert(child.range().start);
            text.push_str(child.text().unwrap_or_default());
        }
        if text.trim().is_empty() {
            return None;
        }
        // A line break right behind the tag belongs to the layout of the file.
        let mut place = self.place_at(first.unwrap_or(node.range().start));
        let mut body = text.as_str();
        while let Some((line, rest)) = body.split_once('\n') {
            if !line.trim().is_empty() {
                break;
            }
            body = rest;
            place = SourcePosition {
                line: place.line + 1,
                column: 1,
            };
        }
        Some(Code {
            text: body.trim_end().to_owned(),
            place,
        })
    }
}

/// A node's name without its namespace.
pub fn tag<'a>(node: Node<'a, '_>) -> &'a str {
    node.tag_name().name()
}

/// The first element directly inside of another that has that name.
pub fn child<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    node.children()
        .find(|child| child.is_element() && tag(*child) == name)
}

/// All elements directly inside of another that have that name.
pub fn children<'a, 'i: 'a>(
    node: Node<'a, 'i>,
    name: &'a str,
) -> impl Iterator<Item = Node<'a, 'i>> + 'a {
    node.children()
        .filter(move |child| child.is_element() && tag(*child) == name)
}

/// An attribute whatever its namespace, or an empty text.
pub fn attribute<'a>(node: Node<'a, '_>, name: &str) -> &'a str {
    node.attributes()
        .find(|attribute| attribute.name() == name && attribute.namespace().is_none())
        .map(|attribute| attribute.value())
        .unwrap_or_default()
}

fn unreadable(error: &Error) -> Problem {
    let position = error.pos();
    let place = SourcePosition {
        line: position.row,
        column: position.col,
    };
    match error {
        Error::DtdDetected => Problem::error(
            place,
            "document type declaration",
            "the file has a document type declaration, which no model needs; remove it",
        ),
        Error::NodesLimitReached => Problem::error(
            place,
            "too large",
            format!("the file has more than {MOST_NODES} elements"),
        ),
        other => Problem::error(place, "not XML", format!("this is not XML: {other}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_of_the_file() {
        let text = "<a>\n <b/>\n <c\n/>\n <code>\n  x = 1;\n</code></a>";
        let xml = Xml::parse("x", text).unwrap();
        let root = xml.document.root_element();
        let line = |name| xml.place(child(root, name).unwrap()).line;
        assert_eq!([line("b"), line("c"), line("code")], [2, 3, 5]);
        let code = xml.code(child(root, "code").unwrap()).unwrap();
        assert_eq!((code.text.as_str(), code.place.line), ("  x = 1;", 6));
    }

    #[test]
    fn a_bomb_of_entities_is_refused_at_once() {
        let mut text = String::from("<!DOCTYPE a [<!ENTITY e0 \"ha\">");
        for level in 1..40 {
            text.push_str(&format!("<!ENTITY e{level} \"&e{0};&e{0};\">", level - 1));
        }
        text.push_str("]><a>&e39;</a>");
        let refusal = Xml::parse("bomb.qm", &text).err().unwrap();
        assert!(refusal.to_string().contains("document type declaration"));
    }

    #[test]
    fn a_hundred_thousand_levels_are_parsed_without_a_deep_stack() {
        let text = "<a>".repeat(100_000) + &"</a>".repeat(100_000);
        assert!(Xml::parse("deep", &text).is_ok());
        assert!(Xml::parse("deep", &"<a>".repeat(100_000)).is_err());
    }
}
