//! The lines of source around a place.

use crate::escape;
use crate::style::{BAD, DIM, paint};
use std::fmt::Write;

/// Columns of a source line that are shown.
const WIDTH: usize = 120;

/// `context` lines before and after `line` (counted from 1), the line itself marked. Nothing when
/// the source has no such line: it changed since the subject was built.
pub fn excerpt(source: &str, line: u32, context: u32) -> Option<String> {
    source.lines().nth(line.checked_sub(1)? as usize)?;
    let first = line.saturating_sub(context).max(1);
    let last = line.saturating_add(context);
    let width = last.to_string().len();
    let mut out = String::new();
    let lines = (first..=last).zip(source.lines().skip(first as usize - 1));
    for (number, text) in lines {
        let expanded = text.replace('\t', "    ");
        let mut text: String = escape::text(expanded.trim_end())
            .chars()
            .take(WIDTH)
            .collect();
        if text.chars().count() < expanded.trim_end().chars().count() {
            text.push_str(" ...");
        }
        let text = format!("{number:>width$} | {text}");
        let _ = match number == line {
            true => writeln!(out, "{}", paint(BAD, format!("> {text}"))),
            false => writeln!(out, "{}", paint(DIM, format!("  {}", text.trim_end()))),
        };
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(source: &str, line: u32) -> Option<String> {
        excerpt(source, line, 2).map(|text| anstream::adapter::strip_str(&text).to_string())
    }

    #[test]
    fn marks_the_line() {
        let source: String = (1..=12).map(|n| format!("\tline {n};\n")).collect();
        insta::assert_snapshot!(plain(&source, 9).unwrap(), @r"
           7 |     line 7;
           8 |     line 8;
        >  9 |     line 9;
          10 |     line 10;
          11 |     line 11;
        ");
        insta::assert_snapshot!(plain(&source, 1).unwrap(), @r"
        > 1 |     line 1;
          2 |     line 2;
          3 |     line 3;
        ");
    }

    #[test]
    fn a_line_that_is_not_there_shows_nothing() {
        assert_eq!(plain("one\n", 2), None);
        assert_eq!(plain("one\n", 0), None);
        assert_eq!(plain("one\n", u32::MAX), None);
    }

    #[test]
    fn long_and_harmful_lines_are_tamed() {
        let source = format!("\x1b[2J{}", "x".repeat(500));
        let text = plain(&source, 1).unwrap();
        assert!(text.contains("\\x1b[2Jxx"));
        assert!(text.contains(" ..."));
        assert!(text.len() < 160);
    }
}
