//! Conditions pushed back through what a machine has done: the weakest condition before it under which
//! they hold after it.
//!
//! First backwards, to see what matters: the cells that the conditions speak of, what these were computed
//! from, and so on. Then forwards through nothing but that, with terms over the cells before. What had to be so for the same steps
//! to be taken is a condition too: that a decision goes the way it went, and that an access goes
//! where it went, or at least stays inside of what it stayed inside of where nothing else matters.

use crate::cells::Cell;
use crate::entry::{At, Entry, Question, What, block, function};
use crate::limit::{Limit, Stop};
use crate::machine::{Lost, Machine};
use crate::memory::Region;
use elsewise_explore::program::{Callee, End, InputPlace, Operand, Program, Step};
use elsewise_term::{Replacer, TermId, Walker};
use rustc_hash::{FxHashMap, FxHashSet};

/// Entries after which it is looked whether there is time.
const MANY: usize = 256;

/// Pushes conditions back; kept and used again.
#[derive(Default)]
pub(crate) struct Back {
    walker: Walker,
    replacer: Replacer,
    needed: FxHashSet<u64>,
    /// Bytes of memory among them.
    bytes: FxHashSet<u64>,
    /// Entries that matter, last first, and how.
    matters: Vec<(usize, Matter)>,
    values: FxHashMap<u64, TermId>,
    atoms: Vec<TermId>,
    bound: u32,
}

#[derive(Clone, Copy, Default)]
struct Matter {
    /// What it defines is needed.
    value: bool,
    /// An access has to go where it went.
    exact: bool,
    /// An access has to stay inside.
    inside: bool,
    /// A decision has to go the way it went.
    decided: bool,
}

fn lost<T>(why: &str) -> Result<T, Lost> {
    Err(why.into())
}

impl Back {
    /// The conditions, which hold after the entries from `first` up to `last`, told of the state before.
    pub fn push(
        &mut self,
        machine: &mut Machine,
        first: usize,
        last: usize,
        conditions: &[TermId],
        limit: &Limit,
    ) -> Result<Vec<TermId>, Stop> {
        let program = machine.program.clone();
        self.needed.clear();
        self.bytes.clear();
        self.matters.clear();
        for var in self.walker.inputs(&machine.terms, conditions) {
            self.need(machine.terms.var_key(var));
        }
        for index in (first..last).rev() {
            if index % MANY == 0 {
                limit.check()?;
            }
            let entry = machine.log[index];
            let matter = self.look(&program, &entry).map_err(Stop::Lost)?;
            if matter.value || matter.exact || matter.inside || matter.decided {
                self.matters.push((index, matter));
            }
        }
        self.values.clear();
        self.atoms.clear();
        for (index, matter) in std::mem::take(&mut self.matters).into_iter().rev() {
            if index % MANY == 0 {
                limit.check()?;
            }
            let entry = machine.log[index];
            self.recompute(&program, &mut machine.terms, &entry, matter)
                .map_err(Stop::Lost)?;
        }
        self.replacer.restart();
        for condition in conditions {
            limit.check()?;
            let values = &self.values;
            let told = self
                .replacer
                .replace(&mut machine.terms, *condition, |terms, var| {
                    let known = values.get(&terms.var_key(var));
                    Some(known.copied().unwrap_or_else(|| terms.var_term(var)))
                });
            self.atoms.extend(told);
        }
        Ok(std::mem::take(&mut self.atoms))
    }

    fn need(&mut self, key: u64) {
        match Cell::of_key(key) {
            Cell::Byte(address) => {
                self.bytes.insert(address);
            }
            Cell::Register { .. } => {
                self.needed.insert(key);
            }
            Cell::Bound { .. } | Cell::Given(_) => {}
        }
    }

    fn need_operand(&mut self, program: &Program, entry: &Entry, operand: &Operand) {
        if let Operand::Register(register) = operand {
            let width = function(program, entry.at).registers[register.0 as usize];
            let cell = Cell::register(entry.depth, *register, width);
            self.needed.insert(cell.key());
        }
    }

    /// Is what a register of the entry's call is set to needed? Not before, then.
    fn defines(&mut self, program: &Program, entry: &Entry) -> bool {
        let at = entry.at;
        match target(program, at) {
            Some(register) => {
                let width = function(program, at).registers[register.0 as usize];
                let cell = Cell::register(entry.depth, register, width);
                self.needed.remove(&cell.key())
            }
            None => false,
        }
    }

    /// Are bytes that are written needed? Not before, then.
    fn writes(&mut self, address: u64, size: u64) -> bool {
        let mut any = false;
        if !self.bytes.is_empty() {
            for byte in address..address + size {
                any |= self.bytes.remove(&byte);
            }
        }
        any
    }

    /// A write by an address that may be another in other states.
    fn write_matters(&mut self, address: u64, size: u64, region: &Region) -> Matter {
        let written = self.writes(address, size);
        // Elsewhere in the same object it could overwrite what is needed.
        let near = region.address..region.address + region.size;
        let near = !written && self.bytes.iter().any(|byte| near.contains(byte));
        Matter {
            value: written,
            exact: written || near,
            inside: !written && !near,
            ..Matter::default()
        }
    }

    /// What matters of an entry, given what is needed after it; then needed is what is before it.
    fn look(&mut self, program: &Program, entry: &Entry) -> Result<Matter, Lost> {
        let at = entry.at;
        let mut matter = Matter::default();
        match entry.what {
            What::Open => {}
            What::Decided { stage, room, .. } => {
                matter.decided = true;
                if let Some(question) = Question::at(program, at, stage, room) {
                    for operand in question.operands {
                        self.need_operand(program, entry, operand);
                    }
                }
            }
            What::Assign => {
                matter.value = self.defines(program, entry);
                if matter.value {
                    match step(program, at) {
                        Some(Step::Assign { operands, .. }) => {
                            for operand in operands {
                                self.need_operand(program, entry, operand);
                            }
                        }
                        Some(Step::Select { operands, .. }) => {
                            for operand in operands {
                                self.need_operand(program, entry, operand);
                            }
                        }
                        _ => return lost("an assignment that is none"),
                    }
                }
            }
            What::Chosen { operand } => {
                matter.value = self.defines(program, entry);
                if matter.value
                    && let Some(Step::Select { operands, .. }) = step(program, at)
                {
                    self.need_operand(program, entry, &operands[operand as usize]);
                }
            }
            What::Phis { from } => {
                let phis = &block(program, at).phis;
                let widths = &function(program, at).registers;
                let mut operands = Vec::new();
                for phi in phis {
                    let width = widths[phi.to.0 as usize];
                    let cell = Cell::register(entry.depth, phi.to, width);
                    if self.needed.remove(&cell.key()) {
                        matter.value = true;
                        operands.extend(phi.from.iter().find(|(block, _)| block.0 == from));
                    }
                }
                for (_, operand) in operands {
                    self.need_operand(program, entry, operand);
                }
            }
            What::Load { address, .. } => {
                let Some(Step::Load {
                    address: operand,
                    size,
                    ..
                }) = step(program, at)
                else {
                    return lost("a read that is none");
                };
                matter.value = self.defines(program, entry);
                if matter.value {
                    matter.exact = true;
                    self.bytes.extend(address..address + u64::from(*size));
                } else {
                    matter.inside = true;
                }
                self.need_operand(program, entry, operand);
            }
            What::Store { address, region } => {
                let Some(Step::Store {
                    address: operand,
                    value,
                    size,
                }) = step(program, at)
                else {
                    return lost("a write that is none");
                };
                matter = self.write_matters(address, u64::from(*size), &region);
                if matter.value {
                    self.need_operand(program, entry, value);
                }
                self.need_operand(program, entry, operand);
            }
            What::LoadAny { room } => {
                let Some(Step::Load { address, .. }) = step(program, at) else {
                    return lost("a read that is none");
                };
                matter.value = self.defines(program, entry);
                if matter.value {
                    self.need_operand(program, entry, address);
                    for place in room.places() {
                        self.bytes.extend(place..place + room.size);
                    }
                }
            }
            What::StoreAny { room } => {
                let Some(Step::Store { address, value, .. }) = step(program, at) else {
                    return lost("a write that is none");
                };
                let inside = room.region.address..room.region.address + room.region.size;
                matter.value = self.bytes.iter().any(|byte| inside.contains(byte));
                if matter.value {
                    self.need_operand(program, entry, address);
                    self.need_operand(program, entry, value);
                    for place in room.places() {
                        self.bytes.extend(place..place + room.size);
                    }
                }
            }
            What::New {
                address,
                size,
                zeroed,
            } => {
                matter.value = self.defines(program, entry);
                let bytes = self.writes(address, size);
                if bytes && !zeroed {
                    return lost("memory that nobody has written");
                }
                matter.value |= bytes;
                // How much there is must not depend on the state: the point says how much it is.
                if let Some(Step::Allocate { size, .. }) = step(program, at) {
                    matter.exact = true;
                    self.need_operand(program, entry, size);
                }
            }
            // That nothing was given back is no less to be asked than what was.
            What::Release { .. } => {
                matter.exact = true;
                if let Some(Step::Release { address }) = step(program, at) {
                    self.need_operand(program, entry, address);
                }
            }
            What::Move {
                to,
                from,
                size,
                regions,
            } => {
                let Some(Step::Move {
                    to: target,
                    from: source,
                    size: much,
                }) = step(program, at)
                else {
                    return lost("a move that is none");
                };
                let written: Vec<u64> = (0..size)
                    .filter(|offset| self.bytes.contains(&(to + offset)))
                    .collect();
                matter = self.write_matters(to, size, &regions[0]);
                // That both ends are where they were is simple, and enough.
                (matter.exact, matter.inside) = (true, false);
                self.bytes
                    .extend(written.iter().map(|offset| from + offset));
                for operand in [target, source, much] {
                    self.need_operand(program, entry, operand);
                }
            }
            What::Fill { to, size, region } => {
                let Some(Step::Fill {
                    to: target,
                    value,
                    size: much,
                }) = step(program, at)
                else {
                    return lost("a fill that is none");
                };
                matter = self.write_matters(to, size, &region);
                (matter.exact, matter.inside) = (true, false);
                if matter.value {
                    self.need_operand(program, entry, value);
                }
                for operand in [target, much] {
                    self.need_operand(program, entry, operand);
                }
            }
            What::NoBytes => {
                matter.exact = true;
                match step(program, at).and_then(how_much) {
                    Some(size) => self.need_operand(program, entry, size),
                    None => return lost("bytes of no step"),
                }
            }
            What::Enter { callee } => {
                let Some(Step::Call {
                    callee: called,
                    arguments,
                    ..
                }) = step(program, at)
                else {
                    return lost("a call that is none");
                };
                let callee = &program.functions[callee as usize];
                let widths = &callee.registers[..callee.parameters as usize];
                for ((argument, width), number) in arguments.iter().zip(widths).zip(0..) {
                    let cell = Cell::Register {
                        depth: entry.depth + 1,
                        register: number,
                        width: *width,
                    };
                    if self.needed.remove(&cell.key()) {
                        matter.value = true;
                        self.need_operand(program, entry, argument);
                    }
                }
                if let Callee::Pointer(operand) = called {
                    matter.exact = true;
                    self.need_operand(program, entry, operand);
                }
            }
            What::Leave { to } => {
                if let Some((register, width)) = to {
                    let cell = Cell::register(entry.depth - 1, register, width);
                    matter.value = self.needed.remove(&cell.key());
                }
                if matter.value {
                    match &block(program, at).end {
                        End::Return(Some(operand)) => self.need_operand(program, entry, operand),
                        _ => return lost("a result that is none"),
                    }
                }
            }
            What::Given => matter.value = self.defines(program, entry),
            What::GivenBytes {
                address,
                size,
                region,
            } => {
                matter = self.write_matters(address, size, &region);
                (matter.exact, matter.inside) = (true, false);
                if let Some(Step::Input {
                    to: InputPlace::Memory { address, size },
                    ..
                }) = step(program, at)
                {
                    self.need_operand(program, entry, address);
                    self.need_operand(program, entry, size);
                }
            }
            What::Unknown => {
                if self.defines(program, entry) {
                    return lost("a value of which nothing is known");
                }
            }
        }
        Ok(matter)
    }
}

fn step(program: &Program, at: At) -> Option<&Step> {
    block(program, at).steps.get(at.step as usize)
}

/// How many bytes a step writes, where that is an operand.
fn how_much(step: &Step) -> Option<&Operand> {
    match step {
        Step::Move { size, .. } | Step::Fill { size, .. } => Some(size),
        Step::Input {
            to: InputPlace::Memory { size, .. },
            ..
        } => Some(size),
        _ => None,
    }
}

/// The register that a step sets in its own call.
fn target(program: &Program, at: At) -> Option<elsewise_explore::program::Register> {
    match step(program, at)? {
        Step::Assign { to, .. }
        | Step::Select { to, .. }
        | Step::Load { to, .. }
        | Step::Local { to, .. }
        | Step::Allocate { to, .. }
        | Step::Input {
            to: InputPlace::Register(to),
            ..
        } => Some(*to),
        Step::Effect { to } | Step::Opaque { to, .. } => *to,
        _ => None,
    }
}

mod recompute;
#[cfg(test)]
mod tests;
