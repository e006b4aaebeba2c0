//! What the loader says of the objects that it has loaded.

use core::ffi::{c_char, c_int, c_void};

unsafe extern "C" {
    pub fn dl_iterate_phdr(
        visit: unsafe extern "C" fn(*const Loaded, usize, *mut c_void) -> c_int,
        data: *mut c_void,
    ) -> c_int;
}

/// `struct dl_phdr_info`: an object that is loaded.
#[repr(C)]
pub struct Loaded {
    pub base: u64,
    pub name: *const c_char,
    table: *const Segment,
    count: u16,
    counts: [u64; 2],
    module: usize,
    /// Where the running thread's own variables are, if it has some.
    pub variables: u64,
}

/// `Elf64_Phdr`.
#[repr(C)]
pub struct Segment {
    kind: u32,
    flags: u32,
    offset: u64,
    pub address: u64,
    physical: u64,
    in_file: u64,
    pub size: u64,
    pub alignment: u64,
}

impl Loaded {
    /// # Safety
    /// It was made by the loader.
    pub unsafe fn segments(&self) -> &[Segment] {
        // SAFETY: as the caller says, there are so many.
        unsafe { core::slice::from_raw_parts(self.table, self.count.into()) }
    }
}

impl Segment {
    pub fn executes(&self) -> bool {
        self.kind == 1 && self.flags & 1 != 0
    }

    pub fn is_of_threads(&self) -> bool {
        self.kind == 7
    }
}
