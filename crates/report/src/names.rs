//! Names of functions and types as people write them.

use std::borrow::Cow;

/// Longer names are shown without what stands in angle brackets.
const LONG: usize = 60;
/// Longer ones are not taken apart at all.
const LONGEST: usize = 1 << 14;

/// Parts of names that say only which version of a library it is.
const VERSIONS: [&str; 3] = ["__cxx11::", "__1::", "[abi:cxx11]"];

/// What templates of the standard library are given where nobody says anything.
const DEFAULTS: [&str; 8] = [
    "std::allocator<",
    "std::char_traits<",
    "std::regex_traits<",
    "std::default_delete<",
    "std::less<",
    "std::hash<",
    "std::equal_to<",
    "std::deque<",
];

/// A function's name as its source has it, without parameters: one that a linker knows, or one that is written out.
pub fn readable(name: &str) -> Cow<'_, str> {
    let written: Cow<'_, str> = match name.starts_with("_Z") {
        true => match demangled(name) {
            Some(written) => written.into(),
            None => return name.into(),
        },
        false => without_parameters(name).into(),
    };
    // The names of other languages have none of these.
    if !written.contains(['<', '[', '$', '{', ':']) {
        return written;
    }
    let short = with_plain_lambdas(&shortened(&written));
    match short.chars().count() > LONG {
        true => without_arguments(&short).into(),
        false => short.into(),
    }
}

fn demangled(name: &str) -> Option<String> {
    let options = cpp_demangle::DemangleOptions::new()
        .no_params()
        .no_return_type();
    let symbol = cpp_demangle::Symbol::new(name).ok()?;
    let written = symbol.demangle_with_options(&options).ok()?;
    Some(without_parameters(&written).to_string())
}

/// `get(int, char) const` is `get`.
fn without_parameters(name: &str) -> &str {
    let name = name.strip_suffix(" const").unwrap_or(name);
    if !name.ends_with(')') {
        return name;
    }
    let mut depth = 0;
    for (at, letter) in name.char_indices().rev() {
        match letter {
            ')' => depth += 1,
            '(' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            let before = &name[..at];
            // Words that are followed by some in parentheses are no function.
            let odd = before.is_empty() || before.ends_with("operator") || before.ends_with(' ');
            return if odd { name } else { before };
        }
    }
    name
}

/// A name with templates of the standard library as people write them: `std::string`, `std::map<int, int>`.
pub(crate) fn shortened(name: &str) -> String {
    if name.len() > LONGEST {
        return without_arguments(name);
    }
    let mut name = name.to_string();
    for version in VERSIONS {
        name = name.replace(version, "");
    }
    // What is being written, and what stands around it.
    let mut out = String::new();
    let mut open: Vec<Open> = Vec::new();
    let mut rest = name.as_str();
    while let Some(letter) = rest.chars().next() {
        let operator = match letter {
            '<' | '>' | '-' => operator_at(&out, rest),
            _ => 0,
        };
        let taken = operator.max(letter.len_utf8());
        let part = &rest[..taken];
        rest = &rest[taken..];
        let in_template = matches!(open.last(), Some(Open::Template { .. }));
        match letter {
            _ if operator > 0 => out.push_str(part),
            '<' => open.push(Open::Template {
                before: std::mem::take(&mut out).trim_end().to_string(),
                arguments: Vec::new(),
            }),
            '>' if in_template => {
                if let Some(Open::Template {
                    before,
                    mut arguments,
                }) = open.pop()
                {
                    arguments.push(std::mem::take(&mut out).trim().to_string());
                    out = template(before, arguments);
                }
            }
            ',' if in_template => {
                if let Some(Open::Template { arguments, .. }) = open.last_mut() {
                    arguments.push(std::mem::take(&mut out).trim().to_string());
                }
            }
            '(' => open.push(Open::Parenthesis(std::mem::take(&mut out))),
            ')' => match open.pop() {
                Some(Open::Parenthesis(before)) => out = format!("{before}({out})"),
                // It is no name.
                _ => return name,
            },
            _ => out.push_str(part),
        }
    }
    match open.is_empty() {
        true => out,
        false => name,
    }
}

enum Open {
    Template {
        before: String,
        arguments: Vec<String>,
    },
    Parenthesis(String),
}

/// How many letters of `rest` belong to the operator whose name has just begun.
fn operator_at(before: &str, rest: &str) -> usize {
    const OPERATORS: [&str; 11] = [
        "<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->", "<", ">",
    ];
    let begun = before.strip_suffix("operator").is_some_and(|before| {
        !before.ends_with(|last: char| last.is_alphanumeric() || last == '_')
    });
    match begun {
        true => OPERATORS
            .iter()
            .find(|one| rest.starts_with(**one))
            .map_or(0, |one| one.len()),
        // An arrow in a type is no bracket.
        false if rest.starts_with("->") => 2,
        false => 0,
    }
}

/// A template with its arguments, without those that it has anyway.
fn template(before: String, mut arguments: Vec<String>) -> String {
    let is_other = |letter: char| !(letter.is_alphanumeric() || letter == '_' || letter == ':');
    let name = before.rsplit(is_other).next().unwrap_or_default();
    let name_begins = before.len() - name.len();
    if name.starts_with("std::") {
        while let [first, .., last] = arguments.as_slice()
            && is_default(first, last)
        {
            arguments.pop();
        }
        if let ([of], Some(kind)) = (arguments.as_slice(), name.strip_prefix("std::basic_")) {
            let wide = match of.as_str() {
                "char" => Some(""),
                "wchar_t" => Some("w"),
                _ => None,
            };
            if let Some(wide) = wide {
                return format!("{}std::{wide}{kind}", &before[..name_begins]);
            }
        }
    }
    // Nobody writes the arguments of an operator.
    match before.ends_with(['<', '>', '=', '-']) {
        true => before,
        false => format!("{before}<{}>", arguments.join(", ")),
    }
}

/// Is the last argument of a template what it is where it is left out?
fn is_default(first: &str, last: &str) -> bool {
    let Some(default) = DEFAULTS.iter().find(|one| last.starts_with(**one)) else {
        return false;
    };
    let of = last[default.len()..].trim_end_matches('>').trim_end();
    let first_bare = first.trim_end_matches('>').trim_end();
    // An allocator is that of whatever the container has in it.
    *default == "std::allocator<" || of == first_bare
}

/// Functions without names: compilers name them after themselves.
fn with_plain_lambdas(name: &str) -> String {
    const CALL: &str = "::operator()";
    let mut out = String::new();
    let mut rest = name;
    while let Some(at) = rest.find(CALL) {
        let (before, after) = (&rest[..at], &rest[at + CALL.len()..]);
        let begins = before.rfind("::").map_or(0, |at| at + 2);
        let of_clang = before[begins..].strip_prefix("$_");
        let of_clang =
            of_clang.is_some_and(|number| number.chars().all(|letter| letter.is_ascii_digit()));
        let of_gnu = before.rfind("{lambda(").filter(|_| before.ends_with('}'));
        let begins = match (of_clang, of_gnu) {
            (true, _) => begins,
            (_, Some(at)) => at,
            _ => {
                out.push_str(&rest[..at + CALL.len()]);
                rest = after;
                continue;
            }
        };
        out.push_str(&before[..begins]);
        out.push_str("{lambda}");
        // What its parameters are in this call.
        rest = match after.starts_with('<') {
            true => &after[closing(after)..],
            false => after,
        };
    }
    out.push_str(rest);
    out
}

/// Behind the bracket that closes the first one of a text.
fn closing(text: &str) -> usize {
    let mut depth = 0;
    for (at, letter) in text.char_indices() {
        match letter {
            '<' => depth += 1,
            '>' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    text.len()
}

/// Leaves out the arguments of templates; `operator<` and its like have none.
fn without_arguments(name: &str) -> String {
    let mut out = String::new();
    let mut depth = 0;
    for (index, letter) in name.char_indices() {
        let operator = || {
            let before = name[..index].trim_end_matches(['<', '>', '-', '=']);
            depth == 0 && before.ends_with("operator")
        };
        match letter {
            '<' if !operator() => depth += 1,
            '>' if !operator() && depth > 0 => depth -= 1,
            letter if depth == 0 => out.push(letter),
            _ => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{readable, shortened};
    use proptest::prelude::*;

    #[test]
    fn names_are_those_of_the_source() {
        for (name, expected) in [
            ("strtod", "strtod"),
            ("main", "main"),
            ("insert/2", "insert/2"),
            ("_Z5parsePKc", "parse"),
            ("_ZN4bank7Account8withdrawEi", "bank::Account::withdraw"),
            ("_ZNK4bank7Account7balanceEv", "bank::Account::balance"),
            ("_ZNSi3getEv", "std::istream::get"),
            ("_ZNSirsERi", "std::istream::operator>>"),
            ("_Znwm", "operator new"),
            ("_Znot a name", "_Znot a name"),
            ("get(int, char)", "get"),
            (
                "bank::Account::withdraw(int) const",
                "bank::Account::withdraw",
            ),
            ("(anonymous namespace)::f(int)", "(anonymous namespace)::f"),
            ("functor::operator()(int)", "functor::operator()"),
            ("Busy (on Go)", "Busy (on Go)"),
            ("", ""),
        ] {
            assert_eq!(readable(name), expected);
        }
    }

    #[test]
    fn long_arguments_of_templates_are_left_out() {
        let name = "_ZNKSt3mapINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEiSt4lessIS5_ESaISt4pairIKS5_iEEE2atERS9_";
        assert_eq!(readable(name), "std::map<std::string, int>::at");
        let long = "very::long_name<of::something, with::many, more::arguments, than::fit>::call";
        assert_eq!(readable(long), "very::long_name::call");
    }

    #[test]
    fn what_templates_have_anyway_is_left_out() {
        for (name, expected) in [
            (
                "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >",
                "std::string",
            ),
            (
                "std::__1::basic_string<wchar_t, std::__1::char_traits<wchar_t>>",
                "std::wstring",
            ),
            (
                "std::vector<std::vector<int, std::allocator<int> >, std::allocator<std::vector<int, std::allocator<int> > > >",
                "std::vector<std::vector<int>>",
            ),
            (
                "std::unordered_map<int, char, std::hash<int>, std::equal_to<int>, std::allocator<std::pair<int const, char> > >",
                "std::unordered_map<int, char>",
            ),
            (
                "std::map<int, char, std::greater<int>, std::allocator<std::pair<int const, char> > >",
                "std::map<int, char, std::greater<int>>",
            ),
            (
                "std::unique_ptr<bank::Account, std::default_delete<bank::Account> >",
                "std::unique_ptr<bank::Account>",
            ),
            (
                "own::vector<int, std::allocator<int> >",
                "own::vector<int, std::allocator<int>>",
            ),
            ("std::allocator<int>", "std::allocator<int>"),
            (
                "std::function<int (char, std::vector<int, std::allocator<int> >)>",
                "std::function<int (char, std::vector<int>)>",
            ),
            (
                "std::operator<< <std::char_traits<char> >",
                "std::operator<<",
            ),
            ("a<b", "a<b"),
            ("a>b", "a>b"),
            ("a)b", "a)b"),
        ] {
            assert_eq!(shortened(name), expected);
        }
    }

    #[test]
    fn functions_without_names_are_called_so() {
        for (name, expected) in [
            ("main::$_0::operator()<int> const", "main::{lambda}"),
            ("main::$_1::operator() const", "main::{lambda}"),
            (
                "f()::{lambda(int)#1}::operator()(int) const",
                "f()::{lambda}",
            ),
            ("bank::$account::operator()", "bank::$account::operator()"),
        ] {
            assert_eq!(readable(name), expected);
        }
    }

    proptest! {
        #![proptest_config(crate::samples::steady(512))]

        /// Names are whatever stands in a program: none is too odd.
        #[test]
        fn any_text_is_a_name(name in "[a-z:<>(), $_{}#-]{0,40}", other in any::<String>()) {
            for name in [name, other] {
                shortened(&name);
                readable(&name);
            }
        }
    }
}
