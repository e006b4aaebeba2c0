//! Functions that are operations of a data structure: their calls and results are told to the runtime.

use crate::ir::{Block, Ir, Value};
use crate::llvm::Place;
use elsewise_wire::map::is_called;
use elsewise_wire::threads::CALL;
use llvm_sys::LLVMOpcode;

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
        let symbol = function.name();
        let mut names = names.split(',').map(str::trim);
        let name = names.find(|name| !name.is_empty() && is_called(&symbol, name));
        if let Some(name) = name {
            mark_one(ir, *function, name);
        }
    }
}

fn mark_one(ir: &Ir, function: Value, name: &str) {
    let mut ends = function.blocks();
    ends.retain(|block| block.terminator().opcode() == LLVMOpcode::LLVMRet);
    let first = first_after_variables(function);
    ir.before(first);
    if let Some(place) = first_place(first) {
        ir.builder.set_place(Some(place));
    }
    let text = ir.builder.text(name);
    // Only numbers are told: what is at an address is another matter.
    let mut values = function.parameters();
    values.retain(|parameter| is_number(*parameter));
    values.truncate(ARGUMENTS as usize);
    let count = ir.const32(values.len() as u32);
    let mut arguments = vec![text, count];
    for index in 0..ARGUMENTS as usize {
        arguments.push(match values.get(index) {
            Some(value) => widened(ir, *value),
            None => ir.const64(0),
        });
    }
    ir.call(CALL, None, &arguments);
    for end in ends.into_iter().map(Block::terminator) {
        ir.before(end);
        let result = end.operands().first().copied();
        let result = result.and_then(|value| {
            let pointer = value.ty() == ir.ptr;
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

fn is_number(value: Value) -> bool {
    let ty = value.ty();
    ty.is_integer() && ty.int_width() <= 64
}

fn widened(ir: &Ir, value: Value) -> Value {
    match value.ty().int_width() {
        1 => ir.zext64(value),
        _ => ir.sext64(value),
    }
}

/// The function's first instruction that is no variable.
fn first_after_variables(function: Value) -> Value {
    let all = function.entry().instructions().into_iter();
    let mut all = all.skip_while(|i| i.is_alloca());
    all.next().expect("a block has a terminator")
}

/// The first place in the source from an instruction on, in its block.
fn first_place(first: Value) -> Option<Place> {
    let all = std::iter::successors(Some(first), |at| at.next_instruction());
    let mut places = all.filter_map(Value::place);
    places.find(|place| place.line() > 0)
}
