//! Divisions fail in the instrumented program where they fail in the plain one: what an optimiser
//! may conclude from nobody dividing by zero is kept from it.

use crate::ir::{self, Block, Ir, Value};
use llvm_sys::LLVMOpcode::*;

/// Hides the operands of divisions by what is no constant, so that none becomes a comparison (as
/// `1 / x` would), and marks their results as used. To be done last: operands change.
pub fn keep(ir: &Ir, function: Value) {
    for i in function.blocks().into_iter().flat_map(Block::instructions) {
        let divides = matches!(i.opcode(), LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem);
        if !divides || !in_register(i) || i.operand(1).is_constant() {
            continue;
        }
        // Two texts: equal ones on one value would be one, and `x / x` would be 1.
        for (operand, text) in [(0, ""), (1, " ")] {
            ir.before(i);
            let hidden = passed(ir, i.operand(operand), text);
            i.set_operand(operand, hidden);
        }
        ir.before(ir::next(i));
        passed(ir, i, "");
    }
}

/// Value of the attribute `memory` for what reads and writes only memory that the module cannot reach.
const INACCESSIBLE: u64 = 0b11 << 2;

fn in_register(value: Value) -> bool {
    let ty = value.ty();
    ty.is_integer() && matches!(ty.int_width(), 8 | 16 | 32 | 64)
}

/// The value, through an assembler statement of no instruction: nothing is known of it afterwards,
/// and it must be there.
fn passed(ir: &Ir, value: Value, text: &str) -> Value {
    let ty = value.ty().function_of(&[value.ty()]);
    let statement = Value::new_assembly(ty, text, "=r,0");
    let statement = ir.builder.call(statement, ty, &[value]);
    // It touches no memory that the program has. What touches none at all is removed by the quick
    // instruction selector when nobody uses it.
    statement.add_attribute("nounwind", 0);
    statement.add_attribute("memory", INACCESSIBLE);
    statement
}
