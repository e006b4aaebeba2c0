//! A machine that follows a program with symbolic values in all its cells, and can go back.
//!
//! It goes on by itself up to a decision that its values do not make, a point at which paths meet, or
//! the end. Whoever drives it takes one way, and may come back later and take another: everything it
//! does is on a trail, from which it is undone.

use crate::cells::Cell;
use crate::entry::{At, Entry, Room, What, block, compute, function, select};
use crate::input_bytes::InputBytes;
use crate::memory::{self, Byte, Memory, Region, parts};
use crate::points::{Point, Points};
use elsewise_explore::SiteId;
use elsewise_explore::program::{End, Operand, Program, Register, Step};
use elsewise_term::{TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Steps that one path may have.
const MAX_STEPS: u64 = 400_000;
/// Bytes that one step may read or write.
const MAX_BYTES: u64 = 1 << 14;

/// Why a program is followed no further.
pub(crate) type Lost = Arc<str>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    Exit,
    Fail,
    /// The run counts for nothing.
    Assumed,
    Lost(Lost),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Pause {
    /// Values do not say which way it goes: [`Machine::take`] one of [`Machine::decision`].
    Decision,
    /// Paths meet here.
    Checkpoint(Point),
    End(Ending),
}

/// A decision that values leave open.
#[derive(Clone, Debug)]
pub(crate) struct Decision {
    pub at: At,
    pub stage: u32,
    pub room: Option<Room>,
    pub depth: u32,
    pub site: Option<SiteId>,
    /// Conditions of the alternatives, over what is given.
    pub conditions: Vec<TermId>,
}

struct Frame {
    function: u32,
    place: CodePosition,
    registers: Vec<Option<TermId>>,
    /// Where the result goes, in the frame below.
    to: Option<Register>,
    context: u32,
    layout: u32,
    free: u64,
    locals: Vec<u64>,
}

#[derive(Clone, Copy)]
struct CodePosition {
    block: u32,
    step: u32,
}

enum Undo {
    Register {
        depth: u32,
        register: u32,
        old: Option<TermId>,
    },
    Byte {
        address: u64,
        old: Option<Byte>,
    },
    CodePosition {
        depth: u32,
        place: CodePosition,
    },
    Pushed,
    Popped(Box<Frame>),
    RegionAdded(u64),
    RegionRemoved(Region),
    Heap {
        layout: u32,
        free: u64,
    },
    Local {
        layout: u32,
        free: u64,
    },
    StackHigh(u64),
    Used {
        name: Arc<str>,
        old: u32,
    },
    Settled(TermId),
}

/// A state to come back to.
#[derive(Clone, Copy)]
pub(crate) struct Mark {
    trail: usize,
    pub log: usize,
    path: usize,
    place: CodePosition,
    stage: u32,
    arrived: bool,
    steps: u64,
}

pub(crate) struct Machine {
    pub program: Arc<Program>,
    pub terms: Terms,
    pub log: Vec<Entry>,
    /// Conditions of what was decided so far, over what is given.
    pub path: Vec<TermId>,
    pub givens: InputBytes,
    frames: Vec<Frame>,
    memory: Memory,
    heap: u32,
    heap_free: u64,
    stack_high: u64,
    trail: Vec<Undo>,
    settled: FxHashSet<TermId>,
    points: Points,
    by_address: FxHashMap<u64, u32>,
    stage: u32,
    /// A place where paths meet was reached, and nobody was told yet.
    arrived: bool,
    steps: u64,
    decision: Option<Decision>,
    /// Sides that runs have taken, where it matters.
    pub covered: Option<FxHashSet<(SiteId, u32)>>,
    /// A side was taken that no run has taken.
    pub uncovered: bool,
}

fn lost<T>(why: &str) -> Result<T, Lost> {
    Err(why.into())
}

impl Machine {
    pub fn new(program: Arc<Program>) -> Machine {
        let by_address = program.functions.iter().zip(0..);
        let by_address = by_address.filter(|(function, _)| function.address != 0);
        let mut machine = Machine {
            by_address: by_address
                .map(|(function, index)| (function.address, index))
                .collect(),
            memory: Memory::new(&program.objects),
            points: Points::new(&program),
            terms: Terms::new(),
            log: Vec::new(),
            path: Vec::new(),
            givens: InputBytes::default(),
            frames: Vec::new(),
            heap: 0,
            heap_free: memory::HEAP,
            stack_high: memory::STACK,
            trail: Vec::new(),
            settled: FxHashSet::default(),
            stage: 0,
            arrived: false,
            steps: 0,
            decision: None,
            covered: None,
            uncovered: false,
            program,
        };
        machine.begin();
        machine
    }

    fn begin(&mut self) {
        let entry = self.program.entry.0;
        let registers = self.program.functions[entry as usize].registers.len();
        self.frames.push(Frame {
            function: entry,
            place: CodePosition { block: 0, step: 0 },
            registers: vec![None; registers],
            to: None,
            context: 0,
            layout: 0,
            free: memory::STACK,
            locals: Vec::new(),
        });
    }

    /// The decision at which the machine stands.
    pub fn decision(&self) -> Option<&Decision> {
        self.decision.as_ref()
    }

    pub fn mark(&self) -> Mark {
        Mark {
            trail: self.trail.len(),
            log: self.log.len(),
            path: self.path.len(),
            place: self.top().place,
            stage: self.stage,
            arrived: self.arrived,
            steps: self.steps,
        }
    }

    /// Goes back to an earlier state.
    pub fn undo(&mut self, mark: &Mark) {
        while self.trail.len() > mark.trail {
            let Some(undo) = self.trail.pop() else {
                break;
            };
            match undo {
                Undo::Register {
                    depth,
                    register,
                    old,
                } => self.frames[depth as usize].registers[register as usize] = old,
                Undo::Byte { address, old } => self.memory.put_back(address, old),
                Undo::CodePosition { depth, place } => self.frames[depth as usize].place = place,
                Undo::Pushed => {
                    self.frames.pop();
                }
                Undo::Popped(frame) => self.frames.push(*frame),
                Undo::RegionAdded(address) => {
                    self.memory.remove(address);
                }
                Undo::RegionRemoved(region) => self.memory.add(region),
                Undo::Heap { layout, free } => (self.heap, self.heap_free) = (layout, free),
                Undo::Local { layout, free } => {
                    let top = self.top_mut();
                    (top.layout, top.free) = (layout, free);
                    top.locals.pop();
                }
                Undo::StackHigh(high) => self.stack_high = high,
                Undo::Used { name, old } => self.givens.set_used(&name, old),
                Undo::Settled(condition) => {
                    self.settled.remove(&condition);
                }
            }
        }
        self.log.truncate(mark.log);
        self.path.truncate(mark.path);
        self.top_mut().place = mark.place;
        self.stage = mark.stage;
        self.arrived = mark.arrived;
        self.steps = mark.steps;
        self.decision = None;
    }

    fn top(&self) -> &Frame {
        self.frames.last().expect("a call is under way")
    }

    fn top_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a call is under way")
    }

    pub fn depth(&self) -> u32 {
        self.frames.len() as u32 - 1
    }

    fn at(&self) -> At {
        let top = self.top();
        At {
            function: top.function,
            block: top.place.block,
            step: top.place.step,
        }
    }

    /// What is in a cell now.
    pub fn cell(&mut self, cell: Cell) -> Option<TermId> {
        match cell {
            Cell::Register {
                depth,
                register,
                width,
            } => {
                let frame = self.frames.get(depth as usize)?;
                let value = *frame.registers.get(register as usize)?;
                value.filter(|value| self.terms.width(*value) == width)
            }
            Cell::Byte(address) => self.memory.byte_term(&mut self.terms, address),
            Cell::Bound { .. } => Some(cell.term(&mut self.terms)),
            Cell::Given(_) => None,
        }
    }

    /// Goes on up to the next pause.
    pub fn run(&mut self) -> Pause {
        let program = self.program.clone();
        loop {
            if self.arrived {
                self.arrived = false;
                return Pause::Checkpoint(self.point());
            }
            self.steps += 1;
            if self.steps > MAX_STEPS {
                return Pause::End(Ending::Lost("a path of too many steps".into()));
            }
            match self.step(&program) {
                Ok(None) => {}
                Ok(Some(pause)) => return pause,
                Err(why) => return Pause::End(Ending::Lost(why)),
            }
        }
    }

    fn point(&self) -> Point {
        let top = self.top();
        Point {
            context: top.context,
            layout: top.layout,
            heap: self.heap,
            block: top.place.block,
            step: top.place.step,
        }
    }

    fn value(&mut self, operand: &Operand) -> Option<TermId> {
        match operand {
            Operand::Register(register) => self.top().registers[register.0 as usize],
            Operand::Constant(bits) => Some(self.terms.constant(bits.clone())),
            Operand::Undefined(_) => None,
        }
    }

    /// A value that has to be known, as an address or a size has.
    fn concrete(&mut self, operand: &Operand, what: &str) -> Result<u64, Lost> {
        let Some(value) = self.value(operand) else {
            return lost(&format!("{what} of which nothing is known"));
        };
        match self.terms.as_u64(value) {
            Some(value) => Ok(value),
            None => lost(&format!("{what} that depends on inputs")),
        }
    }

    fn set(&mut self, register: Register, value: Option<TermId>) {
        let depth = self.depth();
        let top = self.top_mut();
        let slot = &mut top.registers[register.0 as usize];
        let old = std::mem::replace(slot, value);
        self.trail.push(Undo::Register {
            depth,
            register: register.0,
            old,
        });
    }

    fn put(&mut self, address: u64, byte: Byte) {
        let old = self.memory.put(address, byte);
        self.trail.push(Undo::Byte { address, old });
    }

    fn note(&mut self, at: At, what: What) {
        self.log.push(Entry {
            at,
            depth: self.depth(),
            what,
        });
    }

    fn next_step(&mut self) {
        self.stage = 0;
        self.top_mut().place.step += 1;
    }

    fn step(&mut self, program: &Program) -> Result<Option<Pause>, Lost> {
        let at = self.at();
        if let Some(pause) = self.settle(program, at)? {
            return Ok(pause);
        }
        let block = block(program, at);
        let Some(step) = block.steps.get(at.step as usize) else {
            return self.end(program, at, &block.end);
        };
        let widths = &function(program, at).registers;
        match step {
            Step::Assign {
                to,
                operator,
                operands,
            } => {
                let width = widths[to.0 as usize];
                let mut values = [None; 2];
                for (value, operand) in values.iter_mut().zip(operands) {
                    *value = self.value(operand);
                }
                let values = values[..operands.len().min(2)].iter().copied();
                let value = values
                    .collect::<Option<Vec<TermId>>>()
                    .map(|values| compute(&mut self.terms, *operator, width, &values));
                self.note(at, What::Assign);
                self.set(*to, value);
            }
            // One with a site is a decision, as an assumption is.
            Step::Select { to, operands, .. } => {
                let values = operands.iter().map(|operand| self.value(operand));
                let values = values.collect::<Option<Vec<TermId>>>();
                let value = values.map(|values| select(&mut self.terms, &values));
                self.note(at, What::Assign);
                self.set(*to, value);
            }
            Step::Assume { .. } => return lost("an undecided assumption"),
            Step::Load { to, address, size } if self.stage > 0 => {
                self.load_any(at, *to, address, u64::from(*size), widths[to.0 as usize])?;
            }
            Step::Store {
                address,
                value,
                size,
            } if self.stage > 0 => self.store_any(at, address, value, u64::from(*size))?,
            Step::Load { to, address, size } => {
                let (address, region) = self.access(address, u64::from(*size))?;
                let value = self.memory.read(&mut self.terms, &region, address, *size);
                let width = widths[to.0 as usize];
                let value = value.map(|value| self.terms.extract(value, 0, width));
                self.note(at, What::Load { address, region });
                self.set(*to, value);
            }
            Step::Store {
                address,
                value,
                size,
            } => {
                let (address, region) = self.write_access(address, u64::from(*size))?;
                let value = self.value(value);
                let value = value.map(|value| self.terms.zero_extend(value, size * 8));
                self.note(at, What::Store { address, region });
                for (byte, address) in parts(value, *size).zip(address..) {
                    self.put(address, byte);
                }
            }
            Step::Local { to, size, align } => self.local(at, *to, *size, *align)?,
            Step::Call {
                to,
                callee,
                arguments,
            } => {
                return self
                    .call(program, at, *to, callee, arguments)
                    .map(|()| None);
            }
            Step::Allocate { to, size, zeroed } => {
                let size = self.concrete(size, "a size")?;
                self.allocate(at, *to, size, *zeroed)?;
            }
            Step::Release { address } => self.release(at, address)?,
            Step::Move { to, from, size } => match self.concrete(size, "a size")? {
                0 => self.note(at, What::NoBytes),
                size => self.move_bytes(at, to, from, size)?,
            },
            Step::Fill { to, value, size } => match self.concrete(size, "a size")? {
                0 => self.note(at, What::NoBytes),
                size => self.fill_bytes(at, to, value, size)?,
            },
            Step::Input { to, source } => self.input(program, at, to, source)?,
            Step::Effect { to } => {
                if let Some(to) = to {
                    self.note(at, What::Unknown);
                    self.set(*to, None);
                }
            }
            Step::Opaque { what, .. } => return Err(what.clone()),
        }
        self.next_step();
        Ok(None)
    }
}

/// The site of a decision.
fn site_of(program: &Program, at: At) -> Option<SiteId> {
    let block = block(program, at);
    match block.steps.get(at.step as usize) {
        Some(Step::Select { site, .. } | Step::Assume { site, .. }) => *site,
        Some(_) => None,
        None => match &block.end {
            End::Branch { site, .. } | End::Switch { site, .. } => *site,
            _ => None,
        },
    }
}

mod control;
mod rooms;
mod steps;
#[cfg(test)]
mod tests;
