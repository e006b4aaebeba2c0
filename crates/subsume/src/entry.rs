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
    /// No byte was moved, filled or given, as the size was 0.
    NoBytes,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::by_hand::{assign, block, n, r};
    use crate::memory::RegionKind;
    use elsewise_explore::program::BlockId;
    use elsewise_term::{Model, Sort};

    /// The number that so many low bits are as a signed one.
    fn signed(width: u32, value: u64) -> i64 {
        (value << (64 - width)) as i64 >> (64 - width)
    }

    /// What an operator gives for numbers of three bits, said with those of the processor; `None` where a
    /// run would have failed.
    fn expected(operator: Operator, a: u64, b: u64) -> Option<u64> {
        use Operator::*;
        let (x, y) = (signed(3, a), signed(3, b));
        let value = match operator {
            Add => a + b,
            Sub => a.wrapping_sub(b),
            Mul => a * b,
            UDiv => a.checked_div(b)?,
            URem => a.checked_rem(b)?,
            SDiv | SRem if b == 0 || (x, y) == (-4, -1) => return None,
            SDiv => (x / y) as u64,
            SRem => (x % y) as u64,
            Shl if b < 3 => a << b,
            LShr if b < 3 => a >> b,
            Shl | LShr => 0,
            AShr => (x >> b.min(2)) as u64,
            And => a & b,
            Or => a | b,
            Xor => a ^ b,
            Eq => (a == b).into(),
            Ne => (a != b).into(),
            Ult => (a < b).into(),
            Ule => (a <= b).into(),
            Slt => (x < y).into(),
            Sle => (x <= y).into(),
            ZeroExtend | Copy => a,
            SignExtend => x as u64 & 31,
            Truncate => a & 1,
            Extract { low } => a >> low & 1,
            Concat => return Some(a << 3 | b),
        };
        let width = match operator {
            Eq | Ne | Ult | Ule | Slt | Sle | Truncate | Extract { .. } => 1,
            ZeroExtend | SignExtend => 5,
            _ => 3,
        };
        Some(value & ((1 << width) - 1))
    }

    fn width(operator: Operator) -> u32 {
        let candidates = [3, 1, 5, 6];
        let operands = &[3, 3][..operator.arity()];
        let fits = candidates
            .into_iter()
            .find(|width| operator.fits(*width, operands));
        fits.expect("one of them fits")
    }

    #[test]
    fn operators_compute_what_they_say() {
        let numbered = (0..).map_while(Operator::from_number);
        for operator in numbered.chain([Operator::Extract { low: 2 }]) {
            let mut terms = Terms::new();
            let operands = [1, 2].map(|key| terms.variable(key, Sort::BitVec(3)));
            let vars = operands.map(|operand| terms.as_var(operand).expect("an input"));
            let width = width(operator);
            let value = compute(&mut terms, operator, width, &operands[..operator.arity()]);
            assert_eq!(terms.width(value), width, "{operator:?}");
            for a in 0..8 {
                for b in 0..8 {
                    let Some(expected) = expected(operator, a, b) else {
                        continue;
                    };
                    let mut model = Model::default();
                    model.set(vars[0], Bits::new(3, a));
                    model.set(vars[1], Bits::new(3, b));
                    let found = terms.eval_bits(value, &model).low_u64();
                    assert_eq!(found, expected, "{operator:?} {a} {b}");
                }
            }
        }
    }

    /// Which alternatives a question has for one value of eight bits.
    fn taken(ways: Ways<'_>, value: u64, width: u32) -> Vec<u32> {
        let question = Question {
            operands: Vec::new(),
            ways,
        };
        let mut terms = Terms::new();
        let value = terms.bits(width, value);
        (0..question.alternatives())
            .filter(|alternative| {
                let condition = question.condition(&mut terms, &[value, value], *alternative);
                terms.as_bool(condition) == Some(true)
            })
            .collect()
    }

    #[test]
    fn a_value_goes_one_way() {
        let cases = [(Bits::new(8, 3), BlockId(0)), (Bits::new(8, 5), BlockId(0))];
        for value in 0..=255 {
            let way = match value {
                3 => 0,
                5 => 1,
                _ => 2,
            };
            assert_eq!(taken(Ways::Cases(&cases), value, 8), [way]);
            let zero = u32::from(value == 0);
            assert_eq!(taken(Ways::Assumption, value, 8), [zero]);
            assert_eq!(taken(Ways::Divisor, value, 8), [zero]);
        }
        for exchanged in [false, true] {
            for bit in [0, 1] {
                let first = (bit == 1) != exchanged;
                let way = u32::from(!first);
                assert_eq!(taken(Ways::Bit { exchanged }, bit, 1), [way]);
            }
        }
    }

    #[test]
    fn which_ways_fail_and_which_nobody_has_to_follow() {
        let question = |ways| Question {
            operands: Vec::new(),
            ways,
        };
        let is = |ways| {
            let question = question(ways);
            (question.is_failure(1), question.is_harmless(1))
        };
        assert_eq!(is(Ways::Divisor), (true, false));
        assert_eq!(is(Ways::Quotient), (true, false));
        assert_eq!(is(Ways::Assumption), (false, true));
        assert_eq!(is(Ways::Bit { exchanged: false }), (false, false));
        assert!(!question(Ways::Divisor).is_failure(0));
        assert!(!question(Ways::Assumption).is_harmless(0));
    }

    /// First the divisor, then, of signed numbers, the quotient.
    #[test]
    fn a_division_is_asked_in_stages() {
        let stages = |operator| {
            let function = Function {
                registers: vec![8, 8],
                blocks: vec![block(
                    vec![assign(1, operator, &[r(0), n(8, 2)])],
                    End::Exit,
                )],
                ..Function::default()
            };
            let program = Program {
                functions: vec![function],
                ..Program::default()
            };
            let at = At {
                function: 0,
                block: 0,
                step: 0,
            };
            (0..3)
                .filter(|stage| Question::at(&program, at, *stage, None).is_some())
                .count()
        };
        assert_eq!(stages(Operator::UDiv), 1);
        assert_eq!(stages(Operator::URem), 1);
        assert_eq!(stages(Operator::SDiv), 2);
        assert_eq!(stages(Operator::SRem), 2);
        assert_eq!(stages(Operator::Mul), 0);
    }

    fn room(stride: u64) -> Room {
        let region = Region {
            address: 100,
            size: 10,
            kind: RegionKind::Heap,
        };
        Room {
            region,
            size: 2,
            first: 100,
            stride,
        }
    }

    #[test]
    fn places_end_with_the_last_that_is_inside() {
        let places = |stride| room(stride).places().collect::<Vec<u64>>();
        assert_eq!(places(4), [100, 104, 108]);
        assert_eq!(places(8), [100, 108]);
        assert_eq!(places(2), [100, 102, 104, 106, 108]);
    }

    #[test]
    fn the_value_at_an_address_is_that_of_its_place() {
        let mut terms = Terms::new();
        let address = terms.variable(1, Sort::BitVec(64));
        let var = terms.as_var(address).expect("an input");
        let values = [11, 22, 33].map(|value| terms.bits(16, value));
        let room = room(4);
        let picked = room.pick(&mut terms, address, &values).expect("a value");
        let aligned = room.aligned(&mut terms, address);
        for at in 100..110 {
            let mut model = Model::default();
            model.set(var, Bits::new(64, at));
            assert_eq!(terms.eval_bool(aligned, &model), at % 4 == 0, "{at}");
            if at % 4 == 0 {
                let expected = [11, 22, 33][(at as usize - 100) / 4];
                assert_eq!(terms.eval_bits(picked, &model).low_u64(), expected);
            }
        }
    }
}
