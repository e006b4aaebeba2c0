//! The compiler of Elixir, and where its own modules are.

use crate::error::BuildError;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Folders with Elixir's own modules.
pub fn library() -> Result<Vec<PathBuf>, BuildError> {
    let output = Command::new("elixir")
        .args(["-e", "IO.puts(:code.lib_dir(:elixir))"])
        .output()
        .map_err(|error| {
            BuildError::Compile(format!(
                "elixir cannot be started ({error}): on Debian, `apt install elixir`"
            ))
        })?;
    let folder = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
    let beside = folder.parent().unwrap_or(&folder).to_path_buf();
    Ok(vec![
        folder.join("ebin"),
        beside.join("logger/ebin"),
        beside.join("ex_unit/ebin"),
    ])
}

/// Compiles a source of Elixir; the modules that came of it.
pub fn modules(file: &Path, folder: &Path) -> Result<Vec<PathBuf>, BuildError> {
    let output = Command::new("elixirc")
        .arg("--ignore-module-conflict")
        .arg("-o")
        .arg(folder)
        .arg(file)
        .output()
        .map_err(|error| {
            BuildError::Compile(format!(
                "elixirc cannot be started ({error}): on Debian, `apt install elixir`"
            ))
        })?;
    if !output.status.success() {
        let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.push_str(&String::from_utf8_lossy(&output.stderr));
        return Err(BuildError::Compile(text));
    }
    let mut modules: Vec<PathBuf> = std::fs::read_dir(folder)
        .map_err(|error| BuildError::Io(error.to_string()))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|it| it == "beam"))
        .collect();
    modules.sort();
    Ok(modules)
}
