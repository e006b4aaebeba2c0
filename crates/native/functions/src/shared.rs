//! Arrays of one type that are equally long, or not, may be the same: parameters that have arrays of their
//! own may lead to those of others that have as many elements as they need.

use super::plan::{Root, RootKind, RootLength, Ways};
use super::planner::Planner;
use crate::types::{Kind, TypeId};

/// How many elements a pointer needs, or an object has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Count {
    Exactly(u32),
    /// As a root says.
    As(usize),
}

/// A parameter that is a pointer to objects of its own pool.
#[derive(Clone, Copy, Debug)]
struct Owner {
    root: usize,
    pool: usize,
    of: TypeId,
    needs: Count,
    /// What it points to must end by itself, as no other array does.
    ends: bool,
}

impl Planner<'_> {
    /// Adds arrays of others to what parameters may point to; what must hold then, as expressions in C.
    pub(super) fn share(&mut self, roots: &mut [Root]) -> Vec<String> {
        let owners: Vec<Owner> = (0..roots.len())
            .filter_map(|root| self.owner(roots, root))
            .collect();
        let mut assumed = Vec::new();
        for one in &owners {
            assumed.extend(self.parts_of_arrays(roots, *one));
            let mut others: Vec<Owner> = Vec::new();
            // Objects that only members lead to are nobody's.
            let members = self.by_type.get(&Some(one.of)).map(|pool| Owner {
                root: usize::MAX,
                pool: *pool,
                ends: self.pools[*pool].ends,
                ..*one
            });
            for other in owners.iter().chain(&members) {
                let known = others.iter().any(|known| known.pool == other.pool);
                if other.of == one.of && other.pool != one.pool && !known {
                    others.push(*other);
                }
            }
            for other in others {
                let Some(holds) = self.may_lead(roots, *one, other) else {
                    continue;
                };
                let of_pool = owners.iter().filter(|owner| owner.pool == other.pool);
                let of_pool: Vec<usize> = of_pool.map(|owner| owner.root).collect();
                let of_members = !self.only_of_parameters(roots, other.pool);
                if of_pool.is_empty() && !of_members {
                    continue;
                }
                self.add_target(roots, one.root, other.pool);
                self.bound(roots, other.pool);
                if of_members && holds == "1" {
                    continue;
                }
                for number in 0..self.pools[other.pool].most {
                    let object = format!("elw_type_{}.objects[{number}]", other.pool);
                    let is =
                        |root: usize| format!("((char *){} == {object})", roots[root].variable);
                    // An array that nobody else has is one of its own.
                    let mut had: Vec<String> = of_pool.iter().map(|root| is(*root)).collect();
                    if of_members {
                        had = vec!["1".into()];
                    }
                    assumed.push(format!(
                        "!{} | !{} | (({}) & ({holds}))",
                        roots[one.root].variable,
                        is(one.root),
                        had.join(" | "),
                    ));
                }
            }
        }
        assumed
    }

    fn owner(&self, roots: &[Root], index: usize) -> Option<Owner> {
        let root = &roots[index];
        let [cell] = &root.cells[..] else {
            return None;
        };
        let pointer = matches!(self.types.resolved(root.ty), Some(Kind::Pointer { .. }));
        let Ways::Objects { targets, .. } = &self.ways[cell.ways] else {
            return None;
        };
        if root.kind != RootKind::Parameter || !pointer {
            return None;
        }
        let (pool, _) = *targets.first()?;
        let of = self.pools[pool].ty?;
        if matches!(self.types.kind(of), Kind::Opaque { .. }) {
            return None;
        }
        Some(Owner {
            root: index,
            pool,
            of,
            needs: self.has(pool),
            ends: self.pools[pool].ends,
        })
    }

    /// How many elements an object has.
    fn has(&self, pool: usize) -> Count {
        let pool = &self.pools[pool];
        match pool.length {
            Some(root) => Count::As(root),
            None if pool.ends && !pool.is_text() => Count::Exactly(pool.elements - 1),
            None => Count::Exactly(pool.elements),
        }
    }

    /// What must hold where one points to an array of the other's pool, if it may.
    fn may_lead(&self, roots: &[Root], one: Owner, other: Owner) -> Option<String> {
        let most = self.options.max_elements;
        if one.ends {
            return None;
        }
        // Lengths below zero say nothing: there are as many elements as there can be. No branches: they would be
        // choices.
        let count = |root: usize| {
            let variable = &roots[root].variable;
            match roots[root].length {
                RootLength::Signed => {
                    format!("(({variable} < 0) * {most}ll + ({variable} >= 0) * {variable})")
                }
                _ => format!("(long long){variable}"),
            }
        };
        // Where both may lead to each other's, one way is enough.
        let first = one.root < other.root;
        match (one.needs, self.has(other.pool)) {
            (Count::Exactly(needs), Count::Exactly(has)) => {
                (needs < has || needs == has && (first || other.ends)).then(|| "1".into())
            }
            (Count::As(_), Count::Exactly(has)) if has >= most => Some("1".into()),
            (Count::As(root), Count::Exactly(has)) => Some(format!("{} <= {has}", count(root))),
            (Count::Exactly(needs), Count::As(_)) if needs >= most => None,
            (Count::Exactly(needs), Count::As(root)) => Some(format!("{} > {needs}", count(root))),
            (Count::As(needs), Count::As(has)) => {
                let compares = if first { "<=" } else { "<" };
                Some(format!("{} {compares} {}", count(needs), count(has)))
            }
        }
    }

    /// A parameter's own ways, with the objects of one more pool.
    fn add_target(&mut self, roots: &mut [Root], root: usize, pool: usize) {
        let cell = &mut roots[root].cells[0];
        if let Ways::Objects { to, targets } = self.ways[cell.ways].clone() {
            let mut targets = targets;
            targets.push((pool, 0));
            self.ways.push(Ways::Objects { to, targets });
            cell.ways = self.ways.len() - 1;
        }
    }

    /// Do only parameters lead to the objects of a pool?
    fn only_of_parameters(&self, roots: &[Root], pool: usize) -> bool {
        let leads = |ways: usize| match &self.ways[ways] {
            Ways::Objects { targets, .. } => targets.iter().any(|(to, _)| *to == pool),
            Ways::Values(_) => false,
        };
        let others = roots
            .iter()
            .filter(|root| root.kind != RootKind::Parameter)
            .flat_map(|root| &root.cells);
        let mut cells = self.pools.iter().flat_map(|pool| &pool.cells).chain(others);
        !cells.any(|cell| leads(cell.ways))
    }

    /// There are no more objects of a pool than pointers to them.
    fn bound(&mut self, roots: &[Root], pool: usize) {
        if self.only_of_parameters(roots, pool) {
            let pointers = roots
                .iter()
                .map(|root| root.cells.iter().map(|cell| cell.count).sum::<u64>());
            let pointers = u32::try_from(pointers.sum::<u64>()).unwrap_or(u32::MAX);
            self.pools[pool].most = self.pools[pool].most.min(pointers.max(1));
        }
    }

    /// A part of a larger object is an array of one element.
    fn parts_of_arrays(&mut self, roots: &mut [Root], one: Owner) -> Vec<String> {
        let mut assumed = Vec::new();
        let cell = &roots[one.root].cells[0];
        let is_array = self.pools[one.pool].length.is_some() || self.pools[one.pool].elements > 1;
        let Ways::Objects { targets, .. } = &self.ways[cell.ways] else {
            return assumed;
        };
        if one.ends || !is_array {
            return assumed;
        }
        let variable = &roots[one.root].variable;
        let few = match one.needs {
            Count::As(root) => {
                let length = &roots[root];
                format!("({0} == 0) | ({0} == 1)", length.variable)
            }
            Count::Exactly(_) => "0".into(),
        };
        for (pool, offset) in targets.iter().skip(1) {
            for number in 0..self.pools[*pool].most {
                assumed.push(format!(
                    "!{variable} | ((char *){variable} != elw_type_{pool}.objects[{number}] + {offset}) | {few}"
                ));
            }
        }
        assumed
    }
}
