//! What findings in real programs with threads were judged to be, by people, in
//! `xtask/judgements/threaded.toml`.

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use serde_json::Value;
use std::fmt;
use std::path::Path;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Judgement {
    program: String,
    kind: String,
    /// How the name of the file ends.
    file: String,
    lines: Vec<u64>,
    /// `real`: a bug; `benign`: as the standard has it, a bug, but one that does no harm; `false`: ours.
    pub judged: String,
    pub why: String,
}

impl Judgement {
    /// Otherwise it is a fault of ours.
    pub fn is_of_the_program(&self) -> bool {
        self.judged != "false"
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Judgements {
    #[serde(default)]
    finding: Vec<Judgement>,
}

pub struct Finding {
    program: String,
    pub kind: String,
    file: String,
    line: u64,
    message: String,
}

impl Finding {
    pub fn of(program: &str, found: &Value) -> Finding {
        let text = |key: &str| found[key].as_str().unwrap_or_default().to_string();
        Finding {
            program: program.to_string(),
            kind: text("kind"),
            file: text("file"),
            line: found["line"].as_u64().unwrap_or(0),
            message: text("message"),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finding {
            program,
            kind,
            file,
            line,
            message,
        } = self;
        write!(f, "{program}: {kind} at {file}:{line}: {message}")
    }
}

impl Judgements {
    pub fn read(root: &Path) -> Result<Judgements> {
        let path = root.join("xtask/judgements/threaded.toml");
        let text = std::fs::read_to_string(&path)
            .with_context(|| format!("{} cannot be read", path.display()))?;
        Judgements::parse(&text)
    }

    pub fn parse(text: &str) -> Result<Judgements> {
        let all: Judgements = toml::from_str(text)?;
        for one in &all.finding {
            let known = ["real", "benign", "false"].contains(&one.judged.as_str());
            ensure!(known, "{}: judged {:?}", one.program, one.judged);
            ensure!(!one.why.is_empty(), "{}: no reason", one.program);
        }
        Ok(all)
    }

    pub fn of(&self, finding: &Finding) -> Option<&Judgement> {
        self.finding.iter().find(|one| {
            one.program == finding.program
                && one.kind == finding.kind
                && finding.file.ends_with(&one.file)
                && one.lines.contains(&finding.line)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_of_the_repository_can_be_read() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let all = Judgements::read(root).unwrap();
        let programs = crate::threaded::programs::ALL;
        for one in &all.finding {
            assert!(
                programs.iter().any(|program| program.name == one.program),
                "{}",
                one.program
            );
        }
    }

    #[test]
    fn a_word_that_is_no_judgement() {
        let text = "[[finding]]\nprogram = \"p\"\nkind = \"k\"\nfile = \"f\"\nlines = []\n\
                    judged = \"maybe\"\nwhy = \"w\"\n";
        assert!(Judgements::parse(text).is_err());
    }
}
