//! A trace as the engine lays one out, for tests.

use crate::memory;
use crate::shared::{State, state};
use elsewise_wire::{Event, EventKind, Header, Node, Op, StreamRecord};
use std::sync::{Mutex, MutexGuard, Once};

const NODES: usize = 4096;
const EVENTS: usize = 256;

/// The runtime has one while this lives. Tests that have one take turns, as threads of a subject do.
pub struct Trace {
    header: Box<Header>,
    nodes: Box<[Node]>,
    events: Box<[Event]>,
    _input: Box<StreamRecord>,
    _turn: MutexGuard<'static, ()>,
}

impl Trace {
    pub fn new() -> Trace {
        static TURN: Mutex<()> = Mutex::new(());
        static SHADOW: Once = Once::new();
        // A test that has failed leaves nothing that the next one uses.
        let turn = TURN.lock().unwrap_or_else(|failed| failed.into_inner());
        *state() = State::new();
        SHADOW.call_once(memory::reserve);
        // SAFETY: all of these are numbers, of which zero is one.
        let mut trace = unsafe {
            Trace {
                header: Box::new_zeroed().assume_init(),
                nodes: Box::new_zeroed_slice(NODES).assume_init(),
                events: Box::new_zeroed_slice(EVENTS).assume_init(),
                _input: Box::new_zeroed().assume_init(),
                _turn: turn,
            }
        };
        trace.header.nodes = 1;
        trace.header.node_capacity = NODES as u64;
        trace.header.event_capacity = EVENTS as u64;
        trace.header.move_limit = 1000;
        trace._input.occurrence = u32::MAX;
        let state = state();
        state.header = &raw mut *trace.header;
        state.nodes = trace.nodes.as_mut_ptr();
        state.events = trace.events.as_mut_ptr();
        state.input = (&raw const *trace._input).cast();
        trace
    }

    /// Label of a new input byte.
    pub fn byte(&self) -> u32 {
        let offset = state().header().nodes;
        state().node(Op::Input, 0, 8, 0, offset)
    }

    /// Label of a new input of so many bits.
    pub fn input(&self, bits: u32) -> u32 {
        let byte = self.byte();
        state().node(Op::ZExt, 0, bits, byte, 0)
    }

    /// How many nodes were written.
    pub fn len(&self) -> u64 {
        state().header().nodes
    }

    pub fn header(&self) -> &'static mut Header {
        state().header()
    }

    /// Events of a kind: detail, label and value.
    pub fn events(&self, kind: EventKind) -> Vec<(u8, u32, u32)> {
        // SAFETY: so many have been written.
        let events =
            unsafe { std::slice::from_raw_parts(state().events, state().header().events as usize) };
        let events = events.iter().filter(|event| event.kind == kind as u8);
        events
            .map(|event| (event.detail, event.label, event.value))
            .collect()
    }
}

impl Drop for Trace {
    fn drop(&mut self) {
        *state() = State::new();
    }
}

/// A node as operation, flags, width and operands.
pub fn node(label: u32) -> (Op, u8, u16, u32, u64) {
    let node = state().get(label);
    let op = Op::from_u8(node.op).expect("nodes have operations");
    (op, node.flags, node.bits, node.a, node.b)
}

/// Memory of a test's own, without labels.
pub struct Room(Box<[u64; 16]>);

impl Room {
    pub fn new() -> Room {
        let room = Room(Box::new([0; 16]));
        memory::clear(room.at(), 128);
        room
    }

    /// Where it begins: at a multiple of eight.
    pub fn at(&self) -> u64 {
        self.0.as_ptr() as u64
    }

    pub fn bytes(&mut self) -> &mut [u8; 128] {
        // SAFETY: as many bytes.
        unsafe { &mut *self.0.as_mut_ptr().cast() }
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        memory::clear(self.at(), 128);
    }
}
