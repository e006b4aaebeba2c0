//! The choices of a run as the subject writes them, and what stands between them.

/// What an [`Event`] reports.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// A two-way branch or select on `label` (1 bit); `value` is the side: 0 = true, 1 = false.
    Branch = 1,
    /// A switch on `label`; `value` is the side: the index of the case, or their number for the
    /// default. The program map has the cases.
    Switch = 2,
    /// The value of `label` was made concrete; `value` is the label of a [`crate::Op::Const`] node with
    /// the value, `detail` a [`Reason`].
    Concrete = 3,
    /// `elsewise_assume` of `label` (1 bit); `value` 0 = held, 1 = did not hold.
    Assume = 4,
    /// Something the run depended on and that no label describes; `detail` is a [`Reason`].
    Opaque = 5,
    /// Not a choice: `label` (1 bit) says that the operation at the site goes wrong (overflow, a
    /// shift too far, an index outside its array, a size that cannot be had).
    Check = 6,
    /// Not a choice: `label` is an input pointer, a [`crate::Op::Lookup`] of a selector in the table of its
    /// addresses. From `value` on, `detail` selectors are objects that are not there yet; they,
    /// and null, are what should be tried before it is made equal to another pointer.
    Pointer = 7,
    /// Not a choice: objects of which each could as well be any other, as long as no address of
    /// theirs is taken. `label` is the first of `value` entries ([`crate::Op::Data`]): the size of an
    /// object, then the address of each.
    Pool = 8,
    /// Not a choice: the address in the entry `label` is known to the program without being an
    /// input.
    Known = 9,
    /// Not a choice: cases that follow from this run keep `label` (1 bit) true.
    Bound = 10,
    /// The thread named `label` moves next ([`crate::threads::thread_name`]); `value` is 1 if the run ends with this
    /// move. `site` is where the thread that moved before has stopped.
    Thread = 11,
    /// Not a choice: the present move, or what is [`EventKind::Pending`], touches memory: `pad`
    /// bytes at the address with its lower half in `label` and its upper half in `value`. `detail`
    /// has bits of [`crate::threads::access`].
    Access = 12,
    /// Not a choice: the present move, or what is pending, touches an object by which threads wait
    /// for each other: its number in `label` and `value`, as an address is. `detail` is a
    /// [`crate::threads::SyncOp`] times two, plus one if the object changes. The lower byte of `pad` is the least
    /// state of the object at which the move need not wait, the upper one its state before.
    SyncOp = 13,
    /// Not a choice: the thread named `label` was about to move when the run ended; `value` is 1 if
    /// the run would have ended with it.
    Pending = 14,
    /// The schedule decides which of `label` ways a move goes: `value`.
    Pick = 15,
    /// Not a choice: what people are told of threads; `detail` is a [`crate::threads::Note`].
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
    /// More inputs than the trace can hold ([`crate::MAX_STREAMS`]).
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
    /// A thread that may be cancelled at any point, not only where it can be looked at.
    Anywhere = 15,
}

/// There are fewer than so many reasons.
pub const REASONS: usize = 16;

impl Reason {
    pub fn from_u8(code: u8) -> Option<Reason> {
        use Reason::*;
        [
            Address, Size, Operation, Argument, Memory, Callee, Streams, Children, Fork, Input,
            Refused, Timer, Beside, LeftOut, Anywhere,
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
    /// Module base plus the site's index in its module; see [`crate::ModuleEntry`].
    pub site: u32,
    pub label: u32,
    pub value: u32,
}

const _: () = assert!(core::mem::size_of::<Event>() == 16);
