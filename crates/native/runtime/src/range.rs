//! What values a label can have at all, as far as its own nodes tell.

use crate::shared::State;
use elsewise_wire::{CONST_RIGHT, Node, Op};

const DEPTH: u32 = 12;
/// A table of more entries is not looked through.
const ENTRIES: u64 = 1024;

/// Least and greatest value: of a label of 64 bits as a signed number, of a narrower one as an
/// unsigned number. `None` when nothing is known.
pub fn range(state: &State, label: u32) -> Option<(i64, i64)> {
    bounds(state, label, DEPTH).map(|(low, high)| (low as i64, high as i64))
}

type Bounds = (i128, i128);

/// All values of so many bits, if they are few enough to matter.
fn all(bits: u32) -> Option<Bounds> {
    (bits < 63).then(|| (0, (1i128 << bits) - 1))
}

fn bounds(state: &State, label: u32, depth: u32) -> Option<Bounds> {
    let node = state.get(label);
    let bits = u32::from(node.bits);
    if depth == 0 || label == 0 {
        return all(bits);
    }
    let of = |label: u32| bounds(state, label, depth - 1);
    let right = (node.flags & CONST_RIGHT != 0).then(|| signed(node.b, bits));
    let found = match Op::from_u8(node.op)? {
        Op::Const => Some((node.b.into(), node.b.into())).filter(|_| bits < 64),
        Op::ZExt => of(node.a),
        Op::SExt => of(node.a).and_then(|range| sign_extended(state, node.a, range)),
        Op::Trunc | Op::Extract if node.op == Op::Trunc as u8 || node.b == 0 => {
            of(node.a).filter(|(low, high)| *low >= 0 && *high < 1i128 << bits)
        }
        Op::And => right.and_then(|mask| masked(of(node.a), mask)),
        Op::LShr => right.and_then(|by| shifted(of(node.a), by, bits)),
        Op::URem => right.filter(|by| *by > 0).map(|by| (0, by - 1)),
        Op::UDiv => match (of(node.a), right) {
            (Some((low, high)), Some(by)) if low >= 0 && by > 0 => Some((low / by, high / by)),
            _ => None,
        },
        Op::Add => of(node.a).zip(right).map(|((l, h), by)| (l + by, h + by)),
        Op::Sub => of(node.a).zip(right).map(|((l, h), by)| (l - by, h - by)),
        Op::Mul => of(node.a)
            .zip(right.filter(|by| (0..1 << 32).contains(by)))
            .map(|((low, high), by)| (low * by, high * by)),
        Op::Shl => of(node.a)
            .zip(right.filter(|by| (0..32).contains(by)))
            .map(|((low, high), by)| (low << by, high << by)),
        Op::Ite => {
            let (yes, no) = (node.b as u32, (node.b >> 32) as u32);
            of(yes)
                .zip(of(no))
                .map(|(yes, no)| (yes.0.min(no.0), yes.1.max(no.1)))
        }
        Op::Lookup => entries(state, &node),
        _ => None,
    };
    let fits = |(low, high): &Bounds| {
        let (least, most) = match bits {
            64 => (i64::MIN.into(), i64::MAX.into()),
            bits => (0, (1i128 << bits.min(64)) - 1),
        };
        *low >= least && *high <= most
    };
    found.filter(fits).or_else(|| all(bits))
}

fn signed(value: u64, bits: u32) -> i128 {
    let unused = 64 - bits.clamp(1, 64);
    ((value << unused) as i64 >> unused).into()
}

fn sign_extended(state: &State, operand: u32, (low, high): Bounds) -> Option<Bounds> {
    let bits = u32::from(state.get(operand).bits);
    if bits >= 63 {
        return None;
    }
    let half = 1i128 << (bits - 1);
    Some(if high < half {
        (low, high)
    } else if low >= half {
        (low - 2 * half, high - 2 * half)
    } else {
        (-half, half - 1)
    })
}

fn masked(range: Option<Bounds>, mask: i128) -> Option<Bounds> {
    let most = match range {
        Some((low, high)) if low >= 0 => high.min(mask),
        _ => mask,
    };
    (mask >= 0).then_some((0, most))
}

fn shifted(range: Option<Bounds>, by: i128, bits: u32) -> Option<Bounds> {
    let by = u32::try_from(by).ok().filter(|by| *by < bits)?;
    match range {
        Some((low, high)) if low >= 0 => Some((low >> by, high >> by)),
        _ => all(bits - by),
    }
}

fn entries(state: &State, node: &Node) -> Option<Bounds> {
    let (first, count) = (node.b as u32, node.b >> 32);
    if count == 0 || count > ENTRIES || node.bits >= 64 {
        return None;
    }
    let mut range: Option<Bounds> = None;
    for entry in 0..count as u32 {
        let data = state.get(first + entry);
        if data.a != 0 {
            return None;
        }
        let value = i128::from(data.b);
        range = Some(range.map_or((value, value), |(l, h)| (l.min(value), h.max(value))));
    }
    range
}

#[cfg(test)]
#[path = "../tests/range.rs"]
mod tests;
