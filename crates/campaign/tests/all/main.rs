//! Tests of campaigns through the crate: one binary, since each is linked anew.

mod damage;
mod findings;
mod killed;
mod paths;
mod resume;
mod survey;
mod threads;
