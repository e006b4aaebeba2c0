//! Tests of terms through the crate: one binary, since each is linked anew.

mod floats;
mod forms;
mod simplifier;
