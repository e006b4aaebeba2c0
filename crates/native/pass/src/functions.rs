//! What is known of functions and of calls of them.

use crate::ir::{Ir, Value};
use crate::llvm::{Module, attribute_kind};
use crate::names::{self, Intrinsic};
use elsewise_wire::output;
use llvm_sys::LLVMOpcode::*;
use llvm_sys::{LLVMLinkage, LLVMTailCallKind};

/// Whether a function says so of itself.
pub fn has_attribute(function: Value, name: &str) -> bool {
    function.attribute(None, attribute_kind(name)).is_some()
}

/// A function that other modules cannot name.
pub fn is_local(function: Value) -> bool {
    matches!(
        function.linkage(),
        LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage
    )
}

/// A function that only instrumented code of this module calls, always by name: nobody can call
/// it without the protocol, so neither side checks.
pub fn is_private(function: Value) -> bool {
    let variadic = function.value_type().is_variadic();
    if !is_local(function) || variadic || function.is_declaration() {
        return false;
    }
    function.users().into_iter().all(|user| {
        (user.is_plain_call() || user.is_invoke())
            && user.called() == function
            && !user.arguments().contains(&function)
    })
}

/// Is the function compiled here? A copy that a header gives only for inlining is not.
pub fn has_body(function: Value) -> bool {
    !function.is_declaration()
        && function.linkage() != LLVMLinkage::LLVMAvailableExternallyLinkage
        && !has_attribute(function, "naked")
}

pub fn has_models(module: Module) -> bool {
    module.function(names::MODELS_MARK).is_some()
}

/// Is this part of a model?
pub fn is_model(instruction: Value) -> bool {
    let function = instruction.block().function();
    has_models(function.module())
}

/// The function that a call names directly.
pub fn direct_callee(instruction: Value) -> Option<(Value, String)> {
    let callee = instruction.called();
    callee.is_function().then(|| (callee, callee.name()))
}

/// The intrinsic that a call calls.
pub fn callee_intrinsic(instruction: Value) -> Option<Intrinsic> {
    if instruction.opcode() != LLVMCall {
        return None;
    }
    let (function, name) = direct_callee(instruction)?;
    let library = function.is_declaration();
    names::intrinsic(&name).or_else(|| library.then(|| names::mathematical(&name)).flatten())
}

/// A call of a function that is known not to matter for labels.
pub fn is_silent(instruction: Value) -> bool {
    direct_callee(instruction)
        .is_some_and(|(function, name)| names::is_silent(&name) && !has_body(function))
}

/// A call of a function that only writes out what it is given, where nothing else becomes of that.
pub fn is_output(instruction: Value) -> bool {
    direct_callee(instruction).is_some_and(|(function, name)| {
        output::only_writes(&name)
            && !has_body(function)
            && (!instruction.is_used() || !output::tells(&name) || is_model(instruction))
    })
}

pub fn is_must_tail(value: Value) -> bool {
    value.is_plain_call() && value.tail_call_kind() == LLVMTailCallKind::LLVMTailCallKindMustTail
}

/// Size of what is passed by value on the stack, if argument `index` of a call, or of a function, is.
pub fn by_value(ir: &Ir, call_or_function: Value, index: u32) -> Option<u64> {
    let attribute = call_or_function.attribute(Some(index), attribute_kind("byval"))?;
    Some(ir.size(attribute.ty()))
}

/// What a call of the function `name` is told to print.
pub fn format_of(call: Value, name: &str) -> Option<Value> {
    let index = output::format_of(name)?;
    call.arguments().get(index).copied()
}
