//! Fixtures that were checked as they are now.
//!
//! That a generator generates and a twin differs says something of the fixture, not of Elsewise, and
//! stays true as long as the fixture does. `tests/checked.toml` has, for each such check, the hash of all
//! that it depends on when it was made last; while that has not changed, it need not be made again.
//! `cargo xtask soak fixtures` makes all of them and writes the file.

use crate::compile::root;
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Set, every check is made, and its hash written.
pub const RECORD: &str = "ELSEWISE_CHECK_FIXTURES";
const FILE: &str = "tests/checked.toml";

/// Makes a check, unless it was made of the same files, which are named from the root; folders stand for
/// all that is in them.
pub fn unless_checked(
    name: &str,
    paths: &[&str],
    check: impl FnOnce() -> Result<()>,
) -> Result<()> {
    let hash = hash(paths)?;
    let record = std::env::var_os(RECORD).is_some();
    if !record && known()?.get(name) == Some(&hash) {
        return Ok(());
    }
    check()?;
    if record {
        write(name, hash)?;
    }
    Ok(())
}

/// One after the other: tests run in processes of their own.
fn write(name: &str, hash: String) -> Result<()> {
    let file = root().join(FILE);
    let lock = fs::OpenOptions::new()
        .append(true)
        .create(true)
        .open(&file)?;
    lock.lock()?;
    let mut known = known()?;
    known.insert(name.into(), hash);
    let head = "# Written by `cargo xtask soak fixtures`: checks of fixtures, and what they were made of.\n\n";
    fs::write(&file, head.to_string() + &toml::to_string(&known)?)?;
    Ok(())
}

fn known() -> Result<BTreeMap<String, String>> {
    let file = root().join(FILE);
    match fs::read_to_string(&file) {
        Ok(text) => toml::from_str(&text).with_context(|| format!("{}", file.display())),
        Err(_) => Ok(BTreeMap::new()),
    }
}

fn hash(paths: &[&str]) -> Result<String> {
    let mut files = Vec::new();
    for path in paths {
        collect(&root().join(path), &mut files)?;
    }
    files.sort();
    let mut hasher = blake3::Hasher::new();
    for file in files {
        let name = file
            .strip_prefix(root())
            .unwrap_or(&file)
            .to_string_lossy()
            .into_owned();
        let bytes = fs::read(&file)?;
        for part in [name.as_bytes(), &bytes] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
    }
    Ok(hasher.finalize().to_hex()[..32].to_string())
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    if path.is_file() {
        files.push(path.to_path_buf());
        return Ok(());
    }
    let entries = path
        .read_dir()
        .with_context(|| format!("{}", path.display()))?;
    for entry in entries {
        collect(&entry?.path(), files)?;
    }
    Ok(())
}
