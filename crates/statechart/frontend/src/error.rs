//! What can be wrong with a model, and with what is said about it.

use elsewise_frontend::{Advice, CommandError, Exit, Problem};
use elsewise_statechart::CannotOpen;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum ModelError {
    #[error("`{word}` names no capsule")]
    NoCapsule { word: String, file: String },
    #[error("`{name}` is not a C or C++ source file")]
    NotSource { name: String },
    #[error(transparent)]
    Open(#[from] CannotOpen),
    /// What the compiler says is about generated code: whoever wrote the model should know.
    #[error("the code of the model cannot be built: {0}")]
    Generated(Problem),
    #[error("tests of a model are a C program of their own and message sequences")]
    NoFramework,
}

impl CommandError for ModelError {
    fn exit(&self) -> Exit {
        match self {
            ModelError::Open(_) => Exit::Subject,
            ModelError::Generated(problem) => problem.exit(),
            _ => Exit::Usage,
        }
    }

    fn advice(&self) -> Option<Advice> {
        match self {
            ModelError::NoCapsule { file, .. } => Advice::colon(format!(
                "give {file}::CAPSULE, or {file} for all of the model"
            )),
            ModelError::NotSource { .. } => Advice::colon(
                "beside a model there can be files that its action code calls, and nothing else",
            ),
            ModelError::Generated(_) => Advice::below(
                "headers are found with --include DIR, and functions that action code calls in C \
                 files that are named beside the model",
            ),
            ModelError::NoFramework => Advice::colon("leave out --as"),
            ModelError::Open(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_with_generated_code_ends_as_it_would_alone() {
        let inner = ModelError::NoCapsule {
            word: "m.qm::".into(),
            file: "m.qm".into(),
        };
        let words = "`m.qm::` names no capsule: give m.qm::CAPSULE, or m.qm for all of the model";
        let outer = Problem::from(ModelError::Generated(inner.into()));
        assert_eq!(outer.exit(), Exit::Usage);
        assert_eq!(
            outer.to_string(),
            format!(
                "the code of the model cannot be built: {words}\n(headers are found with --include DIR, and \
                 functions that action code calls in C files that are named beside the model)"
            )
        );
    }
}
