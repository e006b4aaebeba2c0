//! What the run has written may come back to it: by a file, a pipe, a socket. Which those are is
//! remembered; what is read from them is not followed, and counted.
//!
//! Of what models write it is known whether it has labels. What other code writes (the C library, when
//! a stream's buffer is full) may be anything.

use crate::counted;
use crate::foreign;
use crate::memory::is_flagged;
use crate::shared::state;
use crate::sys::{self, FileControl, KIND, direct, file_control, number, stat_of};
use crate::turns::Turns;
use core::ffi::c_int;
use elsewise_wire::Reason;
use elsewise_wire::output::Target;

const MOST: usize = 64;
const MOST_MAPPED: usize = 16;

#[derive(Clone, Copy)]
struct File {
    /// Device and inode.
    name: (u64, u64),
    /// How much was written may depend on input, and not only what.
    amount: bool,
}

struct Written {
    files: [File; MOST],
    used: usize,
    /// Files that are shared memory as well.
    mapped: [(u64, u64); MOST_MAPPED],
    maps: usize,
    /// What is written to one socket comes out of another.
    sockets: bool,
    /// Something was written that somebody may wait for.
    wakes: bool,
    /// There were too many.
    all: bool,
    /// A model makes the calls that are seen now.
    quiet: bool,
}

static WRITTEN: Turns<Written> = Turns::new(Written {
    files: [File {
        name: (0, 0),
        amount: false,
    }; MOST],
    used: 0,
    mapped: [(0, 0); MOST_MAPPED],
    maps: 0,
    sockets: false,
    wakes: false,
    all: false,
    quiet: false,
});

fn written() -> &'static mut Written {
    // SAFETY: its users take turns, as `Turns` says.
    unsafe { &mut *WRITTEN.get() }
}

const SOCKET: u32 = 0o140000;
const CHARACTERS: u32 = 0o020000;

/// Has a model make calls that it has already told of.
pub fn by_model<T>(call: impl FnOnce() -> T) -> T {
    let before = core::mem::replace(&mut written().quiet, true);
    let result = call();
    written().quiet = before;
    result
}

/// Somebody writes to a descriptor, nobody knows what.
pub fn by_others(fd: i64) {
    if !written().quiet && has_inputs() {
        remember(fd, true);
    }
}

/// A model writes these bytes.
pub fn bytes(fd: i64, from: u64, size: u64) {
    if state().traced() && size > 0 && is_flagged(from, size) {
        remember(fd, false);
    }
}

/// Does writing fail, or may it for want of room?
fn fails(fd: i64) -> bool {
    const ACCESS: i64 = 3;
    const DO_NOT_WAIT: i64 = 0o4000;
    const PIPE: u32 = 0o010000;
    let flags = file_control(fd, FileControl::Flags);
    let pipe = stat_of(fd).is_some_and(|stat| matches!(stat.mode & KIND, PIPE | SOCKET));
    // Nobody is there to read.
    let closed = || {
        const ERROR: u64 = 8 << 48;
        let mut asked = fd as u32 as u64;
        let list = &raw mut asked as i64;
        // SAFETY: one entry is there, which has room for the answer.
        let ready = unsafe { direct(number::POLL, list, 1, 0, 0, 0, 0) };
        ready == 1 && asked & ERROR != 0
    };
    flags < 0 || flags & ACCESS == 0 || pipe && (flags & DO_NOT_WAIT != 0 || closed())
}

fn remember(fd: i64, amount: bool) {
    let written = written();
    let Some(stat) = stat_of(fd).filter(|_| !fails(fd)) else {
        // When it fails depends on when the C library has enough to write.
        return counted::unfollowed();
    };
    if stat.mode & KIND == CHARACTERS {
        if stat.is_full_device() {
            // Whether it fails depends on when the C library has enough to write.
            counted::unfollowed();
        }
        return;
    }
    let name = (stat.device, stat.inode);
    if written.mapped[..written.maps].contains(&name) {
        counted::unfollowed();
    }
    written.wakes |= !stat.is_regular();
    if stat.mode & KIND == SOCKET {
        written.sockets = true;
        return;
    }
    let mut files = written.files[..written.used].iter_mut();
    if let Some(file) = files.find(|file| file.name == name) {
        file.amount |= amount;
    } else if written.used < MOST {
        written.files[written.used] = File { name, amount };
        written.used += 1;
    } else {
        written.all = true;
    }
}

/// Before an output function is called, which may write what depends on an input, or, unless `amount` is
/// known, so much, or nothing.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_file_written(target: u64, kind: u32, amount: u32) {
    if !has_inputs() {
        return;
    }
    let stream = target != 0 && Target::from_u32(kind) == Some(Target::Stream);
    match descriptor(target, kind) {
        Some(fd) => remember(fd, amount == 0),
        // It goes into memory, or to functions of somebody's; of the program's own streams it was told.
        None if stream && !counted::is_told() => counted::unfollowed(),
        None => {}
    }
}

/// Before a function is called that tells how much was written, or gives back what it is given in a way that
/// nobody follows.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_file_told(site: u32, target: u64, kind: u32) {
    if Target::from_u32(kind) == Some(Target::Buffered) {
        // It will be used for what comes.
        return counted::unfollowed();
    }
    if !has_inputs() {
        return;
    }
    let counts = match Target::from_u32(kind) {
        Some(Target::Path) => written().used > 0,
        Some(Target::Sent) => true,
        _ => descriptor(target, kind).is_some_and(|fd| holds(fd, |file| file.amount)),
    };
    if counts {
        state().opaque(site, Reason::Input);
    }
}

/// For models of stdio: something is read back that may never have been anywhere but in a stream's buffer.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_comes_back() {
    if has_inputs() {
        counted::unfollowed();
    }
}

/// Does a library see what goes through one of the standard streams: has it taken one's place, or does it have its
/// buffer?
pub fn is_seen_by_others() -> bool {
    if !has_inputs() {
        return false;
    }
    // SAFETY: variables of the C library's.
    let streams = unsafe { [sys::stdin, sys::stdout, sys::stderr] };
    let mut known = streams
        .iter()
        .filter_map(|stream| Stream::at(*stream as u64));
    known.any(|stream| {
        stream.descriptor().is_none() || foreign::is_variable_of_others(stream.buffer)
    })
}

/// The beginning of the C library's `FILE`.
#[repr(C)]
#[derive(Clone, Copy)]
struct Stream {
    flags: u64,
    positions: [u64; 6],
    buffer: u64,
    more: [u64; 6],
    descriptor: u64,
}

// SAFETY: numbers, with nothing between them.
unsafe impl sys::Plain for Stream {}

impl Stream {
    /// `None` if there is none.
    fn at(address: u64) -> Option<Stream> {
        let mut stream = [Stream {
            flags: 0,
            positions: [0; 6],
            buffer: 0,
            more: [0; 6],
            descriptor: 0,
        }];
        sys::read_own(&mut stream, address as i64).then_some(stream[0])
    }

    /// Streams to and from memory, and those of somebody's functions, have none. As `fileno` says, which leaves an
    /// error behind where there is none.
    fn descriptor(&self) -> Option<i64> {
        const OF_FILE: u64 = 0x2000;
        let descriptor = self.descriptor as c_int;
        (self.flags & OF_FILE != 0 && descriptor >= 0).then_some(descriptor.into())
    }
}

/// Has the run been given anything that something could depend on?
fn has_inputs() -> bool {
    let state = state();
    state.traced() && state.running && state.header().nodes > 1
}

fn descriptor(target: u64, kind: u32) -> Option<i64> {
    match Target::from_u32(kind) {
        Some(Target::Descriptor) => Some((target as c_int).into()),
        Some(Target::Stream) => Stream::at(target)?.descriptor(),
        _ => None,
    }
}

/// Does what is read from a descriptor come from the run itself?
pub fn comes_back(fd: i64) -> bool {
    holds(fd, |_| true)
}

/// Did it depend on input how much was written to the file of this descriptor?
pub fn tells_how_much(fd: i64) -> bool {
    holds(fd, |file| file.amount)
}

/// Did it of this one?
pub fn has_unknown_length(stat: &sys::Stat) -> bool {
    let written = written();
    let mut files = written.files[..written.used].iter();
    !written.quiet && files.any(|file| file.amount && file.name == (stat.device, stat.inode))
}

/// Did it of some file?
pub fn some_tells_how_much() -> bool {
    let written = written();
    !written.quiet && written.files[..written.used].iter().any(|file| file.amount)
}

/// Is a descriptor's file one of those that were written in such a way?
fn holds(fd: i64, way: impl Fn(&File) -> bool) -> bool {
    let written = written();
    if written.quiet || (written.used == 0 && !written.sockets) {
        return false;
    }
    stat_of(fd).is_some_and(|stat| {
        let name = (stat.device, stat.inode);
        let mut files = written.files[..written.used].iter();
        files.any(|file| file.name == name && way(file))
            || (written.sockets && stat.mode & KIND == SOCKET)
            || (written.all && stat.mode & KIND != CHARACTERS)
    })
}

/// Somebody asks by a system call's number how much there is in some file.
pub fn is_told(site: u32) {
    if has_inputs() && written().used > 0 {
        state().opaque(site, Reason::Input);
    }
}

/// Does it tell of what was written which descriptors are ready?
pub fn may_wake() -> bool {
    written().wakes
}

/// Somebody asks that, who will not ask the system.
pub fn asks_what_is_ready() {
    if may_wake() {
        counted::unfollowed();
    }
}

/// A file becomes memory: does what is in it come from the run itself? Where it is shared, stores change the
/// file, and nobody sees them.
pub fn is_mapped(fd: i64, protection: i64, flags: i64) -> bool {
    const MAP_SHARED: i64 = 1;
    const PROT_WRITE: i64 = 2;
    let comes_back = comes_back(fd);
    let written = written();
    if flags & MAP_SHARED == 0 {
        return comes_back;
    }
    if protection & PROT_WRITE != 0 {
        remember(fd, true);
    }
    if written.maps == MOST_MAPPED {
        // The next that is written might be one of the others.
        return true;
    }
    if let Some(stat) = stat_of(fd) {
        written.mapped[written.maps] = (stat.device, stat.inode);
        written.maps += 1;
    }
    comes_back
}

/// A model has read from a descriptor.
pub fn read_by_model(fd: i64) {
    if state().traced() && comes_back(fd) {
        counted::unfollowed();
    }
}
