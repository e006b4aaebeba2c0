//! How labels pass through calls.
//!
//! A caller puts the labels of the arguments into [`Frame::arguments`] and the callee's address
//! into [`Frame::callee`]; an instrumented callee takes them and clears `callee`, and when it
//! returns leaves its result's label in [`Frame::result`] and its address in [`Frame::returned`].
//! Where another address is found there after a call, the callee was not instrumented (but may
//! have called instrumented code): its labelled arguments were made concrete. A callee that finds
//! another address in `callee` was called by code that is not instrumented: its arguments have no
//! labels.

use crate::local::thread_variable;
use crate::shared::state;
use elsewise_wire::Reason;
use elsewise_wire::bytecode::{RESULTS, SLOTS};

pub const ARGUMENTS: usize = 16;

/// Thread-local; the pass knows this layout.
#[repr(C)]
pub struct Frame {
    pub callee: u64,
    pub result: u32,
    /// Site of the call.
    pub site: u32,
    pub arguments: [u32; ARGUMENTS],
    pub values: [u64; ARGUMENTS],
    /// The instrumented function that returned last.
    pub returned: u64,
    /// Results of slow paths but the first.
    pub outlined: [u32; OUTLINED],
    /// Labels of a result's parts but the first.
    pub more_results: [u32; 8],
    /// For a variadic callee: what each argument is ([`crate::varargs`]), four bits each.
    pub classes: u64,
    pub count: u32,
    /// Arguments that are not variadic.
    pub named: u32,
    /// What a slow path is given and computes ([`crate::interpret`]).
    pub slots: [u64; SLOTS],
    /// What was found before the call of a function that may not be instrumented ([`crate::call`]).
    pub reached: u32,
    /// The object of an exception that leads to labels, from where it is thrown to where it is caught.
    pub in_flight: u64,
}

const OUTLINED: usize = RESULTS - 1;

thread_variable! {
    /// The running thread's.
    frame, "__elw_frame", Frame
}

/// Entry of a model: the labels of its first arguments, and the site of the call.
pub fn enter<const N: usize>() -> (u32, [u32; N]) {
    let frame = frame();
    let mut labels = [0; N];
    // Set by an instrumented caller; a call from elsewhere leaves what the last one cleared.
    if frame.callee != 0 {
        labels.copy_from_slice(&frame.arguments[..N]);
    }
    frame.returned = frame.callee;
    frame.callee = 0;
    frame.result = 0;
    (frame.site, labels)
}

/// Who called a function that takes the place of the C library's.
pub struct Caller {
    follows: bool,
    site: u32,
}

impl Caller {
    /// The caller is instrumented: it takes the result's label.
    pub fn follows(&self) -> bool {
        self.follows
    }

    /// Hands the label of the result `value` to the caller. One that is not instrumented goes on
    /// with the value alone.
    pub fn give_back(&self, label: u32, value: u64) {
        if self.follows {
            frame().result = label;
        } else {
            state().made_concrete(self.site, label, value, Reason::Argument);
        }
    }
}

/// Entry of the function `own`, which may be called by instrumented code, with labels, or by a
/// shared library, without.
pub fn called<const N: usize>(own: *const ()) -> (Caller, u32, [u32; N]) {
    let frame = frame();
    let mut labels = [0; N];
    let follows = frame.callee == own as u64;
    if follows {
        labels.copy_from_slice(&frame.arguments[..N]);
        frame.returned = frame.callee;
        frame.callee = 0;
        frame.result = 0;
    }
    let site = frame.site;
    (Caller { follows, site }, site, labels)
}

/// Arguments of a function that takes the place of the C library's and follows no labels.
pub fn taken_as_they_are(site: u32, labels: &[u32], values: &[u64]) {
    for (label, value) in labels.iter().zip(values) {
        state().made_concrete(site, *label, *value, Reason::Argument);
    }
}
