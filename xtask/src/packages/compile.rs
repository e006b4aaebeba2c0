//! Compiles chosen files of a package with any compiler, beside its own build system.

use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Copies a package's source to `folder/source` and lets it configure itself there, once.
pub fn prepare(folder: &Path, source: &Path, line: &str) -> Result<PathBuf> {
    let copy = folder.join("source");
    let done = folder.join("prepared");
    if fs::read_to_string(&done).is_ok_and(|said| said == line) {
        return Ok(copy);
    }
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    succeed(Command::new("cp").arg("-a").arg(source).arg(&copy))?;
    if !line.is_empty() {
        succeed(
            Command::new("sh")
                .args(["-c", line])
                .current_dir(&copy)
                .env("CC", "clang-22")
                .env("CXX", "clang++-22"),
        )?;
    }
    fs::write(done, line)?;
    Ok(copy)
}

/// One object for each file: `compiler` gives the command, its options included.
pub fn objects(
    compiler: impl Fn() -> Command,
    sources: &[PathBuf],
    out: &Path,
) -> Result<Vec<PathBuf>> {
    let mut objects = Vec::new();
    for file in sources {
        let stem = file.file_stem().context("a source without a name")?;
        let object = out.join(stem).with_extension("o");
        succeed(compiler().arg("-c").arg(file).arg("-o").arg(&object))?;
        objects.push(object);
    }
    Ok(objects)
}

/// Whether `folder` was filled under this key; if not, it is emptied. [`fill`] says that it is.
pub fn is_filled(folder: &Path, key: &str) -> Result<bool> {
    if fs::read_to_string(folder.join("key")).is_ok_and(|said| said == key) {
        return Ok(true);
    }
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    Ok(false)
}

pub fn fill(folder: &Path, key: &str) -> Result<()> {
    Ok(fs::write(folder.join("key"), key)?)
}

/// Names the version of a compiler of ours.
pub fn stamp(compiler: &Path) -> Result<String> {
    Ok(format!("{:?}", fs::metadata(compiler)?.modified()?))
}

/// Runs a command that has to work; what it said otherwise.
pub fn succeed(command: &mut Command) -> Result<()> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("{} cannot be run", command.get_program().display()))?;
    ensure!(
        output.status.success(),
        "{command:?} failed:\n{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_filled_once() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        assert!(!is_filled(&out, "a").unwrap());
        fs::write(out.join("object"), "").unwrap();
        fill(&out, "a").unwrap();
        assert!(is_filled(&out, "a").unwrap());
        assert!(!is_filled(&out, "b").unwrap());
        assert!(!out.join("object").exists());
    }
}
