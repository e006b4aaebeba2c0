//! Compact bytes for what a row holds, and their strict reading back.

use elsewise_explore::{Case, Kind, SiteId, Step};
use std::collections::BTreeMap;

/// Bytes from a file make no sense.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Bad(pub &'static str);

#[derive(Default)]
pub(crate) struct Writer(pub Vec<u8>);

impl Writer {
    pub fn byte(&mut self, value: u8) {
        self.0.push(value);
    }

    pub fn int(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        self.int(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    /// A choice without its index: kind and taken share a byte for all common choices.
    pub fn step(&mut self, step: &Step) {
        let kind = step.kind as u8;
        let head = match step.kind {
            Kind::Branch | Kind::Assume => kind | (step.taken as u8) << 2,
            Kind::Value | Kind::Switch => kind,
            Kind::Form => FORM | (step.taken as u8) << 2,
            Kind::Question => QUESTION,
            Kind::Thread => THREAD,
            Kind::Pick => PICK,
        };
        self.byte(head | if step.asleep { ASLEEP } else { 0 });
        if matches!(step.kind, Kind::Switch | Kind::Pick) {
            self.int(u64::from(step.alternatives));
        }
        if !matches!(
            step.kind,
            Kind::Branch | Kind::Form | Kind::Assume | Kind::Question
        ) {
            self.int(step.taken);
        }
        self.int(u64::from(step.site.0));
    }
}

/// Where an assumption would have its third alternative.
const QUESTION: u8 = Kind::Assume as u8 | 2 << 2;
const THREAD: u8 = Kind::Value as u8 | 1 << 2;
const PICK: u8 = Kind::Switch as u8 | 1 << 2;
/// Two more alternatives than a branch has.
const FORM: u8 = Kind::Branch as u8 | 2 << 2;
const FORM_NOT: u8 = FORM | 1 << 2;
const ASLEEP: u8 = 0x80;

pub(crate) struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    pub fn byte(&mut self) -> Result<u8, Bad> {
        let (first, rest) = self.0.split_first().ok_or(Bad("cut short"))?;
        self.0 = rest;
        Ok(*first)
    }

    pub fn int(&mut self) -> Result<u64, Bad> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(Bad("a number without end"))
    }

    pub fn small(&mut self) -> Result<u32, Bad> {
        u32::try_from(self.int()?).map_err(|_| Bad("a number out of range"))
    }

    pub fn take(&mut self, length: u64) -> Result<&'a [u8], Bad> {
        let length = usize::try_from(length).map_err(|_| Bad("cut short"))?;
        if length > self.0.len() {
            return Err(Bad("cut short"));
        }
        let (taken, rest) = self.0.split_at(length);
        self.0 = rest;
        Ok(taken)
    }

    pub fn bytes(&mut self) -> Result<&'a [u8], Bad> {
        let length = self.int()?;
        self.take(length)
    }

    /// A number of things that take at least a byte each.
    pub fn count(&mut self) -> Result<u64, Bad> {
        let count = self.int()?;
        match count <= self.0.len() as u64 {
            true => Ok(count),
            false => Err(Bad("cut short")),
        }
    }

    pub fn end(&self) -> Result<(), Bad> {
        match self.0.is_empty() {
            true => Ok(()),
            false => Err(Bad("too long")),
        }
    }

    pub fn step(&mut self) -> Result<Step, Bad> {
        let head = self.byte()?;
        let asleep = head & ASLEEP != 0;
        let head = head & !ASLEEP;
        let kind = match head {
            QUESTION => Kind::Question,
            THREAD => Kind::Thread,
            PICK => Kind::Pick,
            FORM | FORM_NOT => Kind::Form,
            head => Kind::from_u8(head & 3).ok_or(Bad("no such kind of choice"))?,
        };
        let (alternatives, taken) = match kind {
            Kind::Branch | Kind::Assume => (2, u64::from(head >> 2)),
            Kind::Form => (2, u64::from(head == FORM_NOT)),
            Kind::Question => (2, 0),
            Kind::Value | Kind::Thread => (0, self.int()?),
            Kind::Switch | Kind::Pick => (self.small()?, self.int()?),
        };
        let step = Step {
            site: SiteId(self.small()?),
            kind,
            alternatives,
            taken,
            asleep,
        };
        match step.is_sound() {
            true => Ok(step),
            false => Err(Bad("an impossible alternative")),
        }
    }
}

/// First 64 bits of a hash, as SQLite keeps integers.
pub(crate) fn hash64(bytes: &[u8]) -> i64 {
    let hash = blake3::hash(bytes);
    let mut first = [0; 8];
    first.copy_from_slice(&hash.as_bytes()[..8]);
    i64::from_le_bytes(first)
}

/// A case as one byte string.
pub(crate) fn pack_case(case: &Case) -> Vec<u8> {
    let mut writer = Writer::default();
    writer.int(case.inputs.len() as u64);
    for (name, bytes) in &case.inputs {
        writer.bytes(name.as_bytes());
        writer.bytes(bytes);
    }
    if !case.schedule.is_empty() {
        writer.int(case.schedule.len() as u64);
        for number in &case.schedule {
            writer.int(u64::from(*number));
        }
    }
    writer.0
}

pub(crate) fn unpack_case(packed: &[u8]) -> Result<Case, Bad> {
    let mut reader = Reader(packed);
    let count = reader.count()?;
    let mut inputs = BTreeMap::new();
    for _ in 0..count {
        let name = std::str::from_utf8(reader.bytes()?).map_err(|_| Bad("a name is no text"))?;
        inputs.insert(name.to_owned(), reader.bytes()?.to_vec());
    }
    let mut schedule = Vec::new();
    if reader.end().is_err() {
        for _ in 0..reader.count()? {
            schedule.push(reader.small()?);
        }
    }
    reader.end()?;
    Ok(Case { inputs, schedule })
}

/// Cases up to this many bytes are kept whole.
const SMALL: usize = 96;
/// Longest chain of differences behind a case.
pub(crate) const MAX_CHAIN: u8 = 16;

/// What a difference is against: another run's case, and how long a chain that run has itself.
pub(crate) struct Base<'a> {
    pub run: u32,
    pub packed: &'a [u8],
    pub chain: u8,
}

/// A packed case, whole or as a difference from an earlier one; and the length of its chain.
pub(crate) fn shrink(packed: &[u8], base: Option<Base<'_>>) -> (Vec<u8>, u8) {
    if let Some(base) = base.filter(|base| packed.len() > SMALL && base.chain < MAX_CHAIN) {
        let mut writer = Writer::default();
        writer.byte(base.chain + 1);
        writer.int(u64::from(base.run));
        differences(&mut writer, base.packed, packed);
        if writer.0.len() < packed.len() / 4 * 3 {
            return (writer.0, base.chain + 1);
        }
    }
    let mut whole = Vec::with_capacity(packed.len() + 1);
    whole.push(0);
    whole.extend_from_slice(packed);
    (whole, 0)
}

/// How one byte string is got from another: what stays at both ends, and in between either new
/// bytes, or, where the length did not change, only the stretches that did.
fn differences(writer: &mut Writer, old: &[u8], new: &[u8]) {
    let shorter = old.len().min(new.len());
    let same = |pair: &(&u8, &u8)| pair.0 == pair.1;
    let front = old.iter().zip(new).take_while(same).count();
    let backwards = old.iter().rev().zip(new.iter().rev());
    let back = backwards.take(shorter - front).take_while(same).count();
    writer.int(front as u64);
    writer.int(back as u64);
    let (middle_old, middle) = (&old[front..old.len() - back], &new[front..new.len() - back]);
    writer.int(middle.len() as u64);
    if middle_old.len() != middle.len() {
        writer.0.extend_from_slice(middle);
        return;
    }
    let mut at = 0;
    while at < middle.len() {
        let kept = (at..middle.len())
            .take_while(|i| middle_old[*i] == middle[*i])
            .count();
        let start = at + kept;
        // A gap of a few equal bytes costs less inside a stretch than between two.
        let mut end = start;
        let mut equal = 0;
        for i in start..middle.len() {
            if middle_old[i] == middle[i] {
                equal += 1;
                if equal > 2 {
                    break;
                }
            } else {
                equal = 0;
                end = i + 1;
            }
        }
        writer.int(kept as u64);
        writer.bytes(&middle[start..end]);
        at = end.max(start);
        if end == start {
            break;
        }
    }
}

/// What a stored case needs to become whole.
pub(crate) enum Stored<'a> {
    Whole(&'a [u8]),
    /// Base run, length of the chain, and the difference.
    Difference(u32, u8, &'a [u8]),
}

pub(crate) fn stored(blob: &[u8]) -> Result<Stored<'_>, Bad> {
    let mut reader = Reader(blob);
    match reader.byte()? {
        0 => Ok(Stored::Whole(reader.0)),
        chain @ 1..=MAX_CHAIN => {
            let base = reader.small()?;
            Ok(Stored::Difference(base, chain, reader.0))
        }
        _ => Err(Bad("a chain too long")),
    }
}

pub(crate) fn restore(old: &[u8], difference: &[u8]) -> Result<Vec<u8>, Bad> {
    let mut reader = Reader(difference);
    let (front, back, middle) = (reader.int()?, reader.int()?, reader.int()?);
    let kept = front.checked_add(back).ok_or(Bad("out of range"))?;
    let old_middle = (old.len() as u64)
        .checked_sub(kept)
        .ok_or(Bad("out of range"))?;
    let (front, back) = (front as usize, back as usize);
    let mut new = old[..front].to_vec();
    if old_middle != middle {
        new.extend_from_slice(reader.take(middle)?);
    } else {
        let source = &old[front..old.len() - back];
        let mut at = 0usize;
        while at < source.len() {
            let kept = reader.int()?;
            let changed = reader.bytes()?;
            let kept = usize::try_from(kept)
                .ok()
                .filter(|k| *k <= source.len() - at);
            let kept = kept.ok_or(Bad("out of range"))?;
            new.extend_from_slice(&source[at..at + kept]);
            at += kept;
            if changed.len() > source.len() - at || kept + changed.len() == 0 {
                return Err(Bad("out of range"));
            }
            new.extend_from_slice(changed);
            at += changed.len();
        }
    }
    reader.end()?;
    new.extend_from_slice(&old[old.len() - back..]);
    Ok(new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use elsewise_explore::Random;

    fn random_bytes(random: &mut Random, length: usize) -> Vec<u8> {
        (0..length).map(|_| random.number() as u8).collect()
    }

    #[test]
    fn steps_of_two_ways_come_back() {
        for kind in [Kind::Branch, Kind::Form, Kind::Assume] {
            for (taken, asleep) in [(0, false), (1, false), (1, true)] {
                let step = Step {
                    site: SiteId(300),
                    kind,
                    alternatives: 2,
                    taken,
                    asleep,
                };
                let mut writer = Writer::default();
                writer.step(&step);
                let mut reader = Reader(&writer.0);
                assert_eq!(reader.step(), Ok(step));
                assert_eq!(reader.end(), Ok(()));
            }
        }
    }

    #[test]
    fn a_difference_gives_the_case_back() {
        let mut random = Random::new(1);
        for _ in 0..3_000 {
            let length = random.below(400);
            let old = random_bytes(&mut random, length);
            let mut new = old.clone();
            for _ in 0..random.below(6) {
                match random.below(3) {
                    0 if !new.is_empty() => {
                        let at = random.below(new.len());
                        new[at] = random.number() as u8;
                    }
                    1 => new.insert(random.below(new.len() + 1), random.number() as u8),
                    _ => new.truncate(random.below(new.len() + 1)),
                }
            }
            let base = Base {
                run: 7,
                packed: &old,
                chain: 3,
            };
            let (blob, chain) = shrink(&new, Some(base));
            match stored(&blob).unwrap() {
                Stored::Whole(whole) => assert_eq!((whole, chain), (&new[..], 0)),
                Stored::Difference(run, in_blob, difference) => {
                    assert_eq!((run, in_blob, chain), (7, 4, 4));
                    assert_eq!(restore(&old, difference), Ok(new));
                }
            }
        }
    }

    #[test]
    fn damaged_bytes_are_errors() {
        let mut random = Random::new(2);
        let old = random_bytes(&mut random, 300);
        let mut new = old.clone();
        (new[50], new[51], new[200]) = (1, 2, 3);
        let base = Base {
            run: 0,
            packed: &old,
            chain: 0,
        };
        let (blob, _) = shrink(&new, Some(base));
        let rounds = std::env::var("ELSEWISE_MUTATIONS").map_or(20_000, |n| n.parse().unwrap());
        for _ in 0..rounds {
            let mut bad = blob.clone();
            let at = random.below(bad.len());
            bad[at] = random.number() as u8;
            bad.truncate(random.below(bad.len() + 1));
            if let Ok(Stored::Difference(_, _, difference)) = stored(&bad)
                && let Ok(restored) = restore(&old, difference)
            {
                assert!(restored.len() <= old.len() + bad.len());
            }
            let _ = unpack_case(&bad);
            let mut reader = Reader(&bad);
            while reader.step().is_ok() {}
        }
    }
}
