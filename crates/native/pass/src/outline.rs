//! Moves slow paths out of the function: each becomes a function of its own that keeps the
//! caller's registers.
//!
//! A slow path is many calls of the runtime in the middle of code that never takes it. Left in
//! place they make the register allocator work for minutes on long functions, and the quick path
//! spills around them. Outside, the function has one call per slow path, and that call destroys
//! hardly any register. Labels that are wanted after a slow path come back through the call frame.

use crate::calls;
use crate::ir::{self, Block, Ir, Value};
use llvm_sys::LLVMLinkage;
use llvm_sys::core::*;
use llvm_sys::debuginfo::LLVMInstructionSetDebugLoc;
use std::collections::{HashMap, HashSet};

/// `CallingConv::PreserveMost`.
const PRESERVE_MOST: u32 = 14;

/// A path so short is left where it is.
const FEW: usize = 2;

/// Moves the code of `block`, which ends in a jump, into a function of its own.
pub fn outline(ir: &Ir, frame: Value, block: Block) {
    let mut code = ir::instructions(block);
    let Some(jump) = code.pop() else {
        return;
    };
    let calls = code
        .iter()
        .filter(|i| unsafe { !LLVMIsACallInst(**i).is_null() })
        .count();
    let inside: HashSet<Value> = code.iter().copied().collect();
    let results: Vec<Value> = code
        .iter()
        .copied()
        .filter(|i| used_outside(*i, &inside))
        .collect();
    if calls < FEW || results.len() > calls::OUTLINED {
        return;
    }
    let needed = needed(&code, &inside);
    let function = declare(ir, &needed);
    let places: HashMap<Value, Value> = needed
        .iter()
        .enumerate()
        .map(|(index, value)| (*value, unsafe { LLVMGetParam(function, index as u32) }))
        .collect();
    unsafe {
        let body = LLVMAppendBasicBlockInContext(ir.context, function, c"".as_ptr());
        LLVMPositionBuilderAtEnd(ir.builder, body);
        LLVMSetCurrentDebugLocation2(ir.builder, std::ptr::null_mut());
        for instruction in &code {
            LLVMInstructionRemoveFromParent(*instruction);
            LLVMInsertIntoBuilder(ir.builder, *instruction);
            LLVMInstructionSetDebugLoc(*instruction, std::ptr::null_mut());
            for (index, operand) in ir::operands(*instruction).into_iter().enumerate() {
                if let Some(place) = places.get(&operand) {
                    LLVMSetOperand(*instruction, index as u32, *place);
                }
            }
        }
        let end = LLVMBuildRetVoid(ir.builder);
        ir.before(jump);
        let call = ir.call_value(function, LLVMGlobalGetValueType(function), &needed);
        LLVMSetInstructionCallConv(call, PRESERVE_MOST);
        for (index, result) in results.iter().enumerate() {
            let ty = ir::type_of(*result);
            let back = ir.load(ty, calls::outlined_place(ir, frame, index));
            replace_outside(*result, back, &inside);
        }
        LLVMPositionBuilderBefore(ir.builder, end);
        LLVMSetCurrentDebugLocation2(ir.builder, std::ptr::null_mut());
        for (index, result) in results.iter().enumerate() {
            ir.store(*result, calls::outlined_place(ir, frame, index));
        }
    }
}

/// What the code uses and does not compute itself.
fn needed(code: &[Value], inside: &HashSet<Value>) -> Vec<Value> {
    let mut seen = HashSet::new();
    let mut needed = Vec::new();
    for instruction in code {
        for operand in ir::operands(*instruction) {
            let local = unsafe {
                !LLVMIsAInstruction(operand).is_null() || !LLVMIsAArgument(operand).is_null()
            };
            if local && !inside.contains(&operand) && seen.insert(operand) {
                needed.push(operand);
            }
        }
    }
    needed
}

fn declare(ir: &Ir, needed: &[Value]) -> Value {
    unsafe {
        let mut types: Vec<_> = needed.iter().map(|value| ir::type_of(*value)).collect();
        let ty = LLVMFunctionType(ir.void, types.as_mut_ptr(), types.len() as u32, 0);
        let function = LLVMAddFunction(ir.module, c"__elw_slow".as_ptr(), ty);
        LLVMSetLinkage(function, LLVMLinkage::LLVMInternalLinkage);
        LLVMSetFunctionCallConv(function, PRESERVE_MOST);
        for name in ["nounwind", "cold", "noinline"] {
            ir.add_function_attribute(function, name);
        }
        // The way back goes through it when the stack ends in what it calls.
        let (kind, value) = ("frame-pointer", "all");
        let attribute = LLVMCreateStringAttribute(
            ir.context,
            kind.as_ptr().cast(),
            kind.len() as u32,
            value.as_ptr().cast(),
            value.len() as u32,
        );
        LLVMAddAttributeAtIndex(function, llvm_sys::LLVMAttributeFunctionIndex, attribute);
        function
    }
}

fn used_outside(value: Value, inside: &HashSet<Value>) -> bool {
    let mut at = unsafe { LLVMGetFirstUse(value) };
    while !at.is_null() {
        unsafe {
            if !inside.contains(&LLVMGetUser(at)) {
                return true;
            }
            at = LLVMGetNextUse(at);
        }
    }
    false
}

fn replace_outside(value: Value, by: Value, inside: &HashSet<Value>) {
    let mut users = Vec::new();
    let mut at = unsafe { LLVMGetFirstUse(value) };
    while !at.is_null() {
        unsafe {
            let user = LLVMGetUser(at);
            if !inside.contains(&user) {
                users.push(user);
            }
            at = LLVMGetNextUse(at);
        }
    }
    for user in users {
        for (index, operand) in ir::operands(user).into_iter().enumerate() {
            if operand == value {
                unsafe { LLVMSetOperand(user, index as u32, by) };
            }
        }
    }
}
