//! What the user said about containment, and who obeys it.

use crate::error::FrontEndError;
use crate::limits::DISK_MB;
use crate::notices;
use crate::observations::runs_nothing;
use crate::problem::Problem;
use clap::Args;
use elsewise_child::Starter;
use elsewise_contain::{ContainedMachines, Containment};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::PathBuf;
use std::sync::{Once, OnceLock};

/// What a subject is allowed beyond its own directory.
#[derive(Clone, Debug, Default, Args)]
pub struct AllowFlags {
    /// Let the subject use the network and other sockets.
    #[arg(long)]
    pub allow_network: bool,

    /// Let the subject write to this file or directory, too; may be given more than once.
    #[arg(long, value_name = "PATH")]
    pub allow_write: Vec<PathBuf>,

    /// Let the subject do whatever you may do, in the working directory.
    #[arg(long)]
    pub no_containment: bool,
}

/// What the subject is kept from, and where it runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contained {
    pub on: bool,
    pub network: bool,
    pub write: Vec<PathBuf>,
    pub workdir: Option<PathBuf>,
    pub disk_mb: u64,
    /// It is explored by a fleet, whose members must give it the same environment.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub common_environment: bool,
}

impl Contained {
    /// Checked and made independent of the working directory, so that a replay elsewhere does the same.
    pub fn new(flags: &AllowFlags) -> Result<Contained, Problem> {
        if flags.no_containment {
            let given = [
                ("--allow-network", flags.allow_network),
                ("--allow-write", !flags.allow_write.is_empty()),
            ];
            if let Some((flag, _)) = given.iter().find(|(_, given)| *given) {
                return Err(FrontEndError::NoContainment { flag }.into());
            }
            return Ok(Contained {
                on: false,
                network: true,
                disk_mb: 0,
                ..Contained::default()
            });
        }
        let mut write = Vec::new();
        for path in &flags.allow_write {
            let cannot = |source| FrontEndError::AllowWrite {
                path: path.clone(),
                source,
            };
            write.push(fs::canonicalize(path).map_err(cannot)?);
        }
        Ok(Contained {
            network: flags.allow_network,
            write,
            ..Contained::default()
        })
    }

    /// The same, in this directory and with so many megabytes of files, where that is said.
    pub fn in_folder(
        self,
        workdir: Option<&PathBuf>,
        disk_mb: Option<u64>,
    ) -> Result<Contained, Problem> {
        let given = [
            ("--workdir", workdir.is_some()),
            ("--disk", disk_mb.is_some()),
        ];
        if let Some((flag, _)) = given.iter().find(|(_, given)| *given && !self.on) {
            return Err(FrontEndError::NoContainment { flag }.into());
        }
        let workdir = workdir.map(|path| {
            fs::canonicalize(path)
                .and_then(|path| match path.is_dir() {
                    true => Ok(path),
                    false => Err(std::io::ErrorKind::NotADirectory.into()),
                })
                .map_err(|source| FrontEndError::Workdir {
                    path: path.to_path_buf(),
                    source,
                })
        });
        Ok(Contained {
            workdir: workdir.transpose()?,
            disk_mb: disk_mb.unwrap_or(self.disk_mb),
            ..self
        })
    }

    pub fn containment(&self) -> Containment {
        Containment {
            on: self.on,
            network: self.network,
            write: self.write.clone(),
            workdir: self.workdir.clone(),
            disk_limit: self.disk_mb.saturating_mul(1 << 20),
            place: None,
            common_environment: self.common_environment,
        }
    }
}

/// Says what of containment cannot be had.
pub fn warn_of_shortcoming(containment: &Containment) {
    if let Some(shortcoming) = containment.shortcoming() {
        notices::warning(&shortcoming);
    }
}

/// Who starts the machines that run subjects of other languages.
pub fn starter(contained: &Contained) -> Starter {
    // Where they run is theirs to say.
    Starter::new(ContainedMachines(Containment {
        workdir: None,
        ..contained.containment()
    }))
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
pub fn allow(flags: &AllowFlags) -> Result<(), Problem> {
    let contained = Contained::new(flags)?;
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
    if !ignored.is_empty() && !runs_nothing() {
        TOLD.call_once(|| {
            notices::warning(&format!(
                "the campaign was explored with {}: that is not obeyed unless it is said here, too",
                ignored.join(" ")
            ));
        });
    }
    // It gets no more than it had.
    let common_environment = stored.common_environment;
    match said.on {
        false => Contained {
            common_environment,
            ..said
        },
        // Which directory it reads in, and how much it writes to its own, harms nobody.
        true => Contained {
            workdir: stored.workdir.filter(|_| stored.on),
            disk_mb: match stored.on {
                true => stored.disk_mb,
                false => DISK_MB,
            },
            common_environment,
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
            common_environment: false,
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// The flag that says something of containment that is switched off.
    fn useless(problem: &Problem) -> Option<&'static str> {
        match problem.error()? {
            FrontEndError::NoContainment { flag } => Some(flag),
            _ => None,
        }
    }

    #[test]
    fn what_is_not_there_cannot_be_allowed() {
        let absent = Contained::new(&AllowFlags {
            allow_write: vec!["no/such".into()],
            ..AllowFlags::default()
        });
        let absent = absent.unwrap_err();
        assert!(
            matches!(absent.error(), Some(FrontEndError::AllowWrite { path, .. }) if path == Path::new("no/such")),
            "{absent}"
        );
        let file = Contained::default().in_folder(Some(&"Cargo.toml".into()), None);
        let file = file.unwrap_err();
        assert!(
            matches!(file.error(), Some(FrontEndError::Workdir { path, .. }) if path == Path::new("Cargo.toml")),
            "{file}"
        );
        let both = Contained::new(&AllowFlags {
            no_containment: true,
            allow_network: true,
            ..AllowFlags::default()
        });
        assert_eq!(useless(&both.unwrap_err()), Some("--allow-network"));
        let off = AllowFlags {
            no_containment: true,
            ..AllowFlags::default()
        };
        let off = Contained::new(&off).and_then(|off| off.in_folder(None, Some(1)));
        assert_eq!(useless(&off.unwrap_err()), Some("--disk"));
    }
}
