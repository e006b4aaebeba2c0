//! The conditions of one run, ready to be sliced at any of its choices.
//!
//! Conditions that share inputs, directly or through others, form a component. A union-find over
//! the inputs remembers *when* each link was made (at which condition), and links are never
//! compressed away, so the components of every prefix of the path can be read off one structure:
//! follow only links older than the prefix's end. A query costs what its slice and the wanted
//! condition's new subterms cost, not the length of the path.

use elsewise_term::{TermId, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

const NEVER: u32 = u32::MAX;

/// An input in the union-find.
struct InputNode {
    parent: u32,
    /// The condition that linked it to its parent; [`NEVER`] for a root.
    linked: u32,
    /// Places below, itself included: the smaller component is linked below the larger.
    size: u32,
    /// Places linked below this one, in order of time.
    children: Vec<u32>,
    /// Conditions that came when this was a root, in order of time.
    conditions: Vec<u32>,
}

/// The conditions of a path, in order.
pub struct Path {
    conditions: Vec<TermId>,
    /// Conditions that are in the union-find already.
    done: usize,
    places: Vec<InputNode>,
    by_input: FxHashMap<VarId, u32>,
    /// Terms that a condition contains: the first such condition, and a place of its component.
    reached: FxHashMap<TermId, (u32, u32)>,
    known: FxHashSet<TermId>,
    /// The first condition that is constantly false.
    contradiction: Option<u32>,
    stack: Vec<TermId>,
}

impl Path {
    pub fn new(conditions: Vec<TermId>) -> Path {
        Path {
            conditions,
            done: 0,
            places: Vec::new(),
            by_input: FxHashMap::default(),
            reached: FxHashMap::default(),
            known: FxHashSet::default(),
            contradiction: None,
            stack: Vec::new(),
        }
    }

    pub fn conditions(&self) -> &[TermId] {
        &self.conditions
    }

    pub fn len(&self) -> usize {
        self.conditions.len()
    }

    pub fn is_empty(&self) -> bool {
        self.conditions.is_empty()
    }

    /// Adds a condition at the end.
    pub fn push(&mut self, condition: TermId) {
        self.conditions.push(condition);
    }

    /// Those of the first `index` conditions that share inputs with `wanted`, directly or through
    /// others, in their order and each once; `wanted` last.
    pub fn slice(&mut self, terms: &Terms, index: usize, wanted: TermId) -> Vec<TermId> {
        let index = index.min(self.conditions.len());
        while self.done < index {
            self.enter(terms, self.done);
            self.done += 1;
        }
        let end = index as u32;
        if let Some(at) = self.contradiction
            && at < end
        {
            return vec![self.conditions[at as usize], wanted];
        }
        let mut roots = self.roots(terms, end, wanted);
        roots.sort_unstable();
        roots.dedup();
        let mut found = Vec::new();
        while let Some(place) = roots.pop() {
            let place = &self.places[place as usize];
            found.extend(place.conditions.iter().copied().take_while(|at| *at < end));
            for child in &place.children {
                if self.places[*child as usize].linked >= end {
                    break;
                }
                roots.push(*child);
            }
        }
        found.sort_unstable();
        let mut slice: Vec<TermId> = found
            .iter()
            .map(|at| self.conditions[*at as usize])
            .filter(|condition| *condition != wanted)
            .collect();
        slice.push(wanted);
        slice
    }

    /// The root of a place's component in the prefix that ends at `end`.
    fn root(&self, mut place: u32, end: u32) -> u32 {
        while self.places[place as usize].linked < end {
            place = self.places[place as usize].parent;
        }
        place
    }

    /// Roots of the components, in the prefix that ends at `end`, that `term` has inputs of.
    fn roots(&mut self, terms: &Terms, end: u32, term: TermId) -> Vec<u32> {
        let mut roots = Vec::new();
        let mut seen = FxHashSet::default();
        self.stack.clear();
        self.stack.push(term);
        while let Some(term) = self.stack.pop() {
            if terms.is_const(term) || !seen.insert(term) {
                continue;
            }
            if let Some((first, place)) = self.reached.get(&term)
                && *first < end
            {
                roots.push(self.root(*place, end));
            } else if let Some(var) = terms.as_var(term) {
                if let Some(place) = self.by_input.get(&var) {
                    roots.push(self.root(*place, end));
                }
            } else {
                self.stack.extend(terms.operands(term).iter());
            }
        }
        roots
    }

    fn enter(&mut self, terms: &Terms, at: usize) {
        let condition = self.conditions[at];
        let at = at as u32;
        if terms.as_bool(condition) == Some(false) && self.contradiction.is_none() {
            self.contradiction = Some(at);
        }
        if terms.is_const(condition) || !self.known.insert(condition) {
            return;
        }
        let mut component = NEVER;
        let mut fresh = Vec::new();
        self.stack.clear();
        self.stack.push(condition);
        while let Some(term) = self.stack.pop() {
            if terms.is_const(term) {
                continue;
            }
            if let Some((_, place)) = self.reached.get(&term) {
                // Entered now with no place yet, or by an earlier condition.
                if *place != NEVER {
                    component = self.link(component, *place, at);
                }
                continue;
            }
            self.reached.insert(term, (at, NEVER));
            fresh.push(term);
            match terms.as_var(term) {
                Some(var) => {
                    let place = self.place(var);
                    component = self.link(component, place, at);
                }
                None => self.stack.extend(terms.operands(term).iter()),
            }
        }
        for term in fresh {
            self.reached.insert(term, (at, component));
        }
        if component != NEVER {
            self.places[component as usize].conditions.push(at);
        }
    }

    fn place(&mut self, var: VarId) -> u32 {
        let next = self.places.len() as u32;
        let place = *self.by_input.entry(var).or_insert(next);
        if place == next {
            self.places.push(InputNode {
                parent: NEVER,
                linked: NEVER,
                size: 1,
                children: Vec::new(),
                conditions: Vec::new(),
            });
        }
        place
    }

    /// Joins the component of `place` to the one with root `component`; the root of both.
    fn link(&mut self, component: u32, place: u32, at: u32) -> u32 {
        let other = self.root(place, NEVER);
        if component == NEVER || component == other {
            return other;
        }
        let (large, small) =
            match self.places[component as usize].size >= self.places[other as usize].size {
                true => (component, other),
                false => (other, component),
            };
        self.places[small as usize].parent = large;
        self.places[small as usize].linked = at;
        self.places[large as usize].size += self.places[small as usize].size;
        self.places[large as usize].children.push(small);
        large
    }
}
