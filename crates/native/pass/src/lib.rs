//! The LLVM pass plugin: gives every value a label beside it and reports the choices.
//!
//! Loaded by `clang -fpass-plugin=` of the release of LLVM that it was built for, which is one of those in
//! `build/headers.rs`. It runs first in the pipeline, after variables have been
//! put into registers and before the optimiser turns branches into selects, so that the choices
//! are the programmer's; the optimiser then works on the instrumented code.
//!
//! For each function: `code` tells it as a transition relation, `sites` numbers its choices and writes the program map, `labels` finds
//! the values that can have a label at all, and `emit` writes the code, in groups of
//! instructions that share one test "is any label here non-zero?". `llvm` has LLVM's values as safe code may hold them.
//!
//! In the instrumented code, consecutive instructions form a *group* with one test, "is any label here
//! non-zero?". What is to be done then is bytecode, which the runtime interprets: code makes one call with
//! what the bytecode uses, which keeps its registers (`slow_paths.rs`, `bytecode.rs`, the runtime's
//! `interpret.rs`), since the compiler's time goes by the volume of code and nearly all of it would be
//! slow paths. Whether memory has labels is told by one byte per eight bytes, its *flag* (`shadow.rs`, the
//! runtime's `memory.rs`): where it is zero the shadow is neither read nor written, and a store has nothing
//! to clear. The pass also says which optimisations are run on instrumented code (`shim.cpp`): few, because
//! none of the others paid for itself; `cc/flags.rs` says the same of the code generator. Where the user does
//! not optimise, neither does the instrumented build, unless it is made to be run at once. Code is written so that the code generator's quick
//! instruction selector, which knows no thread-local variables, can select it: the address of the thread's
//! frame is taken once in a function. Values of several parts have a label for each (`parts.rs`). Labels pass
//! through calls in a thread-local frame (the runtime's `frame.rs`); whoever is not instrumented is told
//! by what is not in the frame, and gets values without labels, which are made concrete. Reads and writes
//! through labelled addresses are look-ups and conditional writes in all places that may be meant
//! (`address.rs`); with a sanitizer, which tells objects apart, which object is meant is a choice before that. The
//! first side of a branch is the one for which the condition in the source holds:
//! clang exchanges the two for `if (!x)`, which the names of its blocks tell (`shim.cpp`). What the
//! optimiser may conclude from nobody dividing by zero is kept from it (`divisions.rs`): else a division
//! that fails in the plain build would not fail in the instrumented one. Coroutines become ordinary functions, with
//! their frame in memory, before anything is instrumented. For the same reason divisions and reads are
//! said to be used before anything else is done to the code, whether they are or not (`KeepWhatMayFail` in `shim.cpp`).
//!
//! A plugin's LLVM is that of the compiler which loads it, so no unit tests can be linked here; those of `tests/ir` are a
//! program that is linked with LLVM and with this as a library.
//!
//! What differs between releases of LLVM is in `shim.cpp`: here, only functions of LLVM's C interface are used that all of them
//! have with the same meaning.
#![cfg(llvm)]

mod assembly;
mod atomics;
mod bytecode;
mod callbacks;
mod calls;
mod code;
mod divisions;
mod emit;
mod emitter;
mod frame;
mod functions;
mod given;
mod globals;
mod groups;
mod ir;
mod labels;
mod llvm;
mod module;
mod names;
mod operations;
mod parts;
mod questions;
mod shadow;
mod sites;
mod slow_paths;
mod threads;
mod touch;

use llvm::Module;
use llvm_sys::prelude::LLVMModuleRef;
use std::ffi::c_char;

/// `llvm::PassPluginLibraryInfo`. Its last member is there since version 2 of the plugins' interface, which is LLVM 22's.
#[repr(C)]
pub struct PluginInfo {
    version: u32,
    name: *const c_char,
    plugin_version: *const c_char,
    register: unsafe extern "C" fn(*mut std::ffi::c_void),
    #[cfg(plugin_before_code_generation)]
    before_code_generation: *const std::ffi::c_void,
}

unsafe extern "C" {
    fn elw_register_callbacks(builder: *mut std::ffi::c_void);
}

#[unsafe(no_mangle)]
pub extern "C" fn llvmGetPassPluginInfo() -> PluginInfo {
    PluginInfo {
        version: if cfg!(plugin_before_code_generation) {
            2
        } else {
            1
        },
        name: c"elsewise".as_ptr(),
        plugin_version: concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast(),
        register: elw_register_callbacks,
        #[cfg(plugin_before_code_generation)]
        before_code_generation: std::ptr::null(),
    }
}

/// Is the module's code run by several threads, as far as it can tell?
///
/// # Safety
/// The shim's module, which nobody else touches meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elw_has_threads(module: LLVMModuleRef) -> bool {
    // SAFETY: as the shim says; no handle is kept.
    threads::has_threads(unsafe { Module::new(module) })
}

/// Called by the shim for each module that is compiled; `simple` says that the code generator will do
/// no more than it must.
///
/// # Safety
/// The shim's module, which nobody else touches meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elw_instrument_module(module: LLVMModuleRef, simple: bool) {
    // SAFETY: as the shim says; no handle is kept.
    module::instrument(unsafe { Module::new(module) }, simple);
}
