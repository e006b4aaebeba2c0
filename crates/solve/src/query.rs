//! What is asked, what is answered, and within which limits.

use crate::stages::z3::SolverProgram;
use elsewise_term::{Model, TermId};

/// What is asked: is there a model in which all of `prefix` and `wanted` hold?
pub struct Query<'a> {
    /// Conditions of the path so far; all hold under `present`.
    pub prefix: &'a [TermId],
    pub wanted: TermId,
    /// The inputs of the run that the prefix is from. Inputs that the answer need not change keep
    /// these values.
    pub present: &'a Model,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// A model of the whole query: `present`, changed where the answer asks for it.
    Sat(Model),
    /// No model; the conditions that conflict (a subset of prefix and wanted).
    Unsat(Vec<TermId>),
    /// Given up; nothing is known.
    Unknown(GaveUp),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GaveUp {
    /// The time or conflict limit of one query.
    Limit,
    /// More terms in the slice than a query may have.
    Size,
    /// No stage decides an operator of the query.
    Unsupported,
}

/// Limits and switches. Later stages are only reached by what earlier ones leave open.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Wall-clock milliseconds for one query.
    pub query_millis: u64,
    /// Terms in a slice beyond which a query is given up.
    pub max_terms: usize,
    /// Conflicts of the SAT solver beyond which the `bitblast` stage gives a query up.
    pub max_conflicts: u32,
    /// Stages that are switched off, by name.
    pub off: Vec<String>,
    /// The program that asks Z3 in a process of its own; without it, Z3 is asked in this one.
    pub z3_program: Option<SolverProgram>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            query_millis: 5_000,
            max_terms: 2_000_000,
            max_conflicts: 2_000_000,
            off: Vec::new(),
            z3_program: None,
        }
    }
}

/// What one stage did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StageCount {
    pub name: &'static str,
    pub asked: u64,
    pub sat: u64,
    pub unsat: u64,
    /// Models that the evaluator refused: each is a bug in the stage, and was not used.
    pub wrong: u64,
    pub nanos: u64,
}

impl StageCount {
    pub(crate) fn add(&mut self, other: &StageCount) {
        self.asked += other.asked;
        self.sat += other.sat;
        self.unsat += other.unsat;
        self.wrong += other.wrong;
        self.nanos += other.nanos;
    }
}
