//! Random functions with their truth by brute force: what Elsewise says of what a function is given, and
//! of where it fails, must agree with the plain function.
//!
//! A function has one to three groups of parameters, or what else it is given: globals, what stubs return.
//! Its body compares, writes and aborts. A driver in C calls it on everything that it may be given within the
//! bounds of the command line; what both have in common stands in `tests/random_functions`.

pub mod generate;
mod given;
pub mod judge;
mod members;
mod memory;
pub mod truth;
mod values;
