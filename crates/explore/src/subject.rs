//! What a front end implements, and what it tells about the program before any run.

use crate::schedule::Rule;
use crate::{Case, Deadline, Location, SideId, SiteId, StoryLine, Trace};
use elsewise_term::{Model, Terms};
use rustc_hash::FxHasher;
use std::fmt::{self, Write};
use std::hash::Hasher;

/// A front end. It runs what it is told to run; it never picks what to explore next and never
/// calls a solver.
pub trait Subject: Send {
    /// What is known of the program without running it.
    fn blueprint(&self) -> &Blueprint;

    /// The case to begin with when the user gave none.
    fn first_case(&self) -> Case;

    /// Whatever is still at work then is given up, with [`RunError::Late`].
    fn keep_to(&mut self, deadline: Deadline) {
        let _ = deadline;
    }

    /// Runs a case on the instrumented build.
    fn run(&mut self, case: &Case, terms: &mut Terms) -> Result<Trace, RunError>;

    /// Runs a case on the instrumented build; where its schedule has ended, threads move by the rule.
    /// What they did is the schedule of the case that repeats the run.
    fn sample(&mut self, case: &Case, rule: &Rule, terms: &mut Terms) -> Result<Trace, RunError> {
        let _ = rule;
        self.run(case, terms)
    }

    /// `case` with its inputs changed to `model`'s values.
    fn apply_model(&self, case: &Case, terms: &Terms, model: &Model) -> Case;

    /// Runs a case on the uninstrumented build; how it ended.
    fn confirm(&mut self, case: &Case) -> Result<crate::Outcome, RunError>;

    /// The same, and all else that the run shows: how it ended, and what is wrong with what its threads
    /// did.
    fn confirm_all(&mut self, case: &Case) -> Result<Vec<crate::Outcome>, RunError> {
        Ok(vec![self.confirm(case)?])
    }

    /// The inputs of a case that are bytes as somebody would write them: those of one that fails can be made smaller.
    fn texts(&self, case: &Case) -> Vec<Text> {
        let _ = case;
        Vec::new()
    }

    /// What a case gives that may be to blame by itself for its failure, wherever that shows.
    fn suspects(&self, case: &Case, failure: &crate::Outcome) -> Vec<Suspect> {
        let _ = (case, failure);
        Vec::new()
    }

    /// The program as a transition relation, or why it cannot be told as one.
    fn program(&self) -> Result<std::sync::Arc<crate::program::Program>, String> {
        Err("subjects of this kind cannot be told as a program".into())
    }

    /// Bytes of an input of a case, as [`crate::program::Source`] names it: its name, and the number of
    /// its use before this one (0 where all uses share one input).
    fn input_bytes(&self, case: &Case, name: &str, occurrence: u32) -> Vec<u8> {
        let _ = (case, name, occurrence);
        Vec::new()
    }

    /// The key of the variable for a byte of such an input, in the terms of traces.
    fn input_key(&self, name: &str, occurrence: u32, offset: u32) -> Option<u64> {
        let _ = (name, occurrence, offset);
        None
    }

    /// What the threads did in the run that was confirmed last, if it had several.
    fn story(&mut self) -> Vec<StoryLine> {
        Vec::new()
    }
}

/// An input that is bytes, and may be others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    pub input: String,
    /// It may be shorter.
    pub shrinks: bool,
    /// What it is made of that says nothing, the plainest first.
    pub plain: &'static [u8],
}

impl Text {
    /// Of what people or programs write.
    pub const WRITTEN: &'static [u8] = b"0aA \n";
    /// Of values as memory has them, numbers with their last bytes first.
    pub const IMAGE: &'static [u8] = &[0, 1];
}

/// Something that a case gives, and without which it may not fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suspect {
    /// In words: "the argument `list` is null".
    pub what: String,
    /// The case with something else in its place.
    pub otherwise: Case,
}

#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The subject cannot be started at all.
    #[error("{0}")]
    Start(String),
    /// What the subject wrote makes no sense; the run is lost, the campaign goes on.
    #[error("damaged trace: {0}")]
    Damaged(String),
    /// The campaign's time was over before the run was.
    #[error("the time was over before the run was")]
    Late,
}

/// The program as the front end sees it: sites, and a control-flow graph to find them by.
#[derive(Clone, Debug, Default)]
pub struct Blueprint {
    /// Changes whenever the subject was built anew from other code.
    pub build: String,
    /// Indexed by [`SiteId`].
    pub sites: Vec<SiteInfo>,
    pub functions: Vec<BlueprintFunction>,
    /// Number of sides in all.
    pub sides: u32,
}

#[derive(Clone, Debug, Default)]
pub struct SiteInfo {
    /// Stable across builds where the surrounding code did not change.
    pub key: u64,
    pub location: Location,
    /// The sides are `first_side .. first_side + sides`; alternative i is side `first_side + i`.
    pub first_side: u32,
    pub sides: u32,
    /// In a library of ours (models), not in the subject: left out of what people are shown.
    pub hidden: bool,
    /// A check that a sanitizer has put there, and no branch of the program's own: counted apart.
    pub inserted: bool,
    /// Its sides are clauses, of which the first that fits is taken, and not the answers to one
    /// question.
    pub clauses: bool,
    /// The function that is called there, if it is a call of one that is known, as the linker knows it.
    pub callee: String,
}

impl SiteInfo {
    /// Is it a choice of the program's own, which people are shown?
    pub fn is_own(&self) -> bool {
        !self.hidden && !self.inserted
    }
}

#[derive(Clone, Debug, Default)]
pub struct BlueprintFunction {
    pub name: String,
    /// Block 0 is the entry.
    pub blocks: Vec<BlueprintBlock>,
}

#[derive(Clone, Debug, Default)]
pub struct BlueprintBlock {
    /// In the order of the site's sides where there is a site.
    pub successors: Vec<u32>,
    /// Indices into [`Blueprint::functions`].
    pub calls: Vec<u32>,
    pub site: Option<SiteId>,
}

impl Blueprint {
    /// A name for a build, of all that a front end knows of the program: nothing may change in it without another name.
    pub fn build_of(program: &[&dyn fmt::Debug]) -> String {
        struct Hashed(FxHasher);
        impl fmt::Write for Hashed {
            fn write_str(&mut self, text: &str) -> fmt::Result {
                self.0.write(text.as_bytes());
                Ok(())
            }
        }
        let mut hashed = Hashed(FxHasher::default());
        for part in program {
            // It is written to memory.
            let _ = write!(hashed, "{part:?};");
        }
        format!("{:016x}", hashed.0.finish())
    }

    /// The side that a choice's alternative stands for; none for values and assumptions.
    pub fn side(&self, site: SiteId, alternative: u64) -> Option<SideId> {
        let info = self.sites.get(site.0 as usize)?;
        (alternative < u64::from(info.sides)).then(|| SideId(info.first_side + alternative as u32))
    }
}
