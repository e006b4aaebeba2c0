//! How a predicate is loaded and called, as a campaign saves it.

use elsewise_frontend::contain::Contained;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// What `subject.json` says of a predicate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PrologRecord {
    pub file: PathBuf,
    /// The file as it was.
    pub hash: String,
    pub predicate: String,
    pub arity: Option<u32>,
    pub mode: Option<String>,
    pub solutions: u32,
    pub term_depth: u32,
    pub integer_bits: u32,
    pub max_inferences: u64,
    pub timeout_ms: u64,
    pub containment: Contained,
}
