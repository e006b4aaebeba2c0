//! Values of inputs, and the value of a term under them.

use crate::{Bits, TermId, Terms, VarId};
use rustc_hash::FxHashMap;

/// Values of inputs; an input that is not there is zero (false).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    values: FxHashMap<VarId, Bits>,
}

impl Model {
    /// A Bool is a value of width 1.
    pub fn set(&mut self, var: VarId, value: Bits) {
        self.values.insert(var, value);
    }

    pub fn get(&self, var: VarId) -> Option<&Bits> {
        self.values.get(&var)
    }

    pub fn iter(&self) -> impl Iterator<Item = (VarId, &Bits)> {
        self.values.iter().map(|(var, value)| (*var, value))
    }
}

impl Terms {
    /// Value of a Bool term.
    pub fn eval_bool(&self, _term: TermId, _model: &Model) -> bool {
        unimplemented!()
    }

    /// Value of a bit-vector term.
    pub fn eval_bits(&self, _term: TermId, _model: &Model) -> Bits {
        unimplemented!()
    }
}
