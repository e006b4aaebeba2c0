//! A thin, typed layer over LLVM's C interface: only what the pass needs.

use llvm_sys::LLVMTypeKind;
use llvm_sys::core::*;
use llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use llvm_sys::prelude::*;
use llvm_sys::target::*;
use std::ffi::CString;

pub type Value = LLVMValueRef;
pub type Block = LLVMBasicBlockRef;
pub type Type = LLVMTypeRef;

unsafe extern "C" {
    fn elw_split_block(before: Value) -> Block;
    fn elw_split_edge(terminator: Value, index: u32) -> Block;
    fn elw_add_constructor(module: LLVMModuleRef, function: Value);
    fn elw_keep(module: LLVMModuleRef, global: Value);
}

pub fn c_string(text: &str) -> CString {
    CString::new(text.replace('\0', "")).expect("no NUL is left")
}

pub fn name_of(value: Value) -> String {
    let mut length = 0;
    unsafe {
        let text = LLVMGetValueName2(value, &mut length);
        String::from_utf8_lossy(std::slice::from_raw_parts(text.cast(), length)).into_owned()
    }
}

pub fn type_of(value: Value) -> Type {
    unsafe { LLVMTypeOf(value) }
}

pub fn blocks(function: Value) -> Vec<Block> {
    let mut blocks = Vec::new();
    unsafe {
        let mut block = LLVMGetFirstBasicBlock(function);
        while !block.is_null() {
            blocks.push(block);
            block = LLVMGetNextBasicBlock(block);
        }
    }
    blocks
}

/// A snapshot: what is inserted later is not in it.
pub fn instructions(block: Block) -> Vec<Value> {
    let mut instructions = Vec::new();
    unsafe {
        let mut instruction = LLVMGetFirstInstruction(block);
        while !instruction.is_null() {
            instructions.push(instruction);
            instruction = LLVMGetNextInstruction(instruction);
        }
    }
    instructions
}

pub fn operands(instruction: Value) -> Vec<Value> {
    unsafe {
        let count = LLVMGetNumOperands(instruction).max(0) as u32;
        (0..count)
            .map(|index| LLVMGetOperand(instruction, index))
            .collect()
    }
}

pub fn operand(instruction: Value, index: u32) -> Value {
    unsafe { LLVMGetOperand(instruction, index) }
}

/// The bytes of a constant text that a pointer points to the beginning of, without their end.
pub fn constant_text(pointer: Value) -> Option<Vec<u8>> {
    unsafe {
        let variable = LLVMIsAGlobalVariable(pointer);
        if variable.is_null() || LLVMIsGlobalConstant(variable) == 0 {
            return None;
        }
        let value = LLVMGetInitializer(variable);
        if value.is_null() || LLVMIsConstantString(value) == 0 {
            return None;
        }
        let mut length = 0;
        let text = LLVMGetAsString(value, &mut length);
        let bytes = std::slice::from_raw_parts(text.cast::<u8>(), length);
        Some(bytes.split(|byte| *byte == 0).next()?.to_vec())
    }
}

/// What a call passes, without the callee.
pub fn arguments(call: Value) -> Vec<Value> {
    let count = unsafe { LLVMGetNumArgOperands(call) };
    (0..count).map(|index| operand(call, index)).collect()
}

pub fn is_terminator(instruction: Value) -> bool {
    unsafe { !LLVMIsATerminatorInst(instruction).is_null() }
}

pub fn successors(terminator: Value) -> Vec<Block> {
    unsafe {
        let count = LLVMGetNumSuccessors(terminator);
        (0..count)
            .map(|index| LLVMGetSuccessor(terminator, index))
            .collect()
    }
}

pub fn is_constant(value: Value) -> bool {
    unsafe { LLVMIsConstant(value) != 0 }
}

/// The first instruction of a block that is not a phi.
pub fn first_after_phis(block: Block) -> Value {
    unsafe {
        let mut instruction = LLVMGetFirstInstruction(block);
        while !LLVMIsAPHINode(instruction).is_null() {
            instruction = LLVMGetNextInstruction(instruction);
        }
        instruction
    }
}

pub fn next(instruction: Value) -> Value {
    unsafe { LLVMGetNextInstruction(instruction) }
}

pub fn parent(instruction: Value) -> Block {
    unsafe { LLVMGetInstructionParent(instruction) }
}

pub fn split_before(instruction: Value) -> Block {
    unsafe { elw_split_block(instruction) }
}

pub fn split_edge(terminator: Value, index: u32) -> Block {
    unsafe { elw_split_edge(terminator, index) }
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
    pub module: LLVMModuleRef,
    pub context: LLVMContextRef,
    pub builder: LLVMBuilderRef,
    /// For phis that are found to be needed while other code is being written.
    phi_builder: LLVMBuilderRef,
    layout: LLVMTargetDataRef,
    pub i1: Type,
    pub i8: Type,
    pub i32: Type,
    pub i64: Type,
    pub ptr: Type,
    pub void: Type,
    unlikely: LLVMMetadataRef,
    prof_kind: u32,
    pub(crate) tbaa_kind: u32,
    pub(crate) tbaa: LLVMMetadataRef,
}

impl Ir {
    pub fn new(module: LLVMModuleRef) -> Ir {
        unsafe {
            let context = LLVMGetModuleContext(module);
            let i32 = LLVMInt32TypeInContext(context);
            let i64 = LLVMInt64TypeInContext(context);
            let text =
                |text: &str| LLVMMDStringInContext2(context, text.as_ptr().cast(), text.len());
            let number = |ty, value| LLVMValueAsMetadata(LLVMConstInt(ty, value, 0));
            let node = |parts: &mut [LLVMMetadataRef]| {
                LLVMMDNodeInContext2(context, parts.as_mut_ptr(), parts.len())
            };
            let unlikely =
                node(&mut [text("branch_weights"), number(i32, 1), number(i32, 100_000)]);
            // Beside C's own types under the same root: the shadow aliases nothing of the program.
            let root = node(&mut [text("Simple C/C++ TBAA")]);
            let kind = node(&mut [text("elsewise shadow"), root, number(i64, 0)]);
            let tbaa = node(&mut [kind, kind, number(i64, 0)]);
            Ir {
                module,
                context,
                builder: LLVMCreateBuilderInContext(context),
                phi_builder: LLVMCreateBuilderInContext(context),
                layout: LLVMGetModuleDataLayout(module),
                i1: LLVMInt1TypeInContext(context),
                i8: LLVMInt8TypeInContext(context),
                i32,
                i64,
                ptr: LLVMPointerTypeInContext(context, 0),
                void: LLVMVoidTypeInContext(context),
                unlikely,
                prof_kind: LLVMGetMDKindIDInContext(context, c"prof".as_ptr(), 4),
                tbaa_kind: LLVMGetMDKindIDInContext(context, c"tbaa".as_ptr(), 4),
                tbaa,
            }
        }
    }

    /// Can a value of this type have a label?
    pub fn shape(&self, ty: Type) -> Option<Shape> {
        unsafe {
            let bits = match LLVMGetTypeKind(ty) {
                LLVMTypeKind::LLVMIntegerTypeKind => LLVMGetIntTypeWidth(ty),
                LLVMTypeKind::LLVMPointerTypeKind if LLVMGetPointerAddressSpace(ty) == 0 => 64,
                LLVMTypeKind::LLVMFloatTypeKind => 32,
                LLVMTypeKind::LLVMDoubleTypeKind => 64,
                _ => return None,
            };
            let bytes = LLVMStoreSizeOfType(self.layout, ty) as u32;
            (bits <= 64).then_some(Shape { bits, bytes })
        }
    }

    pub fn shape_of(&self, value: Value) -> Option<Shape> {
        self.shape(type_of(value))
    }

    pub fn size(&self, ty: Type) -> u64 {
        unsafe { LLVMABISizeOfType(self.layout, ty) }
    }

    /// Where a member of a struct or array begins, in bytes.
    pub fn member_offset(&self, ty: Type, index: u32) -> u64 {
        unsafe {
            match LLVMGetTypeKind(ty) {
                LLVMTypeKind::LLVMStructTypeKind => LLVMOffsetOfElement(self.layout, ty, index),
                _ => u64::from(index) * self.size(LLVMGetElementType(ty)),
            }
        }
    }

    pub fn align_of_global(&self, global: Value) -> u64 {
        let own = unsafe { LLVMGetAlignment(global) };
        match own {
            0 => unsafe { LLVMPreferredAlignmentOfGlobal(self.layout, global) }.into(),
            own => own.into(),
        }
    }

    /// Bytes of a variable, where that does not depend on a value.
    pub fn variable_size(&self, variable: Value) -> Option<u64> {
        let count = operand(variable, 0);
        let size = self.size(unsafe { LLVMGetAllocatedType(variable) });
        is_constant(count).then(|| size.saturating_mul(unsafe { LLVMConstIntGetZExtValue(count) }))
    }

    pub fn store_size(&self, ty: Type) -> u64 {
        unsafe { LLVMStoreSizeOfType(self.layout, ty) }
    }

    pub fn const32(&self, value: u32) -> Value {
        unsafe { LLVMConstInt(self.i32, value.into(), 0) }
    }

    pub fn const64(&self, value: u64) -> Value {
        unsafe { LLVMConstInt(self.i64, value, 0) }
    }

    /// Following code goes before `instruction` and counts as its line.
    pub fn before(&self, instruction: Value) {
        unsafe {
            LLVMPositionBuilderBefore(self.builder, instruction);
            LLVMSetCurrentDebugLocation2(self.builder, LLVMInstructionGetDebugLoc(instruction));
        }
    }

    /// Following code goes to the end of `block`, with the line of `like`.
    pub fn at_end(&self, block: Block, like: Value) {
        unsafe {
            LLVMPositionBuilderAtEnd(self.builder, block);
            LLVMSetCurrentDebugLocation2(self.builder, LLVMInstructionGetDebugLoc(like));
        }
    }

    /// Puts a block behind all others, where it is in nobody's way.
    pub fn move_to_end(&self, block: Block) {
        unsafe {
            let last = LLVMGetLastBasicBlock(LLVMGetBasicBlockParent(block));
            if last != block {
                LLVMMoveBasicBlockAfter(block, last);
            }
        }
    }

    pub fn new_block(&self, before: Block) -> Block {
        unsafe { LLVMInsertBasicBlockInContext(self.context, before, c"".as_ptr()) }
    }

    pub fn runtime(&self, name: &str, result: Type, parameters: &[Type]) -> (Value, Type) {
        unsafe {
            let name = c_string(name);
            let mut parameters = parameters.to_vec();
            let ty = LLVMFunctionType(result, parameters.as_mut_ptr(), parameters.len() as u32, 0);
            let known = LLVMGetNamedFunction(self.module, name.as_ptr());
            if !known.is_null() {
                return (known, ty);
            }
            let function = LLVMAddFunction(self.module, name.as_ptr(), ty);
            self.add_function_attribute(function, "nounwind");
            (function, ty)
        }
    }

    /// Adds an attribute without a value.
    pub fn add_function_attribute(&self, function: Value, name: &str) {
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            let attribute = LLVMCreateEnumAttribute(self.context, kind, 0);
            LLVMAddAttributeAtIndex(function, llvm_sys::LLVMAttributeFunctionIndex, attribute);
        }
    }

    /// Adds an attribute to a call; the value of one that has none is 0.
    pub fn add_call_attribute(&self, call: Value, name: &str, value: u64) {
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            let attribute = LLVMCreateEnumAttribute(self.context, kind, value);
            LLVMAddCallSiteAttribute(call, llvm_sys::LLVMAttributeFunctionIndex, attribute);
        }
    }

    /// Calls a function of the runtime. Arguments are `i32` or `i64`, as `result` is if given.
    pub fn call(&self, name: &str, result: Option<Type>, arguments: &[Value]) -> Value {
        let types: Vec<Type> = arguments.iter().map(|a| type_of(*a)).collect();
        let (function, ty) = self.runtime(name, result.unwrap_or(self.void), &types);
        self.call_value(function, ty, arguments)
    }

    pub fn call_value(&self, function: Value, ty: Type, arguments: &[Value]) -> Value {
        let mut arguments = arguments.to_vec();
        unsafe {
            LLVMBuildCall2(
                self.builder,
                ty,
                function,
                arguments.as_mut_ptr(),
                arguments.len() as u32,
                c"".as_ptr(),
            )
        }
    }

    /// The value's bits as an `i64`.
    pub fn as_i64(&self, value: Value) -> Value {
        unsafe {
            let ty = type_of(value);
            let none = c"".as_ptr();
            match LLVMGetTypeKind(ty) {
                LLVMTypeKind::LLVMPointerTypeKind => {
                    LLVMBuildPtrToInt(self.builder, value, self.i64, none)
                }
                LLVMTypeKind::LLVMFloatTypeKind => {
                    let bits = LLVMBuildBitCast(self.builder, value, self.i32, none);
                    LLVMBuildZExt(self.builder, bits, self.i64, none)
                }
                LLVMTypeKind::LLVMDoubleTypeKind => {
                    LLVMBuildBitCast(self.builder, value, self.i64, none)
                }
                _ if ty == self.i64 => value,
                _ => LLVMBuildZExt(self.builder, value, self.i64, none),
            }
        }
    }

    /// Whether the value is a number of up to 64 bits, or a wider one whose low bits can be taken.
    pub fn has_low_bits(&self, value: Value) -> bool {
        matches!(
            unsafe { LLVMGetTypeKind(type_of(value)) },
            LLVMTypeKind::LLVMPointerTypeKind
                | LLVMTypeKind::LLVMFloatTypeKind
                | LLVMTypeKind::LLVMDoubleTypeKind
                | LLVMTypeKind::LLVMIntegerTypeKind
        )
    }

    /// The low bits of what [has them](Ir::has_low_bits).
    pub fn low_bits(&self, value: Value) -> Value {
        let ty = type_of(value);
        unsafe {
            let integer = LLVMGetTypeKind(ty) == LLVMTypeKind::LLVMIntegerTypeKind;
            match integer && LLVMGetIntTypeWidth(ty) > 64 {
                true => LLVMBuildTrunc(self.builder, value, self.i64, c"".as_ptr()),
                false => self.as_i64(value),
            }
        }
    }

    pub fn zext64(&self, value: Value) -> Value {
        if type_of(value) == self.i64 {
            return value;
        }
        unsafe { LLVMBuildZExt(self.builder, value, self.i64, c"".as_ptr()) }
    }

    /// An integer of up to 64 bits as an `i32` that is zero where it is.
    pub fn folded32(&self, value: Value) -> Value {
        let none = c"".as_ptr();
        unsafe {
            match LLVMGetIntTypeWidth(type_of(value)) {
                32 => value,
                64 => {
                    let high = LLVMBuildLShr(self.builder, value, self.const64(32), none);
                    LLVMBuildTrunc(self.builder, self.or(value, high), self.i32, none)
                }
                _ => LLVMBuildZExt(self.builder, value, self.i32, none),
            }
        }
    }

    pub fn and(&self, a: Value, b: Value) -> Value {
        unsafe { LLVMBuildAnd(self.builder, a, b, c"".as_ptr()) }
    }

    /// An `i32` of ones where the truth value holds, else zero.
    pub fn mask(&self, value: Value) -> Value {
        unsafe { LLVMBuildSExt(self.builder, value, self.i32, c"".as_ptr()) }
    }

    /// The other truth value.
    pub fn not(&self, value: Value) -> Value {
        unsafe { LLVMBuildNot(self.builder, value, c"".as_ptr()) }
    }

    /// A truth value as an `i32`.
    pub fn widen(&self, value: Value) -> Value {
        unsafe { LLVMBuildZExt(self.builder, value, self.i32, c"".as_ptr()) }
    }

    pub fn sext64(&self, value: Value) -> Value {
        unsafe {
            match LLVMGetIntTypeWidth(type_of(value)) {
                64 => value,
                65.. => LLVMBuildTrunc(self.builder, value, self.i64, c"".as_ptr()),
                _ => LLVMBuildSExt(self.builder, value, self.i64, c"".as_ptr()),
            }
        }
    }

    pub fn or(&self, a: Value, b: Value) -> Value {
        unsafe { LLVMBuildOr(self.builder, a, b, c"".as_ptr()) }
    }

    pub fn add(&self, a: Value, b: Value) -> Value {
        unsafe { LLVMBuildAdd(self.builder, a, b, c"".as_ptr()) }
    }

    pub fn sub(&self, a: Value, b: Value) -> Value {
        unsafe { LLVMBuildSub(self.builder, a, b, c"".as_ptr()) }
    }

    pub fn mul(&self, a: Value, b: Value) -> Value {
        unsafe { LLVMBuildMul(self.builder, a, b, c"".as_ptr()) }
    }

    pub fn select(&self, condition: Value, a: Value, b: Value) -> Value {
        unsafe { LLVMBuildSelect(self.builder, condition, a, b, c"".as_ptr()) }
    }

    pub fn is_not_zero(&self, value: Value) -> Value {
        unsafe {
            let zero = LLVMConstInt(type_of(value), 0, 0);
            let ne = llvm_sys::LLVMIntPredicate::LLVMIntNE;
            LLVMBuildICmp(self.builder, ne, value, zero, c"".as_ptr())
        }
    }

    /// An integer comparison once more, here; any other value is itself.
    pub fn compared_again(&self, value: Value) -> Value {
        unsafe {
            if LLVMIsAICmpInst(value).is_null() || self.shape_of(operand(value, 0)).is_none() {
                return value;
            }
            let (predicate, a, b) = (
                LLVMGetICmpPredicate(value),
                operand(value, 0),
                operand(value, 1),
            );
            LLVMBuildICmp(self.builder, predicate, a, b, c"".as_ptr())
        }
    }

    pub fn differ(&self, a: Value, b: Value) -> Value {
        unsafe {
            LLVMBuildICmp(
                self.builder,
                llvm_sys::LLVMIntPredicate::LLVMIntNE,
                a,
                b,
                c"".as_ptr(),
            )
        }
    }

    pub fn equal(&self, a: Value, b: Value) -> Value {
        unsafe {
            LLVMBuildICmp(
                self.builder,
                llvm_sys::LLVMIntPredicate::LLVMIntEQ,
                a,
                b,
                c"".as_ptr(),
            )
        }
    }

    pub fn phi(&self, ty: Type, incoming: &[(Value, Block)]) -> Value {
        unsafe {
            let phi = LLVMBuildPhi(self.builder, ty, c"".as_ptr());
            add_incoming(phi, incoming);
            phi
        }
    }

    /// A phi of labels at the head of `block`, wherever code is being written now.
    pub fn phi_at(&self, block: Block, incoming: &[(Value, Block)]) -> Value {
        unsafe {
            LLVMPositionBuilderBefore(self.phi_builder, LLVMGetFirstInstruction(block));
            let phi = LLVMBuildPhi(self.phi_builder, self.i32, c"".as_ptr());
            add_incoming(phi, incoming);
            phi
        }
    }

    pub fn jump(&self, to: Block) {
        unsafe { LLVMBuildBr(self.builder, to) };
    }

    /// Replaces the jump that a split left at the end of `block` by an unlikely branch.
    pub fn unlikely_branch(&self, block: Block, condition: Value, then: Block, otherwise: Block) {
        unsafe {
            let jump = LLVMGetBasicBlockTerminator(block);
            LLVMPositionBuilderBefore(self.builder, jump);
            let branch = LLVMBuildCondBr(self.builder, condition, then, otherwise);
            let weights = LLVMMetadataAsValue(self.context, self.unlikely);
            LLVMSetMetadata(branch, self.prof_kind, weights);
            LLVMInstructionEraseFromParent(jump);
        }
    }

    pub fn load(&self, ty: Type, address: Value) -> Value {
        unsafe { LLVMBuildLoad2(self.builder, ty, address, c"".as_ptr()) }
    }

    pub fn store(&self, value: Value, address: Value) {
        unsafe { LLVMBuildStore(self.builder, value, address) };
    }

    pub fn offset(&self, address: Value, bytes: u64) -> Value {
        unsafe {
            let mut index = [self.const64(bytes)];
            LLVMBuildGEP2(
                self.builder,
                self.i8,
                address,
                index.as_mut_ptr(),
                1,
                c"".as_ptr(),
            )
        }
    }

    /// The address of a thread's own variable.
    pub fn thread_local_address(&self, variable: Value) -> Value {
        let name = "llvm.threadlocal.address";
        unsafe {
            let id = LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len());
            let mut types = [self.ptr];
            let function = LLVMGetIntrinsicDeclaration(self.module, id, types.as_mut_ptr(), 1);
            let ty = LLVMIntrinsicGetType(self.context, id, types.as_mut_ptr(), 1);
            self.call_value(function, ty, &[variable])
        }
    }

    /// A load of what is set once, before the code runs.
    pub fn load_settled(&self, ty: Type, address: Value) -> Value {
        unsafe {
            let load = self.load(ty, address);
            let name = c"invariant.load";
            let kind = LLVMGetMDKindIDInContext(self.context, name.as_ptr(), 14);
            let empty = LLVMMDNodeInContext2(self.context, std::ptr::null_mut(), 0);
            LLVMSetMetadata(load, kind, LLVMMetadataAsValue(self.context, empty));
            load
        }
    }

    pub fn add_constructor(&self, function: Value) {
        unsafe { elw_add_constructor(self.module, function) }
    }

    pub fn keep(&self, global: Value) {
        unsafe { elw_keep(self.module, global) }
    }
}

pub fn add_incoming(phi: Value, incoming: &[(Value, Block)]) {
    let (mut values, mut blocks): (Vec<_>, Vec<_>) = incoming.iter().copied().unzip();
    unsafe {
        LLVMAddIncoming(
            phi,
            values.as_mut_ptr(),
            blocks.as_mut_ptr(),
            values.len() as u32,
        );
    }
}

impl Drop for Ir {
    fn drop(&mut self) {
        unsafe {
            LLVMDisposeBuilder(self.builder);
            LLVMDisposeBuilder(self.phi_builder);
        }
    }
}
