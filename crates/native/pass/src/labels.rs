//! Which values of a function can have a label at all. What cannot (loop counters, addresses of
//! variables, whatever is computed from constants) costs nothing.

use crate::ir::{self, Ir, Value};
use crate::module;
use crate::names::{self, Intrinsic};
use crate::parts;
use elsewise_wire::output;
use llvm_sys::LLVMOpcode::{self, *};
use llvm_sys::core::*;
use std::collections::HashSet;

/// Does the instruction compute its label from those of its operands?
pub fn propagates(ir: &Ir, i: Value) -> bool {
    match opcode(i) {
        LLVMPHI => ir.parts_of(i).is_some(),
        LLVMExtractValue | LLVMExtractElement | LLVMInsertValue | LLVMInsertElement
        | LLVMShuffleVector => parts::sources(ir, i).is_some(),
        LLVMFreeze => ir.parts_of(i).is_some(),
        LLVMCall => callee_intrinsic(i).is_some_and(|intrinsic| {
            intrinsic.has_label() && ir::arguments(i).iter().all(|a| ir.shape_of(*a).is_some())
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
    ir::operands(i).iter().all(|o| ir.shape_of(*o).is_some())
}

pub fn opcode(instruction: Value) -> LLVMOpcode {
    unsafe { LLVMGetInstructionOpcode(instruction) }
}

/// The intrinsic that a call calls.
pub fn callee_intrinsic(instruction: Value) -> Option<Intrinsic> {
    if opcode(instruction) != LLVMCall {
        return None;
    }
    let (function, name) = direct_callee(instruction)?;
    let library = unsafe { LLVMIsDeclaration(function) != 0 };
    names::intrinsic(&name).or_else(|| library.then(|| names::mathematical(&name)).flatten())
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
pub fn is_silent(instruction: Value) -> bool {
    direct_callee(instruction)
        .is_some_and(|(function, name)| names::is_silent(&name) && !module::has_body(function))
}

/// A call of a function that only writes out what it is given, where nothing else becomes of that.
pub fn is_output(instruction: Value) -> bool {
    direct_callee(instruction).is_some_and(|(function, name)| {
        output::only_writes(&name)
            && !module::has_body(function)
            && (!is_used(instruction) || !output::tells(&name) || module::is_model(instruction))
    })
}

pub fn is_used(instruction: Value) -> bool {
    unsafe { !LLVMGetFirstUse(instruction).is_null() }
}

/// All values of the function that may have a label.
pub fn labelled(ir: &Ir, function: Value) -> HashSet<Value> {
    let mut found = HashSet::new();
    let mut open = Vec::new();
    unsafe {
        for index in 0..LLVMCountParams(function) {
            let parameter = LLVMGetParam(function, index);
            if ir.shape_of(parameter).is_some() {
                open.push(parameter);
            }
        }
    }
    for block in ir::blocks(function) {
        for instruction in ir::instructions(block) {
            let source = match opcode(instruction) {
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
        unsafe {
            let mut at = LLVMGetFirstUse(value);
            while !at.is_null() {
                let user = LLVMGetUser(at);
                if !LLVMIsAInstruction(user).is_null()
                    && propagates(ir, user)
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
