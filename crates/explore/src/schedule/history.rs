//! Histories: the calls of a data structure's operations with their results, and whether some order of
//! them, one after the other, explains the results.
//!
//! What the operations do one after the other is not written down anywhere: the subject itself is run
//! that way (Burckhardt, Dern, Musuvathi, Tan: Line-Up). An operation that had ended before another
//! began comes before it (Herlihy, Wing: linearizability).

use crate::SiteId;
use rustc_hash::FxHashMap;

/// One call of an operation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Operation {
    pub thread: u32,
    pub name: String,
    pub arguments: Vec<u64>,
    /// `None` while it has not ended; an operation may have no result.
    pub result: Option<Option<u64>>,
    /// Its place among all beginnings and ends.
    pub begins: u32,
    pub ends: Option<u32>,
    pub site: SiteId,
}

impl Operation {
    /// Had it ended before the other began?
    fn precedes(&self, other: &Operation) -> bool {
        self.ends.is_some_and(|end| end < other.begins)
    }

    /// Is the other what it is: the same call with the same result? Whatever has not ended could
    /// have any.
    fn agrees(&self, other: &Operation) -> bool {
        self.name == other.name
            && self.arguments == other.arguments
            && (self.result.is_none() || self.result == other.result)
    }
}

/// The subject with its operations one after the other.
pub trait Serial {
    /// Lets these threads each perform its next operation, in this order: what they did. `None` if that
    /// cannot be had.
    fn run(&mut self, order: &[u32]) -> Option<Vec<Operation>>;
}

/// Whether an order explains a history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Explained {
    /// The threads in the order of their operations.
    By(Vec<u32>),
    /// The longest of the orders' beginnings that agree, and what that run did.
    ByNone {
        agrees: usize,
        serial: Vec<Operation>,
    },
    /// There are too many orders, or a run could not be had.
    Unknown,
}

/// Looks for an order, with at most so many runs of the subject.
pub fn explain(history: &[Operation], most: usize, serial: &mut dyn Serial) -> Explained {
    let mut search = Search {
        history,
        own: FxHashMap::default(),
        known: FxHashMap::default(),
        left: most,
        best: (0, Vec::new()),
    };
    for (index, one) in history.iter().enumerate() {
        search.own.entry(one.thread).or_default().push(index);
    }
    for own in search.own.values_mut() {
        own.sort_by_key(|index| history[*index].begins);
    }
    search.look(serial)
}

struct Search<'a> {
    history: &'a [Operation],
    /// Each thread's operations in order.
    own: FxHashMap<u32, Vec<usize>>,
    /// What the last operation of an order is when it is performed one by one; `None` if it is not.
    known: FxHashMap<Vec<u32>, Option<Operation>>,
    left: usize,
    best: (usize, Vec<Operation>),
}

impl Search<'_> {
    fn look(&mut self, serial: &mut dyn Serial) -> Explained {
        // The order so far, and for each of its places who could come there yet.
        let mut order: Vec<u32> = Vec::new();
        let mut open: Vec<Vec<u32>> = vec![self.next(&order)];
        while let Some(candidates) = open.last_mut() {
            if order.len() == self.history.len() {
                return Explained::By(order);
            }
            let Some(thread) = candidates.pop() else {
                open.pop();
                order.pop();
                continue;
            };
            order.push(thread);
            match self.agrees(&order, serial) {
                None => return Explained::Unknown,
                Some(true) => open.push(self.next(&order)),
                Some(false) => drop(order.pop()),
            }
        }
        let (agrees, serial) = std::mem::take(&mut self.best);
        Explained::ByNone { agrees, serial }
    }

    /// The operation of a thread that comes next after an order.
    fn following(&self, order: &[u32], thread: u32) -> Option<&Operation> {
        let done = order.iter().filter(|one| **one == thread).count();
        let index = self.own.get(&thread)?.get(done)?;
        Some(&self.history[*index])
    }

    /// Threads whose next operation may come next.
    fn next(&self, order: &[u32]) -> Vec<u32> {
        let mut threads: Vec<u32> = self.own.keys().copied().collect();
        // The last one is tried first.
        threads.sort_unstable_by(|a, b| b.cmp(a));
        let waiting: Vec<(u32, &Operation)> = threads
            .iter()
            .filter_map(|thread| Some((*thread, self.following(order, *thread)?)))
            .collect();
        let free = |one: &Operation| !waiting.iter().any(|(_, other)| other.precedes(one));
        waiting
            .iter()
            .filter(|(_, one)| free(one))
            .map(|(thread, _)| *thread)
            .collect()
    }

    /// Is the last operation of an order what it is in the history? `None` if that cannot be told.
    fn agrees(&mut self, order: &[u32], serial: &mut dyn Serial) -> Option<bool> {
        if !self.known.contains_key(order) {
            self.left = self.left.checked_sub(1)?;
            let mut whole = order.to_vec();
            while let Some(thread) = self.next(&whole).pop() {
                whole.push(thread);
            }
            let ran = serial.run(&whole)?;
            let mut agreed = true;
            for length in 1..=whole.len() {
                let (before, thread) = (&whole[..length - 1], whole[length - 1]);
                let done = ran.get(length - 1).filter(|one| one.thread == thread);
                let wanted = self.following(before, thread);
                agreed &= wanted
                    .zip(done)
                    .is_some_and(|(one, other)| one.agrees(other));
                if agreed && length > self.best.0 || self.best.1.is_empty() {
                    self.best = (if agreed { length } else { 0 }, ran.clone());
                }
                let known = self.known.entry(whole[..length].to_vec());
                known.or_insert_with(|| done.cloned());
            }
        }
        let (last, before) = order.split_last()?;
        let wanted = self.following(before, *last)?;
        let done = self.known.get(order)?.as_ref();
        Some(done.is_some_and(|done| wanted.agrees(done)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `(thread, name, argument, result, begins, ends)`; a result of 99 has not come.
    type Row = (u32, &'static str, u64, u64, u32, u32);

    fn history(rows: &[Row]) -> Vec<Operation> {
        let operation = |(thread, name, argument, result, begins, ends): &Row| Operation {
            thread: *thread,
            name: name.to_string(),
            arguments: vec![*argument],
            result: (*result != 99).then_some(Some(*result)),
            begins: *begins,
            ends: (*result != 99).then_some(*ends),
            site: SiteId(0),
        };
        rows.iter().map(operation).collect()
    }

    /// A register that holds a number, whose operations are those of a history.
    struct Register<'a> {
        program: &'a [Operation],
        runs: usize,
    }

    impl Serial for Register<'_> {
        fn run(&mut self, order: &[u32]) -> Option<Vec<Operation>> {
            self.runs += 1;
            let mut value = 0;
            let mut done: Vec<Operation> = Vec::new();
            for thread in order {
                let own = self.program.iter().filter(|one| one.thread == *thread);
                let earlier = done.iter().filter(|one| one.thread == *thread).count();
                let mut one = own.clone().nth(earlier)?.clone();
                one.result = Some(Some(match one.name.as_str() {
                    "write" => {
                        value = one.arguments[0];
                        0
                    }
                    "add" => {
                        value += one.arguments[0];
                        value
                    }
                    _ => value,
                }));
                done.push(one);
            }
            Some(done)
        }
    }

    fn explained(rows: &[Row]) -> Explained {
        let program = history(rows);
        let mut register = Register {
            program: &program,
            runs: 0,
        };
        explain(&program, 1000, &mut register)
    }

    #[test]
    fn overlapping_calls_may_come_in_any_order() {
        let rows = [(1, "write", 1, 0, 0, 3), (2, "read", 0, 0, 1, 2)];
        assert_eq!(explained(&rows), Explained::By(vec![2, 1]));
        let rows = [(1, "write", 1, 0, 0, 3), (2, "read", 0, 1, 1, 2)];
        assert_eq!(explained(&rows), Explained::By(vec![1, 2]));
    }

    #[test]
    fn what_has_ended_comes_before_what_begins() {
        // The read began after the write had ended, and yet saw nothing of it.
        let rows = [(1, "write", 1, 0, 0, 1), (2, "read", 0, 0, 2, 3)];
        let Explained::ByNone { agrees, serial } = explained(&rows) else {
            panic!("explained");
        };
        assert_eq!(agrees, 1);
        assert_eq!(serial[1].result, Some(Some(1)));
    }

    #[test]
    fn a_lost_update() {
        let rows = [(1, "add", 1, 1, 0, 2), (2, "add", 1, 1, 1, 3)];
        assert!(matches!(
            explained(&rows),
            Explained::ByNone { agrees: 1, .. }
        ));
        let rows = [(1, "add", 1, 2, 0, 2), (2, "add", 1, 1, 1, 3)];
        assert_eq!(explained(&rows), Explained::By(vec![2, 1]));
    }

    #[test]
    fn what_has_not_ended_may_have_had_its_effect_or_not() {
        for seen in [0, 1] {
            let rows = [(1, "write", 1, 99, 0, 0), (2, "read", 0, seen, 1, 2)];
            assert!(matches!(explained(&rows), Explained::By(_)), "{seen}");
        }
        let rows = [(1, "write", 1, 99, 0, 0), (2, "read", 0, 7, 1, 2)];
        assert!(matches!(explained(&rows), Explained::ByNone { .. }));
    }

    /// All histories of three threads with two calls each, and small results: compared with trying
    /// every order.
    #[test]
    fn agrees_with_trying_every_order() {
        let mut random = crate::random::Random::new(7);
        let mut both = [0, 0];
        for _ in 0..400 {
            // A random order of beginnings and ends.
            let mut rows: Vec<Row> = Vec::new();
            let mut clock = 0;
            let mut open: [Option<usize>; 3] = [None; 3];
            let mut calls = [0; 3];
            while calls.iter().any(|count| *count < 2) || open.iter().any(Option::is_some) {
                let thread = random.below(3);
                match open[thread].take() {
                    Some(index) => rows[index].5 = clock,
                    None if calls[thread] < 2 => {
                        let name = ["write", "read", "add"][random.below(3)];
                        let result = match name {
                            "write" => 0,
                            _ => random.below(3) as u64,
                        };
                        open[thread] = Some(rows.len());
                        calls[thread] += 1;
                        rows.push((thread as u32, name, 1, result, clock, 0));
                    }
                    None => continue,
                }
                clock += 1;
            }
            let program = history(&rows);
            let brute = {
                let mut orders: Vec<Vec<u32>> = vec![Vec::new()];
                for _ in 0..6 {
                    orders = orders
                        .iter()
                        .flat_map(|order| {
                            (0..3u32)
                                .filter(|thread| {
                                    order.iter().filter(|one| *one == thread).count() < 2
                                })
                                .map(|thread| [order.as_slice(), &[thread]].concat())
                        })
                        .collect();
                }
                orders.iter().any(|order| {
                    let mut register = Register {
                        program: &program,
                        runs: 0,
                    };
                    let ran = register.run(order).unwrap();
                    let right = ran.iter().all(|one| {
                        let own = program.iter().filter(|other| other.begins == one.begins);
                        own.clone().all(|other| other.result == one.result)
                    });
                    let timely = (0..6)
                        .all(|later| (0..later).all(|earlier| !ran[later].precedes(&ran[earlier])));
                    right && timely
                })
            };
            let found = matches!(explained(&rows), Explained::By(_));
            assert_eq!(found, brute, "{rows:?}");
            both[usize::from(found)] += 1;
        }
        assert!(both.iter().all(|count| *count > 20), "{both:?}");
    }
}
