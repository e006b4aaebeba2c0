//! Random C and C++ programs whose input goes through libraries, with their truth by brute force: what
//! is followed there, given up and said of it must agree with the plain program.
//!
//! A program takes its input in one of many ways, sends it through one to three calls of libraries, and
//! aborts for one value of what comes out. Snippets of all that stand in `tests/borders`, as people
//! would write them; the plain program says which values there are.

pub mod driver;
pub mod generate;
pub mod judge;
pub mod table;
pub mod tally;
pub mod truth;
