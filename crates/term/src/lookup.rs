//! Tables of constants that a term is an index into: `Lookup` has the entry of its index, or the
//! last one for an index beyond the end.

use crate::bits::mask;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A table of constants, in one [`crate::Terms`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableId(pub(crate) u32);

/// Entries of one width, the one for index 0 first; never empty.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Table {
    width: u32,
    entries: Arc<[u64]>,
}

impl Table {
    pub fn width(&self) -> u32 {
        self.width
    }

    pub fn entries(&self) -> &Arc<[u64]> {
        &self.entries
    }
}

/// All tables of one [`crate::Terms`], equal ones once.
#[derive(Default)]
pub(crate) struct Tables {
    tables: Vec<(Table, Facts)>,
    by_content: FxHashMap<Table, TableId>,
}

/// What is worth knowing of a table whenever it is used.
#[derive(Clone, Copy)]
struct Facts {
    uniform: bool,
    active_bits: u32,
}

impl Tables {
    /// The table with these entries, cut to `width` bits (1 to 64).
    pub fn add(&mut self, width: u32, entries: &[u64]) -> TableId {
        assert!(
            (1..=64).contains(&width),
            "an entry has between 1 and 64 bits"
        );
        assert!(!entries.is_empty(), "a table is not empty");
        let table = Table {
            width,
            entries: entries.iter().map(|entry| entry & mask(width)).collect(),
        };
        if let Some(id) = self.by_content.get(&table) {
            return *id;
        }
        let id = TableId(self.tables.len() as u32);
        let any = table.entries.iter().fold(0, |any, entry| any | entry);
        let facts = Facts {
            uniform: table.entries.iter().all(|entry| *entry == table.entries[0]),
            active_bits: 64 - any.leading_zeros(),
        };
        self.tables.push((table.clone(), facts));
        self.by_content.insert(table, id);
        id
    }

    pub fn table(&self, id: TableId) -> &Table {
        &self.tables[id.0 as usize].0
    }

    /// A number of low bits outside which all entries are zero.
    pub fn active_bits(&self, id: TableId) -> u32 {
        self.tables[id.0 as usize].1.active_bits
    }

    /// Are all entries the same?
    pub fn is_uniform(&self, id: TableId) -> bool {
        self.tables[id.0 as usize].1.uniform
    }
}

/// The entry of an index.
#[inline]
pub fn look_up(entries: &[u64], index: u64) -> u64 {
    let last = entries.len() - 1;
    entries[usize::try_from(index).map_or(last, |index| index.min(last))]
}

/// What chooses between two halves of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selector {
    /// This bit of the index is set.
    Bit(u32),
    /// A bit of the index from this one up is set.
    Above(u32),
}

/// The entry of an index as a balanced tree of choices over the bits of the index, which has
/// `width` of them. `choose` makes one choice, its first operand where the selector holds.
pub fn select<T: Clone + PartialEq>(
    mut entries: Vec<T>,
    width: u32,
    mut choose: impl FnMut(Selector, &T, &T) -> T,
) -> T {
    let last = entries.last().expect("a table is not empty").clone();
    let mut level = 0;
    while entries.len() > 1 && level < width {
        let pairs = entries.chunks(2).map(|pair| {
            let high = pair.get(1).unwrap_or(&last);
            match &pair[0] == high {
                true => high.clone(),
                false => choose(Selector::Bit(level), high, &pair[0]),
            }
        });
        entries = pairs.collect();
        level += 1;
    }
    match level < width && entries[0] != last {
        true => choose(Selector::Above(level), &last, &entries[0]),
        false => entries.swap_remove(0),
    }
}
