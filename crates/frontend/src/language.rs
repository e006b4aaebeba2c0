//! What a language is to the command.

use crate::built::BuiltSubject;
use crate::error::FrontEndError;
use crate::flags::{FlagGroup, Flags};
use crate::outline::Explorable;
use crate::problem::Problem;
use crate::record::SavedRecord;
use crate::request::ExploreRequest;
use crate::saved::SavedSubject;
use clap::{ArgMatches, Command};
use elsewise_report::CheckLine;
use elsewise_report::html::Syntax;
use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::path::Path;
use std::process::ExitCode;

/// A language, or another kind of subject. The list of all of them is in the command's manifest.
pub trait FrontEnd: Sync {
    /// One word; it stands in the records of campaigns.
    fn name(&self) -> &'static str;

    /// How its targets are written.
    fn forms(&self) -> &'static [Form];

    /// Commands that explore such targets, for help.
    fn examples(&self) -> &'static [&'static str] {
        &[]
    }

    /// Flags of `explore` that are about its subjects. Several front ends may have a group in common.
    fn flags(&self) -> Vec<&'static FlagGroup> {
        Vec::new()
    }

    /// The tools that it needs, for `doctor`.
    fn tools(&self) -> Vec<CheckLine> {
        Vec::new()
    }

    /// Who runs the tests that it exports.
    fn frameworks(&self) -> &'static [TestFramework] {
        &[]
    }

    /// How its sources are coloured.
    fn syntaxes(&self) -> &'static [Syntax] {
        &[]
    }

    /// What can be explored in a source of this name, as it is being written: nothing is built or run for it.
    fn explorables(&self, file: &str, text: &str) -> Vec<Explorable> {
        let _ = (file, text);
        Vec::new()
    }

    /// Verbs that only its subjects need.
    fn verbs(&self) -> &'static [Verb] {
        &[]
    }

    /// What the words of a command name, if they name something of this front end's.
    fn target(&self, words: &[String], flags: &Flags) -> Result<Option<Box<dyn Target>>, Problem>;

    /// Opens what a campaign has saved.
    fn reopen(&self, saved: SavedRecord) -> Result<Box<dyn SavedSubject>, Problem>;

    /// Takes the place of the command where that was started as one of the front end's helpers.
    fn helper(&self, words: &[OsString]) -> Option<ExitCode> {
        let _ = words;
        None
    }
}

/// A form in which targets are written.
pub struct Form {
    /// As in `FILE.erl::FUNCTION/ARITY`.
    pub text: &'static str,
    /// What that is, as in "a function of Erlang".
    pub means: &'static str,
}

/// A framework for tests, as `export --as` names it.
pub struct TestFramework {
    pub name: &'static str,
    pub about: &'static str,
}

/// A verb of a front end's own.
pub struct Verb {
    /// Its flags and help.
    pub command: fn() -> Command,
    pub run: fn(&ArgMatches) -> Result<ExitCode, Problem>,
}

/// What the user named, looked at as far as that goes without building it.
pub trait Target {
    /// What it is, as in "a function of Erlang or Elixir".
    fn describe(&self) -> &'static str;

    /// What its campaign is named after.
    fn stem(&self) -> OsString;

    /// The groups of flags that say something about it.
    fn flags(&self) -> Vec<&'static FlagGroup>;

    /// Flags for all subjects that say nothing about this one, by their names.
    fn indifferent_to(&self) -> &'static [&'static str] {
        &[]
    }

    /// What to give instead of a flag of another kind of subject.
    fn instead_of(&self, flag: &str) -> Option<&'static str> {
        let _ = flag;
        None
    }

    /// Whether it has arguments of its own, which come after `--`.
    fn has_arguments(&self) -> bool {
        false
    }

    /// Flags for its compiler that could do more than change how it is built: a campaign of somebody else's does not
    /// set them without a word.
    fn risky_flags(&self, flags: &Flags) -> Option<String> {
        let _ = flags;
        None
    }

    /// The same for what files of the project say, which the compiler is given as well.
    fn risky_project(&self, flags: &Flags) -> Option<String> {
        let _ = flags;
        None
    }

    fn build(&self, request: &ExploreRequest) -> Result<Box<dyn BuiltSubject>, Problem>;
}

/// The file of a word such as `FILE::NAME`.
pub fn file_of(word: &str) -> &str {
    word.split("::").next().unwrap_or_default()
}

/// The word whose file has one of these endings.
pub fn with_ending<'a>(words: &'a [String], endings: &[&str]) -> Option<&'a String> {
    words.iter().find(|word| {
        let ending = Path::new(file_of(word)).extension();
        ending.is_some_and(|ending| endings.iter().any(|known| ending == *known))
    })
}

/// Refuses a subject's file that is not there, or is none.
pub fn must_be_file(name: &str) -> Result<Metadata, Problem> {
    let name = name.to_string();
    match fs::metadata(&name) {
        Ok(metadata) if metadata.is_dir() => Err(FrontEndError::SubjectIsFolder { name }.into()),
        Ok(metadata) => Ok(metadata),
        Err(source) => Err(FrontEndError::UnreadableSubject { name, source }.into()),
    }
}
