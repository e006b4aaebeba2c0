//! The functions that a source file defines, by what its own compile command makes of it.

use super::libraries::Library;
use crate::packages::compile::succeed;
use anyhow::{Context, Result, ensure};
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
    /// The library's other files, which it is linked with.
    pub others: Vec<PathBuf>,
}

/// All functions of a library, in the order of files and lines.
pub fn functions(library: &Library, place: &Path, scratch: &Path) -> Result<Vec<Listed>> {
    let database = place.join(library.database);
    let text = fs::read(&database).with_context(|| format!("no {}", database.display()))?;
    let entries: Vec<Value> = serde_json::from_slice(&text)?;
    let files: Vec<PathBuf> = library
        .sources
        .iter()
        .map(|source| Ok(place.join(source).canonicalize()?))
        .collect::<Result<_>>()?;
    let mut listed = Vec::new();
    for (file, source) in files.iter().zip(library.sources) {
        let entry = entries
            .iter()
            .find(|entry| compiled(entry).as_deref() == Some(file.as_path()))
            .with_context(|| format!("{} does not compile {source}", database.display()))?;
        let object = scratch.join("listed.o");
        let mut command = command(entry)?;
        succeed(command.args(OPTIONS).arg("-o").arg(&object))?;
        let output = Command::new("nm")
            .args(["--defined-only", "--line-numbers"])
            .arg(&object)
            .output()
            .context("nm cannot be run: apt-get install binutils")?;
        ensure!(
            output.status.success(),
            "nm cannot read {}",
            object.display()
        );
        let functions = named(&String::from_utf8_lossy(&output.stdout), file);
        listed.extend(functions.into_iter().map(|function| {
            Listed {
                file: file.clone(),
                function,
                others: files
                    .iter()
                    .filter(|other| *other != file)
                    .cloned()
                    .collect(),
            }
        }));
    }
    Ok(listed)
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
