//! The program of a native subject as a transition relation: the code sections of all its objects joined,
//! symbols resolved as the linker and the loader do it, and functions that no object defines said by what
//! is known of their names.
//!
//! Addresses are ours, not those of any process: functions first, then variables, all below
//! [`END_OF_STATIC`].
//!
//! The pass also writes down the code itself, as it was before anything was inserted (`pass/src/code`,
//! `wire/src/code.rs`), in a section beside the map. `native/src/code` joins these sections of all objects, as
//! the linker does their symbols, into a `Program` of `explore/src/program.rs`: bit-vectors, memory at addresses
//! of ours, sites as in the blueprint. Functions of the runtime and the C library are said by name
//! (`external.rs`, `stubs.rs`), the graphs of harnesses by what they describe (`graph.rs`); all else is opaque,
//! with a word why. A concrete machine for such programs must take the same sides as the instrumented run
//! (`native/tests/relation`).

mod body;
mod compare;
mod entry;
mod external;
mod graph;
mod stubs;

use body::Body;
use elsewise_explore::SiteId;
use elsewise_explore::program::{
    Block, End, Function, FunctionId, Object, Operand, Phi, Program, Step,
};
use elsewise_term::Bits;
use elsewise_wire as wire;
use elsewise_wire::ModuleEntry;
use elsewise_wire::code::{Binding, Code};
pub use entry::Setup;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

const FIRST_FUNCTION: u64 = 0x40_0000;
const FUNCTION_SPACING: u64 = 16;
const FIRST_VARIABLE: u64 = 0x1_0000_0000;
/// Between variables, so that an access beyond one is not an access to another.
const GAP: u64 = 64;
/// Of glibc's `FILE`, and where in it the number of the descriptor is.
const FILE_SIZE: u64 = 256;
const FILE_NUMBER: usize = 112;
/// No function and no variable has its address here or beyond.
const END_OF_STATIC: u64 = 0x1000_0000_0000;

/// What a symbol stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SymbolTarget {
    Function(u32),
    /// Memory at this address.
    Memory(u64),
    /// Memory of which nobody can say what is in it at the beginning.
    Unknown,
}

/// An object's code, and the number of its first site.
struct Module {
    code: Code,
    first_site: u32,
}

struct Join {
    modules: Vec<Module>,
    program: Program,
    /// What other objects see.
    global: FxHashMap<String, SymbolTarget>,
    /// By object and symbol, what no other object sees.
    local: FxHashMap<(usize, u32), SymbolTarget>,
    /// Functions in the program that stand for what no object defines.
    stubs: FxHashMap<String, u32>,
    /// Widths of the parameters of each function.
    parameters: FxHashMap<u32, Vec<u32>>,
    next_address: u64,
    main_input: Option<(Arc<str>, u64)>,
}

/// Joins code sections, those of the program itself first. `None` where they do not belong to the modules
/// that have registered, are damaged, or have no `main`.
pub fn join(sections: &[Arc<[u8]>], modules: &[ModuleEntry], setup: &Setup) -> Option<Program> {
    let mut by_key: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
    for module in modules.iter().rev() {
        by_key
            .entry(module.key)
            .or_default()
            .push(module.first_site);
    }
    let mut found = Vec::new();
    for section in sections {
        for code in Code::decode_all(section).ok()? {
            let first_site = by_key.get_mut(&code.key).and_then(Vec::pop)?;
            found.push(Module { code, first_site });
        }
    }
    if found.len() != modules.len() {
        return None;
    }
    let mut join = Join {
        modules: found,
        program: Program::default(),
        global: FxHashMap::default(),
        local: FxHashMap::default(),
        stubs: FxHashMap::default(),
        parameters: FxHashMap::default(),
        next_address: FIRST_VARIABLE,
        main_input: setup.main_input.clone(),
    };
    let chosen = join.define();
    join.standard_streams();
    join.resolve_aliases();
    join.give_addresses();
    join.fill_memory(&chosen)?;
    join.translate(&chosen);
    join.enter(setup)?;
    (join.next_address < END_OF_STATIC).then_some(join.program)
}

/// What of each object is part of the program: its functions with their numbers, and the variables with
/// theirs.
#[derive(Default)]
struct Chosen {
    functions: Vec<(usize, usize, u32)>,
    variables: Vec<(usize, usize, usize)>,
}

impl Join {
    /// Chooses among definitions: the first that is not weak, else the first.
    fn define(&mut self) -> Chosen {
        let mut strong: FxHashMap<String, (usize, u32)> = FxHashMap::default();
        let mut weak: FxHashMap<String, (usize, u32)> = FxHashMap::default();
        for (index, module) in self.modules.iter().enumerate() {
            let functions = module.code.functions.iter().map(|one| one.symbol);
            let variables = module.code.variables.iter().map(|one| one.symbol);
            let aliases = module.code.aliases.iter().map(|one| one.symbol);
            for symbol in functions.chain(variables).chain(aliases) {
                let known = &module.code.symbols[symbol as usize];
                let table = match known.binding {
                    Binding::Global => &mut strong,
                    Binding::Weak => &mut weak,
                    Binding::Local => continue,
                };
                table.entry(known.name.clone()).or_insert((index, symbol));
            }
        }
        for (name, place) in weak {
            strong.entry(name).or_insert(place);
        }
        let modules = std::mem::take(&mut self.modules);
        let mut chosen = Chosen::default();
        for (index, module) in modules.iter().enumerate() {
            let symbols = &module.code.symbols;
            let is_chosen = |symbol: u32| {
                let known = &symbols[symbol as usize];
                known.binding == Binding::Local || strong.get(&known.name) == Some(&(index, symbol))
            };
            for (at, function) in module.code.functions.iter().enumerate() {
                if !is_chosen(function.symbol) {
                    continue;
                }
                let number = self.program.functions.len() as u32;
                self.program.functions.push(Function {
                    name: symbols[function.symbol as usize].name.clone(),
                    ..Function::default()
                });
                self.place(
                    index,
                    &module.code,
                    function.symbol,
                    SymbolTarget::Function(number),
                );
                let widths = &function.registers[..function.parameters as usize];
                self.parameters.insert(number, widths.to_vec());
                chosen.functions.push((index, at, number));
            }
            for (at, variable) in module.code.variables.iter().enumerate() {
                if !is_chosen(variable.symbol) {
                    continue;
                }
                if variable.opaque.is_some() || variable.size > 1 << 32 {
                    self.place(index, &module.code, variable.symbol, SymbolTarget::Unknown);
                    continue;
                }
                let name = symbols[variable.symbol as usize].name.clone();
                let address = self.object(name, variable.size, variable.align, variable.constant);
                self.place(
                    index,
                    &module.code,
                    variable.symbol,
                    SymbolTarget::Memory(address),
                );
                chosen
                    .variables
                    .push((index, at, self.program.objects.len() - 1));
            }
        }
        self.modules = modules;
        chosen
    }

    fn place(&mut self, module: usize, code: &Code, symbol: u32, place: SymbolTarget) {
        let known = &code.symbols[symbol as usize];
        match known.binding {
            Binding::Local => {
                self.local.insert((module, symbol), place);
            }
            _ => {
                self.global.insert(known.name.clone(), place);
            }
        }
    }

    /// New memory; its address.
    fn object(&mut self, name: String, size: u64, align: u64, constant: bool) -> u64 {
        let align = align.clamp(16, 4096).next_power_of_two();
        let address = self.next_address.next_multiple_of(align);
        self.next_address = address + size + GAP;
        self.program.objects.push(Object {
            name,
            address,
            size,
            bytes: Vec::new(),
            constant,
        });
        address
    }

    fn standard_streams(&mut self) {
        for (name, number) in [("stdin", 0u32), ("stdout", 1), ("stderr", 2)] {
            if !self.global.contains_key(name) {
                let file = self.object(format!("*{name}"), FILE_SIZE, 16, false);
                if let Some(object) = self.program.objects.last_mut() {
                    object.bytes = vec![0; FILE_NUMBER];
                    object.bytes.extend(number.to_le_bytes());
                }
                let address = self.object(name.to_string(), 8, 8, false);
                if let Some(object) = self.program.objects.last_mut() {
                    object.bytes = file.to_le_bytes().to_vec();
                }
                self.global
                    .insert(name.to_string(), SymbolTarget::Memory(address));
            }
        }
    }

    /// An alias of an alias is resolved in the second round.
    fn resolve_aliases(&mut self) {
        let modules = std::mem::take(&mut self.modules);
        for _ in 0..3 {
            for (index, module) in modules.iter().enumerate() {
                for alias in &module.code.aliases {
                    let known = &module.code.symbols[alias.symbol as usize];
                    let done = match known.binding {
                        Binding::Local => self.local.contains_key(&(index, alias.symbol)),
                        _ => self.global.contains_key(&known.name),
                    };
                    let place = match self.resolve(index, &module.code, alias.target) {
                        Some(SymbolTarget::Memory(at)) => {
                            SymbolTarget::Memory(at.wrapping_add_signed(alias.addend))
                        }
                        Some(place) if alias.addend == 0 => place,
                        _ => continue,
                    };
                    if !done {
                        self.place(index, &module.code, alias.symbol, place);
                    }
                }
            }
        }
        self.modules = modules;
    }

    fn resolve(&self, module: usize, code: &Code, symbol: u32) -> Option<SymbolTarget> {
        let known = &code.symbols[symbol as usize];
        match known.binding {
            Binding::Local => self.local.get(&(module, symbol)).copied(),
            _ => self.global.get(&known.name).copied(),
        }
    }

    /// Functions that anything but a call names have an address.
    fn give_addresses(&mut self) {
        let modules = std::mem::take(&mut self.modules);
        let mut taken = FxHashSet::default();
        for (index, module) in modules.iter().enumerate() {
            body::taken(&module.code, |symbol| {
                taken.insert((index, symbol));
            });
        }
        let mut taken: Vec<_> = taken.into_iter().collect();
        taken.sort_unstable();
        for (index, symbol) in taken {
            let code = &modules[index].code;
            let number = match self.resolve(index, code, symbol) {
                Some(SymbolTarget::Function(number)) => number,
                Some(_) => continue,
                None => {
                    let name = &code.symbols[symbol as usize].name;
                    match self.stub(name) {
                        Some(number) => {
                            self.global
                                .insert(name.clone(), SymbolTarget::Function(number));
                            number
                        }
                        None => continue,
                    }
                }
            };
            self.program.functions[number as usize].address =
                FIRST_FUNCTION + FUNCTION_SPACING * u64::from(number);
        }
        self.modules = modules;
    }

    /// The value of a symbol.
    fn value(&self, module: usize, code: &Code, symbol: u32, addend: i64) -> Operand {
        let address = match self.resolve(module, code, symbol) {
            Some(SymbolTarget::Memory(address)) => address,
            Some(SymbolTarget::Function(number)) => self.program.functions[number as usize].address,
            // Nobody else would define it.
            None if code.symbols[symbol as usize].name == "LLVMFuzzerInitialize" => 0,
            _ => return Operand::Undefined(64),
        };
        Operand::Constant(Bits::new(64, address.wrapping_add_signed(addend)))
    }

    /// What is in variables at the beginning. An address that nobody knows makes its variable unknown, so
    /// that is found out first.
    fn fill_memory(&mut self, chosen: &Chosen) -> Option<()> {
        let modules = std::mem::take(&mut self.modules);
        let mut lost = Vec::new();
        for (index, at, object) in &chosen.variables {
            let code = &modules[*index].code;
            let variable = &code.variables[*at];
            let mut bytes = variable.bytes.clone();
            for relocation in &variable.relocations {
                let value = self.value(*index, code, relocation.symbol, relocation.addend);
                let Operand::Constant(value) = value else {
                    lost.push((*index, variable.symbol, *object));
                    break;
                };
                let from = relocation.offset as usize;
                if bytes.len() < from + 8 {
                    bytes.resize(from + 8, 0);
                }
                bytes[from..from + 8].copy_from_slice(&value.to_u64()?.to_le_bytes());
            }
            self.program.objects[*object].bytes = bytes;
        }
        let mut gone = FxHashSet::default();
        for (index, symbol, object) in lost {
            self.place(index, &modules[index].code, symbol, SymbolTarget::Unknown);
            gone.insert(object);
        }
        let mut number = 0;
        self.program.objects.retain(|_| {
            number += 1;
            !gone.contains(&(number - 1))
        });
        self.modules = modules;
        Some(())
    }

    fn translate(&mut self, chosen: &Chosen) {
        let modules = std::mem::take(&mut self.modules);
        for (index, at, number) in &chosen.functions {
            let module = &modules[*index];
            let told = &module.code.functions[*at];
            let mut body = Body::new(self, *index, module);
            body.function.name = module.code.symbols[told.symbol as usize].name.clone();
            body.translate(told);
            let mut function = body.function;
            function.address = self.program.functions[*number as usize].address;
            self.program.functions[*number as usize] = function;
        }
        self.modules = modules;
    }
}

fn site(first: u32, site: Option<u32>) -> Option<SiteId> {
    site.map(|site| SiteId(first.saturating_add(site)))
}

fn number(width: u32, value: u64) -> Operand {
    Operand::Constant(Bits::new(width, value))
}
