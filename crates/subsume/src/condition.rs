//! Conditions on states, as conjunctions kept small: what several say of one value is said once.

use crate::cells::Cell;
use elsewise_term::{Node, Op, Replacer, TermId, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Conjuncts beyond which a condition is of no use.
const MAX_ATOMS: usize = 400;

/// A conjunction over cells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Condition {
    /// Sorted, none twice, none a constant.
    pub atoms: Vec<TermId>,
}

/// Values from `low` on, `span` further ones, around the end of the numbers if need be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Arc {
    low: u64,
    span: u64,
}

fn mask(width: u32) -> u64 {
    match width {
        64 => u64::MAX,
        _ => (1 << width) - 1,
    }
}

impl Arc {
    fn new(width: u32, low: u64, high: u64) -> Arc {
        Arc {
            low: low & mask(width),
            span: high.wrapping_sub(low) & mask(width),
        }
    }

    fn whole(width: u32) -> Arc {
        Arc {
            low: 0,
            span: mask(width),
        }
    }

    /// What is in both; `None` where that is two pieces, or nothing.
    fn meet(self, other: Arc, width: u32) -> Option<Arc> {
        let all = u128::from(mask(width)) + 1;
        if u128::from(other.span) + 1 == all {
            return Some(self);
        }
        if u128::from(self.span) + 1 == all {
            return Some(other);
        }
        let apart = other.low.wrapping_sub(self.low) & mask(width);
        let (apart, span) = (u128::from(apart), u128::from(self.span));
        let end = apart + u128::from(other.span);
        let around = end.checked_sub(all);
        let piece = |from: u128, to: u128| Arc {
            low: self.low.wrapping_add(from as u64) & mask(width),
            span: (to - from) as u64,
        };
        match (apart <= span, around) {
            (true, None) => Some(piece(apart, end.min(span))),
            (true, Some(around)) if around + 1 >= apart => Some(self),
            (true, Some(_)) => None,
            (false, Some(around)) => Some(piece(0, around.min(span))),
            (false, None) => None,
        }
    }

    fn term(self, terms: &mut Terms, value: TermId) -> TermId {
        let width = terms.width(value);
        let high = self.low.wrapping_add(self.span) & mask(width);
        let (least, most) = (1 << (width - 1), mask(width) >> 1);
        let low_term = terms.bits(width, self.low);
        let high_term = terms.bits(width, high);
        if self.span == mask(width) {
            return terms.bool(true);
        }
        if self.span == 0 {
            return terms.eq(value, low_term);
        }
        if self.span == mask(width) - 1 {
            let hole = terms.bits(width, high.wrapping_add(1));
            let same = terms.eq(value, hole);
            return terms.not(same);
        }
        match (self.low, high) {
            (0, _) => terms.compare(Op::BvUle, value, high_term),
            (_, high) if high == mask(width) => terms.compare(Op::BvUle, low_term, value),
            (low, _) if low == least => terms.compare(Op::BvSle, value, high_term),
            (_, high) if high == most => terms.compare(Op::BvSle, low_term, value),
            _ => {
                let offset = terms.bv(Op::BvSub, &[value, low_term]);
                let span = terms.bits(width, self.span);
                terms.compare(Op::BvUle, offset, span)
            }
        }
    }
}

/// The value of which an atom says nothing but where it lies.
fn as_arc(terms: &Terms, atom: TermId) -> Option<(TermId, Arc)> {
    let Node::App(op, operands) = terms.node(atom) else {
        return None;
    };
    let (value, arc) = match op {
        Op::Not => {
            let inner = operands[0];
            let Node::App(Op::Eq, sides) = terms.node(inner) else {
                return None;
            };
            let (value, constant) = sided(terms, &sides)?;
            let width = terms.width(value);
            let arc = Arc::new(width, constant.wrapping_add(1), constant.wrapping_sub(1));
            // Of one bit, being unlike is being the other.
            (value, arc)
        }
        Op::Eq => {
            let (value, constant) = sided(terms, &operands)?;
            (value, Arc::new(terms.width(value), constant, constant))
        }
        Op::BvUlt | Op::BvSlt => {
            let width = narrow(terms, operands[0])?;
            let (least, most) = match op {
                Op::BvUlt => (0, mask(width)),
                _ => (1 << (width - 1), mask(width) >> 1),
            };
            match (terms.as_u64(operands[0]), terms.as_u64(operands[1])) {
                (None, Some(k)) if k != least => {
                    (operands[0], Arc::new(width, least, k.wrapping_sub(1)))
                }
                (Some(k), None) if k != most => {
                    (operands[1], Arc::new(width, k.wrapping_add(1), most))
                }
                _ => return None,
            }
        }
        _ => return None,
    };
    // What is said of a sum with a constant is said of the rest.
    if let Node::App(Op::BvAdd, summands) = terms.node(value)
        && let Some(constant) = terms.as_u64(summands[1])
    {
        let low = arc.low.wrapping_sub(constant) & mask(terms.width(value));
        return Some((summands[0], Arc { low, ..arc }));
    }
    Some((value, arc))
}

fn narrow(terms: &Terms, term: TermId) -> Option<u32> {
    (!terms.is_bool(term))
        .then(|| terms.width(term))
        .filter(|width| *width <= 64)
}

/// A value and the constant beside it.
fn sided(terms: &Terms, sides: &[TermId]) -> Option<(TermId, u64)> {
    narrow(terms, sides[0])?;
    match (terms.as_u64(sides[0]), terms.as_u64(sides[1])) {
        (None, Some(constant)) => Some((sides[0], constant)),
        (Some(constant), None) => Some((sides[1], constant)),
        _ => None,
    }
}

impl Condition {
    /// The conjunction of these; `None` where it is of no use: it never holds, or has too many parts.
    #[cfg(test)]
    pub fn of(terms: &mut Terms, atoms: impl IntoIterator<Item = TermId>) -> Option<Condition> {
        Condition::of_while(terms, atoms, || true)
    }

    /// The same as long as it may go on, which is asked before each of the parts; `None` where it may not.
    pub fn of_while(
        terms: &mut Terms,
        atoms: impl IntoIterator<Item = TermId>,
        goes_on: impl Fn() -> bool,
    ) -> Option<Condition> {
        let mut open: Vec<TermId> = atoms.into_iter().collect();
        let mut arcs: FxHashMap<TermId, Vec<Arc>> = FxHashMap::default();
        let mut order = Vec::new();
        let mut seen = FxHashSet::default();
        let mut kept = Vec::new();
        let mut replacer = Replacer::new();
        while let Some(atom) = open.pop() {
            if !goes_on() {
                return None;
            }
            match terms.as_bool(atom) {
                Some(true) => continue,
                Some(false) => return None,
                None => {}
            }
            if let Node::App(Op::And, operands) = terms.node(atom) {
                open.extend(operands.iter());
                continue;
            }
            let atom = canonical(terms, &mut replacer, atom);
            if !seen.insert(atom) {
                continue;
            }
            match as_arc(terms, atom) {
                Some((value, arc)) => {
                    let known = arcs.entry(value).or_insert_with(|| {
                        order.push(value);
                        Vec::new()
                    });
                    add(known, arc, terms.width(value))?;
                }
                None => kept.push(atom),
            }
        }
        for value in order {
            for arc in &arcs[&value] {
                kept.push(arc.term(terms, value));
            }
        }
        kept.sort_unstable();
        kept.dedup();
        (kept.len() <= MAX_ATOMS).then_some(Condition { atoms: kept })
    }

    /// Does it say no more than the other?
    pub fn is_weaker(&self, other: &Condition) -> bool {
        let mut theirs = other.atoms.iter();
        self.atoms
            .iter()
            .all(|atom| theirs.any(|their| their == atom))
    }
}

/// Adds an arc to those that are known; `None` where they then have nothing in common.
fn add(known: &mut Vec<Arc>, mut arc: Arc, width: u32) -> Option<()> {
    let mut index = 0;
    while index < known.len() {
        match known[index].meet(arc, width) {
            Some(both) => {
                arc = both;
                known.swap_remove(index);
                index = 0;
            }
            None if disjoint(known[index], arc, width) => return None,
            None => index += 1,
        }
    }
    if arc != Arc::whole(width) {
        known.push(arc);
    }
    Some(())
}

fn disjoint(one: Arc, other: Arc, width: u32) -> bool {
    let apart = |a: Arc, b: Arc| (b.low.wrapping_sub(a.low) & mask(width)) > a.span;
    apart(one, other) && apart(other, one)
}

/// The atom with its bound inputs numbered as they are met: what is bound in one atom has nothing to do
/// with what is bound in another.
fn canonical(terms: &mut Terms, replacer: &mut Replacer, atom: TermId) -> TermId {
    let mut numbers: Vec<VarId> = Vec::new();
    let bound: Vec<VarId> = terms
        .support(atom)
        .into_iter()
        .filter(|var| matches!(Cell::of_key(terms.var_key(*var)), Cell::Bound { .. }))
        .collect();
    if bound.is_empty() {
        return atom;
    }
    replacer.restart();
    let replaced = replacer.replace(terms, atom, |terms, var| {
        let Cell::Bound { width, .. } = Cell::of_key(terms.var_key(var)) else {
            return Some(terms.var_term(var));
        };
        let number = numbers.iter().position(|known| *known == var);
        let number = number.unwrap_or_else(|| {
            numbers.push(var);
            numbers.len() - 1
        }) as u32;
        Some(Cell::Bound { number, width }.term(terms))
    });
    replaced.unwrap_or(atom)
}

#[cfg(test)]
mod tests {
    use super::*;
    use elsewise_term::{Bits, Model, Sort};

    /// All pairs of arcs of three bits: what is in both, as their meeting says and by counting.
    #[test]
    fn arcs_meet_as_their_members_do() {
        let members = |arc: Arc| -> Vec<u64> {
            let mut all: Vec<u64> = (0..=arc.span).map(|step| (arc.low + step) & 7).collect();
            all.sort_unstable();
            all
        };
        let arcs = || (0..8).flat_map(|low| (0..8).map(move |span| Arc { low, span }));
        for one in arcs() {
            for other in arcs() {
                let both: Vec<u64> = members(one)
                    .into_iter()
                    .filter(|member| members(other).contains(member))
                    .collect();
                assert_eq!(
                    disjoint(one, other, 3),
                    both.is_empty(),
                    "{one:?} {other:?}"
                );
                if let Some(arc) = one.meet(other, 3) {
                    assert_eq!(members(arc), both, "{one:?} {other:?}");
                } else if !both.is_empty() {
                    let gaps = both.iter().filter(|m| !both.contains(&((*m + 1) & 7)));
                    assert_eq!(gaps.count(), 2, "{one:?} {other:?}: {both:?}");
                }
            }
        }
    }

    /// Comparisons of one value of four bits with constants: the conjunction has the value of its parts.
    #[test]
    fn what_is_kept_of_a_conjunction_means_the_same() {
        let mut terms = Terms::new();
        let cell = Cell::Register {
            depth: 0,
            register: 1,
            width: 4,
        };
        let x = cell.term(&mut terms);
        let var = terms.as_var(x).expect("an input");
        let mut parts = Vec::new();
        for k in 0..16 {
            let constant = terms.bits(4, k);
            let shift = terms.bits(4, k * 3);
            let sum = terms.bv(Op::BvAdd, &[x, shift]);
            for op in [Op::BvUlt, Op::BvSlt] {
                parts.push(terms.compare(op, x, constant));
                parts.push(terms.compare(op, constant, x));
                parts.push(terms.compare(op, sum, constant));
            }
            let same = terms.eq(x, constant);
            parts.push(same);
            parts.push(terms.not(same));
        }
        let count = parts.len();
        for (index, one) in parts.iter().enumerate() {
            for step in 1..7 {
                let other = parts[(index * 7 + step * 13) % count];
                let third = parts[(index * 5 + step * 31) % count];
                let all = [*one, other, third];
                let kept = Condition::of(&mut terms, all);
                for value in 0..16 {
                    let mut model = Model::default();
                    model.set(var, Bits::new(4, value));
                    let expected = all.iter().all(|atom| terms.eval_bool(*atom, &model));
                    let holds = kept.as_ref().is_some_and(|kept| {
                        kept.atoms.iter().all(|atom| terms.eval_bool(*atom, &model))
                    });
                    assert_eq!(holds, expected, "{all:?} at {value}");
                }
            }
        }
    }

    #[test]
    fn sums_that_stay_below_a_bound_are_one_bound() {
        let mut terms = Terms::new();
        let s = terms.variable(Cell::Byte(1).key(), Sort::BitVec(8));
        let three = terms.bits(8, 3);
        let mut atoms = Vec::new();
        for k in 0..3 {
            let k = terms.bits(8, k);
            let sum = terms.bv(Op::BvAdd, &[s, k]);
            atoms.push(terms.compare(Op::BvSle, sum, three));
        }
        let kept = Condition::of(&mut terms, atoms).expect("a condition");
        let one = terms.bits(8, 1);
        assert_eq!(kept.atoms, [terms.compare(Op::BvSle, s, one)]);
    }

    fn byte(terms: &mut Terms, address: u64) -> TermId {
        Cell::Byte(address).term(terms)
    }

    fn is(terms: &mut Terms, value: TermId, number: u64) -> TermId {
        let number = terms.bits(terms.width(value), number);
        terms.eq(value, number)
    }

    #[test]
    fn what_never_holds_is_of_no_use() {
        let mut terms = Terms::new();
        let x = byte(&mut terms, 1);
        let (one, two) = (is(&mut terms, x, 1), is(&mut terms, x, 2));
        let not_one = terms.not(one);
        let falsehood = terms.bool(false);
        for atoms in [vec![one, two], vec![one, not_one], vec![falsehood]] {
            assert_eq!(Condition::of(&mut terms, atoms), None);
        }
    }

    #[test]
    fn what_always_holds_is_not_said() {
        let mut terms = Terms::new();
        let x = byte(&mut terms, 1);
        let truth = terms.bool(true);
        let most = terms.bits(8, 255);
        let below = terms.compare(Op::BvUle, x, most);
        let kept = Condition::of(&mut terms, [truth, below]);
        assert_eq!(kept, Some(Condition::default()));
    }

    /// The parts of a conjunction are atoms of their own, in whatever order they were given.
    #[test]
    fn one_condition_has_one_form() {
        let mut terms = Terms::new();
        let (x, y) = (byte(&mut terms, 1), byte(&mut terms, 2));
        let (a, b) = (is(&mut terms, x, 1), is(&mut terms, y, 2));
        let both = terms.and(a, b);
        let forms = [vec![a, b], vec![b, a], vec![both], vec![both, a, a]];
        let kept: Vec<_> = forms
            .into_iter()
            .map(|atoms| Condition::of(&mut terms, atoms).expect("a condition"))
            .collect();
        assert_eq!(kept[0].atoms.len(), 2);
        assert!(kept.iter().all(|one| *one == kept[0]));
    }

    #[test]
    fn fewer_atoms_say_no_more() {
        let mut terms = Terms::new();
        let atoms: Vec<TermId> = (0..3)
            .map(|address| {
                let x = byte(&mut terms, address);
                is(&mut terms, x, 1)
            })
            .collect();
        let subsets: Vec<Condition> = (0..8)
            .map(|set| {
                let of = atoms.iter().zip(0..).filter(|(_, bit)| set >> bit & 1 == 1);
                let of: Vec<TermId> = of.map(|(atom, _)| *atom).collect();
                Condition::of(&mut terms, of).expect("a condition")
            })
            .collect();
        for (one, condition) in subsets.iter().enumerate() {
            for (other, stronger) in subsets.iter().enumerate() {
                let expected = one & other == one;
                assert_eq!(condition.is_weaker(stronger), expected, "{one} {other}");
            }
        }
    }

    /// What is bound has no name: the same atom about other inputs is the same atom.
    #[test]
    fn bound_inputs_are_numbered_as_they_are_met() {
        let mut terms = Terms::new();
        let x = byte(&mut terms, 1);
        let mut atom = |numbers: [u32; 2]| {
            let bound = numbers.map(|number| Cell::Bound { number, width: 8 }.term(&mut terms));
            let three = terms.bits(8, 3);
            let more = terms.bv(Op::BvMul, &[bound[1], three]);
            let difference = terms.bv(Op::BvSub, &[bound[0], more]);
            let below = terms.compare(Op::BvUlt, x, difference);
            Condition::of(&mut terms, [below]).expect("a condition")
        };
        assert_eq!(atom([4, 9]), atom([17, 2]));
        assert_ne!(atom([4, 9]), atom([4, 4]));
    }
}
