//! What can be wrong with building and running native programs, and with what campaigns have of them.

use elsewise_driver::NativeError;
use elsewise_frontend::{Advice, CommandError, Exit, Problem};
use std::io;
use std::path::PathBuf;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum ProgramError {
    #[error(transparent)]
    Native(NativeError),
    /// Of a verb that has no subject.
    #[error(transparent)]
    Installation(NativeError),

    // Building.
    #[error("cannot make a folder to build in, in {}: {source}", place.display())]
    NoBuildFolder { place: PathBuf, source: io::Error },
    #[error("cannot write what is to be built to {}: {source}", folder.display())]
    NotGenerated { folder: PathBuf, source: io::Error },
    #[error("{}: {source}", folder.display())]
    NotCleared { folder: PathBuf, source: io::Error },

    // Campaigns.
    #[error("{} is missing", path.display())]
    Missing { path: PathBuf },
    #[error("the case has a schedule of threads, and {}, which can follow it, is missing", path.display())]
    MissingForThreads { path: PathBuf },

    // Debuggers.
    #[error("gdb was not found")]
    NoGdb,
    #[error("cannot start {}: {source}", gdb.display())]
    NotStarted { gdb: PathBuf, source: io::Error },
    #[error("--shell is for languages that have one")]
    NoShell,
    #[error("cannot write the case into {}: {source}", campaign.display())]
    UnwrittenCase {
        campaign: PathBuf,
        source: io::Error,
    },
    #[error("cannot make {}: {source}", path.display())]
    NoWorkFolder { path: PathBuf, source: io::Error },
    #[error("cannot write {}: {source}", path.display())]
    UnwrittenScript { path: PathBuf, source: io::Error },

    // Tests that are exported.
    #[error("{} is the campaign of a program", campaign.display())]
    NotOfFunction { campaign: PathBuf },
    #[error("--as {framework} is not for C, and the campaign is of C")]
    NotForC { framework: String },
    #[error(
        "no case asked for a value with __VERIFIER_nondet_int or its kin, which is all that a test \
         suite of Test-Comp can hold"
    )]
    NothingAsked,
    #[error("cannot read the program {file}: {source}")]
    UnreadableSource { file: String, source: io::Error },
    #[error("cannot write into {}: {source}", folder.display())]
    UnwrittenSuite { folder: PathBuf, source: io::Error },
}

/// What an error of native programs means to the command.
pub fn problem(mut error: NativeError) -> Problem {
    // Advice follows in the next line.
    if let NativeError::Tool { output, .. } = &mut error {
        output.truncate(output.trim_end().len());
    }
    ProgramError::Native(error).into()
}

impl CommandError for ProgramError {
    fn exit(&self) -> Exit {
        use ProgramError::*;
        match self {
            Native(NativeError::Usage(_) | NativeError::NotInstrumented(_)) => Exit::Usage,
            Native(_) | NoBuildFolder { .. } | NotGenerated { .. } | NoGdb | NotStarted { .. } => {
                Exit::Subject
            }
            UnwrittenSuite { .. } => Exit::Unwritten,
            _ => Exit::Usage,
        }
    }

    fn advice(&self) -> Option<Advice> {
        use ProgramError::*;
        match self {
            NoBuildFolder { .. } | NotGenerated { .. } => {
                Advice::semicolon("set TMPDIR to a directory that can be written to")
            }
            Missing { .. } | MissingForThreads { .. } => {
                Advice::semicolon("run the same `elsewise explore` again to restore it")
            }
            NoGdb => Advice::colon("run `apt-get install gdb`, or replay without --gdb"),
            NoShell => Advice::colon("use --gdb"),
            UnwrittenCase { .. } => Advice::semicolon("is the directory writable?"),
            NoWorkFolder { .. } | UnwrittenScript { .. } => Advice::semicolon("is the disk full?"),
            NotOfFunction { .. } => Advice::colon(
                "tests can be exported of functions, which are explored as FILE.c::FUNCTION",
            ),
            NotForC { .. } => Advice::colon("use --as tap, cmocka, check, criterion or gtest"),
            NothingAsked => Advice::colon("use --json, or the files in the campaign's `cases`"),
            UnreadableSource { .. } => {
                Advice::semicolon("a test suite has its hash: run this where the campaign was run")
            }
            UnwrittenSuite { .. } => Advice::semicolon("give --out a folder that can be written"),
            Native(NativeError::Tool { output, .. }) if output.contains("file not found") => {
                Advice::below(
                    "the project's build knows where its headers are: `elsewise capture -- make` writes that into \
                 compile_commands.json, which is used from then on, as one that CMake or Meson has written is; or give \
                 --cflags '-Iinclude'",
                )
            }
            Native(_) | Installation(_) | NotCleared { .. } | NotStarted { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exit_code_tells_a_subject_from_an_installation() {
        let missing = || NativeError::MissingArtefact("pass");
        assert_eq!(problem(missing()).exit(), Exit::Subject);
        assert_eq!(ProgramError::Installation(missing()).exit(), Exit::Usage);
        let other = NativeError::NotInstrumented("a".into());
        assert_eq!(problem(other).exit(), Exit::Usage);
    }
}
