//! What is wrong with a model, in its own terms and with the line that it stands in.

use crate::model::SourcePosition;
use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The model means something, but perhaps not what was meant.
    Warning,
    /// There is no way to say what the model does.
    Error,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub severity: Severity,
    pub place: SourcePosition,
    /// What kind of thing it is, for counting: the same words whatever the names.
    pub reason: &'static str,
    /// A sentence that names what it is about.
    pub message: String,
}

impl Problem {
    pub fn error(place: SourcePosition, reason: &'static str, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            place,
            reason,
            message: message.into(),
        }
    }

    pub fn warning(
        place: SourcePosition,
        reason: &'static str,
        message: impl Into<String>,
    ) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(place, reason, message)
        }
    }
}

/// Why a file is not a model: at least one error, the warnings beside it, in the order of lines.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// The file's name as it was given.
    pub file: String,
    pub problems: Vec<Problem>,
}

impl Refusal {
    pub fn one(file: &str, problem: Problem) -> Self {
        Self {
            file: file.to_owned(),
            problems: vec![problem],
        }
    }

    pub fn errors(&self) -> impl Iterator<Item = &Problem> {
        self.problems
            .iter()
            .filter(|problem| problem.severity == Severity::Error)
    }
}

impl fmt::Display for Refusal {
    /// The first errors, a line each: a damaged model of many states can have thousands.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 10;
        for (number, problem) in self.errors().take(SHOWN).enumerate() {
            if number > 0 {
                writeln!(formatter)?;
            }
            write!(formatter, "{}", self.file)?;
            if problem.place.line > 0 {
                write!(formatter, ":{}", problem.place.line)?;
            }
            write!(formatter, ": {}", problem.message)?;
        }
        match self.errors().count().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(formatter, "\n{}: and {more} more errors", self.file),
        }
    }
}

impl std::error::Error for Refusal {}
