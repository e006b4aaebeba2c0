//! What look-ups in tables and operations on floats are imported as.

use super::*;

#[test]
fn look_ups_have_the_entry_of_their_index() {
    let constants = [5, 250, 0, 77, 77];
    let mut nodes = vec![
        node(Op::Input, 0, 8, 0, 0),
        node(Op::Input, 0, 8, 0, 1),
        node(Op::Trunc, 0, 3, 1, 0),
        node(Op::Ne, CONST_RIGHT, 1, 2, 0),
    ];
    for value in constants {
        nodes.push(node(Op::Data, 0, 8, 0, value));
    }
    nodes.push(node(Op::Data, 0, 8, 2, 0));
    nodes.push(node(Op::Data, 0, 8, 2, 0));
    // By the whole byte, by three bits of it and by one bit; without and with the last two.
    for index in [1, 3, 4] {
        for count in [5, 7] {
            nodes.push(node(Op::Lookup, 0, 8, index, 5 | count << 32));
        }
    }
    for label in 12..18 {
        nodes.push(node(Op::Eq, CONST_RIGHT, 1, label, 77));
    }
    let events: Vec<Event> = (18..24)
        .map(|label| event(EventKind::Branch, 0, label, 0))
        .collect();
    for (x, y) in [
        (0, 0),
        (1, 77),
        (3, 3),
        (4, 77),
        (5, 77),
        (6, 1),
        (9, 77),
        (255, 0),
    ] {
        let entry = |index: u64, count: usize| {
            let all = [5, 250, 0, 77, 77, y, y];
            all[(index as usize).min(count - 1)]
        };
        let mut expected = Vec::new();
        for index in [x, x % 8, u64::from(y != 0)] {
            expected.extend([5, 7].map(|count| entry(index, count) == 77));
        }
        for (event_of, holds) in events.iter().zip(expected) {
            let mut event = *event_of;
            event.value = u32::from(!holds);
            let mut setting = Setting::new(&nodes, &[event]);
            let case = case(&[x as u8, y as u8]);
            let decoded = setting.decode(Stdin::Fixed(2), &case).unwrap();
            assert!(decoded.approximations.is_empty(), "{x} {y}");
            for choice in &decoded.choices {
                let condition = choice.taken_condition(&mut setting.terms);
                let agrees = setting.terms.eval_bool(condition, &decoded.present);
                assert!(agrees, "{x} {y} {choice:?}");
            }
        }
    }
}

#[test]
fn nonsense_of_tables_is_damaged() {
    let good = [
        node(Op::Input, 0, 8, 0, 0),
        node(Op::Data, 0, 8, 0, 3),
        node(Op::Data, 0, 8, 1, 0),
        node(Op::Lookup, 0, 8, 1, 2 | 2 << 32),
        node(Op::Eq, CONST_RIGHT, 1, 4, 7),
    ];
    let branch = event(EventKind::Branch, 0, 5, 1);
    let wide = node(Op::Lookup, 0, 65, 1, 2 | 2 << 32);
    let bad = [
        (4, node(Op::Lookup, 0, 8, 1, 2)),
        (4, node(Op::Lookup, 0, 8, 1, 2 | 3 << 32)),
        (4, node(Op::Lookup, 0, 8, 1, 1 | 2 << 32)),
        (4, node(Op::Lookup, 0, 8, 1, 2 << 32)),
        (4, node(Op::Lookup, 0, 8, 1, 5 | 1 << 32)),
        (4, node(Op::Lookup, 0, 8, 1, u64::MAX)),
        (4, node(Op::Lookup, 0, 8, 1, 2 | u64::from(u32::MAX) << 32)),
        (4, node(Op::Lookup, 0, 16, 1, 2 | 2 << 32)),
        (4, node(Op::Lookup, CONST_RIGHT, 8, 1, 2 | 2 << 32)),
        (4, node(Op::Lookup, 0, 8, 2, 2 | 2 << 32)),
        (4, node(Op::Lookup, 0, 8, 4, 2 | 2 << 32)),
        (4, wide),
        (3, node(Op::Data, 0, 8, 4, 0)),
        (3, node(Op::Data, 0, 8, 5, 0)),
        (3, node(Op::Data, 0, 8, 2, 0)),
        (3, node(Op::Data, 0, 8, u32::MAX, 0)),
        (3, node(Op::Const, 0, 8, 0, 1)),
    ];
    for (label, bad) in bad {
        let mut nodes = good;
        nodes[label - 1] = bad;
        let mut setting = Setting::new(&nodes, &[branch]);
        let result = setting.decode(Stdin::Fixed(4), &case(&[0; 4]));
        assert!(result.is_err(), "{bad:?}");
    }
    let mut setting = Setting::new(&good, &[branch]);
    assert!(setting.decode(Stdin::Fixed(4), &case(&[0; 4])).is_ok());
}

/// Every operation on floats against the machine, on numbers that are given as inputs.
#[test]
fn operations_on_floats_are_the_machines() {
    let numbers = [
        0.0,
        -0.0,
        1.5,
        -2.5,
        1e10,
        -3e18,
        1.5e19,
        1e300,
        f64::INFINITY,
        f64::NAN,
    ];
    let unary = [
        Op::FNeg,
        Op::FAbs,
        Op::FSqrt,
        Op::FFloor,
        Op::FCeil,
        Op::FTrunc,
        Op::FRint,
        Op::FRound,
        Op::FToF,
        Op::FToSI,
        Op::FToUI,
        Op::SIToF,
        Op::UIToF,
    ];
    let binary = (70..=77)
        .chain(101..=114)
        .map(|code| Op::from_u8(code).unwrap());
    let inputs = |nodes: &mut Vec<Node>, from: u64| {
        let mut whole = 0;
        for offset in from..from + 8 {
            nodes.push(node(Op::Input, 0, 8, 0, offset));
            let byte = nodes.len() as u32;
            if whole == 0 {
                whole = byte;
                continue;
            }
            let bits = 8 * (offset - from + 1) as u16;
            nodes.push(node(Op::Concat, 0, bits, byte, whole.into()));
            whole = nodes.len() as u32;
        }
        whole
    };
    let mut checked = 0;
    for op in unary.into_iter().chain(binary) {
        for (x, y) in numbers
            .iter()
            .flat_map(|x| numbers.iter().map(move |y| (*x, *y)))
        {
            let expected = machine(op, x, y);
            let mut nodes = Vec::new();
            let a = inputs(&mut nodes, 0);
            let (bits, b) = match op as u8 {
                80.. if op as u8 <= 94 => (expected.0, 0),
                _ => (expected.0, inputs(&mut nodes, 8).into()),
            };
            nodes.push(node(op, 0, bits, a, b));
            if bits > 1 {
                let label = nodes.len() as u32;
                nodes.push(node(Op::Eq, CONST_RIGHT, 1, label, expected.1));
            }
            let side = u32::from(bits == 1 && expected.1 == 0);
            let label = nodes.len() as u32;
            let mut setting = Setting::new(&nodes, &[event(EventKind::Branch, 0, label, side)]);
            let bytes = [x.to_le_bytes(), y.to_le_bytes()].concat();
            let decoded = setting.decode(Stdin::Fixed(16), &case(&bytes)).unwrap();
            assert!(decoded.approximations.is_empty());
            for choice in &decoded.choices {
                let condition = choice.taken_condition(&mut setting.terms);
                let agrees = setting.terms.eval_bool(condition, &decoded.present);
                assert!(agrees, "{op:?} {x} {y} {expected:x?}");
                checked += 1;
            }
        }
    }
    assert!(checked > 3000, "{checked}");
}

/// Width and bits of a result, by the machine's own arithmetic where it can be seen to be the one
/// that is meant.
fn machine(op: Op, x: f64, y: f64) -> (u16, u64) {
    let quiet_sign = 0xfff8_0000_0000_0000u64;
    let float = |value: f64| match (value.is_nan(), x.is_nan()) {
        (false, _) => (64, value.to_bits()),
        // Of the operands, or made here: the default NaN.
        (true, true) => (64, x.to_bits()),
        (true, false) if y.is_nan() && (op as u8) < 80 => (64, y.to_bits()),
        (true, false) => (64, quiet_sign),
    };
    let truth = |value: bool| (1, u64::from(value));
    let none = x.is_nan() || y.is_nan();
    match op {
        Op::FAdd => float(x + y),
        Op::FSub => float(x - y),
        Op::FMul => float(x * y),
        Op::FDiv => float(x / y),
        Op::FRem => float(x % y),
        // Of two zeros the first.
        Op::FMin if x == y => (64, x.to_bits()),
        Op::FMax if x == y => (64, x.to_bits()),
        Op::FMin => float(x.min(y)),
        Op::FMax => float(x.max(y)),
        Op::FCopySign => (64, x.copysign(y).to_bits()),
        Op::FNeg => (64, (-x).to_bits()),
        Op::FAbs => (64, x.abs().to_bits()),
        Op::FSqrt => float(x.sqrt()),
        Op::FFloor => float(x.floor()),
        Op::FCeil => float(x.ceil()),
        Op::FTrunc => float(x.trunc()),
        Op::FRint => float(x.round_ties_even()),
        Op::FRound => float(x.round()),
        Op::FToF if x.is_nan() => (32, 0x7fc0_0000),
        Op::FToF => (32, u64::from((x as f32).to_bits())),
        Op::FToSI => {
            let fits = (-9e18..9e18).contains(&x);
            (64, if fits { x as i64 as u64 } else { 1 << 63 })
        }
        Op::FToUI if x < 0.0 => (64, x as i64 as u64),
        Op::FToUI => {
            let fits = (0.0..1.8e19).contains(&x);
            (64, if fits { x as u64 } else { 1 << 63 })
        }
        Op::SIToF => (32, u64::from((x.to_bits() as i64 as f32).to_bits())),
        Op::UIToF => (32, u64::from((x.to_bits() as f32).to_bits())),
        Op::FOeq => truth(x == y),
        Op::FOgt => truth(x > y),
        Op::FOge => truth(x >= y),
        Op::FOlt => truth(x < y),
        Op::FOle => truth(x <= y),
        Op::FOne => truth(x.partial_cmp(&y).is_some_and(|order| order.is_ne())),
        Op::FOrd => truth(!none),
        Op::FUno => truth(none),
        Op::FUeq => truth(none || x == y),
        Op::FUgt => truth(none || x > y),
        Op::FUge => truth(none || x >= y),
        Op::FUlt => truth(none || x < y),
        Op::FUle => truth(none || x <= y),
        _ => truth(x != y),
    }
}
