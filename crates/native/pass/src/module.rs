//! Instruments one module: models in place of library functions, every function, the program
//! map, and the constructor that registers the object with the runtime.

use crate::bytecode::Bytecode;
use crate::calls;
use crate::code::Codes;
use crate::emit;
use crate::functions::{format_of, has_attribute, has_body, has_models, is_local};
use crate::globals::{Globals, internal};
use crate::ir::{self, Ir, Value};
use crate::llvm::Module;
use crate::names;
use crate::operations;
use crate::sites::Sites;
use crate::threads::Touches;
use elsewise_wire::{CODE_SECTION, MAP_SECTION, output};
use llvm_sys::LLVMLinkage;

/// A copy that a header gives only for inlining would be put, as it is, into code that is
/// instrumented: the function itself is called. One that is inlined whatever happens may exist
/// nowhere else, and becomes the module's own.
fn settle_copies(all: &[Value]) {
    for function in all {
        let copy = !function.is_declaration()
            && function.linkage() == LLVMLinkage::LLVMAvailableExternallyLinkage;
        let name = function.name();
        if !copy || names::model(&name).is_some() || names::output_model(&name).is_some() {
            continue;
        }
        if has_attribute(*function, "alwaysinline") {
            function.set_linkage(LLVMLinkage::LLVMInternalLinkage);
        } else {
            function.add_attribute("noinline", 0);
        }
    }
}

pub fn instrument(module: Module, simple: bool) {
    let all = module.functions();
    let ir = Ir::new(module);
    settle_copies(&all);
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
        if names::intrinsic(&function.name()).is_none() {
            calls::forget_memory_promises(*function);
        }
    }
    tell_of_streams(&ir);
    let mut codes = Codes::new(&ir);
    operations::mark(&ir, &ours);
    let globals = Globals::new(&ir);
    let mut sites = Sites::new(module.source_file_name());
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
fn put_model(module: Module, function: Value) {
    let name = function.name();
    let Some(model) = names::model(&name) else {
        return;
    };
    if has_body(function) {
        return; // the program's own function of that name, not an inline copy of a header's
    }
    // SAFETY: only handles of functions exist so far.
    unsafe { function.replace_global(declared(module, &model, function)) };
}

fn declared(module: Module, name: &str, like: Value) -> Value {
    let known = module.function(name);
    known.unwrap_or_else(|| module.add_function(name, like.value_type()))
}

/// A model takes the place of an output function where something becomes of the result, or of a count
/// that the format asks for.
fn put_output_model(module: Module, function: Value) {
    let name = function.name();
    let Some(model) = names::output_model(&name).filter(|_| !has_body(function)) else {
        return;
    };
    for call in function.users() {
        let called = (call.is_plain_call() || call.is_invoke()) && call.called() == function;
        let counts = || {
            let format = format_of(call, &name).and_then(ir::constant_text);
            format.is_some_and(|text| output::asks_for_count(&text))
        };
        if called && (call.is_used() || counts()) {
            call.set_called(declared(module, &model, function));
        }
    }
}

/// What a module that calls one of these functions may do to streams, as the runtime is told by a symbol.
const OF_STREAMS: [(&str, &[&str]); 2] = [
    (
        "__elw_keeps_streams",
        &["__elw_m_flockfile", "__elw_m_ftrylockfile"],
    ),
    (
        "__elw_moves_streams",
        &["__elw_m_freopen", "__elw_m_freopen64"],
    ),
];

/// Tells the runtime that streams may be locked for longer than a call, or lead elsewhere.
fn tell_of_streams(ir: &Ir) {
    if has_models(ir.module) {
        return;
    }
    for (symbol, functions) in OF_STREAMS {
        if functions
            .iter()
            .any(|name| ir.module.function(name).is_some())
        {
            let mark = ir.module.add_global(symbol, ir.i8);
            mark.set_initial_value(ir.i8.null());
            mark.set_linkage(LLVMLinkage::LLVMWeakAnyLinkage);
        }
    }
}

/// A function by whose name others call a model is called by that symbol, too.
fn be_called(module: Module, function: Value) {
    let name = function.name();
    let model = names::model(&name).or_else(|| names::output_model(&name));
    let Some(model) = model.filter(|_| has_body(function) && !is_local(function)) else {
        return;
    };
    let symbol = module.add_alias(&model, function);
    symbol.set_linkage(function.linkage());
    symbol.set_visibility(function.visibility());
}

/// Bytes in a section that only the engine reads.
fn note(ir: &Ir, name: &str, section: &str, bytes: &[u8]) {
    let bytes = ir.context.bytes(bytes);
    let note = internal(ir, name, bytes.ty(), bytes);
    note.set_constant_variable();
    note.set_section(section);
    note.set_alignment(1);
    ir.module.keep(note);
}

/// The program map, the code, the coverage bytes for a program that runs on its own, and the constructor.
fn finish(ir: &Ir, globals: &Globals, sites: Sites, codes: Codes) {
    let (site_count, side_count) = (sites.map.sites.len() as u32, sites.sides());
    let own_bytes = ir.i8.array_of(u64::from(side_count.max(1)));
    let own = internal(ir, "__elw_own_coverage", own_bytes, own_bytes.null());
    globals.coverage.set_initial_value(own);

    let (key, map, code) = codes.finish(sites);
    note(ir, "__elw_map", MAP_SECTION, &map);
    note(ir, "__elw_code", CODE_SECTION, &code);

    let fields = [
        ir.const64(key),
        ir.const32(site_count),
        ir.const32(side_count),
        globals.first_site,
        globals.coverage,
    ];
    let value = ir.context.constant_struct(&fields, false);
    let module = internal(ir, "__elw_module", value.ty(), value);

    let start = ir.void.function_of(&[]);
    let start = ir.module.add_function("__elw_start", start);
    start.set_linkage(LLVMLinkage::LLVMInternalLinkage);
    ir.builder.go_to_end(ir.context.block_of(start));
    ir.builder.set_place(None);
    ir.call("__elw_register", None, &[module]);
    ir.builder.return_nothing();
    ir.module.add_constructor(start);
}
