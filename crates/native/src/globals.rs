//! From addresses of data to the variables there, as the source calls them.

use crate::mapped::Mapped;
use gimli::{AttributeValue, DebuggingInformationEntry, EndianSlice, LittleEndian};
use object::{Object, ObjectKind, ObjectSection, ObjectSymbol, SymbolKind};
use std::borrow::Cow;
use std::path::{Path, PathBuf};

type Slice<'a> = EndianSlice<'a, LittleEndian>;
type Dwarf<'a> = gimli::Dwarf<Slice<'a>>;
type Unit<'a> = gimli::Unit<Slice<'a>>;
type Entry<'a> = DebuggingInformationEntry<Slice<'a>>;

/// Types inside of types are followed so far.
const DEEPEST: usize = 16;

/// The global variables of a program and its libraries, looked up when asked for.
pub struct Globals {
    files: Vec<Mapped>,
}

impl Globals {
    /// Of a program that lies where `mapped` says, and of its libraries.
    pub fn new(program: &Path, mapped: &[Mapped], libraries: &[Mapped]) -> Globals {
        let resolved = program.canonicalize();
        let resolved: PathBuf = resolved.unwrap_or_else(|_| program.to_path_buf());
        let own = mapped
            .iter()
            .filter(|one| one.path == program || one.path == resolved);
        Globals {
            files: own.chain(libraries).cloned().collect(),
        }
    }

    /// How the source would call what is at this address: `fork[1]`, `shared.count`.
    pub fn name(&self, address: u64) -> Option<String> {
        // Variables that begin as zeros lie behind what is mapped of the file.
        let before = self.files.iter().filter(|file| file.low <= address);
        let mapped = before.max_by_key(|file| file.low)?;
        let bytes = std::fs::read(&mapped.path).ok()?;
        name_in(&bytes, mapped.low, address)
    }
}

/// The variable at `address` in a file that is loaded at `low`.
fn name_in(bytes: &[u8], low: u64, address: u64) -> Option<String> {
    let file = object::File::parse(bytes).ok()?;
    let base = match file.kind() {
        ObjectKind::Executable => 0,
        _ => low,
    };
    let address = address.checked_sub(base)?;
    declared(&file, address).or_else(|| listed(&file, address))
}

/// From the symbol table: the variable, and how far into it.
fn listed(file: &object::File<'_>, address: u64) -> Option<String> {
    let covers = |symbol: &object::Symbol<'_, '_>| {
        symbol.kind() == SymbolKind::Data
            && address
                .checked_sub(symbol.address())
                .is_some_and(|offset| offset < symbol.size())
    };
    let symbol = file.symbols().find(covers)?;
    let name = symbol.name().ok()?;
    Some(match address - symbol.address() {
        0 => name.to_string(),
        offset => format!("{name} + {offset}"),
    })
}

/// From the debug information: the variable, its member, the element.
fn declared(file: &object::File<'_>, address: u64) -> Option<String> {
    let load = |id: gimli::SectionId| -> Result<Cow<'_, [u8]>, gimli::Error> {
        let section = file.section_by_name(id.name());
        let data = section.and_then(|section| section.uncompressed_data().ok());
        Ok(data.unwrap_or_default())
    };
    let sections = gimli::DwarfSections::load(load).ok()?;
    let dwarf = sections.borrow(|bytes| EndianSlice::new(bytes, LittleEndian));
    let mut headers = dwarf.units();
    while let Ok(Some(header)) = headers.next() {
        let Ok(unit) = dwarf.unit(header) else {
            continue;
        };
        let names = Names {
            dwarf: &dwarf,
            unit: &unit,
        };
        let mut cursor = unit.entries();
        while let Ok(Some(entry)) = cursor.next_dfs() {
            if entry.tag() != gimli::DW_TAG_variable {
                continue;
            }
            let Some(at) = names.place(entry).filter(|at| *at <= address) else {
                continue;
            };
            let offset = address - at;
            if let Some(ty) = names.type_of(entry)
                && names.size(ty, 0).is_some_and(|size| offset < size)
            {
                let mut out = names.name(entry)?;
                names.inside(ty, offset, &mut out, 0);
                return Some(out);
            }
        }
    }
    None
}

struct Names<'a> {
    dwarf: &'a Dwarf<'a>,
    unit: &'a Unit<'a>,
}

type At = gimli::UnitOffset<usize>;

impl<'a> Names<'a> {
    /// The address of a variable that always has the same.
    fn place(&self, entry: &Entry<'a>) -> Option<u64> {
        let AttributeValue::Exprloc(expression) = entry.attr_value(gimli::DW_AT_location)? else {
            return None;
        };
        let mut operations = expression.operations(self.unit.encoding());
        let first = operations.next().ok()??;
        // What follows makes something else of it: a variable of each thread, say.
        if operations.next().ok()?.is_some() {
            return None;
        }
        match first {
            gimli::Operation::Address { address } => Some(address),
            gimli::Operation::AddressIndex { index } => self.dwarf.address(self.unit, index).ok(),
            _ => None,
        }
    }

    /// The declaration that an entry completes.
    fn declaration(&self, entry: &Entry<'a>) -> Option<Entry<'a>> {
        match entry.attr_value(gimli::DW_AT_specification)? {
            AttributeValue::UnitRef(at) => self.unit.entry(at).ok(),
            _ => None,
        }
    }

    fn name(&self, entry: &Entry<'a>) -> Option<String> {
        let Some(name) = entry.attr_value(gimli::DW_AT_name) else {
            return self.name(&self.declaration(entry)?);
        };
        let text = self.dwarf.attr_string(self.unit, name).ok()?;
        Some(text.to_string_lossy().into_owned())
    }

    fn type_of(&self, entry: &Entry<'a>) -> Option<At> {
        match entry.attr_value(gimli::DW_AT_type) {
            Some(AttributeValue::UnitRef(at)) => Some(at),
            Some(_) => None,
            None => self.type_of(&self.declaration(entry)?),
        }
    }

    /// The type behind names and qualifiers.
    fn plain(&self, mut at: At) -> Option<Entry<'a>> {
        for _ in 0..DEEPEST {
            let entry = self.unit.entry(at).ok()?;
            match entry.tag() {
                gimli::DW_TAG_typedef
                | gimli::DW_TAG_const_type
                | gimli::DW_TAG_volatile_type
                | gimli::DW_TAG_atomic_type => at = self.type_of(&entry)?,
                _ => return Some(entry),
            }
        }
        None
    }

    fn size(&self, at: At, depth: usize) -> Option<u64> {
        let entry = self.plain(at)?;
        if let Some(size) = number(&entry, gimli::DW_AT_byte_size) {
            return Some(size);
        }
        if entry.tag() == gimli::DW_TAG_pointer_type {
            return Some(8);
        }
        if entry.tag() != gimli::DW_TAG_array_type || depth > DEEPEST {
            return None;
        }
        let element = self.size(self.type_of(&entry)?, depth + 1)?;
        let counts = self.counts(&entry)?;
        counts
            .iter()
            .try_fold(element, |size, count| size.checked_mul(*count))
    }

    /// How many elements an array has, for each of its dimensions.
    fn counts(&self, array: &Entry<'a>) -> Option<Vec<u64>> {
        let mut out = Vec::new();
        for child in self.children(array)? {
            if child.tag() == gimli::DW_TAG_subrange_type {
                let count = number(&child, gimli::DW_AT_count);
                let last = number(&child, gimli::DW_AT_upper_bound);
                out.push(count.or(last.and_then(|last| last.checked_add(1)))?);
            }
        }
        (!out.is_empty()).then_some(out)
    }

    fn children(&self, entry: &Entry<'a>) -> Option<Vec<Entry<'a>>> {
        let mut tree = self.unit.entries_tree(Some(entry.offset())).ok()?;
        let mut children = tree.root().ok()?.children();
        let mut out = Vec::new();
        while let Ok(Some(child)) = children.next() {
            out.push(child.entry().clone());
        }
        Some(out)
    }

    /// Adds the members and elements that lead to what is at `offset`.
    fn inside(&self, at: At, offset: u64, out: &mut String, depth: usize) -> Option<()> {
        let entry = self.plain(at).filter(|_| depth < DEEPEST)?;
        match entry.tag() {
            gimli::DW_TAG_array_type => {
                let element_type = self.type_of(&entry)?;
                let element = self.size(element_type, 0).filter(|size| *size > 0)?;
                let counts = self.counts(&entry)?;
                let mut rest = offset / element;
                let mut indices = Vec::new();
                for count in counts.iter().rev() {
                    let count = (*count).max(1);
                    indices.push(rest % count);
                    rest /= count;
                }
                for index in indices.iter().rev() {
                    out.push_str(&format!("[{index}]"));
                }
                self.inside(element_type, offset % element, out, depth + 1)
            }
            gimli::DW_TAG_structure_type | gimli::DW_TAG_class_type => {
                for member in self.children(&entry)? {
                    let begin = number(&member, gimli::DW_AT_data_member_location).unwrap_or(0);
                    let ty = self.type_of(&member);
                    let covers = |ty: &At| {
                        let size = self.size(*ty, 0).unwrap_or(0);
                        offset >= begin && offset - begin < size
                    };
                    let Some(ty) = ty.filter(covers) else {
                        continue;
                    };
                    match member.tag() {
                        gimli::DW_TAG_inheritance => {}
                        gimli::DW_TAG_member => {
                            let name = self.name(&member)?;
                            // What a library keeps inside of its classes is no name for people.
                            if name.starts_with('_') {
                                return Some(());
                            }
                            out.push('.');
                            out.push_str(&name);
                        }
                        _ => continue,
                    }
                    return self.inside(ty, offset - begin, out, depth + 1);
                }
                Some(())
            }
            _ => Some(()),
        }
    }
}

fn number(entry: &Entry<'_>, name: gimli::DwAt) -> Option<u64> {
    entry.attr_value(name)?.udata_value()
}

#[cfg(test)]
mod tests {
    use super::*;
    use elsewise_driver::Toolchain;
    use std::process::Command;

    const SOURCE: &str = "
        typedef struct { char pad[40]; } lock_t;
        lock_t forks[3];
        struct account { int id; long balance; lock_t locks[2][2]; } accounts[4];
        static volatile int counter;
        _Thread_local int own;
        int *where;
        int main(void) {
            static int calls;
            own = ++counter + ++calls;
            return where != 0;
        }
    ";

    fn address(bytes: &[u8], name: &str) -> u64 {
        let file = object::File::parse(bytes).unwrap();
        let symbol = file.symbols().find(|symbol| {
            let found = symbol.name().unwrap_or_default();
            found == name || found.strip_prefix("main.") == Some(name)
        });
        symbol.unwrap().address()
    }

    #[test]
    fn variables_are_called_as_in_the_source() {
        const LOW: u64 = 0x5555_5555_4000;
        let folder = tempfile::tempdir().unwrap();
        let (source, program) = (folder.path().join("a.c"), folder.path().join("a"));
        std::fs::write(&source, SOURCE).unwrap();
        for (debug, pie) in [("-g", true), ("-gdwarf-4", false), ("-g0", true)] {
            let mut clang = Command::new(Toolchain::find().unwrap().clang);
            clang.args([debug, if pie { "-pie" } else { "-no-pie" }, "-fPIE"]);
            let status = clang.arg(&source).arg("-o").arg(&program).status();
            assert!(status.unwrap().success());
            let bytes = std::fs::read(&program).unwrap();
            let base = if pie { LOW } else { 0 };
            let name = |variable, offset| {
                let address = base + address(&bytes, variable) + offset;
                name_in(&bytes, LOW, address)
            };
            if debug == "-g0" {
                assert_eq!(name("counter", 0).as_deref(), Some("counter"));
                assert_eq!(name("forks", 40).as_deref(), Some("forks + 40"));
                continue;
            }
            for (variable, offset, expected) in [
                ("forks", 0, "forks[0].pad[0]"),
                ("forks", 40, "forks[1].pad[0]"),
                ("accounts", 0, "accounts[0].id"),
                ("accounts", 176 + 8, "accounts[1].balance"),
                (
                    "accounts",
                    16 + 3 * 40 + 7,
                    "accounts[0].locks[1][1].pad[7]",
                ),
                // Between the members.
                ("accounts", 5, "accounts[0]"),
                ("counter", 0, "counter"),
                ("calls", 2, "calls"),
                ("where", 0, "where"),
            ] {
                assert_eq!(name(variable, offset).as_deref(), Some(expected), "{debug}");
            }
            assert_eq!(name_in(&bytes, LOW, base + 8), None);
        }
        assert_eq!(name_in(b"no program", LOW, LOW + 8), None);
    }
}
