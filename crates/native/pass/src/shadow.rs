//! Inline code on the flags of memory, and on the coverage bytes.

use crate::ir::{Ir, Value};

impl Ir {
    /// Address of the flag of what `address` points to.
    fn flag_address(&self, address: Value) -> Value {
        let address = self.builder.address_as_number(address, self.i64);
        let granule = self.builder.shift_right(address, self.const64(3));
        // As a base and an index, which an access adds up by itself.
        let base = self.const64(elsewise_wire::FLAGS_BASE);
        let base = base.constant_cast(self.ptr);
        self.builder.element_address(self.i8, base, granule)
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
            let ty = self.context.integer(width);
            let load = self.load(ty, self.offset(first, at));
            load.set_alignment(1);
            self.mark_as_shadow(load);
            let flags = self.folded32(load);
            any = Some(any.map_or(flags, |any| self.or(any, flags)));
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
        let byte = self.builder.element_address(self.i8, coverage, side);
        self.mark_as_shadow(self.builder.store(self.i8.number(1), byte));
    }
}
