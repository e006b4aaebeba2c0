//! Look-ups in tables: a table of constants is one among terms, and made once however often it is
//! looked up in; one with entries that have labels becomes choices over the bits of the index.

use super::{Damaged, Imported, as_bits, damaged};
use super::{Importer, Pointers, Run, width_of};
use crate::memory::SharedMemory;
use elsewise_term::lookup::{Selector, select};
use elsewise_term::{TableId, TermId, Terms};
use elsewise_wire::{MAX_ENTRIES, Node, Op};
use rustc_hash::FxHashMap;

/// Entries that one run may make the engine read, for each node that it wrote and at least: tables
/// may overlap and be used again, but not so much that importing them takes for ever.
const READS_PER_NODE: u64 = 64;
const READS_AT_LEAST: u64 = 1 << 24;

/// Tables of one run, by the place and number of their entries and their width.
#[derive(Default)]
pub(super) struct Tables {
    known: FxHashMap<(u64, u32), Entries>,
    reads_left: u64,
}

#[derive(Clone)]
enum Entries {
    Constant(TableId),
    /// Value, or label where there is one.
    Labelled(Box<[(u64, u32)]>),
}

impl Tables {
    pub fn begin(&mut self, nodes: u32) {
        self.known.clear();
        self.reads_left = (u64::from(nodes) * READS_PER_NODE).max(READS_AT_LEAST);
    }

    fn spend(&mut self, entries: usize) -> Result<(), Damaged> {
        match self.reads_left.checked_sub(entries as u64) {
            Some(left) => self.reads_left = left,
            None => return damaged("more look-ups in tables than the trace has room for"),
        }
        Ok(())
    }
}

impl Importer {
    /// Puts the labels of a table's entries on the stack that have no term yet.
    pub(super) fn entries_of(
        &mut self,
        top: u32,
        node: &Node,
        memory: &SharedMemory,
    ) -> Result<(), Damaged> {
        if self.tables.known.contains_key(&key(node)) {
            return Ok(());
        }
        for (_, label) in self.read(top, node, memory)? {
            if label != 0 && self.memo[label as usize] == 0 {
                self.stack.push(label);
            }
        }
        Ok(())
    }

    /// Value and label of each entry, checked.
    fn read(
        &mut self,
        top: u32,
        node: &Node,
        memory: &SharedMemory,
    ) -> Result<Vec<(u64, u32)>, Damaged> {
        let (first, count) = (node.b as u32, (node.b >> 32) as u32);
        if count == 0 || count > MAX_ENTRIES {
            return damaged(format!("a table of {count} entries"));
        }
        if first == 0 || u64::from(first) + u64::from(count) > u64::from(top) {
            return damaged(format!("label {top} looks up in what comes after it"));
        }
        self.tables.spend(count as usize)?;
        let mut entries = Vec::with_capacity(count as usize);
        for label in first..first + count {
            let Some(entry) = memory.node(label).filter(|e| e.op == Op::Data as u8) else {
                return damaged(format!("label {label} is no entry of a table"));
            };
            if entry.a >= top {
                return damaged(format!("label {top} is made from label {}", entry.a));
            }
            entries.push((entry.b, entry.a));
        }
        Ok(entries)
    }

    pub(super) fn look_up(
        &mut self,
        top: u32,
        node: &Node,
        run: &mut Run<'_>,
        width: u32,
    ) -> Result<Imported, Damaged> {
        if width > 64 {
            return damaged("an entry of more than 64 bits");
        }
        let index = self.get(node.a.into())?.term;
        if width_of(run.terms, index) > 64 {
            return damaged("an index of more than 64 bits");
        }
        let index = as_bits(run.terms, index);
        let entries = match self.tables.known.get(&key(node)) {
            Some(entries) => entries.clone(),
            None => {
                let entries = self.read(top, node, run.memory)?;
                let entries = match entries.iter().all(|(_, label)| *label == 0) {
                    true => {
                        let values: Vec<u64> = entries.iter().map(|(value, _)| *value).collect();
                        Entries::Constant(run.terms.table(width, &values))
                    }
                    false => Entries::Labelled(entries.into()),
                };
                self.tables.known.insert(key(node), entries.clone());
                entries
            }
        };
        match entries {
            Entries::Constant(table) => Ok(Imported {
                term: run.terms.lookup(table, index),
                length: false,
                pointers: Pointers::None,
            }),
            Entries::Labelled(entries) => {
                self.tables.spend(entries.len())?;
                let mut length = false;
                let mut pointers = Pointers::None;
                let mut choices = Vec::with_capacity(entries.len());
                for (value, label) in entries {
                    if label == 0 {
                        choices.push(run.terms.bits(width, value));
                        continue;
                    }
                    let imported = self.get(label.into())?;
                    length |= imported.length;
                    pointers = pointers.or(imported.pointers);
                    let term = as_bits(run.terms, imported.term);
                    if run.terms.width(term) != width {
                        return damaged("entries of different widths");
                    }
                    choices.push(term);
                }
                Ok(Imported {
                    term: tree(run.terms, choices, index),
                    length,
                    pointers,
                })
            }
        }
    }
}

fn key(node: &Node) -> (u64, u32) {
    (node.b, node.bits.into())
}

/// The entry of an index as choices over its bits.
fn tree(terms: &mut Terms, entries: Vec<TermId>, index: TermId) -> TermId {
    let width = terms.width(index);
    select(entries, width, |selector, yes, no| {
        let holds = match selector {
            Selector::Bit(bit) => {
                let bit = terms.extract(index, bit, 1);
                terms.bits_to_bool(bit)
            }
            Selector::Above(bit) => {
                let part = terms.extract(index, bit, width - bit);
                let zero = terms.bits(width - bit, 0);
                let clear = terms.eq(part, zero);
                terms.not(clear)
            }
        };
        terms.ite(holds, *yes, *no)
    })
}
