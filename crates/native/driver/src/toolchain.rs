//! Finds the LLVM tools that build a subject, and says what to install where one is missing.

use crate::NativeError;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The LLVM release that the pass is built for; a plugin loads into this one only.
pub const LLVM_MAJOR: u32 = 22;

const INSTALL_CLANG: &str =
    "run `apt-get install clang-22 lld-22 llvm-22`, or set ELSEWISE_CLANG to a clang of LLVM 22";
const INSTALL_LLD: &str = "run `apt-get install lld-22`";
const INSTALL_TOOLS: &str = "run `apt-get install llvm-22`";

#[derive(Clone, Debug)]
pub struct Toolchain {
    pub clang: PathBuf,
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
    pub advice: &'static str,
}

/// Where to look: the environment, taken apart so that tests can stand in for it.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    pub clang: Option<OsString>,
    pub path: Vec<PathBuf>,
    pub fixed: Vec<PathBuf>,
}

impl Places {
    pub(crate) fn from_environment() -> Places {
        Places {
            clang: env::var_os("ELSEWISE_CLANG").filter(|value| !value.is_empty()),
            path: env::var_os("PATH")
                .map(|path| env::split_paths(&path).collect())
                .unwrap_or_default(),
            fixed: vec![PathBuf::from("/usr/lib/llvm-22/bin")],
        }
    }

    fn clang(&self) -> Option<PathBuf> {
        match &self.clang {
            // A wish that cannot be met is an error, not a reason to take another compiler.
            Some(wish) if wish.to_string_lossy().contains('/') => {
                Some(PathBuf::from(wish)).filter(|path| path.is_file())
            }
            Some(wish) => self.on_path(wish),
            None => self
                .on_path("clang-22".as_ref())
                .or_else(|| self.fixed("clang")),
        }
    }

    fn on_path(&self, name: &std::ffi::OsStr) -> Option<PathBuf> {
        self.path
            .iter()
            .map(|folder| folder.join(name))
            .find(|path| path.is_file())
    }

    fn fixed(&self, name: &str) -> Option<PathBuf> {
        self.fixed
            .iter()
            .map(|folder| folder.join(name))
            .find(|path| path.is_file())
    }

    /// A tool of the same LLVM as `clang`: beside it, else under its versioned name.
    fn beside(&self, clang: Option<&Path>, name: &str) -> Option<PathBuf> {
        clang
            .and_then(|clang| clang.canonicalize().ok())
            .and_then(|clang| Some(clang.parent()?.join(name)))
            .filter(|path| path.is_file())
            .or_else(|| self.on_path(format!("{name}-{LLVM_MAJOR}").as_ref()))
            .or_else(|| self.fixed(name))
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
            .ok_or_else(|| missing("clang-22", INSTALL_CLANG))?;
        let find = |name, tool, advice| {
            places
                .beside(Some(&clang), name)
                .ok_or_else(|| missing(tool, advice))
        };
        Ok(Toolchain {
            lld: find("ld.lld", "ld.lld-22", INSTALL_LLD)?,
            objcopy: find("llvm-objcopy", "llvm-objcopy-22", INSTALL_TOOLS)?,
            ar: find("llvm-ar", "llvm-ar-22", INSTALL_TOOLS)?,
            clang,
        })
    }
}

/// What turns addresses in a sanitizer's report into places.
pub(crate) fn symbolizer() -> Option<PathBuf> {
    let places = Places::from_environment();
    places.beside(places.clang().as_deref(), "llvm-symbolizer")
}

/// What `elsewise doctor` shows of the tools that build subjects.
pub fn checks() -> Vec<Check> {
    checks_in(&Places::from_environment())
}

pub(crate) fn checks_in(places: &Places) -> Vec<Check> {
    let clang = places.clang();
    let check = |name, tool: &str, advice| Check {
        name,
        found: places
            .beside(clang.as_deref(), tool)
            .map(|path| path.display().to_string()),
        advice,
    };
    let version = clang.as_deref().and_then(version_line);
    let right = version
        .as_deref()
        .is_some_and(|line| major(line) == Some(LLVM_MAJOR));
    let mut checks = vec![
        Check {
            name: "clang 22",
            found: match (&clang, version) {
                (Some(path), Some(line)) if right => Some(format!("{} ({line})", path.display())),
                _ => None,
            },
            advice: INSTALL_CLANG,
        },
        check("ld.lld 22", "ld.lld", INSTALL_LLD),
        check("llvm-objcopy 22", "llvm-objcopy", INSTALL_TOOLS),
        check("llvm-ar 22", "llvm-ar", INSTALL_TOOLS),
        check("llvm-symbolizer 22", "llvm-symbolizer", INSTALL_TOOLS),
    ];
    let artefact = |name, bytes: &[u8]| Check {
        name,
        found: (!bytes.is_empty()).then(|| format!("built in, {} KiB", bytes.len() / 1024)),
        advice: "install llvm-22-dev and clang-22 and build Elsewise again",
    };
    checks.push(artefact("LLVM pass", crate::artefacts::PASS));
    checks.push(artefact("runtime object", crate::artefacts::RUNTIME));
    checks.push(artefact(
        "models of the C library",
        crate::artefacts::MODELS,
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

/// The number after `version` in clang's first line.
fn major(line: &str) -> Option<u32> {
    let rest = line.split("version ").nth(1)?;
    rest.split(|c: char| !c.is_ascii_digit())
        .next()?
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_read_from_clangs_first_line() {
        assert_eq!(major("Debian clang version 22.1.0 (++2026)"), Some(22));
        assert_eq!(major("clang version 9.0"), Some(9));
        assert_eq!(major("gcc 12"), None);
    }

    #[test]
    fn a_missing_clang_says_what_to_install() {
        let nowhere = Places {
            clang: None,
            path: vec![],
            fixed: vec![],
        };
        let error = Toolchain::find_in(&nowhere).unwrap_err().to_string();
        assert!(error.contains("clang-22"), "{error}");
        assert!(error.contains("apt-get install"), "{error}");
        let checks = checks_in(&nowhere);
        assert_eq!(checks[0].found, None);
    }

    #[test]
    fn a_wished_for_clang_that_is_not_there_is_not_replaced() {
        let mut places = Places::from_environment();
        places.clang = Some("/nowhere/clang".into());
        assert!(matches!(
            Toolchain::find_in(&places),
            Err(NativeError::MissingTool {
                tool: "clang-22",
                ..
            })
        ));
    }
}
