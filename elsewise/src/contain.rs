//! What the user said about containment, and what the subject's arguments become in a directory of
//! its own.

use crate::args::Settings;
use crate::exit::Problem;
use crate::record::Contained;
use std::fs;
use std::path::Path;

const DISK_MB: u64 = 256;

/// Checked and made independent of the working directory, so that a replay elsewhere does the same.
pub fn contained(settings: &Settings) -> Result<Contained, Problem> {
    if settings.no_containment {
        let given = [
            ("--allow-network", settings.allow_network),
            ("--allow-write", !settings.allow_write.is_empty()),
            ("--workdir", settings.workdir.is_some()),
            ("--disk", settings.disk.is_some()),
        ];
        if let Some((flag, _)) = given.iter().find(|(_, given)| *given) {
            return Err(Problem::usage(format!(
                "{flag} says something about containment, and --no-containment switches it off: \
                 leave one of them out"
            )));
        }
        return Ok(Contained {
            on: false,
            network: true,
            write: Vec::new(),
            workdir: None,
            disk_mb: 0,
        });
    }
    let mut write = Vec::new();
    for path in &settings.allow_write {
        write.push(fs::canonicalize(path).map_err(|error| {
            Problem::usage(format!(
                "--allow-write {}: {error}; name a file or directory that is there already",
                path.display()
            ))
        })?);
    }
    let workdir = match &settings.workdir {
        None => None,
        Some(path) => Some(
            fs::canonicalize(path)
                .and_then(|path| match path.is_dir() {
                    true => Ok(path),
                    false => Err(std::io::ErrorKind::NotADirectory.into()),
                })
                .map_err(|error| {
                    Problem::usage(format!(
                        "--workdir {}: {error}; name a directory",
                        path.display()
                    ))
                })?,
        ),
    };
    Ok(Contained {
        on: true,
        network: settings.allow_network,
        write,
        workdir,
        disk_mb: settings.disk.unwrap_or(DISK_MB),
    })
}

/// What is other than usual, in words: runs of one campaign all happen in the same surroundings.
pub fn words(contained: &Contained) -> Vec<String> {
    let mut words = Vec::new();
    if !contained.on {
        return vec!["not contained".into()];
    }
    if contained.network {
        words.push("sockets are allowed".into());
    }
    for path in &contained.write {
        words.push(format!("writes to {} are allowed", path.display()));
    }
    if let Some(path) = &contained.workdir {
        words.push(format!("runs in {}", path.display()));
    }
    if contained.disk_mb != DISK_MB {
        words.push(format!("files of at most {} MB", contained.disk_mb));
    }
    words
}

/// The subject's arguments, with names of files made absolute where it does not run in the working
/// directory: a word, or what follows the `=` of an option, that names a file here. A word without a
/// slash that names a directory is taken for a word.
pub fn arguments(given: &[String], contained: &Contained) -> Vec<String> {
    let elsewhere = contained.on && contained.workdir.is_none();
    given
        .iter()
        .map(|argument| match elsewhere.then(|| absolute(argument)) {
            Some(Some(absolute)) => absolute,
            _ => argument.clone(),
        })
        .collect()
}

fn absolute(argument: &str) -> Option<String> {
    if let Some((option, value)) = argument.split_once('=')
        && option.starts_with('-')
    {
        return Some(format!("{option}={}", absolute(value)?));
    }
    let path = Path::new(argument);
    let names_file = path.is_relative()
        && !argument.starts_with('-')
        && (path.is_file() || argument.contains('/') && path.exists());
    if !names_file {
        return None;
    }
    let absolute = std::path::absolute(path).ok()?;
    absolute.to_str().map(str::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own() -> Contained {
        contained(&Settings::default()).unwrap_or_else(|problem| panic!("{}", problem.message))
    }

    #[test]
    fn names_of_files_are_made_absolute() {
        // Tests run in the folder of their package.
        let here = std::env::current_dir().unwrap().display().to_string();
        let given = |words: &[&str]| {
            words
                .iter()
                .map(|word| word.to_string())
                .collect::<Vec<_>>()
        };
        let words = given(&[
            "-f",
            "Cargo.toml",
            "--in=src/lib.rs",
            "src",
            "src/",
            "no-file",
            "",
        ]);
        let expected = given(&[
            "-f",
            &format!("{here}/Cargo.toml"),
            &format!("--in={here}/src/lib.rs"),
            "src",
            &format!("{here}/src/"),
            "no-file",
            "",
        ]);
        assert_eq!(arguments(&words, &own()), expected);
        let mut inside = own();
        inside.workdir = Some("/".into());
        assert_eq!(arguments(&words, &inside), words);
        let mut free = own();
        free.on = false;
        assert_eq!(arguments(&words, &free), words);
    }

    #[test]
    fn what_is_not_there_cannot_be_allowed() {
        let message = |settings: Settings| contained(&settings).unwrap_err().message;
        let absent = message(Settings {
            allow_write: vec!["no/such".into()],
            ..Settings::default()
        });
        assert!(absent.contains("--allow-write no/such"), "{absent}");
        let file = message(Settings {
            workdir: Some("Cargo.toml".into()),
            ..Settings::default()
        });
        assert!(file.contains("--workdir Cargo.toml"), "{file}");
        let both = message(Settings {
            no_containment: true,
            allow_network: true,
            ..Settings::default()
        });
        assert!(both.contains("--allow-network"), "{both}");
    }
}
