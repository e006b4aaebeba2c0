//! Wrapper functions and what the comments above them say.
//!
//! `//: explore FLAGS` makes a function one that is explored; `//: KIND: WHAT` explains a finding,
//! `//: unreached N: WHY` says why so many sides cannot be reached. Wrappers that files share stand in
//! a header of ours as `WRAPPER(name)`, for which each file has a name of its own; what is to be said
//! for one of them alone is `//: about NAME ...` in that file.

use anyhow::{Context, Result, ensure};
use elsewise_campaign::Summary;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Debug, PartialEq, Eq)]
pub struct Wrapper {
    pub path: PathBuf,
    pub function: String,
    pub flags: Vec<String>,
    /// Kinds of findings, with what they are.
    pub explained: Vec<(String, String)>,
    pub unreached: Option<(u32, String)>,
}

pub fn read(path: &Path) -> Result<Vec<Wrapper>> {
    let mut text = String::new();
    with_ours(path, &mut text)?;
    parse(path, &text).with_context(|| format!("in {}", path.display()))
}

/// The text of a file, with headers of ours where it includes them.
fn with_ours(path: &Path, text: &mut String) -> Result<()> {
    let own =
        fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    for line in own.lines() {
        let included = line
            .strip_prefix("#include \"")
            .and_then(|rest| rest.strip_suffix('"'));
        match included {
            Some(name) => with_ours(&path.with_file_name(name), text)?,
            None => text.extend([line, "\n"]),
        }
    }
    Ok(())
}

fn parse(path: &Path, text: &str) -> Result<Vec<Wrapper>> {
    let mut all: Vec<Wrapper> = Vec::new();
    let mut said: Vec<&str> = Vec::new();
    let mut about: Vec<(&str, &str)> = Vec::new();
    let mut prefix = "";
    for line in text.lines() {
        if let Some(named) = line.strip_prefix("#define WRAPPER(name) ") {
            prefix = named.trim_end_matches("name").trim_end_matches('#');
        } else if let Some(words) = line.strip_prefix("//: about ") {
            let split = words.split_once(' ');
            about.push(split.with_context(|| format!("`{line}` says nothing"))?);
        } else if let Some(words) = line.strip_prefix("//:") {
            said.push(words.trim());
        } else if !said.is_empty() {
            let name = name(line, prefix).with_context(|| format!("`{line}` is no function"))?;
            all.push(one(path, &name, &said)?);
            said.clear();
        }
    }
    ensure!(said.is_empty(), "`//: {}` is above nothing", said[0]);
    for (name, words) in about {
        let wrapper = all.iter_mut().find(|wrapper| wrapper.function == name);
        let wrapper = wrapper.with_context(|| format!("there is no {name} to say a word about"))?;
        wrapper.learn(words)?;
    }
    Ok(all)
}

/// The function whose definition begins with this line.
fn name(line: &str, prefix: &str) -> Option<String> {
    let (before, after) = line.split_once('(')?;
    let name = before
        .rsplit(|c: char| !c.is_alphanumeric() && c != '_')
        .next()?;
    match name {
        "" => None,
        "WRAPPER" => Some(format!("{prefix}{}", after.split(')').next()?)),
        name => Some(name.into()),
    }
}

fn one(path: &Path, function: &str, said: &[&str]) -> Result<Wrapper> {
    let flags = said[0].strip_prefix("explore");
    let flags = flags.with_context(|| format!("{function}: the first `//:` is not `explore`"))?;
    let mut wrapper = Wrapper {
        path: path.into(),
        function: function.into(),
        flags: flags.split_whitespace().map(Into::into).collect(),
        explained: Vec::new(),
        unreached: None,
    };
    for words in &said[1..] {
        wrapper.learn(words)?;
    }
    Ok(wrapper)
}

impl Wrapper {
    /// Takes up what explains a finding, or sides that are not reached.
    fn learn(&mut self, words: &str) -> Result<()> {
        let function = &self.function;
        let (what, text) = words
            .split_once(": ")
            .with_context(|| format!("{function}: `{words}` explains nothing"))?;
        match what.strip_prefix("unreached ") {
            Some(number) => {
                let number = number
                    .parse()
                    .with_context(|| format!("{function}: `{what}`"))?;
                self.unreached = Some((number, text.into()));
            }
            None => {
                ensure!(
                    text.starts_with("misuse: ") || text.starts_with("bug: "),
                    "{function}: a finding is `misuse: ...` or `bug: ...`, not `{text}`"
                );
                self.explained.push((what.into(), text.into()));
            }
        }
        Ok(())
    }

    /// Name of its file, without the ending.
    pub fn file(&self) -> String {
        let name = self.path.file_stem().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }

    pub fn is(&self, name: &str) -> bool {
        self.function == name || self.file() == name
    }

    fn explanation(&self, kind: &str) -> Option<&str> {
        let known = self.explained.iter().find(|(known, _)| known == kind);
        known.map(|(_, text)| text.as_str())
    }

    /// Findings with what they are.
    pub fn notes(&self, summary: &Summary) -> Vec<String> {
        kinds(summary)
            .iter()
            .map(|kind| match self.explanation(kind) {
                Some(text) => format!("{kind}: {text}"),
                None => format!("{kind}: not explained"),
            })
            .collect()
    }

    /// Findings that nobody has explained, and explanations of what was not found: all of them if
    /// everything was explored, otherwise if nothing was found at all.
    pub fn problems(&self, summary: &Summary) -> Vec<String> {
        let found = kinds(summary);
        let name = &self.function;
        let mut problems: Vec<String> = found
            .iter()
            .filter(|kind| self.explanation(kind).is_none())
            .map(|kind| format!("{name}: nobody has explained its finding of kind {kind}"))
            .collect();
        let looked = summary.complete || found.is_empty();
        let missing = self.explained.iter().filter(|(k, _)| !found.contains(k));
        for (kind, _) in missing.filter(|_| looked) {
            problems.push(format!(
                "{name}: the {kind} that is explained was not found"
            ));
        }
        problems
    }
}

/// Kinds of the findings, each once.
fn kinds(summary: &Summary) -> Vec<String> {
    let mut kinds = Vec::new();
    for finding in &summary.findings {
        if !kinds.contains(&finding.kind) {
            kinds.push(finding.kind.clone());
        }
    }
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::samples;
    use serde_json::{Value, json};

    const TEXT: &str = "\
//: explore --valid list:list_valid --max-objects 4
//: segv: misuse: there is no list
//: unreached 2: memory never runs out
struct node *list_add(struct list *list, int value)
{
}

static int helper(void);
//: explore
int list_empty(struct list *list)
";

    #[test]
    fn comments_say_how_functions_are_explored() {
        let all = parse(Path::new("tests/list.c"), TEXT).unwrap();
        assert_eq!(all.len(), 2);
        assert_eq!(all[0].function, "list_add");
        assert_eq!(all[0].file(), "list");
        let flags = ["--valid", "list:list_valid", "--max-objects", "4"];
        assert_eq!(all[0].flags, flags);
        let explained = ("segv".into(), "misuse: there is no list".into());
        assert_eq!(all[0].explained, [explained]);
        assert_eq!(all[0].unreached.as_ref().unwrap().0, 2);
        assert_eq!(all[1].function, "list_empty");
        assert!(all[1].is("list") && all[1].is("list_empty") && !all[1].is("list_add"));
    }

    #[test]
    fn shared_wrappers_have_a_name_for_each_file() {
        let text = "\
#define WRAPPER(name) dl_##name
//: about dl_delete segv: misuse: there is none
//: explore
int *WRAPPER(delete)(struct place place)
//: explore
void dl_other(void)
";
        let all = parse(Path::new("tests/list.c"), text).unwrap();
        let names: Vec<&str> = all.iter().map(|wrapper| &*wrapper.function).collect();
        assert_eq!(names, ["dl_delete", "dl_other"]);
        assert_eq!(all[0].explained.len(), 1);
        assert!(parse(Path::new("x.c"), "//: about f segv: bug: it fails\n").is_err());
    }

    #[test]
    fn comments_that_say_nothing_are_errors() {
        let bad = [
            "//: explore\n",
            "//: explore\nint value;\n",
            "//: segv: misuse: none\nint f(void)\n",
            "//: explore\n//: segv: whatever\nint f(void)\n",
            "//: explore\n//: unreached some: why\nint f(void)\n",
        ];
        for text in bad {
            assert!(parse(Path::new("f.c"), text).is_err(), "{text}");
        }
    }

    #[test]
    fn findings_and_explanations_must_match() {
        let wrapper = &parse(Path::new("list.c"), TEXT).unwrap()[0];
        let found = |complete: bool, kinds: &[&str]| {
            let one = |kind: &&str| samples::finding(kind, "", "", 1);
            let all: Vec<Value> = kinds.iter().map(one).collect();
            let summary = json!({ "complete": complete, "findings": all });
            wrapper.problems(&samples::summary(summary)).len()
        };
        assert_eq!(found(false, &["segv", "segv"]), 0);
        assert_eq!(found(false, &[]), 1);
        assert_eq!(found(false, &["hang", "segv"]), 1);
        assert_eq!(found(false, &["hang"]), 1);
        assert_eq!(found(true, &["hang"]), 2);
    }
}
