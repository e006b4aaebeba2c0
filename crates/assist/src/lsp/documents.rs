//! Documents as editors name and count them: URIs, and positions in units of UTF-16.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, percent_encode};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Component, Path, PathBuf};

/// Characters of a path that stand for themselves.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

/// The file of a URI, whatever bytes its name has; none where it is no file of this machine.
pub fn path_of(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    let rest = rest.split(['?', '#']).next()?;
    let bytes: Vec<u8> = percent_decode_str(rest).collect();
    let path = PathBuf::from(OsString::from_vec(bytes));
    let climbs = path.components().any(|part| part == Component::ParentDir);
    let names = path.as_os_str().as_bytes();
    (path.is_absolute() && !climbs && !names.contains(&0)).then_some(path)
}

/// A file by its one name, if it is there.
pub fn canonical(path: PathBuf) -> PathBuf {
    fs::canonicalize(&path).unwrap_or(path)
}

pub fn uri_of(path: &Path) -> String {
    let path = percent_encode(path.as_os_str().as_bytes(), PLAIN);
    format!("file://{path}")
}

/// A document that is open, as the editor has it.
pub struct Document {
    pub uri: String,
    pub text: String,
}

/// Open documents, by their files.
#[derive(Default)]
pub struct Documents {
    open: BTreeMap<PathBuf, Document>,
}

impl Documents {
    pub fn set(&mut self, path: PathBuf, uri: String, text: String) {
        self.open.insert(path, Document { uri, text });
    }

    pub fn close(&mut self, path: &Path) {
        self.open.remove(path);
    }

    /// Files that are open.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.open.keys().map(PathBuf::as_path)
    }

    /// The text of a file: as the editor has it, or as it stands on the disk.
    pub fn text(&self, path: &Path) -> Option<String> {
        match self.open.get(path) {
            Some(document) => Some(document.text.clone()),
            None => elsewise_campaign::read_regular_text(path).ok(),
        }
    }

    /// The URI by which the editor knows a file.
    pub fn uri(&self, path: &Path) -> String {
        match self.open.get(path) {
            Some(document) => document.uri.clone(),
            None => uri_of(path),
        }
    }
}

/// The units of UTF-16 that a text has.
pub fn width(text: &str) -> usize {
    text.encode_utf16().count()
}

/// The position of a byte.
pub fn position(text: &str, byte: usize) -> Value {
    let before = &text[..byte.min(text.len())];
    let line = before.matches('\n').count();
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    json!({ "line": line, "character": width(&before[start..]) })
}

/// The line of a byte, from 0.
pub fn line_of(text: &str, byte: usize) -> usize {
    text[..byte.min(text.len())].matches('\n').count()
}

/// From a column of a line, which compilers count in bytes from 1, to the line's end; all of it from where it is not blank
/// if the column is not known or the line is no longer that long.
pub fn range(text: &str, line: usize, column: u32) -> Value {
    let content = text.lines().nth(line).unwrap_or_default();
    let blank = content.len() - content.trim_start().len();
    let at = (column as usize).checked_sub(1);
    let at = at.filter(|at| *at < content.len() && content.is_char_boundary(*at));
    let start = width(&content[..at.unwrap_or(blank)]);
    let end = width(content.trim_end()).max(start);
    json!({
        "start": { "line": line, "character": start },
        "end": { "line": line, "character": end },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_name_of_a_file_is_a_uri_and_back() {
        let names: [&[u8]; 5] = [
            b"/a b/c%20d.c",
            b"/<script>&\"'.c",
            b"/new\nline\xff\xfe.c",
            "/ä/🙂.c".as_bytes(),
            b"/a#b?c;d.c",
        ];
        for name in names {
            let path = PathBuf::from(OsString::from_vec(name.to_vec()));
            let uri = uri_of(&path);
            let plain = |char: char| char.is_ascii_graphic() && !"<>\"'&#?; ".contains(char);
            assert!(uri.chars().all(plain), "{uri}");
            assert_eq!(path_of(&uri).unwrap(), path);
        }
        assert_eq!(path_of("file://localhost/a").unwrap(), Path::new("/a"));
        for other in [
            "http://x/a",
            "untitled:1",
            "file://host/a",
            "file:///a/../b",
            "file:///a/%2e%2e/b",
            "file:///a%00b",
            "file://",
        ] {
            assert_eq!(path_of(other), None, "{other}");
        }
    }

    #[test]
    fn columns_are_those_of_utf_16() {
        let text = "a\n  ä🙂x = 1;  \n";
        assert_eq!(position(text, 11), json!({ "line": 1, "character": 6 }));
        let columns = |column| {
            let range = range(text, 1, column);
            (
                range["start"]["character"].clone(),
                range["end"]["character"].clone(),
            )
        };
        assert_eq!(columns(5), (json!(3), json!(11)));
        assert_eq!(columns(9), (json!(5), json!(11)));
        // In the middle of a character, and beyond the end.
        assert_eq!(columns(4), (json!(2), json!(11)));
        assert_eq!(columns(6), (json!(2), json!(11)));
        assert_eq!(columns(99), (json!(2), json!(11)));
        assert_eq!(
            range(text, 9, 1)["end"],
            json!({ "line": 9, "character": 0 })
        );
        assert_eq!(position(text, 99)["line"], json!(2));
    }
}
