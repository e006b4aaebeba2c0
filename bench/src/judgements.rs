//! What findings in other people's code were judged to be, by people, in `bench/judgements`.

use anyhow::{Context, Result, ensure};
use elsewise_campaign::Finding;
use serde::Deserialize;
use std::fs;
use std::path::Path;

/// A judgement is of all findings that have what it names.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Judgement {
    /// What was explored: a function, a predicate or a program.
    subject: Option<String>,
    kind: Option<String>,
    /// Where it happened; of the file, how its name ends.
    function: Option<String>,
    file: Option<String>,
    lines: Option<Vec<u32>>,
    /// A part of its message.
    says: Option<String>,
    pub judged: String,
    pub why: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Judgements {
    /// Of the code that was judged.
    pub version: Option<String>,
    #[serde(default, rename = "finding")]
    all: Vec<Judgement>,
}

impl Judgements {
    /// Those in a file without its ending, each with one of these words.
    pub fn read(root: &Path, name: &str, words: &[&str]) -> Result<Judgements> {
        let path = root.join("bench/judgements").join(format!("{name}.toml"));
        let text = fs::read_to_string(&path).with_context(|| format!("no {}", path.display()))?;
        Judgements::parse(&text, words).with_context(|| format!("{} is wrong", path.display()))
    }

    pub fn parse(text: &str, words: &[&str]) -> Result<Judgements> {
        let judgements: Judgements = toml::from_str(text)?;
        for one in &judgements.all {
            let known = words.contains(&one.judged.as_str());
            ensure!(known, "judged {:?}, not {}", one.judged, words.join(" or "));
            ensure!(!one.why.is_empty(), "{one:?} has no reason");
        }
        Ok(judgements)
    }

    pub fn of(&self, subject: &str, finding: &Finding) -> Option<&Judgement> {
        let is = |named: &Option<String>, it: &str| named.as_deref().is_none_or(|n| n == it);
        self.all.iter().find(|one| {
            is(&one.subject, subject)
                && is(&one.kind, &finding.kind)
                && is(&one.function, &finding.function)
                && one
                    .file
                    .as_ref()
                    .is_none_or(|end| finding.file.ends_with(end))
                && one
                    .lines
                    .as_ref()
                    .is_none_or(|lines| lines.contains(&finding.line))
                && one
                    .says
                    .as_ref()
                    .is_none_or(|part| finding.message.contains(part))
        })
    }

    /// The subjects that are named.
    #[cfg(test)]
    pub fn subjects(&self) -> impl Iterator<Item = &str> {
        self.all.iter().filter_map(|one| one.subject.as_deref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::samples::finding;

    #[test]
    fn a_judgement_is_of_a_place_and_may_be_of_one_subject() {
        let text = "[[finding]]\nfunction = \"g\"\njudged = \"real\"\nwhy = \"a\"\nlines = [3, 4]\n\
                    [[finding]]\nfunction = \"g\"\njudged = \"harness\"\nwhy = \"b\"\nsubject = \"f\"\n\
                    [[finding]]\nfile = \"b.h\"\nkind = \"hang\"\njudged = \"real\"\nwhy = \"c\"\n\
                    [[finding]]\nsays = \"odd\"\njudged = \"real\"\nwhy = \"d\"\n";
        let judgements = Judgements::parse(text, &["real", "harness"]).unwrap();
        let why = |subject, function, kind, line, message: &str| {
            let mut found = finding(kind, "a/b.h", function, line);
            found["message"] = message.into();
            let found: Finding = serde_json::from_value(found).unwrap();
            judgements.of(subject, &found).map(|one| one.why.as_str())
        };
        assert_eq!(why("h", "g", "segv", 4, ""), Some("a"));
        assert_eq!(why("f", "g", "segv", 5, ""), Some("b"));
        assert_eq!(why("h", "g", "segv", 5, ""), None);
        assert_eq!(why("h", "g", "hang", 5, ""), Some("c"));
        assert_eq!(why("h", "i", "segv", 5, "an odd one"), Some("d"));
    }

    #[test]
    fn a_judgement_has_a_word_that_is_known_and_a_reason() {
        let wrong = [
            "judged = \"odd\"\nwhy = \"w\"",
            "judged = \"real\"",
            "judged = \"real\"\nwhy = \"\"",
            "judged = \"real\"\nwhy = \"w\"\nplace = \"p\"",
        ];
        for text in wrong {
            let text = format!("[[finding]]\n{text}\n");
            assert!(Judgements::parse(&text, &["real"]).is_err(), "{text}");
        }
    }
}
