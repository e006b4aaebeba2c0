//! Z3, loaded at run time: what decides when the others give up, and the truth that they are
//! tested against.

mod api;
mod floats;
mod translate;

use crate::stage::{Request, Stage, Verdict};
use api::Api;
use elsewise_term::{Bits, Op, TermId, Terms, VarId, Walker};
use std::sync::Arc;
use std::time::Duration;

/// Larger slices are not given to Z3, which walks some terms by recursion.
const MAX_SIZE: usize = 50_000;

/// Why there is no Z3.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error(
        "no Z3 library found (install libz3, or set ELSEWISE_LIBZ3 to its path; last tried: {0})"
    )]
    NotFound(String),
    #[error("the Z3 library lacks {0} (install Z3 4.8 or newer)")]
    Incomplete(String),
}

/// A loaded libz3.
#[derive(Clone)]
pub struct Z3 {
    api: Arc<Api>,
}

/// What Z3 says of some conditions.
#[derive(Debug)]
pub enum Z3Answer {
    Sat(Vec<(VarId, Bits)>),
    /// Conditions that conflict.
    Unsat(Vec<TermId>),
    Unknown,
}

impl Z3 {
    /// Looks for libz3: `ELSEWISE_LIBZ3`, then where the system's loader looks.
    pub fn load() -> Result<Z3, LoadError> {
        Ok(Z3 {
            api: Arc::new(Api::load()?),
        })
    }

    /// Z3's version, as it says it.
    pub fn version(&self) -> String {
        self.api.version()
    }

    /// Values of inputs with which all conditions hold, or those that conflict.
    pub fn check(&self, terms: &Terms, conditions: &[TermId], limit: Duration) -> Z3Answer {
        translate::check(&self.api, terms, conditions, limit, true)
    }

    /// Whether all conditions can hold at once; none if Z3 gave up.
    pub fn satisfiable(
        &self,
        terms: &Terms,
        conditions: &[TermId],
        limit: Duration,
    ) -> Option<bool> {
        match translate::check(&self.api, terms, conditions, limit, false) {
            Z3Answer::Sat(_) => Some(true),
            Z3Answer::Unsat(_) => Some(false),
            Z3Answer::Unknown => None,
        }
    }
}

pub(crate) struct Z3Stage {
    z3: Z3,
    walker: Walker,
}

impl Z3Stage {
    pub const NAME: &'static str = "z3";

    pub fn new(z3: Z3) -> Z3Stage {
        Z3Stage {
            z3,
            walker: Walker::new(),
        }
    }
}

impl Stage for Z3Stage {
    fn name(&self) -> &'static str {
        Z3Stage::NAME
    }

    fn forget(&mut self) {
        self.walker = Walker::new();
    }

    fn ask(&mut self, terms: &mut Terms, request: &Request<'_>) -> Verdict {
        let left = request
            .deadline
            .saturating_duration_since(std::time::Instant::now());
        if request.size > MAX_SIZE || left.is_zero() {
            return Verdict::Limit;
        }
        // Z3's remainder of floats is another one.
        let mut remainder = false;
        self.walker.restart();
        self.walker.walk(terms, request.slice, usize::MAX, |term| {
            remainder |= terms.op(term) == Some(Op::FRem);
        });
        if remainder {
            return Verdict::Open;
        }
        match self.z3.check(terms, request.slice, left) {
            Z3Answer::Sat(values) => Verdict::Sat(values),
            Z3Answer::Unsat(core) => Verdict::Unsat(core),
            Z3Answer::Unknown => Verdict::Limit,
        }
    }
}
