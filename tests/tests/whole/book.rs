//! The book's reference is what `--help` says, its tutorial's program the one that is tried, and its links lead somewhere.

use anyhow::{Context, Result, ensure};
use elsewise_tests::command::program;
use elsewise_tests::compile::root;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const REFERENCE: &str = "docs/src/reference.md";
const VERBS: [&str; 19] = [
    "",
    "explore",
    "replay",
    "show",
    "minimize",
    "status",
    "worker",
    "report",
    "keep",
    "check",
    "export",
    "capture",
    "doctor",
    "cache",
    "stdlib",
    "lsp",
    "mcp",
    "completions",
    "man",
];

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
    let mut page =
        "# Command-line reference\n\nThe output of `--help` for each command.\n".to_owned();
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
         ELSEWISE_BLESS=1 cargo test -p elsewise-tests --test whole book"
    );
    Ok(())
}

/// Pages that show a whole file, and that file as it is tried.
const FILES: [(&str, &str, &str); 3] = [
    ("tutorial.md", "c", "tests/book/tutorial/duration.c"),
    ("erlang.md", "erlang", "tests/book/erlang/bank.erl"),
    ("prolog.md", "prolog", "tests/book/prolog/fees.pl"),
];

#[test]
fn files_that_pages_show_are_those_that_are_tried() -> Result<()> {
    for (page, language, file) in FILES {
        let text = fs::read_to_string(root().join("docs/src").join(page))?;
        let tried = fs::read_to_string(root().join(file))?;
        let shown = format!("```{language}\n{tried}```");
        ensure!(text.contains(&shown), "{page} does not show {file}");
    }
    Ok(())
}

/// Lines of a page outside of blocks of code.
fn prose(page: &str) -> impl Iterator<Item = &str> {
    let mut inside = false;
    page.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        inside ^= fence;
        !inside && !fence
    })
}

/// Where the links and pictures of a page lead.
fn targets(page: &str) -> Vec<String> {
    // A link may be parted by the end of a line, but not its target.
    let mut found = Vec::new();
    for line in prose(page) {
        for rest in line.split("](").skip(1) {
            if let Some((target, _)) = rest.split_once(')') {
                found.push(target.to_owned());
            }
        }
    }
    found
}

/// The anchors that mdBook and GitHub make of a page's headings.
fn anchors(page: &str) -> BTreeSet<String> {
    let headings = prose(page).filter(|line| line.starts_with('#'));
    headings
        .map(|line| {
            let text = line.trim_start_matches('#').trim().to_lowercase();
            let kept = text.chars().filter_map(|c| match c {
                ' ' => Some('-'),
                c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
                _ => None,
            });
            kept.collect()
        })
        .collect()
}

#[test]
fn links_lead_somewhere_and_every_page_is_in_the_summary() -> Result<()> {
    let book = root().join("docs/src");
    let mut pages: Vec<PathBuf> = [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "SECURITY.md",
    ]
    .map(|name| root().join(name))
    .into();
    for entry in fs::read_dir(&book)? {
        pages.push(entry?.path());
    }
    pages.retain(|page| page.extension().is_some_and(|ending| ending == "md"));
    let mut wrong = Vec::new();
    let mut used = BTreeSet::new();
    for page in &pages {
        let text = fs::read_to_string(page)?;
        let place = page.parent().context("a folder")?;
        for target in targets(&text) {
            if target.contains("://") {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let to = match file {
                "" => page.clone(),
                file => place.join(file),
            };
            let there = to.exists()
                && (anchor.is_empty() || { anchors(&fs::read_to_string(&to)?).contains(anchor) });
            if !there {
                wrong.push(format!("{}: {target}", page.display()));
            }
            used.insert(to);
        }
    }
    let summary = targets(&fs::read_to_string(book.join("SUMMARY.md"))?);
    for page in pages.iter().filter(|page| page.starts_with(&book)) {
        let name = name_of(page);
        if name != "SUMMARY.md" && !summary.contains(&name) {
            wrong.push(format!("{name} is not in SUMMARY.md"));
        }
    }
    for folder in ["images", "pictures"] {
        for entry in fs::read_dir(book.join(folder))? {
            let picture = entry?.path();
            if !used.contains(&picture) {
                wrong.push(format!("{} is on no page", name_of(&picture)));
            }
        }
    }
    ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}

fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}
