//! A program as a transition relation: what a front end can tell of its subject beside how it runs.
//!
//! Whoever has it can follow a run step by step with symbolic values for everything, concrete ones
//! included, and so say what a state has to be like for a path to be taken ([`crate::Subject::program`]).
//! Values are bit-vectors; memory is bytes at addresses, little end first. Whatever a front end cannot
//! say in these words is [`Step::Opaque`]: a run that meets it is followed no further.

use crate::SiteId;
use elsewise_term::Bits;
use std::sync::Arc;

pub use elsewise_operators::Operator;

/// All code and static memory of a subject.
#[derive(Clone, Debug, Default)]
pub struct Program {
    pub functions: Vec<Function>,
    /// Static memory: no two overlap, none begins at address 0.
    pub objects: Vec<Object>,
    /// The function with which a run begins; it is called without arguments.
    pub entry: FunctionId,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionId(pub u32);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(pub u32);

/// A register of a function, written before it is read on every path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Register(pub u32);

/// Memory that is there from the beginning.
#[derive(Clone, Debug, Default)]
pub struct Object {
    pub name: String,
    pub address: u64,
    pub size: u64,
    /// What is in it at the beginning of a run; zeroes beyond.
    pub bytes: Vec<u8>,
    /// Nobody may write there.
    pub constant: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Function {
    pub name: String,
    /// What stands for its address where functions are called through pointers; 0 if nobody takes it.
    pub address: u64,
    /// The first registers are the parameters.
    pub parameters: u32,
    /// Widths of all registers, in bits.
    pub registers: Vec<u32>,
    /// Block 0 is the entry.
    pub blocks: Vec<Block>,
}

#[derive(Clone, Debug)]
pub struct Block {
    /// Assigned at once on the way in.
    pub phis: Vec<Phi>,
    pub steps: Vec<Step>,
    pub end: End,
}

#[derive(Clone, Debug)]
pub struct Phi {
    pub to: Register,
    /// By the block that was left.
    pub from: Vec<(BlockId, Operand)>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    Register(Register),
    Constant(Bits),
    /// A value that does not matter: whoever lets it matter follows the run no further.
    Undefined(u32),
}

#[derive(Clone, Debug)]
pub enum Step {
    Assign {
        to: Register,
        operator: Operator,
        operands: Vec<Operand>,
    },
    /// The second operand if the first (of one bit) is 1, else the third. Where there is a site, it is a
    /// choice at that site as a branch would be, whose first side is the one for 1 unless `exchanged`.
    Select {
        to: Register,
        operands: [Operand; 3],
        site: Option<SiteId>,
        exchanged: bool,
    },
    Load {
        to: Register,
        address: Operand,
        /// Bytes; the register may have fewer bits, the rest is zero.
        size: u32,
    },
    Store {
        address: Operand,
        value: Operand,
        size: u32,
    },
    /// Memory for as long as the function's call lasts.
    Local { to: Register, size: u64, align: u64 },
    Call {
        to: Option<Register>,
        callee: Callee,
        arguments: Vec<Operand>,
    },
    /// Memory from now on: so many bytes, a register's worth of address. Filled with zeroes or with what
    /// does not matter.
    Allocate {
        to: Register,
        size: Operand,
        zeroed: bool,
    },
    /// Memory of [`Step::Allocate`] is given back; address 0 is nothing to give back.
    Release { address: Operand },
    /// So many bytes from one place to another, which may overlap.
    Move {
        to: Operand,
        from: Operand,
        size: Operand,
    },
    /// So many bytes of one value (8 bits).
    Fill {
        to: Operand,
        value: Operand,
        size: Operand,
    },
    /// The next bytes of an input, into memory or a register.
    Input { to: InputPlace, source: Source },
    /// Runs for which it does not hold count for nothing. (Not zero is what holds.)
    Assume {
        condition: Operand,
        site: Option<SiteId>,
    },
    /// Is of no consequence but for its result, which does not matter.
    Effect { to: Option<Register> },
    /// Cannot be followed; for people, why.
    Opaque {
        to: Option<Register>,
        what: Arc<str>,
    },
}

#[derive(Clone, Debug)]
pub enum Callee {
    Function(FunctionId),
    /// By the address in [`Function::address`].
    Pointer(Operand),
}

#[derive(Clone, Debug)]
pub enum InputPlace {
    Register(Register),
    Memory { address: Operand, size: Operand },
}

/// Which input of a case.
#[derive(Clone, Debug)]
pub enum Source {
    /// One of its own with every use: the k-th use of the name is another one than the first. The name
    /// is a string that ends with a zero byte, at this address.
    Named(Operand),
    /// The next bytes of the one with this name.
    Next(Arc<str>),
}

#[derive(Clone, Debug)]
pub enum End {
    Jump(BlockId),
    /// The first side of the site is the one for 1 unless `exchanged`.
    Branch {
        condition: Operand,
        holds: BlockId,
        fails: BlockId,
        site: Option<SiteId>,
        exchanged: bool,
    },
    /// The sides of the site are the cases in order, then the default.
    Switch {
        value: Operand,
        cases: Vec<(Bits, BlockId)>,
        default: BlockId,
        site: Option<SiteId>,
    },
    Return(Option<Operand>),
    /// The run ends, and nothing is wrong with it.
    Exit,
    /// The run fails: an assertion, a trap.
    Fail,
    /// Nobody comes here unless by what has no meaning: follow no further.
    Unreachable,
}
