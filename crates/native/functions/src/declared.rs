//! What only the source says of a function's parameters: how long arrays are, and which pointers are never null.
//! The compiler prints it as it was written; debug information has pointers in place of it all.

use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

/// The attribute of a function whose result is never null.
const RETURNS: &str = "returns_nonnull";

/// Of one parameter.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Declared {
    /// `int v[12]`: how many elements.
    pub elements: Option<u32>,
    /// `[static 12]`, the attribute `nonnull`, `_Nonnull`, or an annotation of SAL's.
    pub never_null: bool,
}

/// Asks the compiler. Nothing, where it does not answer: what is said by types alone is always known.
pub(super) fn declared(
    clang: &Path,
    file: &Path,
    flags: &[OsString],
    function: &str,
) -> Vec<Declared> {
    let output = Command::new(clang)
        .args(flags)
        .args(["-w", "-fsyntax-only", "-Xclang", "-ast-print", "-Xclang"])
        .arg(format!("-ast-dump-filter={function}"))
        .arg(file)
        .output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    of_text(&text.unwrap_or_default(), function)
}

/// Which of these functions, which the file declares, never return null.
pub(super) fn returned(
    clang: &Path,
    file: &Path,
    flags: &[OsString],
    functions: &[&str],
) -> Vec<String> {
    if functions.is_empty() {
        return Vec::new();
    }
    let output = Command::new(clang)
        .args(flags)
        .args(["-w", "-fsyntax-only", "-Xclang", "-ast-print"])
        .arg(file)
        .output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    returned_of_text(&text.unwrap_or_default(), functions)
}

fn returned_of_text(text: &str, functions: &[&str]) -> Vec<String> {
    let declarations = text.split([';', '{', '}']);
    let said: Vec<&str> = declarations
        .filter(|one| one.contains(RETURNS) || one.contains("_Nonnull"))
        .collect();
    let says = |declaration: &&str, function: &str| {
        let call = format!("{function}(");
        let Some(begin) = declaration.find(&call) else {
            return false;
        };
        let before = &declaration[..begin];
        let whole = !before.ends_with(|last: char| last.is_alphanumeric() || last == '_');
        let of_type = before.trim_end().ends_with("_Nonnull");
        whole && (of_type || declaration.contains(RETURNS))
    };
    let functions = functions.iter().filter(|function| {
        let mut said = said.iter();
        said.any(|declaration| says(declaration, function))
    });
    functions.map(|function| (*function).to_string()).collect()
}

/// All declarations of the function, joined.
fn of_text(text: &str, function: &str) -> Vec<Declared> {
    let mut all: Vec<Declared> = Vec::new();
    let title = format!("Printing {function}:\n");
    for declaration in text.split(&title).skip(1) {
        let end = declaration.find(['{', ';']).unwrap_or(declaration.len());
        let end = end.min(declaration.find("\nPrinting ").unwrap_or(end));
        for (index, one) in of_declaration(&declaration[..end], function)
            .into_iter()
            .enumerate()
        {
            if all.len() <= index {
                all.push(Declared::default());
            }
            all[index].elements = all[index].elements.or(one.elements);
            all[index].never_null |= one.never_null;
        }
    }
    all
}

fn of_declaration(text: &str, function: &str) -> Vec<Declared> {
    let Some(begin) = text.find(&format!("{function}(")) else {
        return Vec::new();
    };
    let begin = begin + function.len() + 1;
    let parameters = split(&text[begin..]);
    let outside = text[..begin].to_string() + &text[begin + length_of(&text[begin..])..];
    let never_null = numbers_of(&outside);
    let one = |(index, parameter): (usize, &&str)| {
        let mut one = of_parameter(parameter);
        one.never_null |= never_null.as_ref().is_some_and(|all| {
            let pointer = parameter.contains(['*', '[']);
            pointer && (all.is_empty() || all.contains(&(index + 1)))
        });
        one
    };
    parameters.iter().enumerate().map(one).collect()
}

/// Up to the parenthesis that closes what is open here.
fn length_of(text: &str) -> usize {
    let mut depth = 1;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

/// Parameters: apart by commas outside of parentheses.
fn split(text: &str) -> Vec<&str> {
    let text = &text[..length_of(text)];
    let (mut depth, mut from) = (0, 0);
    let mut all = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                all.push(text[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    all.push(text[from..].trim());
    all
}

fn of_parameter(text: &str) -> Declared {
    // Brackets within parentheses are those of what is pointed to.
    let mut depth = 0;
    let outer = text.char_indices().find(|(_, c)| {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        *c == '[' && depth == 0
    });
    let bracket = outer.and_then(|(at, _)| text[at + 1..].split(']').next());
    // `double (*row)[3]` is a pointer, whatever follows.
    let bracket = bracket.filter(|_| !text.contains("(*"));
    let words = || bracket.unwrap_or_default().split_whitespace();
    Declared {
        elements: words().find_map(|word| word.parse().ok()),
        never_null: words().any(|word| word == "static")
            || text.contains("nonnull")
            || is_nonnull_type(text)
            || is_annotated(text),
    }
}

/// `int *_Nonnull p`: what stands behind the last star is about the pointer itself.
fn is_nonnull_type(text: &str) -> bool {
    let own = text.rsplit('*').next().unwrap_or_default();
    text.contains('*') && own.contains("_Nonnull")
}

/// What SAL's macros leave of `_In_`, `_Inout_`, `_Out_` and `_Notnull_` where they are annotations.
fn is_annotated(text: &str) -> bool {
    let mut annotations = text.split("annotate(\"").skip(1);
    annotations.any(|rest| {
        let said = rest.split('"').next().unwrap_or_default().to_lowercase();
        let said = said.trim_start_matches("sal").trim_matches('_');
        let direction = ["in", "inout", "out"].iter().any(|one| {
            let rest = said.strip_prefix(one);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
        });
        said.contains("notnull") || direction && !said.contains("opt")
    })
}

/// `nonnull(1, 3)`: which; all of them where it names none; `None` without it.
fn numbers_of(text: &str) -> Option<Vec<usize>> {
    // That is about the result.
    let text = &text.replace(RETURNS, "");
    let rest = &text[text.find("nonnull")? + "nonnull".len()..];
    let named = rest.trim_start().strip_prefix('(').map_or("", |list| {
        let end = list.find(')').unwrap_or(list.len());
        &list[..end]
    });
    let numbers = named.split(',').filter_map(|word| word.trim().parse().ok());
    Some(numbers.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(elements: Option<u32>, never_null: bool) -> Declared {
        Declared {
            elements,
            never_null,
        }
    }

    #[test]
    fn arrays_have_the_lengths_that_were_written() {
        let text = "Printing ptrdiff_t:\ntypedef long ptrdiff_t\nPrinting f:\nint f(int m[3][4], struct S *a[4], \
            int v[static 12], int g[][8], double (*row)[3], int (*by)(int a[2], int), int n) {\n    return m[0];\n}\n";
        let expected = [
            one(Some(3), false),
            one(Some(4), false),
            one(Some(12), true),
            one(None, false),
            one(None, false),
            one(None, false),
            one(None, false),
        ];
        assert_eq!(of_text(text, "f"), expected);
    }

    #[test]
    fn attributes_of_any_declaration_count() {
        let text = "Printing g:\nint g(int *p, int n, char *q) __attribute__((nonnull))\nPrinting g:\n\
            int g(int *p, int n, char *q) {\n}\n";
        let expected = [one(None, true), one(None, false), one(None, true)];
        assert_eq!(of_text(text, "g"), expected);
        let text = "Printing h:\n__attribute__((nonnull(2))) int h(int *p, int *q) {\n}\n";
        assert_eq!(of_text(text, "h"), [one(None, false), one(None, true)]);
        assert_eq!(of_text("", "h"), []);
        let text = "Printing k:\nint *k(int *p) __attribute__((returns_nonnull))\n";
        assert_eq!(of_text(text, "k"), [one(None, false)]);
    }

    #[test]
    fn qualifiers_and_annotations_of_pointers_count() {
        let text = "Printing f:\nint f(struct s * _Nonnull a, int * _Nonnull *b, int ** _Nonnull c, \
            __attribute__((annotate(\"SAL_notnull\"))) int *d, __attribute__((annotate(\"_In_opt_\"))) int *e, \
            __attribute__((annotate(\"_Inout_\"))) int *f, struct s * _Nullable g)\n";
        let never_null: Vec<bool> = of_text(text, "f")
            .iter()
            .map(|one| one.never_null)
            .collect();
        assert_eq!(never_null, [true, false, true, true, false, true, false]);
    }

    #[test]
    fn results_that_are_never_null_are_known() {
        let text = "struct s *make(int k) __attribute__((returns_nonnull));\nstruct s * _Nonnull other(int *p);\n\
            struct s *unmake(int * _Nonnull p);\nint *remake(void) {\n    return make(1);\n}\n";
        let functions = ["make", "other", "unmake", "remake", "mak"];
        assert_eq!(returned_of_text(text, &functions), ["make", "other"]);
    }
}
