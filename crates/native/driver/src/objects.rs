//! Reads ELF files and archives: sections of ours, and which file is what.

use crate::NativeError;
use elsewise_wire as wire;
use object::read::archive::ArchiveFile;
use object::read::elf::SectionHeader;
use object::read::elf::{ElfFile64, FileHeader};
use object::{Endianness, LittleEndian, Object, ObjectKind, ObjectSection};
use std::fs;
use std::path::{Path, PathBuf};

/// What a linker input is, by its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Object,
    Archive,
    Other,
}

pub fn kind(bytes: &[u8]) -> Kind {
    if bytes.starts_with(b"!<arch>\n") || bytes.starts_with(b"!<thin>\n") {
        return Kind::Archive;
    }
    let relocatable = bytes.starts_with(b"\x7fELF")
        && object::elf::FileHeader64::<Endianness>::parse(bytes)
            .ok()
            .and_then(|header| Some((header, header.endian().ok()?)))
            .is_some_and(|(header, endian)| header.e_type(endian) == object::elf::ET_REL);
    if relocatable {
        Kind::Object
    } else {
        Kind::Other
    }
}

/// Content of a section; `None` when there is no such section or no ELF file.
pub fn section<'a>(bytes: &'a [u8], name: &str) -> Option<&'a [u8]> {
    let file = ElfFile64::<Endianness>::parse(bytes).ok()?;
    let section = file.section_by_name(name)?;
    section.data().ok().filter(|data| !data.is_empty())
}

/// The uninstrumented twin that an instrumented object carries.
pub fn plain(bytes: &[u8]) -> Option<&[u8]> {
    section(bytes, wire::PLAIN_SECTION)
}

/// Adds a section that is not loaded, in place of one of that name; a linker leaves an `excluded`
/// one out. False, and nothing is changed, where the bytes are no ELF file for this machine.
pub fn add_section(bytes: &mut Vec<u8>, name: &str, content: &[u8], excluded: bool) -> bool {
    match with_section(bytes, name, content, excluded) {
        Some(whole) => {
            *bytes = whole;
            true
        }
        None => false,
    }
}

/// Content, names and the table of sections go behind what is there, so that nothing moves.
fn with_section(bytes: &[u8], name: &str, content: &[u8], excluded: bool) -> Option<Vec<u8>> {
    use object::elf::{SHF_EXCLUDE, SHN_LORESERVE, SHN_XINDEX, SHT_PROGBITS};
    const HEADER: usize = 64;
    let file = ElfFile64::<LittleEndian>::parse(bytes).ok()?;
    let named = file.section_by_name(name).map(|section| section.index().0);
    let table = file.elf_section_table();
    let names_at = file.elf_header().shstrndx(LittleEndian, bytes).ok()? as usize;
    let names = table.section(object::SectionIndex(names_at)).ok()?;
    let mut names = names.data(LittleEndian, bytes).ok()?.to_vec();
    let name_at = names.len();
    names.extend_from_slice(name.as_bytes());
    names.push(0);
    let mut headers: Vec<Vec<u8>> = table
        .iter()
        .map(|header| object::bytes_of(header).to_vec())
        .collect();
    let mut out = bytes.to_vec();
    let place = |headers: &mut [Vec<u8>], index: usize, from: usize, size: usize| {
        headers[index][24..32].copy_from_slice(&(from as u64).to_le_bytes());
        headers[index][32..40].copy_from_slice(&(size as u64).to_le_bytes());
    };
    let index = named.unwrap_or_else(|| {
        headers.push(vec![0; HEADER]);
        headers.len() - 1
    });
    let header = headers
        .get_mut(index)
        .filter(|header| header.len() == HEADER)?;
    let flags = if excluded { SHF_EXCLUDE.0 } else { 0 };
    header[0..4].copy_from_slice(&(name_at as u32).to_le_bytes());
    header[4..8].copy_from_slice(&SHT_PROGBITS.0.to_le_bytes());
    header[8..16].copy_from_slice(&flags.to_le_bytes());
    header[48..56].copy_from_slice(&1u64.to_le_bytes());
    place(&mut headers, index, out.len(), content.len());
    out.extend_from_slice(content);
    place(&mut headers, names_at, out.len(), names.len());
    out.extend_from_slice(&names);
    out.resize(out.len().next_multiple_of(8), 0);
    let table_at = out.len() as u64;
    let count = headers.len();
    // More sections than their number has room for: it stands in the first one.
    let many = count >= usize::from(SHN_LORESERVE);
    if many {
        headers[0][32..40].copy_from_slice(&(count as u64).to_le_bytes());
    }
    if names_at >= usize::from(SHN_LORESERVE) {
        headers[0][40..44].copy_from_slice(&(names_at as u32).to_le_bytes());
        out[62..64].copy_from_slice(&SHN_XINDEX.0.to_le_bytes());
    }
    let short = if many { 0 } else { count as u16 };
    out[40..48].copy_from_slice(&table_at.to_le_bytes());
    out[60..62].copy_from_slice(&short.to_le_bytes());
    out.extend(headers.concat());
    Some(out)
}

/// What the program map and the build's identity are made from.
pub struct Executable<'a> {
    pub map: &'a [u8],
    /// Empty where there is none.
    pub code: &'a [u8],
    pub plain: Option<&'a [u8]>,
    /// Hash of the map and the code.
    pub build: String,
}

/// Reads an executable; `None` when it is not one that elsewise-cc has linked.
pub fn executable(bytes: &[u8]) -> Option<Executable<'_>> {
    let file = ElfFile64::<Endianness>::parse(bytes).ok()?;
    if !matches!(file.kind(), ObjectKind::Executable | ObjectKind::Dynamic) {
        return None;
    }
    let map = section(bytes, wire::MAP_SECTION)?;
    let mut hasher = blake3::Hasher::new();
    hasher.update(map);
    for name in [".text", ".rodata", ".data"] {
        let data = section(bytes, name).unwrap_or_default();
        hasher.update(&(data.len() as u64).to_le_bytes());
        hasher.update(data);
    }
    Some(Executable {
        map,
        code: section(bytes, wire::CODE_SECTION).unwrap_or_default(),
        plain: plain(bytes),
        build: hasher.finalize().to_hex()[..32].to_string(),
    })
}

/// Members of an archive in order: name and content. A thin archive's members are read from the
/// files it names.
pub fn members(path: &Path, bytes: &[u8]) -> Result<Vec<(String, Vec<u8>)>, NativeError> {
    let bad = |reason: String| NativeError::BadProgram {
        path: path.to_path_buf(),
        reason,
    };
    let archive = ArchiveFile::parse(bytes).map_err(|error| bad(error.to_string()))?;
    let mut out = Vec::new();
    for member in archive.members() {
        let member = member.map_err(|error| bad(error.to_string()))?;
        let name = String::from_utf8_lossy(member.name()).into_owned();
        let content = if archive.is_thin() {
            let file: PathBuf = match path.parent() {
                Some(folder) => folder.join(&name),
                None => PathBuf::from(&name),
            };
            fs::read(&file).map_err(NativeError::io("read", &file))?
        } else {
            member
                .data(bytes)
                .map_err(|error| bad(error.to_string()))?
                .to_vec()
        };
        out.push((name, content));
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_elf_file_is_nothing_of_ours() {
        for bytes in [
            &b""[..],
            b"\x7fELF",
            b"#!/bin/sh\n",
            b"!<arch>\n",
            &[0x7f; 200],
        ] {
            assert!(executable(bytes).is_none());
            assert!(plain(bytes).is_none());
        }
        assert_eq!(kind(b"!<thin>\nxx"), Kind::Archive);
        assert_eq!(kind(b"\x7fELF\x02\x01\x01"), Kind::Other);
    }
}
