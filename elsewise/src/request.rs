//! From the words of an `explore` to what is asked of a front end.

use crate::args::{self, ExploreArgs};
use crate::config::{self, FileSettings};
use crate::error::VerbError;
use crate::languages;
use clap::parser::ValueSource;
use clap::{ArgMatches, FromArgMatches};
use elsewise_frontend::contain::{AllowFlags, Contained};
use elsewise_frontend::flags::{FlagGroup, Flags};
use elsewise_frontend::{ExploreRequest, FrontEnd, Problem, Target, notices};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// An `explore`, with what the settings file says where the command line says nothing.
pub struct Explore {
    pub args: ExploreArgs,
    pub flags: Flags,
    /// The words of the command, from `explore` on.
    pub typed: Vec<String>,
}

/// Flags on which no run depends, or whose part in a campaign's identity is known: of the compiler's, the build tells.
const INDIFFERENT: [&str; 32] = [
    // Words that the title has.
    "args",
    "subject",
    "afl",
    "bucket",
    "budget",
    "campaign",
    "cflags",
    "compile-commands",
    "config",
    "corpus",
    "cover",
    "depth",
    "fleet",
    "fleet-quota",
    "fork",
    "format",
    "fresh",
    "jobs",
    "max-values",
    "merge",
    "metrics",
    "query-timeout",
    "quiet",
    "require-complete",
    "schedules",
    "seed",
    "seeds",
    "shard",
    "stages-off",
    "strategy",
    "subsume",
    "trust",
];

/// What is asked of which front end.
pub type Request = (&'static dyn FrontEnd, Box<dyn Target>, ExploreRequest);

impl Explore {
    /// `matches`: of the whole command.
    pub fn new(matches: &ArgMatches, typed: Vec<String>) -> Result<Explore, Problem> {
        let args = ExploreArgs::from_arg_matches(explore_of(matches)?)?;
        let file = config::load(args.config.as_deref(), Path::new("."))?;
        let explore = Explore::with_file(matches, typed, &file)?;
        if let Some(words) = explore.allowed_by_file() {
            notices::warning(&words);
        }
        Ok(explore)
    }

    /// What the command line says nothing about is parsed as if it had said what the file says.
    pub fn with_file(
        matches: &ArgMatches,
        typed: Vec<String>,
        file: &FileSettings,
    ) -> Result<Explore, Problem> {
        let given = explore_of(matches)?;
        let own = typed_flags(given);
        let added = file.without(&own);
        let mut merged = given.clone();
        if !added.is_empty() {
            let words = ["elsewise".to_string(), "explore".to_string()].into_iter();
            let rest = typed.iter().skip(1).cloned();
            let words = words.chain(added.words()).chain(rest);
            let all = args::command().try_get_matches_from(words);
            merged = explore_of(&all.map_err(|error| file.refused(&error))?)?.clone();
        }
        Ok(Explore {
            args: ExploreArgs::from_arg_matches(&merged)?,
            flags: Flags::new(merged, own),
            typed,
        })
    }

    /// The same from the words that a campaign has saved; none if they are no `explore`. The settings file that they
    /// name is read only if the reader names it, too.
    pub fn again(words: &[String], config: Option<&Path>) -> Option<Result<Explore, Problem>> {
        let all = std::iter::once("elsewise").chain(words.iter().map(String::as_str));
        let matches = args::command().try_get_matches_from(all).ok()?;
        let args = ExploreArgs::from_arg_matches(explore_of(&matches).ok()?).ok()?;
        if let Some(file) = args.config.filter(|file| Some(file.as_path()) != config) {
            let flag = format!("--config {}", file.display());
            return Some(Err(VerbError::ExploredWith { flag }.into()));
        }
        Some(Explore::new(&matches, words.to_vec()))
    }

    /// What was given, on the command line or in the settings file, that may change what runs do.
    pub fn settings(&self) -> Vec<String> {
        let given = self.flags.given();
        let mut settings: Vec<String> = given
            .filter(|(flag, _)| !INDIFFERENT.contains(&flag.as_str()))
            .map(|(flag, value)| format!("--{flag} {value}"))
            .collect();
        settings.sort();
        settings
    }

    pub fn request(&self) -> Result<Request, Problem> {
        let (front_end, target) = languages::target(&self.args.subject, &self.flags)?;
        if !self.args.args.is_empty() && !target.has_arguments() {
            return Err(VerbError::Arguments.into());
        }
        self.refuse(target.as_ref())?;
        let settings = &self.args.settings;
        let request = ExploreRequest {
            subject: self.args.subject.clone(),
            arguments: self.args.args.clone(),
            flags: self.flags.clone(),
            timeout_ms: settings.timeout,
            memory_mb: settings.memory,
            contained: Contained {
                common_environment: settings.fleet.is_some(),
                ..Contained::new(&settings.allowed)?
            },
            quiet: settings.quiet,
        };
        Ok((front_end, target, request))
    }

    /// Refuses flags on the command line that say nothing about the target. What the settings file says is for all
    /// subjects.
    fn refuse(&self, target: &dyn Target) -> Result<(), Problem> {
        let what = target.describe();
        for flag in target.indifferent_to() {
            if self.flags.was_typed(flag) {
                return Err(VerbError::Indifferent { flag, what }.into());
            }
        }
        let wanted = target.flags();
        let all = languages::all().iter().flat_map(|one| one.flags());
        let others = all.filter(|group| !wanted.contains(group));
        for group in others {
            if let Some(flag) = group.flags().iter().find(|flag| self.flags.was_typed(flag)) {
                return Err(not_for(flag, group, target).into());
            }
        }
        Ok(())
    }

    /// What a settings file, which may have come with somebody's project, lets the subject do outside of that, and
    /// nobody has said on the command line.
    fn allowed_by_file(&self) -> Option<String> {
        let allowed = &self.args.settings.allowed;
        let by_file = |flag: &str| !self.flags.was_typed(flag);
        if allowed.no_containment && by_file("no-containment") {
            let off = "the settings file switches containment off: the subject can do whatever you may do";
            return Some(off.into());
        }
        let here = fs::canonicalize(".").unwrap_or_default();
        let is_outside = |path: &&PathBuf| {
            !fs::canonicalize(path).is_ok_and(|path| path.starts_with(&here) && path != here)
        };
        let mut words: Vec<String> = Vec::new();
        if by_file("allow-write") {
            let outside = allowed.allow_write.iter().filter(is_outside);
            words.extend(outside.map(|path| format!("write to {}", path.display())));
        }
        if allowed.allow_network && by_file("allow-network") {
            words.push("use the network".into());
        }
        let text = || format!("the settings file lets the subject {}", words.join(", "));
        (!words.is_empty()).then(text)
    }

    /// What all that was said, by whomever, lets the subject or the compiler do beyond what is usual, for an exploration
    /// in that folder.
    pub fn risks(&self, folder: &Path) -> Result<Vec<String>, Problem> {
        let subject = self.args.subject.iter();
        let subject: Vec<String> = subject
            .map(|word| folder.join(word).to_string_lossy().into_owned())
            .collect();
        let (_, target) = languages::target(&subject, &self.flags)?;
        let allowed = &self.args.settings.allowed;
        let mut risks = Vec::new();
        if allowed.no_containment {
            risks.push(
                "switch containment off, so that the subject can do whatever you may do".into(),
            );
        }
        let here = fs::canonicalize(folder).unwrap_or_default();
        let is_outside = |path: &&PathBuf| {
            let path = fs::canonicalize(folder.join(path));
            !path.is_ok_and(|path| path.starts_with(&here) && path != here)
        };
        let outside = allowed.allow_write.iter().filter(is_outside);
        risks.extend(outside.map(|path| format!("let the subject write to {}", path.display())));
        if allowed.allow_network {
            risks.push("let the subject use the network".into());
        }
        if let Some(flags) = target.risky_flags(&self.flags) {
            risks.push(format!("give the compiler `{flags}`"));
        }
        if let Some(flags) = target.risky_project(&self.flags) {
            risks.push(format!(
                "give the compiler `{flags}` of a compile_commands.json"
            ));
        }
        if self.args.trust {
            risks.push("trust a campaign that was not made here".into());
        }
        Ok(risks)
    }

    /// Refuses what a campaign's saved settings would let its subject, or the compiler, do, and what was not said.
    pub fn refuse_unsaid(&self, said: &AllowFlags, cflags: Option<&str>) -> Result<(), Problem> {
        let stored = &self.args.settings.allowed;
        let (_, target, _) = self.request()?;
        let unsaid = |path: &&PathBuf| !said.allow_write.contains(path);
        let flag = if stored.no_containment && !said.no_containment {
            "--no-containment".into()
        } else if stored.allow_network && !said.allow_network && !said.no_containment {
            "--allow-network".into()
        } else if let Some(path) = stored.allow_write.iter().find(unsaid)
            && !said.no_containment
        {
            format!("--allow-write {}", path.display())
        } else if let Some(flags) = target.risky_flags(&self.flags)
            && cflags != Some(&flags)
        {
            format!("--cflags '{flags}'")
        } else {
            return Ok(());
        };
        Err(VerbError::ExploredWith { flag }.into())
    }
}

fn not_for(flag: &str, group: &FlagGroup, target: &dyn Target) -> VerbError {
    VerbError::OtherSubject {
        flag: flag.to_string(),
        about: group.about,
        what: target.describe(),
        instead: target.instead_of(flag),
    }
}

/// The words for the subject in those of an `explore`; none if they are no `explore`.
pub fn subject_of(words: &[String]) -> Vec<String> {
    let all = std::iter::once("elsewise").chain(words.iter().map(String::as_str));
    let Ok(matches) = args::command().try_get_matches_from(all) else {
        return Vec::new();
    };
    let subject = explore_of(&matches).map(|explore| explore.get_many::<String>("subject"));
    let subject = subject.ok().flatten().into_iter().flatten();
    subject.cloned().collect()
}

fn explore_of(matches: &ArgMatches) -> Result<&ArgMatches, VerbError> {
    let explore = matches.subcommand_matches("explore");
    explore.ok_or(VerbError::NoExplore)
}

/// The names of the flags that are on the command line.
fn typed_flags(given: &ArgMatches) -> BTreeSet<String> {
    let command = args::command();
    let explore = command.find_subcommand("explore");
    let flags = explore
        .into_iter()
        .flat_map(|explore| explore.get_arguments());
    let typed = flags.filter(|flag| {
        given.value_source(flag.get_id().as_str()) == Some(ValueSource::CommandLine)
    });
    typed
        .filter_map(|flag| flag.get_long().map(str::to_string))
        .collect()
}
