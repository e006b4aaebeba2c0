//! Comparisons of memory and of strings: one value where the length is known, a loop without sites where
//! it is not. As in the runtime, the result is the difference of the first bytes that differ.

use super::body::Body;
use super::*;
use elsewise_explore::program::{BlockId, Operator, Register};

/// So many bytes become one value.
const MAX_INLINE: u64 = 64;

impl Body<'_> {
    /// `memcmp` of so many bytes; `None` where their number is not known or large.
    pub fn compare_memory(&mut self, a: &Operand, b: &Operand, size: &Operand) -> Option<Operand> {
        let size = match size {
            Operand::Constant(size) => size.to_u64().filter(|size| *size <= MAX_INLINE)?,
            _ => return None,
        };
        let mut result = number(32, 0);
        for offset in (0..size).rev() {
            let [x, y] = [a, b].map(|base| {
                let at = self.assign(64, Operator::Add, &[base.clone(), number(64, offset)]);
                let to = self.fresh(8);
                self.steps.push(Step::Load {
                    to,
                    address: at,
                    size: 1,
                });
                self.assign(32, Operator::ZeroExtend, &[Operand::Register(to)])
            });
            let same = self.assign(1, Operator::Eq, &[x.clone(), y.clone()]);
            let difference = self.assign(32, Operator::Sub, &[x, y]);
            let to = self.fresh(32);
            self.steps.push(Step::Select {
                to,
                operands: [same, result, difference],
                site: None,
                exchanged: false,
            });
            result = Operand::Register(to);
        }
        Some(result)
    }
}

/// A comparison of any length: of strings, of at most so many bytes, or both.
pub fn compare(text: bool, limited: bool) -> Function {
    let register = |number| Operand::Register(Register(number));
    let assign = |to, operator, operands: &[Operand]| Step::Assign {
        to: Register(to),
        operator,
        operands: operands.to_vec(),
    };
    let branch = |condition, holds, fails| End::Branch {
        condition: register(condition),
        holds: BlockId(holds),
        fails: BlockId(fails),
        site: None,
        exchanged: false,
    };
    let load = |to, address| Step::Load {
        to: Register(to),
        address: register(address),
        size: 1,
    };
    let block = |steps, end| Block {
        phis: Vec::new(),
        steps,
        end,
    };
    // 0 and 1 are the addresses, 2 the limit, 3 how far it is.
    let (inside, next) = (4, 5);
    let [at_a, at_b, x, y, differ, wide_x, wide_y, difference, ends] =
        [6, 7, 8, 9, 10, 11, 12, 13, 14];
    let widths = [64, 64, 64, 64, 1, 64, 64, 64, 8, 8, 1, 32, 32, 32, 1];
    let mut head = match limited {
        true => block(
            vec![assign(inside, Operator::Ult, &[register(3), register(2)])],
            branch(inside, 2, 5),
        ),
        false => block(Vec::new(), End::Jump(BlockId(2))),
    };
    head.phis.push(Phi {
        to: Register(3),
        from: vec![(BlockId(0), number(64, 0)), (BlockId(6), register(next))],
    });
    let bytes = vec![
        assign(at_a, Operator::Add, &[register(0), register(3)]),
        assign(at_b, Operator::Add, &[register(1), register(3)]),
        load(x, at_a),
        load(y, at_b),
        assign(differ, Operator::Ne, &[register(x), register(y)]),
    ];
    let decided = vec![
        assign(wide_x, Operator::ZeroExtend, &[register(x)]),
        assign(wide_y, Operator::ZeroExtend, &[register(y)]),
        assign(
            difference,
            Operator::Sub,
            &[register(wide_x), register(wide_y)],
        ),
    ];
    let same = match text {
        true => block(
            vec![assign(ends, Operator::Eq, &[register(x), number(8, 0)])],
            branch(ends, 5, 6),
        ),
        false => block(Vec::new(), End::Jump(BlockId(6))),
    };
    let step = vec![assign(next, Operator::Add, &[register(3), number(64, 1)])];
    Function {
        parameters: if limited { 3 } else { 2 },
        registers: widths.to_vec(),
        blocks: vec![
            block(Vec::new(), End::Jump(BlockId(1))),
            head,
            block(bytes, branch(differ, 3, 4)),
            block(decided, End::Return(Some(register(difference)))),
            same,
            block(Vec::new(), End::Return(Some(number(32, 0)))),
            block(step, End::Jump(BlockId(1))),
        ],
        ..Function::default()
    }
}
