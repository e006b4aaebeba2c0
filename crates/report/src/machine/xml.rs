//! Text for XML documents: whatever a subject wrote, without characters that XML cannot have.

use std::fmt::Write;

/// `text` with characters that no XML document may have, and those that would steer a terminal that
/// shows it, written as escapes. Markup is not escaped: whoever writes the document does that.
pub fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '\n' | '\t' => out.push(char),
            '\u{fffe}' | '\u{ffff}' => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(char));
            }
            _ => out.push_str(&crate::escape::text(char.encode_utf8(&mut [0; 4]))),
        }
    }
    out
}

/// The content of an element, or of an attribute in double quotes.
pub fn content(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for char in plain(text).chars() {
        match char {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // A reader would make a space of it in an attribute.
            '\n' => out.push_str("&#10;"),
            '\t' => out.push_str("&#9;"),
            _ => out.push(char),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(crate::samples::steady(256))]

        #[test]
        fn whatever_is_written_is_read_again(text in any::<String>()) {
            let whole = format!("<a b=\"{0}\">{0}</a>", content(&text));
            let document = roxmltree::Document::parse(&whole).unwrap();
            let root = document.root_element();
            prop_assert_eq!(root.text().unwrap_or_default(), plain(&text));
            prop_assert_eq!(root.attribute("b").unwrap(), plain(&text));
        }
    }

    #[test]
    fn markup_and_control_characters_are_text() {
        assert_eq!(
            content("]]></a><!--&\u{0}\u{1b}[31m\"\u{ffff}"),
            "]]&gt;&lt;/a&gt;&lt;!--&amp;\\x00\\x1b[31m&quot;\\u{ffff}"
        );
    }
}
