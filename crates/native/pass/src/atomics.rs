//! Atomic read-modify-writes: what they leave in memory is computed once more beside them, in
//! ordinary instructions whose labels are those of the memory.

use crate::ir::{self, Block, Ir, Value};
use llvm_sys::LLVMAtomicRMWBinOp::*;
use llvm_sys::LLVMIntPredicate::*;
use llvm_sys::LLVMOpcode::*;
use std::collections::HashMap;

/// What the atomic instructions of a function leave in memory.
#[derive(Default)]
pub struct Atomics {
    stored: HashMap<Value, Value>,
    /// By the last instruction that computes it.
    computed: HashMap<Value, Value>,
}

impl Atomics {
    /// Computes it beside every atomic instruction that can have a label.
    pub fn new(ir: &Ir, function: Value) -> Atomics {
        let mut atomics = Atomics::default();
        for i in function.blocks().into_iter().flat_map(Block::instructions) {
            let rest = match i.opcode() {
                LLVMAtomicRMW | LLVMAtomicCmpXchg => ir::next(i),
                _ => continue,
            };
            ir.before(rest);
            ir.builder.set_place(i.place());
            let stored = match i.opcode() {
                LLVMAtomicRMW => modified(ir, i),
                _ => exchanged(ir, i),
            };
            let Some(stored) = stored else { continue };
            atomics.stored.insert(i, stored);
            let last = rest.previous_instruction();
            let last = last.expect("the atomic stands before it");
            atomics.computed.insert(last, i);
        }
        atomics
    }

    pub fn stored(&self, i: Value) -> Option<Value> {
        self.stored.get(&i).copied()
    }

    /// The atomic instruction for which this is the last of what computes what it stores.
    pub fn computed(&self, last: Value) -> Option<Value> {
        self.computed.get(&last).copied()
    }
}

fn modified(ir: &Ir, i: Value) -> Option<Value> {
    ir.shape_of(i)?;
    let (old, with, b) = (i, i.operand(1), &ir.builder);
    let the = |predicate| b.select(b.compare(predicate, old, with), old, with);
    Some(match i.modifies_by() {
        LLVMAtomicRMWBinOpXchg => with,
        LLVMAtomicRMWBinOpAdd => b.add(old, with),
        LLVMAtomicRMWBinOpSub => b.sub(old, with),
        LLVMAtomicRMWBinOpAnd => b.and(old, with),
        LLVMAtomicRMWBinOpNand => b.not(b.and(old, with)),
        LLVMAtomicRMWBinOpOr => b.or(old, with),
        LLVMAtomicRMWBinOpXor => b.xor(old, with),
        LLVMAtomicRMWBinOpMax => the(LLVMIntSGT),
        LLVMAtomicRMWBinOpMin => the(LLVMIntSLT),
        LLVMAtomicRMWBinOpUMax => the(LLVMIntUGT),
        LLVMAtomicRMWBinOpUMin => the(LLVMIntULT),
        _ => return None,
    })
}

/// Whether it was exchanged is a choice like any other comparison: on this machine nothing but the
/// value decides it.
fn exchanged(ir: &Ir, i: Value) -> Option<Value> {
    let (expected, wanted) = (i.operand(1), i.operand(2));
    ir.shape_of(expected)?;
    let old = ir.builder.member(i, 0);
    let same = ir.equal(old, expected);
    for user in i.users() {
        if user.opcode() == LLVMExtractValue && user.indices() == [1] {
            user.replace_uses(same);
        }
    }
    Some(ir.select(same, wanted, old))
}
