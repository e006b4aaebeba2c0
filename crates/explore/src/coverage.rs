//! Which sides any run has taken.

use crate::{Blueprint, SideId, SiteInfo};

/// A set of sides, with a count of those that people are shown.
#[derive(Clone, Debug)]
pub struct Coverage {
    reached: Vec<u64>,
    /// Sides that are left out of all counts: those of sites in our own libraries.
    hidden: Vec<u64>,
    /// Sides of checks that sanitizers have put there.
    inserted: Vec<u64>,
    sides: u32,
    own: Counted,
    checks: Counted,
}

/// How many sides there are, and how many of them were reached.
#[derive(Clone, Copy, Debug, Default)]
struct Counted {
    reached: u32,
    total: u32,
}

fn has(set: &[u64], side: SideId) -> bool {
    let word = set.get(side.0 as usize / 64);
    word.is_some_and(|word| word >> (side.0 % 64) & 1 == 1)
}

impl Coverage {
    pub fn new(blueprint: &Blueprint) -> Coverage {
        let words = (blueprint.sides as usize).div_ceil(64);
        let set_of = |wanted: &dyn Fn(&SiteInfo) -> bool| {
            let mut set = vec![0u64; words];
            for site in blueprint.sites.iter().filter(|site| wanted(site)) {
                let end = site.first_side.saturating_add(site.sides);
                for side in site.first_side..end.min(blueprint.sides) {
                    set[side as usize / 64] |= 1 << (side % 64);
                }
            }
            set
        };
        let hidden = set_of(&|site| site.hidden);
        let inserted = set_of(&|site| site.inserted && !site.hidden);
        let count = |set: &[u64]| set.iter().map(|word| word.count_ones()).sum::<u32>();
        let checks = count(&inserted);
        Coverage {
            own: Counted {
                reached: 0,
                total: blueprint.sides - count(&hidden) - checks,
            },
            checks: Counted {
                reached: 0,
                total: checks,
            },
            reached: vec![0; words],
            hidden,
            inserted,
            sides: blueprint.sides,
        }
    }

    /// True when the side is new. A side that the blueprint does not know is never new.
    pub fn add(&mut self, side: SideId) -> bool {
        if side.0 >= self.sides || self.contains(side) {
            return false;
        }
        self.reached[side.0 as usize / 64] |= 1 << (side.0 % 64);
        match (has(&self.hidden, side), has(&self.inserted, side)) {
            (true, _) => {}
            (false, true) => self.checks.reached += 1,
            (false, false) => self.own.reached += 1,
        }
        true
    }

    pub fn contains(&self, side: SideId) -> bool {
        has(&self.reached, side)
    }

    /// Is it a side that exploration should head for: one that no run has taken, and not hidden?
    pub fn is_wanted(&self, side: SideId) -> bool {
        !has(&self.hidden, side) && !self.contains(side)
    }

    /// Sides of the program's own that were reached, hidden ones left out.
    pub fn reached(&self) -> u32 {
        self.own.reached
    }

    /// Sides of the program's own, hidden ones left out.
    pub fn total(&self) -> u32 {
        self.own.total
    }

    /// Sides of checks that sanitizers have put there: reached, and all.
    pub fn checks(&self) -> (u32, u32) {
        (self.checks.reached, self.checks.total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn checks_of_sanitizers_are_counted_apart() {
        let site = |first_side, inserted, hidden| SiteInfo {
            first_side,
            sides: 2,
            inserted,
            hidden,
            ..SiteInfo::default()
        };
        let blueprint = Blueprint {
            sites: vec![
                site(0, false, false),
                site(2, true, false),
                site(4, true, true),
            ],
            sides: 6,
            ..Blueprint::default()
        };
        let mut coverage = Coverage::new(&blueprint);
        assert_eq!((coverage.total(), coverage.checks()), (2, (0, 2)));
        for side in 0..6 {
            assert!(coverage.is_wanted(SideId(side)) == (side < 4));
            assert!(coverage.add(SideId(side)));
        }
        assert_eq!((coverage.reached(), coverage.checks()), (2, (2, 2)));
    }
}
