//! Divisions fail in the instrumented program where they fail in the plain one: what an optimiser
//! may conclude from nobody dividing by zero is kept from it.

use crate::ir::{self, Ir, Value};
use crate::labels::opcode;
use llvm_sys::LLVMInlineAsmDialect;
use llvm_sys::LLVMOpcode::*;
use llvm_sys::LLVMTypeKind;
use llvm_sys::core::*;

/// Hides the operands of divisions by what is no constant, so that none becomes a comparison (as
/// `1 / x` would), and marks their results as used. To be done last: operands change.
pub fn keep(ir: &Ir, function: Value) {
    for i in ir::blocks(function).into_iter().flat_map(ir::instructions) {
        let divides = matches!(opcode(i), LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem);
        if !divides || !in_register(i) || ir::is_constant(ir::operand(i, 1)) {
            continue;
        }
        // Two texts: equal ones on one value would be one, and `x / x` would be 1.
        for (operand, text) in [(0, ""), (1, " ")] {
            ir.before(i);
            let hidden = passed(ir, ir::operand(i, operand), text);
            unsafe { LLVMSetOperand(i, operand, hidden) };
        }
        ir.before(ir::next(i));
        passed(ir, i, "");
    }
}

/// Value of the attribute `memory` for what reads and writes only memory that the module cannot reach.
const INACCESSIBLE: u64 = 0b11 << 2;

fn in_register(value: Value) -> bool {
    unsafe {
        let ty = ir::type_of(value);
        LLVMGetTypeKind(ty) == LLVMTypeKind::LLVMIntegerTypeKind
            && matches!(LLVMGetIntTypeWidth(ty), 8 | 16 | 32 | 64)
    }
}

/// The value, through an assembler statement of no instruction: nothing is known of it afterwards,
/// and it must be there.
fn passed(ir: &Ir, value: Value, text: &str) -> Value {
    let mut ty = ir::type_of(value);
    let constraints = "=r,0";
    let statement = unsafe {
        let ty = LLVMFunctionType(ty, &mut ty, 1, 0);
        let statement = LLVMGetInlineAsm(
            ty,
            text.as_ptr().cast(),
            text.len(),
            constraints.as_ptr().cast(),
            constraints.len(),
            1, // has side effects
            0,
            LLVMInlineAsmDialect::LLVMInlineAsmDialectATT,
            0,
        );
        ir.call_value(statement, ty, &[value])
    };
    // It touches no memory that the program has. What touches none at all is removed by the quick
    // instruction selector when nobody uses it.
    ir.add_call_attribute(statement, "nounwind", 0);
    ir.add_call_attribute(statement, "memory", INACCESSIBLE);
    statement
}
