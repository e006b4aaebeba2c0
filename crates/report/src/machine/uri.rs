//! File names as references in the sense of RFC 3986.

use std::fmt::Write;

/// A relative path as a relative reference, an absolute one as a `file:` URI.
pub fn reference(path: &str) -> String {
    let path = path.strip_prefix("./").unwrap_or(path);
    let mut out = String::with_capacity(path.len() + 8);
    if path.starts_with('/') {
        out.push_str("file://");
    }
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' => out.push(char::from(byte)),
            b'-' | b'.' | b'_' | b'~' | b'/' | b'+' | b',' | b'@' | b'=' => {
                out.push(char::from(byte));
            }
            // A colon too: the first part of a relative path must not look like a scheme.
            _ => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_references() {
        assert_eq!(reference("src/list.c"), "src/list.c");
        assert_eq!(reference("./a b#c?.c"), "a%20b%23c%3F.c");
        assert_eq!(reference("/usr/x.c"), "file:///usr/x.c");
        assert_eq!(reference("javascript:x"), "javascript%3Ax");
        assert_eq!(reference("\u{fc}\u{0}\n.c"), "%C3%BC%00%0A.c");
    }
}
