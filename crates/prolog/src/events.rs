//! What a run of the instrumented program wrote, read one event at a time.

use crate::program::Event;
use crate::term::Term;
use crate::text;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    Event(Event),
    /// A goal that is not modelled has no (more) answers.
    Failed,
    Solution,
    /// An error was caught: the event of the catch comes next.
    Caught,
    End,
}

pub struct Events<'a> {
    rest: &'a str,
}

/// Marks with a meaning of their own, and the first of those that are numbered.
const FAILED: char = '\u{2}';
const SOLUTION: char = '\u{3}';
const CAUGHT: char = '\u{4}';
const FIRST: u32 = 256;

impl<'a> Events<'a> {
    pub fn new(text: &'a str) -> Events<'a> {
        Events { rest: text }
    }

    pub fn peek(&self) -> Mark {
        let Some(mark) = self.rest.chars().next() else {
            return Mark::End;
        };
        match mark {
            FAILED => Mark::Failed,
            SOLUTION => Mark::Solution,
            CAUGHT => Mark::Caught,
            mark => {
                let code = mark as u32;
                // Code points without the surrogates.
                let code = if code >= 0xe000 { code - 0x800 } else { code };
                match code.checked_sub(FIRST) {
                    Some(event) => Mark::Event(event),
                    None => Mark::End,
                }
            }
        }
    }

    pub fn advance(&mut self) {
        let mut chars = self.rest.chars();
        chars.next();
        self.rest = chars.as_str();
    }

    /// Takes the mark if it is the next one.
    pub fn take(&mut self, mark: Mark) -> bool {
        let is = self.peek() == mark;
        if is {
            self.advance();
        }
        is
    }

    /// Takes the term that was told with the event that was taken.
    pub fn skip_term(&mut self) {
        if let Some((_, rest)) = self.rest.split_once('\n') {
            self.rest = rest;
        }
    }

    /// Takes the next mark, which is that of a catch, and the error that it caught.
    pub fn take_caught(&mut self) -> Option<(Event, Term)> {
        self.advance();
        match self.peek() {
            Mark::Event(event) => Some((event, self.take_term()?)),
            _ => None,
        }
    }

    /// Takes the next event and the term that is told with it.
    pub fn take_term(&mut self) -> Option<Term> {
        self.advance();
        let (line, rest) = self.rest.split_once('\n')?;
        self.rest = rest;
        text::parse(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_characters_without_the_surrogates() {
        let text: String = [256 + 1, 256 + 7, 0xe000, 2, 3, 4]
            .iter()
            .filter_map(|code| char::from_u32(*code))
            .collect();
        let mut events = Events::new(&text);
        for wanted in [
            Mark::Event(1),
            Mark::Event(7),
            Mark::Event(0xd800 - 256),
            Mark::Failed,
            Mark::Solution,
            Mark::Caught,
            Mark::End,
        ] {
            assert_eq!(events.peek(), wanted);
            events.advance();
        }
    }
}
