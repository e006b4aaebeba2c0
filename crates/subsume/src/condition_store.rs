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
