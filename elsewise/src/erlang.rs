//! Functions of Erlang and Elixir as subjects: what the user named, and what can be said of them.

#[cfg(feature = "erlang")]
pub mod export;
#[cfg(feature = "erlang")]
pub mod kept;
#[cfg(feature = "erlang")]
mod observe;
#[cfg(feature = "erlang")]
pub mod ready;
#[cfg(feature = "erlang")]
mod shell;
#[cfg(feature = "erlang")]
pub mod tools;

use crate::args::Settings;
use crate::calls;
use crate::exit::Problem;
use crate::record::Limits;
use crate::subject::must_be_file;
#[cfg(feature = "erlang")]
use elsewise_erlang::Options;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A function as named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    pub file: PathBuf,
    /// In a file of Elixir, which may have several.
    pub module: Option<String>,
    pub function: String,
    /// None where the name alone tells which is meant.
    pub arity: Option<u32>,
}

/// Endings of files that have such functions.
const ENDINGS: [&str; 4] = ["erl", "beam", "ex", "exs"];

fn ending(file: &str) -> Option<&str> {
    let ending = Path::new(file).extension()?.to_str()?;
    ENDINGS.contains(&ending).then_some(ending)
}

impl Call {
    /// `FILE.erl::FUNCTION/ARITY` and its like, if that is what the names are.
    pub fn named(names: &[String]) -> Result<Option<Call>, Problem> {
        let file_of = |name: &str| name.split("::").next().unwrap_or_default().to_string();
        let of_ours = |name: &&String| ending(&file_of(name)).is_some();
        let Some(name) = names.iter().find(of_ours) else {
            return Ok(None);
        };
        if names.len() > 1 {
            return Err(Problem::usage(
                "one function of Erlang or Elixir at a time: modules that it calls are found in \
                 folders with compiled ones, which --code-path names",
            ));
        }
        let file = file_of(name);
        must_be_file(&file)?;
        let form = match ending(&file) {
            Some("ex" | "exs") => format!("{file}::MODULE.FUNCTION/ARITY"),
            _ => format!("{file}::FUNCTION/ARITY"),
        };
        let wrong = || Problem::usage(format!("`{name}` names no function: give {form}"));
        let (_, named) = name.split_once("::").ok_or_else(wrong)?;
        let call = Call::new(&file, named).ok_or_else(wrong)?;
        match (ending(&file), &call.module) {
            (Some("ex" | "exs"), None) => Err(wrong()),
            _ => Ok(Some(call)),
        }
    }

    fn new(file: &str, named: &str) -> Option<Call> {
        let (name, arity) = match named.rsplit_once('/') {
            Some((name, digits)) if !name.is_empty() => (name, Some(digits.parse().ok()?)),
            _ => (named, None),
        };
        let is_module = |text: &str| text.starts_with(|first: char| first.is_ascii_uppercase());
        let (module, function) = match name.rsplit_once('.') {
            Some((module, function)) if is_module(module) => (Some(module.to_string()), function),
            _ => (None, name),
        };
        let function = function.trim_matches('\'');
        (!function.is_empty()).then(|| Call {
            file: file.into(),
            module,
            function: function.into(),
            arity,
        })
    }
}

/// What messages call such a subject.
pub const SUBJECT: &str = "a function of Erlang or Elixir";

/// Refuses flags of functions of Erlang for another subject.
pub fn only_for_functions(settings: &Settings) -> Result<(), Problem> {
    let given = [
        ("--any-arguments", settings.any_arguments),
        ("--include", !settings.include.is_empty()),
        ("--code-path", !settings.code_path.is_empty()),
        ("--macro", !settings.macros.is_empty()),
    ];
    calls::none_of(&given, |flag| match flag {
        "--include" | "--macro" => format!(
            "{flag} is for Erlang: give the compiler's own flags in --cflags '-Iinclude -DN=3'"
        ),
        _ => format!(
            "{flag} is about functions of Erlang and Elixir: give FILE.erl::FUNCTION/ARITY, or leave \
             it out"
        ),
    })
}

/// What the front end is told; independent of the working directory, so that a replay elsewhere does
/// the same.
#[cfg(feature = "erlang")]
pub fn options(call: &Call, settings: &Settings, limits: Limits) -> Result<Options, Problem> {
    let usual = Options::default();
    Ok(Options {
        file: calls::absolute(&call.file)?,
        module: call.module.clone(),
        function: call.function.clone(),
        arity: call.arity,
        depth: calls::depth(settings, usual.depth)?,
        timeout: Duration::from_millis(limits.timeout_ms),
        memory: match settings.memory {
            Some(_) => limits.memory_mb.saturating_mul(1 << 20),
            None => usual.memory,
        },
        include: folders("--include", &settings.include)?,
        paths: folders("--code-path", &settings.code_path)?,
        macros: macros(&settings.macros)?,
        any: settings.any_arguments,
        integer_bits: settings.integer_bits.unwrap_or(usual.integer_bits),
        starter: usual.starter,
    })
}

fn folders(flag: &str, given: &[PathBuf]) -> Result<Vec<PathBuf>, Problem> {
    let folder = |path: &PathBuf| match fs::canonicalize(path) {
        Ok(folder) if folder.is_dir() => Ok(folder),
        _ => Err(Problem::usage(format!(
            "{flag} {}: there is no such directory; check the path",
            path.display()
        ))),
    };
    given.iter().map(folder).collect()
}

/// A macro without a value is `true`, as for `erlc -DNAME`.
fn macros(given: &[String]) -> Result<Vec<(String, String)>, Problem> {
    let pair = |text: &String| {
        let (name, value) = text.split_once('=').unwrap_or((text, "true"));
        let good = |char: char| char.is_alphanumeric() || char == '_' || char == '@';
        match !name.is_empty() && name.chars().all(good) {
            true => Ok((name.to_string(), value.to_string())),
            false => Err(Problem::usage(format!(
                "--macro {text}: write NAME or NAME=VALUE, as in --macro N=3"
            ))),
        }
    };
    given.iter().map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_named_as_their_people_do() {
        let named = |file: &str, text: &str| {
            Call::new(file, text).map(|call| (call.module, call.function, call.arity))
        };
        let some = |module: Option<&str>, function: &str, arity| {
            Some((module.map(str::to_string), function.to_string(), arity))
        };
        assert_eq!(named("a.erl", "f/2"), some(None, "f", Some(2)));
        assert_eq!(named("a.erl", "f"), some(None, "f", None));
        assert_eq!(named("a.erl", "'+'/2"), some(None, "+", Some(2)));
        assert_eq!(named("a.erl", "a.b/1"), some(None, "a.b", Some(1)));
        assert_eq!(
            named("a.ex", "Bank.Account.take!/3"),
            some(Some("Bank.Account"), "take!", Some(3))
        );
        assert_eq!(named("a.erl", "f/x"), None);
        assert_eq!(named("a.erl", ""), None);
    }

    #[test]
    fn macros_are_named_as_erlc_does() {
        let pairs = |given: &[&str]| {
            macros(
                &given
                    .iter()
                    .map(|text| text.to_string())
                    .collect::<Vec<_>>(),
            )
        };
        let pair = |name: &str, value: &str| (name.to_string(), value.to_string());
        assert_eq!(
            pairs(&["TEST", "N=3", "S=\"a=b\""]),
            Ok(vec![
                pair("TEST", "true"),
                pair("N", "3"),
                pair("S", "\"a=b\"")
            ])
        );
        assert!(pairs(&["=3"]).is_err());
        assert!(pairs(&["A B=3"]).is_err());
    }
}
