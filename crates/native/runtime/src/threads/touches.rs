//! What threads say before they touch memory that others may see.

use super::{
    __elw_within, Exchange, Move, accesses, arena, buffers, current, own, point, reports, several,
    spin,
};
use crate::frame::frame;
use crate::shared::state;
use core::sync::atomic::Ordering::Relaxed;
use elsewise_wire::threads::access::{ATOMIC, WRITES};
use elsewise_wire::threads::exchange;

/// Instrumented code is about to touch memory that others may see. It is told how the code's stack and
/// registers are, and what an atomic that may leave memory as it is compares it with.
#[unsafe(no_mangle)]
#[unsafe(naked)]
pub extern "C" fn __elw_touch(site: u32, address: u64, size: u64, flags: u32) {
    core::arch::naked_asm!(
        "movabs rax, 0x9e3779b97f4a7c15",
        "mov r9, rbx",
        "imul r9, rax",
        "add r9, rbp",
        "imul r9, rax",
        "add r9, r12",
        "imul r9, rax",
        "add r9, r13",
        "imul r9, rax",
        "add r9, r14",
        "imul r9, rax",
        "add r9, r15",
        "shl rcx, 32",
        "mov edi, edi",
        "or rdi, rcx",
        "mov rcx, rsp",
        "jmp {touch}",
        touch = sym touch,
    )
}

#[unsafe(no_mangle)]
#[unsafe(naked)]
pub extern "C" fn __elw_exchange(site: u32, address: u64, size: u64, flags: u32, value: u64) {
    core::arch::naked_asm!("jmp {touch}", touch = sym __elw_touch)
}

/// # Safety
/// Only [`__elw_touch`] goes there, with the stack's pointer.
unsafe extern "C" fn touch(
    what: u64,
    address: u64,
    size: u64,
    stack: u64,
    value: u64,
    registers: u64,
) {
    if !several() || !own::moves() {
        return;
    }
    let (site, flags) = (what as u32, (what >> 32) as u32);
    if size == 0 {
        return on_the_way(site, flags);
    }
    if is_part(site, flags) {
        accesses::touch(site, address, size, flags as u8);
        return arena::check(site, address);
    }
    if flags & (exchange::IF_EQUAL | exchange::IF_OTHER) != 0 {
        let it = Exchange {
            address,
            size,
            flags,
            value,
        };
        // SAFETY: the pointer of the running thread's stack.
        unsafe { spin::look(site, address, size, flags, stack, registers) };
        point(site, Move::Exchange(it));
        arena::check(site, address);
        // SAFETY: it is about to be done.
        unsafe { it.now(site) };
        return;
    }
    // What lies there when the store leaves the buffer may be another variable, or what the thread is stopped by.
    let own = current().has_on_stack(address, stack);
    // SAFETY: where it stores, it is about to.
    if !own && unsafe { buffers::store(site, address, size, flags) } {
        return arena::check(site, address);
    }
    if flags & u32::from(WRITES) == 0 {
        // SAFETY: the pointer of the running thread's stack.
        unsafe { spin::look(site, address, size, flags, stack, registers) };
    }
    point(
        site,
        Move::Touch {
            address,
            size,
            flags: flags as u8,
        },
    );
    arena::check(site, address);
}

/// Does a function of the library touch it as a part of what the present move does outside?
fn is_part(site: u32, flags: u32) -> bool {
    let within = __elw_within.load(Relaxed) != 0;
    within && (flags & exchange::LIBRARY != 0 || state().is_model(site))
}

/// What the running thread does between two points, and others do not see: a fence, or a call of what
/// may change anything of its own.
fn on_the_way(site: u32, flags: u32) {
    let foreign = flags == 0;
    if foreign || flags & exchange::SEQUENTIAL != 0 {
        buffers::drain(site);
    }
    let mine = current();
    match flags as u8 {
        0 => spin::forget(),
        flags if flags & ATOMIC == 0 => {}
        flags if mine.starter.is_some() => mine.fences |= flags,
        flags => reports::fence(site, flags),
    }
}

/// A function of the library is about to read and write memory that others may see.
pub fn touch_copy(to: u64, from: u64, size: u64) {
    if size > 0 && several() && own::moves() {
        let site = shown_site();
        if is_part(site, exchange::LIBRARY) {
            accesses::touch(site, from, size, 0);
            accesses::touch(site, to, size, WRITES);
        } else {
            point(site, Move::Copy { to, from, size });
        }
        arena::check(site, to);
        arena::check(site, from);
    }
}

/// Where the program is: in a model, where that was called.
fn shown_site() -> u32 {
    let site = frame().site;
    state().shown(site)
}

/// A function of the library is about to touch memory.
pub fn touch_range(address: u64, size: u64, flags: u8) {
    if several() {
        touch_at(shown_site(), address, size, flags);
    }
}

pub(super) fn touch_at(site: u32, address: u64, size: u64, flags: u8) {
    if size > 0 && several() && own::moves() {
        let flags = u32::from(flags) | exchange::LIBRARY;
        __elw_touch(site, address, size, flags);
    }
}

/// A function of the library is about to read a text of at most `most` bytes.
///
/// # Safety
/// A text, or as many bytes, which can be read.
pub unsafe fn touch_text(address: u64, most: u64) {
    if several() && own::moves() {
        // SAFETY: as the caller says.
        unsafe { touch_text_at(shown_site(), address, most, 0) };
    }
}

/// # Safety
/// As of [`touch_text`].
pub(super) unsafe fn touch_text_at(site: u32, address: u64, most: u64, flags: u8) {
    // SAFETY: as the caller says, and its end was not there yet.
    let is_end = |at: u64| unsafe { *((address + at) as *const u8) == 0 };
    until_end(most, is_end, |from, to| {
        touch_at(site, address + from, to - from, flags);
    });
}

/// The same of wide characters.
///
/// # Safety
/// As of [`touch_text`].
pub(super) unsafe fn touch_wide_text_at(site: u32, address: u64, most: u64) {
    // SAFETY: as the caller says, and its end was not there yet.
    let is_end = |at: u64| unsafe { *((address + 4 * at) as *const u32) == 0 };
    until_end(most, is_end, |from, to| {
        touch_at(site, address + 4 * from, 4 * (to - from), 0);
    });
}

/// Says how far a text goes. While it is said, others may make it longer.
fn until_end(most: u64, is_end: impl Fn(u64) -> bool, say: impl Fn(u64, u64)) {
    let mut said = 0;
    loop {
        let length = (0..most).find(|at| is_end(*at)).map_or(most, |at| at + 1);
        if length <= said {
            return;
        }
        say(said, length);
        said = length;
    }
}
