//! What counts as a failure: one table of the kinds that the engine knows.

use std::fmt;

macro_rules! kinds {
    ($($name:ident $word:literal $meaning:literal)*) => {
        /// Kinds of failures. Campaigns and JSON have their words, which do not change.
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum FailureKind {
            $(#[doc = $meaning] $name,)*
            /// A kind of a language or a tool of its own: `badmatch`, `type_error`,
            /// `heap-buffer-overflow`.
            Other(Box<str>),
        }

        impl FailureKind {
            /// Those that the engine knows.
            pub const KNOWN: &[FailureKind] = &[$(FailureKind::$name,)*];

            /// The short fixed word.
            pub fn word(&self) -> &str {
                match self {
                    $(FailureKind::$name => $word,)*
                    FailureKind::Other(word) => word,
                }
            }
        }
    };
}

kinds! {
    Assertion "assertion" "An assertion did not hold."
    Abort "abort" "The program, or a library on its behalf, called `abort`."
    Segv "segv" "An access to memory that is not there."
    Bus "bus" "An access to memory behind which there is nothing."
    Fpe "fpe" "A division by zero, or one that overflows."
    Ill "ill" "An instruction that does not exist."
    Trap "trap" "A check of the compiler, or a trap on purpose."
    Hang "hang" "The run did not end within its time limit."
    Deadlock "deadlock" "No thread can go on."
    LostWakeUp "lost wake-up" "No thread can go on, and one waits for a signal that nobody sends."
    Livelock "livelock" "Threads move without end."
    DataRace "data race" "Two threads touch the same memory, one writes, and nothing orders the two."
    Atomicity "atomicity" "Another thread came into a block that is said to be atomic."
    Linearizability "linearizability" "No order of calls gives the results that they had."
    Undefined "undefined" "Undefined behaviour that a sanitizer found."
    Disk "disk" "The run wrote more to files than it may."
    Memory "memory" "The run took more memory than it may."
    Processes "processes" "The run started more processes than it may."
}

impl FailureKind {
    /// Are its places not calls of one another? Then each of them matters, in any order.
    pub fn has_several_places(&self) -> bool {
        use FailureKind::{Atomicity, DataRace, Deadlock, Linearizability, LostWakeUp};
        matches!(
            self,
            DataRace | Deadlock | LostWakeUp | Atomicity | Linearizability
        )
    }
}

impl From<&str> for FailureKind {
    fn from(word: &str) -> FailureKind {
        let known = FailureKind::KNOWN.iter().find(|kind| kind.word() == word);
        known
            .cloned()
            .unwrap_or_else(|| FailureKind::Other(word.into()))
    }
}

impl From<String> for FailureKind {
    fn from(word: String) -> FailureKind {
        word.as_str().into()
    }
}

impl fmt::Display for FailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::FailureKind;

    #[test]
    fn words_are_different_and_found() {
        for kind in FailureKind::KNOWN {
            assert_eq!(FailureKind::from(kind.word()), *kind);
        }
        let own = FailureKind::from("badmatch");
        assert_eq!(own, FailureKind::Other("badmatch".into()));
        assert_eq!(own.to_string(), "badmatch");
    }
}
