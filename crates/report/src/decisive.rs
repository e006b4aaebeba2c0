//! The choices that decided that a run failed: had they gone another way, no run has failed so.

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
        if let Some(info) = info.filter(|info| telling && !info.hidden) {
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
