//! What an instrumented module holds as data, in words: a line for each instruction of its bytecode (operands are slots
//! `$0` or constants), for each of its sites, and for each step of its code.

use anyhow::{Context, Result, ensure};
use elsewise_wire::bytecode::{CONSTANT, Code as Bytecode};
use elsewise_wire::code::Code;
use elsewise_wire::map::ProgramMap;
use elsewise_wire::{Check, Formula, Op};
use llvm_sys::core::*;
use llvm_sys::prelude::*;
use std::ffi::CStr;
use std::fmt::Write;

/// Bytes of a constant variable; of a struct, those of its second member.
///
/// # Safety
/// The module is live.
unsafe fn bytes(module: LLVMModuleRef, name: &CStr) -> Result<Vec<u8>> {
    // SAFETY: as the caller says; who is asked for bytes is a constant array of them.
    unsafe {
        let variable = LLVMGetNamedGlobal(module, name.as_ptr());
        ensure!(!variable.is_null(), "there is no {name:?}");
        let mut value = LLVMGetInitializer(variable);
        if !LLVMIsAConstantStruct(value).is_null() {
            value = LLVMGetOperand(value, 1);
        }
        if LLVMIsAConstantDataSequential(value).is_null() {
            return Ok(Vec::new());
        }
        let mut length = 0;
        let bytes = LLVMGetAsString(value, &mut length);
        Ok(std::slice::from_raw_parts(bytes.cast(), length).to_vec())
    }
}

/// # Safety
/// The module is live, and has been instrumented.
pub unsafe fn tell(module: LLVMModuleRef) -> Result<String> {
    // SAFETY: as the caller says.
    let [programs, map, code] = unsafe {
        [
            bytes(module, c"__elw_bytecode")?,
            bytes(module, c"__elw_map")?,
            bytes(module, c"__elw_code")?,
        ]
    };
    let words: Vec<u16> = programs
        .chunks_exact(2)
        .map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
        .collect();
    let mut told = String::new();
    tell_programs(&words, &mut told)?;
    for map in ProgramMap::decode_all(&map)? {
        for (number, site) in map.sites.iter().enumerate() {
            let function = &map.functions[site.function as usize].name;
            let (kind, sides) = (site.kind, site.sides);
            writeln!(
                told,
                "site {number}: {kind:?} in {function}, sides {sides}, cases {:?}",
                site.cases
            )?;
        }
    }
    for code in Code::decode_all(&code)? {
        for function in &code.functions {
            let name = &code.symbols[function.symbol as usize].name;
            for (number, block) in function.blocks.iter().enumerate() {
                for step in &block.steps {
                    writeln!(told, "code {name} {number}: {step:?}")?;
                }
                writeln!(told, "code {name} {number}: {:?}", block.end)?;
            }
        }
    }
    Ok(told)
}

/// Operands of an instruction, for the number beside it.
fn operands(code: Bytecode, number: u16) -> usize {
    use Bytecode::*;
    match code {
        End => number.into(),
        Reached => 2 + 2 * usize::from(number),
        External => 3 + 2 * usize::from(number),
        ZExt | SExt => 1,
        Unary | Add | Sub | Mul | Or | FMul | Clear => 2,
        Branch | Switch | Select | Compare | ConcreteMemory => 3,
        Load | Concrete => 4,
        Binary | Store => 5,
        Division | Check => 6,
        ReadAt | Formula => 7,
        WriteAt => 8,
    }
}

fn tell_programs(mut words: &[u16], told: &mut String) -> Result<()> {
    while let [_, _, count, rest @ ..] = words {
        let (constants, mut rest) = rest.split_at(4 * usize::from(*count));
        let constants: Vec<u64> = constants
            .chunks_exact(4)
            .map(|four| {
                four.iter()
                    .rev()
                    .fold(0, |all, word| all << 16 | u64::from(*word))
            })
            .collect();
        told.push_str("slow:\n");
        loop {
            let (word, behind) = rest.split_first().context("a program has an end")?;
            let code = Bytecode::from_u8(*word as u8).context("an instruction")?;
            let number = word >> 8;
            let (given, behind) = behind.split_at(operands(code, number));
            rest = behind;
            let given = given.iter().map(|operand| match operand & CONSTANT {
                0 => format!("${operand}"),
                _ => constants[usize::from(operand & !CONSTANT)].to_string(),
            });
            let mut given: Vec<String> = given.collect();
            let named = usize::from(code.has_site());
            if let Some(name) = given
                .get(named)
                .and_then(|word| name(code, word.parse().ok()?))
            {
                given[named] = name;
            }
            let beside = match code {
                Bytecode::Compare => format!(" {:?}", Op::from_u8(number as u8)),
                Bytecode::ZExt | Bytecode::SExt => format!(" {number}"),
                _ => String::new(),
            };
            writeln!(told, "  {code:?}{beside} {}", given.join(" "))?;
            if code == Bytecode::End {
                break;
            }
        }
        words = rest;
    }
    ensure!(words.is_empty(), "words are left");
    Ok(())
}

/// An operation and its width.
fn name(code: Bytecode, word: u32) -> Option<String> {
    let (low, width) = (word as u8, word >> 8);
    let name = match code {
        Bytecode::Binary | Bytecode::Unary => format!("{:?}", Op::from_u8(low)?),
        Bytecode::Formula => format!("{:?}", Formula::from_u8(low)?),
        Bytecode::Check => format!("{:?}", Check::from_u8(low)?),
        _ => return None,
    };
    Some(format!("{name}.{width}"))
}
