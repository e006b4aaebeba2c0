//! What a function of an object needs: functions, variables, and what the object does not define.
//!
//! With a section for every function and every variable, relocations say which of them refers to
//! which. What a function may call through a table of pointers is found too, as the table is data
//! with relocations.

use super::TypesError;
use super::dwarf::elf;
use object::read::elf::{ElfFile64, ElfSymbol64};
use object::{
    Endianness, Object, ObjectSection, ObjectSymbol, RelocationTarget, SectionIndex, SymbolKind,
};
use std::collections::{BTreeMap, BTreeSet};

/// What can be reached from a function, by names in the object, each list in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// Functions that the object defines, the first one among them.
    pub functions: Vec<String>,
    /// Variables at file scope that the object defines.
    pub globals: Vec<String>,
    /// Static variables inside functions, as the compiler names them: `next.counter`.
    pub statics: Vec<String>,
    /// What must come from elsewhere.
    pub undefined: Vec<String>,
}

/// Follows references from a function of an object that was compiled with [`super::FLAGS`].
pub fn reach(object: &[u8], function: &str) -> Result<Reach, TypesError> {
    reach_past(object, function, &[])
}

/// The same, as if the functions `without` were not there.
pub fn reach_past(object: &[u8], function: &str, without: &[&str]) -> Result<Reach, TypesError> {
    let file = elf(object)?;
    let mut defined: BTreeMap<usize, Vec<ElfSymbol64<'_, '_, Endianness>>> = BTreeMap::new();
    let mut first = None;
    let mut seen = BTreeSet::new();
    for symbol in file.symbols() {
        if let Some(section) = symbol.section_index() {
            defined.entry(section.0).or_default().push(symbol);
            if symbol.kind() == SymbolKind::Text {
                let name = symbol.name()?;
                if name == function {
                    first = Some(section);
                } else if without.contains(&name) {
                    seen.insert(section.0);
                }
            }
        }
    }
    let first = first.ok_or_else(|| TypesError::NoFunction(function.to_string()))?;
    let mut functions = BTreeSet::new();
    let mut globals = BTreeSet::new();
    let mut undefined = BTreeSet::new();
    seen.insert(first.0);
    let mut waiting = vec![first];
    while let Some(section) = waiting.pop() {
        for symbol in defined.get(&section.0).into_iter().flatten() {
            match symbol.kind() {
                SymbolKind::Text => functions.insert(symbol.name()?),
                SymbolKind::Data | SymbolKind::Tls => globals.insert(symbol.name()?),
                _ => false,
            };
        }
        for target in targets(&file, section)? {
            match target {
                Target::Section(next) => {
                    if seen.insert(next.0) {
                        waiting.push(next);
                    }
                }
                Target::Common(symbol) => {
                    globals.insert(symbol.name()?);
                }
                Target::Undefined(symbol) => {
                    undefined.insert(symbol.name()?);
                }
            }
        }
    }
    let list = |names: BTreeSet<&str>| names.into_iter().map(str::to_string).collect();
    // String literals and the like have names that only the compiler can give.
    globals.retain(|name| !name.starts_with('.'));
    let (statics, globals) = globals.into_iter().partition(|name| name.contains('.'));
    Ok(Reach {
        functions: list(functions),
        globals: list(globals),
        statics: list(statics),
        undefined: list(undefined),
    })
}

/// Everything that an object needs and does not define, in order.
pub fn undefined(object: &[u8]) -> Result<Vec<String>, TypesError> {
    names(object, |symbol| symbol.is_undefined() && symbol.is_global())
}

/// Everything that an object offers to others, in order.
pub fn defined(object: &[u8]) -> Result<Vec<String>, TypesError> {
    names(object, |symbol| {
        symbol.is_definition() && symbol.is_global()
    })
}

fn names(
    object: &[u8],
    wanted: impl Fn(&ElfSymbol64<'_, '_, Endianness>) -> bool,
) -> Result<Vec<String>, TypesError> {
    let file = elf(object)?;
    let mut found = BTreeSet::new();
    for symbol in file.symbols().filter(|symbol| wanted(symbol)) {
        found.insert(symbol.name()?.to_string());
    }
    found.remove("");
    Ok(found.into_iter().collect())
}

enum Target<'a, 'b> {
    Section(SectionIndex),
    /// A variable without a section: the linker makes room for it.
    Common(ElfSymbol64<'a, 'b, Endianness>),
    Undefined(ElfSymbol64<'a, 'b, Endianness>),
}

fn targets<'a, 'b>(
    file: &'b ElfFile64<'a, Endianness>,
    section: SectionIndex,
) -> Result<Vec<Target<'a, 'b>>, TypesError> {
    let mut out = Vec::new();
    for (_, relocation) in file.section_by_index(section)?.relocations() {
        let RelocationTarget::Symbol(index) = relocation.target() else {
            continue;
        };
        let symbol = file.symbol_by_index(index)?;
        match symbol.section_index() {
            Some(section) => out.push(Target::Section(section)),
            None if symbol.is_common() => out.push(Target::Common(symbol)),
            None if symbol.is_undefined() => out.push(Target::Undefined(symbol)),
            None => {}
        }
    }
    Ok(out)
}
