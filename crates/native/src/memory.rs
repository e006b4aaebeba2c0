//! The shared memory of one fork server: laid out here, written by the subject, read as bad input.
//!
//! All access goes through volatile reads and writes of plain integers: another process may write
//! at any time, so no reference into the memory ever exists. Where the areas are is kept on this
//! side and never read back from the header.

use crate::main_input::padded;
use crate::surroundings::SurroundingInput;
use elsewise_wire as wire;
use memmap2::{MmapOptions, MmapRaw};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, FromRawFd};
use std::os::unix::fs::MetadataExt;
use std::time::Duration;

/// How much the areas hold. The memory is sparse: only what a run writes takes room.
#[derive(Clone, Copy, Debug)]
pub struct Capacities {
    pub nodes: u64,
    pub events: u64,
    /// Branch sides.
    pub coverage: u64,
    /// Bytes of a case, the records' headers included.
    pub input: u64,
}

impl Default for Capacities {
    fn default() -> Self {
        Capacities {
            nodes: 1 << 26,
            events: 1 << 24,
            coverage: 4 << 20,
            input: 16 << 20,
        }
    }
}

const PAGE: u64 = 4096;

#[derive(Clone, Copy, Debug)]
struct Layout {
    input_offset: u64,
    coverage_offset: u64,
    event_offset: u64,
    node_offset: u64,
    size: u64,
}

impl Layout {
    fn new(capacities: &Capacities) -> Option<Layout> {
        let pages = |bytes: u64| Some(bytes.checked_add(PAGE - 1)? / PAGE * PAGE);
        let input_offset = pages(size_of::<wire::Header>() as u64)?;
        let coverage_offset = input_offset.checked_add(pages(capacities.input)?)?;
        let event_offset = coverage_offset.checked_add(pages(capacities.coverage)?)?;
        let event_bytes = capacities
            .events
            .checked_mul(size_of::<wire::Event>() as u64)?;
        let node_offset = event_offset.checked_add(pages(event_bytes)?)?;
        let node_bytes = capacities
            .nodes
            .checked_mul(size_of::<wire::Node>() as u64)?;
        let size = node_offset.checked_add(pages(node_bytes)?)?;
        // Labels and indices of events have 32 bits in places.
        let fits = capacities.nodes <= u64::from(wire::MAX_LABELS)
            && capacities.nodes >= 2
            && capacities.events <= u64::from(u32::MAX)
            && capacities.coverage <= u64::from(u32::MAX)
            && capacities.input >= 2 * size_of::<wire::StreamRecord>() as u64
            && size <= i64::MAX as u64;
        fits.then_some(Layout {
            input_offset,
            coverage_offset,
            event_offset,
            node_offset,
            size,
        })
    }
}

/// What the subject counted, as it stands in the header: unchecked.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counters {
    pub nodes: u64,
    pub events: u64,
    pub lost_nodes: u64,
    pub lost_events: u64,
    pub modules_used: u32,
    pub streams_used: u32,
    pub sides: u32,
    pub ending: u32,
    pub signal: u32,
    pub fault_address: u64,
    pub line: u32,
}

pub struct SharedMemory {
    file: File,
    map: MmapRaw,
    layout: Layout,
    capacities: Capacities,
}

/// One field of the header, read as it stands.
macro_rules! get {
    ($memory:expr, $($field:tt)+) => {
        // SAFETY: the mapping begins with a whole header, aligned to a page.
        unsafe { (&raw const (*$memory.header()).$($field)+).read_volatile() }
    };
}

macro_rules! set {
    ($memory:expr, $field:ident, $value:expr) => {
        // SAFETY: as in `get`.
        unsafe { (&raw mut (*$memory.header()).$field).write_volatile($value) }
    };
}

impl SharedMemory {
    /// Device and inode of the file that it is.
    pub fn identity(&self) -> io::Result<(u64, u64)> {
        let metadata = self.file.metadata()?;
        Ok((metadata.dev(), metadata.ino()))
    }

    /// Lets no process of a run take more processor time than this.
    pub fn limit_cpu(&self, limit: Duration) {
        set!(self, cpu_limit, limit.as_secs() + 1);
    }

    /// Whether a process may have several runs.
    pub fn allow_reuse(&self, reuse: bool) {
        set!(self, reuse, u32::from(reuse));
    }

    /// How many moves threads may make.
    pub fn limit_moves(&self, moves: u64) {
        set!(self, move_limit, moves);
    }

    /// How many waits of each thread for a condition may end without a signal.
    pub fn limit_spurious(&self, spurious: u64) {
        set!(self, spurious, spurious);
    }

    /// When others see what a thread stores.
    pub fn set_memory_model(&self, model: wire::threads::MemoryModel) {
        set!(self, memory_model, model as u64);
    }

    /// Whether calls of operations are told: one of [`wire::threads::operations`], or 0.
    pub fn tell_operations(&self, how: u64) {
        set!(self, operations, how);
    }

    /// Who moves where the schedule has ended.
    pub fn rule(&self, words: wire::sampler::Words) {
        set!(self, rule, words);
    }

    /// Whether the run is to report what could go wrong.
    pub fn ask_checks(&self, checks: bool) {
        set!(self, checks, u64::from(checks));
    }

    /// Whether something tells objects apart that lie side by side.
    pub fn tell_objects_apart(&self, apart: bool) {
        set!(self, objects, u64::from(apart));
    }

    pub fn create(
        capacities: Capacities,
        free_length: bool,
        memory_limit: u64,
    ) -> io::Result<SharedMemory> {
        // SAFETY: a constant name with its NUL.
        let fd = unsafe { libc::memfd_create(c"elsewise-trace".as_ptr(), libc::MFD_CLOEXEC) };
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the descriptor was just made and belongs to nobody else.
        let file = unsafe { File::from_raw_fd(fd) };
        SharedMemory::lay_out(file, capacities, free_length, memory_limit)
    }

    /// In a file that is empty.
    pub fn lay_out(
        file: File,
        capacities: Capacities,
        free_length: bool,
        memory_limit: u64,
    ) -> io::Result<SharedMemory> {
        let layout = Layout::new(&capacities).ok_or_else(|| {
            io::Error::new(
                io::ErrorKind::InvalidInput,
                "capacities of the trace are out of range",
            )
        })?;
        file.set_len(layout.size)?;
        let map = MmapOptions::new()
            .len(layout.size as usize)
            .map_raw(&file)?;
        let memory = SharedMemory {
            file,
            map,
            layout,
            capacities,
        };
        set!(memory, magic, wire::MAGIC);
        set!(memory, version, wire::VERSION);
        set!(memory, free_length, u32::from(free_length));
        set!(memory, size, layout.size);
        set!(memory, input_offset, layout.input_offset);
        set!(memory, input_size, capacities.input);
        set!(memory, coverage_offset, layout.coverage_offset);
        set!(memory, coverage_size, capacities.coverage);
        set!(memory, event_offset, layout.event_offset);
        set!(memory, event_capacity, capacities.events);
        set!(memory, node_offset, layout.node_offset);
        set!(memory, node_capacity, capacities.nodes);
        set!(memory, memory_limit, memory_limit);
        memory.reset_counters();
        Ok(memory)
    }

    /// Names the main input, which is always there, and says how long it may be. Other inputs of
    /// its name come after it.
    pub fn set_main(&self, name: &str, max: u64) {
        let name = padded(name.as_bytes());
        // SAFETY: inside the header.
        unsafe { (&raw mut (*self.header()).streams[0].name).write_volatile(name) };
        set!(self, max_input, max);
    }

    /// The file that holds the main input.
    pub fn set_file(&self, (device, inode): (u64, u64)) {
        set!(self, file_device, device);
        set!(self, file_inode, inode);
    }

    /// Arguments and variables that are inputs; as many as there is room for.
    pub fn set_given(&self, given: &[SurroundingInput]) {
        let used = given.len().min(wire::MAX_GIVEN);
        for (index, given) in given[..used].iter().enumerate() {
            let entry = wire::GivenEntry {
                name: padded(&given.name),
                index: given.index,
                before: given.before,
                size: given.size,
            };
            // SAFETY: inside the header; indexing is checked.
            unsafe { (&raw mut (*self.header()).given[index]).write_volatile(entry) };
        }
        set!(self, given_used, used as u32);
    }

    pub fn capacities(&self) -> &Capacities {
        &self.capacities
    }

    fn header(&self) -> *mut wire::Header {
        self.map.as_mut_ptr().cast()
    }

    /// Address of `offset`; every caller has checked it against the layout.
    fn at(&self, offset: u64) -> *mut u8 {
        debug_assert!(offset < self.layout.size);
        // SAFETY: within the mapping.
        unsafe { self.map.as_mut_ptr().add(offset as usize) }
    }

    /// Makes the memory ready for the next run.
    pub fn reset_counters(&self) {
        set!(self, nodes, 1);
        set!(self, events, 0);
        set!(self, lost_nodes, 0);
        set!(self, lost_events, 0);
        set!(self, streams_used, 1);
        set!(self, ending, 0);
        set!(self, signal, 0);
        set!(self, fault_address, 0);
        set!(self, frames_used, 0);
        set!(self, line, 0);
        // SAFETY: single bytes and a word inside the header.
        unsafe {
            (&raw mut (*self.header()).text[0]).write_volatile(0);
            (&raw mut (*self.header()).file[0]).write_volatile(0);
            (&raw mut (*self.header()).streams[0].size).write_volatile(0);
        }
    }

    /// Where something of a kind had happened before runs began.
    pub fn before(&self, reason: wire::Reason) -> Option<u32> {
        get!(self, before)[reason as usize].checked_sub(1)
    }

    /// Was the last run watched for whatever touches an input?
    pub fn is_watched(&self) -> bool {
        get!(self, watched) != 0
    }

    pub fn counters(&self) -> Counters {
        Counters {
            nodes: get!(self, nodes),
            events: get!(self, events),
            lost_nodes: get!(self, lost_nodes),
            lost_events: get!(self, lost_events),
            modules_used: get!(self, modules_used),
            streams_used: get!(self, streams_used),
            sides: get!(self, sides),
            ending: get!(self, ending),
            signal: get!(self, signal),
            fault_address: get!(self, fault_address),
            line: get!(self, line),
        }
    }

    pub fn node(&self, label: u32) -> Option<wire::Node> {
        (u64::from(label) < self.capacities.nodes).then(|| {
            let at = self.layout.node_offset + u64::from(label) * size_of::<wire::Node>() as u64;
            // SAFETY: inside the node area, 16-aligned, any bytes are a node.
            unsafe { self.at(at).cast::<wire::Node>().read_volatile() }
        })
    }

    pub fn event(&self, index: u64) -> Option<wire::Event> {
        (index < self.capacities.events).then(|| {
            let at = self.layout.event_offset + index * size_of::<wire::Event>() as u64;
            // SAFETY: inside the event area, 16-aligned, any bytes are an event.
            unsafe { self.at(at).cast::<wire::Event>().read_volatile() }
        })
    }

    pub fn stream(&self, index: u32) -> Option<wire::StreamEntry> {
        ((index as usize) < wire::MAX_STREAMS).then(|| get!(self, streams[index as usize]))
    }

    pub fn module(&self, index: u32) -> Option<wire::ModuleEntry> {
        ((index as usize) < wire::MAX_MODULES).then(|| get!(self, modules[index as usize]))
    }

    /// Return addresses of the failure, innermost first.
    pub fn frames(&self) -> Vec<u64> {
        let used = (get!(self, frames_used) as usize).min(wire::MAX_FRAMES);
        (0..used).map(|index| get!(self, frames[index])).collect()
    }

    pub fn text(&self) -> String {
        let bytes: [u8; wire::TEXT_BYTES] = get!(self, text);
        until_nul(&bytes)
    }

    pub fn file_name(&self) -> String {
        let bytes: [u8; wire::TEXT_BYTES] = get!(self, file);
        until_nul(&bytes)
    }

    /// The first `sides` bytes of the coverage area.
    pub fn coverage(&self, sides: u32) -> Vec<u8> {
        let sides = u64::from(sides).min(self.capacities.coverage);
        self.copy_out(self.layout.coverage_offset, sides as usize)
    }

    pub fn set_coverage(&self, bytes: &[u8]) {
        let length = (bytes.len() as u64).min(self.capacities.coverage);
        self.copy_in(self.layout.coverage_offset, &bytes[..length as usize]);
    }

    /// All that a run has written; `None` if that is more than `most` bytes.
    pub fn written(&self, most: usize) -> Option<Vec<u8>> {
        let counters = self.counters();
        let nodes = counters.nodes.min(self.capacities.nodes) * size_of::<wire::Node>() as u64;
        let events = counters.events.min(self.capacities.events) * size_of::<wire::Event>() as u64;
        if nodes + events > most as u64 {
            return None;
        }
        let mut out = format!("{counters:?} {:?} {}", self.frames(), self.text()).into_bytes();
        out.extend(self.file_name().into_bytes());
        let streams = (0..counters.streams_used).map_while(|index| self.stream(index));
        for stream in streams {
            out.extend(stream.name);
            out.extend(stream.occurrence.to_le_bytes());
            out.extend(stream.size.to_le_bytes());
        }
        out.extend(self.coverage(counters.sides));
        out.extend(self.copy_out(self.layout.event_offset, events as usize));
        out.extend(self.copy_out(self.layout.node_offset, nodes as usize));
        Some(out)
    }

    /// Lays down a case. False when it does not fit.
    pub fn set_input<'a>(&self, streams: impl Iterator<Item = (&'a [u8], u32, &'a [u8])>) -> bool {
        let record = size_of::<wire::StreamRecord>() as u64;
        let mut at = 0u64;
        for (name, occurrence, bytes) in streams {
            let padded = (bytes.len() as u64).div_ceil(8) * 8;
            // The record that ends the area must fit as well.
            if at + 2 * record + padded > self.capacities.input {
                return false;
            }
            self.write_record(at, name, occurrence, bytes.len() as u64);
            self.copy_in(self.layout.input_offset + at + record, bytes);
            at += record + padded;
        }
        self.write_record(at, b"", u32::MAX, 0);
        true
    }

    fn write_record(&self, at: u64, name: &[u8], occurrence: u32, size: u64) {
        let mut record = wire::StreamRecord {
            name: [0; wire::NAME_BYTES],
            occurrence,
            reserved: 0,
            size,
        };
        let length = name.len().min(wire::NAME_BYTES - 1);
        record.name[..length].copy_from_slice(&name[..length]);
        // SAFETY: `set_input` made sure that a record fits here; `at` is a multiple of 8.
        unsafe {
            self.at(self.layout.input_offset + at)
                .cast::<wire::StreamRecord>()
                .write_volatile(record);
        }
    }

    /// Gives back the memory of nodes that an unusually long run has written.
    pub fn release_nodes(&self) {
        use std::os::fd::AsRawFd;
        // SAFETY: punches a hole into a file that is ours. Failing costs memory, not truth.
        unsafe {
            libc::fallocate(
                self.file.as_raw_fd(),
                libc::FALLOC_FL_PUNCH_HOLE | libc::FALLOC_FL_KEEP_SIZE,
                self.layout.node_offset as libc::off_t,
                (self.layout.size - self.layout.node_offset) as libc::off_t,
            );
        }
    }

    fn copy_out(&self, offset: u64, length: usize) -> Vec<u8> {
        let mut out = vec![0u8; length];
        if length > 0 {
            // SAFETY: callers stay inside their area. A racing writer can only make the copied
            // bytes differ, and bytes have no invalid values.
            unsafe { std::ptr::copy_nonoverlapping(self.at(offset), out.as_mut_ptr(), length) };
        }
        out
    }

    fn copy_in(&self, offset: u64, bytes: &[u8]) {
        if !bytes.is_empty() {
            // SAFETY: as in `copy_out`.
            unsafe {
                std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.at(offset), bytes.len());
            }
        }
    }
}

impl AsFd for SharedMemory {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }
}

fn until_nul(bytes: &[u8]) -> String {
    let length = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..length]).into_owned()
}

/// Writing the subject's side, for tests of what reads it.
#[cfg(test)]
pub mod testing {
    use super::*;

    impl SharedMemory {
        pub fn put_node(&self, label: u32, node: wire::Node) {
            assert!(u64::from(label) < self.capacities.nodes);
            let at = self.layout.node_offset + u64::from(label) * 16;
            // SAFETY: checked above.
            unsafe { self.at(at).cast::<wire::Node>().write_volatile(node) }
            if get!(self, nodes) <= u64::from(label) {
                set!(self, nodes, u64::from(label) + 1);
            }
        }

        pub fn push_event(&self, event: wire::Event) {
            let index = get!(self, events);
            assert!(index < self.capacities.events);
            let at = self.layout.event_offset + index * 16;
            // SAFETY: checked above.
            unsafe { self.at(at).cast::<wire::Event>().write_volatile(event) }
            set!(self, events, index + 1);
        }

        pub fn put_stream(&self, index: usize, name: &str, occurrence: u32, size: u64) {
            let mut entry = wire::StreamEntry {
                name: [0; wire::NAME_BYTES],
                occurrence,
                reserved: 0,
                size,
            };
            entry.name[..name.len()].copy_from_slice(name.as_bytes());
            // SAFETY: indexing is checked.
            unsafe { (&raw mut (*self.header()).streams[index]).write_volatile(entry) };
            set!(self, streams_used, index as u32 + 1);
        }

        pub fn put_ending(&self, ending: wire::Ending, signal: u32, text: &str, file: &str) {
            set!(self, ending, ending as u32);
            set!(self, signal, signal);
            let mut bytes = [0; wire::TEXT_BYTES];
            bytes[..text.len()].copy_from_slice(text.as_bytes());
            set!(self, text, bytes);
            let mut bytes = [0; wire::TEXT_BYTES];
            bytes[..file.len()].copy_from_slice(file.as_bytes());
            set!(self, file, bytes);
            set!(self, line, 7);
        }

        pub fn put_lost(&self, nodes: u64, events: u64) {
            set!(self, lost_nodes, nodes);
            set!(self, lost_events, events);
        }

        pub fn poke(&self, offset: u64, byte: u8) {
            assert!(offset < self.layout.size);
            // SAFETY: checked above.
            unsafe { self.at(offset).write_volatile(byte) }
        }

        pub fn peek(&self, offset: u64) -> u8 {
            assert!(offset < self.layout.size);
            // SAFETY: checked above.
            unsafe { self.at(offset).read_volatile() }
        }

        pub fn areas(&self) -> [(u64, u64); 4] {
            let l = &self.layout;
            [
                (0, size_of::<wire::Header>() as u64),
                (l.coverage_offset, self.capacities.coverage),
                (l.event_offset, self.capacities.events * 16),
                (l.node_offset, self.capacities.nodes * 16),
            ]
        }
    }
}
