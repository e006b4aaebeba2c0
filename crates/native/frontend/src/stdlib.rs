//! `stdlib`: builds the C++ standard library, instrumented.

use crate::cache::mebibytes;
use crate::program_error::ProgramError;
use clap::Args;
use elsewise_driver::cc::{Driver, Messages, Mode, Standard};
use elsewise_driver::{Cache, NativeError, Toolchain};
use elsewise_frontend::verbs::Format;
use elsewise_frontend::{Exit, Problem, notices};
use serde::Serialize;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;

/// Build the C++ standard library, instrumented.
///
/// Once per machine and version, from the source of GNU's libstdc++ (on Debian the package
/// gcc-12-source). C++ programs that are built afterwards are followed through streams, locales and
/// everything else in it; without it, what they read with `std::cin` is counted as not followed.
#[derive(Debug, Args)]
pub struct StdlibArgs {
    /// A folder libstdc++-v3, or an archive of GCC's source; where the system keeps it, if not
    /// given.
    #[arg(long, value_name = "PATH")]
    pub source: Option<PathBuf>,

    /// Build it even if it is there.
    #[arg(long)]
    pub again: bool,

    /// Form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

#[derive(Serialize)]
struct Built {
    schema: u32,
    archive: String,
    sources: usize,
    all_sources: usize,
    bytes: u64,
    /// Whether it was built just now.
    built: bool,
}

pub fn stdlib(args: &StdlibArgs) -> Result<Exit, Problem> {
    let driver = driver().map_err(ProgramError::Installation)?;
    let present = driver.standard_library().filter(|_| !args.again);
    let built = present.is_none();
    let found = match present {
        Some(found) => found,
        None => {
            let shown = std::io::stderr().is_terminal();
            let tell = |done: usize, all: usize| {
                if shown {
                    // That nobody sees how far it is, is no reason to stop.
                    let _ = write!(std::io::stderr(), "\r{done} of {all} sources");
                }
            };
            let made = driver.build_standard_library(args.source.as_deref(), &tell);
            if shown {
                let _ = writeln!(std::io::stderr());
            }
            made.map_err(ProgramError::Installation)?
        }
    };
    match args.format {
        Format::Text => {
            notices::result(&format!("{}\n{}\n", text(&found), found.archive.display()))
        }
        Format::Json => notices::json(&Built {
            schema: 1,
            archive: found.archive.display().to_string(),
            sources: found.sources.0,
            all_sources: found.sources.1,
            bytes: found.bytes,
            built,
        })?,
    }
    Ok(Exit::Clean)
}

fn driver() -> Result<Driver, NativeError> {
    let driver = Driver::new(Toolchain::find()?, Cache::user()?, Messages::Keep)?;
    Ok(driver.with_mode(Mode::Cxx))
}

/// What `doctor` says of it, if it is there.
pub fn found() -> Option<String> {
    let found = driver().ok()?.standard_library()?;
    Some(text(&found))
}

fn text(found: &Standard) -> String {
    let left = match found.left.as_slice() {
        [] => String::new(),
        left => format!(" (not {})", left.join(", ")),
    };
    format!(
        "{} of {} sources instrumented{left}, {}",
        found.sources.0,
        found.sources.1,
        mebibytes(found.bytes)
    )
}
