//! Atomic read-modify-writes: what they leave in memory is computed once more beside them, in
//! ordinary instructions whose labels are those of the memory.

use crate::ir::{self, Ir, Value};
use crate::labels::opcode;
use llvm_sys::LLVMAtomicRMWBinOp::*;
use llvm_sys::LLVMIntPredicate::*;
use llvm_sys::LLVMOpcode::*;
use llvm_sys::core::*;
use llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
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
        for i in ir::blocks(function).into_iter().flat_map(ir::instructions) {
            let rest = match opcode(i) {
                LLVMAtomicRMW | LLVMAtomicCmpXchg => ir::next(i),
                _ => continue,
            };
            ir.before(rest);
            unsafe { LLVMSetCurrentDebugLocation2(ir.builder, LLVMInstructionGetDebugLoc(i)) };
            let stored = match opcode(i) {
                LLVMAtomicRMW => modified(ir, i),
                _ => exchanged(ir, i),
            };
            let Some(stored) = stored else { continue };
            atomics.stored.insert(i, stored);
            atomics
                .computed
                .insert(unsafe { LLVMGetPreviousInstruction(rest) }, i);
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
    let (old, with, none) = (i, ir::operand(i, 1), c"".as_ptr());
    let b = ir.builder;
    let the = |predicate| unsafe {
        let condition = LLVMBuildICmp(b, predicate, old, with, none);
        LLVMBuildSelect(b, condition, old, with, none)
    };
    unsafe {
        Some(match LLVMGetAtomicRMWBinOp(i) {
            LLVMAtomicRMWBinOpXchg => with,
            LLVMAtomicRMWBinOpAdd => LLVMBuildAdd(b, old, with, none),
            LLVMAtomicRMWBinOpSub => LLVMBuildSub(b, old, with, none),
            LLVMAtomicRMWBinOpAnd => LLVMBuildAnd(b, old, with, none),
            LLVMAtomicRMWBinOpNand => LLVMBuildNot(b, LLVMBuildAnd(b, old, with, none), none),
            LLVMAtomicRMWBinOpOr => LLVMBuildOr(b, old, with, none),
            LLVMAtomicRMWBinOpXor => LLVMBuildXor(b, old, with, none),
            LLVMAtomicRMWBinOpMax => the(LLVMIntSGT),
            LLVMAtomicRMWBinOpMin => the(LLVMIntSLT),
            LLVMAtomicRMWBinOpUMax => the(LLVMIntUGT),
            LLVMAtomicRMWBinOpUMin => the(LLVMIntULT),
            _ => return None,
        })
    }
}

/// Whether it was exchanged is a choice like any other comparison: on this machine nothing but the
/// value decides it.
fn exchanged(ir: &Ir, i: Value) -> Option<Value> {
    let (expected, wanted, none) = (ir::operand(i, 1), ir::operand(i, 2), c"".as_ptr());
    ir.shape_of(expected)?;
    unsafe {
        let old = LLVMBuildExtractValue(ir.builder, i, 0, none);
        let same = LLVMBuildICmp(ir.builder, LLVMIntEQ, old, expected, none);
        let mut users = Vec::new();
        let mut at = LLVMGetFirstUse(i);
        while !at.is_null() {
            users.push(LLVMGetUser(at));
            at = LLVMGetNextUse(at);
        }
        for user in users {
            if opcode(user) == LLVMExtractValue && *LLVMGetIndices(user) == 1 {
                LLVMReplaceAllUsesWith(user, same);
            }
        }
        Some(LLVMBuildSelect(ir.builder, same, wanted, old, none))
    }
}
