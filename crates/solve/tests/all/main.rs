//! Tests of the solver through the crate: one binary, since each is linked anew.

mod agreement;
mod common;
mod floats;
mod limits;
mod nearness;
mod operators;
