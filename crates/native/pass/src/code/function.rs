//! One function as blocks of steps.

use super::{Codes, Why, zero};
use crate::functions::{self, direct_callee};
use crate::ir::{Block, Ir, Value};
use crate::llvm::attribute_kind;
use crate::sites::Sites;
use elsewise_wire::code::{self, End, Function, MAX_WIDTH, Operand, Operator, Phi, Step};
use llvm_sys::LLVMOpcode::*;
use std::collections::{HashMap, HashSet};

/// A function whose sites have no numbers yet.
pub struct UnnumberedFunction {
    function: Function,
    /// Sites of the function are indices into this until they are known.
    asked: Vec<Value>,
}

pub struct Teller<'a> {
    pub ir: &'a Ir,
    pub codes: &'a mut Codes,
    pub function: Function,
    /// What each value is made of.
    pub leaves: HashMap<Value, Vec<Operand>>,
    pub steps: Vec<Step>,
    numbers: HashMap<Block, u32>,
    asked: Vec<Value>,
}

impl Codes {
    /// Tells a function, of which only the blocks in `order` can be reached.
    pub fn tell(&mut self, ir: &Ir, function: Value, order: &[Block]) -> UnnumberedFunction {
        let symbol = self.symbol(function);
        let numbers = function.blocks().into_iter().zip(0..).collect();
        let mut teller = Teller {
            ir,
            codes: self,
            function: Function {
                symbol,
                ..Function::default()
            },
            leaves: HashMap::new(),
            steps: Vec::new(),
            numbers,
            asked: Vec::new(),
        };
        if let Err(why) = teller.all(function, order) {
            let registers = std::mem::take(&mut teller.function.registers);
            let kept = teller.function.parameters as usize;
            teller.function.registers = registers.into_iter().take(kept).collect();
            teller.function.blocks = vec![code::Block {
                phis: Vec::new(),
                steps: vec![Step::Opaque {
                    to: None,
                    what: why.to_string(),
                }],
                end: End::Unreachable,
            }];
        }
        UnnumberedFunction {
            function: teller.function,
            asked: teller.asked,
        }
    }

    /// Keeps a function whose sites are known now.
    pub fn keep(&mut self, told: UnnumberedFunction, sites: &Sites) {
        let UnnumberedFunction {
            mut function,
            asked,
        } = told;
        let settle = |site: &mut Option<u32>| {
            let instruction = site.and_then(|index| asked.get(index as usize));
            *site = instruction.and_then(|instruction| sites.number(*instruction));
        };
        for block in &mut function.blocks {
            for step in &mut block.steps {
                if let Step::Select { site, .. } | Step::Call { site, .. } = step {
                    settle(site);
                }
            }
            if let End::Branch { site, .. } | End::Switch { site, .. } = &mut block.end {
                settle(site);
            }
        }
        self.code.functions.push(function);
    }
}

impl Teller<'_> {
    fn all(&mut self, function: Value, order: &[Block]) -> Result<(), Why> {
        let mut wide = Vec::new();
        for (index, parameter) in (0..).zip(function.parameters()) {
            let leaves = self.ir.leaves(parameter.ty());
            let width = leaves.as_ref().map_or(64, |leaves| leaves.iter().sum());
            let register = self.fresh(width);
            self.function.parameters += 1;
            wide.push((index, parameter, register, leaves));
        }
        for (index, parameter, register, leaves) in wide {
            let leaves = self.take_apart(register, &leaves?);
            let leaves = match functions::by_value(self.ir, function, index) {
                Some(size) => vec![self.own_copy(function, index, size, leaves)],
                None => leaves,
            };
            self.leaves.insert(parameter, leaves);
        }
        // Those that a phi names before they are there.
        for i in order.iter().flat_map(|block| block.instructions()) {
            if i.opcode() == LLVMPHI {
                let widths = self.ir.leaves(i.ty()).unwrap_or_default();
                let leaves = widths.into_iter().map(|width| self.fresh(width));
                let leaves = leaves.map(Operand::Register).collect();
                self.leaves.insert(i, leaves);
            }
        }
        let blocks = function.blocks();
        let nothing = code::Block {
            phis: Vec::new(),
            steps: Vec::new(),
            end: End::Unreachable,
        };
        self.function.blocks = vec![nothing; blocks.len()];
        for block in order {
            let number = self.numbers[block] as usize;
            for i in block.instructions() {
                if let Some(end) = self.told(i) {
                    self.function.blocks[number].end = end;
                    break;
                }
            }
            self.function.blocks[number].steps = std::mem::take(&mut self.steps);
        }
        let reached: HashSet<Block> = order.iter().copied().collect();
        for block in order {
            self.phis(*block, &reached)?;
        }
        Ok(())
    }

    /// What is passed on the stack by value is the callee's own.
    fn own_copy(
        &mut self,
        function: Value,
        index: u32,
        size: u64,
        leaves: Vec<Operand>,
    ) -> Operand {
        let kind = attribute_kind("align");
        let align = function.attribute(Some(index), kind);
        let align = align.map_or(16, |attribute| attribute.value());
        let to = self.fresh(64);
        self.steps.push(Step::Local { to, size, align });
        self.steps.push(Step::Move {
            to: Operand::Register(to),
            from: leaves.into_iter().next().unwrap_or(zero(64)),
            size: super::number(64, size),
        });
        Operand::Register(to)
    }

    fn phis(&mut self, block: Block, reached: &HashSet<Block>) -> Result<(), Why> {
        let number = self.numbers[&block] as usize;
        for i in block.instructions() {
            if i.opcode() != LLVMPHI {
                break;
            }
            let registers = self.leaves.get(&i).cloned().unwrap_or_default();
            let mut from = vec![Vec::new(); registers.len()];
            for (value, before) in i.incoming() {
                if !reached.contains(&before) {
                    continue;
                }
                let leaves = self.of(value)?;
                for (from, leaf) in from.iter_mut().zip(leaves) {
                    from.push((self.numbers[&before], leaf));
                }
            }
            for (register, from) in registers.into_iter().zip(from) {
                if let Operand::Register(to) = register {
                    self.function.blocks[number].phis.push(Phi { to, from });
                }
            }
        }
        Ok(())
    }

    pub fn fresh(&mut self, width: u32) -> u32 {
        self.function.registers.push(width);
        self.function.registers.len() as u32 - 1
    }

    /// What a value is made of.
    pub fn of(&mut self, value: Value) -> Result<Vec<Operand>, Why> {
        if let Some(leaves) = self.leaves.get(&value) {
            return Ok(leaves.clone());
        }
        match value.is_constant() {
            true => self.codes.constant(self.ir, value),
            false => Err("values"),
        }
    }

    /// The one number that a value is.
    pub fn one(&mut self, value: Value) -> Result<Operand, Why> {
        let mut leaves = self.of(value)?;
        match (leaves.pop(), leaves.is_empty()) {
            (Some(leaf), true) => Ok(leaf),
            _ => Err("vectors"),
        }
    }

    pub fn width_of(&self, operand: &Operand) -> u32 {
        match operand {
            Operand::Register(register) => self.function.registers[*register as usize],
            Operand::Constant(constant) => constant.width,
            Operand::Address { .. } => 64,
        }
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

    /// Numbers out of one that holds them all, the first lowest.
    pub fn take_apart(&mut self, register: u32, widths: &[u32]) -> Vec<Operand> {
        if let [_] = widths {
            return vec![Operand::Register(register)];
        }
        let mut low = 0;
        let mut leaves = Vec::new();
        for width in widths {
            let whole = Operand::Register(register);
            leaves.push(self.assign(*width, Operator::Extract { low }, &[whole]));
            low += width;
        }
        leaves
    }

    /// The other way round.
    pub fn join(&mut self, leaves: Vec<Operand>) -> Result<Operand, Why> {
        let joined = leaves.into_iter().reduce(|low, high| {
            let width = self.width_of(&low) + self.width_of(&high);
            self.assign(width, Operator::Concat, &[high, low])
        });
        joined
            .filter(|joined| self.width_of(joined) <= MAX_WIDTH)
            .ok_or("structs")
    }

    pub fn asked(&mut self, instruction: Value) -> Option<u32> {
        self.asked.push(instruction);
        Some(self.asked.len() as u32 - 1)
    }

    /// Tells an instruction; what ends the block, if it does.
    fn told(&mut self, i: Value) -> Option<End> {
        let before = self.steps.len();
        match self.instruction(i) {
            Ok(end) => end,
            Err(why) => {
                self.steps.truncate(before);
                let widths = self.ir.leaves(i.ty()).unwrap_or_default();
                let registers: Vec<u32> = widths.iter().map(|width| self.fresh(*width)).collect();
                self.steps.push(Step::Opaque {
                    to: registers.first().copied(),
                    what: why.to_string(),
                });
                let leaves = registers.into_iter().map(Operand::Register).collect();
                self.leaves.insert(i, leaves);
                i.is_terminator().then_some(End::Unreachable)
            }
        }
    }

    fn instruction(&mut self, i: Value) -> Result<Option<End>, Why> {
        let end = match i.opcode() {
            LLVMPHI => return Ok(None),
            LLVMBr => self.branch(i)?,
            LLVMSwitch => self.switch(i)?,
            LLVMRet => match i.operands().first() {
                None => End::Return(None),
                Some(value) => {
                    let leaves = self.of(*value)?;
                    End::Return(Some(self.join(leaves)?))
                }
            },
            LLVMUnreachable => End::Unreachable,
            LLVMInvoke => {
                self.call(i)?;
                End::Jump(self.numbers[&i.normal_destination()])
            }
            LLVMCall => {
                if let Some((_, name)) = direct_callee(i)
                    && let Some(name) = name.strip_prefix("llvm.")
                {
                    let name = name.to_string();
                    return self.intrinsic(i, &name);
                }
                self.call(i)?;
                return Ok(None);
            }
            _ => {
                let leaves = self.operation(i)?;
                if let Some(leaves) = leaves {
                    self.leaves.insert(i, leaves);
                }
                return Ok(None);
            }
        };
        Ok(Some(end))
    }

    fn branch(&mut self, i: Value) -> Result<End, Why> {
        let to: Vec<u32> = i
            .successors()
            .iter()
            .map(|block| self.numbers[block])
            .collect();
        let [holds, fails] = to[..] else {
            return Ok(End::Jump(to[0]));
        };
        Ok(End::Branch {
            condition: self.one(i.operand(0))?,
            holds,
            fails,
            site: self.asked(i),
        })
    }

    fn switch(&mut self, i: Value) -> Result<End, Why> {
        let to: Vec<u32> = i
            .successors()
            .iter()
            .map(|block| self.numbers[block])
            .collect();
        let value = self.one(i.operand(0))?;
        let mut cases = Vec::new();
        for (index, to) in to.iter().enumerate().skip(1) {
            let case = i.case(index as u32);
            cases.push((super::constants::constant(case).ok_or("constants")?, *to));
        }
        Ok(End::Switch {
            value,
            cases,
            default: to[0],
            site: self.asked(i),
        })
    }

    fn call(&mut self, i: Value) -> Result<(), Why> {
        let callee = i.called();
        let nothing = i.ty().is_void();
        if callee.is_assembly() {
            // A barrier for the compiler alone.
            return match nothing && i.arguments().is_empty() && callee.assembly().0.is_empty() {
                true => Ok(()),
                false => Err("assembly"),
            };
        }
        let callee = self.one(callee)?;
        let mut arguments = Vec::new();
        for argument in i.arguments() {
            let leaves = self.of(argument)?;
            arguments.push(self.join(leaves)?);
        }
        let widths = match nothing {
            true => Vec::new(),
            false => self.ir.leaves(i.ty())?,
        };
        let to = (!nothing).then(|| self.fresh(widths.iter().sum()));
        let site = self.asked(i);
        self.steps.push(Step::Call {
            to,
            callee,
            arguments,
            site,
        });
        if let Some(to) = to {
            let leaves = self.take_apart(to, &widths);
            self.leaves.insert(i, leaves);
        }
        Ok(())
    }
}
