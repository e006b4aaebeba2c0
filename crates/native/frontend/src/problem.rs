//! What an error of native programs means to the command.

use elsewise_driver::NativeError;
use elsewise_frontend::{Exit, Problem};

pub fn problem(error: NativeError) -> Problem {
    let exit = match error {
        NativeError::Usage(_) | NativeError::NotInstrumented(_) => Exit::Usage,
        _ => Exit::Subject,
    };
    Problem {
        exit,
        message: error.to_string(),
    }
}
