//! What the user named as the subject.

use crate::charts::Chart;
use crate::erlang::Call;
use crate::exit::Problem;
use crate::prolog::Predicate;
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A subject as named, checked as far as that goes without building it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named {
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
    /// A function of an Erlang or Elixir module.
    Call(Call),
    /// A predicate of a Prolog program.
    Predicate(Predicate),
    /// A state-machine model.
    Chart(Chart),
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

impl Named {
    pub fn new(names: &[String]) -> Result<Named, Problem> {
        if let Some(call) = Call::named(names)? {
            return Ok(Named::Call(call));
        }
        if let Some(predicate) = Predicate::named(names)? {
            return Ok(Named::Predicate(predicate));
        }
        if let Some(chart) = Chart::named(names)? {
            return Ok(Named::Chart(chart));
        }
        if let Some(named) = function(names)? {
            return Ok(named);
        }
        if names.iter().all(|name| is_source(name)) {
            for name in names {
                must_be_file(name)?;
            }
            return Ok(Named::Sources(names.iter().map(PathBuf::from).collect()));
        }
        if let [name] = names {
            return executable(name);
        }
        let odd = names.iter().find(|name| !is_source(name));
        Err(Problem::usage(format!(
            "`{}` is not a C or C++ source file: give one or more .c or .cc files, or one executable built with \
             elsewise-cc (the subject's own arguments come after --)",
            odd.map(String::as_str).unwrap_or_default()
        )))
    }

    /// Name of the campaign directory when the user gives none.
    pub fn campaign(&self) -> PathBuf {
        let stem = match self {
            Named::Sources(files) => files[0].file_stem(),
            Named::Executable(path) => path.file_name(),
            Named::Function { function, .. } => Some(function.as_ref()),
            Named::Call(call) => Some(call.function.as_ref()),
            Named::Predicate(predicate) => Some(predicate.name.as_ref()),
            Named::Chart(chart) => match &chart.capsule {
                Some(capsule) => Some(capsule.as_ref()),
                None => chart.file.file_stem(),
            },
        };
        let mut name = stem.unwrap_or("subject".as_ref()).to_os_string();
        name.push(".elsewise");
        PathBuf::from(name)
    }
}

/// `FILE.c::FUNCTION`, and other files, if that is what the names are.
fn function(names: &[String]) -> Result<Option<Named>, Problem> {
    let named: Vec<&String> = names.iter().filter(|name| name.contains("::")).collect();
    let [name] = named[..] else {
        return match named.is_empty() {
            true => Ok(None),
            false => Err(Problem::usage(
                "one function at a time: name one FILE.c::FUNCTION, and the other files without a \
                 function",
            )),
        };
    };
    let (file, function) = name.split_once("::").unwrap_or_default();
    if Path::new(file)
        .extension()
        .is_none_or(|ending| ending != "c")
    {
        return Err(Problem::usage(format!(
            "`{name}`: functions are subjects of C, Erlang and Elixir, and predicates of Prolog: give \
             FILE.c::FUNCTION, FILE.erl::FUNCTION/ARITY, FILE.ex::MODULE.FUNCTION/ARITY or \
             FILE.pl::PREDICATE/ARITY"
        )));
    }
    if function.is_empty() {
        return Err(Problem::usage(format!(
            "`{name}` names no function: give {file}::FUNCTION, or {file} for the whole program"
        )));
    }
    must_be_file(file)?;
    let mut others = Vec::new();
    for other in names.iter().filter(|other| *other != name) {
        must_be_file(other)?;
        if !is_source(other) {
            return Err(Problem::usage(format!(
                "`{other}` is not a C source file: beside a function there can be files that it \
                 needs, and nothing else"
            )));
        }
        others.push(PathBuf::from(other));
    }
    Ok(Some(Named::Function {
        file: file.into(),
        function: function.into(),
        others,
    }))
}

pub fn must_be_file(name: &str) -> Result<fs::Metadata, Problem> {
    match fs::metadata(name) {
        Ok(metadata) if metadata.is_dir() => Err(Problem::usage(format!(
            "`{name}` is a directory: give the .c files in it, or an executable built with \
             elsewise-cc"
        ))),
        Ok(metadata) => Ok(metadata),
        Err(error) => Err(Problem::usage(format!(
            "cannot read the subject `{name}`: {error}; check the path"
        ))),
    }
}

fn executable(name: &str) -> Result<Named, Problem> {
    let metadata = must_be_file(name)?;
    let extension = Path::new(name).extension().and_then(|e| e.to_str());
    if let Some(other) = extension.filter(|e| OTHER_LANGUAGES.contains(e)) {
        return Err(Problem::usage(format!(
            "`{name}`: .{other} files are not subjects yet: give .c files, or an executable built \
             with elsewise-cc"
        )));
    }
    if metadata.permissions().mode() & 0o111 == 0 {
        return Err(Problem::usage(format!(
            "`{name}` is neither a .c file nor an executable: give .c files, or an executable \
             built with elsewise-cc"
        )));
    }
    Ok(Named::Executable(PathBuf::from(name)))
}

/// Variables as `--env` has them.
pub fn variables(given: &[String]) -> Result<Vec<(OsString, OsString)>, Problem> {
    given
        .iter()
        .map(|text| match text.split_once('=') {
            Some((name, value)) if !name.is_empty() => Ok((name.into(), value.into())),
            _ => Err(Problem::usage(format!(
                "--env {text}: write NAME=VALUE, as in --env HOME=/"
            ))),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn campaigns_are_named_after_the_subject() {
        let of = |named: Named| named.campaign().display().to_string();
        assert_eq!(
            of(Named::Sources(vec!["src/bst.c".into(), "b.c".into()])),
            "bst.elsewise"
        );
        assert_eq!(
            of(Named::Executable("./readtags".into())),
            "readtags.elsewise"
        );
        assert_eq!(of(Named::Executable("bin/a.out".into())), "a.out.elsewise");
    }
}
