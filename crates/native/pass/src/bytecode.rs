//! Turns slow paths into bytecode, which the runtime interprets (`wire/src/bytecode.rs` says why
//! and how).
//!
//! A slow path is first written as code, like everything else; once its function is complete and
//! it is known which of its results anybody wants, the code is taken out again and told in words.

use crate::frame;
use crate::globals::Globals;
use crate::ir::{Block, Ir, Value, comparison};
use elsewise_wire::bytecode::{ARGUMENTS, CONSTANT, Code, HEAD, INPUTS, RESULTS, SLOTS};
use llvm_sys::LLVMLinkage;
use llvm_sys::LLVMOpcode::*;
use std::collections::{HashMap, HashSet};

/// `CallingConv::PreserveMost`.
const PRESERVE_MOST: u32 = 14;

/// The bytecode of one module.
pub struct Bytecode {
    words: Vec<u16>,
    /// Where each program begins.
    known: HashMap<Vec<u16>, usize>,
    /// Stands for the words until all are there.
    place: Value,
    /// Registers of the caller that a slow path keeps are of use.
    keeps_registers: bool,
}

impl Bytecode {
    /// `simple` code has no values in registers when it takes a slow path, and the code generator is
    /// quicker with a call as any other.
    pub fn new(ir: &Ir, simple: bool) -> Bytecode {
        Bytecode {
            keeps_registers: !simple,
            words: Vec::new(),
            known: HashMap::new(),
            place: ir.module.add_global("", ir.i8),
        }
    }

    /// Turns the code of `block`, which ends in a jump, into bytecode; what cannot be told in its
    /// words stays as it is.
    pub fn replace(&mut self, ir: &Ir, globals: &Globals, frame: Value, block: Block) {
        let mut code = block.instructions();
        let Some(jump) = code.pop() else {
            return;
        };
        let mut writer = Writer::new(ir, globals.first_site);
        let told = writer.tell(&code);
        let Some(results) = told else {
            // The runtime has no function for these.
            let of_call = |i: &Value| called(*i).and_then(|name| Code::of_call(&name));
            let must = |i: &Value| of_call(i).and_then(Code::before_pairs).is_some();
            assert!(!code.iter().any(must), "a foreign call can be told");
            return;
        };
        let offset = self.add(writer.finish());
        ir.before(jump);
        let mut arguments = vec![ir.offset(self.place, 2 * offset as u64)];
        for (index, input) in writer.inputs.iter().enumerate() {
            match index < ARGUMENTS {
                true => arguments.push(ir.low_bits(*input)),
                false => ir.store(*input, frame::slot(ir, frame, index)),
            }
        }
        arguments.resize(1 + ARGUMENTS, ir.i64.poison());
        let parameters = [ir.ptr, ir.i64, ir.i64, ir.i64];
        let (function, ty) = ir.runtime("__elw_slow", ir.i32, &parameters);
        let call = ir.builder.call(function, ty, &arguments);
        if self.keeps_registers {
            function.set_call_convention(PRESERVE_MOST);
            call.set_call_convention(PRESERVE_MOST);
            // Resolving it at its first call would destroy registers that it keeps.
            function.add_attribute("nonlazybind", 0);
        }
        function.add_attribute("cold", 0);
        let inside: HashSet<Value> = code.iter().copied().collect();
        for (index, result) in results.iter().enumerate() {
            let back = match index {
                0 => call,
                _ => ir.load(ir.i32, frame::outlined_place(ir, frame, index - 1)),
            };
            replace_outside(*result, back, &inside);
        }
        for instruction in code.into_iter().rev() {
            if !writer.stays.contains(&instruction) {
                // SAFETY: the path's own code, of which only its results were known outside, and they are replaced;
                // code goes on elsewhere.
                unsafe { instruction.erase() };
            }
        }
    }

    fn add(&mut self, program: Vec<u16>) -> usize {
        let words = &mut self.words;
        let begin = self.known.entry(program).or_insert_with_key(|program| {
            let begin = HEAD + words.len();
            words.extend([begin as u16, (begin >> 16) as u16]);
            words.extend_from_slice(program);
            begin
        });
        *begin
    }

    /// Puts the words into the module.
    pub fn finish(self, ir: &Ir, globals: &Globals) {
        let bytes: Vec<u8> = self
            .words
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .collect();
        let text = ir.context.bytes(&bytes);
        let ty = ir.context.packed_struct(&[ir.i32, text.ty()]);
        let words = ir.module.add_global("__elw_bytecode", ty);
        let [to, from] = [globals.first_site, words].map(|at| at.constant_cast(ir.i64));
        let distance = to.constant_distance(from, ir.i32);
        words.set_initial_value(ir.context.constant_struct(&[distance, text], true));
        words.set_linkage(LLVMLinkage::LLVMInternalLinkage);
        words.set_constant_variable();
        words.set_alignment(2);
        // SAFETY: addresses of programs in the place were computed where they are used, and nobody has kept one.
        unsafe {
            self.place.replace_global(words);
            self.place.delete_variable();
        }
    }
}

/// The name of the function that an instruction calls.
fn called(instruction: Value) -> Option<String> {
    (instruction.opcode() == LLVMCall).then(|| instruction.called().name())
}

/// Writes one program.
struct Writer<'a> {
    ir: &'a Ir,
    first_site: Value,
    words: Vec<u16>,
    constants: Vec<u64>,
    /// Values from outside, in the order of their slots.
    inputs: Vec<Value>,
    /// Operands by value: inputs, and what was computed.
    operands: HashMap<Value, u16>,
    /// What the program itself computes.
    own: HashSet<Value>,
    /// Instructions that stay code, in front of the call.
    stays: HashSet<Value>,
    free: usize,
}

impl Writer<'_> {
    fn new(ir: &Ir, first_site: Value) -> Writer<'_> {
        Writer {
            ir,
            first_site,
            words: Vec::new(),
            constants: Vec::new(),
            inputs: Vec::new(),
            operands: HashMap::new(),
            own: HashSet::new(),
            stays: HashSet::new(),
            free: INPUTS,
        }
    }

    /// Tells the code; gives back which of its values are wanted elsewhere.
    fn tell(&mut self, code: &[Value]) -> Option<Vec<Value>> {
        self.own = code.iter().copied().collect();
        let own = self.own.clone();
        for instruction in code {
            if self.is_unused_number(*instruction) {
                continue;
            }
            self.instruction(*instruction)?;
        }
        let results: Vec<Value> = code
            .iter()
            .copied()
            .filter(|i| !self.stays.contains(i) && used_outside(*i, &own))
            .collect();
        if results.len() > RESULTS || self.free > SLOTS || self.inputs.len() > INPUTS {
            return None;
        }
        self.word(Code::End, results.len() as u32);
        for result in &results {
            self.operand(*result)?;
        }
        Some(results)
    }

    fn finish(&self) -> Vec<u16> {
        let mut program = vec![self.constants.len() as u16];
        for constant in &self.constants {
            program.extend((0..4).map(|part| (constant >> (16 * part)) as u16));
        }
        program.extend(&self.words);
        program
    }

    /// The number of a site, or the load that it begins with: told where it is used.
    fn is_unused_number(&self, i: Value) -> bool {
        match i.opcode() {
            LLVMLoad => i.operand(0) == self.first_site,
            LLVMAdd => self.site(i).is_some(),
            _ => false,
        }
    }

    /// A site within its module.
    fn site(&self, number: Value) -> Option<u32> {
        if !number.is_instruction() || number.opcode() != LLVMAdd {
            return None;
        }
        let (first, site) = (number.operand(0), number.operand(1));
        (first.is_load() && first.operand(0) == self.first_site)
            .then(|| constant(site))
            .flatten()
            .map(|site| site as u32)
    }

    fn word(&mut self, code: Code, number: u32) {
        self.words.push(code as u16 | (number as u16) << 8);
    }

    fn constant(&mut self, value: u64) -> u16 {
        let known = self.constants.iter().position(|known| *known == value);
        let index = known.unwrap_or_else(|| {
            self.constants.push(value);
            self.constants.len() - 1
        });
        index as u16 | CONSTANT
    }

    fn operand(&mut self, value: Value) -> Option<()> {
        let operand = match (self.operands.get(&value), constant(value)) {
            (Some(known), _) => *known,
            (None, Some(number)) => self.constant(number),
            (None, None) if self.own.contains(&value) && !self.stays.contains(&value) => {
                return None;
            }
            (None, None) if !self.ir.has_low_bits(value) => return None,
            (None, None) => {
                let slot = self.inputs.len() as u16;
                self.inputs.push(value);
                self.operands.insert(value, slot);
                slot
            }
        };
        self.words.push(operand);
        Some(())
    }

    /// The value has the bits of another.
    fn same(&mut self, value: Value, as_that: Value) -> Option<()> {
        let at = self.words.len();
        self.operand(as_that)?;
        let operand = self.words.remove(at);
        self.operands.insert(value, operand);
        Some(())
    }

    fn compute(&mut self, code: Code, number: u32, i: Value, operands: &[Value]) -> Option<()> {
        self.word(code, number);
        for operand in operands {
            self.operand(*operand)?;
        }
        self.operands.insert(i, self.free as u16);
        self.free += 1;
        Some(())
    }

    fn instruction(&mut self, i: Value) -> Option<()> {
        let operands = i.operands();
        let bits = |value: Value| self.ir.shape_of(value).map(|shape| shape.bits);
        match i.opcode() {
            LLVMCall => self.call(i),
            LLVMBitCast | LLVMPtrToInt | LLVMIntToPtr | LLVMTrunc
                if bits(operands[0]).is_some() =>
            {
                self.same(i, operands[0])
            }
            LLVMZExt => {
                let bits = bits(operands[0])?;
                self.compute(Code::ZExt, bits, i, &operands)
            }
            LLVMSExt => {
                let bits = bits(operands[0])?;
                self.compute(Code::SExt, bits, i, &operands)
            }
            LLVMICmp => {
                let width = self.ir.const32(bits(operands[0])?);
                let compare = comparison(i) as u32;
                self.compute(
                    Code::Compare,
                    compare,
                    i,
                    &[width, operands[0], operands[1]],
                )
            }
            LLVMSelect => self.compute(Code::Select, 0, i, &operands),
            LLVMAdd => self.compute(Code::Add, 0, i, &operands),
            LLVMSub => self.compute(Code::Sub, 0, i, &operands),
            LLVMMul => self.compute(Code::Mul, 0, i, &operands),
            LLVMOr => self.compute(Code::Or, 0, i, &operands),
            LLVMFMul => {
                let bits = bits(i)?;
                self.compute(Code::FMul, bits, i, &operands)
            }
            LLVMExtractValue | LLVMExtractElement | LLVMTrunc | LLVMFreeze => {
                let outside =
                    |value: &Value| !self.own.contains(value) || self.stays.contains(value);
                operands.iter().all(outside).then(|| {
                    self.stays.insert(i);
                })
            }
            _ => None,
        }
    }

    fn call(&mut self, i: Value) -> Option<()> {
        let name = called(i)?;
        let mut arguments = i.arguments();
        let code = Code::of_call(&name)?;
        let pairs = |before| (arguments.len() - before) as u32 / 2;
        let number = code.before_pairs().map_or(0, pairs);
        self.word(code, number);
        if code.has_site() {
            let site = self.site(arguments.remove(0))?;
            let site = self.constant(site.into());
            self.words.push(site);
        }
        for argument in arguments {
            self.operand(argument)?;
        }
        if !i.ty().is_void() {
            self.operands.insert(i, self.free as u16);
            self.free += 1;
        }
        Some(())
    }
}

fn constant(value: Value) -> Option<u64> {
    match value.is_constant_null() {
        true => Some(0),
        false => value.as_u64(),
    }
}

fn used_outside(value: Value, inside: &HashSet<Value>) -> bool {
    value.users().iter().any(|user| !inside.contains(user))
}

fn replace_outside(value: Value, by: Value, inside: &HashSet<Value>) {
    for user in value.users() {
        if inside.contains(&user) {
            continue;
        }
        for (index, operand) in user.operands().into_iter().enumerate() {
            if operand == value {
                user.set_operand(index as u32, by);
            }
        }
    }
}
