//! A slice as a flat program over 64-bit registers that computes, beside every value, how far
//! each Bool is from being false and from being true.

use elsewise_term::float::Format;
use elsewise_term::lookup::look_up;
use elsewise_term::meaning::apply_u64;
use elsewise_term::{Op, TermId, Terms, VarId, Walker};
use std::sync::Arc;

/// A distance that no move covers.
const FAR: u64 = 1 << 40;

/// Marks a register that no instruction computes.
pub(super) const LEAF: u32 = u32::MAX;

pub(super) struct Instruction {
    pub op: Op,
    pub dest: u32,
    pub operands: [u32; 3],
    /// Of the result, 1 for Bool.
    pub width: u32,
    /// Of the last operand.
    pub inner: u32,
    truth: bool,
    /// An `Eq` of Bools.
    of_bools: bool,
    /// What a `Lookup` looks up in.
    pub entries: Option<Arc<[u64]>>,
}

pub(super) struct Input {
    pub var: VarId,
    pub register: u32,
    pub width: u32,
}

#[derive(Default)]
pub(super) struct Program {
    pub code: Vec<Instruction>,
    pub registers: Vec<u64>,
    /// Distances of Bool registers to false and to true, 0 for what they are.
    pub distances: Vec<[u64; 2]>,
    /// The instruction that computes a register, or [`LEAF`].
    pub made_by: Vec<u32>,
    /// The input that a register is, or [`LEAF`].
    pub input_of: Vec<u32>,
    pub widths: Vec<u32>,
    pub inputs: Vec<Input>,
    /// Registers of the slice's conditions.
    pub roots: Vec<u32>,
    /// Where a term stands; only entries of terms in `reached` are valid.
    slots: Vec<u32>,
    reached: Vec<TermId>,
    walker: Walker,
}

/// `d` on a scale that grows like its logarithm, 0 for 0: so that the distances of a byte and of
/// a word can be summed, and still a difference of 1 shows where `d` is small.
fn scaled(d: u64) -> u64 {
    const ONE: u64 = 0x3ff0_0000_0000_0000;
    ((d as f64 + 1.0).to_bits() - ONE) >> 36
}

fn signed(width: u32, value: u64) -> i64 {
    let shift = 64 - width;
    ((value << shift) as i64) >> shift
}

impl Program {
    /// Compiles a slice; false if it is too large or has values of more than 64 bits.
    pub fn compile(&mut self, terms: &Terms, slice: &[TermId], max_size: usize) -> bool {
        self.reached.clear();
        let reached = &mut self.reached;
        self.walker.restart();
        let complete = self
            .walker
            .walk(terms, slice, max_size, |term| reached.push(term));
        if !complete || reached.iter().any(|term| terms.value_width(*term) > 64) {
            return false;
        }
        // Operands have smaller ids.
        reached.sort_unstable();
        if self.slots.len() < terms.len() {
            self.slots.resize(terms.len(), 0);
        }
        let count = self.reached.len();
        self.code.clear();
        self.inputs.clear();
        self.registers.clear();
        self.registers.resize(count, 0);
        self.distances.clear();
        self.distances.resize(count, [0, 0]);
        self.made_by.clear();
        self.made_by.resize(count, LEAF);
        self.input_of.clear();
        self.input_of.resize(count, LEAF);
        self.widths.clear();
        for (register, term) in self.reached.iter().enumerate() {
            let width = terms.value_width(*term);
            self.slots[term.index()] = register as u32;
            self.widths.push(width);
            if let Some(op) = terms.op(*term) {
                let ids = terms.operands(*term);
                let mut operands = [0; 3];
                for (to, id) in operands.iter_mut().zip(ids.iter()) {
                    *to = self.slots[id.index()];
                }
                self.made_by[register] = self.code.len() as u32;
                self.code.push(Instruction {
                    op,
                    dest: register as u32,
                    operands,
                    width,
                    inner: terms.value_width(ids[ids.len() - 1]),
                    truth: terms.is_bool(*term),
                    of_bools: terms.is_bool(ids[ids.len() - 1]),
                    entries: match op {
                        Op::Lookup { table } => Some(terms.table_of(table).entries().clone()),
                        _ => None,
                    },
                });
            } else if let Some(var) = terms.as_var(*term) {
                self.input_of[register] = self.inputs.len() as u32;
                self.inputs.push(Input {
                    var,
                    register: register as u32,
                    width,
                });
            } else if let Some(value) = terms.as_u64(*term) {
                self.registers[register] = value;
                self.distances[register] = match value {
                    0 => [0, FAR],
                    _ => [FAR, 0],
                };
            }
        }
        self.roots.clear();
        self.roots
            .extend(slice.iter().map(|term| self.slots[term.index()]));
        true
    }

    pub fn is_constant(&self, register: u32) -> bool {
        self.made_by[register as usize] == LEAF && self.input_of[register as usize] == LEAF
    }

    pub fn set(&mut self, input: usize, value: u64) {
        let input = &self.inputs[input];
        self.registers[input.register as usize] = value;
        // Of use only for a Bool.
        self.distances[input.register as usize] = match value {
            0 => [0, scaled(1)],
            _ => [scaled(1), 0],
        };
    }

    pub fn get(&self, input: usize) -> u64 {
        self.registers[self.inputs[input].register as usize]
    }

    /// Computes all registers; the sum of the conditions' distances, 0 if all hold.
    pub fn run(&mut self) -> u64 {
        let (registers, distances) = (&mut self.registers, &mut self.distances);
        for step in &self.code {
            let [a, b, c] = step.operands.map(|operand| operand as usize);
            let values = [registers[a], registers[b], registers[c]];
            let value = match &step.entries {
                Some(entries) => look_up(entries, values[0]),
                None => apply_u64(step.op, step.width, step.inner, values),
            };
            registers[step.dest as usize] = value;
            if step.truth {
                let operands = [distances[a], distances[b], distances[c]];
                distances[step.dest as usize] = distance(step, values, operands, value == 1);
            }
        }
        self.roots
            .iter()
            .map(|root| distances[*root as usize][1])
            .fold(0, u64::saturating_add)
    }
}

fn distance(step: &Instruction, values: [u64; 3], of: [[u64; 2]; 3], holds: bool) -> [u64; 2] {
    let [a, b, _] = values;
    let [x, y, z] = of;
    let sides = |to_true: u64, to_false: u64| match holds {
        true => [scaled(to_false), 0],
        false => [0, scaled(to_true)],
    };
    // For the signed order, counted from the least value.
    let turned = |value: u64| (signed(step.inner, value) as u64) ^ (1 << 63);
    let both = u64::saturating_add;
    match step.op {
        Op::Not => [x[1], x[0]],
        Op::And => [x[0].min(y[0]), both(x[1], y[1])],
        Op::Or => [both(x[0], y[0]), x[1].min(y[1])],
        Op::Xor => [
            both(x[0], y[0]).min(both(x[1], y[1])),
            both(x[0], y[1]).min(both(x[1], y[0])),
        ],
        Op::Eq if step.of_bools => [
            both(x[0], y[1]).min(both(x[1], y[0])),
            both(x[0], y[0]).min(both(x[1], y[1])),
        ],
        Op::Ite => [
            both(x[1], y[0]).min(both(x[0], z[0])),
            both(x[1], y[1]).min(both(x[0], z[1])),
        ],
        Op::Eq => sides(a.abs_diff(b), 1),
        Op::BvUlt => sides(a.wrapping_sub(b).saturating_add(1), b.wrapping_sub(a)),
        Op::BvUle => sides(a.wrapping_sub(b), b.wrapping_sub(a).saturating_add(1)),
        Op::BvSlt => {
            let (a, b) = (turned(a), turned(b));
            sides(a.wrapping_sub(b).saturating_add(1), b.wrapping_sub(a))
        }
        Op::BvSle => {
            let (a, b) = (turned(a), turned(b));
            sides(a.wrapping_sub(b), b.wrapping_sub(a).saturating_add(1))
        }
        Op::FEq | Op::FLt | Op::FLe => {
            let far = float_distance(step, a, b, holds);
            sides(far, far)
        }
        _ => sides(1, 1),
    }
}

/// How far a comparison of floats is from what it is not: steps from float to float.
fn float_distance(step: &Instruction, a: u64, b: u64, holds: bool) -> u64 {
    let format = Format::of(step.inner);
    if format.is_nan(a) || format.is_nan(b) {
        return u64::MAX / 2;
    }
    let (x, y) = (format.rank(a), format.rank(b));
    match step.op {
        // Any other value will do.
        Op::FEq if holds => 1,
        _ => x.abs_diff(y).saturating_add(1),
    }
}
