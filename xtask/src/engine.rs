//! The programs of this checkout, built as it stands.

use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

pub struct Engine {
    pub elsewise: PathBuf,
    pub cc: PathBuf,
    pub cxx: PathBuf,
}

/// Figures are those of the release build; what only has to work is tried with the build that
/// developers have anyway.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    Debug,
    Release,
}

/// What a task that explores each of several things is asked for.
pub struct Wishes<'a> {
    pub profile: Profile,
    /// For each of them.
    pub seconds: u32,
    /// Those that are wanted; none for all.
    pub names: Vec<&'a str>,
}

impl<'a> Wishes<'a> {
    /// `--debug`, `--time SECONDS` and names.
    pub fn new(words: &[&'a str], seconds: u32) -> Result<Wishes<'a>> {
        let mut wishes = Wishes {
            profile: Profile::Release,
            seconds,
            names: Vec::new(),
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match *word {
                "--debug" => wishes.profile = Profile::Debug,
                "--time" => {
                    wishes.seconds = words
                        .next()
                        .and_then(|text| text.strip_suffix('s'))
                        .and_then(|number| number.parse().ok())
                        .with_context(|| format!("--time takes seconds such as {seconds}s"))?;
                }
                name => wishes.names.push(name),
            }
        }
        Ok(wishes)
    }
}

impl Engine {
    /// Those of this checkout, or those that ELSEWISE_BIN names, which are not built.
    pub fn build(root: &Path, profile: Profile) -> Result<Engine> {
        if let Some(elsewise) = std::env::var_os("ELSEWISE_BIN") {
            return Ok(Engine::of(Path::new(&elsewise)));
        }
        let mut command = Command::new(env!("CARGO"));
        command.args(["build", "--workspace", "--quiet"]);
        let folder = match profile {
            Profile::Debug => "debug",
            Profile::Release => {
                command.arg("--release");
                "release"
            }
        };
        let status = command
            .current_dir(root)
            .status()
            .context("cargo cannot be run")?;
        ensure!(status.success(), "elsewise does not build");
        let target =
            std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
        let folder = target.join(folder);
        Ok(Engine::of(&folder.join("elsewise")))
    }

    /// One that is built already, with its compilers beside it.
    pub fn of(elsewise: &Path) -> Engine {
        Engine {
            elsewise: elsewise.to_path_buf(),
            cc: elsewise.with_file_name("elsewise-cc"),
            cxx: elsewise.with_file_name("elsewise-cxx"),
        }
    }
}
