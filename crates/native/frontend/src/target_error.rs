//! What can be wrong with what the user named, and with flags about it.

use elsewise_frontend::{Advice, CommandError, Exit};
use std::io;
use std::path::PathBuf;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum TargetError {
    #[error("`{name}` is not a C or C++ source file")]
    NotSource { name: String },
    /// `.ending`: of a language that has no front end.
    #[error("`{name}`: .{ending} files are not subjects yet")]
    OtherLanguage { name: String, ending: String },
    #[error("`{name}` is neither a .c file nor an executable")]
    NotExecutable { name: String },
    #[error("one function at a time")]
    SeveralFunctions,
    #[error("`{name}` names no function")]
    NoFunction { name: String, file: String },
    #[error("`{name}` is not a C source file")]
    NotBesideFunction { name: String },

    #[error("--sequence names the functions itself")]
    SequenceOfFunction,
    #[error("--steps counts the calls of a --sequence")]
    StepsOfNothing,
    #[error("--sanitize is for source files, and this subject is built already")]
    SanitizeOfBuilt,
    #[error("--cflags is for .c files, and this subject is built already")]
    CflagsOfBuilt,
    #[error("--compile-commands is for source files, and this subject is built already")]
    DatabaseOfBuilt,
    #[error("--cflags cannot be split into words: {text}")]
    Cflags { text: String },
    #[error("--input-size {size} is more than --max-input {max}")]
    InputSize { size: u32, max: u32 },
    #[error("--env {text}")]
    Env { text: String },
    /// Two names with a colon between them; `form` is how they should be.
    #[error("{flag} {text}")]
    Pair {
        flag: &'static str,
        text: String,
        form: &'static str,
    },
    #[error("cannot read the seeds in {}: {source}", folder.display())]
    UnreadableSeeds { folder: PathBuf, source: io::Error },
    #[error("there are no seeds in {}", folder.display())]
    NoSeeds { folder: PathBuf },
    #[error("inputs cannot be exchanged by way of {}: {source}", folder.display())]
    Exchange { folder: PathBuf, source: io::Error },
    #[error("--afl and --corpus are for programs, and this subject is a function")]
    ExchangeOfFunction,
}

impl CommandError for TargetError {
    fn exit(&self) -> Exit {
        Exit::Usage
    }

    fn advice(&self) -> Option<Advice> {
        use TargetError::*;
        match self {
            NotSource { .. } => Advice::colon(
                "give one or more .c or .cc files, or one executable built with elsewise-cc (the \
                 subject's own arguments come after --)",
            ),
            OtherLanguage { .. } | NotExecutable { .. } => {
                Advice::colon("give .c files, or an executable built with elsewise-cc")
            }
            SeveralFunctions => {
                Advice::colon("name one FILE.c::FUNCTION, and the other files without a function")
            }
            NoFunction { file, .. } => Advice::colon(format!(
                "give {file}::FUNCTION, or {file} for the whole program"
            )),
            NotBesideFunction { .. } => Advice::colon(
                "beside a function there can be files that it needs, and nothing else",
            ),
            SequenceOfFunction => {
                Advice::colon("give FILE.c alone as the subject, and other files that it needs")
            }
            StepsOfNothing => Advice::colon("name its functions, or leave it out"),
            SanitizeOfBuilt => {
                Advice::colon("build it with -fsanitize= in its CFLAGS and LDFLAGS instead")
            }
            CflagsOfBuilt | DatabaseOfBuilt => Advice::colon("leave it out"),
            Cflags { .. } => Advice::semicolon("close the quotation marks"),
            InputSize { .. } => Advice::colon("leave one of them out"),
            Env { .. } => Advice::colon("write NAME=VALUE, as in --env HOME=/"),
            Pair { flag, form, .. } => Advice::colon(format!("write {flag} {form}")),
            UnreadableSeeds { .. } => Advice::semicolon("give a directory with one file per input"),
            Exchange { .. } => Advice::semicolon("give a directory that you can write to"),
            ExchangeOfFunction => {
                Advice::colon("leave them out, or explore the fuzzer's own harness")
            }
            NoSeeds { .. } => Advice::colon("put one file per input there, or leave --seeds out"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elsewise_frontend::Problem;

    #[test]
    fn advice_names_what_was_given() {
        let none = TargetError::NoFunction {
            name: "a.c::".into(),
            file: "a.c".into(),
        };
        let words = "`a.c::` names no function: give a.c::FUNCTION, or a.c for the whole program";
        assert_eq!(Problem::from(none).to_string(), words);
        let pair = TargetError::Pair {
            flag: "--valid",
            text: "list".into(),
            form: "TYPE:PREDICATE",
        };
        let words = "--valid list: write --valid TYPE:PREDICATE";
        assert_eq!(Problem::from(pair).to_string(), words);
    }
}
