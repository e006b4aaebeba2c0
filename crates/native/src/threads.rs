//! Failures of threads, in words: who waits for what, which accesses race.

use crate::decode::{Met, Threads, Waiting};
use crate::globals::Globals;
use elsewise_explore::schedule::datarace::{DataRace, Side};
use elsewise_explore::{Location, Outcome, SiteId, SiteInfo};
use elsewise_wire::threads::{MAX_STARTED, Meeting};
use rustc_hash::FxHashSet;

/// Threads whose waiting is told; more would be no help.
const MOST_TOLD: usize = 8;

/// What a thread is called: `main thread`, `thread 2`, and `thread 2.1` for the first that thread 2
/// started.
pub fn thread_title(name: u32) -> String {
    if name == 0 {
        return "main thread".to_string();
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
fn the_thread(name: u32) -> String {
    match name {
        0 => "the main thread".to_string(),
        name => thread_title(name),
    }
}

/// Two places, the lesser one first: other data races of the same two are no news.
pub type Places = (Location, Location);

/// A run with threads, and what its sites and addresses mean.
pub struct Told<'a> {
    pub threads: &'a Threads,
    pub sites: &'a [SiteInfo],
    pub globals: &'a Globals,
}

impl Told<'_> {
    /// No thread can go on.
    pub fn deadlock(&self) -> Outcome {
        let mut waiting: Vec<&Waiting> = self.threads.waiting.iter().collect();
        // Those who only wait for a thread to end are not what is wrong.
        let joins = |one: &Waiting| {
            let mut waits = one.meetings.iter().filter(|met| met.waits);
            waits.all(|met| met.meeting == Meeting::End)
        };
        waiting.sort_by_key(|one| (joins(one), one.thread));
        let lost = waiting.iter().any(|one| {
            let mut waits = one.meetings.iter().filter(|met| met.waits);
            waits.any(|met| met.meeting == Meeting::Wake)
                && matches!(
                    self.threads.arrived(one.thread),
                    Some((Meeting::Condition, _))
                )
        });
        let told = waiting.iter().take(MOST_TOLD);
        let mut told: Vec<String> = told.map(|one| self.waits(one)).collect();
        if waiting.len() > MOST_TOLD {
            told.push(format!("{} more wait", waiting.len() - MOST_TOLD));
        }
        let kind = match lost {
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

    fn waits(&self, waiting: &Waiting) -> String {
        let thread = the_thread(waiting.thread);
        let waits = waiting.meetings.iter().filter(|met| met.waits);
        // Who has been woken wants the lock back, too.
        let first = waits.min_by_key(|met| met.meeting != Meeting::Wake);
        match first {
            Some(met) => format!("{thread} waits {}", self.what_for(waiting.thread, met)),
            None => format!("{thread} waits"),
        }
    }

    fn what_for(&self, thread: u32, met: &Met) -> String {
        let called = |what: &str, number| self.called(what, number);
        match met.meeting {
            Meeting::Mutex | Meeting::Spin | Meeting::RwLock => {
                let what = match met.meeting {
                    Meeting::Mutex => "mutex",
                    Meeting::Spin => "spin lock",
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
            Meeting::Wake => match self.threads.arrived(thread) {
                Some((Meeting::Condition, number)) => {
                    let condition = called("condition", number);
                    format!("for a signal of {condition}, which nobody will send")
                }
                Some((_, number)) => format!("at {}", called("barrier", number)),
                None => "to be woken".to_string(),
            },
            Meeting::Condition => format!("for {}", called("condition", met.number)),
            Meeting::Barrier => format!("at {}", called("barrier", met.number)),
            Meeting::Semaphore => format!("for {}", called("semaphore", met.number)),
            Meeting::Once => format!("for {} to be done", called("once-only call", met.number)),
            Meeting::End => format!("for {} to end", the_thread(met.number as u32)),
            Meeting::Begin => format!("for {} to begin", the_thread(met.number as u32)),
            Meeting::Cancel => "to be cancelled".to_string(),
        }
    }

    fn called(&self, what: &str, address: u64) -> String {
        match self.globals.name(address) {
            Some(name) => format!("the {what} `{name}`"),
            None => format!("the {what} at {address:#x}"),
        }
    }

    /// The first data race of the run that is not known, and its places.
    pub fn data_race(&self, known: &FxHashSet<Places>) -> Option<(Places, Outcome)> {
        let races = self.threads.races.found().iter();
        races
            .map(|race| (self.places(race), race))
            .find(|(places, _)| !known.contains(places))
            .map(|(places, race)| (places.clone(), self.race(race, places)))
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
        let at = |place: &Location| match place.file.is_empty() {
            true => String::new(),
            false => format!(" ({}:{})", place.file, place.line),
        };
        let (variable, it) = match self.globals.name(race.address) {
            Some(name) => (format!("`{name}`"), "it"),
            None if race.size == 1 => (format!("the byte at {:#x}", race.address), "it"),
            None => (
                format!("{} bytes at {:#x}", race.size, race.address),
                "them",
            ),
        };
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
            kind: "data race".into(),
            message,
            place,
        }
    }

    fn location(&self, site: SiteId) -> Option<Location> {
        let site = self.sites.get(site.0 as usize)?;
        Some(Location {
            column: 0,
            ..site.location.clone()
        })
    }
}

/// The threads go on without end.
pub fn livelock(moves: usize, last: Option<Location>) -> Outcome {
    Outcome::Failure {
        kind: "livelock".into(),
        message: format!("the threads had not ended after {moves} moves"),
        place: last.into_iter().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elsewise_wire::threads::thread_name;

    #[test]
    fn titles_tell_who_started_a_thread() {
        assert_eq!(thread_title(0), "main thread");
        let second = thread_name(0, 2).unwrap();
        assert_eq!(thread_title(second), "thread 2");
        let of_second = thread_name(second, 63).unwrap();
        assert_eq!(thread_title(of_second), "thread 2.63");
        let further = thread_name(of_second, 1).unwrap();
        assert_eq!(thread_title(further), "thread 2.63.1");
    }
}
