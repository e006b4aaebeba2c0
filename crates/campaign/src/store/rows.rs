//! What the rows of the store hold, as bytes and back.

use super::codec::{Bad, Reader, Writer, hash64};
use elsewise_explore::{
    Attach, Choice, Inserted, Item, LeafEnd, PositionId, Reason, SideId, State, Step,
};
use std::ops::Range;

/// Where a case came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i64)]
pub(crate) enum Origin {
    Seed = 0,
    Query = 1,
    Optimistic = 2,
    /// Another order of threads.
    Schedule = 3,
    /// Chance decided who moves.
    Sample = 4,
}

impl Origin {
    pub fn from_i64(code: i64) -> Option<Origin> {
        use Origin::*;
        [Seed, Query, Optimistic, Schedule, Sample]
            .into_iter()
            .find(|origin| *origin as i64 == code)
    }
}

/// How a run ended, as two integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OutcomeCode {
    Exit(i32),
    Assumed,
    /// The finding.
    Failure(u32),
}

impl OutcomeCode {
    pub fn pack(self) -> (i64, i64) {
        match self {
            OutcomeCode::Exit(code) => (0, i64::from(code)),
            OutcomeCode::Assumed => (1, 0),
            OutcomeCode::Failure(finding) => (2, i64::from(finding)),
        }
    }

    pub fn unpack(outcome: i64, detail: i64) -> Option<OutcomeCode> {
        match outcome {
            0 => Some(OutcomeCode::Exit(i32::try_from(detail).ok()?)),
            1 => Some(OutcomeCode::Assumed),
            2 => Some(OutcomeCode::Failure(u32::try_from(detail).ok()?)),
            _ => None,
        }
    }
}

/// What a run did to the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TreePart {
    pub attach: Option<Attach>,
    pub steps: Vec<Step>,
    pub end: LeafEnd,
    pub apart: bool,
}

pub(crate) struct RunRow<'a> {
    pub id: u32,
    pub origin: Origin,
    /// The run that the case was made from, and the alternative that was wanted.
    pub parent: Option<(u32, u32, u64)>,
    pub outcome: OutcomeCode,
    pub cpu_micros: u64,
    /// When it ended, in the campaign's life: time between explorations does not count.
    pub millis: u64,
    pub hash: i64,
    pub inserted: &'a Inserted,
    pub steps: RowSteps<'a>,
    pub new_sides: &'a [SideId],
    /// Word, site + 1 (0 for none), count.
    pub approximations: &'a [(u32, u64, u64)],
    pub input: &'a [u8],
}

/// The choices of a run.
pub(crate) enum RowSteps<'a> {
    /// All of them, and those whose other alternatives are explored elsewhere.
    Choices(&'a [Choice], &'a [Range<u32>]),
    /// Those at new positions, as the tree has them.
    New(&'a [Step]),
}

/// Is the choice in one of these ascending ranges?
pub(crate) fn is_asleep(asleep: &[Range<u32>], choice: u32) -> bool {
    let next = asleep.partition_point(|range| range.end <= choice);
    asleep
        .get(next)
        .is_some_and(|range| range.contains(&choice))
}

impl RunRow<'_> {
    pub fn trace_blob(&self) -> Vec<u8> {
        let Inserted {
            attach,
            first_new_choice,
            new_positions,
            diverged,
            end,
            ..
        } = self.inserted;
        let mut writer = Writer(Vec::with_capacity(16 + 3 * new_positions.len()));
        let flags = u8::from(attach.is_some())
            | u8::from(attach.is_some_and(|attach| attach.position.is_some())) << 1
            | u8::from(end.assumed) << 2
            | u8::from(end.cut) << 3
            | u8::from(diverged.is_some()) << 4;
        writer.byte(flags);
        if let Some(attach) = attach {
            if let Some(position) = attach.position {
                writer.int(u64::from(position.0));
                writer.int(attach.taken);
            }
            writer.int(new_positions.len() as u64);
            match &self.steps {
                RowSteps::New(steps) => {
                    for step in steps.iter().take(new_positions.len()) {
                        writer.step(step);
                    }
                }
                // Straight from the choices: a trace may have millions of them.
                RowSteps::Choices(choices, asleep) => {
                    let new = choices.iter().skip(*first_new_choice as usize);
                    let new = (*first_new_choice..).zip(new);
                    for (index, choice) in new.take(new_positions.len()) {
                        writer.step(&Step {
                            asleep: is_asleep(asleep, index),
                            ..Step::from(choice)
                        });
                    }
                }
            }
        }
        writer.int(self.new_sides.len() as u64);
        for side in self.new_sides {
            writer.int(u64::from(side.0));
        }
        writer.int(self.approximations.len() as u64);
        for (word, site, count) in self.approximations {
            writer.int(u64::from(*word));
            writer.int(*site);
            writer.int(*count);
        }
        writer.0
    }

    /// Guards every column but the case, which has its own hash.
    pub fn sum(&self, trace: &[u8]) -> i64 {
        let (outcome, detail) = self.outcome.pack();
        sum_of(
            trace,
            &[
                i64::from(self.id),
                self.origin as i64,
                self.parent.map_or(-1, |(run, ..)| i64::from(run)),
                self.parent.map_or(-1, |(_, choice, _)| i64::from(choice)),
                self.parent
                    .map_or(-1, |(.., alternative)| alternative as i64),
                outcome,
                detail,
                self.cpu_micros as i64,
                self.millis as i64,
                self.hash,
            ],
        )
    }
}

/// The columns of a run in the order of [`RunRow::sum`].
pub(crate) fn sum_of(blob: &[u8], columns: &[i64]) -> i64 {
    let mut bytes = Vec::with_capacity(blob.len() + 8 * columns.len());
    for column in columns {
        bytes.extend_from_slice(&column.to_le_bytes());
    }
    bytes.extend_from_slice(blob);
    hash64(&bytes)
}

/// The other half of [`RunRow::trace_blob`].
#[derive(Debug)]
pub(crate) struct TraceBlob {
    pub tree: TreePart,
    pub new_sides: Vec<SideId>,
    pub approximations: Vec<(u32, u64, u64)>,
}

impl TraceBlob {
    pub fn read(blob: &[u8]) -> Result<TraceBlob, Bad> {
        let mut reader = Reader(blob);
        let flags = reader.byte()?;
        if flags >> 5 != 0 {
            return Err(Bad("unknown flags"));
        }
        let mut tree = TreePart {
            attach: None,
            steps: Vec::new(),
            end: LeafEnd {
                assumed: flags & 4 != 0,
                cut: flags & 8 != 0,
            },
            apart: flags & 16 != 0,
        };
        if flags & 1 != 0 {
            let mut attach = Attach {
                position: None,
                taken: 0,
            };
            if flags & 2 != 0 {
                attach.position = Some(PositionId(reader.small()?));
                attach.taken = reader.int()?;
            }
            tree.attach = Some(attach);
            let count = reader.count()?;
            tree.steps.reserve_exact(count as usize);
            for _ in 0..count {
                tree.steps.push(reader.step()?);
            }
        }
        let count = reader.count()?;
        let sides: Result<_, Bad> = (0..count).map(|_| Ok(SideId(reader.small()?))).collect();
        let new_sides = sides?;
        let count = reader.count()?;
        let counts: Result<_, Bad> = (0..count)
            .map(|_| Ok((reader.small()?, reader.int()?, reader.int()?)))
            .collect();
        let approximations = counts?;
        reader.end()?;
        Ok(TraceBlob {
            tree,
            new_sides,
            approximations,
        })
    }
}

/// Something that happened beside a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    /// An alternative was closed.
    Verdict(Item, State),
    /// An approximation: word, site + 1 (0 for none).
    Event(u32, u64),
}

const INFEASIBLE: u8 = 0;
const EVENT: u8 = 1;
const ANSWERED: u8 = 2;
const SUBSUMED: u8 = 3;
const GAVE_UP: u8 = 16;

pub(crate) fn write_entries(entries: &[Entry]) -> Vec<u8> {
    let mut writer = Writer::default();
    for entry in entries {
        match entry {
            Entry::Verdict(item, state) => {
                match state {
                    State::GaveUp(reason) => writer.byte(GAVE_UP + *reason as u8),
                    State::Answered => writer.byte(ANSWERED),
                    State::Subsumed => writer.byte(SUBSUMED),
                    _ => writer.byte(INFEASIBLE),
                }
                writer.int(u64::from(item.position.0));
                // Wraps "any other value", the greatest number, round to the shortest.
                writer.int(item.alternative.wrapping_add(1));
            }
            Entry::Event(word, site) => {
                writer.byte(EVENT);
                writer.int(u64::from(*word));
                writer.int(*site);
            }
        }
    }
    writer.0
}

pub(crate) fn read_entries(blob: &[u8]) -> Result<Vec<Entry>, Bad> {
    let mut reader = Reader(blob);
    let mut entries = Vec::new();
    while !reader.0.is_empty() {
        let code = reader.byte()?;
        if code == EVENT {
            entries.push(Entry::Event(reader.small()?, reader.int()?));
            continue;
        }
        let state = match code {
            INFEASIBLE => State::Infeasible,
            ANSWERED => State::Answered,
            SUBSUMED => State::Subsumed,
            code => {
                let reason = code.checked_sub(GAVE_UP).map(usize::from);
                let reason = reason.and_then(|reason| Reason::ALL.get(reason));
                State::GaveUp(*reason.ok_or(Bad("no such verdict"))?)
            }
        };
        let item = Item {
            position: PositionId(reader.small()?),
            alternative: reader.int()?.wrapping_sub(1),
        };
        entries.push(Entry::Verdict(item, state));
    }
    Ok(entries)
}

/// A distinct failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FindingRow {
    pub id: u32,
    pub cause: String,
    pub kind: String,
    pub message: String,
    /// Innermost first.
    pub stack: Vec<crate::Frame>,
    pub confirmed: bool,
    pub note: String,
    /// Times that its confirmation was tried.
    pub tries: u32,
    pub run: u32,
}
