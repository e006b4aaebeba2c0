//! What has been read of code is looked at before anybody relies on it: every index points at something,
//! and widths are those that the operators ask for.

use super::*;

const WIDTH: BadMap = BadMap("widths do not fit");

impl Code {
    pub(super) fn check(&self) -> Result<(), BadMap> {
        let symbols = self.symbols.len();
        let known = |symbol: u32| symbol_in(symbols, symbol);
        for variable in &self.variables {
            known(variable.symbol)?;
            if variable.bytes.len() as u64 > variable.size {
                return Err(BadMap("a variable has more bytes than it is long"));
            }
            for relocation in &variable.relocations {
                known(relocation.symbol)?;
                let end = relocation.offset.checked_add(8);
                if end.is_none_or(|end| end > variable.size) {
                    return Err(BadMap("an address is outside of its variable"));
                }
            }
        }
        for alias in &self.aliases {
            known(alias.symbol)?;
            known(alias.target)?;
        }
        for (_, symbol) in &self.constructors {
            known(*symbol)?;
        }
        for function in &self.functions {
            known(function.symbol)?;
            Checked { function, symbols }.check()?;
        }
        Ok(())
    }
}

fn symbol_in(symbols: usize, symbol: u32) -> Result<(), BadMap> {
    match (symbol as usize) < symbols {
        true => Ok(()),
        false => Err(BadMap("a symbol that is not there")),
    }
}

struct Checked<'a> {
    function: &'a Function,
    symbols: usize,
}

impl Checked<'_> {
    fn check(&self) -> Result<(), BadMap> {
        let function = self.function;
        let widths = &function.registers;
        if function.parameters as usize > widths.len() || function.blocks.is_empty() {
            return Err(BadMap("a function without its registers or blocks"));
        }
        if widths.iter().any(|width| !(1..=MAX_WIDTH).contains(width)) {
            return Err(WIDTH);
        }
        for block in &function.blocks {
            for phi in &block.phis {
                let width = self.register(phi.to)?;
                for (from, value) in &phi.from {
                    self.block(*from)?;
                    self.has(value, width)?;
                }
            }
            for step in &block.steps {
                self.step(step)?;
            }
            self.end(&block.end)?;
        }
        Ok(())
    }

    fn register(&self, register: u32) -> Result<u32, BadMap> {
        let width = self.function.registers.get(register as usize).copied();
        width.ok_or(BadMap("a register that is not there"))
    }

    fn block(&self, block: u32) -> Result<(), BadMap> {
        match (block as usize) < self.function.blocks.len() {
            true => Ok(()),
            false => Err(BadMap("a block that is not there")),
        }
    }

    fn width(&self, operand: &Operand) -> Result<u32, BadMap> {
        Ok(match operand {
            Operand::Register(register) => self.register(*register)?,
            Operand::Constant(constant) => checked(constant)?,
            Operand::Address { symbol, .. } => {
                symbol_in(self.symbols, *symbol)?;
                64
            }
        })
    }

    fn has(&self, operand: &Operand, width: u32) -> Result<(), BadMap> {
        match self.width(operand)? == width {
            true => Ok(()),
            false => Err(WIDTH),
        }
    }

    fn assign(&self, to: u32, operator: Operator, operands: &[Operand]) -> Result<(), BadMap> {
        let result = self.register(to)?;
        if operands.len() != operator.arity() {
            return Err(BadMap("operands that are too many or too few"));
        }
        let mut widths = [0; 2];
        for (width, operand) in widths.iter_mut().zip(operands) {
            *width = self.width(operand)?;
        }
        match operator.fits(result, &widths[..operands.len()]) {
            true => Ok(()),
            false => Err(WIDTH),
        }
    }

    fn memory(&self, width: u32, size: u32) -> Result<(), BadMap> {
        match u64::from(width) <= u64::from(size) * 8 && size <= MAX_WIDTH / 8 {
            true => Ok(()),
            false => Err(WIDTH),
        }
    }

    fn step(&self, step: &Step) -> Result<(), BadMap> {
        match step {
            Step::Assign {
                to,
                operator,
                operands,
            } => self.assign(*to, *operator, operands),
            Step::Select { to, operands, .. } => {
                let width = self.register(*to)?;
                self.has(&operands[0], 1)?;
                self.has(&operands[1], width)?;
                self.has(&operands[2], width)
            }
            Step::Load { to, address, size } => {
                self.has(address, 64)?;
                self.memory(self.register(*to)?, *size)
            }
            Step::Store {
                address,
                value,
                size,
            } => {
                self.has(address, 64)?;
                self.memory(self.width(value)?, *size)
            }
            Step::Local { to, .. } => match self.register(*to)? {
                64 => Ok(()),
                _ => Err(WIDTH),
            },
            Step::Call {
                to,
                callee,
                arguments,
                ..
            } => {
                to.map_or(Ok(0), |to| self.register(to))?;
                self.has(callee, 64)?;
                arguments
                    .iter()
                    .try_for_each(|argument| self.width(argument).map(|_| ()))
            }
            Step::Move { to, from, size } => [to, from, size]
                .into_iter()
                .try_for_each(|one| self.has(one, 64)),
            Step::Fill { to, value, size } => {
                self.has(value, 8)?;
                [to, size].into_iter().try_for_each(|one| self.has(one, 64))
            }
            Step::Opaque { to, .. } => to.map_or(Ok(0), |to| self.register(to)).map(|_| ()),
        }
    }

    fn end(&self, end: &End) -> Result<(), BadMap> {
        match end {
            End::Jump(to) => self.block(*to),
            End::Branch {
                condition,
                holds,
                fails,
                ..
            } => {
                self.has(condition, 1)?;
                self.block(*holds)?;
                self.block(*fails)
            }
            End::Switch {
                value,
                cases,
                default,
                ..
            } => {
                let width = self.width(value)?;
                for (case, to) in cases {
                    if checked(case)? != width {
                        return Err(WIDTH);
                    }
                    self.block(*to)?;
                }
                self.block(*default)
            }
            End::Return(Some(value)) => self.width(value).map(|_| ()),
            End::Return(None) | End::Fail | End::Unreachable => Ok(()),
        }
    }
}

fn checked(constant: &Constant) -> Result<u32, BadMap> {
    let Constant { width, words } = constant;
    match (1..=MAX_WIDTH).contains(width) && words.len() as u32 == width.div_ceil(64) {
        true => Ok(*width),
        false => Err(WIDTH),
    }
}
