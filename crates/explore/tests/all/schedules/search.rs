//! The search as a campaign would do it, and the same by trying everything.

use super::machine::{CASES, End, Log, Machine, Program, Set, thread_named};
use elsewise_explore::schedule::{Bounded, Oracle, Seen, Unfinished, Wakeup, Wakeups, preemptions};
use elsewise_explore::{Bounds, Choice, Item, Kind, LeafEnd, Random, State, Step, Tree};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// What makes an execution different from others: for each thread its moves, each with what it chose
/// and how many moves had written each byte of each object before.
pub type Class = Vec<Vec<(Vec<u64>, Vec<((u64, u8), u32)>)>>;

pub struct Found {
    pub classes: BTreeSet<Class>,
    pub ends: BTreeSet<End>,
    pub runs: usize,
    /// Runs whose path was known already.
    pub repeated: usize,
}

pub fn class(log: &Log, threads: usize) -> Class {
    let mut class = vec![Vec::new(); threads];
    let mut writes: BTreeMap<(u64, u8), u32> = BTreeMap::new();
    let moves = &log.moves.moves;
    let first = moves
        .first()
        .map_or(log.choices.len(), |first| first.choice as usize);
    let chosen = log.choices[..first]
        .iter()
        .map(|choice| choice.taken)
        .collect();
    class[0].push((chosen, Vec::new()));
    for (index, one) in moves.iter().enumerate() {
        let next = moves
            .get(index + 1)
            .map_or(log.choices.len(), |next| next.choice as usize);
        let inner = &log.choices[one.choice as usize + 1..next];
        let chosen = inner.iter().map(|choice| choice.taken).collect();
        let accesses = log.moves.accesses(&one.accesses);
        let bytes = accesses.iter().flat_map(|access| {
            let bytes = (0..8).filter(|byte| access.bytes >> byte & 1 == 1);
            bytes.map(|byte| ((access.object, byte), access.writes))
        });
        let seen = bytes.map(|(byte, writes_it)| {
            let count = writes.entry(byte).or_default();
            let seen = (byte, *count);
            *count += u32::from(writes_it);
            seen
        });
        class[thread_named(one.thread)].push((chosen, seen.collect()));
    }
    class
}

/// Every case, every interleaving; `None` if there are more than `most`.
pub fn everything(program: &Program, most: usize) -> Option<Found> {
    everything_within(program, most, u32::MAX)
}

/// The same with at most so many preemptions.
pub fn everything_within(program: &Program, most: usize, bound: u32) -> Option<Found> {
    let mut found = Found {
        classes: BTreeSet::new(),
        ends: BTreeSet::new(),
        runs: 0,
        repeated: 0,
    };
    for case in 0..CASES {
        let mut open = vec![(Machine::new(program, case), None, 0)];
        while let Some((machine, last, preempted)) = open.pop() {
            let enabled = machine.enabled();
            if enabled.is_empty() {
                let (log, end) = machine.finish();
                if bound < u32::MAX {
                    let counted = preemptions(&log.moves).len() as u32;
                    assert_eq!(counted, preempted, "{program:?}");
                }
                found.classes.insert(class(&log, program.len()));
                found.ends.insert(end);
                found.runs += 1;
                if found.runs > most {
                    return None;
                }
                continue;
            }
            let goes_on = last.filter(|last| enabled.contains(last) && !machine.gives_way(*last));
            for thread in enabled {
                let preempted = preempted + u32::from(goes_on.is_some_and(|last| last != thread));
                if preempted > bound {
                    continue;
                }
                let mut ways = 1;
                let mut way = 0;
                while way < ways {
                    let mut next = machine.clone();
                    next.step(thread, |count| {
                        ways = count;
                        way
                    });
                    open.push((next, Some(thread), preempted));
                    way += 1;
                }
            }
        }
    }
    Some(found)
}

/// Runs a case by a schedule, each of whose threads must be able to move.
pub fn run(program: &Program, case: usize, schedule: &[u32]) -> (Log, End) {
    let (log, end, followed) = follow(program, case, schedule);
    assert!(
        followed,
        "case {case}: a thread of the schedule cannot move: {schedule:?}\n{program:?}"
    );
    (log, end)
}

/// Runs a case by a schedule, as far as that can be done; could it?
pub fn follow(program: &Program, case: usize, schedule: &[u32]) -> (Log, End, bool) {
    let mut machine = Machine::new(program, case);
    let mut schedule = schedule.iter();
    let mut last = 0;
    let mut followed = true;
    loop {
        let enabled = machine.enabled();
        if enabled.is_empty() {
            let (log, end) = machine.finish();
            return (log, end, followed);
        }
        let wanted = schedule.next().map(|thread| thread_named(*thread));
        let able = wanted.filter(|thread| enabled.contains(thread));
        followed &= able == wanted;
        let thread = match able {
            Some(thread) => thread,
            None if enabled.contains(&last) => last,
            None => enabled[0],
        };
        machine.step(thread, |ways| {
            let way = schedule.next().copied().unwrap_or(0);
            way.min(ways - 1)
        });
        last = thread;
    }
}

struct Runs(Vec<(usize, Log)>);

impl Oracle for Runs {
    fn same(&mut self, inputs: u32, run: u32, choices: Range<u32>) -> bool {
        let case = self.0[inputs as usize].0;
        let conditions = &self.0[run as usize].1.conditions;
        let range = choices.start as usize..choices.end as usize;
        conditions[range].iter().all(|set| set >> case & 1 == 1)
    }
}

enum Job {
    First,
    Alternative(Item),
    Wakeup(Wakeup),
    /// Looks at the other races of a run.
    GoOn(Unfinished),
}

/// What is still to be tried of other orders.
enum Orders {
    All(Wakeups),
    Few(Bounded),
}

impl Orders {
    fn note(&mut self, seen: &Seen<'_>, runs: &mut Runs) {
        match self {
            Orders::All(wakeups) => wakeups.note(seen, runs),
            Orders::Few(bounded) => bounded.note(seen),
        }
    }

    /// How much is decided of each order that is left to try, and how many runs are to be looked at further.
    fn left(&self) -> (Vec<u32>, usize) {
        match self {
            Orders::All(wakeups) => {
                let mut decided: Vec<u32> = wakeups.decided().collect();
                decided.sort_unstable();
                (decided, wakeups.unfinished())
            }
            Orders::Few(bounded) => (Vec::new(), bounded.open()),
        }
    }
}

/// What was looked at, in order.
#[derive(Clone)]
enum Look {
    /// At a run, and what it was to try: the inputs of which run, with which schedule.
    Run(u32, Option<(u32, Vec<u32>)>),
    More(u32),
}

/// Searches in an order that `random` decides.
pub fn search(program: &Program, random: &mut Random, most: usize) -> Found {
    // With little work at once, most races are put off.
    let work = [0, 10, 1000][random.below(3)];
    let new = || Orders::All(Wakeups::with_work(work));
    search_in(program, random, most, &new, false)
}

/// The same, where what is still to be tried is forgotten every now and then, and made anew from what was looked at.
pub fn search_in_sessions(program: &Program, random: &mut Random, most: usize) -> Found {
    let work = [0, 10, 1000][random.below(3)];
    let new = || Orders::All(Wakeups::with_work(work));
    search_in(program, random, most, &new, true)
}

/// Searches the orders with at most so many preemptions.
pub fn search_within(program: &Program, random: &mut Random, most: usize, bound: u32) -> Found {
    let new = || Orders::Few(Bounded::new(bound));
    search_in(program, random, most, &new, false)
}

/// What is still to be tried after all of this was looked at.
fn made_anew(new: &dyn Fn() -> Orders, looks: &[Look], tree: &Tree, runs: &mut Runs) -> Orders {
    let mut orders = new();
    for look in looks {
        let (Look::Run(run, _) | Look::More(run)) = look;
        let log = runs.0[*run as usize].1.clone();
        let positions = tree.path(log.choices.iter().map(Step::from));
        let mut followed = None;
        if let (Look::Run(_, Some((of, schedule))), Orders::All(wakeups)) = (look, &mut orders) {
            followed = wakeups.take_tried(*of, schedule);
            assert!(followed.is_some(), "what a run tried is found again");
        }
        let seen = Seen {
            run: *run,
            choices: &log.choices,
            moves: &log.moves,
            positions: &positions,
            followed: followed.as_ref(),
        };
        match (look, &mut orders) {
            (Look::More(_), Orders::All(wakeups)) => {
                let from = wakeups.take_unfinished(*run);
                wakeups.go_on(&seen, from.expect("it was put off again"), runs);
            }
            (_, orders) => orders.note(&seen, runs),
        }
    }
    orders
}

fn search_in(
    program: &Program,
    random: &mut Random,
    most: usize,
    new: &dyn Fn() -> Orders,
    forgets: bool,
) -> Found {
    let mut orders = new();
    let mut looks: Vec<Look> = Vec::new();
    let mut found = Found {
        classes: BTreeSet::new(),
        ends: BTreeSet::new(),
        runs: 0,
        repeated: 0,
    };
    let mut tree = Tree::new(Bounds::default());
    let mut runs = Runs(Vec::new());
    let mut frontier: Vec<Item> = Vec::new();
    let mut job = Job::First;
    loop {
        let (case, schedule, followed) = match job {
            Job::First => (0, Vec::new(), None),
            Job::Wakeup(wakeup) => {
                let case = runs.0[wakeup.run as usize].0;
                (case, wakeup.schedule.clone(), Some(wakeup))
            }
            Job::GoOn(from) => {
                let log = runs.0[from.run as usize].1.clone();
                let positions = tree.path(log.choices.iter().map(Step::from));
                let seen = Seen {
                    run: from.run,
                    choices: &log.choices,
                    moves: &log.moves,
                    positions: &positions,
                    followed: None,
                };
                if let Orders::All(wakeups) = &mut orders {
                    wakeups.go_on(&seen, from, &mut runs);
                }
                looks.push(Look::More(from.run));
                match next(&tree, &mut orders, &mut frontier, random) {
                    Some(next) => job = next,
                    None => return found,
                }
                continue;
            }
            Job::Alternative(item) => {
                let (case, log) = &runs.0[tree.witness(item.position) as usize];
                let index = tree.depth(item.position) as usize;
                let mut schedule: Vec<u32> = log.choices[..index]
                    .iter()
                    .filter_map(Choice::scheduled)
                    .collect();
                let mut set = log.conditions[..index]
                    .iter()
                    .fold(Set::MAX, |all, one| all & one);
                match tree.kind(item.position) {
                    Kind::Pick => schedule.push(item.alternative as u32),
                    _ => set &= !log.conditions[index],
                }
                let case = match set >> case & 1 {
                    1 => Some(*case),
                    _ => (0..CASES).find(|case| set >> case & 1 == 1),
                };
                let Some(case) = case else {
                    tree.close(item, State::Infeasible);
                    match next(&tree, &mut orders, &mut frontier, random) {
                        Some(next) => job = next,
                        None => return found,
                    }
                    continue;
                };
                (case, schedule, None)
            }
        };
        let (log, end) = run(program, case, &schedule);
        found.runs += 1;
        assert!(found.runs <= most, "more runs than executions: {program:?}");
        found.classes.insert(class(&log, program.len()));
        found.ends.insert(end);
        let asleep = followed
            .as_ref()
            .map(|followed| followed.asleep(&log.moves, log.choices.len() as u32));
        let asleep = asleep.unwrap_or_default();
        let steps = log.choices.iter().enumerate().map(|(index, choice)| Step {
            asleep: asleep.iter().any(|range| range.contains(&(index as u32))),
            ..Step::from(choice)
        });
        let number = runs.0.len() as u32;
        let leaf = LeafEnd {
            assumed: false,
            cut: false,
        };
        let inserted = tree.insert_steps(number, steps, leaf);
        assert_eq!(inserted.diverged, None, "{program:?}");
        found.repeated += usize::from(!inserted.new_path);
        let positions = tree.path(log.choices.iter().map(Step::from));
        for position in &positions {
            for alternative in 0..2 {
                let item = Item {
                    position: *position,
                    alternative,
                };
                if tree.kind(*position) != Kind::Thread && tree.claim(item) {
                    frontier.push(item);
                }
            }
            let mut from = 2;
            while let Some(alternative) = tree
                .next_open(*position, from)
                .filter(|_| tree.kind(*position) == Kind::Pick)
            {
                let item = Item {
                    position: *position,
                    alternative,
                };
                tree.claim(item);
                frontier.push(item);
                from = alternative + 1;
            }
        }
        runs.0.push((case, log.clone()));
        let seen = Seen {
            run: number,
            choices: &log.choices,
            moves: &log.moves,
            positions: &positions,
            followed: followed.as_ref(),
        };
        orders.note(&seen, &mut runs);
        let tried = followed.map(|one| (one.run, one.schedule));
        looks.push(Look::Run(number, tried));
        if forgets && random.below(4) == 0 {
            let before = orders.left();
            orders = made_anew(new, &looks, &tree, &mut runs);
            assert_eq!(orders.left(), before, "{program:?}");
        }
        match next(&tree, &mut orders, &mut frontier, random) {
            Some(next) => job = next,
            None => return found,
        }
    }
}

/// Something that is still to be tried, any of it.
fn next(
    tree: &Tree,
    orders: &mut Orders,
    frontier: &mut Vec<Item>,
    random: &mut Random,
) -> Option<Job> {
    loop {
        let wakeups = match orders {
            Orders::All(wakeups) => wakeups,
            Orders::Few(bounded) => {
                let all = frontier.len() + bounded.open();
                if all == 0 {
                    return None;
                }
                let index = random.below(all);
                if index >= frontier.len() {
                    return bounded.next_open().map(Job::Wakeup);
                }
                let item = frontier.swap_remove(index);
                if tree.state(item) == Some(State::Claimed) {
                    return Some(Job::Alternative(item));
                }
                continue;
            }
        };
        let all = frontier.len() + wakeups.open() + wakeups.unfinished();
        if all == 0 {
            assert!(wakeups.is_done());
            return None;
        }
        let index = random.below(all);
        if index >= frontier.len() + wakeups.open() {
            return wakeups.next_unfinished().map(Job::GoOn);
        }
        let Some(wakeup) = index.checked_sub(frontier.len()) else {
            let item = frontier.swap_remove(index);
            if tree.state(item) == Some(State::Claimed) {
                return Some(Job::Alternative(item));
            }
            continue;
        };
        return Some(Job::Wakeup(wakeups.take(wakeup)));
    }
}
