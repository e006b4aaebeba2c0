//! Parts of the tree that are closed with all that is below.

use super::{Item, PositionId, State, Tree};

impl Tree {
    /// Closes everything in the frontier below a taken alternative, or the alternative itself; what was
    /// closed.
    pub fn close_below(&mut self, item: Item, verdict: State) -> Vec<Item> {
        match self.state(item) {
            Some(State::Position(below)) => self.close_all(below, verdict),
            Some(State::Open | State::Claimed) => {
                self.close(item, verdict);
                vec![item]
            }
            _ => Vec::new(),
        }
    }

    /// Closes everything in the frontier at a position and below it; what was closed.
    pub fn close_all(&mut self, position: PositionId, verdict: State) -> Vec<Item> {
        let mut closed = Vec::new();
        let mut open = vec![position];
        while let Some(position) = open.pop() {
            let ways: Vec<(u64, State)> = self.ways(position).collect();
            for (alternative, state) in ways {
                let item = Item {
                    position,
                    alternative,
                };
                match state {
                    State::Position(below) => open.push(below),
                    State::Open | State::Claimed if self.close(item, verdict) => closed.push(item),
                    _ => {}
                }
            }
        }
        closed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bounds, Kind, LeafEnd, SiteId, Step};

    #[test]
    fn what_is_below_is_closed_and_nothing_else() {
        let mut tree = Tree::new(Bounds::default());
        let step = |site, taken| Step {
            site: SiteId(site),
            kind: Kind::Branch,
            alternatives: 2,
            taken,
            asleep: false,
        };
        let end = LeafEnd {
            assumed: false,
            cut: false,
        };
        let steps = [step(0, 0), step(1, 0), step(2, 0)];
        tree.insert_steps(0, steps.into_iter(), end);
        let item = |position, alternative| Item {
            position: PositionId(position),
            alternative,
        };
        let closed = tree.close_below(item(0, 0), State::Subsumed);
        assert_eq!(closed, [item(1, 1), item(2, 1)]);
        assert_eq!((tree.frontier(), tree.subsumed()), (1, 2));
        // A run that gets there all the same is taken in.
        tree.insert_steps(1, [step(0, 0), step(1, 1)].into_iter(), end);
        assert_eq!((tree.subsumed(), tree.paths()), (1, 2));
        assert_eq!(
            tree.close_below(item(0, 1), State::Subsumed),
            [item(0, 1)],
            "one that is open itself"
        );
        assert!(tree.close_below(item(0, 1), State::Subsumed).is_empty());
        assert!(tree.is_complete());
    }
}
