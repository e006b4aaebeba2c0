//! How a program is run, as its user says.

use crate::memory::Capacities;
use crate::server::{MOVES, ServerSettings};
use crate::streams::Stdin;
use crate::surroundings::Surroundings;
use elsewise_contain::Containment;
use elsewise_driver::NativeError;
use elsewise_driver::Program;
use elsewise_wire::threads::MemoryModel;
use std::ffi::OsString;
use std::time::Duration;

/// How a program is run.
#[derive(Clone, Debug)]
pub struct NativeOptions {
    /// Parts of them may be inputs; see [`Surroundings`].
    pub args: Vec<OsString>,
    /// Added to the environment.
    pub env: Vec<(OsString, OsString)>,
    pub stdin: Stdin,
    pub time_limit: Duration,
    /// Bytes that a run may take; 0 = no limit.
    pub memory_limit: u64,
    /// Ask what input would make an operation go wrong that does not fail by itself.
    pub checks: bool,
    /// Functions whose sites count, where not all of the program is of interest.
    pub counted: Option<Vec<String>>,
    /// Inputs that are pointers of a function's, each with what it is called.
    pub pointers: Vec<(String, String)>,
    pub capacities: Capacities,
    /// Moves that the threads of a run may make.
    pub move_limit: u64,
    /// Waits of each thread for a condition that may end without a signal.
    pub spurious: u64,
    /// When others see what a thread stores.
    pub memory_model: MemoryModel,
    /// Whether some order of the calls of operations explains their results is looked at.
    pub operations: bool,
    /// A process that can put itself back after a run has the next one, too.
    pub reuse: bool,
    pub containment: Containment,
}

impl Default for NativeOptions {
    fn default() -> Self {
        NativeOptions {
            args: Vec::new(),
            env: Vec::new(),
            stdin: Stdin::Free { max: 4096 },
            time_limit: Duration::from_secs(2),
            memory_limit: 0,
            checks: true,
            counted: None,
            pointers: Vec::new(),
            capacities: Capacities::default(),
            move_limit: MOVES,
            spurious: 0,
            memory_model: MemoryModel::default(),
            operations: false,
            reuse: true,
            containment: Containment::default(),
        }
    }
}

/// How a program's fork server is started.
pub(crate) fn settings(
    program: &Program,
    options: &NativeOptions,
) -> Result<ServerSettings, NativeError> {
    let env = joined(program.env(), &options.env);
    Ok(ServerSettings {
        surroundings: Surroundings::new(&options.args, &env)?,
        capacities: options.capacities,
        time_limit: options.time_limit,
        memory_limit: options.memory_limit,
        checks: options.checks,
        objects: program.sanitizers.memory,
        stdin: options.stdin,
        move_limit: options.move_limit,
        spurious: options.spurious,
        memory_model: options.memory_model,
        operations: options.operations,
        reuse: options.reuse,
        containment: options.containment.clone(),
        ..ServerSettings::new(&program.instrumented)
    })
}

/// The environment that a build needs, and then the user's wishes.
pub(crate) fn joined(
    mut ours: Vec<(OsString, OsString)>,
    users: &[(OsString, OsString)],
) -> Vec<(OsString, OsString)> {
    ours.extend_from_slice(users);
    ours
}
