//! Values as people write them, in Erlang and in Elixir.

use crate::types::is_made_fun;
use crate::value::Value;
use std::fmt::Write;

/// In Erlang's syntax.
pub fn erlang(value: &Value) -> String {
    let mut out = String::new();
    write_erlang(&mut out, value);
    out
}

/// In Elixir's syntax.
pub fn elixir(value: &Value) -> String {
    let mut out = String::new();
    write_elixir(&mut out, value);
    out
}

const RESERVED: [&str; 27] = [
    "after", "and", "andalso", "band", "begin", "bnot", "bor", "bsl", "bsr", "bxor", "case",
    "catch", "cond", "div", "end", "fun", "if", "let", "maybe", "not", "of", "or", "orelse",
    "receive", "rem", "try", "when",
];

pub fn erlang_atom(name: &str) -> String {
    let plain = name.starts_with(|first: char| first.is_ascii_lowercase())
        && name
            .chars()
            .all(|char| char.is_ascii_alphanumeric() || char == '_' || char == '@')
        && !RESERVED.contains(&name)
        && name != "xor";
    if plain {
        return name.to_string();
    }
    let mut out = String::from("'");
    for char in name.chars() {
        match char {
            '\'' | '\\' => {
                out.push('\\');
                out.push(char);
            }
            '\n' => out.push_str("\\n"),
            char if (char as u32) < 32 || char as u32 == 127 => {
                let _ = write!(out, "\\x{{{:x}}}", char as u32);
            }
            char => out.push(char),
        }
    }
    out.push('\'');
    out
}

pub fn elixir_atom(name: &str) -> String {
    match name {
        "true" | "false" | "nil" => return name.to_string(),
        _ => {}
    }
    if let Some(module) = name.strip_prefix("Elixir.")
        && !module.is_empty()
    {
        return module.to_string();
    }
    let plain = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name
            .trim_end_matches(['?', '!'])
            .chars()
            .all(|char| char.is_ascii_alphanumeric() || char == '_' || char == '@');
    match plain {
        true => format!(":{name}"),
        false => format!(":{}", quoted(name, '"')),
    }
}

fn quoted(text: &str, mark: char) -> String {
    let mut out = String::new();
    out.push(mark);
    for char in text.chars() {
        match char {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            char if char == mark => {
                out.push('\\');
                out.push(char);
            }
            '#' if mark == '"' => out.push('#'),
            char => out.push(char),
        }
    }
    out.push(mark);
    out
}

/// A list of printable characters, as it would be written between quotes.
fn string_of(value: &Value) -> Option<String> {
    let elements = value.elements().filter(|elements| !elements.is_empty())?;
    elements
        .iter()
        .map(|element| match element {
            Value::Int(code @ (9 | 10 | 13 | 32..=126)) => char::from_u32(*code as u32),
            _ => None,
        })
        .collect()
}

fn float(value: f64) -> String {
    let text = format!("{value:?}");
    match text.split_once('e') {
        // Erlang wants a point before the exponent.
        Some((mantissa, exponent)) if !mantissa.contains('.') => format!("{mantissa}.0e{exponent}"),
        _ => text,
    }
}

fn binary(out: &mut String, value: &Value, strings: bool) {
    let Value::Binary(binary) = value else { return };
    let (bytes, len) = binary.packed();
    let printable = |byte: &u8| matches!(byte, 32..=126) && !matches!(byte, b'"' | b'\\');
    if strings && len % 8 == 0 && !bytes.is_empty() && bytes.iter().all(printable) {
        let _ = write!(out, "<<\"{}\">>", String::from_utf8_lossy(&bytes));
        return;
    }
    out.push_str("<<");
    for (index, byte) in bytes.iter().enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        let rest = len - index * 8;
        match rest < 8 {
            true => {
                let _ = write!(out, "{}:{rest}", byte >> (8 - rest));
            }
            false => {
                let _ = write!(out, "{byte}");
            }
        }
    }
    out.push_str(">>");
}

fn parts<'a>(
    out: &mut String,
    all: impl IntoIterator<Item = &'a Value>,
    write: fn(&mut String, &Value),
) {
    for (index, one) in all.into_iter().enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        write(out, one);
    }
}

fn list(out: &mut String, value: &Value, write: fn(&mut String, &Value)) {
    out.push('[');
    let mut rest = value;
    let mut first = true;
    while let Value::Cons(pair) = rest {
        if !first {
            out.push_str(", ");
        }
        first = false;
        write(out, &pair.head);
        rest = &pair.tail;
    }
    if !matches!(rest, Value::Nil) {
        out.push_str(" | ");
        write(out, rest);
    }
    out.push(']');
}

/// A fun of the inputs: what it gives, one after the other for arguments that it has not seen.
fn fun_results(value: &Value) -> Option<(usize, Vec<Value>)> {
    let parts = value.as_tuple().filter(|_| is_made_fun(value))?;
    Some((parts[2].as_usize()?, parts[3].elements()?))
}

fn write_erlang(out: &mut String, value: &Value) {
    match value {
        Value::Atom(name) => out.push_str(&erlang_atom(name)),
        Value::Int(value) => {
            let _ = write!(out, "{value}");
        }
        Value::Big(value) => {
            let _ = write!(out, "{value}");
        }
        Value::Float(value) => out.push_str(&float(*value)),
        Value::Nil => out.push_str("[]"),
        Value::Cons(_) => match string_of(value) {
            Some(text) => out.push_str(&quoted(&text, '"')),
            None => list(out, value, write_erlang),
        },
        Value::Tuple(tuple) => match fun_results(value) {
            Some((arity, results)) => {
                let _ = write!(out, "fun({})", vec!["_"; arity].join(", "));
                out.push_str(" -> ");
                match results.first() {
                    Some(first) => write_erlang(out, first),
                    None => out.push_str("ok"),
                }
                if results.len() > 1 {
                    out.push_str(" %, then ");
                    parts(out, &results[1..], write_erlang);
                    out.push('\n');
                }
                out.push_str(" end");
            }
            None => {
                out.push('{');
                parts(out, &tuple.elements, write_erlang);
                out.push('}');
            }
        },
        Value::Map(map) => {
            out.push_str("#{");
            let entries = map.entries.iter();
            let entries = entries.filter_map(|(key, entry)| Some((key, entry.as_ref()?)));
            for (index, (key, entry)) in entries.enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                write_erlang(out, &key.0);
                out.push_str(" => ");
                write_erlang(out, entry);
            }
            out.push('}');
        }
        Value::Binary(_) => binary(out, value, true),
        Value::Closure(_) => out.push_str("#Fun"),
        Value::Foreign(term) => match &**term {
            eetf::Term::Pid(pid) => {
                let _ = write!(out, "<0.{}.{}>", pid.id, pid.serial);
            }
            eetf::Term::ExternalFun(fun) => {
                let _ = write!(
                    out,
                    "fun {}:{}/{}",
                    erlang_atom(&fun.module.name),
                    erlang_atom(&fun.function.name),
                    fun.arity
                );
            }
            eetf::Term::InternalFun(_) => out.push_str("#Fun"),
            eetf::Term::Port(_) => out.push_str("#Port"),
            _ => out.push_str("#Ref"),
        },
        Value::Symbol(_) => out.push('_'),
    }
}

fn write_elixir(out: &mut String, value: &Value) {
    match value {
        Value::Atom(name) => out.push_str(&elixir_atom(name)),
        Value::Cons(_) => match string_of(value) {
            Some(text) => out.push_str(&quoted(&text, '\'')),
            None => list(out, value, write_elixir),
        },
        Value::Tuple(tuple) => match fun_results(value) {
            Some((arity, results)) => {
                let _ = write!(out, "fn {}", vec!["_"; arity].join(", "));
                out.push_str(" -> ");
                match results.first() {
                    Some(first) => write_elixir(out, first),
                    None => out.push_str(":ok"),
                }
                out.push_str(" end");
            }
            None => {
                out.push('{');
                parts(out, &tuple.elements, write_elixir);
                out.push('}');
            }
        },
        Value::Map(map) => {
            let entries: Vec<_> = map
                .entries
                .iter()
                .filter_map(|(key, entry)| Some((&key.0, entry.as_ref()?)))
                .collect();
            let name = entries.iter().find_map(|(key, entry)| {
                let name = entry.as_atom().filter(|_| key.is_atom("__struct__"))?;
                name.strip_prefix("Elixir.")
            });
            out.push('%');
            out.push_str(name.unwrap_or(""));
            out.push('{');
            let shown = entries
                .iter()
                .filter(|(key, _)| name.is_none() || !key.is_atom("__struct__"));
            for (index, (key, entry)) in shown.enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                match key.as_atom().map(elixir_atom) {
                    Some(atom) if atom.starts_with(':') && !atom.starts_with(":\"") => {
                        let _ = write!(out, "{}: ", &atom[1..]);
                    }
                    _ => {
                        write_elixir(out, key);
                        out.push_str(" => ");
                    }
                }
                write_elixir(out, entry);
            }
            out.push('}');
        }
        Value::Binary(binary_value) => {
            let (bytes, len) = binary_value.packed();
            match String::from_utf8(bytes) {
                Ok(text) if len % 8 == 0 && text.chars().all(|char| !char.is_control()) => {
                    // `#{` would be read as an expression.
                    out.push_str(&quoted(&text, '"').replace("#{", "\\#{"));
                }
                _ => {
                    let mut erlang = String::new();
                    binary(&mut erlang, value, false);
                    // `1:3` is `1::3` there.
                    out.push_str(&erlang.replace(':', "::"));
                }
            }
        }
        other => write_erlang(out, other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{Key, Map};
    use std::sync::Arc;

    #[test]
    fn values_are_written_as_people_write_them() {
        let map = Value::Map(Arc::new(Map {
            base: None,
            entries: [(Key(Value::atom("a b")), Some(Value::Float(1e22)))].into(),
        }));
        let value = Value::tuple(vec![
            Value::list(vec![Value::Int(72), Value::Int(105)]),
            Value::cons(Value::Int(1), Value::atom("Elixir.Tail")),
            Value::bytes(b"GET "),
            Value::bytes(&[200, 1]),
            map,
        ]);
        assert_eq!(
            erlang(&value),
            "{\"Hi\", [1 | 'Elixir.Tail'], <<\"GET \">>, <<200, 1>>, #{'a b' => 1.0e22}}"
        );
        assert_eq!(
            elixir(&value),
            "{'Hi', [1 | Tail], \"GET \", <<200, 1>>, %{:\"a b\" => 1.0e22}}"
        );
    }
}
