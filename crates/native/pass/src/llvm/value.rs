//! Values: functions, variables, instructions, constants.

use super::{Attribute, Block, Given, Layout, Module, Place, Type, asks, handle, list, text};
use llvm_sys::core::*;
use llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use llvm_sys::prelude::*;
use llvm_sys::{
    LLVMAtomicOrdering, LLVMAtomicRMWBinOp, LLVMAttributeFunctionIndex, LLVMInlineAsmDialect,
    LLVMIntPredicate, LLVMLinkage, LLVMOpcode, LLVMRealPredicate, LLVMTailCallKind,
    LLVMThreadLocalMode, LLVMVisibility,
};
use std::ffi::{CString, c_char};
use std::ptr::NonNull;

handle!(
    /// Anything that instructions can have as an operand, and they themselves.
    Value, LLVMValueRef, llvm_sys::LLVMValue
);

unsafe extern "C" {
    fn elw_split_block(before: LLVMValueRef) -> LLVMBasicBlockRef;
    fn elw_split_edge(terminator: LLVMValueRef, index: u32) -> LLVMBasicBlockRef;
    fn elw_switch_case(terminator: LLVMValueRef, index: u32) -> LLVMValueRef;
    fn elw_put_before(function: LLVMValueRef, constant: LLVMValueRef);
    fn elw_constant_words(value: LLVMValueRef, words: *mut u64, room: u32) -> u32;
    fn elw_raw_data(value: LLVMValueRef, length: *mut usize) -> *const c_char;
}

/// Of which class a value is: LLVM gives back the value itself, or null.
macro_rules! classes {
    ($($name:ident: $function:ident;)*) => {$(
        pub fn $name(self) -> bool {
            // SAFETY: a value that is live can be asked for its class.
            unsafe { !$function(self.raw()).is_null() }
        }
    )*};
}

impl Value {
    classes! {
        is_instruction: LLVMIsAInstruction;
        is_user: LLVMIsAUser;
        is_terminator: LLVMIsATerminatorInst;
        is_phi: LLVMIsAPHINode;
        is_load: LLVMIsALoadInst;
        is_store: LLVMIsAStoreInst;
        is_alloca: LLVMIsAAllocaInst;
        is_icmp: LLVMIsAICmpInst;
        is_fcmp: LLVMIsAFCmpInst;
        is_branch: LLVMIsABranchInst;
        is_switch: LLVMIsASwitchInst;
        is_plain_call: LLVMIsACallInst;
        is_invoke: LLVMIsAInvokeInst;
        is_jumping_call: LLVMIsACallBrInst;
        is_fence: LLVMIsAFenceInst;
        is_rmw: LLVMIsAAtomicRMWInst;
        is_exchange: LLVMIsAAtomicCmpXchgInst;
        is_gep_instruction: LLVMIsAGetElementPtrInst;
        is_extract_value: LLVMIsAExtractValueInst;
        is_insert_value: LLVMIsAInsertValueInst;
        is_shuffle: LLVMIsAShuffleVectorInst;
        is_function: LLVMIsAFunction;
        is_global_value: LLVMIsAGlobalValue;
        is_global_object: LLVMIsAGlobalObject;
        is_global_variable: LLVMIsAGlobalVariable;
        is_indirect_function: LLVMIsAGlobalIFunc;
        is_alias: LLVMIsAGlobalAlias;
        is_assembly: LLVMIsAInlineAsm;
        is_constant_number: LLVMIsAConstantInt;
        is_constant_expression: LLVMIsAConstantExpr;
        is_constant_null: LLVMIsAConstantPointerNull;
        is_constant_data: LLVMIsAConstantDataSequential;
    }

    asks! {
        ty: LLVMTypeOf -> Type;
        is_constant: LLVMIsConstant -> bool;
        /// A constant of zeros.
        is_null: LLVMIsNull -> bool;
        is_undefined: LLVMIsUndef -> bool;
        opcode: LLVMGetInstructionOpcode -> LLVMOpcode, of is_instruction;
        constant_opcode: LLVMGetConstOpcode -> LLVMOpcode, of is_constant_expression;
        block: LLVMGetInstructionParent -> Block, of is_instruction;
        next_instruction: LLVMGetNextInstruction -> Option<Value>, of is_instruction;
        previous_instruction: LLVMGetPreviousInstruction -> Option<Value>, of is_instruction;
        place: LLVMInstructionGetDebugLoc -> Option<Place>, of is_instruction;
        argument_count: LLVMGetNumArgOperands -> u32, of is_call;
        called: LLVMGetCalledValue -> Value, of is_call;
        called_type: LLVMGetCalledFunctionType -> Type, of is_call;
        tail_call_kind: LLVMGetTailCallKind -> LLVMTailCallKind, of is_plain_call;
        /// Where an invoke goes on that does not throw.
        normal_destination: LLVMGetNormalDest -> Block, of is_invoke;
        successor_count: LLVMGetNumSuccessors -> u32, of is_terminator;
        is_conditional: LLVMIsConditional -> bool, of is_branch;
        compares: LLVMGetICmpPredicate -> LLVMIntPredicate, of is_icmp;
        compares_floats: LLVMGetFCmpPredicate -> LLVMRealPredicate, of is_fcmp;
        is_volatile: LLVMGetVolatile -> bool, of is_access;
        ordering: LLVMGetOrdering -> LLVMAtomicOrdering, of is_ordered;
        is_for_one_thread: LLVMIsAtomicSingleThread -> bool, of is_ordered;
        modifies_by: LLVMGetAtomicRMWBinOp -> LLVMAtomicRMWBinOp, of is_rmw;
        success_ordering: LLVMGetCmpXchgSuccessOrdering -> LLVMAtomicOrdering, of is_exchange;
        failure_ordering: LLVMGetCmpXchgFailureOrdering -> LLVMAtomicOrdering, of is_exchange;
        /// Of arithmetic: a signed overflow is not meant.
        is_without_signed_overflow: LLVMGetNSW -> bool, of may_overflow;
        allocated_type: LLVMGetAllocatedType -> Type, of is_alloca;
        /// What the first index of an address computation steps over.
        source_type: LLVMGetGEPSourceElementType -> Type, of is_gep;
        alignment: LLVMGetAlignment -> u32, of has_alignment;
        incoming_count: LLVMCountIncoming -> u32, of is_phi;
        parameter_count: LLVMCountParams -> u32, of is_function;
        entry: LLVMGetEntryBasicBlock -> Block, of has_code;
        /// Of a function or variable, which is itself a pointer.
        value_type: LLVMGlobalGetValueType -> Type, of is_global_value;
        module: LLVMGetGlobalParent -> Module, of is_global_value;
        is_declaration: LLVMIsDeclaration -> bool, of is_global_value;
        linkage: LLVMGetLinkage -> LLVMLinkage, of is_global_value;
        visibility: LLVMGetVisibility -> LLVMVisibility, of is_global_value;
        initial_value: LLVMGetInitializer -> Option<Value>, of is_global_variable;
        is_constant_variable: LLVMIsGlobalConstant -> bool, of is_global_variable;
        alias_of: LLVMAliasGetAliasee -> Value, of is_alias;
    }

    pub fn is_call(self) -> bool {
        self.is_plain_call() || self.is_invoke() || self.is_jumping_call()
    }

    fn is_access(self) -> bool {
        self.is_load() || self.is_store() || self.is_rmw() || self.is_exchange()
    }

    fn is_ordered(self) -> bool {
        self.is_load() || self.is_store() || self.is_fence() || self.is_rmw()
    }

    fn has_alignment(self) -> bool {
        self.is_alloca() || self.is_access() || self.is_global_object()
    }

    fn has_code(self) -> bool {
        self.is_function() && !self.blocks().is_empty()
    }

    fn may_overflow(self) -> bool {
        use LLVMOpcode::*;
        let found = self.is_instruction().then(|| self.opcode());
        matches!(found, Some(LLVMAdd | LLVMSub | LLVMMul | LLVMShl))
    }

    /// An address computation, be it an instruction or a constant.
    fn is_gep(self) -> bool {
        let constant = self.is_constant_expression();
        self.is_gep_instruction()
            || constant && self.constant_opcode() == LLVMOpcode::LLVMGetElementPtr
    }

    pub fn name(self) -> String {
        let mut length = 0;
        // SAFETY: LLVM says how long the name is.
        unsafe {
            let name = LLVMGetValueName2(self.raw(), &mut length);
            text(name, length)
        }
    }

    pub fn blocks(self) -> Vec<Block> {
        assert!(self.is_function(), "a function has blocks");
        list!(LLVMGetFirstBasicBlock(self.raw()), LLVMGetNextBasicBlock)
    }

    pub fn parameters(self) -> Vec<Value> {
        let all = 0..self.parameter_count();
        // SAFETY: a function with so many parameters.
        all.map(|index| unsafe { Given::given(LLVMGetParam(self.raw(), index)) })
            .collect()
    }

    /// What uses the value; who uses it twice is there twice.
    pub fn users(self) -> Vec<Value> {
        let mut users = Vec::new();
        // SAFETY: the value is live, and so are its uses while nobody changes any.
        unsafe {
            let mut at = LLVMGetFirstUse(self.raw());
            while !at.is_null() {
                users.push(Given::given(LLVMGetUser(at)));
                at = LLVMGetNextUse(at);
            }
        }
        users
    }

    pub fn is_used(self) -> bool {
        // SAFETY: any value can be asked for its uses.
        unsafe { !LLVMGetFirstUse(self.raw()).is_null() }
    }

    fn operand_count(self) -> u32 {
        assert!(self.is_user(), "an instruction or a constant has operands");
        // SAFETY: a user of values.
        unsafe { LLVMGetNumOperands(self.raw()) as u32 }
    }

    pub fn operand(self, index: u32) -> Value {
        assert!(index < self.operand_count(), "there is such an operand");
        // SAFETY: a user with so many operands.
        unsafe { Given::given(LLVMGetOperand(self.raw(), index)) }
    }

    pub fn operands(self) -> Vec<Value> {
        let all = 0..self.operand_count();
        // SAFETY: a user with so many operands.
        all.map(|index| unsafe { Given::given(LLVMGetOperand(self.raw(), index)) })
            .collect()
    }

    pub fn set_operand(self, index: u32, value: Value) {
        let same = self.operand(index).ty() == value.ty();
        assert!(same && self.is_instruction(), "an operand keeps its type");
        // SAFETY: an instruction with so many operands, this one of the same type.
        unsafe { LLVMSetOperand(self.raw(), index, value.raw()) };
    }

    /// Has a call call another function of the same type.
    pub fn set_called(self, function: Value) {
        assert!(self.called() == self.operand(self.operand_count() - 1));
        self.set_operand(self.operand_count() - 1, function);
    }

    /// What a call passes, without the callee.
    pub fn arguments(self) -> Vec<Value> {
        let count = self.argument_count();
        (0..count).map(|index| self.operand(index)).collect()
    }

    pub fn successors(self) -> Vec<Block> {
        let all = 0..self.successor_count();
        // SAFETY: a terminator with so many successors.
        all.map(|index| unsafe { Given::given(LLVMGetSuccessor(self.raw(), index)) })
            .collect()
    }

    /// The number of a case of a switch, of which the first after the default is 1.
    pub fn case(self, index: u32) -> Value {
        let there = self.is_switch() && (1..self.successor_count()).contains(&index);
        assert!(there, "a switch has the case");
        // SAFETY: a switch that has the case.
        unsafe { Given::given(elw_switch_case(self.raw(), index)) }
    }

    /// What comes to a phi, and from where.
    pub fn incoming(self) -> Vec<(Value, Block)> {
        let all = 0..self.incoming_count();
        // SAFETY: a phi with so many ways to it.
        all.map(|index| unsafe {
            (
                Given::given(LLVMGetIncomingValue(self.raw(), index)),
                Given::given(LLVMGetIncomingBlock(self.raw(), index)),
            )
        })
        .collect()
    }

    pub fn add_incoming(self, incoming: &[(Value, Block)]) {
        let fits = incoming.iter().all(|(value, _)| value.ty() == self.ty());
        assert!(self.is_phi() && fits, "what comes to a phi is of its type");
        let (mut values, mut blocks): (Vec<_>, Vec<_>) = incoming
            .iter()
            .map(|(value, block)| (value.raw(), block.raw()))
            .unzip();
        let count = incoming.len() as u32;
        // SAFETY: a phi, and as many values of its type as blocks.
        unsafe { LLVMAddIncoming(self.raw(), values.as_mut_ptr(), blocks.as_mut_ptr(), count) };
    }

    /// Where an instruction puts or takes a member.
    pub fn indices(self) -> Vec<u32> {
        let has = self.is_extract_value() || self.is_insert_value();
        assert!(has, "such an instruction has indices");
        // SAFETY: such an instruction has so many, side by side.
        unsafe {
            let count = LLVMGetNumIndices(self.raw()) as usize;
            std::slice::from_raw_parts(LLVMGetIndices(self.raw()), count).to_vec()
        }
    }

    /// From where element `index` of a shuffled vector comes; negative from nowhere.
    pub fn shuffled_from(self, index: u32) -> i32 {
        let there = self.is_shuffle() && index < self.ty().vector_length();
        assert!(there, "a shuffled vector has the element");
        // SAFETY: the mask has as many elements as the result.
        unsafe { LLVMGetMaskValue(self.raw(), index) }
    }

    /// The number that a constant is, without a sign; none for what is no number or has more than 64 bits.
    pub fn as_u64(self) -> Option<u64> {
        let fits = self.is_constant_number() && self.ty().int_width() <= 64;
        // SAFETY: a number that fits.
        fits.then(|| unsafe { LLVMConstIntGetZExtValue(self.raw()) })
    }

    /// The same with its sign.
    pub fn as_i64(self) -> Option<i64> {
        let fits = self.is_constant_number() && self.ty().int_width() <= 64;
        // SAFETY: a number that fits.
        fits.then(|| unsafe { LLVMConstIntGetSExtValue(self.raw()) })
    }

    /// Words of a constant number or float, least significant first, as far as there is room; how many bits it has,
    /// or 0 where it is none.
    pub fn words(self, to: &mut [u64]) -> u32 {
        // SAFETY: there is as much room as is said.
        unsafe { elw_constant_words(self.raw(), to.as_mut_ptr(), to.len() as u32) }
    }

    /// Bytes of a constant array of numbers as they lie in memory.
    pub fn raw_data(self) -> Option<Vec<u8>> {
        let mut length = 0;
        // SAFETY: LLVM says how many bytes there are, if any.
        unsafe {
            let data = elw_raw_data(self.raw(), &mut length);
            let data = NonNull::new(data.cast_mut())?;
            Some(std::slice::from_raw_parts(data.as_ptr().cast(), length).to_vec())
        }
    }

    /// Bytes of a constant text.
    pub fn text(self) -> Option<Vec<u8>> {
        // SAFETY: only of arrays of numbers it is asked whether they are texts.
        let text = self.is_constant_data() && unsafe { LLVMIsConstantString(self.raw()) } != 0;
        text.then(|| self.raw_data()).flatten()
    }

    /// A member of a constant struct, array or vector; none where LLVM cannot tell.
    pub fn member(self, index: u32) -> Option<Value> {
        assert!(self.is_constant(), "a constant has members");
        // SAFETY: LLVM looks whether there is such a member.
        unsafe { Given::given(LLVMGetAggregateElement(self.raw(), index)) }
    }

    /// Text and constraints of inline assembly.
    pub fn assembly(self) -> (String, String) {
        assert!(self.is_assembly(), "assembly has a text");
        // SAFETY: inline assembly, and LLVM says how long the texts are.
        unsafe {
            let (mut length, mut other) = (0, 0);
            let code = LLVMGetInlineAsmAsmString(self.raw(), &mut length);
            let constraints = LLVMGetInlineAsmConstraintString(self.raw(), &mut other);
            (text(code, length), text(constraints, other))
        }
    }

    /// Inline assembly that has side effects.
    pub fn new_assembly(ty: Type, code: &str, constraints: &str) -> Value {
        // SAFETY: a function's type and two texts, whose lengths are said.
        unsafe {
            assert!(ty.is_function(), "assembly is called as a function");
            Given::given(LLVMGetInlineAsm(
                ty.raw(),
                code.as_ptr().cast(),
                code.len(),
                constraints.as_ptr().cast(),
                constraints.len(),
                1,
                0,
                LLVMInlineAsmDialect::LLVMInlineAsmDialectATT,
                0,
            ))
        }
    }

    fn has_place(self) -> bool {
        self.is_instruction() || self.is_function() || self.is_global_variable()
    }

    /// The file of the source, as far as LLVM knows; else empty.
    pub fn source_file(self) -> String {
        let mut length = 0;
        assert!(self.has_place(), "it has a place in the source");
        // SAFETY: of such values LLVM knows the place, and says how long the name is.
        unsafe {
            let name = LLVMGetDebugLocFilename(self.raw(), &mut length);
            text(name, length as usize)
        }
    }

    /// Its line there; 0 if nobody knows.
    pub fn source_line(self) -> u32 {
        assert!(self.has_place(), "it has a place in the source");
        // SAFETY: of such values LLVM knows the place.
        unsafe { LLVMGetDebugLocLine(self.raw()) }
    }

    pub fn source_column(self) -> u32 {
        // SAFETY: any value can be asked; only instructions have one.
        unsafe { LLVMGetDebugLocColumn(self.raw()) }
    }

    /// An attribute of a function (index 0 and up: of a parameter).
    pub fn attribute(self, parameter: Option<u32>, kind: u32) -> Option<Attribute> {
        let at = parameter.map_or(LLVMAttributeFunctionIndex, |index| index + 1);
        assert!(self.is_function() || self.is_call(), "it has attributes");
        // SAFETY: a call, or a function; LLVM looks whether there is such an attribute.
        unsafe {
            Given::given(match self.is_call() {
                true => LLVMGetCallSiteEnumAttribute(self.raw(), at, kind),
                false => LLVMGetEnumAttributeAtIndex(self.raw(), at, kind),
            })
        }
    }

    /// Puts a constant before the code of a function, unless something is there already.
    pub fn put_before(self, constant: Value) {
        assert!(
            self.is_function() && constant.is_constant(),
            "data before code"
        );
        // SAFETY: a function, and a constant of its context.
        unsafe { elw_put_before(self.raw(), constant.raw()) };
    }

    /// Adds an attribute to a function or a call; the value of one that has none is 0.
    pub fn add_attribute(self, name: &str, value: u64) {
        let kind = super::attribute_kind(name);
        assert!(kind != 0, "LLVM knows the attribute");
        assert!(self.is_function() || self.is_call(), "it has attributes");
        let at = LLVMAttributeFunctionIndex;
        // SAFETY: a call, or a function.
        unsafe {
            let context = LLVMGetTypeContext(self.ty().raw());
            let attribute = LLVMCreateEnumAttribute(context, kind, value);
            match self.is_call() {
                true => LLVMAddCallSiteAttribute(self.raw(), at, attribute),
                false => LLVMAddAttributeAtIndex(self.raw(), at, attribute),
            }
        }
    }

    pub fn remove_attribute(self, kind: u32) {
        assert!(self.is_function() || self.is_call(), "it has attributes");
        let at = LLVMAttributeFunctionIndex;
        // SAFETY: a call, or a function.
        unsafe {
            match self.is_call() {
                true => LLVMRemoveCallSiteEnumAttribute(self.raw(), at, kind),
                false => LLVMRemoveEnumAttributeAtIndex(self.raw(), at, kind),
            }
        }
    }

    pub fn set_call_convention(self, convention: u32) {
        assert!(self.is_function() || self.is_call(), "it has a convention");
        // SAFETY: a call, or a function.
        unsafe {
            match self.is_call() {
                true => LLVMSetInstructionCallConv(self.raw(), convention),
                false => LLVMSetFunctionCallConv(self.raw(), convention),
            }
        }
    }

    pub fn set_alignment(self, bytes: u32) {
        assert!(self.has_alignment() && bytes.is_power_of_two());
        // SAFETY: it has an alignment, which is a power of two.
        unsafe { LLVMSetAlignment(self.raw(), bytes) };
    }

    pub fn set_linkage(self, linkage: LLVMLinkage) {
        assert!(self.is_global_value(), "a global has a linkage");
        // SAFETY: a global.
        unsafe { LLVMSetLinkage(self.raw(), linkage) };
    }

    pub fn set_visibility(self, visibility: LLVMVisibility) {
        assert!(self.is_global_value(), "a global has a visibility");
        // SAFETY: a global.
        unsafe { LLVMSetVisibility(self.raw(), visibility) };
    }

    pub fn set_initial_value(self, value: Value) {
        let fits = value.is_constant() && value.ty() == self.value_type();
        assert!(self.is_global_variable() && fits, "a variable's value fits");
        // SAFETY: a variable, and a constant of its type.
        unsafe { LLVMSetInitializer(self.raw(), value.raw()) };
    }

    /// Says that a variable is never written.
    pub fn set_constant_variable(self) {
        assert!(self.is_global_variable(), "a variable may be constant");
        // SAFETY: a variable.
        unsafe { LLVMSetGlobalConstant(self.raw(), 1) };
    }

    pub fn set_thread_local(self, mode: LLVMThreadLocalMode) {
        assert!(self.is_global_variable(), "a variable may be a thread's");
        // SAFETY: a variable.
        unsafe { LLVMSetThreadLocalMode(self.raw(), mode) };
    }

    pub fn set_section(self, name: &str) {
        assert!(self.is_global_object(), "a global has a section");
        let name = CString::new(name).expect("names of sections have no NUL");
        // SAFETY: a function or variable, and a name that ends by a NUL.
        unsafe { LLVMSetSection(self.raw(), name.as_ptr()) };
    }

    /// Bytes by which a variable is to be aligned, if it does not say so itself.
    pub fn preferred_alignment(self, layout: Layout) -> u32 {
        assert!(self.is_global_variable(), "a variable is aligned");
        layout.preferred_alignment(self)
    }

    /// Splits an instruction's block: the new one begins with it.
    pub fn split_before(self) -> Block {
        assert!(self.is_instruction(), "a block is split at an instruction");
        // SAFETY: an instruction, which is in a block.
        unsafe { Given::given(elw_split_block(self.raw())) }
    }

    /// An empty block on the edge to a successor, with a jump at its end.
    pub fn split_edge(self, index: u32) -> Block {
        assert!(index < self.successor_count(), "there is such an edge");
        // SAFETY: a terminator with so many successors.
        unsafe { Given::given(elw_split_edge(self.raw(), index)) }
    }

    /// Whoever uses this instruction uses another value.
    pub fn replace_uses(self, by: Value) {
        let fits = self.is_instruction() && self.ty() == by.ty();
        assert!(fits, "what takes an instruction's place is of its type");
        // SAFETY: an instruction, and a value of its type.
        unsafe { LLVMReplaceAllUsesWith(self.raw(), by.raw()) };
    }

    /// Whoever uses this function or variable uses another.
    ///
    /// # Safety
    /// No handle of a constant that is made of it is used afterwards: other constants take their places.
    pub unsafe fn replace_global(self, by: Value) {
        let fits = self.is_global_value() && by.is_global_value() && self.ty() == by.ty();
        assert!(fits, "a global takes a global's place");
        // SAFETY: two globals of one type; as the caller says.
        unsafe { LLVMReplaceAllUsesWith(self.raw(), by.raw()) };
    }

    /// Removes an instruction.
    ///
    /// # Safety
    /// No handle of it is used afterwards, and no code is written where it was.
    pub unsafe fn erase(self) {
        let free = self.is_instruction() && !self.is_used();
        assert!(free, "only what nobody uses is removed");
        // SAFETY: an instruction that nobody uses; as the caller says.
        unsafe { LLVMInstructionEraseFromParent(self.raw()) };
    }

    /// Removes a variable.
    ///
    /// # Safety
    /// No handle of it is used afterwards.
    pub unsafe fn delete_variable(self) {
        let free = self.is_global_variable() && !self.is_used();
        assert!(free, "only what nobody uses is removed");
        // SAFETY: a variable that nobody uses; as the caller says.
        unsafe { LLVMDeleteGlobal(self.raw()) };
    }
}
