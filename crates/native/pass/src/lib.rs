//! The LLVM 22 pass plugin: gives every value a label beside it and reports the choices.
//!
//! Loaded by `clang-22 -fpass-plugin=`. It runs first in the pipeline, after variables have been
//! put into registers and before the optimiser turns branches into selects, so that the choices
//! are the programmer's; the optimiser then works on the instrumented code.
//!
//! For each function: `code` tells it as a transition relation, `sites` numbers its choices and writes the program map, `labels` finds
//! the values that can have a label at all, and `emit` writes the code, in groups of
//! instructions that share one test "is any label here non-zero?".
#![cfg(llvm)]

mod atomics;
mod bytecode;
mod calls;
mod code;
mod divisions;
mod emit;
mod groups;
mod ir;
mod labels;
mod module;
mod names;
mod operations;
mod parts;
mod questions;
mod shadow;
mod sites;
mod touch;

use std::ffi::c_char;

/// `llvm::PassPluginLibraryInfo` of plugin API version 2.
#[repr(C)]
pub struct PluginInfo {
    version: u32,
    name: *const c_char,
    plugin_version: *const c_char,
    register: unsafe extern "C" fn(*mut std::ffi::c_void),
    before_code_generation: *const std::ffi::c_void,
}

unsafe extern "C" {
    fn elw_register_callbacks(builder: *mut std::ffi::c_void);
}

#[unsafe(no_mangle)]
pub extern "C" fn llvmGetPassPluginInfo() -> PluginInfo {
    PluginInfo {
        version: 2,
        name: c"elsewise".as_ptr(),
        plugin_version: c"0.1.0".as_ptr(),
        register: elw_register_callbacks,
        before_code_generation: std::ptr::null(),
    }
}

/// Is the module's code run by several threads, as far as it can tell?
#[unsafe(no_mangle)]
pub extern "C" fn elw_has_threads(module: llvm_sys::prelude::LLVMModuleRef) -> bool {
    touch::has_threads(module)
}

/// Called by the shim for each module that is compiled; `simple` says that the code generator will do
/// no more than it must.
#[unsafe(no_mangle)]
pub extern "C" fn elw_instrument_module(module: llvm_sys::prelude::LLVMModuleRef, simple: bool) {
    module::instrument(module, simple);
}
