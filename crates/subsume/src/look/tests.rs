//! Interpolants of small random programs against all inputs that there are.

use super::*;
use crate::machine::Mark;
use elsewise_explore::program::{
    Block, BlockId, End, Function, InputPlace, Object, Operand, Operator, Program, Register,
    Source, Step,
};
use elsewise_explore::{Random, SiteId};
use elsewise_term::Bits;
use std::sync::Arc;

/// Where the variables of a program are, one byte each.
const VARIABLES: u64 = 0x1000;
const COUNT: u64 = 4;

/// Writes one function, block after block.
struct Writer {
    random: Random,
    function: Function,
    steps: Vec<Step>,
    sites: u32,
    inputs: u32,
}

fn constant(width: u32, value: u64) -> Operand {
    Operand::Constant(Bits::new(width, value))
}

impl Writer {
    fn below(&mut self, end: u64) -> u64 {
        self.random.below(end as usize) as u64
    }

    fn register(&mut self, width: u32) -> Register {
        self.function.registers.push(width);
        Register(self.function.registers.len() as u32 - 1)
    }

    fn assign(&mut self, width: u32, operator: Operator, operands: Vec<Operand>) -> Operand {
        let to = self.register(width);
        self.steps.push(Step::Assign {
            to,
            operator,
            operands,
        });
        Operand::Register(to)
    }

    fn variable(&mut self) -> u64 {
        VARIABLES + self.below(COUNT)
    }

    fn load(&mut self) -> Operand {
        let to = self.register(8);
        let address = constant(64, self.variable());
        self.steps.push(Step::Load {
            to,
            address,
            size: 1,
        });
        Operand::Register(to)
    }

    fn store(&mut self, value: Operand) {
        let address = constant(64, self.variable());
        self.steps.push(Step::Store {
            address,
            value,
            size: 1,
        });
    }

    fn comparison(&mut self) -> Operand {
        let left = self.load();
        let right = match self.below(3) {
            0 => self.load(),
            _ => constant(8, self.below(7)),
        };
        let operators = [
            Operator::Eq,
            Operator::Ne,
            Operator::Ult,
            Operator::Slt,
            Operator::Sle,
        ];
        let operator = operators[self.below(5) as usize];
        self.assign(1, operator, vec![left, right])
    }

    /// Ends the block and begins the next; its number.
    fn end(&mut self, end: End) -> u32 {
        let steps = std::mem::take(&mut self.steps);
        self.function.blocks.push(Block {
            phis: Vec::new(),
            steps,
            end,
        });
        self.function.blocks.len() as u32
    }

    fn site(&mut self) -> Option<SiteId> {
        self.sites += 1;
        Some(SiteId(self.sites - 1))
    }

    /// A branch whose ends are filled in later; the block that has it.
    fn branch(&mut self, condition: Operand) -> u32 {
        let site = self.site();
        self.end(End::Branch {
            condition,
            holds: BlockId(0),
            fails: BlockId(0),
            site,
            exchanged: false,
        }) - 1
    }

    fn fill(&mut self, block: u32, to: [u32; 2]) {
        let end = &mut self.function.blocks[block as usize].end;
        if let End::Branch { holds, fails, .. } = end {
            (*holds, *fails) = (BlockId(to[0]), BlockId(to[1]));
        }
    }

    fn statement(&mut self, depth: u32) {
        match self.below(if depth == 0 { 6 } else { 12 }) {
            0 if self.inputs < 4 => {
                self.inputs += 1;
                let to = self.register(8);
                self.steps.push(Step::Input {
                    to: InputPlace::Register(to),
                    source: Source::Next("x".into()),
                });
                let two_bits = vec![Operand::Register(to), constant(8, 3)];
                let value = self.assign(8, Operator::And, two_bits);
                self.store(value);
            }
            // A flag is set, as states are.
            1 => {
                let value = constant(8, self.below(4));
                self.store(value);
            }
            0..=3 => {
                let left = self.load();
                let right = match self.below(3) {
                    0 => self.load(),
                    _ => constant(8, self.below(4)),
                };
                let operators = [Operator::Add, Operator::Sub, Operator::Mul, Operator::Xor];
                let operator = operators[self.below(4) as usize];
                let value = self.assign(8, operator, vec![left, right]);
                self.store(value);
            }
            4 => {
                let condition = self.comparison();
                let to = self.register(8);
                let operands = [condition, constant(8, 1), self.load()];
                let site = self.site();
                self.steps.push(Step::Select {
                    to,
                    operands,
                    site,
                    exchanged: false,
                });
                self.store(Operand::Register(to));
            }
            5 => {
                // An assertion, which mostly holds.
                let value = self.load();
                let unlike = constant(8, 3 + self.below(4));
                let condition = self.assign(1, Operator::Ne, vec![value, unlike]);
                let at = self.branch(condition);
                let fail = self.end(End::Fail);
                let fail = fail - 1;
                self.fill(at, [fail + 1, fail]);
            }
            6 => {
                // A loop, by a variable that counts to few.
                let counter = constant(64, VARIABLES + COUNT + u64::from(depth));
                self.steps.push(Step::Store {
                    address: counter.clone(),
                    value: constant(8, 0),
                    size: 1,
                });
                let head = self.end(End::Exit);
                self.function.blocks[head as usize - 1].end = End::Jump(BlockId(head));
                let now = self.register(8);
                self.steps.push(Step::Load {
                    to: now,
                    address: counter.clone(),
                    size: 1,
                });
                let times = constant(8, self.below(3));
                let more = self.assign(1, Operator::Ult, vec![Operand::Register(now), times]);
                let at = self.branch(more);
                let next = self.assign(
                    8,
                    Operator::Add,
                    vec![Operand::Register(now), constant(8, 1)],
                );
                self.steps.push(Step::Store {
                    address: counter,
                    value: next,
                    size: 1,
                });
                self.statements(depth - 1, 2);
                let after = self.end(End::Jump(BlockId(head)));
                self.fill(at, [at + 1, after]);
            }
            _ => {
                let condition = self.comparison();
                let at = self.branch(condition);
                self.statements(depth - 1, 2);
                let other = self.end(End::Exit);
                let first_end = other - 1;
                self.statements(depth - 1, 2);
                let after = self.end(End::Exit);
                self.function.blocks[after as usize - 1].end = End::Jump(BlockId(after));
                self.function.blocks[first_end as usize].end = End::Jump(BlockId(after));
                self.fill(at, [at + 1, other]);
            }
        }
    }

    fn statements(&mut self, depth: u32, most: u64) {
        for _ in 0..=self.below(most) {
            self.statement(depth);
        }
    }
}

fn program(seed: u64) -> Program {
    let mut writer = Writer {
        random: Random::new(seed),
        function: Function::default(),
        steps: Vec::new(),
        sites: 0,
        inputs: 0,
    };
    writer.statements(2, 7);
    writer.statement(0);
    writer.end(End::Exit);
    Program {
        functions: vec![writer.function],
        objects: vec![Object {
            name: "variables".into(),
            address: VARIABLES,
            size: 16,
            ..Object::default()
        }],
        ..Program::default()
    }
}

/// Does an atom hold in the state of the machine under the model, whatever is given later? `None` where
/// that takes too many tries.
fn atom_holds(looker: &mut Looker, atom: TermId) -> Option<bool> {
    let here = looker.here(atom)?;
    let terms = &looker.machine.terms;
    let bound: Vec<_> = terms
        .support(here)
        .into_iter()
        .filter(|var| matches!(Cell::of_key(terms.var_key(*var)), Cell::Bound { .. }))
        .collect();
    if bound.len() > 1 {
        return None;
    }
    let tries = if bound.is_empty() { 1 } else { 256 };
    for value in 0..tries {
        let mut model = looker.model.clone();
        for var in &bound {
            model.set(*var, Bits::new(8, value));
        }
        if !terms.eval_bool(here, &model) {
            return Some(false);
        }
    }
    Some(true)
}

/// Runs the program on one case; the conditions that held on the way, if it fails.
fn violated(looker: &mut Looker, start: &Mark, case: u64) -> (bool, u64, Vec<Point>) {
    looker.machine.undo(start);
    let mut held = Vec::new();
    let mut hits = 0;
    loop {
        looker.model = Model::default();
        for number in 0..looker.machine.givens.list().len() as u32 {
            let term = Cell::Given(number).term(&mut looker.machine.terms);
            if let Some(var) = looker.machine.terms.as_var(term) {
                let value = case >> (2 * number) & 3;
                looker.model.set(var, Bits::new(8, value));
            }
        }
        let mut pause = looker.machine.run();
        if pause == Pause::Decision {
            let decision = looker.machine.decision().cloned().expect("a decision");
            let conditions = decision.conditions.into_iter().zip(0..);
            let taken = conditions
                .filter(|(condition, _)| looker.holds(*condition))
                .map(|(_, taken)| taken)
                .next();
            match looker.machine.take(taken.expect("a way")) {
                Some(next) => pause = next,
                None => continue,
            }
        }
        match pause {
            Pause::Checkpoint(point) => {
                for index in 0..looker.kept.at(point).len() {
                    let atoms = looker.kept.at(point)[index].atoms.clone();
                    let mut holds = true;
                    for atom in atoms {
                        holds &= atom_holds(looker, atom) == Some(true);
                    }
                    if holds {
                        hits += 1;
                        held.push(point);
                    }
                }
            }
            Pause::End(Ending::Fail) => return (true, hits, held),
            Pause::End(_) => return (false, hits, held),
            Pause::Decision => {}
        }
    }
}

#[test]
fn no_case_fails_from_a_state_that_an_interpolant_holds_in() {
    let (mut failing, mut hits, mut kept) = (0, 0, 0);
    for seed in 0..200 {
        let program = Arc::new(program(seed));
        let inputs = program.functions[0]
            .blocks
            .iter()
            .flat_map(|block| &block.steps)
            .filter(|step| matches!(step, Step::Input { .. }))
            .count();
        let mut looker = Looker::new(Machine::new(program), &Settings::default());
        let start = looker.machine.mark();
        // Whatever it sees: parts of it may be full even where it gives up.
        let _ = looker.below(0, None);
        kept += looker.kept.count;
        // An input in a loop is asked for several times: so many bits are enough for two rounds.
        let bits = (4 * inputs as u32).min(8);
        for case in 0..1 << bits {
            let (failed, hit, held) = violated(&mut looker, &start, case);
            failing += u64::from(failed);
            hits += hit;
            assert!(
                !failed || held.is_empty(),
                "seed {seed}, case {case}: fails from {held:?}"
            );
        }
    }
    // A test in which nothing is kept, or nothing fails, would show nothing.
    assert!(
        kept > 200 && hits > 2_000 && failing > 700,
        "{kept} {hits} {failing}"
    );
}
