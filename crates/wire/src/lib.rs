//! The layout in which a native subject writes its trace, and in which the pass describes the
//! program. Shared by the engine, the pass and the runtime that is linked into the subject, so it
//! depends on nothing, not even on `std`.
//!
//! One shared-memory file serves one fork server. The engine lays it out ([`Header`] says where
//! each area is and how much it holds), the subject appends:
//!
//! | area | written by | content |
//! |---|---|---|
//! | header | both | sizes and limits from the engine; counters and the outcome from the subject |
//! | input | engine | the case: a sequence of streams, see [`StreamRecord`] |
//! | coverage | subject | one byte per branch side, 1 when taken |
//! | events | subject | [`Event`]s in order: the choices of the run |
//! | nodes | subject | [`Node`]s: what the labels of the run stand for |
//!
//! The counters live in the shared memory itself, so a subject that is killed loses nothing that
//! it had written. Everything the subject writes is bad input until checked.
#![cfg_attr(not(any(test, feature = "map")), no_std)]

pub mod bytecode;
pub mod calls;
#[cfg(any(test, feature = "map"))]
pub mod code;
#[cfg(any(test, feature = "map"))]
mod leb;
#[cfg(any(test, feature = "map"))]
pub mod libc;
#[cfg(any(test, feature = "map"))]
pub mod map;
pub mod output;
pub mod outside;
mod pipes;
pub mod sampler;
pub mod threads;

pub use pipes::*;

/// First word of [`Header`].
pub const MAGIC: u64 = 0x3145_5349_5745_534c;
/// Raised whenever a layout in this crate changes.
pub const VERSION: u32 = 14;

/// Environment variable with the number of the inherited shared-memory file descriptor.
pub const ENV_SHM: &str = "ELSEWISE_SHM";
/// Environment variable with `IN,OUT`: the control pipe's read end and the status pipe's write end.
pub const ENV_CTL: &str = "ELSEWISE_CTL";
/// Environment variable with the path of a file that is laid out as the shared memory is and holds a
/// case: the program then is its run, without an engine, and changes nothing in the file.
pub const ENV_RUN: &str = "ELSEWISE_RUN";
/// Environment variable with the directory of a case, for replay on the plain build.
pub const ENV_CASE: &str = "ELSEWISE_CASE";
/// Environment variable with the keys, separated by commas, of the inputs that a plain run has
/// from the start: others of these names come after them.
pub const ENV_GIVEN: &str = "ELSEWISE_GIVEN";

/// Section of an object file that holds its program map.
pub const MAP_SECTION: &str = "elsewise_map";
/// Section of an object file that holds its code as a transition relation.
pub const CODE_SECTION: &str = "elsewise_code";
/// Section of an instrumented object or executable that holds its uninstrumented twin.
pub const PLAIN_SECTION: &str = ".elsewise.plain";

pub const MAX_MODULES: usize = 4096;
pub const MAX_STREAMS: usize = 256;
/// Arguments and environment variables that can be inputs.
pub const MAX_GIVEN: usize = 64;
pub const MAX_FRAMES: usize = 32;
/// Sites from here on are of code that was loaded by a run and has no place in the map.
pub const LATE_SITES: u32 = 1 << 31;
pub const NAME_BYTES: usize = 48;
pub const TEXT_BYTES: usize = 512;

/// Labels have 29 bits: the shadow keeps a byte's label as `label << 3 | index of the byte`.
pub const MAX_LABELS: u32 = 1 << 29;

/// Entries that a table of [`Op::Lookup`] may have.
pub const MAX_ENTRIES: u32 = 1 << 16;

/// Flag of the eight bytes that `addr` is among: `(addr >> 3) + FLAGS_BASE`, a byte that is zero
/// only where none of them has a shadow entry that is not. There is one for every address that a
/// program can have, right before the shadow.
pub const FLAGS_BASE: u64 = SHADOW_BASE - FLAGS_SIZE;
pub const FLAGS_SIZE: u64 = ADDRESSES >> 3;
/// Addresses of programs are below this.
pub const ADDRESSES: u64 = 1 << 47;
/// Shadow of the byte at `addr`: `((addr & SHADOW_MASK) << 2) + SHADOW_BASE`, a 32-bit entry.
pub const SHADOW_MASK: u64 = 0x0fff_ffff_ffff;
pub const SHADOW_BASE: u64 = 0x1100_0000_0000;
pub const SHADOW_SIZE: u64 = (SHADOW_MASK + 1) << 2;

/// What a node computes. Operand order is that of SMT-LIB; `a` and `b` are labels unless said
/// otherwise. A *constant operand* stands in `b` as a value when [`CONST_RIGHT`] or [`CONST_LEFT`]
/// is set: then `a` is the label of the other operand.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Never valid: label 0 means concrete.
    None = 0,
    /// `a` = index into [`Header::streams`], `b` = offset of the byte; 8 bits.
    Input = 1,
    /// `a` = index into [`Header::streams`]: the stream's length in bytes; 64 bits.
    Length = 2,
    /// `b` = the value; at most 64 bits.
    Const = 3,
    /// An entry of a table, which is no value by itself: `b` = its value, or `a` = its label
    /// where it has one.
    Data = 4,

    Add = 10,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,

    /// Comparisons have 1 bit; the operands' width is that of operand `a`.
    Eq = 30,
    Ne,
    Ult,
    Ule,
    Ugt,
    Uge,
    Slt,
    Sle,
    Sgt,
    Sge,

    /// `a` to `bits` bits.
    ZExt = 50,
    SExt,
    /// Lowest `bits` bits of `a`.
    Trunc,
    /// `bits` bits of `a` from bit `b` up.
    Extract,
    /// `a` above, `b` (label) below; `bits` is the sum.
    Concat,
    /// `a` = label of the condition (1 bit); `b` = label if true in the low half, label if false
    /// in the high half.
    Ite,
    Not,
    Neg,
    /// The entry of a table: `a` = label of the index (unsigned, at most 64 bits), `b` = label of
    /// the first of consecutive [`Op::Data`] nodes, in the order of their indices, in the low
    /// half, their number (at most [`MAX_ENTRIES`]) in the high half; at most 64 bits, like the
    /// entries. An index beyond the end has the last entry; that there is none is said by an
    /// earlier choice.
    Lookup,

    /// Floats are their encodings of 32 or 64 bits; round to nearest even. The remainder is C's
    /// `fmod`, least and greatest are LLVM's `minnum` and `maxnum`.
    FAdd = 70,
    FSub,
    FMul,
    FDiv,
    FRem,
    FMin,
    FMax,
    /// The magnitude of `a` with the sign of `b`.
    FCopySign,

    FNeg = 80,
    FAbs,
    FSqrt,
    FFloor,
    FCeil,
    /// To the integer next towards zero.
    FTrunc,
    /// To the nearest integer, the even one of two.
    FRint,
    /// To the nearest integer, the one farther from zero of two.
    FRound,

    /// `a` to `bits` bits: a float to the other width, to an integer of at most 64 bits, from an
    /// integer of at most 64 bits. What does not fit an integer is what clang's code for x86-64
    /// makes of it.
    FToF = 90,
    FToSI,
    FToUI,
    SIToF,
    UIToF,

    /// Comparisons of floats, 1 bit: [`FCMP`] plus LLVM's number of the predicate.
    FOeq = 101,
    FOgt,
    FOge,
    FOlt,
    FOle,
    FOne,
    FOrd,
    FUno,
    FUeq,
    FUgt,
    FUge,
    FUlt,
    FUle,
    FUne,
}

/// What LLVM's number of an `fcmp` predicate is added to.
pub const FCMP: u8 = 100;

impl Op {
    /// All operations, for decoding.
    pub const ALL: [Op; 72] = [
        Op::Input,
        Op::Length,
        Op::Const,
        Op::Data,
        Op::Add,
        Op::Sub,
        Op::Mul,
        Op::UDiv,
        Op::SDiv,
        Op::URem,
        Op::SRem,
        Op::Shl,
        Op::LShr,
        Op::AShr,
        Op::And,
        Op::Or,
        Op::Xor,
        Op::Eq,
        Op::Ne,
        Op::Ult,
        Op::Ule,
        Op::Ugt,
        Op::Uge,
        Op::Slt,
        Op::Sle,
        Op::Sgt,
        Op::Sge,
        Op::ZExt,
        Op::SExt,
        Op::Trunc,
        Op::Extract,
        Op::Concat,
        Op::Ite,
        Op::Not,
        Op::Neg,
        Op::Lookup,
        Op::FAdd,
        Op::FSub,
        Op::FMul,
        Op::FDiv,
        Op::FRem,
        Op::FMin,
        Op::FMax,
        Op::FCopySign,
        Op::FNeg,
        Op::FAbs,
        Op::FSqrt,
        Op::FFloor,
        Op::FCeil,
        Op::FTrunc,
        Op::FRint,
        Op::FRound,
        Op::FToF,
        Op::FToSI,
        Op::FToUI,
        Op::SIToF,
        Op::UIToF,
        Op::FOeq,
        Op::FOgt,
        Op::FOge,
        Op::FOlt,
        Op::FOle,
        Op::FOne,
        Op::FOrd,
        Op::FUno,
        Op::FUeq,
        Op::FUgt,
        Op::FUge,
        Op::FUlt,
        Op::FUle,
        Op::FUne,
        Op::None,
    ];

    pub fn from_u8(code: u8) -> Option<Op> {
        const BY_CODE: [Option<Op>; 256] = {
            let mut by_code = [None; 256];
            let mut index = 0;
            while index < Op::ALL.len() {
                if !matches!(Op::ALL[index], Op::None) {
                    by_code[Op::ALL[index] as usize] = Some(Op::ALL[index]);
                }
                index += 1;
            }
            by_code
        };
        BY_CODE[usize::from(code)]
    }
}

/// What the pass asks the runtime to compute where one node is not enough.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Formula {
    ByteSwap,
    BitReverse,
    CountOnes,
    LeadingZeros,
    TrailingZeros,
    Abs,
    SMin,
    SMax,
    UMin,
    UMax,
    /// Upper half of the first operand above the second, both moved left by the third.
    FunnelLeft,
    /// Lower half of the first operand above the second, both moved right by the third.
    FunnelRight,
    /// The label is that of the overflow; the sum, difference or product is a node of its own.
    SAddOverflow,
    UAddOverflow,
    SSubOverflow,
    USubOverflow,
    SMulOverflow,
    UMulOverflow,
}

impl Formula {
    pub const ALL: [Formula; 18] = [
        Formula::ByteSwap,
        Formula::BitReverse,
        Formula::CountOnes,
        Formula::LeadingZeros,
        Formula::TrailingZeros,
        Formula::Abs,
        Formula::SMin,
        Formula::SMax,
        Formula::UMin,
        Formula::UMax,
        Formula::FunnelLeft,
        Formula::FunnelRight,
        Formula::SAddOverflow,
        Formula::UAddOverflow,
        Formula::SSubOverflow,
        Formula::USubOverflow,
        Formula::SMulOverflow,
        Formula::UMulOverflow,
    ];

    pub fn from_u8(code: u8) -> Option<Formula> {
        Self::ALL.into_iter().find(|f| *f as u8 == code)
    }

    /// The operation whose overflow it is.
    pub fn arithmetic(self) -> Option<Op> {
        Some(match self {
            Formula::SAddOverflow | Formula::UAddOverflow => Op::Add,
            Formula::SSubOverflow | Formula::USubOverflow => Op::Sub,
            Formula::SMulOverflow | Formula::UMulOverflow => Op::Mul,
            _ => return None,
        })
    }
}

/// What a check asks of its operands.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// The second operand is at least the first one's width.
    Shift,
    /// The first operand, unsigned, is at least the second.
    Index,
    SAdd,
    SSub,
    SMul,
}

impl Check {
    pub fn from_u8(code: u8) -> Option<Check> {
        use Check::*;
        [Shift, Index, SAdd, SSub, SMul]
            .into_iter()
            .find(|check| *check as u8 == code)
    }
}

/// `b` holds the right operand's value.
pub const CONST_RIGHT: u8 = 1;
/// `b` holds the left operand's value; `a` is the right operand's label.
pub const CONST_LEFT: u8 = 2;

/// One symbolic operation. Label `n` is entry `n` of the node area; entry 0 is unused. Operands
/// always have smaller labels than the node.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    pub op: u8,
    pub flags: u8,
    /// Width of the result.
    pub bits: u16,
    pub a: u32,
    pub b: u64,
}

/// What an [`Event`] reports.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// A two-way branch or select on `label` (1 bit); `value` is the side: 0 = true, 1 = false.
    Branch = 1,
    /// A switch on `label`; `value` is the side: the index of the case, or their number for the
    /// default. The program map has the cases.
    Switch = 2,
    /// The value of `label` was made concrete; `value` is the label of a [`Op::Const`] node with
    /// the value, `detail` a [`Reason`].
    Concrete = 3,
    /// `elsewise_assume` of `label` (1 bit); `value` 0 = held, 1 = did not hold.
    Assume = 4,
    /// Something the run depended on and that no label describes; `detail` is a [`Reason`].
    Opaque = 5,
    /// Not a choice: `label` (1 bit) says that the operation at the site goes wrong (overflow, a
    /// shift too far, an index outside its array, a size that cannot be had).
    Check = 6,
    /// Not a choice: `label` is an input pointer, a [`Op::Lookup`] of a selector in the table of its
    /// addresses. From `value` on, `detail` selectors are objects that are not there yet; they,
    /// and null, are what should be tried before it is made equal to another pointer.
    Pointer = 7,
    /// Not a choice: objects of which each could as well be any other, as long as no address of
    /// theirs is taken. `label` is the first of `value` entries ([`Op::Data`]): the size of an
    /// object, then the address of each.
    Pool = 8,
    /// Not a choice: the address in the entry `label` is known to the program without being an
    /// input.
    Known = 9,
    /// Not a choice: cases that follow from this run keep `label` (1 bit) true.
    Bound = 10,
    /// The thread named `label` moves next ([`threads::thread_name`]); `value` is 1 if the run ends with this
    /// move. `site` is where the thread that moved before has stopped.
    Thread = 11,
    /// Not a choice: the present move, or what is [`EventKind::Pending`], touches memory: `pad`
    /// bytes at the address with its lower half in `label` and its upper half in `value`. `detail`
    /// has bits of [`threads::access`].
    Access = 12,
    /// Not a choice: the present move, or what is pending, touches an object by which threads wait
    /// for each other: its number in `label` and `value`, as an address is. `detail` is a
    /// [`threads::SyncOp`] times two, plus one if the object changes. The lower byte of `pad` is the least
    /// state of the object at which the move need not wait, the upper one its state before.
    SyncOp = 13,
    /// Not a choice: the thread named `label` was about to move when the run ended; `value` is 1 if
    /// the run would have ended with it.
    Pending = 14,
    /// The schedule decides which of `label` ways a move goes: `value`.
    Pick = 15,
    /// Not a choice: what people are told of threads; `detail` is a [`threads::Note`].
    Note = 20,
}

impl EventKind {
    pub fn from_u8(code: u8) -> Option<EventKind> {
        use EventKind::*;
        [
            Branch, Switch, Concrete, Assume, Opaque, Check, Pointer, Pool, Known, Bound, Thread,
            Access, SyncOp, Pending, Pick, Note,
        ]
        .into_iter()
        .find(|kind| *kind as u8 == code)
    }
}

/// Why a value was made concrete, or what is opaque.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The address of a load or store.
    Address = 1,
    /// A size: of an allocation, of a block that is copied or read.
    Size = 2,
    /// An operation that is not handled yet (floats, vectors, wide integers, …).
    Operation = 3,
    /// An argument of a function that is not instrumented.
    Argument = 4,
    /// A function that is not instrumented was given a pointer to labelled memory.
    Memory = 5,
    /// The callee of an indirect call.
    Callee = 6,
    /// More inputs than the trace can hold ([`MAX_STREAMS`]).
    Streams = 7,
    /// A process that the run forked: what it chooses is not recorded.
    Children = 8,
    /// A process that the run would have forked while it had several threads: that was refused.
    Fork = 9,
    /// Input that code which is not instrumented has taken by itself, or has been told of.
    Input = 10,
    /// Containment or a limit refused something that the program might get outside.
    Refused = 11,
    /// A timer: at what time its signal comes is not explored.
    Timer = 12,
    /// Memory beside an input object was read: nobody gave it.
    Beside = 13,
    /// Inputs that a harness cannot give.
    LeftOut = 14,
}

/// There are fewer than so many reasons.
pub const REASONS: usize = 16;

impl Reason {
    pub fn from_u8(code: u8) -> Option<Reason> {
        use Reason::*;
        [
            Address, Size, Operation, Argument, Memory, Callee, Streams, Children, Fork, Input,
            Refused, Timer, Beside, LeftOut,
        ]
        .into_iter()
        .find(|reason| *reason as u8 == code)
    }
}

/// One choice. 16 bytes, appended in order.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    pub kind: u8,
    pub detail: u8,
    pub pad: u16,
    /// Module base plus the site's index in its module; see [`ModuleEntry`].
    pub site: u32,
    pub label: u32,
    pub value: u32,
}

/// How the run ended, as far as the runtime saw it; the wait status says the rest.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Nothing special was seen.
    Plain = 0,
    /// `elsewise_assume` did not hold: the run counts for nothing.
    Assume = 1,
    /// `assert` or `elsewise_assert` failed: `text` is the condition, `file` and `line` say where.
    Assert = 2,
    /// A fatal signal: `signal`, `fault_address`, `frames`.
    Signal = 3,
    /// `abort` was called: `frames`.
    Abort = 4,
    /// No thread can go on: what each waits for is pending.
    Deadlock = 5,
    /// The threads have made as many moves as a run may have.
    Moves = 6,
    /// Memory that was freed is used or freed again, or an object that is no more: `text` says
    /// which ([`threads::misuse`]), `frames`.
    Misuse = 7,
}

/// An instrumented object as registered at start-up.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ModuleEntry {
    /// [`map::ProgramMap::key`] of the object.
    pub key: u64,
    pub first_site: u32,
    pub sites: u32,
    pub first_side: u32,
    pub sides: u32,
}

/// An argument or environment variable that is an input: its last `size` bytes, which the subject
/// is started with placeholders for, and which a run replaces by the case's.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct GivenEntry {
    /// Name of the stream: `arg1`, or `env-` and the variable's name; NUL-padded.
    pub name: [u8; NAME_BYTES],
    /// Index among the arguments, the program's name being 0; 0 for a variable.
    pub index: u32,
    /// Bytes of the argument or value that stand before the input.
    pub before: u32,
    pub size: u64,
}

/// Stream names of variables begin with this.
pub const ENVIRONMENT_PREFIX: &[u8] = b"env-";

/// An input that the run asked for. Stream 0 is always the main input: the file that is standard
/// input, or that the arguments name.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct StreamEntry {
    /// Name, NUL-padded.
    pub name: [u8; NAME_BYTES],
    /// The how-manieth input of that name, from 0.
    pub occurrence: u32,
    pub reserved: u32,
    /// Bytes asked for (for the main input: up to where it was read).
    pub size: u64,
}

/// Header of one stream in the input area; `size` bytes follow, padded to 8. A record with an
/// empty name and `occurrence == u32::MAX` ends the area.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct StreamRecord {
    pub name: [u8; NAME_BYTES],
    pub occurrence: u32,
    pub reserved: u32,
    pub size: u64,
}

/// The first page of the shared memory.
#[repr(C)]
pub struct Header {
    // Written by the engine before the subject starts.
    pub magic: u64,
    pub version: u32,
    /// 1: the length of the main input is an input too.
    pub free_length: u32,
    /// Whole size of the shared memory.
    pub size: u64,
    pub input_offset: u64,
    pub input_size: u64,
    pub coverage_offset: u64,
    pub coverage_size: u64,
    pub event_offset: u64,
    pub event_capacity: u64,
    pub node_offset: u64,
    pub node_capacity: u64,
    /// Bytes of memory that a run may take beyond the fork server's own; 0 = no limit.
    pub memory_limit: u64,
    /// 1: report what could go wrong ([`EventKind::Check`]).
    pub checks: u64,
    /// 1: something tells objects apart that lie side by side, so which one a pointer points into is a
    /// choice.
    pub objects: u64,
    /// Seconds of processor time that one process of a run may take; 0 = no limit. Only a backstop:
    /// the engine ends a run long before.
    pub cpu_limit: u64,
    /// The main input has at most so many bytes.
    pub max_input: u64,
    /// The file that holds the main input: any descriptor of it is the input.
    pub file_device: u64,
    pub file_inode: u64,
    /// Moves of threads that a run may have.
    pub move_limit: u64,
    /// Waits for a condition of each thread that may end without a signal.
    pub spurious: u64,
    /// When others see what a thread stores ([`threads::MemoryModel`]).
    pub memory_model: u64,
    /// Whether calls of operations are told ([`threads::operations`]).
    pub operations: u64,
    /// Who moves where the schedule has ended; written before every run.
    pub rule: sampler::Words,
    pub given_used: u32,
    /// 1: a process that is as it was before its run may have the next one, too.
    pub reuse: u32,
    pub given: [GivenEntry; MAX_GIVEN],

    // Written by the subject. The engine resets the counters between runs.
    /// Nodes written, the unused entry 0 included.
    pub nodes: u64,
    pub events: u64,
    /// Nodes or events that found no room.
    pub lost_nodes: u64,
    pub lost_events: u64,
    pub modules_used: u32,
    pub streams_used: u32,
    pub sites: u32,
    pub sides: u32,
    /// An [`Ending`].
    pub ending: u32,
    pub signal: u32,
    pub fault_address: u64,
    pub frames_used: u32,
    pub line: u32,
    /// Return addresses, innermost first, relative to the executable's load address.
    pub frames: [u64; MAX_FRAMES],
    pub text: [u8; TEXT_BYTES],
    pub file: [u8; TEXT_BYTES],
    pub streams: [StreamEntry; MAX_STREAMS],
    pub modules: [ModuleEntry; MAX_MODULES],
    /// Not reset between runs, by [`Reason`]: 1 + the site where something of that kind had happened before runs
    /// began; 0 if it had not.
    pub before: [u32; REASONS],
    /// 1: whatever touches an input is seen.
    pub watched: u32,
}

const _: () = assert!(core::mem::size_of::<Node>() == 16);
const _: () = assert!(core::mem::size_of::<Event>() == 16);
const _: () = assert!(core::mem::size_of::<StreamEntry>() == core::mem::size_of::<StreamRecord>());
