//! `elsewise` with one front end: counter machines.

use elsewise_frontend::FrontEnd;
use std::process::ExitCode;

static FRONT_ENDS: [&dyn FrontEnd; 1] = [&elsewise_counter::FRONT_END];

fn main() -> ExitCode {
    elsewise::main(&FRONT_ENDS)
}
