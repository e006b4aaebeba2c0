//! A question and its answer as bytes, for a solver in a process of its own. Both ends are the same
//! program; what does not make sense is no answer.

use super::Z3Answer;
use elsewise_term::{Bits, Node, Op, Sort, TermId, Terms, Walker};
use rustc_hash::FxHashMap;
use std::io::{self, Read, Write};
use std::time::Duration;

/// Operators by their place here.
const OPS: &[Op] = &[
    Op::Not,
    Op::And,
    Op::Or,
    Op::Xor,
    Op::Ite,
    Op::Eq,
    Op::BvNot,
    Op::BvNeg,
    Op::BvAnd,
    Op::BvOr,
    Op::BvXor,
    Op::BvAdd,
    Op::BvSub,
    Op::BvMul,
    Op::BvUDiv,
    Op::BvURem,
    Op::BvSDiv,
    Op::BvSRem,
    Op::BvShl,
    Op::BvLShr,
    Op::BvAShr,
    Op::Concat,
    Op::ZeroExtend,
    Op::SignExtend,
    Op::BvUlt,
    Op::BvUle,
    Op::BvSlt,
    Op::BvSle,
    Op::FAdd,
    Op::FSub,
    Op::FMul,
    Op::FDiv,
    Op::FRem,
    Op::FSqrt,
    Op::FFloor,
    Op::FCeil,
    Op::FTrunc,
    Op::FRint,
    Op::FRound,
    Op::FToF,
    Op::FToSI,
    Op::SIToF,
    Op::UIToF,
    Op::FEq,
    Op::FLt,
    Op::FLe,
];

/// What a node is, where it is no operator of [`OPS`].
const TRUE: u8 = 200;
const FALSE: u8 = 201;
const CONST: u8 = 202;
const VAR: u8 = 203;
const EXTRACT: u8 = 204;
const LOOKUP: u8 = 205;

const SAT: u8 = 1;
const UNSAT: u8 = 2;
const UNKNOWN: u8 = 3;

/// More than this is nothing that we have written.
const MOST: u32 = 1 << 30;

/// A message: its size, then its bytes.
pub(super) fn send(to: &mut impl Write, message: &[u8]) -> io::Result<()> {
    to.write_all(&(message.len() as u32).to_le_bytes())?;
    to.write_all(message)?;
    to.flush()
}

/// The next message; `None` at the end.
pub(super) fn receive(from: &mut impl Read) -> Option<Vec<u8>> {
    let mut size = [0; 4];
    from.read_exact(&mut size).ok()?;
    let size = u32::from_le_bytes(size);
    if size > MOST {
        return None;
    }
    let mut message = vec![0; size as usize];
    from.read_exact(&mut message).ok()?;
    Some(message)
}

struct Writer(Vec<u8>);

impl Writer {
    fn byte(&mut self, value: u8) {
        self.0.push(value);
    }

    fn number(&mut self, value: u32) {
        self.0.extend(value.to_le_bytes());
    }

    fn word(&mut self, value: u64) {
        self.0.extend(value.to_le_bytes());
    }

    fn bits(&mut self, value: &Bits) {
        self.number(value.width());
        for word in value.words() {
            self.word(word);
        }
    }
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take::<1>().map(|[byte]| byte)
    }

    fn number(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    fn word(&mut self) -> Option<u64> {
        self.take().map(u64::from_le_bytes)
    }

    fn bits(&mut self) -> Option<Bits> {
        let width = self.number().filter(|width| *width > 0)?;
        let words: Option<Vec<u64>> = (0..width.div_ceil(64)).map(|_| self.word()).collect();
        Some(Bits::from_words(width, &words?))
    }
}

/// What is asked, as the other side has it.
pub(super) struct Question {
    pub terms: Terms,
    pub conditions: Vec<TermId>,
    pub limit: Duration,
    pub small_core: bool,
}

/// The question as bytes.
pub(super) fn question(
    terms: &Terms,
    conditions: &[TermId],
    limit: Duration,
    small_core: bool,
) -> Vec<u8> {
    let mut reached = Vec::new();
    Walker::new().walk(terms, conditions, usize::MAX, |term| reached.push(term));
    // Operands have smaller ids.
    reached.sort_unstable();
    let mut places: FxHashMap<TermId, u32> = FxHashMap::default();
    let mut out = Writer(Vec::new());
    out.number(limit.as_millis().min(u128::from(MOST)) as u32);
    out.byte(small_core.into());
    out.number(reached.len() as u32);
    for (place, term) in reached.into_iter().enumerate() {
        places.insert(term, place as u32);
        node(&mut out, terms, term, &places);
    }
    out.number(conditions.len() as u32);
    for condition in conditions {
        out.number(places[condition]);
    }
    out.0
}

fn node(out: &mut Writer, terms: &Terms, term: TermId, places: &FxHashMap<TermId, u32>) {
    let (op, operands) = match terms.node(term) {
        Node::True => return out.byte(TRUE),
        Node::False => return out.byte(FALSE),
        Node::Const(value) => {
            out.byte(CONST);
            return out.bits(&value);
        }
        Node::Var(var) => {
            out.byte(VAR);
            out.number(var.index() as u32);
            return out.number(match terms.sort(term) {
                Sort::Bool => 0,
                Sort::BitVec(width) => width,
            });
        }
        Node::App(op, operands) => (op, operands),
    };
    match op {
        Op::Extract { low } => {
            out.byte(EXTRACT);
            out.number(low);
        }
        Op::Lookup { table } => {
            let table = terms.table_of(table);
            out.byte(LOOKUP);
            out.number(table.width());
            out.number(table.entries().len() as u32);
            for entry in table.entries().iter() {
                out.word(*entry);
            }
        }
        _ => {
            let place = OPS.iter().position(|known| *known == op);
            out.byte(place.expect("every other operator is listed") as u8);
        }
    }
    out.number(terms.value_width(term));
    for operand in operands.iter() {
        out.number(places[operand]);
    }
}

impl Question {
    /// The question in those bytes. An input's key is its number on the other side.
    pub fn read(message: &[u8]) -> Option<Question> {
        let mut from = Reader(message);
        let limit = Duration::from_millis(from.number()?.into());
        let small_core = from.byte()? != 0;
        let mut terms = Terms::new();
        let mut made: Vec<TermId> = Vec::new();
        for _ in 0..from.number()? {
            let term = read_node(&mut from, &mut terms, &made)?;
            made.push(term);
        }
        let conditions: Option<Vec<TermId>> = (0..from.number()?)
            .map(|_| made.get(from.number()? as usize).copied())
            .collect();
        Some(Question {
            terms,
            conditions: conditions?,
            limit,
            small_core,
        })
    }

    /// The answer to it as bytes.
    pub fn answered(&self, answer: &Z3Answer) -> Vec<u8> {
        let mut out = Writer(Vec::new());
        match answer {
            Z3Answer::Sat(values) => {
                out.byte(SAT);
                out.number(values.len() as u32);
                for (var, value) in values {
                    out.number(self.terms.var_key(*var) as u32);
                    out.bits(value);
                }
            }
            Z3Answer::Unsat(core) => {
                let place = |one: &TermId| self.conditions.iter().position(|other| other == one);
                out.byte(UNSAT);
                out.number(core.len() as u32);
                for place in core.iter().filter_map(place) {
                    out.number(place as u32);
                }
            }
            Z3Answer::Unknown => out.byte(UNKNOWN),
        }
        out.0
    }
}

fn read_node(from: &mut Reader<'_>, terms: &mut Terms, made: &[TermId]) -> Option<TermId> {
    let kind = from.byte()?;
    let op = match kind {
        TRUE => return Some(terms.bool(true)),
        FALSE => return Some(terms.bool(false)),
        CONST => {
            let value = from.bits()?;
            return Some(terms.constant(value));
        }
        VAR => {
            let key = from.number()?.into();
            let sort = match from.number()? {
                0 => Sort::Bool,
                width => Sort::BitVec(width),
            };
            return Some(terms.variable(key, sort));
        }
        EXTRACT => Op::Extract {
            low: from.number()?,
        },
        LOOKUP => {
            let width = from.number()?;
            let entries: Option<Vec<u64>> = (0..from.number()?).map(|_| from.word()).collect();
            Op::Lookup {
                table: terms.table(width, &entries?),
            }
        }
        place => *OPS.get(usize::from(place))?,
    };
    let width = from.number()?;
    let mut operands = Vec::new();
    for _ in 0..op.arity() {
        operands.push(*made.get(from.number()? as usize)?);
    }
    Some(match op {
        Op::Lookup { table } => terms.lookup(table, operands[0]),
        _ => terms.apply(op, &operands, width),
    })
}

/// The answer in those bytes, to a question about `conditions`.
pub(super) fn answer(message: &[u8], terms: &Terms, conditions: &[TermId]) -> Option<Z3Answer> {
    let mut from = Reader(message);
    Some(match from.byte()? {
        SAT => {
            let mut values = Vec::new();
            for _ in 0..from.number()? {
                let var = terms.var(from.number()? as usize)?;
                values.push((var, from.bits()?));
            }
            Z3Answer::Sat(values)
        }
        UNSAT => {
            let core: Option<Vec<TermId>> = (0..from.number()?)
                .map(|_| conditions.get(from.number()? as usize).copied())
                .collect();
            Z3Answer::Unsat(core?)
        }
        _ => Z3Answer::Unknown,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A question of every kind of node, and what comes back of it.
    #[test]
    fn a_question_is_the_same_on_the_other_side() {
        let mut terms = Terms::new();
        terms.variable(70, Sort::BitVec(8));
        let x = terms.variable(71, Sort::BitVec(8));
        let y = terms.variable(72, Sort::BitVec(128));
        let b = terms.variable(73, Sort::Bool);
        let table = terms.table(8, &[5, 9, 2, 7]);
        let entry = terms.lookup(table, x);
        let low = terms.apply(Op::Extract { low: 3 }, &[y], 8);
        let sum = terms.bv(Op::BvAdd, &[entry, low]);
        let wide = terms.constant(Bits::from_words(128, &[1, 2]));
        let product = terms.bv(Op::BvMul, &[y, wide]);
        let same = terms.apply(Op::Eq, &[product, wide], 1);
        let less = terms.apply(Op::BvUlt, &[sum, x], 1);
        let either = terms.apply(Op::Or, &[less, b], 1);
        let conditions = [same, either];
        let bytes = question(&terms, &conditions, Duration::from_millis(70), true);
        let read = Question::read(&bytes).expect("it makes sense");
        assert_eq!((read.limit.as_millis(), read.small_core), (70, true));
        let there = question(&read.terms, &read.conditions, read.limit, true);
        let again = Question::read(&there).expect("it makes sense");
        let texts = |question: &Question| {
            let all = question.conditions.iter();
            let all = all.map(|term| format!("{:?}", question.terms.node(*term)));
            all.collect::<Vec<_>>()
        };
        assert_eq!(texts(&read), texts(&again));
        let var = |key| read.terms.var_by_key(key).expect("an input of it");
        let value = Bits::from_words(128, &[3, 4]);
        let sat = Z3Answer::Sat(vec![(var(1), Bits::new(8, 6)), (var(2), value.clone())]);
        let Some(Z3Answer::Sat(values)) = answer(&read.answered(&sat), &terms, &conditions) else {
            panic!("an answer");
        };
        let expected = [
            (terms.as_var(x).expect("an input"), Bits::new(8, 6)),
            (terms.as_var(y).expect("an input"), value),
        ];
        assert_eq!(values, expected);
        let unsat = Z3Answer::Unsat(vec![read.conditions[1]]);
        let Some(Z3Answer::Unsat(core)) = answer(&read.answered(&unsat), &terms, &conditions)
        else {
            panic!("an answer");
        };
        assert_eq!(core, [either]);
    }

    #[test]
    fn what_was_cut_or_damaged_is_no_question_and_no_answer() {
        let mut terms = Terms::new();
        let x = terms.variable(1, Sort::BitVec(8));
        let five = terms.bits(8, 5);
        let same = terms.apply(Op::Eq, &[x, five], 1);
        let bytes = question(&terms, &[same], Duration::from_secs(1), false);
        for size in 0..bytes.len() {
            assert!(Question::read(&bytes[..size]).is_none());
        }
        assert!(answer(&[], &terms, &[same]).is_none());
        assert!(answer(&[SAT, 1, 0, 0, 0, 9, 0, 0, 0], &terms, &[same]).is_none());
        assert!(answer(&[UNSAT, 1, 0, 0, 0, 1, 0, 0, 0], &terms, &[same]).is_none());
    }
}
