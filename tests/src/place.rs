//! A folder that commands are typed in, as people do.

use crate::command::program;
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A folder to work in, with the program in its `PATH`.
pub struct Place {
    folder: TempDir,
}

struct Ended {
    code: Option<i32>,
    stdout: String,
    /// Both streams.
    text: String,
}

impl Place {
    pub fn new(files: &[(&str, &str)]) -> Result<Place> {
        let folder = tempfile::tempdir()?;
        fs::create_dir(folder.path().join("bin"))?;
        symlink(program()?, folder.path().join("bin/elsewise"))?;
        let place = Place { folder };
        for (name, text) in files {
            place.write(name, text)?;
        }
        Ok(place)
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn write(&self, name: &str, text: &str) -> Result<()> {
        let file = self.path().join(name);
        fs::create_dir_all(file.parent().context("a file is in a folder")?)?;
        Ok(fs::write(file, text)?)
    }

    pub fn read(&self, name: &str) -> Result<String> {
        let file = self.path().join(name);
        fs::read_to_string(&file).with_context(|| format!("no {}", file.display()))
    }

    /// Runs a command of a shell.
    fn run(&self, line: &str) -> Result<Ended> {
        let path = format!(
            "{}:{}",
            self.path().join("bin").display(),
            std::env::var("PATH")?
        );
        let output = Command::new("sh")
            .args(["-c", line])
            .current_dir(self.path())
            .env("PATH", path)
            // Neither tool is to look at, or to leave anything in, the home of whoever runs this.
            .env("HOME", self.path())
            .env("XDG_CACHE_HOME", cache()?)
            .env("NO_COLOR", "1")
            .output()?;
        let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
        let mut text = stdout.clone();
        text.push_str(&String::from_utf8_lossy(&output.stderr));
        Ok(Ended {
            code: output.status.code(),
            stdout,
            text,
        })
    }

    pub fn expect(&self, line: &str, code: i32) -> Result<String> {
        Ok(self.ended(line, code)?.text)
    }

    fn ended(&self, line: &str, code: i32) -> Result<Ended> {
        let ended = self.run(line)?;
        ensure!(
            ended.code == Some(code),
            "`{line}` ended with {:?}, not {code}:\n{}",
            ended.code,
            ended.text
        );
        Ok(ended)
    }

    pub fn json(&self, line: &str, code: i32) -> Result<Value> {
        let text = self.ended(line, code)?.stdout;
        serde_json::from_str(&text).with_context(|| format!("`{line}` gave no JSON:\n{text}"))
    }

    /// The kinds of findings, in order.
    pub fn kinds(&self, findings: &Value) -> Vec<String> {
        let list = findings.as_array().into_iter().flatten();
        let kinds = list.filter_map(|finding| finding["kind"].as_str());
        let mut kinds: Vec<String> = kinds.map(str::to_string).collect();
        kinds.sort();
        kinds
    }

    /// The number of the first finding of a kind in the only campaign.
    pub fn finding(&self, kind: &str) -> Result<u64> {
        let findings = self.json("elsewise show --format json", 0)?;
        let mut findings = findings["findings"].as_array().into_iter().flatten();
        let finding = findings.find(|finding| finding["kind"] == kind);
        let id = finding.and_then(|finding| finding["id"].as_u64());
        id.with_context(|| format!("no finding is of kind {kind}"))
    }
}

/// Where what takes seconds to make is kept between tests.
fn cache() -> Result<PathBuf> {
    let given = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    given.or_else(home).context("no HOME")
}
