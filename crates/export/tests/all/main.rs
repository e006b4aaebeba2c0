//! Tests of exported tests through the crate: one binary, since each is linked anew.

mod export;
mod export_any;
