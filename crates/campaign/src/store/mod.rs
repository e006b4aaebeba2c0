//! A campaign's folder.
//!
//! | what | for |
//! |---|---|
//! | `campaign.db` | SQLite, write-ahead log; [`FORMAT`] in `user_version` |
//! | `lock` | held by the one process that explores; names it |
//! | `cases/<run>/<input>` | cases of runs that reached something new, one file per input |
//! | `findings/<id>/` | `finding.json` and the case's files, one per input |
//! | `README.txt` | explains the folder to a person |
//!
//! Tables of `campaign.db`:
//!
//! | table | one row per |
//! |---|---|
//! | `meta` | fact about the campaign as a whole, by name; time at which more was looked at of a run's races |
//! | `words` | word that approximations are counted under; rows name it by number |
//! | `sites` | site of the subject, with its place in the source |
//! | `runs` | run, numbered from 0 without gaps |
//! | `journal` | transaction that closed alternatives or counted approximations |
//! | `findings` | distinct failure, confirmed or not |
//!
//! A run's `trace` holds only what the run added to the tree: where its new part hangs, the
//! choices from there on (site, kind, alternatives, taken), the sides that it was first to take,
//! its approximations. Inserting all of them in order gives the tree back with the same position
//! ids, which is what the journal's verdicts refer to. Its `input` is the case: whole when small,
//! else the difference from the case it was made from, in chains of bounded length. `sum` guards
//! the row, `hash` the case: a damaged file is told as such and never believed.
//!
//! Everything about a run is in one transaction, which ends before the run counts as finished. A
//! transaction that has ended survives the death of the process at any moment; only a power cut
//! may lose the last ones, and never leaves a damaged file.

mod ahead;
mod codec;
mod files;
mod lock;
mod looking;
mod looks;
mod objects;
mod read;
mod rebuild;
mod rows;
mod sites;
mod story;
mod survey;
mod write;

pub(crate) use codec::{Base, MAX_CHAIN, hash64, pack_case, shrink};
pub(crate) use files::{README, read_schedule, rotate, write_case};
pub use files::{SCHEDULE, file_name};
pub(crate) use lock::Lock;
pub(crate) use objects::OBJECTS;
pub(crate) use read::{LoadedRun, Replay};
pub use read::{RunEnd, RunInfo, Store};
pub(crate) use rows::{Entry, FindingRow, Origin, OutcomeCode, RowSteps, RunRow, is_asleep};
pub(crate) use story::write_story;
pub use story::{STORY, read_story};
pub use survey::{Moment, Survey};
pub(crate) use write::{StoreWriter, unfinished_files};

/// Raised whenever the layout changes.
pub const FORMAT: i64 = 2;

/// "Elsewise campaign" in SQLite's header, so that the file is not taken for another program's.
const APPLICATION: i64 = 0x656c_7365;

const SCHEMA: &str = "
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT NOT NULL);
CREATE TABLE sites (
    id INTEGER PRIMARY KEY,
    key INTEGER NOT NULL,
    file TEXT NOT NULL,
    line INTEGER NOT NULL,
    column INTEGER NOT NULL,
    function TEXT NOT NULL,
    first_side INTEGER NOT NULL,
    sides INTEGER NOT NULL,
    hidden INTEGER NOT NULL,
    sum INTEGER NOT NULL
);
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    origin INTEGER NOT NULL,
    parent INTEGER,
    choice INTEGER,
    alternative INTEGER,
    outcome INTEGER NOT NULL,
    detail INTEGER NOT NULL,
    cpu INTEGER NOT NULL,
    millis INTEGER NOT NULL,
    hash INTEGER NOT NULL,
    sum INTEGER NOT NULL,
    trace BLOB NOT NULL,
    input BLOB NOT NULL
);
CREATE TABLE journal (id INTEGER PRIMARY KEY, sum INTEGER NOT NULL, entries BLOB NOT NULL);
CREATE TABLE findings (
    id INTEGER PRIMARY KEY,
    cause TEXT NOT NULL,
    kind TEXT NOT NULL,
    message TEXT NOT NULL,
    stack TEXT NOT NULL,
    confirmed INTEGER NOT NULL,
    note TEXT NOT NULL,
    tries INTEGER NOT NULL,
    run INTEGER NOT NULL
);
";
