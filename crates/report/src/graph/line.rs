//! Lines of styled text whose width on a terminal is known, and the characters they are drawn with.

use crate::escape;
use crate::style::paint;
use anstyle::Style;
use unicode_width::UnicodeWidthStr;

/// What a text is drawn on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terminal {
    /// Columns. No line is wider, except where a single word of a narrow picture is.
    pub width: usize,
    /// Whether it shows more than ASCII.
    pub unicode: bool,
}

impl Default for Terminal {
    fn default() -> Terminal {
        Terminal {
            width: 80,
            unicode: true,
        }
    }
}

/// Narrower than this nothing can be drawn; such a terminal gets lines of this width.
pub const NARROWEST: usize = 24;

impl Terminal {
    pub fn columns(self) -> usize {
        self.width.max(NARROWEST)
    }

    fn pick(self, unicode: &'static str, ascii: &'static str) -> &'static str {
        if self.unicode { unicode } else { ascii }
    }

    pub fn null(self) -> &'static str {
        self.pick("∅", "null")
    }

    /// To an object.
    pub fn to(self) -> &'static str {
        self.pick("→", "->")
    }

    /// Back to an object that leads here: a cycle.
    pub fn back(self) -> &'static str {
        self.pick("↺", "^")
    }

    /// From whoever points here.
    pub fn from(self) -> &'static str {
        self.pick("←", "<-")
    }

    pub fn more(self) -> &'static str {
        self.pick("…", "...")
    }

    pub fn failed(self) -> &'static str {
        self.pick("✗", "x")
    }

    /// A name that the subject chose, made harmless.
    pub fn name(self, text: &str) -> String {
        let text = escape::text(text);
        if self.unicode || text.is_ascii() {
            return text;
        }
        text.chars()
            .map(|char| match char.is_ascii() {
                true => char.to_string(),
                false => format!("\\u{{{:x}}}", u32::from(char)),
            })
            .collect()
    }

    /// `text`, without its end where it is wider than `width`.
    pub fn cut(self, text: &str, width: usize) -> String {
        if text.width() <= width {
            return text.to_string();
        }
        let more = self.more();
        match width.checked_sub(more.width()) {
            Some(left) => format!("{}{more}", prefix(text, left)),
            None => prefix(text, width).to_string(),
        }
    }

    /// `text`, without its middle where it is wider than `width`.
    pub fn cut_middle(self, text: &str, width: usize) -> String {
        let more = self.more();
        if text.width() <= width || width <= more.width() + 2 {
            return self.cut(text, width);
        }
        let left = width - more.width();
        // The beginning tells more than the end.
        let begin = prefix(text, left - left / 3);
        let end = suffix(&text[begin.len()..], left - begin.width());
        format!("{begin}{more}{end}")
    }
}

fn prefix(text: &str, width: usize) -> &str {
    let mut end = 0;
    for (at, char) in text.char_indices() {
        let next = at + char.len_utf8();
        if text[..next].width() > width {
            break;
        }
        end = next;
    }
    &text[..end]
}

fn suffix(text: &str, width: usize) -> &str {
    let mut begin = text.len();
    for (at, _) in text.char_indices().rev() {
        if text[at..].width() > width {
            break;
        }
        begin = at;
    }
    &text[begin..]
}

pub fn width(text: &str) -> usize {
    text.width()
}

/// A line in the making.
#[derive(Clone, Debug, Default)]
pub struct Line {
    spans: Vec<(Option<Style>, String)>,
    width: usize,
}

impl Line {
    pub fn of(text: impl Into<String>) -> Line {
        Line::default().then(text)
    }

    pub fn painted(style: Style, text: impl Into<String>) -> Line {
        let mut line = Line::default();
        line.paint(style, text);
        line
    }

    pub fn then(mut self, text: impl Into<String>) -> Line {
        self.push(text);
        self
    }

    pub fn push(&mut self, text: impl Into<String>) {
        self.add(None, text.into());
    }

    pub fn paint(&mut self, style: Style, text: impl Into<String>) {
        self.add(Some(style), text.into());
    }

    fn add(&mut self, style: Option<Style>, text: String) {
        if text.is_empty() {
            return;
        }
        self.width += text.width();
        match self.spans.last_mut() {
            Some((last, before)) if *last == style => before.push_str(&text),
            _ => self.spans.push((style, text)),
        }
    }

    pub fn append(&mut self, line: &Line) {
        for (style, text) in &line.spans {
            self.add(*style, text.clone());
        }
    }

    /// Blanks up to `column`.
    pub fn pad(&mut self, column: usize) {
        self.fill(column, ' ');
    }

    pub fn fill(&mut self, column: usize, char: char) {
        let missing = column.saturating_sub(self.width);
        self.push(char.to_string().repeat(missing));
    }

    pub fn width(&self) -> usize {
        self.width
    }

    /// Cut at the width of the terminal, whatever it holds.
    pub fn render(&self, terminal: Terminal) -> String {
        let mut left = terminal.columns();
        let cut = self.width > left;
        if cut {
            left -= terminal.more().width();
        }
        let mut out = String::new();
        let spans = match cut {
            true => &self.spans[..],
            // Blanks at the end are nothing to print.
            false => self.trimmed(),
        };
        for (index, (style, text)) in spans.iter().enumerate() {
            let mut text = prefix(text, left);
            left -= text.width();
            if !cut && index + 1 == spans.len() && style.is_none() {
                text = text.trim_end();
            }
            let text = match terminal.unicode {
                true => text.to_string(),
                false => text.chars().map(ascii).collect(),
            };
            match style {
                _ if text.is_empty() => {}
                Some(style) => out.push_str(&paint(*style, text)),
                None => out.push_str(&text),
            }
        }
        if cut {
            out.push_str(terminal.more());
        }
        out
    }

    fn trimmed(&self) -> &[(Option<Style>, String)] {
        match self.spans.split_last() {
            Some(((None, text), rest)) if text.trim().is_empty() => rest,
            _ => &self.spans,
        }
    }
}

/// The ASCII character that stands for one of those that boxes and arrows are drawn with.
fn ascii(char: char) -> char {
    match char {
        '─' => '-',
        '│' => '|',
        '┌' | '┐' | '└' | '┘' | '├' | '┤' | '┼' => '+',
        '●' => '*',
        '▶' => '>',
        '◀' => '<',
        '▲' => '^',
        _ if char.is_ascii() => char,
        _ => '?',
    }
}

/// `items` on as many lines as they need, parted by blanks; the first line begins at `first`, the
/// others with `indent`.
pub fn wrap(first: Line, items: &[Line], indent: &Line, terminal: Terminal) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut line = first;
    let mut fresh = true;
    for item in items {
        if !fresh && line.width() + 1 + item.width() > terminal.columns() {
            lines.push(std::mem::replace(&mut line, indent.clone()));
            fresh = true;
        }
        if !fresh {
            line.push(" ");
        }
        line.append(item);
        fresh = false;
    }
    lines.push(line);
    lines
}

/// A comma behind each but the last.
pub fn commas(items: impl Iterator<Item = Line>) -> Vec<Line> {
    let mut items: Vec<Line> = items.collect();
    if let Some((_, others)) = items.split_last_mut() {
        others.iter_mut().for_each(|item| item.push(","));
    }
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_by_columns() {
        let terminal = Terminal::default();
        assert_eq!(terminal.cut("abcdef", 6), "abcdef");
        assert_eq!(terminal.cut("abcdef", 4), "abc…");
        assert_eq!(terminal.cut("日本語", 5), "日本…");
        assert_eq!(terminal.cut("abc", 0), "");
        assert_eq!(terminal.cut_middle("abcdefghijkl", 10), "abcdef…jkl");
        let plain = Terminal {
            unicode: false,
            ..terminal
        };
        assert_eq!(plain.cut("abcdef", 5), "ab...");
        assert_eq!(plain.cut("abcdef", 2), "ab");
        assert_eq!(plain.name("größe"), "gr\\u{f6}\\u{df}e");
    }

    #[test]
    fn a_line_keeps_to_the_terminal() {
        let terminal = Terminal {
            width: 30,
            unicode: true,
        };
        let mut line = Line::of("x".repeat(28));
        line.paint(crate::BAD, "yyyyy");
        let text = crate::samples::plain(&line.render(terminal));
        assert_eq!(text, format!("{}y…", "x".repeat(28)));
        assert_eq!(Line::of("a").then("  ").render(terminal), "a");
    }
}
