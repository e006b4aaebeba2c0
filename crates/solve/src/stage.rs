//! What every stage of the pipeline is.

use elsewise_term::{Bits, Model, TermId, Terms, VarId};
use std::time::Instant;

/// A query after slicing.
pub(crate) struct Request<'a> {
    /// Conditions that must all hold, the wanted one last.
    pub slice: &'a [TermId],
    pub wanted: TermId,
    pub present: &'a Model,
    /// Inputs of the slice, ascending.
    pub inputs: &'a [VarId],
    /// Subterms of the slice.
    pub size: usize,
    /// Something in it is much work for the bit-blaster: division, or a product of unknowns.
    pub hard: bool,
    pub deadline: Instant,
    pub max_conflicts: u32,
}

impl Request<'_> {
    /// Value of an input in the run that the query is from, in its own width.
    pub fn present_value(&self, terms: &Terms, var: VarId) -> Bits {
        let width = terms.value_width(terms.var_term(var));
        match self.present.get(var) {
            Some(value) if value.width() == width => value.clone(),
            Some(value) => Bits::from_words(width, &value.words().collect::<Vec<_>>()),
            None => Bits::zero(width),
        }
    }
}

/// What a stage says of a request.
pub(crate) enum Verdict {
    /// Values of inputs of the slice; those not mentioned stay as they are.
    Sat(Vec<(VarId, Bits)>),
    /// Conditions of the slice that conflict.
    Unsat(Vec<TermId>),
    /// Not for this stage to say.
    Open,
    /// This stage could have said, but for a limit.
    Limit,
}

pub(crate) trait Stage {
    fn name(&self) -> &'static str;

    fn ask(&mut self, terms: &mut Terms, request: &Request<'_>) -> Verdict;

    /// Told of what another stage decided.
    fn learn(&mut self, _terms: &Terms, _request: &Request<'_>, _verdict: &Verdict) {}

    /// Told to forget everything about terms: their table is another one from now on.
    fn forget(&mut self) {}
}
