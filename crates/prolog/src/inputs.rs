//! Inputs as a tree of parts; parts appear as a run needs them.
//!
//! A part has a variable that says what it begins with (its *constructor*) and one for its value if
//! it is an integer, named by the way from the argument to the part, so that the same part has the
//! same variables in every run. Whatever has no variable in a run keeps its present value.

use crate::signature::{CON_BITS, INTEGER, Signature};
use crate::term::{CONS, NodeId, Term};
use crate::types::Type;
use elsewise_explore::mix_key as mix;
use elsewise_term::{Bits, Model, Op, Sort, TermId, Terms, VarId};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// How large inputs may become.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Elements of a list, and how deep terms stand in terms.
    pub depth: u32,
    pub integer_bits: u32,
}

/// Numbers that people like to look at.
const SMALL: i64 = 1000;

struct Node {
    key: u64,
    of: Arc<Type>,
    present: Term,
    nesting: u32,
    place: u32,
    con: Option<TermId>,
    allowed: Vec<u32>,
    int: Option<TermId>,
}

pub struct Inputs<'a> {
    pub signature: &'a Signature,
    limits: &'a Limits,
    nodes: Vec<Node>,
    by_key: FxHashMap<u64, NodeId>,
    pub present: Model,
    pub bounds: Vec<TermId>,
    /// Small numbers before large ones.
    pub preferences: Vec<(VarId, TermId)>,
}

pub fn root_key(argument: usize) -> u64 {
    mix(0x9e01_0600, argument as u64)
}

/// The tail of a list is not the second argument of something else: it does not stand deeper.
pub fn part_key(node: u64, name: &str, index: usize) -> u64 {
    match (name, index) {
        (CONS, 1) => mix(node, 2),
        _ => mix(mix(node, 3), index as u64),
    }
}

pub fn con_key(node: u64) -> u64 {
    mix(node, 16)
}

pub fn int_key(node: u64) -> u64 {
    mix(node, 18)
}

/// Whether an argument is an unbound variable.
pub fn unbound_key(argument: usize) -> u64 {
    mix(root_key(argument), 19)
}

impl<'a> Inputs<'a> {
    pub fn new(signature: &'a Signature, limits: &'a Limits) -> Inputs<'a> {
        Inputs {
            signature,
            limits,
            nodes: Vec::new(),
            by_key: FxHashMap::default(),
            present: Model::default(),
            bounds: Vec::new(),
            preferences: Vec::new(),
        }
    }

    /// An argument that is ground.
    pub fn root(&mut self, argument: usize, of: &Arc<Type>, value: Term) -> Term {
        if matches!(**of, Type::Only(_)) || !self.known(&value) {
            return value;
        }
        let node = self.add(root_key(argument), of.clone(), value, 0, 0);
        Term::Input(node)
    }

    /// Whether an argument that may be unbound is so.
    pub fn unbound(&mut self, terms: &mut Terms, argument: usize, now: bool) -> TermId {
        let term = terms.variable(unbound_key(argument), Sort::Bool);
        if let Some(var) = terms.as_var(term) {
            self.present.set(var, Bits::new(1, now.into()));
        }
        term
    }

    /// Whether inputs can be made that begin as this does.
    fn known(&self, value: &Term) -> bool {
        match value {
            Term::Int(value) => signed_bits(value) <= self.limits.integer_bits,
            other => self.signature.of(other).is_some(),
        }
    }

    fn add(&mut self, key: u64, of: Arc<Type>, present: Term, nesting: u32, place: u32) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        let deep = nesting >= self.limits.depth || place >= self.limits.depth;
        let allowed = self.signature.allowed(&of, !deep);
        self.nodes.push(Node {
            key,
            of,
            present,
            nesting,
            place,
            con: None,
            allowed,
            int: None,
        });
        self.by_key.insert(key, id);
        id
    }

    fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub fn present_of(&self, id: NodeId) -> &Term {
        &self.node(id).present
    }

    fn variable(&mut self, terms: &mut Terms, key: u64, width: u32, now: Bits) -> TermId {
        let term = terms.variable(key, Sort::BitVec(width));
        if let Some(var) = terms.as_var(term)
            && self.present.get(var).is_none()
        {
            self.present.set(var, now);
        }
        term
    }

    /// What a part begins with.
    pub fn con(&mut self, terms: &mut Terms, id: NodeId) -> TermId {
        if let Some(con) = self.node(id).con {
            return con;
        }
        let node = self.node(id);
        let now = self.signature.of(&node.present).unwrap_or(1);
        let con = if node.allowed == [now] {
            terms.bits(CON_BITS, now.into())
        } else {
            let allowed = node.allowed.clone();
            let key = con_key(node.key);
            let con = self.variable(terms, key, CON_BITS, Bits::new(CON_BITS, now.into()));
            let bound = one_of_ranges(terms, con, &allowed, now);
            if terms.as_bool(bound) != Some(true) {
                self.bounds.push(bound);
            }
            con
        };
        self.nodes[id.0 as usize].con = Some(con);
        con
    }

    /// Whether a part begins with a constructor.
    pub fn is(&mut self, terms: &mut Terms, id: NodeId, number: u32) -> TermId {
        let now = self.signature.of(&self.node(id).present);
        if self.node(id).allowed.binary_search(&number).is_err() && now != Some(number) {
            return terms.bool(false);
        }
        let con = self.con(terms, id);
        let number = terms.bits(CON_BITS, number.into());
        terms.eq(con, number)
    }

    /// Whether a part begins with one of the constructors of a range.
    pub fn within(&mut self, terms: &mut Terms, id: NodeId, from: u32, to: u32) -> TermId {
        if from >= to {
            return terms.bool(false);
        }
        let node = self.node(id);
        let now = self.signature.of(&node.present);
        let inside = |number: &u32| (from..to).contains(number);
        let all = node.allowed.iter().chain(now.iter());
        if all.clone().all(inside) {
            return terms.bool(true);
        }
        if !all.clone().any(inside) {
            return terms.bool(false);
        }
        let con = self.con(terms, id);
        let low = terms.bits(CON_BITS, from.into());
        let high = terms.bits(CON_BITS, u64::from(to) - 1);
        let above = terms.compare(Op::BvUle, low, con);
        let below = terms.compare(Op::BvUle, con, high);
        terms.and(above, below)
    }

    pub fn int(&mut self, terms: &mut Terms, id: NodeId) -> TermId {
        if let Some(int) = self.node(id).int {
            return int;
        }
        let node = self.node(id);
        let width = self.width(node);
        let simplest = match &*node.of {
            Type::OneOf(all) => all.iter().find(|it| matches!(it, Term::Int(_))).cloned(),
            of => Some(of.simplest()),
        };
        let now = match (&node.present, &simplest) {
            (Term::Int(value), _) | (_, Some(Term::Int(value))) => value.clone(),
            _ => BigInt::default(),
        };
        let (key, of) = (int_key(node.key), node.of.clone());
        let int = self.variable(terms, key, width, big_bits(&now, width));
        let is = self.is(terms, id, INTEGER);
        let fits = bounds_of(terms, &of, int, width);
        let not = terms.not(is);
        let bound = terms.or(not, fits);
        if terms.as_bool(bound) != Some(true) {
            self.bounds.push(bound);
        }
        if width > 12
            && let Some(var) = terms.as_var(int)
        {
            let low = terms.constant(big_bits(&(-SMALL).into(), width));
            let high = terms.constant(big_bits(&SMALL.into(), width));
            let above = terms.compare(Op::BvSle, low, int);
            let below = terms.compare(Op::BvSle, int, high);
            let small = terms.and(above, below);
            self.preferences.push((var, small));
        }
        self.nodes[id.0 as usize].int = Some(int);
        int
    }

    fn width(&self, node: &Node) -> u32 {
        let most = match &*node.of {
            Type::Integer(Some(low), Some(high)) => signed_bits(low).max(signed_bits(high)),
            Type::OneOf(all) => {
                let bits = all.iter().map(|it| match it {
                    Term::Int(value) => signed_bits(value),
                    _ => 1,
                });
                bits.max().unwrap_or(1)
            }
            _ => self.limits.integer_bits,
        };
        most.min(self.limits.integer_bits)
    }

    /// An argument of a part, if it is a compound.
    pub fn part(&mut self, id: NodeId, name: &str, index: usize) -> Term {
        let node = self.node(id);
        let key = part_key(node.key, name, index);
        if let Some(known) = self.by_key.get(&key) {
            return Term::Input(*known);
        }
        let of = node.of.part(name, index);
        if let Type::Only(term) = &*of {
            return term.clone();
        }
        let there = node.present.parts().and_then(|(_, args)| args.get(index));
        let present = match there {
            Some(term) if self.known(term) => term.clone(),
            _ => of.simplest(),
        };
        let (nesting, place) = match (name, index) {
            (CONS, 1) => (node.nesting, node.place + 1),
            _ => (node.nesting + 1, 0),
        };
        Term::Input(self.add(key, of, present, nesting, place))
    }

    /// Constructors that a part could begin with.
    pub fn allowed(&self, id: NodeId) -> &[u32] {
        &self.node(id).allowed
    }
}

/// A term is one of ascending numbers, or what it is now.
fn one_of_ranges(terms: &mut Terms, term: TermId, numbers: &[u32], now: u32) -> TermId {
    let mut any = terms.bool(false);
    let mut at = 0;
    while at < numbers.len() {
        let from = numbers[at];
        let mut to = from;
        while at + 1 < numbers.len() && numbers[at + 1] == to + 1 {
            at += 1;
            to += 1;
        }
        at += 1;
        let low = terms.bits(CON_BITS, from.into());
        let high = terms.bits(CON_BITS, to.into());
        let above = terms.compare(Op::BvUle, low, term);
        let below = terms.compare(Op::BvUle, term, high);
        let within = terms.and(above, below);
        any = terms.or(any, within);
    }
    let now = terms.bits(CON_BITS, now.into());
    let same = terms.eq(term, now);
    terms.or(any, same)
}

fn bounds_of(terms: &mut Terms, of: &Type, int: TermId, width: u32) -> TermId {
    let mut fits = terms.bool(true);
    match of {
        Type::Integer(low, high) => {
            for (bound, is_low) in [(low, true), (high, false)] {
                let Some(bound) = bound else { continue };
                // A bound that no input can reach is none.
                if signed_bits(bound) > width {
                    continue;
                }
                let bound = terms.constant(big_bits(bound, width));
                let holds = match is_low {
                    true => terms.compare(Op::BvSle, bound, int),
                    false => terms.compare(Op::BvSle, int, bound),
                };
                fits = terms.and(fits, holds);
            }
        }
        Type::OneOf(all) => {
            fits = terms.bool(false);
            for one in all {
                if let Term::Int(value) = one {
                    let value = terms.constant(big_bits(value, width));
                    let same = terms.eq(int, value);
                    fits = terms.or(fits, same);
                }
            }
        }
        _ => {}
    }
    fits
}

/// Bits of an integer in two's complement.
pub fn signed_bits(value: &BigInt) -> u32 {
    let size = match value.sign() {
        num_bigint::Sign::Minus => (value + 1u32).bits(),
        _ => value.bits(),
    };
    size as u32 + 1
}

/// An integer in two's complement, cut to a width.
pub fn big_bits(value: &BigInt, width: u32) -> Bits {
    Bits::from_signed_bytes(width, &value.to_signed_bytes_le())
}

/// The signed integer that bits stand for.
pub fn bits_big(bits: &Bits) -> BigInt {
    BigInt::from_signed_bytes_le(&bits.to_signed_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::by_hand::{mentions, term, with};

    #[test]
    fn integers_have_as_many_bits_as_they_need() {
        for value in -300i64..300 {
            let bits = signed_bits(&value.into());
            let fits = |bits: u32| -(1i64 << (bits - 1)) <= value && value < 1i64 << (bits - 1);
            assert!(
                fits(bits) && (bits == 1 || !fits(bits - 1)),
                "{value} {bits}"
            );
            assert_eq!(bits_big(&big_bits(&value.into(), bits)), value.into());
        }
        assert_eq!(bits_big(&big_bits(&200.into(), 8)), BigInt::from(-56));
    }

    /// The tail of a list stands beside its elements, not below them.
    #[test]
    fn parts_are_named_by_the_way_to_them() {
        let root = root_key(0);
        let keys = [
            root,
            root_key(1),
            part_key(root, "f", 0),
            part_key(root, "f", 1),
            part_key(root, CONS, 1),
            con_key(root),
            int_key(root),
            unbound_key(0),
        ];
        for (at, key) in keys.iter().enumerate() {
            assert!(!keys[..at].contains(key), "{at}");
        }
        // What a part is does not depend on what stands around it.
        assert_eq!(part_key(root, "f", 0), part_key(root, "g", 0));
    }

    #[test]
    fn what_an_input_can_be_is_bounded_by_its_type() {
        let program = mentions();
        let limits = Limits {
            depth: 4,
            integer_bits: 8,
        };
        let mut terms = Terms::new();
        let of = Arc::new(Type::Integer(Some(2.into()), Some(5.into())));
        let mut inputs = Inputs::new(&program.signature, &limits);
        let Term::Input(node) = inputs.root(0, &of, term("3")) else {
            panic!("an input");
        };
        let int = inputs.int(&mut terms, node);
        let var = terms.as_var(int).expect("a variable");
        let width = terms.width(int);
        for value in 0..1u64 << width {
            let mut model = Model::default();
            model.set(var, Bits::new(width, value));
            let all = inputs
                .bounds
                .iter()
                .all(|one| terms.eval_bool(*one, &model));
            assert_eq!(all, (2..=5).contains(&value), "{value}");
        }
    }

    #[test]
    fn an_input_is_within_a_range_of_constructors() {
        let program = mentions();
        for value in crate::by_hand::TERMS {
            let mut terms = Terms::new();
            with(&program, &mut terms, &[value], "", |machine, args| {
                let Term::Input(node) = args[0] else {
                    panic!("an input");
                };
                let number = machine.inputs.signature.of(&term(value));
                let number = number.expect("a number");
                let last = machine.inputs.signature.len();
                for from in 0..last {
                    for to in from..=last {
                        let within = machine.inputs.within(machine.terms, node, from, to);
                        let expected = (from..to).contains(&number);
                        assert_eq!(machine.holds(within), expected, "{value} {from} {to}");
                    }
                }
            });
        }
    }

    /// A value that no input can have is taken as it is.
    #[test]
    fn what_cannot_be_made_is_no_input() {
        let program = mentions();
        let mut terms = Terms::new();
        let values = ["1000", "h(a)", "1.5", "127"];
        with(&program, &mut terms, &values, "", |_, args| {
            let inputs = args.iter().map(|arg| matches!(arg, Term::Input(_)));
            assert_eq!(inputs.collect::<Vec<bool>>(), [false, false, false, true]);
        });
    }
}
