//! What a program that stands before its first input tells of itself.

use crate::mapped::Mapped;
use crate::memory::SharedMemory;
use crate::outcome::exit_code;
use crate::plain::Plain;
use crate::server::{RawRun, Server};
use elsewise_driver::NativeError;
use elsewise_driver::Program;
use elsewise_driver::libraries::{self, Library};
use elsewise_explore::{Case, Outcome};
use elsewise_wire as wire;
use std::path::PathBuf;

/// The instrumented libraries in the program's memory, and those that it has loaded by itself before its
/// first input.
pub(super) fn libraries(
    program: &Program,
    server: &Server,
) -> Result<(Vec<Mapped>, Vec<Library>), NativeError> {
    let (mut found, mut plugins) = (Vec::new(), Vec::new());
    let known: Vec<PathBuf> = program
        .libraries
        .iter()
        .map(|path| path.canonicalize().unwrap_or_else(|_| path.clone()))
        .collect();
    for mapped in server.mapped() {
        if mapped.path == program.instrumented {
            continue;
        }
        if known.contains(&mapped.path) {
            found.push(mapped.clone());
        } else if mapped.path.is_file()
            && let Some(library) = libraries::open(&mapped.path)?
        {
            found.push(mapped.clone());
            plugins.push(library);
        }
    }
    Ok((found, plugins))
}

/// A runtime that cannot speak to the engine any more ends the program with this code.
const RUNTIME_GAVE_UP: i32 = 70;

/// A program that seems to ask for no input may instead have lost the way to the engine.
pub(super) fn check_lost_server(run: RawRun, plain: &Plain) -> Result<(), NativeError> {
    if exit_code(run.status) != Some(RUNTIME_GAVE_UP) {
        return Ok(());
    }
    match plain.run(&Case::default())?.outcome {
        Outcome::Exit(RUNTIME_GAVE_UP) => Ok(()),
        _ => Err(NativeError::Start(
            "its runtime lost the connection before the first input; a program that closes \
             descriptors it did not open cannot be explored: leave that out of the test build"
                .into(),
        )),
    }
}

/// The modules that the runtime has registered, their number checked.
pub(super) fn registered(memory: &SharedMemory) -> Result<Vec<wire::ModuleEntry>, NativeError> {
    let counters = memory.counters();
    let modules: Vec<wire::ModuleEntry> = (0..counters.modules_used)
        .map_while(|index| memory.module(index))
        .collect();
    if modules.len() != counters.modules_used as usize {
        return Err(NativeError::Start(
            "its table of modules is damaged; build the program again".into(),
        ));
    }
    Ok(modules)
}
