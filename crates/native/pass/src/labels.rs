//! Which values of a function can have a label at all. What cannot (loop counters, addresses of
//! variables, whatever is computed from constants) costs nothing.

use crate::functions::{callee_intrinsic, is_silent};
use crate::ir::{Ir, Value};
use crate::parts;
use llvm_sys::LLVMOpcode::*;
use std::collections::HashSet;

/// Does the instruction compute its label from those of its operands?
pub fn propagates(ir: &Ir, i: Value) -> bool {
    match i.opcode() {
        LLVMPHI => ir.parts_of(i).is_some(),
        LLVMExtractValue | LLVMExtractElement | LLVMInsertValue | LLVMInsertElement
        | LLVMShuffleVector => parts::sources(ir, i).is_some(),
        LLVMFreeze => ir.parts_of(i).is_some(),
        LLVMCall => callee_intrinsic(i).is_some_and(|intrinsic| {
            intrinsic.has_label() && i.arguments().iter().all(|a| ir.shape_of(*a).is_some())
        }),
        LLVMAdd | LLVMSub | LLVMMul | LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem | LLVMShl
        | LLVMLShr | LLVMAShr | LLVMAnd | LLVMOr | LLVMXor | LLVMICmp | LLVMZExt | LLVMSExt
        | LLVMTrunc | LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv | LLVMFRem | LLVMFNeg
        | LLVMFCmp | LLVMFPTrunc | LLVMFPExt | LLVMFPToSI | LLVMFPToUI | LLVMSIToFP
        | LLVMUIToFP | LLVMPtrToInt | LLVMIntToPtr | LLVMBitCast | LLVMGetElementPtr
        | LLVMSelect => ir.shape_of(i).is_some() && has_shapes(ir, i),
        _ => false,
    }
}

fn has_shapes(ir: &Ir, i: Value) -> bool {
    i.operands().iter().all(|o| ir.shape_of(*o).is_some())
}

/// All values of the function that may have a label.
pub fn labelled(ir: &Ir, function: Value) -> HashSet<Value> {
    let mut found = HashSet::new();
    let mut open = Vec::new();
    let parameters = function.parameters().into_iter();
    open.extend(parameters.filter(|parameter| ir.shape_of(*parameter).is_some()));
    for block in function.blocks() {
        for instruction in block.instructions() {
            let source = match instruction.opcode() {
                LLVMLoad => ir.shape_of(instruction).is_some(),
                LLVMAtomicRMW | LLVMAtomicCmpXchg => true,
                LLVMCall | LLVMInvoke => {
                    callee_intrinsic(instruction).is_none() && !is_silent(instruction)
                }
                _ => false,
            };
            if source {
                open.push(instruction);
            }
        }
    }
    while let Some(value) = open.pop() {
        if ir.parts_of(value).is_none() || !found.insert(value) {
            continue;
        }
        for user in value.users() {
            if user.is_instruction()
                && propagates(ir, user)
                && !(user.opcode() == LLVMSelect && only_condition(user, value))
            {
                open.push(user);
            }
        }
    }
    found
}

/// A select's condition is a choice; its label is not part of the result's.
fn only_condition(select: Value, value: Value) -> bool {
    select.operand(1) != value && select.operand(2) != value
}
