//! The program map: what the pass knows of one object file, in the [`crate::MAP_SECTION`] of that
//! object. The linker joins the maps of all objects one after the other.
//!
//! Encoding: `MAGIC u32, length u32` (of what follows), then the fields in order, integers as
//! LEB128, strings and lists with their length before them. Decoding never trusts a length: what
//! is not there in full is an error, and nothing is allocated for more elements than there are
//! bytes left.

pub use crate::leb::BadMap;

use crate::leb::{Reader, Writer};

const MAGIC: u32 = 0x504d_5745;
const FORMAT: u64 = 2;

/// One object file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramMap {
    /// Identifies the object among those linked together: hash of its source and its code.
    pub key: u64,
    /// Source file as given to the compiler.
    pub source: String,
    /// Source files that sites refer to.
    pub files: Vec<String>,
    pub functions: Vec<Function>,
    /// Linkage names of functions that are called where a site is.
    pub callees: Vec<String>,
    pub sites: Vec<Site>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Function {
    /// Linkage name.
    pub name: String,
    pub file: u32,
    pub line: u32,
    /// Visible to other objects.
    pub external: bool,
    /// Block 0 is the entry.
    pub blocks: Vec<Block>,
}

/// Is the function with this linkage name the one that is meant, or a C++ function of that name?
pub fn is_called(symbol: &str, name: &str) -> bool {
    let mangled = || format!("{}{name}", name.len());
    symbol == name || symbol.starts_with("_Z") && symbol.contains(&mangled())
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// Successors; where `site` is a branch or switch, in the order of its sides.
    pub successors: Vec<u32>,
    /// Linkage names of functions called directly.
    pub calls: Vec<String>,
    /// Index into [`ProgramMap::sites`] of the branch or switch that ends the block.
    pub site: Option<u32>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SiteKind {
    /// Two sides.
    #[default]
    Branch,
    /// A side per case, and one for the default.
    Switch,
    /// `?:` that the compiler turned into a select; two sides.
    Select,
    /// A place where a value may be made concrete; no sides.
    Value,
    /// `elsewise_assume`; no sides.
    Assume,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Site {
    pub kind: SiteKind,
    /// Index into [`ProgramMap::functions`].
    pub function: u32,
    /// Stable across rebuilds as long as the function does not change.
    pub key: u64,
    pub file: u32,
    pub line: u32,
    pub column: u32,
    /// First of its sides in the object's coverage map.
    pub first_side: u32,
    pub sides: u32,
    /// Switch: the cases in order of their sides (without the default).
    pub cases: Vec<u64>,
    /// A call of a function that is known: index into [`ProgramMap::callees`].
    pub callee: Option<u32>,
}

impl ProgramMap {
    pub fn encode(&self) -> Vec<u8> {
        Writer::framed(MAGIC, |w| self.write(w))
    }

    fn write(&self, w: &mut Writer) {
        w.int(FORMAT);
        w.int(self.key);
        w.text(&self.source);
        w.int(self.files.len() as u64);
        for file in &self.files {
            w.text(file);
        }
        w.int(self.functions.len() as u64);
        for function in &self.functions {
            w.text(&function.name);
            w.int(function.file.into());
            w.int(function.line.into());
            w.int(function.external.into());
            w.int(function.blocks.len() as u64);
            for block in &function.blocks {
                w.int(block.successors.len() as u64);
                for successor in &block.successors {
                    w.int((*successor).into());
                }
                w.int(block.calls.len() as u64);
                for call in &block.calls {
                    w.text(call);
                }
                w.optional(block.site);
            }
        }
        w.int(self.callees.len() as u64);
        for callee in &self.callees {
            w.text(callee);
        }
        w.int(self.sites.len() as u64);
        for site in &self.sites {
            w.int(site.kind as u64);
            w.int(site.function.into());
            w.int(site.key);
            w.int(site.file.into());
            w.int(site.line.into());
            w.int(site.column.into());
            w.int(site.first_side.into());
            w.int(site.sides.into());
            w.int(site.cases.len() as u64);
            for case in &site.cases {
                w.int(*case);
            }
            w.optional(site.callee);
        }
    }

    /// All maps in a section, in order. Zero bytes between maps (alignment) are passed over.
    pub fn decode_all(section: &[u8]) -> Result<Vec<ProgramMap>, BadMap> {
        let frames = Reader::frames(section, MAGIC)?;
        frames.into_iter().map(Self::decode).collect()
    }

    fn decode(body: &[u8]) -> Result<ProgramMap, BadMap> {
        let mut r = Reader(body);
        if r.int()? != FORMAT {
            return Err(BadMap("written by another version of the pass"));
        }
        let key = r.int()?;
        let source = r.text()?;
        let files = r.list(Reader::text)?;
        let functions = r.list(|r| {
            Ok(Function {
                name: r.text()?,
                file: r.small()?,
                line: r.small()?,
                external: r.int()? != 0,
                blocks: r.list(|r| {
                    Ok(Block {
                        successors: r.list(Reader::small)?,
                        calls: r.list(Reader::text)?,
                        site: r.optional()?,
                    })
                })?,
            })
        })?;
        let callees = r.list(Reader::text)?;
        let sites = r.list(|r| {
            Ok(Site {
                kind: match r.int()? {
                    0 => SiteKind::Branch,
                    1 => SiteKind::Switch,
                    2 => SiteKind::Select,
                    3 => SiteKind::Value,
                    4 => SiteKind::Assume,
                    _ => return Err(BadMap("unknown kind of site")),
                },
                function: r.small()?,
                key: r.int()?,
                file: r.small()?,
                line: r.small()?,
                column: r.small()?,
                first_side: r.small()?,
                sides: r.small()?,
                cases: r.list(Reader::int)?,
                callee: r.optional()?,
            })
        })?;
        if !r.0.is_empty() {
            return Err(BadMap("bytes left over"));
        }
        let map = ProgramMap {
            key,
            source,
            files,
            functions,
            callees,
            sites,
        };
        map.check()?;
        Ok(map)
    }

    /// Every index points at something, and sides follow each other without gap.
    fn check(&self) -> Result<(), BadMap> {
        let mut side = 0u32;
        for site in &self.sites {
            let expected = match site.kind {
                SiteKind::Branch | SiteKind::Select => 2,
                SiteKind::Switch => site.cases.len() as u64 + 1,
                SiteKind::Value | SiteKind::Assume => 0,
            };
            if site.first_side != side || u64::from(site.sides) != expected {
                return Err(BadMap("sides out of order"));
            }
            side = side
                .checked_add(site.sides)
                .ok_or(BadMap("too many sides"))?;
            if site.function as usize >= self.functions.len()
                || site.file as usize >= self.files.len()
                || site
                    .callee
                    .is_some_and(|callee| callee as usize >= self.callees.len())
            {
                return Err(BadMap("a site names what is not there"));
            }
        }
        for function in &self.functions {
            if function.file as usize >= self.files.len() {
                return Err(BadMap("a function names a file that is not there"));
            }
            for block in &function.blocks {
                let blocks = function.blocks.len();
                if block.successors.iter().any(|s| *s as usize >= blocks)
                    || block.site.is_some_and(|s| s as usize >= self.sites.len())
                {
                    return Err(BadMap("a block names what is not there"));
                }
            }
        }
        Ok(())
    }

    /// Number of branch sides in the object.
    pub fn sides(&self) -> u32 {
        self.sites
            .last()
            .map_or(0, |site| site.first_side + site.sides)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> ProgramMap {
        ProgramMap {
            key: 7,
            source: "a.c".into(),
            files: vec!["a.c".into()],
            functions: vec![Function {
                name: "main".into(),
                file: 0,
                line: 3,
                external: true,
                blocks: vec![
                    Block {
                        successors: vec![1, 1],
                        calls: vec!["f".into()],
                        site: Some(0),
                    },
                    Block::default(),
                ],
            }],
            callees: vec!["strtod".into()],
            sites: vec![
                Site {
                    kind: SiteKind::Branch,
                    key: u64::MAX,
                    line: 4,
                    column: 9,
                    sides: 2,
                    ..Site::default()
                },
                Site {
                    kind: SiteKind::Switch,
                    first_side: 2,
                    sides: 3,
                    cases: vec![1, 200],
                    ..Site::default()
                },
                Site {
                    kind: SiteKind::Value,
                    first_side: 5,
                    callee: Some(0),
                    ..Site::default()
                },
            ],
        }
    }

    #[test]
    fn a_section_of_several_maps_is_read_back() {
        let mut section = sample().encode();
        section.extend([0; 5]);
        section.extend(sample().encode());
        assert_eq!(
            ProgramMap::decode_all(&section),
            Ok(vec![sample(), sample()])
        );
    }

    #[test]
    fn every_truncation_is_an_error() {
        let whole = sample().encode();
        for length in 1..whole.len() {
            assert!(
                ProgramMap::decode_all(&whole[..length]).is_err(),
                "{length}"
            );
        }
    }
}
