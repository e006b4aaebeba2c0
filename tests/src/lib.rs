//! Support for tests of the whole program: our subjects, random small C programs with their truth
//! by brute force, and C compilers.
//!
//! Nothing here looks into Elsewise: what is compared with it comes from running plain programs.

pub mod brute;
pub mod compile;
pub mod generator;
pub mod random;
pub mod subjects;
