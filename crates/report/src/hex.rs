//! Bytes of an input as people read them.

use crate::{escape, numbers};
use std::fmt::Write;

/// Bytes shown on one line before the rest is only counted.
const SHORT: usize = 32;

/// Two digits for each byte.
pub fn digits(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// One line: hex, then the same bytes as text.
pub fn short(bytes: &[u8]) -> String {
    let shown = &bytes[..bytes.len().min(SHORT)];
    let mut out = String::new();
    for (index, byte) in shown.iter().enumerate() {
        // Groups of four: words of an input are seen at a glance.
        if index > 0 && index % 4 == 0 {
            out.push(' ');
        }
        let _ = write!(out, "{byte:02x}");
    }
    match bytes.len() - shown.len() {
        0 if bytes.is_empty() => out.push_str("(empty)"),
        0 => {
            let _ = write!(out, "  {}", escape::bytes(shown));
        }
        rest => {
            let zero = bytes[SHORT..].iter().all(|byte| *byte == 0);
            let rest = numbers::count(rest as u64);
            let what = if zero { "zero bytes" } else { "more" };
            let _ = write!(out, " and {rest} {what}  {} ...", escape::bytes(shown));
        }
    }
    out
}

/// Lines of 16 bytes with their offset; at most `limit` bytes, the rest is only counted. Lines
/// like the one before them are one `*`, as in other dumps.
pub fn dump(bytes: &[u8], limit: usize) -> String {
    let shown = &bytes[..bytes.len().min(limit)];
    let mut out = String::new();
    let mut before = None;
    let mut repeated = false;
    let last = shown.len().div_ceil(16).saturating_sub(1);
    for (row, chunk) in shown.chunks(16).enumerate() {
        if before.replace(chunk) == Some(chunk) && row != last {
            if !repeated {
                out.push_str("*\n");
            }
            repeated = true;
            continue;
        }
        repeated = false;
        let _ = write!(out, "{:08x} ", row * 16);
        for index in 0..16 {
            if index == 8 {
                out.push(' ');
            }
            match chunk.get(index) {
                Some(byte) => {
                    let _ = write!(out, " {byte:02x}");
                }
                None => out.push_str("   "),
            }
        }
        out.push_str("  |");
        for byte in chunk {
            out.push(match byte {
                b' '..=b'~' => *byte as char,
                _ => '.',
            });
        }
        out.push_str("|\n");
    }
    if bytes.len() > shown.len() {
        let _ = writeln!(out, "... {} more bytes", bytes.len() - shown.len());
    }
    if bytes.is_empty() {
        out.push_str("(empty)\n");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_form() {
        insta::assert_snapshot!(short(b"GO\x1b[\0\xff"), @r#"474f1b5b 00ff  "GO\x1b[\0\xff""#);
        insta::assert_snapshot!(short(b""), @"(empty)");
        insta::assert_snapshot!(short(&[0; 36]), @r#"00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 and 4 zero bytes  "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0" ..."#);
        insta::assert_snapshot!(short(&[b'a'; 40]), @r#"61616161 61616161 61616161 61616161 61616161 61616161 61616161 61616161 and 8 more  "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" ..."#);
    }

    #[test]
    fn dump_form() {
        insta::assert_snapshot!(dump(b"0123456789abcdef\x1b!", 64), @r"
        00000000  30 31 32 33 34 35 36 37  38 39 61 62 63 64 65 66  |0123456789abcdef|
        00000010  1b 21                                             |.!|
        ");
        insta::assert_snapshot!(dump(&[0; 20], 16), @r"
        00000000  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|
        ... 4 more bytes
        ");
        insta::assert_snapshot!(dump(b"", 16), @"(empty)");
        insta::assert_snapshot!(dump(&[0; 70], 128), @r"
        00000000  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|
        *
        00000040  00 00 00 00 00 00                                 |......|
        ");
    }
}
