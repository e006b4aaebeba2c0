//! What matters of a step, done once more on terms over the cells before.

use super::{Back, Matter, how_much, lost, step, target};
use crate::cells::Cell;
use crate::entry::{Entry, Question, What, block, compute, function, select};
use crate::machine::Lost;
use crate::memory::Region;
use elsewise_explore::program::{Callee, End, InputPlace, Operand, Program, Step};
use elsewise_term::{Op, TermId, Terms};

impl Back {
    fn cell(&self, terms: &mut Terms, cell: Cell) -> TermId {
        match self.values.get(&cell.key()) {
            Some(value) => *value,
            None => cell.term(terms),
        }
    }

    fn operand(
        &self,
        program: &Program,
        terms: &mut Terms,
        entry: &Entry,
        operand: &Operand,
    ) -> Result<TermId, Lost> {
        match operand {
            Operand::Register(register) => {
                let width = function(program, entry.at).registers[register.0 as usize];
                Ok(self.cell(terms, Cell::register(entry.depth, *register, width)))
            }
            Operand::Constant(bits) => Ok(terms.constant(bits.clone())),
            Operand::Undefined(_) => lost("a value that is undefined"),
        }
    }

    fn set(&mut self, program: &Program, entry: &Entry, value: TermId) {
        if let Some(register) = target(program, entry.at) {
            let width = function(program, entry.at).registers[register.0 as usize];
            let cell = Cell::register(entry.depth, register, width);
            self.values.insert(cell.key(), value);
        }
    }

    /// A condition that nothing more is known of.
    fn require(&mut self, terms: &Terms, condition: TermId) {
        if terms.as_bool(condition) != Some(true) {
            self.atoms.push(condition);
        }
    }

    /// That an operand is what it was.
    fn require_same(
        &mut self,
        program: &Program,
        terms: &mut Terms,
        entry: &Entry,
        operand: &Operand,
        value: u64,
    ) -> Result<(), Lost> {
        let term = self.operand(program, terms, entry, operand)?;
        let width = terms.width(term);
        let value = terms.bits(width, value);
        let same = terms.eq(term, value);
        self.require(terms, same);
        Ok(())
    }

    /// That an access goes where it went, or stays inside.
    fn require_access(
        &mut self,
        program: &Program,
        terms: &mut Terms,
        entry: &Entry,
        operand: &Operand,
        matter: Matter,
        (address, size, region): (u64, u64, &Region),
    ) -> Result<(), Lost> {
        if matter.exact {
            return self.require_same(program, terms, entry, operand, address);
        }
        let term = self.operand(program, terms, entry, operand)?;
        let base = terms.bits(64, region.address);
        let room = terms.bits(64, region.size - size);
        let offset = terms.bv(Op::BvSub, &[term, base]);
        let inside = terms.compare(Op::BvUle, offset, room);
        self.require(terms, inside);
        Ok(())
    }

    /// So many bytes as one term.
    fn word(&self, terms: &mut Terms, address: u64, size: u64) -> TermId {
        let mut value = self.cell(terms, Cell::Byte(address));
        for address in address + 1..address + size {
            let byte = self.cell(terms, Cell::Byte(address));
            value = terms.concat(byte, value);
        }
        value
    }

    fn set_bytes(&mut self, terms: &mut Terms, address: u64, value: TermId) {
        for (index, address) in (0..terms.width(value) / 8).zip(address..) {
            let byte = terms.extract(value, index * 8, 8);
            self.values.insert(Cell::Byte(address).key(), byte);
        }
    }

    fn bound(&mut self, terms: &mut Terms, width: u32) -> TermId {
        self.bound += 1;
        Cell::Bound {
            number: self.bound,
            width,
        }
        .term(terms)
    }

    /// Does what matters of an entry once more, on terms over the cells before all of them.
    pub(super) fn recompute(
        &mut self,
        program: &Program,
        terms: &mut Terms,
        entry: &Entry,
        matter: Matter,
    ) -> Result<(), Lost> {
        let at = entry.at;
        let widths = &function(program, at).registers;
        let step = step(program, at);
        match (entry.what, step) {
            (
                What::Decided {
                    stage,
                    room,
                    alternative,
                },
                _,
            ) => {
                let Some(question) = Question::at(program, at, stage, room) else {
                    return lost("a decision that is none");
                };
                let mut values = Vec::new();
                for operand in &question.operands {
                    values.push(self.operand(program, terms, entry, operand)?);
                }
                let condition = question.condition(terms, &values, alternative);
                self.require(terms, condition);
            }
            (
                What::Assign,
                Some(Step::Assign {
                    to,
                    operator,
                    operands,
                }),
            ) => {
                let mut values = Vec::new();
                for operand in operands {
                    values.push(self.operand(program, terms, entry, operand)?);
                }
                let value = compute(terms, *operator, widths[to.0 as usize], &values);
                self.set(program, entry, value);
            }
            (What::Assign, Some(Step::Select { operands, .. })) => {
                let mut values = Vec::new();
                for operand in operands {
                    values.push(self.operand(program, terms, entry, operand)?);
                }
                let value = select(terms, &values);
                self.set(program, entry, value);
            }
            (What::Chosen { operand }, Some(Step::Select { operands, .. })) => {
                let value = self.operand(program, terms, entry, &operands[operand as usize])?;
                self.set(program, entry, value);
            }
            (What::Phis { from }, _) => {
                let mut values = Vec::new();
                for phi in &block(program, at).phis {
                    let found = phi.from.iter().find(|(block, _)| block.0 == from);
                    // One that is undefined is needed by nobody, or it is found out there.
                    let Some((_, operand)) = found else { continue };
                    if let Ok(value) = self.operand(program, terms, entry, operand) {
                        let width = widths[phi.to.0 as usize];
                        let cell = Cell::register(entry.depth, phi.to, width);
                        values.push((cell.key(), value));
                    }
                }
                self.values.extend(values);
            }
            (
                What::Load { address, region },
                Some(Step::Load {
                    to,
                    address: operand,
                    size,
                }),
            ) => {
                let access = (address, u64::from(*size), &region);
                self.require_access(program, terms, entry, operand, matter, access)?;
                if matter.value {
                    let value = self.word(terms, address, u64::from(*size));
                    let value = terms.extract(value, 0, widths[to.0 as usize]);
                    self.set(program, entry, value);
                }
            }
            (
                What::Store { address, region },
                Some(Step::Store {
                    address: operand,
                    value,
                    size,
                }),
            ) => {
                let access = (address, u64::from(*size), &region);
                self.require_access(program, terms, entry, operand, matter, access)?;
                if matter.value {
                    let value = self.operand(program, terms, entry, value)?;
                    let value = terms.zero_extend(value, size * 8);
                    self.set_bytes(terms, address, value);
                }
            }
            (
                What::LoadAny { room },
                Some(Step::Load {
                    to,
                    address: operand,
                    ..
                }),
            ) => {
                let address = self.operand(program, terms, entry, operand)?;
                let aligned = room.aligned(terms, address);
                self.require(terms, aligned);
                let mut values = Vec::new();
                for place in room.places() {
                    values.push(self.word(terms, place, room.size));
                }
                if let Some(value) = room.pick(terms, address, &values) {
                    let value = terms.extract(value, 0, widths[to.0 as usize]);
                    self.set(program, entry, value);
                }
            }
            (
                What::StoreAny { room },
                Some(Step::Store {
                    address: operand,
                    value,
                    ..
                }),
            ) => {
                let address = self.operand(program, terms, entry, operand)?;
                let aligned = room.aligned(terms, address);
                self.require(terms, aligned);
                let value = self.operand(program, terms, entry, value)?;
                let value = terms.zero_extend(value, room.size as u32 * 8);
                for place in room.places() {
                    let old = self.word(terms, place, room.size);
                    let here = terms.bits(64, place);
                    let meant = terms.eq(address, here);
                    let new = terms.ite(meant, value, old);
                    self.set_bytes(terms, place, new);
                }
            }
            (
                What::New {
                    address,
                    size,
                    zeroed,
                },
                step,
            ) => {
                if let Some(Step::Allocate { size: much, .. }) = step {
                    self.require_same(program, terms, entry, much, size)?;
                }
                let value = terms.bits(64, address);
                self.set(program, entry, value);
                if zeroed {
                    let zero = terms.bits(8, 0);
                    for address in address..address + size {
                        self.values.insert(Cell::Byte(address).key(), zero);
                    }
                }
            }
            (What::Release { address }, Some(Step::Release { address: operand })) => {
                self.require_same(program, terms, entry, operand, address)?;
            }
            (
                What::Move { to, from, size, .. },
                Some(Step::Move {
                    to: target,
                    from: source,
                    size: much,
                }),
            ) => {
                self.require_same(program, terms, entry, target, to)?;
                self.require_same(program, terms, entry, source, from)?;
                self.require_same(program, terms, entry, much, size)?;
                if matter.value {
                    let bytes: Vec<TermId> = (from..from + size)
                        .map(|address| self.cell(terms, Cell::Byte(address)))
                        .collect();
                    for (byte, address) in bytes.into_iter().zip(to..) {
                        self.values.insert(Cell::Byte(address).key(), byte);
                    }
                }
            }
            (
                What::Fill { to, size, .. },
                Some(Step::Fill {
                    to: target,
                    value,
                    size: much,
                }),
            ) => {
                self.require_same(program, terms, entry, target, to)?;
                self.require_same(program, terms, entry, much, size)?;
                if matter.value {
                    let value = self.operand(program, terms, entry, value)?;
                    let byte = terms.extract(value, 0, 8);
                    for address in to..to + size {
                        self.values.insert(Cell::Byte(address).key(), byte);
                    }
                }
            }
            (What::NoBytes, Some(step)) => {
                if let Some(size) = how_much(step) {
                    self.require_same(program, terms, entry, size, 0)?;
                }
            }
            (
                What::Enter { callee },
                Some(Step::Call {
                    callee: called,
                    arguments,
                    ..
                }),
            ) => {
                let function = &program.functions[callee as usize];
                if let Callee::Pointer(operand) = called {
                    self.require_same(program, terms, entry, operand, function.address)?;
                }
                let widths = &function.registers[..function.parameters as usize];
                for ((argument, width), number) in arguments.iter().zip(widths).zip(0..) {
                    let cell = Cell::Register {
                        depth: entry.depth + 1,
                        register: number,
                        width: *width,
                    };
                    if let Ok(value) = self.operand(program, terms, entry, argument) {
                        self.values.insert(cell.key(), value);
                    }
                }
            }
            (What::Leave { to }, _) => {
                if let (Some((register, width)), End::Return(Some(operand))) =
                    (to, &block(program, at).end)
                {
                    let value = self.operand(program, terms, entry, operand)?;
                    let cell = Cell::register(entry.depth - 1, register, width);
                    self.values.insert(cell.key(), value);
                }
            }
            (What::Given, _) => {
                if let Some(register) = target(program, at) {
                    let value = self.bound(terms, widths[register.0 as usize]);
                    self.set(program, entry, value);
                }
            }
            (
                What::GivenBytes { address, size, .. },
                Some(Step::Input {
                    to:
                        InputPlace::Memory {
                            address: operand,
                            size: much,
                        },
                    ..
                }),
            ) => {
                self.require_same(program, terms, entry, operand, address)?;
                self.require_same(program, terms, entry, much, size)?;
                if matter.value {
                    for address in address..address + size {
                        let byte = self.bound(terms, 8);
                        self.values.insert(Cell::Byte(address).key(), byte);
                    }
                }
            }
            _ => return lost("a step that cannot be done again"),
        }
        Ok(())
    }
}
