//! What calls out of instrumented code may lose.

use crate::callbacks::{self, Mark};
use crate::foreign;
use crate::frame::{ARGUMENTS, frame};
use crate::given;
use crate::graph;
use crate::imports;
use crate::memory::{entries_of, memory_is_lost};
use crate::reach;
use crate::shared::state;
use crate::sys;
use crate::written;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};
use elsewise_wire::bytecode::{
    FOLLOWED_PLACES, FOLLOWED_SHIFT, KNOWN_CALLEE, REACHES_LABELS, REACHES_NONE, TEXT,
};
use elsewise_wire::{CONST_RIGHT, EventKind, Op, Reason, output};

/// Functions that follow the protocol: the runtime's own, and those with the mark of what is instrumented. Instrumented
/// code looks here before it calls.
#[unsafe(no_mangle)]
pub static __elw_followed: [AtomicU64; FOLLOWED_PLACES] =
    [const { AtomicU64::new(0) }; FOLLOWED_PLACES];

/// Before a call of a function that may not be instrumented: is there a label in what it would reach? Afterwards it
/// may have led the pointers elsewhere, or freed what it has read.
pub fn reached_by(callee: u64, arguments: &[(u32, u64)], pointers: u32) -> u32 {
    if sys::is_own_code(callee) || foreign::has_mark(callee) {
        let place = (callee >> FOLLOWED_SHIFT) as usize % FOLLOWED_PLACES;
        __elw_followed[place].store(callee, Relaxed);
        return 0;
    }
    let traced = state().traced();
    if traced {
        // It may never come back.
        arguments_are_lost(frame().site, arguments, pointers);
    }
    let mark = callbacks::enters();
    let labels = traced && reaches_labels(callee, arguments, pointers, mark);
    let found = if labels { REACHES_LABELS } else { REACHES_NONE };
    let reached = found | mark.to_bits() << MARK_SHIFT;
    frame().reached = reached;
    reached
}

/// Above what was found is the call's mark.
const MARK_SHIFT: u32 = 8;
const FOUND: u32 = (1 << MARK_SHIFT) - 1;

/// A function that is not instrumented has these values.
fn arguments_are_lost(site: u32, arguments: &[(u32, u64)], pointers: u32) {
    for (index, (label, value)) in arguments.iter().enumerate() {
        if label_is_told(pointers, index) {
            state().made_concrete(site, *label, *value, Reason::Argument);
        }
    }
}

/// What a function that is not instrumented reads of what an argument points to, as far as `pointers` says it.
#[derive(Clone, Copy)]
enum Reads {
    Nothing,
    /// A variable of this size, or nobody knows how much.
    Memory(Option<u32>),
    /// As far as a NUL, if the function is the C library's.
    Text(Option<u32>),
}

impl Reads {
    fn of(pointers: u32, index: usize, size: u32) -> Reads {
        match (
            is_told(pointers, index),
            is_told(pointers, ARGUMENTS + index),
        ) {
            (false, false) => Reads::Nothing,
            (true, false) => Reads::Memory(None),
            (false, true) => Reads::Text(None),
            (true, true) if size & TEXT != 0 => Reads::Text(Some(size & !TEXT)),
            (true, true) => Reads::Memory(Some(size)),
        }
    }

    fn size(self) -> Option<u32> {
        match self {
            Reads::Nothing => None,
            Reads::Memory(size) | Reads::Text(size) => size,
        }
    }
}

fn is_told(pointers: u32, bit: usize) -> bool {
    pointers >> bit & 1 != 0
}

/// With an argument stands its label, or else the size of the variable.
fn label_is_told(pointers: u32, index: usize) -> bool {
    !(is_told(pointers, index) && is_told(pointers, ARGUMENTS + index))
}

fn reaches_labels(callee: u64, arguments: &[(u32, u64)], pointers: u32, mark: Mark) -> bool {
    if callee != 0 && callee == __elw_thread_join {
        return false;
    }
    let of_system = callee != 0 && foreign::is_of_system(callee);
    let given = arguments.iter().enumerate();
    let given = given.map(|(index, (size, value))| (*value, Reads::of(pointers, index, *size)));
    let is_text = |reads: Reads| of_system && matches!(reads, Reads::Text(_));
    let mut texts = given.clone().filter(|(_, reads)| is_text(*reads));
    if texts.any(|(text, _)| text_has_labels(text)) {
        return true;
    }
    let given = given.filter(|(_, reads)| !matches!(reads, Reads::Nothing) && !is_text(*reads));
    let given = given.map(|(value, reads)| (value, reads.size()));
    let given = given.chain(callbacks::since(mark));
    // SAFETY: what the system says is mapped, for reading.
    unsafe {
        if of_system {
            // A library may look at the program's variables when it is loaded.
            let loads = callee == sys::dlopen as *const () as u64;
            let found = loads.then(imports::variables).into_iter().flatten();
            return reach::finds_labels(given.chain(found), core::iter::empty());
        }
        if written::is_seen_by_others() {
            return true;
        }
        let given = given.chain(given::variables()).chain(handled());
        let environment = (sys::environ as u64, None);
        let specific = (sys::thread() + SPECIFIC.0, Some(SPECIFIC.1));
        let given = given.chain([environment, specific]);
        let given = given.chain(of_c_library());
        let given = given.chain(imports::found_by_name());
        let variables = foreign::variables_of(callee);
        reach::finds_labels(given, variables.chain(foreign::threads_variables()))
    }
}

/// Variables of the C library's that whoever likes may read.
fn of_c_library() -> [(u64, Option<u32>); 7] {
    let pointers = [
        &raw const sys::optarg as u64,
        &raw const sys::program_invocation_name as u64,
        &raw const sys::program_invocation_short_name as u64,
        &raw const sys::stdin as u64,
        &raw const sys::stdout as u64,
        &raw const sys::stderr as u64,
    ];
    let [a, b, c, d, e, f] = pointers.map(|pointer| (pointer, Some(8)));
    [a, b, c, d, e, f, (sys::__errno_location() as u64, Some(4))]
}

/// Of a text, nothing is read that lies behind it. It need not be there.
fn text_has_labels(text: u64) -> bool {
    const PIECE: u64 = 64;
    let mut at = text;
    loop {
        let mut piece = [0u8; PIECE as usize];
        // No piece is on two pages.
        let end = (at + 1).next_multiple_of(PIECE);
        let piece = &mut piece[..(end - at) as usize];
        if !sys::read_own(piece, at as i64) {
            return false;
        }
        let last = piece.iter().position(|byte| *byte == 0);
        let length = last.map_or(end - at, |last| last as u64 + 1);
        if entries_of(at, length).iter().any(|entry| *entry != 0) {
            return true;
        }
        if last.is_some() {
            return false;
        }
        at = end;
    }
}

/// Where the C library has what `pthread_setspecific` keeps, in its description of a thread, and how much of it.
const SPECIFIC: (u64, u32) = (0x310, 0x200);

/// The exception that is handled now: whoever is called may throw it on and look at it.
fn handled() -> Option<(u64, Option<u32>)> {
    let globals = __elw_cxa_get_globals;
    if globals == 0 {
        return None;
    }
    // SAFETY: the function of the C++ library by that name, whose result begins with a pointer.
    let caught = unsafe {
        let globals: extern "C" fn() -> *const u64 = core::mem::transmute(globals);
        *globals()
    };
    Some((caught, None))
}

/// After a call of a function that turned out not to be instrumented, with what was [`reached_by`] it, and with labels
/// and values of its arguments; bit i of `pointers` says that argument i is a pointer to what it may read, bit
/// `ARGUMENTS` + i that it points to a text, and both that it points to a variable whose size is in the place of the
/// label (with [`TEXT`] if it is a text, too); [`KNOWN_CALLEE`] that it reads nothing.
pub fn leaves_followed_code(site: u32, reached: u32, arguments: &[(u32, u64)], pointers: u32) {
    // Where it has called back, nobody knows any more whose it was.
    let callee = core::mem::take(&mut frame().callee);
    frame().reached = 0;
    let state = state();
    if !state.traced() {
        return;
    }
    let known = pointers == KNOWN_CALLEE;
    let pointers = if known { 0 } else { pointers };
    if reached == 0 {
        arguments_are_lost(site, arguments, pointers);
    }
    if known {
        return;
    }
    // It has caught what the program has thrown when it called back.
    let kept = core::mem::take(&mut frame().in_flight) != 0;
    let mark = Mark::from_bits(reached >> MARK_SHIFT);
    let reaches = kept
        || match reached & FOUND {
            REACHES_LABELS => true,
            // Nobody but itself has run.
            REACHES_NONE if callee != 0 => false,
            _ => reaches_labels(callee, arguments, pointers, mark),
        };
    callbacks::leaves(mark);
    if reaches {
        state.opaque(site, Reason::Memory);
    }
}

/// Where exceptions are caught: the function that was called last may be foreign, and has come back without a word of
/// what it was given.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_landed() {
    let reached = core::mem::take(&mut frame().reached);
    if reached != 0 {
        fails_outside();
    }
    frame().callee = 0;
    if reached & FOUND == REACHES_LABELS && state().traced() {
        state().opaque(frame().site, Reason::Memory);
    }
}

/// Where a C++ exception's object is behind what the unwinder knows of it.
const UNWINDERS_PART: u64 = 32;

/// Before an exception is thrown: if its object leads to labels, it matters who catches it.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_thrown(object: u64) {
    let given = core::iter::once((object, None));
    // SAFETY: there are no variables.
    let labels = state().traced() && unsafe { reach::finds_labels(given, core::iter::empty()) };
    frame().in_flight = if labels { object } else { 0 };
}

/// An exception is caught. If it is not the one that was thrown last, code that is not instrumented has caught that
/// one, and what it has thrown in its place may tell of it.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_caught(site: u32, exception: u64) {
    let thrown = core::mem::take(&mut frame().in_flight);
    if thrown != 0 && thrown != exception + UNWINDERS_PART {
        state().opaque(site, Reason::Memory);
    }
}

/// Arguments in registers.
const IN_REGISTERS: usize = 6;

/// A function that is not instrumented fails: what it was given is said before the end of the run, as it would be
/// after the call. Pointers of the input are what they are in this run; of all else the values are not known any more.
pub fn fails_outside() {
    let frame = frame();
    let state = state();
    if frame.callee == 0 || !state.traced() {
        return;
    }
    for label in frame.arguments[..IN_REGISTERS]
        .iter()
        .filter(|label| **label != 0)
    {
        match graph::reference(*label) {
            Some(value) => state.made_concrete(frame.site, *label, value, Reason::Argument),
            None => state.opaque(frame.site, Reason::Argument),
        }
    }
}

// `std::thread::join`, if there is one: headers of the C++ library call it by its address, so that no name tells
// that it reads nothing.
core::arch::global_asm!(
    ".weak _ZNSt6thread4joinEv",
    ".pushsection .data.rel.ro.elsewise_known, \"aw\"",
    ".balign 8",
    ".globl __elw_thread_join",
    ".hidden __elw_thread_join",
    "__elw_thread_join:",
    ".quad _ZNSt6thread4joinEv",
    // Where the C++ library keeps the exceptions that are handled, if there is one.
    ".weak __cxa_get_globals",
    ".globl __elw_cxa_get_globals",
    ".hidden __elw_cxa_get_globals",
    "__elw_cxa_get_globals:",
    ".quad __cxa_get_globals",
    ".popsection",
);

unsafe extern "C" {
    safe static __elw_thread_join: u64;
    safe static __elw_cxa_get_globals: u64;
}

/// At the end of a run: may code that is not instrumented look at labelled memory when nobody calls it?
pub fn looks_at_the_end() {
    let state = state();
    if state.traced() && state.running {
        let given = callbacks::pending().chain(foreign::given_at_the_end());
        let variables = foreign::variables_of(0).chain(foreign::threads_variables());
        // SAFETY: what the system says is mapped, for reading.
        if written::is_seen_by_others() || unsafe { reach::finds_labels(given, variables) } {
            state.opaque(frame().site, Reason::Memory);
        }
    }
}

/// At the end of a thread: may what libraries keep for it, and destroy with it, lead to labelled memory?
pub fn looks_at_the_end_of_thread() {
    let state = state();
    if state.traced() && state.running {
        let given = core::iter::empty();
        // SAFETY: what the system says is mapped, for reading.
        if unsafe { reach::finds_labels(given, foreign::threads_variables()) } {
            state.opaque(frame().site, Reason::Memory);
        }
    }
}

/// Before an instruction of which nothing is known, and which is given a pointer to a variable of `size`
/// bytes, or of nobody knows how many.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_reaches(site: u32, pointer: u64, size: u32) {
    let size = (size != 0).then_some(size);
    let given = core::iter::once((pointer, size));
    // SAFETY: there are no variables.
    if state().traced() && unsafe { reach::finds_labels(given, core::iter::empty()) } {
        state().opaque(site, Reason::Memory);
    }
}

/// Before a function is called that looks at a structure of so many bytes, or a [`output::TEXT`], and follows
/// nothing of it.
///
/// # Safety
/// At the address is nothing, or a text if it is said to be one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __elw_looked_at(site: u32, address: u64, size: u32) {
    if !state().traced() {
        return;
    }
    let size = match size {
        output::TEXT if address == 0 => 0,
        // SAFETY: as the caller says.
        output::TEXT => unsafe { text_at(address as *const u8) }.len() as u64 + 1,
        size => size.into(),
    };
    memory_is_lost(site, address, size);
}

/// # Safety
/// A text, which is not changed while the result is used.
unsafe fn text_at(text: *const u8) -> &'static [u8] {
    // SAFETY: as the caller says, and its end was not there yet.
    let length = (0..).find(|at| unsafe { *text.add(*at) } == 0);
    // SAFETY: so many bytes are before its end.
    unsafe { core::slice::from_raw_parts(text, length.unwrap_or(0)) }
}

/// Names of variables that the C library looks at by itself begin so.
const OF_LIBRARY: [&[u8]; 7] = [
    b"TZ",
    b"LANG",
    b"LC_",
    b"TMPDIR",
    b"PATH",
    b"POSIXLY_CORRECT",
    b"LOCPATH",
];

/// Before a function is called that looks at the variables of the environment, some of which may have been changed
/// where they are: at the names of all, and at the values of its own.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_environment(site: u32) {
    let state = state();
    if !state.traced() || !state.running {
        return;
    }
    // SAFETY: the C library keeps a list of texts there, or nothing, which null ends; one thread runs at a time.
    let mut at = unsafe { sys::environ };
    // SAFETY: as above.
    while !at.is_null() && !unsafe { *at }.is_null() {
        // SAFETY: one of the texts.
        let text = unsafe { text_at((*at).cast()) };
        let name = text.split(|byte| *byte == b'=').next().unwrap_or_default();
        let whole = OF_LIBRARY.iter().any(|begin| name.starts_with(begin));
        let looked_at = if whole { text.len() } else { name.len() };
        memory_is_lost(site, text.as_ptr() as u64, looked_at as u64 + 1);
        // SAFETY: it was not the end of the list.
        at = unsafe { at.add(1) };
    }
}

/// Before output is written of what a pointer leads to: that a pointer of the input is null is a choice, since who
/// writes it may fail.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_may_be_null(site: u32, label: u32, pointer: u64) {
    if label == 0 || graph::reference(label).is_none() {
        return;
    }
    let state = state();
    let null = state.node(Op::Eq, CONST_RIGHT, 1, label, 0);
    state.event(EventKind::Branch, 0, site, null, u32::from(pointer != 0));
}

/// Before output is written by a format that is not known when the program is compiled.
///
/// # Safety
/// Null, or a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __elw_format(site: u32, format: *const u8) {
    if !state().traced() || format.is_null() {
        return;
    }
    // SAFETY: as the caller says.
    if output::asks_for_count(unsafe { text_at(format) }) {
        state().opaque(site, Reason::Memory);
    }
}
