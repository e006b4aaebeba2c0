//! Values of several parts: structs, arrays and vectors in registers. Each part has a label.

use crate::ir::{Ir, Type, Value};
use llvm_sys::LLVMOpcode::*;
use llvm_sys::LLVMTypeKind::*;

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
        self.parts(value.ty())
    }

    /// Part `wanted` of a value.
    pub fn part(&self, value: Value, wanted: usize) -> Value {
        let ty = value.ty();
        if self.shape(ty).is_some() {
            return value;
        }
        let mut before = 0;
        for (index, member) in members(ty).into_iter().flatten().enumerate() {
            let count = self.parts(member).map_or(0, |parts| parts.len());
            if wanted < before + count {
                let member = match ty.is_vector() {
                    true => self
                        .builder
                        .vector_element(value, self.const64(index as u64)),
                    false => self.builder.member(value, index as u32),
                };
                return self.part(member, wanted - before);
            }
            before += count;
        }
        self.i64.undefined()
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
    Some(match ty.kind() {
        LLVMStructTypeKind => {
            let count = ty.member_count();
            (0..count.min(MAX_PARTS as u32 + 1))
                .map(|index| ty.member(index))
                .collect()
        }
        LLVMArrayTypeKind => {
            let count = ty.array_length().min(MAX_PARTS as u64 + 1);
            vec![ty.element(); count as usize]
        }
        LLVMVectorTypeKind => {
            let count = ty.vector_length().min(MAX_PARTS as u32 + 1);
            vec![ty.element(); count as usize]
        }
        _ => return None,
    })
}

/// From which operand and which of its parts each part of the result comes; `None` for a part
/// that has no label. Empty for instructions that are not of this kind.
pub fn sources(ir: &Ir, i: Value) -> Option<Vec<Option<(Value, usize)>>> {
    let whole = |value: Value, count: usize| (0..count).map(move |part| Some((value, part)));
    let result = ir.parts_of(i)?.len();
    let operand = |index| i.operand(index);
    let path = || i.indices();
    let constant = |index: Value| index.as_u64().map(|index| index as u32);
    match i.opcode() {
        LLVMExtractValue => {
            let (first, count) = ir.parts_at(operand(0).ty(), &path())?;
            let parts = first..first + count;
            Some(parts.map(|part| Some((operand(0), part))).collect())
        }
        LLVMExtractElement => {
            let at = constant(operand(1))?;
            let (first, _) = ir.parts_at(operand(0).ty(), &[at])?;
            Some(vec![Some((operand(0), first))])
        }
        LLVMInsertValue | LLVMInsertElement => {
            let path = match i.opcode() {
                LLVMInsertValue => path(),
                _ => vec![constant(operand(2))?],
            };
            let (first, count) = ir.parts_at(i.ty(), &path)?;
            let mut sources: Vec<_> = whole(operand(0), result).collect();
            sources.splice(first..first + count, whole(operand(1), count));
            Some(sources)
        }
        LLVMShuffleVector => {
            let (left, width) = (operand(0), ir.parts_of(operand(0))?.len());
            let mask = (0..result).map(|at| i.shuffled_from(at as u32));
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

/// Loads and stores of structs and arrays become loads and stores of their members.
pub fn split_accesses(ir: &Ir, function: Value) {
    for block in function.blocks() {
        for i in block.instructions() {
            let (ty, simple) = match i.opcode() {
                LLVMLoad => (i.ty(), !i.is_volatile()),
                LLVMStore => (i.operand(0).ty(), !i.is_volatile()),
                _ => continue,
            };
            let kind = ty.kind();
            let compound = matches!(kind, LLVMStructTypeKind | LLVMArrayTypeKind);
            if !simple || !compound || members(ty).is_none_or(|m| m.len() > MAX_PARTS) {
                continue;
            }
            ir.before(i);
            if i.opcode() == LLVMLoad {
                i.replace_uses(load_members(ir, ty, i.operand(0)));
            } else {
                store_members(ir, i.operand(0), i.operand(1));
            }
            // SAFETY: this list of instructions is the only one, and is done with it; so is the builder.
            unsafe { i.erase() };
        }
    }
}

fn load_members(ir: &Ir, ty: Type, address: Value) -> Value {
    let mut whole = ty.poison();
    for (index, member) in members(ty).into_iter().flatten().enumerate() {
        let at = ir.offset(address, ir.member_offset(ty, index as u32));
        let kind = member.kind();
        let value = if matches!(kind, LLVMStructTypeKind | LLVMArrayTypeKind) {
            load_members(ir, member, at)
        } else {
            let load = ir.load(member, at);
            load.set_alignment(1);
            load
        };
        whole = ir.builder.with_member(whole, value, index as u32);
    }
    whole
}

fn store_members(ir: &Ir, value: Value, address: Value) {
    let ty = value.ty();
    for (index, member) in members(ty).into_iter().flatten().enumerate() {
        let at = ir.offset(address, ir.member_offset(ty, index as u32));
        let part = ir.builder.member(value, index as u32);
        let kind = member.kind();
        if matches!(kind, LLVMStructTypeKind | LLVMArrayTypeKind) {
            store_members(ir, part, at);
        } else {
            let store = ir.builder.store(part, at);
            store.set_alignment(1);
        }
    }
}
