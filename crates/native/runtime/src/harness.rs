//! Harnesses written for other tools: libFuzzer's entry point, and the functions with which
//! programs ask KLEE and the verifiers of SV-COMP for values.

use crate::crash;
use crate::first_input::first_input;
use crate::frame::{Caller, called, frame};
use crate::input::{assume, dismiss, input, name_of, next};
use crate::memory::{clear, set_label};
use crate::shared::state;
use crate::streams::{length_label, main_bytes};
use crate::sys;
use core::ffi::{CStr, c_char, c_int, c_void};
use elsewise_wire::{CONST_RIGHT, Op, Reason};

type OneInput = extern "C" fn(*const u8, usize) -> c_int;

/// Runs a harness of libFuzzer's on the main input. False when no engine is there to give one.
///
/// The bytes are in a block of exactly their number, so that an access beyond shows, and the
/// number is the input's length.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_harness(one_input: OneInput) -> c_int {
    let state = state();
    if !state.traced() {
        return 0;
    }
    first_input();
    let bytes = main_bytes(state);
    let size = bytes.len();
    let block = sys::malloc(size).cast::<u8>();
    if block.is_null() {
        sys::_exit(70);
    }
    // SAFETY: a block of this size, which the harness is given and then given back.
    unsafe {
        sys::memcpy(block.cast(), bytes.as_ptr().cast(), size);
        clear(block as u64, sys::malloc_usable_size(block.cast()) as u64);
        for index in 0..size as u64 {
            let label = state.node(Op::Input, 0, 8, 0, index);
            set_label(block as u64 + index, 1, label);
        }
        state.header().streams[0].size = size as u64;
        let free = state.header().free_length != 0;
        let length = if free { length_label(state) } else { 0 };
        let frame = frame();
        frame.arguments[0] = 0;
        frame.arguments[1] = length;
        frame.callee = one_input as *const () as u64;
        one_input(block, size);
        sys::free(block.cast());
    }
    1
}

/// # Safety
/// The bytes can be written, and the name is null or a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn klee_make_symbolic(address: *mut u8, size: usize, name: *const c_char) {
    let (_, site, [laddress, lsize, lname]) = called(klee_make_symbolic as *const ());
    let state = state();
    state.made_concrete(site, laddress, address as u64, Reason::Address);
    state.made_concrete(site, lsize, size as u64, Reason::Size);
    state.made_concrete(site, lname, name as u64, Reason::Argument);
    // SAFETY: room for so many bytes, and a name.
    unsafe { input(site, address, size, name) };
}

#[unsafe(no_mangle)]
pub extern "C" fn klee_assume(condition: usize) {
    let (_, site, [label]) = called(klee_assume as *const ());
    assume(site, label, condition != 0);
}

/// # Safety
/// Null, or a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn klee_int(name: *const c_char) -> c_int {
    let (caller, site, [lname]) = called(klee_int as *const ());
    state().made_concrete(site, lname, name as u64, Reason::Argument);
    // SAFETY: null, or a text.
    let (value, label) = unsafe { int(site, name) };
    caller.give_back(label, value as u32 as u64);
    value
}

/// An input of four bytes: its value and label.
///
/// # Safety
/// Null, or a text.
unsafe fn int(site: u32, name: *const c_char) -> (c_int, u32) {
    let mut value = 0;
    let place = (&raw mut value).cast::<u8>();
    // SAFETY: four bytes are there; the name is as the caller says.
    let label = unsafe {
        input(site, place, 4, name);
        crate::memory::label_of(place as u64, 4)
    };
    clear(place as u64, 4);
    (value, label)
}

/// A number from `begin` up to, but not including, `end`.
///
/// # Safety
/// The name is null, or a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn klee_range(begin: c_int, end: c_int, name: *const c_char) -> c_int {
    let (caller, site, labels) = called::<3>(klee_range as *const ());
    let values = [begin as u32 as u64, end as u32 as u64, name as u64];
    let state = state();
    for (label, value) in labels.into_iter().zip(values) {
        state.made_concrete(site, label, value, Reason::Argument);
    }
    // SAFETY: null, or a text.
    let (value, label) = unsafe { int(site, name) };
    for (op, bound, holds) in [
        (Op::Sge, begin, value >= begin),
        (Op::Slt, end, value < end),
    ] {
        let label = match label {
            0 => 0,
            label => state.node(op, CONST_RIGHT, 1, label, u64::from(bound as u32)),
        };
        assume(site, label, holds);
    }
    caller.give_back(label, value as u32 as u64);
    value
}

#[unsafe(no_mangle)]
pub extern "C" fn klee_silent_exit(code: c_int) -> ! {
    let (_, site, [label]) = called(klee_silent_exit as *const ());
    state().made_concrete(site, label, code as u32 as u64, Reason::Argument);
    dismiss()
}

/// Programs ask this to choose cheaper ways; the answer must be the plain program's.
#[unsafe(no_mangle)]
pub extern "C" fn klee_is_symbolic(_value: usize) -> u32 {
    called::<0>(klee_is_symbolic as *const ());
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn klee_abort() -> ! {
    called::<0>(klee_abort as *const ());
    crash::note_here(elsewise_wire::Ending::Abort);
    sys::abort()
}

/// # Safety
/// Texts, or null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn klee_report_error(
    file: *const c_char,
    line: c_int,
    message: *const c_char,
    _suffix: *const c_char,
) -> ! {
    called::<0>(klee_report_error as *const ());
    // SAFETY: texts, or null.
    unsafe { crash::note_assert(message, file, line as u32) };
    sys::abort()
}

/// Advice that changes nothing here.
#[unsafe(no_mangle)]
pub extern "C" fn klee_prefer_cex(_object: *mut c_void, _condition: usize) {
    called::<0>(klee_prefer_cex as *const ());
}

#[unsafe(no_mangle)]
pub extern "C" fn klee_open_merge() {
    called::<0>(klee_open_merge as *const ());
}

#[unsafe(no_mangle)]
pub extern "C" fn klee_close_merge() {
    called::<0>(klee_close_merge as *const ());
}

#[unsafe(no_mangle)]
pub extern "C" fn klee_warning(_message: *const c_char) {
    called::<0>(klee_warning as *const ());
}

#[unsafe(no_mangle)]
pub extern "C" fn klee_warning_once(_message: *const c_char) {
    called::<0>(klee_warning_once as *const ());
}

#[unsafe(no_mangle)]
pub extern "C" fn __VERIFIER_assume(condition: c_int) {
    let (_, site, [label]) = called(__VERIFIER_assume as *const ());
    assume(site, label, condition != 0);
}

/// The place that must not be reached.
#[unsafe(no_mangle)]
pub extern "C" fn reach_error() -> ! {
    called::<0>(reach_error as *const ());
    // SAFETY: a text, and null.
    unsafe { crash::note_assert(c"reach_error()".as_ptr(), core::ptr::null(), 0) };
    sys::abort()
}

core::arch::global_asm!(
    ".globl __VERIFIER_error",
    ".set __VERIFIER_error, reach_error"
);

/// The next value of the input `nondet_` and its type: all calls for one type share an input, as
/// a loop may ask for thousands.
fn nondet(own: *const (), name: &CStr, size: u32) -> (Caller, u32, u64, u32) {
    let (caller, site, []) = called::<0>(own);
    let state = state();
    if !state.traced() {
        return (caller, site, 0, 0);
    }
    first_input();
    // SAFETY: a text.
    let name = unsafe { name_of(name.as_ptr()) };
    let (value, label) = next(state, site, &name, size);
    (caller, site, value, label)
}

macro_rules! nondet {
    ($($function:ident, $name:literal, $type:ty;)*) => {$(
        #[unsafe(no_mangle)]
        pub extern "C" fn $function() -> $type {
            let size = core::mem::size_of::<$type>() as u32;
            let (caller, _, value, label) = nondet($function as *const (), $name, size);
            caller.give_back(label, value);
            value as $type
        }
    )*};
}

nondet! {
    __VERIFIER_nondet_char, c"nondet_char", i8;
    __VERIFIER_nondet_uchar, c"nondet_uchar", u8;
    __VERIFIER_nondet_short, c"nondet_short", i16;
    __VERIFIER_nondet_ushort, c"nondet_ushort", u16;
    __VERIFIER_nondet_int, c"nondet_int", i32;
    __VERIFIER_nondet_uint, c"nondet_uint", u32;
    __VERIFIER_nondet_long, c"nondet_long", i64;
    __VERIFIER_nondet_ulong, c"nondet_ulong", u64;
    __VERIFIER_nondet_longlong, c"nondet_longlong", i64;
    __VERIFIER_nondet_ulonglong, c"nondet_ulonglong", u64;
    __VERIFIER_nondet_size_t, c"nondet_size_t", usize;
    __VERIFIER_nondet_pointer, c"nondet_pointer", usize;
}

core::arch::global_asm!(
    ".globl __VERIFIER_nondet_u8, __VERIFIER_nondet_u16, __VERIFIER_nondet_u32",
    ".globl __VERIFIER_nondet_unsigned, __VERIFIER_nondet_unsigned_char, __VERIFIER_nondet_loff_t",
    ".set __VERIFIER_nondet_u8, __VERIFIER_nondet_uchar",
    ".set __VERIFIER_nondet_u16, __VERIFIER_nondet_ushort",
    ".set __VERIFIER_nondet_u32, __VERIFIER_nondet_uint",
    ".set __VERIFIER_nondet_unsigned, __VERIFIER_nondet_uint",
    ".set __VERIFIER_nondet_unsigned_char, __VERIFIER_nondet_uchar",
    ".set __VERIFIER_nondet_loff_t, __VERIFIER_nondet_long",
);

/// The lowest bit of a byte.
#[unsafe(no_mangle)]
pub extern "C" fn __VERIFIER_nondet_bool() -> bool {
    let name = c"nondet_bool";
    let (caller, _, value, label) = nondet(__VERIFIER_nondet_bool as *const (), name, 1);
    let label = match label {
        0 => 0,
        label => state().node(Op::Trunc, 0, 1, label, 0),
    };
    caller.give_back(label, value & 1);
    value & 1 != 0
}

#[unsafe(no_mangle)]
pub extern "C" fn __VERIFIER_nondet_float() -> f32 {
    let name = c"nondet_float";
    let (caller, _, value, label) = nondet(__VERIFIER_nondet_float as *const (), name, 4);
    caller.give_back(label, value);
    f32::from_bits(value as u32)
}

#[unsafe(no_mangle)]
pub extern "C" fn __VERIFIER_nondet_double() -> f64 {
    let name = c"nondet_double";
    let (caller, _, value, label) = nondet(__VERIFIER_nondet_double as *const (), name, 8);
    caller.give_back(label, value);
    f64::from_bits(value)
}
