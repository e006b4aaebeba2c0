//! What single steps do to memory and calls.

use super::{CodePosition, Frame, Lost, MAX_BYTES, Machine, Pause, Undo, lost};
use crate::cells::{Cell, MAX_DEPTH, MAX_REGISTERS, MAX_WIDTH};
use crate::entry::{At, What, function};
use crate::machine::Ending;
use crate::memory::{self, Byte, Region, RegionKind, parts};
use elsewise_explore::program::{Callee, InputPlace, Operand, Program, Register, Source};
use elsewise_term::TermId;
use std::sync::Arc;

impl Machine {
    /// Where an access goes, and what it stays inside of.
    pub(super) fn access(&mut self, address: &Operand, size: u64) -> Result<(u64, Region), Lost> {
        if size > MAX_BYTES {
            return lost("an access of very many bytes");
        }
        let address = self.concrete(address, "an address")?;
        match self.memory.region(address, size) {
            Some(region) => Ok((address, region)),
            None => lost("an access outside of all memory"),
        }
    }

    /// The same, to write there.
    pub(super) fn write_access(
        &mut self,
        address: &Operand,
        size: u64,
    ) -> Result<(u64, Region), Lost> {
        let (address, region) = self.access(address, size)?;
        match region.kind {
            RegionKind::Static { constant: true, .. } => lost("a write to what is constant"),
            _ => Ok((address, region)),
        }
    }

    pub(super) fn local(
        &mut self,
        at: At,
        to: Register,
        size: u64,
        align: u64,
    ) -> Result<(), Lost> {
        let top = self.top();
        let (layout, free) = (top.layout, top.free);
        let Some((address, next)) = memory::place(free, size, align).filter(|_| size <= 1 << 20)
        else {
            return lost("very much local memory");
        };
        self.trail.push(Undo::Local { layout, free });
        let layout = self.points.longer(layout, address, size);
        let top = self.top_mut();
        (top.layout, top.free) = (layout, next);
        top.locals.push(address);
        self.memory.add(Region {
            address,
            size,
            kind: RegionKind::Local,
        });
        self.trail.push(Undo::RegionAdded(address));
        // What an earlier call has left there is not what is there now.
        let stale = self.stack_high.min(address + size);
        for byte in address..stale {
            if self.memory.written(byte).is_some() {
                self.put(byte, memory::UNKNOWN);
            }
        }
        if next > self.stack_high {
            self.trail.push(Undo::StackHigh(self.stack_high));
            self.stack_high = next;
        }
        let term = self.terms.bits(64, address);
        self.note(
            at,
            What::New {
                address,
                size,
                zeroed: false,
            },
        );
        self.set(to, Some(term));
        Ok(())
    }

    pub(super) fn allocate(
        &mut self,
        at: At,
        to: Register,
        size: u64,
        zeroed: bool,
    ) -> Result<(), Lost> {
        let (layout, free) = (self.heap, self.heap_free);
        let Some((address, next)) = memory::place(free, size, 16).filter(|_| size <= 1 << 16)
        else {
            return lost("very much memory");
        };
        self.trail.push(Undo::Heap { layout, free });
        self.heap = self.points.longer(layout, address, size);
        self.heap_free = next;
        self.memory.add(Region {
            address,
            size,
            kind: RegionKind::Heap,
        });
        self.trail.push(Undo::RegionAdded(address));
        if zeroed {
            let zero = self.terms.bits(8, 0);
            for byte in address..address + size {
                let value = parts(Some(zero), 1).next().unwrap_or(memory::UNKNOWN);
                self.put(byte, value);
            }
        }
        let term = self.terms.bits(64, address);
        self.note(
            at,
            What::New {
                address,
                size,
                zeroed,
            },
        );
        self.set(to, Some(term));
        Ok(())
    }

    pub(super) fn release(&mut self, at: At, operand: &Operand) -> Result<(), Lost> {
        let address = self.concrete(operand, "an address")?;
        self.note(at, What::Release { address });
        if address == 0 {
            return Ok(());
        }
        let region = self.memory.region(address, 0);
        let heap = |region: &Region| region.address == address && region.kind == RegionKind::Heap;
        let Some(region) = region.filter(heap) else {
            return lost("memory given back that was not handed out");
        };
        self.memory.remove(address);
        self.trail.push(Undo::RegionRemoved(region));
        let (layout, free) = (self.heap, self.heap_free);
        self.trail.push(Undo::Heap { layout, free });
        // No memory begins at an odd place: this tells giving back from handing out.
        self.heap = self.points.longer(layout, address | 1, region.size);
        Ok(())
    }

    pub(super) fn move_bytes(
        &mut self,
        at: At,
        to: &Operand,
        from: &Operand,
        size: u64,
    ) -> Result<(), Lost> {
        let (to, target) = self.write_access(to, size)?;
        let (from, source) = self.access(from, size)?;
        let bytes: Vec<Byte> = (from..from + size)
            .map(|address| self.memory.copy(&mut self.terms, &source, address))
            .collect();
        self.note(
            at,
            What::Move {
                to,
                from,
                size,
                regions: [target, source],
            },
        );
        for (byte, address) in bytes.into_iter().zip(to..) {
            self.put(address, byte);
        }
        Ok(())
    }

    pub(super) fn fill_bytes(
        &mut self,
        at: At,
        to: &Operand,
        value: &Operand,
        size: u64,
    ) -> Result<(), Lost> {
        let (to, region) = self.write_access(to, size)?;
        let value = self.value(value);
        let value = value.map(|value| self.terms.extract(value, 0, 8));
        self.note(at, What::Fill { to, size, region });
        for address in to..to + size {
            let byte = parts(value, 1).next().unwrap_or(memory::UNKNOWN);
            self.put(address, byte);
        }
        Ok(())
    }

    pub(super) fn call(
        &mut self,
        program: &Program,
        at: At,
        to: Option<Register>,
        callee: &Callee,
        arguments: &[Operand],
    ) -> Result<(), Lost> {
        let number = match callee {
            Callee::Function(function) => function.0,
            Callee::Pointer(operand) => {
                let address = self.concrete(operand, "a function")?;
                match self.by_address.get(&address) {
                    Some(function) => *function,
                    None => return lost("a call of what is no function"),
                }
            }
        };
        let callee = &program.functions[number as usize];
        let few = callee.registers.len() < MAX_REGISTERS as usize;
        let narrow = callee.registers.iter().all(|width| *width <= MAX_WIDTH);
        if !few || !narrow || self.depth() + 1 >= MAX_DEPTH {
            return lost("calls too deep, or a function too large");
        }
        // Through a pointer, more may be given than is taken.
        let parameters = callee.parameters as usize;
        let given = &arguments[..parameters.min(arguments.len())];
        if given.len() < parameters || callee.blocks.is_empty() {
            return lost("a call with other arguments than the function has");
        }
        let mut registers = vec![None; callee.registers.len()];
        for ((slot, argument), width) in registers.iter_mut().zip(given).zip(&callee.registers) {
            *slot = self.value(argument);
            if slot.is_some_and(|value| self.terms.width(value) != *width) {
                return lost("a call with other arguments than the function has");
            }
        }
        self.note(at, What::Enter { callee: number });
        self.next_step();
        let top = self.top();
        let (context, layout, free) = (top.context, top.layout, top.free);
        let context = self.points.deeper(context, layout, at, number);
        let frame = Frame {
            function: number,
            place: CodePosition { block: 0, step: 0 },
            registers,
            to,
            context,
            layout: 0,
            free,
            locals: Vec::new(),
        };
        self.frames.push(frame);
        self.trail.push(Undo::Pushed);
        Ok(())
    }

    pub(super) fn leave(
        &mut self,
        program: &Program,
        at: At,
        operand: Option<&Operand>,
    ) -> Result<Option<Pause>, Lost> {
        if self.frames.len() == 1 {
            return Ok(Some(Pause::End(Ending::Exit)));
        }
        let value = operand.and_then(|operand| self.value(operand));
        let below = &self.frames[self.frames.len() - 2];
        let caller = &program.functions[below.function as usize];
        let to = self
            .top()
            .to
            .map(|to| (to, caller.registers[to.0 as usize]));
        let fits = |(_, width): &(Register, u32)| {
            value.is_none_or(|value| self.terms.width(value) == *width)
        };
        if !to.as_ref().is_none_or(fits) {
            return lost("a result of another width");
        }
        self.note(at, What::Leave { to });
        let locals = std::mem::take(&mut self.top_mut().locals);
        for address in &locals {
            if let Some(region) = self.memory.remove(*address) {
                self.trail.push(Undo::RegionRemoved(region));
            }
        }
        if let Some(mut frame) = self.frames.pop() {
            frame.locals = locals;
            self.trail.push(Undo::Popped(Box::new(frame)));
        }
        let depth = self.depth();
        let place = self.top().place;
        self.trail.push(Undo::CodePosition { depth, place });
        if let Some((to, _)) = to {
            self.set(to, value);
        }
        Ok(None)
    }

    pub(super) fn input(
        &mut self,
        program: &Program,
        at: At,
        to: &InputPlace,
        source: &Source,
    ) -> Result<(), Lost> {
        let (register, address, size) = match to {
            InputPlace::Register(register) => {
                let width = function(program, at).registers[register.0 as usize];
                (Some(*register), None, u64::from(width.div_ceil(8)))
            }
            InputPlace::Memory { address, size } => {
                let size = self.concrete(size, "a size")?;
                match size {
                    0 => {
                        self.note(at, What::NoBytes);
                        (None, None, 0)
                    }
                    _ => (None, Some(self.write_access(address, size)?), size),
                }
            }
        };
        let (name, occurrence, first) = match source {
            Source::Named(operand) => {
                let name = self.text(operand)?;
                let used = self.use_input(&name, 1)?;
                (name, used, 0)
            }
            Source::Next(name) => {
                let used = self.use_input(name, size)?;
                (name.clone(), 0, used)
            }
        };
        let bytes: Vec<TermId> = (0..size as u32)
            .map(|index| {
                let number = self.givens.number(&name, occurrence, first + index);
                Cell::Given(number).term(&mut self.terms)
            })
            .collect();
        if let Some(register) = register {
            let width = function(program, at).registers[register.0 as usize];
            let whole = bytes
                .iter()
                .copied()
                .reduce(|low, byte| self.terms.concat(byte, low));
            let value = whole.map(|whole| self.terms.extract(whole, 0, width));
            self.note(at, What::Given);
            self.set(register, value);
        }
        if let Some((address, region)) = address {
            self.note(
                at,
                What::GivenBytes {
                    address,
                    size,
                    region,
                },
            );
            for (byte, address) in bytes.into_iter().zip(address..) {
                let byte = parts(Some(byte), 1).next().unwrap_or(memory::UNKNOWN);
                self.put(address, byte);
            }
        }
        Ok(())
    }

    /// Notes that so much of a name is used; how much was before.
    fn use_input(&mut self, name: &Arc<str>, much: u64) -> Result<u32, Lost> {
        let old = self.givens.used(name);
        let Some(new) = u32::try_from(much)
            .ok()
            .and_then(|much| old.checked_add(much))
        else {
            return lost("very many inputs");
        };
        self.trail.push(Undo::Used {
            name: name.clone(),
            old,
        });
        self.givens.set_used(name, new);
        Ok(old)
    }

    /// The string at an address.
    fn text(&mut self, operand: &Operand) -> Result<Arc<str>, Lost> {
        let mut address = self.concrete(operand, "a name")?;
        let mut bytes = Vec::new();
        loop {
            let byte = self.memory.byte_term(&mut self.terms, address);
            let byte = byte.and_then(|byte| self.terms.as_u64(byte));
            match byte {
                Some(0) => return Ok(String::from_utf8_lossy(&bytes).into()),
                Some(byte) if bytes.len() < 4096 => bytes.push(byte as u8),
                _ => return lost("a name that cannot be read"),
            }
            address += 1;
        }
    }
}
