//! Memory of a program that is followed: which bytes there are, and what is in them.

use elsewise_explore::program::Object;
use elsewise_term::{TermId, Terms};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Where calls have their local memory, and where memory is handed out: far from static memory.
pub(crate) const STACK: u64 = 0x7000_0000_0000;
pub(crate) const HEAP: u64 = 0x6000_0000_0000;
/// Bytes between two objects that belong to neither.
const GAP: u64 = 64;

/// A byte: part of something that was written as a whole, or nothing that is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Byte {
    whole: Option<TermId>,
    index: u32,
    size: u32,
}

pub(crate) const UNKNOWN: Byte = Byte {
    whole: None,
    index: 0,
    size: 0,
};

/// Bytes that belong together: an access that begins inside must end inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    pub address: u64,
    pub size: u64,
    pub kind: RegionKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RegionKind {
    /// Index of the object.
    Static {
        object: u32,
        constant: bool,
    },
    Local,
    Heap,
}

#[derive(Default)]
pub(crate) struct Memory {
    objects: Vec<Object>,
    regions: BTreeMap<u64, Region>,
    written: FxHashMap<u64, Byte>,
}

impl Memory {
    pub fn new(objects: &[Object]) -> Memory {
        let regions = objects.iter().enumerate().map(|(index, object)| {
            let region = Region {
                address: object.address,
                size: object.size,
                kind: RegionKind::Static {
                    object: index as u32,
                    constant: object.constant,
                },
            };
            (object.address, region)
        });
        Memory {
            regions: regions.collect(),
            objects: objects.to_vec(),
            written: FxHashMap::default(),
        }
    }

    /// The region that so many bytes from `address` on are inside of.
    pub fn region(&self, address: u64, size: u64) -> Option<Region> {
        let (_, region) = self.regions.range(..=address).next_back()?;
        let offset = address - region.address;
        (offset <= region.size && size <= region.size - offset).then_some(*region)
    }

    pub fn add(&mut self, region: Region) {
        self.regions.insert(region.address, region);
    }

    pub fn remove(&mut self, address: u64) -> Option<Region> {
        self.regions.remove(&address)
    }

    /// What is at an address of a region.
    fn byte(&self, terms: &mut Terms, region: &Region, address: u64) -> Byte {
        if let Some(byte) = self.written.get(&address) {
            return *byte;
        }
        let RegionKind::Static { object, .. } = region.kind else {
            return UNKNOWN;
        };
        let bytes = &self.objects[object as usize].bytes;
        let value = bytes.get((address - region.address) as usize).copied();
        Byte {
            whole: Some(terms.bits(8, value.unwrap_or(0).into())),
            index: 0,
            size: 1,
        }
    }

    /// The byte at an address as a term.
    pub fn byte_term(&self, terms: &mut Terms, address: u64) -> Option<TermId> {
        let region = self.region(address, 1)?;
        let byte = self.byte(terms, &region, address);
        let whole = byte.whole?;
        Some(terms.extract(whole, byte.index * 8, 8))
    }

    /// So many bytes of a region, as one term, the byte at the least address lowest.
    pub fn read(
        &self,
        terms: &mut Terms,
        region: &Region,
        address: u64,
        size: u32,
    ) -> Option<TermId> {
        let first = self.byte(terms, region, address);
        if first.index == 0 && first.size == size {
            let whole = (1..size).all(|index| {
                let expected = Byte { index, ..first };
                self.written.get(&(address + u64::from(index))) == Some(&expected)
            });
            if whole {
                return first.whole;
            }
        }
        let mut term = None;
        for index in 0..size {
            let byte = self.byte(terms, region, address + u64::from(index));
            let part = terms.extract(byte.whole?, byte.index * 8, 8);
            term = Some(match term {
                None => part,
                Some(low) => terms.concat(part, low),
            });
        }
        term
    }

    /// Writes a byte; what was written there before.
    pub fn put(&mut self, address: u64, byte: Byte) -> Option<Byte> {
        self.written.insert(address, byte)
    }

    /// Puts back what was there before.
    pub fn put_back(&mut self, address: u64, before: Option<Byte>) {
        match before {
            Some(byte) => self.written.insert(address, byte),
            None => self.written.remove(&address),
        };
    }

    pub fn written(&self, address: u64) -> Option<Byte> {
        self.written.get(&address).copied()
    }

    /// The byte at an address, to be written elsewhere.
    pub fn copy(&self, terms: &mut Terms, region: &Region, address: u64) -> Byte {
        self.byte(terms, region, address)
    }
}

/// The bytes of a value that is written as a whole.
pub(crate) fn parts(value: Option<TermId>, size: u32) -> impl Iterator<Item = Byte> {
    (0..size).map(move |index| match value {
        Some(whole) => Byte {
            whole: Some(whole),
            index,
            size,
        },
        None => UNKNOWN,
    })
}

/// Where memory of this size and alignment can be from `free` on, and where the next can be.
pub(crate) fn place(free: u64, size: u64, align: u64) -> Option<(u64, u64)> {
    let align = align.max(16);
    let address = free.checked_next_multiple_of(align)?;
    let next = address.checked_add(size)?.checked_add(GAP)?;
    (next < free + (1 << 36)).then_some((address, next))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(address: u64, size: u64, bytes: &[u8]) -> Object {
        Object {
            address,
            size,
            bytes: bytes.to_vec(),
            ..Object::default()
        }
    }

    #[test]
    fn an_access_is_inside_of_one_region_or_of_none() {
        // Side by side: whoever goes over the edge is in neither.
        let memory = Memory::new(&[object(100, 4, &[]), object(104, 4, &[])]);
        for address in 96..112 {
            for size in 1..6 {
                let inside = |from: u64| address >= from && address + size <= from + 4;
                let expected = [100, 104].into_iter().find(|from| inside(*from));
                let found = memory.region(address, size).map(|region| region.address);
                assert_eq!(found, expected, "{address} {size}");
            }
        }
    }

    #[test]
    fn static_memory_begins_as_it_was_told_with_zeroes_beyond() {
        let mut terms = Terms::new();
        let memory = Memory::new(&[object(100, 4, &[0x11, 0x22])]);
        let region = memory.region(100, 4).expect("a region");
        let read = memory.read(&mut terms, &region, 100, 4);
        let read = read.and_then(|read| terms.as_u64(read));
        assert_eq!(read, Some(0x2211));
    }

    #[test]
    fn what_was_written_as_a_whole_is_read_as_a_whole() {
        let mut terms = Terms::new();
        let mut memory = Memory::new(&[object(100, 8, &[])]);
        let region = memory.region(100, 8).expect("a region");
        let value = terms.variable(1, elsewise_term::Sort::BitVec(32));
        for (byte, address) in parts(Some(value), 4).zip(102..) {
            memory.put(address, byte);
        }
        assert_eq!(memory.read(&mut terms, &region, 102, 4), Some(value));
        let upper = memory.read(&mut terms, &region, 104, 2);
        assert_eq!(upper, Some(terms.extract(value, 16, 16)));
        // A byte in the middle is another one now.
        let nine = terms.bits(8, 9);
        let old = memory.put(103, parts(Some(nine), 1).next().expect("a byte"));
        let read = memory
            .read(&mut terms, &region, 102, 4)
            .expect("it is known");
        assert_eq!(terms.extract(read, 8, 8), nine);
        memory.put_back(103, old);
        assert_eq!(memory.read(&mut terms, &region, 102, 4), Some(value));
    }

    #[test]
    fn one_unknown_byte_makes_the_whole_unknown() {
        let mut terms = Terms::new();
        let mut memory = Memory::new(&[object(100, 4, &[])]);
        let region = memory.region(100, 4).expect("a region");
        memory.put(102, UNKNOWN);
        assert_eq!(memory.read(&mut terms, &region, 100, 4), None);
        assert!(memory.read(&mut terms, &region, 100, 2).is_some());
        assert_eq!(memory.byte_term(&mut terms, 102), None);
    }

    #[test]
    fn places_are_aligned_and_apart() {
        let mut free = 1000;
        let mut end = 0;
        for (size, align) in [(1, 1), (3, 64), (0, 16), (100, 4096), (8, 8)] {
            let (address, next) = place(free, size, align).expect("there is room");
            assert_eq!(address % align.max(16), 0);
            // Objects do not touch, so that no access is inside of two.
            assert!(address > end && next >= address + size + GAP);
            (free, end) = (next, address + size);
        }
        assert_eq!(place(u64::MAX - 100, 50, 16), None);
        assert_eq!(place(1000, 1 << 40, 16), None);
    }
}
