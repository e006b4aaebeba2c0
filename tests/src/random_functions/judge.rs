//! What an exploration says of a random function, judged by the truth.

use super::generate::Program;
use super::truth::{Failure, Truth};
use crate::command::Exploration;
use std::collections::BTreeSet;
use std::fmt;

/// How an exploration went that made no mistake.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Explored completely.
    Complete,
    /// Not completely, for these reasons, or because time was over.
    GivenUp(Vec<String>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// Explored completely, but these failures were not found.
    FalseComplete(Vec<Failure>),
    /// The plain function does not fail there, whatever it is given.
    FalseFinding(Vec<Failure>),
    /// It was given what its declaration rules out.
    NotAllowed(Vec<Failure>),
    /// Not complete, and nobody knows why.
    WithoutReason,
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Wrong::FalseComplete(failures) => write!(f, "FALSE COMPLETE: {failures:?} not found"),
            Wrong::FalseFinding(failures) => write!(f, "FALSE FINDING: {failures:?}"),
            Wrong::NotAllowed(failures) => write!(f, "GIVEN WHAT IS NOT ALLOWED: {failures:?}"),
            Wrong::WithoutReason => write!(f, "not complete without a reason"),
        }
    }
}

/// Where else the same null argument is followed, as a finding's message says.
fn further_lines(message: &str) -> impl Iterator<Item = u32> {
    let (_, places) = message.split_once("; also at ").unwrap_or_default();
    let places = places
        .split(", ")
        .filter_map(|place| place.rsplit_once(':'));
    places.filter_map(|(_, line)| line.parse().ok())
}

pub fn judge(program: &Program, truth: &Truth, explored: &Exploration) -> Result<Verdict, Wrong> {
    let summary = &explored.summary;
    let places = summary.findings.iter().flat_map(|one| {
        let others = further_lines(&one.message);
        let lines = std::iter::once(one.line).chain(others);
        lines.map(|line| (one.kind.clone(), line))
    });
    let found: BTreeSet<Failure> = places.collect();
    let never: Vec<Failure> = found
        .iter()
        .filter(|(_, line)| program.never.contains(line))
        .cloned()
        .collect();
    if !never.is_empty() {
        return Err(Wrong::NotAllowed(never));
    }
    let false_ones: Vec<Failure> = found.difference(&truth.failures).cloned().collect();
    if truth.exhaustive && !false_ones.is_empty() {
        return Err(Wrong::FalseFinding(false_ones));
    }
    if summary.complete {
        let missing: Vec<Failure> = truth.failures.difference(&found).cloned().collect();
        return match missing.is_empty() {
            true => Ok(Verdict::Complete),
            false => Err(Wrong::FalseComplete(missing)),
        };
    }
    let mut reasons: Vec<String> = summary.approximations.keys().cloned().collect();
    if !summary.unconfirmed.is_empty() {
        reasons.push("unconfirmed".to_owned());
    }
    if summary.ended == "budget" {
        reasons.push("budget".to_owned());
    }
    match reasons.is_empty() {
        true => Err(Wrong::WithoutReason),
        false => Ok(Verdict::GivenUp(reasons)),
    }
}
