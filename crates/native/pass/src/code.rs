//! The code of the module as a transition relation, told before anything is inserted, so that the engine
//! can follow the program itself: functions, and global variables as they are at the beginning.
//!
//! Structs and vectors are taken apart into their numbers (*leaves*), addresses are computed by plain
//! arithmetic. What cannot be said is an opaque step, with a word why.

mod constants;
mod function;
mod intrinsics;
mod operations;

use crate::ir::{Ir, Type, Value};
use crate::sites::Sites;
use elsewise_wire::code::{Alias, Binding, Code, MAX_WIDTH, Operand, Symbol, Variable};
use llvm_sys::LLVMLinkage::*;
use llvm_sys::LLVMTypeKind::*;
use std::collections::HashMap;

/// Why something cannot be said, in a word or two.
pub type Why = &'static str;

/// Structs of more numbers are not followed.
const MAX_LEAVES: usize = 64;

/// The code of a module under construction.
#[derive(Default)]
pub struct Codes {
    code: Code,
    symbols: HashMap<Value, u32>,
}

impl Codes {
    /// With the module's global variables, as its source has them.
    pub fn new(ir: &Ir) -> Codes {
        let mut codes = Codes::default();
        for global in ir.module.globals() {
            codes.global(ir, global);
        }
        for alias in ir.module.aliases() {
            if let Ok((target, addend)) = codes.address(ir, alias.alias_of()) {
                let symbol = codes.symbol(alias);
                codes.code.aliases.push(Alias {
                    symbol,
                    target,
                    addend,
                });
            }
        }
        codes
    }

    fn global(&mut self, ir: &Ir, global: Value) {
        let name = global.name();
        if name == "llvm.global_ctors" {
            return self.constructors(ir, global);
        }
        let here = global.linkage() != LLVMAvailableExternallyLinkage && !name.starts_with("llvm.");
        let Some(value) = global.initial_value().filter(|_| here) else {
            return;
        };
        let mut variable = Variable {
            symbol: self.symbol(global),
            size: ir.size(value.ty()),
            align: ir.align_of_global(global),
            constant: global.is_constant_variable(),
            ..Variable::default()
        };
        if let Err(why) = self.place(ir, value, 0, &mut variable) {
            variable.opaque = Some(why.to_string());
        }
        let used = variable.bytes.iter().rposition(|byte| *byte != 0);
        variable.bytes.truncate(used.map_or(0, |last| last + 1));
        self.code.variables.push(variable);
    }

    /// The list has a priority, a function and what it belongs to.
    fn constructors(&mut self, ir: &Ir, list: Value) {
        let Some(value) = list.initial_value() else {
            return;
        };
        for index in 0..value.ty().array_length() {
            let member = |at| value.member(index as u32)?.member(at);
            let (priority, function) = (member(0), member(1));
            if let Some(priority) = priority.and_then(Value::as_u64)
                && let Some(Ok((symbol, 0))) = function.map(|function| self.address(ir, function))
            {
                self.code.constructors.push((priority as u32, symbol));
            }
        }
    }

    pub fn symbol(&mut self, global: Value) -> u32 {
        let code = &mut self.code;
        *self.symbols.entry(global).or_insert_with(|| {
            let binding = match global.linkage() {
                LLVMInternalLinkage | LLVMPrivateLinkage => Binding::Local,
                LLVMExternalLinkage => Binding::Global,
                _ => Binding::Weak,
            };
            code.symbols.push(Symbol {
                name: global.name(),
                binding,
            });
            code.symbols.len() as u32 - 1
        })
    }

    /// Ends the module: the key, the encoded map and the encoded code.
    pub fn finish(mut self, sites: Sites) -> (u64, Vec<u8>, Vec<u8>) {
        let (key, map) = sites.finish(&self.code.encode());
        self.code.key = key;
        (key, map, self.code.encode())
    }
}

impl Ir {
    /// Widths of the numbers that a value of the type is made of.
    fn leaves(&self, ty: Type) -> Result<Vec<u32>, Why> {
        let mut widths = Vec::new();
        self.add_leaves(ty, &mut widths)?;
        match widths.is_empty() || widths.iter().sum::<u32>() > MAX_WIDTH {
            true => Err("structs"),
            false => Ok(widths),
        }
    }

    fn add_leaves(&self, ty: Type, widths: &mut Vec<u32>) -> Result<(), Why> {
        let width = match ty.kind() {
            LLVMIntegerTypeKind => ty.int_width(),
            LLVMPointerTypeKind if ty.pointer_space() == 0 => 64,
            LLVMHalfTypeKind | LLVMBFloatTypeKind => 16,
            LLVMFloatTypeKind => 32,
            LLVMDoubleTypeKind => 64,
            LLVMX86_FP80TypeKind => 80,
            LLVMFP128TypeKind => 128,
            _ => {
                for member in members(ty)? {
                    self.add_leaves(member, widths)?;
                }
                return Ok(());
            }
        };
        if width > MAX_WIDTH || widths.len() >= MAX_LEAVES {
            return Err("structs");
        }
        widths.push(width);
        Ok(())
    }

    /// The first of the leaves of the member at `path`, and how many there are.
    fn leaves_at(&self, mut ty: Type, path: &[u32]) -> Result<(usize, usize), Why> {
        let mut first = 0;
        for step in path {
            let members = members(ty)?;
            let mut before = Vec::new();
            for member in &members[..*step as usize] {
                self.add_leaves(*member, &mut before)?;
            }
            first += before.len();
            ty = members[*step as usize];
        }
        let mut own = Vec::new();
        self.add_leaves(ty, &mut own)?;
        Ok((first, own.len()))
    }

    /// The one number that a value of the type is.
    fn width(&self, ty: Type) -> Result<u32, Why> {
        match self.leaves(ty)?[..] {
            [width] => Ok(width),
            _ => Err("structs"),
        }
    }
}

/// Types of the members, where they are not too many.
fn members(ty: Type) -> Result<Vec<Type>, Why> {
    let alike = |count: u64| match count <= MAX_LEAVES as u64 {
        true => Ok(vec![ty.element(); count as usize]),
        false => Err("structs"),
    };
    match ty.kind() {
        LLVMStructTypeKind => {
            let count = ty.member_count();
            Ok((0..count).map(|index| ty.member(index)).collect())
        }
        LLVMArrayTypeKind => alike(ty.array_length()),
        LLVMVectorTypeKind => alike(ty.vector_length().into()),
        _ => Err("types"),
    }
}

fn zero(width: u32) -> Operand {
    number(width, 0)
}

fn number(width: u32, value: u64) -> Operand {
    Operand::Constant(elsewise_wire::code::Constant::new(width, value))
}
