//! What can be explored in a source, as editors ask while it is being written: it is found by its shape, and nothing
//! is built, loaded or run for it. What is missed here can still be named on the command line.

use elsewise_report::html::Syntax;

/// Something that can be explored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explorable {
    /// As people call it: `list_remove`, `transfer/3`.
    pub name: String,
    /// What stands behind `FILE::`; none where the file itself is the subject.
    pub word: Option<String>,
    /// What its campaign is named after when nothing is said.
    pub stem: String,
    /// Where its name stands in the text, in bytes.
    pub start: usize,
    /// Where its text ends.
    pub end: usize,
}

impl Explorable {
    /// The subject as `explore` is told it, of a file that is called so; none where no command could name it.
    pub fn subject(&self, file: &str) -> Option<String> {
        let dashed = match file.starts_with('-') {
            true => format!("./{file}"),
            false => file.to_string(),
        };
        match &self.word {
            _ if file.contains("::") || file.contains('\0') => None,
            Some(word) => Some(format!("{dashed}::{word}")),
            None => Some(dashed),
        }
    }
}

/// The text with comments, strings and directives made blank: nothing in it is where it was not, and brackets are those
/// of the program.
pub fn masked(text: &str, syntax: &Syntax) -> String {
    let bytes = text.as_bytes();
    let mut out = bytes.to_vec();
    let mut blank = |from: usize, to: usize| {
        for byte in &mut out[from..to] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    };
    let mut at = 0;
    let mut begins_line = true;
    while at < bytes.len() {
        let rest = &text[at..];
        let first = rest.chars().next().unwrap_or_default();
        let length = if begins_line && syntax.directive == Some(first) {
            directive(rest)
        } else if !syntax.line.is_empty() && rest.starts_with(syntax.line) {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some((open, close)) = syntax.block.filter(|(open, _)| rest.starts_with(open))
        {
            let end = rest[open.len()..].find(close);
            end.map_or(rest.len(), |end| open.len() + end + close.len())
        } else if syntax.character == Some(first) && !is_in_name(text, at) {
            let mut chars = rest.char_indices().skip(1);
            let escaped = rest[first.len_utf8()..].starts_with('\\');
            let meant = chars.nth(usize::from(escaped));
            meant.map_or(rest.len(), |(at, char)| at + char.len_utf8())
        } else if syntax.quotes.contains(&first) {
            quoted(rest, first)
        } else {
            begins_line = first == '\n' || begins_line && first.is_whitespace();
            at += first.len_utf8();
            continue;
        };
        blank(at, at + length);
        begins_line = false;
        at += length;
    }
    // Characters were made blank as a whole.
    String::from_utf8(out).unwrap_or_default()
}

/// `even?(` of Elixir is a name and a bracket, `?(` a character.
fn is_in_name(text: &str, at: usize) -> bool {
    let before = text[..at].chars().next_back();
    before.is_some_and(|char| char.is_alphanumeric() || char == '_')
}

/// Bytes of a directive, which goes on behind a backslash.
fn directive(rest: &str) -> usize {
    let mut length = 0;
    for line in rest.split_inclusive('\n') {
        length += line.len();
        if !line.trim_end_matches(['\n', '\r']).ends_with('\\') {
            break;
        }
    }
    length
}

/// Bytes of a string; one that nothing ends is taken to end with its line.
fn quoted(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, char) in rest.char_indices().skip(1) {
        match char {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if char == quote => return at + char.len_utf8(),
            _ => {}
        }
    }
    rest.find('\n').unwrap_or(rest.len())
}

/// Where the bracket is closed that is opened there; none if it is not.
pub fn closing(masked: &str, open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (at, byte) in masked.bytes().enumerate().skip(open) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// How many arguments stand in the brackets that are opened there, and where they are closed.
pub fn arguments(text: &str, masked: &str, open: usize) -> Option<(usize, usize)> {
    let close = closing(masked, open)?;
    let mut depth = 0usize;
    let mut commas = 0;
    for byte in masked.bytes().skip(open + 1).take(close - open - 1) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => commas += 1,
            _ => {}
        }
    }
    // A string is blank, too, and is an argument.
    let none = text[open + 1..close].trim().is_empty();
    Some((if none { 0 } else { commas + 1 }, close))
}

/// Bytes of the name that the text begins with.
pub fn name_length(text: &str) -> usize {
    let inside = |char: char| char.is_alphanumeric() || char == '_';
    text.find(|char| !inside(char)).unwrap_or(text.len())
}

/// Where a clause ends that begins there: behind the full stop that blank space follows.
pub fn full_stop(masked: &str, from: usize) -> usize {
    let bytes = masked.as_bytes();
    let ends = |at: &usize| {
        bytes[*at] == b'.'
            && bytes
                .get(at + 1)
                .is_none_or(|next| next.is_ascii_whitespace())
    };
    (from..bytes.len())
        .find(ends)
        .map_or(bytes.len(), |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use elsewise_report::html::PLAIN;

    static C: Syntax = Syntax {
        line: "//",
        block: Some(("/*", "*/")),
        quotes: &['"', '\''],
        directive: Some('#'),
        ..PLAIN
    };

    #[test]
    fn what_is_no_program_is_blank() {
        let text = "#define X( \\\n  {\nint a; // (\n/* (\n */ f(\"(ä\\\"\", '(')\n'";
        let masked = masked(text, &C);
        assert_eq!(masked.len(), text.len());
        assert_eq!(masked.split_whitespace().collect::<String>(), "inta;f(,)");
        let lines = |text: &str| text.matches('\n').count();
        assert_eq!(lines(&masked), lines(text));
    }

    #[test]
    fn arguments_are_counted() {
        let count = |text: &str| arguments(text, &masked(text, &C), 0).map(|found| found.0);
        assert_eq!(count("( )"), Some(0));
        assert_eq!(count("(\"a,b\")"), Some(1));
        assert_eq!(count("(a, {b, c}, [d, e])"), Some(3));
        assert_eq!(count("(a"), None);
        assert_eq!(count(")"), None);
    }

    #[test]
    fn names_that_no_command_could_have_are_none() {
        let function = Explorable {
            name: "f".into(),
            word: Some("f".into()),
            stem: "f".into(),
            start: 0,
            end: 1,
        };
        assert_eq!(function.subject("a b.c").unwrap(), "a b.c::f");
        assert_eq!(function.subject("-a.c").unwrap(), "./-a.c::f");
        assert_eq!(function.subject("a::b.c"), None);
    }
}
