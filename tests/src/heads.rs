//! What the text of a subject says of itself: lines of its head in TOML, and where it fails.

use crate::command::Finding;
use anyhow::Result;
use serde::de::DeserializeOwned;
use std::path::Path;

/// The lines that begin so, read as TOML.
pub fn head<T: DeserializeOwned>(text: &str, comment: &str) -> Result<T> {
    let lines = text.lines();
    let head: Vec<&str> = lines
        .filter_map(|line| line.strip_prefix(comment))
        .collect();
    Ok(toml::from_str(&head.join("\n"))?)
}

/// The lines that are marked as those of which one is where it fails.
pub fn marked(text: &str) -> Vec<u32> {
    let marked = |line: &str| line.ends_with(" fails here") || line.ends_with(" or here");
    let lines = text.lines().zip(1..);
    lines
        .filter_map(|(line, number)| marked(line).then_some(number))
        .collect()
}

/// Is a finding where the subject says, as far as that can be told? A call at the end of a function
/// leaves no line of it in the stack.
pub fn placed(source: &Path, lines: &[u32], found: &Finding) -> bool {
    let own = Path::new(&found.file).file_name() == source.file_name();
    lines.is_empty() || !own || found.line == 0 || lines.contains(&found.line)
}
