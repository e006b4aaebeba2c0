//! Terms as SMT-LIB text, for people and for solvers that read it.

use crate::float::{Format, is_float};
use crate::lookup::{Selector, select};
use crate::{Node, Op, Sort, TableId, TermId, Terms, VarId, Walker};
use std::fmt::Write;

/// What is still to be written.
enum Piece {
    Text(String),
    Term(TermId),
}

/// How an operator on floats is written: around the operands and around each of them. Results are
/// encodings by Z3's `fp.to_ieee_bv`, for SMT-LIB has no such operator.
struct FloatForm {
    before: String,
    operand: (String, &'static str),
    after: String,
}

fn float_form(op: Op, width: u32, inner: u32) -> FloatForm {
    let to_fp = |width: u32| {
        let format = Format::of(width);
        format!("(_ to_fp {} {})", format.exponent, format.fraction + 1)
    };
    let (name, result) = match op {
        Op::FEq => ("fp.eq".to_string(), false),
        Op::FLt => ("fp.lt".to_string(), false),
        Op::FLe => ("fp.leq".to_string(), false),
        Op::FToSI => (format!("(_ fp.to_sbv {width}) RTZ"), false),
        Op::FAdd => ("fp.add RNE".to_string(), true),
        Op::FSub => ("fp.sub RNE".to_string(), true),
        Op::FMul => ("fp.mul RNE".to_string(), true),
        Op::FDiv => ("fp.div RNE".to_string(), true),
        Op::FSqrt => ("fp.sqrt RNE".to_string(), true),
        Op::FFloor => ("fp.roundToIntegral RTN".to_string(), true),
        Op::FCeil => ("fp.roundToIntegral RTP".to_string(), true),
        Op::FTrunc => ("fp.roundToIntegral RTZ".to_string(), true),
        Op::FRint => ("fp.roundToIntegral RNE".to_string(), true),
        Op::FRound => ("fp.roundToIntegral RNA".to_string(), true),
        Op::UIToF => (
            to_fp(width).replace("to_fp", "to_fp_unsigned") + " RNE",
            true,
        ),
        Op::FRem => (format!("fmod{width}"), false),
        _ => (to_fp(width) + " RNE", true),
    };
    let integer = matches!(op, Op::SIToF | Op::UIToF | Op::FRem);
    FloatForm {
        before: match result {
            true => format!("(fp.to_ieee_bv ({name}"),
            false => format!("({name}"),
        },
        operand: match integer {
            true => (" ".to_string(), ""),
            false => (format!(" ({} ", to_fp(inner)), ")"),
        },
        after: if result { "))" } else { ")" }.to_string(),
    }
}

impl Terms {
    /// The name of an input in SMT-LIB text.
    pub fn smtlib_name(&self, var: VarId) -> String {
        format!("x{}", self.var_key(var))
    }

    /// A term in SMT-LIB's syntax; subterms that are used more than once are named by `let`.
    pub fn smtlib(&self, root: TermId) -> String {
        let mut reached = Vec::new();
        Walker::new().walk(self, &[root], usize::MAX, |term| reached.push(term));
        reached.sort_unstable();
        let mut uses: rustc_hash::FxHashMap<TermId, u32> = Default::default();
        for term in &reached {
            for operand in self.operands(*term).iter() {
                *uses.entry(*operand).or_default() += 1;
            }
        }
        let mut text = String::new();
        let mut named = rustc_hash::FxHashSet::default();
        for term in &reached {
            if self.op(*term).is_some() && uses.get(term).is_some_and(|uses| *uses > 1) {
                let _ = write!(text, "(let ((t{} ", term.index());
                self.write_term(&mut text, *term, &named);
                text.push_str(")) ");
                named.insert(*term);
            }
        }
        self.write_term(&mut text, root, &named);
        text.extend(std::iter::repeat_n(')', named.len()));
        text
    }

    /// Declarations of the inputs of a Bool term and an assertion of it.
    pub fn smtlib_script(&self, root: TermId) -> String {
        let mut operators = Vec::new();
        Walker::new().walk(self, &[root], usize::MAX, |term| {
            operators.extend(self.op(term).map(|op| (op, self.value_width(term))));
        });
        let floats = operators.iter().any(|(op, _)| is_float(*op));
        let logic = if floats { "QF_FPBV" } else { "QF_BV" };
        let mut text = format!("(set-logic {logic})\n");
        // SMT-LIB has no such remainder: any function is more than it.
        for width in [32, 64] {
            if operators.contains(&(Op::FRem, width)) {
                let sort = format!("(_ BitVec {width})");
                let _ = writeln!(text, "(declare-fun fmod{width} ({sort} {sort}) {sort})");
            }
        }
        for var in self.support(root) {
            let sort = match self.sort(self.var_term(var)) {
                Sort::Bool => "Bool".to_string(),
                Sort::BitVec(width) => format!("(_ BitVec {width})"),
            };
            let _ = writeln!(text, "(declare-const {} {sort})", self.smtlib_name(var));
        }
        let _ = writeln!(text, "(assert {})\n(check-sat)", self.smtlib(root));
        text
    }

    /// Writes a term whose subterms in `named` have names already.
    fn write_term(&self, text: &mut String, root: TermId, named: &rustc_hash::FxHashSet<TermId>) {
        let mut work = vec![Piece::Term(root)];
        while let Some(piece) = work.pop() {
            let term = match piece {
                Piece::Text(piece) => {
                    text.push_str(&piece);
                    continue;
                }
                Piece::Term(term) => term,
            };
            if named.contains(&term) {
                let _ = write!(text, "t{}", term.index());
                continue;
            }
            match self.node(term) {
                Node::True => text.push_str("true"),
                Node::False => text.push_str("false"),
                Node::Const(value) => {
                    text.push_str("#b");
                    for index in (0..value.width()).rev() {
                        text.push(if value.bit(index) { '1' } else { '0' });
                    }
                }
                Node::Var(var) => text.push_str(&self.smtlib_name(var)),
                Node::App(Op::Lookup { table }, operands) => {
                    let (before, after) = self.smtlib_lookup(table, term, operands[0]);
                    text.push_str(&before);
                    work.push(Piece::Text(after));
                    work.push(Piece::Term(operands[0]));
                }
                Node::App(op, operands) if is_float(op) => {
                    let form = float_form(op, self.value_width(term), self.width(operands[0]));
                    text.push_str(&form.before);
                    work.push(Piece::Text(form.after));
                    for operand in operands.iter().rev() {
                        work.push(Piece::Text(form.operand.1.to_string()));
                        work.push(Piece::Term(*operand));
                        work.push(Piece::Text(form.operand.0.clone()));
                    }
                }
                Node::App(op, operands) => {
                    let _ = write!(text, "({}", self.smtlib_operator(op, term, operands[0]));
                    work.push(Piece::Text(")".to_string()));
                    for operand in operands.iter().rev() {
                        work.push(Piece::Term(*operand));
                        work.push(Piece::Text(" ".to_string()));
                    }
                }
            }
        }
    }

    /// What stands before and after the index of a look-up: choices over the bits of the index.
    fn smtlib_lookup(&self, table: TableId, term: TermId, index: TermId) -> (String, String) {
        let table = self.table_of(table);
        let (width, name) = (self.width(index), format!("i{}", term.index()));
        let entry = |value: &u64| format!("(_ bv{value} {})", table.width());
        let entries = table.entries().iter().map(entry).collect();
        let whole = select(entries, width, |selector, yes: &String, no| {
            let holds = match selector {
                Selector::Bit(bit) => format!("(= ((_ extract {bit} {bit}) {name}) #b1)"),
                Selector::Above(0) => format!("(distinct {name} (_ bv0 {width}))"),
                Selector::Above(bit) => {
                    let (top, part) = (width - 1, width - bit);
                    format!("(distinct ((_ extract {top} {bit}) {name}) (_ bv0 {part}))")
                }
            };
            format!("(ite {holds} {yes} {no})")
        });
        (format!("(let (({name} "), format!(")) {whole})"))
    }

    fn smtlib_operator(&self, op: Op, term: TermId, first: TermId) -> String {
        let name = match op {
            Op::Not => "not",
            Op::And => "and",
            Op::Or => "or",
            Op::Xor => "xor",
            Op::Ite => "ite",
            Op::Eq => "=",
            Op::BvNot => "bvnot",
            Op::BvNeg => "bvneg",
            Op::BvAnd => "bvand",
            Op::BvOr => "bvor",
            Op::BvXor => "bvxor",
            Op::BvAdd => "bvadd",
            Op::BvSub => "bvsub",
            Op::BvMul => "bvmul",
            Op::BvUDiv => "bvudiv",
            Op::BvURem => "bvurem",
            Op::BvSDiv => "bvsdiv",
            Op::BvSRem => "bvsrem",
            Op::BvShl => "bvshl",
            Op::BvLShr => "bvlshr",
            Op::BvAShr => "bvashr",
            Op::Concat => "concat",
            Op::BvUlt => "bvult",
            Op::BvUle => "bvule",
            Op::BvSlt => "bvslt",
            Op::BvSle => "bvsle",
            Op::Extract { low } => {
                return format!("(_ extract {} {low})", low + self.width(term) - 1);
            }
            Op::ZeroExtend => {
                return format!("(_ zero_extend {})", self.width(term) - self.width(first));
            }
            Op::SignExtend => {
                return format!("(_ sign_extend {})", self.width(term) - self.width(first));
            }
            _ => unreachable!("{op:?} is written in its own way"),
        };
        name.to_string()
    }
}
