//! Questions about what could go wrong: they are no choices of the subject's, but a case for which
//! the answer is yes is worth a run.

use crate::formula::__elw_formula;
use crate::shared::state;
use crate::turns::Turns;
use elsewise_wire::{CONST_LEFT, CONST_RIGHT, Check, EventKind, Formula, Op};

/// How often one site asks in one run.
const OFTEN: u8 = 3;
/// Sites whose numbers agree in their low bits share a count.
const COUNTS: usize = 1 << 14;
static ASKED: Turns<[u8; COUNTS]> = Turns::new([0; COUNTS]);

/// Whether the site may ask once more.
fn may_ask(site: u32) -> bool {
    // SAFETY: its users take turns, as `Turns` says.
    let count = unsafe { &mut (*ASKED.get())[site as usize % COUNTS] };
    let may = *count < OFTEN;
    *count += u8::from(may);
    may
}

/// Before an operation on labelled operands; `code` is the [`Check`] in the low byte and the
/// operands' width above it.
#[unsafe(no_mangle)]
pub extern "C" fn __elw_check(site: u32, code: u32, la: u32, lb: u32, a: u64, b: u64) {
    let state = state();
    if la | lb == 0 || !state.traced() || state.header().checks == 0 || !may_ask(site) {
        return;
    }
    let bits = code >> 8;
    let overflow = |formula: Formula| {
        let code = formula as u32 | bits << 8;
        __elw_formula(code, la, lb, 0, a, b, 0)
    };
    let Some(check) = Check::from_u8(code as u8) else {
        return;
    };
    let wrong = match check {
        Check::Shift if lb == 0 => return,
        Check::Shift => state.node(Op::Uge, CONST_RIGHT, 1, lb, bits.into()),
        Check::Index => match (la, lb) {
            (0, _) => state.node(Op::Uge, CONST_LEFT, 1, lb, a),
            (_, 0) => state.node(Op::Uge, CONST_RIGHT, 1, la, b),
            _ => state.node(Op::Uge, 0, 1, la, lb.into()),
        },
        Check::SAdd => overflow(Formula::SAddOverflow),
        Check::SSub => overflow(Formula::SSubOverflow),
        Check::SMul => overflow(Formula::SMulOverflow),
    };
    state.choice(EventKind::Check, site, wrong, 0);
}

/// An allocation of a size with a label: what if there is not so much?
pub fn allocation(site: u32, label: u32) {
    const MUCH: u64 = 1 << 31;
    let state = state();
    if label != 0 && state.traced() && state.header().checks != 0 && may_ask(site) {
        let wrong = state.node(Op::Uge, CONST_RIGHT, 1, label, MUCH);
        state.choice(EventKind::Check, site, wrong, 0);
    }
}
