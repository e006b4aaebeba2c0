//! Inputs: those that a run asks for, those that a case has for them.
//!
//! A case keeps the main input under `stdin`, or under `file` where the arguments name it, the others
//! under the keys of their names (`driver/src/names.rs`); an input that the program itself calls `stdin`
//! is then the second of that name.

use elsewise_driver::names::{key, parse_key};
use elsewise_explore::Case;
use elsewise_wire as wire;
use rustc_hash::FxHashMap;

/// Key of the main input when it is standard input.
pub const STDIN: &str = "stdin";
/// Stream id of the main input.
pub const MAIN_ID: u32 = 0;
/// A subject that invents names without end is cut off here.
const MAX_IDS: usize = 1 << 20;

/// Offset, in the key of a variable, that stands for the length of a stream.
pub const LENGTH_OFFSET: u32 = u32::MAX;

/// Key of an input byte, or of a length, for [`elsewise_term::Terms::variable`].
pub fn variable_key(stream: u32, offset: u32) -> u64 {
    u64::from(stream) << 32 | u64::from(offset)
}

/// Size of the main input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stdin {
    /// Always so many bytes: the length is no input.
    Fixed(u64),
    /// Any length up to `max`: the length is an input.
    Free { max: u64 },
}

impl Stdin {
    /// Length of the main input when the case has `given` bytes.
    pub fn length(self, given: usize) -> u64 {
        match self {
            Stdin::Fixed(size) => size,
            Stdin::Free { max } => (given as u64).min(max),
        }
    }
}

/// Stream ids are given out once for the life of the front end, so that a variable means the
/// same input in every run.
pub struct Streams {
    ids: FxHashMap<(Vec<u8>, u32), u32>,
    keys: Vec<String>,
}

impl Streams {
    /// With the main input under this key.
    pub fn new(main: &str) -> Streams {
        Streams {
            ids: FxHashMap::default(),
            keys: vec![main.to_string()],
        }
    }

    /// The key of the main input.
    pub fn main(&self) -> &str {
        &self.keys[0]
    }

    /// The id of an input other than the main one; `None` when there are too many.
    pub fn id(&mut self, name: &[u8], occurrence: u32) -> Option<u32> {
        if let Some(id) = self.ids.get(&(name.to_vec(), occurrence)) {
            return Some(*id);
        }
        if self.keys.len() >= MAX_IDS {
            return None;
        }
        let id = self.keys.len() as u32;
        self.keys.push(key(name, occurrence));
        self.ids.insert((name.to_vec(), occurrence), id);
        Some(id)
    }

    /// The id of an input that some run has asked for.
    pub fn known_id(&self, name: &[u8], occurrence: u32) -> Option<u32> {
        self.ids.get(&(name.to_vec(), occurrence)).copied()
    }

    /// Under which key a case keeps the input.
    pub fn key(&self, id: u32) -> Option<&str> {
        self.keys.get(id as usize).map(String::as_str)
    }
}

/// Name of a stream entry: up to the first NUL.
pub fn entry_name(entry: &wire::StreamEntry) -> &[u8] {
    let length = entry.name.iter().position(|b| *b == 0);
    &entry.name[..length.unwrap_or(wire::NAME_BYTES)]
}

/// The streams of a case as they go into the input area, the main input first.
pub(crate) fn of_case(case: &Case, main: &str, stdin: Stdin) -> Vec<(Vec<u8>, u32, Vec<u8>)> {
    let mut input = case.inputs.get(main).cloned().unwrap_or_default();
    input.resize(stdin.length(input.len()) as usize, 0);
    let mut out = vec![(main.as_bytes().to_vec(), 0, input)];
    for (key, bytes) in &case.inputs {
        if key != main
            && let Some((name, occurrence)) = parse_key(key)
        {
            out.push((name, occurrence, bytes.clone()));
        }
    }
    if !case.schedule.is_empty() {
        let numbers = case.schedule.iter().flat_map(|number| number.to_le_bytes());
        out.push((wire::threads::SCHEDULE_STREAM.into(), 0, numbers.collect()));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_stay() {
        let mut streams = Streams::new(STDIN);
        let first = streams.id(b"a", 0);
        assert_eq!(streams.id(b"b", 0), Some(2));
        assert_eq!(streams.id(b"a", 0), first);
        assert_eq!(streams.key(1), Some("a"));
        assert_eq!(streams.key(MAIN_ID), Some("stdin"));
        assert_eq!(streams.key(9), None);
    }
}
