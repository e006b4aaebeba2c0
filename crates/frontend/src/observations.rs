//! What runs of a campaign's cases have shown, saved with the campaign: `show`, `report` and `export` run nothing.
//!
//! A campaign may be somebody else's. To know what a case means, a program has to be loaded (Erlang, Prolog), and to
//! know what comes of it, it has to be run. So whoever explores writes down what is shown later.

use crate::error::FrontEndError;
use crate::problem::Problem;
use crate::record;
use elsewise_explore::{Case, Outcome};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

const RECORD: &str = "told.json";
const SCHEMA: u32 = 1;
/// What tests are made from.
const TESTS: &str = "tests";

static NOTHING_RUNS: AtomicBool = AtomicBool::new(false);

/// From now on, nothing of a campaign is run.
pub fn run_nothing() {
    NOTHING_RUNS.store(true, Ordering::Relaxed);
}

pub fn runs_nothing() -> bool {
    NOTHING_RUNS.load(Ordering::Relaxed)
}

#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Record {
    schema: u32,
    told: BTreeMap<String, Value>,
}

/// How a run ended, as far as that is shown.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum End {
    Exit(i32),
    Assumed,
    /// With its kind.
    Failed(String),
}

impl From<Outcome> for End {
    fn from(outcome: Outcome) -> End {
        match outcome {
            Outcome::Exit(code) => End::Exit(code),
            Outcome::Assumed => End::Assumed,
            Outcome::Failure { kind, .. } => End::Failed(kind.to_string()),
        }
    }
}

pub struct Observations {
    campaign: PathBuf,
    /// What is kept, for those who look, and what was run for since, for others.
    told: RefCell<BTreeMap<String, Value>>,
}

impl Observations {
    pub fn of(campaign: &Path) -> Observations {
        let kept = match runs_nothing() {
            true => record::read::<Record>(campaign, RECORD, SCHEMA),
            false => Ok(None),
        };
        Observations {
            campaign: campaign.to_path_buf(),
            told: RefCell::new(kept.ok().flatten().unwrap_or_default().told),
        }
    }

    /// What is known of a case: what `run` gives, unless that is known, or nothing is to be run.
    pub fn of_case<T: Serialize + DeserializeOwned>(
        &self,
        what: &str,
        case: &Case,
        run: impl FnOnce() -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        self.recall(key(what, case), "what comes of this case", run)
    }

    /// What tests are made from, by the same rule.
    pub fn tests<T: Serialize + DeserializeOwned>(
        &self,
        make: impl FnOnce() -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        self.recall(TESTS.into(), "what its tests are made from", make)
    }

    fn recall<T: Serialize + DeserializeOwned>(
        &self,
        key: String,
        about: &str,
        run: impl FnOnce() -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        let known = self.told.borrow().get(&key).cloned();
        if let Some(known) = known.and_then(|known| serde_json::from_value(known).ok()) {
            return Ok(known);
        }
        if runs_nothing() {
            let campaign = self.campaign.clone();
            let about = about.to_string();
            return Err(FrontEndError::NotObserved { campaign, about }.into());
        }
        let told = run()?;
        if let Ok(value) = serde_json::to_value(&told) {
            self.told.borrow_mut().insert(key, value);
        }
        Ok(told)
    }

    /// Does something, and forgets what was told meanwhile but for this of some cases.
    pub fn only<T>(
        &self,
        what: &str,
        work: impl FnOnce() -> Result<T, Problem>,
        cases: impl FnOnce(&T) -> Vec<Case>,
    ) -> Result<T, Problem> {
        let before: BTreeSet<String> = self.told.borrow().keys().cloned().collect();
        let done = work()?;
        let kept: BTreeSet<String> = cases(&done).iter().map(|case| key(what, case)).collect();
        let mut told = self.told.borrow_mut();
        told.retain(|key, _| before.contains(key) || kept.contains(key));
        drop(told);
        Ok(done)
    }

    /// Saves them.
    pub fn save(&self) -> Result<(), Problem> {
        let none = self.told.borrow().is_empty();
        if none && !record::folder(&self.campaign).join(RECORD).exists() {
            return Ok(());
        }
        let record = Record {
            schema: SCHEMA,
            told: self.told.borrow().clone(),
        };
        record::write(&self.campaign, RECORD, &record)
    }
}

fn key(what: &str, case: &Case) -> String {
    let mut hash = Sha256::new();
    hash.update((case.inputs.len() as u64).to_le_bytes());
    for (name, bytes) in &case.inputs {
        for part in [name.as_bytes(), bytes] {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
    }
    for turn in &case.schedule {
        hash.update(turn.to_le_bytes());
    }
    let hash: String = hash.finalize()[..16]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("{what} {hash}")
}
