//! Where a run begins: constructors, then `main` with its arguments.

use super::*;
use crate::streams::Stdin;
use crate::surroundings::{SurroundingInput, Surroundings};
use elsewise_explore::program::{Callee, InputPlace, Register, Source};
use std::path::Path;

/// How the program is started.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// The program's name first. `None` where one of them is not known beforehand.
    pub arguments: Option<Vec<Argument>>,
    /// Name and length of the main input, where it is standard input and its length no input.
    pub main_input: Option<(Arc<str>, u64)>,
}

impl Setup {
    pub fn new(program: &Path, surroundings: &Surroundings, stdin: Stdin) -> Setup {
        let arguments = surroundings.arguments(program);
        let argument = |(text, given): (Vec<u8>, Option<SurroundingInput>)| Argument {
            text,
            input: given.map(|given| (given.name, given.before, given.size)),
        };
        Setup {
            arguments: arguments.map(|given| given.into_iter().map(argument).collect()),
            main_input: match stdin {
                Stdin::Fixed(size) if !surroundings.names_file() => {
                    Some((surroundings.main_key().into(), size))
                }
                _ => None,
            },
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Argument {
    /// All of it, with any bytes where an input will be.
    pub text: Vec<u8>,
    /// The name of the input, where it begins and how long it is.
    pub input: Option<(Vec<u8>, u32, u64)>,
}

impl Join {
    /// Writes the function with which a run begins.
    pub fn enter(&mut self, setup: &Setup) -> Option<()> {
        let main = match self.global.get("main") {
            Some(SymbolTarget::Function(main)) => *main,
            Some(_) => return None,
            None => self.harness()?,
        };
        let mut function = Function {
            name: "start".into(),
            ..Function::default()
        };
        let mut steps = self.constructors();
        let mut arguments = Vec::new();
        let widths = self.parameters.get(&main)?.clone();
        if widths.len() > 3 {
            return None;
        }
        if !widths.is_empty() {
            match &setup.arguments {
                Some(given) => {
                    let vector = self.vector(given, &mut steps);
                    let count = given.len() as u64;
                    arguments = vec![
                        number(32, count),
                        number(64, vector),
                        Operand::Undefined(64),
                    ];
                }
                None => steps.push(Step::Opaque {
                    to: None,
                    what: "arguments".into(),
                }),
            }
        }
        arguments.truncate(widths.len());
        let missing = widths.iter().skip(arguments.len());
        arguments.extend(missing.map(|width| Operand::Undefined(*width)));
        let same = |(argument, width): (&Operand, &u32)| match argument {
            Operand::Constant(bits) => bits.width() == *width,
            Operand::Undefined(given) => given == width,
            Operand::Register(_) => false,
        };
        if !arguments.iter().zip(&widths).all(same) {
            return None;
        }
        // `main` may have a result or none.
        let result = self.program.functions[main as usize]
            .blocks
            .iter()
            .find_map(|block| match &block.end {
                End::Return(value) => Some(value.is_some()),
                _ => None,
            });
        function.registers.push(32);
        steps.push(Step::Call {
            to: (result == Some(true)).then_some(Register(0)),
            callee: Callee::Function(FunctionId(main)),
            arguments,
        });
        function.blocks.push(Block {
            phis: Vec::new(),
            steps,
            end: End::Exit,
        });
        self.program.entry = FunctionId(self.program.functions.len() as u32);
        self.program.functions.push(function);
        Some(())
    }

    /// In the order of their priorities; within one, as the objects come.
    fn constructors(&self) -> Vec<Step> {
        let mut found = Vec::new();
        for (index, module) in self.modules.iter().enumerate() {
            for (priority, symbol) in &module.code.constructors {
                found.push((*priority, self.resolve(index, &module.code, *symbol)));
            }
        }
        found.sort_by_key(|(priority, _)| *priority);
        let steps = found.into_iter().map(|(_, place)| match place {
            Some(SymbolTarget::Function(number))
                if self.parameters.get(&number).is_some_and(Vec::is_empty) =>
            {
                Step::Call {
                    to: None,
                    callee: Callee::Function(FunctionId(number)),
                    arguments: Vec::new(),
                }
            }
            _ => Step::Opaque {
                to: None,
                what: "constructors".into(),
            },
        });
        steps.collect()
    }

    /// The strings and the list of them; its address.
    fn vector(&mut self, given: &[Argument], steps: &mut Vec<Step>) -> u64 {
        let mut list = Vec::new();
        for (index, argument) in given.iter().enumerate() {
            let size = argument.text.len() as u64 + 1;
            let address = self.text(format!("argv[{index}]"), &argument.text, size, false);
            list.extend(address.to_le_bytes());
            if let Some((name, from, size)) = &argument.input {
                let named = self.text(format!("*argv[{index}]"), name, name.len() as u64 + 1, true);
                steps.push(Step::Input {
                    to: InputPlace::Memory {
                        address: number(64, address + u64::from(*from)),
                        size: number(64, *size),
                    },
                    source: Source::Named(number(64, named)),
                });
            }
        }
        let size = list.len() as u64 + 8;
        self.text("argv".into(), &list, size, false)
    }

    fn text(&mut self, name: String, bytes: &[u8], size: u64, constant: bool) -> u64 {
        let address = self.object(name, size, 16, constant);
        if let Some(object) = self.program.objects.last_mut() {
            object.bytes = bytes.to_vec();
        }
        address
    }
}
