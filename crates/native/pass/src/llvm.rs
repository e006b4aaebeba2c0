//! Handles of LLVM's C interface that safe code may hold, and what the pass asks of them. Outside of this module,
//! only what removes something from the module is `unsafe`.
//!
//! It rests on two things.
//!
//! - A handle is *live*: what it names belongs to the module that is instrumented or to its context, and both outlive
//!   the pass; who makes a [`Module`] promises that. All other handles come from LLVM, and what leaves the module
//!   does so by an `unsafe fn`.
//! - What LLVM asks beyond that (that a value is a call, that an index is in range, that types agree) is
//!   checked here: an LLVM built without assertions does not check it. A pass that gets it wrong panics.

mod build;
mod value;

pub use build::{Builder, Context, Metadata};
pub use value::Value;

use llvm_sys::LLVMTypeKind::{self, *};
use llvm_sys::core::*;
use llvm_sys::debuginfo::{LLVMDIFileGetFilename, LLVMDIScopeGetFile};
use llvm_sys::prelude::*;
use std::ffi::{CString, c_char};

/// What a C function gives back, as Rust has it.
trait Given<Raw> {
    /// # Safety
    /// LLVM has just given it back, for handles that are live.
    unsafe fn given(raw: Raw) -> Self;
}

macro_rules! given_as_it_is {
    ($($type:ty),*) => {$(
        impl Given<$type> for $type {
            unsafe fn given(raw: $type) -> $type {
                raw
            }
        }
    )*};
}
given_as_it_is!(
    u32,
    u64,
    i32,
    i64,
    LLVMTypeKind,
    llvm_sys::LLVMOpcode,
    llvm_sys::LLVMLinkage,
    llvm_sys::LLVMVisibility,
    llvm_sys::LLVMIntPredicate,
    llvm_sys::LLVMRealPredicate,
    llvm_sys::LLVMAtomicOrdering,
    llvm_sys::LLVMAtomicRMWBinOp,
    llvm_sys::LLVMTailCallKind
);

impl Given<LLVMBool> for bool {
    unsafe fn given(raw: LLVMBool) -> bool {
        raw != 0
    }
}

/// A handle of this name: a pointer that is not null.
macro_rules! handle {
    ($(#[$about:meta])* $name:ident, $raw:ty, $to:ty) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(transparent)]
        pub struct $name(std::ptr::NonNull<$to>);

        impl $name {
            pub(in crate::llvm) fn raw(self) -> $raw {
                self.0.as_ptr()
            }
        }

        impl Given<$raw> for Option<$name> {
            unsafe fn given(raw: $raw) -> Option<$name> {
                std::ptr::NonNull::new(raw).map($name)
            }
        }

        impl Given<$raw> for $name {
            unsafe fn given(raw: $raw) -> $name {
                $name(std::ptr::NonNull::new(raw).expect("LLVM has it"))
            }
        }
    };
}
use handle;

handle!(
    /// The module that is instrumented.
    Module, LLVMModuleRef, llvm_sys::LLVMModule
);
handle!(Type, LLVMTypeRef, llvm_sys::LLVMType);
handle!(Block, LLVMBasicBlockRef, llvm_sys::LLVMBasicBlock);
handle!(
    /// A place in the source.
    Place, LLVMMetadataRef, llvm_sys::LLVMOpaqueMetadata
);
handle!(
    /// How the target lays out types.
    Layout, llvm_sys::target::LLVMTargetDataRef, llvm_sys::target::LLVMOpaqueTargetData
);
handle!(
    Attribute,
    LLVMAttributeRef,
    llvm_sys::LLVMOpaqueAttributeRef
);

/// Methods that are functions of LLVM's which take the handle alone. Where a function is only for some handles, a test
/// comes first that says which.
macro_rules! asks {
    ($($(#[$about:meta])* $name:ident: $function:ident -> $result:ty $(, of $test:ident)?;)*) => {$(
        $(#[$about])*
        pub fn $name(self) -> $result {
            $(assert!(self.$test(), concat!(stringify!($function), " of what is not so: ", stringify!($test)));)?
            // SAFETY: the handle is live, and of the kind that the function is for.
            unsafe { Given::given($function(self.raw())) }
        }
    )*};
}
use asks;

/// A list whose first item and next ones LLVM tells.
macro_rules! list {
    ($first:expr, $next:ident) => {{
        let mut found = Vec::new();
        // SAFETY: who owns the list is live, and so are its items; the last is followed by none.
        unsafe {
            let mut at = $first;
            while let Some(item) = Given::given(at) {
                found.push(item);
                at = $next(item.raw());
            }
        }
        found
    }};
}
use list;

/// Text of LLVM's.
///
/// # Safety
/// At `text` are `length` bytes, or it is null.
unsafe fn text(text: *const c_char, length: usize) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: as the caller says.
    let bytes = unsafe { std::slice::from_raw_parts(text.cast(), length) };
    String::from_utf8_lossy(bytes).into_owned()
}

fn c_string(text: &str) -> CString {
    CString::new(text.replace('\0', "")).expect("no NUL is left")
}

impl Module {
    /// # Safety
    /// The module is live for as long as handles are used, and nobody else touches it or its context.
    pub unsafe fn new(module: LLVMModuleRef) -> Module {
        // SAFETY: as the caller says.
        unsafe { Given::given(module) }
    }

    asks! {
        context: LLVMGetModuleContext -> Context;
    }

    pub fn functions(self) -> Vec<Value> {
        list!(LLVMGetFirstFunction(self.raw()), LLVMGetNextFunction)
    }

    pub fn globals(self) -> Vec<Value> {
        list!(LLVMGetFirstGlobal(self.raw()), LLVMGetNextGlobal)
    }

    pub fn aliases(self) -> Vec<Value> {
        list!(LLVMGetFirstGlobalAlias(self.raw()), LLVMGetNextGlobalAlias)
    }

    pub fn function(self, name: &str) -> Option<Value> {
        // SAFETY: the name ends by a NUL.
        unsafe { Given::given(LLVMGetNamedFunction(self.raw(), c_string(name).as_ptr())) }
    }

    pub fn global(self, name: &str) -> Option<Value> {
        // SAFETY: the name ends by a NUL.
        unsafe { Given::given(LLVMGetNamedGlobal(self.raw(), c_string(name).as_ptr())) }
    }

    pub fn add_function(self, name: &str, ty: Type) -> Value {
        assert!(ty.is_function(), "a function has a function's type");
        // SAFETY: the name ends by a NUL.
        unsafe {
            Given::given(LLVMAddFunction(
                self.raw(),
                c_string(name).as_ptr(),
                ty.raw(),
            ))
        }
    }

    pub fn add_global(self, name: &str, ty: Type) -> Value {
        assert!(!ty.is_function(), "a variable has no function's type");
        // SAFETY: the name ends by a NUL.
        unsafe { Given::given(LLVMAddGlobal(self.raw(), ty.raw(), c_string(name).as_ptr())) }
    }

    /// Another name of a function or variable.
    pub fn add_alias(self, name: &str, of: Value) -> Value {
        let (ty, name) = (of.value_type(), c_string(name));
        // SAFETY: the name ends by a NUL.
        unsafe {
            Given::given(LLVMAddAlias2(
                self.raw(),
                ty.raw(),
                0,
                of.raw(),
                name.as_ptr(),
            ))
        }
    }

    /// What it was compiled from: as debugging information names it, which forgets where that was if the compiler is
    /// told to, and otherwise as the compiler was given it.
    pub fn source_file_name(self) -> String {
        if let Some(name) = self.unit_file_name() {
            return name;
        }
        let mut length = 0;
        // SAFETY: LLVM says how long the text is.
        unsafe {
            let name = LLVMGetSourceFileName(self.raw(), &mut length);
            text(name, length)
        }
    }

    fn unit_file_name(self) -> Option<String> {
        let units = c"llvm.dbg.cu".as_ptr();
        // SAFETY: what has this name are compile units, which are scopes; LLVM says how many there are, and how long
        // the text is.
        unsafe {
            let count = LLVMGetNamedMetadataNumOperands(self.raw(), units);
            let mut all = vec![std::ptr::null_mut(); count as usize];
            LLVMGetNamedMetadataOperands(self.raw(), units, all.as_mut_ptr());
            let file = LLVMDIScopeGetFile(LLVMValueAsMetadata(*all.first()?));
            if file.is_null() {
                return None;
            }
            let mut length = 0;
            let name = LLVMDIFileGetFilename(file, &mut length);
            Some(text(name, length as usize)).filter(|name| !name.is_empty())
        }
    }
}

impl Type {
    asks! {
        kind: LLVMGetTypeKind -> LLVMTypeKind;
        is_sized: LLVMTypeIsSized -> bool;
        int_width: LLVMGetIntTypeWidth -> u32, of is_integer;
        pointer_space: LLVMGetPointerAddressSpace -> u32, of is_pointer;
        /// Of an array or a vector.
        element: LLVMGetElementType -> Type, of is_sequence;
        array_length: LLVMGetArrayLength2 -> u64, of is_array;
        vector_length: LLVMGetVectorSize -> u32, of is_vector;
        member_count: LLVMCountStructElementTypes -> u32, of is_struct;
        is_variadic: LLVMIsFunctionVarArg -> bool, of is_function;
        parameter_count: LLVMCountParamTypes -> u32, of is_function;
        undefined: LLVMGetUndef -> Value;
        poison: LLVMGetPoison -> Value;
        /// Zero, or what is null.
        null: LLVMConstNull -> Value, of is_sized;
    }

    pub fn is_integer(self) -> bool {
        self.kind() == LLVMIntegerTypeKind
    }

    pub fn is_pointer(self) -> bool {
        self.kind() == LLVMPointerTypeKind
    }

    pub fn is_struct(self) -> bool {
        self.kind() == LLVMStructTypeKind
    }

    pub fn is_array(self) -> bool {
        self.kind() == LLVMArrayTypeKind
    }

    pub fn is_vector(self) -> bool {
        self.kind() == LLVMVectorTypeKind
    }

    pub fn is_void(self) -> bool {
        self.kind() == LLVMVoidTypeKind
    }

    fn is_function(self) -> bool {
        self.kind() == LLVMFunctionTypeKind
    }

    fn is_sequence(self) -> bool {
        let scalable = self.kind() == LLVMScalableVectorTypeKind;
        self.is_array() || self.is_vector() || scalable
    }

    /// Type of a member of a struct.
    pub fn member(self, index: u32) -> Type {
        assert!(index < self.member_count(), "a struct has the member");
        // SAFETY: a struct that has the member.
        unsafe { Given::given(LLVMStructGetTypeAtIndex(self.raw(), index)) }
    }

    pub fn array_of(self, count: u64) -> Type {
        assert!(self.is_sized(), "elements have a size");
        // SAFETY: a type that has a size can be an element.
        unsafe { Given::given(LLVMArrayType2(self.raw(), count)) }
    }

    pub fn number(self, value: u64) -> Value {
        assert!(self.is_integer(), "a number is an integer");
        // SAFETY: an integer type.
        unsafe { Given::given(LLVMConstInt(self.raw(), value, 0)) }
    }

    /// Type of a function with this result.
    pub fn function_of(self, parameters: &[Type]) -> Type {
        let mut parameters: Vec<LLVMTypeRef> = parameters.iter().map(|ty| ty.raw()).collect();
        let count = parameters.len() as u32;
        // SAFETY: there are so many parameters.
        unsafe {
            Given::given(LLVMFunctionType(
                self.raw(),
                parameters.as_mut_ptr(),
                count,
                0,
            ))
        }
    }

    /// Types of the parameters of a function's type.
    pub fn parameters(self) -> Vec<Type> {
        let mut types = vec![std::ptr::null_mut(); self.parameter_count() as usize];
        // SAFETY: there is room for all, and each is then a type.
        unsafe {
            LLVMGetParamTypes(self.raw(), types.as_mut_ptr());
            types.into_iter().map(|ty| Given::given(ty)).collect()
        }
    }
}

impl Block {
    asks! {
        function: LLVMGetBasicBlockParent -> Value;
        first_instruction: LLVMGetFirstInstruction -> Option<Value>;
        end: LLVMGetBasicBlockTerminator -> Option<Value>;
    }

    pub fn instructions(self) -> Vec<Value> {
        list!(LLVMGetFirstInstruction(self.raw()), LLVMGetNextInstruction)
    }

    /// What a block that is complete ends with.
    pub fn terminator(self) -> Value {
        self.end().expect("a block has a terminator")
    }

    /// Puts a block behind all others of its function.
    pub fn move_to_end(self) {
        let blocks = self.function().blocks();
        if let Some(last) = blocks.last().filter(|last| **last != self) {
            // SAFETY: both are blocks of one function.
            unsafe { LLVMMoveBasicBlockAfter(self.raw(), last.raw()) };
        }
    }
}

/// The number by which LLVM knows an attribute; 0 if it knows none of this name.
pub fn attribute_kind(name: &str) -> u32 {
    // SAFETY: there are so many bytes of the name.
    unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) }
}

impl Attribute {
    asks! {
        is_type: LLVMIsTypeAttribute -> bool;
        is_enum: LLVMIsEnumAttribute -> bool;
        /// The type that it names.
        ty: LLVMGetTypeAttributeValue -> Type, of is_type;
        /// The number that it has.
        value: LLVMGetEnumAttributeValue -> u64, of is_enum;
    }
}
