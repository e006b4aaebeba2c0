//! What a state consists of, and how terms speak of it.
//!
//! A condition on a state is a term whose inputs are the *cells* of the state: registers of the calls
//! that are under way, and bytes of memory. Whatever a program is given later is in it as a *bound*
//! input, of which nothing is known: the condition has to hold whatever it is.

use elsewise_explore::program::Register;
use elsewise_term::{Sort, TermId, Terms};

/// What an input of a term stands for in this crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Cell {
    /// A byte that the program is given.
    Given(u32),
    /// A register of the call at this depth.
    Register {
        depth: u32,
        register: u32,
        width: u32,
    },
    /// A byte of memory.
    Byte(u64),
    /// Something that the program is given after the point that a condition is about.
    Bound { number: u32, width: u32 },
}

const WIDTH_BITS: u32 = 12;
const REGISTER_BITS: u32 = 24;
const TAG: u32 = 62;
/// Beyond these, a program is followed no further.
pub(crate) const MAX_WIDTH: u32 = (1 << WIDTH_BITS) - 1;
pub(crate) const MAX_REGISTERS: u32 = 1 << REGISTER_BITS;
pub(crate) const MAX_DEPTH: u32 = 4096;

impl Cell {
    pub fn register(depth: u32, register: Register, width: u32) -> Cell {
        Cell::Register {
            depth,
            register: register.0,
            width,
        }
    }

    /// The key under which a table of terms has it.
    pub fn key(self) -> u64 {
        match self {
            Cell::Given(number) => u64::from(number),
            Cell::Register {
                depth,
                register,
                width,
            } => {
                let low = u64::from(register) << WIDTH_BITS | u64::from(width);
                1 << TAG | u64::from(depth) << (WIDTH_BITS + REGISTER_BITS) | low
            }
            Cell::Byte(address) => 2 << TAG | address,
            Cell::Bound { number, width } => {
                3 << TAG | u64::from(number) << WIDTH_BITS | u64::from(width)
            }
        }
    }

    pub fn of_key(key: u64) -> Cell {
        let low = |bits: u32, from: u32| (key >> from & ((1 << bits) - 1)) as u32;
        match key >> TAG {
            0 => Cell::Given(key as u32),
            1 => Cell::Register {
                depth: low(26, WIDTH_BITS + REGISTER_BITS),
                register: low(REGISTER_BITS, WIDTH_BITS),
                width: low(WIDTH_BITS, 0),
            },
            2 => Cell::Byte(key & ((1 << TAG) - 1)),
            _ => Cell::Bound {
                number: low(32, WIDTH_BITS),
                width: low(WIDTH_BITS, 0),
            },
        }
    }

    pub fn term(self, terms: &mut Terms) -> TermId {
        let width = match self {
            Cell::Given(_) | Cell::Byte(_) => 8,
            Cell::Register { width, .. } | Cell::Bound { width, .. } => width,
        };
        terms.variable(self.key(), Sort::BitVec(width))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_is_found_again_by_its_key() {
        let cells = [
            Cell::Given(7),
            Cell::Register {
                depth: MAX_DEPTH,
                register: MAX_REGISTERS - 1,
                width: MAX_WIDTH,
            },
            Cell::Register {
                depth: 0,
                register: 0,
                width: 1,
            },
            Cell::Byte(0x7fff_ffff_ffff),
            Cell::Bound {
                number: u32::MAX,
                width: 64,
            },
        ];
        for cell in cells {
            assert_eq!(Cell::of_key(cell.key()), cell);
        }
    }
}
