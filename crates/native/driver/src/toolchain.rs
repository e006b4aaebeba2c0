//! Finds the LLVM tools that build a subject, and says what to install where one is missing.
//!
//! A plugin loads into clang of one release of LLVM only. This crate has the pass for one release or several; which clang
//! is taken follows from that: of the newest release that there are both for. Of its other tools any release will do.

use crate::{NativeError, artefacts};
use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Of LLVM, that a pass can be built for at all; the newest is what people are told to install.
const RELEASES: std::ops::RangeInclusive<u32> = 18..=22;

#[derive(Clone, Debug)]
pub struct Toolchain {
    pub clang: PathBuf,
    /// Of LLVM, which the clang is of.
    pub release: u32,
    pub lld: PathBuf,
    pub objcopy: PathBuf,
    pub ar: PathBuf,
}

/// One line of `elsewise doctor`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    pub name: &'static str,
    /// What was found: a path, a version.
    pub found: Option<String>,
    /// What to do when nothing was.
    pub advice: String,
}

/// How packages are installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packages {
    Debian,
    Ubuntu,
    Fedora,
    Arch,
}

impl Packages {
    /// From the text of `/etc/os-release`.
    fn of(text: &str) -> Packages {
        let value = |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(name));
            line.unwrap_or_default().trim_matches('"').to_string()
        };
        let all = format!("{} {}", value("ID="), value("ID_LIKE="));
        let is = |name| all.split_whitespace().any(|word| word == name);
        match () {
            () if is("ubuntu") => Packages::Ubuntu,
            () if is("fedora") || is("rhel") => Packages::Fedora,
            () if is("arch") => Packages::Arch,
            () => Packages::Debian,
        }
    }

    /// What installs tools of LLVM: `clang`, `lld`, `llvm`.
    fn install(self, tools: &[&str]) -> String {
        let of_release = |release: u32| {
            let named = tools.iter().map(|tool| format!("{tool}-{release}"));
            format!("apt-get install {}", named.collect::<Vec<_>>().join(" "))
        };
        match self {
            Packages::Debian => of_release(*RELEASES.end()),
            // The newest that Ubuntu 24.04 has.
            Packages::Ubuntu => of_release(20),
            Packages::Fedora => format!("dnf install {}", tools.join(" ")),
            Packages::Arch => format!("pacman -S {}", tools.join(" ")),
        }
    }
}

/// Where to look: the environment, taken apart so that tests can stand in for it.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    pub clang: Option<OsString>,
    pub path: Vec<PathBuf>,
    /// Folders of releases that are installed beside each other, with the number in the place of `*`.
    pub fixed: Vec<String>,
    /// That there is a pass for, newest first.
    pub releases: Vec<u32>,
    pub packages: Packages,
}

impl Places {
    pub(crate) fn from_environment() -> Places {
        let about = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
        Places {
            clang: env::var_os("ELSEWISE_CLANG").filter(|value| !value.is_empty()),
            path: env::var_os("PATH")
                .map(|path| env::split_paths(&path).collect())
                .unwrap_or_default(),
            fixed: fixed(env::var_os("HOMEBREW_PREFIX")),
            releases: artefacts::releases(),
            packages: Packages::of(&about),
        }
    }

    /// The compiler, and the release that it is of if it can be told.
    fn clang(&self) -> Option<(PathBuf, Option<u32>)> {
        // A wish that cannot be met is an error, not a reason to take another compiler.
        if let Some(wish) = &self.clang {
            let found = match wish.to_string_lossy().contains('/') {
                true => Some(PathBuf::from(wish)).filter(|path| path.is_file()),
                false => self.on_path(wish),
            };
            return found.map(|path| {
                let release = release(&path);
                (path, release)
            });
        }
        let named = self.releases.iter().find_map(|release| {
            let path = self.of_release("clang", *release)?;
            Some((path, Some(*release)))
        });
        // Where the system has one release only, it has no number.
        named.or_else(|| {
            let path = self.on_path(OsStr::new("clang"))?;
            let release = release(&path).filter(|release| self.releases.contains(release))?;
            Some((path, Some(release)))
        })
    }

    fn on_path(&self, name: &OsStr) -> Option<PathBuf> {
        self.path
            .iter()
            .map(|folder| folder.join(name))
            .find(|path| path.is_file())
    }

    /// A tool of a release: under its versioned name, else in the release's own folder.
    fn of_release(&self, name: &str, release: u32) -> Option<PathBuf> {
        self.on_path(format!("{name}-{release}").as_ref())
            .or_else(|| {
                self.fixed
                    .iter()
                    .map(|folder| Path::new(&folder.replace('*', &release.to_string())).join(name))
                    .find(|path| path.is_file())
            })
    }

    /// A tool of the same LLVM as `clang`: beside it, else as it is called; or else of another.
    fn beside(&self, clang: Option<&(PathBuf, Option<u32>)>, name: &str) -> Option<PathBuf> {
        let beside = clang
            .and_then(|(clang, _)| clang.canonicalize().ok())
            .and_then(|clang| Some(clang.parent()?.join(name)))
            .filter(|path| path.is_file());
        let own = clang.and_then(|(_, release)| *release);
        let releases = own.into_iter().chain(RELEASES.rev());
        beside
            .or_else(|| {
                releases
                    .into_iter()
                    .find_map(|release| self.of_release(name, release))
            })
            .or_else(|| self.on_path(name.as_ref()))
    }

    fn install_clang(&self) -> String {
        format!(
            "run `{}`, or set ELSEWISE_CLANG to a clang of a release that `elsewise doctor` shows an LLVM pass for",
            self.packages.install(&["clang", "lld", "llvm"])
        )
    }

    fn install(&self, tool: &str) -> String {
        format!("run `{}`", self.packages.install(&[tool]))
    }
}

impl Toolchain {
    pub fn find() -> Result<Toolchain, NativeError> {
        Toolchain::find_in(&Places::from_environment())
    }

    pub(crate) fn find_in(places: &Places) -> Result<Toolchain, NativeError> {
        let missing = |tool, advice| NativeError::MissingTool { tool, advice };
        let clang = places
            .clang()
            .ok_or_else(|| missing("clang", places.install_clang()))?;
        let find = |tool, package| {
            places
                .beside(Some(&clang), tool)
                .ok_or_else(|| missing(tool, places.install(package)))
        };
        let (lld, objcopy, ar) = (
            find("ld.lld", "lld")?,
            find("llvm-objcopy", "llvm")?,
            find("llvm-ar", "llvm")?,
        );
        let (clang, release) = clang;
        let release = match release {
            // A build without any pass says so when it is asked for it.
            Some(release) if places.releases.contains(&release) || places.releases.is_empty() => {
                release
            }
            other => {
                return Err(NativeError::OtherCompiler {
                    path: clang,
                    is: match other {
                        Some(release) => format!("a clang of LLVM {release}"),
                        None => "no clang that says its version".into(),
                    },
                    advice: places.install_clang(),
                });
            }
        };
        Ok(Toolchain {
            clang,
            release,
            lld,
            objcopy,
            ar,
        })
    }
}

/// Folders of Debian's and Ubuntu's releases, of Fedora's, of Arch's, and of Homebrew's where it is in use.
fn fixed(homebrew: Option<OsString>) -> Vec<String> {
    let mut all: Vec<String> = [
        "/usr/lib/llvm-*/bin",
        "/usr/lib64/llvm*/bin",
        "/usr/lib/llvm*/bin",
    ]
    .map(String::from)
    .into();
    if let Some(homebrew) = homebrew.as_ref().and_then(|prefix| prefix.to_str()) {
        all.extend(["llvm", "lld"].map(|name| format!("{homebrew}/opt/{name}@*/bin")));
    }
    all
}

/// What turns addresses in a sanitizer's report into places.
pub(crate) fn symbolizer() -> Option<PathBuf> {
    let places = Places::from_environment();
    places.beside(places.clang().as_ref(), "llvm-symbolizer")
}

/// What `elsewise doctor` shows of the tools that build subjects.
pub fn checks() -> Vec<Check> {
    checks_in(&Places::from_environment())
}

pub(crate) fn checks_in(places: &Places) -> Vec<Check> {
    let clang = places.clang();
    let check = |name: &'static str, package| Check {
        name,
        found: places
            .beside(clang.as_ref(), name)
            .map(|path| path.display().to_string()),
        advice: places.install(package),
    };
    // One that is only a name would not be found to be missing.
    let right = clang.as_ref().and_then(|(path, release)| {
        let line = version_line(path)?;
        let fits = release.is_some_and(|release| places.releases.contains(&release));
        (fits && major(&line) == *release).then(|| format!("{} ({line})", path.display()))
    });
    let mut checks = vec![
        Check {
            name: "clang",
            found: right,
            advice: places.install_clang(),
        },
        check("ld.lld", "lld"),
        check("llvm-objcopy", "llvm"),
        check("llvm-ar", "llvm"),
        check("llvm-symbolizer", "llvm"),
    ];
    let artefact = |name, size: usize, what: String| Check {
        name,
        found: (size > 0).then(|| format!("built in{what}, {} KiB", size / 1024)),
        advice: "install clang and the headers of LLVM (on Debian clang-22 and llvm-22-dev) and \
                 build Elsewise again"
            .into(),
    };
    let releases: Vec<String> = places.releases.iter().map(u32::to_string).collect();
    let passes = artefacts::PASSES.iter().map(|(_, pass)| pass.len()).sum();
    checks.push(artefact(
        "LLVM pass",
        passes,
        format!(" for LLVM {}", releases.join(", ")),
    ));
    let runtime = artefacts::RUNTIME.len();
    checks.push(artefact("runtime object", runtime, String::new()));
    checks.push(artefact(
        "models of the C library",
        artefacts::MODELS.len(),
        String::new(),
    ));
    checks
}

fn version_line(clang: &Path) -> Option<String> {
    let output = Command::new(clang)
        .arg("--version")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    Some(text.lines().next()?.trim().to_string())
}

/// The release of LLVM that a clang is of: as its name and folder tell, which takes no time, or as it says itself.
fn release(clang: &Path) -> Option<u32> {
    let path = clang.canonicalize().ok()?;
    named(&path).or_else(|| major(&version_line(clang)?))
}

/// `/usr/bin/clang-21` and `/usr/lib/llvm-19/bin/clang` say of which release they are.
fn named(path: &Path) -> Option<u32> {
    let name = path.file_name()?.to_str()?;
    if let Some(number) = name.strip_prefix("clang-") {
        return number.parse().ok();
    }
    let root = path.parent()?.parent()?.file_name()?.to_str()?;
    let number = root.strip_prefix("llvm")?.trim_start_matches(['-', '@']);
    number.parse().ok().filter(|_| name == "clang")
}

/// The number after `version` in clang's first line.
fn major(line: &str) -> Option<u32> {
    let rest = line.split("version ").nth(1)?;
    rest.split(|c: char| !c.is_ascii_digit())
        .next()?
        .parse()
        .ok()
}

#[cfg(test)]
mod tests;
