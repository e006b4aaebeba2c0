//! A conversation with a server of the command on its standard input and output, written down as it goes: what was sent
//! after `-> `, what came after `<- `, with paths and what changes from run to run taken out.

use crate::support::Place;
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Nothing takes so long but what never comes.
const PATIENCE: Duration = Duration::from_secs(50);

/// How messages are told apart on a stream.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Framing {
    /// Behind a header with their length.
    Headers,
    /// Each is a line.
    Lines,
}

pub struct Session {
    child: Child,
    input: Option<ChildStdin>,
    came: Receiver<Value>,
    framing: Framing,
    folder: String,
    pub transcript: String,
}

impl Session {
    pub fn start(place: &Place, words: &[&str], framing: Framing) -> Session {
        let mut command = place.command(words);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let output = BufReader::new(child.stdout.take().expect("its output"));
        let (sender, came) = channel();
        thread::spawn(move || read(output, framing, |message| sender.send(message).is_ok()));
        let folder = std::fs::canonicalize(place.folder.path()).expect("the folder");
        Session {
            input: child.stdin.take(),
            child,
            came,
            framing,
            folder: folder.to_string_lossy().into_owned(),
            transcript: String::new(),
        }
    }

    pub fn raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the server listens");
        // A server that is gone is seen by what does not come.
        let _ = input.write_all(bytes).and_then(|()| input.flush());
    }

    pub fn send(&mut self, message: Value) {
        self.write("-> ", &message);
        let text = message.to_string();
        match self.framing {
            Framing::Headers => {
                self.raw(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes())
            }
            Framing::Lines => self.raw(format!("{text}\n").as_bytes()),
        }
    }

    /// The next message for which this holds; those before it are written down, too.
    pub fn wait(&mut self, what: &str, is: impl Fn(&Value) -> bool) -> Value {
        let end = Instant::now() + PATIENCE;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let Ok(message) = self.came.recv_timeout(left) else {
                panic!("{what} did not come:\n{}", self.transcript);
            };
            // How far an exploration is depends on the machine.
            if message["params"]["value"]["kind"] != "report" {
                self.write("<- ", &message);
            }
            if is(&message) {
                return message;
            }
        }
    }

    /// Asks, and gives the answer.
    pub fn ask(&mut self, id: u64, method: &str, params: Value) -> Value {
        self.send(
            serde_json::json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }),
        );
        self.wait(method, |message| {
            message["id"] == id && message.get("method").is_none()
        })
    }

    pub fn tell(&mut self, method: &str, params: Value) {
        self.send(serde_json::json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    pub fn wait_for(&mut self, method: &str) -> Value {
        self.wait(method, |message| message["method"] == method)
    }

    /// Says no more, and waits for the server's end.
    pub fn end(&mut self) -> ExitStatus {
        drop(self.input.take());
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end {
            if let Ok(Some(status)) = self.child.try_wait() {
                return status;
            }
            thread::sleep(Duration::from_millis(10));
        }
        panic!("the server does not end:\n{}", self.transcript);
    }

    fn write(&mut self, before: &str, message: &Value) {
        let text = message.to_string().replace(&self.folder, "[folder]");
        self.transcript.push_str(&format!("{before}{text}\n"));
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read(mut output: impl BufRead, framing: Framing, take: impl Fn(Value) -> bool) {
    loop {
        let mut line = String::new();
        let mut length = None;
        let text = match framing {
            Framing::Lines => match output.read_line(&mut line) {
                Ok(1..) => line.into_bytes(),
                _ => return,
            },
            Framing::Headers => {
                loop {
                    line.clear();
                    match output.read_line(&mut line) {
                        Ok(1..) if line == "\r\n" => break,
                        Ok(1..) => {
                            let number = line.trim().strip_prefix("Content-Length: ");
                            length = number.and_then(|number| number.parse().ok());
                        }
                        _ => return,
                    }
                }
                let mut bytes = vec![0; length.expect("a length")];
                if output.read_exact(&mut bytes).is_err() {
                    return;
                }
                bytes
            }
        };
        let message = serde_json::from_slice(&text).expect("JSON");
        if !take(message) {
            return;
        }
    }
}
