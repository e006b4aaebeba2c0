//! Full interpolants by point: conditions under which nothing below is new.

use crate::condition::Condition;
use crate::points::Point;
use rustc_hash::FxHashMap;

/// Conditions that are kept for one point.
const MOST: usize = 12;

#[derive(Default)]
pub(crate) struct ConditionStore {
    by_point: FxHashMap<Point, Vec<Condition>>,
    pub count: u64,
}

impl ConditionStore {
    /// Conditions for a point, those that were of use lately first.
    pub fn at(&self, point: Point) -> &[Condition] {
        self.by_point.get(&point).map_or(&[], Vec::as_slice)
    }

    /// One of them was of use.
    pub fn used(&mut self, point: Point, index: usize) {
        if let Some(list) = self.by_point.get_mut(&point) {
            list[..=index].rotate_right(1);
        }
    }

    /// Keeps a condition, unless one that says no more is kept already.
    pub fn add(&mut self, point: Point, condition: Condition) {
        let list = self.by_point.entry(point).or_default();
        if list.iter().any(|known| known.is_weaker(&condition)) {
            return;
        }
        list.retain(|known| !condition.is_weaker(known));
        list.insert(0, condition);
        list.truncate(MOST);
        self.count += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::Cell;
    use elsewise_term::Terms;

    const POINT: Point = Point {
        context: 0,
        layout: 0,
        heap: 0,
        block: 1,
        step: 0,
    };

    /// That each of these bytes is 1.
    fn condition(terms: &mut Terms, bytes: &[u64]) -> Condition {
        let one = terms.bits(8, 1);
        let atoms = bytes.iter().map(|address| {
            let byte = Cell::Byte(*address).term(terms);
            terms.eq(byte, one)
        });
        let atoms: Vec<_> = atoms.collect();
        Condition::of(terms, atoms).expect("a condition")
    }

    #[test]
    fn the_weakest_are_kept() {
        let mut terms = Terms::new();
        let mut store = ConditionStore::default();
        let [weak, strong, other] =
            [&[1][..], &[1, 2], &[3]].map(|bytes| condition(&mut terms, bytes));
        store.add(POINT, strong.clone());
        store.add(POINT, other.clone());
        assert_eq!(store.at(POINT).len(), 2);
        store.add(POINT, weak.clone());
        assert_eq!(store.at(POINT), [weak.clone(), other.clone()]);
        store.add(POINT, strong);
        assert_eq!(store.at(POINT), [weak, other]);
        assert_eq!(store.count, 3);
    }

    #[test]
    fn points_have_conditions_of_their_own() {
        let mut terms = Terms::new();
        let mut store = ConditionStore::default();
        store.add(POINT, condition(&mut terms, &[1]));
        assert!(store.at(Point { heap: 1, ..POINT }).is_empty());
        assert!(store.at(Point { step: 1, ..POINT }).is_empty());
    }

    #[test]
    fn what_was_of_use_stays_longest() {
        let mut terms = Terms::new();
        let mut store = ConditionStore::default();
        let all: Vec<Condition> = (0..=MOST as u64)
            .map(|byte| condition(&mut terms, &[byte]))
            .collect();
        for one in &all[..MOST] {
            store.add(POINT, one.clone());
        }
        // The oldest is the last of the list.
        assert_eq!(store.at(POINT)[MOST - 1], all[0]);
        store.used(POINT, MOST - 1);
        assert_eq!(store.at(POINT)[0], all[0]);
        store.add(POINT, all[MOST].clone());
        assert_eq!(store.at(POINT).len(), MOST);
        assert!(store.at(POINT).contains(&all[0]));
        assert!(!store.at(POINT).contains(&all[1]));
    }
}
