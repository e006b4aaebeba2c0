//! Distinct failures.

use crate::store::FindingRow;
use crate::summary::Races;
use crate::{Finding, Frame};
use elsewise_explore::{Case, FailureKind, Location, Outcome, StoryLine};
use rustc_hash::FxHashMap;
use std::path::Path;

/// In a cause that is no place, but what a case gives.
const BLAMED: &str = "\nblamed\n";
/// What stands in a message before further places.
const ALSO: &str = "; also at ";
/// Further places that are named.
const PLACES: usize = 8;
const MORE: &str = "and elsewhere";

/// How often the confirmation of one failure is tried, each time with another run's case.
const TRIES: u32 = 3;

#[derive(Default)]
pub(crate) struct Findings {
    rows: Vec<FindingRow>,
    hits: Vec<u64>,
    by_cause: FxHashMap<String, usize>,
    /// What is to blame for failures at a place, by their causes; nothing where that is not clear.
    blamed: FxHashMap<String, Option<String>>,
}

/// What the plain build did with a failing case.
pub(crate) struct Verdict {
    pub confirmed: bool,
    /// Why not, in words.
    pub note: String,
}

/// What is wrong with a run.
pub(crate) struct Failed {
    /// A failure.
    pub outcome: Outcome,
    /// What makes it one finding with others.
    pub cause: String,
    /// What is to blame, in words, wherever it shows.
    pub blamed: Option<String>,
    /// None if it was not tried again.
    pub verdict: Option<Verdict>,
    /// A case that fails in the same way with fewer preemptions, or a smaller input.
    pub shorter: Option<Case>,
    /// What its threads did when it was tried again.
    pub story: Vec<StoryLine>,
}

impl Failed {
    /// `None` where it is no failure.
    pub fn kind(&self) -> Option<&FailureKind> {
        match &self.outcome {
            Outcome::Failure { kind, .. } => Some(kind),
            _ => None,
        }
    }

    /// The plain build may tell more of the same failure: what it wrote is known, too.
    pub fn say_more(&mut self, again: &Outcome) {
        if let Outcome::Failure { kind, message, .. } = &mut self.outcome
            && let Outcome::Failure {
                kind: same,
                message: more,
                ..
            } = again
            && kind == same
            // What it says less of, it says in fewer of the same words.
            && !message.contains(more.as_str())
        {
            message.clone_from(more);
        }
    }

    /// Kind, message and places.
    pub fn about(&self) -> (&str, &str, &[Location]) {
        match &self.outcome {
            Outcome::Failure {
                kind,
                message,
                place,
            } => (kind.word(), message, place),
            _ => ("", "", &[]),
        }
    }
}

impl Findings {
    pub fn load(rows: Vec<FindingRow>) -> Findings {
        let causes = rows.iter().enumerate();
        Findings {
            by_cause: causes
                .map(|(index, row)| (row.cause.clone(), index))
                .collect(),
            hits: vec![0; rows.len()],
            rows,
            blamed: FxHashMap::default(),
        }
    }

    pub fn rows(&self) -> &[FindingRow] {
        &self.rows
    }

    /// Counts a run for the finding it hit; false if there is no such finding.
    pub fn hit(&mut self, id: u32) -> bool {
        let index = (id as usize).wrapping_sub(1);
        match self.hits.get_mut(index) {
            Some(hits) => {
                *hits += 1;
                true
            }
            None => false,
        }
    }

    /// What is to blame for failures with this cause, if that has been asked.
    pub fn blamed(&self, cause: &str) -> Option<Option<String>> {
        match self.by_cause.contains_key(cause) {
            // It is a finding of its own.
            true => Some(None),
            false => self.blamed.get(cause).cloned(),
        }
    }

    pub fn blame(&mut self, cause: String, what: Option<String>) {
        self.blamed.insert(cause, what);
    }

    /// Whether a failing case should be run on the plain build.
    pub fn wants_confirming(&self, cause: &str) -> bool {
        match self.by_cause.get(cause) {
            Some(index) => !self.rows[*index].confirmed && self.rows[*index].tries < TRIES,
            None => true,
        }
    }

    /// Adds a failure, or what is new about a known one. The finding's id, and whether its row
    /// changed.
    pub fn add(
        &mut self,
        cause: &str,
        (kind, message, place): (&str, &str, &[Location]),
        run: u32,
        verdict: Option<Verdict>,
    ) -> (u32, bool) {
        let index = match self.by_cause.get(cause) {
            Some(index) => *index,
            None => {
                let index = self.rows.len();
                self.rows.push(FindingRow {
                    id: index as u32 + 1,
                    cause: cause.to_owned(),
                    kind: kind.to_owned(),
                    message: message.to_owned(),
                    stack: place.iter().map(Frame::from).collect(),
                    confirmed: false,
                    note: String::new(),
                    tries: 0,
                    run,
                });
                self.hits.push(0);
                self.by_cause.insert(cause.to_owned(), index);
                index
            }
        };
        let row = &mut self.rows[index];
        let mut changed = row.tries == 0;
        if cause.contains(BLAMED) && row.add_place(place) {
            changed = true;
        }
        if let Some(verdict) = verdict.filter(|_| !row.confirmed) {
            changed = true;
            row.tries += 1;
            row.note = verdict.note;
            if verdict.confirmed {
                row.confirmed = true;
                row.run = run;
                let (_, places) = row.message.split_once(ALSO).unwrap_or_default();
                row.message = match places {
                    "" => message.to_owned(),
                    places => format!("{message}{ALSO}{places}"),
                };
                row.stack = place.iter().map(Frame::from).collect();
            }
        }
        (row.id, changed)
    }

    /// Adds a finding of another campaign, or what is new about a known one: its id here. Which run shows it is said
    /// by [`Findings::place`].
    pub fn adopt(&mut self, row: &FindingRow) -> u32 {
        match self.by_cause.get(&row.cause) {
            Some(index) => self.rows[*index].id,
            None => {
                let id = self.rows.len() as u32 + 1;
                self.by_cause.insert(row.cause.clone(), self.rows.len());
                self.hits.push(0);
                self.rows.push(FindingRow {
                    id,
                    confirmed: false,
                    tries: 0,
                    ..row.clone()
                });
                id
            }
        }
    }

    /// Says of an adopted finding what the other campaign knew, and which run shows it; true if it is shown as there.
    pub fn place(&mut self, id: u32, row: &FindingRow, run: u32) -> bool {
        let known = &mut self.rows[id as usize - 1];
        let better = known.tries == 0 || (row.confirmed && !known.confirmed);
        let tries = known.tries.saturating_add(row.tries.max(1));
        if better {
            *known = FindingRow {
                id,
                run,
                ..row.clone()
            };
        }
        known.tries = tries;
        better
    }

    /// Findings as people are shown them; what is known of data races by their cause.
    pub fn public(&self, dir: &Path, confirmed: bool, races: &Races) -> Vec<Finding> {
        let rows = self.rows.iter().zip(&self.hits);
        rows.filter(|(row, _)| row.confirmed == confirmed)
            .map(|(row, hits)| row.public(dir, *hits, races))
            .collect()
    }
}

impl FindingRow {
    /// Says where else the same shows; true if that was not said before.
    fn add_place(&mut self, place: &[Location]) -> bool {
        let Some(at) = Location::of_stack(place).filter(|at| !at.file.is_empty()) else {
            return false;
        };
        let own = Frame::of_stack(&self.stack);
        if own.is_some_and(|own| (own.line, &own.file) == (at.line, &at.file)) {
            return false;
        }
        let file = at.file.rsplit('/').next().unwrap_or_default();
        let at = format!("{file}:{}", at.line);
        let (said, places) = self.message.split_once(ALSO).unwrap_or((&self.message, ""));
        let known: Vec<&str> = places
            .split(", ")
            .filter(|known| !known.is_empty())
            .collect();
        if known.contains(&at.as_str()) || known.contains(&MORE) {
            return false;
        }
        let more = match known.len() < PLACES {
            true => at.as_str(),
            false => MORE,
        };
        let all: Vec<&str> = known.into_iter().chain([more]).collect();
        self.message = format!("{said}{ALSO}{}", all.join(", "));
        true
    }

    pub fn public(&self, dir: &Path, runs: u64, races: &Races) -> Finding {
        let race = races.get(&self.cause).copied();
        let innermost = Frame::of_stack(&self.stack).cloned().unwrap_or_default();
        Finding {
            id: self.id,
            kind: self.kind.clone(),
            message: self.message.clone(),
            file: innermost.file,
            line: innermost.line,
            function: innermost.function,
            confirmed: self.confirmed,
            note: self.note.clone(),
            case: u64::from(self.run),
            runs: race.map_or(runs, |race| race.executions),
            race,
            path: dir.join("findings").join(self.id.to_string()),
            stack: self.stack.clone(),
        }
    }
}

/// What makes two failures the same: kind and innermost place outside of libraries; for an assertion also what it
/// asserts, since several may stand on one line. Threads that never end are somewhere when the run is
/// ended: that place tells nothing apart.
pub(crate) fn cause(kind: &FailureKind, message: &str, place: &[Location]) -> String {
    if *kind == FailureKind::Livelock {
        return format!("{kind}\n");
    }
    if kind.has_several_places() && !place.is_empty() {
        let places = place.iter();
        let mut places: Vec<String> = places
            .map(|at| format!("\n{}\n{}\n{}", at.function, at.file, at.line))
            .collect();
        places.sort_unstable();
        places.dedup();
        return format!("{kind}{}\n", places.concat());
    }
    let (function, file, line) = match Location::of_stack(place) {
        Some(at) => (at.function.as_str(), at.file.as_str(), at.line),
        None => ("", "", 0),
    };
    // Without a place, the message is all that tells failures apart.
    let message = match *kind == FailureKind::Assertion || place.is_empty() {
        true => message,
        false => "",
    };
    format!("{kind}\n{function}\n{file}\n{line}\n{message}")
}

/// The cause of failures for which the same thing is to blame.
pub(crate) fn cause_of_blamed(kind: &FailureKind, what: &str) -> String {
    format!("{kind}{BLAMED}{what}")
}

/// The cause of a failure; none if it is no failure.
pub(crate) fn cause_of(outcome: &Outcome) -> Option<String> {
    match outcome {
        Outcome::Failure {
            kind,
            message,
            place,
        } => Some(cause(kind, message, place)),
        _ => None,
    }
}

/// Are both failures, and of one finding?
pub fn same_failure(one: &Outcome, other: &Outcome) -> bool {
    cause_of(one).is_some_and(|cause| cause_of(other) == Some(cause))
}

/// Compares a failure with what the plain build did on the same case, or the same run once more
/// where only a schedule brings it about. A run to which something was `refused` proves nothing: the other
/// was refused the same.
pub(crate) fn judge(
    kind: &FailureKind,
    again: Result<Outcome, String>,
    by_schedule: bool,
    refused: bool,
) -> Verdict {
    let what = match by_schedule {
        true => "the same schedule once more",
        false => "the plain build",
    };
    let note = match again {
        Ok(Outcome::Failure { kind: found, .. }) if found == *kind && refused => {
            "the run had been refused something by containment or a limit: that may be why it fails"
                .into()
        }
        Ok(Outcome::Failure { kind: found, .. }) if found == *kind => {
            return Verdict {
                confirmed: true,
                note: String::new(),
            };
        }
        Ok(Outcome::Failure { kind: found, .. }) => {
            format!("{what} fails in another way ({found})")
        }
        Ok(Outcome::Exit(code)) => format!("{what} exits with {code}"),
        Ok(Outcome::Assumed) => format!("{what} stops at an assumption"),
        Err(error) => format!("{what} cannot be run: {error}"),
    };
    Verdict {
        confirmed: false,
        note,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: u32) -> Location {
        Location {
            file: "a.c".into(),
            line,
            ..Location::default()
        }
    }

    #[test]
    fn all_places_of_threads_matter_in_any_order() {
        for kind in [
            FailureKind::DataRace,
            FailureKind::Deadlock,
            FailureKind::LostWakeUp,
        ] {
            let of = |lines: &[u32]| {
                let places: Vec<Location> = lines.iter().map(|line| at(*line)).collect();
                cause(&kind, "words", &places)
            };
            assert_eq!(of(&[3, 7]), of(&[7, 3]));
            assert_eq!(of(&[3, 7]), of(&[7, 3, 7]));
            assert_ne!(of(&[3, 7]), of(&[3, 8]));
            assert_ne!(of(&[3, 7]), of(&[3]));
        }
        // Elsewhere, the others are callers.
        let of = |lines: [u32; 2]| cause(&FailureKind::Segv, "words", &lines.map(at));
        assert_eq!(of([3, 7]), of([3, 8]));
        assert_ne!(of([3, 7]), of([7, 3]));
    }

    #[test]
    fn where_threads_are_that_never_end_does_not_matter() {
        let of = |line| cause(&FailureKind::Livelock, "words", &[at(line)]);
        assert_eq!(of(3), of(8));
    }

    #[test]
    fn what_one_thing_is_to_blame_for_is_one_finding_with_its_places() {
        let mut findings = Findings::default();
        let cause = cause_of_blamed(&FailureKind::Segv, "the argument `p` is null");
        let mut add = |line| {
            let (id, changed) = findings.add(&cause, ("segv", "it is null", &[at(line)]), 1, None);
            (id, changed, findings.rows()[0].message.clone())
        };
        assert_eq!(add(3), (1, true, "it is null".into()));
        assert_eq!(add(5).2, "it is null; also at a.c:5");
        assert_eq!(add(7).2, "it is null; also at a.c:5, a.c:7");
        // Where it is told already, and where else.
        for line in [3, 5, 7] {
            assert_eq!(add(line).2, "it is null; also at a.c:5, a.c:7");
        }
        for line in 10..30 {
            add(line);
        }
        let message = add(40).2;
        assert_eq!(message.matches("a.c:").count(), PLACES, "{message}");
        assert!(message.ends_with(MORE), "{message}");
        let confirmed = Verdict {
            confirmed: true,
            note: String::new(),
        };
        let about = ("segv", "it is said better", &[at(3)][..]);
        findings.add(&cause, about, 2, Some(confirmed));
        let message = &findings.rows()[0].message;
        assert!(
            message.starts_with("it is said better; also at a.c:5, "),
            "{message}"
        );
    }

    #[test]
    fn what_confirms_is_said() {
        let ended = |by_schedule| {
            judge(
                &FailureKind::Deadlock,
                Ok(Outcome::Exit(0)),
                by_schedule,
                false,
            )
        };
        assert_eq!(ended(false).note, "the plain build exits with 0");
        assert_eq!(ended(true).note, "the same schedule once more exits with 0");
        let failed = Outcome::Failure {
            kind: "abort".into(),
            message: String::new(),
            place: Vec::new(),
        };
        assert!(judge(&FailureKind::Abort, Ok(failed.clone()), false, false).confirmed);
        let refused = judge(&FailureKind::Abort, Ok(failed), false, true);
        assert!(!refused.confirmed && refused.note.contains("refused"));
    }
}
