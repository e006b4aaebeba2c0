//! What the pass can see of operations that may go wrong: overflow, shifts, indices, and the
//! object that an address belongs to.

use crate::functions::callee_intrinsic;
use crate::ir::{Ir, Value};
use crate::names::Intrinsic;
use elsewise_wire::{Check, Formula};
use llvm_sys::LLVMOpcode::*;
use llvm_sys::LLVMTypeKind;

/// What can go wrong with an instruction without being seen: the question, the operands' width,
/// and the operands.
pub fn checks(ir: &Ir, i: Value) -> Vec<(Check, u32, Value, Value)> {
    let Some(shape) = ir.shape_of(i) else {
        return Vec::new();
    };
    let operand = |index| i.operand(index);
    let signed = || i.is_without_signed_overflow();
    let question = match i.opcode() {
        LLVMAdd if signed() => Check::SAdd,
        LLVMSub if signed() => Check::SSub,
        LLVMMul if signed() => Check::SMul,
        LLVMShl | LLVMLShr | LLVMAShr if !operand(1).is_constant() => Check::Shift,
        LLVMGetElementPtr => return indices(i),
        // The least number has no opposite.
        LLVMCall => match (callee_intrinsic(i), operand(1).as_u64()) {
            (Some(Intrinsic::Formula(Formula::Abs)), Some(1)) => {
                return vec![(Check::SSub, shape.bits, i.ty().number(0), operand(0))];
            }
            _ => return Vec::new(),
        },
        _ => return Vec::new(),
    };
    vec![(question, shape.bits, operand(0), operand(1))]
}

/// Variable indices into arrays of a known length.
fn indices(gep: Value) -> Vec<(Check, u32, Value, Value)> {
    let mut found = Vec::new();
    let mut ty = gep.source_type();
    for index in gep.operands().into_iter().skip(2) {
        if ty.kind() == LLVMTypeKind::LLVMStructTypeKind {
            let member = index.as_u64();
            ty = ty.member(member.expect("members have numbers") as u32);
            continue;
        }
        let length = match ty.kind() {
            LLVMTypeKind::LLVMArrayTypeKind => ty.array_length(),
            _ => 0,
        };
        ty = ty.element();
        // An array of one at the end of a struct often stands for any number.
        if length > 1 && !index.is_constant() {
            let bits = index.ty().int_width();
            let length = index.ty().number(length);
            found.push((Check::Index, bits, index, length));
        }
    }
    found
}

/// The variable that an address is computed from, and its size, where that can be seen.
pub fn object_of(ir: &Ir, mut address: Value) -> Option<(Value, u64)> {
    loop {
        if address.is_gep_instruction() {
            address = address.operand(0);
        } else if address.is_alloca() {
            return ir.variable_size(address).map(|size| (address, size));
        } else if address.is_global_variable() {
            let ty = address.value_type();
            let sized = ty.is_sized();
            return sized
                .then(|| (address, ir.size(ty)))
                .filter(|(_, s)| *s > 0);
        } else {
            return None;
        }
    }
}
