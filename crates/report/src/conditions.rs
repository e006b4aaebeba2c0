//! The text of a condition, from the place where the compiler says that a choice is made.
//!
//! The compilers of C name a comparison by its operator, and a part of `a && b` by the sign beside it. So the text is
//! looked for around the place, up to whatever ends an expression in most languages; where there is nothing of the kind,
//! nothing is said.

/// Lines that a condition may go on for.
const LINES: usize = 4;
/// Letters of a condition that are shown.
const WIDTH: usize = 60;

/// The condition at a line and a column, both counted from 1. `second` says that another choice of the same place comes
/// before: behind `&&` and `||`.
pub(crate) fn condition(source: &str, line: u32, column: u32, second: bool) -> Option<String> {
    let mut lines = source.lines().skip((line as usize).checked_sub(1)?);
    let first = lines.next()?;
    let at = (column as usize).checked_sub(1)?;
    first.get(at..).filter(|rest| !rest.trim().is_empty())?;
    let mut text = first.to_string();
    for more in lines.take(LINES - 1) {
        text.push('\n');
        text.push_str(more);
    }
    let (from, to) = match text.get(at..)? {
        rest if rest.starts_with("&&") || rest.starts_with("||") => match second {
            true => (at + 2, end(&text, at + 2)?),
            false => (begin(&text, at), at),
        },
        rest if is_word(rest, "for") => {
            // Between the first two semicolons.
            let open = at + rest.find('(')? + 1;
            let first = open + text[open..].find(';')?;
            let count = |sign| text[open..first].matches(sign).count();
            (count('(') == count(')')).then_some(())?;
            let last = end(&text, first + 1)?;
            text[last..].starts_with(';').then_some((first + 1, last))?
        }
        rest if ["switch", "if", "while"]
            .iter()
            .any(|word| is_word(rest, word)) =>
        {
            let open = at + rest.find('(')? + 1;
            (open, end(&text, open)?)
        }
        _ => (begin(&text, at), end(&text, at)?),
    };
    let words: Vec<&str> = text.get(from..to)?.split_whitespace().collect();
    let words = words.join(" ");
    match words.chars().count() {
        0 => None,
        count if count > WIDTH => {
            let cut: String = words.chars().take(WIDTH).collect();
            Some(format!("{cut} ..."))
        }
        _ => Some(words),
    }
}

fn is_word(text: &str, word: &str) -> bool {
    let rest = text.strip_prefix(word);
    rest.is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_'))
}

/// Does an expression end at this sign, where nothing is open?
fn ends(text: &str) -> bool {
    let assignment = text.starts_with('=') && !text.starts_with("==");
    let signs = [";", "&&", "||", "?", ",", "{", "}"];
    assignment || signs.iter().any(|sign| text.starts_with(sign))
}

/// Where the expression ends that is at work at this place.
fn end(text: &str, at: usize) -> Option<usize> {
    let mut depth = 0;
    let mut quoted = None;
    let mut escaped = false;
    for (index, letter) in text[at..].char_indices() {
        let here = at + index;
        if let Some(quote) = quoted {
            match letter {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                letter if letter == quote => quoted = None,
                _ => {}
            }
            continue;
        }
        match letter {
            '"' | '\'' => quoted = Some(letter),
            '(' | '[' => depth += 1,
            ')' | ']' if depth == 0 => return Some(here),
            ')' | ']' => depth -= 1,
            // The sign of a comparison: `<=`, `!=` and the like are none of an assignment.
            '=' if text[..here].ends_with(['<', '>', '!', '=']) => {}
            _ if depth == 0 && ends(&text[here..]) => return Some(here),
            _ => {}
        }
    }
    // It goes on for longer than was looked at.
    (depth == 0 && quoted.is_none()).then_some(text.len())
}

/// Where it begins, on the line of the place.
fn begin(text: &str, at: usize) -> usize {
    let mut quoted = None;
    let mut from = 0;
    // From the left, since quotes can be told from there only.
    let mut begins = vec![0];
    let mut escaped = false;
    for (index, letter) in text[..at].char_indices() {
        let next = index + letter.len_utf8();
        if let Some(quote) = quoted {
            match letter {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                letter if letter == quote => quoted = None,
                _ => {}
            }
            continue;
        }
        match letter {
            '"' | '\'' => quoted = Some(letter),
            '(' | '[' => {
                begins.push(next);
            }
            ')' | ']' if begins.len() > 1 => {
                begins.pop();
            }
            '&' | '|'
                if text[index..].starts_with(['&', '|']) && text[..index].ends_with(letter) =>
            {
                from = next;
            }
            ';' | '?' | ',' | '{' | '}' => from = next,
            '=' if !text[next..].starts_with('=')
                && !text[..index].ends_with(['<', '>', '!', '=']) =>
            {
                from = next;
            }
            _ => {}
        }
        if from == next
            && let Some(last) = begins.last_mut()
        {
            *last = next;
        }
    }
    let begin = begins.last().copied().unwrap_or(0);
    let rest = text[begin..].trim_start();
    let begin = text.len() - rest.len();
    // `return a > b`
    match is_word(rest, "return") {
        true => begin + "return".len(),
        false => begin,
    }
}

#[cfg(test)]
mod tests {
    use super::condition;
    use proptest::prelude::*;

    /// The condition at the first `^` of a second line.
    fn of(line: &str, marked: &str, second: bool) -> Option<String> {
        let column = marked.find('^').unwrap() as u32 + 1;
        condition(line, 1, column, second)
    }

    #[test]
    fn conditions_are_found_around_their_operators() {
        for (line, marked, second, expected) in [
            (
                "    if (length > 64)",
                "               ^",
                false,
                "length > 64",
            ),
            (
                "    if (f(a, b) == g(c)) {",
                "                ^",
                false,
                "f(a, b) == g(c)",
            ),
            ("    while (*p)", "           ^", false, "*p"),
            ("    if (a && b > 3)", "          ^", false, "a"),
            ("    if (a && b > 3)", "          ^", true, "b > 3"),
            (
                "    if (a && (b || c) && d)",
                "                      ^",
                false,
                "(b || c)",
            ),
            (
                "    for (i = 0; i < n; i++)",
                "                  ^",
                false,
                "i < n",
            ),
            (
                "    for (int i = 0; i < n; i++) f();",
                "    ^",
                false,
                "i < n",
            ),
            ("    switch (line[0]) {", "    ^", false, "line[0]"),
            (
                "    if (c == ')' || c == '\"')",
                "          ^",
                false,
                "c == ')'",
            ),
            (
                "    return a > b ? 1 : 2;",
                "             ^",
                false,
                "a > b",
            ),
            ("    x = a >= b;", "          ^", false, "a >= b"),
            (
                "    if (a == \"&&\" && b)",
                "                  ^",
                false,
                "a == \"&&\"",
            ),
            ("  f(x, y < 3)", "           ^", false, "y < 3"),
        ] {
            assert_eq!(
                of(line, marked, second).as_deref(),
                Some(expected),
                "{line}"
            );
        }
        let lines = "    if (a >\n        b)\n        c();";
        assert_eq!(condition(lines, 1, 11, false).as_deref(), Some("a > b"));
    }

    #[test]
    fn what_is_no_condition_is_none() {
        for (line, column) in [
            ("", 1),
            ("x", 5),
            ("   ", 2),
            ("if (a", 0),
            ("for (a : b)", 1),
        ] {
            assert_eq!(condition(line, 1, column, false), None, "{line}");
        }
        assert_eq!(condition("a", 2, 1, false), None);
    }

    proptest! {
        #![proptest_config(crate::samples::steady(512))]

        #[test]
        fn any_text_is_read(text in any::<String>(), more in "[a-z(){};&|='\"\\\\ ]{0,40}", column in 0u32..40, second in any::<bool>()) {
            condition(&text, 1, column, second);
            condition(&more, 1, column, second);
        }
    }
}
