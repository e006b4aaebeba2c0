//! What an error of native programs means to the command.

use elsewise_driver::NativeError;
use elsewise_frontend::Problem;

pub fn problem(error: NativeError) -> Problem {
    match error {
        NativeError::Usage(_) | NativeError::NotInstrumented(_) => Problem::usage(error),
        _ => Problem::subject(error),
    }
}
