//! Why a subject could not be built.

use crate::program::Misunderstood;
use crate::vm::VmError;

#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    #[error(transparent)]
    Vm(#[from] VmError),
    #[error(transparent)]
    Misunderstood(#[from] Misunderstood),
    #[error("{0}")]
    Compile(String),
    #[error("{file} has no function {function}; it exports {}", .exported.join(", "))]
    NoFunction {
        file: String,
        function: String,
        exported: Vec<String>,
    },
    #[error("{0}")]
    Io(String),
}
