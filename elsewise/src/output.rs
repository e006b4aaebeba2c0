//! Words on standard output and standard error.
//!
//! A reader that went away (a closed pipe) is no fault: what cannot be written is dropped. A result that cannot be
//! written for any other reason is how the command ends.

use crate::error::VerbError;
use elsewise_frontend::notices::Notices;
use elsewise_frontend::{FrontEndError, Problem};
use elsewise_report::{BAD, Terminal, WARN, escape_text, paint};
use serde::Serialize;
use std::io::{self, Write};
use std::sync::OnceLock;

/// Why the first result that was not written was not.
static UNWRITTEN: OnceLock<String> = OnceLock::new();

/// What front ends say is printed as what the command says itself.
pub struct Printed;

impl Notices for Printed {
    fn result(&self, words: &str) {
        text(words);
    }

    fn raw(&self, text: &str) {
        raw(text);
    }

    fn note(&self, text: &str) {
        note(text);
    }

    fn warning(&self, text: &str) {
        warning(text);
    }

    fn terminal(&self) -> Terminal {
        terminal()
    }
}

/// A result, in text; its styles are taken out where they are not wanted.
pub fn text(text: &str) {
    let mut out = anstream::stdout().lock();
    written(out.write_all(text.as_bytes()).and_then(|()| out.flush()));
}

/// A result that is not for people: nothing is taken out of it.
pub fn raw(text: &str) {
    let mut out = std::io::stdout().lock();
    written(out.write_all(text.as_bytes()).and_then(|()| out.flush()));
}

fn written(result: io::Result<()>) {
    if let Err(error) = result
        && error.kind() != io::ErrorKind::BrokenPipe
    {
        UNWRITTEN.get_or_init(|| error.to_string());
    }
}

/// What to say where a result was not written.
pub fn unwritten() -> Option<Problem> {
    let error = UNWRITTEN.get()?;
    let why = error.clone();
    Some(VerbError::UnwrittenOutput { why }.into())
}

/// What standard output is drawn on.
pub fn terminal() -> Terminal {
    let columns = std::env::var("COLUMNS").ok();
    let width = columns.and_then(|columns| columns.parse().ok());
    Terminal {
        width: width.unwrap_or(80),
        unicode: shows_unicode(&|name| std::env::var(name).ok()),
    }
}

/// Whether the locale's characters are more than ASCII. Where no locale is named at all, as in most
/// containers, the terminal is of today.
fn shows_unicode(variable: &dyn Fn(&str) -> Option<String>) -> bool {
    let named = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(|name| {
        let value = variable(name)?;
        (!value.is_empty()).then_some(value)
    });
    named.is_none_or(|locale| {
        let locale = locale.to_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

/// A result, as one JSON object on one line.
pub fn json(value: &impl Serialize) -> Result<(), Problem> {
    let line = elsewise_report::json_object(value).map_err(FrontEndError::NotJson)?;
    let mut out = std::io::stdout().lock();
    written(writeln!(out, "{line}").and_then(|()| out.flush()));
    Ok(())
}

/// Something that the user ought to know, beside the result.
pub fn note(text: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{text}");
}

/// Help, or what is wrong with the words on the command line.
pub fn usage(error: &clap::Error) {
    let result = error.print();
    if !error.use_stderr() {
        written(result);
    }
}

pub fn warning(text: &str) {
    note(&format!("{}: {}", paint(WARN, "warning"), harmless(text)));
}

pub fn problem(problem: &Problem) {
    note(&format!(
        "{}: {}",
        paint(BAD, "error"),
        harmless(&problem.to_string())
    ));
}

/// Messages quote compilers, file names and subjects: nothing of that may steer the terminal.
fn harmless(message: &str) -> String {
    let lines: Vec<String> = message
        .trim_end()
        .lines()
        .map(|line| escape_text(&line.replace('\t', "    ")))
        .collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_locale_says_which_characters_there_are() {
        for (variables, expected) in [
            (&[][..], true),
            (&[("LANG", "de_DE.UTF-8")], true),
            (&[("LANG", "C")], false),
            (&[("LANG", "en_US.ISO-8859-1")], false),
            (&[("LANG", "C"), ("LC_ALL", "C.utf8")], true),
            (&[("LANG", "C.UTF-8"), ("LC_CTYPE", "POSIX")], false),
            (&[("LANG", "C.UTF-8"), ("LC_ALL", "")], true),
        ] {
            let variable = |name: &str| {
                let found = variables.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| value.to_string())
            };
            assert_eq!(shows_unicode(&variable), expected, "{variables:?}");
        }
    }
}
