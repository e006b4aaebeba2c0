//! What can be wrong with a predicate of Prolog, and with what is said about it.

use elsewise_frontend::{Advice, CommandError, Exit};
use elsewise_prolog::BuildError;
use std::io;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum PredicateError {
    #[error("one predicate of Prolog at a time")]
    SeveralPredicates,
    #[error("`{word}` names no predicate")]
    NoPredicate { word: String, file: String },
    #[error("--max-inferences 0 lets nothing run")]
    NoInferences,
    #[error(transparent)]
    Build(BuildError),
    #[error("the campaign is of a predicate of Prolog")]
    OtherFramework,
    #[error("cannot start swipl: {0}")]
    NoShell(io::Error),
}

impl CommandError for PredicateError {
    fn exit(&self) -> Exit {
        match self {
            PredicateError::Build(_) | PredicateError::NoShell(_) => Exit::Subject,
            _ => Exit::Usage,
        }
    }

    fn advice(&self) -> Option<Advice> {
        use PredicateError::*;
        match self {
            SeveralPredicates => {
                Advice::colon("files that it needs are those that its own file loads")
            }
            NoPredicate { file, .. } => Advice::colon(format!("give {file}::PREDICATE/ARITY")),
            NoInferences => Advice::colon("give at least 1"),
            OtherFramework => Advice::colon("its tests are run by plunit, --as plunit"),
            NoShell(_) => Advice::semicolon("run `apt-get install swi-prolog-nox`"),
            Build(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elsewise_frontend::Problem;

    #[test]
    fn advice_names_the_file() {
        let none = PredicateError::NoPredicate {
            word: "a.pl::".into(),
            file: "a.pl".into(),
        };
        let words = "`a.pl::` names no predicate: give a.pl::PREDICATE/ARITY";
        assert_eq!(Problem::from(none).to_string(), words);
    }
}
