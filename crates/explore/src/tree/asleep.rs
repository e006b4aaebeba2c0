//! Choices whose other ways are left to where they are explored while a thread sleeps.

use super::{Item, Kind, PositionId, Reason, State, Tree};

impl Tree {
    /// Is another way of the position's choice left to elsewhere?
    pub fn is_asleep(&self, position: PositionId) -> bool {
        self.asleep(position).next().is_some()
    }

    /// Alternatives that are not wanted for no reason of their own.
    fn asleep(&self, position: PositionId) -> impl Iterator<Item = Item> + '_ {
        let sleeps = match self.kind(position) {
            Kind::Branch | Kind::Switch | Kind::Value | Kind::Pick | Kind::Form => true,
            // Beyond the bound they are not wanted either, and nothing tells these from each other.
            Kind::Question => {
                let asked = self.asked.get(&self.site(position));
                asked.is_some_and(|asked| *asked <= self.bounds.questions)
            }
            Kind::Assume | Kind::Thread => false,
        };
        let ways = self.ways(position).filter(move |_| sleeps);
        ways.filter(|(_, state)| *state == State::Unwanted)
            .map(move |(alternative, _)| Item {
                position,
                alternative,
            })
    }

    /// Opens all of them, since it is not known any more that they are explored elsewhere; the positions.
    pub fn wake(&mut self) -> Vec<PositionId> {
        let mut woken = Vec::new();
        for position in (0..self.positions()).map(PositionId) {
            let items: Vec<Item> = self.asleep(position).collect();
            let state = match self.bounds.depth {
                Some(bound) if self.depth(position) >= bound => State::GaveUp(Reason::Depth),
                _ => State::Open,
            };
            for item in &items {
                self.change(*item, State::Unwanted, state);
            }
            if !items.is_empty() {
                woken.push(position);
            }
        }
        woken
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ALTERNATIVE_OTHER, Bounds, LeafEnd, SiteId, Step};

    #[test]
    fn what_was_asleep_is_open() {
        let bounds = Bounds {
            depth: Some(6),
            ..Bounds::default()
        };
        let mut tree = Tree::new(bounds);
        let step = |kind, alternatives, asleep| Step {
            site: SiteId(0),
            kind,
            alternatives,
            taken: 0,
            asleep,
        };
        let steps = [
            step(Kind::Branch, 2, false),
            step(Kind::Thread, 0, false),
            step(Kind::Branch, 2, true),
            step(Kind::Assume, 2, true),
            step(Kind::Value, 0, true),
            step(Kind::Question, 2, true),
            step(Kind::Switch, 4, true),
        ];
        let end = LeafEnd {
            assumed: false,
            cut: false,
        };
        tree.insert_steps(0, steps.into_iter(), end);
        assert_eq!(tree.frontier(), 1);
        assert!(!tree.is_asleep(PositionId(1)) && tree.is_asleep(PositionId(2)));
        assert_eq!(tree.wake(), [2, 4, 5, 6].map(PositionId));
        assert_eq!(tree.frontier(), 4);
        let other = Item {
            position: PositionId(4),
            alternative: ALTERNATIVE_OTHER,
        };
        assert_eq!(tree.state(other), Some(State::Open));
        assert_eq!(tree.given_up().values().sum::<u64>(), 3, "beyond the depth");
        assert!(tree.wake().is_empty());
    }
}
