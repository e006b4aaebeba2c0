//! What is noted of the end of a run: how, and the way there.

use crate::shared::state;
use crate::sys;
use core::ffi::c_char;
use elsewise_wire::{Ending, MAX_FRAMES, TEXT_BYTES};

/// Is this an address in the executable?
pub fn is_ours(address: u64) -> bool {
    let low = &raw const sys::__ehdr_start as u64;
    let high = &raw const sys::_end as u64;
    (low..high).contains(&address)
}

/// The address, counted from the beginning of the executable if it is in there.
pub fn from_start(address: u64) -> u64 {
    match is_ours(address) {
        true => address - &raw const sys::__ehdr_start as u64,
        false => address,
    }
}

/// Follows the frame pointers. Addresses inside the executable are counted from its beginning;
/// those of shared libraries stay as they are, which is far above, and the engine tells whose
/// they are. `pc`, if given, has the first place; `top` is where the stack of a thread begins that is not the first.
///
/// # Safety
/// `stack` is the pointer of the running thread's stack, or was when a signal came.
pub unsafe fn frames(pc: Option<u64>, mut base: u64, stack: u64, top: Option<u64>) {
    let header = state().header();
    let top = top.unwrap_or(sys::__libc_stack_end as u64);
    let mut used = 0;
    let mut keep = |address: u64| {
        header.frames[used] = address;
        used += 1;
        header.frames_used = used as u32;
        used < MAX_FRAMES
    };
    if let Some(pc) = pc {
        keep(from_start(pc));
    }
    let mut limit = stack;
    while base >= limit && base < top && base.is_multiple_of(8) {
        // SAFETY: between the stack's pointer and its beginning, where all can be read.
        let (next, back) = unsafe { (*(base as *const u64), *((base + 8) as *const u64)) };
        if !keep(from_start(back)) {
            break;
        }
        limit = base + 16;
        base = next;
    }
}

/// # Safety
/// A text, or null.
pub unsafe fn copy_text(to: &mut [u8; TEXT_BYTES], from: *const c_char) {
    let mut index = 0;
    while index < TEXT_BYTES - 1 && !from.is_null() {
        // SAFETY: as the caller says, and its end was not there yet.
        let byte = unsafe { *from.add(index) } as u8;
        if byte == 0 {
            break;
        }
        to[index] = byte;
        index += 1;
    }
    to[index] = 0;
}

/// Notes an ending that is reached by a call, with the way there, on a stack that begins at `top`.
#[inline(always)]
pub fn note(ending: Ending, top: Option<u64>) {
    let header = state().header();
    header.ending = ending as u32;
    let (base, stack): (u64, u64);
    // SAFETY: two registers are read.
    unsafe {
        core::arch::asm!("mov {}, rbp", "mov {}, rsp", out(reg) base, out(reg) stack);
    }
    // SAFETY: where it is now.
    unsafe { frames(None, base, stack, top) };
}
