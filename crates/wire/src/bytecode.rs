//! Bytecode of slow paths: what instrumented code has done for values that have labels, as data
//! that the runtime interprets.
//!
//! Slow paths are most of what instrumentation adds and hardly ever run. As machine code they took
//! most of the compiler's time; as data they cost it nothing. At the place of a slow path, code
//! calls `__elw_slow`, which keeps the caller's registers, with the address of a program and the
//! first [`ARGUMENTS`] values that it uses; further ones are stored into *slots* of the thread's
//! call frame before, where the first are put as well.
//!
//! The programs of a module follow each other, as 16-bit words. In front of them, in [`HEAD`] words,
//! stands how many bytes it is from there to the number of the module's first site. A program is the
//! number of words from there to its begin (two words, the less significant first), the number of
//! constants, the constants (four words each), then instructions. An instruction is a [`Code`] in the low byte
//! of a word, a number that belongs to it in the high byte, and its operands, one word each. What
//! it computes goes to the next free slot, from [`INPUTS`] on. A slot holds a value in its low
//! bits; whoever reads it wants as many of them as the value has.

/// In the place of what a foreign call may read: nothing, and no variables of its own either. Bit 31 alone says so
/// of no arguments, since no function has its sixteenth for a text.
pub const KNOWN_CALLEE: u32 = 1 << 31;

/// With the size of a variable: what the C library's function of this name reads there is a text.
pub const TEXT: u32 = 1 << 31;

/// What is called before and after a function that may be foreign. No function of the runtime has these names: they are
/// always told as bytecode.
pub const REACHED: &str = "__elw_reached";
pub const EXTERNAL: &str = "__elw_external";

/// What [`REACHED`] says: what the callee would reach holds no label, or one. Zero where it was not looked for.
pub const REACHES_NONE: u32 = 1;
pub const REACHES_LABELS: u32 = 2;

/// Before the code of an instrumented function that may be called from elsewhere is this word; some sanitizers put
/// another between them.
pub const FOLLOWED_MARK: u64 = 0x6c65_7765_7369_7765;
/// The runtime's table of functions that are known to have the mark: an address is in the place of
/// its bits from [`FOLLOWED_SHIFT`], or nowhere.
pub const FOLLOWED: &str = "__elw_followed";
pub const FOLLOWED_PLACES: usize = 1024;
pub const FOLLOWED_SHIFT: u32 = 4;

/// Words in front of a module's programs.
pub const HEAD: usize = 2;
/// What a slow path is given as arguments of its call, after the program.
pub const ARGUMENTS: usize = 3;
/// Slots for what a slow path is given.
pub const INPUTS: usize = 128;
/// All slots, those of results included.
pub const SLOTS: usize = 512;
/// Results that a slow path gives back; the first is the result of the call.
pub const RESULTS: usize = 49;
/// An operand with this bit is a constant, else a slot.
pub const CONSTANT: u16 = 0x8000;

/// An instruction; the comment says what its operands are. *Site* is the number of a site within
/// its module, always a constant.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// The number beside it says how many results follow.
    End,
    /// Operation and width, labels, values: `__elw_binary`.
    Binary,
    /// Operation and width, label: `__elw_unary`.
    Unary,
    /// Address, bytes, bits, what was looked up: `__elw_load`.
    Load,
    /// Address, bytes, label, bits, whether it is done: `__elw_store`.
    Store,
    /// Site, label, address, bytes, bits, object, its size: `__elw_read_at`.
    ReadAt,
    /// Site, label, address, bytes, label of the value, value, object, its size: `__elw_write_at`.
    WriteAt,
    /// Site, label, side: `__elw_branch`.
    Branch,
    /// Site, label, side: `__elw_switch`.
    Switch,
    /// Site, operation and width, labels, values: `__elw_division`.
    Division,
    /// Site, question and width, labels, values: `__elw_check`.
    Check,
    /// Site, label, value, reason: `__elw_concrete`.
    Concrete,
    /// Site, address, bytes: `__elw_concrete_memory`.
    ConcreteMemory,
    /// Address, bytes: `__elw_clear`.
    Clear,
    /// Formula and width, three labels, three values: `__elw_formula`.
    Formula,
    /// Before a call: callee, which arguments are pointers, then label and value of as many arguments as the
    /// number beside it says: [`REACHED`].
    Reached,
    /// After a call: site, what [`REACHED`] has said, which arguments are pointers, then label and value of as
    /// many arguments as the number beside it says: [`EXTERNAL`].
    External,
    /// The low bits of a value, as many as the number beside it says.
    ZExt,
    /// The same, with the highest of them repeated.
    SExt,
    /// Condition, value if it holds, value if not.
    Select,
    /// Width, two values: a comparison, as the [`Op`](crate::Op) whose number is beside it.
    Compare,
    Add,
    Sub,
    Mul,
    Or,
    /// Product of two numbers of IEEE 754, of 32 or 64 bits as the number beside it says.
    FMul,
}

/// Every instruction, by its number.
const ALL: [Code; 26] = [
    Code::End,
    Code::Binary,
    Code::Unary,
    Code::Load,
    Code::Store,
    Code::ReadAt,
    Code::WriteAt,
    Code::Branch,
    Code::Switch,
    Code::Division,
    Code::Check,
    Code::Concrete,
    Code::ConcreteMemory,
    Code::Clear,
    Code::Formula,
    Code::Reached,
    Code::External,
    Code::ZExt,
    Code::SExt,
    Code::Select,
    Code::Compare,
    Code::Add,
    Code::Sub,
    Code::Mul,
    Code::Or,
    Code::FMul,
];

/// Functions of the runtime that have an instruction.
const CALLS: [(&str, Code); 16] = [
    ("__elw_binary", Code::Binary),
    ("__elw_unary", Code::Unary),
    ("__elw_load", Code::Load),
    ("__elw_store", Code::Store),
    ("__elw_read_at", Code::ReadAt),
    ("__elw_write_at", Code::WriteAt),
    ("__elw_branch", Code::Branch),
    ("__elw_switch", Code::Switch),
    ("__elw_division", Code::Division),
    ("__elw_check", Code::Check),
    ("__elw_concrete", Code::Concrete),
    ("__elw_concrete_memory", Code::ConcreteMemory),
    ("__elw_clear", Code::Clear),
    ("__elw_formula", Code::Formula),
    (REACHED, Code::Reached),
    (EXTERNAL, Code::External),
];

impl Code {
    pub fn from_u8(number: u8) -> Option<Code> {
        ALL.get(usize::from(number)).copied()
    }

    /// The instruction that stands for a call of this function of the runtime.
    pub fn of_call(name: &str) -> Option<Code> {
        let mut calls = CALLS.iter();
        calls
            .find(|(known, _)| *known == name)
            .map(|(_, code)| *code)
    }

    /// How many operands are before those that come in pairs, as many as there are arguments.
    pub fn before_pairs(self) -> Option<usize> {
        match self {
            Code::Reached => Some(2),
            Code::External => Some(3),
            _ => None,
        }
    }

    /// Is the first operand a site?
    pub fn has_site(self) -> bool {
        matches!(
            self,
            Code::ReadAt
                | Code::WriteAt
                | Code::Branch
                | Code::Switch
                | Code::Division
                | Code::Check
                | Code::Concrete
                | Code::ConcreteMemory
                | Code::External
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_found_by_their_numbers() {
        for (number, code) in ALL.into_iter().enumerate() {
            assert_eq!(code as usize, number);
            assert_eq!(Code::from_u8(number as u8), Some(code));
        }
        assert_eq!(Code::from_u8(ALL.len() as u8), None);
    }
}
