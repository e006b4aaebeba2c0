//! Inline code on the shadow of memory, and on the coverage bytes.

use crate::ir::{Ir, Value};
use llvm_sys::core::*;

impl Ir {
    fn shadow_access(&self, access: Value) -> Value {
        unsafe {
            LLVMSetAlignment(access, 4);
            LLVMSetMetadata(
                access,
                self.tbaa_kind,
                LLVMMetadataAsValue(self.context, self.tbaa),
            );
        }
        access
    }

    /// Address of the shadow of what `address` points to.
    fn shadow_address(&self, address: Value) -> Value {
        let none = c"".as_ptr();
        unsafe {
            let address = LLVMBuildPtrToInt(self.builder, address, self.i64, none);
            let mask = self.const64(elsewise_wire::SHADOW_MASK);
            let masked = LLVMBuildAnd(self.builder, address, mask, none);
            let scaled = LLVMBuildShl(self.builder, masked, self.const64(2), none);
            let base = self.const64(elsewise_wire::SHADOW_BASE);
            let sum = LLVMBuildAdd(self.builder, scaled, base, none);
            LLVMBuildIntToPtr(self.builder, sum, self.ptr, none)
        }
    }

    fn shadow_at(&self, shadow: Value, entry: u64) -> Value {
        self.offset(shadow, entry * 4)
    }

    /// All shadow entries of `bytes` bytes or-ed together, as an `i64`.
    pub fn shadow_any(&self, address: Value, bytes: u64) -> Value {
        let shadow = self.shadow_address(address);
        let mut any: Option<Value> = None;
        let mut at = 0;
        while at < bytes {
            let pair = bytes - at >= 2;
            let ty = if pair { self.i64 } else { self.i32 };
            let entries = self.load(ty, self.shadow_at(shadow, at));
            let entries = self.zext64(self.shadow_access(entries));
            any = Some(any.map_or(entries, |any| self.or(any, entries)));
            at += if pair { 2 } else { 1 };
        }
        any.unwrap_or_else(|| self.const64(0))
    }

    /// Clears the shadow of `bytes` bytes, inline where they are few.
    pub fn shadow_clear(&self, address: Value, bytes: u64) {
        if bytes > 64 {
            let address = self.as_i64(address);
            self.call("__elw_clear", None, &[address, self.const64(bytes)]);
            return;
        }
        let shadow = self.shadow_address(address);
        let mut at = 0;
        while at < bytes {
            let pair = bytes - at >= 2;
            let zero = if pair {
                self.const64(0)
            } else {
                self.const32(0)
            };
            unsafe {
                let store = LLVMBuildStore(self.builder, zero, self.shadow_at(shadow, at));
                self.shadow_access(store);
            }
            at += if pair { 2 } else { 1 };
        }
    }

    /// Marks one coverage byte.
    pub fn mark(&self, coverage: Value, side: Value) {
        unsafe {
            let mut index = [side];
            let byte = LLVMBuildGEP2(
                self.builder,
                self.i8,
                coverage,
                index.as_mut_ptr(),
                1,
                c"".as_ptr(),
            );
            let store = LLVMBuildStore(self.builder, LLVMConstInt(self.i8, 1, 0), byte);
            LLVMSetMetadata(
                store,
                self.tbaa_kind,
                LLVMMetadataAsValue(self.context, self.tbaa),
            );
        }
    }
}
