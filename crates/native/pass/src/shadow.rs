//! Inline code on the flags of memory, and on the coverage bytes.

use crate::ir::{Ir, Value};
use llvm_sys::core::*;

impl Ir {
    fn flag_access(&self, access: Value) -> Value {
        unsafe {
            LLVMSetMetadata(
                access,
                self.tbaa_kind,
                LLVMMetadataAsValue(self.context, self.tbaa),
            );
        }
        access
    }

    /// Address of the flag of what `address` points to.
    fn flag_address(&self, address: Value) -> Value {
        let none = c"".as_ptr();
        unsafe {
            let address = LLVMBuildPtrToInt(self.builder, address, self.i64, none);
            let granule = LLVMBuildLShr(self.builder, address, self.const64(3), none);
            // As a base and an index, which an access adds up by itself.
            let base = LLVMConstIntToPtr(self.const64(elsewise_wire::FLAGS_BASE), self.ptr);
            let mut index = [granule];
            LLVMBuildGEP2(self.builder, self.i8, base, index.as_mut_ptr(), 1, none)
        }
    }

    /// Flags of `bytes` bytes or-ed together, as an `i32`: zero where none has a label. The flag
    /// behind them may be among those: what an address is a multiple of is not believed, since
    /// programs do not keep to it.
    pub fn flags(&self, address: Value, bytes: u64) -> Value {
        let first = self.flag_address(address);
        let count = (bytes + 6) / 8 + 1;
        let mut any: Option<Value> = None;
        let mut at = 0;
        while at < count {
            let (width, step) = match count - at {
                1 => (8, 1),
                2 => (16, 2),
                3..=4 => (32, 4),
                _ => (64, 8),
            };
            unsafe {
                let ty = LLVMIntTypeInContext(self.context, width);
                let load = self.load(ty, self.offset(first, at));
                LLVMSetAlignment(load, 1);
                let flags = self.folded32(self.flag_access(load));
                any = Some(any.map_or(flags, |any| self.or(any, flags)));
            }
            at += step;
        }
        any.unwrap_or_else(|| self.const32(0))
    }

    /// Forgets the labels of `bytes` bytes.
    pub fn shadow_clear(&self, address: Value, bytes: u64) {
        let address = self.as_i64(address);
        self.call("__elw_clear", None, &[address, self.const64(bytes)]);
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
