//! The table of snippets: functions of C and C++ in `tests/borders`, each with a comment that names the
//! library functions it uses.
//!
//! A file is an ordinary one: what stands before its first snippet (headers, helpers) goes into every
//! program that has a snippet of the file. A snippet's parameters say what it makes of what.

use crate::compile::root;
use anyhow::{Context, Result, bail, ensure};
use std::path::Path;

/// How a program is given its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    Stdin,
    /// A file whose name is the first argument.
    File,
    Argument,
    /// A variable of the environment, [`VARIABLE`].
    Variable,
}

pub const VARIABLE: &str = "BORDER_INPUT";

/// What a snippet makes of what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `size_t f(char *s, size_t most, char **argv)`
    Input(Way),
    /// `long f(char *s, size_t n)`: there is a zero behind the bytes.
    BytesToNumber,
    /// `size_t f(char *s, size_t n)`: in place.
    BytesToBytes,
    /// `long f(long v)`: -70,000 to 70,000 are given.
    NumberToNumber,
    /// `size_t f(char *s, long v)`
    NumberToBytes,
}

#[derive(Clone, Debug)]
pub struct Snippet {
    pub name: String,
    /// Library functions that it is there for.
    pub functions: Vec<String>,
    pub form: Form,
    pub text: String,
}

#[derive(Clone, Debug)]
pub struct TableFile {
    pub name: String,
    pub cplusplus: bool,
    /// Flags for the linker.
    pub link: Vec<String>,
    /// Headers and helpers.
    pub prelude: String,
    pub snippets: Vec<Snippet>,
}

/// All files, in the order of their names.
pub fn table() -> Result<Vec<TableFile>> {
    let folder = root().join("tests/borders");
    let mut paths: Vec<_> = std::fs::read_dir(&folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_>>()?;
    paths.sort();
    paths
        .iter()
        .map(|path| parse(path).with_context(|| path.display().to_string()))
        .collect()
}

fn parse(path: &Path) -> Result<TableFile> {
    let text = std::fs::read_to_string(path)?;
    let mut blocks: Vec<(Option<&str>, String)> = vec![(None, String::new())];
    let mut link = Vec::new();
    // The first line says what the file is.
    for line in text.lines().skip(1) {
        let comment = line
            .strip_prefix("/* ")
            .and_then(|rest| rest.strip_suffix(" */"));
        match comment {
            Some(comment) if comment.starts_with("Link: ") => {
                link.extend(comment["Link: ".len()..].split(' ').map(str::to_owned));
            }
            Some(comment) => blocks.push((Some(comment), String::new())),
            None => {
                let block = &mut blocks.last_mut().context("no block")?.1;
                block.push_str(line);
                block.push('\n');
            }
        }
    }
    let mut blocks = blocks.into_iter();
    let prelude = blocks.next().context("no block")?.1;
    let snippets = blocks
        .map(|(comment, text)| snippet(comment.unwrap_or_default(), text))
        .collect::<Result<_>>()?;
    Ok(TableFile {
        name: path
            .file_stem()
            .context("no name")?
            .to_string_lossy()
            .into_owned(),
        cplusplus: path.extension().is_some_and(|extension| extension == "cc"),
        link,
        prelude,
        snippets,
    })
}

fn snippet(comment: &str, text: String) -> Result<Snippet> {
    let (way, functions) = match comment.split_once(": ") {
        Some(("stdin", rest)) => (Some(Way::Stdin), rest),
        Some(("file", rest)) => (Some(Way::File), rest),
        Some(("argument", rest)) => (Some(Way::Argument), rest),
        Some(("variable", rest)) => (Some(Way::Variable), rest),
        _ => (None, comment),
    };
    // Helpers come first.
    let head = text
        .lines()
        .rfind(|line| line.starts_with("static ") && line.ends_with(')'))
        .with_context(|| format!("no function behind {comment:?}"))?;
    let (head, parameters) = head.split_once('(').context("no parameters")?;
    let (result, name) = head.rsplit_once(' ').context("no name")?;
    let form = match (result, parameters, way) {
        ("static size_t", "char *s, size_t most, char **argv)", Some(way))
        | ("static size_t", "char *s, size_t most, char **)", Some(way)) => Form::Input(way),
        ("static long", "char *s, size_t n)", None) => Form::BytesToNumber,
        ("static size_t", "char *s, size_t n)", None) => Form::BytesToBytes,
        ("static long", "long v)", None) => Form::NumberToNumber,
        ("static size_t", "char *s, long v)", None) => Form::NumberToBytes,
        _ => bail!("{name} has none of the known forms"),
    };
    let functions: Vec<String> = functions.split(", ").map(str::to_owned).collect();
    ensure!(!functions.is_empty(), "{name} names no function");
    Ok(Snippet {
        name: name.to_owned(),
        functions,
        form,
        text,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_table_is_large() -> Result<()> {
        let files = table()?;
        let all = || files.iter().flat_map(|file| &file.snippets);
        let names: BTreeSet<&str> = all().map(|one| one.name.as_str()).collect();
        assert_eq!(names.len(), all().count(), "two snippets have one name");
        let functions: BTreeSet<&str> = all()
            .flat_map(|one| one.functions.iter().map(String::as_str))
            .collect();
        assert!(functions.len() >= 400, "{} functions", functions.len());
        for one in all() {
            // A function of a library with macros for its names is used by the name in the source.
            for function in &one.functions {
                let last = function.rsplit("::").next().unwrap_or(function);
                let last = last.strip_prefix("operator").unwrap_or(last);
                let last = last.trim_end_matches("_8").trim_end_matches('_');
                let last = last.trim_matches(['[', ']']);
                assert!(one.text.contains(last), "{}: no {function}", one.name);
            }
        }
        Ok(())
    }

    #[test]
    fn there_are_many_ways_of_input() -> Result<()> {
        let files = table()?;
        let count = |wanted: Way| {
            let all = files.iter().flat_map(|file| &file.snippets);
            all.filter(|one| one.form == Form::Input(wanted)).count()
        };
        assert!(count(Way::Stdin) >= 20 && count(Way::File) >= 8);
        assert!(count(Way::Argument) >= 3 && count(Way::Variable) >= 3);
        Ok(())
    }

    #[test]
    fn a_snippet_must_have_a_known_form() {
        let text = "static int f(int x)\n{\n    return x;\n}\n";
        assert!(snippet("abs", text.to_owned()).is_err());
        let text = "static long f(long v)\n{\n    return labs(v);\n}\n";
        assert!(snippet("labs", text.to_owned()).is_ok());
        assert!(snippet("stdin: labs", text.to_owned()).is_err());
    }
}
