//! Which values of a function can have a label at all. What cannot (loop counters, addresses of
//! variables, whatever is computed from constants) costs nothing.

use crate::ir::{self, Ir, Value};
use crate::module;
use crate::names::{self, Intrinsic};
use llvm_sys::LLVMOpcode::{self, *};
use llvm_sys::core::*;
use std::collections::HashSet;

/// Does the instruction compute its label from those of its operands?
pub fn propagates(instruction: Value) -> bool {
    matches!(
        unsafe { LLVMGetInstructionOpcode(instruction) },
        LLVMAdd
            | LLVMSub
            | LLVMMul
            | LLVMUDiv
            | LLVMSDiv
            | LLVMURem
            | LLVMSRem
            | LLVMShl
            | LLVMLShr
            | LLVMAShr
            | LLVMAnd
            | LLVMOr
            | LLVMXor
            | LLVMICmp
            | LLVMZExt
            | LLVMSExt
            | LLVMTrunc
            | LLVMPtrToInt
            | LLVMIntToPtr
            | LLVMBitCast
            | LLVMFreeze
            | LLVMGetElementPtr
            | LLVMPHI
            | LLVMSelect
    ) || matches!(
        callee_intrinsic(instruction),
        Some(Intrinsic::Same | Intrinsic::ByteSwap)
    )
}

pub fn opcode(instruction: Value) -> LLVMOpcode {
    unsafe { LLVMGetInstructionOpcode(instruction) }
}

/// The intrinsic that a call calls.
pub fn callee_intrinsic(instruction: Value) -> Option<Intrinsic> {
    if opcode(instruction) != LLVMCall {
        return None;
    }
    names::intrinsic(&direct_callee(instruction)?.1)
}

/// The function that a call names directly.
pub fn direct_callee(instruction: Value) -> Option<(Value, String)> {
    unsafe {
        let callee = LLVMGetCalledValue(instruction);
        let function = LLVMIsAFunction(callee);
        (!function.is_null()).then(|| (function, ir::name_of(function)))
    }
}

/// A call of a function that is known not to matter for labels.
pub fn is_only_output(instruction: Value) -> bool {
    direct_callee(instruction)
        .is_some_and(|(function, name)| names::only_output(&name) && !module::has_body(function))
}

/// All values of the function that may have a label.
pub fn labelled(ir: &Ir, function: Value) -> HashSet<Value> {
    let mut found = HashSet::new();
    let mut open = Vec::new();
    unsafe {
        for index in 0..LLVMCountParams(function) {
            open.push(LLVMGetParam(function, index));
        }
    }
    for block in ir::blocks(function) {
        for instruction in ir::instructions(block) {
            let source = match opcode(instruction) {
                LLVMLoad => true,
                LLVMCall => callee_intrinsic(instruction).is_none() && !is_only_output(instruction),
                _ => false,
            };
            if source {
                open.push(instruction);
            }
        }
    }
    while let Some(value) = open.pop() {
        if ir.shape_of(value).is_none() || !found.insert(value) {
            continue;
        }
        unsafe {
            let mut at = LLVMGetFirstUse(value);
            while !at.is_null() {
                let user = LLVMGetUser(at);
                if !LLVMIsAInstruction(user).is_null()
                    && propagates(user)
                    && !(opcode(user) == LLVMSelect && only_condition(user, value))
                {
                    open.push(user);
                }
                at = LLVMGetNextUse(at);
            }
        }
    }
    found
}

/// A select's condition is a choice; its label is not part of the result's.
fn only_condition(select: Value, value: Value) -> bool {
    ir::operand(select, 1) != value && ir::operand(select, 2) != value
}
