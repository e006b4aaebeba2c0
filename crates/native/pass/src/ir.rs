//! A module under instrumentation, and the code that is written into it.

use crate::llvm::{Builder, Context, Layout, Metadata, Module};
use elsewise_wire::Op;
use llvm_sys::LLVMIntPredicate::*;
use llvm_sys::LLVMTypeKind;

pub use crate::llvm::{Block, Type, Value};

/// The bytes of a constant text that a pointer points to the beginning of, without their end.
pub fn constant_text(pointer: Value) -> Option<Vec<u8>> {
    if !pointer.is_global_variable() || !pointer.is_constant_variable() {
        return None;
    }
    let bytes = pointer.initial_value()?.text()?;
    Some(bytes.split(|byte| *byte == 0).next()?.to_vec())
}

/// The first instruction of a block that is not a phi.
pub fn first_after_phis(block: Block) -> Value {
    let mut all = block.instructions().into_iter();
    all.find(|i| !i.is_phi()).expect("a block has a terminator")
}

/// What follows an instruction that ends no block.
pub fn next(instruction: Value) -> Value {
    instruction
        .next_instruction()
        .expect("a block has a terminator")
}

/// What a label can be attached to: how many bits, and how they are seen as an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    pub bits: u32,
    /// Bytes in memory.
    pub bytes: u32,
}

/// One module under instrumentation.
pub struct Ir {
    pub module: Module,
    pub context: Context,
    pub builder: Builder,
    /// For phis that are found to be needed while other code is being written.
    phi_builder: Builder,
    layout: Layout,
    pub i1: Type,
    pub i8: Type,
    pub i32: Type,
    pub i64: Type,
    pub ptr: Type,
    pub void: Type,
    unlikely: Metadata,
    prof_kind: u32,
    tbaa_kind: u32,
    tbaa: Metadata,
}

impl Ir {
    pub fn new(module: Module) -> Ir {
        let context = module.context();
        let (i32, i64) = (context.i32(), context.i64());
        let text = |text: &str| context.metadata_text(text);
        let number = |ty: Type, value| ty.number(value).as_metadata();
        let node = |parts: &[Metadata]| context.metadata_node(parts);
        let unlikely = node(&[text("branch_weights"), number(i32, 1), number(i32, 100_000)]);
        // Beside C's own types under the same root: the shadow aliases nothing of the program.
        let root = node(&[text("Simple C/C++ TBAA")]);
        let kind = node(&[text("elsewise shadow"), root, number(i64, 0)]);
        let tbaa = node(&[kind, kind, number(i64, 0)]);
        Ir {
            module,
            context,
            builder: context.new_builder(),
            phi_builder: context.new_builder(),
            layout: module.layout(),
            i1: context.i1(),
            i8: context.i8(),
            i32,
            i64,
            ptr: context.pointer(),
            void: context.void(),
            unlikely,
            prof_kind: context.metadata_kind("prof"),
            tbaa_kind: context.metadata_kind("tbaa"),
            tbaa,
        }
    }

    /// Can a value of this type have a label?
    pub fn shape(&self, ty: Type) -> Option<Shape> {
        let bits = match ty.kind() {
            LLVMTypeKind::LLVMIntegerTypeKind => ty.int_width(),
            LLVMTypeKind::LLVMPointerTypeKind if ty.pointer_space() == 0 => 64,
            LLVMTypeKind::LLVMFloatTypeKind => 32,
            LLVMTypeKind::LLVMDoubleTypeKind => 64,
            _ => return None,
        };
        let bytes = self.layout.store_size(ty) as u32;
        (bits <= 64).then_some(Shape { bits, bytes })
    }

    pub fn shape_of(&self, value: Value) -> Option<Shape> {
        self.shape(value.ty())
    }

    pub fn size(&self, ty: Type) -> u64 {
        self.layout.size(ty)
    }

    /// Where a member of a struct or array begins, in bytes.
    pub fn member_offset(&self, ty: Type, index: u32) -> u64 {
        match ty.is_struct() {
            true => self.layout.member_offset(ty, index),
            false => u64::from(index) * self.size(ty.element()),
        }
    }

    pub fn align_of_global(&self, global: Value) -> u64 {
        match global.alignment() {
            0 => global.preferred_alignment(self.layout).into(),
            own => own.into(),
        }
    }

    /// Bytes of a variable, where that does not depend on a value.
    pub fn variable_size(&self, variable: Value) -> Option<u64> {
        let count = variable.operand(0).as_u64()?;
        Some(self.size(variable.allocated_type()).saturating_mul(count))
    }

    pub fn store_size(&self, ty: Type) -> u64 {
        self.layout.store_size(ty)
    }

    pub fn const32(&self, value: u32) -> Value {
        self.i32.number(value.into())
    }

    pub fn const64(&self, value: u64) -> Value {
        self.i64.number(value)
    }

    /// Following code goes before `instruction` and counts as its line.
    pub fn before(&self, instruction: Value) {
        self.builder.go_before(instruction);
        self.builder.set_place(instruction.place());
    }

    /// Following code goes to the end of `block`, with the line of `like`.
    pub fn at_end(&self, block: Block, like: Value) {
        self.builder.go_to_end(block);
        self.builder.set_place(like.place());
    }

    pub fn new_block(&self, before: Block) -> Block {
        self.context.block_before(before)
    }

    pub fn runtime(&self, name: &str, result: Type, parameters: &[Type]) -> (Value, Type) {
        let ty = result.function_of(parameters);
        if let Some(known) = self.module.function(name) {
            return (known, ty);
        }
        let function = self.module.add_function(name, ty);
        function.add_attribute("nounwind", 0);
        (function, ty)
    }

    /// Calls a function of the runtime. Arguments are `i32` or `i64`, as `result` is if given.
    pub fn call(&self, name: &str, result: Option<Type>, arguments: &[Value]) -> Value {
        let types: Vec<Type> = arguments.iter().map(|a| a.ty()).collect();
        let (function, ty) = self.runtime(name, result.unwrap_or(self.void), &types);
        self.builder.call(function, ty, arguments)
    }

    /// The value's bits as an `i64`.
    pub fn as_i64(&self, value: Value) -> Value {
        let (ty, b) = (value.ty(), &self.builder);
        match ty.kind() {
            LLVMTypeKind::LLVMPointerTypeKind => b.address_as_number(value, self.i64),
            LLVMTypeKind::LLVMFloatTypeKind => {
                b.zero_extend(b.float_as_number(value, self.i32), self.i64)
            }
            LLVMTypeKind::LLVMDoubleTypeKind => b.float_as_number(value, self.i64),
            _ if ty == self.i64 => value,
            _ => b.zero_extend(value, self.i64),
        }
    }

    /// Whether the value is a number of up to 64 bits, or a wider one whose low bits can be taken.
    pub fn has_low_bits(&self, value: Value) -> bool {
        matches!(
            value.ty().kind(),
            LLVMTypeKind::LLVMPointerTypeKind
                | LLVMTypeKind::LLVMFloatTypeKind
                | LLVMTypeKind::LLVMDoubleTypeKind
                | LLVMTypeKind::LLVMIntegerTypeKind
        )
    }

    /// The low bits of what [has them](Ir::has_low_bits).
    pub fn low_bits(&self, value: Value) -> Value {
        let ty = value.ty();
        match ty.is_integer() && ty.int_width() > 64 {
            true => self.builder.truncate(value, self.i64),
            false => self.as_i64(value),
        }
    }

    pub fn zext64(&self, value: Value) -> Value {
        match value.ty() == self.i64 {
            true => value,
            false => self.builder.zero_extend(value, self.i64),
        }
    }

    /// An integer of up to 64 bits as an `i32` that is zero where it is.
    pub fn folded32(&self, value: Value) -> Value {
        let b = &self.builder;
        match value.ty().int_width() {
            32 => value,
            64 => {
                let high = b.shift_right(value, self.const64(32));
                b.truncate(b.or(value, high), self.i32)
            }
            _ => b.zero_extend(value, self.i32),
        }
    }

    pub fn and(&self, a: Value, b: Value) -> Value {
        self.builder.and(a, b)
    }

    /// An `i32` of ones where the truth value holds, else zero.
    pub fn mask(&self, value: Value) -> Value {
        self.builder.sign_extend(value, self.i32)
    }

    /// The other truth value.
    pub fn not(&self, value: Value) -> Value {
        self.builder.not(value)
    }

    /// A truth value as an `i32`.
    pub fn widen(&self, value: Value) -> Value {
        self.builder.zero_extend(value, self.i32)
    }

    pub fn sext64(&self, value: Value) -> Value {
        match value.ty().int_width() {
            64 => value,
            65.. => self.builder.truncate(value, self.i64),
            _ => self.builder.sign_extend(value, self.i64),
        }
    }

    pub fn or(&self, a: Value, b: Value) -> Value {
        self.builder.or(a, b)
    }

    pub fn add(&self, a: Value, b: Value) -> Value {
        self.builder.add(a, b)
    }

    pub fn sub(&self, a: Value, b: Value) -> Value {
        self.builder.sub(a, b)
    }

    pub fn mul(&self, a: Value, b: Value) -> Value {
        self.builder.mul(a, b)
    }

    pub fn select(&self, condition: Value, a: Value, b: Value) -> Value {
        self.builder.select(condition, a, b)
    }

    pub fn is_not_zero(&self, value: Value) -> Value {
        self.differ(value, value.ty().number(0))
    }

    /// An integer comparison once more, here; any other value is itself.
    pub fn compared_again(&self, value: Value) -> Value {
        if !value.is_icmp() || self.shape_of(value.operand(0)).is_none() {
            return value;
        }
        let (a, b) = (value.operand(0), value.operand(1));
        self.builder.compare(value.compares(), a, b)
    }

    pub fn differ(&self, a: Value, b: Value) -> Value {
        self.builder.compare(LLVMIntNE, a, b)
    }

    pub fn equal(&self, a: Value, b: Value) -> Value {
        self.builder.compare(LLVMIntEQ, a, b)
    }

    pub fn phi(&self, ty: Type, incoming: &[(Value, Block)]) -> Value {
        self.builder.phi(ty, incoming)
    }

    /// A phi of labels at the head of `block`, wherever code is being written now.
    pub fn phi_at(&self, block: Block, incoming: &[(Value, Block)]) -> Value {
        let first = block.first_instruction();
        let first = first.expect("a block has a terminator");
        self.phi_builder.go_before(first);
        self.phi_builder.phi(self.i32, incoming)
    }

    pub fn jump(&self, to: Block) {
        self.builder.jump(to);
    }

    /// Replaces the jump that a split left at the end of `block` by an unlikely branch.
    pub fn unlikely_branch(&self, block: Block, condition: Value, then: Block, otherwise: Block) {
        let jump = block.terminator();
        self.builder.go_before(jump);
        let branch = self.builder.branch(condition, then, otherwise);
        self.context.attach(branch, self.prof_kind, self.unlikely);
        // SAFETY: the split has made the jump, and nobody else knows of it; code goes on at the block's end.
        unsafe { jump.erase() };
        self.builder.go_to_end(block);
    }

    pub fn load(&self, ty: Type, address: Value) -> Value {
        self.builder.load(ty, address)
    }

    pub fn store(&self, value: Value, address: Value) {
        self.builder.store(value, address);
    }

    pub fn offset(&self, address: Value, bytes: u64) -> Value {
        let bytes = self.const64(bytes);
        self.builder.element_address(self.i8, address, bytes)
    }

    /// The address of a thread's own variable.
    pub fn thread_local_address(&self, variable: Value) -> Value {
        let name = "llvm.threadlocal.address";
        let (function, ty) = self.module.intrinsic(name, self.ptr);
        self.builder.call(function, ty, &[variable])
    }

    /// A load of what is set once, before the code runs.
    pub fn load_settled(&self, ty: Type, address: Value) -> Value {
        let load = self.load(ty, address);
        let kind = self.context.metadata_kind("invariant.load");
        let empty = self.context.metadata_node(&[]);
        self.context.attach(load, kind, empty);
        load
    }

    /// An access to the shadow, which is no memory of the program.
    pub fn mark_as_shadow(&self, access: Value) {
        self.context.attach(access, self.tbaa_kind, self.tbaa);
    }
}

/// What an integer comparison computes.
pub fn comparison(i: Value) -> Op {
    match i.compares() {
        LLVMIntEQ => Op::Eq,
        LLVMIntNE => Op::Ne,
        LLVMIntUGT => Op::Ugt,
        LLVMIntUGE => Op::Uge,
        LLVMIntULT => Op::Ult,
        LLVMIntULE => Op::Ule,
        LLVMIntSGT => Op::Sgt,
        LLVMIntSGE => Op::Sge,
        LLVMIntSLT => Op::Slt,
        LLVMIntSLE => Op::Sle,
    }
}
