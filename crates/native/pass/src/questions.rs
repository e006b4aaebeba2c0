//! What the pass can see of operations that may go wrong: overflow, shifts, indices, and the
//! object that an address belongs to.

use crate::ir::{self, Ir, Value};
use crate::labels::opcode;
use elsewise_wire::Check;
use llvm_sys::LLVMOpcode::*;
use llvm_sys::LLVMTypeKind;
use llvm_sys::core::*;

/// What can go wrong with an instruction without being seen: the question, the operands' width,
/// and the operands.
pub fn checks(ir: &Ir, i: Value) -> Vec<(Check, u32, Value, Value)> {
    let Some(shape) = ir.shape_of(i) else {
        return Vec::new();
    };
    let operand = |index| ir::operand(i, index);
    let signed = || unsafe { LLVMGetNSW(i) } != 0;
    let question = match opcode(i) {
        LLVMAdd if signed() => Check::SAdd,
        LLVMSub if signed() => Check::SSub,
        LLVMMul if signed() => Check::SMul,
        LLVMShl | LLVMLShr | LLVMAShr if !ir::is_constant(operand(1)) => Check::Shift,
        LLVMGetElementPtr => return indices(i),
        _ => return Vec::new(),
    };
    vec![(question, shape.bits, operand(0), operand(1))]
}

/// Variable indices into arrays of a known length.
fn indices(gep: Value) -> Vec<(Check, u32, Value, Value)> {
    let mut found = Vec::new();
    unsafe {
        let mut ty = LLVMGetGEPSourceElementType(gep);
        for index in ir::operands(gep).into_iter().skip(2) {
            if LLVMGetTypeKind(ty) == LLVMTypeKind::LLVMStructTypeKind {
                ty = LLVMStructGetTypeAtIndex(ty, LLVMConstIntGetZExtValue(index) as u32);
                continue;
            }
            let length = match LLVMGetTypeKind(ty) {
                LLVMTypeKind::LLVMArrayTypeKind => LLVMGetArrayLength2(ty),
                _ => 0,
            };
            ty = LLVMGetElementType(ty);
            // An array of one at the end of a struct often stands for any number.
            if length > 1 && !ir::is_constant(index) {
                let bits = LLVMGetIntTypeWidth(ir::type_of(index));
                let length = LLVMConstInt(ir::type_of(index), length, 0);
                found.push((Check::Index, bits, index, length));
            }
        }
    }
    found
}

/// The variable that an address is computed from, and its size, where that can be seen.
pub fn object_of(ir: &Ir, mut address: Value) -> Option<(Value, u64)> {
    unsafe {
        loop {
            if !LLVMIsAGetElementPtrInst(address).is_null() {
                address = ir::operand(address, 0);
            } else if !LLVMIsAAllocaInst(address).is_null() {
                let count = ir::operand(address, 0);
                let size = ir.size(LLVMGetAllocatedType(address));
                let constant = !LLVMIsAConstantInt(count).is_null();
                return constant.then(|| (address, size * LLVMConstIntGetZExtValue(count)));
            } else if !LLVMIsAGlobalVariable(address).is_null() {
                let ty = LLVMGlobalGetValueType(address);
                let sized = LLVMTypeIsSized(ty) != 0;
                return sized
                    .then(|| (address, ir.size(ty)))
                    .filter(|(_, s)| *s > 0);
            } else {
                return None;
            }
        }
    }
}
