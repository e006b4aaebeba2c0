//! Features that are off by default. `cargo xtask optional` builds a command that has them, and runs these.

mod cloud;
mod spans;
