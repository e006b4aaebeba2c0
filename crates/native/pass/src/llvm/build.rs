//! Where types, metadata and code are made.

use super::{Block, Given, Layout, Module, Place, Type, Value, c_string, handle};
use llvm_sys::LLVMIntPredicate;
use llvm_sys::core::*;
use llvm_sys::debuginfo::LLVMDILocationGetLine;
use llvm_sys::prelude::*;
use llvm_sys::target::*;

handle!(
    /// What modules of one compilation share.
    Context, LLVMContextRef, llvm_sys::LLVMContext
);
handle!(Metadata, LLVMMetadataRef, llvm_sys::LLVMOpaqueMetadata);

unsafe extern "C" {
    fn elw_add_constructor(module: LLVMModuleRef, function: LLVMValueRef);
    fn elw_keep(module: LLVMModuleRef, global: LLVMValueRef);
    fn elw_bytes(
        context: LLVMContextRef,
        bytes: *const std::ffi::c_char,
        length: usize,
    ) -> LLVMValueRef;
}

/// LLVM names what has no name.
const NONE: *const std::ffi::c_char = c"".as_ptr();

impl Module {
    pub fn layout(self) -> Layout {
        // SAFETY: the module's own, which is there as long as it.
        unsafe { Given::given(LLVMGetModuleDataLayout(self.raw())) }
    }

    /// Has a function called before every constructor of the program.
    pub fn add_constructor(self, function: Value) {
        assert!(function.is_function(), "a constructor is a function");
        // SAFETY: a function of the module.
        unsafe { elw_add_constructor(self.raw(), function.raw()) };
    }

    /// Has a global kept though nobody uses it.
    pub fn keep(self, global: Value) {
        assert!(global.is_global_value(), "a global is kept");
        // SAFETY: a global of the module.
        unsafe { elw_keep(self.raw(), global.raw()) };
    }

    /// An intrinsic for pointers, and its type.
    pub fn intrinsic(self, name: &str, of: Type) -> (Value, Type) {
        let mut types = [of.raw()];
        // SAFETY: LLVM knows the intrinsic, which is for one type.
        unsafe {
            let id = LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len());
            let overloaded = id != 0 && LLVMIntrinsicIsOverloaded(id) != 0;
            assert!(overloaded, "LLVM knows the intrinsic");
            let function = LLVMGetIntrinsicDeclaration(self.raw(), id, types.as_mut_ptr(), 1);
            let context = self.context().raw();
            let ty = LLVMIntrinsicGetType(context, id, types.as_mut_ptr(), 1);
            (Given::given(function), Given::given(ty))
        }
    }
}

impl Place {
    pub fn line(self) -> u32 {
        // SAFETY: a place is a `DILocation`.
        unsafe { LLVMDILocationGetLine(self.raw()) }
    }
}

/// Types of a context, of which there is one of each.
macro_rules! types {
    ($($name:ident: $function:ident;)*) => {$(
        pub fn $name(self) -> Type {
            // SAFETY: every context has the type.
            unsafe { Given::given($function(self.raw())) }
        }
    )*};
}

impl Context {
    types! {
        i1: LLVMInt1TypeInContext;
        i8: LLVMInt8TypeInContext;
        i32: LLVMInt32TypeInContext;
        i64: LLVMInt64TypeInContext;
        void: LLVMVoidTypeInContext;
    }

    pub fn integer(self, bits: u32) -> Type {
        assert!((1..=64).contains(&bits), "an integer has so many bits");
        // SAFETY: a width that LLVM has integers of.
        unsafe { Given::given(LLVMIntTypeInContext(self.raw(), bits)) }
    }

    pub fn pointer(self) -> Type {
        // SAFETY: every context has pointers to ordinary memory.
        unsafe { Given::given(LLVMPointerTypeInContext(self.raw(), 0)) }
    }

    pub fn packed_struct(self, members: &[Type]) -> Type {
        let mut raw: Vec<LLVMTypeRef> = members.iter().map(|ty| ty.raw()).collect();
        let count = members.len() as u32;
        // SAFETY: there are so many members.
        unsafe {
            Given::given(LLVMStructTypeInContext(
                self.raw(),
                raw.as_mut_ptr(),
                count,
                1,
            ))
        }
    }

    /// A constant struct.
    pub fn constant_struct(self, members: &[Value], packed: bool) -> Value {
        let constant = members.iter().all(|member| member.is_constant());
        assert!(constant, "members of a constant are constants");
        let mut raw: Vec<LLVMValueRef> = members.iter().map(|value| value.raw()).collect();
        let count = members.len() as u32;
        let packed = packed.into();
        // SAFETY: there are so many members, all constants.
        unsafe {
            Given::given(LLVMConstStructInContext(
                self.raw(),
                raw.as_mut_ptr(),
                count,
                packed,
            ))
        }
    }

    /// A constant array of bytes, without a NUL at its end.
    pub fn bytes(self, bytes: &[u8]) -> Value {
        // SAFETY: there are so many bytes.
        unsafe { Given::given(elw_bytes(self.raw(), bytes.as_ptr().cast(), bytes.len())) }
    }

    /// The number by which metadata of a kind is attached.
    pub fn metadata_kind(self, name: &str) -> u32 {
        let (name, length) = (name.as_ptr().cast(), name.len() as u32);
        // SAFETY: there are so many bytes of the name.
        unsafe { LLVMGetMDKindIDInContext(self.raw(), name, length) }
    }

    pub fn metadata_text(self, text: &str) -> Metadata {
        let (text, length) = (text.as_ptr().cast(), text.len());
        // SAFETY: there are so many bytes of the text.
        unsafe { Given::given(LLVMMDStringInContext2(self.raw(), text, length)) }
    }

    pub fn metadata_node(self, parts: &[Metadata]) -> Metadata {
        let mut raw: Vec<LLVMMetadataRef> = parts.iter().map(|part| part.raw()).collect();
        // SAFETY: there are so many parts.
        unsafe {
            Given::given(LLVMMDNodeInContext2(
                self.raw(),
                raw.as_mut_ptr(),
                raw.len(),
            ))
        }
    }

    pub fn new_builder(self) -> Builder {
        // SAFETY: it is disposed of when it is dropped.
        Builder(unsafe { LLVMCreateBuilderInContext(self.raw()) })
    }

    pub fn block_before(self, before: Block) -> Block {
        // SAFETY: a block of a function.
        unsafe {
            Given::given(LLVMInsertBasicBlockInContext(
                self.raw(),
                before.raw(),
                NONE,
            ))
        }
    }

    pub fn block_of(self, function: Value) -> Block {
        assert!(function.is_function(), "a function has blocks");
        // SAFETY: a function.
        unsafe {
            Given::given(LLVMAppendBasicBlockInContext(
                self.raw(),
                function.raw(),
                NONE,
            ))
        }
    }

    /// Attaches metadata to an instruction.
    pub fn attach(self, to: Value, kind: u32, metadata: Metadata) {
        assert!(to.is_instruction(), "metadata is attached to instructions");
        // SAFETY: an instruction, and metadata of its context.
        unsafe {
            LLVMSetMetadata(
                to.raw(),
                kind,
                LLVMMetadataAsValue(self.raw(), metadata.raw()),
            )
        };
    }
}

impl Value {
    pub fn as_metadata(self) -> Metadata {
        // SAFETY: any value can be metadata.
        unsafe { Given::given(LLVMValueAsMetadata(self.raw())) }
    }

    /// A constant address as a number, or the other way round.
    pub fn constant_cast(self, to: Type) -> Value {
        assert!(self.is_constant(), "a constant is cast");
        // SAFETY: the cast is one from pointers to integers or back.
        unsafe {
            Given::given(match (self.ty().is_pointer(), to.is_pointer()) {
                (true, false) if to.is_integer() => LLVMConstPtrToInt(self.raw(), to.raw()),
                (false, true) if self.ty().is_integer() => LLVMConstIntToPtr(self.raw(), to.raw()),
                _ => panic!("between an address and a number"),
            })
        }
    }

    /// The difference of two constant numbers, cut to a narrower type.
    pub fn constant_distance(self, from: Value, to: Type) -> Value {
        let numbers = self.ty() == from.ty() && self.ty().is_integer() && to.is_integer();
        let constant = self.is_constant() && from.is_constant();
        let narrower = numbers && to.int_width() < self.ty().int_width();
        assert!(constant && narrower, "two numbers have a difference");
        // SAFETY: two constant integers of one type, and a narrower one.
        unsafe {
            Given::given(LLVMConstTrunc(
                LLVMConstSub(self.raw(), from.raw()),
                to.raw(),
            ))
        }
    }
}

/// Questions to a layout about types that have a size.
macro_rules! measures {
    ($($name:ident: $function:ident;)*) => {$(
        pub fn $name(self, ty: Type) -> u64 {
            assert!(ty.is_sized(), "it has a size");
            // SAFETY: a type that has a size.
            unsafe { $function(self.raw(), ty.raw()) }
        }
    )*};
}

impl Layout {
    measures! {
        /* what is between two of an array */
        size: LLVMABISizeOfType;
        /* what a store writes */
        store_size: LLVMStoreSizeOfType;
    }

    pub fn member_offset(self, ty: Type, index: u32) -> u64 {
        assert!(index < ty.member_count() && ty.is_sized());
        // SAFETY: a struct that has a size and the member.
        unsafe { LLVMOffsetOfElement(self.raw(), ty.raw(), index) }
    }

    pub(super) fn preferred_alignment(self, variable: Value) -> u32 {
        assert!(variable.is_global_variable(), "a variable is aligned");
        // SAFETY: a variable.
        unsafe { LLVMPreferredAlignmentOfGlobal(self.raw(), variable.raw()) }
    }
}

/// Writes code at a place in a function.
pub struct Builder(LLVMBuilderRef);

impl Drop for Builder {
    fn drop(&mut self) {
        // SAFETY: made by `new_builder`, and nobody else has it.
        unsafe { LLVMDisposeBuilder(self.0) };
    }
}

/// Operations on two values of one type, which the result has, too.
macro_rules! binary {
    ($($name:ident: $function:ident of $test:ident;)*) => {$(
        pub fn $name(&self, a: Value, b: Value) -> Value {
            assert!(a.ty() == b.ty() && $test(a.ty()), "operands fit each other");
            // SAFETY: two operands of one type that the operation is for.
            unsafe { Given::given($function(self.0, a.raw(), b.raw(), NONE)) }
        }
    )*};
}

/// From one integer or vector of them to another, as the comparison of their widths says.
macro_rules! resize {
    ($($name:ident: $function:ident, $compare:ident;)*) => {$(
        pub fn $name(&self, value: Value, to: Type) -> Value {
            let fits = value.ty().int_width().$compare(&to.int_width());
            assert!(fits, "an integer is made wider or narrower");
            // SAFETY: two integers, of which the right one is wider.
            unsafe { Given::given($function(self.0, value.raw(), to.raw(), NONE)) }
        }
    )*};
}

fn integers(ty: Type) -> bool {
    ty.is_integer() || (ty.is_vector() && ty.element().is_integer())
}

fn floats(ty: Type) -> bool {
    use llvm_sys::LLVMTypeKind::*;
    matches!(ty.kind(), LLVMFloatTypeKind | LLVMDoubleTypeKind)
}

impl Builder {
    binary! {
        add: LLVMBuildAdd of integers;
        sub: LLVMBuildSub of integers;
        mul: LLVMBuildMul of integers;
        and: LLVMBuildAnd of integers;
        or: LLVMBuildOr of integers;
        xor: LLVMBuildXor of integers;
        shift_right: LLVMBuildLShr of integers;
        multiply_floats: LLVMBuildFMul of floats;
    }

    resize! {
        zero_extend: LLVMBuildZExt, lt;
        sign_extend: LLVMBuildSExt, lt;
        truncate: LLVMBuildTrunc, gt;
    }

    /// Following code goes before an instruction.
    pub fn go_before(&self, instruction: Value) {
        assert!(instruction.is_instruction(), "code is before instructions");
        // SAFETY: an instruction, which is in a block.
        unsafe { LLVMPositionBuilderBefore(self.0, instruction.raw()) };
    }

    /// Following code goes to the end of a block.
    pub fn go_to_end(&self, block: Block) {
        // SAFETY: a block of a function.
        unsafe { LLVMPositionBuilderAtEnd(self.0, block.raw()) };
    }

    /// Following code has this place in the source.
    pub fn set_place(&self, place: Option<Place>) {
        let place = place.map_or(std::ptr::null_mut(), Place::raw);
        // SAFETY: a place, or none.
        unsafe { LLVMSetCurrentDebugLocation2(self.0, place) };
    }

    pub fn not(&self, value: Value) -> Value {
        assert!(integers(value.ty()), "an integer has an opposite");
        // SAFETY: an integer.
        unsafe { Given::given(LLVMBuildNot(self.0, value.raw(), NONE)) }
    }

    pub fn address_as_number(&self, value: Value, to: Type) -> Value {
        assert!(value.ty().is_pointer() && to.is_integer());
        // SAFETY: a pointer becomes an integer.
        unsafe { Given::given(LLVMBuildPtrToInt(self.0, value.raw(), to.raw(), NONE)) }
    }

    /// The bits of a float as an integer of as many.
    pub fn float_as_number(&self, value: Value, to: Type) -> Value {
        use llvm_sys::LLVMTypeKind::*;
        let width = match value.ty().kind() {
            LLVMFloatTypeKind => 32,
            LLVMDoubleTypeKind => 64,
            _ => panic!("a float has such bits"),
        };
        assert!(to.int_width() == width, "as many bits");
        // SAFETY: a float, and an integer of as many bits.
        unsafe { Given::given(LLVMBuildBitCast(self.0, value.raw(), to.raw(), NONE)) }
    }

    pub fn compare(&self, how: LLVMIntPredicate, a: Value, b: Value) -> Value {
        let ty = a.ty();
        let comparable = integers(ty) || ty.is_pointer();
        assert!(ty == b.ty() && comparable, "two numbers are compared");
        // SAFETY: two integers or pointers of one type.
        unsafe { Given::given(LLVMBuildICmp(self.0, how, a.raw(), b.raw(), NONE)) }
    }

    pub fn select(&self, condition: Value, a: Value, b: Value) -> Value {
        let fits = integers(condition.ty()) && a.ty() == b.ty();
        assert!(fits, "one of two values of one type is chosen");
        // SAFETY: a condition, and two values of one type.
        unsafe {
            Given::given(LLVMBuildSelect(
                self.0,
                condition.raw(),
                a.raw(),
                b.raw(),
                NONE,
            ))
        }
    }

    pub fn phi(&self, ty: Type, incoming: &[(Value, Block)]) -> Value {
        assert!(ty.is_sized(), "a phi has a value");
        // SAFETY: values can be of a type that has a size.
        let phi: Value = unsafe { Given::given(LLVMBuildPhi(self.0, ty.raw(), NONE)) };
        phi.add_incoming(incoming);
        phi
    }

    pub fn jump(&self, to: Block) {
        // SAFETY: a block of the function.
        unsafe { LLVMBuildBr(self.0, to.raw()) };
    }

    pub fn branch(&self, condition: Value, then: Block, otherwise: Block) -> Value {
        let (then, otherwise) = (then.raw(), otherwise.raw());
        assert!(condition.ty().int_width() == 1, "a truth value decides");
        // SAFETY: a truth value and two blocks of the function.
        unsafe { Given::given(LLVMBuildCondBr(self.0, condition.raw(), then, otherwise)) }
    }

    pub fn return_nothing(&self) {
        // SAFETY: nothing is asked for.
        unsafe { LLVMBuildRetVoid(self.0) };
    }

    pub fn load(&self, ty: Type, address: Value) -> Value {
        let fits = ty.is_sized() && address.ty().is_pointer();
        assert!(fits, "a load is of a type with a size, by a pointer");
        // SAFETY: a type with a size, and a pointer.
        unsafe { Given::given(LLVMBuildLoad2(self.0, ty.raw(), address.raw(), NONE)) }
    }

    pub fn store(&self, value: Value, address: Value) -> Value {
        let fits = value.ty().is_sized() && address.ty().is_pointer();
        assert!(fits, "a store is of a type with a size, by a pointer");
        // SAFETY: a value with a size, and a pointer.
        unsafe { Given::given(LLVMBuildStore(self.0, value.raw(), address.raw())) }
    }

    /// Room for a variable.
    pub fn variable(&self, ty: Type) -> Value {
        assert!(ty.is_sized(), "a variable has a size");
        // SAFETY: a type with a size.
        unsafe { Given::given(LLVMBuildAlloca(self.0, ty.raw(), NONE)) }
    }

    /// The address so many elements behind another.
    pub fn element_address(&self, element: Type, address: Value, index: Value) -> Value {
        let fits = address.ty().is_pointer() && index.ty().is_integer() && element.is_sized();
        assert!(fits, "an address is so many elements behind a pointer");
        let (mut index, element) = ([index.raw()], element.raw());
        // SAFETY: a pointer, and one index.
        unsafe {
            let address = address.raw();
            let index = index.as_mut_ptr();
            Given::given(LLVMBuildGEP2(self.0, element, address, index, 1, NONE))
        }
    }

    /// A member of a struct or array in a register.
    pub fn member(&self, whole: Value, index: u32) -> Value {
        assert!(u64::from(index) < members(whole.ty()), "it has the member");
        // SAFETY: a struct or an array that has the member.
        unsafe { Given::given(LLVMBuildExtractValue(self.0, whole.raw(), index, NONE)) }
    }

    /// A struct or array with another member.
    pub fn with_member(&self, whole: Value, value: Value, index: u32) -> Value {
        assert!(u64::from(index) < members(whole.ty()), "it has the member");
        let ty = match whole.ty().is_struct() {
            true => whole.ty().member(index),
            false => whole.ty().element(),
        };
        assert!(ty == value.ty(), "a member keeps its type");
        let (whole, value) = (whole.raw(), value.raw());
        // SAFETY: a struct or an array that has the member, which is of this type.
        unsafe { Given::given(LLVMBuildInsertValue(self.0, whole, value, index, NONE)) }
    }

    pub fn vector_element(&self, vector: Value, index: Value) -> Value {
        let fits = vector.ty().is_vector() && index.ty().is_integer();
        assert!(fits, "a vector has elements");
        // SAFETY: a vector, and an integer.
        unsafe {
            Given::given(LLVMBuildExtractElement(
                self.0,
                vector.raw(),
                index.raw(),
                NONE,
            ))
        }
    }

    /// A call of what is of the function's type `ty`.
    pub fn call(&self, function: Value, ty: Type, arguments: &[Value]) -> Value {
        let types: Vec<Type> = arguments.iter().map(|value| value.ty()).collect();
        assert!(
            types == ty.parameters(),
            "arguments fit the function's type"
        );
        let callable = function.ty().is_pointer();
        assert!(callable, "a function is called");
        let mut raw: Vec<LLVMValueRef> = arguments.iter().map(|value| value.raw()).collect();
        let count = raw.len() as u32;
        let (ty, function) = (ty.raw(), function.raw());
        // SAFETY: arguments as the function's type has them.
        unsafe {
            let arguments = raw.as_mut_ptr();
            Given::given(LLVMBuildCall2(self.0, ty, function, arguments, count, NONE))
        }
    }

    /// A constant text, with a NUL at its end.
    pub fn text(&self, text: &str) -> Value {
        // SAFETY: the text ends by a NUL, and code is being written in some module.
        unsafe {
            let written = !LLVMGetInsertBlock(self.0).is_null();
            assert!(written, "a text belongs to the module of the code");
            Given::given(LLVMBuildGlobalString(self.0, c_string(text).as_ptr(), NONE))
        }
    }
}

fn members(ty: Type) -> u64 {
    match ty.is_struct() {
        true => ty.member_count().into(),
        false => ty.array_length(),
    }
}
