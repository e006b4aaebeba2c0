//! Functions that are operations of a data structure: their calls and results are told to the runtime.

use crate::ir::{self, Ir, Value, c_string};
use elsewise_wire::map::is_called;
use elsewise_wire::threads::CALL;
use llvm_sys::core::*;
use llvm_sys::debuginfo::{LLVMDILocationGetLine, LLVMInstructionGetDebugLoc};
use llvm_sys::prelude::LLVMMetadataRef;
use llvm_sys::{LLVMOpcode, LLVMTypeKind};

/// Set for the compiler: the names of the functions, apart by commas.
const NAMES: &str = "ELSEWISE_OPERATIONS";
/// Arguments that are told.
const ARGUMENTS: u32 = 4;

/// Puts calls at the beginning and before the ends of functions that are operations; they are then
/// instrumented as calls of the subject's own.
pub fn mark(ir: &Ir, functions: &[Value]) {
    let Some(names) = std::env::var_os(NAMES) else {
        return;
    };
    let names = names.to_string_lossy().into_owned();
    for function in functions {
        let symbol = ir::name_of(*function);
        let mut names = names.split(',').map(str::trim);
        let name = names.find(|name| !name.is_empty() && is_called(&symbol, name));
        if let Some(name) = name {
            mark_one(ir, *function, name);
        }
    }
}

fn mark_one(ir: &Ir, function: Value, name: &str) {
    unsafe {
        let mut returns = Vec::new();
        let mut block = LLVMGetFirstBasicBlock(function);
        while !block.is_null() {
            let last = LLVMGetBasicBlockTerminator(block);
            if !last.is_null() && LLVMGetInstructionOpcode(last) == LLVMOpcode::LLVMRet {
                returns.push(last);
            }
            block = LLVMGetNextBasicBlock(block);
        }
        let first = first_after_variables(function);
        ir.before(first);
        if let Some(place) = first_place(first) {
            LLVMSetCurrentDebugLocation2(ir.builder, place);
        }
        let text = LLVMBuildGlobalString(ir.builder, c_string(name).as_ptr(), c"".as_ptr());
        // Only numbers are told: what is at an address is another matter.
        let mut values = Vec::new();
        for index in 0..LLVMCountParams(function) {
            let parameter = LLVMGetParam(function, index);
            if values.len() < ARGUMENTS as usize && is_number(parameter) {
                values.push(parameter);
            }
        }
        let count = ir.const32(values.len() as u32);
        let mut arguments = vec![text, count];
        for index in 0..ARGUMENTS as usize {
            arguments.push(match values.get(index) {
                Some(value) => widened(ir, *value),
                None => ir.const64(0),
            });
        }
        ir.call(CALL, None, &arguments);
        for end in returns {
            ir.before(end);
            let result = (LLVMGetNumOperands(end) == 1).then(|| ir::operand(end, 0));
            let result = result.and_then(|value| {
                let pointer = ir::type_of(value) == ir.ptr;
                (pointer || is_number(value)).then(|| match pointer {
                    true => ir.as_i64(value),
                    false => widened(ir, value),
                })
            });
            let has = ir.const32(result.is_some().into());
            let value = result.unwrap_or_else(|| ir.const64(0));
            ir.call("__elw_m_return", None, &[has, value]);
        }
    }
}

fn is_number(value: Value) -> bool {
    unsafe {
        let ty = ir::type_of(value);
        LLVMGetTypeKind(ty) == LLVMTypeKind::LLVMIntegerTypeKind && LLVMGetIntTypeWidth(ty) <= 64
    }
}

fn widened(ir: &Ir, value: Value) -> Value {
    match unsafe { LLVMGetIntTypeWidth(ir::type_of(value)) } {
        1 => ir.zext64(value),
        _ => ir.sext64(value),
    }
}

/// The function's first instruction that is no variable.
fn first_after_variables(function: Value) -> Value {
    unsafe {
        let mut at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
        while !LLVMIsAAllocaInst(at).is_null() {
            at = LLVMGetNextInstruction(at);
        }
        at
    }
}

/// The first place in the source from an instruction on, in its block.
fn first_place(mut at: Value) -> Option<LLVMMetadataRef> {
    unsafe {
        while !at.is_null() {
            let place = LLVMInstructionGetDebugLoc(at);
            if !place.is_null() && LLVMDILocationGetLine(place) > 0 {
                return Some(place);
            }
            at = LLVMGetNextInstruction(at);
        }
    }
    None
}
