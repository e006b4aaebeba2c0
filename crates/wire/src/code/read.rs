//! Reading of code: any bytes may stand there.

use super::write::FIRST_OPERATOR;
use super::*;

type Read<T> = Result<T, BadMap>;

impl Code {
    pub(super) fn read(r: &mut Reader) -> Read<Code> {
        if r.int()? != FORMAT {
            return Err(BadMap("written by another version of the pass"));
        }
        Ok(Code {
            key: r.int()?,
            symbols: r.list(|r| {
                Ok(Symbol {
                    name: r.text()?,
                    binding: match r.int()? {
                        0 => Binding::Global,
                        1 => Binding::Weak,
                        2 => Binding::Local,
                        _ => return Err(BadMap("unknown kind of symbol")),
                    },
                })
            })?,
            variables: r.list(variable)?,
            aliases: r.list(|r| {
                Ok(Alias {
                    symbol: r.small()?,
                    target: r.small()?,
                    addend: r.signed()?,
                })
            })?,
            functions: r.list(function)?,
            constructors: r.list(|r| Ok((r.small()?, r.small()?)))?,
        })
    }
}

fn variable(r: &mut Reader) -> Read<Variable> {
    Ok(Variable {
        symbol: r.small()?,
        size: r.int()?,
        align: r.int()?,
        constant: r.int()? != 0,
        bytes: r.bytes()?.to_vec(),
        relocations: r.list(|r| {
            Ok(Relocation {
                offset: r.int()?,
                symbol: r.small()?,
                addend: r.signed()?,
            })
        })?,
        opaque: Some(r.text()?).filter(|why| !why.is_empty()),
    })
}

fn function(r: &mut Reader) -> Read<Function> {
    Ok(Function {
        symbol: r.small()?,
        parameters: r.small()?,
        registers: r.list(Reader::small)?,
        blocks: r.list(|r| {
            Ok(Block {
                phis: r.list(|r| {
                    Ok(Phi {
                        to: r.small()?,
                        from: r.list(|r| Ok((r.small()?, operand(r)?)))?,
                    })
                })?,
                steps: r.list(step)?,
                end: end(r)?,
            })
        })?,
    })
}

fn constant(r: &mut Reader) -> Read<Constant> {
    Ok(Constant {
        width: r.small()?,
        words: r.list(Reader::int)?,
    })
}

fn operand(r: &mut Reader) -> Read<Operand> {
    let head = r.int()?;
    let number = u32::try_from(head >> 2).map_err(|_| BadMap("a number out of range"))?;
    Ok(match head & 3 {
        0 => Operand::Register(number),
        1 => Operand::Constant(Constant {
            width: number,
            words: vec![r.int()?],
        }),
        2 => Operand::Constant(constant(r)?),
        _ => Operand::Address {
            symbol: number,
            addend: r.signed()?,
        },
    })
}

fn option(r: &mut Reader) -> Read<Option<u32>> {
    Ok(r.small()?.checked_sub(1))
}

fn step(r: &mut Reader) -> Read<Step> {
    Ok(match r.int()? {
        0 => {
            let operator = Operator::Extract { low: r.small()? };
            assign(r, operator)?
        }
        1 => Step::Select {
            to: r.small()?,
            operands: [operand(r)?, operand(r)?, operand(r)?],
            site: option(r)?,
        },
        2 => Step::Load {
            to: r.small()?,
            address: operand(r)?,
            size: r.small()?,
        },
        3 => Step::Store {
            address: operand(r)?,
            value: operand(r)?,
            size: r.small()?,
        },
        4 => Step::Local {
            to: r.small()?,
            size: r.int()?,
            align: r.int()?,
        },
        5 => Step::Call {
            to: option(r)?,
            callee: operand(r)?,
            arguments: r.list(operand)?,
            site: option(r)?,
        },
        6 => Step::Move {
            to: operand(r)?,
            from: operand(r)?,
            size: operand(r)?,
        },
        7 => Step::Fill {
            to: operand(r)?,
            value: operand(r)?,
            size: operand(r)?,
        },
        8 => Step::Opaque {
            to: option(r)?,
            what: r.text()?,
        },
        other => {
            let number = other.checked_sub(FIRST_OPERATOR);
            let operator = number.and_then(Operator::from_number);
            assign(r, operator.ok_or(BadMap("unknown kind of step"))?)?
        }
    })
}

fn assign(r: &mut Reader, operator: Operator) -> Read<Step> {
    Ok(Step::Assign {
        to: r.small()?,
        operator,
        operands: r.list(operand)?,
    })
}

fn end(r: &mut Reader) -> Read<End> {
    Ok(match r.int()? {
        0 => End::Jump(r.small()?),
        1 => End::Branch {
            condition: operand(r)?,
            holds: r.small()?,
            fails: r.small()?,
            site: option(r)?,
        },
        2 => End::Switch {
            value: operand(r)?,
            cases: r.list(|r| Ok((constant(r)?, r.small()?)))?,
            default: r.small()?,
            site: option(r)?,
        },
        3 => End::Return(None),
        4 => End::Return(Some(operand(r)?)),
        5 => End::Fail,
        6 => End::Unreachable,
        _ => return Err(BadMap("unknown end of a block")),
    })
}
