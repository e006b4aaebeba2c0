//! Whose move it is next.

use super::{Can, Life, Thread, Threads};
use crate::shared::state;
use elsewise_wire::threads::operations;

/// Where nothing is said, nobody moves for more than this part of a run's moves at a stretch.
const TURNS: u64 = 8;

impl Threads {
    /// The next number of the schedule, if there is one.
    pub fn decided(&mut self) -> Option<u32> {
        let (next, rest) = self.schedule.split_first_chunk()?;
        self.schedule = rest;
        Some(u32::from_le_bytes(*next))
    }

    /// Whose move it is next.
    pub fn next(&mut self) -> Option<usize> {
        if state().header().operations == operations::SERIAL {
            return self.next_serial();
        }
        if let Some(name) = self.decided() {
            let at = self.all[..self.used]
                .iter()
                .position(|thread| thread.life == Life::Alive && thread.name == name);
            // Otherwise the run is not the one that the schedule is of; the engine sees it.
            if let Some(at) = at.filter(|at| self.all[*at].can_move() != Can::Not) {
                return Some(at);
            }
        }
        if self.sampler.is_on() {
            return self.sampled();
        }
        let me = self.current;
        let mine = &self.all[me];
        // Who has moved for so long lets the others have a turn: it may be waiting for one of them.
        let long = self.in_a_row >= state().header().move_limit / TURNS;
        let yields = mine.life != Life::Alive || mine.gives_way || mine.pending.yields() || long;
        if !yields && mine.can_move() == Can::Now {
            return Some(me);
        }
        let others = || (me + 1..self.used).chain(0..self.used.min(me + 1));
        let able = |at: &usize| self.all[*at].life == Life::Alive;
        let found = |can: Can| {
            others()
                .filter(able)
                .find(|at| self.all[*at].can_move() == can)
        };
        found(Can::Now).or_else(|| found(Can::Late))
    }

    /// The same where operations are performed one after the other: they are finished first, then
    /// whatever is none goes on, and then the schedule has who performs the next one.
    fn next_serial(&mut self) -> Option<usize> {
        let me = self.current;
        let all = &self.all[..self.used];
        let find = |can: Can, fits: &dyn Fn(&Thread) -> bool| {
            let others = (me..all.len()).chain(0..me.min(all.len()));
            others.into_iter().find(|at| {
                let thread = &all[*at];
                thread.life == Life::Alive && thread.can_move() == can && fits(thread)
            })
        };
        let begun = find(Can::Now, &|thread| thread.operations > 0);
        let other = || {
            find(Can::Now, &|thread| {
                !thread.calling && !thread.pending.yields()
            })
        };
        let found = begun.or_else(other);
        if found.is_some() {
            return found;
        }
        let called = |name: u32| find(Can::Now, &|thread| thread.calling && thread.name == name);
        let mut rest = self.schedule;
        let mut chosen = None;
        while let Some((next, left)) = rest.split_first_chunk() {
            rest = left;
            chosen = called(u32::from_le_bytes(*next));
            if chosen.is_some() {
                break;
            }
        }
        let found = chosen
            .or_else(|| find(Can::Now, &|_| true))
            .or_else(|| find(Can::Late, &|_| true));
        self.schedule = rest;
        found
    }

    /// Whose move it is next, by chance.
    fn sampled(&mut self) -> Option<usize> {
        let (all, used) = (&self.all, self.used);
        let able = |at: usize| all[at].life == Life::Alive && all[at].can_move() != Can::Not;
        self.sampler
            .choose(used, able, |at| all[at].pending.yields())
    }
}
