//! Tests of Erlang subjects through the crate: one binary, since each is linked anew.

mod beam;
mod paper;
