//! Functions in a C file, and programs, as an editor offers them.

use crate::names::is_source;
use crate::syntax::SYNTAXES;
use elsewise_frontend::outline::{Explorable, closing, masked, name_length};
use std::path::Path;

/// What stands before brackets and names no function that is defined there.
const NOT_NAMES: [&str; 12] = [
    "__attribute__",
    "__attribute",
    "__declspec",
    "__asm__",
    "asm",
    "_Alignas",
    "alignas",
    "__typeof__",
    "typeof",
    "_Atomic",
    "_BitInt",
    "_Static_assert",
];

/// Functions of C that are defined in the file, and the program if it has one.
pub fn explorables(file: &str, text: &str) -> Vec<Explorable> {
    if !is_source(file) {
        return Vec::new();
    }
    let path = Path::new(file);
    let is_c = path.extension().is_some_and(|ending| ending == "c");
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let functions = functions(text, &masked(text, &SYNTAXES[0]));
    let functions = functions.into_iter().filter_map(|(name, start, end)| {
        let (shown, word, stem) = match name {
            "main" => ("program".into(), None, stem.to_string()),
            _ if is_c => (name.to_string(), Some(name.to_string()), name.to_string()),
            _ => return None,
        };
        Some(Explorable {
            name: shown,
            word,
            stem,
            start,
            end,
        })
    });
    functions.collect()
}

/// Names of functions with bodies, where they stand, and where their bodies end.
fn functions<'a>(text: &'a str, masked: &str) -> Vec<(&'a str, usize, usize)> {
    let mut found = Vec::new();
    let mut candidate: Option<(&str, usize)> = None;
    let mut at = 0;
    while let Some(first) = masked[at..].chars().next() {
        match first {
            _ if first.is_alphabetic() || first == '_' => {
                let length = name_length(&masked[at..]);
                let name = &text[at..at + length];
                let behind = masked[at + length..].trim_start();
                if behind.starts_with('(') && !NOT_NAMES.contains(&name) {
                    candidate = Some((name, at));
                }
                at += length;
            }
            '{' => {
                let Some(end) = closing(masked, at) else {
                    break;
                };
                if let Some((name, start)) = candidate.take() {
                    found.push((name, start, end + 1));
                }
                at = end + 1;
            }
            '(' | '[' => match closing(masked, at) {
                Some(end) => at = end + 1,
                None => break,
            },
            _ => {
                if matches!(first, ';' | ',' | '=' | '}' | ')') {
                    candidate = None;
                }
                at += first.len_utf8();
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(file: &str, text: &str) -> Vec<String> {
        let all = explorables(file, text);
        all.iter().map(|one| one.subject(file).unwrap()).collect()
    }

    #[test]
    fn functions_with_bodies_are_found() {
        let text = "#define F(x) {\nint one(int a);\nstatic struct s *two(const char *a, int (*f)(void))\n{ if (a) { three(); } }\n\
                    /* int no() {} */ int table[] = { four(1) };\nstruct s { int x; };\n\
                    __attribute__((noinline)) void five(void) __attribute__((cold)) { }\nint main(void) { return 0; }\n";
        assert_eq!(named("a.c", text), ["a.c::two", "a.c::five", "a.c"]);
        assert_eq!(named("a.cc", text), ["a.cc"]);
        assert_eq!(named("a.h", text), [""; 0]);
        let all = explorables("a.c", text);
        assert_eq!(&text[all[0].start..all[0].start + 3], "two");
        assert!(text[..all[0].end].ends_with("three(); } }"));
    }

    #[test]
    fn what_is_half_written_is_no_trouble() {
        for text in [
            "int f(",
            "int f(void) {",
            "int f(void)) {}",
            "}}{",
            "\"",
            "ä(",
        ] {
            assert_eq!(named("a.c", text), [""; 0], "{text}");
        }
    }
}
