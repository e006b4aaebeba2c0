//! What findings in functions of libraries were judged to be, by people, in `xtask/judgements`.

use super::Finding;
use super::libraries::Library;
use anyhow::{Context, Result, bail, ensure};
use std::fs;
use std::path::Path;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Callers that keep to the contract can cause it.
    Real,
    /// Only callers that break the contract can cause it.
    Misuse,
    /// An object that the library never makes: only callers that write its members themselves can
    /// cause it, or a caller within the library that does not exist.
    Invalid,
    /// No caller can cause it at all: the harness is wrong.
    Harness,
}

impl Verdict {
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Real => "real",
            Verdict::Misuse => "misuse",
            Verdict::Invalid => "invalid",
            Verdict::Harness => "harness",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The function that was explored; any that got there where it is not said.
    subject: Option<String>,
    /// Any where it is not said.
    kind: Option<String>,
    function: String,
    /// All lines of the function where there is none.
    lines: Vec<u64>,
    pub judged: Verdict,
    pub why: String,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub struct Judgements(Vec<Judgement>);

impl Judgements {
    /// Those of a library, which are of one version of it.
    pub fn read(root: &Path, library: &Library) -> Result<Judgements> {
        let path = root
            .join("xtask/judgements")
            .join(format!("{}.toml", library.name));
        let text = fs::read_to_string(&path).with_context(|| format!("no {}", path.display()))?;
        let table: toml::Table = text.parse()?;
        let version = table.get("version").and_then(toml::Value::as_str);
        ensure!(
            version == Some(library.version),
            "{} is not about {}: judge its findings again",
            path.display(),
            library.version
        );
        Judgements::parse(&text).with_context(|| format!("{} is wrong", path.display()))
    }

    pub fn parse(text: &str) -> Result<Judgements> {
        let table: toml::Table = text.parse()?;
        let findings = table.get("finding").and_then(toml::Value::as_array);
        findings
            .into_iter()
            .flatten()
            .map(judgement)
            .collect::<Result<_>>()
            .map(Judgements)
    }

    pub fn of(&self, subject: &str, finding: &Finding) -> Option<&Judgement> {
        self.0.iter().find(|judgement| {
            judgement
                .subject
                .as_deref()
                .is_none_or(|known| known == subject)
                && judgement
                    .kind
                    .as_deref()
                    .is_none_or(|kind| kind == finding.kind)
                && judgement.function == finding.function
                && (judgement.lines.is_empty() || judgement.lines.contains(&finding.line))
        })
    }
}

fn judgement(value: &toml::Value) -> Result<Judgement> {
    let text = |name: &str| {
        value
            .get(name)
            .and_then(toml::Value::as_str)
            .map(str::to_string)
    };
    let needed = |name: &str| text(name).with_context(|| format!("no `{name}` in {value}"));
    let lines = match (value.get("line"), value.get("lines")) {
        (Some(line), None) => vec![line.clone()],
        (None, Some(lines)) => lines.as_array().cloned().unwrap_or_default(),
        (None, None) => Vec::new(),
        _ => bail!("`line` or `lines` in {value}, not both"),
    };
    let lines = lines.iter().map(|line| {
        let line = line.as_integer().and_then(|line| u64::try_from(line).ok());
        line.with_context(|| format!("a line that is no number in {value}"))
    });
    Ok(Judgement {
        subject: text("subject"),
        kind: text("kind"),
        function: needed("function")?,
        lines: lines.collect::<Result<_>>()?,
        judged: match needed("judged")?.as_str() {
            "real" => Verdict::Real,
            "misuse" => Verdict::Misuse,
            "invalid" => Verdict::Invalid,
            "harness" => Verdict::Harness,
            other => bail!("judged \"{other}\": it is real, misuse, invalid or harness"),
        },
        why: needed("why")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::functions::libraries;

    #[test]
    fn every_library_has_judgements_of_its_version() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for library in libraries::ALL {
            Judgements::read(&root, library).unwrap();
        }
    }

    #[test]
    fn a_judgement_is_of_a_place_and_may_be_of_one_subject() {
        let text = "[[finding]]\nfunction = \"g\"\njudged = \"real\"\nwhy = \"a\"\nlines = [3, 4]\n\
                    [[finding]]\nfunction = \"g\"\njudged = \"harness\"\nwhy = \"b\"\nsubject = \"f\"\n";
        let judgements = Judgements::parse(text).unwrap();
        let at = |line| Finding {
            kind: "segv".into(),
            function: "g".into(),
            line,
        };
        let why = |subject, line| judgements.of(subject, &at(line)).map(|j| j.why.as_str());
        assert_eq!(why("h", 4), Some("a"));
        assert_eq!(why("f", 5), Some("b"));
        assert_eq!(why("h", 5), None);
        assert!(
            Judgements::parse("[[finding]]\nfunction = \"g\"\njudged = \"odd\"\nwhy = \"\"")
                .is_err()
        );
        assert!(Judgements::parse("[[finding]]\nfunction = \"g\"\njudged = \"real\"").is_err());
    }
}
