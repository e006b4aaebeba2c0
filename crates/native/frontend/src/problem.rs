//! What an error of native programs means to the command.

use elsewise_frontend::{Exit, Problem};
use elsewise_native::NativeError;
use elsewise_native::types::TypesError;

pub fn problem(error: NativeError) -> Problem {
    let exit = match error {
        NativeError::Usage(_)
        | NativeError::NotInstrumented(_)
        | NativeError::Types(TypesError::NoDebug) => Exit::Usage,
        _ => Exit::Subject,
    };
    Problem {
        exit,
        message: error.to_string(),
    }
}
