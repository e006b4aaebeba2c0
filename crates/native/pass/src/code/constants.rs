//! Constants: as operands, as addresses, and as the bytes of variables.

use super::{Codes, Why, members, zero};
use crate::ir::{Ir, Type, Value};
use elsewise_wire::code::{Constant, MAX_WIDTH, Operand, Relocation, Variable};
use llvm_sys::LLVMOpcode::*;
use llvm_sys::LLVMTypeKind::*;

/// The number that a constant is.
pub fn constant(value: Value) -> Option<Constant> {
    let mut words = [0; MAX_WIDTH as usize / 64];
    let width = value.words(&mut words);
    (1..=MAX_WIDTH).contains(&width).then(|| Constant {
        width,
        words: words[..width.div_ceil(64) as usize].to_vec(),
    })
}

/// An integer constant as a signed number, cut to 64 bits.
pub fn signed(value: Value) -> Option<i64> {
    let Constant { width, words } = constant(value)?;
    let unused = 64u32.saturating_sub(width);
    Some((words[0] << unused) as i64 >> unused)
}

/// A step through memory: so many bytes, and values with the bytes that each of their units stands for.
#[derive(Default)]
pub struct Offset {
    pub bytes: i64,
    pub scaled: Vec<(Value, u64)>,
}

/// What a getelementptr, an instruction or a constant, adds to its base.
pub fn offset(ir: &Ir, gep: Value) -> Result<Offset, Why> {
    let mut found = Offset::default();
    let mut ty: Type = gep.source_type();
    for (position, index) in gep.operands().into_iter().skip(1).enumerate() {
        let scale = if position == 0 {
            ir.size(ty)
        } else if ty.kind() == LLVMStructTypeKind {
            let member = signed(index).ok_or("vectors")? as u32;
            let bytes = ir.member_offset(ty, member);
            found.bytes = found.bytes.wrapping_add(bytes as i64);
            ty = ty.member(member);
            continue;
        } else {
            ty = ty.element();
            ir.size(ty)
        };
        match signed(index) {
            Some(index) => found.bytes = found.bytes.wrapping_add(index.wrapping_mul(scale as i64)),
            None => found.scaled.push((index, scale)),
        }
    }
    Ok(found)
}

impl Codes {
    /// A constant, taken apart.
    pub fn constant(&mut self, ir: &Ir, value: Value) -> Result<Vec<Operand>, Why> {
        if let Some(constant) = constant(value) {
            return Ok(vec![Operand::Constant(constant)]);
        }
        let ty = value.ty();
        if value.is_null() || value.is_undefined() {
            return Ok(ir.leaves(ty)?.into_iter().map(zero).collect());
        }
        if !value.is_constant_expression()
            && matches!(
                ty.kind(),
                LLVMStructTypeKind | LLVMArrayTypeKind | LLVMVectorTypeKind
            )
        {
            let mut leaves = Vec::new();
            for index in 0..members(ty)?.len() {
                let member = value.member(index as u32).ok_or("constants")?;
                leaves.extend(self.constant(ir, member)?);
            }
            return Ok(leaves);
        }
        if ir.width(ty)? != 64 {
            return Err("constants");
        }
        let (symbol, addend) = self.address(ir, value)?;
        Ok(vec![Operand::Address { symbol, addend }])
    }

    /// A constant that is a place in the program.
    pub fn address(&mut self, ir: &Ir, value: Value) -> Result<(u32, i64), Why> {
        if value.is_indirect_function() {
            return Err("indirect functions");
        }
        if value.is_global_value() {
            return Ok((self.symbol(value), 0));
        }
        if !value.is_constant_expression() {
            return Err("constants");
        }
        let first = value.operand(0);
        match value.constant_opcode() {
            LLVMGetElementPtr => {
                let Offset { bytes, scaled } = offset(ir, value)?;
                let (symbol, addend) = self.address(ir, first)?;
                match scaled.is_empty() {
                    true => Ok((symbol, addend.wrapping_add(bytes))),
                    false => Err("constants"),
                }
            }
            LLVMPtrToInt | LLVMIntToPtr | LLVMBitCast if ir.width(first.ty()) == Ok(64) => {
                self.address(ir, first)
            }
            LLVMAdd => {
                let second = signed(value.operand(1)).ok_or("constants")?;
                let (symbol, addend) = self.address(ir, first)?;
                Ok((symbol, addend.wrapping_add(second)))
            }
            _ => Err("constants"),
        }
    }

    /// Puts a constant into the bytes of a variable.
    pub fn place(
        &mut self,
        ir: &Ir,
        value: Value,
        at: u64,
        variable: &mut Variable,
    ) -> Result<(), Why> {
        let ty = value.ty();
        if value.is_null() || value.is_undefined() {
            return Ok(());
        }
        if let Some(bytes) = value.raw_data() {
            write(variable, at, &bytes);
            return Ok(());
        }
        if let Some(constant) = constant(value) {
            let size = ir.store_size(ty) as usize;
            let bytes = constant.words.iter().flat_map(|word| word.to_le_bytes());
            let mut bytes: Vec<u8> = bytes.collect();
            bytes.resize(size, 0);
            write(variable, at, &bytes);
            return Ok(());
        }
        let count = match ty.kind() {
            LLVMStructTypeKind => u64::from(ty.member_count()),
            LLVMArrayTypeKind => ty.array_length(),
            LLVMPointerTypeKind | LLVMIntegerTypeKind if ir.width(ty) == Ok(64) => {
                let (symbol, addend) = self.address(ir, value)?;
                variable.relocations.push(Relocation {
                    offset: at,
                    symbol,
                    addend,
                });
                return Ok(());
            }
            _ => return Err("constants"),
        };
        for index in 0..count as u32 {
            let member = value.member(index).ok_or("constants")?;
            self.place(ir, member, at + ir.member_offset(ty, index), variable)?;
        }
        Ok(())
    }
}

fn write(variable: &mut Variable, at: u64, bytes: &[u8]) {
    let (at, end) = (at as usize, at as usize + bytes.len());
    if variable.bytes.len() < end {
        variable.bytes.resize(end, 0);
    }
    variable.bytes[at..end].copy_from_slice(bytes);
}
