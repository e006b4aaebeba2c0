//! Generated text that knows, line by line, which part of the model it came from.

use crate::model::{Code, SourcePosition};
use std::fmt::Write;

/// What a generated line stands for in the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    pub place: SourcePosition,
    /// The element in words: `Closed`, `Closed -> Open on open`.
    pub element: String,
    /// Something that checks the model, and is no part of it.
    pub check: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Text {
    text: String,
    /// By line, from the first on.
    origins: Vec<Option<Origin>>,
    indent: usize,
}

impl Text {
    pub fn new() -> Text {
        Text::default()
    }

    /// One line that belongs to no element.
    pub fn line(&mut self, text: &str) {
        self.push(text, None);
    }

    /// One line that stands for an element.
    pub fn line_at(&mut self, text: &str, place: SourcePosition, element: &str) {
        let origin = Origin {
            place,
            element: element.to_owned(),
            check: false,
        };
        self.push(text, Some(origin));
    }

    /// One line that checks what the model does.
    pub fn check(&mut self, text: &str, place: SourcePosition, element: &str) {
        let origin = Origin {
            place,
            element: element.to_owned(),
            check: true,
        };
        self.push(text, Some(origin));
    }

    pub fn blank(&mut self) {
        self.text.push('\n');
        self.origins.push(None);
    }

    /// A line and what follows it further to the right.
    pub fn open(&mut self, text: &str) {
        self.line(text);
        self.indent += 1;
    }

    pub fn close(&mut self, text: &str) {
        self.indent = self.indent.saturating_sub(1);
        self.line(text);
    }

    pub fn deeper(&mut self) {
        self.indent += 1;
    }

    pub fn back(&mut self) {
        self.indent = self.indent.saturating_sub(1);
    }

    /// Code of the model, verbatim but for its indentation.
    pub fn code(&mut self, code: &Code, element: &str) {
        let common = code
            .text
            .lines()
            .skip(1)
            .filter(|line| !line.trim().is_empty())
            .map(|line| line.len() - line.trim_start().len())
            .min()
            .unwrap_or(0);
        for (number, line) in code.text.lines().enumerate() {
            let place = SourcePosition {
                line: code.place.line.saturating_add(number as u32),
                column: if number == 0 { code.place.column } else { 1 },
            };
            let line = match number {
                0 => line.trim_start(),
                _ => line.get(common..).unwrap_or(line.trim_start()),
            };
            if line.trim().is_empty() {
                continue;
            }
            // What the preprocessor reads begins its line.
            let keep = std::mem::take(&mut self.indent);
            if !line.trim_start().starts_with('#') {
                self.indent = keep;
            }
            self.line_at(line.trim_end(), place, element);
            self.indent = keep;
        }
    }

    /// Puts other text behind this one.
    pub fn append(&mut self, other: Text) {
        self.text.push_str(&other.text);
        self.origins.extend(other.origins);
    }

    pub fn finish(self) -> (String, Vec<Option<Origin>>) {
        (self.text, self.origins)
    }

    fn push(&mut self, text: &str, origin: Option<Origin>) {
        for line in text.split('\n') {
            if !line.is_empty() {
                for _ in 0..self.indent {
                    self.text.push_str("    ");
                }
            }
            self.text.push_str(line);
            self.text.push('\n');
            self.origins.push(origin.clone());
        }
    }
}

/// A name that C accepts, made of any text.
pub fn ident(text: &str) -> String {
    let mut out = String::new();
    for char in text.chars() {
        match char.is_ascii_alphanumeric() || char == '_' {
            true => out.push(char),
            false => out.push('_'),
        }
    }
    if out.is_empty() || out.starts_with(|c: char| c.is_ascii_digit()) {
        out.insert(0, '_');
    }
    out
}

/// A string constant of C.
pub fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => {
                quoted.push('\\');
                quoted.push(byte.into());
            }
            // Not only what cannot be printed: `??` could begin a trigraph.
            b'?' => quoted.push_str("\\?"),
            b' '..=b'~' => quoted.push(byte.into()),
            _ => {
                let _ = write!(quoted, "\\{byte:03o}");
            }
        }
    }
    quoted.push('"');
    quoted
}

/// Text that cannot end a comment.
pub fn comment(text: &str) -> String {
    let one_line = text.replace(['\n', '\r'], " ");
    format!("/* {} */", one_line.replace("*/", "* /"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_keeps_its_lines_in_the_model() {
        let mut text = Text::new();
        text.open("{");
        let code = Code {
            text: "int a = 1;\n        if (a)\n            a = 2;\n".into(),
            place: SourcePosition { line: 7, column: 9 },
        };
        text.code(&code, "Closed");
        text.close("}");
        let (text, origins) = text.finish();
        assert_eq!(text, "{\n    int a = 1;\n    if (a)\n        a = 2;\n}\n");
        let lines: Vec<Option<u32>> = origins
            .iter()
            .map(|origin| origin.as_ref().map(|origin| origin.place.line))
            .collect();
        assert_eq!(lines, [None, Some(7), Some(8), Some(9), None]);
    }

    #[test]
    fn any_text_becomes_a_name_a_string_and_a_comment() {
        assert_eq!(ident("on.ready-2"), "on_ready_2");
        assert_eq!(ident("2nd"), "_2nd");
        assert_eq!(quoted("a\"b\n?"), "\"a\\\"b\\012\\?\"");
        assert_eq!(comment("a */ b\nc"), "/* a * / b c */");
    }
}
