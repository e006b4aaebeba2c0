//! Processes of a run: what each did in which order, and what its operations touch.
//!
//! Messages are the only thing that most processes share. Two that arrive in one mailbox could have come
//! in the other order, unless one follows from the other; who receives a message comes after who sent it,
//! and nothing else keeps them in order.

use crate::events::{self, Event};
use crate::value::{Key, Value};
use elsewise_explore::schedule::Access;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// What the machine told of the processes of a run.
pub struct ProcessReport {
    /// How it came to rest: `quiet`, `deadlock`, `livelock` or `stopped`.
    pub end: String,
    pub processes: Vec<Process>,
    pub moves: Vec<(u32, Operation)>,
    pub pending: Vec<(u32, Operation)>,
    /// Who waits for a message that does not come: name, stack, and what lies in the mailbox.
    pub waiting: Vec<(u32, Value, Vec<Value>)>,
    /// Processes other than the first that ended by an exception: name, class, reason, stack.
    pub crashes: Vec<(u32, Value, Value, Value)>,
}

pub struct Process {
    pub name: u32,
    pub pid: Value,
    pub events: VecDeque<Event>,
}

/// What a process did that others can notice. Processes have names, which are the same in every run.
#[derive(Clone, Debug)]
pub enum Operation {
    /// To whom, by which registered name, and what.
    Send(Option<u32>, Option<String>, Value),
    /// Starts this process.
    Spawn(u32),
    Register(String),
    Unregister(String),
    Whereis(String),
    /// Looks whether a process is there: `monitor`, `link`, `is_process_alive` …
    Look(&'static str, Option<u32>, Option<String>),
    Exit(Option<u32>),
    Trap,
    /// Waits for a time.
    Poll,
    /// Ends, which these are told of; the name that it was registered by.
    Finish(Vec<u32>, Option<String>),
    Other,
}

fn name(value: &Value) -> Option<u32> {
    match value {
        Value::Int(name) => u32::try_from(*name).ok(),
        _ => None,
    }
}

fn registered(value: &Value) -> Option<String> {
    let name = value.as_atom().filter(|name| *name != "none")?;
    Some(name.to_string())
}

impl Operation {
    fn read(value: &Value) -> Operation {
        if let Some(word) = value.as_atom() {
            return match word {
                "poll" => Operation::Poll,
                _ => Operation::Other,
            };
        }
        let Some([kind, rest @ ..]) = value.as_tuple() else {
            return Operation::Other;
        };
        match (kind.as_atom().unwrap_or(""), rest) {
            ("send", [to, by, message]) => {
                Operation::Send(name(to), registered(by), message.clone())
            }
            ("spawn", [child]) => Operation::Spawn(name(child).unwrap_or(0)),
            ("register", [Value::Atom(by), _]) => Operation::Register(by.to_string()),
            ("unregister", [Value::Atom(by)]) => Operation::Unregister(by.to_string()),
            ("whereis", [Value::Atom(by)]) => Operation::Whereis(by.to_string()),
            ("monitor", [who, by]) => Operation::Look("monitors", name(who), registered(by)),
            ("link", [who, by]) => Operation::Look("links to", name(who), registered(by)),
            ("unlink", [who, by]) => Operation::Look("unlinks from", name(who), registered(by)),
            ("alive", [who, by]) => Operation::Look("looks for", name(who), registered(by)),
            ("exit", [who, _]) => Operation::Exit(name(who)),
            ("trap", _) => Operation::Trap,
            ("finish", [whom, by]) => {
                let whom = whom.elements().unwrap_or_default();
                Operation::Finish(whom.iter().filter_map(name).collect(), registered(by))
            }
            _ => Operation::Other,
        }
    }

    /// What it does, for people.
    pub fn note(&self, show: fn(&Value) -> String) -> String {
        let whom = |who: &Option<u32>, by: &Option<String>| match (by, who) {
            (Some(by), _) => by.clone(),
            (None, Some(who)) => format!("process {who}"),
            (None, None) => "nobody".to_string(),
        };
        match self {
            Operation::Send(to, by, message) => {
                format!("sends {} to {}", show(message), whom(to, by))
            }
            Operation::Spawn(child) => format!("starts process {child}"),
            Operation::Register(by) => format!("registers {by}"),
            Operation::Unregister(by) => format!("unregisters {by}"),
            Operation::Whereis(by) => format!("looks for {by}"),
            Operation::Look(word, who, by) => format!("{word} {}", whom(who, by)),
            Operation::Exit(who) => format!("sends an exit signal to {}", whom(who, &None)),
            Operation::Trap => "sets whether it traps exits".into(),
            Operation::Poll => "has waited long enough".into(),
            Operation::Finish(..) => "ends".into(),
            Operation::Other => String::new(),
        }
    }
}

impl ProcessReport {
    pub fn read(value: &Value) -> Option<ProcessReport> {
        let [end, processes, moves, pending, waiting, crashes] = value.as_tuple()? else {
            return None;
        };
        let operations = |value: &Value| -> Option<Vec<(u32, Operation)>> {
            value
                .elements()?
                .iter()
                .map(|pair| match pair.as_tuple()? {
                    [who, what] => Some((name(who)?, Operation::read(what))),
                    _ => None,
                })
                .collect()
        };
        Some(ProcessReport {
            end: end.as_atom()?.to_string(),
            processes: processes
                .elements()?
                .iter()
                .map(|process| match process.as_tuple()? {
                    [who, pid, Value::Binary(told)] => Some(Process {
                        name: name(who)?,
                        pid: pid.clone(),
                        events: events::read(&told.packed().0).0.into(),
                    }),
                    _ => None,
                })
                .collect::<Option<_>>()?,
            moves: operations(moves)?,
            pending: operations(pending)?,
            waiting: waiting
                .elements()?
                .iter()
                .map(|one| match one.as_tuple()? {
                    [who, stack, mailbox] => Some((name(who)?, stack.clone(), mailbox.elements()?)),
                    _ => None,
                })
                .collect::<Option<_>>()?,
            crashes: crashes
                .elements()?
                .iter()
                .map(|one| match one.as_tuple()? {
                    [who, class, reason, stack] => {
                        Some((name(who)?, class.clone(), reason.clone(), stack.clone()))
                    }
                    _ => None,
                })
                .collect::<Option<_>>()?,
        })
    }
}

/// A message on its way or in a mailbox.
pub struct Message {
    now: Key,
    pub value: Value,
    from: u32,
    /// Which of those from that process.
    number: u32,
}

/// Mailboxes as far as processes of the run have filled them, and what moves touch.
#[derive(Default)]
pub struct Mailboxes {
    of: FxHashMap<u32, Vec<Message>>,
    /// Messages so far: to whom, from whom.
    sent: FxHashMap<(u32, u32), u32>,
    /// Messages that a process has received since its last move: from whom, which of them.
    received: FxHashMap<u32, Vec<(u32, u32)>>,
    /// Processes that have made a move.
    begun: Vec<u32>,
    ended: Vec<u32>,
    pub accesses: Vec<Access>,
}

#[derive(Clone, Copy)]
enum Object {
    Mailbox,
    Message,
    Life,
    Name,
    Trapping,
    Birth,
}

/// Number of the message that tells of a process's end.
const END: u32 = u32::MAX;

fn object(kind: Object, who: &str, from: u32) -> u64 {
    use std::hash::{Hash, Hasher};
    let mut hash = rustc_hash::FxHasher::default();
    (kind as u8, who, from).hash(&mut hash);
    hash.finish()
}

fn of_process(kind: Object, who: u32) -> u64 {
    object(kind, "", who)
}

impl Mailboxes {
    /// A message has been sent; what is known of it beside.
    pub fn put(&mut self, to: u32, from: u32, now: Value, value: Value) {
        let number = self.sent.get(&(to, from)).copied().unwrap_or(0);
        self.of.entry(to).or_default().push(Message {
            now: Key(now),
            value,
            from,
            number,
        });
    }

    /// The first message like this one, if a process of the run has sent it.
    pub fn take(&mut self, who: u32, now: &Value) -> Option<Value> {
        let mailbox = self.of.get_mut(&who)?;
        let now = Key(now.clone());
        let at = mailbox.iter().position(|message| message.now == now)?;
        let message = mailbox.remove(at);
        let received = self.received.entry(who).or_default();
        received.push((message.from, message.number));
        Some(message.value)
    }

    /// A process is told of the end of another, if that has ended.
    pub fn told_of(&mut self, who: u32, ended: u32) -> bool {
        let there = self.ended.contains(&ended);
        if there {
            self.received.entry(who).or_default().push((ended, END));
        }
        there
    }

    /// What a move touches, appended to [`Mailboxes::accesses`]; `done` if it has been made.
    pub fn touch(&mut self, who: u32, operation: &Operation, done: bool) -> std::ops::Range<u32> {
        let start = self.accesses.len() as u32;
        let mut all: Vec<Access> = Vec::new();
        let mut access = |object: u64, writes: bool, needs: u32, before: u32| {
            all.push(Access {
                object,
                bytes: 0xff,
                writes,
                needs,
                before,
            });
        };
        // Each message is something of its own: who has received it waited for that one.
        let message = |to: u32, from: u32, number: u32| {
            object(Object::Message, &format!("{to} {number}"), from)
        };
        for (from, number) in self.received.remove(&who).unwrap_or_default() {
            access(message(who, from, number), false, 1, 1);
        }
        let named = |by: &str| object(Object::Name, by, 0);
        if who != 0 && !self.begun.contains(&who) {
            access(of_process(Object::Birth, who), false, 1, 1);
            if done {
                self.begun.push(who);
            }
        }
        match operation {
            Operation::Finish(..) => access(of_process(Object::Life, who), true, 0, 0),
            _ => access(of_process(Object::Life, who), false, 0, 0),
        }
        match operation {
            Operation::Send(to, by, _) => {
                if let Some(by) = by {
                    access(named(by), false, 0, 0);
                }
                if let Some(to) = to {
                    let before = self.sent.get(&(*to, who)).copied().unwrap_or(0);
                    access(of_process(Object::Mailbox, *to), true, 0, 0);
                    access(message(*to, who, before + 1), true, 0, 0);
                    if done {
                        self.sent.insert((*to, who), before + 1);
                    }
                }
            }
            Operation::Register(by) | Operation::Unregister(by) => access(named(by), true, 0, 0),
            Operation::Whereis(by) => access(named(by), false, 0, 0),
            Operation::Look(_, whom, by) => {
                if let Some(by) = by {
                    access(named(by), false, 0, 0);
                }
                if let Some(whom) = whom {
                    access(of_process(Object::Life, *whom), false, 0, 0);
                }
            }
            Operation::Exit(whom) => {
                if let Some(whom) = whom {
                    let before = self.sent.get(&(*whom, who)).copied().unwrap_or(0);
                    access(message(*whom, who, before + 1), true, 0, 0);
                    if done {
                        self.sent.insert((*whom, who), before + 1);
                    }
                    access(of_process(Object::Life, *whom), true, 0, 0);
                    access(of_process(Object::Mailbox, *whom), true, 0, 0);
                    access(of_process(Object::Trapping, *whom), false, 0, 0);
                }
            }
            Operation::Trap => access(of_process(Object::Trapping, who), true, 0, 0),
            Operation::Poll => access(of_process(Object::Mailbox, who), false, 0, 0),
            Operation::Finish(whom, by) => {
                if done {
                    self.ended.push(who);
                }
                for other in whom {
                    access(message(*other, who, END), true, 0, 0);
                    access(of_process(Object::Mailbox, *other), true, 0, 0);
                    access(of_process(Object::Life, *other), true, 0, 0);
                    access(of_process(Object::Trapping, *other), false, 0, 0);
                }
                if let Some(by) = by {
                    access(named(by), true, 0, 0);
                }
            }
            Operation::Spawn(child) => access(of_process(Object::Birth, *child), true, 0, 0),
            Operation::Other => {}
        }
        all.sort_by_key(|access| access.object);
        self.accesses.extend(all);
        start..self.accesses.len() as u32
    }
}

/// The process of whose end a message tells.
pub(crate) fn ended_process(message: &Value) -> Option<&Value> {
    match message.as_tuple()? {
        [kind, pid, _] if kind.is_atom("EXIT") => Some(pid),
        [kind, _, what, pid, _] if kind.is_atom("DOWN") && what.is_atom("process") => Some(pid),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
