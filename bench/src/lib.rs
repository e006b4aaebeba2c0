//! What Elsewise costs and finds, measured: `cargo measure NAME`.
//!
//! Each measurement is a table of subjects, and what is peculiar to it. What they share stands once:
//! `engine` explores, `runner` has rounds, clocks, tables and verdicts, `source` and `compile`
//! fetch and build other people's programs, which `package` lists, and `judgements` are what people
//! said of findings in them.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "what is measured is printed"
)]

mod bench;
mod charts;
mod ci;
pub mod command;
mod compare;
mod compile;
pub mod engine;
mod erlang;
mod fleet;
mod functions;
mod headers;
mod judgements;
mod known;
mod overhead;
mod package;
mod packages;
mod pair;
mod picture;
mod prolog;
mod rate;
pub mod realworld;
pub mod runner;
mod scale;
pub mod source;
mod structures;
mod subsume;
mod threaded;
mod threads;
