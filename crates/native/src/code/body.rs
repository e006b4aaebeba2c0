//! One function: the pass's words in the engine's.

use super::*;
use elsewise_explore::program::{BlockId, Callee, Operator, Register};
use wire::code;

/// How a call is said.
pub enum Said {
    /// By steps that stand here now.
    Here,
    Ends(End),
    /// By a function of ours.
    Stub(u32),
    /// Not at all.
    Nothing,
}

pub struct Body<'a> {
    pub join: &'a mut Join,
    index: usize,
    module: &'a Module,
    pub function: Function,
    pub steps: Vec<Step>,
}

/// Symbols that are used other than by calling them.
pub fn taken(code: &Code, mut take: impl FnMut(u32)) {
    for variable in &code.variables {
        variable.relocations.iter().for_each(|one| take(one.symbol));
    }
    let mut operand = |operand: &code::Operand| {
        if let code::Operand::Address { symbol, .. } = operand {
            take(*symbol);
        }
    };
    for block in code.functions.iter().flat_map(|function| &function.blocks) {
        for phi in &block.phis {
            phi.from.iter().for_each(|(_, value)| operand(value));
        }
        for step in &block.steps {
            match step {
                code::Step::Assign { operands, .. } => operands.iter().for_each(&mut operand),
                code::Step::Select { operands, .. } => operands.iter().for_each(&mut operand),
                code::Step::Load { address, .. } => operand(address),
                code::Step::Store { address, value, .. } => {
                    [address, value].into_iter().for_each(&mut operand)
                }
                code::Step::Call { arguments, .. } => arguments.iter().for_each(&mut operand),
                code::Step::Move { to, from, size } => {
                    [to, from, size].into_iter().for_each(&mut operand)
                }
                code::Step::Fill { to, value, size } => {
                    [to, value, size].into_iter().for_each(&mut operand)
                }
                code::Step::Local { .. } | code::Step::Opaque { .. } => {}
            }
        }
        match &block.end {
            code::End::Branch { condition, .. } => operand(condition),
            code::End::Switch { value, .. } => operand(value),
            code::End::Return(Some(value)) => operand(value),
            _ => {}
        }
    }
}

impl<'a> Body<'a> {
    pub fn new(join: &'a mut Join, index: usize, module: &'a Module) -> Body<'a> {
        Body {
            join,
            index,
            module,
            function: Function::default(),
            steps: Vec::new(),
        }
    }

    pub fn fresh(&mut self, width: u32) -> Register {
        self.function.registers.push(width);
        Register(self.function.registers.len() as u32 - 1)
    }

    pub fn assign(&mut self, width: u32, operator: Operator, operands: &[Operand]) -> Operand {
        let to = self.fresh(width);
        self.steps.push(Step::Assign {
            to,
            operator,
            operands: operands.to_vec(),
        });
        Operand::Register(to)
    }

    pub fn copy(&mut self, to: Option<Register>, value: Operand) {
        if let Some(to) = to {
            self.steps.push(Step::Assign {
                to,
                operator: Operator::Copy,
                operands: vec![value],
            });
        }
    }

    pub fn opaque(&mut self, to: Option<Register>, what: &str) {
        self.steps.push(Step::Opaque {
            to,
            what: what.into(),
        });
    }

    pub fn width_of(&self, operand: &Operand) -> u32 {
        match operand {
            Operand::Register(register) => self.width(*register),
            Operand::Constant(bits) => bits.width(),
            Operand::Undefined(width) => *width,
        }
    }

    pub fn width(&self, register: Register) -> u32 {
        self.function
            .registers
            .get(register.0 as usize)
            .copied()
            .unwrap_or(0)
    }

    fn operand(&self, operand: &code::Operand) -> Operand {
        match operand {
            code::Operand::Register(register) => Operand::Register(Register(*register)),
            code::Operand::Constant(constant) => Operand::Constant(bits(constant)),
            code::Operand::Address { symbol, addend } => {
                let code = &self.module.code;
                self.join.value(self.index, code, *symbol, *addend)
            }
        }
    }

    pub fn translate(&mut self, told: &code::Function) {
        self.function.parameters = told.parameters;
        self.function.registers = told.registers.clone();
        for block in &told.blocks {
            let phis = block.phis.iter().map(|phi| Phi {
                to: Register(phi.to),
                from: phi
                    .from
                    .iter()
                    .map(|(from, value)| (BlockId(*from), self.operand(value)))
                    .collect(),
            });
            let phis = phis.collect();
            let ended = block.steps.iter().find_map(|step| self.step(step));
            let end = ended.unwrap_or_else(|| self.end(&block.end));
            let steps = std::mem::take(&mut self.steps);
            self.function.blocks.push(Block { phis, steps, end });
        }
    }

    /// A step; how it ends the block, if it does.
    fn step(&mut self, step: &code::Step) -> Option<End> {
        let register = |to: &Option<u32>| to.map(Register);
        let step = match step {
            code::Step::Assign {
                to,
                operator,
                operands,
            } => Step::Assign {
                to: Register(*to),
                operator: *operator,
                operands: operands.iter().map(|one| self.operand(one)).collect(),
            },
            code::Step::Select { to, operands, site } => Step::Select {
                to: Register(*to),
                operands: [0, 1, 2].map(|index| self.operand(&operands[index])),
                site: super::site(self.module.first_site, *site),
                exchanged: false,
            },
            code::Step::Load { to, address, size } => Step::Load {
                to: Register(*to),
                address: self.operand(address),
                size: *size,
            },
            code::Step::Store {
                address,
                value,
                size,
            } => Step::Store {
                address: self.operand(address),
                value: self.operand(value),
                size: *size,
            },
            code::Step::Local { to, size, align } => Step::Local {
                to: Register(*to),
                size: *size,
                align: *align,
            },
            code::Step::Call {
                to,
                callee,
                arguments,
                site,
            } => {
                let arguments = arguments.iter().map(|one| self.operand(one)).collect();
                let site = super::site(self.module.first_site, *site);
                return self.call(register(to), callee, arguments, site);
            }
            code::Step::Move { to, from, size } => Step::Move {
                to: self.operand(to),
                from: self.operand(from),
                size: self.operand(size),
            },
            code::Step::Fill { to, value, size } => Step::Fill {
                to: self.operand(to),
                value: self.operand(value),
                size: self.operand(size),
            },
            code::Step::Opaque { to, what } => Step::Opaque {
                to: register(to),
                what: what.as_str().into(),
            },
        };
        self.steps.push(step);
        None
    }

    fn call(
        &mut self,
        to: Option<Register>,
        callee: &code::Operand,
        arguments: Vec<Operand>,
        site: Option<SiteId>,
    ) -> Option<End> {
        let code::Operand::Address { symbol, addend: 0 } = callee else {
            let callee = Callee::Pointer(self.operand(callee));
            self.steps.push(Step::Call {
                to,
                callee,
                arguments,
            });
            return None;
        };
        let code = &self.module.code;
        let name = code.symbols[*symbol as usize].name.as_str();
        match self.join.resolve(self.index, code, *symbol) {
            Some(SymbolTarget::Function(number)) => self.call_function(number, to, arguments),
            Some(_) => self.opaque(to, "calls of variables"),
            None => match self.external(name, to, &arguments, site) {
                Said::Here => {}
                Said::Ends(end) => return Some(end),
                Said::Stub(number) => self.call_function(number, to, arguments),
                Said::Nothing => self.opaque(to, name),
            },
        }
        None
    }

    /// A call of a function that is there. Whether it fits is known by what it has of registers: those of
    /// functions further down are not there yet, so the object's own words are looked at.
    fn call_function(&mut self, number: u32, to: Option<Register>, mut arguments: Vec<Operand>) {
        let callee = FunctionId(number);
        let Some(widths) = self.join.parameters.get(&number) else {
            return self.opaque(to, "calls");
        };
        // What a callee does not take, nobody misses.
        arguments.truncate(widths.len());
        let fits = arguments.len() == widths.len()
            && arguments
                .iter()
                .zip(widths)
                .all(|(argument, width)| self.width_of(argument) == *width);
        match fits {
            true => self.steps.push(Step::Call {
                to,
                callee: Callee::Function(callee),
                arguments,
            }),
            false => self.opaque(to, "calls with other arguments"),
        }
    }

    fn end(&self, end: &code::End) -> End {
        let site = |site| super::site(self.module.first_site, site);
        match end {
            code::End::Jump(to) => End::Jump(BlockId(*to)),
            code::End::Branch {
                condition: code::Operand::Constant(condition),
                holds,
                fails,
                ..
            } => End::Jump(BlockId(match condition.words.first() {
                Some(0) => *fails,
                _ => *holds,
            })),
            code::End::Branch {
                condition,
                holds,
                fails,
                site: at,
            } => End::Branch {
                condition: self.operand(condition),
                holds: BlockId(*holds),
                fails: BlockId(*fails),
                site: site(*at),
                exchanged: false,
            },
            code::End::Switch {
                value,
                cases,
                default,
                site: at,
            } => End::Switch {
                value: self.operand(value),
                cases: cases
                    .iter()
                    .map(|(case, to)| (bits(case), BlockId(*to)))
                    .collect(),
                default: BlockId(*default),
                site: site(*at),
            },
            code::End::Return(value) => {
                End::Return(value.as_ref().map(|value| self.operand(value)))
            }
            code::End::Fail => End::Fail,
            code::End::Unreachable => End::Unreachable,
        }
    }
}

fn bits(constant: &code::Constant) -> Bits {
    Bits::from_words(constant.width, &constant.words)
}
