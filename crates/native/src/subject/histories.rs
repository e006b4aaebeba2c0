//! Whether the results of operations are what some order of them gives: the subject itself is run with
//! its operations one after the other.

use super::{How, NativeSubject};
use crate::calls::with_result;
use crate::decode::Threads;
use crate::threads::the_thread;
use elsewise_explore::schedule::history::{Explained, Operation, Serial, explain};
use elsewise_explore::{Case, FailureKind, Location, Outcome, RunError};
use elsewise_term::Terms;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Runs that are made to explain one history.
const MOST_RUNS: usize = 2000;
/// Histories and runs that are remembered.
const MOST_KNOWN: usize = 1 << 14;

type Inputs = BTreeMap<String, Vec<u8>>;

/// What is known so far.
#[derive(Default)]
pub struct Histories {
    explained: FxHashMap<(Inputs, Vec<Operation>), Explained>,
    serial: FxHashMap<(Inputs, Vec<u32>), Vec<Operation>>,
    /// The latest run had more orders than could be looked at.
    pub gave_up: bool,
}

/// The subject on the inputs of a case.
struct Runs<'a> {
    subject: &'a mut NativeSubject,
    known: &'a mut FxHashMap<(Inputs, Vec<u32>), Vec<Operation>>,
    inputs: &'a Inputs,
    error: Option<RunError>,
}

impl Serial for Runs<'_> {
    fn run(&mut self, order: &[u32]) -> Option<Vec<Operation>> {
        let key = (self.inputs.clone(), order.to_vec());
        if let Some(known) = self.known.get(&key) {
            return Some(known.clone());
        }
        let case = Case {
            inputs: self.inputs.clone(),
            schedule: order.to_vec(),
        };
        match self.subject.execute(&case, &mut Terms::new(), How::Serial) {
            Ok((_, decoded)) => {
                let history = decoded.threads.history;
                if self.known.len() < MOST_KNOWN {
                    self.known.insert(key, history.clone());
                }
                Some(history)
            }
            Err(error) => {
                self.error = Some(error);
                None
            }
        }
    }
}

impl NativeSubject {
    /// What is to be told of a run whose results no order of its operations gives.
    pub(crate) fn unexplained(
        &mut self,
        case: &Case,
        threads: &Threads,
    ) -> Result<Option<Outcome>, RunError> {
        let overlap = |one: &Operation| {
            let mut others = threads.history.iter();
            others.any(|other| other.thread != one.thread)
        };
        let history = &threads.history;
        if threads.lost_operations || !history.iter().any(overlap) {
            return Ok(None);
        }
        let Some(mut histories) = self.histories.take() else {
            return Ok(None);
        };
        let key = (case.inputs.clone(), history.clone());
        let known = histories.explained.get(&key).cloned();
        let explained = match known {
            Some(known) => Ok(known),
            None => {
                let mut runs = Runs {
                    subject: self,
                    known: &mut histories.serial,
                    inputs: &case.inputs,
                    error: None,
                };
                let explained = explain(history, MOST_RUNS, &mut runs);
                match runs.error {
                    Some(error) => Err(error),
                    None => Ok(explained),
                }
            }
        };
        if let Ok(explained) = &explained
            && histories.explained.len() < MOST_KNOWN
        {
            histories.explained.insert(key, explained.clone());
        }
        histories.gave_up = matches!(explained, Ok(Explained::Unknown));
        self.histories = Some(histories);
        match explained? {
            Explained::By(_) => Ok(None),
            Explained::ByNone { agrees, serial } => Ok(Some(self.told(history, agrees, &serial))),
            Explained::Unknown => Ok(None),
        }
    }

    fn told(&self, history: &[Operation], agrees: usize, serial: &[Operation]) -> Outcome {
        let words = |one: &Operation| format!("{}: {}", the_thread(one.thread), with_result(one));
        let all: Vec<String> = history.iter().map(words).collect();
        let mut message = format!(
            "no order of these calls gives these results: {}",
            all.join("; ")
        );
        let near: Vec<String> = serial.iter().take(agrees + 1).map(words).collect();
        if !near.is_empty() {
            message.push_str(&format!(
                ". One after the other, they give for example: {}",
                near.join("; ")
            ));
        }
        let mut place: Vec<Location> = Vec::new();
        for operation in history {
            let site = self.blueprint.sites.get(operation.site.0 as usize);
            let at = site.map(|site| Location {
                column: 0,
                ..site.location.clone()
            });
            place.extend(at.filter(|at| !at.file.is_empty() && !place.contains(at)));
        }
        place.sort();
        Outcome::Failure {
            kind: FailureKind::Linearizability,
            message,
            place,
        }
    }
}
