//! Names of portions, and of what is kept of them. They are made here: no word from another machine becomes a name
//! before it was found to have this form.

use std::fmt;
use std::str::FromStr;

/// A portion of the tree that is to be explored. Which one follows from whose it was and how many that one had left to others
/// before.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Task(String);

/// Hexadecimal digits of a task's name.
const DIGITS: usize = 32;

impl Task {
    /// Everything.
    pub fn root() -> Task {
        Task("0".repeat(DIGITS))
    }

    /// No portion: finding out whether all of them are over.
    pub fn watch() -> Task {
        Task("f".repeat(DIGITS))
    }

    /// What whoever explores this one leaves to others.
    pub fn child(&self, number: u32) -> Task {
        Task::of(&format!("{} {number}", self.0))
    }

    /// Stands for some words.
    pub(crate) fn of(words: &str) -> Task {
        let hash = blake3::hash(words.as_bytes()).to_hex();
        Task(hash.as_str()[..DIGITS].to_owned())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Task {
    type Err = ();

    fn from_str(text: &str) -> Result<Task, ()> {
        let digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        match text.len() == DIGITS && text.bytes().all(digit) {
            true => Ok(Task(text.to_owned())),
            false => Err(()),
        }
    }
}

/// What a store has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// What all members must agree on.
    Campaign,
    /// Where in the tree a portion is.
    Portion,
    /// What its campaign was when it was last copied.
    Copy,
    /// What its campaign was in the end.
    Part,
    /// How many portions that one left to others: it is over.
    Done,
    /// All portions are over.
    Over,
    /// Somebody makes an input small that fails in this way.
    Finding,
    /// Who was the last to take a portion.
    Holder,
    /// What a member says of itself.
    Member,
}

impl Kind {
    /// Bytes that it has at most: whoever says more means harm.
    pub fn most(self) -> u64 {
        match self {
            Kind::Copy | Kind::Part => crate::files::LARGEST,
            // Some cases, with their inputs in decimals.
            Kind::Portion => 64 << 20,
            _ => 1 << 20,
        }
    }
}

/// Under which name a store has something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    pub kind: Kind,
    pub task: Task,
}

impl Key {
    pub fn new(kind: Kind, task: &Task) -> Key {
        Key {
            kind,
            task: task.clone(),
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            Kind::Campaign => "campaign",
            Kind::Portion => "portion",
            Kind::Copy => "copy",
            Kind::Part => "part",
            Kind::Done => "done",
            Kind::Over => "over",
            Kind::Finding => "finding",
            Kind::Holder => "holder",
            Kind::Member => "member",
        };
        write!(f, "{kind}-{}", self.task)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_have_names_of_their_own() {
        let root = Task::root();
        let mut names = vec![root.clone()];
        for number in 0..50 {
            names.push(root.child(number));
            names.push(root.child(number).child(0));
        }
        names.sort();
        names.dedup();
        assert_eq!(names.len(), 101);
        for name in names {
            assert_eq!(name.as_str().parse(), Ok(name));
        }
    }

    #[test]
    fn what_has_another_form_is_no_name() {
        let long = "0".repeat(33);
        for bad in [
            "",
            "0",
            "../../../../../../etc/passwd00000",
            "ABCDEF",
            &long,
        ] {
            assert_eq!(bad.parse::<Task>(), Err(()), "{bad}");
        }
        let dots = format!("..{}", "0".repeat(30));
        assert_eq!(dots.parse::<Task>(), Err(()));
    }
}
