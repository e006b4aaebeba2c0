//! Numbers the places where choices are made and builds the program map.

use crate::functions::direct_callee;
use crate::ir::{Block, Value};
use elsewise_wire::map::{self, ProgramMap, Site, SiteKind};
use llvm_sys::LLVMOpcode::*;
use std::collections::HashMap;

/// The map under construction.
pub struct Sites {
    pub map: ProgramMap,
    files: HashMap<String, u32>,
    callees: HashMap<String, u32>,
    sides: u32,
    /// Sites of each kind so far in the present function: part of the keys.
    ordinals: [u64; 5],
    /// Choices and calls of the present function.
    numbers: HashMap<Value, u32>,
}

/// FNV-1a: stable, and good enough to tell sites apart.
pub fn hash(parts: &[&[u8]]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for part in parts {
        for byte in part.iter().chain(&[0xff]) {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
    hash
}

impl Sites {
    pub fn new(source: String) -> Sites {
        let map = ProgramMap {
            source,
            ..ProgramMap::default()
        };
        Sites {
            map,
            files: HashMap::new(),
            callees: HashMap::new(),
            sides: 0,
            ordinals: [0; 5],
            numbers: HashMap::new(),
        }
    }

    pub fn sides(&self) -> u32 {
        self.sides
    }

    fn file(&mut self, name: String) -> u32 {
        let next = self.map.files.len() as u32;
        *self.files.entry(name).or_insert_with_key(|name| {
            self.map.files.push(name.clone());
            next
        })
    }

    fn file_of(&mut self, value: Value) -> u32 {
        let mut name = value.source_file();
        if name.is_empty() {
            name.clone_from(&self.map.source);
        }
        self.file(name)
    }

    /// The function that an instruction calls, by the name that the program has for it.
    fn callee_of(&mut self, instruction: Value) -> Option<u32> {
        let (_, name) = (instruction.opcode() == LLVMCall || instruction.opcode() == LLVMInvoke)
            .then(|| direct_callee(instruction))
            .flatten()?;
        if name.starts_with("llvm.") {
            return None;
        }
        let name = name.strip_prefix("__elw_m_").unwrap_or(&name);
        let next = self.map.callees.len() as u32;
        let number = *self.callees.entry(name.to_owned()).or_insert(next);
        if number == next {
            self.map.callees.push(name.to_owned());
        }
        Some(number)
    }

    /// Enters a function: its blocks, before anything is inserted.
    pub fn begin_function(&mut self, function: Value) {
        self.ordinals = [0; 5];
        self.numbers.clear();
        let file = self.file_of(function);
        let blocks = function.blocks();
        let numbers: HashMap<Block, u32> = blocks
            .iter()
            .enumerate()
            .map(|(index, block)| (*block, index as u32))
            .collect();
        let blocks = blocks
            .iter()
            .map(|block| {
                let mut described = map::Block::default();
                for instruction in block.instructions() {
                    if instruction.opcode() == LLVMCall
                        && let Some((_, name)) = direct_callee(instruction)
                        && !name.starts_with("llvm.")
                    {
                        described.calls.push(name);
                    }
                }
                let terminator = block.terminator();
                let mut successors: Vec<u32> = terminator
                    .successors()
                    .iter()
                    .map(|to| numbers[to])
                    .collect();
                // The default comes first in LLVM and last among the sides.
                if terminator.opcode() == LLVMSwitch {
                    successors.rotate_left(1);
                }
                described.successors = successors;
                described
            })
            .collect();
        let local = function.linkage();
        let local = matches!(
            local,
            llvm_sys::LLVMLinkage::LLVMInternalLinkage | llvm_sys::LLVMLinkage::LLVMPrivateLinkage
        );
        self.map.functions.push(map::Function {
            name: function.name(),
            file,
            line: function.source_line(),
            external: !local,
            blocks,
        });
    }

    /// A new site at `instruction` of the present function; its number in the object.
    pub fn add(&mut self, kind: SiteKind, instruction: Value, cases: Vec<u64>) -> u32 {
        let function = self.map.functions.len() as u32 - 1;
        let ordinal = self.ordinals[kind as usize];
        self.ordinals[kind as usize] += 1;
        let sides = match kind {
            SiteKind::Branch | SiteKind::Select => 2,
            SiteKind::Switch => cases.len() as u32 + 1,
            SiteKind::Value | SiteKind::Assume => 0,
        };
        let key = hash(&[
            self.map.source.as_bytes(),
            self.map.functions[function as usize].name.as_bytes(),
            &[kind as u8],
            &ordinal.to_le_bytes(),
        ]);
        let (line, column) = (instruction.source_line(), instruction.source_column());
        let file = self.file_of(instruction);
        let callee = self.callee_of(instruction);
        let first_side = self.sides;
        self.sides += sides;
        self.map.sites.push(Site {
            kind,
            function,
            key,
            file,
            line,
            column,
            first_side,
            sides,
            cases,
            callee,
        });
        let number = self.map.sites.len() as u32 - 1;
        if sides > 0 {
            self.names(instruction, number);
        }
        number
    }

    /// What is told of an instruction of the present function is told under this site.
    pub fn names(&mut self, instruction: Value, site: u32) {
        self.numbers.insert(instruction, site);
    }

    pub fn number(&self, instruction: Value) -> Option<u32> {
        self.numbers.get(&instruction).copied()
    }

    /// Ties a branch or switch to block `index` of the present function.
    pub fn ends_block(&mut self, index: usize, site: u32) {
        let function = self.map.functions.last_mut().expect("a function was begun");
        function.blocks[index].site = Some(site);
    }

    pub fn first_side(&self, site: u32) -> u32 {
        self.map.sites[site as usize].first_side
    }

    /// Ends the module: the encoded map, with the key that tells the object from others.
    pub fn finish(mut self, code: &[u8]) -> (u64, Vec<u8>) {
        let key = hash(&[&self.map.encode(), code]);
        self.map.key = key;
        (key, self.map.encode())
    }
}
