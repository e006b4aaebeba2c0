//! An interrupted system call: its registers, and how it is made when the handler returns.

use crate::sys::{self, number, read_own};

/// An interrupted system call, of which the system has given a handler both; they are there until it returns.
pub struct Call {
    pub registers: *mut u64,
    /// Signals that are blocked.
    pub mask: *mut u64,
    /// What the handler is told of the signal. Nobody looks at it any more when the handler returns.
    pub info: u64,
}

/// What is set aside for a call: where to go on, with which stack pointer, and three words for a mask.
type Aside = [u64; 5];
/// The bytes below the stack pointer that are the interrupted code's.
const RED_ZONE: u64 = 128;
/// What the system puts on the stack for a handler is not larger.
const FRAME: u64 = 64 << 10;

const R9: usize = 1;
const RAX: usize = 13;
const RSP: usize = 15;
pub const RIP: usize = 16;
/// rdi, rsi, rdx, r10, r8, r9.
pub const ARGUMENTS: [usize; 6] = [8, 9, 12, 2, 0, R9];
const CLONE_VM: i64 = 0x100;

/// The bit of our own signal, which is never blocked: a call would end the process.
pub const OURS: u64 = 1 << (sys::SIGSYS - 1);

impl Call {
    pub fn register(&mut self, index: usize) -> &mut u64 {
        debug_assert!(index <= RIP);
        // SAFETY: a context has so many registers, and only this call looks at them.
        unsafe { &mut *self.registers.add(index) }
    }

    pub fn number(&mut self) -> i64 {
        *self.register(RAX) as i64
    }

    pub fn arguments(&mut self) -> [i64; 6] {
        ARGUMENTS.map(|index| *self.register(index) as i64)
    }

    pub fn give(&mut self, result: i64) {
        *self.register(RAX) = result as u64;
    }

    /// Has it made when the handler returns, by code that is not dispatched.
    pub fn go_on(&mut self, number: i64, [flags, stack, ..]: [i64; 6]) {
        let back = *self.register(RIP);
        let code = match number {
            // Never comes back.
            number::SIGRETURN => sys::make_call as *const (),
            // May come back on another stack, or twice on the same.
            number::CLONE3 | number::VFORK => sys::make_clone as *const (),
            number::CLONE if stack != 0 || flags & CLONE_VM != 0 => sys::make_clone as *const (),
            _ => {
                let stack = *self.register(RSP);
                let aside = self.aside(stack);
                // SAFETY: as `aside` says.
                unsafe {
                    let words = aside as *mut u64;
                    *words = back;
                    *words.add(1) = stack;
                    self.let_through(number, aside + 16);
                }
                *self.register(RSP) = aside;
                sys::make_call as *const ()
            }
        };
        if code == sys::make_clone as *const () {
            *self.register(R9) = back;
        }
        *self.register(RIP) = code as u64;
    }
}

impl Call {
    /// Where there is room for an [`Aside`] that nobody uses before the call has come back: below what the interrupted
    /// code has of its stack. If the handler runs on the same stack, the registers that the system puts back when
    /// it returns are there, and what the handler is told is below these.
    fn aside(&self, stack: u64) -> u64 {
        let below = stack - RED_ZONE;
        match (below.saturating_sub(FRAME)..below).contains(&self.info) {
            true => self.info,
            false => below - size_of::<Aside>() as u64,
        }
    }

    /// A mask that counts while the call waits is given without our signal: a copy of it, in three
    /// words at `aside`.
    ///
    /// # Safety
    /// There is so much room.
    unsafe fn let_through(&mut self, number: i64, aside: u64) {
        let register = match number {
            number::SIGSUSPEND => 8,
            number::PPOLL => 2,
            number::PSELECT => R9,
            number::EPOLL_PWAIT | number::EPOLL_PWAIT2 => 0,
            _ => return,
        };
        // SAFETY: as the caller says.
        let aside = unsafe { &mut *(aside as *mut [u64; 3]) };
        let at = aside.as_ptr() as u64;
        let given = *self.register(register) as i64;
        let mut mask = given;
        if number == number::PSELECT {
            // An address and a size.
            if given == 0 || !read_own(&mut aside[1..], given) {
                return;
            }
            mask = aside[1] as i64;
            aside[1] = at;
        }
        if mask == 0 || !read_own(&mut aside[..1], mask) {
            return;
        }
        aside[0] &= !OURS;
        *self.register(register) = match number {
            number::PSELECT => at + 8,
            _ => at,
        };
    }
}

/// Registers of code that makes a call for another become those of the one that it is made for.
///
/// # Safety
/// Registers of x86-64, as a context has them.
pub unsafe fn show_caller(registers: *mut u64) {
    // SAFETY: as the caller says.
    let register = |index: usize| unsafe { &mut *registers.add(index) };
    let inside = |code: *const ()| {
        let from = code as u64;
        (from..from + sys::DIRECT_REACH as u64).contains(register(RIP))
    };
    if inside(sys::make_call as *const ()) {
        let aside = *register(RSP) as *const u64;
        // SAFETY: `go_on` has put both there.
        unsafe {
            *register(RIP) = *aside;
            *register(RSP) = *aside.add(1);
        }
    } else if inside(sys::make_clone as *const ()) {
        *register(RIP) = *register(R9);
    }
}
