//! What the book and the README tell people to type.
//!
//! Every line in a block of shell commands (```` ```sh ````) is run, page by page, one line after
//! the other in one folder. What a page takes for granted is in `tests/book/<page>/`: files that are
//! put there first, and a script, `setup`. A block of text (```` ```text ````) that comes next under the
//! same heading quotes what the commands print, with `...` for what is left out.

use crate::command::program;
use crate::compile::root;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Commands that are not run here, and why.
const NOT_RUN: [(&str, &str); 4] = [
    ("scripts/setup --use", "it installs packages of the system"),
    (
        "cargo install --locked --path elsewise",
        "what it would install is what is tested",
    ),
    (
        "elsewise replay 1 --gdb",
        "somebody has to sit before the debugger",
    ),
    (
        "elsewise report --serve",
        "it serves until somebody ends it",
    ),
];

/// Where a line names a subject, its bug is found, and nothing in its twin.
const SUBJECTS: &str = "tests/subjects/";
const FIXED: &str = ".fixed.";

/// No exploration of the book's takes longer.
const SETTINGS: &str = "budget = \"6s\"\nquiet = true\n";

/// Pages that promise a finding, which has to be there however slow the machine is.
const RECIPES: &str = "recipe-";
const SETTINGS_OF_RECIPES: &str = "budget = \"150runs\"\nquiet = true\n";

#[derive(Clone, Debug)]
pub struct Page {
    pub name: String,
    file: PathBuf,
    blocks: Vec<Block>,
}

impl Page {
    /// How many commands are run.
    pub fn commands(&self) -> usize {
        self.blocks.iter().map(|block| block.lines.len()).sum()
    }
}

/// Commands, and what the page says that they print.
#[derive(Clone, Debug, Default)]
struct Block {
    /// Without those that are not run here.
    lines: Vec<String>,
    quoted: Vec<String>,
}

/// Blocks of shell commands.
fn blocks(page: &str) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    // What the lines within a fence are, and whether a text would quote the last block.
    let (mut fence, mut quotes) = (None, false);
    for line in page.lines() {
        match (fence, line.strip_prefix("```")) {
            (None, Some(language)) => {
                fence = Some(language);
                match language {
                    "sh" => found.push(Block::default()),
                    "text" => {}
                    _ => quotes = false,
                }
            }
            (Some(language), Some(_)) => {
                fence = None;
                quotes = language == "sh";
            }
            (None, None) => quotes &= !line.starts_with('#'),
            (Some(language), None) => {
                let Some(block) = found.last_mut() else {
                    continue;
                };
                if language == "sh" && !line.trim().is_empty() {
                    block.lines.push(line.to_owned());
                } else if language == "text" && quotes {
                    block.quoted.push(line.to_owned());
                }
            }
        }
    }
    found
}

/// Words with which lines begin that are not the same on each machine, or in each run.
const VARIES: [&str; 7] = [
    "explored completely",
    "explored, but",
    "the budget",
    "coverage",
    "processor",
    "seen in",
    "solver",
];

/// Is it in what was printed, as far as it is quoted?
fn is_printed(line: &str, printed: &str) -> bool {
    let line = line.trim();
    let varies = VARIES.iter().any(|words| line.starts_with(words));
    let (begin, is_cut) = match line.strip_suffix("...") {
        Some(begin) => (begin.trim_end(), true),
        None => (line, false),
    };
    varies
        || begin.is_empty()
        || printed
            .lines()
            .map(str::trim)
            .any(|other| other == begin || is_cut && other.starts_with(begin))
}

/// A folder as a reader of one page has it.
struct Session {
    folder: tempfile::TempDir,
    work: PathBuf,
}

impl Session {
    fn new(page: &Path) -> Result<Session> {
        let folder = tempfile::tempdir()?;
        let prefix = folder.path().join("prefix");
        let bin = prefix.join("bin");
        fs::create_dir_all(&bin)?;
        let built = program()?.parent().context("the program's folder")?;
        for name in ["elsewise", "elsewise-cc", "elsewise-cxx"] {
            symlink(built.join(name), bin.join(name))?;
        }
        fs::create_dir(prefix.join("share"))?;
        symlink(root().join("elsewise/share"), prefix.join("share/elsewise"))?;
        let work = folder.path().join("work");
        let session = Session { folder, work };
        let stem = page.file_stem().context("a page's name")?;
        let own = root().join("tests/book").join(stem);
        match own.is_dir() {
            true => session.copy(&own, &session.work)?,
            false => fs::create_dir(&session.work)?,
        }
        let settings = match stem.to_string_lossy().starts_with(RECIPES) {
            true => SETTINGS_OF_RECIPES,
            false => SETTINGS,
        };
        fs::write(session.work.join("elsewise.toml"), settings)?;
        // A copy of those parts of the repository that pages point at: nothing here writes to it.
        let page = fs::read_to_string(page)?;
        for part in [
            "tests/subjects",
            "tests/schedules",
            "tests/book/functions",
            "tests/book/subsumption",
            "ci",
        ] {
            let mut lines = blocks(&page).into_iter().flat_map(|block| block.lines);
            if lines.any(|line| line.contains(part)) {
                session.copy(&root().join(part), &session.work.join(part))?;
            }
        }
        if session.work.join("setup").is_file() {
            session.run(". ./setup", &[0])?;
        }
        Ok(session)
    }

    fn copy(&self, from: &Path, to: &Path) -> Result<()> {
        fs::create_dir_all(to.parent().context("a folder")?)?;
        let mut cp = Command::new("cp");
        let status = cp.arg("--recursive").arg(from).arg(to).status()?;
        ensure!(status.success(), "cp {}: {status}", from.display());
        Ok(())
    }

    /// What a command prints.
    fn run(&self, line: &str, codes: &[i32]) -> Result<String> {
        let prefix = self.folder.path().join("prefix");
        let line = line.replace("PREFIX", &prefix.to_string_lossy());
        let path = std::env::var("PATH").unwrap_or_default();
        let output = Command::new("bash")
            .args(["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", &line])
            .current_dir(&self.work)
            .env("PATH", format!("{}/bin:{path}", prefix.display()))
            .env("ROOT", root())
            .env("NO_COLOR", "1")
            .env("ELSEWISE_CACHE", self.folder.path().join("cache"))
            .output()?;
        let code = output.status.code().unwrap_or(-1);
        ensure!(
            codes.contains(&code),
            "`{line}` ended with {}\n{}{}",
            output.status,
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        // The page has names as they are seen from the folder.
        let work = format!("{}/", self.work.display());
        Ok(String::from_utf8_lossy(&output.stdout).replace(&work, ""))
    }
}

/// How a command may end: what looks for failures may find some, unless the page says otherwise.
fn codes(page: &Page, line: &str) -> &'static [i32] {
    let looks = [
        "elsewise explore",
        "elsewise replay",
        "elsewise check",
        "ci/explore",
    ];
    match looks.iter().any(|verb| line.contains(verb)) {
        true if line.contains(FIXED) => &[0],
        true if line.contains(SUBJECTS) || page.name.starts_with(RECIPES) => &[2],
        true => &[0, 2, 3],
        false => &[0],
    }
}

/// Pages with commands, and these.
pub fn all() -> Result<Vec<Page>> {
    let mut files = vec![root().join("README.md")];
    for entry in fs::read_dir(root().join("docs/src"))? {
        files.push(entry?.path());
    }
    files.sort();
    let mut pages = Vec::new();
    for file in files {
        if file.extension().is_none_or(|ending| ending != "md") {
            continue;
        }
        let mut blocks = blocks(&fs::read_to_string(&file)?);
        for block in &mut blocks {
            let is_run = |line: &String| !NOT_RUN.iter().any(|(no, _)| line.starts_with(no));
            block.lines.retain(is_run);
        }
        let name = file
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let page = Page { name, file, blocks };
        if page.commands() > 0 {
            pages.push(page);
        }
    }
    Ok(pages)
}

/// What a page tells people to type works, and prints what the page says.
pub fn works(page: &Page) -> Result<()> {
    let session = Session::new(&page.file)?;
    for block in &page.blocks {
        let mut printed = String::new();
        for line in &block.lines {
            printed += &session.run(line, codes(page, line))?;
        }
        for line in &block.quoted {
            let said = block.lines.join("; ");
            ensure!(
                is_printed(line, &printed),
                "`{said}` does not print what the page quotes:\n{line}\nbut\n{printed}"
            );
        }
    }
    Ok(())
}
