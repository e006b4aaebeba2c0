//! What can be wrong with `elsewise.toml`.

use elsewise_frontend::{Advice, CommandError, Exit};
use std::io;
use thiserror::Error;

/// `file`: as messages call it.
#[derive(Debug, Error)]
pub enum SettingsError {
    #[error("cannot read the settings file {file}: {source}")]
    Unreadable { file: String, source: io::Error },
    /// It is no TOML, or the command line would not take what it says; `why` is said by whoever read it.
    #[error("{file} cannot be read")]
    Bad { file: String, why: String },
    #[error("{file} cannot be read")]
    WrongType {
        file: String,
        key: String,
        found: &'static str,
        is_switch: bool,
    },
    #[error("{file}: there is no setting `{key}`")]
    Unknown {
        file: String,
        key: String,
        known: Vec<String>,
    },
}

impl SettingsError {
    pub fn bad(file: &str, error: &impl std::fmt::Display) -> SettingsError {
        let error = error.to_string();
        let error = error.strip_prefix("error: ").unwrap_or(&error);
        // What follows is about the command line.
        let error = error.split("\n\nUsage:").next().unwrap_or(error);
        let error = error.split("\n\nFor more").next().unwrap_or(error);
        SettingsError::Bad {
            file: file.to_string(),
            why: error.trim_end().to_string(),
        }
    }
}

impl CommandError for SettingsError {
    fn exit(&self) -> Exit {
        Exit::Usage
    }

    fn advice(&self) -> Option<Advice> {
        let correct = |why: &str| {
            Advice::semicolon(format!(
                "correct it, `elsewise explore --help` lists what can stand there\n{why}"
            ))
        };
        match self {
            SettingsError::Unreadable { .. } => {
                Advice::semicolon("correct --config, or leave it out")
            }
            SettingsError::Bad { why, .. } => correct(why),
            SettingsError::WrongType {
                key,
                found,
                is_switch,
                ..
            } => {
                let wanted = match is_switch {
                    true => "true or false",
                    false => "text, a number, or a list of these",
                };
                correct(&format!("`{key}` is {found}, and should be {wanted}"))
            }
            SettingsError::Unknown { key, known, .. } => {
                let near = |other: &str| strsim::jaro_winkler(key, other);
                let nearest = known.iter().max_by(|a, b| near(a).total_cmp(&near(b)));
                Advice::semicolon(format!(
                    "did you mean `{}`? Known are: {}",
                    nearest.map(String::as_str).unwrap_or_default(),
                    known.join(", ")
                ))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_meant() {
        let unknown = SettingsError::Unknown {
            file: "elsewise.toml".into(),
            key: "input_size".into(),
            known: vec!["jobs".into(), "input-size".into(), "max-input".into()],
        };
        assert_eq!(
            unknown.advice(),
            Advice::semicolon("did you mean `input-size`? Known are: jobs, input-size, max-input")
        );
    }

    #[test]
    fn of_what_the_command_line_says_only_the_mistake_is_told() {
        let said = "error: invalid value 'x'\n\nUsage: elsewise\n\nFor more information";
        let SettingsError::Bad { why, .. } = SettingsError::bad("elsewise.toml", &said) else {
            panic!("{said}");
        };
        assert_eq!(why, "invalid value 'x'");
    }
}
