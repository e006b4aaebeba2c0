//! Functions of Erlang and Elixir as subjects of the command: what the user named, and what can be said of it.

mod calls;
mod error;
mod export;
mod observe;
mod outline;
mod record;
mod shell;
mod syntax;

use self::error::FunctionError;
use self::record::ErlangRecord;
use clap::Args;
use elsewise_erlang::Options;
use elsewise_frontend::calls::{BuiltCalls, SavedCalls, absolute, hash};
use elsewise_frontend::flags::{FlagGroup, Flags, INCLUDES, IncludeFlags, TERMS, TermFlags};
use elsewise_frontend::outline::Explorable;
use elsewise_frontend::record::SavedRecord;
use elsewise_frontend::tools::says;
use elsewise_frontend::{
    BuiltSubject, ExploreRequest, Form, FrontEnd, Problem, SavedSubject, Target, TestFramework,
    file_of, must_be_file, with_ending,
};
use elsewise_report::CheckLine;
use elsewise_report::html::Syntax;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

/// The front end.
pub struct Erlang;

pub static FRONT_END: Erlang = Erlang;

/// Endings of files that have such functions.
const ENDINGS: [&str; 4] = ["erl", "beam", "ex", "exs"];

#[derive(Clone, Debug, Default, Args)]
struct ErlangFlags {
    /// Arguments without a clause count as failures, too.
    ///
    /// This is about functions of Erlang and Elixir that have no specification.
    #[arg(long)]
    any_arguments: bool,

    /// Where compiled modules are that an Erlang or Elixir function calls; may be given more than
    /// once.
    #[arg(long, value_name = "DIR")]
    code_path: Vec<PathBuf>,

    /// A macro for Erlang's preprocessor; may be given more than once.
    #[arg(long = "macro", value_name = "NAME[=VALUE]")]
    macros: Vec<String>,
}

static FLAGS: FlagGroup = FlagGroup {
    name: "erlang",
    about: "functions of Erlang and Elixir",
    heading: "For functions of Erlang and Elixir",
    augment: ErlangFlags::augment_args,
};

impl FrontEnd for Erlang {
    fn name(&self) -> &'static str {
        "erlang"
    }

    fn forms(&self) -> &'static [Form] {
        &[
            Form {
                text: "FILE.erl::FUNCTION/ARITY",
                means: "a function of Erlang",
            },
            Form {
                text: "FILE.beam::FUNCTION/ARITY",
                means: "one of a compiled module",
            },
            Form {
                text: "FILE.ex::MODULE.FUNCTION/ARITY",
                means: "a function of Elixir",
            },
        ]
    }

    fn examples(&self) -> &'static [&'static str] {
        &[
            "src/bank.erl::transfer/3 --include include",
            "lib/bank.ex::Bank.transfer/3",
        ]
    }

    fn flags(&self) -> Vec<&'static FlagGroup> {
        vec![&TERMS, &INCLUDES, &FLAGS]
    }

    /// None of them is needed for other languages.
    fn tools(&self) -> Vec<CheckLine> {
        vec![
            CheckLine {
                name: "erl".into(),
                found: erlang_version(),
                needed: false,
                advice: "functions of Erlang and Elixir cannot be explored: run `apt-get install \
                         erlang-base erlang-dev erlang-eunit erlang-tools`"
                    .into(),
            },
            CheckLine {
                name: "elixir".into(),
                found: says("elixir", &["-e", "IO.write(System.version())"]),
                needed: false,
                advice: "functions of Elixir cannot be explored: run `apt-get install elixir`"
                    .into(),
            },
        ]
    }

    fn frameworks(&self) -> &'static [TestFramework] {
        &[
            TestFramework {
                name: "eunit",
                about: "For functions of Erlang",
            },
            TestFramework {
                name: "exunit",
                about: "For functions of Elixir",
            },
        ]
    }

    fn syntaxes(&self) -> &'static [Syntax] {
        &syntax::SYNTAXES
    }

    fn explorables(&self, file: &str, text: &str) -> Vec<Explorable> {
        outline::explorables(file, text)
    }

    fn target(&self, words: &[String], _: &Flags) -> Result<Option<Box<dyn Target>>, Problem> {
        let Some(word) = with_ending(words, &ENDINGS) else {
            return Ok(None);
        };
        if words.len() > 1 {
            return Err(FunctionError::SeveralFunctions.into());
        }
        Ok(Some(Box::new(FunctionTarget::named(word)?)))
    }

    fn reopen(&self, saved: SavedRecord) -> Result<Box<dyn SavedSubject>, Problem> {
        Ok(Box::new(SavedCalls::<ErlangRecord>::open(&saved)?))
    }
}

/// The release of OTP, if its compiler is there as well.
fn erlang_version() -> Option<String> {
    let release = "true = is_list(code:which(compile)), \
                   io:put_chars(erlang:system_info(otp_release)), halt().";
    let words = ["-noshell", "-noinput", "-eval", release];
    says("erl", &words).map(|release| format!("OTP {release}"))
}

/// A function as named.
#[derive(Clone, Debug, PartialEq, Eq)]
struct FunctionTarget {
    file: PathBuf,
    /// In a file of Elixir, which may have several.
    module: Option<String>,
    function: String,
    /// None where the name alone tells which is meant.
    arity: Option<u32>,
}

impl FunctionTarget {
    /// `FILE.erl::FUNCTION/ARITY` and its like.
    fn named(word: &str) -> Result<FunctionTarget, Problem> {
        let file = file_of(word);
        must_be_file(file)?;
        let is_elixir = file.ends_with(".ex") || file.ends_with(".exs");
        let wrong = || FunctionError::NoFunction {
            word: word.to_string(),
            file: file.to_string(),
            is_elixir,
        };
        let (_, named) = word.split_once("::").ok_or_else(wrong)?;
        let target = FunctionTarget::new(file, named).ok_or_else(wrong)?;
        match is_elixir && target.module.is_none() {
            true => Err(wrong().into()),
            false => Ok(target),
        }
    }

    fn new(file: &str, named: &str) -> Option<FunctionTarget> {
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
        (!function.is_empty()).then(|| FunctionTarget {
            file: file.into(),
            module,
            function: function.into(),
            arity,
        })
    }
}

impl Target for FunctionTarget {
    fn describe(&self) -> &'static str {
        "a function of Erlang or Elixir"
    }

    fn stem(&self) -> OsString {
        self.function.clone().into()
    }

    fn flags(&self) -> Vec<&'static FlagGroup> {
        vec![&TERMS, &INCLUDES, &FLAGS]
    }

    fn build(&self, request: &ExploreRequest) -> Result<Box<dyn BuiltSubject>, Problem> {
        Ok(Box::new(BuiltCalls::new(self.record(request)?)?))
    }
}

impl FunctionTarget {
    /// Independent of the working directory, so that a replay elsewhere does the same.
    fn record(&self, request: &ExploreRequest) -> Result<ErlangRecord, Problem> {
        let usual = Options::default();
        let terms: TermFlags = request.flags.read()?;
        let includes: IncludeFlags = request.flags.read()?;
        let own: ErlangFlags = request.flags.read()?;
        let file = absolute(&self.file)?;
        Ok(ErlangRecord {
            hash: hash(&file),
            file,
            module: self.module.clone(),
            function: self.function.clone(),
            arity: self.arity,
            term_depth: terms.depth(usual.depth)?,
            integer_bits: terms.integer_bits.unwrap_or(usual.integer_bits),
            any_arguments: own.any_arguments,
            timeout_ms: request.timeout_or_usual(),
            memory_mb: request.memory_mb.unwrap_or(usual.memory >> 20),
            include: folders("--include", &includes.include)?,
            code_path: folders("--code-path", &own.code_path)?,
            macros: macros(&own.macros)?,
            containment: request.contained.clone(),
        })
    }
}

fn folders(flag: &'static str, given: &[PathBuf]) -> Result<Vec<PathBuf>, Problem> {
    let folder = |path: &PathBuf| match fs::canonicalize(path) {
        Ok(folder) if folder.is_dir() => Ok(folder),
        _ => {
            let path = path.clone();
            Err(FunctionError::NoSuchFolder { flag, path }.into())
        }
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
            false => Err(FunctionError::Macro { text: text.clone() }.into()),
        }
    };
    given.iter().map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_functions() {
        let named = |file: &str, text: &str| {
            FunctionTarget::new(file, text).map(|call| (call.module, call.function, call.arity))
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
    fn forms_of_macros() {
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
            pairs(&["TEST", "N=3", "S=\"a=b\""]).unwrap(),
            [pair("TEST", "true"), pair("N", "3"), pair("S", "\"a=b\"")]
        );
        assert!(pairs(&["=3"]).is_err());
        assert!(pairs(&["A B=3"]).is_err());
    }
}
