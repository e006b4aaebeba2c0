//! What the user said about containment, and what the subject's arguments become in a directory of
//! its own.

use crate::args::{Allowed, Settings};
use crate::exit::Problem;
use crate::record::Contained;
use crate::{output, told};
use elsewise_child::Starter;
use elsewise_native::{ContainedMachines, Containment};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Once, OnceLock};

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

/// Says what of containment cannot be had.
pub fn warn_of_shortcoming(containment: &Containment) {
    if let Some(shortcoming) = containment.shortcoming() {
        output::warning(&shortcoming);
    }
}

/// Who starts the machines that run subjects of other languages.
pub fn starter(contained: &Contained) -> Starter {
    match contained.on {
        // Where they run is theirs to say.
        true => Starter::new(ContainedMachines(Containment {
            workdir: None,
            ..contained.containment()
        })),
        false => Starter::default(),
    }
}

/// What a settings file, which may have come with somebody's project, lets the subject do outside of that, and
/// nobody has said on the command line.
pub fn allowed_by_file(file: &Settings, typed: &Settings) -> Option<String> {
    if file.no_containment && !typed.no_containment {
        let off =
            "the settings file switches containment off: the subject can do whatever you may do";
        return Some(off.into());
    }
    let here = fs::canonicalize(".").unwrap_or_default();
    let is_outside = |path: &&PathBuf| {
        !fs::canonicalize(path).is_ok_and(|path| path.starts_with(&here) && path != here)
    };
    let mut allowed: Vec<String> = Vec::new();
    if typed.allow_write.is_empty() {
        let outside = file.allow_write.iter().filter(is_outside);
        allowed.extend(outside.map(|path| format!("write to {}", path.display())));
    }
    if file.allow_network && !typed.allow_network {
        allowed.push("use the network".into());
    }
    let words = || format!("the settings file lets the subject {}", allowed.join(", "));
    (!allowed.is_empty()).then(words)
}

/// Who wants runs of a campaign's subject.
enum Reader {
    /// Whoever explores it: what the campaign says is what was said just now.
    Explorer,
    /// Somebody who may have got the campaign from elsewhere, and says what it is allowed.
    Other(Contained),
}

static READER: OnceLock<Reader> = OnceLock::new();

/// What the campaign says is obeyed: its explorer runs it.
pub fn trust() {
    READER.get_or_init(|| Reader::Explorer);
}

/// What a campaign's subject is allowed from now on.
pub fn allow(allowed: &Allowed) -> Result<(), Problem> {
    let contained = contained(&Settings {
        allow_network: allowed.allow_network,
        allow_write: allowed.allow_write.clone(),
        no_containment: allowed.no_containment,
        ..Settings::default()
    })?;
    READER.get_or_init(|| Reader::Other(contained));
    Ok(())
}

/// How a campaign's subject is contained: as whoever runs it says, and not as the campaign does.
pub fn by_reader(stored: Contained) -> Contained {
    static TOLD: Once = Once::new();
    let said = match READER.get() {
        Some(Reader::Explorer) => return stored,
        Some(Reader::Other(said)) => said.clone(),
        None => Contained::default(),
    };
    let ignored = ignored(&stored, &said);
    // Who only looks runs nothing.
    if !ignored.is_empty() && !told::is_looking() {
        TOLD.call_once(|| {
            output::warning(&format!(
                "the campaign was explored with {}: that is not obeyed unless it is said here, too",
                ignored.join(" ")
            ));
        });
    }
    match said.on {
        false => said,
        // Which directory it reads in, and how much it writes to its own, harms nobody.
        true => Contained {
            workdir: stored.workdir.filter(|_| stored.on),
            disk_mb: match stored.on {
                true => stored.disk_mb,
                false => DISK_MB,
            },
            ..said
        },
    }
}

/// Flags of what is stored and was not said.
fn ignored(stored: &Contained, said: &Contained) -> Vec<String> {
    if !said.on {
        return Vec::new();
    }
    if !stored.on {
        return vec!["--no-containment".into()];
    }
    let mut flags = Vec::new();
    if stored.network && !said.network {
        flags.push("--allow-network".into());
    }
    let unsaid = |path: &&PathBuf| !said.write.iter().any(|said| path.starts_with(said));
    for path in stored.write.iter().filter(unsaid) {
        flags.push(format!("--allow-write {}", path.display()));
    }
    flags
}

impl Default for Contained {
    fn default() -> Contained {
        Contained {
            on: true,
            network: false,
            write: Vec::new(),
            workdir: None,
            disk_mb: DISK_MB,
        }
    }
}

/// Refuses what a campaign's stored settings would let its subject, or the compiler, do, and what was not said.
pub fn refuse_unsaid(
    stored: &Settings,
    allowed: &Allowed,
    cflags: Option<&str>,
) -> Result<(), Problem> {
    let unsaid = |path: &&PathBuf| !allowed.allow_write.contains(path);
    let flag = if stored.no_containment && !allowed.no_containment {
        "--no-containment".into()
    } else if stored.allow_network && !allowed.allow_network && !allowed.no_containment {
        "--allow-network".into()
    } else if let Some(path) = stored.allow_write.iter().find(unsaid)
        && !allowed.no_containment
    {
        format!("--allow-write {}", path.display())
    } else if let Some(flags) = &stored.cflags
        && cflags != Some(flags)
        && !only_compiles(flags)
    {
        format!("--cflags '{flags}'")
    } else {
        return Ok(());
    };
    Err(Problem::usage(format!(
        "the campaign was explored with {flag}: give that here, too, if you want it"
    )))
}

/// Can options do no more than change how a file is compiled? What loads code into the compiler, starts other
/// programs or writes other files is none of these.
fn only_compiles(flags: &str) -> bool {
    const HARMLESS: [&str; 16] = [
        "-D",
        "-U",
        "-I",
        "-L",
        "-l",
        "-O",
        "-isystem",
        "-iquote",
        "-idirafter",
        "-include",
        "-std=",
        "-pedantic",
        "-ansi",
        "-pthread",
        "-ggdb",
        "-gdwarf",
    ];
    let harmless = |word: &String| {
        let word = word.as_str();
        let comma = ["-Wl,", "-Wa,", "-Wp,"];
        match word.get(..2) {
            _ if !word.starts_with('-') => !word.starts_with('@'),
            Some("-W") => !comma.iter().any(|start| word.starts_with(start)),
            Some("-f") => word.starts_with("-fsanitize=") || !word.contains('='),
            Some("-m") => !word.starts_with("-mllvm"),
            _ if ["-g", "-g0", "-g1", "-g2", "-g3", "-w"].contains(&word) => true,
            _ => HARMLESS.iter().any(|start| word.starts_with(start)),
        }
    };
    shlex::split(flags).is_some_and(|words| words.iter().all(harmless))
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
    fn flags_that_do_more_than_compile_are_known() {
        for flags in [
            "-DX=1 -I ../include -O2 -g -Wall -fno-strict-aliasing -std=c11 -lm",
            "-fsanitize=address -march=native -isystem vendor -w",
            "",
        ] {
            assert!(only_compiles(flags), "{flags}");
        }
        for flags in [
            "-fplugin=evil.so",
            "-O2 -fpass-plugin=evil.so",
            "-Xclang -load -Xclang evil.so",
            "-B evil",
            "-Wl,--dynamic-linker=x",
            "-mllvm -load=evil.so",
            "--config=evil.cfg",
            "-fuse-ld=./evil",
            "-o ../.profile",
            "-MF x",
            "-gcc-toolchain evil",
            "@evil",
            "'",
        ] {
            assert!(!only_compiles(flags), "{flags}");
        }
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
