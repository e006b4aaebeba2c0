//! The choices of a run that a front end rebuilds, and what they settle: a question that earlier
//! choices answer is not asked again.

use crate::{Approximation, ApproximationKind, Choice, Shape, SiteId};
use elsewise_term::{Bits, Evaluator, Model, Op, TermId, Terms};
use rustc_hash::FxHashMap;

#[derive(Default)]
pub struct Path {
    pub choices: Vec<Choice>,
    pub approximations: Vec<Approximation>,
    evaluator: Evaluator,
    /// How many inputs the evaluator knew: with more of them, it has to begin anew.
    evaluated: usize,
    settled: FxHashMap<TermId, bool>,
    /// What earlier choices have fixed a term to.
    fixed: FxHashMap<TermId, u64>,
}

impl Path {
    pub fn approximate(&mut self, kind: ApproximationKind, site: u32) {
        let site = Some(SiteId(site));
        self.approximations.push(Approximation { kind, site });
    }

    /// Whether a condition holds in this run.
    pub fn holds(&mut self, terms: &Terms, present: &Model, condition: TermId) -> bool {
        if let Some(known) = terms.as_bool(condition) {
            return known;
        }
        self.refresh(present);
        self.evaluator.bool(terms, condition, present)
    }

    /// The value of a term in this run.
    pub fn now(&mut self, terms: &Terms, present: &Model, term: TermId) -> Bits {
        self.refresh(present);
        self.evaluator.bits(terms, term, present)
    }

    fn refresh(&mut self, present: &Model) {
        if self.evaluated != present.len() {
            self.evaluator.restart();
            self.evaluated = present.len();
        }
    }

    /// What earlier choices have fixed a term to.
    pub fn fixed(&self, terms: &Terms, term: TermId) -> Option<u64> {
        let known = terms.as_u64(term);
        known.or_else(|| self.fixed.get(&term).copied())
    }

    /// What earlier choices say of a condition.
    pub fn settled(&self, terms: &Terms, condition: TermId) -> Option<bool> {
        if !is_connective(terms, condition) {
            return self.settled_itself(terms, condition);
        }
        let mut seen: FxHashMap<TermId, Option<bool>> = FxHashMap::default();
        let mut work = vec![condition];
        while let Some(&term) = work.last() {
            let itself = self.settled_itself(terms, term);
            if seen.contains_key(&term) || itself.is_some() || !is_connective(terms, term) {
                seen.entry(term).or_insert(itself);
                work.pop();
                continue;
            }
            let operands = terms.operands(term);
            let before = work.len();
            work.extend(operands.iter().filter(|one| !seen.contains_key(one)));
            if work.len() > before {
                continue;
            }
            let known = |index: usize| seen[&operands[index]];
            let value = match terms.op(term) {
                Some(Op::Not) => known(0).map(|value| !value),
                op => {
                    let deciding = op == Some(Op::Or);
                    match (known(0), known(1)) {
                        (a, b) if a == Some(deciding) || b == Some(deciding) => Some(deciding),
                        (Some(_), Some(_)) => Some(!deciding),
                        _ => None,
                    }
                }
            };
            seen.insert(term, value);
            work.pop();
        }
        seen[&condition]
    }

    /// The same, without looking into what it is put together from.
    fn settled_itself(&self, terms: &Terms, condition: TermId) -> Option<bool> {
        if let Some(known) = terms.as_bool(condition) {
            return Some(known);
        }
        if let Some(known) = self.settled.get(&condition) {
            return Some(*known);
        }
        let operands = terms.operands(condition);
        match terms.op(condition) {
            Some(Op::Eq) => {
                let (term, constant) = constant_last(terms, operands[0], operands[1]);
                let fixed = *self.fixed.get(&term)?;
                terms.as_u64(constant).map(|value| value == fixed)
            }
            Some(op @ (Op::BvUle | Op::BvUlt)) => {
                let a = self.fixed(terms, operands[0])?;
                let b = self.fixed(terms, operands[1])?;
                Some(if op == Op::BvUle { a <= b } else { a < b })
            }
            _ => None,
        }
    }

    /// Remembers that a condition has turned out so.
    fn learn(&mut self, terms: &Terms, condition: TermId, value: bool) {
        let mut work = vec![(condition, value)];
        while let Some((condition, value)) = work.pop() {
            if terms.is_const(condition) || self.settled.insert(condition, value).is_some() {
                continue;
            }
            let operands = terms.operands(condition);
            match (terms.op(condition), value) {
                (Some(Op::Not), _) => work.push((operands[0], !value)),
                (Some(Op::And), true) | (Some(Op::Or), false) => {
                    work.extend([(operands[1], value), (operands[0], value)]);
                }
                (Some(Op::Eq), true) => {
                    let (term, constant) = constant_last(terms, operands[0], operands[1]);
                    if let Some(value) = terms.as_u64(constant) {
                        self.fixed.insert(term, value);
                    }
                }
                _ => {}
            }
        }
    }

    /// A choice between a condition and its opposite, unless it is settled; which way this run goes.
    pub fn branch(&mut self, terms: &Terms, present: &Model, site: u32, condition: TermId) -> bool {
        if let Some(known) = self.settled(terms, condition) {
            return known;
        }
        let holds = self.holds(terms, present, condition);
        self.choices.push(Choice {
            site: SiteId(site),
            taken: u64::from(!holds),
            shape: Shape::Branch { condition },
        });
        self.learn(terms, condition, holds);
        holds
    }

    /// The same, where both sides are only forms of what is wanted.
    pub fn form(&mut self, terms: &Terms, present: &Model, site: u32, condition: TermId) -> bool {
        let before = self.choices.len();
        let holds = self.branch(terms, present, site, condition);
        if let Some(choice) = self.choices.get_mut(before) {
            choice.shape = Shape::Form { condition };
        }
        holds
    }

    /// A choice between conditions of which the first that holds counts; one of them always does.
    /// `taken` is the one that the run took. False if this cannot be: the conditions are not those
    /// of the run.
    pub fn ways(
        &mut self,
        terms: &Terms,
        present: &Model,
        site: u32,
        conditions: &[TermId],
        taken: usize,
    ) -> bool {
        let (before, now) = (&conditions[..taken], conditions[taken]);
        let wrong = before
            .iter()
            .any(|condition| self.settled(terms, *condition) == Some(true));
        if wrong || self.settled(terms, now) == Some(false) {
            return false;
        }
        if before
            .iter()
            .any(|condition| self.holds(terms, present, *condition))
            || !self.holds(terms, present, now)
        {
            return false;
        }
        // What comes after a condition that always holds is never reached.
        let mut open = 0;
        let mut last = conditions.len();
        for (index, condition) in conditions.iter().enumerate() {
            match self.settled(terms, *condition) {
                Some(true) => {
                    open += 1;
                    last = index + 1;
                    break;
                }
                Some(false) => {}
                None => open += 1,
            }
        }
        if open <= 1 {
            return true;
        }
        self.choices.push(Choice {
            site: SiteId(site),
            taken: taken as u64,
            shape: Shape::Ways {
                conditions: conditions[..last].into(),
            },
        });
        for condition in before {
            self.learn(terms, *condition, false);
        }
        self.learn(terms, now, true);
        true
    }

    /// Makes a term known: its present value, with others as alternatives.
    pub fn fix(&mut self, terms: &mut Terms, present: &Model, site: u32, term: TermId) -> TermId {
        if terms.is_const(term) {
            return term;
        }
        let value = self.now(terms, present, term);
        let value = terms.constant(value);
        let Some(number) = terms.as_u64(value) else {
            self.approximate(ApproximationKind::WideValue, site);
            return value;
        };
        if self.fixed.get(&term) == Some(&number) {
            return value;
        }
        self.choices.push(Choice {
            site: SiteId(site),
            taken: number,
            shape: Shape::Value {
                term,
                value,
                alike: None,
            },
        });
        self.fixed.insert(term, number);
        let same = terms.eq(term, value);
        self.learn(terms, same, true);
        value
    }
}

/// The name of a part of an input by the name of the whole and what the part is of it: the same in every
/// run, and hardly ever that of another.
pub fn mix_key(key: u64, code: u64) -> u64 {
    let mut hash = (key ^ code.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_add(0x7f4a_7c15);
    hash = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ hash >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ hash >> 31
}

/// Is a condition put together from others?
fn is_connective(terms: &Terms, condition: TermId) -> bool {
    matches!(terms.op(condition), Some(Op::Not | Op::And | Op::Or))
}

fn constant_last(terms: &Terms, a: TermId, b: TermId) -> (TermId, TermId) {
    match terms.is_const(a) {
        true => (b, a),
        false => (a, b),
    }
}

#[cfg(test)]
mod tests {
    use super::Path;
    use elsewise_term::{Bits, Op, Sort, Terms};

    #[test]
    fn what_is_settled_follows_from_its_parts() {
        let mut terms = Terms::new();
        let x = terms.variable(0, Sort::BitVec(8));
        let (two, three) = (
            terms.constant(Bits::new(8, 2)),
            terms.constant(Bits::new(8, 3)),
        );
        let (is_two, is_three) = (terms.eq(x, two), terms.eq(x, three));
        let below = terms.compare(Op::BvUlt, x, three);
        let both = terms.and(is_two, below);
        let either = terms.or(is_three, below);
        let neither = terms.not(either);
        let mut path = Path::default();
        for open in [both, either, neither] {
            assert_eq!(path.settled(&terms, open), None);
        }
        path.learn(&terms, both, true);
        assert_eq!(path.settled(&terms, is_two), Some(true));
        assert_eq!(path.settled(&terms, is_three), Some(false));
        assert_eq!(path.settled(&terms, either), Some(true));
        assert_eq!(path.settled(&terms, neither), Some(false));
    }

    #[test]
    fn conditions_may_be_deep_and_share_their_parts() {
        let mut terms = Terms::new();
        let one = |terms: &mut Terms, key: u64| {
            let x = terms.variable(key, Sort::BitVec(8));
            let zero = terms.constant(Bits::new(8, 0));
            terms.eq(x, zero)
        };
        let first = one(&mut terms, 0);
        let mut deep = first;
        for key in 1..100_000 {
            let other = one(&mut terms, key);
            // Twice below itself, so that there are more ways down than could ever be walked.
            let left = terms.and(deep, other);
            let right = terms.not(deep);
            deep = terms.or(left, right);
        }
        let mut path = Path::default();
        assert_eq!(path.settled(&terms, deep), None);
        path.learn(&terms, deep, false);
        assert_eq!(path.settled(&terms, deep), Some(false));
        assert_eq!(path.settled(&terms, first), None);
    }
}
