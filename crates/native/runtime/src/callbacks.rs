//! Pointers that code that is not instrumented has given to instrumented code when it called back. They may lead to
//! variables of its own, on its stack, say, that it looks at afterwards and nobody else could find.

use crate::foreign;
use crate::frame::frame;
use crate::local::thread_variable;
use crate::reach;
use crate::shared::state;
use crate::sys;
use elsewise_wire::Reason;

const REMEMBERED: usize = 32;
/// As many stay when there is no room for more.
const STAY: usize = REMEMBERED / 2;

#[repr(C)]
pub struct Given {
    pointers: [u64; REMEMBERED],
    used: usize,
    /// Such code runs that may look at anything: others keep nothing.
    inside: bool,
}

thread_variable! {
    /// To the running thread.
    given, "__elw_given_back", Given
}

/// A call of such code, as [`leaves`] is told of it: how many pointers were known before, and whether it was called by
/// a callback.
#[derive(Clone, Copy)]
pub struct Mark {
    used: u32,
    inside: bool,
}

impl Mark {
    const INSIDE: u32 = 1 << 16;

    pub fn to_bits(self) -> u32 {
        self.used | if self.inside { Self::INSIDE } else { 0 }
    }

    pub fn from_bits(bits: u32) -> Mark {
        Mark {
            used: bits & (Self::INSIDE - 1),
            inside: bits & Self::INSIDE != 0,
        }
    }
}

/// Such code is about to be called.
pub fn enters() -> Mark {
    let given = given();
    let inside = core::mem::replace(&mut given.inside, true);
    let used = given.used as u32;
    Mark { used, inside }
}

/// It has come back.
pub fn leaves(mark: Mark) {
    let given = given();
    given.used = given.used.min(mark.used as usize);
    given.inside = mark.inside;
}

/// What it has been calling back with.
pub fn since(mark: Mark) -> impl Iterator<Item = (u64, Option<u32>)> {
    from((mark.used as usize).min(STAY))
}

/// The same of all that has not come back.
pub fn pending() -> impl Iterator<Item = (u64, Option<u32>)> {
    from(0)
}

fn from(first: usize) -> impl Iterator<Item = (u64, Option<u32>)> {
    let given = given();
    let pointers = given.pointers[..given.used].get(first..);
    let pointers = pointers.unwrap_or_default().iter();
    pointers.map(|pointer| (*pointer, None))
}

/// Whoever has code at `caller`, which is not instrumented, calls instrumented code with these pointers, or gets them
/// from there.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_called_back(caller: u64, a: u64, b: u64, c: u64, d: u64) {
    if given().inside
        && state().traced()
        && !sys::is_own_code(caller)
        && !foreign::is_of_system(caller)
    {
        keep([a, b, c, d]);
    }
}

fn keep(pointers: [u64; 4]) {
    let given = given();
    for pointer in pointers {
        if pointer == 0 || given.pointers[..given.used].contains(&pointer) {
            continue;
        }
        if given.used == REMEMBERED {
            // SAFETY: there are no variables.
            if unsafe { reach::finds_labels(pending(), core::iter::empty()) } {
                state().opaque(frame().site, Reason::Memory);
            }
            given.used = STAY;
        }
        given.pointers[given.used] = pointer;
        given.used += 1;
    }
}
