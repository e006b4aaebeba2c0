//! Runs the bytecode of slow paths.

use crate::address::{__elw_read_at, __elw_write_at};
use crate::call::{leaves_followed_code, reached_by};
use crate::check::__elw_check;
use crate::formula::__elw_formula;
use crate::frame::{ARGUMENTS, Frame, frame};
use crate::label::{
    __elw_binary, __elw_branch, __elw_concrete, __elw_division, __elw_switch, __elw_unary,
};
use crate::memory::{__elw_concrete_memory, __elw_load, __elw_store, clear};
use elsewise_wire::Op;
use elsewise_wire::bytecode::{ARGUMENTS as GIVEN, CONSTANT, Code, INPUTS};

// What the pass calls. As LLVM's convention `preserve_most` has it, all general registers but r11
// and that of the result are kept. A frame, with the way back below what is left alone, because the way back goes through it when the stack ends in what is
// called.
core::arch::global_asm!(
    ".text",
    ".globl __elw_slow",
    ".type __elw_slow,@function",
    "__elw_slow:",
    ".cfi_startproc",
    "lea rsp, [rsp - {below}]",
    ".cfi_adjust_cfa_offset {below}",
    "push qword ptr [rsp + {below}]",
    ".cfi_adjust_cfa_offset 8",
    "push rbp",
    ".cfi_adjust_cfa_offset 8",
    ".cfi_rel_offset rbp, 0",
    "mov rbp, rsp",
    ".cfi_def_cfa_register rbp",
    "push rcx",
    "push rdx",
    "push rsi",
    "push rdi",
    "push r8",
    "push r9",
    "push r10",
    "call {interpret}",
    "pop r10",
    "pop r9",
    "pop r8",
    "pop rdi",
    "pop rsi",
    "pop rdx",
    "pop rcx",
    "pop rbp",
    "lea rsp, [rsp + 8 + {below}]",
    "ret",
    ".cfi_endproc",
    ".size __elw_slow, . - __elw_slow",
    interpret = sym interpret,
    below = const BELOW,
);

/// So much of what a function has left below its caller's stack stays as it was: after a call of one that is not
/// instrumented, it is looked at what its variables lead to.
const BELOW: usize = 1024;

/// A program under way.
struct Machine {
    /// The next word.
    at: *const u16,
    /// Slots and constants, by the highest bit of an operand.
    values: [*const u64; 2],
}

impl Machine {
    fn word(&mut self) -> u16 {
        // SAFETY: the pass ends every program with `End`, behind which nothing is read.
        unsafe {
            let word = *self.at;
            self.at = self.at.add(1);
            word
        }
    }

    fn next(&mut self) -> u64 {
        let operand = self.word();
        let values = self.values[usize::from(operand >> 15)];
        // SAFETY: the pass numbers slots below `SLOTS` and constants below their count. Constants
        // stand between words.
        unsafe {
            values
                .add(usize::from(operand & !CONSTANT))
                .read_unaligned()
        }
    }

    fn label(&mut self) -> u32 {
        self.next() as u32
    }

    /// Labels and values of a call's arguments, of which there are so many.
    fn arguments(&mut self, count: u16) -> ([(u32, u64); ARGUMENTS], usize) {
        let mut arguments = [(0, 0); ARGUMENTS];
        let count = usize::from(count).min(ARGUMENTS);
        for argument in &mut arguments[..count] {
            *argument = (self.label(), self.next());
        }
        (arguments, count)
    }
}

/// Does a comparison hold? The values stand in the highest bits.
fn compares(op: u16, a: u64, b: u64) -> bool {
    const EQ: u16 = Op::Eq as u16;
    const NE: u16 = Op::Ne as u16;
    const ULT: u16 = Op::Ult as u16;
    const ULE: u16 = Op::Ule as u16;
    const UGT: u16 = Op::Ugt as u16;
    const UGE: u16 = Op::Uge as u16;
    const SLT: u16 = Op::Slt as u16;
    const SLE: u16 = Op::Sle as u16;
    const SGT: u16 = Op::Sgt as u16;
    let (signed_a, signed_b) = (a as i64, b as i64);
    match op {
        EQ => a == b,
        NE => a != b,
        ULT => a < b,
        ULE => a <= b,
        UGT => a > b,
        UGE => a >= b,
        SLT => signed_a < signed_b,
        SLE => signed_a <= signed_b,
        SGT => signed_a > signed_b,
        _ => signed_a >= signed_b,
    }
}

/// Runs `program` on its first inputs and the slots of the thread's frame. The result is the first of
/// the program's, the others are left in the frame.
///
/// # Safety
/// The pass has written the program.
unsafe extern "C" fn interpret(program: *const u16, first: u64, second: u64, third: u64) -> u32 {
    let frame: &mut Frame = frame();
    frame.slots[..GIVEN].copy_from_slice(&[first, second, third]);
    // SAFETY: as above; the module's first site is where the head of its programs says.
    let (first_site, constants, begin) = unsafe {
        let back = usize::from(*program) | usize::from(*program.add(1)) << 16;
        let head = program.sub(back);
        let distance = head.cast::<i32>().read_unaligned();
        let first_site = *head.byte_offset(distance as isize).cast::<u32>();
        let count = usize::from(*program.add(2));
        (
            first_site,
            program.add(3).cast(),
            program.add(3 + 4 * count),
        )
    };
    let slots: *mut u64 = frame.slots.as_mut_ptr();
    let mut machine = Machine {
        at: begin,
        values: [slots, constants],
    };
    let m = &mut machine;
    let mut free = INPUTS;
    loop {
        let word = m.word();
        let number = word >> 8;
        let Some(code) = Code::from_u8(word as u8) else {
            return 0;
        };
        let result = match code {
            Code::Binary => {
                let (code, la, lb) = (m.label(), m.label(), m.label());
                let (a, b) = (m.next(), m.next());
                __elw_binary(code, la, lb, a, b).into()
            }
            Code::Unary => __elw_unary(m.label(), m.label()).into(),
            Code::Load => {
                let (at, size, bits, found) = (m.next(), m.label(), m.label(), m.label());
                // SAFETY: the code that the slow path belongs to loads there.
                unsafe { __elw_load(at, size, bits, found) }.into()
            }
            Code::Store => {
                __elw_store(m.next(), m.label(), m.label(), m.label(), m.label());
                continue;
            }
            Code::ReadAt => {
                let site = first_site + m.label();
                let (label, at, size, bits) = (m.label(), m.next(), m.label(), m.label());
                __elw_read_at(site, label, at, size, bits, m.next(), m.next()).into()
            }
            Code::WriteAt => {
                let site = first_site + m.label();
                let (label, at, size) = (m.label(), m.next(), m.label());
                let (value_label, value) = (m.label(), m.next());
                let (base, extent) = (m.next(), m.next());
                __elw_write_at(site, label, at, size, value_label, value, base, extent).into()
            }
            Code::Branch => {
                __elw_branch(first_site + m.label(), m.label(), m.label());
                continue;
            }
            Code::Switch => {
                __elw_switch(first_site + m.label(), m.label(), m.label());
                continue;
            }
            Code::Division => {
                let (site, code) = (first_site + m.label(), m.label());
                let (la, lb) = (m.label(), m.label());
                __elw_division(site, code, la, lb, m.next(), m.next());
                continue;
            }
            Code::Check => {
                let (site, code) = (first_site + m.label(), m.label());
                let (la, lb) = (m.label(), m.label());
                __elw_check(site, code, la, lb, m.next(), m.next());
                continue;
            }
            Code::Concrete => {
                __elw_concrete(first_site + m.label(), m.label(), m.next(), m.label());
                continue;
            }
            Code::ConcreteMemory => {
                let (site, at, size) = (first_site + m.label(), m.next(), m.next());
                // SAFETY: the code that the slow path belongs to touches this memory.
                unsafe { __elw_concrete_memory(site, at, size) };
                continue;
            }
            Code::Clear => {
                clear(m.next(), m.next());
                continue;
            }
            Code::Formula => {
                let code = m.label();
                let (la, lb, lc) = (m.label(), m.label(), m.label());
                __elw_formula(code, la, lb, lc, m.next(), m.next(), m.next()).into()
            }
            Code::Reached => {
                let (callee, pointers) = (m.next(), m.label());
                let (arguments, count) = m.arguments(number);
                reached_by(callee, &arguments[..count], pointers).into()
            }
            Code::External => {
                let (site, reached, pointers) = (first_site + m.label(), m.label(), m.label());
                let (arguments, count) = m.arguments(number);
                leaves_followed_code(site, reached, &arguments[..count], pointers);
                continue;
            }
            Code::ZExt => m.next() & u64::MAX >> (64 - number),
            Code::SExt => ((m.next() << (64 - number)) as i64 >> (64 - number)) as u64,
            Code::Select => {
                let (holds, then, otherwise) = (m.next() & 1 != 0, m.next(), m.next());
                if holds { then } else { otherwise }
            }
            Code::Compare => {
                let shift = 64 - m.label();
                let (a, b) = (m.next() << shift, m.next() << shift);
                compares(number, a, b).into()
            }
            Code::Add => m.next().wrapping_add(m.next()),
            Code::Sub => m.next().wrapping_sub(m.next()),
            Code::Mul => m.next().wrapping_mul(m.next()),
            Code::Or => m.next() | m.next(),
            Code::FMul => {
                let (a, b) = (m.next(), m.next());
                match number {
                    32 => (f32::from_bits(a as u32) * f32::from_bits(b as u32))
                        .to_bits()
                        .into(),
                    _ => (f64::from_bits(a) * f64::from_bits(b)).to_bits(),
                }
            }
            Code::End if number == 0 => return 0,
            Code::End => {
                let first = m.label();
                for index in 0..usize::from(number) - 1 {
                    frame.outlined[index] = m.label();
                }
                return first;
            }
        };
        // SAFETY: the pass leaves as code what would need more slots than there are.
        unsafe { *slots.add(free) = result };
        free += 1;
    }
}

#[cfg(test)]
#[path = "../tests/interpret.rs"]
mod tests;
