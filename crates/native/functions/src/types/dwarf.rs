//! The entries of an object's debug information, with the few attributes that types need.

use super::{SourceLine, TypesError};
use gimli::{AttributeValue, EndianSlice, LittleEndian};
use object::read::elf::ElfFile64;
use object::{
    CompressionFormat, Endianness, Object, ObjectKind, ObjectSection, ObjectSymbol, RelocationKind,
    RelocationTarget,
};
use rustc_hash::FxHashMap;
use std::path::Path;
use std::sync::Arc;

type Slice<'a> = EndianSlice<'a, LittleEndian>;

/// One entry of the debug information.
pub struct Entry {
    /// By which other entries name it.
    pub offset: usize,
    pub tag: gimli::DwTag,
    /// Places in the list of entries.
    pub parent: Option<usize>,
    pub children: Vec<usize>,
    pub name: Option<String>,
    pub symbol: Option<String>,
    /// The offset of the entry that is its type.
    pub ty: Option<usize>,
    pub byte_size: Option<u64>,
    pub bit_size: Option<u64>,
    pub encoding: Option<gimli::DwAte>,
    /// Of a subrange; `Err` when it is known when the program runs only.
    pub count: Option<Result<u64, ()>>,
    pub value: Option<Number>,
    pub byte_offset: Option<u64>,
    pub bit_offset: Option<u64>,
    pub declaration: bool,
    pub external: bool,
    pub prototyped: bool,
    pub noreturn: bool,
    pub vector: bool,
    /// It has code, or a place in memory, or a value.
    pub present: bool,
    pub place: Option<SourceLine>,
}

/// A constant; how it is meant is known from its type where its form does not say.
#[derive(Clone, Copy)]
pub enum Number {
    Signed(i64),
    Unsigned(u64),
    /// Of so many bytes.
    Bits(u64, u32),
}

impl Number {
    pub fn value(self, signed: bool) -> i128 {
        match self {
            Number::Signed(value) => value.into(),
            Number::Unsigned(value) => value.into(),
            Number::Bits(value, bytes) if signed => {
                let shift = 64 - 8 * bytes;
                (((value << shift) as i64) >> shift).into()
            }
            Number::Bits(value, _) => value.into(),
        }
    }
}

/// All entries of the object, in order, and the file that the compiler was given.
pub fn entries(object: &[u8]) -> Result<(Vec<Entry>, String), TypesError> {
    let file = elf(object)?;
    let mut sections: FxHashMap<&'static str, Vec<u8>> = FxHashMap::default();
    for id in [
        gimli::SectionId::DebugAbbrev,
        gimli::SectionId::DebugAddr,
        gimli::SectionId::DebugInfo,
        gimli::SectionId::DebugLine,
        gimli::SectionId::DebugLineStr,
        gimli::SectionId::DebugStr,
        gimli::SectionId::DebugStrOffsets,
    ] {
        sections.insert(id.name(), relocated(&file, id.name())?);
    }
    if sections[".debug_info"].is_empty() {
        return Err(TypesError::NoDebug);
    }
    let dwarf = gimli::Dwarf::load(|id| -> Result<Slice<'_>, TypesError> {
        let bytes = sections.get(id.name()).map_or(&[][..], Vec::as_slice);
        Ok(EndianSlice::new(bytes, LittleEndian))
    })?;
    let mut out = Vec::new();
    let mut source = String::new();
    let mut headers = dwarf.units();
    while let Some(header) = headers.next()? {
        let unit = dwarf.unit(header)?;
        let mut reader = Reader {
            dwarf: &dwarf,
            unit: &unit,
            files: FxHashMap::default(),
        };
        if source.is_empty()
            && let Some(name) = unit.name
        {
            source = reader.absolute(text(name));
        }
        reader.entries(&mut out)?;
    }
    Ok((out, source))
}

pub fn elf(object: &[u8]) -> Result<ElfFile64<'_, Endianness>, TypesError> {
    let file = ElfFile64::<Endianness>::parse(object)?;
    if file.kind() != ObjectKind::Relocatable || file.endian() != Endianness::Little {
        return Err(TypesError::Object(
            "it is not an object of this machine".to_string(),
        ));
    }
    Ok(file)
}

/// Content of a debug section, with what the linker would write into it.
fn relocated(file: &ElfFile64<'_, Endianness>, name: &str) -> Result<Vec<u8>, TypesError> {
    let Some(section) = file.section_by_name(name) else {
        return Ok(Vec::new());
    };
    if section.compressed_file_range()?.format != CompressionFormat::None {
        return Err(TypesError::Debug(format!("{name} is compressed")));
    }
    let mut data = section.data()?.to_vec();
    for (offset, relocation) in section.relocations() {
        // Others are for addresses of thread-local variables, which nobody asks for.
        if relocation.kind() != RelocationKind::Absolute {
            continue;
        }
        let base = match relocation.target() {
            RelocationTarget::Symbol(index) => file.symbol_by_index(index)?.address(),
            RelocationTarget::Section(_) | RelocationTarget::Absolute => 0,
            _ => continue,
        };
        let value = base.wrapping_add_signed(relocation.addend()).to_le_bytes();
        let width = usize::from(relocation.size() / 8).min(value.len());
        let place = usize::try_from(offset)
            .ok()
            .and_then(|begin| data.get_mut(begin..begin.checked_add(width)?))
            .ok_or_else(|| TypesError::Object(format!("a relocation is outside {name}")))?;
        place.copy_from_slice(&value[..width]);
    }
    Ok(data)
}

struct Reader<'a> {
    dwarf: &'a gimli::Dwarf<Slice<'a>>,
    unit: &'a gimli::Unit<Slice<'a>>,
    files: FxHashMap<u64, Arc<str>>,
}

impl Reader<'_> {
    fn entries(&mut self, out: &mut Vec<Entry>) -> Result<(), TypesError> {
        // The entries that the next one may be a child of, by depth.
        let mut open: Vec<usize> = Vec::new();
        let mut cursor = self.unit.entries();
        while let Some(entry) = cursor.next_dfs()? {
            let depth = usize::try_from(entry.depth()).unwrap_or(0);
            let number = out.len();
            open.truncate(depth);
            let parent = open.last().copied();
            open.push(number);
            let read = self.entry(entry, parent)?;
            out.push(read);
            if let Some(parent) = parent {
                out[parent].children.push(number);
            }
        }
        Ok(())
    }

    fn entry(
        &mut self,
        entry: &gimli::DebuggingInformationEntry<Slice<'_>>,
        parent: Option<usize>,
    ) -> Result<Entry, TypesError> {
        let mut out = Entry {
            offset: self.global(entry.offset())?,
            tag: entry.tag(),
            parent,
            children: Vec::new(),
            name: None,
            symbol: None,
            ty: None,
            byte_size: None,
            bit_size: None,
            encoding: None,
            count: None,
            value: None,
            byte_offset: None,
            bit_offset: None,
            declaration: false,
            external: false,
            prototyped: false,
            noreturn: false,
            vector: false,
            present: false,
            place: None,
        };
        let (mut file, mut line) = (None, 0);
        for attribute in entry.attrs() {
            let value = attribute.value();
            let flag = matches!(value, AttributeValue::Flag(true));
            let string = || {
                let string = self.dwarf.attr_string(self.unit, value);
                string.map(|string| Some(text(string)))
            };
            match attribute.name() {
                gimli::DW_AT_name => out.name = string()?,
                gimli::DW_AT_linkage_name => out.symbol = string()?,
                gimli::DW_AT_type => out.ty = self.reference(value)?,
                gimli::DW_AT_byte_size => out.byte_size = value.udata_value(),
                gimli::DW_AT_bit_size => out.bit_size = value.udata_value(),
                gimli::DW_AT_encoding => {
                    if let AttributeValue::Encoding(encoding) = value {
                        out.encoding = Some(encoding);
                    }
                }
                gimli::DW_AT_count => out.count = Some(value.udata_value().ok_or(())),
                gimli::DW_AT_upper_bound => {
                    let bound = value.udata_value().ok_or(());
                    out.count = Some(bound.and_then(|bound| bound.checked_add(1).ok_or(())));
                }
                gimli::DW_AT_const_value => {
                    out.value = number(attribute.raw_value());
                    out.present = true;
                }
                gimli::DW_AT_data_member_location => out.byte_offset = value.udata_value(),
                gimli::DW_AT_data_bit_offset => out.bit_offset = value.udata_value(),
                gimli::DW_AT_declaration => out.declaration = flag,
                gimli::DW_AT_external => out.external = flag,
                gimli::DW_AT_prototyped => out.prototyped = flag,
                gimli::DW_AT_noreturn => out.noreturn = flag,
                gimli::DW_AT_GNU_vector => out.vector = flag,
                gimli::DW_AT_low_pc | gimli::DW_AT_ranges | gimli::DW_AT_location => {
                    out.present = true;
                }
                gimli::DW_AT_decl_file => {
                    if let AttributeValue::FileIndex(index) = value {
                        file = Some(index);
                    }
                }
                gimli::DW_AT_decl_line => line = value.udata_value().unwrap_or(0),
                _ => {}
            }
        }
        if let Some(file) = file {
            out.place = Some(SourceLine {
                file: self.file(file)?,
                line: u32::try_from(line).unwrap_or(0),
            });
        }
        Ok(out)
    }

    fn reference(&self, value: AttributeValue<Slice<'_>>) -> Result<Option<usize>, TypesError> {
        match value {
            AttributeValue::UnitRef(offset) => self.global(offset).map(Some),
            AttributeValue::DebugInfoRef(offset) => Ok(Some(offset.0)),
            _ => Err(TypesError::Debug("a type is outside of it".to_string())),
        }
    }

    fn global(&self, offset: gimli::UnitOffset) -> Result<usize, TypesError> {
        offset
            .to_debug_info_offset(&self.unit.header)
            .map(|offset| offset.0)
            .ok_or_else(|| TypesError::Debug("a unit is not in .debug_info".to_string()))
    }

    fn file(&mut self, index: u64) -> Result<Arc<str>, TypesError> {
        if let Some(file) = self.files.get(&index) {
            return Ok(file.clone());
        }
        let mut path = String::new();
        if let Some(program) = &self.unit.line_program
            && let Some(file) = program.header().file(index)
        {
            let name = self.dwarf.attr_string(self.unit, file.path_name())?;
            path = text(name);
            if let Some(folder) = file.directory(program.header()) {
                let folder = text(self.dwarf.attr_string(self.unit, folder)?);
                path = join(&folder, &path);
            }
        }
        let path: Arc<str> = self.absolute(path).into();
        self.files.insert(index, path.clone());
        Ok(path)
    }

    /// Relative paths are to the folder that the compiler ran in.
    fn absolute(&self, path: String) -> String {
        match self.unit.comp_dir {
            Some(folder) if !path.is_empty() => join(&text(folder), &path),
            _ => path,
        }
    }
}

fn join(folder: &str, path: &str) -> String {
    Path::new(folder).join(path).to_string_lossy().into_owned()
}

fn text(slice: Slice<'_>) -> String {
    String::from_utf8_lossy(slice.slice()).into_owned()
}

fn number(value: AttributeValue<Slice<'_>>) -> Option<Number> {
    match value {
        AttributeValue::Sdata(value) => Some(Number::Signed(value)),
        AttributeValue::Udata(value) => Some(Number::Unsigned(value)),
        AttributeValue::Data1(value) => Some(Number::Bits(value.into(), 1)),
        AttributeValue::Data2(value) => Some(Number::Bits(value.into(), 2)),
        AttributeValue::Data4(value) => Some(Number::Bits(value.into(), 4)),
        AttributeValue::Data8(value) => Some(Number::Bits(value, 8)),
        _ => None,
    }
}
