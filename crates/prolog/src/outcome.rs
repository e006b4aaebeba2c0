//! How a run ended, in words.

use crate::term::Term;
use crate::text::show;
use crate::types::Determinism;
use elsewise_explore::{Location, Outcome};
use std::path::Path;

/// What the server says of a run of the program as it is.
#[derive(Clone, Debug)]
pub struct Plain {
    pub ends: Vec<Term>,
    /// The last solution left no choice point.
    pub det: bool,
    pub micros: u64,
    /// Something was refused to it that it might get outside.
    pub refused: bool,
    /// Something that it changed in the machine could not be undone.
    pub left: bool,
}

impl Plain {
    pub fn read(term: &Term) -> Option<Plain> {
        let [ends, det, _inferences, micros, refused, left] = term.args_of("plain")?;
        let number = |term: &Term| match term {
            Term::Int(value) => u64::try_from(value).ok(),
            _ => None,
        };
        Some(Plain {
            ends: ends.elements()?,
            det: det.is_atom("det"),
            micros: number(micros)?,
            refused: refused.is_atom("true"),
            left: !left.is_atom("false"),
        })
    }

    /// Whether the instrumented program ended so, too.
    pub fn agrees(&self, other: &[Term]) -> bool {
        let alike = |a: &Term, b: &Term| match (a.parts(), b.parts()) {
            (Some(("exception", [a, _])), Some(("exception", [b, _]))) => ball(a) == ball(b),
            (Some(("limit", _)), Some(("limit", _))) => true,
            (Some(("true", [a])), Some(("true", [b]))) => show(a) == show(b),
            (Some(("true", _)), _) | (_, Some(("true", _))) => false,
            _ => a == b,
        };
        self.ends.len() == other.len() && self.ends.iter().zip(other).all(|(a, b)| alike(a, b))
    }

    /// The outcome, given what is declared of the predicate.
    pub fn outcome(&self, determinism: Determinism, limit: u64, home: &Location) -> Outcome {
        let fails = |kind: &str, message: String, place: Vec<Location>| Outcome::Failure {
            kind: kind.into(),
            message,
            place: match place.is_empty() {
                true => vec![home.clone()],
                false => place,
            },
        };
        let last = self.ends.last();
        match last.and_then(Term::parts) {
            Some(("exception", [ball, frames])) => {
                let place = frames.elements().unwrap_or_default();
                let place = place.iter().filter_map(location).collect();
                let (kind, message) = words(ball);
                fails(kind, message, place)
            }
            Some(("limit", [what])) => match what.as_atom() {
                Some("stack") => fails("memory", "the stack limit is reached".into(), Vec::new()),
                _ => fails(
                    "hang",
                    format!("does not end within {limit} inferences"),
                    Vec::new(),
                ),
            },
            Some(("true", _)) => match determinism {
                Determinism::Det | Determinism::Semidet if !self.det && self.ends.len() == 1 => {
                    let declared = match determinism {
                        Determinism::Det => "det",
                        _ => "semidet",
                    };
                    fails(
                        "choice-point",
                        format!("declared {declared}, and leaves a choice point"),
                        Vec::new(),
                    )
                }
                Determinism::Failure => fails(
                    "succeeded",
                    "declared to fail, and succeeds".into(),
                    Vec::new(),
                ),
                _ => Outcome::Exit(0),
            },
            _ => {
                let declared = match determinism {
                    Determinism::Det => "det",
                    Determinism::Multi => "multi",
                    _ => return Outcome::Exit(1),
                };
                match self.ends.len() {
                    // After a solution, there being no other is no failure.
                    0 | 1 => fails(
                        "failed",
                        format!("declared {declared}, and fails"),
                        Vec::new(),
                    ),
                    _ => Outcome::Exit(0),
                }
            }
        }
    }
}

/// The part of an error that says what is wrong, without where.
fn ball(term: &Term) -> String {
    match term.args_of("error") {
        Some([formal, _]) => show(formal),
        None => show(term),
    }
}

fn location(frame: &Term) -> Option<Location> {
    let [file, line, indicator] = frame.args_of("at")?;
    Some(Location {
        file: shortened(file.as_atom()?),
        line: line.as_u32()?,
        column: 0,
        function: show(indicator),
    })
}

/// A goal without its arguments: one assertion is one finding, whatever the values.
fn indicator(goal: &Term) -> String {
    let goal = match goal.args_of(":") {
        Some([_, goal]) => goal,
        _ => goal,
    };
    match goal.parts() {
        Some((name, args)) => show(&Term::compound(
            "/",
            vec![Term::atom(name), Term::int(args.len() as i64)],
        )),
        None => show(goal),
    }
}

/// The kind of an error, and what SWI-Prolog would say of it.
fn words(ball: &Term) -> (&'static str, String) {
    let Some([formal, _]) = ball.args_of("error") else {
        return ("throw", format!("uncaught: {}", show(ball)));
    };
    let message = match formal.parts() {
        Some(("assertion_failed" | "assertion_error", [.., goal])) => {
            return (
                "assertion",
                format!("assertion failed: {}", indicator(goal)),
            );
        }
        Some(("determinism_error", [what, declared, found, _])) => {
            let found = found.as_atom().unwrap_or_default();
            let (kind, words) = match found {
                "fail" => ("failed", "fails"),
                _ => ("choice-point", "leaves a choice point"),
            };
            let declared = show(declared);
            return (
                kind,
                format!("{} is declared {declared}, and {words}", show(what)),
            );
        }
        Some(("type_error", [wanted, found])) => {
            format!(
                "type error: {} expected, found {}",
                show(wanted),
                show(found)
            )
        }
        Some(("domain_error", [wanted, found])) => {
            format!(
                "domain error: {} expected, found {}",
                show(wanted),
                show(found)
            )
        }
        Some(("existence_error", [what, which])) => {
            format!("unknown {}: {}", show(what), show(which))
        }
        Some(("evaluation_error", [what])) => match what.as_atom() {
            Some("zero_divisor") => "arithmetic: division by zero".into(),
            _ => format!("arithmetic: {}", show(what)),
        },
        Some(("permission_error", [action, kind, what])) => {
            format!(
                "no permission to {} {} {}",
                show(action),
                show(kind),
                show(what)
            )
        }
        _ if formal.is_atom("instantiation_error") => {
            "arguments are not sufficiently instantiated".into()
        }
        _ => show(formal),
    };
    ("error", message)
}

/// The name of a file as those who work in this directory write it.
pub(crate) fn shortened(file: &str) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    match Path::new(file).strip_prefix(&here) {
        Ok(inside) => inside.to_string_lossy().into_owned(),
        Err(_) => file.into(),
    }
}
