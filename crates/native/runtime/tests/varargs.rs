//! Labels of arguments that a function takes from a list.

use super::*;
use crate::memory::{entry, is_flagged};
use crate::trace::{Room, Trace};

#[test]
fn labels_are_where_the_arguments_are() {
    let trace = Trace::new();
    let (registers, stack) = (vec![0u64; 24], Room::new());
    let registers = registers.as_ptr() as u64;
    clear(registers, 192);
    let (x, y, z) = (trace.input(64), trace.input(64), trace.input(32));
    // One that is named, one in each kind of register, and one for which no register is left.
    let mut labels = [0; ARGUMENTS];
    labels[..4].copy_from_slice(&[trace.input(64), x, y, z]);
    let list = VaList {
        general: 40,
        vector: 64,
        overflow: stack.at(),
        registers,
    };
    let kept = VariadicCall {
        labels,
        classes: 0x1211,
        count: 4,
        named: 1,
    };
    // What the caller has behind its arguments stays as it is.
    set_label(stack.at() + 8, 8, x);
    __elw_va_start(&list, Some(&kept));
    assert_eq!(entry(registers + 40), x << 3);
    assert_eq!(entry(registers + 64), y << 3);
    assert_eq!(entry(stack.at()), z << 3);
    assert!(!is_flagged(stack.at() + 4, 1) || entry(stack.at() + 4) == 0);
    assert_eq!(entry(stack.at() + 8), x << 3);
    // Nobody says what there is: then there is nothing.
    __elw_va_start(&list, None);
    assert!(!is_flagged(registers, 176));
}
