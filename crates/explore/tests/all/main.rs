//! Tests of the exploration through the crate: one binary, since each is linked anew.

mod schedules;
mod tree_reference;
