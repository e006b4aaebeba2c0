//! Response files (`@file`): read where a user gives one, written where a command line would
//! grow too long.

use crate::NativeError;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

/// Response files within response files; deeper is a mistake (or a cycle).
const MAX_FILES: usize = 1000;

/// `args` with every `@file` replaced by what the file holds.
pub fn expand(args: &[OsString]) -> Result<Vec<OsString>, NativeError> {
    expand_in(args, Path::new(""))
}

/// The same for arguments of a command that runs in `directory`.
pub fn expand_in(args: &[OsString], directory: &Path) -> Result<Vec<OsString>, NativeError> {
    let mut out = Vec::new();
    let mut pending: Vec<OsString> = args.iter().rev().cloned().collect();
    let mut files = 0;
    while let Some(arg) = pending.pop() {
        let Some(name) = arg.as_bytes().strip_prefix(b"@") else {
            out.push(arg);
            continue;
        };
        let path = directory.join(OsStr::from_bytes(name));
        // As gcc does: an argument that only looks like a response file is an argument.
        let Ok(content) = fs::read(&path) else {
            out.push(arg);
            continue;
        };
        files += 1;
        if files > MAX_FILES {
            return Err(NativeError::Usage(format!(
                "{}: response files name each other without end",
                path.display()
            )));
        }
        pending.extend(split(&content).into_iter().rev());
    }
    Ok(out)
}

/// Arguments of a response file: white space between, quotes and backslashes as gcc reads them.
fn split(content: &[u8]) -> Vec<OsString> {
    let mut out = Vec::new();
    let mut current: Option<Vec<u8>> = None;
    let mut quote: Option<u8> = None;
    let mut bytes = content.iter().copied();
    while let Some(byte) = bytes.next() {
        match (quote, byte) {
            (_, b'\\') => {
                if let Some(next) = bytes.next() {
                    current.get_or_insert_default().push(next);
                }
            }
            (Some(open), _) if byte == open => quote = None,
            (Some(_), _) => current.get_or_insert_default().push(byte),
            (None, b'"' | b'\'') => {
                quote = Some(byte);
                current.get_or_insert_default();
            }
            (None, b' ' | b'\t' | b'\n' | b'\r' | b'\x0b' | b'\x0c') => {
                out.extend(current.take().map(OsString::from_vec));
            }
            (None, _) => current.get_or_insert_default().push(byte),
        }
    }
    out.extend(current.map(OsString::from_vec));
    out
}

/// The content of a response file with these arguments.
pub fn write(args: &[OsString]) -> Vec<u8> {
    let mut out = Vec::new();
    for arg in args {
        out.push(b'"');
        for byte in arg.as_bytes() {
            if matches!(byte, b'"' | b'\\') {
                out.push(b'\\');
            }
            out.push(*byte);
        }
        out.extend(b"\"\n");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_backslashes() {
        assert_eq!(
            split(b"-c 'a b.c'  -DX=\\\"y\\\" \"q\\\\\" '' end"),
            ["-c", "a b.c", "-DX=\"y\"", "q\\", "", "end"]
        );
    }

    #[test]
    fn what_is_written_is_read_back() {
        let args: Vec<OsString> = ["a b", "", "q\"uo\\te", "plain", "'s'"]
            .into_iter()
            .map(OsString::from)
            .collect();
        assert_eq!(split(&write(&args)), args);
    }

    #[test]
    fn files_that_name_each_other_end_in_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("r");
        fs::write(&file, format!("x @{}", file.display())).unwrap();
        let arg = OsString::from(format!("@{}", file.display()));
        assert!(expand(&[arg]).is_err());
        assert_eq!(
            expand(&["@/nowhere/r".into()]).unwrap(),
            [OsString::from("@/nowhere/r")]
        );
    }
}
