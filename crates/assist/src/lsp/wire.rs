//! Messages of the language-server protocol on a stream: headers, and JSON-RPC behind them.

use serde_json::{Value, json};
use std::io::{self, BufRead, Write};

/// More than this no message of an editor has: a file that is larger is not for it either.
const LARGEST: usize = 64 << 20;
/// Bytes of one line of a header.
const HEADER: u64 = 1 << 10;

/// Error codes of JSON-RPC and of the protocol.
pub const PARSE_ERROR: i64 = -32700;
pub const INVALID_REQUEST: i64 = -32600;
pub const METHOD_NOT_FOUND: i64 = -32601;
pub const INVALID_PARAMS: i64 = -32602;
pub const NOT_INITIALIZED: i64 = -32002;
pub const REQUEST_FAILED: i64 = -32803;

/// What came.
#[derive(Debug, PartialEq)]
pub enum Incoming {
    Message(Value),
    /// It was a message, and is no JSON.
    Malformed(String),
}

/// The next message; none at the end of the stream. An error is one from which there is no way back to where the next
/// message begins.
pub fn read(input: &mut impl BufRead) -> io::Result<Option<Incoming>> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        let mut part = io::Read::take(&mut *input, HEADER);
        if part.read_until(b'\n', &mut line)? == 0 {
            return match length {
                None => Ok(None),
                Some(_) => Err(io::ErrorKind::UnexpectedEof.into()),
            };
        }
        let bad = || io::Error::new(io::ErrorKind::InvalidData, "not a header of the protocol");
        let line = line.strip_suffix(b"\n").ok_or_else(bad)?;
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() {
            break;
        }
        let line = str::from_utf8(line).map_err(|_| bad())?;
        let (name, value) = line.split_once(':').ok_or_else(bad)?;
        if name.eq_ignore_ascii_case("Content-Length") {
            let number: usize = value.trim().parse().map_err(|_| bad())?;
            if number > LARGEST {
                return Err(io::Error::new(
                    io::ErrorKind::FileTooLarge,
                    "a message of more than 64 MiB",
                ));
            }
            length = Some(number);
        }
    }
    let none = || io::Error::new(io::ErrorKind::InvalidData, "a message without its length");
    let length = length.ok_or_else(none)?;
    let mut bytes = Vec::new();
    let mut part = io::Read::take(&mut *input, length as u64);
    io::Read::read_to_end(&mut part, &mut bytes)?;
    if bytes.len() < length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(Some(match serde_json::from_slice(&bytes) {
        Ok(message) => Incoming::Message(message),
        Err(error) => Incoming::Malformed(error.to_string()),
    }))
}

pub fn write(output: &mut impl Write, message: &Value) -> io::Result<()> {
    let text = message.to_string();
    write!(output, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    output.flush()
}

pub fn notification(method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "method": method, "params": params })
}

pub fn request(id: u64, method: &str, params: Value) -> Value {
    let mut request = json!({ "jsonrpc": "2.0", "id": id, "method": method });
    // What has no parameters must not have empty ones.
    if !params.is_null() {
        request["params"] = params;
    }
    request
}

pub fn reply(id: &Value, result: Result<Value, (i64, String)>) -> Value {
    match result {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err((code, message)) => json!({
            "jsonrpc": "2.0",
            "id": id,
            "error": { "code": code, "message": message },
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(mut bytes: &[u8]) -> Vec<Result<Option<Incoming>, io::ErrorKind>> {
        let mut read_so_far = Vec::new();
        loop {
            let next = read(&mut bytes).map_err(|error| error.kind());
            let ends = !matches!(next, Ok(Some(_)));
            read_so_far.push(next);
            if ends {
                return read_so_far;
            }
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let message = notification("x", json!({ "ä": "\n" }));
        let mut bytes = Vec::new();
        write(&mut bytes, &message).unwrap();
        write(&mut bytes, &message).unwrap();
        let message = || Ok(Some(Incoming::Message(message.clone())));
        assert_eq!(all(&bytes), [message(), message(), Ok(None)]);
    }

    #[test]
    fn a_malformed_message_does_not_hide_the_next() {
        let found = all(b"content-length: 1\r\nX: y\r\n\r\n{Content-Length: 2\n\n{}");
        assert!(matches!(found[0], Ok(Some(Incoming::Malformed(_)))));
        assert_eq!(found[1], Ok(Some(Incoming::Message(json!({})))));
    }

    #[test]
    fn lengths_are_checked_before_they_are_believed() {
        use io::ErrorKind::{FileTooLarge, InvalidData, UnexpectedEof};
        for (bytes, expected) in [
            ("Content-Length: 99999999999\r\n\r\n{}", FileTooLarge),
            ("Content-Length: -1\r\n\r\n{}", InvalidData),
            ("Content-Length: 60000000\r\n\r\n{}", UnexpectedEof),
            ("Content-Length: 2\r\n", UnexpectedEof),
            ("X: 2\r\n\r\n{}", InvalidData),
            ("garbage\n", InvalidData),
        ] {
            assert_eq!(all(bytes.as_bytes()), [Err(expected)], "{bytes}");
        }
        let endless = vec![b'a'; 1 << 20];
        assert_eq!(all(&endless), [Err(InvalidData)]);
    }
}
