//! The examples of "Concolic Testing in CLP" in `tests/prolog/paper/`: lines that begin with `% :` say in TOML
//! which classes of queries they have.

use crate::compile::root;
use crate::heads::head;
use anyhow::Result;
use serde::Deserialize;
use std::fs;
use std::path::PathBuf;

/// Where they are.
const FOLDER: &str = "tests/prolog/paper";

/// What the head of an example says.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    pub entry: String,
    /// One query of each class.
    pub classes: Vec<String>,
}

/// All examples, by name. What time is measured with is none.
pub fn examples() -> Result<Vec<(PathBuf, Head)>> {
    let mut examples = Vec::new();
    for entry in root().join(FOLDER).read_dir()? {
        let file = entry?.path();
        let text = fs::read_to_string(&file)?;
        if text.contains("% : classes") {
            examples.push((file, head(&text, "% :")?));
        }
    }
    examples.sort_by(|(one, _), (other, _)| one.cmp(other));
    Ok(examples)
}
