//! A machine for programs as transition relations, on concrete inputs: as plain as can be, since it is the
//! truth that the real run is compared with.

use elsewise_explore::program::*;
use elsewise_explore::{Blueprint, SideId, SiteId};
use elsewise_term::Bits;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    Exit,
    Fail,
    /// An assumption did not hold.
    Dismissed,
    /// Not followed to the end, and why.
    Lost(String),
}

pub struct Machine<'a> {
    program: &'a Program,
    blueprint: &'a Blueprint,
    input: &'a dyn Fn(&str, u32) -> Vec<u8>,
    /// Size and bytes of all memory, by its address; `None` is a byte that nobody has written.
    memory: BTreeMap<u64, Vec<Option<u8>>>,
    constant: BTreeSet<u64>,
    functions: HashMap<u64, FunctionId>,
    next_address: u64,
    uses: HashMap<String, u32>,
    positions: HashMap<String, usize>,
    pub covered: BTreeSet<SideId>,
    /// The side at each site, in order.
    pub choices: Vec<(SiteId, u32)>,
    steps: u64,
}

const FIRST_ADDRESS: u64 = 0x2000_0000_0000;
const MAX_STEPS: u64 = 20_000_000;
const MAX_CALLS: usize = 20_000;

struct Call {
    function: FunctionId,
    block: usize,
    step: usize,
    registers: Vec<Option<Bits>>,
    locals: Vec<u64>,
}

fn lost<T>(why: impl Into<String>) -> Result<T, Ended> {
    Err(Ended::Lost(why.into()))
}

impl<'a> Machine<'a> {
    pub fn new(
        program: &'a Program,
        blueprint: &'a Blueprint,
        input: &'a dyn Fn(&str, u32) -> Vec<u8>,
    ) -> Machine<'a> {
        let mut memory = BTreeMap::new();
        let mut constant = BTreeSet::new();
        for object in &program.objects {
            assert!(object.address > 0 && object.bytes.len() as u64 <= object.size);
            let mut bytes = object.bytes.clone();
            bytes.resize(object.size as usize, 0);
            let before = memory.range(..=object.address).next_back();
            assert!(before.is_none_or(
                |(at, bytes): (&u64, &Vec<_>)| at + bytes.len() as u64 <= object.address
            ));
            memory.insert(object.address, bytes.into_iter().map(Some).collect());
            if object.constant {
                constant.insert(object.address);
            }
        }
        let functions = program.functions.iter().zip(0..);
        let functions = functions
            .filter(|(function, _)| function.address != 0)
            .map(|(function, number)| (function.address, FunctionId(number)))
            .collect();
        Machine {
            program,
            blueprint,
            input,
            memory,
            constant,
            functions,
            next_address: FIRST_ADDRESS,
            uses: HashMap::new(),
            positions: HashMap::new(),
            covered: BTreeSet::new(),
            choices: Vec::new(),
            steps: 0,
        }
    }

    pub fn run(&mut self) -> Ended {
        match self.go() {
            Ok(()) => Ended::Exit,
            Err(ended) => ended,
        }
    }

    fn go(&mut self) -> Result<(), Ended> {
        let mut calls = vec![self.call(self.program.entry, &[])?];
        loop {
            let depth = calls.len();
            let Some(call) = calls.last_mut() else {
                return Ok(());
            };
            self.steps += 1;
            if self.steps > MAX_STEPS {
                return lost("too long");
            }
            let function = &self.program.functions[call.function.0 as usize];
            let block = &function.blocks[call.block];
            if let Some(step) = block.steps.get(call.step) {
                call.step += 1;
                if let Some(next) = self.step(call, step)? {
                    if depth > MAX_CALLS {
                        return lost("too deep");
                    }
                    calls.push(next);
                }
                continue;
            }
            let to = match &block.end {
                End::Jump(to) => *to,
                End::Branch {
                    condition,
                    holds,
                    fails,
                    site,
                    exchanged,
                } => {
                    let taken = call.value(condition)?.is_one();
                    self.side(*site, u32::from(taken == *exchanged));
                    if taken { *holds } else { *fails }
                }
                End::Switch {
                    value,
                    cases,
                    default,
                    site,
                } => {
                    let value = call.value(value)?;
                    let taken = cases.iter().position(|(case, _)| *case == value);
                    self.side(*site, taken.unwrap_or(cases.len()) as u32);
                    taken.map_or(*default, |index| cases[index].1)
                }
                End::Return(value) => {
                    let value = value.as_ref().map(|value| call.value(value)).transpose()?;
                    for local in std::mem::take(&mut call.locals) {
                        self.memory.remove(&local);
                    }
                    calls.pop();
                    let Some(caller) = calls.last_mut() else {
                        return lost("the entry returned");
                    };
                    let function = &self.program.functions[caller.function.0 as usize];
                    let step = &function.blocks[caller.block].steps[caller.step - 1];
                    if let Step::Call { to: Some(to), .. } = step {
                        match value {
                            Some(value) => caller.set(function, *to, value),
                            None => return lost("no result"),
                        }
                    }
                    continue;
                }
                End::Exit => return Ok(()),
                End::Fail => return Err(Ended::Fail),
                End::Unreachable => return lost("unreachable"),
            };
            let target = &function.blocks[to.0 as usize];
            let mut values = Vec::new();
            for phi in &target.phis {
                let from = phi
                    .from
                    .iter()
                    .find(|(from, _)| from.0 as usize == call.block);
                let Some((_, value)) = from else {
                    panic!(
                        "a phi of {} does not know where it comes from",
                        function.name
                    );
                };
                values.push((phi.to, call.value(value)));
            }
            for (to, value) in values {
                match value {
                    Ok(value) => call.set(function, to, value),
                    Err(_) => call.registers[to.0 as usize] = None,
                }
            }
            (call.block, call.step) = (to.0 as usize, 0);
        }
    }

    fn side(&mut self, site: Option<SiteId>, side: u32) {
        if let Some(site) = site {
            let info = &self.blueprint.sites[site.0 as usize];
            assert!(side < info.sides, "{site:?} has no side {side}");
            self.covered.insert(SideId(info.first_side + side));
            self.choices.push((site, side));
        }
    }

    fn call(&self, function: FunctionId, arguments: &[Option<Bits>]) -> Result<Call, Ended> {
        let callee = &self.program.functions[function.0 as usize];
        let mut registers = vec![None; callee.registers.len()];
        if arguments.len() < callee.parameters as usize {
            return lost("too few arguments");
        }
        for (index, argument) in arguments
            .iter()
            .take(callee.parameters as usize)
            .enumerate()
        {
            if let Some(argument) = argument
                && argument.width() != callee.registers[index]
            {
                return lost("arguments of other widths");
            }
            registers[index] = argument.clone();
        }
        Ok(Call {
            function,
            block: 0,
            step: 0,
            registers,
            locals: Vec::new(),
        })
    }

    /// The memory that holds so many bytes from here, and where in it that is.
    fn find(&self, address: u64, size: u64) -> Result<(u64, usize), Ended> {
        let found = self.memory.range(..=address).next_back();
        match found {
            Some((base, bytes)) if address - base + size <= bytes.len() as u64 => {
                Ok((*base, (address - base) as usize))
            }
            // Nothing is ever there.
            _ if address < 4096 => Err(Ended::Fail),
            _ => lost("no memory there"),
        }
    }

    fn read(&self, address: u64, size: u64) -> Result<Vec<Option<u8>>, Ended> {
        if size == 0 {
            return Ok(Vec::new());
        }
        let (base, offset) = self.find(address, size)?;
        Ok(self.memory[&base][offset..offset + size as usize].to_vec())
    }

    fn write(&mut self, address: u64, bytes: &[Option<u8>]) -> Result<(), Ended> {
        if bytes.is_empty() {
            return Ok(());
        }
        let (base, offset) = self.find(address, bytes.len() as u64)?;
        if self.constant.contains(&base) {
            return Err(Ended::Fail);
        }
        let memory = self.memory.get_mut(&base).expect("was just found");
        memory[offset..offset + bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    fn allocate(&mut self, size: u64, align: u64, filled: Option<u8>) -> Result<u64, Ended> {
        if size > 1 << 28 {
            return lost("much memory");
        }
        let address = self.next_address.next_multiple_of(align.max(16));
        self.next_address = address + size + 64;
        self.memory.insert(address, vec![filled; size as usize]);
        Ok(address)
    }

    /// A step; the call that it begins, if it does.
    fn step(&mut self, call: &mut Call, step: &Step) -> Result<Option<Call>, Ended> {
        let function = &self.program.functions[call.function.0 as usize];
        match step {
            Step::Assign {
                to,
                operator,
                operands,
            } => {
                let width = function.registers[to.0 as usize];
                if *operator == Operator::Copy {
                    let value = call.value(&operands[0]).ok();
                    call.registers[to.0 as usize] = value;
                } else {
                    let values: Vec<Bits> = operands
                        .iter()
                        .map(|operand| call.value(operand))
                        .collect::<Result<_, _>>()?;
                    call.set(function, *to, apply(*operator, &values, width)?);
                }
            }
            Step::Select {
                to,
                operands,
                site,
                exchanged,
            } => {
                let holds = call.value(&operands[0])?.is_one();
                self.side(*site, u32::from(holds == *exchanged));
                let value = call.value(&operands[if holds { 1 } else { 2 }]).ok();
                call.registers[to.0 as usize] = value;
            }
            Step::Load { to, address, size } => {
                let address = call.number(address)?;
                let bytes = self.read(address, (*size).into())?;
                let width = function.registers[to.0 as usize];
                let bytes: Option<Vec<u8>> = bytes.into_iter().collect();
                // What nobody has written matters only to whoever uses it.
                call.registers[to.0 as usize] = bytes.map(|bytes| from_bytes(width, &bytes));
            }
            Step::Store {
                address,
                value,
                size,
            } => {
                let address = call.number(address)?;
                let bytes = match call.value(value) {
                    Ok(value) => to_bytes(&value, *size as usize)
                        .into_iter()
                        .map(Some)
                        .collect(),
                    Err(_) => vec![None; *size as usize],
                };
                self.write(address, &bytes)?;
            }
            Step::Local { to, size, align } => {
                let address = self.allocate(*size, *align, None)?;
                call.locals.push(address);
                call.set(function, *to, Bits::new(64, address));
            }
            Step::Call {
                callee, arguments, ..
            } => {
                let callee = match callee {
                    Callee::Function(function) => *function,
                    Callee::Pointer(address) => {
                        let address = call.number(address)?;
                        match self.functions.get(&address) {
                            Some(function) => *function,
                            None if address < 4096 => return Err(Ended::Fail),
                            None => return lost("no function there"),
                        }
                    }
                };
                let arguments: Vec<Option<Bits>> = arguments
                    .iter()
                    .map(|argument| call.value(argument).ok())
                    .collect();
                return self.call(callee, &arguments).map(Some);
            }
            Step::Allocate { to, size, zeroed } => {
                let size = call.number(size)?;
                let address = self.allocate(size, 16, zeroed.then_some(0))?;
                call.set(function, *to, Bits::new(64, address));
            }
            Step::Release { address } => {
                let address = call.number(address)?;
                if address != 0 && self.memory.remove(&address).is_none() {
                    return Err(Ended::Fail);
                }
            }
            Step::Move { to, from, size } => {
                let (to, from) = (call.number(to)?, call.number(from)?);
                let bytes = self.read(from, call.number(size)?)?;
                self.write(to, &bytes)?;
            }
            Step::Fill { to, value, size } => {
                let (to, size) = (call.number(to)?, call.number(size)?);
                if size > 1 << 28 {
                    return lost("much memory");
                }
                let value = call.value(value).ok().map(|value| value.low_u64() as u8);
                self.write(to, &vec![value; size as usize])?;
            }
            Step::Input { to, source } => self.input(call, to, source)?,
            Step::Assume { condition, .. } => {
                if call.value(condition)?.is_zero() {
                    return Err(Ended::Dismissed);
                }
            }
            Step::Effect { to } => {
                if let Some(to) = to {
                    call.registers[to.0 as usize] = None;
                }
            }
            Step::Opaque { what, .. } => return lost(format!("opaque: {what}")),
        }
        Ok(None)
    }

    fn input(&mut self, call: &mut Call, to: &InputPlace, source: &Source) -> Result<(), Ended> {
        let function = &self.program.functions[call.function.0 as usize];
        let size = match to {
            InputPlace::Register(to) => u64::from(function.registers[to.0 as usize] / 8),
            InputPlace::Memory { size, .. } => call.number(size)?,
        };
        let (bytes, from) = match source {
            Source::Named(name) => {
                let mut at = call.number(name)?;
                let mut text = Vec::new();
                loop {
                    match self.read(at, 1)?[0] {
                        Some(0) => break,
                        Some(byte) => text.push(byte),
                        None => return lost("a name that nobody wrote"),
                    }
                    at += 1;
                }
                let name = String::from_utf8(text).expect("names are text");
                let uses = self.uses.entry(name.clone()).or_default();
                *uses += 1;
                ((self.input)(&name, *uses - 1), 0)
            }
            Source::Next(name) => {
                let position = self.positions.entry(name.to_string()).or_default();
                let from = *position;
                *position += size as usize;
                ((self.input)(name, 0), from)
            }
        };
        let bytes: Vec<u8> = (from..from + size as usize)
            .map(|at| bytes.get(at).copied().unwrap_or(0))
            .collect();
        match to {
            InputPlace::Register(to) => {
                let width = function.registers[to.0 as usize];
                call.set(function, *to, from_bytes(width, &bytes));
                Ok(())
            }
            InputPlace::Memory { address, .. } => {
                let address = call.number(address)?;
                let bytes: Vec<Option<u8>> = bytes.into_iter().map(Some).collect();
                self.write(address, &bytes)
            }
        }
    }
}

impl Call {
    fn value(&self, operand: &Operand) -> Result<Bits, Ended> {
        match operand {
            Operand::Register(register) => match &self.registers[register.0 as usize] {
                Some(value) => Ok(value.clone()),
                None => lost("a value that nobody knows"),
            },
            Operand::Constant(value) => Ok(value.clone()),
            Operand::Undefined(_) => lost("an undefined value"),
        }
    }

    fn number(&self, operand: &Operand) -> Result<u64, Ended> {
        let value = self.value(operand)?;
        assert_eq!(value.width(), 64);
        Ok(value.low_u64())
    }

    fn set(&mut self, function: &Function, to: Register, value: Bits) {
        let width = function.registers[to.0 as usize];
        assert_eq!(value.width(), width, "in {}", function.name);
        self.registers[to.0 as usize] = Some(value);
    }
}

fn from_bytes(width: u32, bytes: &[u8]) -> Bits {
    let mut words = vec![0u64; bytes.len().div_ceil(8).max(1)];
    for (index, byte) in bytes.iter().enumerate() {
        words[index / 8] |= u64::from(*byte) << (index % 8 * 8);
    }
    let whole = Bits::from_words((bytes.len() * 8) as u32, &words);
    match whole.width() == width {
        true => whole,
        false => whole.extract(0, width),
    }
}

fn to_bytes(value: &Bits, size: usize) -> Vec<u8> {
    let words: Vec<u64> = value.words().collect();
    let bytes = words.iter().flat_map(|word| word.to_le_bytes());
    let mut bytes: Vec<u8> = bytes.collect();
    bytes.resize(size, 0);
    bytes
}

fn apply(operator: Operator, values: &[Bits], width: u32) -> Result<Bits, Ended> {
    use Operator::*;
    let a = &values[0];
    let b = values.get(1).unwrap_or(a);
    let truth = |holds: bool| Bits::new(1, holds.into());
    if matches!(operator, UDiv | URem | SDiv | SRem) && b.is_zero() {
        return Err(Ended::Fail);
    }
    let least = Bits::new(1, 1)
        .concat(&Bits::new(a.width(), 0))
        .extract(1, a.width());
    if matches!(operator, SDiv | SRem) && b.is_ones() && *a == least {
        return Err(Ended::Fail);
    }
    Ok(match operator {
        Add => a.add(b),
        Sub => a.sub(b),
        Mul => a.mul(b),
        UDiv => a.udiv(b),
        SDiv => a.sdiv(b),
        URem => a.urem(b),
        SRem => a.srem(b),
        Shl => a.shl(b),
        LShr => a.lshr(b),
        AShr => a.ashr(b),
        And => a.and(b),
        Or => a.or(b),
        Xor => a.xor(b),
        Eq => truth(a == b),
        Ne => truth(a != b),
        Ult => truth(a.ult(b)),
        Ule => truth(a.ule(b)),
        Slt => truth(a.slt(b)),
        Sle => truth(a.sle(b)),
        ZeroExtend => a.zero_extend(width),
        SignExtend => a.sign_extend(width),
        Truncate => a.extract(0, width),
        Extract { low } => a.extract(low, width),
        Concat => a.concat(b),
        Copy => a.clone(),
    })
}
