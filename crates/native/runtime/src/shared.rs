//! The mapped trace and the runtime's own state.

use crate::input::Main;
use crate::sys;
use crate::threads;
use crate::turns::Turns;
use core::ffi::{c_char, c_int};
use core::ptr;
use elsewise_wire::{
    ENV_CTL, ENV_RUN, ENV_SHM, Event, EventKind, Header, MAGIC, MAX_MODULES, Node, Op, REASONS,
    Reason, VERSION,
};

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
        if threads::several() && op != Op::Data as u8 {
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

fn environment(name: &str) -> *const c_char {
    let mut buffer = [0u8; 32];
    buffer[..name.len()].copy_from_slice(name.as_bytes());
    // SAFETY: names are shorter than the buffer, so that a NUL follows.
    unsafe { sys::getenv(buffer.as_ptr().cast()) }
}

/// The subject's own children are nobody's runs: they must not find the trace.
fn forget(name: &str) {
    let mut buffer = [0u8; 32];
    buffer[..name.len()].copy_from_slice(name.as_bytes());
    // SAFETY: as above; no other thread is there yet.
    unsafe { sys::unsetenv(buffer.as_ptr().cast()) };
}

/// Reads a decimal number and moves past it.
///
/// # Safety
/// A text.
unsafe fn number(text: &mut *const c_char) -> c_int {
    let mut value: c_int = 0;
    // SAFETY: a text ends by a NUL, which is no digit.
    unsafe {
        while (**text as u8).is_ascii_digit() {
            value = value
                .wrapping_mul(10)
                .wrapping_add((**text as u8 - b'0') as c_int);
            *text = text.add(1);
        }
    }
    value
}

/// Maps the trace that the engine prepared, if there is one, or a case in a file.
pub fn attach() {
    let state = state();
    let mut shm = environment(ENV_SHM);
    let mut control = environment(ENV_CTL);
    if shm.is_null() || control.is_null() {
        return attach_file();
    }
    // SAFETY: values of variables are texts; the engine has laid out what is mapped.
    unsafe {
        let fd = number(&mut shm);
        state.control = number(&mut control);
        if *control != 0 {
            control = control.add(1);
        }
        state.status = number(&mut control);
        forget(ENV_SHM);
        forget(ENV_CTL);
        map(fd, sys::MAP_SHARED);
    }
}

/// The file keeps its case for the next run: what this one writes is its own.
fn attach_file() {
    let path = environment(ENV_RUN);
    if path.is_null() {
        return;
    }
    // SAFETY: the value of a variable is a text.
    unsafe {
        let fd = sys::open(path, 0, 0);
        forget(ENV_RUN);
        state().alone = fd >= 0 && map(fd, sys::MAP_PRIVATE | sys::MAP_NORESERVE);
    }
}

/// Maps what is laid out in a file, if it is what this runtime knows.
///
/// # Safety
/// A file that begins as a trace does is one: its offsets are within it.
unsafe fn map(fd: c_int, flags: c_int) -> bool {
    let state = state();
    // SAFETY: new mappings, of which the first is looked at before the second is believed; a shorter file
    // than a header is none of ours, and ends the process.
    unsafe {
        let map = |size: usize| {
            let protection = sys::PROT_READ | sys::PROT_WRITE;
            sys::mmap(ptr::null_mut(), size, protection, flags, fd, 0)
        };
        let head = map(core::mem::size_of::<Header>());
        if head as isize == -1 {
            return false;
        }
        let header = head.cast::<Header>();
        if (*header).magic != MAGIC || (*header).version != VERSION {
            return false;
        }
        let base = map((*header).size as usize);
        if base as isize == -1 {
            return false;
        }
        sys::close(fd);
        let base = base.cast::<u8>();
        let header = base.cast::<Header>();
        state.nodes = base.add((*header).node_offset as usize).cast();
        state.events = base.add((*header).event_offset as usize).cast();
        state.coverage = base.add((*header).coverage_offset as usize);
        state.input = base.add((*header).input_offset as usize);
        state.header = header;
    }
    true
}
