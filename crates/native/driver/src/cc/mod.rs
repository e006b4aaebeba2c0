//! The compiler driver behind `elsewise-cc` and `elsewise-cxx`: a drop-in for clang and clang++
//! that builds everything twice.
//!
//! `-c` compiles a source to an instrumented object that carries its uninstrumented twin in a
//! section of its own, so that `ar`, libtool and installation move both at once. A link puts the
//! runtime into the instrumented program, links the twins to a plain program, and embeds that one
//! the same way; a shared library takes the runtime from the program that loads it. Everything
//! else is clang's alone.

mod compile;
pub(crate) mod flags;
mod key;
mod link;
pub(crate) mod options;
mod place;
pub(crate) mod response;
pub(crate) mod standard;
mod unit;
mod watch;

pub use standard::{Standard, is_of_standard_library};

use crate::NativeError;
use crate::artefacts::{Cache, Unpacked};
use crate::builds::Builds;
use crate::objects;
use crate::toolchain::Toolchain;
use elsewise_wire::PLAIN_SECTION;
use options::{Action, CommandLine};
use std::cell::RefCell;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Tells the pass that several threads run the code.
const THREADS: &str = "ELSEWISE_THREADS";
/// Tells the pass which functions are operations; as a macro it tells the driver.
const OPERATIONS: &str = "ELSEWISE_OPERATIONS";
/// Longer command lines go through a response file.
const LONG_COMMAND: usize = 64 << 10;
/// How much of a tool's output is kept for an error.
const MAX_OUTPUT: usize = 256 << 10;

/// What becomes of the tools' messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Messages {
    /// They go where the driver's own go, as a compiler's do.
    Through,
    /// They are kept for the error.
    Keep,
}

/// What the compiler takes a source for, and which libraries it links, as by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// clang, gcc.
    C,
    /// clang++, g++.
    Cxx,
}

impl Mode {
    /// The mode that a compiler of this name is in: `c++`, `g++-12`, `elsewise-cxx`.
    pub fn of_name(name: &str) -> Mode {
        let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '-' || c == '.');
        if name.ends_with("++") || name.ends_with("cxx") {
            Mode::Cxx
        } else {
            Mode::C
        }
    }

    fn option(self) -> Option<&'static str> {
        match self {
            Mode::C => None,
            Mode::Cxx => Some("--driver-mode=g++"),
        }
    }
}

/// Builds subjects.
pub struct Driver {
    mode: Mode,
    toolchain: Toolchain,
    unpacked: Unpacked,
    /// Where our own files last.
    lasting: PathBuf,
    /// Where finished builds are kept, if they are.
    builds: Option<Builds>,
    messages: Messages,
    /// How instrumented code is optimised where the user says nothing of it.
    silence: &'static str,
    notes: RefCell<Vec<String>>,
}

/// A tool that did not succeed: its exit code, and its messages where they were kept.
#[derive(Debug)]
pub(crate) struct Failed {
    tool: String,
    code: i32,
    output: String,
}

#[derive(Debug)]
pub(crate) enum Stop {
    Tool(Failed),
    Other(NativeError),
}

impl From<Stop> for NativeError {
    fn from(stop: Stop) -> NativeError {
        match stop {
            Stop::Tool(failed) => NativeError::Tool {
                tool: failed.tool,
                output: failed.output,
            },
            Stop::Other(error) => error,
        }
    }
}

impl From<NativeError> for Stop {
    fn from(error: NativeError) -> Stop {
        Stop::Other(error)
    }
}

impl Driver {
    pub fn new(
        toolchain: Toolchain,
        cache: Cache,
        messages: Messages,
    ) -> Result<Driver, NativeError> {
        Ok(Driver {
            mode: Mode::C,
            unpacked: cache.unpack(toolchain.release)?,
            lasting: cache.lasting().to_path_buf(),
            toolchain,
            builds: Builds::of(&cache)?,
            messages,
            silence: "-O0",
            notes: RefCell::default(),
        })
    }

    pub fn with_mode(self, mode: Mode) -> Driver {
        Driver { mode, ..self }
    }

    /// Instrumented code that is about to be run many times: optimised unless the user forbids it.
    pub(crate) fn for_many_runs(self) -> Driver {
        Driver {
            silence: "-O1",
            ..self
        }
    }

    /// Does what a compiler called with `args` does.
    pub fn build(&self, args: &[OsString]) -> Result<(), NativeError> {
        Ok(self.dispatch(args)?)
    }

    /// What the user should know of the last builds.
    pub fn take_notes(&self) -> Vec<String> {
        std::mem::take(&mut self.notes.borrow_mut())
    }

    fn note(&self, text: String) {
        self.notes.borrow_mut().push(text);
    }

    fn dispatch(&self, args: &[OsString]) -> Result<(), Stop> {
        let args = response::expand(args)?;
        let line = CommandLine::parse(&args);
        // A device such as /dev/null holds no twin, and is nothing to be replaced or removed; what
        // comes out of a pipe cannot be read twice.
        let special = |path: &OsStr| fs::metadata(path).is_ok_and(|found| !found.is_file());
        let paths = line.sources().map(|source| source.path);
        let action = match paths.chain(line.output.as_deref()).any(special) {
            true => Action::Pass,
            false => line.action,
        };
        match action {
            Action::Pass => {
                let mut args = args;
                // Preprocessing a source of a subject needs the header as well.
                if line.sources().next().is_some() {
                    args.push("-isystem".into());
                    args.push(self.unpacked.include.clone().into());
                }
                self.clang(&args, self.messages).map(drop)
            }
            Action::Compile => self.compile_all(&line),
            Action::Link => self.link(&line),
        }
    }

    fn compiler(&self) -> Compiler<'_> {
        Compiler {
            mode: self.mode,
            clang: &self.toolchain.clang,
        }
    }

    /// Runs the compiler; its messages go where they belong, and are given back where they are kept.
    fn clang(&self, args: &[OsString], messages: Messages) -> Result<String, Stop> {
        self.compiler().run(args, messages)
    }

    /// What is in `target`, with the plain twin in the section that is made for it.
    fn embedded(&self, plain: &[u8], target: &Path, excluded: bool) -> Result<Vec<u8>, Stop> {
        let mut bytes = fs::read(target).map_err(NativeError::io("read", target))?;
        if !objects::add_section(&mut bytes, PLAIN_SECTION, plain, excluded) {
            return Err(Stop::Other(NativeError::BadProgram {
                path: target.to_path_buf(),
                reason: "it is no ELF file that a section can be added to".into(),
            }));
        }
        Ok(bytes)
    }
}

/// The compiler as several threads may use it.
#[derive(Clone, Copy)]
struct Compiler<'a> {
    mode: Mode,
    clang: &'a Path,
}

impl Compiler<'_> {
    fn run(self, args: &[OsString], messages: Messages) -> Result<String, Stop> {
        let mut all: Vec<OsString> = Vec::with_capacity(args.len() + 1);
        all.extend(self.mode.option().map(OsString::from));
        all.extend_from_slice(args);
        tool(self.clang, &all, messages)
    }
}

/// Runs a tool; gives back what it said where that is kept.
fn tool(tool: &Path, args: &[OsString], messages: Messages) -> Result<String, Stop> {
    let name = tool
        .file_name()
        .unwrap_or(tool.as_os_str())
        .to_string_lossy()
        .into_owned();
    let cannot = |error| Stop::Other(NativeError::io("run", tool)(error));
    let mut command = Command::new(tool);
    elsewise_contain::process::end_with_us(&mut command);
    if args.iter().any(|arg| arg == "-pthread") {
        command.env(THREADS, "1");
    }
    let named = args.iter().find_map(|arg| {
        let arg = arg.to_str()?.strip_prefix("-D")?;
        arg.strip_prefix(OPERATIONS)?.strip_prefix('=')
    });
    if let Some(named) = named {
        command.env(OPERATIONS, named);
    }
    let response;
    if args.iter().map(|arg| arg.len() + 1).sum::<usize>() > LONG_COMMAND {
        response = tempfile::NamedTempFile::new().map_err(cannot)?;
        fs::write(response.path(), response::write(args)).map_err(cannot)?;
        let mut arg = OsString::from("@");
        arg.push(response.path());
        command.arg(arg);
    } else {
        command.args(args);
    }
    let (status, output) = match messages {
        Messages::Through => (command.status().map_err(cannot)?, String::new()),
        Messages::Keep => {
            let output = command.stdin(Stdio::null()).output().map_err(cannot)?;
            let mut text = output.stderr;
            text.extend(output.stdout);
            text.truncate(MAX_OUTPUT);
            (output.status, String::from_utf8_lossy(&text).into_owned())
        }
    };
    if status.success() {
        return Ok(output);
    }
    Err(Stop::Tool(Failed {
        tool: name,
        code: status.code().unwrap_or(1),
        output,
    }))
}

/// The whole compiler: `args` begin with the name that it was called by, which says whether it is
/// a C or a C++ compiler; what the driver itself has to say goes to `errors`. The result is the
/// exit code.
pub fn main_cc(mut args: Vec<OsString>, errors: &mut dyn Write) -> i32 {
    let name = match args.is_empty() {
        true => "elsewise-cc".to_string(),
        false => Path::new(&args.remove(0))
            .file_name()
            .map_or_else(Default::default, |name| name.to_string_lossy().into_owned()),
    };
    let mode = Mode::of_name(&name);
    let complain = |errors: &mut dyn Write, text: &str| {
        // Nothing is left to do when even the complaint cannot be written.
        let _ = writeln!(errors, "{name}: {text}");
    };
    let toolchain = match Toolchain::find() {
        Ok(toolchain) => toolchain,
        Err(error) => {
            complain(errors, &error.to_string());
            return 1;
        }
    };
    let off = env::var_os("ELSEWISE_OFF").is_some_and(|value| !value.is_empty() && value != "0");
    if off {
        return match Command::new(&toolchain.clang)
            .args(mode.option())
            .args(&args)
            .status()
        {
            Ok(status) => status.code().unwrap_or(1),
            Err(error) => {
                complain(errors, &format!("{}: {error}", toolchain.clang.display()));
                1
            }
        };
    }
    let driver = Cache::user().and_then(|cache| Driver::new(toolchain, cache, Messages::Through));
    let driver = match driver {
        Ok(driver) => driver.with_mode(mode),
        Err(error) => {
            complain(errors, &error.to_string());
            return 1;
        }
    };
    place::clean_up_on_signals();
    let result = driver.dispatch(&args);
    for note in driver.take_notes() {
        complain(errors, &format!("note: {note}"));
    }
    match result {
        Ok(()) => 0,
        Err(Stop::Tool(failed)) => {
            let _ = errors.write_all(failed.output.as_bytes());
            failed.code
        }
        Err(Stop::Other(error)) => {
            complain(errors, &error.to_string());
            1
        }
    }
}
