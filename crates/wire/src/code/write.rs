//! Writing of code.

use super::*;

impl Code {
    pub(super) fn write(&self, w: &mut Writer) {
        w.int(FORMAT);
        w.int(self.key);
        w.list(&self.symbols, |w, symbol| {
            w.text(&symbol.name);
            w.int(symbol.binding as u64);
        });
        w.list(&self.variables, |w, variable| {
            w.int(variable.symbol.into());
            w.int(variable.size);
            w.int(variable.align);
            w.int(variable.constant.into());
            w.bytes(&variable.bytes);
            w.list(&variable.relocations, |w, relocation| {
                w.int(relocation.offset);
                w.int(relocation.symbol.into());
                w.signed(relocation.addend);
            });
            w.text(variable.opaque.as_deref().unwrap_or_default());
        });
        w.list(&self.aliases, |w, alias| {
            w.int(alias.symbol.into());
            w.int(alias.target.into());
            w.signed(alias.addend);
        });
        w.list(&self.functions, function);
        w.list(&self.constructors, |w, (priority, symbol)| {
            w.int((*priority).into());
            w.int((*symbol).into());
        });
    }
}

fn function(w: &mut Writer, function: &Function) {
    w.int(function.symbol.into());
    w.int(function.parameters.into());
    w.list(&function.registers, |w, width| w.int((*width).into()));
    w.list(&function.blocks, |w, block| {
        w.list(&block.phis, |w, phi| {
            w.int(phi.to.into());
            w.list(&phi.from, |w, (block, value)| {
                w.int((*block).into());
                operand(w, value);
            });
        });
        w.list(&block.steps, step);
        end(w, &block.end);
    });
}

fn constant(w: &mut Writer, constant: &Constant) {
    w.int(constant.width.into());
    w.list(&constant.words, |w, word| w.int(*word));
}

/// The lowest two bits say which it is.
fn operand(w: &mut Writer, operand: &Operand) {
    match operand {
        Operand::Register(register) => w.int(u64::from(*register) << 2),
        Operand::Constant(value) if value.words.len() == 1 => {
            w.int(u64::from(value.width) << 2 | 1);
            w.int(value.words[0]);
        }
        Operand::Constant(value) => {
            w.int(2);
            constant(w, value);
        }
        Operand::Address { symbol, addend } => {
            w.int(u64::from(*symbol) << 2 | 3);
            w.signed(*addend);
        }
    }
}

fn option(w: &mut Writer, number: Option<u32>) {
    w.int(number.map_or(0, |number| u64::from(number) + 1));
}

/// Operators have the numbers from here on: most steps are one.
pub(super) const FIRST_OPERATOR: u64 = 16;

fn step(w: &mut Writer, step: &Step) {
    match step {
        Step::Assign {
            to,
            operator,
            operands,
        } => {
            w.int(
                operator
                    .number()
                    .map_or(0, |number| number + FIRST_OPERATOR),
            );
            if let Operator::Extract { low } = operator {
                w.int((*low).into());
            }
            w.int((*to).into());
            w.list(operands, operand);
        }
        Step::Select { to, operands, site } => {
            w.int(1);
            w.int((*to).into());
            operands.iter().for_each(|one| operand(w, one));
            option(w, *site);
        }
        Step::Load { to, address, size } => {
            w.int(2);
            w.int((*to).into());
            operand(w, address);
            w.int((*size).into());
        }
        Step::Store {
            address,
            value,
            size,
        } => {
            w.int(3);
            operand(w, address);
            operand(w, value);
            w.int((*size).into());
        }
        Step::Local { to, size, align } => {
            w.int(4);
            w.int((*to).into());
            w.int(*size);
            w.int(*align);
        }
        Step::Call {
            to,
            callee,
            arguments,
            site,
        } => {
            w.int(5);
            option(w, *to);
            operand(w, callee);
            w.list(arguments, operand);
            option(w, *site);
        }
        Step::Move { to, from, size } => {
            w.int(6);
            [to, from, size].iter().for_each(|one| operand(w, one));
        }
        Step::Fill { to, value, size } => {
            w.int(7);
            [to, value, size].iter().for_each(|one| operand(w, one));
        }
        Step::Opaque { to, what } => {
            w.int(8);
            option(w, *to);
            w.text(what);
        }
    }
}

fn end(w: &mut Writer, end: &End) {
    match end {
        End::Jump(to) => {
            w.int(0);
            w.int((*to).into());
        }
        End::Branch {
            condition,
            holds,
            fails,
            site,
        } => {
            w.int(1);
            operand(w, condition);
            w.int((*holds).into());
            w.int((*fails).into());
            option(w, *site);
        }
        End::Switch {
            value,
            cases,
            default,
            site,
        } => {
            w.int(2);
            operand(w, value);
            w.list(cases, |w, (value, to)| {
                constant(w, value);
                w.int((*to).into());
            });
            w.int((*default).into());
            option(w, *site);
        }
        End::Return(None) => w.int(3),
        End::Return(Some(value)) => {
            w.int(4);
            operand(w, value);
        }
        End::Fail => w.int(5),
        End::Unreachable => w.int(6),
    }
}
