//! Code is read back as it was written, and damage is noticed or harmless.

use super::*;
use elsewise_test_random::Random;

fn register(number: u32) -> Operand {
    Operand::Register(number)
}

fn constant(width: u32, value: u64) -> Operand {
    Operand::Constant(Constant::new(width, value))
}

fn address(symbol: u32, addend: i64) -> Operand {
    Operand::Address { symbol, addend }
}

fn sample() -> Code {
    let assign = |to, operator, operands: &[Operand]| Step::Assign {
        to,
        operator,
        operands: operands.to_vec(),
    };
    let steps = vec![
        assign(2, Operator::Add, &[register(0), constant(32, 7)]),
        assign(4, Operator::Slt, &[register(0), register(2)]),
        assign(5, Operator::Concat, &[address(1, -3), constant(64, 1)]),
        assign(3, Operator::Extract { low: 64 }, &[register(5)]),
        Step::Select {
            to: 2,
            operands: [register(4), register(0), constant(32, 1)],
            site: Some(3),
        },
        Step::Load {
            to: 2,
            address: register(1),
            size: 4,
        },
        Step::Store {
            address: address(1, 8),
            value: Operand::Constant(Constant {
                width: 128,
                words: vec![u64::MAX, 5],
            }),
            size: 16,
        },
        Step::Local {
            to: 3,
            size: 40,
            align: 16,
        },
        Step::Call {
            to: Some(2),
            callee: address(2, 0),
            arguments: vec![register(2)],
            site: Some(0),
        },
        Step::Move {
            to: register(3),
            from: register(1),
            size: constant(64, 3),
        },
        Step::Fill {
            to: register(3),
            value: constant(8, 255),
            size: constant(64, 3),
        },
        Step::Opaque {
            to: None,
            what: "floats".into(),
        },
    ];
    let ends = [
        End::Branch {
            condition: register(4),
            holds: 1,
            fails: 2,
            site: Some(1),
        },
        End::Switch {
            value: register(0),
            cases: vec![(Constant::new(32, 9), 2)],
            default: 3,
            site: None,
        },
        End::Jump(3),
        End::Return(Some(register(2))),
        End::Return(None),
        End::Fail,
        End::Unreachable,
    ];
    let mut blocks: Vec<Block> = ends
        .into_iter()
        .map(|end| Block {
            phis: Vec::new(),
            steps: Vec::new(),
            end,
        })
        .collect();
    blocks[0].steps = steps;
    blocks[3].phis.push(Phi {
        to: 2,
        from: vec![(1, constant(32, 4)), (2, register(0))],
    });
    let symbol = |name: &str, binding| Symbol {
        name: name.into(),
        binding,
    };
    Code {
        key: u64::MAX,
        symbols: vec![
            symbol("main", Binding::Global),
            symbol("table", Binding::Local),
            symbol("other", Binding::Weak),
        ],
        variables: vec![Variable {
            symbol: 1,
            size: 24,
            align: 8,
            constant: true,
            bytes: vec![1, 2, 3],
            relocations: vec![Relocation {
                offset: 16,
                symbol: 0,
                addend: -1,
            }],
            opaque: Some("why".into()),
        }],
        aliases: vec![Alias {
            symbol: 2,
            target: 0,
            addend: 0,
        }],
        functions: vec![Function {
            symbol: 0,
            parameters: 2,
            registers: vec![32, 64, 32, 64, 1, 128],
            blocks,
        }],
        constructors: vec![(65535, 0)],
    }
}

#[test]
fn a_section_of_several_objects_is_read_back() {
    let mut section = sample().encode();
    section.extend([0; 3]);
    section.extend(sample().encode());
    assert_eq!(Code::decode_all(&section), Ok(vec![sample(), sample()]));
}

#[test]
fn every_truncation_is_an_error() {
    let whole = sample().encode();
    for length in 1..whole.len() {
        assert!(Code::decode_all(&whole[..length]).is_err(), "{length}");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let damage: [fn(&mut Code); 6] = [
        |code| code.functions[0].registers[0] = 64,
        |code| code.functions[0].registers[1] = 0,
        |code| code.functions[0].blocks[2].end = End::Jump(7),
        |code| code.functions[0].symbol = 3,
        |code| code.variables[0].size = 2,
        |code| code.variables[0].relocations[0].offset = 17,
    ];
    for (index, damage) in damage.iter().enumerate() {
        let mut code = sample();
        damage(&mut code);
        assert!(Code::decode_all(&code.encode()).is_err(), "{index}");
    }
}

#[test]
fn no_damage_makes_reading_panic() {
    let whole = sample().encode();
    let mut random = Random::new(0x5eed);
    let rounds = std::env::var("ELSEWISE_MUTATIONS").map_or(20_000, |n| n.parse().unwrap());
    let (mut good, mut bad) = (0, 0);
    for _ in 0..rounds {
        let mut bytes = whole.clone();
        for _ in 0..1 + random.below(3) {
            let at = random.below(bytes.len());
            bytes[at] = random.below(256) as u8;
        }
        match Code::decode_all(&bytes) {
            Ok(_) => good += 1,
            Err(_) => bad += 1,
        }
    }
    let few = rounds / 200;
    assert!(good > few && bad > few, "{good} good, {bad} bad");
}
