//! What the text of a subject says of itself: lines of its head in TOML, and where it fails.

use anyhow::Result;
use serde::de::DeserializeOwned;

/// The lines that begin so, read as TOML.
pub fn head<T: DeserializeOwned>(text: &str, comment: &str) -> Result<T> {
    let lines = text.lines();
    let head: Vec<&str> = lines
        .filter_map(|line| line.strip_prefix(comment))
        .collect();
    Ok(toml::from_str(&head.join("\n"))?)
}

/// A line that is marked as one where it may fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    pub line: u32,
    /// Where the mark says how it fails there.
    pub kind: Option<String>,
}

/// Lines that end with a comment `fails here` or `or here`, or with `: KIND` behind it.
pub fn marks(text: &str) -> Vec<Mark> {
    let lines = text.lines().zip(1..);
    lines
        .filter_map(|(text, line)| {
            let words = [" fails here", " or here"];
            let (_, rest) = words.iter().find_map(|words| text.rsplit_once(words))?;
            let kind = rest.strip_prefix(": ").map(str::to_owned);
            (rest.is_empty() || kind.is_some()).then_some(Mark { line, kind })
        })
        .collect()
}

/// The numbers of these lines.
pub fn marked(text: &str) -> Vec<u32> {
    marks(text).into_iter().map(|mark| mark.line).collect()
}
