//! The choices that decided that a run failed: had they gone another way, no run has failed so.

use crate::conditions::condition;
use crate::escape;
use crate::finding::place;
use crate::sides::way_name;
use crate::values::Values;
use elsewise_campaign::{Finding, RunEnd, Survey};
use elsewise_explore::{Kind, PositionId, SiteId, State};
use std::collections::BTreeSet;

/// Choices that are shown, the last ones.
const MOST: usize = 12;

/// A choice on the way to a failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decisive {
    pub site: SiteId,
    /// Which way the run went: `true`, `case 2`, `the value 7`, `new object 1`.
    pub way: String,
}

impl Decisive {
    /// The choice in words: its condition, if its source says it, and which way it went.
    pub fn words(&self, survey: &Survey, source: &dyn Fn(&str) -> Option<String>) -> String {
        let Some(site) = survey.sites.get(self.site.0 as usize) else {
            return self.way.clone();
        };
        let place = &site.location;
        let before = &survey.sites[..self.site.0 as usize];
        // Sites of one place are beside each other.
        let second = before
            .iter()
            .rev()
            .take(8)
            .any(|other| other.location == *place && other.is_own());
        let text =
            source(&place.file).and_then(|text| condition(&text, place.line, place.column, second));
        match text {
            Some(text) => format!("{}: {}", escape::text(&text), self.way),
            None => self.way.clone(),
        }
    }
}

impl Decisive {
    /// The same with its place before it.
    pub fn line(&self, survey: &Survey, source: &dyn Fn(&str) -> Option<String>) -> String {
        let words = self.words(survey, source);
        match survey.sites.get(self.site.0 as usize) {
            Some(site) => format!(
                "{}  {words}",
                place(&site.location.file, site.location.line, "")
            ),
            None => words,
        }
    }
}

/// Choices of the finding's run at which other runs went another way and none of them failed like
/// it; in order, each place and way once.
pub fn decisive(survey: &Survey, finding: &Finding) -> Vec<Decisive> {
    let tree = &survey.tree;
    let positions = tree.positions() as usize;
    let fails = |leaf: u32| {
        let end = survey.ends.get(tree.leaf_run(leaf) as usize);
        end == Some(&RunEnd::Failure(finding.id))
    };
    // A position's children come after it.
    let mut holds = vec![false; positions];
    let mut above: Vec<Option<(PositionId, u64)>> = vec![None; positions];
    let mut at = None;
    for index in (0..positions).rev() {
        let position = PositionId(index as u32);
        for (way, state) in tree.ways(position) {
            match state {
                State::Position(child) => {
                    above[child.0 as usize] = Some((position, way));
                    holds[index] |= holds[child.0 as usize];
                }
                State::Leaf(leaf) => {
                    holds[index] |= fails(leaf);
                    if u64::from(tree.leaf_run(leaf)) == finding.case {
                        at = Some((position, way));
                    }
                }
                _ => {}
            }
        }
    }
    let mut path = Vec::new();
    while let Some((position, taken)) = at {
        path.push((position, taken));
        at = above[position.0 as usize];
    }
    path.reverse();
    let names = Values::new(survey).along(&path);
    let mut found = Vec::new();
    let mut known = BTreeSet::new();
    for ((position, taken), name) in path.into_iter().zip(names).rev() {
        if found.len() == MOST {
            break;
        }
        let others = || tree.ways(position).filter(|(way, _)| *way != taken);
        let elsewhere = others().any(|(_, state)| state.is_taken());
        let spared = others().all(|(_, state)| match state {
            State::Position(child) => !holds[child.0 as usize],
            State::Leaf(leaf) => !fails(leaf),
            _ => true,
        });
        let site = tree.site(position);
        let info = survey.sites.get(site.0 as usize);
        // Which thread moves is shown by the schedule as a whole.
        let telling = elsewhere && spared && tree.kind(position) != Kind::Thread;
        if let Some(info) = info.filter(|info| telling && info.is_own()) {
            let way = match tree.kind(position) {
                Kind::Value => name.unwrap_or_else(|| format!("the value {taken}")),
                Kind::Pick => format!("way {}", taken + 1),
                _ => way_name(info, taken as u32),
            };
            if known.insert((site, way.clone())) {
                found.push(Decisive { site, way });
            }
        }
    }
    found.reverse();
    found
}
