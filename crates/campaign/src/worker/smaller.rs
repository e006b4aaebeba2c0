//! A failing input as small as can soon be found: fewer bytes first, then plainer ones.
//!
//! Pieces are left out, large ones first; then pieces are made plain. Each try is a run, and what fails in the same way
//! is tried further. Nothing is chosen by the clock unless runs are slow, so that the same campaign shows the same input.

use super::Worker;
use crate::findings::cause_of;
use elsewise_explore::{Case, Outcome, Text};
use std::time::{Duration, Instant};

/// Runs that are made for one failure, and how long.
const TRIES: u32 = 300;
const LIMIT: Duration = Duration::from_secs(2);
/// Beyond as much, this part of the time that has passed is spent on it.
const SHARE: u32 = 5;

/// What an input is made of that says nothing, the plainest first.
const PLAIN: [u8; 5] = *b"0aA \n";

fn rank(byte: u8) -> usize {
    let plain = PLAIN.iter().position(|one| *one == byte);
    let other = PLAIN.len() + usize::from(!byte.is_ascii_graphic());
    plain.unwrap_or(other)
}

/// No more tries.
struct Enough;

/// The smallest that is found of bytes that fail; `fails` tries others.
fn smallest(
    bytes: &mut Vec<u8>,
    shrinks: bool,
    fails: &mut dyn FnMut(&[u8]) -> Result<bool, Enough>,
) -> Result<(), Enough> {
    if shrinks {
        leave_out(bytes, fails)?;
    }
    make_plain(bytes, fails)
}

fn leave_out(
    bytes: &mut Vec<u8>,
    fails: &mut dyn FnMut(&[u8]) -> Result<bool, Enough>,
) -> Result<(), Enough> {
    let mut size = bytes.len();
    while size > 0 {
        let mut left_out = false;
        let mut end = bytes.len();
        while end > 0 {
            let begin = end.saturating_sub(size);
            let rest = [&bytes[..begin], &bytes[end..]].concat();
            if fails(&rest)? {
                *bytes = rest;
                left_out = true;
            }
            end = begin;
        }
        // What had to be there for something that is gone may go, too.
        if size > 1 || !left_out {
            size /= 2;
        }
    }
    Ok(())
}

fn make_plain(
    bytes: &mut Vec<u8>,
    fails: &mut dyn FnMut(&[u8]) -> Result<bool, Enough>,
) -> Result<(), Enough> {
    let mut size = bytes.len();
    while size > 0 {
        for begin in (0..bytes.len()).step_by(size) {
            let piece = begin..(begin + size).min(bytes.len());
            let plainest = if size == 1 { PLAIN.len() } else { 1 };
            for (better, plain) in PLAIN[..plainest].iter().enumerate() {
                if bytes[piece.clone()]
                    .iter()
                    .all(|byte| rank(*byte) <= better)
                {
                    break;
                }
                let mut other = bytes.clone();
                other[piece.clone()].fill(*plain);
                if fails(&other)? {
                    *bytes = other;
                    break;
                }
            }
        }
        size /= 2;
    }
    Ok(())
}

impl Worker<'_> {
    /// A smaller case that fails in the same way, and how it ends; none if this one is as small as can be found.
    pub(super) fn smaller(&mut self, case: &Case, cause: &str) -> Option<(Case, Outcome)> {
        let begun = Instant::now();
        let passed = self.board.state().session.elapsed();
        let left = (LIMIT + passed / SHARE).saturating_sub(self.making_smaller);
        let end = begun + left.min(LIMIT);
        let mut tries = 0;
        let mut best = None;
        for Text { input, shrinks } in self.subject.texts(case) {
            let smaller = best.as_ref().map_or(case, |(case, _)| case).clone();
            let mut bytes = smaller.inputs.get(&input).cloned().unwrap_or_default();
            let mut fails = |bytes: &[u8]| {
                tries += 1;
                if tries > TRIES || Instant::now() >= end {
                    return Err(Enough);
                }
                let mut other = smaller.clone();
                other.inputs.insert(input.clone(), bytes.to_vec());
                let Some(outcome) = self.fails_like(&other, cause) else {
                    return Ok(false);
                };
                best = Some((other, outcome));
                Ok(true)
            };
            if smallest(&mut bytes, shrinks, &mut fails).is_err() {
                break;
            }
        }
        self.making_smaller += begun.elapsed();
        best
    }

    /// How a run of a case ends, if it fails in this way.
    fn fails_like(&mut self, case: &Case, cause: &str) -> Option<Outcome> {
        let trace = self.run(case).ok()?.ok()?;
        self.board.state().counts.repeated(&trace);
        let same = cause_of(&trace.outcome).as_deref() == Some(cause);
        (same && !trace.was_refused()).then_some(trace.outcome)
    }
}

#[cfg(test)]
mod tests {
    use super::{Enough, smallest};

    fn found(bytes: &[u8], shrinks: bool, fails: impl Fn(&[u8]) -> bool) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        let mut tries = |other: &[u8]| Ok::<bool, Enough>(fails(other));
        assert!(smallest(&mut bytes, shrinks, &mut tries).is_ok());
        bytes
    }

    #[test]
    fn what_does_not_matter_is_left_out() {
        let has = |text: &'static [u8]| {
            move |bytes: &[u8]| bytes.windows(text.len()).any(|window| window == text)
        };
        assert_eq!(found(b"\0\0\0xboom\x07\0", true, has(b"boom")), b"boom");
        let letters = |bytes: &[u8]| bytes.iter().filter(|byte| **byte == b'x').count() > 2;
        assert_eq!(found(b"axbbxcccxddddxx", true, letters), b"xxx");
        assert_eq!(found(b"anything", true, |_| true), b"");
    }

    #[test]
    fn what_has_to_be_there_is_plain() {
        assert_eq!(
            found(b"\x01\x02Q\xff", false, |bytes| bytes[2] == b'Q'),
            b"00Q0"
        );
        let letter = |bytes: &[u8]| bytes[0].is_ascii_alphabetic();
        assert_eq!(found(b"Z\0", false, letter), b"a0");
    }

    #[test]
    fn whoever_has_had_enough_keeps_what_was_found() {
        let mut bytes = b"abcd".to_vec();
        let mut answers = [false, true].into_iter();
        let mut fails = |_: &[u8]| answers.next().ok_or(Enough);
        assert!(smallest(&mut bytes, true, &mut fails).is_err());
        assert_eq!(bytes, b"ab");
    }
}
