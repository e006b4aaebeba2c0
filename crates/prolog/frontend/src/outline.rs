//! Predicates in a file of Prolog, as an editor offers them.

use elsewise_frontend::outline::{Explorable, arguments, full_stop, masked, name_length};
use elsewise_report::html::Syntax;
use std::path::Path;

/// Predicates that are defined in the file, and rules of grammars.
pub fn explorables(file: &str, text: &str, endings: &[&str], syntax: &Syntax) -> Vec<Explorable> {
    let ending = Path::new(file)
        .extension()
        .and_then(|ending| ending.to_str());
    if !ending.is_some_and(|ending| endings.contains(&ending)) {
        return Vec::new();
    }
    let masked = masked(text, syntax);
    let mut found: Vec<Explorable> = Vec::new();
    let mut at = 0;
    for line in masked.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let length = name_length(line);
        if !line.starts_with(|first: char| first.is_ascii_lowercase()) {
            continue;
        }
        let brackets = line[length..].starts_with('(');
        let (arity, behind) = match brackets {
            true => match arguments(text, &masked, start + length) {
                Some((arity, close)) => (arity, close + 1),
                None => continue,
            },
            false => (0, start + length),
        };
        let rest = masked[behind..].trim_start();
        let rule = rest.starts_with("-->");
        if !rule && !rest.starts_with(":-") && !rest.starts_with('.') {
            continue;
        }
        let name = &text[start..start + length];
        let slash = if rule { "//" } else { "/" };
        let word = format!("{name}{slash}{arity}");
        let end = full_stop(&masked, behind);
        match found
            .iter_mut()
            .find(|one| one.word.as_ref() == Some(&word))
        {
            Some(one) => one.end = end,
            None => found.push(Explorable {
                name: word.clone(),
                word: Some(word),
                stem: name.to_string(),
                start,
                end,
            }),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predicates_and_rules() {
        let text = ":- module(m, []).\nroute(A, B, [A,B]) :-\n    edge(A, B).\nroute(A, B, C) :- fail.\n% no(A).\nedge(a, 'b,c').\n\
                    digits([D|T]) --> digit(D), digits(T).\nstart :- true.\nhalf(";
        let all = explorables("a.pl", text, &crate::ENDINGS, &crate::SYNTAXES[0]);
        let names: Vec<&str> = all.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["route/3", "edge/2", "digits//1", "start/0"]);
        assert!(text[..all[0].end].ends_with(":- fail."));
    }
}
