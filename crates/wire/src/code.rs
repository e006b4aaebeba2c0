//! The code of one object file as a transition relation: what the pass has seen of it before it was
//! instrumented, in the [`crate::CODE_SECTION`] of that object. The linker joins those of all objects one
//! after the other.
//!
//! The words are those of the engine's own program (values are bit-vectors, memory is bytes), but names are
//! still symbols, and sites are numbers within the object. Encoding and distrust are the program map's.

mod check;
mod read;
mod write;

use crate::leb::{BadMap, Reader, Writer};

pub use elsewise_operators::Operator;

const MAGIC: u32 = 0x4345_5745;
const FORMAT: u64 = 1;

/// The widest register, in bits.
pub const MAX_WIDTH: u32 = 4096;

/// One object file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Code {
    /// The key of the object's program map.
    pub key: u64,
    pub symbols: Vec<Symbol>,
    pub variables: Vec<Variable>,
    pub aliases: Vec<Alias>,
    pub functions: Vec<Function>,
    /// Functions that run before `main`, with their priorities.
    pub constructors: Vec<(u32, u32)>,
}

/// A name that the object defines or uses; others refer to it by its index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symbol {
    pub name: String,
    pub binding: Binding,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Binding {
    #[default]
    Global,
    /// Any other definition will do as well; used and not defined anywhere, its address is 0.
    Weak,
    /// Nobody else's.
    Local,
}

/// A global variable that the object defines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Variable {
    pub symbol: u32,
    pub size: u64,
    pub align: u64,
    pub constant: bool,
    /// Its first bytes; zeroes beyond.
    pub bytes: Vec<u8>,
    pub relocations: Vec<Relocation>,
    /// Its beginning cannot be told; for people, why.
    pub opaque: Option<String>,
}

/// Eight bytes that are an address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Relocation {
    pub offset: u64,
    pub symbol: u32,
    pub addend: i64,
}

/// Another name for a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Alias {
    pub symbol: u32,
    pub target: u32,
    pub addend: i64,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Function {
    pub symbol: u32,
    /// The first registers are the parameters.
    pub parameters: u32,
    /// Widths in bits.
    pub registers: Vec<u32>,
    /// Block 0 is the entry.
    pub blocks: Vec<Block>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    pub phis: Vec<Phi>,
    pub steps: Vec<Step>,
    pub end: End,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phi {
    pub to: u32,
    pub from: Vec<(u32, Operand)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    Register(u32),
    Constant(Constant),
    /// 64 bits.
    Address {
        symbol: u32,
        addend: i64,
    },
}

/// A number of any width, least significant word first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constant {
    pub width: u32,
    pub words: Vec<u64>,
}

impl Constant {
    pub fn new(width: u32, value: u64) -> Constant {
        let mask = if width >= 64 {
            u64::MAX
        } else {
            (1 << width) - 1
        };
        let mut words = vec![0; width.div_ceil(64) as usize];
        if let Some(first) = words.first_mut() {
            *first = value & mask;
        }
        Constant { width, words }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    Assign {
        to: u32,
        operator: Operator,
        operands: Vec<Operand>,
    },
    /// With a site, a choice whose first side is the one for 1.
    Select {
        to: u32,
        operands: [Operand; 3],
        site: Option<u32>,
    },
    Load {
        to: u32,
        address: Operand,
        size: u32,
    },
    Store {
        address: Operand,
        value: Operand,
        size: u32,
    },
    Local {
        to: u32,
        size: u64,
        align: u64,
    },
    /// Of a function by its symbol, or by an address. The site is where what it does is told.
    Call {
        to: Option<u32>,
        callee: Operand,
        arguments: Vec<Operand>,
        site: Option<u32>,
    },
    Move {
        to: Operand,
        from: Operand,
        size: Operand,
    },
    Fill {
        to: Operand,
        value: Operand,
        size: Operand,
    },
    /// For people, why it cannot be said.
    Opaque {
        to: Option<u32>,
        what: String,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    Jump(u32),
    /// The first side is the one for 1.
    Branch {
        condition: Operand,
        holds: u32,
        fails: u32,
        site: Option<u32>,
    },
    Switch {
        value: Operand,
        cases: Vec<(Constant, u32)>,
        default: u32,
        site: Option<u32>,
    },
    Return(Option<Operand>),
    Fail,
    Unreachable,
}

impl Code {
    pub fn encode(&self) -> Vec<u8> {
        Writer::framed(MAGIC, |w| self.write(w))
    }

    /// Those of all objects in a section, in order.
    pub fn decode_all(section: &[u8]) -> Result<Vec<Code>, BadMap> {
        let frames = Reader::frames(section, MAGIC)?;
        frames
            .into_iter()
            .map(|body| {
                let mut r = Reader(body);
                let code = Code::read(&mut r)?;
                if !r.0.is_empty() {
                    return Err(BadMap("bytes left over"));
                }
                code.check()?;
                Ok(code)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests;
