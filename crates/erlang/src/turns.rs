//! Follows runs with several processes: each of them until it asks for a turn, and the turns in their order.

use crate::events::Event;
use crate::machine::{Lost, Machine, Stands, State, Thread};
use crate::processes::{Operation, ProcessReport};
use crate::value::Value;
use elsewise_explore::schedule::{Move, Moves, Pending};
use elsewise_explore::{ApproximationKind, Choice, Shape, SiteId};
use std::collections::VecDeque;

impl<'p> Machine<'p, '_> {
    /// Follows all processes of a run, move by move; what the first one gives.
    pub fn follow_all(
        &mut self,
        function: usize,
        arguments: Vec<Value>,
        told: &mut ProcessReport,
        home: u32,
    ) -> (Moves, Vec<u32>, Result<Option<Value>, Lost>) {
        self.scheduled = true;
        let mut moves = Moves::default();
        let mut sites = Vec::new();
        for process in &mut told.processes {
            self.names.push((process.pid.clone(), process.name));
            let events = std::mem::take(&mut process.events);
            match process.name {
                0 => self.now.events = events,
                name => self.pids.push((process.pid.clone(), name, events)),
            }
        }
        let state = self.enter(function, arguments);
        self.now.next = Some(state);
        let mut result = Ok(None);
        let mut main = |machine: &mut Self, followed: Result<Option<Value>, Lost>| match followed {
            Ok(Some(value)) if machine.now.name == 0 => result = Ok(Some(value)),
            Ok(_) => {}
            Err(lost) => {
                machine.now.stands = Stands::Ended;
                // What a process did that was ended by another went with it.
                if result.is_ok() && matches!(lost, Lost::Because(_)) {
                    result = Err(lost);
                }
            }
        };
        let followed = self.advance();
        main(self, followed);
        for (name, operation) in &told.moves {
            let choice = self.run.path.choices.len() as u32;
            self.run.path.choices.push(Choice {
                site: SiteId(home),
                taken: (*name).into(),
                shape: Shape::Thread,
            });
            self.switch(*name);
            if matches!(self.now.stands, Stands::Waits) {
                // What it received was sent by nobody who is followed.
                self.now.stands = Stands::Runs;
                let followed = self.forced();
                main(self, followed);
            }
            sites.push(match &self.now.stands {
                Stands::Asks(Some((site, _))) => *site,
                _ => home,
            });
            moves.moves.push(Move {
                thread: *name,
                choice,
                accesses: self.mailboxes.touch(*name, operation, true),
                ends: false,
                gives_way: matches!(operation, Operation::Poll),
            });
            let followed = self.turn(operation);
            main(self, followed);
            // Those whom it has started, and those whom it has sent what they wait for.
            let open: Vec<u32> = self.others.keys().copied().collect();
            for other in open {
                self.switch(other);
                if matches!(self.now.stands, Stands::Runs | Stands::Waits) {
                    self.now.stands = Stands::Runs;
                    let followed = self.advance();
                    main(self, followed);
                }
            }
        }
        for (name, operation) in &told.pending {
            moves.pending.push(Pending {
                thread: *name,
                accesses: self.mailboxes.touch(*name, operation, false),
                ends: false,
                gives_way: matches!(operation, Operation::Poll),
            });
        }
        moves.accesses = std::mem::take(&mut self.mailboxes.accesses);
        (moves, sites, result)
    }

    fn switch(&mut self, name: u32) {
        if self.now.name == name {
            return;
        }
        let other = self.others.remove(&name).unwrap_or_else(|| Thread {
            name,
            stands: Stands::Ended,
            ..Thread::default()
        });
        let before = std::mem::replace(&mut self.now, other);
        self.others.insert(before.name, before);
    }

    /// A process has its turn: what it asked for is done.
    fn turn(&mut self, operation: &Operation) -> Result<Option<Value>, Lost> {
        let Stands::Asks(call) = std::mem::take(&mut self.now.stands) else {
            self.now.stands = Stands::Ended;
            // Its end is a turn as well.
            return match operation {
                Operation::Finish(..) => Ok(None),
                _ => Err(Lost::Because(ApproximationKind::LabelMismatch)),
            };
        };
        let Some((_, arguments)) = call else {
            // A receive with a limit.
            self.now.events.pop_front();
            return self.advance();
        };
        let end = match (self.now.events.pop_front(), self.now.events.pop_front()) {
            (Some(Event::Opaque), Some(Event::Turn)) => self.now.events.pop_front(),
            _ => None,
        };
        let value = match end {
            Some(Event::Value(value)) => value,
            Some(Event::Exception(class, reason)) => {
                self.now.next = Some(State::Raise(class, reason));
                return self.advance();
            }
            _ => return Err(Lost::Ended),
        };
        match operation {
            Operation::Send(to, _, now) => {
                let message = arguments.last().cloned().unwrap_or_else(|| now.clone());
                if let Some(to) = to {
                    self.mailboxes
                        .put(*to, self.now.name, now.clone(), message.clone());
                }
                self.now.next = Some(State::Give(message));
            }
            Operation::Spawn(_) => {
                self.born(&value, &arguments);
                self.now.next = Some(State::Give(value));
            }
            Operation::Exit(Some(to)) => {
                let own = self.names.iter().find(|(_, name)| *name == self.now.name);
                if let (Some((own, _)), Some(reason)) = (own, arguments.last()) {
                    let parts = vec![Value::atom("EXIT"), own.clone(), reason.clone()];
                    let signal = Value::tuple(parts);
                    if let Some(now) = self.run.concrete(&signal) {
                        self.mailboxes.put(*to, self.now.name, now, signal);
                    }
                }
                self.now.next = Some(State::Give(value));
            }
            _ => self.now.next = Some(State::Give(value)),
        }
        self.advance()
    }

    /// A new process, which begins with a fun, or with a function and its arguments.
    fn born(&mut self, value: &Value, arguments: &[Value]) {
        let pid = match value.as_tuple() {
            Some([pid, _]) => pid.clone(),
            _ => value.clone(),
        };
        let same = |(other, _, _): &(Value, u32, VecDeque<Event>)| {
            crate::value::compare(other, &pid, true).is_eq()
        };
        let Some(at) = self.pids.iter().position(same) else {
            return;
        };
        let (_, name, events) = self.pids.remove(at);
        let child = Thread {
            name,
            events,
            ..Thread::default()
        };
        let parent = std::mem::replace(&mut self.now, child);
        let begun = match arguments {
            [function] => self.apply(0, function, Vec::new()),
            [module, function, list] => match list.elements() {
                Some(list) => self.call(0, module, function, list),
                None => Err(Lost::Because(ApproximationKind::UnknownValue)),
            },
            _ => Err(Lost::Because(ApproximationKind::UnknownValue)),
        };
        match begun {
            Ok(state) => self.now.next = Some(state),
            Err(_) => self.now.stands = Stands::Ended,
        }
        let child = std::mem::replace(&mut self.now, parent);
        self.others.insert(child.name, child);
    }

    /// Goes on with a message of which nothing is known but what it was.
    fn forced(&mut self) -> Result<Option<Value>, Lost> {
        if let Some(Event::Received(_, message)) = self.now.events.front() {
            let (now, name) = (message.clone(), self.now.name);
            self.mailboxes.put(name, u32::MAX, now.clone(), now);
        }
        self.advance()
    }
}
