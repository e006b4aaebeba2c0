//! Predicates of Prolog as subjects: what the user named, and what can be said of them.

#[cfg(feature = "prolog")]
pub mod export;
#[cfg(feature = "prolog")]
pub mod kept;
#[cfg(feature = "prolog")]
pub mod ready;
#[cfg(feature = "prolog")]
mod shell;
#[cfg(feature = "prolog")]
pub mod tools;

use crate::args::Settings;
use crate::calls;
use crate::exit::Problem;
use crate::record::Limits;
use crate::subject::must_be_file;
#[cfg(feature = "prolog")]
use elsewise_prolog::Options;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What messages call such a subject.
pub const SUBJECT: &str = "a predicate of Prolog";
/// Endings of files that have predicates.
const ENDINGS: [&str; 3] = ["pl", "pro", "prolog"];
/// Solutions of one call, where all are asked for.
const ALL: u32 = 100;

/// A predicate as named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predicate {
    pub file: PathBuf,
    pub name: String,
    /// None where the name alone tells which is meant.
    pub arity: Option<u32>,
}

impl Predicate {
    /// `FILE.pl::PREDICATE/ARITY`, if that is what the names are.
    pub fn named(names: &[String]) -> Result<Option<Predicate>, Problem> {
        let file_of = |name: &str| name.split("::").next().unwrap_or_default().to_string();
        let is_ours = |name: &&String| {
            let file = file_of(name);
            let ending = Path::new(&file).extension().and_then(|e| e.to_str());
            ending.is_some_and(|ending| ENDINGS.contains(&ending))
        };
        let Some(name) = names.iter().find(is_ours) else {
            return Ok(None);
        };
        if names.len() > 1 {
            return Err(Problem::usage(
                "one predicate of Prolog at a time: files that it needs are those that its own file \
                 loads",
            ));
        }
        let file = file_of(name);
        must_be_file(&file)?;
        let wrong = || {
            Problem::usage(format!(
                "`{name}` names no predicate: give {file}::PREDICATE/ARITY"
            ))
        };
        let (_, named) = name.split_once("::").ok_or_else(wrong)?;
        Predicate::new(&file, named).map(Some).ok_or_else(wrong)
    }

    fn new(file: &str, named: &str) -> Option<Predicate> {
        // A rule of a grammar has two arguments more than one sees.
        let (name, arity) = match named.rsplit_once("//") {
            Some((name, digits)) if !name.is_empty() && !digits.is_empty() => {
                (name, Some(digits.parse::<u32>().ok()?.checked_add(2)?))
            }
            _ => match named.rsplit_once('/') {
                Some((name, digits)) if !name.is_empty() => (name, Some(digits.parse().ok()?)),
                _ => (named, None),
            },
        };
        let quoted = name
            .strip_prefix('\'')
            .and_then(|name| name.strip_suffix('\''));
        let name = quoted.unwrap_or(name);
        (!name.is_empty()).then(|| Predicate {
            file: file.into(),
            name: name.into(),
            arity,
        })
    }
}

/// Refuses flags that say nothing about predicates.
pub fn refuse(settings: &Settings) -> Result<(), Problem> {
    calls::refuse(settings, SUBJECT)?;
    let given = [
        ("--memory", settings.memory.is_some()),
        ("--schedules", settings.schedules.is_some()),
        ("--any-arguments", settings.any_arguments),
        ("--include", !settings.include.is_empty()),
        ("--code-path", !settings.code_path.is_empty()),
        ("--macro", !settings.macros.is_empty()),
    ];
    calls::none_of(&given, |flag| {
        format!("{flag} says nothing about {SUBJECT}: leave it out")
    })
}

/// Refuses flags of predicates for another subject.
pub fn only_for_predicates(settings: &Settings) -> Result<(), Problem> {
    let given = [
        ("--mode", settings.mode.is_some()),
        ("--all-solutions", settings.all_solutions),
        ("--max-inferences", settings.max_inferences.is_some()),
    ];
    calls::none_of(&given, |flag| {
        format!(
            "{flag} is about predicates of Prolog: give FILE.pl::PREDICATE/ARITY, or leave it out"
        )
    })
}

/// What the front end is told.
#[cfg(feature = "prolog")]
pub fn options(
    predicate: &Predicate,
    settings: &Settings,
    limits: Limits,
) -> Result<Options, Problem> {
    let usual = Options::default();
    let inferences = settings.max_inferences.unwrap_or(usual.inferences);
    if inferences == 0 {
        return Err(Problem::usage(
            "--max-inferences 0 lets nothing run: give at least 1",
        ));
    }
    Ok(Options {
        file: calls::absolute(&predicate.file)?,
        predicate: predicate.name.clone(),
        arity: predicate.arity,
        mode: settings.mode.clone(),
        solutions: if settings.all_solutions { ALL } else { 1 },
        depth: calls::depth(settings, usual.depth)?,
        integer_bits: settings.integer_bits.unwrap_or(usual.integer_bits),
        inferences,
        timeout: match settings.timeout {
            Some(_) => Duration::from_millis(limits.timeout_ms),
            None => usual.timeout,
        },
        starter: usual.starter,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predicates_are_named_as_their_people_do() {
        let named = |text: &str| Predicate::new("a.pl", text).map(|p| (p.name, p.arity));
        let some = |name: &str, arity| Some((name.to_string(), arity));
        assert_eq!(named("route/3"), some("route", Some(3)));
        assert_eq!(named("route"), some("route", None));
        assert_eq!(named("digits//1"), some("digits", Some(3)));
        assert_eq!(named("'it is'/2"), some("it is", Some(2)));
        assert_eq!(named("///2"), some("/", Some(4)));
        assert_eq!(named("=../2"), some("=..", Some(2)));
        assert_eq!(named("route/x"), None);
        assert_eq!(named(""), None);
    }
}
