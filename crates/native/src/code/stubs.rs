//! Functions of ours that stand for library functions: those with decisions of their own, and those whose
//! address somebody takes.

use super::compare::compare;
use super::*;
use elsewise_explore::program::{BlockId, Callee, InputPlace, Operator, Register, Source};

fn register(number: u32) -> Operand {
    Operand::Register(Register(number))
}

fn assign(to: u32, operator: Operator, operands: &[Operand]) -> Step {
    Step::Assign {
        to: Register(to),
        operator,
        operands: operands.to_vec(),
    }
}

fn block(steps: Vec<Step>, end: End) -> Block {
    Block {
        phis: Vec::new(),
        steps,
        end,
    }
}

/// Memory for so many things of a size, where that is a number at all.
fn calloc() -> Function {
    let wide = |to, from| assign(to, Operator::ZeroExtend, &[register(from)]);
    let steps = vec![
        wide(2, 0),
        wide(3, 1),
        assign(4, Operator::Mul, &[register(2), register(3)]),
        assign(5, Operator::Extract { low: 64 }, &[register(4)]),
        assign(6, Operator::Eq, &[register(5), number(64, 0)]),
        assign(7, Operator::Truncate, &[register(4)]),
    ];
    let branch = End::Branch {
        condition: register(6),
        holds: BlockId(1),
        fails: BlockId(2),
        site: None,
        exchanged: false,
    };
    let allocate = Step::Allocate {
        to: Register(8),
        size: register(7),
        zeroed: true,
    };
    Function {
        parameters: 2,
        registers: vec![64, 64, 128, 128, 128, 64, 1, 64, 64],
        blocks: vec![
            block(steps, branch),
            block(vec![allocate], End::Return(Some(register(8)))),
            block(Vec::new(), End::Return(Some(number(64, 0)))),
        ],
        ..Function::default()
    }
}

fn malloc() -> Function {
    let step = Step::Allocate {
        to: Register(1),
        size: register(0),
        zeroed: false,
    };
    Function {
        parameters: 1,
        registers: vec![64, 64],
        blocks: vec![block(vec![step], End::Return(Some(register(1))))],
        ..Function::default()
    }
}

fn free() -> Function {
    let step = Step::Release {
        address: register(0),
    };
    Function {
        parameters: 1,
        registers: vec![64],
        blocks: vec![block(vec![step], End::Return(None))],
        ..Function::default()
    }
}

/// `read` of standard input, of which so much is left as the position says.
fn read(name: Arc<str>, size: u64, position: u64) -> Function {
    let position = number(64, position);
    let is_input = assign(3, Operator::Eq, &[register(0), number(32, 0)]);
    let branch = End::Branch {
        condition: register(3),
        holds: BlockId(1),
        fails: BlockId(2),
        site: None,
        exchanged: false,
    };
    let steps = vec![
        Step::Load {
            to: Register(4),
            address: position.clone(),
            size: 8,
        },
        assign(5, Operator::Sub, &[number(64, size), register(4)]),
        assign(6, Operator::Ult, &[register(2), register(5)]),
        Step::Select {
            to: Register(7),
            operands: [register(6), register(2), register(5)],
            site: None,
            exchanged: false,
        },
        Step::Input {
            to: InputPlace::Memory {
                address: register(1),
                size: register(7),
            },
            source: Source::Next(name),
        },
        assign(8, Operator::Add, &[register(4), register(7)]),
        Step::Store {
            address: position,
            value: register(8),
            size: 8,
        },
    ];
    let other = Step::Opaque {
        to: None,
        what: "files".into(),
    };
    Function {
        parameters: 3,
        registers: vec![32, 64, 64, 1, 64, 64, 1, 64, 64],
        blocks: vec![
            block(vec![is_input], branch),
            block(steps, End::Return(Some(register(7)))),
            block(vec![other], End::Unreachable),
        ],
        ..Function::default()
    }
}

/// Calls a harness of libFuzzer's with the main input, in a block of exactly its size.
fn harness(name: Arc<str>, size: u64) -> Function {
    let steps = vec![
        Step::Allocate {
            to: Register(1),
            size: number(64, size),
            zeroed: false,
        },
        Step::Input {
            to: InputPlace::Memory {
                address: register(1),
                size: number(64, size),
            },
            source: Source::Next(name),
        },
        Step::Call {
            to: Some(Register(2)),
            callee: Callee::Pointer(register(0)),
            arguments: vec![register(1), number(64, size)],
        },
        Step::Release {
            address: register(1),
        },
    ];
    Function {
        parameters: 1,
        registers: vec![64, 64, 32],
        blocks: vec![block(steps, End::Return(Some(number(32, 1))))],
        ..Function::default()
    }
}

/// A function of which only the name is known: whoever calls it is followed no further.
fn unknown(name: &str) -> Function {
    let step = Step::Opaque {
        to: None,
        what: name.into(),
    };
    Function {
        blocks: vec![block(vec![step], End::Unreachable)],
        ..Function::default()
    }
}

impl Join {
    /// Where the number of the last error is.
    pub fn errno(&mut self) -> u64 {
        let known = self
            .program
            .objects
            .iter()
            .find(|object| object.name == "*errno");
        match known.map(|object| object.address) {
            Some(address) => address,
            None => self.object("*errno".into(), 4, 4, false),
        }
    }

    /// In the place of `main`, where that is ours and only calls a harness of libFuzzer's.
    pub fn harness(&mut self) -> Option<u32> {
        let one_input = match self.global.get("LLVMFuzzerTestOneInput") {
            Some(SymbolTarget::Function(number)) => *number,
            _ => return None,
        };
        if self.global.contains_key("LLVMFuzzerInitialize") {
            return None;
        }
        let inner = self.stub("__elw_harness")?;
        let address = &mut self.program.functions[one_input as usize].address;
        if *address == 0 {
            *address = FIRST_FUNCTION + FUNCTION_SPACING * u64::from(one_input);
        }
        let call = Step::Call {
            to: Some(Register(0)),
            callee: Callee::Function(FunctionId(inner)),
            arguments: vec![number(64, *address)],
        };
        let function = Function {
            name: "main".into(),
            registers: vec![32],
            blocks: vec![block(vec![call], End::Return(Some(number(32, 0))))],
            ..Function::default()
        };
        Some(self.add(function))
    }

    fn add(&mut self, function: Function) -> u32 {
        let number = self.program.functions.len() as u32;
        let widths = function.registers[..function.parameters as usize].to_vec();
        self.parameters.insert(number, widths);
        self.program.functions.push(function);
        number
    }

    /// The number of the function of ours that stands for a library function.
    pub fn stub(&mut self, name: &str) -> Option<u32> {
        if let Some(number) = self.stubs.get(name) {
            return Some(*number);
        }
        let mut function = match name {
            "__elw_m_calloc" | "calloc" => calloc(),
            "__elw_m_malloc" | "malloc" => malloc(),
            "__elw_m_free" | "free" => free(),
            "__elw_m_memcmp" | "__elw_m_bcmp" | "memcmp" => compare(false, true),
            "__elw_m_strcmp" | "__elw_m_strcoll" | "strcmp" => compare(true, false),
            "__elw_m_strncmp" | "strncmp" => compare(true, true),
            "__elw_m_read" | "read" => match self.main_input.clone() {
                Some((stream, size)) => {
                    let position = self.object("*position".into(), 8, 8, false);
                    read(stream, size, position)
                }
                None => unknown("input of any length"),
            },
            "__elw_harness" => match self.main_input.clone() {
                Some((stream, size)) => harness(stream, size),
                None => unknown("input of any length"),
            },
            _ if name.starts_with("__elw_m_") => unknown(name),
            _ => return None,
        };
        function.name = name.to_string();
        let number = self.add(function);
        self.stubs.insert(name.to_string(), number);
        Some(number)
    }
}
