//! Instructions that compute, and those that touch memory.

use super::constants::{self, Offset};
use super::function::Teller;
use super::{Why, number};
use crate::ir::Value;
use elsewise_wire::code::{Operand, Operator, Step};
use llvm_sys::LLVMAtomicRMWBinOp::*;
use llvm_sys::LLVMIntPredicate::{self, *};
use llvm_sys::LLVMOpcode::{self, *};

fn arithmetic(opcode: LLVMOpcode) -> Option<Operator> {
    Some(match opcode {
        LLVMAdd => Operator::Add,
        LLVMSub => Operator::Sub,
        LLVMMul => Operator::Mul,
        LLVMUDiv => Operator::UDiv,
        LLVMSDiv => Operator::SDiv,
        LLVMURem => Operator::URem,
        LLVMSRem => Operator::SRem,
        LLVMShl => Operator::Shl,
        LLVMLShr => Operator::LShr,
        LLVMAShr => Operator::AShr,
        LLVMAnd => Operator::And,
        LLVMOr => Operator::Or,
        LLVMXor => Operator::Xor,
        _ => return None,
    })
}

/// The operator, and whether its operands change places.
fn comparison(predicate: LLVMIntPredicate) -> (Operator, bool) {
    match predicate {
        LLVMIntEQ => (Operator::Eq, false),
        LLVMIntNE => (Operator::Ne, false),
        LLVMIntULT => (Operator::Ult, false),
        LLVMIntULE => (Operator::Ule, false),
        LLVMIntUGT => (Operator::Ult, true),
        LLVMIntUGE => (Operator::Ule, true),
        LLVMIntSLT => (Operator::Slt, false),
        LLVMIntSLE => (Operator::Sle, false),
        LLVMIntSGT => (Operator::Slt, true),
        LLVMIntSGE => (Operator::Sle, true),
    }
}

impl Teller<'_> {
    /// Tells an instruction: what its result is made of, if it has one.
    pub fn operation(&mut self, i: Value) -> Result<Option<Vec<Operand>>, Why> {
        if let Some(operator) = arithmetic(i.opcode()) {
            let [a, b] = [self.one(i.operand(0))?, self.one(i.operand(1))?];
            let width = self.width_of(&a);
            return Ok(Some(vec![self.assign(width, operator, &[a, b])]));
        }
        let result = match i.opcode() {
            LLVMICmp => {
                let [a, b] = [self.one(i.operand(0))?, self.one(i.operand(1))?];
                let (operator, exchange) = comparison(i.compares());
                let operands = if exchange { [b, a] } else { [a, b] };
                self.assign(1, operator, &operands)
            }
            LLVMZExt | LLVMSExt | LLVMTrunc | LLVMPtrToInt | LLVMIntToPtr => {
                let value = self.one(i.operand(0))?;
                let width = self.ir.width(i.ty())?;
                self.resize(value, width, i.opcode() == LLVMSExt)
            }
            LLVMBitCast => {
                let value = self.one(i.operand(0))?;
                if self.width_of(&value) != self.ir.width(i.ty())? {
                    return Err("vectors");
                }
                value
            }
            LLVMFreeze => return self.of(i.operand(0)).map(Some),
            LLVMGetElementPtr => self.element(i)?,
            LLVMSelect => return self.select(i).map(Some),
            LLVMExtractValue => {
                let whole = self.of(i.operand(0))?;
                let (first, count) = self.at(i.operand(0), i)?;
                return Ok(Some(whole[first..first + count].to_vec()));
            }
            LLVMInsertValue => {
                let mut whole = self.of(i.operand(0))?;
                let part = self.of(i.operand(1))?;
                let (first, count) = self.at(i.operand(0), i)?;
                whole.splice(first..first + count, part);
                return Ok(Some(whole));
            }
            LLVMExtractElement => {
                let whole = self.of(i.operand(0))?;
                let at = constants::signed(i.operand(1)).ok_or("vectors")?;
                whole.get(at as usize).cloned().ok_or("vectors")?
            }
            LLVMInsertElement => {
                let mut whole = self.of(i.operand(0))?;
                let at = constants::signed(i.operand(2)).ok_or("vectors")?;
                *whole.get_mut(at as usize).ok_or("vectors")? = self.one(i.operand(1))?;
                return Ok(Some(whole));
            }
            LLVMAlloca => self.local(i)?,
            LLVMLoad => {
                let address = self.one(i.operand(0))?;
                let ty = i.ty();
                let size = self.ir.store_size(ty) as u32;
                self.load(address, self.ir.width(ty)?, size)
            }
            LLVMStore => {
                let value = self.one(i.operand(0))?;
                let address = self.one(i.operand(1))?;
                let size = self.ir.store_size(i.operand(0).ty()) as u32;
                self.steps.push(Step::Store {
                    address,
                    value,
                    size,
                });
                return Ok(None);
            }
            LLVMFence => return Ok(None),
            LLVMAtomicRMW => self.read_modify_write(i)?,
            LLVMAtomicCmpXchg => return self.compare_exchange(i).map(Some),
            LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv | LLVMFRem | LLVMFNeg | LLVMFCmp
            | LLVMFPTrunc | LLVMFPExt | LLVMFPToSI | LLVMFPToUI | LLVMSIToFP | LLVMUIToFP => {
                return Err("floats");
            }
            LLVMLandingPad | LLVMResume | LLVMCatchPad | LLVMCleanupPad => {
                return Err("exceptions");
            }
            LLVMShuffleVector => return Err("vectors"),
            LLVMVAArg => return Err("variable arguments"),
            LLVMIndirectBr | LLVMCallBr => return Err("computed jumps"),
            _ => return Err("instructions"),
        };
        Ok(Some(vec![result]))
    }

    /// Where the indices of an instruction lead to in a value.
    fn at(&self, whole: Value, i: Value) -> Result<(usize, usize), Why> {
        self.ir.leaves_at(whole.ty(), &i.indices())
    }

    pub fn resize(&mut self, value: Operand, width: u32, signed: bool) -> Operand {
        let operator = match self.width_of(&value).cmp(&width) {
            std::cmp::Ordering::Equal => return value,
            std::cmp::Ordering::Greater => Operator::Truncate,
            std::cmp::Ordering::Less if signed => Operator::SignExtend,
            std::cmp::Ordering::Less => Operator::ZeroExtend,
        };
        self.assign(width, operator, &[value])
    }

    fn element(&mut self, i: Value) -> Result<Operand, Why> {
        let mut at = self.one(i.operand(0))?;
        let Offset { bytes, scaled } = constants::offset(self.ir, i)?;
        for (index, scale) in scaled {
            let index = self.one(index)?;
            let index = self.resize(index, 64, true);
            let step = match scale {
                1 => index,
                _ => self.assign(64, Operator::Mul, &[index, number(64, scale)]),
            };
            at = self.assign(64, Operator::Add, &[at, step]);
        }
        if bytes != 0 {
            at = match at {
                Operand::Address { symbol, addend } => Operand::Address {
                    symbol,
                    addend: addend.wrapping_add(bytes),
                },
                at => self.assign(64, Operator::Add, &[at, number(64, bytes as u64)]),
            };
        }
        Ok(at)
    }

    /// What is chosen of, number by number; the choice itself is one.
    fn select(&mut self, i: Value) -> Result<Vec<Operand>, Why> {
        let condition = self.one(i.operand(0))?;
        let holds = self.of(i.operand(1))?;
        let fails = self.of(i.operand(2))?;
        let mut site = self.asked(i);
        let mut leaves = Vec::new();
        for (holds, fails) in holds.into_iter().zip(fails) {
            let to = self.fresh(self.width_of(&holds));
            self.steps.push(Step::Select {
                to,
                operands: [condition.clone(), holds, fails],
                site: site.take(),
            });
            leaves.push(Operand::Register(to));
        }
        Ok(leaves)
    }

    /// A choice that is none of the program's.
    pub fn choose(&mut self, condition: Operand, holds: Operand, fails: Operand) -> Operand {
        let to = self.fresh(self.width_of(&holds));
        self.steps.push(Step::Select {
            to,
            operands: [condition, holds, fails],
            site: None,
        });
        Operand::Register(to)
    }

    fn local(&mut self, i: Value) -> Result<Operand, Why> {
        let count = constants::signed(i.operand(0)).ok_or("variable sizes")?;
        let size = self.ir.size(i.allocated_type());
        let to = self.fresh(64);
        self.steps.push(Step::Local {
            to,
            size: size.saturating_mul(count as u64),
            align: u64::from(i.alignment()).max(1),
        });
        Ok(Operand::Register(to))
    }

    fn load(&mut self, address: Operand, width: u32, size: u32) -> Operand {
        let to = self.fresh(width);
        self.steps.push(Step::Load { to, address, size });
        Operand::Register(to)
    }

    // Threads cannot be followed, so atomics are what they are for one.

    fn read_modify_write(&mut self, i: Value) -> Result<Operand, Why> {
        let address = self.one(i.operand(0))?;
        let value = self.one(i.operand(1))?;
        let ty = i.ty();
        let (width, size) = (self.ir.width(ty)?, self.ir.store_size(ty) as u32);
        let old = self.load(address.clone(), width, size);
        let pair = [old.clone(), value.clone()];
        let operator = match i.modifies_by() {
            LLVMAtomicRMWBinOpXchg => Operator::Copy,
            LLVMAtomicRMWBinOpAdd => Operator::Add,
            LLVMAtomicRMWBinOpSub => Operator::Sub,
            LLVMAtomicRMWBinOpAnd => Operator::And,
            LLVMAtomicRMWBinOpOr => Operator::Or,
            LLVMAtomicRMWBinOpXor => Operator::Xor,
            _ => return Err("atomics"),
        };
        let value = match operator {
            Operator::Copy => value,
            operator => self.assign(width, operator, &pair),
        };
        self.steps.push(Step::Store {
            address,
            value,
            size,
        });
        Ok(old)
    }

    fn compare_exchange(&mut self, i: Value) -> Result<Vec<Operand>, Why> {
        let [address, expected, new] = [0, 1, 2].map(|index| self.one(i.operand(index)));
        let (address, expected, new) = (address?, expected?, new?);
        let ty = i.operand(1).ty();
        let (width, size) = (self.ir.width(ty)?, self.ir.store_size(ty) as u32);
        let old = self.load(address.clone(), width, size);
        let same = self.assign(1, Operator::Eq, &[old.clone(), expected]);
        let value = self.choose(same.clone(), new, old.clone());
        self.steps.push(Step::Store {
            address,
            value,
            size,
        });
        Ok(vec![old, same])
    }
}
