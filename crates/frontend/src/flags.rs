//! Flags of `explore`: groups that belong to kinds of subjects, and what the user gave.

use crate::error::FrontEndError;
use crate::problem::Problem;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches, ValueEnum};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Flags that are about the same subjects.
pub struct FlagGroup {
    pub name: &'static str,
    /// What they are about, as in "predicates of Prolog".
    pub about: &'static str,
    /// Above them in help.
    pub heading: &'static str,
    pub augment: fn(Command) -> Command,
}

impl FlagGroup {
    /// The names of its flags.
    pub fn flags(&self) -> Vec<String> {
        let command = (self.augment)(Command::new("group"));
        let flags = command.get_arguments();
        flags
            .filter_map(|flag| flag.get_long().map(str::to_string))
            .collect()
    }
}

impl PartialEq for FlagGroup {
    fn eq(&self, other: &FlagGroup) -> bool {
        self.name == other.name
    }
}

/// What the user gave: on the command line, and where that says nothing, in the settings file.
#[derive(Clone, Debug, Default)]
pub struct Flags {
    matches: ArgMatches,
    /// Names of flags that were on the command line.
    typed: BTreeSet<String>,
}

impl Flags {
    pub fn new(matches: ArgMatches, typed: BTreeSet<String>) -> Flags {
        Flags { matches, typed }
    }

    /// The flags of a group.
    pub fn read<T: FromArgMatches>(&self) -> Result<T, Problem> {
        Ok(T::from_arg_matches(&self.matches)?)
    }

    /// The same where no front end may have the group: then nobody gave anything.
    pub fn read_if_any<T: FromArgMatches + Default>(
        &self,
        group: &FlagGroup,
    ) -> Result<T, Problem> {
        let command = (group.augment)(Command::new("group"));
        let mut ids = command.get_arguments().map(|flag| flag.get_id().as_str());
        match ids.all(|id| self.matches.try_contains_id(id).is_ok()) {
            true => self.read(),
            false => Ok(T::default()),
        }
    }

    /// Whether a flag was on the command line, where it is about this subject and no other.
    pub fn was_typed(&self, name: &str) -> bool {
        self.typed.contains(name)
    }

    /// Flags that were given, wherever, each with its values in words.
    pub fn given(&self) -> impl Iterator<Item = (String, String)> {
        let given = self.matches.ids().filter(|id| {
            let by = self.matches.value_source(id.as_str());
            // Groups are named as types are.
            by == Some(ValueSource::CommandLine) && !id.as_str().starts_with(char::is_uppercase)
        });
        given.filter_map(|id| {
            let values = self.matches.try_get_raw(id.as_str()).ok()??;
            let values: Vec<_> = values.map(|value| value.to_string_lossy()).collect();
            Some((id.as_str().replace('_', "-"), values.join(" ")))
        })
    }
}

/// Refuses a number with which nothing would be explored.
pub fn at_least(flag: &'static str, value: u32, least: u32) -> Result<u32, Problem> {
    match value >= least {
        true => Ok(value),
        false => Err(FrontEndError::TooSmall { flag, value, least }.into()),
    }
}

/// For subjects that are given terms.
#[derive(Clone, Debug, Default, Args)]
pub struct TermFlags {
    /// Terms are nested at most so deep, and lists as long.
    ///
    /// This is about terms that a function or predicate is given [default: 8, of predicates 5].
    #[arg(long, value_name = "N")]
    pub term_depth: Option<u32>,

    /// Integers in terms have at most so many bits.
    ///
    /// This is about terms that a function or predicate is given [default: 64].
    #[arg(long, value_name = "N")]
    pub integer_bits: Option<u32>,
}

pub static TERMS: FlagGroup = FlagGroup {
    name: "terms",
    about: "functions and predicates that are given terms",
    heading: "For functions and predicates that are given terms",
    augment: TermFlags::augment_args,
};

impl TermFlags {
    /// How deep terms are nested, if that is said.
    pub fn depth(&self, usual: u32) -> Result<u32, Problem> {
        at_least("--term-depth", self.term_depth.unwrap_or(usual), 1)
    }
}

/// For subjects whose sources include others.
#[derive(Clone, Debug, Default, Args)]
pub struct IncludeFlags {
    /// Where header files are that the subject includes; may be given more than once.
    #[arg(long, value_name = "DIR")]
    pub include: Vec<PathBuf>,
}

pub static INCLUDES: FlagGroup = FlagGroup {
    name: "includes",
    about: "sources that include others",
    heading: "For sources that include others",
    augment: IncludeFlags::augment_args,
};

/// For subjects whose cases have steps.
#[derive(Clone, Debug, Default, Args)]
pub struct StepFlags {
    /// Calls of a sequence, or messages that a model is given, at most [default: 6 calls, 10 messages].
    #[arg(long, value_name = "N")]
    pub steps: Option<u32>,
}

pub static STEPS: FlagGroup = FlagGroup {
    name: "steps",
    about: "sequences of calls or messages",
    heading: "For sequences of calls or messages",
    augment: StepFlags::augment_args,
};

/// For subjects whose programs are recorded with their runs.
#[derive(Clone, Debug, Default, Args)]
pub struct SubsumeFlags {
    /// Path subsumption: prune, without running it, what cannot hold a new failure. By interpolants of
    /// what runs have explored, and by bounded symbolic execution of what they have not [default: on
    /// after 2,000 runs, with --cover].
    #[arg(long, value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "on")]
    pub subsume: Option<Subsumed>,

    /// With --subsume, prune nothing that could reach a new branch side.
    #[arg(long)]
    pub cover: bool,
}

pub static SUBSUMPTION: FlagGroup = FlagGroup {
    name: "subsumption",
    about: "native programs and models",
    heading: "For native programs and models",
    augment: SubsumeFlags::augment_args,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Subsumed {
    /// Prune nothing
    Off,
    /// By what runs have explored alone
    Explored,
    /// Also by symbolic execution of what no run has explored, as long as it pays
    On,
    /// The same, whether it pays or not
    Always,
}

/// The word for a value, as it stands on the command line.
pub fn word(value: impl ValueEnum) -> String {
    value
        .to_possible_value()
        .map(|value| value.get_name().to_string())
        .unwrap_or_default()
}
