//! Turns the nodes that labels stand for into terms.
//!
//! A comparison is a Bool among terms and one bit among nodes: a node of one bit keeps whichever
//! form its operation made, and is converted where it is used.

mod floats;
mod lookup;
mod pointers;

use crate::memory::SharedMemory;
use crate::streams::{LENGTH_OFFSET, Stdin, variable_key};
use elsewise_term::{Bits, Model, Node as TermNode, Op as TermOp, Sort, TermId, Terms};
use elsewise_wire::{CONST_LEFT, CONST_RIGHT, Node, Op};
use lookup::Tables;
use rustc_hash::FxHashSet;

pub(crate) use pointers::Pointers;

/// Wider values than any real program has make no sense.
const MAX_WIDTH: u32 = 4096;

/// What the subject wrote makes no sense.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Damaged(pub String);

pub(crate) fn damaged<T>(what: impl Into<String>) -> Result<T, Damaged> {
    Err(Damaged(what.into()))
}

/// A stream of the run, checked.
pub(crate) struct RunStream<'a> {
    pub id: u32,
    pub length: u64,
    /// Bytes that may carry labels.
    pub labelled: u64,
    /// The case's bytes; zero beyond them.
    pub bytes: &'a [u8],
}

/// A term made from a label.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Imported {
    pub term: TermId,
    /// It was made from the length of the main input.
    pub length: bool,
    pub pointers: Pointers,
}

/// Terms of the labels of one run. The memo is as large as the node area but stays untouched
/// (and so takes no memory) where no label was imported.
#[derive(Default)]
pub struct Importer {
    /// By label: one more than the index in `built`.
    memo: Vec<u32>,
    built: Vec<(u32, Imported)>,
    stack: Vec<u32>,
    nodes: u32,
    tables: Tables,
    /// Labels of input pointers.
    pointers: FxHashSet<u32>,
}

/// What importing a node needs beside the node.
struct Run<'a> {
    memory: &'a SharedMemory,
    streams: &'a [RunStream<'a>],
    stdin: Stdin,
    terms: &'a mut Terms,
    present: &'a mut Model,
}

impl Importer {
    /// Forgets the run before; `nodes` labels of this one may be imported.
    pub fn begin(&mut self, memory: &SharedMemory, nodes: u32) {
        for (label, _) in self.built.drain(..) {
            self.memo[label as usize] = 0;
        }
        let capacity = memory.capacities().nodes as usize;
        if self.memo.len() != capacity {
            self.memo = vec![0; capacity];
        }
        self.nodes = nodes;
        self.tables.begin(nodes);
        self.pointers.clear();
    }

    /// This label is an input pointer.
    pub fn pointer(&mut self, label: u32) {
        self.pointers.insert(label);
    }

    pub(crate) fn import(
        &mut self,
        label: u32,
        memory: &SharedMemory,
        streams: &[RunStream<'_>],
        stdin: Stdin,
        terms: &mut Terms,
        present: &mut Model,
    ) -> Result<Imported, Damaged> {
        if label == 0 || label >= self.nodes {
            return damaged(format!("label {label} stands for nothing"));
        }
        let mut run = Run {
            memory,
            streams,
            stdin,
            terms,
            present,
        };
        self.stack.clear();
        self.stack.push(label);
        while let Some(top) = self.stack.last().copied() {
            if self.memo[top as usize] != 0 {
                self.stack.pop();
                continue;
            }
            let Some(node) = run.memory.node(top) else {
                return damaged("a label out of range");
            };
            let op = checked_op(&node)?;
            let pending = self.stack.len();
            for operand in operands(op, &node).into_iter().flatten() {
                // Smaller labels only: this is what makes the walk end.
                if operand == 0 || operand >= u64::from(top) {
                    return damaged(format!("label {top} is made from label {operand}"));
                }
                if self.memo[operand as usize] == 0 {
                    self.stack.push(operand as u32);
                }
            }
            if op == Op::Lookup {
                self.entries_of(top, &node, memory)?;
            }
            if self.stack.len() > pending {
                continue;
            }
            let imported = self.build(top, op, &node, &mut run)?;
            self.built.push((top, imported));
            self.memo[top as usize] = self.built.len() as u32;
            self.stack.pop();
        }
        self.get(label.into())
    }

    fn get(&self, label: u64) -> Result<Imported, Damaged> {
        let index = self.memo.get(label as usize).copied().unwrap_or(0);
        match self.built.get((index as usize).wrapping_sub(1)) {
            Some((_, imported)) => Ok(*imported),
            None => damaged(format!("label {label} stands for nothing")),
        }
    }

    fn build(
        &mut self,
        label: u32,
        op: Op,
        node: &Node,
        run: &mut Run<'_>,
    ) -> Result<Imported, Damaged> {
        let width = u32::from(node.bits);
        if width == 0 || width > MAX_WIDTH {
            return damaged(format!("a value of {width} bits"));
        }
        let mut mentioned = Imported {
            term: run.terms.bool(true),
            length: false,
            pointers: Pointers::None,
        };
        let mut made_from = [Pointers::None; 3];
        for (operand, pointers) in operands(op, node).into_iter().zip(&mut made_from) {
            if let Some(operand) = operand {
                let operand = self.get(operand)?;
                mentioned.length |= operand.length;
                *pointers = operand.pointers;
            }
        }
        mentioned.pointers = pointers::of(op, node, made_from);
        let term = match op {
            Op::None => return damaged("an operation that does not exist"),
            Op::Data => return damaged("an entry of a table that is used as a value"),
            Op::Input => {
                let (stream, offset) = input(node, run.streams)?;
                let term = run
                    .terms
                    .variable(variable_key(stream.id, offset), Sort::BitVec(8));
                let value = stream.bytes.get(offset as usize).copied().unwrap_or(0);
                set_present(run, term, Bits::new(8, value.into()));
                term
            }
            Op::Length => {
                let Stdin::Free { .. } = run.stdin else {
                    return damaged("the length of an input whose length is fixed");
                };
                let (Some(stream), 0) = (run.streams.first(), node.a) else {
                    return damaged("the length of an input that has a fixed one");
                };
                mentioned.length = true;
                let length = stream.length;
                let term = run
                    .terms
                    .variable(variable_key(stream.id, LENGTH_OFFSET), Sort::BitVec(64));
                set_present(run, term, Bits::new(64, length));
                term
            }
            Op::Const => {
                if width > 64 {
                    return damaged("a constant of more than 64 bits");
                }
                run.terms.bits(width, node.b)
            }
            Op::Add
            | Op::Sub
            | Op::Mul
            | Op::UDiv
            | Op::SDiv
            | Op::URem
            | Op::SRem
            | Op::Shl
            | Op::LShr
            | Op::AShr => {
                let (a, b) = self.pair(node, run)?;
                let a = as_bits(run.terms, a);
                let b = as_bits(run.terms, b);
                run.terms.bv(arithmetic(op), &[a, b])
            }
            Op::And | Op::Or | Op::Xor => {
                let (a, b) = self.pair(node, run)?;
                bitwise(run.terms, op, a, b)
            }
            Op::Eq
            | Op::Ne
            | Op::Ult
            | Op::Ule
            | Op::Ugt
            | Op::Uge
            | Op::Slt
            | Op::Sle
            | Op::Sgt
            | Op::Sge => {
                let (a, b) = self.pair(node, run)?;
                comparison(run.terms, op, a, b)
            }
            Op::ZExt | Op::SExt => {
                let a = self.get(node.a.into())?.term;
                extend(run.terms, op, a, width)?
            }
            Op::Trunc => {
                let a = self.get(node.a.into())?.term;
                extract(run.terms, a, 0, width)?
            }
            Op::Extract => {
                let a = self.get(node.a.into())?.term;
                extract(run.terms, a, node.b, width)?
            }
            Op::Concat => self.concat(node, run, width)?,
            Op::Ite => {
                let [_, yes, no] = operands(op, node);
                let condition = self.get(node.a.into())?.term;
                if width_of(run.terms, condition) != 1 {
                    return damaged("a condition that is no truth value");
                }
                let yes = self.get(yes.unwrap_or(0))?.term;
                let no = self.get(no.unwrap_or(0))?.term;
                if width_of(run.terms, yes) != width_of(run.terms, no) {
                    return damaged("two ways of different widths");
                }
                let condition = as_bool(run.terms, condition);
                let (yes, no) = alike(run.terms, yes, no);
                run.terms.ite(condition, yes, no)
            }
            Op::Lookup => {
                let found = self.look_up(label, node, run, width)?;
                mentioned.length |= found.length;
                mentioned.pointers = match self.pointers.contains(&label) {
                    true => Pointers::Address(label),
                    false => mentioned.pointers.or(found.pointers),
                };
                found.term
            }
            Op::Not => {
                let a = self.get(node.a.into())?.term;
                match run.terms.sort(a) {
                    Sort::Bool => run.terms.not(a),
                    Sort::BitVec(_) => run.terms.bv(TermOp::BvNot, &[a]),
                }
            }
            Op::Neg => {
                let a = self.get(node.a.into())?.term;
                let a = as_bits(run.terms, a);
                run.terms.bv(TermOp::BvNeg, &[a])
            }
            op if floats::is_unary(op) => {
                let a = self.get(node.a.into())?.term;
                let a = as_bits(run.terms, a);
                floats::unary(run.terms, op, a, width)?
            }
            // What is left are operations on two floats.
            _ => {
                let (a, b) = self.pair(node, run)?;
                let (a, b) = (as_bits(run.terms, a), as_bits(run.terms, b));
                floats::binary(run.terms, op, a, b)?
            }
        };
        if width_of(run.terms, term) != width {
            return damaged(format!("{op:?} does not make {width} bits"));
        }
        Ok(Imported { term, ..mentioned })
    }

    /// Both operands of a binary operation, of one width, either of which may be Bool.
    fn pair(&self, node: &Node, run: &mut Run<'_>) -> Result<(TermId, TermId), Damaged> {
        let a = self.get(node.a.into())?.term;
        let width = width_of(run.terms, a);
        if node.flags == 0 {
            let b = self.get(node.b)?.term;
            if width_of(run.terms, b) != width {
                return damaged("operands of different widths");
            }
            return Ok((a, b));
        }
        let constant = run.terms.bits(width, node.b);
        Ok(if node.flags == CONST_RIGHT {
            (a, constant)
        } else {
            (constant, a)
        })
    }

    fn concat(&self, node: &Node, run: &mut Run<'_>, width: u32) -> Result<TermId, Damaged> {
        let a = self.get(node.a.into())?.term;
        let a = as_bits(run.terms, a);
        let rest = width
            .checked_sub(run.terms.width(a))
            .filter(|rest| *rest > 0);
        let Some(rest) = rest else {
            return damaged("a concatenation narrower than its part");
        };
        let b = if node.flags == 0 {
            let b = self.get(node.b)?.term;
            as_bits(run.terms, b)
        } else {
            run.terms.bits(rest, node.b)
        };
        if run.terms.width(b) != rest {
            return damaged("a concatenation that is not the sum of its parts");
        }
        Ok(if node.flags == CONST_LEFT {
            run.terms.concat(b, a)
        } else {
            run.terms.concat(a, b)
        })
    }
}

fn checked_op(node: &Node) -> Result<Op, Damaged> {
    let Some(op) = Op::from_u8(node.op) else {
        return damaged(format!("operation {} does not exist", node.op));
    };
    let constant = matches!(node.flags, CONST_LEFT | CONST_RIGHT);
    if node.flags != 0 && !(constant && is_binary(op)) {
        return damaged(format!("flags {} do not go with {op:?}", node.flags));
    }
    Ok(op)
}

fn is_binary(op: Op) -> bool {
    matches!(op as u8, 10..=22 | 30..=39) || op == Op::Concat || floats::is_binary(op)
}

/// Labels that a node is made from, apart from a table's.
fn operands(op: Op, node: &Node) -> [Option<u64>; 3] {
    let a = Some(u64::from(node.a));
    match op {
        Op::None | Op::Input | Op::Length | Op::Const | Op::Data => [None; 3],
        Op::ZExt | Op::SExt | Op::Trunc | Op::Extract | Op::Not | Op::Neg | Op::Lookup => {
            [a, None, None]
        }
        op if floats::is_unary(op) => [a, None, None],
        Op::Ite => [a, Some(node.b & 0xffff_ffff), Some(node.b >> 32)],
        _ if node.flags == 0 => [a, Some(node.b), None],
        _ => [a, None, None],
    }
}

fn input<'a>(
    node: &Node,
    streams: &'a [RunStream<'a>],
) -> Result<(&'a RunStream<'a>, u32), Damaged> {
    let Some(stream) = streams.get(node.a as usize) else {
        return damaged(format!("a byte of stream {} that nobody asked for", node.a));
    };
    match u32::try_from(node.b) {
        Ok(offset) if node.b < stream.labelled && offset < LENGTH_OFFSET => Ok((stream, offset)),
        _ => damaged(format!(
            "byte {} of an input of {} bytes",
            node.b, stream.labelled
        )),
    }
}

fn set_present(run: &mut Run<'_>, term: TermId, value: Bits) {
    if let TermNode::Var(var) = run.terms.node(term) {
        run.present.set(var, value);
    }
}

fn width_of(terms: &Terms, term: TermId) -> u32 {
    match terms.sort(term) {
        Sort::Bool => 1,
        Sort::BitVec(width) => width,
    }
}

/// Two terms of one width in one sort.
fn alike(terms: &mut Terms, a: TermId, b: TermId) -> (TermId, TermId) {
    if terms.sort(a) == Sort::Bool || terms.sort(b) == Sort::Bool {
        (as_bool(terms, a), as_bool(terms, b))
    } else {
        (a, b)
    }
}

fn arithmetic(op: Op) -> TermOp {
    match op {
        Op::Add => TermOp::BvAdd,
        Op::Sub => TermOp::BvSub,
        Op::Mul => TermOp::BvMul,
        Op::UDiv => TermOp::BvUDiv,
        Op::SDiv => TermOp::BvSDiv,
        Op::URem => TermOp::BvURem,
        Op::SRem => TermOp::BvSRem,
        Op::Shl => TermOp::BvShl,
        Op::LShr => TermOp::BvLShr,
        _ => TermOp::BvAShr,
    }
}

fn bitwise(terms: &mut Terms, op: Op, a: TermId, b: TermId) -> TermId {
    let (a, b) = alike(terms, a, b);
    let bools = terms.sort(a) == Sort::Bool;
    match (op, bools) {
        (Op::And, true) => terms.and(a, b),
        (Op::Or, true) => terms.or(a, b),
        (_, true) => {
            let same = terms.eq(a, b);
            terms.not(same)
        }
        (Op::And, false) => terms.bv(TermOp::BvAnd, &[a, b]),
        (Op::Or, false) => terms.bv(TermOp::BvOr, &[a, b]),
        (_, false) => terms.bv(TermOp::BvXor, &[a, b]),
    }
}

fn comparison(terms: &mut Terms, op: Op, a: TermId, b: TermId) -> TermId {
    if matches!(op, Op::Eq | Op::Ne) {
        let (a, b) = alike(terms, a, b);
        let same = terms.eq(a, b);
        return if op == Op::Eq { same } else { terms.not(same) };
    }
    let a = as_bits(terms, a);
    let b = as_bits(terms, b);
    match op {
        Op::Ult => terms.compare(TermOp::BvUlt, a, b),
        Op::Ule => terms.compare(TermOp::BvUle, a, b),
        Op::Ugt => terms.compare(TermOp::BvUlt, b, a),
        Op::Uge => terms.compare(TermOp::BvUle, b, a),
        Op::Slt => terms.compare(TermOp::BvSlt, a, b),
        Op::Sle => terms.compare(TermOp::BvSle, a, b),
        Op::Sgt => terms.compare(TermOp::BvSlt, b, a),
        _ => terms.compare(TermOp::BvSle, b, a),
    }
}

fn extend(terms: &mut Terms, op: Op, a: TermId, width: u32) -> Result<TermId, Damaged> {
    let from = width_of(terms, a);
    if from > width {
        return damaged("an extension to fewer bits");
    }
    if from == width {
        return Ok(a);
    }
    // A truth value as a number is the choice between two numbers, which later comparisons with
    // a number see through.
    if terms.sort(a) == Sort::Bool && width <= 64 {
        let set = if op == Op::ZExt { 1 } else { u64::MAX };
        let yes = terms.bits(width, set);
        let no = terms.bits(width, 0);
        return Ok(terms.ite(a, yes, no));
    }
    let a = as_bits(terms, a);
    Ok(if op == Op::ZExt {
        terms.zero_extend(a, width)
    } else {
        terms.sign_extend(a, width)
    })
}

fn extract(terms: &mut Terms, a: TermId, low: u64, width: u32) -> Result<TermId, Damaged> {
    let from = width_of(terms, a);
    let end = low.checked_add(width.into());
    if end.is_none_or(|end| end > from.into()) {
        return damaged("bits that are not there");
    }
    if width == from {
        return Ok(a);
    }
    Ok(terms.extract(a, low as u32, width))
}

/// The value of a constant bit-vector of at most 64 bits.
pub(crate) fn constant(terms: &Terms, term: TermId) -> Option<u64> {
    match terms.node(term) {
        TermNode::Const(bits) => bits.to_u64(),
        _ => None,
    }
}

/// The term as a bit-vector.
pub(crate) fn as_bits(terms: &mut Terms, term: TermId) -> TermId {
    match terms.sort(term) {
        Sort::Bool => terms.bool_to_bits(term),
        Sort::BitVec(_) => term,
    }
}

/// A term of one bit as a Bool.
pub(crate) fn as_bool(terms: &mut Terms, term: TermId) -> TermId {
    if terms.sort(term) == Sort::Bool {
        return term;
    }
    match constant(terms, term) {
        Some(value) => terms.bool(value != 0),
        None => terms.bits_to_bool(term),
    }
}
