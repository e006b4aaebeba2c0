//! Text and bytes of a subject, made harmless and readable.

use std::fmt::Write;

/// `text` with everything that a terminal would act on, or that would hide or reorder what is
/// beside it, written as an escape. Newlines too: the result is one line.
pub fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        push(&mut out, char);
    }
    out
}

/// `bytes` as quoted text; what is not valid UTF-8 or not printable as `\xNN`.
pub fn bytes(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() + 2);
    out.push('"');
    for chunk in bytes.utf8_chunks() {
        for char in chunk.valid().chars() {
            match char {
                '"' => out.push_str("\\\""),
                '\\' => out.push_str("\\\\"),
                '\0' => out.push_str("\\0"),
                // Only ASCII stays as it is: a reader counts bytes here.
                ' '..='~' => out.push(char),
                _ => match char {
                    '\n' | '\r' | '\t' => push(&mut out, char),
                    _ => {
                        let mut buffer = [0; 4];
                        for byte in char.encode_utf8(&mut buffer).bytes() {
                            let _ = write!(out, "\\x{byte:02x}");
                        }
                    }
                },
            }
        }
        for byte in chunk.invalid() {
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
    out.push('"');
    out
}

fn push(out: &mut String, char: char) {
    match char {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        _ if is_harmful(char) => {
            let _ = match u32::from(char) {
                code @ 0..=0xff => write!(out, "\\x{code:02x}"),
                code => write!(out, "\\u{{{code:x}}}"),
            };
        }
        _ => out.push(char),
    }
}

/// Control characters, and those that change direction, join or take no room.
fn is_harmful(char: char) -> bool {
    char.is_control()
        || matches!(
            char,
            '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff0}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn escapes_what_a_terminal_acts_on() {
        assert_eq!(text("a\x1b[31mb\u{9b}c\n"), "a\\x1b[31mb\\x9bc\\n");
        assert_eq!(text("plain, gr\u{fc}n"), "plain, gr\u{fc}n");
        assert_eq!(text("x\u{202e}y"), "x\\u{202e}y");
    }

    #[test]
    fn bytes_read_like_a_string() {
        assert_eq!(
            bytes(b"GO\0\"\\\xff\n\xc3\xbc~"),
            r#""GO\0\"\\\xff\n\xc3\xbc~""#
        );
        assert_eq!(bytes(b""), "\"\"");
    }

    proptest! {
        #![proptest_config(crate::samples::steady(256))]

        #[test]
        fn no_control_character_comes_through(input in any::<String>(), raw in any::<Vec<u8>>()) {
            prop_assert!(!text(&input).chars().any(char::is_control));
            prop_assert!(bytes(&raw).bytes().all(|byte| (b' '..=b'~').contains(&byte)));
        }
    }
}
