//! The functions that a source file defines, by what its own compile command makes of it.

use crate::compile::{output, succeed};
use anyhow::{Context, Result};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Options behind those of the build: nothing is left out, and symbols have lines.
const OPTIONS: &[&str] = &["-O0", "-g", "-w", "-femit-all-decls"];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    pub file: PathBuf,
    pub function: String,
    /// Files of the library that it is linked with: those that it needs.
    pub others: Vec<PathBuf>,
}

/// All functions of a library, in the order of files and lines.
pub fn functions(
    database: &Path,
    place: &Path,
    sources: &[PathBuf],
    scratch: &Path,
) -> Result<Vec<Listed>> {
    let text = fs::read(database).with_context(|| format!("no {}", database.display()))?;
    let entries: Vec<Value> = serde_json::from_slice(&text)?;
    let files: Vec<PathBuf> = sources
        .iter()
        .map(|source| Ok(place.join(source).canonicalize()?))
        .collect::<Result<_>>()?;
    let mut symbols = Vec::new();
    for file in &files {
        let entry = entries
            .iter()
            .find(|entry| compiled(entry).as_deref() == Some(file.as_path()));
        let entry = entry.with_context(|| {
            format!("{} does not compile {}", database.display(), file.display())
        })?;
        let object = scratch.join("listed.o");
        let mut command = command(entry)?;
        succeed(command.args(OPTIONS).arg("-o").arg(&object))?;
        let mut nm = Command::new("nm");
        symbols.push(output(nm.arg("--line-numbers").arg(&object))?);
    }
    let mut listed = Vec::new();
    for (at, file) in files.iter().enumerate() {
        let others = linked(&symbols, at);
        for function in named(&symbols[at], file) {
            listed.push(Listed {
                file: file.clone(),
                function,
                others: others.iter().map(|other| files[*other].clone()).collect(),
            });
        }
    }
    Ok(listed)
}

/// The files that this one needs, and those that they need, by what nm says about each.
fn linked(symbols: &[String], file: usize) -> Vec<usize> {
    let mut found = vec![file];
    let mut next = 0;
    while let Some(at) = found.get(next).copied() {
        next += 1;
        let needed = of_kind(&symbols[at], |kind| kind == "U");
        for (other, text) in symbols.iter().enumerate() {
            let offered = of_kind(text, |kind| kind != "U" && kind.to_uppercase() == kind);
            if !found.contains(&other) && offered.iter().any(|symbol| needed.contains(symbol)) {
                found.push(other);
            }
        }
    }
    found.remove(0);
    found.sort_unstable();
    found
}

/// The symbols whose kind nm shows with such a letter.
fn of_kind(symbols: &str, is: impl Fn(&str) -> bool) -> Vec<&str> {
    fn symbol(line: &str) -> Option<(&str, &str)> {
        let (symbol, _) = line.split_once('\t').unwrap_or((line, ""));
        let mut words = symbol.split_whitespace().rev();
        let name = words.next()?;
        Some((words.next()?, name))
    }
    let all = symbols.lines().filter_map(symbol);
    all.filter(|(kind, _)| is(kind))
        .map(|(_, name)| name)
        .collect()
}

fn folder(entry: &Value) -> PathBuf {
    entry["directory"].as_str().unwrap_or_default().into()
}

fn compiled(entry: &Value) -> Option<PathBuf> {
    let path = folder(entry).join(entry["file"].as_str()?);
    path.canonicalize().ok()
}

/// The command that compiles the file, to which options can be added.
fn command(entry: &Value) -> Result<Command> {
    let mut command = match (entry["arguments"].as_array(), entry["command"].as_str()) {
        (Some(words), _) => {
            let mut words = words.iter().filter_map(Value::as_str);
            let mut command = Command::new(words.next().context("an empty command")?);
            command.args(words);
            command
        }
        (None, Some(line)) => {
            let mut command = Command::new("sh");
            command.args(["-c", &format!("{line} \"$@\""), "sh"]);
            command
        }
        (None, None) => anyhow::bail!("a database without commands"),
    };
    command.current_dir(folder(entry));
    Ok(command)
}

/// Functions of the file itself, among all symbols that nm lists with their places.
fn named(symbols: &str, file: &Path) -> Vec<String> {
    let mut found: Vec<(u64, String)> = symbols
        .lines()
        .filter_map(|line| {
            let (symbol, place) = line.split_once('\t')?;
            let (path, number) = place.rsplit_once(':')?;
            let mut words = symbol.split_whitespace().skip(1);
            let is_function = matches!(words.next(), Some("T" | "t"));
            let here = Path::new(path).file_name() == file.file_name();
            (is_function && here).then_some((number.parse().ok()?, words.next()?.to_string()))
        })
        .collect();
    found.sort();
    found.into_iter().map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_the_file_in_its_order() {
        let symbols = "0000 t second\t/x/a.c:9\n0010 T first\t/x/a.c:3\n\
                       0020 t inline_one\t/x/a.h:2\n0000 d table\t/x/a.c:1\n0000 T nowhere\n";
        assert_eq!(named(symbols, Path::new("/y/a.c")), ["first", "second"]);
    }

    #[test]
    fn files_are_linked_that_are_needed() {
        let files = [
            "0000 T a\t/x/a.c:1\n                 U b\t/x/a.c:3\n                 U puts\n",
            "0000 T b\n                 U c\n                 U a\n",
            "0000 D c\n0000 t hidden\n",
            "0000 T alone\n                 U hidden\n",
        ];
        let files = files.map(str::to_string);
        assert_eq!(linked(&files, 0), [1, 2]);
        assert_eq!(linked(&files, 1), [0, 2]);
        assert_eq!(linked(&files, 3), [0usize; 0]);
    }

    #[test]
    fn commands_of_both_forms_take_more_options() {
        for entry in [
            serde_json::json!({"directory": "/", "file": "a.c", "arguments": ["echo", "a b"]}),
            serde_json::json!({"directory": "/", "file": "a.c", "command": "echo 'a b'"}),
        ] {
            let output = command(&entry).unwrap().arg("-O0").output().unwrap();
            assert_eq!(output.stdout, b"a b -O0\n");
        }
    }
}
