//! A module of text through the pass.

use crate::tell;
use anyhow::{Result, ensure};
// The pass itself, of which only the names are used.
use elsewise_pass as _;
use llvm_sys::analysis::{LLVMVerifierFailureAction, LLVMVerifyModule};
use llvm_sys::core::*;
#[expect(
    deprecated,
    reason = "what takes its place is not there before LLVM 22"
)]
use llvm_sys::ir_reader::LLVMParseIRInContext;
use llvm_sys::prelude::*;
use std::ffi::{CStr, CString, c_char};

unsafe extern "C" {
    fn elw_instrument_module(module: LLVMModuleRef, simple: bool);
}

/// Text of LLVM's, which is given back.
///
/// # Safety
/// Null, or a text that is the caller's.
unsafe fn taken(text: *mut c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: as the caller says.
    unsafe {
        let copy = CStr::from_ptr(text).to_string_lossy().into_owned();
        LLVMDisposeMessage(text);
        copy
    }
}

/// # Safety
/// The module is live.
unsafe fn verify(module: LLVMModuleRef) -> Result<()> {
    let mut message = std::ptr::null_mut();
    let action = LLVMVerifierFailureAction::LLVMReturnStatusAction;
    // SAFETY: as the caller says, and there is room for a message.
    unsafe {
        let bad = LLVMVerifyModule(module, action, &mut message);
        let message = taken(message);
        ensure!(
            bad == 0,
            "{message}\n{}",
            taken(LLVMPrintModuleToString(module))
        );
    }
    Ok(())
}

/// The module after the pass, as text, with what it says of itself behind it.
pub fn instrument(text: &str) -> Result<String> {
    let text = CString::new(text)?;
    // SAFETY: each test has a context and a module of its own, and disposes of both.
    unsafe {
        let context = LLVMContextCreate();
        let bytes = text.as_bytes();
        let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(
            bytes.as_ptr().cast(),
            bytes.len(),
            c"case".as_ptr(),
        );
        let (mut module, mut message) = (std::ptr::null_mut(), std::ptr::null_mut());
        // It takes the buffer.
        #[expect(deprecated, reason = "as above")]
        let bad = LLVMParseIRInContext(context, buffer, &mut module, &mut message);
        let message = taken(message);
        ensure!(bad == 0, "{message}");
        verify(module)?;
        elw_instrument_module(module, false);
        verify(module)?;
        let mut result = taken(LLVMPrintModuleToString(module));
        result += &tell::tell(module)?;
        LLVMDisposeModule(module);
        LLVMContextDispose(context);
        Ok(result)
    }
}
