//! `elsewise.toml`: the flags of `explore`, under the same names.

use crate::args;
use crate::settings_error::SettingsError;
use clap::ArgAction;
use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

/// The file that is read from the working directory when no other is named.
pub const NAME: &str = "elsewise.toml";

/// Flags of `explore` that make no sense in a file, and `metrics`: a project's file does not make a process listen.
const NOT_IN_FILE: [&str; 11] = [
    "afl",
    "bucket",
    "config",
    "corpus",
    "fleet",
    "fleet-quota",
    "help",
    "merge",
    "metrics",
    "shard",
    "trust",
];

/// What a settings file says: words that could as well be on the command line.
#[derive(Clone, Debug, Default)]
pub struct FileSettings {
    /// As messages call the file.
    name: String,
    /// By the names of the flags.
    words: Vec<(String, Vec<String>)>,
}

impl FileSettings {
    /// But for these flags.
    pub fn without(&self, flags: &BTreeSet<String>) -> FileSettings {
        let others = self.words.iter().filter(|(flag, _)| !flags.contains(flag));
        FileSettings {
            name: self.name.clone(),
            words: others.cloned().collect(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    pub fn words(&self) -> impl Iterator<Item = String> {
        self.words.iter().flat_map(|(_, words)| words.clone())
    }

    /// What is wrong with them.
    pub fn refused(&self, error: &impl std::fmt::Display) -> SettingsError {
        SettingsError::bad(&self.name, error)
    }
}

/// Settings from `explicit`, or from `elsewise.toml` in `directory` if there is one.
pub fn load(explicit: Option<&Path>, directory: &Path) -> Result<FileSettings, SettingsError> {
    let path = match explicit {
        Some(path) => path.to_path_buf(),
        None => directory.join(NAME),
    };
    let shown = explicit.unwrap_or(Path::new(NAME)).display().to_string();
    match fs::read_to_string(&path) {
        Ok(text) => parse(&text, &shown),
        Err(error) if error.kind() == ErrorKind::NotFound && explicit.is_none() => {
            Ok(FileSettings::default())
        }
        Err(source) => Err(SettingsError::Unreadable {
            file: shown,
            source,
        }),
    }
}

fn parse(text: &str, name: &str) -> Result<FileSettings, SettingsError> {
    let bad = |error: toml::de::Error| SettingsError::bad(name, &error);
    let table: toml::Table = text.parse().map_err(bad)?;
    let known = keys();
    let mut words = Vec::new();
    for (key, value) in &table {
        let Some((_, is_switch)) = known.iter().find(|(name, _)| name == key) else {
            return Err(SettingsError::Unknown {
                file: name.to_string(),
                key: key.clone(),
                known: known.into_iter().map(|(name, _)| name).collect(),
            });
        };
        let said = said(key, value, *is_switch);
        words.push((
            key.clone(),
            said.ok_or_else(|| SettingsError::WrongType {
                file: name.to_string(),
                key: key.clone(),
                found: value.type_str(),
                is_switch: *is_switch,
            })?,
        ));
    }
    Ok(FileSettings {
        name: name.to_string(),
        words,
    })
}

/// A setting as words of the command line; none where it has the wrong type.
fn said(key: &str, value: &toml::Value, is_switch: bool) -> Option<Vec<String>> {
    let one = |value: &toml::Value| {
        let text = match value {
            toml::Value::String(text) => text.clone(),
            toml::Value::Integer(number) => number.to_string(),
            _ => return None,
        };
        Some(format!("--{key}={text}"))
    };
    match value {
        toml::Value::Boolean(on) if is_switch => {
            Some(on.then(|| format!("--{key}")).into_iter().collect())
        }
        _ if is_switch => None,
        toml::Value::Array(values) => values.iter().map(one).collect(),
        value => one(value).map(|word| vec![word]),
    }
}

/// The settings' names, which are the long flags of `explore`, and whether they are switches.
pub fn keys() -> Vec<(String, bool)> {
    let command = args::command();
    let explore = command.find_subcommand("explore");
    explore
        .into_iter()
        .flat_map(|explore| explore.get_arguments())
        .filter_map(|flag| {
            let is_switch = matches!(flag.get_action(), ArgAction::SetTrue);
            Some((flag.get_long()?.to_string(), is_switch))
        })
        .filter(|(name, _)| !NOT_IN_FILE.contains(&name.as_str()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::ResultFormat;
    use crate::request::Explore;
    use elsewise_frontend::Problem;

    /// Every setting in one file: a flag that cannot be read from there fails here.
    const ALL: &str = r#"
        cflags = "-DN=3"
        sanitize = ["address", "leak"]
        input-size = 20
        max-input = 64
        env = ["LEVEL=@arg:2", "HOME=/"]
        budget = "60s,1000runs"
        strategy = "cfg"
        subsume = "on"
        cover = true
        require-complete = true
        depth = 9
        seed = 7
        seeds = "corpus"
        timeout = 100
        memory = 512
        disk = 64
        allow-network = true
        allow-write = ["out", "/var/tmp"]
        workdir = "data"
        no-containment = true
        fork = true
        jobs = 2
        campaign = "here"
        fresh = true
        format = "json"
        quiet = true
        query-timeout = 250
        stages-off = ["z3", "search"]
        max-values = 16
        no-checks = true
        schedules = "bounded:2"
        spurious = 1
        memory-model = "tso"
        linearizable = ["push", "pop"]
        moves = 1000
        array = ["p:n"]
        nonnull = ["list"]
        globals = true
        sequence = ["new", "add"]
        steps = 4
        valid = ["list:list_check"]
        real = ["f"]
        max-objects = 3
        max-array = 4
        max-string = 5
        compile-commands = "build"
        term-depth = 3
        integer-bits = 16
        any-arguments = true
        include = ["include"]
        code-path = ["_build/default/lib/bank/ebin"]
        macro = ["TEST", "N=3"]
        mode = "route(+,+,-)"
        all-solutions = true
        max-inferences = 5000
        loops = 3
        unhandled = true
        overtake = 2
    "#;

    /// `explore` with these words, and a file with this text.
    fn explore(words: &[&str], text: &str) -> Result<Explore, Problem> {
        let typed: Vec<String> = ["explore"]
            .iter()
            .chain(words)
            .map(ToString::to_string)
            .collect();
        let all = std::iter::once("elsewise".to_string()).chain(typed.clone());
        let matches = args::command().try_get_matches_from(all).unwrap();
        Explore::with_file(&matches, typed, &parse(text, NAME)?)
    }

    #[test]
    fn every_flag_can_stand_in_the_file() {
        let table: toml::Table = ALL.parse().unwrap();
        let mut named: Vec<String> = table.keys().cloned().collect();
        let mut known: Vec<String> = keys().into_iter().map(|(name, _)| name).collect();
        named.sort();
        known.sort();
        assert_eq!(named, known);
        let explore = explore(&["a.c"], ALL).unwrap();
        let settings = &explore.args.settings;
        assert_eq!(settings.jobs, Some(2));
        assert_eq!(settings.budget, "60s,1000runs".parse().ok());
        assert_eq!(settings.stages_off, ["z3", "search"]);
        assert_eq!(settings.format, Some(ResultFormat::Json));
        assert_eq!(settings.schedules, "bounded:2".parse().ok());
        assert!(settings.allowed.allow_network && settings.quiet);
        assert!(!explore.flags.was_typed("jobs"));
    }

    #[test]
    fn flags_win() {
        let words = [
            "a.c",
            "--seed",
            "1",
            "--strategy",
            "dfs",
            "--stages-off",
            "cache",
        ];
        let explore = explore(&words, ALL).unwrap();
        let settings = &explore.args.settings;
        assert_eq!(settings.seed, Some(1));
        assert_eq!(settings.strategy, Some("dfs".into()));
        assert_eq!(settings.stages_off, ["cache"]);
        assert_eq!(settings.jobs, Some(2));
        assert!(settings.fresh && settings.quiet);
        assert!(explore.flags.was_typed("seed") && !explore.flags.was_typed("jobs"));
    }

    #[test]
    fn mistakes_are_named() {
        let message = |text: &str| match explore(&["a.c"], text) {
            Ok(_) => panic!("{text}"),
            Err(problem) => problem.to_string(),
        };
        insta::assert_snapshot!("unknown_key", message("input_size = 3\n"));
        insta::assert_snapshot!("no_toml", message("seed = \n"));
        insta::assert_snapshot!("wrong_type", message("jobs = 1\nseed = \"x\"\n"));
        insta::assert_snapshot!("no_switch", message("quiet = 3\n"));
        insta::assert_snapshot!("bad_budget", message("budget = \"60\"\n"));
        insta::assert_snapshot!("unknown_strategy", message("strategy = \"bfs\"\n"));
    }
}
