//! Names of values that runs went on with, in the program's terms: a pointer that was followed is
//! null, a new object or one that the path has met before, and not an address.

use elsewise_campaign::Survey;
use elsewise_explore::{ALTERNATIVE_OTHER, Group, Kind, PositionId};
use std::ops::Range;

/// Where Linux puts programs with their memory, libraries and stacks when it does not randomise.
const PLACES: [Range<u64>; 2] = [
    0x5555_5000_0000..0x5600_0000_0000,
    0x7ff0_0000_0000..0x8000_0000_0000,
];

/// The objects that a path has met so far.
pub type Met = Option<usize>;

/// Names values at positions of a tree. Objects are numbered in the order in which a path meets
/// them: in the tree of choices, which of several like ones a case has is not told apart.
pub struct Values<'a> {
    survey: &'a Survey,
    /// Objects, each with what had been met before it.
    met: Vec<(Met, Object)>,
}

/// Its group, and which of it.
type Object = (usize, usize);

impl<'a> Values<'a> {
    pub fn new(survey: &'a Survey) -> Values<'a> {
        Values {
            survey,
            met: Vec::new(),
        }
    }

    /// The name of a way out of a choice, if it is a value that is better not shown as a number,
    /// and what has been met once it is taken.
    pub fn name(&mut self, met: Met, position: PositionId, way: u64) -> (Option<String>, Met) {
        let survey = self.survey;
        let tree = &survey.tree;
        if tree.kind(position) != Kind::Value || way == ALTERNATIVE_OTHER {
            return (None, met);
        }
        let others = || {
            let ways = tree.ways(position);
            ways.filter_map(|(way, _)| find(&survey.objects, way))
        };
        let Some((object, into)) = find(&survey.objects, way) else {
            let name = match way {
                0 if others().next().is_some() => Some("null".to_owned()),
                way if PLACES.iter().any(|place| place.contains(&way)) => {
                    Some("an address".to_owned())
                }
                _ => None,
            };
            return (name, met);
        };
        let into = match others().all(|(_, other)| other == into) {
            true => String::new(),
            false => format!(" + {into}"),
        };
        match self.number(met, object) {
            (count, true) => (Some(format!("object {count}{into} again")), met),
            (count, false) => {
                self.met.push((met, object));
                let number = count + 1;
                let name = format!("new object {number}{into}");
                (Some(name), Some(self.met.len() - 1))
            }
        }
    }

    /// The names along a path from the root.
    pub fn along(&mut self, path: &[(PositionId, u64)]) -> Vec<Option<String>> {
        let mut met = None;
        let mut names = Vec::with_capacity(path.len());
        for (position, way) in path {
            let (name, now) = self.name(met, *position, *way);
            names.push(name);
            met = now;
        }
        names
    }

    /// The number of an object that was met, or how many have been.
    fn number(&self, met: Met, object: Object) -> (usize, bool) {
        let mut at = met;
        let (mut count, mut after) = (0, None);
        while let Some((before, other)) = at.and_then(|at| self.met.get(at)) {
            count += 1;
            if *other == object {
                after = Some(count - 1);
            }
            at = *before;
        }
        match after {
            Some(after) => (count - after, true),
            None => (count, false),
        }
    }
}

fn find(groups: &[Group], value: u64) -> Option<(Object, u64)> {
    groups.iter().enumerate().find_map(|(index, group)| {
        let (object, into) = group.find(value)?;
        Some(((index, object), into))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use elsewise_explore::{Blueprint, Bounds, Coverage, LeafEnd, SiteId, State, Step, Tree};
    use std::collections::BTreeMap;

    const NODES: u64 = 0x5555_5555_8000;
    const TEXTS: u64 = 0x5555_5556_0000;

    /// A campaign whose runs make these values concrete, one after the other.
    fn survey(runs: &[&[u64]]) -> Survey {
        let mut tree = Tree::new(Bounds::default());
        let end = LeafEnd {
            assumed: false,
            cut: false,
        };
        for (run, values) in (0..).zip(runs) {
            let steps = values.iter().map(|value| Step {
                site: SiteId(0),
                kind: Kind::Value,
                alternatives: 0,
                taken: *value,
                asleep: false,
            });
            tree.insert_steps(run, steps, end);
        }
        Survey {
            sites: Vec::new(),
            tree,
            coverage: Coverage::new(&Blueprint::default()),
            moments: Vec::new(),
            ends: Vec::new(),
            objects: vec![
                Group::new([NODES, NODES + 64].into(), 16),
                Group::new([TEXTS].into(), 8),
            ],
            approximations: BTreeMap::new(),
        }
    }

    /// The names along the path with these values.
    fn names(survey: &Survey, values: &[u64]) -> Vec<String> {
        let mut path = Vec::new();
        let mut state = survey.tree.root();
        for value in values {
            let State::Position(position) = state else {
                panic!("the tree ends before {value}");
            };
            path.push((position, *value));
            let mut ways = survey.tree.ways(position);
            state = ways.find(|(way, _)| way == value).unwrap().1;
        }
        let names = Values::new(survey).along(&path).into_iter();
        names.map(|name| name.unwrap_or_default()).collect()
    }

    #[test]
    fn pointers_are_objects_in_the_order_in_which_a_path_meets_them() {
        let path = [NODES, TEXTS, NODES + 64, NODES, TEXTS];
        let survey = survey(&[&path, &[0], &[NODES, 0]]);
        let expected = [
            "new object 1",
            "new object 2",
            "new object 3",
            "object 1 again",
            "object 2 again",
        ];
        assert_eq!(names(&survey, &path), expected);
        assert_eq!(names(&survey, &[NODES, 0]), ["new object 1", "null"]);
    }

    #[test]
    fn places_in_an_object_are_told_apart_where_there_are_several() {
        let survey = survey(&[&[NODES, NODES + 8], &[NODES, NODES]]);
        let path = [NODES, NODES + 8];
        assert_eq!(
            names(&survey, &path),
            ["new object 1", "object 1 + 8 again"]
        );
    }

    #[test]
    fn numbers_stay_numbers_and_other_addresses_have_no_number() {
        let stack = 0x7fff_ffff_e000;
        let survey = survey(&[&[0, 7, stack], &[1 << 40]]);
        assert_eq!(names(&survey, &[0, 7, stack]), ["", "", "an address"]);
        assert_eq!(names(&survey, &[1 << 40]), [""]);
    }
}
