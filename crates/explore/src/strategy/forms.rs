//! Alternatives in which something is given in another form ([`crate::Shape::Form`]): one of each site,
//! then a second one of each, and so on.
//!
//! Each of them doubles what there is to explore and mostly shows nothing that the first at its site has
//! not shown: they must not be in the way of alternatives that decide what the program does.

use super::{News, Pick, Strategy, pick};
use crate::{Coverage, Kind, PositionId, SiteId, Tree};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::ops::Range;

#[derive(Default)]
pub struct Forms {
    /// By how many of the site came before it, then the earlier first.
    open: BinaryHeap<Reverse<(u32, u32)>>,
    sites: BTreeMap<SiteId, u32>,
}

impl Strategy for Forms {
    fn name(&self) -> &'static str {
        "forms"
    }

    fn note(&mut self, tree: &Tree, _coverage: &Coverage, news: &News) {
        let reopened = news.reopened.map(|position| position.0);
        for position in news.positions.clone().chain(reopened) {
            let id = PositionId(position);
            if tree.kind(id) == Kind::Form {
                let before = self.sites.entry(tree.site(id)).or_default();
                self.open.push(Reverse((*before, position)));
                *before += 1;
            }
        }
    }

    fn next(&mut self, tree: &Tree, _coverage: &Coverage) -> Option<Pick> {
        while let Some(Reverse((_, position))) = self.open.pop() {
            if let Some(alternative) = tree.next_open(PositionId(position), 0) {
                return Some(pick(position, alternative));
            }
        }
        None
    }
}

/// What is left of the news for those who do not care for forms: one part for each stretch of
/// positions between two of them, at least one.
pub fn without(tree: &Tree, news: &News) -> Vec<News> {
    let is_form = |position: u32| tree.kind(PositionId(position)) == Kind::Form;
    let mut parts: Vec<Range<u32>> = Vec::new();
    for position in news.positions.clone().filter(|at| !is_form(*at)) {
        match parts.last_mut() {
            Some(part) if part.end == position => part.end += 1,
            _ => parts.push(position..position + 1),
        }
    }
    if parts.is_empty() {
        parts.push(news.positions.end..news.positions.end);
    }
    let reopened = news.reopened.filter(|position| !is_form(position.0));
    let mut parts: Vec<News> = parts
        .into_iter()
        .map(|positions| News {
            positions,
            reopened: None,
            ..news.clone()
        })
        .collect();
    parts[0].reopened = reopened;
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::Mix;
    use crate::{Blueprint, LeafEnd, SiteInfo, Step};

    fn step(site: u32, kind: Kind) -> Step {
        Step {
            site: SiteId(site),
            kind,
            alternatives: 2,
            taken: 0,
            asleep: false,
        }
    }

    fn nothing() -> Coverage {
        Coverage::new(&Blueprint::default())
    }

    /// Eighteen branches, and two forms at each of two sites.
    fn tree() -> (Tree, News) {
        let mut tree = Tree::new(crate::Bounds::default());
        let branches = (0..18).map(|_| step(0, Kind::Branch));
        let forms = [1, 1, 2, 2].map(|site| step(site, Kind::Form));
        let end = LeafEnd {
            assumed: false,
            cut: false,
        };
        let steps = forms[..3].iter().copied().chain(branches);
        let inserted = tree.insert_steps(0, steps.chain([forms[3]]), end);
        let news = News {
            positions: inserted.new_positions,
            reopened: None,
            ..News::reopened(PositionId(0))
        };
        (tree, news)
    }

    fn picked(strategy: &mut dyn Strategy, tree: &mut Tree) -> Vec<(u32, Kind)> {
        let coverage = nothing();
        std::iter::from_fn(|| {
            let item = strategy.next(tree, &coverage)?.item;
            assert!(tree.claim(item));
            Some((tree.site(item.position).0, tree.kind(item.position)))
        })
        .collect()
    }

    #[test]
    fn each_site_once_before_any_twice() {
        let (mut tree, news) = tree();
        let mut forms = Forms::default();
        forms.note(&tree, &nothing(), &news);
        let sites: Vec<u32> = picked(&mut forms, &mut tree)
            .iter()
            .map(|(site, _)| *site)
            .collect();
        assert_eq!(sites, [1, 2, 1, 2]);
    }

    #[test]
    fn forms_are_rare_while_there_is_anything_else_and_none_is_left_out() {
        let (mut tree, news) = tree();
        let blueprint = Blueprint {
            sites: vec![SiteInfo::default(); 3],
            ..Blueprint::default()
        };
        let mut mix = Mix::new(1, &blueprint);
        mix.note(&tree, &nothing(), &news);
        let kinds: Vec<bool> = picked(&mut mix, &mut tree)
            .iter()
            .map(|(_, kind)| *kind == Kind::Form)
            .collect();
        assert_eq!(kinds.len(), 22);
        assert_eq!(kinds.iter().filter(|form| **form).count(), 4);
        assert_eq!(kinds[..19].iter().filter(|form| **form).count(), 1);
    }

    #[test]
    fn the_others_hear_of_stretches_between_forms() {
        let (tree, news) = tree();
        let parts = without(&tree, &news);
        assert_eq!(parts.len(), 1);
        assert_eq!(parts[0].positions, 3..21);
        let only = News {
            positions: 0..2,
            ..news
        };
        assert_eq!(without(&tree, &only).len(), 1);
    }
}
