//! The tree of choices, as far as it can be drawn.

use crate::{campaigns, languages};
use elsewise_campaign::{RunEnd, Store, Survey};
use elsewise_explore::{ALTERNATIVE_OTHER, Kind, PositionId, State};
use elsewise_frontend::{Problem, SavedSubject};
use elsewise_report::Values;
use elsewise_report::machine::{TreeEnd, TreeNode, TreeWay, tree_dot, way_name};
use std::collections::VecDeque;
use std::path::Path;

/// Choices that are drawn, those nearest to the root: Graphviz takes minutes for more.
const MOST: usize = 2000;

pub fn dot(store: &Store) -> Result<String, Problem> {
    let summary = campaigns::summary(store)?;
    let survey = store.survey()?;
    let empty = "no choice depends on the input";
    let subject = languages::saved_or_bytes(store.dir());
    Ok(tree_dot(
        &summary.subject,
        &nodes(&survey, subject.as_ref()),
        empty,
    ))
}

fn nodes(survey: &Survey, subject: &dyn SavedSubject) -> Vec<TreeNode> {
    let State::Position(root) = survey.tree.root() else {
        return Vec::new();
    };
    let mut nodes: Vec<TreeNode> = Vec::new();
    let mut values = Values::new(survey);
    let mut queue = VecDeque::from([(root, None)]);
    // Numbers are given when a choice is first seen.
    let mut seen = 1;
    while let Some((position, met)) = queue.pop_front() {
        let ways = survey.tree.ways(position).filter_map(|(way, state)| {
            let (value, met) = values.name(met, position, way);
            let end = match state {
                State::Position(_) if seen >= MOST => TreeEnd::More,
                State::Position(next) => {
                    queue.push_back((next, met));
                    seen += 1;
                    TreeEnd::Choice(seen - 1)
                }
                State::Leaf(leaf) => leaf_end(survey, survey.tree.leaf_run(leaf)),
                State::Open | State::Claimed => TreeEnd::Open,
                State::Infeasible => TreeEnd::Impossible,
                State::Subsumed => TreeEnd::Subsumed,
                State::GaveUp(reason) => TreeEnd::Undecided(reason.kind().word().to_owned()),
                State::Unwanted | State::Answered => return None,
            };
            Some(TreeWay {
                name: value.unwrap_or_else(|| name(survey, subject, position, way)),
                end,
            })
        });
        let ways = ways.collect();
        nodes.push(TreeNode {
            place: place(survey, position),
            ways,
        });
    }
    nodes
}

fn leaf_end(survey: &Survey, run: u32) -> TreeEnd {
    let number = u64::from(run);
    match survey.ends.get(run as usize) {
        Some(RunEnd::Failure(finding)) => TreeEnd::Finding(number, *finding),
        Some(RunEnd::Exit(code)) => TreeEnd::Run(number, format!("exit code {code}")),
        _ => TreeEnd::Run(number, "does not count".to_owned()),
    }
}

fn name(survey: &Survey, subject: &dyn SavedSubject, position: PositionId, way: u64) -> String {
    match survey.tree.kind(position) {
        Kind::Value if way == ALTERNATIVE_OTHER => "another value".to_owned(),
        Kind::Value => way.to_string(),
        Kind::Thread => subject.mover(way as u32),
        Kind::Pick => format!("way {}", way + 1),
        Kind::Question => ["no", "yes"][usize::from(way > 0)].to_owned(),
        Kind::Assume => ["holds", "does not hold"][usize::from(way > 0)].to_owned(),
        Kind::Branch | Kind::Form | Kind::Switch => {
            let site = survey.sites.get(survey.tree.site(position).0 as usize);
            match (survey.tree.kind(position), site) {
                (Kind::Switch, Some(site)) if site.clauses => {
                    elsewise_report::way_name(site, way.min(u32::MAX.into()) as u32)
                }
                _ => way_name(survey.tree.ways(position).count() as u64, way),
            }
        }
    }
}

fn place(survey: &Survey, position: PositionId) -> String {
    let site = survey.sites.get(survey.tree.site(position).0 as usize);
    let Some(site) = site.filter(|site| !site.location.file.is_empty()) else {
        return "in a library".to_owned();
    };
    let file = Path::new(&site.location.file).file_name();
    let file = file.unwrap_or_default().to_string_lossy();
    let asks = match survey.tree.kind(position) {
        Kind::Question => "?",
        _ => "",
    };
    match site.location.line {
        0 => format!("{file}{asks}"),
        line => format!("{file}:{line}{asks}"),
    }
}
