//! Failures of threads, in words: who waits for what, which accesses race.

use crate::calls;
use crate::decode::{Met, Threads, Waiting};
use crate::globals::Globals;
use crate::symbols::Symbols;
use elsewise_explore::schedule::blocks::{Broken, Conflict, End};
use elsewise_explore::schedule::datarace::{DataRace, Side};
use elsewise_explore::schedule::{MEETING, Move};
use elsewise_explore::{FailureKind, Location, Outcome, SiteId, SiteInfo, StoryKind, StoryLine};
use elsewise_wire::threads::{BUFFER, MAX_STARTED, SIGNAL, SyncOp, channel_of};
use rustc_hash::FxHashSet;
use std::path::Path;

/// Threads whose waiting is told; more would be no help.
const MOST_TOLD: usize = 8;

/// What a thread is called: `main thread`, `thread 2`, and `thread 2.1` for the first that thread 2
/// started.
pub fn thread_title(name: u32) -> String {
    if name == 0 {
        return "main thread".to_string();
    }
    if name & BUFFER != 0 {
        return format!("store buffer of {}", the_thread(name & !BUFFER));
    }
    if name & SIGNAL != 0 {
        let (sender, number) = (
            (name & !SIGNAL) / (MAX_STARTED + 1),
            name % (MAX_STARTED + 1),
        );
        return format!("signal {number} of {}", thread_title(sender));
    }
    let mut numbers = Vec::new();
    let mut rest = name;
    while rest > 0 {
        numbers.push((rest % (MAX_STARTED + 1)).to_string());
        rest /= MAX_STARTED + 1;
    }
    numbers.reverse();
    format!("thread {}", numbers.join("."))
}

/// The thread in a sentence.
pub(crate) fn the_thread(name: u32) -> String {
    match name {
        0 => "the main thread".to_string(),
        name if name & SIGNAL != 0 => format!("the handler of {}", thread_title(name)),
        name if name & BUFFER != 0 => format!("the {}", thread_title(name)),
        name => thread_title(name),
    }
}

/// A place in a sentence.
fn at(place: &Location) -> String {
    match place.file.is_empty() {
        true => String::new(),
        false => format!(" ({}:{})", place.file, place.line),
    }
}

/// A place among others of the same program.
fn short(place: &Location) -> String {
    let file = Path::new(&place.file).file_name();
    at(&Location {
        file: file.unwrap_or_default().to_string_lossy().into_owned(),
        ..place.clone()
    })
}

/// A pipe or the like in a sentence.
fn channel(number: u64) -> String {
    let (maker, made) = channel_of(number);
    format!("the pipe or socket {made} that {} made", the_thread(maker))
}

/// Two places, the lesser one first: other data races of the same two are no news.
type Places = (Location, Location);

/// A run with threads, and what its sites and addresses mean.
pub struct ThreadedRun<'a> {
    pub threads: &'a Threads,
    pub sites: &'a [SiteInfo],
    pub globals: &'a Globals,
}

/// Does the thread wait in a loop for somebody to write?
fn looks(waiting: &Waiting) -> bool {
    let mut waits = waiting.sync_objects.iter().filter(|met| met.waits);
    waits.any(|met| met.sync == SyncOp::Change)
}

impl ThreadedRun<'_> {
    /// No thread can go on.
    pub fn deadlock(&self) -> Outcome {
        // Signals that are still to come keep nobody waiting.
        let flies = |one: &Waiting| {
            one.sync_objects
                .iter()
                .any(|met| met.sync == SyncOp::Flight)
        };
        let waiting = self.threads.waiting.iter();
        let mut waiting: Vec<&Waiting> = waiting.filter(|one| !flies(one)).collect();
        // Those who only wait for a thread to end, or for a handler, are not what is wrong.
        let joins = |one: &Waiting| {
            let mut waits = one.sync_objects.iter().filter(|met| met.waits);
            waits.all(|met| matches!(met.sync, SyncOp::End | SyncOp::Interrupt))
        };
        waiting.sort_by_key(|one| (joins(one), one.thread));
        let lost = waiting.iter().any(|one| {
            let mut waits = one.sync_objects.iter().filter(|met| met.waits);
            waits.any(|met| met.sync == SyncOp::Wake)
                && matches!(
                    self.threads.arrived(one.thread),
                    Some((SyncOp::Condition, _))
                )
        });
        let told = waiting.iter().take(MOST_TOLD);
        let mut told: Vec<String> = told.map(|one| self.waits(one)).collect();
        if waiting.len() > MOST_TOLD {
            told.push(format!("{} more wait", waiting.len() - MOST_TOLD));
        }
        let looks = waiting.iter().any(|one| looks(one));
        let kind = match lost {
            _ if looks => "livelock",
            true => "lost wake-up",
            false => "deadlock",
        };
        let message = match told.is_empty() {
            true => "no thread can go on".to_string(),
            false => format!("no thread can go on: {}", told.join("; ")),
        };
        let to_blame = waiting.iter().filter(|one| !joins(one)).count();
        let shown = match to_blame {
            0 => waiting.len(),
            some => some,
        };
        let mut place: Vec<Location> = Vec::new();
        for location in waiting[..shown]
            .iter()
            .filter_map(|one| self.location(one.site?))
        {
            if !place.contains(&location) {
                place.push(location);
            }
        }
        Outcome::Failure {
            kind: kind.into(),
            message,
            place,
        }
    }

    /// Of a run in which nobody can go on: where every thread is, and what it waits for.
    pub fn stuck(&self) -> Vec<StoryLine> {
        let waiting = self.threads.waiting.iter();
        let line = |one: &Waiting| StoryLine {
            kind: StoryKind::Wait(self.waits_for_whom(one)),
            thread: one.thread,
            place: one
                .site
                .and_then(|site| self.location(site))
                .unwrap_or_default(),
            note: self.waits_for(one),
        };
        waiting.map(line).collect()
    }

    fn waits(&self, waiting: &Waiting) -> String {
        format!("{} {}", the_thread(waiting.thread), self.waits_for(waiting))
    }

    /// What a thread waits for first of all.
    fn first_met<'b>(&self, waiting: &'b Waiting) -> Option<&'b Met> {
        let waits = waiting.sync_objects.iter().filter(|met| met.waits);
        // Who has been woken wants the lock back, too; who is interrupted waits for that first.
        waits.min_by_key(|met| match met.sync {
            SyncOp::Interrupt => 0,
            SyncOp::Wake => 1,
            _ => 2,
        })
    }

    /// The one thread that has what a thread waits for, or that is to end.
    fn waits_for_whom(&self, waiting: &Waiting) -> Option<u32> {
        let met = self.first_met(waiting)?;
        match met.sync {
            SyncOp::End => Some(met.number as u32),
            SyncOp::Mutex | SyncOp::Spin | SyncOp::RwLock | SyncOp::Stream => {
                match self.threads.holders(met.number) {
                    [one] => Some(*one),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn waits_for(&self, waiting: &Waiting) -> String {
        match self.first_met(waiting) {
            Some(met) if met.sync == SyncOp::Change => {
                let what = match waiting.looks_at {
                    Some((address, size)) => self.memory(address, size).0,
                    None => "memory".to_string(),
                };
                format!("looks again and again at {what}, which nobody will change")
            }
            Some(met) => format!("waits {}", self.what_for(waiting.thread, met)),
            None => "waits".to_string(),
        }
    }

    fn what_for(&self, thread: u32, met: &Met) -> String {
        let called = |what: &str, number| self.called(what, number);
        match met.sync {
            SyncOp::Mutex | SyncOp::Spin | SyncOp::RwLock | SyncOp::Stream => {
                let what = match met.sync {
                    SyncOp::Mutex => "mutex",
                    SyncOp::Spin => "spin lock",
                    SyncOp::Stream => "lock of the stream",
                    _ => "read-write lock",
                };
                let lock = called(what, met.number);
                let holders = self.threads.holders(met.number);
                let has = match holders {
                    [] => return format!("for {lock}"),
                    _ if holders.contains(&thread) => "which it has already".to_string(),
                    [one] => format!("which {} has", the_thread(*one)),
                    several => {
                        let names: Vec<String> =
                            several.iter().map(|one| the_thread(*one)).collect();
                        format!("which {} have", names.join(" and "))
                    }
                };
                format!("for {lock}, {has}")
            }
            SyncOp::Wake => match self.threads.arrived(thread) {
                Some((SyncOp::Condition, number)) => {
                    let condition = called("condition", number);
                    format!("for a signal of {condition}, which nobody will send")
                }
                Some((SyncOp::Data | SyncOp::Room, _)) => {
                    "for descriptors, which nobody makes ready".to_string()
                }
                Some((SyncOp::Queue, _)) => "for a signal, which nobody sends".to_string(),
                Some((_, number)) => format!("at {}", called("barrier", number)),
                None => "to be woken".to_string(),
            },
            SyncOp::Condition => format!("for {}", called("condition", met.number)),
            SyncOp::Barrier => format!("at {}", called("barrier", met.number)),
            SyncOp::Semaphore => format!("for {}", called("semaphore", met.number)),
            SyncOp::Once => format!("for {} to be done", called("once-only call", met.number)),
            SyncOp::End => format!("for {} to end", the_thread(met.number as u32)),
            SyncOp::Begin => format!("for {} to begin", the_thread(met.number as u32)),
            SyncOp::Cancel => "to be cancelled".to_string(),
            SyncOp::Change => "for memory to change".to_string(),
            SyncOp::Outside => "for something outside".to_string(),
            SyncOp::Buffer => "until others see what it has stored".to_string(),
            SyncOp::Gate => {
                let lock = called("read-write lock", met.number - 1);
                format!("for {lock}, where a writer that waits goes first")
            }
            SyncOp::Interrupt => "for its handler of a signal to return".to_string(),
            SyncOp::Unblocked | SyncOp::Flight | SyncOp::Queue => "for a signal".to_string(),
            SyncOp::Data => {
                let channel = channel(met.number);
                format!("for something to read from {channel}, to which nobody writes")
            }
            SyncOp::Room => {
                let channel = channel(met.number);
                format!("for room to write to {channel}, from which nobody reads")
            }
        }
    }

    fn called(&self, what: &str, address: u64) -> String {
        match self.globals.name(address) {
            Some(name) => format!("the {what} `{name}`"),
            None => format!("the {what} at {address:#x}"),
        }
    }

    /// The data races of the run, one for each pair of places.
    pub fn data_races(&self) -> Vec<Outcome> {
        let mut known: Vec<Places> = Vec::new();
        let mut told = Vec::new();
        for race in self.threads.races.found() {
            let places = self.places(race);
            if !known.contains(&places) {
                told.push(self.race(race, places.clone()));
                known.push(places);
            }
        }
        told
    }

    fn places(&self, race: &DataRace) -> Places {
        let at = |side: &Side| self.location(side.site).unwrap_or_default();
        let (one, other) = (at(&race.earlier), at(&race.later));
        match one <= other {
            true => (one, other),
            false => (other, one),
        }
    }

    fn race(&self, race: &DataRace, (one, other): Places) -> Outcome {
        let mut sides = [&race.earlier, &race.later];
        if self.location(sides[0].site).unwrap_or_default() != one {
            sides.reverse();
        }
        let does = |side: &Side| match (side.atomic, side.writes) {
            (false, true) => "writes",
            (false, false) => "reads",
            (true, true) => "writes (atomically)",
            (true, false) => "reads (atomically)",
        };
        let (variable, it) = self.memory(race.address, race.size);
        let message = format!(
            "{} {} {variable}{}, {} {} {it}{}, and nothing orders the two",
            the_thread(sides[0].thread),
            does(sides[0]),
            at(&one),
            the_thread(sides[1].thread),
            does(sides[1]),
            at(&other),
        );
        let mut place = vec![one, other];
        place.dedup();
        place.retain(|place| !place.file.is_empty());
        Outcome::Failure {
            kind: FailureKind::DataRace,
            message,
            place,
        }
    }

    /// Memory in a sentence, and what stands for it later on.
    fn memory(&self, address: u64, size: u32) -> (String, &'static str) {
        match self.globals.name(address) {
            Some(name) => (format!("`{name}`"), "it"),
            None if size == 1 => (format!("the byte at {address:#x}"), "it"),
            None => (format!("{size} bytes at {address:#x}"), "them"),
        }
    }

    /// Blocks that others came into the midst of, one for each pair of places.
    pub fn broken_blocks(&self) -> Vec<Outcome> {
        let mut known: Vec<Places> = Vec::new();
        let mut told = Vec::new();
        for broken in self.threads.blocks.broken() {
            let other = broken.cycle.first().map(|first| first.after.site);
            let place = |site| self.location(site).unwrap_or_default();
            let places = (place(broken.block), other.map(place).unwrap_or_default());
            if !known.contains(&places) {
                told.push(self.broken(&broken, &places.0));
                known.push(places);
            }
        }
        told
    }

    fn broken(&self, broken: &Broken, block: &Location) -> Outcome {
        let place = |end: &End| self.location(end.site).unwrap_or_default();
        let does = |end: &End| if end.writes { "writes" } else { "reads" };
        let told = |one: &Conflict| {
            let (variable, it) = self.memory(one.address, one.size);
            format!(
                "{} {} {variable}{} before {} {} {it}{}",
                the_thread(one.before.thread),
                does(&one.before),
                at(&place(&one.before)),
                the_thread(one.after.thread),
                does(&one.after),
                at(&place(&one.after)),
            )
        };
        // Mostly, one access of one other thread is all that comes between.
        let told = match broken.cycle[..] {
            [first, second] if first.after == second.before && first.address == second.address => {
                let (variable, it) = self.memory(first.address, first.size);
                let does = |end: &End| format!("{} {}", the_thread(end.thread), does(end));
                format!(
                    "{} {variable}{}, then {} {it}{}, and then {} {it}{}",
                    does(&first.before),
                    at(&place(&first.before)),
                    does(&first.after),
                    at(&place(&first.after)),
                    does(&second.after),
                    at(&place(&second.after)),
                )
            }
            _ => {
                let conflicts = broken.cycle.iter().take(MOST_TOLD);
                conflicts.map(told).collect::<Vec<_>>().join(", and ")
            }
        };
        let message = format!(
            "somebody comes into the midst of a block of {}{}: {told}",
            the_thread(broken.thread),
            at(block),
        );
        let mut places: Vec<Location> = Vec::new();
        for end in broken
            .cycle
            .iter()
            .flat_map(|one| [&one.before, &one.after])
        {
            let place = place(end);
            if !place.file.is_empty() && !places.contains(&place) {
                places.push(place);
            }
        }
        if places.is_empty() {
            places.push(block.clone());
        }
        Outcome::Failure {
            kind: FailureKind::Atomicity,
            message,
            place: places,
        }
    }

    /// The moves, for people.
    pub fn story(&self, symbols: &mut Symbols) -> Vec<StoryLine> {
        let moves = self.threads.moves.moves.iter().zip(&self.threads.stood);
        let mut begun = FxHashSet::from_iter([0]);
        moves
            .map(|(one, stood)| {
                let place = stood.and_then(|site| self.location(site));
                if one.thread & BUFFER != 0 {
                    return self.seen(one, place.unwrap_or_default());
                }
                let first = begun.insert(one.thread);
                let starts = self.threads.starts.get(&one.thread).filter(|_| first);
                let start = starts.and_then(|address| symbols.stack(&[*address], true).pop());
                let place = place.unwrap_or_default();
                let note = match (start, first) {
                    (Some(start), _) => {
                        let at = match start.file == place.file {
                            true => format!(" (line {})", start.line),
                            false => short(&start),
                        };
                        format!("begins {}{at}", start.function)
                    }
                    (None, true) => "begins".into(),
                    (None, false) => String::new(),
                };
                StoryLine {
                    kind: StoryKind::Move,
                    thread: one.thread,
                    place,
                    note,
                }
            })
            .chain(self.calls())
            .collect()
    }

    /// What a thread has stored leaves its buffer.
    fn seen(&self, flush: &Move, place: Location) -> StoryLine {
        let accesses = self.threads.moves.accesses(&flush.accesses).iter();
        let mut memory = accesses.filter(|access| access.object < MEETING);
        let what = memory.next().map(|access| {
            let address = (access.object << 3) + u64::from(access.bytes.trailing_zeros());
            self.memory(address, access.bytes.count_ones()).0
        });
        let what = what.unwrap_or_else(|| "memory".to_string());
        StoryLine {
            kind: StoryKind::Move,
            thread: flush.thread & !BUFFER,
            place,
            note: format!("others see {what}"),
        }
    }

    /// Beginnings and ends of operations, in order.
    fn calls(&self) -> Vec<StoryLine> {
        let mut lines: Vec<(u32, StoryLine)> = Vec::new();
        for operation in &self.threads.history {
            let line = |note| StoryLine {
                kind: StoryKind::Call,
                thread: operation.thread,
                place: self.location(operation.site).unwrap_or_default(),
                note,
            };
            let call = calls::call(operation);
            lines.push((operation.begins, line(format!("calls {call}"))));
            if let (Some(end), Some(result)) = (operation.ends, operation.result) {
                let result = result.map(|result| format!(" {}", calls::number(result)));
                let note = format!("{call} returns{}", result.unwrap_or_default());
                lines.push((end, line(note)));
            }
        }
        lines.sort_by_key(|(at, _)| *at);
        lines.into_iter().map(|(_, line)| line).collect()
    }

    fn location(&self, site: SiteId) -> Option<Location> {
        let site = self.sites.get(site.0 as usize)?;
        Some(Location {
            column: 0,
            ..site.location.clone()
        })
    }
}

pub fn is_livelock(outcome: &Outcome) -> bool {
    matches!(
        outcome,
        Outcome::Failure {
            kind: FailureKind::Livelock,
            ..
        }
    )
}

/// The threads go on without end.
pub fn livelock(moves: usize, last: Option<Location>) -> Outcome {
    Outcome::Failure {
        kind: FailureKind::Livelock,
        message: format!("the threads had not ended after {moves} moves"),
        place: last.into_iter().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elsewise_wire::threads::{channel_number, signal_name, thread_name};

    #[test]
    fn titles_tell_who_started_a_thread() {
        assert_eq!(thread_title(0), "main thread");
        let second = thread_name(0, 2).unwrap();
        assert_eq!(thread_title(second), "thread 2");
        let of_second = thread_name(second, 63).unwrap();
        assert_eq!(thread_title(of_second), "thread 2.63");
        let further = thread_name(of_second, 1).unwrap();
        assert_eq!(thread_title(further), "thread 2.63.1");
        let signal = signal_name(second, 3).unwrap();
        assert_eq!(thread_title(signal), "signal 3 of thread 2");
        let of_main = signal_name(0, 1).unwrap();
        assert_eq!(thread_title(of_main), "signal 1 of main thread");
    }

    #[test]
    fn channels_are_told_by_who_made_them() {
        let maker = thread_name(0, 2).unwrap();
        let number = channel_number(SyncOp::Data, maker, 5);
        assert_eq!(channel(number), "the pipe or socket 5 that thread 2 made");
    }
}
