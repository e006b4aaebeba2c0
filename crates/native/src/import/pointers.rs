//! What a value has to do with the addresses of objects that are inputs.
//!
//! Objects that could as well be each other are explored once, which is all there is to explore as
//! long as the program asks of their addresses only whether they are equal. What it computes from
//! them, or in which order they come, tells them apart.

use elsewise_wire::{Node, Op};

/// How a value was made from addresses of input objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pointers {
    /// It was not, or says no more than whether some are equal.
    None,
    /// An address, from the input pointer of this label on; 0 for one of several.
    Address(u32),
    /// In another way.
    Computed,
}

impl Pointers {
    /// One or the other.
    pub fn or(self, other: Pointers) -> Pointers {
        match (self, other) {
            (Pointers::Computed, _) | (_, Pointers::Computed) => Pointers::Computed,
            (Pointers::None, Pointers::None) => Pointers::None,
            (one, other) if one == other => one,
            _ => Pointers::Address(0),
        }
    }
}

/// What a node has to do with addresses whose operands (apart from a table's) have to do this.
pub(super) fn of(op: Op, node: &Node, operands: [Pointers; 3]) -> Pointers {
    use Pointers::{Address, Computed, None};
    let [a, b, c] = operands;
    if operands == [None; 3] {
        return None;
    }
    if operands.contains(&Computed) {
        return Computed;
    }
    match op {
        Op::Eq | Op::Ne => None,
        Op::Ite if a == None => b.or(c),
        // Bytes that are taken apart and put together again.
        Op::Extract | Op::Concat => Address(0),
        Op::Add => match (a, b) {
            (pointer, None) | (None, pointer) => pointer,
            _ => Computed,
        },
        Op::Sub if b == None && node.flags == elsewise_wire::CONST_RIGHT => a,
        Op::Sub | Op::Ult | Op::Ule | Op::Ugt | Op::Uge | Op::Slt | Op::Sle | Op::Sgt | Op::Sge => {
            match (a, b) {
                // Two places in one object.
                (Address(one), Address(other)) if one == other && one != 0 => None,
                (pointer, None) if op == Op::Sub && node.flags == 0 => pointer,
                _ => Computed,
            }
        }
        _ => Computed,
    }
}
