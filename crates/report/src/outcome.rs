//! How one run of the uninstrumented program ended, and what it wrote.

use crate::escape;
use crate::finding::place;
use crate::style::{BAD, DIM, GOOD, WARN, paint};
use elsewise_explore::{Location, Outcome};
use serde::Serialize;

/// An outcome for people and for scripts.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum OutcomeView<'a> {
    Exit {
        code: i32,
    },
    /// Something that is more than an exit code.
    Returned {
        value: &'a str,
    },
    Assumed,
    Failure {
        failure: &'a str,
        message: &'a str,
        file: &'a str,
        line: u32,
    },
}

impl<'a> OutcomeView<'a> {
    pub fn new(outcome: &'a Outcome) -> OutcomeView<'a> {
        match outcome {
            Outcome::Exit(code) => OutcomeView::Exit { code: *code },
            Outcome::Assumed => OutcomeView::Assumed,
            Outcome::Failure {
                kind,
                message,
                place,
            } => {
                let at = Location::of_stack(place);
                OutcomeView::Failure {
                    failure: kind.word(),
                    message,
                    file: at.map(|at| at.file.as_str()).unwrap_or_default(),
                    line: at.map(|at| at.line).unwrap_or_default(),
                }
            }
        }
    }

    /// The same, where it is known what a call returned that did not fail.
    pub fn returning(outcome: &'a Outcome, returned: Option<&'a str>) -> OutcomeView<'a> {
        match (outcome, returned) {
            (Outcome::Exit(_), Some(value)) => OutcomeView::Returned { value },
            _ => OutcomeView::new(outcome),
        }
    }

    pub fn text(&self) -> String {
        match self {
            OutcomeView::Returned { value } => format!(
                "{}: returns {}\n",
                paint(GOOD, "does not fail"),
                escape::text(value)
            ),
            OutcomeView::Exit { code } => {
                format!("{}: exit code {code}\n", paint(GOOD, "does not fail"))
            }
            OutcomeView::Assumed => format!(
                "{}: an assumption of the subject's own (elsewise_assume) does not hold\n",
                paint(WARN, "does not count")
            ),
            OutcomeView::Failure {
                failure,
                message,
                file,
                line,
            } => {
                let at = match file.is_empty() {
                    true => String::new(),
                    false => format!(" at {}", place(file, *line, "")),
                };
                format!(
                    "{}: {}{at}: {}\n",
                    paint(BAD, "fails"),
                    escape::text(failure),
                    escape::text(message)
                )
            }
        }
    }
}

/// The call that a case is, in a line.
pub fn call_line(call: &str) -> String {
    format!("{}\n", escape::text(call))
}

/// What a run wrote to one of its streams, escaped, each line marked with the stream's name.
pub fn output_text(name: &str, bytes: &[u8]) -> String {
    let mut out = String::new();
    let mut lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    // What follows the last newline is a line only if there is something.
    if lines.last().is_some_and(|line| line.is_empty()) {
        lines.pop();
    }
    let mark = paint(DIM, format!("{name} |"));
    for line in lines {
        let line = String::from_utf8_lossy(line);
        out.push_str(&format!("{mark} {}\n", escape::text(&line)));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn ways_to_end() {
        let failure = Outcome::Failure {
            kind: "assertion".into(),
            message: "assertion failed: x > 0\x1b[2J".into(),
            place: vec![Location {
                file: "a.c".into(),
                line: 7,
                ..Location::default()
            }],
        };
        let bare = Outcome::Failure {
            kind: "segv".into(),
            message: "segmentation fault".into(),
            place: Vec::new(),
        };
        let all = [Outcome::Exit(3), Outcome::Assumed, failure, bare];
        let text: String = all.iter().map(|o| OutcomeView::new(o).text()).collect();
        samples::snapshot("outcomes", &text);
        let json: Vec<String> = all
            .iter()
            .map(|o| crate::json_object(&OutcomeView::new(o)).unwrap())
            .collect();
        insta::assert_snapshot!("outcomes_json", json.join("\n"));
    }

    #[test]
    fn output_is_marked_and_harmless() {
        let text = output_text("stderr", b"one\n\xfftwo\x1b[31m\n\nlast");
        samples::snapshot("output", &text);
        assert_eq!(output_text("stdout", b""), "");
    }
}
