//! What a machine has done, step by step, so that conditions can be pushed back through it.

use crate::memory::Region;
use elsewise_explore::program::{Block, End, Function, Operand, Operator, Program, Register, Step};
use elsewise_term::{Bits, Op, TermId, Terms};

/// A place in a program: a step of a block, or its end where `step` is behind the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct At {
    pub function: u32,
    pub block: u32,
    pub step: u32,
}

/// Places of one object, one of which an access by an address that depends on inputs goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Room {
    pub region: Region,
    /// Bytes of the access.
    pub size: u64,
    /// Address of the first place, and how far the next is from it.
    pub first: u64,
    pub stride: u64,
}

impl Room {
    /// Addresses of the places.
    pub fn places(&self) -> impl Iterator<Item = u64> + use<> {
        let last = self.region.address + self.region.size - self.size;
        (self.first..=last).step_by(self.stride as usize)
    }

    /// That the address is one of a place, given that it is inside.
    pub fn aligned(&self, terms: &mut Terms, address: TermId) -> TermId {
        let first = terms.bits(64, self.first);
        let stride = terms.bits(64, self.stride);
        let offset = terms.bv(Op::BvSub, &[address, first]);
        let rest = terms.bv(Op::BvURem, &[offset, stride]);
        let zero = terms.bits(64, 0);
        terms.eq(rest, zero)
    }

    /// What is at the address, given what is at each place.
    pub fn pick(&self, terms: &mut Terms, address: TermId, values: &[TermId]) -> Option<TermId> {
        // It is one of them: the last needs no question.
        let mut picked = *values.last()?;
        let places: Vec<u64> = self.places().collect();
        for (place, value) in places.iter().zip(values).rev().skip(1) {
            let here = terms.bits(64, *place);
            let meant = terms.eq(address, here);
            picked = terms.ite(meant, *value, picked);
        }
        Some(picked)
    }
}

/// One thing that was done by the call at a depth.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub at: At,
    pub depth: u32,
    pub what: What,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum What {
    /// A register was computed from operands.
    Assign,
    /// A `Select` gave its second or third operand.
    Chosen {
        operand: u32,
    },
    /// A decision went the only way that it could.
    Decided {
        stage: u32,
        room: Option<Room>,
        alternative: u32,
    },
    /// A decision that could have gone otherwise.
    Open,
    /// The phis of a block that was entered from another.
    Phis {
        from: u32,
    },
    Load {
        address: u64,
        region: Region,
    },
    Store {
        address: u64,
        region: Region,
    },
    /// The same by an address that depends on inputs.
    LoadAny {
        room: Room,
    },
    StoreAny {
        room: Room,
    },
    /// A register has the address of memory that is new; its bytes are zero, or nobody knows.
    New {
        address: u64,
        size: u64,
        zeroed: bool,
    },
    Move {
        to: u64,
        from: u64,
        size: u64,
        regions: [Region; 2],
    },
    Fill {
        to: u64,
        size: u64,
        region: Region,
    },
    /// A function was called.
    Enter {
        callee: u32,
    },
    /// A call came to its end; what it gave to whoever called it, at a depth below.
    Leave {
        to: Option<(Register, u32)>,
    },
    /// A register was given.
    Given,
    /// Bytes of memory were given.
    GivenBytes {
        address: u64,
        size: u64,
        region: Region,
    },
    /// A register has a value of which nothing is known.
    Unknown,
    /// Memory was given back.
    Release {
        address: u64,
    },
}

pub(crate) fn function(program: &Program, at: At) -> &Function {
    &program.functions[at.function as usize]
}

pub(crate) fn block(program: &Program, at: At) -> &Block {
    &function(program, at).blocks[at.block as usize]
}

/// What is decided at a place: by which operands, and in how many ways.
pub(crate) struct Question<'p> {
    pub operands: Vec<&'p Operand>,
    pub ways: Ways<'p>,
}

pub(crate) enum Ways<'p> {
    /// One bit: the first way is for 1 unless exchanged.
    Bit { exchanged: bool },
    /// Which of these the operand is, or none of them.
    Cases(&'p [(Bits, elsewise_explore::program::BlockId)]),
    /// Not zero, else the run counts for nothing.
    Assumption,
    /// Not zero, else the run fails.
    Divisor,
    /// The quotient of the two fits, else the run fails.
    Quotient,
    /// The address is inside of an object.
    Inside(Room),
}

impl Question<'_> {
    /// What is decided at this place and stage, if anything is.
    pub fn at(program: &Program, at: At, stage: u32, room: Option<Room>) -> Option<Question<'_>> {
        let block = block(program, at);
        if let Some(step) = block.steps.get(at.step as usize) {
            return match step {
                Step::Load { address, .. } | Step::Store { address, .. } => {
                    room.map(|room| Question {
                        operands: vec![address],
                        ways: Ways::Inside(room),
                    })
                }
                Step::Select {
                    operands,
                    exchanged,
                    site: Some(_),
                    ..
                } => Some(Question {
                    operands: vec![&operands[0]],
                    ways: Ways::Bit {
                        exchanged: *exchanged,
                    },
                }),
                Step::Assume { condition, .. } => Some(Question {
                    operands: vec![condition],
                    ways: Ways::Assumption,
                }),
                Step::Assign {
                    operator, operands, ..
                } => {
                    let signed = matches!(operator, Operator::SDiv | Operator::SRem);
                    let divides = signed || matches!(operator, Operator::UDiv | Operator::URem);
                    match stage {
                        0 if divides => Some(Question {
                            operands: vec![&operands[1]],
                            ways: Ways::Divisor,
                        }),
                        1 if signed => Some(Question {
                            operands: operands.iter().collect(),
                            ways: Ways::Quotient,
                        }),
                        _ => None,
                    }
                }
                _ => None,
            };
        }
        match &block.end {
            End::Branch {
                condition,
                exchanged,
                ..
            } => Some(Question {
                operands: vec![condition],
                ways: Ways::Bit {
                    exchanged: *exchanged,
                },
            }),
            End::Switch { value, cases, .. } => Some(Question {
                operands: vec![value],
                ways: Ways::Cases(cases),
            }),
            _ => None,
        }
    }

    pub fn alternatives(&self) -> u32 {
        match self.ways {
            Ways::Cases(cases) => cases.len() as u32 + 1,
            _ => 2,
        }
    }

    /// Is this alternative one that nobody has to follow, since nothing can go wrong beyond it?
    pub fn is_harmless(&self, alternative: u32) -> bool {
        matches!(self.ways, Ways::Assumption) && alternative == 1
    }

    /// Does the run fail this way?
    pub fn is_failure(&self, alternative: u32) -> bool {
        let fails = matches!(self.ways, Ways::Divisor | Ways::Quotient | Ways::Inside(_));
        fails && alternative == 1
    }

    /// Condition under which it goes the way of an alternative, where the operands are these.
    pub fn condition(&self, terms: &mut Terms, values: &[TermId], alternative: u32) -> TermId {
        let first = alternative == 0;
        match &self.ways {
            Ways::Bit { exchanged } => {
                let holds = terms.bits_to_bool(values[0]);
                match first != *exchanged {
                    true => holds,
                    false => terms.not(holds),
                }
            }
            Ways::Cases(cases) => {
                let equal = |terms: &mut Terms, value: &Bits| {
                    let value = terms.constant(value.clone());
                    terms.eq(values[0], value)
                };
                match cases.get(alternative as usize) {
                    Some((value, _)) => equal(terms, value),
                    None => {
                        let mut none = terms.bool(true);
                        for (value, _) in *cases {
                            let same = equal(terms, value);
                            let differs = terms.not(same);
                            none = terms.and(none, differs);
                        }
                        none
                    }
                }
            }
            Ways::Assumption | Ways::Divisor => {
                let width = terms.width(values[0]);
                let zero = terms.bits(width, 0);
                let none = terms.eq(values[0], zero);
                match first {
                    true => terms.not(none),
                    false => none,
                }
            }
            Ways::Inside(room) => {
                let base = terms.bits(64, room.region.address);
                let most = terms.bits(64, room.region.size - room.size);
                let offset = terms.bv(Op::BvSub, &[values[0], base]);
                let inside = terms.compare(Op::BvUle, offset, most);
                match first {
                    true => inside,
                    false => terms.not(inside),
                }
            }
            Ways::Quotient => {
                let width = terms.width(values[0]);
                let least = terms.constant(Bits::new(width, 1).shl_by(width - 1));
                let minus = terms.constant(Bits::ones(width));
                let least = terms.eq(values[0], least);
                let minus = terms.eq(values[1], minus);
                let wrong = terms.and(least, minus);
                match first {
                    true => terms.not(wrong),
                    false => wrong,
                }
            }
        }
    }
}

/// The value of an operation.
pub(crate) fn compute(
    terms: &mut Terms,
    operator: Operator,
    width: u32,
    operands: &[TermId],
) -> TermId {
    use Operator::*;
    let compare = |terms: &mut Terms, op| {
        let holds = terms.compare(op, operands[0], operands[1]);
        terms.bool_to_bits(holds)
    };
    let bv = |terms: &mut Terms, op| terms.bv(op, operands);
    match operator {
        Add => bv(terms, Op::BvAdd),
        Sub => bv(terms, Op::BvSub),
        Mul => bv(terms, Op::BvMul),
        UDiv => bv(terms, Op::BvUDiv),
        SDiv => bv(terms, Op::BvSDiv),
        URem => bv(terms, Op::BvURem),
        SRem => bv(terms, Op::BvSRem),
        Shl => bv(terms, Op::BvShl),
        LShr => bv(terms, Op::BvLShr),
        AShr => bv(terms, Op::BvAShr),
        And => bv(terms, Op::BvAnd),
        Or => bv(terms, Op::BvOr),
        Xor => bv(terms, Op::BvXor),
        Eq | Ne => {
            let same = terms.eq(operands[0], operands[1]);
            let holds = match operator {
                Eq => same,
                _ => terms.not(same),
            };
            terms.bool_to_bits(holds)
        }
        Ult => compare(terms, Op::BvUlt),
        Ule => compare(terms, Op::BvUle),
        Slt => compare(terms, Op::BvSlt),
        Sle => compare(terms, Op::BvSle),
        ZeroExtend => terms.zero_extend(operands[0], width),
        SignExtend => terms.sign_extend(operands[0], width),
        Truncate => terms.extract(operands[0], 0, width),
        Extract { low } => terms.extract(operands[0], low, width),
        Concat => terms.concat(operands[0], operands[1]),
        Copy => operands[0],
    }
}

/// The second of three values if the first is 1, else the third.
pub(crate) fn select(terms: &mut Terms, values: &[TermId]) -> TermId {
    let holds = terms.bits_to_bool(values[0]);
    terms.ite(holds, values[1], values[2])
}
