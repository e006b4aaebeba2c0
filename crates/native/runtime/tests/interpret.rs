//! Bytecode as the pass writes it.

use super::*;
use crate::trace::{Trace, node};
use elsewise_wire::EventKind;

/// A module with one program: the number of its first site, the distance to it, and the words.
#[repr(C)]
struct Module {
    first_site: u32,
    words: [u16; 64],
}

impl Module {
    fn new(first_site: u32, constants: &[u64], code: &[u16]) -> Module {
        // To the first site, from the head.
        let mut all = vec![
            -4i32 as u16,
            (-4i32 >> 16) as u16,
            2,
            0,
            constants.len() as u16,
        ];
        for constant in constants {
            all.extend((0..4).map(|part| (constant >> (16 * part)) as u16));
        }
        all.extend(code);
        let mut words = [0; 64];
        words[..all.len()].copy_from_slice(&all);
        Module { first_site, words }
    }

    fn run(&self, first: u64, second: u64, third: u64) -> u32 {
        // SAFETY: a program as the pass would have written it.
        unsafe { interpret(&raw const self.words[2], first, second, third) }
    }
}

const END: u16 = Code::End as u16;

#[test]
fn an_operation_is_told_and_its_label_is_the_result() {
    let trace = Trace::new();
    let x = trace.input(32);
    let add = u64::from(Op::Add as u32 | 32 << 8);
    // The label is the first input, the values are the second and a constant.
    let code = [
        Code::Binary as u16,
        CONSTANT,
        0,
        CONSTANT | 1,
        1,
        CONSTANT | 2,
    ];
    let code = [&code[..], &[END | 1 << 8, INPUTS as u16]].concat();
    let module = Module::new(0, &[add, 0, 7], &code);
    let label = module.run(x.into(), 5, 0);
    assert_eq!(node(label), (Op::Add, elsewise_wire::CONST_RIGHT, 32, x, 7));
}

#[test]
fn sites_are_counted_from_the_first_of_the_module() {
    let trace = Trace::new();
    let truth = trace.input(1);
    let code = [Code::Branch as u16, CONSTANT, 0, 1, END];
    Module::new(500, &[3], &code).run(truth.into(), 1, 0);
    assert_eq!(trace.events(EventKind::Branch), [(0, truth, 1)]);
    // SAFETY: one event has been written.
    let site = unsafe { (*crate::shared::state().events).site };
    assert_eq!(site, 503);
}

#[test]
fn values_are_computed_from_their_low_bits() {
    let _trace = Trace::new();
    let (result, signed) = (INPUTS as u16, Code::SExt as u16 | 8 << 8);
    let zero = Code::ZExt as u16 | 8 << 8;
    let less = Code::Compare as u16 | (Op::Slt as u16) << 8;
    for (code, wanted) in [
        (vec![signed, 0], 0xffff_ff80),
        (vec![zero, 0], 0x80),
        (vec![Code::Sub as u16, 1, 2], 1),
        (vec![less, CONSTANT, 0, 1], 1),
        (vec![less, CONSTANT, 1, 0], 0),
        (vec![Code::Select as u16, 2, 0, 1], 3),
    ] {
        let code = [&code[..], &[END | 1 << 8, result]].concat();
        // Bits above the lowest eight of the first are not its own.
        let found = Module::new(0, &[8], &code).run(0xab80, 3, 2);
        assert_eq!(found, wanted, "{code:?}");
    }
}
