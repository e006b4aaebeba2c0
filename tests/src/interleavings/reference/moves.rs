//! What moves of threads do.

use super::{At, CANCEL, CONDITION, DECISION, LAST, LOCK, OWN, SEMAPHORE, State, TIMER};
use crate::interleavings::Op;

impl State<'_> {
    pub(super) fn step(&mut self, thread: usize, way: usize) {
        if let Some(of) = thread.checked_sub(self.threads.len() + 1) {
            return self.flush(thread, of);
        }
        if thread == self.threads.len() {
            self.armed = false;
            self.touch(thread, TIMER, true);
            self.touch(thread, LAST as u32, true);
            self.variables[LAST] = 1;
            return;
        }
        let stops = self.stops(thread);
        match self.threads[thread].at {
            At::Waiting { lock, late, woken } => {
                self.touch(thread, OWN + thread as u32, true);
                if late.is_some() || stops {
                    self.touch(thread, CONDITION, true);
                }
                self.look_for_cancel(thread);
                self.queue.retain(|one| *one != thread);
                if stops && woken {
                    // The signal is somebody else's.
                    self.signal(thread, way);
                }
                let tells = late.map(|register| (register, woken));
                self.threads[thread].at = At::Relocking { lock, tells, stops };
            }
            At::Relocking { lock, tells, stops } => {
                self.touch(thread, LOCK + lock as u32, true);
                self.free[lock] = false;
                self.threads[thread].at = At::Running;
                if stops {
                    self.stop(thread);
                } else if let Some((register, woken)) = tells {
                    self.threads[thread].registers[register] = u8::from(woken);
                }
            }
            At::Cleaning => {
                self.touch(thread, LAST as u32, true);
                self.variables[LAST] = self.variables[LAST].wrapping_add(1);
                self.threads[thread].at = At::Done;
            }
            At::Spinning => {
                if let Op::Spin([_, (variable, number)]) = self.op(thread) {
                    self.touch(thread, variable as u32, false);
                    self.threads[thread].next += usize::from(self.variables[variable] != number);
                }
                self.threads[thread].at = At::Running;
            }
            At::Done | At::Draining => unreachable!("it cannot move"),
            At::Running if stops => {
                self.look_for_cancel(thread);
                self.stop(thread);
            }
            At::Running => {
                let op = self.op(thread);
                self.threads[thread].next += 1;
                self.perform(thread, op, way);
            }
        }
        self.decide(thread);
        self.decide(self.program.main());
    }

    /// The oldest store of a thread leaves its buffer.
    pub(super) fn flush(&mut self, buffer: usize, of: usize) {
        let (first, count, value) = self.buffers[of].remove(0);
        for variable in first..first + count {
            self.touch(buffer, variable as u32, true);
        }
        self.variables[first..first + count].fill(value);
        if self.buffers[of].is_empty() && self.threads[of].at == At::Draining {
            self.threads[of].at = At::Done;
            self.decide(self.program.main());
        }
    }

    pub(super) fn stop(&mut self, thread: usize) {
        self.threads[thread].uncancellable = true;
        self.threads[thread].at = match self.program.threads[thread].cleans {
            true => At::Cleaning,
            false => At::Done,
        };
    }

    pub(super) fn look_for_cancel(&mut self, thread: usize) {
        if !self.threads[thread].uncancellable {
            self.touch(thread, CANCEL + thread as u32, false);
        }
    }

    pub(super) fn perform(&mut self, thread: usize, op: Op, way: usize) {
        match op {
            Op::Load(register, variable) => {
                self.touch(thread, variable as u32, false);
                self.threads[thread].registers[register] = self.seen(thread, variable);
            }
            Op::Fence => {}
            Op::Store(variable, from) | Op::StoreNow(variable, from) => {
                self.touch(thread, variable as u32, true);
                self.variables[variable] = self.value(thread, from);
            }
            Op::Add(register, variable, from) => {
                self.touch(thread, variable as u32, true);
                let old = self.variables[variable];
                self.variables[variable] = old.wrapping_add(self.value(thread, from));
                self.threads[thread].registers[register] = old;
            }
            Op::LoadBoth(register) => {
                self.touch(thread, 0, false);
                self.touch(thread, 1, false);
                let [first, second] = [0, 1].map(|variable| self.seen(thread, variable));
                self.threads[thread].registers[register] = first.wrapping_add(second);
            }
            Op::StoreBoth(from) => {
                self.touch(thread, 0, true);
                self.touch(thread, 1, true);
                let value = self.value(thread, from);
                self.variables[..2].fill(value);
            }
            Op::Lock(lock) => {
                self.touch(thread, LOCK + lock as u32, true);
                self.free[lock] = false;
            }
            Op::Unlock(lock) => {
                self.touch(thread, LOCK + lock as u32, true);
                self.free[lock] = true;
            }
            Op::Wait(lock, late) => {
                self.touch(thread, CONDITION, true);
                self.touch(thread, LOCK + lock as u32, true);
                self.look_for_cancel(thread);
                self.free[lock] = true;
                self.queue.push(thread);
                let woken = false;
                self.threads[thread].at = At::Waiting { lock, late, woken };
            }
            Op::Signal => {
                self.touch(thread, CONDITION, true);
                self.signal(thread, way);
            }
            Op::Broadcast => {
                self.touch(thread, CONDITION, true);
                for woken in std::mem::take(&mut self.queue) {
                    self.wake(thread, woken);
                }
            }
            Op::Down => {
                self.touch(thread, SEMAPHORE, true);
                self.look_for_cancel(thread);
                self.count -= 1;
            }
            Op::Up => {
                self.touch(thread, SEMAPHORE, true);
                self.count += 1;
            }
            Op::Outside(outside) => {
                for (thing, changes) in outside.touches() {
                    self.touch(thread, *thing, *changes);
                }
                if outside.is_cancellation_point() {
                    self.look_for_cancel(thread);
                }
                if let Some((register, value)) = self.world.perform(outside) {
                    self.threads[thread].registers[register] = value;
                }
            }
            Op::Rest => self.look_for_cancel(thread),
            Op::Spin([(variable, number), _]) => {
                self.touch(thread, variable as u32, false);
                if self.variables[variable] == number {
                    self.threads[thread].next -= 1;
                    self.threads[thread].at = At::Spinning;
                }
            }
            Op::Cancel(other) => {
                self.touch(thread, CANCEL + other as u32, true);
                self.threads[other].cancelled = true;
            }
            Op::Alarm => {
                self.touch(thread, TIMER, true);
                self.armed = true;
            }
            Op::Fork => self.forked = true,
            Op::End => {}
            Op::Tell(variable) => {
                self.touch(thread, variable as u32, false);
                self.code |= (self.variables[variable] & 3) << (2 * variable);
            }
            Op::Join(_) | Op::Check(_) | Op::Cancellable(_) | Op::Skip(..) | Op::Fail(..) => {
                unreachable!("no moves")
            }
        }
    }

    pub(super) fn signal(&mut self, by: usize, way: usize) {
        if !self.queue.is_empty() {
            let woken = self.queue.remove(way);
            self.class[by].push((DECISION, 10 + way as u32));
            self.wake(by, woken);
        }
    }

    pub(super) fn wake(&mut self, by: usize, thread: usize) {
        self.touch(by, OWN + thread as u32, true);
        if let At::Waiting { woken, .. } = &mut self.threads[thread].at {
            *woken = true;
        }
    }

    /// How a thread ends.
    pub(super) fn end(&self, thread: usize) -> At {
        match self.buffers[thread].is_empty() {
            true => At::Done,
            false => At::Draining,
        }
    }

    /// What a thread decides until its next move.
    pub(super) fn decide(&mut self, thread: usize) {
        while self.threads[thread].at == At::Running && self.failed.is_none() {
            let next = self.threads[thread].next;
            let Some(op) = self.program.threads[thread].ops.get(next) else {
                self.threads[thread].at = self.end(thread);
                return;
            };
            let register = |register: usize| self.threads[thread].registers[register];
            match *op {
                Op::Skip(left, right, count) => {
                    let holds = register(left) < self.value(thread, right);
                    self.class[thread].push((DECISION, u32::from(holds)));
                    self.threads[thread].next += if holds { count } else { 0 };
                }
                Op::Fail(left, right) => {
                    let holds = register(left) == self.value(thread, right);
                    self.class[thread].push((DECISION, u32::from(holds)));
                    if holds {
                        self.threads[thread].failed = Some(next);
                        self.threads[thread].at = self.end(thread);
                    }
                }
                Op::Store(variable, from) if self.program.buffered => {
                    let value = self.value(thread, from);
                    self.buffers[thread].push((variable, 1, value));
                }
                Op::StoreBoth(from) if self.program.buffered => {
                    let value = self.value(thread, from);
                    self.buffers[thread].push((0, 2, value));
                }
                // It is nothing to others.
                Op::Fence if self.buffers[thread].is_empty() => {}
                Op::Cancellable(can) => self.threads[thread].uncancellable = !can,
                Op::Join(other) if self.threads[other].at == At::Done => {}
                Op::Check(other) => {
                    self.failed = self.threads[other].failed.map(|at| (other, at));
                }
                _ => return,
            }
            self.threads[thread].next += 1;
        }
    }
}
