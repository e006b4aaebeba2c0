//! The tree against a naive one: sets of prefixes of random decision trees.

use elsewise_explore::strategy::{self, News};
use elsewise_explore::{
    ALTERNATIVE_OTHER, Blueprint, Bounds, Coverage, Item, Kind, LeafEnd, PositionId, Random,
    Reason, SiteId, State, Step, Tree,
};
use std::collections::{BTreeMap, BTreeSet};

/// A program as the tree sees it: what is asked after a prefix of answers, or the end.
struct Program {
    seed: u64,
    depth: usize,
    values: u64,
}

impl Program {
    fn ask(&self, prefix: &[u64]) -> Option<Step> {
        let mut hash = Random::new(self.seed);
        for answer in prefix {
            hash = Random::new(hash.number() ^ answer.wrapping_mul(0x9e37_79b9));
        }
        if prefix.len() >= self.depth || hash.below(8) == 0 {
            return None;
        }
        let (kind, alternatives) = match hash.below(8) {
            0 => (Kind::Value, 0),
            1 => (Kind::Assume, 2),
            2 => (Kind::Switch, 1 + hash.below(4) as u32),
            _ => (Kind::Branch, 2),
        };
        Some(Step {
            site: SiteId(hash.below(40) as u32),
            kind,
            alternatives,
            taken: 0,
            asleep: false,
        })
    }

    /// The trace of the run that follows `prefix` and then answers at random.
    fn run(&self, prefix: &[u64], random: &mut Random) -> (Vec<Step>, LeafEnd) {
        let (mut answers, mut steps) = (Vec::new(), Vec::new());
        let mut assumed = false;
        while let Some(mut step) = self.ask(&answers) {
            step.taken = match (prefix.get(answers.len()), step.kind) {
                (Some(answer), _) => *answer,
                (None, Kind::Value) => random.number() % self.values,
                (None, _) => random.number() % u64::from(step.alternatives),
            };
            answers.push(step.taken);
            steps.push(step);
            assumed = step.kind == Kind::Assume && step.taken == 1;
            if assumed {
                break;
            }
        }
        let end = LeafEnd {
            assumed,
            cut: false,
        };
        (steps, end)
    }

    /// Number of complete traces that do not end at an assumption, by walking all of them.
    fn paths(&self) -> u64 {
        let (mut waiting, mut paths) = (vec![Vec::new()], 0);
        while let Some(prefix) = waiting.pop() {
            let Some(step) = self.ask(&prefix) else {
                paths += 1;
                continue;
            };
            let answers = match step.kind {
                Kind::Value => self.values,
                Kind::Assume => 1,
                _ => u64::from(step.alternatives),
            };
            for answer in 0..answers {
                let mut longer: Vec<u64> = prefix.clone();
                longer.push(answer);
                waiting.push(longer);
            }
        }
        paths
    }
}

/// The same counts as the tree's, from sets of prefixes.
#[derive(Default)]
struct Naive {
    positions: BTreeMap<Vec<u64>, Step>,
    taken: BTreeSet<Vec<u64>>,
    leaves: BTreeMap<Vec<u64>, bool>,
}

impl Naive {
    fn insert(&mut self, steps: &[Step], end: LeafEnd) -> bool {
        let mut prefix = Vec::new();
        for step in steps {
            self.positions.insert(prefix.clone(), *step);
            prefix.push(step.taken);
            self.taken.insert(prefix.clone());
        }
        self.leaves.insert(prefix, end.assumed).is_none()
    }

    fn frontier(&self, bounds: &Bounds) -> (u64, u64) {
        let (mut open, mut given_up) = (0, 0);
        for (prefix, step) in &self.positions {
            let taken = |answer: u64| {
                let mut longer = prefix.clone();
                longer.push(answer);
                self.taken.contains(&longer)
            };
            let deep = bounds.depth.is_some_and(|d| prefix.len() as u32 >= d);
            let left = match step.kind {
                // Any other value.
                Kind::Value => 1,
                Kind::Assume => u64::from(!taken(0)),
                _ => (0..u64::from(step.alternatives))
                    .filter(|a| !taken(*a))
                    .count() as u64,
            };
            *(if deep { &mut given_up } else { &mut open }) += left;
        }
        (open, given_up)
    }
}

#[test]
fn random_traces_give_the_counts_of_the_naive_tree() {
    for seed in 0..300 {
        let program = Program {
            seed,
            depth: 1 + seed as usize % 12,
            values: 6,
        };
        let bounds = Bounds {
            depth: (seed % 3 == 0).then_some(5),
            values: 4,
            ..Bounds::default()
        };
        let mut random = Random::new(seed * 7 + 1);
        let mut tree = Tree::new(bounds);
        let mut copy = Tree::new(bounds);
        let mut naive = Naive::default();
        for run in 0..60 {
            let (steps, end) = program.run(&[], &mut random);
            let inserted = tree.insert_steps(run, steps.iter().copied(), end);
            assert_eq!(inserted.new_path, naive.insert(&steps, end));
            assert_eq!(inserted.diverged, None);
            if let Some(attach) = inserted.attach {
                let suffix = steps[inserted.first_new_choice as usize..].iter().copied();
                let again = copy.attach(run, attach, suffix, inserted.end);
                assert_eq!(again, Ok(inserted));
            }
            let paths = naive.leaves.values().filter(|assumed| !**assumed).count();
            let (open, given_up) = naive.frontier(&bounds);
            for tree in [&tree, &copy] {
                assert_eq!(tree.paths(), paths as u64);
                assert_eq!(tree.positions() as usize, naive.positions.len());
                assert_eq!(tree.frontier(), open, "seed {seed} run {run}");
                assert_eq!(tree.given_up().values().sum::<u64>(), given_up);
            }
            for (index, step) in steps.iter().enumerate() {
                let found = tree.find(steps.iter().copied(), index as u32);
                let position = found.expect("an inserted trace is found");
                assert_eq!(tree.site(position), step.site);
                assert_eq!(tree.depth(position) as usize, index);
            }
        }
    }
}

#[test]
fn every_strategy_exhausts_the_frontier_and_repeats_itself() {
    let blueprint = Blueprint::default();
    for seed in 0..40 {
        let program = Program {
            seed,
            depth: 2 + seed as usize % 7,
            values: 5,
        };
        for name in strategy::names() {
            let first = exhaust(&program, name, &blueprint);
            assert_eq!(first, exhaust(&program, name, &blueprint), "{name}");
            assert_eq!(first.0, program.paths(), "{name} on {seed}");
        }
    }
}

/// Number of paths, and the order in which alternatives were picked.
fn exhaust(program: &Program, name: &str, blueprint: &Blueprint) -> (u64, Vec<Item>) {
    let coverage = Coverage::new(blueprint);
    let mut strategy = strategy::by_name(name, 3, blueprint).expect("a known name");
    let mut tree = Tree::new(Bounds::default());
    let mut random = Random::new(5);
    let mut runs: Vec<Vec<Step>> = Vec::new();
    let mut order = Vec::new();
    let mut prefix = Some(Vec::new());
    loop {
        if let Some(prefix) = prefix.take() {
            let (steps, end) = program.run(&prefix, &mut random);
            let inserted = tree.insert_steps(runs.len() as u32, steps.iter().copied(), end);
            if let Some(last) = order.last().copied() {
                let reopened = tree.release(last).then_some(last.position);
                let news = News {
                    run: runs.len() as u32,
                    positions: inserted.new_positions,
                    reopened,
                    new_sides: 0,
                    dismissed: end.assumed,
                    from: inserted.attach.and_then(|attach| attach.position),
                };
                strategy.note(&tree, &coverage, &news);
            } else {
                let news = News {
                    run: 0,
                    positions: inserted.new_positions,
                    reopened: None,
                    new_sides: 1,
                    dismissed: end.assumed,
                    from: inserted.attach.and_then(|attach| attach.position),
                };
                strategy.note(&tree, &coverage, &news);
            }
            runs.push(steps);
        }
        let Some(pick) = strategy.next(&tree, &coverage) else {
            break;
        };
        let item = pick.item;
        assert!(tree.claim(item) && !tree.claim(item));
        order.push(item);
        let witness = &runs[tree.witness(item.position) as usize];
        let depth = tree.depth(item.position) as usize;
        let mut answers: Vec<u64> = witness[..depth].iter().map(|step| step.taken).collect();
        let wanted = match item.alternative {
            ALTERNATIVE_OTHER => {
                let taken: Vec<u64> = tree.taken_values(item.position).collect();
                (0..program.values).find(|value| !taken.contains(value))
            }
            alternative => Some(alternative),
        };
        match wanted {
            Some(wanted) => {
                answers.push(wanted);
                prefix = Some(answers);
            }
            None => assert!(tree.close(item, State::Infeasible)),
        }
    }
    assert!(tree.is_complete(), "{name} leaves {}", tree.frontier());
    (tree.paths(), order)
}

fn branch(site: u32, taken: u64) -> Step {
    Step {
        site: SiteId(site),
        kind: Kind::Branch,
        alternatives: 2,
        taken,
        asleep: false,
    }
}

const END: LeafEnd = LeafEnd {
    assumed: false,
    cut: false,
};
const CUT: LeafEnd = LeafEnd {
    assumed: false,
    cut: true,
};

#[test]
fn contradictions_are_kept_apart() {
    let mut tree = Tree::new(Bounds::default());
    tree.insert_steps(0, [branch(0, 0), branch(1, 0)].into_iter(), END);
    let other_site = [branch(0, 0), branch(2, 0)].into_iter();
    assert_eq!(tree.insert_steps(1, other_site, END).diverged, Some(1));
    let shorter = [branch(0, 0)].into_iter();
    assert_eq!(tree.insert_steps(2, shorter, END).diverged, Some(1));
    let longer = [branch(0, 0), branch(1, 0), branch(3, 0)].into_iter();
    assert_eq!(tree.insert_steps(3, longer, END).diverged, Some(2));
    let impossible = [branch(0, 1), branch(1, 7)].into_iter();
    assert_eq!(tree.insert_steps(4, impossible, END).diverged, Some(1));
    assert_eq!((tree.paths(), tree.apart()), (2, 4));
    assert!(!tree.is_complete());
}

#[test]
fn a_cut_trace_can_be_continued() {
    let mut tree = Tree::new(Bounds::default());
    tree.insert_steps(0, [branch(0, 0)].into_iter(), CUT);
    let longer = [branch(0, 0), branch(1, 0)];
    let inserted = tree.insert_steps(1, longer.into_iter(), END);
    assert!(inserted.new_path && inserted.diverged.is_none());
    assert_eq!((tree.paths(), tree.frontier()), (1, 2));
    let again = tree.insert_steps(2, longer[..1].iter().copied(), CUT);
    assert!(!again.new_path && again.diverged.is_none());
}

#[test]
fn a_given_up_alternative_that_is_taken_later_is_not_given_up_any_more() {
    let mut tree = Tree::new(Bounds::default());
    tree.insert_steps(0, [branch(0, 0)].into_iter(), END);
    let item = Item {
        position: PositionId(0),
        alternative: 1,
    };
    assert!(tree.close(item, State::GaveUp(Reason::QueryLimit)));
    assert!(!tree.is_complete() && tree.frontier() == 0);
    tree.insert_steps(1, [branch(0, 1)].into_iter(), END);
    assert!(tree.is_complete());
}

#[test]
fn the_greatest_value_is_a_value_like_any_other() {
    let value = |taken| Step {
        site: SiteId(0),
        kind: Kind::Value,
        alternatives: 0,
        taken,
        asleep: false,
    };
    let mut tree = Tree::new(Bounds::default());
    tree.insert_steps(0, [value(u64::MAX)].into_iter(), END);
    let inserted = tree.insert_steps(1, [value(3)].into_iter(), END);
    assert_eq!(inserted.new_value, Some(PositionId(0)));
    assert_eq!((tree.paths(), tree.frontier()), (2, 1));
}

#[test]
fn ten_million_choices_take_less_than_forty_bytes_each() {
    let mut tree = Tree::new(Bounds::default());
    let count = 10_000_000;
    tree.insert_steps(0, (0..count).map(|site| branch(site % 100, 0)), END);
    assert_eq!(tree.frontier(), u64::from(count));
    let each = tree.memory() / count as usize;
    assert!(each <= 40, "{each} bytes");
}

/// Of a choice of threads, those that runs chose are the ways, and nothing is left open there.
#[test]
fn the_ways_of_a_thread_are_those_that_moved() {
    let mut tree = Tree::new(Bounds::default());
    let end = LeafEnd {
        assumed: false,
        cut: false,
    };
    // Enough positions before it that the place of its table is no state of an alternative.
    for (run, threads) in [[0, 0, 0, 0, 0, 0, 7], [0, 0, 0, 0, 0, 0, 65]]
        .iter()
        .enumerate()
    {
        let steps = threads.iter().map(|thread| Step {
            site: SiteId(0),
            kind: Kind::Thread,
            alternatives: 0,
            taken: *thread,
            asleep: false,
        });
        tree.insert_steps(run as u32, steps, end);
    }
    let ways = |position| {
        let ways = tree.ways(PositionId(position));
        ways.map(|(way, state)| (way, state.is_taken()))
            .collect::<Vec<_>>()
    };
    assert_eq!(ways(0), [(0, true)]);
    assert_eq!(ways(6), [(7, true), (65, true)]);
    assert!(tree.is_complete());
}
