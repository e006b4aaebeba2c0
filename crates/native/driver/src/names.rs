//! Names on which those who write a program and those who run it agree.
//!
//! A case keeps the first input called `x` under the key `x`, the next of that name under `x.1`. The key
//! is also the name of the file that holds the input when the case is on disk, so bytes that a file name
//! cannot hold are written `%xx`; a dot of the name itself too, which keeps `x.1` unambiguous.
//! `support/plain.c` does the same.

use elsewise_wire as wire;

/// What debug information calls the file of every harness: its own path is that of a temporary
/// folder, and places in it mean nothing to anybody.
pub const HARNESS: &str = "/elsewise/harness.c";

/// Function of a harness whose lines are said to be those of the invariants that it checks.
pub const CHECK: &str = "elw_check";

/// Key of the input `name`, the how-manieth of that name `occurrence` says.
pub fn key(name: &[u8], occurrence: u32) -> String {
    let mut out = String::new();
    for byte in name {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-') {
            out.push(char::from(*byte));
        } else {
            out.push_str(&format!("%{byte:02x}"));
        }
    }
    if out.is_empty() {
        out.push('%');
    }
    if occurrence > 0 {
        out.push_str(&format!(".{occurrence}"));
    }
    out
}

/// Name and occurrence behind a key; `None` for a key that no input has.
pub fn parse_key(key: &str) -> Option<(Vec<u8>, u32)> {
    let (escaped, occurrence) = match key.split_once('.') {
        Some((escaped, digits)) => (escaped, digits.parse().ok().filter(|n| *n > 0)?),
        None => (key, 0),
    };
    if escaped == "%" {
        return Some((Vec::new(), occurrence));
    }
    let mut name = Vec::new();
    let mut rest = escaped.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        if *first == b'%' {
            let digits = std::str::from_utf8(after.get(..2)?).ok()?;
            name.push(u8::from_str_radix(digits, 16).ok()?);
            rest = &after[2..];
        } else {
            name.push(*first);
            rest = after;
        }
    }
    (name.len() < wire::NAME_BYTES && !name.is_empty()).then_some((name, occurrence))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_file_names_and_lead_back() {
        for (name, occurrence, expected) in [
            (&b"x"[..], 0, "x"),
            (b"x", 1, "x.1"),
            (b"x.1", 0, "x%2e1"),
            (b"../etc", 2, "%2e%2e%2fetc.2"),
            (b"stdin", 1, "stdin.1"),
            (b"", 3, "%.3"),
            (b"\xff a", 0, "%ff%20a"),
        ] {
            assert_eq!(key(name, occurrence), expected);
            assert_eq!(parse_key(expected), Some((name.to_vec(), occurrence)));
        }
        assert_eq!(parse_key("x.0"), None);
        assert_eq!(parse_key("x.y"), None);
        assert_eq!(parse_key("%f"), None);
        assert_eq!(parse_key("%zz"), None);
    }
}
