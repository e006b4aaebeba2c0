//! Counts of how explorations of the borders went, by snippet and by what was given up.

use super::generate::Program;
use super::judge::{Verdict, Wrong};
use std::collections::BTreeMap;
use std::fmt;

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    found: u64,
    complete: u64,
    given_up: u64,
    wrong: u64,
}

impl Counts {
    fn add(&mut self, verdict: Result<&Verdict, &Wrong>) {
        match verdict {
            Ok(Verdict::Found) => self.found += 1,
            Ok(Verdict::Complete) => self.complete += 1,
            Ok(Verdict::GivenUp(_)) => self.given_up += 1,
            Err(_) => self.wrong += 1,
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Tally {
    all: Counts,
    snippets: BTreeMap<String, Counts>,
    approximations: BTreeMap<String, u64>,
    /// Seeds with failures that the uninstrumented build did not show.
    unconfirmed: Vec<u64>,
}

impl Tally {
    pub fn add(&mut self, program: &Program, verdict: Result<&Verdict, &Wrong>) {
        self.all.add(verdict);
        for (_, one) in &program.steps {
            let counts = self.snippets.entry(one.name.clone()).or_default();
            counts.add(verdict);
        }
        if let Ok(Verdict::GivenUp(reasons)) = verdict {
            let none = ["nothing but time".to_owned()];
            let reasons = if reasons.is_empty() {
                &none
            } else {
                reasons.as_slice()
            };
            for reason in reasons {
                *self.approximations.entry(reason.clone()).or_default() += 1;
            }
        }
    }

    pub fn add_unconfirmed(&mut self, seed: u64) {
        self.unconfirmed.push(seed);
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Counts {
            found,
            complete,
            given_up,
            wrong,
        } = self.all;
        writeln!(
            f,
            "{found} found, {complete} complete, {given_up} given up, {wrong} wrong"
        )?;
        writeln!(f, "given up for:")?;
        for (reason, count) in &self.approximations {
            writeln!(f, "{count:>6} {reason}")?;
        }
        if !self.unconfirmed.is_empty() {
            writeln!(f, "unconfirmed failures in {:?}", self.unconfirmed)?;
        }
        writeln!(f, "found complete given-up wrong, most given up first:")?;
        let mut snippets: Vec<_> = self.snippets.iter().collect();
        snippets.sort_by_key(|(name, counts)| (std::cmp::Reverse(counts.given_up), *name));
        for (name, counts) in snippets {
            writeln!(
                f,
                "{:>5} {:>8} {:>8} {:>5}  {name}",
                counts.found, counts.complete, counts.given_up, counts.wrong
            )?;
        }
        Ok(())
    }
}
