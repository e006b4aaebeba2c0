//! Pipes, pairs of sockets and the like that the subject makes: threads wait for each other by them,
//! too. A channel is named by who made it and as the how-manieth; which descriptors are its ends is
//! asked of the system, which knows of copies.
//!
//! A thread does not wait in the system: it asks first, and waits as for a condition.

use super::{current, threads};
use crate::sys::{FileControl, KIND, direct, file_control, number, stat_of};
use crate::turns::Turns;
use core::ffi::c_int;
use elsewise_wire::threads::{MAX_CHANNELS, SyncOp, channel_number};

/// As the system has it.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Poll {
    pub fd: c_int,
    pub events: i16,
    pub found: i16,
}

pub const IN: i16 = 1;
pub const OUT: i16 = 4;
const NOT_WAITING: i64 = 0o4000;

/// Which of these are ready now.
pub fn ready(all: &mut [Poll]) -> bool {
    let list = all.as_mut_ptr() as i64;
    // SAFETY: so many entries are there, which have room for the answers.
    unsafe { direct(number::POLL, list, all.len() as i64, 0, 0, 0, 0) > 0 }
}

fn is_ready(fd: c_int, events: i16) -> bool {
    let mut one = [Poll {
        fd,
        events,
        found: 0,
    }];
    ready(&mut one)
}

/// What a channel is for the one who has this end of it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct End {
    device: u64,
    inode: u64,
    /// Of what has no inode of its own: the descriptor.
    fd: c_int,
    /// Channels that it is read from and written to, as (who, how-manieth); 0: none.
    reads: (u32, u32),
    writes: (u32, u32),
    /// It is one of several that are the same channel here: what others do with theirs may make it
    /// ready.
    pub common: bool,
    /// Descriptors of it to read and to write, when it was made.
    first: [c_int; 2],
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Way {
    In,
    Out,
}

impl Way {
    fn events(self) -> i16 {
        match self {
            Way::In => IN,
            Way::Out => OUT,
        }
    }
}

/// Copies of a descriptor are looked for among so many.
const FEW: c_int = 64;

impl End {
    /// A descriptor of it that can be read or written.
    fn open(&self, way: Way) -> Option<c_int> {
        // Of a pipe, one end is for reading only and the other for writing only.
        let other = match way {
            Way::In => 1,
            Way::Out => 0,
        };
        let is = |fd: &c_int| {
            let flags = file_control((*fd).into(), FileControl::Flags);
            flags >= 0 && flags & 3 != other && find(*fd) == Some(*self)
        };
        let first = Some(self.first[way as usize]).filter(is);
        first.or_else(|| (0..FEW).find(is))
    }

    fn channel(&self, way: Way) -> (u32, u32) {
        match way {
            Way::In => self.reads,
            Way::Out => self.writes,
        }
    }
}

const NONE: End = End {
    device: 0,
    inode: 0,
    fd: -1,
    reads: (0, 0),
    writes: (0, 0),
    common: false,
    first: [-1; 2],
};

const MOST: usize = 256;

struct Table {
    ends: [End; MOST],
    used: usize,
}

static TABLE: Turns<Table> = Turns::new(Table {
    ends: [NONE; MOST],
    used: 0,
});

fn table() -> &'static mut Table {
    // SAFETY: its users take turns, as `Turns` says.
    unsafe { &mut *TABLE.get() }
}

/// All that are known, oldest first.
fn ends() -> &'static [End] {
    let table = table();
    &table.ends[..table.used]
}

const PIPE: u32 = 0o010000;
const SOCKET: u32 = 0o140000;

/// Is the descriptor an end of a channel that the subject has made?
pub fn find(fd: c_int) -> Option<End> {
    if ends().is_empty() {
        return None;
    }
    let stat = stat_of(fd.into())?;
    let own = matches!(stat.mode & KIND, PIPE | SOCKET);
    let is = |end: &&End| match own {
        true => end.fd < 0 && (end.device, end.inode) == (stat.device, stat.inode),
        false => end.fd == fd && (end.device, end.inode) == (stat.device, stat.inode),
    };
    ends().iter().rev().find(is).copied()
}

fn add(first: [c_int; 2], reads: (u32, u32), writes: (u32, u32), common: bool) {
    let fd = first[0];
    let Some(stat) = stat_of(fd.into()) else {
        return;
    };
    let own = matches!(stat.mode & KIND, PIPE | SOCKET);
    let table = table();
    if table.used == MOST {
        super::too_much();
        return;
    }
    table.ends[table.used] = End {
        device: stat.device,
        inode: stat.inode,
        fd: if own { -1 } else { fd },
        reads,
        writes,
        common,
        first,
    };
    table.used += 1;
}

/// The next channel that the running thread makes.
fn next() -> (u32, u32) {
    let mine = current();
    mine.channels = (mine.channels + 1).min(MAX_CHANNELS - 1);
    (mine.name, mine.channels)
}

/// What is the same at both ends, or has one: a pipe, a counter.
pub fn made_one(fds: [c_int; 2]) {
    let channel = next();
    add(fds, channel, channel, false);
}

/// Two sockets: what is written to one is read from the other.
pub fn made_pair(fds: [c_int; 2]) {
    let (there, back) = (next(), next());
    add([fds[0]; 2], back, there, false);
    add([fds[1]; 2], there, back, false);
}

/// A socket that others may be connected with, nobody knows which.
pub fn made_common(fd: c_int) {
    add([fd; 2], (0, MAX_CHANNELS), (0, MAX_CHANNELS), true);
}

/// A process has been forked that has the other ends, too: who makes them ready is not known.
pub fn are_outside() {
    table().used = 0;
}

/// Would a call on the descriptor return at once instead of waiting?
pub fn never_waits(fd: c_int) -> bool {
    let flags = file_control(fd.into(), FileControl::Flags);
    flags < 0 || flags & NOT_WAITING != 0
}

/// Does a call that would wait, but returns instead.
pub fn without_waiting<T>(fd: c_int, call: impl FnOnce() -> T) -> T {
    let set = |flags: i64| file_control(fd.into(), FileControl::SetFlags(flags));
    let flags = file_control(fd.into(), FileControl::Flags);
    let waits = flags >= 0 && flags & NOT_WAITING == 0;
    if waits {
        set(flags | NOT_WAITING);
    }
    let result = call();
    if waits {
        set(flags);
    }
    result
}

/// State of the data or the room of a channel: asked at `at` if it is given, otherwise at an end that
/// is still open.
fn state_of(channel: (u32, u32), way: Way, at: Option<c_int>) -> u32 {
    let mut ends = ends().iter().filter(|end| end.channel(way) == channel);
    let fd = at.or_else(|| ends.find_map(|end| end.open(way)));
    fd.is_none_or(|fd| is_ready(fd, way.events())).into()
}

/// Calls back for what a call on an end of a channel touches: kind, number and state before.
pub fn touched(fd: c_int, way: Option<Way>, mut each: impl FnMut(SyncOp, u64, u32)) {
    let Some(end) = find(fd) else {
        return;
    };
    let mut say = |channel: (u32, u32), data: Option<c_int>, room: Option<c_int>| {
        if end.common {
            each(SyncOp::Data, number_of(SyncOp::Data, channel), 0);
            return;
        }
        let state = state_of(channel, Way::In, data);
        each(SyncOp::Data, number_of(SyncOp::Data, channel), state);
        let state = state_of(channel, Way::Out, room);
        each(SyncOp::Room, number_of(SyncOp::Room, channel), state);
    };
    match way {
        Some(Way::In) => say(end.reads, Some(fd), None),
        Some(Way::Out) => say(end.writes, None, Some(fd)),
        None => {
            say(end.reads, None, None);
            if end.writes != end.reads {
                say(end.writes, None, None);
            }
        }
    }
}

/// All channels, for who may wait for any.
pub fn touch_all(mut each: impl FnMut(SyncOp, u64, u32)) {
    for (index, end) in ends().iter().enumerate() {
        if ends()[..index].iter().any(|other| other.reads == end.reads) {
            continue;
        }
        let number = number_of(SyncOp::Data, end.reads);
        each(SyncOp::Data, number, state_of(end.reads, Way::In, None));
    }
}

fn number_of(sync: SyncOp, (thread, made): (u32, u32)) -> u64 {
    channel_number(sync, thread, made)
}

/// Is a call on the descriptor possible now?
pub fn can(fd: c_int, way: Way) -> bool {
    is_ready(fd, way.events())
}

/// What a thread looks at that waits for one of several descriptors. It lies on the thread's stack.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Watched {
    list: u64,
    count: u64,
    /// Any channel may matter.
    pub all: bool,
}

impl Watched {
    pub fn new(list: &mut [Poll], all: bool) -> Watched {
        Watched {
            list: list.as_mut_ptr() as u64,
            count: list.len() as u64,
            all,
        }
    }

    pub fn polls(&self) -> &'static mut [Poll] {
        // SAFETY: the thread that waits has them on its stack, which stays as it is while it waits.
        unsafe { core::slice::from_raw_parts_mut(self.list as *mut Poll, self.count as usize) }
    }
}

/// As an object that threads wait for.
pub const WATCHING: u64 = 1;

/// The first thread that waits for one of its descriptors and has been told of none, though there is
/// one now.
pub fn could_go_on(from: usize) -> Option<usize> {
    let threads = threads();
    (from..threads.used).find(|at| {
        let thread = &threads.all[*at];
        let waits = thread.waits_for == WATCHING && !thread.woken;
        waits && thread.watched.is_some_and(|watched| ready(watched.polls()))
    })
}

const _: () = assert!(core::mem::size_of::<Poll>() == 8);
