//! A failing input as small as can be found: fewer bytes first, then plainer ones.
//!
//! Pieces are left out, large ones first, then pairs of bytes, and numbers that are written down lose a digit; then pieces
//! are made plain, and what is a number in memory is made smaller. Each try is a run, and what fails in the same way
//! is tried further, until nothing changes any more or there have been enough runs.

use elsewise_explore::{Case, Outcome, Text};
use std::time::Instant;

/// Inputs of which all pairs of bytes are tried.
const PAIRS: usize = 48;

/// How far to go.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    pub tries: u64,
    pub end: Option<Instant>,
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct Smaller {
    /// The smallest case that fails in the same way, and how it ends; none if there is none but the given one.
    pub best: Option<(Case, Outcome)>,
    pub tries: u64,
    /// No more tries would have made it smaller.
    pub finished: bool,
}

/// Makes these inputs of a failing case as small as they get; `fails` says how a case ends if it fails in the same way.
pub fn smaller(
    case: &Case,
    texts: &[Text],
    effort: Effort,
    fails: &mut dyn FnMut(&Case) -> Option<Outcome>,
) -> Smaller {
    let mut found = Smaller {
        finished: true,
        ..Smaller::default()
    };
    loop {
        let before = found.best.as_ref().map(|(case, _)| case.clone());
        for text in texts {
            let now = found.best.as_ref().map_or(case, |(case, _)| case).clone();
            let mut bytes = now.inputs.get(&text.input).cloned().unwrap_or_default();
            let mut tries = |bytes: &[u8]| {
                if found.tries >= effort.tries
                    || effort.end.is_some_and(|end| Instant::now() >= end)
                {
                    return Err(Enough);
                }
                found.tries += 1;
                let mut other = now.clone();
                other.inputs.insert(text.input.clone(), bytes.to_vec());
                let Some(outcome) = fails(&other) else {
                    return Ok(false);
                };
                found.best = Some((other, outcome));
                Ok(true)
            };
            if smallest(&mut bytes, text, &mut tries).is_err() {
                found.finished = false;
                return found;
            }
        }
        // What one input has become may let another be smaller.
        let after = found.best.as_ref().map(|(case, _)| case);
        if after == before.as_ref() {
            return found;
        }
    }
}

/// No more tries.
struct Enough;

type Fails<'a> = &'a mut dyn FnMut(&[u8]) -> Result<bool, Enough>;

/// The smallest that is found of bytes that fail; `fails` tries others.
fn smallest(bytes: &mut Vec<u8>, text: &Text, fails: Fails<'_>) -> Result<(), Enough> {
    if text.shrinks {
        loop {
            let before = bytes.len();
            leave_out(bytes, fails)?;
            fewer_digits(bytes, fails)?;
            leave_out_pairs(bytes, fails)?;
            if bytes.len() == before {
                break;
            }
        }
    }
    match text.plain.first() {
        Some(0) => make_less(bytes, fails),
        _ => make_plain(bytes, text.plain, fails),
    }
}

fn leave_out(bytes: &mut Vec<u8>, fails: Fails<'_>) -> Result<(), Enough> {
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

/// Two bytes that belong together, such as parentheses, cannot be left out one by one.
fn leave_out_pairs(bytes: &mut Vec<u8>, fails: Fails<'_>) -> Result<(), Enough> {
    if bytes.len() > PAIRS {
        return Ok(());
    }
    let mut first = 0;
    while first + 1 < bytes.len() {
        let mut second = first + 1;
        while second < bytes.len() {
            let mut rest = bytes.clone();
            rest.remove(second);
            rest.remove(first);
            match fails(&rest)? {
                true => *bytes = rest,
                false => second += 1,
            }
        }
        first += 1;
    }
    Ok(())
}

/// A number may have to be large, and yet be large enough with a digit less.
fn fewer_digits(bytes: &mut Vec<u8>, fails: Fails<'_>) -> Result<(), Enough> {
    let mut begin = 0;
    while begin < bytes.len() {
        let digits = bytes[begin..]
            .iter()
            .take_while(|byte| byte.is_ascii_digit());
        let end = begin + digits.count();
        if end - begin < 2 {
            begin = end.max(begin + 1);
            continue;
        }
        let mut rest = bytes.clone();
        rest.remove(begin);
        rest[begin..end - 1].fill(b'9');
        match fails(&rest)? {
            true => *bytes = rest,
            false => begin = end,
        }
    }
    Ok(())
}

fn make_plain(bytes: &mut Vec<u8>, plain: &[u8], fails: Fails<'_>) -> Result<(), Enough> {
    let rank = |byte: u8| {
        let known = plain.iter().position(|one| *one == byte);
        let other = plain.len() + usize::from(!byte.is_ascii_graphic());
        known.unwrap_or(other)
    };
    let mut size = bytes.len();
    while size > 0 {
        for begin in (0..bytes.len()).step_by(size) {
            let piece = begin..(begin + size).min(bytes.len());
            let plainest = if size == 1 { plain.len() } else { 1 };
            for (better, plain) in plain[..plainest.min(plain.len())].iter().enumerate() {
                let mut piece_bytes = bytes[piece.clone()].iter();
                if piece_bytes.all(|byte| rank(*byte) <= better) {
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

/// Zero, large pieces first, and where it has to be more, as little as can be. The last bytes of a number count most.
fn make_less(bytes: &mut Vec<u8>, fails: Fails<'_>) -> Result<(), Enough> {
    let mut size = bytes.len();
    while size > 1 {
        let mut end = bytes.len();
        while end > 0 {
            let begin = end.saturating_sub(size);
            if bytes[begin..end].iter().any(|byte| *byte != 0) {
                let mut other = bytes.clone();
                other[begin..end].fill(0);
                if fails(&other)? {
                    *bytes = other;
                }
            }
            end = begin;
        }
        size /= 2;
    }
    for at in (0..bytes.len()).rev() {
        // Less than this does not fail; all of it may go.
        let mut least = None;
        while bytes[at] > least.map_or(0, |least: u8| least.saturating_add(1)) {
            let mut other = bytes.clone();
            other[at] = least.map_or(0, |least| least + (bytes[at] - least) / 2);
            match fails(&other)? {
                true => *bytes = other,
                false => least = Some(other[at]),
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(shrinks: bool, plain: &'static [u8]) -> Text {
        Text {
            input: "stdin".into(),
            shrinks,
            plain,
        }
    }

    fn given(bytes: &[u8]) -> Case {
        Case {
            inputs: [("stdin".to_string(), bytes.to_vec())].into(),
            ..Case::default()
        }
    }

    fn found(bytes: &[u8], text: Text, fails: impl Fn(&[u8]) -> bool) -> Vec<u8> {
        let case = given(bytes);
        let effort = Effort {
            tries: 100_000,
            end: None,
        };
        let mut tries = |case: &Case| fails(&case.inputs["stdin"]).then_some(Outcome::Exit(0));
        let found = smaller(&case, &[text], effort, &mut tries);
        assert!(found.finished);
        let best = found.best.map_or(case, |(case, _)| case);
        best.inputs["stdin"].clone()
    }

    #[test]
    fn what_does_not_matter_is_left_out() {
        let shrinks = || text(true, Text::WRITTEN);
        let has = |text: &'static [u8]| {
            move |bytes: &[u8]| bytes.windows(text.len()).any(|window| window == text)
        };
        assert_eq!(
            found(b"\0\0\0xboom\x07\0", shrinks(), has(b"boom")),
            b"boom"
        );
        let letters = |bytes: &[u8]| bytes.iter().filter(|byte| **byte == b'x').count() > 2;
        assert_eq!(found(b"axbbxcccxddddxx", shrinks(), letters), b"xxx");
        assert_eq!(found(b"anything", shrinks(), |_| true), b"");
    }

    #[test]
    fn what_belongs_together_is_left_out_together() {
        let balanced = |bytes: &[u8]| {
            let count = |wanted| bytes.iter().filter(|byte| **byte == wanted).count();
            bytes.contains(&b'!') && count(b'(') == count(b')')
        };
        assert_eq!(
            found(b"((a)!b(c))", text(true, Text::WRITTEN), balanced),
            b"!"
        );
    }

    #[test]
    fn numbers_are_as_short_as_they_can_be() {
        let large = |bytes: &[u8]| {
            let text = std::str::from_utf8(bytes).unwrap_or_default();
            let number = text.strip_prefix("n=").and_then(|text| text.parse().ok());
            number.is_some_and(|number: u64| number > 255)
        };
        let short = found(b"n=100000", text(true, Text::WRITTEN), large);
        assert_eq!(short.len(), 5, "{}", String::from_utf8_lossy(&short));
        let number = |bytes: &[u8]| i32::from_le_bytes(bytes.try_into().unwrap());
        let fails = |bytes: &[u8]| number(bytes) > 1000;
        let least = found(&[0xff, 0xff, 0xff, 0x7f], text(false, Text::IMAGE), fails);
        assert_eq!(number(&least), 1001);
    }

    #[test]
    fn what_has_to_be_there_is_plain() {
        let fixed = || text(false, Text::WRITTEN);
        assert_eq!(
            found(b"\x01\x02Q\xff", fixed(), |bytes| bytes[2] == b'Q'),
            b"00Q0"
        );
        let letter = |bytes: &[u8]| bytes[0].is_ascii_alphabetic();
        assert_eq!(found(b"Z\0", fixed(), letter), b"a0");
    }

    #[test]
    fn whoever_has_had_enough_keeps_what_was_found() {
        let mut answers = [false, true].into_iter();
        let mut fails = |_: &Case| answers.next()?.then_some(Outcome::Exit(0));
        let effort = Effort {
            tries: 2,
            end: None,
        };
        let found = smaller(
            &given(b"abcd"),
            &[text(true, Text::WRITTEN)],
            effort,
            &mut fails,
        );
        assert!(!found.finished && found.tries == 2);
        assert_eq!(found.best.unwrap().0.inputs["stdin"], b"ab");
    }
}
