//! Findings as a comment on a change, in Markdown.

use super::{Material, headline, title};
use crate::hex;
use std::fmt::Write;

/// Findings that are written out; the rest is counted.
const SHOWN: usize = 10;
/// Inputs of one finding.
const INPUTS: usize = 4;

/// Nothing if there is no finding.
pub fn markdown(material: &Material<'_>) -> String {
    let findings = &material.findings;
    let mut out = match findings.len() {
        0 => return String::new(),
        1 => "### Elsewise: a new finding\n".to_owned(),
        more => format!("### Elsewise: {more} new findings\n"),
    };
    for told in findings.iter().take(SHOWN) {
        let finding = told.finding;
        let _ = writeln!(out, "\n**{}**", text(&title(finding)));
        block(&mut out, &headline(finding));
        if let Some(call) = &told.call {
            out.push_str("Call:\n");
            block(&mut out, call);
        }
        let case = told.case.filter(|_| told.call.is_none());
        let inputs = case.iter().flat_map(|case| &case.inputs);
        let inputs: Vec<String> = inputs
            .filter(|(_, bytes)| !bytes.is_empty())
            .take(INPUTS)
            .map(|(name, bytes)| format!("{name}: {}", hex::short(bytes)))
            .collect();
        if !inputs.is_empty() {
            out.push_str("Input:\n");
            block(&mut out, &inputs.join("\n"));
        }
        out.push_str("Reproduce:\n");
        block(&mut out, &told.reproduce);
    }
    let more = findings.len().saturating_sub(SHOWN);
    if more > 0 {
        let _ = writeln!(out, "\nand {more} more.");
    }
    out
}

/// Text in which nothing is markup, a link or somebody's name.
fn text(text: &str) -> String {
    let mut out = String::new();
    for char in crate::escape::text(text).chars() {
        match char {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '@' => out.push_str("&#64;"),
            // Numbers of issues and links are made of these without any markup.
            '#' => out.push_str("&#35;"),
            ':' => out.push_str("&#58;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '(' | ')' | '!' | '|' | '~' => {
                out.push('\\');
                out.push(char);
            }
            _ => out.push(char),
        }
    }
    out
}

/// A block of code, with a fence that is longer than any in it.
fn block(out: &mut String, code: &str) {
    let lines: Vec<String> = code.lines().map(crate::escape::text).collect();
    let longest = lines
        .iter()
        .flat_map(|line| line.split(|char| char != '`'))
        .map(str::len)
        .max()
        .unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let _ = writeln!(out, "\n{fence}text\n{}\n{fence}\n", lines.join("\n"));
}
