//! What a process is when its run begins, and how it becomes that again.
//!
//! Memory that can be written is what the system lists as such. Pages that are there when the run
//! begins are copied, and copied back; the others are zeros, or a file's, and are given back to the
//! system, which makes them that again. Memory that somebody else can see, too, cannot be put
//! back: then each run has a process of its own.

use crate::objects;
use crate::shared::{is_input_file, state};
use crate::sys::{self, Stat, direct, number, stat_of};
use core::arch::asm;
use core::ffi::{CStr, c_int};
use elsewise_wire::{FLAGS_BASE, SHADOW_BASE, SHADOW_SIZE};

const PAGE: u64 = 4096;
/// More than this takes as long to copy as a process takes to fork.
const MOST_COPIED: u64 = 2 << 20;
/// Pages of which it is asked whether they are there.
const MOST_PAGES: u64 = 1 << 16;
const MOST_RANGES: usize = 256;
/// So few pages that are not there are copied with their neighbours.
const GAP: u64 = 16;
/// Room for what the system lists.
const TEXT: u64 = 256 << 10;

/// The runtime's own memory: behind the table of blocks, far from where the system would put anything.
pub const BASE: u64 = objects::BASE + objects::SIZE + (1 << 32);
/// Room for the snapshot.
pub const SNAPSHOT: u64 = BASE + (1 << 20);
pub const END: u64 = SNAPSHOT + SIZE;

const COPIES: u64 = SNAPSHOT + (64 << 10);
const SCRATCH: u64 = COPIES + MOST_COPIED;
const SIZE: u64 = (64 << 10) + MOST_COPIED + TEXT + PAGE;

#[derive(Clone, Copy)]
#[repr(C)]
struct Range {
    from: u64,
    to: u64,
}

/// Ranges in order of being found.
#[repr(C)]
struct Ranges {
    used: u64,
    all: [Range; MOST_RANGES],
}

impl Ranges {
    fn add(&mut self, from: u64, to: u64) -> bool {
        let used = self.used as usize;
        if let Some(last) = self.all[..used].last_mut()
            && last.to == from
        {
            last.to = to;
            return true;
        }
        if used >= MOST_RANGES {
            return false;
        }
        self.all[used] = Range { from, to };
        self.used += 1;
        true
    }

    fn get(&self) -> &[Range] {
        &self.all[..(self.used as usize).min(MOST_RANGES)]
    }
}

/// The registers of the place where runs begin.
#[repr(C, align(16))]
pub struct Context {
    stack: u64,
    code: u64,
    floats: [u8; 512],
}

/// Read-only while the subject runs.
#[repr(C)]
struct Snapshot {
    context: Context,
    copied: Ranges,
    given_back: Ranges,
    /// Parts of the table of blocks that belong to memory.
    blocks: Ranges,
    /// The end of the heap.
    heap_end: u64,
    /// The lowest address of the stack, which may grow.
    stack_begin: u64,
    /// Signals that are blocked.
    mask: u64,
    /// Descriptors, up to 2, that take everything and keep nothing.
    sinks: [bool; 3],
    /// Standard input is the main input, which the engine rewinds.
    input: bool,
    /// Memory that the system itself writes to.
    rseq: (u64, u64),
    /// There is one.
    taken: bool,
}

const _: () = assert!(core::mem::size_of::<Snapshot>() <= 64 << 10);

fn snapshot() -> &'static mut Snapshot {
    // SAFETY: there is room for it, which is zeros at first, and its users take turns, as `Turns` says of others.
    unsafe { &mut *(SNAPSHOT as *mut Snapshot) }
}

pub fn context() -> *mut Context {
    &raw mut snapshot().context
}

pub fn mask() -> u64 {
    snapshot().mask
}

/// Before the first run is forked.
pub fn prepare() {
    snapshot().rseq = sys::find_rseq_area();
}

/// When a run begins: what its system calls are judged by.
pub fn note_system() {
    let it = snapshot();
    it.taken = false;
    // SAFETY: nothing is changed.
    it.heap_end = unsafe { direct(number::BRK, 0, 0, 0, 0, 0, 0) } as u64;
    for fd in 0..3 {
        let stat = stat_of(fd);
        it.sinks[fd as usize] = stat.as_ref().is_some_and(Stat::is_null_device);
        if fd == 0 {
            it.input = stat.is_some_and(|stat| is_input_file(state(), &stat));
        }
    }
}

/// Is there room for one, and what is noted when a run begins?
fn exists() -> bool {
    state().running && !state().alone
}

/// Whether runs can begin anew from it.
pub fn is_taken() -> bool {
    exists() && snapshot().taken
}

/// Notes everything else. False where this process cannot be put back.
pub fn take() -> bool {
    let it = snapshot();
    it.copied.used = 0;
    it.given_back.used = 0;
    it.blocks.used = 0;
    it.stack_begin = 0;
    // Labels are all of inputs: their shadow is empty.
    if state().header().nodes != 1 || !it.given_back.add(FLAGS_BASE, SHADOW_BASE + SHADOW_SIZE) {
        return false;
    }
    // SAFETY: there is room for the answer.
    unsafe {
        let to = &raw mut it.mask as i64;
        if direct(number::SIGPROCMASK, 0, 0, to, 8, 0, 0) != 0
            || it.mask >> (sys::SIGSYS - 1) & 1 != 0
        {
            return false;
        }
    }
    let pages = open(c"/proc/self/pagemap");
    let noted = pages >= 0 && note_memory(it, pages) && note_blocks(it, pages);
    sys::close(pages);
    it.taken = noted && copy_out(it);
    it.taken && protect(sys::PROT_READ)
}

/// There is none any more.
pub fn release() {
    protect(sys::PROT_READ | sys::PROT_WRITE);
    snapshot().taken = false;
}

/// Nobody writes a snapshot that was taken, not even by a wild pointer.
fn protect(protection: c_int) -> bool {
    let (from, size) = (SNAPSHOT as i64, SIZE as i64);
    // SAFETY: what only this module uses.
    unsafe { direct(number::MPROTECT, from, size, protection.into(), 0, 0, 0) == 0 }
}

/// Goes through the system's list of mappings.
fn note_memory(it: &mut Snapshot, pages: c_int) -> bool {
    let Some(text) = mappings() else {
        return false;
    };
    let mut left = MOST_PAGES;
    text.split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .all(|line| note_mapping(it, pages, line, &mut left))
}

/// Opens a file for reading, by a call that nobody hears of.
fn open(path: &CStr) -> c_int {
    let folder = sys::AT_FDCWD.into();
    // SAFETY: a text.
    unsafe { direct(number::OPENAT, folder, path.as_ptr() as i64, 0, 0, 0, 0) as c_int }
}

fn mappings() -> Option<&'static [u8]> {
    let fd = open(c"/proc/self/maps");
    let mut used = 0;
    while used < TEXT {
        let (to, room) = ((SCRATCH + used) as i64, (TEXT - used) as i64);
        // SAFETY: so much of the room is left.
        let got = unsafe { direct(number::READ, fd.into(), to, room, 0, 0, 0) };
        if got <= 0 {
            break;
        }
        used += got as u64;
    }
    sys::close(fd);
    let whole = fd >= 0 && used > 0 && used < TEXT;
    // SAFETY: so much has just been read there, and nobody writes it before it is done with.
    whole.then(|| unsafe { core::slice::from_raw_parts(SCRATCH as *const u8, used as usize) })
}

/// A number, and what follows it.
fn hex(text: &[u8]) -> (u64, &[u8]) {
    let mut value = 0;
    let mut rest = text;
    while let [digit, more @ ..] = rest
        && let Some(digit) = (*digit as char).to_digit(16)
    {
        value = value << 4 | u64::from(digit);
        rest = more;
    }
    (value, rest)
}

/// `from-to rwxp offset device inode path`. False where it cannot be put back.
fn note_mapping(it: &mut Snapshot, pages: c_int, line: &[u8], left: &mut u64) -> bool {
    let (from, rest) = hex(line);
    let (to, rest) = hex(rest.get(1..).unwrap_or_default());
    let [b' ', _, writable, _, kind, ..] = *rest else {
        return false;
    };
    if line.ends_with(b"[stack]") {
        it.stack_begin = from;
    }
    let reserved = from >= FLAGS_BASE && to <= END;
    if writable != b'w' || reserved {
        return true;
    }
    if kind != b'p' {
        // Two mappings of the trace are there: of its beginning, and of all.
        let trace = b"/memfd:elsewise-trace (deleted)";
        return line.ends_with(trace);
    }
    let count = (to - from) / PAGE;
    if count > *left {
        return false;
    }
    *left -= count;
    let (first, last) = (objects::place(from), objects::place(to - 1) + 1);
    it.blocks
        .add(first & !(PAGE - 1), last.next_multiple_of(PAGE))
        && note(it, pages, from, to)
}

/// Goes through the parts of the table of blocks that belong to memory; all others are empty.
fn note_blocks(it: &mut Snapshot, pages: c_int) -> bool {
    let used = it.blocks.used as usize;
    it.blocks.all[..used].sort_unstable_by_key(|range| range.from);
    let end = objects::BASE + objects::SIZE;
    let mut at = objects::BASE;
    for index in 0..used {
        let range = it.blocks.all[index];
        let from = range.from.max(at);
        if from >= range.to {
            continue;
        }
        let gap = from == at || it.given_back.add(at, from);
        if !gap || !note(it, pages, from, range.to) {
            return false;
        }
        at = range.to;
    }
    at == end || it.given_back.add(at, end)
}

/// Parts a range into what is copied and what is given back.
fn note(it: &mut Snapshot, pages: c_int, from: u64, to: u64) -> bool {
    const ENTRIES: u64 = 512;
    let buffer = SCRATCH + TEXT;
    // Of what is there, and not noted yet.
    let mut run: Option<Range> = None;
    let mut done = from;
    let mut at = from;
    while at < to {
        let count = ((to - at) / PAGE).min(ENTRIES);
        let size = (count * 8) as i64;
        let (to, place) = (buffer as i64, (at / PAGE * 8) as i64);
        // SAFETY: there is room for as many.
        if unsafe { direct(number::PREAD, pages.into(), to, size, place, 0, 0) } != size {
            return false;
        }
        for index in 0..count {
            // SAFETY: so many have just been read.
            let entry = unsafe { *(buffer as *const u64).add(index as usize) };
            // In memory or swapped out, and no file's.
            if entry >> 62 == 0 || entry >> 61 & 1 != 0 {
                continue;
            }
            let page = at + index * PAGE;
            match &mut run {
                Some(run) if page - run.to <= GAP * PAGE => run.to = page + PAGE,
                _ => {
                    if let Some(run) = run.take()
                        && !part(it, &mut done, run)
                    {
                        return false;
                    }
                    run = Some(Range {
                        from: page,
                        to: page + PAGE,
                    });
                }
            }
        }
        at += count * PAGE;
    }
    if let Some(run) = run
        && !part(it, &mut done, run)
    {
        return false;
    }
    if done == to {
        return true;
    }
    match done > from && to - done <= GAP * PAGE {
        true => it.copied.add(done, to),
        false => it.given_back.add(done, to),
    }
}

/// Notes what is given back up to `run`, and that it is copied.
fn part(it: &mut Snapshot, done: &mut u64, run: Range) -> bool {
    let Range { mut from, to } = run;
    let mut before = true;
    if from - *done <= GAP * PAGE {
        from = *done;
    } else {
        before = it.given_back.add(*done, from);
    }
    *done = to;
    // What the system itself writes there, about the processor, stays as it is.
    let (own, size) = it.rseq;
    if size == 0 || own < from || own + size > to {
        return before && it.copied.add(from, to);
    }
    before
        && (own == from || it.copied.add(from, own))
        && (own + size == to || it.copied.add(own + size, to))
}

fn copy_out(it: &mut Snapshot) -> bool {
    let mut at = COPIES;
    for range in it.copied.get() {
        let size = range.to - range.from;
        if at + size > COPIES + MOST_COPIED {
            return false;
        }
        // SAFETY: the system says that it is mapped, and there is so much room.
        unsafe { copy(at, range.from, size) };
        at += size;
    }
    true
}

/// Copies memory, calling nobody: what would be called may be what is copied.
///
/// # Safety
/// The one can be read, the other written, and nobody makes use of what was there.
unsafe fn copy(to: u64, from: u64, size: u64) {
    // SAFETY: as the caller says.
    unsafe {
        asm!(
            "rep movsb",
            inout("rcx") size => _,
            inout("rdi") to => _,
            inout("rsi") from => _,
            options(nostack, preserves_flags),
        );
    }
}

/// Makes memory what it was. False where it cannot.
pub fn put_back() -> bool {
    let it = snapshot();
    // What has grown: the heap is cut, the stack cannot be.
    // SAFETY: what is behind is of a run that is over.
    let heap_end = unsafe { direct(number::BRK, it.heap_end as i64, 0, 0, 0, 0, 0) } as u64;
    if heap_end != it.heap_end || has_grown(it.stack_begin) {
        return false;
    }
    let mut at = COPIES;
    for range in it.copied.get() {
        let size = range.to - range.from;
        // SAFETY: it is what was copied; all else that is there is of a run that is over.
        unsafe { copy(range.from, at, size) };
        at += size;
    }
    // SAFETY: memory that was zeros, or a file's, and is of a run that is over.
    it.given_back.get().iter().all(|range| unsafe {
        let (from, size) = (range.from as i64, (range.to - range.from) as i64);
        let advice = sys::MADV_DONTNEED.into();
        direct(number::MADVISE, from, size, advice, 0, 0, 0) == 0
    })
}

/// Is there memory before the stack's old beginning?
fn has_grown(begin: u64) -> bool {
    let mut there = 0u8;
    let before = begin.wrapping_sub(PAGE) as i64;
    let to = &raw mut there as i64;
    // SAFETY: there is room for the answer about one page.
    begin != 0 && unsafe { direct(number::MINCORE, before, PAGE as i64, to, 0, 0, 0) == 0 }
}

/// Does this system call change nothing, or only what is put back?
pub fn leaves_nothing(number: i64, [a, b, c, ..]: [i64; 6]) -> bool {
    if !exists() {
        return false;
    }
    let it = snapshot();
    match number {
        // What the file system and the system itself are like.
        number::STAT
        | number::FSTAT
        | number::LSTAT
        | number::FSTATAT
        | number::STATX
        | number::ACCESS
        | number::FACCESSAT
        | number::READLINK
        | number::READLINKAT
        | number::GETCWD
        | number::UNAME
        | number::GETPID
        | number::GETPPID
        | number::GETTID
        | number::GETUID
        | number::GETEUID
        | number::GETGID
        | number::GETEGID
        | number::GETRANDOM
        | number::SCHED_YIELD => true,
        // Asked for, or refused for its first argument: so the readable is told from the rest.
        number::SIGPROCMASK => b == 0 || !(0..3).contains(&(a as i32)),
        number::IOCTL => b == sys::TCGETS,
        number::WRITE | number::WRITEV => it.sinks.get(a as usize) == Some(&true),
        number::READ | number::READV | number::PREAD | number::LSEEK => a == 0 && it.input,
        // The heap may grow.
        number::BRK => a == 0 || a as u64 >= it.heap_end,
        // The shadow is emptied anyway.
        number::MADVISE => {
            let shadow = FLAGS_BASE..=SHADOW_BASE + SHADOW_SIZE;
            let (from, to) = (a as u64, (a as u64).saturating_add(b as u64));
            c == i64::from(sys::MADV_DONTNEED) && shadow.contains(&from) && shadow.contains(&to)
        }
        _ => false,
    }
}
