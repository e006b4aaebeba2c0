//! A subject whose cases are calls, built and ready to be explored.

use super::{CallProject, CallRecord, SavedCalls};
use crate::built::BuiltSubject;
use crate::contain;
use crate::problem::Problem;
use crate::record;
use crate::saved::SavedSubject;
use elsewise_explore::{Case, Outcome, Subject};
use serde_json::Value;
use std::path::Path;

/// A function or predicate that is compiled or loaded.
pub struct BuiltCalls<R: CallRecord> {
    record: R,
    project: R::Project,
    /// What cases are run again on.
    subject: Option<Box<dyn Subject>>,
}

impl<R: CallRecord> BuiltCalls<R> {
    pub fn new(record: R) -> Result<BuiltCalls<R>, Problem> {
        let contained = record.contained();
        contain::warn_of_shortcoming(&contained.containment());
        let project = record.open(contain::starter(contained), 1)?;
        Ok(BuiltCalls {
            record,
            project,
            subject: None,
        })
    }
}

impl<R: CallRecord + 'static> BuiltSubject for BuiltCalls<R> {
    fn bounds(&self) -> Vec<String> {
        let mut bounds = self.project.bounds();
        bounds.extend(contain::words(self.record.contained()));
        bounds
    }

    fn weaker(&self) -> Vec<String> {
        self.record.contained().containment().weaknesses()
    }

    fn subject(&self) -> Result<Box<dyn Subject>, Problem> {
        self.project.subject()
    }

    fn save(&mut self, _: &Path) -> Result<Value, Problem> {
        record::value(&self.record)
    }

    fn saved(&self, campaign: &Path) -> Option<Box<dyn SavedSubject>> {
        let (record, project) = (self.record.clone(), self.project.clone());
        Some(Box::new(SavedCalls::built(record, project, campaign)))
    }

    fn confirm_all(&mut self, case: &Case) -> Result<Vec<Outcome>, Problem> {
        let subject = match &mut self.subject {
            Some(subject) => subject,
            none => none.insert(self.project.subject()?),
        };
        Ok(subject.confirm_all(case)?)
    }
}
