//! Tests of state-machine models through the crate: one binary, since each is linked anew.

mod bad;
mod generated;
mod order;
mod random;
mod readers;
mod support;
