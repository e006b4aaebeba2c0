//! How a function of Erlang or Elixir is compiled and called, as a campaign saves it.

use elsewise_frontend::contain::Contained;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// What `subject.json` says of such a function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ErlangRecord {
    pub file: PathBuf,
    /// The file as it was.
    pub hash: String,
    pub module: Option<String>,
    pub function: String,
    pub arity: Option<u32>,
    pub term_depth: u32,
    pub integer_bits: u32,
    pub any_arguments: bool,
    pub timeout_ms: u64,
    pub memory_mb: u64,
    pub include: Vec<PathBuf>,
    pub code_path: Vec<PathBuf>,
    pub macros: Vec<(String, String)>,
    pub containment: Contained,
}

impl ErlangRecord {
    pub fn is_elixir(&self) -> bool {
        let stem = self.file.file_stem().unwrap_or_default();
        self.module.is_some() || stem.to_string_lossy().starts_with("Elixir.")
    }

    /// The module's name, as it is written in its language.
    pub fn module(&self) -> String {
        let stem = self.file.file_stem().unwrap_or_default();
        let stem = stem.to_string_lossy();
        match &self.module {
            Some(module) => module.clone(),
            None => stem.strip_prefix("Elixir.").unwrap_or(&stem).to_string(),
        }
    }
}
