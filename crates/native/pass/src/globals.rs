//! Globals of a module that instrumented code uses.

use crate::frame::FRAME_SIZE;
use crate::ir::{Ir, Type, Value};
use elsewise_wire::bytecode::{FOLLOWED, FOLLOWED_PLACES};
use llvm_sys::{LLVMLinkage, LLVMThreadLocalMode};

pub struct Globals {
    /// The runtime's thread-local call frame.
    pub frame: Value,
    /// The runtime's table of functions that are known to be instrumented.
    pub followed: Value,
    /// Where the object's first site number is.
    pub first_site: Value,
    /// Where the address of the object's coverage bytes is.
    pub coverage: Value,
}

impl Globals {
    pub fn new(ir: &Ir) -> Globals {
        let bytes = ir.i8.array_of(FRAME_SIZE);
        let frame = ir.module.add_global("__elw_frame", bytes);
        // Not the model for programs alone: objects that were not meant for a shared library are
        // linked into one all the same.
        frame.set_thread_local(LLVMThreadLocalMode::LLVMInitialExecTLSModel);
        frame.set_alignment(16);
        let followed = ir.i64.array_of(FOLLOWED_PLACES as u64);
        let followed = ir.module.add_global(FOLLOWED, followed);
        let coverage = internal(ir, "__elw_coverage", ir.ptr, ir.ptr.null());
        let first_site = internal(ir, "__elw_first_site", ir.i32, ir.const32(0));
        Globals {
            frame,
            followed,
            first_site,
            coverage,
        }
    }
}

/// A global of the module's own.
pub fn internal(ir: &Ir, name: &str, ty: Type, value: Value) -> Value {
    let global = ir.module.add_global(name, ty);
    global.set_initial_value(value);
    global.set_linkage(LLVMLinkage::LLVMInternalLinkage);
    global
}
