//! Time that does not pass by itself: each member has a stack of its own on one thread, and when it waits, whoever has waited for
//! the earliest moment goes on. Threads of the system would do, but each change from one to the next costs a place in the queue
//! of a machine that others use, and there are millions.

use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult, Yielder};
use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ptr::null;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Nanoseconds since the beginning.
pub type Nanos = u64;

pub const SECOND: Nanos = 1_000_000_000;

pub fn nanos(seconds: f64) -> Nanos {
    (seconds * SECOND as f64) as Nanos
}

pub fn seconds(nanos: Nanos) -> f64 {
    nanos as f64 / SECOND as f64
}

/// See the module's comment.
#[derive(Default)]
pub struct Clock(Mutex<State>);

#[derive(Default)]
struct State {
    now: Nanos,
    /// When somebody goes on, in which order of those who said the same, who, and which of its waits it was.
    wakes: BinaryHeap<Reverse<(Nanos, u64, usize, u64)>>,
    said: u64,
    sleepers: Vec<Sleeper>,
}

#[derive(Default)]
struct Sleeper {
    /// Waits so far: what was said of an earlier one counts no more.
    waits: u64,
    /// May it be woken early?
    light: bool,
}

impl State {
    fn say(&mut self, at: Nanos, who: usize) {
        self.said += 1;
        let waits = self.sleepers[who].waits;
        self.wakes.push(Reverse((at, self.said, who, waits)));
    }

    /// Whose turn it is.
    fn next(&mut self) -> Option<usize> {
        while let Some(Reverse((at, _, who, waits))) = self.wakes.pop() {
            if self.sleepers[who].waits == waits {
                self.now = self.now.max(at);
                self.sleepers[who].waits += 1;
                self.sleepers[who].light = false;
                return Some(who);
            }
        }
        None
    }
}

thread_local! {
    /// By what the member that is at work leaves its stack.
    static LEAVES: Cell<*const Yielder<(), ()>> = const { Cell::new(null()) };
}

/// Members call nothing that is deep.
const STACK: usize = 256 << 10;

impl Clock {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn now(&self) -> Nanos {
        self.state().now
    }

    /// Runs so many on stacks of their own, each from a moment on, until all have ended.
    pub fn run<W: FnOnce() + 'static>(
        &self,
        many: usize,
        from: impl Fn(usize) -> Nanos,
        work: impl Fn(usize) -> W,
    ) -> std::io::Result<()> {
        let mut members = Vec::with_capacity(many);
        let mut state = self.state();
        state.sleepers.resize_with(many, Sleeper::default);
        for who in 0..many {
            let work = work(who);
            let stack = DefaultStack::new(STACK)?;
            members.push(Some(Coroutine::with_stack(stack, move |leaves, ()| {
                LEAVES.set(leaves);
                work();
            })));
            state.say(from(who), who);
        }
        drop(state);
        loop {
            let next = self.state().next();
            let Some(member) = next.and_then(|who| members.get_mut(who)) else {
                return Ok(());
            };
            let result = member.as_mut().map(|member| member.resume(()));
            if matches!(result, Some(CoroutineResult::Return(()))) {
                *member = None;
            }
        }
    }

    /// Nothing happens to who waits.
    pub fn wait(&self, who: usize, until: Nanos) {
        self.pause(who, until, false);
    }

    /// May be woken before.
    pub fn doze(&self, who: usize, until: Nanos) {
        self.pause(who, until, true);
    }

    fn pause(&self, who: usize, until: Nanos, light: bool) {
        let mut state = self.state();
        state.sleepers[who].light = light;
        state.say(until, who);
        drop(state);
        let leaves = LEAVES.get();
        // SAFETY: it was set by the member that runs now, when it began or when it went on, and is there for as long as that
        // one has not ended.
        unsafe { &*leaves }.suspend(());
        LEAVES.set(leaves);
    }

    /// Wakes somebody who dozes.
    pub fn wake(&self, who: usize, at: Nanos) {
        let mut state = self.state();
        if state.sleepers[who].light {
            state.say(at, who);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn whoever_waited_for_the_earliest_moment_goes_on() {
        let clock = Arc::new(Clock::default());
        let order = Arc::new(Mutex::new(Vec::new()));
        let work = |who: usize| {
            let (clock, order) = (clock.clone(), order.clone());
            move || {
                let note = || order.lock().unwrap().push((clock.now(), who));
                note();
                match who {
                    0 => clock.wait(0, 50),
                    1 => clock.doze(1, 100),
                    _ => {
                        clock.wait(2, 30);
                        clock.wake(0, 31);
                        clock.wake(1, 40);
                    }
                }
                note();
            }
        };
        clock.run(3, |who| who as Nanos, work).unwrap();
        let expected = [(0, 0), (1, 1), (2, 2), (30, 2), (40, 1), (50, 0)];
        assert_eq!(*order.lock().unwrap(), expected);
    }
}
