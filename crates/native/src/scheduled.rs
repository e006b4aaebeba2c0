//! A case with a schedule in a file, for the instrumented program to follow without an engine: what a
//! debugger is given.

use crate::memory::{Capacities, SharedMemory};
use crate::options::{NativeOptions, settings};
use crate::plain::LaidOut;
use crate::server::settle;
use crate::streams;
use elsewise_driver::NativeError;
use elsewise_driver::Program;
use elsewise_explore::Case;
use elsewise_wire::ENV_RUN;
use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Nobody reads the trace: what does not fit is no loss.
const CAPACITIES: Capacities = Capacities {
    nodes: 1 << 16,
    events: 1 << 16,
    coverage: 4 << 20,
    input: 16 << 20,
};

/// Writes a case for a program as files into `folder`: its main input, and what the runtime reads.
pub fn lay_out_run(
    program: &Program,
    options: &NativeOptions,
    case: &Case,
    folder: &Path,
) -> Result<LaidOut, NativeError> {
    let settings = settings(program, options)?;
    let main = settings.surroundings.main_key();
    let streams = streams::of_case(case, main, options.stdin);
    let input = folder.join(main);
    let bytes = streams.first().map_or(&[][..], |(_, _, bytes)| bytes);
    fs::write(&input, bytes).map_err(NativeError::io("write", &input))?;
    let identity = fs::metadata(&input).map_err(NativeError::io("read", &input))?;

    let path = folder.join("%run");
    let file = File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(true)
        .open(&path)
        .map_err(NativeError::io("write", &path))?;
    let free = matches!(options.stdin, crate::Stdin::Free { .. });
    let memory = SharedMemory::lay_out(file, CAPACITIES, free, options.memory_limit)
        .map_err(NativeError::io("write", &path))?;
    settle(&memory, &settings);
    memory.set_file((identity.dev(), identity.ino()));
    let given = streams.iter();
    let given = given.map(|(name, occurrence, bytes)| (&name[..], *occurrence, &bytes[..]));
    if !memory.set_input(given) {
        return Err(NativeError::Start(format!(
            "the case does not fit the {} bytes that are set aside for it",
            CAPACITIES.input
        )));
    }
    let named = settings.surroundings.names_file();
    let ready = settings.surroundings.for_server(named.then_some(&*input));
    let mut env = ready.env;
    env.push((ENV_RUN.into(), path.into()));
    Ok(LaidOut {
        stdin: if named { "/dev/null".into() } else { input },
        args: ready.args,
        env,
    })
}
