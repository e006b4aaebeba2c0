//! Terms as text: written as Prolog's people do, and read in the plain form that the server writes
//! (no operators).

use crate::term::{CONS, NIL, Term};
use num_bigint::BigInt;
use std::collections::HashMap;
use std::fmt::Write;
use std::sync::Arc;

/// Infix operators that are written between their arguments, with priorities as SWI has them.
const INFIX: [(&str, u32, u32, u32); 32] = [
    (":-", 1200, 1199, 1199),
    ("-->", 1200, 1199, 1199),
    (";", 1100, 1099, 1100),
    ("|", 1100, 1099, 1100),
    ("->", 1050, 1049, 1050),
    ("*->", 1050, 1049, 1050),
    (",", 1000, 999, 1000),
    (":=", 990, 989, 989),
    ("=", 700, 699, 699),
    ("\\=", 700, 699, 699),
    ("==", 700, 699, 699),
    ("\\==", 700, 699, 699),
    ("@<", 700, 699, 699),
    ("@>", 700, 699, 699),
    ("is", 700, 699, 699),
    ("=:=", 700, 699, 699),
    ("=\\=", 700, 699, 699),
    ("<", 700, 699, 699),
    (">", 700, 699, 699),
    ("=<", 700, 699, 699),
    (">=", 700, 699, 699),
    ("=..", 700, 699, 699),
    (":", 200, 199, 200),
    ("+", 500, 500, 499),
    ("-", 500, 500, 499),
    ("*", 400, 400, 399),
    ("/", 400, 400, 399),
    ("//", 400, 400, 399),
    ("mod", 400, 400, 399),
    ("rem", 400, 400, 399),
    ("**", 200, 199, 199),
    ("^", 200, 199, 200),
];

/// What atoms of symbols are made of.
const SYMBOLS: &str = "+-*/\\^<>=~:.?@#&$";

/// A term as one would write it.
pub fn show(term: &Term) -> String {
    let mut text = String::new();
    write(&mut text, term, 999, true);
    text
}

/// A term without operators: what [`parse`] and the server read.
pub fn plain(term: &Term) -> String {
    let mut text = String::new();
    write(&mut text, term, 999, false);
    text
}

fn write(out: &mut String, term: &Term, most: u32, operators: bool) {
    match term {
        Term::Var(number) => {
            let _ = match number {
                0..26 if operators => {
                    write!(out, "{}", char::from(b'A' + *number as u8))
                }
                _ => write!(out, "_{number}"),
            };
        }
        Term::Atom(name) => out.push_str(&atom(name)),
        Term::Int(value) => {
            let _ = write!(out, "{value}");
        }
        Term::Float(value) => out.push_str(&float(*value)),
        Term::Text(text) => quoted(out, text, '"'),
        Term::Blob(text) => {
            out.push_str("'$blob'(");
            out.push_str(&atom(text));
            out.push(')');
        }
        Term::Input(node) => {
            let _ = write!(out, "'$input'({})", node.0);
        }
        Term::Number(_) => out.push_str("'$number'"),
        Term::Compound(compound) => compound_text(out, &compound.name, term, most, operators),
    }
}

fn compound_text(out: &mut String, name: &str, term: &Term, most: u32, operators: bool) {
    let Some((_, args)) = term.parts() else {
        return;
    };
    match (name, args) {
        (CONS, [_, _]) => list(out, term, operators),
        ("{}", [inner]) if operators => {
            out.push('{');
            write(out, inner, 1200, operators);
            out.push('}');
        }
        (_, [left, right]) if operators => {
            match INFIX.iter().find(|(symbol, ..)| *symbol == name) {
                Some((_, priority, before, after)) => {
                    if *priority > most {
                        out.push('(');
                    }
                    operand(out, left, *before);
                    match name {
                        "," => out.push(','),
                        ":" | "/" | "^" => out.push_str(name),
                        _ if name.chars().all(char::is_alphabetic) || *priority >= 700 => {
                            let _ = write!(out, " {name} ");
                        }
                        _ => out.push_str(name),
                    }
                    let at = out.len();
                    operand(out, right, *after);
                    // `a- -1`, `a= \b`: what is written next to a symbol must not join it.
                    let next = out[at..].chars().next();
                    if next.is_some_and(|first| SYMBOLS.contains(first))
                        && out[..at].ends_with(|last: char| SYMBOLS.contains(last))
                    {
                        out.insert(at, ' ');
                    }
                    if *priority > most {
                        out.push(')');
                    }
                }
                None => functional(out, name, args, operators),
            }
        }
        _ => functional(out, name, args, operators),
    }
}

/// An operator that is an atom stands in parentheses beside another: `(=)-1`.
fn operand(out: &mut String, term: &Term, most: u32) {
    const PREFIX: [&str; 4] = ["\\", "\\+", "?", "$"];
    let infix = |name: &str| INFIX.iter().any(|(symbol, ..)| *symbol == name);
    match term {
        Term::Atom(name) if infix(name) || PREFIX.contains(&&**name) => {
            let _ = write!(out, "({name})");
        }
        term => write(out, term, most, true),
    }
}

fn functional(out: &mut String, name: &str, args: &[Term], operators: bool) {
    out.push_str(&atom(name));
    out.push('(');
    for (index, arg) in args.iter().enumerate() {
        if index > 0 {
            out.push_str(if operators { ", " } else { "," });
        }
        write(out, arg, 999, operators);
    }
    out.push(')');
}

fn list(out: &mut String, term: &Term, operators: bool) {
    out.push('[');
    let mut rest = term;
    let mut first = true;
    while let Some([head, tail]) = rest.args_of(CONS) {
        if !first {
            out.push_str(if operators { ", " } else { "," });
        }
        first = false;
        write(out, head, 999, operators);
        rest = tail;
    }
    if !rest.is_atom(NIL) {
        out.push('|');
        write(out, rest, 999, operators);
    }
    out.push(']');
}

fn float(value: f64) -> String {
    if value.is_nan() {
        return "nan".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.into();
    }
    let mut text = format!("{value:?}");
    if !text.contains('.') {
        text = match text.split_once('e') {
            Some((digits, exponent)) => format!("{digits}.0e{exponent}"),
            None => format!("{text}.0"),
        };
    }
    text
}

/// An atom, in quotes where it needs them.
pub fn atom(name: &str) -> String {
    let mut chars = name.chars();
    let plain = match chars.next() {
        None => false,
        Some(first) if first.is_lowercase() => chars.all(|c| c.is_alphanumeric() || c == '_'),
        Some(_) if matches!(name, "[]" | "!" | ";" | "{}") => true,
        Some(first) if SYMBOLS.contains(first) => name != "." && chars.all(|c| SYMBOLS.contains(c)),
        Some(_) => false,
    };
    if plain {
        return name.into();
    }
    let mut out = String::new();
    quoted(&mut out, name, '\'');
    out
}

fn quoted(out: &mut String, text: &str, quote: char) {
    out.push(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c == quote => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() => {
                let _ = write!(out, "\\x{:x}\\", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push(quote);
}

/// Reads one term and what is left of the text behind it; variables are numbered as they come.
pub fn parse(text: &str) -> Option<Term> {
    let mut reader = Reader {
        rest: text,
        vars: HashMap::new(),
    };
    let term = reader.term()?;
    let rest = reader.rest.trim();
    (rest.is_empty() || rest == ".").then_some(term)
}

struct Reader<'a> {
    rest: &'a str,
    vars: HashMap<&'a str, u32>,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn take(&mut self, wanted: char) -> Option<()> {
        self.space();
        self.rest = self.rest.strip_prefix(wanted)?;
        Some(())
    }

    fn space(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn word(&mut self, part: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !part(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    fn term(&mut self) -> Option<Term> {
        self.space();
        let first = self.peek()?;
        if first.is_ascii_digit() {
            return self.number(false);
        }
        if first == '-'
            && self.rest[1..].starts_with(|c: char| c.is_ascii_digit() || "in".contains(c))
        {
            let before = self.rest;
            self.rest = &self.rest[1..];
            if let Some(number) = self.number(true) {
                return Some(number);
            }
            self.rest = before;
        }
        match first {
            '[' if !self.rest.starts_with("[]") => self.list(),
            '"' => Some(Term::Text(self.quoted('"')?.into())),
            '_' | 'A'..='Z' => {
                let name = self.word(|c| c.is_alphanumeric() || c == '_');
                let next = self.vars.len() as u32;
                Some(Term::Var(*self.vars.entry(name).or_insert(next)))
            }
            _ => {
                let name = self.name(first)?;
                if self.rest.starts_with('(') {
                    let args = self.args()?;
                    return Some(match (name.as_ref(), args.as_slice()) {
                        ("$blob", [Term::Atom(text)]) => Term::Blob(text.clone()),
                        _ => Term::compound(name, args),
                    });
                }
                Some(Term::Atom(name))
            }
        }
    }

    fn name(&mut self, first: char) -> Option<Arc<str>> {
        if first == '\'' {
            return Some(self.quoted('\'')?.into());
        }
        for special in ["[]", "{}", "!", ";", ","] {
            if let Some(rest) = self.rest.strip_prefix(special) {
                self.rest = rest;
                return Some(special.into());
            }
        }
        let word = match first.is_alphabetic() {
            true => self.word(|c| c.is_alphanumeric() || c == '_'),
            false => self.word(|c| SYMBOLS.contains(c)),
        };
        (!word.is_empty()).then(|| word.into())
    }

    fn args(&mut self) -> Option<Vec<Term>> {
        self.take('(')?;
        let mut args = Vec::new();
        loop {
            args.push(self.term()?);
            self.space();
            match self.peek()? {
                ',' => self.rest = &self.rest[1..],
                ')' => {
                    self.rest = &self.rest[1..];
                    return Some(args);
                }
                _ => return None,
            }
        }
    }

    fn list(&mut self) -> Option<Term> {
        self.take('[')?;
        let mut elements = Vec::new();
        loop {
            elements.push(self.term()?);
            self.space();
            let next = self.peek()?;
            self.rest = &self.rest[1..];
            match next {
                ',' => {}
                '|' => {
                    let tail = self.term()?;
                    self.take(']')?;
                    return Some(Term::list_ending(elements, tail));
                }
                ']' => return Some(Term::list(elements)),
                _ => return None,
            }
        }
    }

    fn number(&mut self, negative: bool) -> Option<Term> {
        let end = {
            let bytes = self.rest.as_bytes();
            let mut end = 0;
            while end < bytes.len() {
                let is_sign = matches!(bytes[end], b'+' | b'-')
                    && end > 0
                    && matches!(bytes[end - 1], b'e' | b'E');
                let is_point =
                    bytes[end] == b'.' && bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
                if !(bytes[end].is_ascii_alphanumeric() || is_sign || is_point) {
                    break;
                }
                end += 1;
            }
            end
        };
        let (digits, rest) = self.rest.split_at(end);
        let sign = if negative { -1 } else { 1 };
        let term = match digits {
            "inf" | "1.0Inf" => Term::Float(f64::INFINITY * f64::from(sign)),
            "nan" | "1.5NaN" => Term::Float(f64::NAN),
            _ if digits.contains(['.', 'e', 'E']) => {
                Term::Float(digits.parse::<f64>().ok()? * f64::from(sign))
            }
            _ => Term::Int(digits.parse::<BigInt>().ok()? * sign),
        };
        self.rest = rest;
        Some(term)
    }

    fn quoted(&mut self, quote: char) -> Option<String> {
        let mut text = String::new();
        let mut chars = self.rest.char_indices().skip(1).peekable();
        while let Some((at, c)) = chars.next() {
            match c {
                c if c == quote => {
                    if chars.peek().is_some_and(|(_, next)| *next == quote) {
                        chars.next();
                        text.push(quote);
                        continue;
                    }
                    self.rest = &self.rest[at + quote.len_utf8()..];
                    return Some(text);
                }
                '\\' => {
                    let (_, escaped) = chars.next()?;
                    match escaped {
                        'n' => text.push('\n'),
                        't' => text.push('\t'),
                        'r' => text.push('\r'),
                        'a' => text.push('\u{7}'),
                        'b' => text.push('\u{8}'),
                        'f' => text.push('\u{c}'),
                        'v' => text.push('\u{b}'),
                        '0' if chars
                            .peek()
                            .is_none_or(|(_, c)| !c.is_digit(8) && *c != '\\') =>
                        {
                            text.push('\0');
                        }
                        'e' => text.push('\u{1b}'),
                        's' => text.push(' '),
                        '\n' => {}
                        'x' | '0'..='7' => {
                            let radix = if escaped == 'x' { 16 } else { 8 };
                            let mut code = escaped.to_digit(8).unwrap_or(0);
                            while let Some((_, digit)) = chars.peek() {
                                let Some(digit) = digit.to_digit(radix) else {
                                    break;
                                };
                                code = code.checked_mul(radix)?.checked_add(digit)?;
                                chars.next();
                            }
                            if chars.peek().is_some_and(|(_, c)| *c == '\\') {
                                chars.next();
                            }
                            text.push(char::from_u32(code)?);
                        }
                        'u' | 'U' => {
                            let count = if escaped == 'u' { 4 } else { 8 };
                            let mut code = 0;
                            for _ in 0..count {
                                code = code * 16 + chars.next()?.1.to_digit(16)?;
                            }
                            text.push(char::from_u32(code)?);
                        }
                        other => text.push(other),
                    }
                }
                other => text.push(other),
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_plainly_is_read_back() {
        for text in [
            "f(a,_0,[1,2|_1],'B c',\"s\\\"t\",-3,1.5,[])",
            "'it\\'s\\n'",
            "-(1,-2)",
            "{}(a)",
            "'[]'",
            "123456789012345678901234567890",
            "','(a,;(b,!))",
            "[+|_0]",
        ] {
            let term = parse(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(parse(&plain(&term)), Some(term.clone()), "{text}");
        }
        assert_eq!(parse("'\\x41\\b'"), Some(Term::atom("Ab")));
        assert_eq!(parse("1.0e10."), Some(Term::Float(1e10)));
        assert_eq!(parse("f(a"), None);
    }

    #[test]
    fn operators_stand_between() {
        let shown = |text: &str| show(&parse(text).unwrap_or_else(|| panic!("{text}")));
        assert_eq!(shown("-(1,-1)"), "1- -1");
        assert_eq!(shown("*(+(1,2),3)"), "(1+2)*3");
        assert_eq!(shown("-(a,[b,c|_0])"), "a-[b, c|A]");
        assert_eq!(shown("f(','(a,b))"), "f((a,b))");
        assert_eq!(shown("is(_0,mod(_1,2))"), "A is B mod 2");
        assert_eq!(shown("-(=,-(+,a))"), "(=)-((+)-a)");
        assert_eq!(shown("[=,a]"), "[=, a]");
    }
}
