//! What the book and the README tell people to type works, and the book's reference is what
//! `--help` says.
//!
//! Every line in a block of shell commands (```` ```sh ````) is run, page by page, one line after
//! the other in one folder. What a page takes for granted is in `tests/book/<page>/`: files that are
//! put there first, and a script, `setup`.

use anyhow::{Context, Result, ensure};
use elsewise_tests::command::program;
use elsewise_tests::compile::root;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

const REFERENCE: &str = "docs/src/reference.md";
const VERBS: [&str; 12] = [
    "",
    "explore",
    "replay",
    "show",
    "status",
    "report",
    "check",
    "export",
    "capture",
    "doctor",
    "completions",
    "man",
];

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

/// No exploration of the book's takes longer.
const SETTINGS: &str = "budget = \"30s\"\nquiet = true\n";

fn help(verb: &str) -> Result<String> {
    let mut command = Command::new(program()?);
    if !verb.is_empty() {
        command.arg(verb);
    }
    let output = command
        .arg("--help")
        .env("NO_COLOR", "1")
        .env("COLUMNS", "100")
        .output()?;
    ensure!(
        output.status.success(),
        "elsewise {verb} --help: {}",
        output.status
    );
    let text = String::from_utf8(output.stdout)?;
    Ok(text
        .lines()
        .map(str::trim_end)
        .collect::<Vec<_>>()
        .join("\n"))
}

#[test]
fn the_reference_is_what_help_says() -> Result<()> {
    let mut page = "# Reference\n\nWhat `--help` says, word for word.\n".to_owned();
    for verb in VERBS {
        let name = format!("elsewise {verb}");
        write!(
            page,
            "\n## {}\n\n```text\n{}\n```\n",
            name.trim_end(),
            help(verb)?
        )?;
    }
    let path = root().join(REFERENCE);
    if std::env::var_os("ELSEWISE_BLESS").is_some() {
        fs::write(&path, &page)?;
    }
    let written = fs::read_to_string(&path)?;
    ensure!(
        written == page,
        "{REFERENCE} is not what --help says; write it anew with\n    \
         ELSEWISE_BLESS=1 cargo test -p elsewise-tests --test book"
    );
    Ok(())
}

/// Lines in blocks of shell commands.
fn commands(page: &str) -> Vec<String> {
    let mut inside = false;
    let mut found = Vec::new();
    for line in page.lines() {
        if line.starts_with("```") {
            inside = line == "```sh";
        } else if inside && !line.trim().is_empty() {
            found.push(line.to_owned());
        }
    }
    found
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
        fs::write(session.work.join("elsewise.toml"), SETTINGS)?;
        // A copy of those parts of the repository that pages point at: nothing here writes to it.
        let page = fs::read_to_string(page)?;
        for part in [
            "tests/subjects",
            "tests/programs",
            "tests/schedules",
            "tests/threads",
            "tests/erlang",
            "tests/prolog",
            "tests/book/functions",
            "tests/book/subsumption",
            "ci",
        ] {
            if commands(&page).iter().any(|line| line.contains(part)) {
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

    fn run(&self, line: &str, codes: &[i32]) -> Result<()> {
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
        Ok(())
    }
}

/// How a command may end: what looks for failures may find some, unless the page says otherwise.
fn codes(line: &str) -> &'static [i32] {
    let looks = [
        "elsewise explore",
        "elsewise replay",
        "elsewise check",
        "ci/explore",
    ];
    match looks.iter().any(|verb| line.contains(verb)) {
        _ if line.contains("/bug.c") => &[2],
        _ if line.contains("/fixed.c") => &[0],
        true => &[0, 2, 3],
        false => &[0],
    }
}

/// Runs what the pages say whose name `wanted` takes; how many commands that were.
fn run_pages(wanted: impl Fn(&str) -> bool) -> Result<usize> {
    let mut pages = vec![root().join("README.md")];
    for entry in fs::read_dir(root().join("docs/src"))? {
        pages.push(entry?.path());
    }
    pages.sort();
    let mut number = 0;
    for page in pages {
        let name = page.file_stem().unwrap_or_default().to_string_lossy();
        if page.extension().is_none_or(|ending| ending != "md") || !wanted(&name) {
            continue;
        }
        let lines = commands(&fs::read_to_string(&page)?);
        let lines: Vec<&String> = lines
            .iter()
            .filter(|line| !NOT_RUN.iter().any(|(command, _)| line.starts_with(command)))
            .collect();
        if lines.is_empty() {
            continue;
        }
        let session = Session::new(&page).with_context(|| format!("{name}.md"))?;
        for line in lines {
            session
                .run(line, codes(line))
                .with_context(|| format!("{name}.md"))?;
            number += 1;
        }
    }
    Ok(number)
}

#[test]
fn what_the_first_pages_tell_people_to_type_works() -> Result<()> {
    let number = run_pages(|name| ["README", "first-steps", "tutorial"].contains(&name))?;
    ensure!(number >= 14, "{number} commands");
    Ok(())
}

#[test]
fn what_the_pages_on_reports_tell_people_to_type_works() -> Result<()> {
    let number = run_pages(|name| ["reports", "editors", "ci"].contains(&name))?;
    ensure!(number >= 14, "{number} commands");
    Ok(())
}

#[test]
fn what_the_other_pages_tell_people_to_type_works() -> Result<()> {
    let own = [
        "README",
        "first-steps",
        "tutorial",
        "reports",
        "editors",
        "ci",
    ];
    let number = run_pages(|name| !own.contains(&name))?;
    ensure!(number >= 14, "{number} commands");
    Ok(())
}

#[test]
fn the_program_of_the_tutorial_is_the_one_that_is_tried() -> Result<()> {
    let page = fs::read_to_string(root().join("docs/src/tutorial.md"))?;
    let program = fs::read_to_string(root().join("tests/book/tutorial/duration.c"))?;
    ensure!(page.contains(&format!("```c\n{program}```")), "they differ");
    Ok(())
}
