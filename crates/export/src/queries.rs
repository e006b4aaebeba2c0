//! Queries of a Prolog program that become tests.

use crate::calls::short;
use serde::{Deserialize, Serialize};

/// What tests are written for.
#[derive(Clone, Debug)]
pub struct QuerySuite<'a> {
    /// The program's file, as seen from the tests' folder.
    pub file: &'a str,
    /// Its module, if it has one; without, it is loaded into `user`.
    pub module: Option<&'a str>,
    /// The predicate's name alone.
    pub predicate: &'a str,
    /// Inferences after which a query is taken for one that does not end.
    pub inferences: u64,
    pub tests: &'a [QueryTest],
}

/// One query, all of it in Prolog.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueryTest {
    /// With its module, if it has one: `rules:route(a, b, X3)`.
    pub goal: String,
    /// What people call it, on one line.
    pub title: String,
    /// Variables of the goal whose values are looked at.
    pub outputs: Vec<String>,
    pub end: QueryEnd,
    pub finding: Option<QueryFinding>,
}

/// How a query ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum QueryEnd {
    /// With the first answer.
    Succeeds {
        values: Answer,
        /// There may be others.
        nondet: bool,
    },
    /// With these answers in this order, of which there may be more if `cut`.
    Answers {
        all: Vec<Answer>,
        cut: bool,
    },
    Fails,
    /// With a pattern of what is thrown.
    Throws(String),
    /// It does not end, or was not run.
    Unknown,
}

/// What the outputs are; none where that cannot be written down, as a stream.
pub type Answer = Option<Vec<String>>;

/// A query that is to be repaired, not kept as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueryFinding {
    /// What it is and where.
    pub text: String,
    pub wanted: Wanted,
}

/// What a query does when it is repaired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Wanted {
    Succeed,
    /// Without a choice point that is left.
    SucceedOnce,
    /// Whether it succeeds or fails, it throws nothing.
    End,
    Fail,
}

impl QueryTest {
    pub(crate) fn titled(&self) -> String {
        let ends = match (&self.finding, &self.end) {
            (Some(finding), _) => format!(": {}", finding.text),
            (None, QueryEnd::Fails) => " fails".into(),
            (None, QueryEnd::Throws(_)) => " throws".into(),
            _ => String::new(),
        };
        format!("{}{ends}", short(&self.title))
    }
}
