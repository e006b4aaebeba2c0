//! Labels of variadic arguments: kept at entry, laid out when the function begins its list.

use crate::frame::{ARGUMENTS, frame};
use crate::memory::{clear, set_label};
use crate::shared::state;
use elsewise_wire::Reason;

/// What a variadic function keeps of its call; the pass makes room for it on the stack.
#[repr(C)]
pub struct VariadicCall {
    labels: [u32; ARGUMENTS],
    classes: u64,
    count: u32,
    named: u32,
}

/// `va_list` of the x86-64 System V ABI.
#[repr(C)]
pub struct VaList {
    general: u32,
    vector: u32,
    overflow: u64,
    registers: u64,
}

/// Ends of the two parts of the area in which a function saves its registers.
const GENERAL_END: u32 = 48;
const VECTOR_END: u32 = 176;

impl VaList {
    pub fn copy(&self) -> VaList {
        VaList { ..*self }
    }

    /// Takes an argument of up to eight bytes that is no float.
    ///
    /// # Safety
    /// There is one.
    pub unsafe fn next_general(&mut self) -> u64 {
        let at = match self.general < GENERAL_END {
            true => {
                self.general += 8;
                self.registers + u64::from(self.general) - 8
            }
            false => {
                self.overflow += 8;
                self.overflow - 8
            }
        };
        // SAFETY: as the caller says.
        unsafe { *(at as *const u64) }
    }

    /// Goes past a `double`.
    pub fn skip_vector(&mut self) {
        match self.vector < VECTOR_END {
            true => self.vector += 16,
            false => self.overflow += 8,
        }
    }

    /// Goes past a `long double`.
    pub fn skip_long(&mut self) {
        self.overflow = self.overflow.next_multiple_of(16) + 16;
    }
}

/// At entry: `given` says that the caller followed the calling protocol.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_va_keep(kept: &mut VariadicCall, given: u32) {
    let frame = frame();
    kept.labels = frame.arguments;
    kept.classes = frame.classes;
    kept.count = if given != 0 { frame.count } else { 0 };
    kept.named = frame.named;
}

/// After `va_start`: the saved registers and the stack get the arguments' labels. Of the stack only
/// what holds arguments is touched: right behind them are the caller's own variables.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_va_start(list: &VaList, kept: Option<&VariadicCall>) {
    clear(list.registers, u64::from(VECTOR_END));
    let Some(kept) = kept else {
        return;
    };
    let (mut general, mut vector, mut overflow) = (list.general, list.vector, list.overflow);
    let mut lost = false;
    for index in kept.named..kept.count.min(ARGUMENTS as u32) {
        let label = kept.labels[index as usize];
        let place = match kept.classes >> (4 * index) & 15 {
            1 if general < GENERAL_END => {
                general += 8;
                Some(list.registers + u64::from(general) - 8)
            }
            2 if vector < VECTOR_END => {
                vector += 16;
                Some(list.registers + u64::from(vector) - 16)
            }
            1 | 2 if !lost => {
                // Only what is an argument: behind the last one are the caller's variables.
                clear(overflow, 8);
                overflow += 8;
                clear(overflow - 8, 8);
                Some(overflow - 8)
            }
            // Something on the stack whose size is not known here: where the following ones
            // are is not known either.
            _ => {
                lost = true;
                None
            }
        };
        if label == 0 {
            continue;
        }
        let state = state();
        let bits = u32::from(state.get(label).bits);
        match place {
            Some(place) if bits.is_multiple_of(8) && bits <= 64 => {
                set_label(place, bits / 8, label);
            }
            _ => state.opaque(frame().site, Reason::Argument),
        }
    }
    // What was too much to keep was made concrete; each takes a word.
    if !lost {
        let more = u64::from(kept.count.saturating_sub(ARGUMENTS as u32));
        clear(overflow, 8 * more);
    }
}

#[cfg(test)]
#[path = "../tests/varargs.rs"]
mod tests;
