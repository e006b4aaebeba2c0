//! Z3, loaded at run time: what decides when the others give up, and the truth that they are
//! tested against. The command asks it in a process of its own ([`SolverProgram`]), which may break.

mod api;
mod floats;
mod process;
mod talk;
mod translate;

use crate::stage::{Request, Stage, Verdict};
pub use process::{SolverProgram, serve, spent_outside};

use api::Api;
use elsewise_term::{Bits, Op, TermId, Terms, VarId, Walker};
use process::Process;
use std::sync::{Arc, Mutex, PoisonError};
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
        self.ask(terms, conditions, limit, true)
    }

    fn ask(
        &self,
        terms: &Terms,
        conditions: &[TermId],
        limit: Duration,
        small_core: bool,
    ) -> Z3Answer {
        // Two questions at once, each in a context of its own, are more than the library can take.
        static ONE: Mutex<()> = Mutex::new(());
        let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
        translate::check(&self.api, terms, conditions, limit, small_core)
    }

    /// Whether all conditions can hold at once; none if Z3 gave up.
    pub fn satisfiable(
        &self,
        terms: &Terms,
        conditions: &[TermId],
        limit: Duration,
    ) -> Option<bool> {
        match self.ask(terms, conditions, limit, false) {
            Z3Answer::Sat(_) => Some(true),
            Z3Answer::Unsat(_) => Some(false),
            Z3Answer::Unknown => None,
        }
    }
}

/// Where Z3 is asked.
enum Backend {
    Here(Z3),
    There(Process),
}

pub(crate) struct Z3Stage {
    place: Backend,
    walker: Walker,
}

impl Z3Stage {
    pub const NAME: &'static str = "z3";

    /// In a process of its own where there is a program for that. The error is that there is no Z3.
    pub fn new(program: Option<SolverProgram>) -> Result<Z3Stage, LoadError> {
        let place = match program {
            None => Backend::Here(Z3::load()?),
            Some(program) => {
                api::find()?;
                Backend::There(Process::new(program))
            }
        };
        Ok(Z3Stage {
            place,
            walker: Walker::new(),
        })
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
        let answer = match &mut self.place {
            Backend::Here(z3) => z3.check(terms, request.slice, left),
            Backend::There(process) => process.check(terms, request.slice, left),
        };
        match answer {
            Z3Answer::Sat(values) => Verdict::Sat(values),
            Z3Answer::Unsat(core) => Verdict::Unsat(core),
            Z3Answer::Unknown => Verdict::Limit,
        }
    }
}
