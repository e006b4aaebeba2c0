//! The tracked files of this repository.

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A root folder and the files that belong to it, as paths relative to the root with `/`.
pub struct Repository {
    root: PathBuf,
    files: Vec<String>,
}

impl Repository {
    /// The repository that this program was built from, with the files that git tracks.
    pub fn here() -> Result<Repository> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .parent()
            .context("xtask stands directly below the root")?
            .to_path_buf();
        let output = Command::new("git")
            .args(["ls-files", "-z"])
            .current_dir(&root)
            .output()
            .context("git is needed to list the files")?;
        if !output.status.success() {
            bail!(
                "git ls-files failed: {}",
                String::from_utf8_lossy(&output.stderr).trim()
            );
        }
        let files = String::from_utf8(output.stdout)
            .context("a tracked file's name is not UTF-8: rename it")?
            .split_terminator('\0')
            // A file that is deleted but not yet committed is still listed.
            .filter(|file| root.join(file).is_file())
            .map(str::to_owned)
            .collect();
        Ok(Repository { root, files })
    }

    /// For tests: a folder, with every file named.
    #[cfg(test)]
    pub fn of(root: &Path, files: &[(&str, &str)]) -> Repository {
        let mut names = Vec::new();
        for (name, text) in files {
            let path = root.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
            names.push((*name).to_owned());
        }
        names.sort();
        Repository {
            root: root.to_path_buf(),
            files: names,
        }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    pub fn files(&self) -> &[String] {
        &self.files
    }

    pub fn path(&self, file: &str) -> PathBuf {
        self.root.join(file)
    }

    pub fn read(&self, file: &str) -> Result<String> {
        std::fs::read_to_string(self.path(file)).with_context(|| format!("cannot read {file}"))
    }

    /// The file as text; `None` when it is none.
    pub fn read_text(&self, file: &str) -> Result<Option<String>> {
        let bytes =
            std::fs::read(self.path(file)).with_context(|| format!("cannot read {file}"))?;
        Ok(String::from_utf8(bytes).ok())
    }
}
