//! The tree of choices as compact text that the page's script draws.
//!
//! Nodes come in preorder, each as a few numbers of seven bits a byte, low ones first, all in
//! base64; `tree.js` reads them. A node begins with its code and the way that leads to it (of a value
//! that was made concrete, twice the value, or an odd number for one that has a name):
//!
//! | code | node | what follows |
//! |---|---|---|
//! | 0 to 4 | a choice, by its kind | site, impossible ways, number of children |
//! | 8 | a path that ended well | run |
//! | 9 | a path that failed | run, finding |
//! | 10 | a run that was dismissed by an assumption | run |
//! | 11 | an alternative that waits | |
//! | 12 | an alternative that was given up | reason |
//! | 13 | a part of the tree that is left out | paths, failing paths |
//! | 14 | an alternative that was closed without a run | |

use super::base64;
use crate::escape;
use crate::sides::given_up;
use crate::values::{Met, Values};
use elsewise_campaign::{RunEnd, Survey};
use elsewise_explore::{ALTERNATIVE_OTHER, Kind, PositionId, Reason, State};
use serde::Serialize;
use std::collections::{BTreeMap, VecDeque};

/// Nodes that a page holds; of a larger tree, those nearest to its root.
pub const NODES: usize = 100_000;

/// What the script is given.
#[derive(Serialize)]
pub(super) struct TreeData {
    /// File names that sites refer to.
    files: Vec<String>,
    /// File, line and function of each site that occurs; functions are numbers too.
    sites: Vec<(usize, u32, usize)>,
    functions: Vec<String>,
    /// Why alternatives were given up, by number.
    reasons: Vec<&'static str>,
    /// Names of values, by number.
    values: Vec<String>,
    nodes: String,
    #[serde(skip)]
    pub count: usize,
    /// Whether all of the tree is here.
    #[serde(skip)]
    pub whole: bool,
}

impl TreeData {
    /// At most `most` nodes.
    pub fn new(survey: &Survey, most: usize) -> TreeData {
        let shown = select(survey, most);
        let mut writer = Writer::new(survey);
        let below = Below::new(survey);
        // What is still to be written, the next one last.
        let mut stack = vec![(0u64, survey.tree.root(), None)];
        while let Some((way, state, met)) = stack.pop() {
            match state {
                State::Position(position) if shown.get(position) => {
                    let children = stack.len();
                    let mut impossible = 0;
                    for (way, state) in survey.tree.ways(position) {
                        match state {
                            State::Infeasible => impossible += 1,
                            _ if is_node(state) => {
                                let (way, met) = writer.way(met, position, way);
                                stack.push((way, state, met));
                            }
                            _ => {}
                        }
                    }
                    stack[children..].reverse();
                    let children = stack.len() - children;
                    writer.choice(way, position, impossible, children);
                }
                State::Position(position) => {
                    let (paths, failing) = below.of(position);
                    writer.node(13, way, &[paths.into(), failing.into()]);
                }
                State::Leaf(leaf) => writer.leaf(way, leaf),
                State::Open | State::Claimed => writer.node(11, way, &[]),
                State::Subsumed => writer.node(14, way, &[]),
                State::GaveUp(reason) => writer.node(12, way, &[reason as u64]),
                _ => {}
            }
        }
        TreeData {
            files: writer.files.list,
            sites: writer.sites.list,
            functions: writer.functions.list,
            reasons: Reason::ALL.map(given_up).to_vec(),
            values: writer.names.list,
            nodes: base64(&writer.bytes),
            count: writer.count,
            whole: shown.whole,
        }
    }
}

/// Is an alternative in this state drawn?
fn is_node(state: State) -> bool {
    let shown = matches!(
        state,
        State::Open | State::Claimed | State::Subsumed | State::GaveUp(_)
    );
    state.is_taken() || shown
}

/// Which positions are shown with all that hangs at them.
struct Shown {
    set: Vec<bool>,
    whole: bool,
}

impl Shown {
    fn get(&self, position: PositionId) -> bool {
        self.set.get(position.0 as usize) == Some(&true)
    }
}

/// Those nearest to the root, as long as they and what hangs at them is not too much.
fn select(survey: &Survey, most: usize) -> Shown {
    let mut shown = Shown {
        set: vec![false; survey.tree.positions() as usize],
        whole: true,
    };
    let mut queue = VecDeque::new();
    if let State::Position(root) = survey.tree.root() {
        queue.push_back(root);
    }
    let mut nodes = 1;
    while let Some(position) = queue.pop_front() {
        let ways = || survey.tree.ways(position).filter(|(_, s)| is_node(*s));
        let more = ways().count();
        if nodes + more > most {
            shown.whole = false;
            continue;
        }
        nodes += more;
        shown.set[position.0 as usize] = true;
        queue.extend(ways().filter_map(|(_, state)| match state {
            State::Position(child) => Some(child),
            _ => None,
        }));
    }
    shown
}

/// Paths below each position, and those of them that fail.
struct Below {
    paths: Vec<u32>,
    failing: Vec<u32>,
}

impl Below {
    fn new(survey: &Survey) -> Below {
        let tree = &survey.tree;
        let positions = tree.positions() as usize;
        let mut below = Below {
            paths: vec![0; positions],
            failing: vec![0; positions],
        };
        // A position's children come after it.
        for index in (0..positions).rev() {
            for (_, state) in tree.ways(PositionId(index as u32)) {
                let (paths, failing) = match state {
                    State::Position(child) => below.of(child),
                    State::Leaf(leaf) => {
                        let end = survey.ends.get(tree.leaf_run(leaf) as usize);
                        (1, u32::from(matches!(end, Some(RunEnd::Failure(_)))))
                    }
                    _ => (0, 0),
                };
                below.paths[index] = below.paths[index].saturating_add(paths);
                below.failing[index] = below.failing[index].saturating_add(failing);
            }
        }
        below
    }

    fn of(&self, position: PositionId) -> (u32, u32) {
        let index = position.0 as usize;
        (self.paths[index], self.failing[index])
    }
}

/// Things that are written once and named by number.
struct Numbered<T> {
    list: Vec<T>,
    known: BTreeMap<T, usize>,
}

impl<T: Clone + Ord> Numbered<T> {
    fn new() -> Numbered<T> {
        Numbered {
            list: Vec::new(),
            known: BTreeMap::new(),
        }
    }

    fn number(&mut self, thing: &T) -> usize {
        if let Some(number) = self.known.get(thing) {
            return *number;
        }
        self.list.push(thing.clone());
        self.known.insert(thing.clone(), self.list.len() - 1);
        self.list.len() - 1
    }
}

struct Writer<'a> {
    survey: &'a Survey,
    bytes: Vec<u8>,
    count: usize,
    files: Numbered<String>,
    functions: Numbered<String>,
    sites: Numbered<(usize, u32, usize)>,
    values: Values<'a>,
    names: Numbered<String>,
}

impl<'a> Writer<'a> {
    fn new(survey: &'a Survey) -> Writer<'a> {
        Writer {
            survey,
            bytes: Vec::new(),
            count: 0,
            files: Numbered::new(),
            functions: Numbered::new(),
            sites: Numbered::new(),
            values: Values::new(survey),
            names: Numbered::new(),
        }
    }

    fn int(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    fn node(&mut self, code: u64, way: u64, rest: &[u64]) {
        self.count += 1;
        self.int(code);
        // Any other value, the greatest number, becomes the shortest.
        self.int(way.wrapping_add(1));
        for number in rest {
            self.int(*number);
        }
    }

    /// A way as it is written, and the objects that have been met beyond it.
    fn way(&mut self, met: Met, position: PositionId, way: u64) -> (u64, Met) {
        if self.survey.tree.kind(position) != Kind::Value || way == ALTERNATIVE_OTHER {
            return (way, met);
        }
        let (name, met) = self.values.name(met, position, way);
        // A script could not hold larger numbers exactly.
        let name = name.or_else(|| (way >= 1 << 32).then(|| format!("value {way:#x}")));
        let written = match name {
            Some(name) => self.names.number(&name) as u64 * 2 + 1,
            None => way * 2,
        };
        (written, met)
    }

    fn choice(&mut self, way: u64, position: PositionId, impossible: u64, children: usize) {
        let tree = &self.survey.tree;
        let site = self.survey.sites.get(tree.site(position).0 as usize);
        let location = site.map(|site| site.location.clone()).unwrap_or_default();
        let file = self.files.number(&escape::text(&location.file));
        let function = self.functions.number(&escape::text(&location.function));
        let site = self.sites.number(&(file, location.line, function));
        let code = tree.kind(position) as u64;
        self.node(code, way, &[site as u64, impossible, children as u64]);
    }

    fn leaf(&mut self, way: u64, leaf: u32) {
        let run = self.survey.tree.leaf_run(leaf);
        match self.survey.ends.get(run as usize) {
            Some(RunEnd::Failure(finding)) => {
                self.node(9, way, &[run.into(), u64::from(*finding)]);
            }
            Some(RunEnd::Assumed) => self.node(10, way, &[run.into()]),
            _ => self.node(8, way, &[run.into()]),
        }
    }
}
