//! Functions in files of Erlang and Elixir, as an editor offers them.

use crate::syntax::SYNTAXES;
use elsewise_frontend::outline::{Explorable, arguments, full_stop, masked, name_length};
use std::path::Path;

/// Functions that are defined in the file.
pub fn explorables(file: &str, text: &str) -> Vec<Explorable> {
    let ending = Path::new(file)
        .extension()
        .and_then(|ending| ending.to_str());
    match ending {
        Some("erl") => erlang(text),
        Some("ex" | "exs") => elixir(text),
        _ => Vec::new(),
    }
}

/// Clauses begin at the beginning of a line, and those of one function follow each other.
fn erlang(text: &str) -> Vec<Explorable> {
    let masked = masked(text, &SYNTAXES[0]);
    let mut found: Vec<Explorable> = Vec::new();
    let mut at = 0;
    for line in masked.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let length = name_length(line);
        let is_clause = line.starts_with(|first: char| first.is_ascii_lowercase());
        if !is_clause || !line[length..].starts_with('(') {
            continue;
        }
        let Some((arity, close)) = arguments(text, &masked, start + length) else {
            continue;
        };
        let behind = masked[close + 1..].trim_start();
        if behind.starts_with("->") || behind.starts_with("when") {
            let function = &text[start..start + length];
            add(
                &mut found,
                function,
                format!("{function}/{arity}"),
                start,
                full_stop(&masked, close),
            );
        }
    }
    found
}

/// Another clause of the last function, or the first of another.
fn add(found: &mut Vec<Explorable>, function: &str, word: String, start: usize, end: usize) {
    match found
        .iter_mut()
        .find(|one| one.word.as_ref() == Some(&word))
    {
        Some(one) => one.end = end,
        None => found.push(Explorable {
            name: word.clone(),
            word: Some(word),
            stem: function.to_string(),
            start,
            end,
        }),
    }
}

/// Modules are told by how far lines are indented, as the formatter of the language indents them.
fn elixir(text: &str) -> Vec<Explorable> {
    let masked = masked(text, &SYNTAXES[1]);
    let mut found: Vec<Explorable> = Vec::new();
    let mut modules: Vec<(usize, String)> = Vec::new();
    let mut at = 0;
    for line in masked.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let words = line.trim_start();
        let indent = line.len() - words.len();
        if words.is_empty() {
            continue;
        }
        modules.retain(|(outer, _)| *outer < indent);
        if let Some(name) = words.strip_prefix("defmodule ") {
            let name = name.split_whitespace().next().unwrap_or_default();
            let outer = modules.last().map(|(_, outer)| format!("{outer}."));
            modules.push((indent, format!("{}{name}", outer.unwrap_or_default())));
            continue;
        }
        let (Some(rest), Some((_, module))) = (words.strip_prefix("def "), modules.last()) else {
            continue;
        };
        let name_at = start + indent + "def ".len();
        let length = name_length(rest);
        let marks = rest[length..].starts_with(['?', '!']);
        let length = length + usize::from(marks);
        if length == 0 {
            continue;
        }
        let function = &text[name_at..name_at + length];
        let arity = match masked[name_at + length..].starts_with('(') {
            true => arguments(text, &masked, name_at + length).map_or(0, |found| found.0),
            false => 0,
        };
        let rest_of_body = masked[at..].split_inclusive('\n');
        let is_end = |line: &&str| {
            let words = line.trim_start();
            line.len() - words.len() == indent && words.trim_end() == "end"
        };
        let one_line = line.contains(", do:");
        let before: usize = match one_line {
            true => 0,
            false => rest_of_body
                .take_while(|line| !is_end(line))
                .map(str::len)
                .sum(),
        };
        let end = if one_line {
            at
        } else {
            (at + before + indent + 3).min(text.len())
        };
        add(
            &mut found,
            function,
            format!("{module}.{function}/{arity}"),
            name_at,
            end,
        );
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(file: &str, text: &str) -> Vec<String> {
        let all = explorables(file, text);
        all.iter().map(|one| one.name.clone()).collect()
    }

    #[test]
    fn functions_of_erlang() {
        let text = "-module(bank).\n-spec transfer(a(), b()) ->\n    ok.\ntransfer(\"a,b\", {B, C}) when B > 1 ->\n    go(B, C);\n\
                    transfer(_, _) ->\n    3.14.\n% no(X) -> ok.\nnone() -> ok.\nhalf(";
        assert_eq!(named("a.erl", text), ["transfer/2", "none/0"]);
        let all = explorables("a.erl", text);
        assert!(text[..all[0].end].ends_with("3.14."));
        assert_eq!(all[0].subject("a.erl").unwrap(), "a.erl::transfer/2");
    }

    #[test]
    fn functions_of_elixir() {
        let text = "defmodule Bank do\n  defmodule Inner do\n    def one?(a), do: a\n  end\n\n  def two(a, {b, c}) do\n    a\n  end\n\n  \
                    defp three(a), do: a\n  def four do\n  end\nend\n";
        assert_eq!(
            named("a.ex", text),
            ["Bank.Inner.one?/1", "Bank.two/2", "Bank.four/0"]
        );
        let all = explorables("a.ex", text);
        assert!(text[..all[1].end].ends_with("a\n  end"));
    }
}
