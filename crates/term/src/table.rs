//! The table of terms.

use crate::Bits;
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TermId(pub(crate) u32);

impl TermId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An input. Dense, in order of first use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VarId(pub(crate) u32);

impl VarId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    Bool,
    BitVec(u32),
}

/// Operators, with SMT-LIB's meaning (division by zero included).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    // Bool -> Bool
    Not,
    And,
    Or,
    Xor,
    /// Bool, T, T -> T
    Ite,
    /// T, T -> Bool
    Eq,
    // BitVec -> BitVec
    BvNot,
    BvNeg,
    BvAnd,
    BvOr,
    BvXor,
    BvAdd,
    BvSub,
    BvMul,
    BvUDiv,
    BvURem,
    BvSDiv,
    BvSRem,
    BvShl,
    BvLShr,
    BvAShr,
    /// First operand above, second below.
    Concat,
    /// Bits `low .. low + width` where `width` is the result's.
    Extract {
        low: u32,
    },
    ZeroExtend,
    SignExtend,
    // BitVec, BitVec -> Bool
    BvUlt,
    BvUle,
    BvSlt,
    BvSle,
}

/// How a term is made, for back ends that translate it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Node<'a> {
    True,
    False,
    Const(&'a Bits),
    Var(VarId),
    App(Op, &'a [TermId]),
}

#[derive(Default)]
pub struct Terms {
    sorts: Vec<Sort>,
    nodes: Vec<Stored>,
    vars: Vec<(u64, TermId)>,
    by_key: FxHashMap<u64, VarId>,
    known: FxHashMap<Stored, TermId>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Stored {
    True,
    False,
    Const(Bits),
    Var(VarId),
    App(Op, Vec<TermId>, Sort),
}

impl Terms {
    pub fn new() -> Terms {
        Terms::default()
    }

    /// Number of terms.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub fn sort(&self, term: TermId) -> Sort {
        self.sorts[term.index()]
    }

    /// Width of a bit-vector term; panics on other sorts.
    pub fn width(&self, term: TermId) -> u32 {
        match self.sort(term) {
            Sort::BitVec(width) => width,
            sort => panic!("a {sort:?} has no width"),
        }
    }

    pub fn node(&self, term: TermId) -> Node<'_> {
        match &self.nodes[term.index()] {
            Stored::True => Node::True,
            Stored::False => Node::False,
            Stored::Const(bits) => Node::Const(bits),
            Stored::Var(var) => Node::Var(*var),
            Stored::App(op, operands, _) => Node::App(*op, operands),
        }
    }

    /// The input with this key, which the front end chooses; one key has one sort.
    pub fn variable(&mut self, key: u64, sort: Sort) -> TermId {
        if let Some(var) = self.by_key.get(&key) {
            return self.vars[var.index()].1;
        }
        let var = VarId(self.vars.len() as u32);
        let term = self.intern(Stored::Var(var), sort);
        self.vars.push((key, term));
        self.by_key.insert(key, var);
        term
    }

    pub fn var_key(&self, var: VarId) -> u64 {
        self.vars[var.index()].0
    }

    /// The term that stands for an input.
    pub fn var_term(&self, var: VarId) -> TermId {
        self.vars[var.index()].1
    }

    pub fn vars(&self) -> usize {
        self.vars.len()
    }

    pub fn bool(&mut self, value: bool) -> TermId {
        self.intern(if value { Stored::True } else { Stored::False }, Sort::Bool)
    }

    pub fn bits(&mut self, width: u32, value: u64) -> TermId {
        self.constant(Bits::new(width, value))
    }

    pub fn constant(&mut self, value: Bits) -> TermId {
        let sort = Sort::BitVec(value.width());
        self.intern(Stored::Const(value), sort)
    }

    pub fn not(&mut self, a: TermId) -> TermId {
        self.app(Op::Not, &[a], Sort::Bool)
    }

    pub fn and(&mut self, a: TermId, b: TermId) -> TermId {
        self.app(Op::And, &[a, b], Sort::Bool)
    }

    pub fn or(&mut self, a: TermId, b: TermId) -> TermId {
        self.app(Op::Or, &[a, b], Sort::Bool)
    }

    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        self.app(Op::Eq, &[a, b], Sort::Bool)
    }

    pub fn ite(&mut self, condition: TermId, a: TermId, b: TermId) -> TermId {
        let sort = self.sort(a);
        self.app(Op::Ite, &[condition, a, b], sort)
    }

    /// A unary or binary bit-vector operation on operands of one width (`BvNot` … `BvAShr`).
    pub fn bv(&mut self, op: Op, operands: &[TermId]) -> TermId {
        let sort = self.sort(operands[0]);
        self.app(op, operands, sort)
    }

    /// `BvUlt`, `BvUle`, `BvSlt` or `BvSle`.
    pub fn compare(&mut self, op: Op, a: TermId, b: TermId) -> TermId {
        self.app(op, &[a, b], Sort::Bool)
    }

    pub fn concat(&mut self, high: TermId, low: TermId) -> TermId {
        let width = self.width(high) + self.width(low);
        self.app(Op::Concat, &[high, low], Sort::BitVec(width))
    }

    pub fn extract(&mut self, a: TermId, low: u32, width: u32) -> TermId {
        self.app(Op::Extract { low }, &[a], Sort::BitVec(width))
    }

    pub fn zero_extend(&mut self, a: TermId, width: u32) -> TermId {
        self.app(Op::ZeroExtend, &[a], Sort::BitVec(width))
    }

    pub fn sign_extend(&mut self, a: TermId, width: u32) -> TermId {
        self.app(Op::SignExtend, &[a], Sort::BitVec(width))
    }

    /// A Bool as a bit-vector of width 1.
    pub fn bool_to_bits(&mut self, a: TermId) -> TermId {
        let one = self.bits(1, 1);
        let zero = self.bits(1, 0);
        self.ite(a, one, zero)
    }

    /// A bit-vector of width 1 as a Bool.
    pub fn bits_to_bool(&mut self, a: TermId) -> TermId {
        let one = self.bits(1, 1);
        self.eq(a, one)
    }

    fn app(&mut self, op: Op, operands: &[TermId], sort: Sort) -> TermId {
        self.intern(Stored::App(op, operands.to_vec(), sort), sort)
    }

    fn intern(&mut self, stored: Stored, sort: Sort) -> TermId {
        if let Some(term) = self.known.get(&stored) {
            return *term;
        }
        let term = TermId(self.nodes.len() as u32);
        self.nodes.push(stored.clone());
        self.sorts.push(sort);
        self.known.insert(stored, term);
        term
    }
}
