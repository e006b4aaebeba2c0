//! Predicates of Prolog as subjects of the command: what the user named, and what can be said of it.

mod calls;
mod error;
mod export;
mod outline;
mod record;
mod shell;

use self::error::PredicateError;
use self::record::PrologRecord;
use clap::Args;
use elsewise_frontend::calls::{BuiltCalls, SavedCalls, absolute, hash};
use elsewise_frontend::flags::{FlagGroup, Flags, TERMS, TermFlags};
use elsewise_frontend::outline::Explorable;
use elsewise_frontend::record::SavedRecord;
use elsewise_frontend::tools::says;
use elsewise_frontend::{
    BuiltSubject, ExploreRequest, Form, FrontEnd, Problem, SavedSubject, Target, TestFramework,
    file_of, must_be_file, with_ending,
};
use elsewise_prolog::Options;
use elsewise_report::CheckLine;
use elsewise_report::html::{PLAIN, Syntax};
use std::ffi::OsString;
use std::path::PathBuf;

/// The front end.
pub struct Prolog;

pub static FRONT_END: Prolog = Prolog;

/// Endings of files that have predicates.
const ENDINGS: [&str; 3] = ["pl", "pro", "prolog"];
/// Solutions of one call, where all are asked for.
const ALL: u32 = 100;

#[derive(Clone, Debug, Default, Args)]
struct PrologFlags {
    /// Which arguments of a predicate are given (+), unbound (-), or both (?).
    ///
    /// With types if you like: 'route(+,+,-)', 'take(+nonneg,+list,-) is det' [default: what its pldoc comment says].
    #[arg(long, value_name = "MODE")]
    mode: Option<String>,

    /// Explore all solutions of a predicate of Prolog, not only the first.
    #[arg(long)]
    all_solutions: bool,

    /// Inferences after which a run of Prolog does not end [default: 1000000].
    #[arg(long, value_name = "N")]
    max_inferences: Option<u64>,
}

static FLAGS: FlagGroup = FlagGroup {
    name: "prolog",
    about: "predicates of Prolog",
    heading: "For predicates of Prolog",
    augment: PrologFlags::augment_args,
};

static SYNTAXES: [Syntax; 1] = [Syntax {
    endings: &ENDINGS,
    line: "%",
    block: Some(("/*", "*/")),
    quotes: &['"', '\'', '`'],
    directive: Some(':'),
    words: &[
        "is",
        "mod",
        "rem",
        "xor",
        "dynamic",
        "discontiguous",
        "module",
    ],
    ..PLAIN
}];

impl FrontEnd for Prolog {
    fn name(&self) -> &'static str {
        "prolog"
    }

    fn forms(&self) -> &'static [Form] {
        &[Form {
            text: "FILE.pl::PREDICATE/ARITY",
            means: "a predicate of Prolog",
        }]
    }

    fn examples(&self) -> &'static [&'static str] {
        &["rules.pl::route/3 --mode 'route(+,+,-)'"]
    }

    fn flags(&self) -> Vec<&'static FlagGroup> {
        vec![&TERMS, &FLAGS]
    }

    /// It is not needed for other languages.
    fn tools(&self) -> Vec<CheckLine> {
        vec![CheckLine {
            name: "swipl".into(),
            found: says("swipl", &["--version"]),
            needed: false,
            advice: "predicates of Prolog cannot be explored: run `apt-get install swi-prolog-nox`"
                .into(),
        }]
    }

    fn frameworks(&self) -> &'static [TestFramework] {
        &[TestFramework {
            name: "plunit",
            about: "For predicates of Prolog",
        }]
    }

    fn syntaxes(&self) -> &'static [Syntax] {
        &SYNTAXES
    }

    fn explorables(&self, file: &str, text: &str) -> Vec<Explorable> {
        outline::explorables(file, text, &ENDINGS, &SYNTAXES[0])
    }

    fn target(&self, words: &[String], _: &Flags) -> Result<Option<Box<dyn Target>>, Problem> {
        let Some(word) = with_ending(words, &ENDINGS) else {
            return Ok(None);
        };
        if words.len() > 1 {
            return Err(PredicateError::SeveralPredicates.into());
        }
        let file = file_of(word);
        must_be_file(file)?;
        let wrong = || PredicateError::NoPredicate {
            word: word.clone(),
            file: file.to_string(),
        };
        let (_, named) = word.split_once("::").ok_or_else(wrong)?;
        let target = PredicateTarget::new(file, named).ok_or_else(wrong)?;
        Ok(Some(Box::new(target)))
    }

    fn reopen(&self, saved: SavedRecord) -> Result<Box<dyn SavedSubject>, Problem> {
        Ok(Box::new(SavedCalls::<PrologRecord>::open(&saved)?))
    }
}

/// A predicate as named.
#[derive(Clone, Debug, PartialEq, Eq)]
struct PredicateTarget {
    file: PathBuf,
    name: String,
    /// None where the name alone tells which is meant.
    arity: Option<u32>,
}

impl PredicateTarget {
    fn new(file: &str, named: &str) -> Option<PredicateTarget> {
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
        (!name.is_empty()).then(|| PredicateTarget {
            file: file.into(),
            name: name.into(),
            arity,
        })
    }
}

impl Target for PredicateTarget {
    fn describe(&self) -> &'static str {
        "a predicate of Prolog"
    }

    fn stem(&self) -> OsString {
        self.name.clone().into()
    }

    fn flags(&self) -> Vec<&'static FlagGroup> {
        vec![&TERMS, &FLAGS]
    }

    fn indifferent_to(&self) -> &'static [&'static str] {
        &["memory", "schedules"]
    }

    fn build(&self, request: &ExploreRequest) -> Result<Box<dyn BuiltSubject>, Problem> {
        Ok(Box::new(BuiltCalls::new(self.record(request)?)?))
    }
}

impl PredicateTarget {
    /// Independent of the working directory, so that a replay elsewhere does the same.
    fn record(&self, request: &ExploreRequest) -> Result<PrologRecord, Problem> {
        let usual = Options::default();
        let terms: TermFlags = request.flags.read()?;
        let own: PrologFlags = request.flags.read()?;
        let max_inferences = own.max_inferences.unwrap_or(usual.inferences);
        if max_inferences == 0 {
            return Err(PredicateError::NoInferences.into());
        }
        let file = absolute(&self.file)?;
        Ok(PrologRecord {
            hash: hash(&file),
            file,
            predicate: self.name.clone(),
            arity: self.arity,
            mode: own.mode,
            solutions: if own.all_solutions { ALL } else { 1 },
            term_depth: terms.depth(usual.depth)?,
            integer_bits: terms.integer_bits.unwrap_or(usual.integer_bits),
            max_inferences,
            timeout_ms: match request.timeout_ms {
                Some(_) => request.timeout_or_usual(),
                None => usual.timeout.as_millis() as u64,
            },
            containment: request.contained.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_predicates() {
        let named = |text: &str| PredicateTarget::new("a.pl", text).map(|p| (p.name, p.arity));
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
