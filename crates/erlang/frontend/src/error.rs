//! What can be wrong with a function of Erlang or Elixir, and with what is said about it.

use elsewise_erlang::BuildError;
use elsewise_frontend::{Advice, CommandError, Exit};
use std::io;
use std::path::PathBuf;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum FunctionError {
    #[error("one function of Erlang or Elixir at a time")]
    SeveralFunctions,
    #[error("`{word}` names no function")]
    NoFunction {
        word: String,
        file: String,
        is_elixir: bool,
    },
    #[error("{flag} {}: there is no such directory", path.display())]
    NoSuchFolder { flag: &'static str, path: PathBuf },
    #[error("--macro {text}")]
    Macro { text: String },
    #[error(transparent)]
    Build(BuildError),
    #[error("the campaign is of a function of {}", language(*is_elixir))]
    OtherFramework { is_elixir: bool },
    #[error("cannot start {program}: {source}")]
    NoShell {
        program: &'static str,
        source: io::Error,
    },
    /// What makes the calls of a campaign.
    #[error("cannot start {program}: {source}")]
    NoCaller {
        program: &'static str,
        source: io::Error,
    },
    #[error("{program} could not make the calls of the campaign:\n{said}")]
    NotCalled { program: &'static str, said: String },
}

fn language(is_elixir: bool) -> &'static str {
    match is_elixir {
        true => "Elixir",
        false => "Erlang",
    }
}

impl CommandError for FunctionError {
    fn exit(&self) -> Exit {
        use FunctionError::*;
        match self {
            Build(_) | NoShell { .. } | NoCaller { .. } | NotCalled { .. } => Exit::Subject,
            _ => Exit::Usage,
        }
    }

    fn advice(&self) -> Option<Advice> {
        use FunctionError::*;
        match self {
            SeveralFunctions => Advice::colon(
                "modules that it calls are found in folders with compiled ones, which --code-path \
                 names",
            ),
            NoFunction {
                file, is_elixir, ..
            } => Advice::colon(match is_elixir {
                true => format!("give {file}::MODULE.FUNCTION/ARITY"),
                false => format!("give {file}::FUNCTION/ARITY"),
            }),
            NoSuchFolder { .. } => Advice::semicolon("check the path"),
            Macro { .. } => Advice::colon("write NAME or NAME=VALUE, as in --macro N=3"),
            OtherFramework { is_elixir: true } => {
                Advice::colon("its tests are run by ExUnit, --as exunit")
            }
            OtherFramework { is_elixir: false } => {
                Advice::colon("its tests are run by EUnit, --as eunit")
            }
            NoShell { program, .. } => {
                let package = match *program {
                    "iex" => "elixir",
                    _ => "erlang-base",
                };
                Advice::semicolon(format!("run `apt-get install {package}`"))
            }
            NoCaller { .. } => Advice::semicolon("`elsewise doctor` says what to install"),
            Build(_) | NotCalled { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elsewise_frontend::Problem;

    #[test]
    fn advice_is_in_the_words_of_the_language() {
        let none = |file: &str, is_elixir| FunctionError::NoFunction {
            word: file.into(),
            file: file.into(),
            is_elixir,
        };
        let shell = |program| FunctionError::NoShell {
            program,
            source: io::Error::other("gone"),
        };
        for (error, words) in [
            (
                none("m.erl", false),
                "`m.erl` names no function: give m.erl::FUNCTION/ARITY",
            ),
            (
                none("m.ex", true),
                "`m.ex` names no function: give m.ex::MODULE.FUNCTION/ARITY",
            ),
            (
                FunctionError::OtherFramework { is_elixir: true },
                "the campaign is of a function of Elixir: its tests are run by ExUnit, --as exunit",
            ),
            (
                shell("iex"),
                "cannot start iex: gone; run `apt-get install elixir`",
            ),
            (
                shell("erl"),
                "cannot start erl: gone; run `apt-get install erlang-base`",
            ),
        ] {
            assert_eq!(Problem::from(error).to_string(), words);
        }
    }
}
