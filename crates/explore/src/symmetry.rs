//! Values that could as well be each other: addresses of objects of which nothing is known yet.
//!
//! Where a run takes one of them, which of them makes no difference to what follows: cases in which
//! they change places behave alike. So an alternative has a *name* instead of a value: the first
//! object that a path takes has the first name, whichever it is, the next one the second. Names are
//! the same for all runs of a path, and a run says which of its values a name stands for.

use std::sync::Arc;

/// Objects that could change places: `size` values each, from these on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Group {
    firsts: Arc<[u64]>,
    size: u64,
    /// Indices of those that have been taken, in that order: the rest could still change places.
    taken: Vec<usize>,
}

impl Group {
    pub fn new(firsts: Arc<[u64]>, size: u64) -> Group {
        Group {
            firsts,
            size,
            taken: Vec::new(),
        }
    }

    /// The first value of each object.
    pub fn firsts(&self) -> &[u64] {
        &self.firsts
    }

    /// Values of each object.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The object that has this value, and how far into it.
    pub fn find(&self, value: u64) -> Option<(usize, u64)> {
        let place = |first: &u64| value.checked_sub(*first).filter(|into| *into < self.size);
        let index = self
            .firsts
            .iter()
            .position(|first| place(first).is_some())?;
        Some((index, value - self.firsts[index]))
    }
}

/// All groups, as they are at one choice of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symmetry {
    groups: Vec<Group>,
}

impl Symmetry {
    pub fn add(&mut self, group: Group) {
        self.groups.push(group);
    }

    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// Could the object that has this value still change places with others?
    pub fn is_like_others(&self, value: u64) -> bool {
        let found = self.groups.iter().find_map(|group| {
            let (index, _) = group.find(value)?;
            Some(!group.taken.contains(&index))
        });
        found.unwrap_or(false)
    }

    /// From here on the object that has this value is told apart from the others.
    pub fn take(&mut self, value: u64) {
        for group in &mut self.groups {
            if let Some((index, _)) = group.find(value) {
                if !group.taken.contains(&index) {
                    group.taken.push(index);
                }
                return;
            }
        }
    }

    /// The name of a value: the same for all runs that came here the same way.
    pub fn name(&self, value: u64) -> u64 {
        for group in &self.groups {
            if let Some((index, into)) = group.find(value) {
                let taken = group.taken.iter().position(|taken| *taken == index);
                return group.firsts[taken.unwrap_or(group.taken.len())].wrapping_add(into);
            }
        }
        value
    }

    /// The values that a name stands for in this run: one, or all that are alike.
    pub fn values(&self, name: u64) -> Vec<u64> {
        for group in &self.groups {
            let Some((place, into)) = group.find(name) else {
                continue;
            };
            if let Some(taken) = group.taken.get(place) {
                return vec![group.firsts[*taken].wrapping_add(into)];
            }
            let alike = (0..group.firsts.len()).filter(|index| !group.taken.contains(index));
            return alike
                .map(|index| group.firsts[index].wrapping_add(into))
                .collect();
        }
        vec![name]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alike() -> Symmetry {
        let mut alike = Symmetry::default();
        alike.add(Group::new([100, 200, 300].into(), 16));
        alike.add(Group::new([1000, 2000].into(), 8));
        alike
    }

    #[test]
    fn objects_are_named_in_the_order_in_which_they_are_taken() {
        let mut alike = alike();
        assert_eq!(alike.name(300), 100);
        assert_eq!(alike.values(100), [100, 200, 300]);
        assert!(alike.is_like_others(300));
        alike.take(304);
        assert!(!alike.is_like_others(300));
        alike.take(300);
        assert_eq!(alike.name(308), 108);
        assert_eq!(alike.values(108), [308]);
        assert_eq!(alike.name(104), 204);
        assert_eq!(alike.name(204), 204);
        assert_eq!(alike.values(204), [104, 204]);
        // Other objects are not concerned.
        assert_eq!(alike.name(2000), 1000);
        assert_eq!(alike.values(1000), [1000, 2000]);
    }

    #[test]
    fn what_is_no_object_is_its_own_name() {
        let mut alike = alike();
        for value in [0, 116] {
            assert!(!alike.is_like_others(value));
            alike.take(value);
        }
        assert_eq!(alike.name(116), 116);
        assert_eq!(alike.values(116), [116]);
    }

    #[test]
    fn a_name_and_its_values_belong_together() {
        let mut alike = alike();
        for value in [200, 100, 1000, 300, 2000] {
            for other in [0, 100, 207, 300, 1000, 2007] {
                assert!(alike.values(alike.name(other)).contains(&other));
            }
            alike.take(value);
        }
        // Nothing is alike any more: each name is one value.
        for other in [100, 200, 300, 1000, 2000] {
            assert_eq!(alike.values(alike.name(other)), [other]);
        }
    }
}
