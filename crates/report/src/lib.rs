//! What people and programs are shown of a campaign: text for terminals, JSON for scripts.
//!
//! Nothing here prints or reads a file. Text comes back with ANSI styles in it; whoever prints it
//! takes them out again where they are not wanted (`anstream` does, and minds `NO_COLOR`).
//! Whatever a subject said is escaped before it is put into a text: a subject must not be able to
//! move the cursor of the person who tests it.
//!
//! Everything that looks at a campaign as a whole reads a `Survey` of its store (`store/survey.rs`): the
//! tree made anew as resuming does it, coverage after each run, how each run ended, what was given up
//! where. What became of each branch side and why (`sides.rs`), and which choices decided a failure
//! (`decisive.rs`), follow from it without a run. The page (`html/`) is one file: askama's template
//! escapes what it is given, HTML that is put together by hand goes through one function, and the tree
//! is numbers in base64 that a script of ours draws on a canvas, only what is in view.
//!
//! What a front end can show of a case beside its bytes is a `Picture` of `crates/report`, which draws
//! itself as text and as SVG; a memory graph is one. Both forms take their boxes from one `Scene`
//! (`graph/scene.rs`), which says which objects are shown and who led to whom first.
//!
//! What other tools read (`crates/report/src/machine`) is made from one `Material`, a file for each format,
//! with the format's own escaping: names, messages, inputs and source are a subject's words and may hold
//! anything. Each format is checked twice: by properties over hostile texts, and by a tool of another
//! project that reads it (`tests/tests/whole/reports.rs`).

mod calls;
mod cases;
mod changes;
mod checked;
mod checks;
mod conditions;
mod decisive;
mod derivation;
mod escape;
mod finding;
mod fleet;
mod graph;
mod hex;
pub mod html;
mod json;
mod live;
mod live_curve;
pub mod machine;
mod messages;
mod minimized;
mod names;
mod numbers;
mod outcome;
#[cfg(test)]
mod samples;
mod sides;
mod snippet;
mod statechart;
mod status;
mod style;
mod summary;
mod threads;
mod values;

pub use calls::CallsPicture;
pub use cases::{CaseLine, CasesView, inputs as case_inputs};
pub use checked::{CheckedCampaign, CheckedCase, CheckedKept, checked_text, kept_text};
pub use checks::{CheckLine, checks_text};
pub use decisive::{Decisive, decisive};
pub use derivation::DerivationPicture;
pub use escape::{bytes as escape_bytes, text as escape_text};
pub use finding::{
    FindingJson, FindingView, finding_line, findings_list, keep_command, replay_command,
};
pub use fleet::{FleetView, MemberView, Present};
pub use graph::{BehaviourJson, GraphJson, GraphPicture, Picture, Terminal};
pub use hex::{dump as hex_dump, short as hex_short};
pub use json::object as json_object;
pub use live::LiveView;
pub use messages::MessagesPicture;
pub use minimized::MinimizedView;
pub use names::readable as readable_name;
pub use numbers::{bytes as byte_count, count, seconds};
pub use outcome::{OutcomeView, call_line, output_text};
pub use sides::{Fate, SideNames, SideView, sides, way_name};
pub use snippet::{Remark, remarks, snippet};
pub use statechart::{ChartPicture, Reached};
pub use status::StatusView;
pub use style::{BAD, DIM, GOOD, HEADING, NAME, WARN, paint};
pub use summary::{IndifferentView, OneRun, SummaryView};
pub use threads::{Move, MoveLine, SchedulePicture, moves};
pub use values::{Met, Values};
