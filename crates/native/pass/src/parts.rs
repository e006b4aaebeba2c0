//! Values of several parts: structs, arrays and vectors in registers. Each part has a label.

use crate::emit::{Emitter, Label};
use crate::ir::{self, Ir, Type, Value};
use crate::labels::opcode;
use llvm_sys::LLVMOpcode::*;
use llvm_sys::LLVMTypeKind::*;
use llvm_sys::core::*;

/// Values of more parts are made concrete.
pub const MAX_PARTS: usize = 8;

impl Ir {
    /// Types of the parts, in order; none when a part cannot have a label, or there are too many.
    pub fn parts(&self, ty: Type) -> Option<Vec<Type>> {
        if self.shape(ty).is_some() {
            return Some(vec![ty]);
        }
        let mut parts = Vec::new();
        for member in members(ty)? {
            parts.extend(self.parts(member)?);
            if parts.len() > MAX_PARTS {
                return None;
            }
        }
        (!parts.is_empty()).then_some(parts)
    }

    pub fn parts_of(&self, value: Value) -> Option<Vec<Type>> {
        self.parts(ir::type_of(value))
    }

    /// Part `wanted` of a value.
    pub fn part(&self, value: Value, wanted: usize) -> Value {
        let ty = ir::type_of(value);
        if self.shape(ty).is_some() {
            return value;
        }
        let mut before = 0;
        for (index, member) in members(ty).into_iter().flatten().enumerate() {
            let count = self.parts(member).map_or(0, |parts| parts.len());
            if wanted < before + count {
                let none = c"".as_ptr();
                let member = unsafe {
                    if LLVMGetTypeKind(ty) == LLVMVectorTypeKind {
                        let at = self.const64(index as u64);
                        LLVMBuildExtractElement(self.builder, value, at, none)
                    } else {
                        LLVMBuildExtractValue(self.builder, value, index as u32, none)
                    }
                };
                return self.part(member, wanted - before);
            }
            before += count;
        }
        unsafe { LLVMGetUndef(self.i64) }
    }

    /// Where the parts of the member at `path` begin, and how many they are.
    fn parts_at(&self, mut ty: Type, path: &[u32]) -> Option<(usize, usize)> {
        let mut first = 0;
        for step in path {
            let members = members(ty)?;
            for member in members.get(..*step as usize)? {
                first += self.parts(*member)?.len();
            }
            ty = *members.get(*step as usize)?;
        }
        Some((first, self.parts(ty)?.len()))
    }
}

fn members(ty: Type) -> Option<Vec<Type>> {
    unsafe {
        Some(match LLVMGetTypeKind(ty) {
            LLVMStructTypeKind => {
                let count = LLVMCountStructElementTypes(ty);
                (0..count.min(MAX_PARTS as u32 + 1))
                    .map(|index| LLVMStructGetTypeAtIndex(ty, index))
                    .collect()
            }
            LLVMArrayTypeKind => {
                let count = LLVMGetArrayLength2(ty).min(MAX_PARTS as u64 + 1);
                vec![LLVMGetElementType(ty); count as usize]
            }
            LLVMVectorTypeKind => {
                let count = LLVMGetVectorSize(ty).min(MAX_PARTS as u32 + 1);
                vec![LLVMGetElementType(ty); count as usize]
            }
            _ => return None,
        })
    }
}

/// From which operand and which of its parts each part of the result comes; `None` for a part
/// that has no label. Empty for instructions that are not of this kind.
pub fn sources(ir: &Ir, i: Value) -> Option<Vec<Option<(Value, usize)>>> {
    let whole = |value: Value, count: usize| (0..count).map(move |part| Some((value, part)));
    let result = ir.parts_of(i)?.len();
    let operand = |index| ir::operand(i, index);
    let path = || unsafe {
        let count = LLVMGetNumIndices(i);
        std::slice::from_raw_parts(LLVMGetIndices(i), count as usize).to_vec()
    };
    let constant = |index: Value| {
        (!unsafe { LLVMIsAConstantInt(index) }.is_null())
            .then(|| unsafe { LLVMConstIntGetZExtValue(index) } as u32)
    };
    match opcode(i) {
        LLVMExtractValue => {
            let (first, count) = ir.parts_at(ir::type_of(operand(0)), &path())?;
            let parts = first..first + count;
            Some(parts.map(|part| Some((operand(0), part))).collect())
        }
        LLVMExtractElement => {
            let at = constant(operand(1))?;
            let (first, _) = ir.parts_at(ir::type_of(operand(0)), &[at])?;
            Some(vec![Some((operand(0), first))])
        }
        LLVMInsertValue | LLVMInsertElement => {
            let path = match opcode(i) {
                LLVMInsertValue => path(),
                _ => vec![constant(operand(2))?],
            };
            let (first, count) = ir.parts_at(ir::type_of(i), &path)?;
            let mut sources: Vec<_> = whole(operand(0), result).collect();
            sources.splice(first..first + count, whole(operand(1), count));
            Some(sources)
        }
        LLVMShuffleVector => {
            let (left, width) = (operand(0), ir.parts_of(operand(0))?.len());
            let mask = (0..result).map(|at| unsafe { LLVMGetMaskValue(i, at as u32) });
            Some(
                mask.map(|from| match usize::try_from(from) {
                    Ok(from) if from < width => Some((left, from)),
                    Ok(from) => Some((operand(1), from - width)),
                    Err(_) => None,
                })
                .collect(),
            )
        }
        LLVMFreeze if result > 1 => Some(whole(operand(0), result).collect()),
        _ => None,
    }
}

impl Emitter<'_> {
    /// An instruction that only puts parts together or takes them apart.
    pub fn regroup(&mut self, i: Value, sources: &[Option<(Value, usize)>]) {
        self.flush(i);
        self.ir.before(i);
        for (part, source) in sources.iter().enumerate() {
            let label = match source {
                Some((value, from)) => self.label_of_part(*value, *from),
                None => self.ir.const32(0),
            };
            self.set_part(i, part, Label::Ready(label));
        }
    }
}

/// Loads and stores of structs and arrays become loads and stores of their members.
pub fn split_accesses(ir: &Ir, function: Value) {
    for block in ir::blocks(function) {
        for i in ir::instructions(block) {
            let (ty, simple) = match opcode(i) {
                LLVMLoad => (ir::type_of(i), unsafe { LLVMGetVolatile(i) == 0 }),
                LLVMStore => (ir::type_of(ir::operand(i, 0)), unsafe {
                    LLVMGetVolatile(i) == 0
                }),
                _ => continue,
            };
            let kind = unsafe { LLVMGetTypeKind(ty) };
            let compound = matches!(kind, LLVMStructTypeKind | LLVMArrayTypeKind);
            if !simple || !compound || members(ty).is_none_or(|m| m.len() > MAX_PARTS) {
                continue;
            }
            ir.before(i);
            unsafe {
                if opcode(i) == LLVMLoad {
                    let whole = load_members(ir, ty, ir::operand(i, 0));
                    LLVMReplaceAllUsesWith(i, whole);
                } else {
                    store_members(ir, ir::operand(i, 0), ir::operand(i, 1));
                }
                LLVMInstructionEraseFromParent(i);
            }
        }
    }
}

fn load_members(ir: &Ir, ty: Type, address: Value) -> Value {
    unsafe {
        let mut whole = LLVMGetPoison(ty);
        for (index, member) in members(ty).into_iter().flatten().enumerate() {
            let at = ir.offset(address, ir.member_offset(ty, index as u32));
            let kind = LLVMGetTypeKind(member);
            let value = if matches!(kind, LLVMStructTypeKind | LLVMArrayTypeKind) {
                load_members(ir, member, at)
            } else {
                let load = ir.load(member, at);
                LLVMSetAlignment(load, 1);
                load
            };
            whole = LLVMBuildInsertValue(ir.builder, whole, value, index as u32, c"".as_ptr());
        }
        whole
    }
}

fn store_members(ir: &Ir, value: Value, address: Value) {
    let ty = ir::type_of(value);
    unsafe {
        for (index, member) in members(ty).into_iter().flatten().enumerate() {
            let at = ir.offset(address, ir.member_offset(ty, index as u32));
            let part = LLVMBuildExtractValue(ir.builder, value, index as u32, c"".as_ptr());
            let kind = LLVMGetTypeKind(member);
            if matches!(kind, LLVMStructTypeKind | LLVMArrayTypeKind) {
                store_members(ir, part, at);
            } else {
                let store = LLVMBuildStore(ir.builder, part, at);
                LLVMSetAlignment(store, 1);
            }
        }
    }
}
