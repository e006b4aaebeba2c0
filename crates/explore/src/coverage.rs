//! Which sides any run has taken.

use crate::{Blueprint, SideId};

/// A set of sides, with a count of those that people are shown.
#[derive(Clone, Debug)]
pub struct Coverage {
    reached: Vec<u64>,
    /// Sides that are left out of the counts: those of sites in our own libraries.
    hidden: Vec<u64>,
    sides: u32,
    total: u32,
    count: u32,
}

impl Coverage {
    pub fn new(blueprint: &Blueprint) -> Coverage {
        let words = (blueprint.sides as usize).div_ceil(64);
        let mut hidden = vec![0u64; words];
        let mut total = blueprint.sides;
        for site in blueprint.sites.iter().filter(|site| site.hidden) {
            let end = site.first_side.saturating_add(site.sides);
            for side in site.first_side..end.min(blueprint.sides) {
                let word = &mut hidden[side as usize / 64];
                total -= u32::from(*word >> (side % 64) & 1 == 0);
                *word |= 1 << (side % 64);
            }
        }
        Coverage {
            reached: vec![0; words],
            hidden,
            sides: blueprint.sides,
            total,
            count: 0,
        }
    }

    /// True when the side is new. A side that the blueprint does not know is never new.
    pub fn add(&mut self, side: SideId) -> bool {
        if side.0 >= self.sides || self.contains(side) {
            return false;
        }
        let (word, bit) = (side.0 as usize / 64, side.0 % 64);
        self.reached[word] |= 1 << bit;
        self.count += u32::from(self.hidden[word] >> bit & 1 == 0);
        true
    }

    pub fn contains(&self, side: SideId) -> bool {
        self.reached
            .get(side.0 as usize / 64)
            .is_some_and(|word| word >> (side.0 % 64) & 1 == 1)
    }

    /// Is it a side that exploration should head for: one that no run has taken, and not hidden?
    pub fn is_wanted(&self, side: SideId) -> bool {
        let hidden = self
            .hidden
            .get(side.0 as usize / 64)
            .is_some_and(|word| word >> (side.0 % 64) & 1 == 1);
        !hidden && !self.contains(side)
    }

    /// Sides reached, hidden ones left out.
    pub fn reached(&self) -> u32 {
        self.count
    }

    /// Sides there are, hidden ones left out.
    pub fn total(&self) -> u32 {
        self.total
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SiteInfo;

    #[test]
    fn hidden_sides_are_covered_but_not_counted() {
        let site = |first_side, hidden| SiteInfo {
            first_side,
            sides: 2,
            hidden,
            ..SiteInfo::default()
        };
        let blueprint = Blueprint {
            sites: vec![site(0, false), site(2, true)],
            sides: 4,
            ..Blueprint::default()
        };
        let mut coverage = Coverage::new(&blueprint);
        assert!(coverage.add(SideId(1)) && coverage.add(SideId(3)));
        assert!(!coverage.add(SideId(1)) && !coverage.add(SideId(9)));
        assert_eq!((coverage.reached(), coverage.total()), (1, 2));
        let wanted: Vec<bool> = (0..4)
            .map(|side| coverage.is_wanted(SideId(side)))
            .collect();
        assert_eq!(wanted, [true, false, false, false]);
    }
}
