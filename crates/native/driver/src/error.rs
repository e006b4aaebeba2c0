//! What can go wrong on the engine side of a native subject, from its sources to its runs.

use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum NativeError {
    #[error("the time was over before the run was")]
    Late,
    #[error("{tool} was not found: {advice}")]
    MissingTool { tool: &'static str, advice: String },
    #[error("{} is {is}, which this build of Elsewise has no pass for: {advice}", path.display())]
    OtherCompiler {
        path: PathBuf,
        is: String,
        advice: String,
    },
    #[error(
        "this build of Elsewise has no {0} in it: install clang and the headers of LLVM (on Debian \
         clang-22 and llvm-22-dev) and build Elsewise again"
    )]
    MissingArtefact(&'static str),
    #[error("cannot {what} {}: {source}", path.display())]
    Io {
        what: &'static str,
        path: PathBuf,
        source: io::Error,
    },
    #[error("{tool} failed; correct what it reports and try again\n{output}")]
    Tool { tool: String, output: String },
    #[error(
        "{} is not an executable built by elsewise-cc: build it with CC=elsewise-cc, or give the \
         C source instead", .0.display()
    )]
    NotInstrumented(PathBuf),
    #[error(
        "{} holds no uninstrumented twin (was it stripped?): build it again with CC=elsewise-cc \
         and leave it as linked", .0.display()
    )]
    NoPlain(PathBuf),
    #[error("{}: {reason}; build the program again", path.display())]
    BadProgram { path: PathBuf, reason: String },
    #[error("cannot use the cache directory: {0}; set ELSEWISE_CACHE to a directory to write to")]
    Cache(String),
    #[error("{0}")]
    Usage(String),
    /// What the compiler says of types and functions cannot be read.
    #[error("{0}")]
    Types(String),
    #[error("the subject cannot be started: {0}{limit}", limit = elsewise_contain::process::address_space())]
    Start(String),
}

impl NativeError {
    pub fn io(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> NativeError {
        let path = path.to_path_buf();
        move |source| NativeError::Io { what, path, source }
    }
}
