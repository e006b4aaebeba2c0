//! Instruments one module: models in place of library functions, every function, the program
//! map, and the constructor that registers the object with the runtime.

use crate::bytecode::Bytecode;
use crate::calls::{self, FRAME_SIZE};
use crate::code::Codes;
use crate::emit;
use crate::ir::{self, Ir, Type, Value, c_string};
use crate::labels;
use crate::names;
use crate::operations;
use crate::sites::Sites;
use crate::touch::Touches;
use elsewise_wire::{CODE_SECTION, MAP_SECTION, output};
use llvm_sys::core::*;
use llvm_sys::prelude::*;
use llvm_sys::{LLVMLinkage, LLVMThreadLocalMode};

/// Globals that instrumented code uses.
pub struct Globals {
    /// The runtime's thread-local call frame.
    pub frame: Value,
    /// Where the object's first site number is.
    pub first_site: Value,
    /// Where the address of the object's coverage bytes is.
    pub coverage: Value,
}

fn functions(module: LLVMModuleRef) -> Vec<Value> {
    let mut functions = Vec::new();
    unsafe {
        let mut function = LLVMGetFirstFunction(module);
        while !function.is_null() {
            functions.push(function);
            function = LLVMGetNextFunction(function);
        }
    }
    functions
}

/// Is the function compiled here? A copy that a header gives only for inlining is not.
pub fn has_body(function: Value) -> bool {
    unsafe {
        LLVMIsDeclaration(function) == 0
            && LLVMGetLinkage(function) != LLVMLinkage::LLVMAvailableExternallyLinkage
            && !calls::has_attribute(function, "naked")
    }
}

fn has_models(module: LLVMModuleRef) -> bool {
    let mark = c_string(names::MODELS_MARK);
    !unsafe { LLVMGetNamedFunction(module, mark.as_ptr()) }.is_null()
}

/// Is this part of a model?
pub fn is_model(instruction: Value) -> bool {
    unsafe {
        let function = LLVMGetBasicBlockParent(ir::parent(instruction));
        has_models(LLVMGetGlobalParent(function))
    }
}

/// A copy that a header gives only for inlining would be put, as it is, into code that is
/// instrumented: the function itself is called. One that is inlined whatever happens may exist
/// nowhere else, and becomes the module's own.
fn settle_copies(ir: &Ir, all: &[Value]) {
    for function in all {
        let copy = unsafe {
            LLVMIsDeclaration(*function) == 0
                && LLVMGetLinkage(*function) == LLVMLinkage::LLVMAvailableExternallyLinkage
        };
        let name = ir::name_of(*function);
        if !copy || names::model(&name).is_some() || names::output_model(&name).is_some() {
            continue;
        }
        if calls::has_attribute(*function, "alwaysinline") {
            unsafe { LLVMSetLinkage(*function, LLVMLinkage::LLVMInternalLinkage) };
        } else {
            ir.add_function_attribute(*function, "noinline");
        }
    }
}

pub fn instrument(module: LLVMModuleRef, simple: bool) {
    let all = functions(module);
    let ir = Ir::new(module);
    settle_copies(&ir, &all);
    let ours: Vec<Value> = all
        .iter()
        .copied()
        .filter(|function| has_body(*function))
        .collect();
    if ours.is_empty() {
        return;
    }
    let has_models = has_models(module);
    for function in &all {
        if !has_models {
            put_model(module, *function);
            be_called(module, *function);
            put_output_model(module, *function);
        }
        if names::intrinsic(&ir::name_of(*function)).is_none() {
            calls::forget_memory_promises(*function);
        }
    }
    let mut codes = Codes::new(&ir);
    operations::mark(&ir, &ours);
    let globals = globals(&ir);
    let mut length = 0;
    let source = unsafe {
        let text = LLVMGetSourceFileName(module, &mut length);
        String::from_utf8_lossy(std::slice::from_raw_parts(text.cast(), length)).into_owned()
    };
    let mut sites = Sites::new(source);
    let mut bytecode = Bytecode::new(&ir, simple);
    let mut touches = Touches::new(&ir);
    for function in &ours {
        emit::instrument(
            &ir,
            &globals,
            &mut sites,
            &mut codes,
            &mut bytecode,
            touches.as_mut(),
            *function,
        );
    }
    bytecode.finish(&ir, &globals);
    finish(&ir, &globals, sites, codes);
}

/// A model of the runtime takes the place of a declared library function.
fn put_model(module: LLVMModuleRef, function: Value) {
    let name = ir::name_of(function);
    let Some(model) = names::model(&name) else {
        return;
    };
    unsafe {
        if has_body(function) {
            return; // the program's own function of that name, not an inline copy of a header's
        }
        let model = declared(module, &model, function);
        LLVMReplaceAllUsesWith(function, model);
    }
}

fn declared(module: LLVMModuleRef, name: &str, like: Value) -> Value {
    let name = c_string(name);
    unsafe {
        let known = LLVMGetNamedFunction(module, name.as_ptr());
        match known.is_null() {
            true => LLVMAddFunction(module, name.as_ptr(), LLVMGlobalGetValueType(like)),
            false => known,
        }
    }
}

/// A model takes the place of an output function where something becomes of the result, or of a count
/// that the format asks for.
fn put_output_model(module: LLVMModuleRef, function: Value) {
    let name = ir::name_of(function);
    let Some(model) = names::output_model(&name).filter(|_| !has_body(function)) else {
        return;
    };
    unsafe {
        let mut at = LLVMGetFirstUse(function);
        while !at.is_null() {
            let call = LLVMGetUser(at);
            at = LLVMGetNextUse(at);
            let called = (!LLVMIsACallInst(call).is_null() || !LLVMIsAInvokeInst(call).is_null())
                && LLVMGetCalledValue(call) == function;
            let counts = || {
                let format = calls::format_of(call, &name).and_then(ir::constant_text);
                format.is_some_and(|text| output::asks_for_count(&text))
            };
            if called && (labels::is_used(call) || counts()) {
                let callee = LLVMGetNumOperands(call) as u32 - 1;
                LLVMSetOperand(call, callee, declared(module, &model, function));
            }
        }
    }
}

/// A function by whose name others call a model is called by that symbol, too.
fn be_called(module: LLVMModuleRef, function: Value) {
    let name = ir::name_of(function);
    let model = names::model(&name).or_else(|| names::output_model(&name));
    let Some(model) = model.filter(|_| has_body(function) && !calls::is_local(function)) else {
        return;
    };
    unsafe {
        let ty = LLVMGlobalGetValueType(function);
        let symbol = LLVMAddAlias2(module, ty, 0, function, c_string(&model).as_ptr());
        LLVMSetLinkage(symbol, LLVMGetLinkage(function));
        LLVMSetVisibility(symbol, LLVMGetVisibility(function));
    }
}

fn internal(ir: &Ir, name: &str, ty: Type, value: Value) -> Value {
    unsafe {
        let global = LLVMAddGlobal(ir.module, ty, c_string(name).as_ptr());
        LLVMSetInitializer(global, value);
        LLVMSetLinkage(global, LLVMLinkage::LLVMInternalLinkage);
        global
    }
}

fn globals(ir: &Ir) -> Globals {
    unsafe {
        let bytes = LLVMArrayType2(ir.i8, FRAME_SIZE);
        let frame = LLVMAddGlobal(ir.module, bytes, c"__elw_frame".as_ptr());
        // Not the model for programs alone: objects that were not meant for a shared library are
        // linked into one all the same.
        LLVMSetThreadLocalMode(frame, LLVMThreadLocalMode::LLVMInitialExecTLSModel);
        LLVMSetAlignment(frame, 16);
        let coverage = internal(ir, "__elw_coverage", ir.ptr, LLVMConstNull(ir.ptr));
        let first_site = internal(ir, "__elw_first_site", ir.i32, ir.const32(0));
        Globals {
            frame,
            first_site,
            coverage,
        }
    }
}

/// Bytes in a section that only the engine reads.
fn note(ir: &Ir, name: &str, section: &str, bytes: &[u8]) {
    unsafe {
        let text = LLVMConstStringInContext2(
            ir.context,
            bytes.as_ptr().cast(),
            bytes.len(),
            1, // no NUL at the end
        );
        let note = internal(ir, name, ir::type_of(text), text);
        LLVMSetGlobalConstant(note, 1);
        LLVMSetSection(note, c_string(section).as_ptr());
        LLVMSetAlignment(note, 1);
        ir.keep(note);
    }
}

/// The program map, the code, the coverage bytes for a program that runs on its own, and the constructor.
fn finish(ir: &Ir, globals: &Globals, sites: Sites, codes: Codes) {
    unsafe {
        let (site_count, side_count) = (sites.map.sites.len() as u32, sites.sides());
        let own_bytes = LLVMArrayType2(ir.i8, u64::from(side_count.max(1)));
        let own = internal(
            ir,
            "__elw_own_coverage",
            own_bytes,
            LLVMConstNull(own_bytes),
        );
        LLVMSetInitializer(globals.coverage, own);

        let (key, map, code) = codes.finish(sites);
        note(ir, "__elw_map", MAP_SECTION, &map);
        note(ir, "__elw_code", CODE_SECTION, &code);

        let mut fields = [
            ir.const64(key),
            ir.const32(site_count),
            ir.const32(side_count),
            globals.first_site,
            globals.coverage,
        ];
        let value = LLVMConstStructInContext(ir.context, fields.as_mut_ptr(), 5, 0);
        let module = internal(ir, "__elw_module", ir::type_of(value), value);

        let ty = LLVMFunctionType(ir.void, std::ptr::null_mut(), 0, 0);
        let start = LLVMAddFunction(ir.module, c"__elw_start".as_ptr(), ty);
        LLVMSetLinkage(start, LLVMLinkage::LLVMInternalLinkage);
        let block = LLVMAppendBasicBlockInContext(ir.context, start, c"".as_ptr());
        LLVMPositionBuilderAtEnd(ir.builder, block);
        LLVMSetCurrentDebugLocation2(ir.builder, std::ptr::null_mut());
        ir.call("__elw_register", None, &[module]);
        LLVMBuildRetVoid(ir.builder);
        ir.add_constructor(start);
    }
}
