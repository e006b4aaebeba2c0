//! The mapped trace and the runtime's own state.

use crate::several::several;
use crate::sys::Stat;
use crate::turns::Turns;
use core::ffi::c_int;
use core::ptr;
use elsewise_wire::{Event, EventKind, Header, MAX_MODULES, Node, Op, REASONS, Reason};

/// Everything the runtime knows. Written at start-up and, in a run, by the one thread that runs.
pub struct State {
    /// The shadow is there.
    pub reserved: bool,
    /// The engine has been looked for.
    pub attached: bool,
    /// Null when the program runs on its own, without an engine.
    pub header: *mut Header,
    pub nodes: *mut Node,
    pub events: *mut Event,
    pub coverage: *mut u8,
    pub input: *const u8,
    pub control: c_int,
    pub status: c_int,
    /// The fork server has been entered: this process is a run.
    pub running: bool,
    /// No engine is there: the process is the run of a case in a file, and somebody may be watching
    /// with a debugger.
    pub alone: bool,
    pub main: Main,
    /// A bit for each registered module: it has models written in C.
    pub model_modules: [u64; MAX_MODULES / 64],
    /// Where the model that runs was called.
    pub place: u32,
    /// The label of memory beside input objects; 0 if there is none.
    pub beside: u32,
    /// Where something of each kind was last counted that no instrumented code has done itself.
    pub counted: [Option<u32>; REASONS],
    /// Labels lately made concrete, each at the index of its low bits.
    settled: [u32; SETTLED],
    /// Nodes that threads have made lately, by what they are.
    recent: [u32; RECENT],
}

/// The run's view of the main input.
pub struct Main {
    /// Label of its length, 0 until needed.
    pub length_label: u32,
    /// A read, or a seek, has found its end: that is where some descriptor stands.
    pub short: bool,
    /// The descriptor that was put somewhere since then: where it is does not depend on the length.
    pub placed: Option<c_int>,
    /// Descriptors that stand at its end, wherever that is, one bit each.
    pub at_end: [u64; 16],
    /// What comes next is done for a stream.
    pub for_stream: bool,
    /// The descriptor that a stream has read from, and would have read ahead.
    pub ahead: Option<c_int>,
}

impl Main {
    pub const fn new() -> Main {
        Main {
            length_label: 0,
            short: false,
            placed: None,
            at_end: [0; 16],
            for_stream: false,
            ahead: None,
        }
    }
}

/// How many labels are remembered as made concrete.
const SETTLED: usize = 256;
const RECENT: usize = 1024;

static STATE: Turns<State> = Turns::new(State::new());

/// The state. References from it must not be kept across calls into the subject.
pub fn state() -> &'static mut State {
    // SAFETY: its users take turns, as `Turns` says.
    unsafe { &mut *STATE.get() }
}

impl State {
    pub const fn new() -> State {
        State {
            reserved: false,
            attached: false,
            header: ptr::null_mut(),
            nodes: ptr::null_mut(),
            events: ptr::null_mut(),
            coverage: ptr::null_mut(),
            input: ptr::null(),
            control: -1,
            status: -1,
            running: false,
            alone: false,
            main: Main::new(),
            model_modules: [0; MAX_MODULES / 64],
            place: 0,
            beside: 0,
            counted: [None; REASONS],
            settled: [0; SETTLED],
            recent: [0; RECENT],
        }
    }

    /// Is there an engine that wants a trace?
    pub fn traced(&self) -> bool {
        !self.header.is_null()
    }

    pub fn header(&mut self) -> &'static mut Header {
        // SAFETY: who asks has seen that there is a trace, which stays mapped.
        unsafe { &mut *self.header }
    }

    /// Appends a node; 0 when there is no room, which the engine sees in the counter.
    pub fn node(&mut self, op: Op, flags: u8, bits: u32, a: u32, b: u64) -> u32 {
        self.raw_node(op as u8, flags, bits, a, b)
    }

    #[inline]
    pub fn raw_node(&mut self, op: u8, flags: u8, bits: u32, a: u32, b: u64) -> u32 {
        let header = self.header();
        let label = header.nodes;
        if label >= header.node_capacity || bits > u16::MAX as u32 {
            header.lost_nodes += 1;
            return 0;
        }
        let node = Node {
            op,
            flags,
            bits: bits as u16,
            a,
            b,
        };
        // Threads that look again and again are as they were only if what they compute has the same labels. Entries of
        // tables lie side by side.
        if several() && op != Op::Data as u8 {
            let mixed =
                (u64::from(a) << 32 ^ b ^ u64::from(op) << 24).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let slot = (mixed >> 32) as usize % RECENT;
            let known = self.recent[slot];
            if known != 0 && u64::from(known) < label && self.get(known) == node {
                return known;
            }
            self.recent[slot] = label as u32;
        }
        // SAFETY: there is room for it, as was just seen.
        unsafe { self.nodes.add(label as usize).write(node) };
        header.nodes = label + 1;
        label as u32
    }

    pub fn get(&self, label: u32) -> Node {
        // SAFETY: labels are given for nodes that are there; 0 is one as well.
        unsafe { *self.nodes.add(label as usize) }
    }

    /// A choice or a check on `label`; none where there was no room for it any more, which is counted.
    pub fn choice(&mut self, kind: EventKind, site: u32, label: u32, side: u32) {
        if label != 0 {
            self.event(kind, 0, site, label, side);
        }
    }

    pub fn event(&mut self, kind: EventKind, detail: u8, site: u32, label: u32, value: u32) {
        self.event_with(kind, detail, 0, site, label, value);
    }

    pub fn event_with(
        &mut self,
        kind: EventKind,
        detail: u8,
        pad: u16,
        site: u32,
        label: u32,
        value: u32,
    ) {
        let header = self.header();
        let index = header.events;
        if index >= header.event_capacity {
            header.lost_events += 1;
            return;
        }
        let event = Event {
            kind: kind as u8,
            detail,
            pad,
            site,
            label,
            value,
        };
        // SAFETY: there is room for it, as was just seen.
        unsafe { self.events.add(index as usize).write(event) };
        header.events = index + 1;
    }

    /// The module that a site is in.
    pub fn module_of(&mut self, site: u32) -> Option<usize> {
        let header = self.header();
        let modules = &header.modules[..(header.modules_used as usize).min(MAX_MODULES)];
        let after = modules.partition_point(|module| module.first_site <= site);
        after.checked_sub(1)
    }

    /// Is the site in a model written in C?
    pub fn is_model(&mut self, site: u32) -> bool {
        self.module_of(site)
            .is_some_and(|module| self.model_modules[module / 64] >> (module % 64) & 1 != 0)
    }

    /// The site itself, or where the model that it is in was called.
    pub fn shown(&mut self, site: u32) -> u32 {
        if self.is_model(site) {
            self.place
        } else {
            site
        }
    }

    pub fn opaque(&mut self, site: u32, reason: Reason) {
        if self.traced() {
            let site = self.shown(site);
            self.event(EventKind::Opaque, reason as u8, site, 0, 0);
        }
    }

    /// Reports that the run goes on with the present value of `label`. Once is enough, but as
    /// little is remembered as a loop over one address needs.
    pub fn made_concrete(&mut self, site: u32, label: u32, value: u64, reason: Reason) {
        let slot = &mut self.settled[label as usize % SETTLED];
        if label == 0 || *slot == label {
            return;
        }
        *slot = label;
        let site = self.shown(site);
        let bits = u32::from(self.get(label).bits);
        let constant = self.node(Op::Const, 0, bits, 0, value);
        if constant == 0 {
            return; // There is no room for it any more, which is counted.
        }
        self.event(EventKind::Concrete, reason as u8, site, label, constant);
    }
}

/// Is this the main input?
pub fn is_input_file(state: &mut State, stat: &Stat) -> bool {
    let header = state.header();
    stat.inode == header.file_inode && stat.device == header.file_device && header.file_inode != 0
}
