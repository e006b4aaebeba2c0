//! What is noted when a run ends badly: which signal, where, and the way there.

use crate::call::fails_outside;
use crate::ending::{self, copy_text, frames, from_start, is_ours};
use crate::frame::frame;
use crate::interrupted;
use crate::runner::SIGNAL_STACK;
use crate::shared::state;
use crate::sys;
use crate::threads;
use core::ffi::{c_char, c_int, c_void};
use elsewise_wire::{Ending, MAX_FRAMES};

const SIGNALS: [c_int; 7] = [
    sys::SIGILL,
    sys::SIGTRAP,
    sys::SIGABRT,
    sys::SIGBUS,
    sys::SIGFPE,
    sys::SIGSEGV,
    sys::SIGSYS,
];

/// Handlers on a stack of their own, so that a stack overflow is seen too.
pub fn watch() {
    let (base, size) = SIGNAL_STACK;
    let stack = sys::StackT {
        base: base as *mut c_void,
        flags: 0,
        size: size as usize,
    };
    // SAFETY: the memory is reserved for this.
    unsafe { sys::sigaltstack(&stack, core::ptr::null_mut()) };
    for signal in SIGNALS {
        watch_signal(signal);
    }
}

pub fn watch_signal(signal: c_int) {
    let action = sys::SigAction {
        handler: on_signal as *const () as usize,
        mask: [0; 16],
        flags: sys::SA_SIGINFO | sys::SA_ONSTACK | sys::SA_RESETHAND,
        restorer: 0,
    };
    // SAFETY: the handler is one of the kind that is said.
    unsafe { sys::sigaction(signal, &action, core::ptr::null_mut()) };
}

/// Where the interrupted registers are in `ucontext_t` of x86-64 Linux: after flags, link and
/// stack come r8..r15, rdi, rsi, rbp, rbx, rdx, rax, rcx, rsp, rip.
const REGISTERS: usize = 40;
const RBP: usize = REGISTERS + 10 * 8;
const RSP: usize = REGISTERS + 15 * 8;
const RIP: usize = REGISTERS + 16 * 8;
/// `si_code` and `si_addr` in `siginfo_t`.
const CODE: usize = 8;
const FAULT_ADDRESS: usize = 16;
/// `si_code` of a fault about which the processor told no address.
const SI_KERNEL: c_int = 0x80;

/// # Safety
/// Called by the system, as a handler.
pub unsafe extern "C" fn on_signal(signal: c_int, info: *const u8, context: *mut u8) {
    threads::end(frame().site);
    // A system call that ends the run is made by code of ours, for the one that is to be shown.
    // SAFETY: the system gives a handler a context with registers.
    unsafe { interrupted::show_caller(context.add(REGISTERS).cast()) };
    // SAFETY: the system gives a handler both, which have these words.
    let word = |at: *const u8, offset: usize| unsafe { *at.add(offset).cast::<u64>() };
    let header = state().header();
    // An assertion or an abort has said more than the signal that follows it can.
    if header.ending == Ending::Plain as u32 {
        header.ending = Ending::Signal as u32;
        header.signal = signal as u32;
        // SAFETY: as above.
        header.fault_address = match unsafe { *info.add(CODE).cast::<c_int>() } {
            // The system does not know it: no memory can have it.
            SI_KERNEL => u64::MAX,
            _ => word(info, FAULT_ADDRESS),
        };
        let (pc, base) = (word(context, RIP), word(context, RBP));
        let stack = word(context, RSP);
        if !is_ours(pc) {
            fails_outside();
        }
        if is_ours(pc) {
            // SAFETY: where the signal came.
            unsafe { frames(Some(pc), base, stack, threads::stack_top()) };
        } else if pc == header.fault_address && signal == sys::SIGSEGV {
            // There is no code at all: what was called is no function, and the caller is to blame.
            // SAFETY: the call has just put its return address there.
            let back = unsafe { *(stack as *const u64) };
            // SAFETY: as above.
            unsafe {
                frames(
                    Some(back.wrapping_sub(1)),
                    base,
                    stack,
                    threads::stack_top(),
                )
            };
        } else {
            unwind(pc);
        }
    } else if header.ending == Ending::Signal as u32 {
        // A second fault, on the way back through a damaged stack: the first one counts.
        sys::raise(header.signal as c_int);
    }
    // The handler is reset: the same signal now has its default effect.
    sys::raise(signal);
}

/// Where an unwinding is: frames up to the one of `pc` belong to the handler.
struct Unwinding {
    pc: u64,
    found: bool,
}

/// Notes the way to `pc`, which is in code without frame pointers, such as the C library's.
fn unwind(pc: u64) {
    let mut unwinding = Unwinding { pc, found: false };
    // SAFETY: the function is given what follows it, and is done with it when this returns.
    unsafe { sys::_Unwind_Backtrace(on_frame, (&raw mut unwinding).cast()) };
}

/// # Safety
/// Called by the unwinder, for [`unwind`].
unsafe extern "C" fn on_frame(context: *const c_void, unwinding: *mut c_void) -> c_int {
    const GO_ON: c_int = 0;
    const END: c_int = 5;
    // SAFETY: `unwind` has given it.
    let unwinding = unsafe { &mut *unwinding.cast::<Unwinding>() };
    // SAFETY: the unwinder gives a context that is there.
    let address = unsafe { sys::_Unwind_GetIP(context) } as u64;
    unwinding.found |= address == unwinding.pc;
    if !unwinding.found {
        return GO_ON;
    }
    if address == 0 {
        // The end of the stack.
        return END;
    }
    let header = state().header();
    let used = header.frames_used as usize;
    if used >= MAX_FRAMES {
        return END;
    }
    header.frames[used] = from_start(address);
    header.frames_used = used as u32 + 1;
    GO_ON
}

/// Notes an ending that is reached by a call, with the way there.
#[inline(always)]
pub fn note_here(ending: Ending) {
    if !state().traced() {
        return;
    }
    threads::end(frame().site);
    ending::note(ending, threads::stack_top());
}

/// # Safety
/// Texts, or null.
pub unsafe fn note_assert(text: *const c_char, file: *const c_char, line: u32) {
    if !state().traced() {
        return;
    }
    note_here(Ending::Assert);
    let header = state().header();
    // SAFETY: as the caller says.
    unsafe {
        copy_text(&mut header.text, text);
        copy_text(&mut header.file, file);
    }
    header.line = line;
}
