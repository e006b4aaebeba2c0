//! Bit-vectors as propositional logic, decided by CaDiCaL.
//!
//! One SAT solver is kept from query to query with the gates made so far. Each condition is a
//! literal that a query assumes, so nothing has to be taken back, and the assumptions that failed
//! are the conflict. When most of what the solver holds is of no use to a query, it starts anew:
//! a SAT solver gives every variable a value, needed or not.

mod circuits;
mod gates;

use crate::stage::{Request, Stage, Verdict};
use elsewise_term::float::{compares, is_float};
use elsewise_term::{Bits, Op, TermId, Terms, VarId};
use gates::{FALSE, Gates, Lit, TRUE};
use rustc_hash::FxHashMap;
use std::time::Instant;

/// Variables that a solver may hold whatever the query needs.
const ALWAYS_KEPT: usize = 20_000;
/// Variables beyond which a query is given up.
const MAX_VARIABLES: usize = 4_000_000;

pub(crate) struct Bitblast {
    gates: Gates,
    /// Where the bits of a term stand in `bits`.
    known: FxHashMap<TermId, (u32, u32)>,
    bits: Vec<Lit>,
    stack: Vec<TermId>,
}

/// Why gates were not made.
enum Refused {
    /// Time or room ran out.
    TooMuch,
    /// Arithmetic on floats: left to the next stage.
    Floats,
}

impl Bitblast {
    pub fn new() -> Bitblast {
        Bitblast {
            gates: Gates::new(),
            known: FxHashMap::default(),
            bits: Vec::new(),
            stack: Vec::new(),
        }
    }

    fn restart(&mut self) {
        *self = Bitblast::new();
    }

    fn lits(&self, term: TermId) -> &[Lit] {
        let (start, count) = self.known[&term];
        &self.bits[start as usize..][..count as usize]
    }

    fn keep(&mut self, term: TermId, bits: &[Lit]) {
        let start = self.bits.len() as u32;
        self.bits.extend_from_slice(bits);
        self.known.insert(term, (start, bits.len() as u32));
    }

    /// Makes the gates of a term and of all below it.
    fn translate(
        &mut self,
        terms: &Terms,
        root: TermId,
        request: &Request<'_>,
    ) -> Result<(), Refused> {
        self.stack.clear();
        self.stack.push(root);
        let mut made = 0u32;
        while let Some(term) = self.stack.last().copied() {
            if self.known.contains_key(&term) {
                self.stack.pop();
                continue;
            }
            let operands = terms.operands(term);
            let before = self.stack.len();
            for operand in operands.iter() {
                if !self.known.contains_key(operand) {
                    self.stack.push(*operand);
                }
            }
            if self.stack.len() > before {
                continue;
            }
            self.stack.pop();
            made += 1;
            if self.gates.size() > MAX_VARIABLES
                || made.is_multiple_of(256) && Instant::now() > request.deadline
            {
                return Err(Refused::TooMuch);
            }
            if costly(terms, term) > MAX_VARIABLES {
                return Err(Refused::TooMuch);
            }
            if terms
                .op(term)
                .is_some_and(|op| is_float(op) && !compares(op))
            {
                return Err(Refused::Floats);
            }
            let bits = self.circuit(terms, term, &operands, request);
            debug_assert_eq!(bits.len(), terms.value_width(term) as usize);
            self.keep(term, &bits);
        }
        Ok(())
    }

    fn circuit(
        &mut self,
        terms: &Terms,
        term: TermId,
        operands: &[TermId],
        request: &Request<'_>,
    ) -> Vec<Lit> {
        let width = terms.value_width(term) as usize;
        let Some(op) = terms.op(term) else {
            if let Some(var) = terms.as_var(term) {
                // The SAT solver tries every variable true first: that shall be the present value,
                // so that models stay near it.
                let present = request.present_value(terms, var);
                return (0..width as u32)
                    .map(|bit| match present.bit(bit) {
                        true => self.gates.fresh(),
                        false => -self.gates.fresh(),
                    })
                    .collect();
            }
            let value = match terms.as_bool(term) {
                Some(value) => Bits::new(1, value.into()),
                None => terms
                    .as_bits(term)
                    .expect("a leaf is an input or a constant"),
            };
            return (0..width as u32)
                .map(|bit| Gates::constant(value.bit(bit)))
                .collect();
        };
        let operand = |index: usize| self.lits(operands[index]).to_vec();
        let a = operand(0);
        let b = if operands.len() > 1 {
            operand(1)
        } else {
            Vec::new()
        };
        let c = if operands.len() > 2 {
            operand(2)
        } else {
            Vec::new()
        };
        let gates = &mut self.gates;
        let each = |gates: &mut Gates, f: fn(&mut Gates, Lit, Lit) -> Lit| {
            a.iter().zip(&b).map(|(a, b)| f(gates, *a, *b)).collect()
        };
        match op {
            Op::Not | Op::BvNot => a.iter().map(|bit| -bit).collect(),
            Op::And | Op::BvAnd => each(gates, Gates::and),
            Op::Or | Op::BvOr => each(gates, Gates::or),
            Op::Xor | Op::BvXor => each(gates, Gates::xor),
            Op::Ite => gates.choose(a[0], &b, &c),
            Op::Eq => vec![gates.equal(&a, &b)],
            Op::BvNeg => gates.neg(&a),
            Op::BvAdd => gates.add(&a, &b),
            Op::BvSub => gates.sub(&a, &b),
            Op::BvMul => gates.mul(&a, &b),
            // Equal gates are made once, so quotient and remainder of the same operands share.
            Op::BvUDiv => gates.divide(&a, &b).0,
            Op::BvURem => gates.divide(&a, &b).1,
            Op::BvSDiv => gates.divide_signed(&a, &b).0,
            Op::BvSRem => gates.divide_signed(&a, &b).1,
            Op::BvShl => gates.shift_up(&a, &b),
            Op::BvLShr => gates.shift_down(&a, &b, FALSE),
            Op::BvAShr => gates.shift_down(&a, &b, a[width - 1]),
            Op::Concat => b.iter().chain(&a).copied().collect(),
            Op::Extract { low } => a[low as usize..][..width].to_vec(),
            Op::ZeroExtend => {
                let mut bits = a;
                bits.resize(width, FALSE);
                bits
            }
            Op::SignExtend => {
                let sign = a[a.len() - 1];
                let mut bits = a;
                bits.resize(width, sign);
                bits
            }
            Op::Lookup { table } => gates.look_up(terms.table_of(table), &a),
            Op::BvUlt => vec![-gates.at_most(&b, &a)],
            Op::BvUle => vec![gates.at_most(&a, &b)],
            Op::BvSlt => vec![-gates.at_most_signed(&b, &a)],
            Op::BvSle => vec![gates.at_most_signed(&a, &b)],
            Op::FEq | Op::FLt | Op::FLe => vec![gates.compare_floats(op, &a, &b)],
            _ => unreachable!("{op:?} was refused"),
        }
    }

    fn model(&self, terms: &Terms, request: &Request<'_>) -> Vec<(VarId, Bits)> {
        let mut values = Vec::with_capacity(request.inputs.len());
        for var in request.inputs {
            let term = terms.var_term(*var);
            if !self.known.contains_key(&term) {
                continue;
            }
            let present = request.present_value(terms, *var);
            let mut words = vec![0u64; present.width().div_ceil(64) as usize];
            for (index, lit) in self.lits(term).iter().enumerate() {
                let value = match self.gates.sat.value(lit.abs()) {
                    Some(value) => value == (*lit > 0),
                    None => present.bit(index as u32),
                };
                words[index / 64] |= u64::from(value) << (index % 64);
            }
            values.push((*var, Bits::from_words(present.width(), &words)));
        }
        values
    }
}

/// Gates of one term, roughly: for a wide product or quotient alone they can be too many.
fn costly(terms: &Terms, term: TermId) -> usize {
    let width = terms.value_width(term) as usize;
    match terms.op(term) {
        Some(Op::BvMul | Op::BvUDiv | Op::BvURem | Op::BvSDiv | Op::BvSRem) => {
            width.saturating_mul(width)
        }
        Some(Op::Lookup { table }) => width.saturating_mul(terms.table_of(table).entries().len()),
        _ => width,
    }
}

impl Stage for Bitblast {
    fn name(&self) -> &'static str {
        "bitblast"
    }

    fn ask(&mut self, terms: &mut Terms, request: &Request<'_>) -> Verdict {
        if self.gates.size() > ALWAYS_KEPT + 32 * request.size {
            self.restart();
        }
        let mut assumed: FxHashMap<Lit, TermId> = FxHashMap::default();
        for condition in request.slice {
            match self.translate(terms, *condition, request) {
                Ok(()) => {}
                Err(Refused::Floats) => return Verdict::Open,
                Err(Refused::TooMuch) => {
                    self.restart();
                    return Verdict::Limit;
                }
            }
            let lit = self.lits(*condition)[0];
            match lit {
                TRUE => {}
                FALSE => return Verdict::Unsat(vec![*condition]),
                _ => {
                    if let Some(other) = assumed.get(&-lit) {
                        return Verdict::Unsat(vec![*other, *condition]);
                    }
                    assumed.entry(lit).or_insert(*condition);
                }
            }
        }
        let left = request.deadline.saturating_duration_since(Instant::now());
        let sat = &mut self.gates.sat;
        sat.set_callbacks(Some(cadical::Timeout::new(left.as_secs_f32())));
        let conflicts = request.max_conflicts.min(i32::MAX as u32) as i32;
        if sat.set_limit("conflicts", conflicts).is_err() {
            return Verdict::Limit;
        }
        // In the order of the slice, which does not depend on how a map hashes.
        let mut lits: Vec<(TermId, Lit)> = assumed.iter().map(|(l, t)| (*t, *l)).collect();
        lits.sort_unstable();
        match sat.solve_with(lits.iter().map(|(_, lit)| *lit)) {
            Some(true) => Verdict::Sat(self.model(terms, request)),
            Some(false) => Verdict::Unsat(
                lits.iter()
                    .filter(|(_, lit)| self.gates.sat.failed(*lit))
                    .map(|(term, _)| *term)
                    .collect(),
            ),
            None => Verdict::Limit,
        }
    }

    fn forget(&mut self) {
        self.restart();
    }
}
