//! The source around a failure, with the failing line and the choices that led to it marked.

use crate::decisive::Decisive;
use crate::{Terminal, escape};
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use elsewise_campaign::{Finding, Survey};
use std::ops::Range;

/// Lines before and after the failing one that are shown.
const CONTEXT: u32 = 2;
/// Columns of a source line that are shown.
const WIDTH: usize = 160;

/// A place in a file, and what is said of it.
#[derive(Clone, Debug)]
pub struct Remark {
    pub file: String,
    pub line: u32,
    /// Counted from 1; 0 for the whole line.
    pub column: u32,
    pub words: String,
    /// The failure itself.
    pub failure: bool,
}

/// What is said of a finding's source: where it failed, and what decided that, in order.
pub fn remarks(finding: &Finding, decisive: &[Decisive], survey: &Survey) -> Vec<Remark> {
    let mut remarks = vec![Remark {
        file: finding.file.clone(),
        line: finding.line,
        column: 0,
        words: finding.message.clone(),
        failure: true,
    }];
    for (number, choice) in (1..).zip(decisive) {
        let Some(site) = survey.sites.get(choice.site.0 as usize) else {
            continue;
        };
        remarks.push(Remark {
            file: site.location.file.clone(),
            line: site.location.line,
            column: site.location.column,
            words: format!("{number}. {}", choice.way),
            failure: false,
        });
    }
    remarks
}

/// The lines that are spoken of, file by file, that of the failure first. `source` gives a file's
/// text; nothing is shown of files that are gone or have no such line any more.
pub fn snippet(
    remarks: &[Remark],
    source: &dyn Fn(&str) -> Option<String>,
    terminal: Terminal,
) -> Option<String> {
    let mut files: Vec<&str> = Vec::new();
    for remark in remarks {
        if !files.contains(&remark.file.as_str()) {
            files.push(&remark.file);
        }
    }
    let mut group: Option<Group> = None;
    for file in files {
        let Some(text) = source(file) else {
            continue;
        };
        let text = Text::new(&text);
        let here = remarks.iter().filter(|remark| remark.file == file);
        let mut annotations = Vec::new();
        for remark in here {
            let Some(span) = text.span(remark.line, remark.column) else {
                continue;
            };
            let kind = match remark.failure {
                true => AnnotationKind::Primary,
                false => AnnotationKind::Context,
            };
            annotations.push(kind.span(span).label(escape::text(&remark.words)));
            if remark.failure {
                let first = remark.line.saturating_sub(CONTEXT).max(1);
                let last = remark.line.saturating_add(CONTEXT);
                let around = (first..=last).filter_map(|line| text.span(line, 0));
                annotations.extend(around.map(|span| AnnotationKind::Visible.span(span)));
            }
        }
        if annotations.is_empty() {
            continue;
        }
        let snippet = Snippet::source(text.whole)
            .path(escape::text(file))
            .annotations(annotations);
        let whole = group.unwrap_or_else(|| Group::with_level(Level::ERROR));
        group = Some(whole.element(snippet));
    }
    let decor = match terminal.unicode {
        true => DecorStyle::Unicode,
        false => DecorStyle::Ascii,
    };
    let renderer = Renderer::styled()
        .term_width(terminal.columns())
        .decor_style(decor);
    Some(renderer.render(&[group?]))
}

/// A file's text, harmless, with the place of each line in it.
struct Text {
    whole: String,
    lines: Vec<Line>,
}

struct Line {
    start: usize,
    end: usize,
    /// The line as it was, to find columns in.
    before: String,
}

impl Text {
    fn new(source: &str) -> Text {
        let mut text = Text {
            whole: String::with_capacity(source.len()),
            lines: Vec::new(),
        };
        for line in source.lines() {
            let start = text.whole.len();
            let cut = line.char_indices().nth(WIDTH).map(|(at, _)| at);
            let line = &line[..cut.unwrap_or(line.len())];
            text.whole.push_str(&shown(line));
            if cut.is_some() {
                text.whole.push_str(" ...");
            }
            text.lines.push(Line {
                start,
                end: text.whole.len(),
                before: line.to_string(),
            });
            text.whole.push('\n');
        }
        text
    }

    /// From a column to the end of its line; the whole line, without its indent, for column 0.
    fn span(&self, line: u32, column: u32) -> Option<Range<usize>> {
        let line = self.lines.get(line.checked_sub(1)? as usize)?;
        let shown_line = &self.whole[line.start..line.end];
        let indent = shown_line.len() - shown_line.trim_start().len();
        let column = column.saturating_sub(1) as usize;
        let before = line
            .before
            .get(..column)
            .map_or(0, |part| shown(part).len());
        let start = line.start + before.max(indent);
        let end = line.start + shown_line.trim_end_matches([' ', '{']).len();
        Some(start..end.max((start + 1).min(line.end)).max(start))
    }
}

fn shown(line: &str) -> String {
    escape::text(&line.replace('\t', "    "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SOURCE: &str = "int f(int a, int b)\n{\n\tif (a > 3) {\n\t\tint c = a;\n\t\tif (b == c)\n\t\t\tabort();\n\t}\n\treturn 0;\n}\n";

    fn remark(line: u32, column: u32, words: &str, failure: bool) -> Remark {
        Remark {
            file: "src/f.c".into(),
            line,
            column,
            words: words.into(),
            failure,
        }
    }

    fn plain(remarks: &[Remark], source: &str) -> Option<String> {
        let give = |_: &str| Some(source.to_string());
        let text = snippet(remarks, &give, Terminal::default())?;
        Some(anstream::adapter::strip_str(&text).to_string())
    }

    #[test]
    fn failing_line_and_choices() {
        let remarks = [
            remark(6, 0, "abort was called", true),
            remark(3, 6, "1. true", false),
            remark(5, 9, "2. true", false),
        ];
        insta::assert_snapshot!(plain(&remarks, SOURCE).unwrap());
    }

    #[test]
    fn lines_that_are_gone_show_nothing() {
        assert_eq!(plain(&[remark(10, 0, "x", true)], SOURCE), None);
        assert_eq!(plain(&[remark(0, 0, "x", true)], SOURCE), None);
        assert_eq!(plain(&[remark(1, 0, "x", true)], ""), None);
        let gone = |_: &str| None;
        assert!(snippet(&[remark(1, 0, "x", true)], &gone, Terminal::default()).is_none());
    }

    proptest! {
        #![proptest_config(crate::samples::steady(256))]

        /// Whatever a file holds and columns say, nothing steers the terminal and nothing panics.
        #[test]
        fn hostile_source_stays_text(
            source in any::<String>(),
            words in any::<String>(),
            file in any::<String>(),
            line in 0u32..5,
            column in 0u32..20,
        ) {
            let mut remark = remark(line, column, &words, true);
            remark.file = file;
            if let Some(text) = plain(&[remark], &format!("\x1b[2J\u{9b}1m{source}")) {
                prop_assert!(!text.chars().any(|char| char.is_control() && char != '\n'));
                let turned = text.contains('\u{202e}');
                prop_assert!(!turned);
            }
        }
    }
}
