//! What the command asks of a native subject before it is built.

use crate::built;
use crate::contained_flags::only_compiles;
use crate::flags::{
    BUILD, BuildFlags, DATABASE, DatabaseFlags, FUNCTION, INPUT, OPERATIONS, RUN, SEQUENCE, THREADS,
};
use crate::names::NativeTarget;
use elsewise_driver::commands;
use elsewise_frontend::flags::{FlagGroup, Flags, STEPS, SUBSUMPTION};
use elsewise_frontend::{BuiltSubject, ExploreRequest, Problem, Target};
use std::ffi::OsString;

impl Target for NativeTarget {
    fn describe(&self) -> &'static str {
        match self.is_function() {
            true => "a function of C",
            false => "a program",
        }
    }

    fn stem(&self) -> OsString {
        let stem = match self {
            NativeTarget::Sources(files) => files[0].file_stem(),
            NativeTarget::Sequence { file, .. } => file.file_stem(),
            NativeTarget::Executable(path) => path.file_name(),
            NativeTarget::Function { function, .. } => Some(function.as_ref()),
        };
        stem.unwrap_or("subject".as_ref()).to_os_string()
    }

    fn flags(&self) -> Vec<&'static FlagGroup> {
        let mut groups = vec![
            &BUILD,
            &DATABASE,
            &INPUT,
            &RUN,
            &THREADS,
            &OPERATIONS,
            &SEQUENCE,
            &SUBSUMPTION,
            &STEPS,
        ];
        if self.is_function() {
            groups.push(&FUNCTION);
        }
        groups
    }

    fn instead_of(&self, flag: &str) -> Option<&'static str> {
        match flag {
            "include" | "macro" => {
                Some("give the compiler's own flags in --cflags '-Iinclude -DN=3'")
            }
            _ if FUNCTION.flags().iter().any(|one| one == flag) => {
                Some("give FILE.c::FUNCTION, or leave it out")
            }
            _ => None,
        }
    }

    fn has_arguments(&self) -> bool {
        !matches!(self, NativeTarget::Function { .. })
    }

    fn risky_flags(&self, flags: &Flags) -> Option<String> {
        let cflags = flags.read::<BuildFlags>().ok()?.cflags?;
        (!only_compiles(&cflags)).then_some(cflags)
    }

    fn risky_project(&self, flags: &Flags) -> Option<String> {
        let NativeTarget::Function { file, .. } = self else {
            return None;
        };
        let given = flags.read::<DatabaseFlags>().ok()?.compile_commands;
        let known = commands::flags_for(file, given.as_deref()).ok().flatten()?;
        passes_on(&known.args)
    }

    fn build(&self, request: &ExploreRequest) -> Result<Box<dyn BuiltSubject>, Problem> {
        built::build(self, request)
    }
}

/// The first option that hands a word on to a part of the compiler: that part could be told to load code.
fn passes_on(options: &[OsString]) -> Option<String> {
    let hands_on =
        |option: &str| matches!(option, "-Xclang" | "-Xpreprocessor") || option.starts_with("-Wp,");
    let words: Vec<_> = options.iter().map(|word| word.to_string_lossy()).collect();
    let at = words.iter().position(|word| hands_on(word))?;
    let shown: Vec<&str> = words[at..].iter().take(2).map(|word| &**word).collect();
    Some(shown.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn campaigns_are_named_after_the_subject() {
        let of = |target: NativeTarget| target.stem();
        let sources = vec!["src/bst.c".into(), "b.c".into()];
        assert_eq!(of(NativeTarget::Sources(sources)), "bst");
        assert_eq!(
            of(NativeTarget::Executable("./readtags".into())),
            "readtags"
        );
        assert_eq!(of(NativeTarget::Executable("bin/a.out".into())), "a.out");
    }
}
