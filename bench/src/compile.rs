//! Files of a package compiled by any compiler, beside its own build system, and kept until what they are
//! made of changes.

use anyhow::{Context, Result, ensure};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Makes what is to be in a folder, unless it was made under the same key before.
pub fn once(folder: &Path, key: &str, make: impl FnOnce() -> Result<()>) -> Result<()> {
    let said = folder.join("key");
    if fs::read_to_string(&said).is_ok_and(|said| said == key) {
        return Ok(());
    }
    empty(folder)?;
    make()?;
    Ok(fs::write(said, key)?)
}

/// Sees to it that a folder is there and has nothing in it.
pub fn empty(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    Ok(fs::create_dir_all(folder)?)
}

/// Copies a package's source to `folder/source` and lets it configure itself there, once.
pub fn prepare(folder: &Path, source: &Path, line: &str) -> Result<PathBuf> {
    let copy = folder.join("source");
    once(folder, &format!("{} {line}", source.display()), || {
        succeed(Command::new("cp").arg("-a").arg(source).arg(&copy))?;
        if line.is_empty() {
            return Ok(());
        }
        let mut shell = Command::new("sh");
        shell.args(["-c", line]).current_dir(&copy);
        succeed(shell.env("CC", "clang-22").env("CXX", "clang++-22"))
    })?;
    Ok(copy)
}

/// A program that is made of files in a source's folder, and of some elsewhere.
pub struct Build<'a> {
    pub source: &'a Path,
    pub parts: Vec<Part<'a>>,
    /// Behind the objects, which the first part's compiler links with its options.
    pub link: &'a [&'a str],
    pub environment: &'a [(&'a str, &'a str)],
}

/// Files that are compiled alike.
#[derive(Clone, Debug)]
pub struct Part<'a> {
    pub compiler: &'a Path,
    pub options: Vec<&'a str>,
    pub files: Vec<PathBuf>,
}

impl Build<'_> {
    /// The program of this name in a folder, made unless everything is as it was.
    pub fn program(&self, folder: &Path, name: &str) -> Result<PathBuf> {
        let program = folder.join(name);
        once(folder, &self.key()?, || {
            let mut objects = Vec::new();
            for part in &self.parts {
                for file in &part.files {
                    let stem = file.file_stem().context("a source without a name")?;
                    let kind = if file.is_absolute() { "own.o" } else { "o" };
                    let object = folder.join(stem).with_extension(kind);
                    let mut command = self.command(part);
                    succeed(command.arg("-c").arg(file).arg("-o").arg(&object))?;
                    objects.push(object);
                }
            }
            let first = self.parts.first().context("nothing to build")?;
            let mut link = self.command(first);
            succeed(link.args(objects).arg("-o").arg(&program).args(self.link))
        })?;
        Ok(program)
    }

    fn command(&self, part: &Part) -> Command {
        let mut command = Command::new(part.compiler);
        command.args(&part.options).current_dir(self.source);
        command.envs(self.environment.iter().copied());
        command
    }

    /// All that may change: how it is built, our own compilers, and files of ours.
    fn key(&self) -> Result<String> {
        let mut key = format!("{:?} {:?} {:?}", self.parts, self.link, self.environment);
        for part in &self.parts {
            if part.compiler.is_absolute() {
                key += &stamp(part.compiler)?;
            }
            for file in part.files.iter().filter(|file| file.is_absolute()) {
                let text = fs::read_to_string(file);
                let text = text.with_context(|| format!("no {}", file.display()))?;
                write!(key, "\n{text}")?;
            }
        }
        Ok(key)
    }
}

/// Names the version of a compiler of ours.
pub fn stamp(compiler: &Path) -> Result<String> {
    Ok(format!("{:?}", fs::metadata(compiler)?.modified()?))
}

/// Runs a command that has to work; what it said otherwise.
pub fn succeed(command: &mut Command) -> Result<()> {
    output(command).map(|_| ())
}

/// What a command that has to work prints.
pub fn output(command: &mut Command) -> Result<String> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("{} cannot be run", command.get_program().display()))?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    ensure!(
        output.status.success(),
        "{command:?} failed:\n{said}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(said)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_filled_once() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        let fill = |key: &str| {
            let mut filled = false;
            once(&out, key, || {
                assert!(!out.join("object").exists());
                filled = true;
                Ok(fs::write(out.join("object"), "")?)
            })
            .unwrap();
            filled
        };
        assert!(fill("a") && !fill("a") && fill("b"));
        assert!(once(&out, "c", || anyhow::bail!("not made")).is_err());
        assert!(fill("c"));
    }
}
