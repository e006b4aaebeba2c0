//! Large blocks of memory that threads have got.

use crate::turns::Turns;

/// Later ones are touched as a whole.
const MOST: usize = 1024;

struct Table {
    blocks: [(u64, u64); MOST],
    count: usize,
}

static TABLE: Turns<Table> = Turns::new(Table {
    blocks: [(0, 0); MOST],
    count: 0,
});

fn table() -> &'static mut Table {
    // SAFETY: its users take turns, as `Turns` says.
    unsafe { &mut *TABLE.get() }
}

/// A block was made. Its memory is never used for another one.
pub fn add(block: u64, size: u64) {
    let table = table();
    if table.count < MOST {
        table.blocks[table.count] = (block, size);
        table.count += 1;
    }
}

/// The block in which an address is.
pub fn find(address: u64) -> Option<u64> {
    let table = table();
    let mut known = table.blocks[..table.count].iter().rev();
    let holds = |(block, size): &&(u64, u64)| (*block..*block + *size).contains(&address);
    known.find(holds).map(|(block, _)| *block)
}
