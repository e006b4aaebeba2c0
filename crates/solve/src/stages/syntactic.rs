//! What can be seen without solving: the wanted condition or its negation stands in the slice
//! already, or bounds of one term leave it no value.

use crate::stage::{Request, Stage, Verdict};
use elsewise_term::{Op, TermId, Terms};
use rustc_hash::FxHashMap;

/// Parts of one conjunction that are looked at.
const MAX_PARTS: usize = 64;
/// Values that inequalities may cut off the end of a range, one after the other.
const MAX_CUTS: usize = 300;

/// A condition on one term of at most 64 bits that a constant bounds.
enum Bound {
    /// Inclusive ends; for signed ones with the sign bit turned round, so that the order is that
    /// of unsigned values.
    Within(Order, u64, u64),
    Not(u64),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Unsigned,
    Signed,
    Both,
}

pub(crate) struct Syntactic;

/// The term that a condition bounds, and how.
fn bound(terms: &Terms, condition: TermId) -> Option<(TermId, Bound)> {
    let operands = terms.operands(condition);
    let op = terms.op(condition)?;
    if op == Op::Not {
        let inner = operands[0];
        if terms.op(inner) != Some(Op::Eq) {
            return None;
        }
        let operands = terms.operands(inner);
        return Some((operands[0], Bound::Not(narrow(terms, operands[1])?)));
    }
    if op == Op::Eq {
        let k = narrow(terms, operands[1])?;
        return Some((operands[0], Bound::Within(Order::Both, k, k)));
    }
    let order = match op {
        Op::BvUlt | Op::BvUle => Order::Unsigned,
        Op::BvSlt | Op::BvSle => Order::Signed,
        _ => return None,
    };
    let strict = matches!(op, Op::BvUlt | Op::BvSlt);
    let width = terms.width(operands[0]);
    if width > 64 {
        return None;
    }
    let top = u64::MAX >> (64 - width);
    let turn = turn(order, width);
    if let Some(k) = terms.as_u64(operands[1]) {
        let end = (k ^ turn).checked_sub(strict.into())?;
        return Some((operands[0], Bound::Within(order, 0, end)));
    }
    let k = terms.as_u64(operands[0])?;
    let start = (k ^ turn)
        .checked_add(strict.into())
        .filter(|k| *k <= top)?;
    Some((operands[1], Bound::Within(order, start, top)))
}

fn narrow(terms: &Terms, term: TermId) -> Option<u64> {
    match terms.is_bool(term) {
        true => None,
        false => terms.as_u64(term),
    }
}

/// What turns a value of this width into one whose unsigned order is `order`.
fn turn(order: Order, width: u32) -> u64 {
    match order {
        Order::Signed => 1 << (width - 1),
        _ => 0,
    }
}

/// The conditions that a conjunction consists of, itself if it is none.
fn parts(terms: &Terms, condition: TermId) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut work = vec![condition];
    while let Some(term) = work.pop() {
        if terms.op(term) == Some(Op::And) && found.len() + work.len() < MAX_PARTS {
            work.extend(terms.operands(term).iter());
        } else {
            found.push(term);
        }
    }
    found
}

/// Bounds on one term, with the conditions that they are from.
#[derive(Default)]
struct Bounds {
    within: Vec<(Order, u64, u64, TermId)>,
    not: FxHashMap<u64, TermId>,
}

impl Bounds {
    fn add(&mut self, bound: Bound, source: TermId) {
        match bound {
            Bound::Within(order, low, high) => self.within.push((order, low, high, source)),
            Bound::Not(k) => {
                self.not.entry(k).or_insert(source);
            }
        }
    }

    /// Conditions that leave the term no value.
    fn conflict(&self, width: u32) -> Option<Vec<TermId>> {
        self.conflict_in(Order::Unsigned, width)
            .or_else(|| self.conflict_in(Order::Signed, width))
    }

    fn conflict_in(&self, order: Order, width: u32) -> Option<Vec<TermId>> {
        let turn = turn(order, width);
        let (mut low, mut high) = (0, u64::MAX >> (64 - width));
        let (mut low_from, mut high_from) = (None, None);
        for (kind, start, end, source) in &self.within {
            let (start, end) = match kind {
                Order::Both => (start ^ turn, end ^ turn),
                kind if *kind == order => (*start, *end),
                _ => continue,
            };
            if start > low {
                (low, low_from) = (start, Some(*source));
            }
            if end < high {
                (high, high_from) = (end, Some(*source));
            }
        }
        let mut sources: Vec<TermId> = low_from.into_iter().chain(high_from).collect();
        let mut cuts = 0;
        while low <= high {
            let Some(source) = self.not.get(&(low ^ turn)) else {
                break;
            };
            sources.push(*source);
            cuts += 1;
            if low == high {
                return Some(sources);
            }
            if cuts > MAX_CUTS {
                return None;
            }
            low += 1;
        }
        while low <= high {
            let source = self.not.get(&(high ^ turn))?;
            sources.push(*source);
            cuts += 1;
            if low == high {
                return Some(sources);
            }
            if cuts > MAX_CUTS {
                return None;
            }
            high -= 1;
        }
        Some(sources)
    }
}

impl Stage for Syntactic {
    fn name(&self) -> &'static str {
        "syntactic"
    }

    fn ask(&mut self, terms: &mut Terms, request: &Request<'_>) -> Verdict {
        let never = terms.bool(false);
        if request.slice.contains(&never) {
            return Verdict::Unsat(vec![never]);
        }
        let wanted = request.wanted;
        let opposite = terms.not(wanted);
        // The wanted condition itself was taken out of the slice's prefix: if it holds now, so
        // does everything.
        if request.slice[..request.slice.len() - 1].contains(&opposite) {
            return Verdict::Unsat(vec![opposite, wanted]);
        }
        let mut bounds: FxHashMap<TermId, Bounds> = FxHashMap::default();
        for part in parts(terms, wanted) {
            if let Some((term, bound)) = bound(terms, part) {
                bounds.entry(term).or_default().add(bound, wanted);
            }
        }
        if bounds.is_empty() {
            return Verdict::Open;
        }
        for condition in &request.slice[..request.slice.len() - 1] {
            for part in parts(terms, *condition) {
                if let Some((term, bound)) = bound(terms, part)
                    && let Some(bounds) = bounds.get_mut(&term)
                {
                    bounds.add(bound, *condition);
                }
            }
        }
        let mut conflicts: Vec<Vec<TermId>> = bounds
            .iter()
            .filter_map(|(term, bounds)| bounds.conflict(terms.width(*term)))
            .collect();
        for conflict in &mut conflicts {
            conflict.sort_unstable();
            conflict.dedup();
        }
        conflicts.sort_unstable_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
        match conflicts.into_iter().next() {
            Some(conflict) => Verdict::Unsat(conflict),
            None => Verdict::Open,
        }
    }
}
