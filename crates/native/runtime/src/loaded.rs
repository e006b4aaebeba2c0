//! What the loader says of the objects that it has loaded.

use core::ffi::{CStr, c_char, c_int, c_void};

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
    /// How often an object was loaded since the program was started, and how often one has gone.
    changes: [u64; 2],
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

/// `Elf64_Dyn`: the end has no kind.
#[repr(C)]
struct Entry {
    kind: u64,
    value: u64,
}

/// `Elf64_Sym`.
#[repr(C)]
struct Symbol {
    name: u32,
    info: u8,
    other: u8,
    section: u16,
    value: u64,
    size: u64,
}

/// `Elf64_Rela`.
#[repr(C)]
struct Relocation {
    offset: u64,
    info: u64,
    addend: i64,
}

/// What an object says of its symbols: where they are, their names, how they are found, and who asks for them.
#[derive(Clone, Copy, Default)]
struct Tables {
    symbols: u64,
    names: u64,
    hashes: u64,
    relocations: [(u64, u64); 2],
}

impl Loaded {
    /// Where its code begins.
    ///
    /// # Safety
    /// It was made by the loader.
    pub unsafe fn code(&self) -> Option<u64> {
        // SAFETY: as the caller says.
        let segments = unsafe { self.segments() };
        let code = segments.iter().find(|segment| segment.executes());
        code.map(|segment| self.base.wrapping_add(segment.address))
    }

    /// # Safety
    /// It was made by the loader.
    unsafe fn tables(&self) -> Option<Tables> {
        const SIZE_OF_CALLS: u64 = 2;
        const NAMES: u64 = 5;
        const SYMBOLS: u64 = 6;
        const OTHERS: u64 = 7;
        const SIZE_OF_OTHERS: u64 = 8;
        const CALLS: u64 = 23;
        const HASHES: u64 = 0x6fff_fef5;
        // SAFETY: as the caller says.
        let segments = unsafe { self.segments() };
        let dynamic = segments.iter().find(|segment| segment.kind == 2)?;
        let mut at = self.base.wrapping_add(dynamic.address) as *const Entry;
        // The loader has made addresses of most of them.
        let address = |value: u64| match value < self.base {
            true => self.base + value,
            false => value,
        };
        let mut tables = Tables::default();
        // SAFETY: entries, up to the one without a kind.
        unsafe {
            while (*at).kind != 0 {
                let value = (*at).value;
                match (*at).kind {
                    NAMES => tables.names = address(value),
                    SYMBOLS => tables.symbols = address(value),
                    HASHES => tables.hashes = address(value),
                    CALLS => tables.relocations[0].0 = address(value),
                    SIZE_OF_CALLS => tables.relocations[0].1 = value,
                    OTHERS => tables.relocations[1].0 = address(value),
                    SIZE_OF_OTHERS => tables.relocations[1].1 = value,
                    _ => {}
                }
                at = at.add(1);
            }
        }
        (tables.symbols != 0 && tables.names != 0).then_some(tables)
    }

    /// Calls `act` with the names that code in it asks the loader for.
    ///
    /// # Safety
    /// It was made by the loader, and is loaded.
    pub unsafe fn wants(&self, mut act: impl FnMut(&[u8])) {
        // SAFETY: as the caller says.
        let Some(tables) = (unsafe { self.tables() }) else {
            return;
        };
        for (from, size) in tables.relocations {
            let count = size as usize / size_of::<Relocation>();
            for index in 0..count {
                // SAFETY: so many are there; they name symbols of the object's, which have names.
                unsafe {
                    let relocation = &*(from as *const Relocation).add(index);
                    let symbol = (relocation.info >> 32) as usize;
                    let symbol = &*(tables.symbols as *const Symbol).add(symbol);
                    if symbol.section == 0 && symbol.name != 0 {
                        let name = (tables.names + u64::from(symbol.name)) as *const c_char;
                        act(CStr::from_ptr(name).to_bytes());
                    }
                }
            }
        }
    }

    /// Calls `act` with variables that others can find by their names, and how large they are.
    ///
    /// # Safety
    /// It was made by the loader, and is loaded.
    pub unsafe fn exports(&self, mut act: impl FnMut(u64, u32)) {
        // SAFETY: as the caller says.
        let Some(tables) = (unsafe { self.tables() }).filter(|tables| tables.hashes != 0) else {
            return;
        };
        const VARIABLE: u8 = 1;
        // SAFETY: GNU's table: four numbers, words of a filter, where the symbols of each hash begin, and the hashes
        // of all symbols from the second number on, whose last bit says that the next is of another.
        unsafe {
            let head = tables.hashes as *const u32;
            let (lists, first) = (*head as usize, *head.add(1) as usize);
            let words = *head.add(2) as usize;
            let begins = head.add(4 + 2 * words);
            let hashes = begins.add(lists);
            for list in 0..lists {
                let mut index = *begins.add(list) as usize;
                while index >= first {
                    let symbol = &*(tables.symbols as *const Symbol).add(index);
                    if symbol.info & 15 == VARIABLE && symbol.section != 0 && symbol.size > 0 {
                        let size = u32::try_from(symbol.size).unwrap_or(u32::MAX);
                        act(self.base.wrapping_add(symbol.value), size);
                    }
                    if *hashes.add(index - first) & 1 != 0 {
                        break;
                    }
                    index += 1;
                }
            }
        }
    }

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

/// How often an object was loaded since the program was started.
pub fn loads() -> u64 {
    unsafe extern "C" fn visit(object: *const Loaded, _: usize, loads: *mut c_void) -> c_int {
        // SAFETY: the loader's description of an object, and what is given for it below. One object tells for all.
        unsafe { *loads.cast::<u64>() = (*object).changes[0] };
        1
    }
    let mut loads = 0u64;
    // SAFETY: what is called keeps to what the loader asks for.
    unsafe { dl_iterate_phdr(visit, (&raw mut loads).cast()) };
    loads
}
