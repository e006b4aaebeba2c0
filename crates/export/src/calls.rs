//! Calls that become tests of a language whose values can all be written down.

use serde::{Deserialize, Serialize};

/// What tests are written for.
#[derive(Clone, Debug)]
pub struct CallSuite<'a> {
    /// The module, as its language writes it.
    pub module: &'a str,
    /// The function's name alone.
    pub function: &'a str,
    pub tests: &'a [CallTest],
}

/// One call, all of it in the subject's language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallTest {
    /// With its module: `bank:transfer(a, 1)`.
    pub call: String,
    /// What people call it, on one line: `transfer(a, 1)`.
    pub title: String,
    pub end: CallEnd,
    /// Of a finding, what it is and where: such a call is to be repaired, not kept as it is.
    pub finding: Option<String>,
}

/// How a call ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CallEnd {
    Returns(String),
    /// Something that cannot be written down, as a function or a process.
    ReturnsUnspoken,
    /// With the class (`error`, `exit`, `throw`) and a pattern for the reason; of Elixir's errors, the
    /// exception's module.
    Raises {
        class: String,
        reason: String,
    },
    /// It does not end, or was not run.
    Unknown,
}

impl CallTest {
    /// What the title says of the end.
    pub(crate) fn ends(&self) -> String {
        match (&self.finding, &self.end) {
            (Some(finding), _) => format!(": {finding}"),
            (None, CallEnd::Raises { class, .. }) if class == "error" => " raises".into(),
            (None, CallEnd::Raises { class, .. }) => format!(" {class}s"),
            _ => String::new(),
        }
    }
}

/// Titles are unique where tests are told apart by them.
pub(crate) fn titles(tests: &[&CallTest]) -> Vec<String> {
    unique(
        tests
            .iter()
            .map(|test| format!("{}{}", short(&test.title), test.ends())),
    )
}

/// A title that fits a line.
pub(crate) fn short(text: &str) -> String {
    const MOST: usize = 80;
    let mut title: String = text.chars().take(MOST).collect();
    if title.len() < text.len() {
        title.push_str("...");
    }
    title
}

/// What is there twice gets a number.
pub(crate) fn unique(given: impl Iterator<Item = String>) -> Vec<String> {
    let mut titles: Vec<String> = Vec::new();
    for title in given {
        let mut unique = title.clone();
        let mut number = 2;
        while titles.contains(&unique) {
            unique = format!("{title} ({number})");
            number += 1;
        }
        titles.push(unique);
    }
    titles
}
