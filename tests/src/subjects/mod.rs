//! Our subjects, `tests/subjects/GROUP/NAME/`: a bug, its repaired twin, and what is expected of both.
//!
//! The program is `NAME.ENDING`, in the language that the ending says. The twin is `NAME.fixed.ENDING`, or the same
//! file with the macro `REPAIRED`. What is expected is in `expect.toml`; where it fails is marked in the source.

mod expectation;
mod explored;
mod functions;
mod plain;
mod read;

pub use expectation::{Expectation, Witness};
pub use explored::{bug_is_found, twin_is_clean};
pub use plain::{Ending, run_plain};
pub use read::{FOLDER, Language, Subject, Twin, all, groups};
