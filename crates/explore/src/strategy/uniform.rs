//! Any alternative of the frontier, each as likely as the other.

use super::{News, Pick, Strategy, pick};
use crate::{ALTERNATIVE_OTHER, Coverage, Item, Kind, PositionId, Random, State, Tree};

pub struct Uniform {
    random: Random,
    /// Position and alternative; what is not open any more is thrown out when drawn, or all at
    /// once when it is most of the list.
    items: Vec<(u32, u32)>,
}

/// Stands for [`ALTERNATIVE_OTHER`], which has no room in 32 bits.
const OTHER: u32 = u32::MAX;

impl Uniform {
    pub fn new(seed: u64) -> Uniform {
        Uniform {
            random: Random::new(seed),
            items: Vec::new(),
        }
    }

    fn add(&mut self, tree: &Tree, position: u32) {
        let mut from = 0;
        while let Some(alternative) = tree.next_open(PositionId(position), from) {
            if tree.kind(PositionId(position)) == Kind::Value {
                self.items.push((position, OTHER));
                break;
            }
            self.items.push((position, alternative as u32));
            from = alternative + 1;
        }
    }

    fn item((position, alternative): (u32, u32)) -> Item {
        let alternative = match alternative {
            OTHER => ALTERNATIVE_OTHER,
            _ => u64::from(alternative),
        };
        pick(position, alternative).item
    }
}

impl Strategy for Uniform {
    fn name(&self) -> &'static str {
        "random"
    }

    fn note(&mut self, tree: &Tree, _coverage: &Coverage, news: &News) {
        if let Some(PositionId(position)) = news.reopened {
            self.add(tree, position);
        }
        for position in news.positions.clone() {
            self.add(tree, position);
        }
        if self.items.len() as u64 > 2 * tree.frontier() + 4096 {
            let in_frontier = |item: &(u32, u32)| {
                let state = tree.state(Uniform::item(*item));
                matches!(state, Some(State::Open | State::Claimed))
            };
            self.items.retain(in_frontier);
            self.items.sort_unstable();
            self.items.dedup();
        }
    }

    fn next(&mut self, tree: &Tree, _coverage: &Coverage) -> Option<Pick> {
        while !self.items.is_empty() {
            let drawn = self.random.below(self.items.len());
            let item = Uniform::item(self.items.swap_remove(drawn));
            if tree.state(item) == Some(State::Open) {
                return Some(Pick { item, by: 0 });
            }
        }
        None
    }
}
