//! One source of a command line, and what is asked for of it.

use super::flags;
use super::options::{CommandLine, Source};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// One source of a command line.
#[derive(Clone, Copy)]
pub(super) struct Unit<'a> {
    pub line: &'a CommandLine,
    pub source: Source<'a>,
}

/// What the user wants to be told of the files that a source is made of.
pub(super) struct Dependencies {
    /// The options that say so, without where to.
    pub options: Vec<OsString>,
    pub file: PathBuf,
}

impl Unit<'_> {
    /// The object, where nobody says what it is called.
    fn object(&self) -> PathBuf {
        let path = Path::new(self.source.path).with_extension("o");
        path.file_name().map_or_else(|| "a.o".into(), PathBuf::from)
    }

    /// What is called by name: dependencies are told of that.
    pub fn named(&self) -> PathBuf {
        let output = self.line.output.as_ref();
        output.map_or_else(|| self.object(), PathBuf::from)
    }

    pub fn dependencies(&self) -> Option<Dependencies> {
        let mut told = Dependencies {
            options: Vec::new(),
            file: self.named().with_extension("d"),
        };
        let (mut wanted, mut of) = (false, false);
        for option in self.line.options() {
            let name = option[0].to_string_lossy();
            if !flags::is_dependency(&name) {
                continue;
            }
            if let Some(joined) = name.strip_prefix("-MF") {
                told.file = option.get(1).map_or_else(|| joined.into(), PathBuf::from);
                continue;
            }
            wanted |= matches!(&*name, "-MD" | "-MMD");
            of |= name.starts_with("-MT") || name.starts_with("-MQ");
            told.options.extend_from_slice(option);
        }
        if !of {
            told.options.extend(["-MT".into(), self.named().into()]);
        }
        wanted.then_some(told)
    }
}
