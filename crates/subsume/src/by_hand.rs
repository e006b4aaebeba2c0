//! Programs that unit tests write by hand: one function, or several, over a few bytes of memory.

use crate::cells::Cell;
use crate::look::Looker;
use crate::machine::{Machine, Pause};
use elsewise_explore::SiteId;
use elsewise_explore::program::{
    Block, BlockId, End, Function, InputPlace, Object, Operand, Operator, Phi, Program, Register,
    Source, Step,
};
use elsewise_solve::Settings;
use elsewise_term::{Bits, Model, TermId, Terms};
use std::sync::Arc;

/// 16 bytes that are zero at the beginning.
pub(crate) const DATA: u64 = 0x1000;
/// Four bytes that nobody may write: 7, 8, 9, 10.
pub(crate) const TABLE: u64 = 0x2000;

pub(crate) fn r(number: u32) -> Operand {
    Operand::Register(Register(number))
}

pub(crate) fn n(width: u32, value: u64) -> Operand {
    Operand::Constant(Bits::new(width, value))
}

pub(crate) fn assign(to: u32, operator: Operator, operands: &[Operand]) -> Step {
    Step::Assign {
        to: Register(to),
        operator,
        operands: operands.to_vec(),
    }
}

pub(crate) fn load(to: u32, address: Operand, size: u32) -> Step {
    Step::Load {
        to: Register(to),
        address,
        size,
    }
}

pub(crate) fn store(address: Operand, value: Operand, size: u32) -> Step {
    Step::Store {
        address,
        value,
        size,
    }
}

/// The next bytes of the input `x`, into a register.
pub(crate) fn input(to: u32) -> Step {
    Step::Input {
        to: InputPlace::Register(Register(to)),
        source: Source::Next("x".into()),
    }
}

pub(crate) fn block(steps: Vec<Step>, end: End) -> Block {
    Block {
        phis: Vec::new(),
        steps,
        end,
    }
}

/// A block whose register `to` depends on where it is entered from.
pub(crate) fn joined(to: u32, from: &[(u32, Operand)], steps: Vec<Step>, end: End) -> Block {
    let from = from.iter().cloned();
    let phi = Phi {
        to: Register(to),
        from: from.map(|(block, value)| (BlockId(block), value)).collect(),
    };
    Block {
        phis: vec![phi],
        steps,
        end,
    }
}

pub(crate) fn jump(to: u32) -> End {
    End::Jump(BlockId(to))
}

pub(crate) fn branch(condition: Operand, site: u32, holds: u32, fails: u32) -> End {
    End::Branch {
        condition,
        holds: BlockId(holds),
        fails: BlockId(fails),
        site: Some(SiteId(site)),
        exchanged: false,
    }
}

pub(crate) fn function(parameters: u32, registers: &[u32], blocks: Vec<Block>) -> Function {
    Function {
        parameters,
        registers: registers.to_vec(),
        blocks,
        ..Function::default()
    }
}

/// The first function is the entry.
pub(crate) fn program(functions: Vec<Function>) -> Arc<Program> {
    let object = |name: &str, address, size, bytes: &[u8], constant| Object {
        name: name.into(),
        address,
        size,
        bytes: bytes.to_vec(),
        constant,
    };
    Arc::new(Program {
        functions,
        objects: vec![
            object("data", DATA, 16, &[], false),
            object("table", TABLE, 4, &[7, 8, 9, 10], true),
        ],
        ..Program::default()
    })
}

/// A machine for one function.
pub(crate) fn machine(registers: &[u32], blocks: Vec<Block>) -> Machine {
    Machine::new(program(vec![function(0, registers, blocks)]))
}

pub(crate) fn looker(registers: &[u32], blocks: Vec<Block>) -> Looker {
    Looker::new(machine(registers, blocks), &Settings::default())
}

/// Steps up to an exit, in one block.
pub(crate) fn straight(registers: &[u32], steps: Vec<Step>) -> Machine {
    machine(registers, vec![block(steps, End::Exit)])
}

/// Goes on over places where paths meet.
pub(crate) fn run(machine: &mut Machine) -> Pause {
    loop {
        match machine.run() {
            Pause::Checkpoint(_) => {}
            pause => return pause,
        }
    }
}

/// The condition where cells have these values, and 0 else.
pub(crate) fn holds(terms: &Terms, conditions: &[TermId], cells: &[(Cell, u64)]) -> bool {
    let mut model = Model::default();
    for (cell, value) in cells {
        if let Some(var) = terms.var_by_key(cell.key()) {
            let width = terms.width(terms.var_term(var));
            model.set(var, Bits::new(width, *value));
        }
    }
    conditions.iter().all(|one| terms.eval_bool(*one, &model))
}
