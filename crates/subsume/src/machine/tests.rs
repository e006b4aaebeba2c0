//! Single steps of the machine: what they leave in cells, where it pauses, and that all of it is undone.

use super::*;
use crate::by_hand::{
    DATA, TABLE, assign, block, branch, function, holds, input, joined, jump, load, machine, n,
    program, r, run, store, straight,
};
use elsewise_explore::program::{
    BlockId, Callee, FunctionId, InputPlace, Operator, Phi, Source as InputSource,
};

fn register(machine: &mut Machine, number: u32, width: u32) -> Option<u64> {
    let cell = Cell::register(0, Register(number), width);
    let value = machine.cell(cell)?;
    machine.terms.as_u64(value)
}

fn byte(machine: &mut Machine, address: u64) -> Option<u64> {
    let value = machine.cell(Cell::Byte(address))?;
    machine.terms.as_u64(value)
}

fn lost_by(mut machine: Machine) -> String {
    match run(&mut machine) {
        Pause::End(Ending::Lost(why)) => why.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn memory_has_its_little_end_first() {
    let mut machine = straight(
        &[16, 8],
        vec![
            store(n(64, DATA), n(32, 0x0403_0201), 4),
            load(0, n(64, DATA + 1), 2),
            load(1, n(64, TABLE + 3), 1),
        ],
    );
    assert_eq!(run(&mut machine), Pause::End(Ending::Exit));
    assert_eq!(register(&mut machine, 0, 16), Some(0x0302));
    assert_eq!(register(&mut machine, 1, 8), Some(10));
    assert_eq!(byte(&mut machine, DATA + 3), Some(4));
    assert_eq!(byte(&mut machine, DATA + 4), Some(0));
}

#[test]
fn a_narrow_value_is_stored_with_zeroes_above_it() {
    let steps = vec![
        store(n(64, DATA), n(16, 0xffff), 2),
        store(n(64, DATA), n(1, 1), 2),
    ];
    let mut machine = straight(&[], steps);
    run(&mut machine);
    assert_eq!(byte(&mut machine, DATA), Some(1));
    assert_eq!(byte(&mut machine, DATA + 1), Some(0));
}

#[test]
fn accesses_end_where_objects_end() {
    for (address, inside) in [
        (DATA - 1, false),
        (DATA, true),
        (DATA + 12, true),
        (DATA + 13, false),
    ] {
        let mut machine = straight(&[32], vec![load(0, n(64, address), 4)]);
        let ends = run(&mut machine) == Pause::End(Ending::Exit);
        assert_eq!(ends, inside, "{address:#x}");
    }
}

#[test]
fn what_is_constant_is_written_by_nobody() {
    let size = n(64, 2);
    let x: Arc<str> = "x".into();
    let steps = [
        store(n(64, TABLE), n(8, 1), 1),
        Step::Move {
            to: n(64, TABLE),
            from: n(64, DATA),
            size: size.clone(),
        },
        Step::Fill {
            to: n(64, TABLE),
            value: n(8, 1),
            size: size.clone(),
        },
        Step::Input {
            to: InputPlace::Memory {
                address: n(64, TABLE),
                size,
            },
            source: InputSource::Next(x),
        },
    ];
    for step in steps {
        let why = lost_by(straight(&[], vec![step.clone()]));
        assert_eq!(why, "a write to what is constant", "{step:?}");
    }
}

#[test]
fn moved_bytes_may_overlap() {
    for (to, from, expected) in [
        (DATA + 1, DATA, [1, 1, 2, 3, 0]),
        (DATA, DATA + 1, [2, 3, 0, 0, 0]),
    ] {
        let mut machine = straight(
            &[],
            vec![
                store(n(64, DATA), n(24, 0x03_0201), 3),
                Step::Move {
                    to: n(64, to),
                    from: n(64, from),
                    size: n(64, 3),
                },
            ],
        );
        run(&mut machine);
        for (address, value) in (DATA..).zip(expected) {
            assert_eq!(byte(&mut machine, address), Some(value));
        }
    }
}

/// Two that exchange their values: the second is not given what the first has just been given.
#[test]
fn phis_are_assigned_at_once() {
    let phi = |to, start, other| Phi {
        to: Register(to),
        from: vec![(BlockId(0), start), (BlockId(1), r(other))],
    };
    let mut head = block(
        vec![assign(2, Operator::Eq, &[r(0), n(8, 2)])],
        branch(r(2), 0, 2, 1),
    );
    head.phis = vec![phi(0, n(8, 1), 1), phi(1, n(8, 2), 0)];
    let blocks = vec![
        block(Vec::new(), jump(1)),
        head,
        block(Vec::new(), End::Exit),
    ];
    let mut machine = machine(&[8, 8, 1], blocks);
    assert_eq!(run(&mut machine), Pause::End(Ending::Exit));
    assert_eq!(register(&mut machine, 0, 8), Some(2));
    assert_eq!(register(&mut machine, 1, 8), Some(1));
}

#[test]
fn a_call_has_registers_of_its_own_and_gives_its_result_back() {
    let call = Step::Call {
        to: Some(Register(1)),
        callee: Callee::Function(FunctionId(1)),
        arguments: vec![r(0)],
    };
    let caller = vec![block(
        vec![assign(0, Operator::Copy, &[n(8, 5)]), call],
        End::Exit,
    )];
    let doubled = assign(1, Operator::Add, &[r(0), r(0)]);
    let spoilt = assign(0, Operator::Copy, &[n(8, 99)]);
    let callee = vec![block(vec![doubled, spoilt], End::Return(Some(r(1))))];
    let mut machine = Machine::new(program(vec![
        function(0, &[8, 8], caller),
        function(1, &[8, 8], callee),
    ]));
    assert_eq!(run(&mut machine), Pause::End(Ending::Exit));
    assert_eq!(register(&mut machine, 0, 8), Some(5));
    assert_eq!(register(&mut machine, 1, 8), Some(10));
}

/// What an earlier call has left on the stack is not what a later one finds there.
#[test]
fn local_memory_is_unknown_until_it_is_written() {
    let local = Step::Local {
        to: Register(0),
        size: 1,
        align: 1,
    };
    let writes = vec![block(
        vec![local.clone(), store(r(0), n(8, 7), 1)],
        End::Return(None),
    )];
    let reads = vec![block(
        vec![local, load(1, r(0), 1)],
        End::Return(Some(r(1))),
    )];
    let call = |function, to| Step::Call {
        to,
        callee: Callee::Function(FunctionId(function)),
        arguments: Vec::new(),
    };
    let steps = vec![
        assign(0, Operator::Copy, &[n(8, 3)]),
        call(1, None),
        call(2, Some(Register(0))),
    ];
    let mut machine = Machine::new(program(vec![
        function(0, &[8], vec![block(steps, End::Exit)]),
        function(0, &[64], writes),
        function(0, &[64, 8], reads),
    ]));
    assert_eq!(run(&mut machine), Pause::End(Ending::Exit));
    assert_eq!(register(&mut machine, 0, 8), None);
}

#[test]
fn memory_that_was_given_back_is_there_no_more() {
    let allocate = Step::Allocate {
        to: Register(0),
        size: n(64, 4),
        zeroed: true,
    };
    let release = Step::Release { address: r(0) };
    let used = |steps: &[Step]| {
        let mut all = vec![allocate.clone()];
        all.extend_from_slice(steps);
        run(&mut straight(&[64, 32], all))
    };
    let exit = Pause::End(Ending::Exit);
    assert_eq!(used(&[load(1, r(0), 4), release.clone()]), exit);
    assert_ne!(used(&[release.clone(), load(1, r(0), 4)]), exit);
    assert_ne!(used(&[release.clone(), release]), exit);
    let nothing = Step::Release { address: n(64, 0) };
    assert_eq!(used(&[nothing]), exit);
}

/// Every use of a name is another input; the next bytes of one follow those before.
#[test]
fn inputs_are_named_by_use_and_place() {
    let next = |to| Step::Input {
        to: InputPlace::Register(Register(to)),
        source: InputSource::Next("x".into()),
    };
    let named = |to| Step::Input {
        to: InputPlace::Register(Register(to)),
        source: InputSource::Named(n(64, DATA)),
    };
    let name = store(n(64, DATA), n(16, u64::from(b'y')), 2);
    let mut machine = straight(
        &[16, 8, 8],
        vec![name, next(0), next(1), named(2), named(2)],
    );
    run(&mut machine);
    let given: Vec<_> = machine
        .givens
        .list()
        .iter()
        .map(|one| (one.name.to_string(), one.occurrence, one.offset))
        .collect();
    let byte = |name: &str, occurrence, offset| (name.to_owned(), occurrence, offset);
    let expected = [
        byte("x", 0, 0),
        byte("x", 0, 1),
        byte("x", 0, 2),
        byte("y", 0, 0),
        byte("y", 1, 0),
    ];
    assert_eq!(given, expected);
    let whole = machine.cell(Cell::register(0, Register(0), 16));
    let whole = whole.expect("it was given");
    let value = machine.terms.bits(16, 0x0201);
    let same = machine.terms.eq(whole, value);
    let low_first = [(Cell::Given(0), 1), (Cell::Given(1), 2)];
    assert!(holds(&machine.terms, &[same], &low_first));
}

/// The ways out of a division: by zero, the quotient that does not fit, all others.
#[test]
fn divisions_ask_what_could_go_wrong() {
    let ends = |operator, a: u64, b: u64| {
        let steps = vec![input(0), input(1), assign(2, operator, &[r(0), r(1)])];
        let mut machine = straight(&[8, 8, 8], steps);
        loop {
            match run(&mut machine) {
                Pause::Decision => {
                    let conditions = machine.decision().expect("one").conditions.clone();
                    let given = [(Cell::Given(0), a), (Cell::Given(1), b)];
                    let taken = conditions
                        .iter()
                        .position(|one| holds(&machine.terms, &[*one], &given));
                    let taken = taken.expect("one of them holds") as u32;
                    if let Some(Pause::End(ending)) = machine.take(taken) {
                        return ending;
                    }
                }
                Pause::End(ending) => return ending,
                Pause::Checkpoint(_) => {}
            }
        }
    };
    for operator in [
        Operator::UDiv,
        Operator::URem,
        Operator::SDiv,
        Operator::SRem,
    ] {
        let signed = matches!(operator, Operator::SDiv | Operator::SRem);
        for a in [0, 1, 0x7f, 0x80, 0x81, 0xff] {
            for b in [0, 1, 2, 0x80, 0xff] {
                let wrong = b == 0 || signed && a == 0x80 && b == 0xff;
                let expected = if wrong { Ending::Fail } else { Ending::Exit };
                assert_eq!(ends(operator, a, b), expected, "{operator:?} {a} {b}");
            }
        }
    }
}

#[test]
fn an_assumption_that_does_not_hold_counts_for_nothing() {
    let assume = Step::Assume {
        condition: r(0),
        site: None,
    };
    let mut machine = straight(&[8], vec![input(0), assume]);
    let start = machine.mark();
    assert_eq!(run(&mut machine), Pause::Decision);
    assert_eq!(machine.take(1), Some(Pause::End(Ending::Assumed)));
    machine.undo(&start);
    assert_eq!(run(&mut machine), Pause::Decision);
    assert_eq!(machine.take(0), None);
    assert_eq!(run(&mut machine), Pause::End(Ending::Exit));
}

/// A question that the path has answered is not asked a second time.
#[test]
fn a_decision_is_made_once() {
    let test = assign(1, Operator::Ult, &[r(0), n(8, 5)]);
    let again = assign(2, Operator::Ult, &[r(0), n(8, 5)]);
    let blocks = vec![
        block(vec![input(0), test], branch(r(1), 0, 1, 2)),
        block(vec![again], branch(r(2), 1, 2, 3)),
        block(Vec::new(), End::Exit),
        block(Vec::new(), End::Fail),
    ];
    let mut machine = machine(&[8, 1, 1], blocks);
    assert_eq!(run(&mut machine), Pause::Decision);
    machine.take(0);
    assert_eq!(run(&mut machine), Pause::End(Ending::Exit));
}

/// One way, back, the other way: as if the first had never been gone.
#[test]
fn everything_is_undone() {
    let blocks = vec![
        block(
            vec![input(0), assign(1, Operator::Eq, &[r(0), n(8, 1)])],
            branch(r(1), 0, 1, 2),
        ),
        block(
            vec![
                store(n(64, DATA), n(8, 7), 1),
                Step::Allocate {
                    to: Register(2),
                    size: n(64, 8),
                    zeroed: false,
                },
                input(3),
            ],
            jump(3),
        ),
        block(Vec::new(), jump(3)),
        joined(
            4,
            &[(1, n(8, 1)), (2, n(8, 2))],
            vec![load(5, n(64, DATA), 1)],
            End::Exit,
        ),
    ];
    let mut machine = machine(&[8, 1, 64, 8, 8, 8], blocks);
    let start = machine.mark();
    run(&mut machine);
    machine.take(0);
    assert_eq!(run(&mut machine), Pause::End(Ending::Exit));
    assert_eq!(register(&mut machine, 5, 8), Some(7));
    assert_eq!(machine.givens.used("x"), 2);
    machine.undo(&start);
    assert!(machine.log.is_empty() && machine.path.is_empty());
    assert_eq!(machine.givens.used("x"), 0);
    assert_eq!(byte(&mut machine, DATA), Some(0));
    run(&mut machine);
    machine.take(1);
    assert_eq!(run(&mut machine), Pause::End(Ending::Exit));
    assert_eq!(register(&mut machine, 4, 8), Some(2));
    assert_eq!(register(&mut machine, 5, 8), Some(0));
    assert_eq!(register(&mut machine, 2, 64), None);
}

/// An address that depends on inputs: one place after the other, and whatever is outside is another way.
#[test]
fn an_unknown_index_reads_each_place_of_its_object() {
    let steps = vec![
        input(0),
        assign(1, Operator::ZeroExtend, &[r(0)]),
        assign(2, Operator::Add, &[r(1), n(64, TABLE)]),
        load(3, r(2), 1),
    ];
    let mut machine = straight(&[8, 64, 64, 8], steps);
    assert_eq!(run(&mut machine), Pause::Decision);
    let inside = machine.decision().expect("one").conditions[0];
    for index in 0..=255 {
        let given = [(Cell::Given(0), index)];
        assert_eq!(holds(&machine.terms, &[inside], &given), index < 4);
    }
    machine.take(0);
    assert_eq!(run(&mut machine), Pause::End(Ending::Exit));
    let read = machine.cell(Cell::register(0, Register(3), 8));
    let read = read.expect("it was read");
    for (index, value) in [7, 8, 9, 10].into_iter().enumerate() {
        let value = machine.terms.bits(8, value);
        let same = machine.terms.eq(read, value);
        let given = [(Cell::Given(0), index as u64)];
        assert!(holds(&machine.terms, &[same], &given), "{index}");
    }
}
