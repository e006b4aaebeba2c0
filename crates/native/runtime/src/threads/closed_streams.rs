//! Streams that were closed while there were several threads: who uses one uses memory that the C library has freed.

use super::misused;
use crate::sys;
use crate::turns::Turns;
use elsewise_wire::threads::misuse;

/// So many, of which the oldest are forgotten.
const REMEMBERED: usize = 64;

struct Closed {
    streams: [u64; REMEMBERED],
    next: usize,
}

static CLOSED: Turns<Closed> = Turns::new(Closed {
    streams: [0; REMEMBERED],
    next: 0,
});

fn closed() -> &'static mut Closed {
    // SAFETY: its users take turns, as `Turns` says.
    unsafe { &mut *CLOSED.get() }
}

/// The stream is closed now.
pub fn note(stream: u64) {
    let closed = closed();
    closed.streams[closed.next % REMEMBERED] = stream;
    closed.next += 1;
}

/// The present move uses a stream.
pub fn check(site: u32, stream: u64) {
    if closed().streams.contains(&stream) && !is_open(stream) {
        misused(site, misuse::STREAM);
    }
}

/// What every stream of the C library begins with, in the upper half of its flags.
const MAGIC: u32 = 0xfbad_0000;
/// What `fclose` leaves: neither read nor written may it be.
const CLOSED_FLAGS: u32 = 0x240c;

/// Where a stream was, there may be another one.
fn is_open(stream: u64) -> bool {
    let mut flags = [0u64];
    let there = sys::read_own(&mut flags, stream as i64);
    let flags = flags[0] as u32;
    there && flags & 0xffff_0000 == MAGIC && flags & CLOSED_FLAGS != CLOSED_FLAGS
}
