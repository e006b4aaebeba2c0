//! The table of terms: 20 bytes each, and an open-addressed index over their ids that finds a
//! term by its content, so that equal terms have equal ids.

use crate::lookup::{Table, TableId, Tables};
use crate::{Bits, Op};
use rustc_hash::FxHashMap;
use std::ops::Deref;

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

/// How a term is made, for back ends that translate it.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    True,
    False,
    Const(Bits),
    Var(VarId),
    App(Op, Operands),
}

/// Operands of a term: a slice of one to three ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operands {
    ids: [TermId; 3],
    count: u8,
}

impl Deref for Operands {
    type Target = [TermId];

    fn deref(&self) -> &[TermId] {
        &self.ids[..self.count.into()]
    }
}

/// Operators without their parameters, and the leaves.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tag {
    /// At most 64 bits, in `a` and `b`; Bool if the width is 0.
    Const,
    /// More than 64 bits: `a` is the place in the pool.
    Wide,
    /// `a` is the input.
    Var,
    Not,
    And,
    Or,
    Xor,
    Ite,
    Eq,
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
    Concat,
    /// `b` is the lowest bit.
    Extract,
    ZeroExtend,
    SignExtend,
    /// `b` is the table.
    Lookup,
    BvUlt,
    BvUle,
    BvSlt,
    BvSle,
    FAdd,
    FSub,
    FMul,
    FDiv,
    FRem,
    FSqrt,
    FFloor,
    FCeil,
    FTrunc,
    FRint,
    FRound,
    FToF,
    FToSI,
    SIToF,
    UIToF,
    FEq,
    FLt,
    FLe,
}

macro_rules! same_names {
    ($($name:ident)*) => {
        fn tag(op: Op) -> Tag {
            match op {
                $(Op::$name => Tag::$name,)*
                Op::Extract { .. } => Tag::Extract,
                Op::Lookup { .. } => Tag::Lookup,
            }
        }

        fn operator(cell: &Cell) -> Option<Op> {
            match cell.tag {
                $(Tag::$name => Some(Op::$name),)*
                Tag::Extract => Some(Op::Extract { low: cell.b }),
                Tag::Lookup => Some(Op::Lookup { table: TableId(cell.b) }),
                Tag::Const | Tag::Wide | Tag::Var => None,
            }
        }
    };
}

same_names!(Not And Or Xor Ite Eq BvNot BvNeg BvAnd BvOr BvXor BvAdd BvSub BvMul BvUDiv BvURem
    BvSDiv BvSRem BvShl BvLShr BvAShr Concat ZeroExtend SignExtend BvUlt BvUle BvSlt BvSle
    FAdd FSub FMul FDiv FRem FSqrt FFloor FCeil FTrunc FRint FRound FToF FToSI SIToF UIToF FEq FLt FLe);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cell {
    tag: Tag,
    /// 0 for Bool.
    width: u32,
    a: u32,
    b: u32,
    c: u32,
}

impl Cell {
    fn hash(&self) -> u64 {
        const K: u64 = 0xf135_7aea_2e62_a9c5;
        let first = u64::from(self.tag as u8) << 32 | u64::from(self.width);
        let second = u64::from(self.a) << 32 | u64::from(self.b);
        let mut hash = first.wrapping_mul(K);
        hash = (hash.rotate_left(29) ^ second).wrapping_mul(K);
        hash = (hash.rotate_left(29) ^ u64::from(self.c)).wrapping_mul(K);
        hash ^ hash >> 31
    }
}

fn hash_wide(value: &Bits) -> u64 {
    use std::hash::{Hash, Hasher};
    let mut hasher = rustc_hash::FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

const FALSE: TermId = TermId(0);
const TRUE: TermId = TermId(1);

pub struct Terms {
    cells: Vec<Cell>,
    /// Constants of more than 64 bits.
    pool: Vec<Bits>,
    /// What `Lookup` terms look up in.
    pub(crate) tables: Tables,
    /// Slots with id + 1, 0 where empty; a power of two of them.
    index: Vec<u32>,
    vars: Vec<(u64, TermId)>,
    by_key: FxHashMap<u64, VarId>,
    /// How deep the constructors are in simplifying; see [`crate::simplify`].
    pub(crate) depth: u32,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms::new()
    }
}

impl Terms {
    pub fn new() -> Terms {
        let mut terms = Terms {
            cells: Vec::new(),
            pool: Vec::new(),
            tables: Tables::default(),
            index: vec![0; 64],
            vars: Vec::new(),
            by_key: FxHashMap::default(),
            depth: 0,
        };
        for value in 0..2 {
            terms.intern(Cell {
                tag: Tag::Const,
                width: 0,
                a: value,
                b: 0,
                c: 0,
            });
        }
        terms
    }

    /// Number of terms, the two Bool constants included.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether there is nothing but the two Bool constants.
    pub fn is_empty(&self) -> bool {
        self.cells.len() == 2
    }

    pub fn sort(&self, term: TermId) -> Sort {
        match self.cells[term.index()].width {
            0 => Sort::Bool,
            width => Sort::BitVec(width),
        }
    }

    pub fn is_bool(&self, term: TermId) -> bool {
        self.cells[term.index()].width == 0
    }

    /// Width of a bit-vector term; panics on other sorts.
    pub fn width(&self, term: TermId) -> u32 {
        match self.cells[term.index()].width {
            0 => panic!("a Bool has no width"),
            width => width,
        }
    }

    /// Width of the value: that of a bit-vector, 1 for a Bool.
    pub fn value_width(&self, term: TermId) -> u32 {
        self.cells[term.index()].width.max(1)
    }

    pub fn node(&self, term: TermId) -> Node {
        let cell = &self.cells[term.index()];
        match (cell.tag, cell.width) {
            (Tag::Const, 0) if term == TRUE => Node::True,
            (Tag::Const, 0) => Node::False,
            (Tag::Const | Tag::Wide, _) => Node::Const(self.cell_bits(cell)),
            (Tag::Var, _) => Node::Var(VarId(cell.a)),
            _ => Node::App(
                operator(cell).expect("leaves were handled above"),
                self.operands(term),
            ),
        }
    }

    /// The operator; none for constants and inputs.
    #[inline]
    pub fn op(&self, term: TermId) -> Option<Op> {
        operator(&self.cells[term.index()])
    }

    /// The operands, of which constants and inputs have none.
    #[inline]
    pub fn operands(&self, term: TermId) -> Operands {
        let cell = &self.cells[term.index()];
        Operands {
            ids: [TermId(cell.a), TermId(cell.b), TermId(cell.c)],
            count: operator(cell).map_or(0, |op| op.arity() as u8),
        }
    }

    /// The input that this term is.
    pub fn as_var(&self, term: TermId) -> Option<VarId> {
        let cell = &self.cells[term.index()];
        (cell.tag == Tag::Var).then_some(VarId(cell.a))
    }

    /// The value of a constant bit-vector.
    pub fn as_bits(&self, term: TermId) -> Option<Bits> {
        let cell = &self.cells[term.index()];
        let constant = matches!(cell.tag, Tag::Const | Tag::Wide) && cell.width > 0;
        constant.then(|| self.cell_bits(cell))
    }

    /// The value of a Bool constant.
    pub fn as_bool(&self, term: TermId) -> Option<bool> {
        match term {
            TRUE => Some(true),
            FALSE => Some(false),
            _ => None,
        }
    }

    /// The value of a constant of at most 64 bits, Bool included.
    #[inline]
    pub fn as_u64(&self, term: TermId) -> Option<u64> {
        let cell = &self.cells[term.index()];
        (cell.tag == Tag::Const).then_some(u64::from(cell.b) << 32 | u64::from(cell.a))
    }

    pub fn is_const(&self, term: TermId) -> bool {
        matches!(self.cells[term.index()].tag, Tag::Const | Tag::Wide)
    }

    fn cell_bits(&self, cell: &Cell) -> Bits {
        match cell.tag {
            Tag::Wide => self.pool[cell.a as usize].clone(),
            _ => Bits::new(
                cell.width.max(1),
                u64::from(cell.b) << 32 | u64::from(cell.a),
            ),
        }
    }

    /// The input with this key, which the front end chooses; one key has one sort.
    pub fn variable(&mut self, key: u64, sort: Sort) -> TermId {
        if let Some(var) = self.by_key.get(&key) {
            let term = self.vars[var.index()].1;
            assert_eq!(self.sort(term), sort, "one key has one sort");
            return term;
        }
        let width = match sort {
            Sort::Bool => 0,
            Sort::BitVec(width) => {
                assert!(width > 0, "a bit-vector has at least one bit");
                width
            }
        };
        let var = VarId(self.vars.len() as u32);
        let term = self.intern(Cell {
            tag: Tag::Var,
            width,
            a: var.0,
            b: 0,
            c: 0,
        });
        self.vars.push((key, term));
        self.by_key.insert(key, var);
        term
    }

    pub fn var_key(&self, var: VarId) -> u64 {
        self.vars[var.index()].0
    }

    /// The input with this key, if there is one.
    pub fn var_by_key(&self, key: u64) -> Option<VarId> {
        self.by_key.get(&key).copied()
    }

    /// The term that stands for an input.
    pub fn var_term(&self, var: VarId) -> TermId {
        self.vars[var.index()].1
    }

    /// The input of that index.
    pub fn var(&self, index: usize) -> Option<VarId> {
        (index < self.vars()).then_some(VarId(index as u32))
    }

    pub fn vars(&self) -> usize {
        self.vars.len()
    }

    pub fn bool(&mut self, value: bool) -> TermId {
        if value { TRUE } else { FALSE }
    }

    pub fn bits(&mut self, width: u32, value: u64) -> TermId {
        self.constant(Bits::new(width, value))
    }

    pub fn constant(&mut self, value: Bits) -> TermId {
        let width = value.width();
        if width <= 64 {
            let value = value.low_u64();
            return self.intern(Cell {
                tag: Tag::Const,
                width,
                a: value as u32,
                b: (value >> 32) as u32,
                c: 0,
            });
        }
        let hash = hash_wide(&value);
        let found = self.find(hash, |terms, cell| {
            cell.tag == Tag::Wide && terms.pool[cell.a as usize] == value
        });
        match found {
            Ok(term) => term,
            Err(slot) => {
                let place = self.pool.len() as u32;
                self.pool.push(value);
                self.push(
                    slot,
                    Cell {
                        tag: Tag::Wide,
                        width,
                        a: place,
                        b: 0,
                        c: 0,
                    },
                )
            }
        }
    }

    /// The table with these entries, cut to `width` bits (1 to 64).
    pub fn table(&mut self, width: u32, entries: &[u64]) -> TableId {
        self.tables.add(width, entries)
    }

    pub fn table_of(&self, id: TableId) -> &Table {
        self.tables.table(id)
    }

    /// The term as given, not simplified; width 0 is Bool.
    pub(crate) fn app(&mut self, op: Op, operands: &[TermId], width: u32) -> TermId {
        let at = |index: usize| operands.get(index).map_or(0, |term| term.0);
        let b = match op {
            Op::Extract { low } => low,
            Op::Lookup { table } => table.0,
            _ => at(1),
        };
        self.intern(Cell {
            tag: tag(op),
            width,
            a: at(0),
            b,
            c: at(2),
        })
    }

    fn intern(&mut self, cell: Cell) -> TermId {
        match self.find(cell.hash(), |_, other| *other == cell) {
            Ok(term) => term,
            Err(slot) => self.push(slot, cell),
        }
    }

    /// The term that is `same`, or the slot where it belongs.
    fn find(&self, hash: u64, same: impl Fn(&Terms, &Cell) -> bool) -> Result<TermId, usize> {
        let last = self.index.len() - 1;
        let mut slot = hash as usize & last;
        loop {
            match self.index[slot] {
                0 => return Err(slot),
                entry if same(self, &self.cells[entry as usize - 1]) => {
                    return Ok(TermId(entry - 1));
                }
                _ => slot = (slot + 1) & last,
            }
        }
    }

    fn push(&mut self, slot: usize, cell: Cell) -> TermId {
        assert!(
            self.cells.len() < u32::MAX as usize - 1,
            "a table of terms is full"
        );
        let term = TermId(self.cells.len() as u32);
        self.cells.push(cell);
        self.index[slot] = term.0 + 1;
        if self.cells.len() * 4 > self.index.len() * 3 {
            self.grow();
        }
        term
    }

    fn grow(&mut self) {
        let size = self.index.len() * 2;
        self.index.clear();
        self.index.resize(size, 0);
        for id in 0..self.cells.len() {
            let cell = &self.cells[id];
            let hash = match cell.tag {
                Tag::Wide => hash_wide(&self.pool[cell.a as usize]),
                _ => cell.hash(),
            };
            let mut slot = hash as usize & (size - 1);
            while self.index[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            self.index[slot] = id as u32 + 1;
        }
    }
}

const _: () = assert!(size_of::<Cell>() <= 20);
