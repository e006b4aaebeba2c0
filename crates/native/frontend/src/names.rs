//! What the user named: source files, an executable, or a function.

use crate::flags::{BuildFlags, SequenceFlags};
use crate::target_error::TargetError;
use elsewise_frontend::flags::Flags;
use elsewise_frontend::{Problem, must_be_file};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A subject as named, checked as far as that goes without building it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NativeTarget {
    /// C and C++ source files that make one program.
    Sources(Vec<PathBuf>),
    /// An executable that should have been built with elsewise-cc.
    Executable(PathBuf),
    /// A function of a C file.
    Function {
        file: PathBuf,
        function: String,
        /// Other files of the subject.
        others: Vec<PathBuf>,
    },
    /// Calls of functions of a C file.
    Sequence {
        file: PathBuf,
        /// Other files of the subject.
        others: Vec<PathBuf>,
    },
}

/// Endings of files that other front ends, or a compiler, would be for.
const OTHER_LANGUAGES: [&str; 8] = ["rs", "hrl", "py", "h", "hpp", "hh", "o", "a"];

/// Endings of C and C++ sources.
const SOURCES: [&str; 9] = ["c", "cc", "cp", "cpp", "cxx", "c++", "C", "i", "ii"];

pub fn is_source(name: &str) -> bool {
    let ending = Path::new(name)
        .extension()
        .and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| SOURCES.contains(&ending))
}

impl NativeTarget {
    /// None if the words name a function of another language.
    pub fn new(words: &[String], flags: &Flags) -> Result<Option<NativeTarget>, Problem> {
        let sequence = flags.read::<SequenceFlags>()?.sequence;
        let target = NativeTarget::named(words, !sequence.is_empty())?;
        if let Some(target) = &target
            && !sequence.is_empty()
            && !matches!(target, NativeTarget::Sequence { .. })
        {
            return Err(TargetError::SequenceOfFunction.into());
        }
        if flags.was_typed("steps") && sequence.is_empty() && target.is_some() {
            return Err(TargetError::StepsOfNothing.into());
        }
        if let Some(target) = &target {
            target.refuse_of_sources(flags)?;
        }
        Ok(target)
    }

    fn named(words: &[String], sequence: bool) -> Result<Option<NativeTarget>, Problem> {
        if words.iter().any(|word| word.contains("::")) {
            return function(words);
        }
        if words.iter().all(|word| is_source(word)) {
            for word in words {
                must_be_file(word)?;
            }
            let mut files: Vec<PathBuf> = words.iter().map(PathBuf::from).collect();
            return Ok(Some(match sequence {
                true => NativeTarget::Sequence {
                    file: files.remove(0),
                    others: files,
                },
                false => NativeTarget::Sources(files),
            }));
        }
        if let [word] = words {
            return executable(word).map(Some);
        }
        let odd = words.iter().find(|word| !is_source(word));
        let name = odd.cloned().unwrap_or_default();
        Err(TargetError::NotSource { name }.into())
    }

    /// Refuses flags that are for source files alone.
    fn refuse_of_sources(&self, flags: &Flags) -> Result<(), Problem> {
        let NativeTarget::Executable(_) = self else {
            return Ok(());
        };
        let build: BuildFlags = flags.read()?;
        if !build.sanitize.is_empty() {
            return Err(TargetError::SanitizeOfBuilt.into());
        }
        if build.cflags.is_some() {
            return Err(TargetError::CflagsOfBuilt.into());
        }
        if flags.was_typed("compile-commands") {
            return Err(TargetError::DatabaseOfBuilt.into());
        }
        Ok(())
    }

    /// Is it one function, or several?
    pub fn is_function(&self) -> bool {
        matches!(
            self,
            NativeTarget::Function { .. } | NativeTarget::Sequence { .. }
        )
    }
}

/// `FILE.c::FUNCTION`, and other files, if that is what the names are.
fn function(names: &[String]) -> Result<Option<NativeTarget>, Problem> {
    let named: Vec<&String> = names.iter().filter(|name| name.contains("::")).collect();
    let [name] = named[..] else {
        return match named.is_empty() {
            true => Ok(None),
            false => Err(TargetError::SeveralFunctions.into()),
        };
    };
    let (file, function) = name.split_once("::").unwrap_or_default();
    if Path::new(file)
        .extension()
        .is_none_or(|ending| ending != "c")
    {
        return Ok(None);
    }
    if function.is_empty() {
        let (name, file) = (name.clone(), file.to_string());
        return Err(TargetError::NoFunction { name, file }.into());
    }
    must_be_file(file)?;
    let mut others = Vec::new();
    for other in names.iter().filter(|other| *other != name) {
        must_be_file(other)?;
        if !is_source(other) {
            let name = other.clone();
            return Err(TargetError::NotBesideFunction { name }.into());
        }
        others.push(PathBuf::from(other));
    }
    Ok(Some(NativeTarget::Function {
        file: file.into(),
        function: function.into(),
        others,
    }))
}

fn executable(name: &str) -> Result<NativeTarget, Problem> {
    let metadata = must_be_file(name)?;
    let extension = Path::new(name).extension().and_then(|e| e.to_str());
    if let Some(other) = extension.filter(|e| OTHER_LANGUAGES.contains(e)) {
        let (name, ending) = (name.to_string(), other.to_string());
        return Err(TargetError::OtherLanguage { name, ending }.into());
    }
    if metadata.permissions().mode() & 0o111 == 0 {
        let name = name.to_string();
        return Err(TargetError::NotExecutable { name }.into());
    }
    Ok(NativeTarget::Executable(PathBuf::from(name)))
}
