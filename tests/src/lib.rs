//! Support for tests of the whole program: our subjects, random small C programs with their truth
//! by brute force, and C compilers.
//!
//! What Elsewise says is compared with what plain programs do. It is run as a program, as people run
//! it; only the cases of a campaign are read through the library that wrote them.

pub mod alike;
pub mod book;
pub mod border_programs;
pub mod borders;
pub mod brute;
pub mod checked;
pub mod command;
pub mod compile;
pub mod decisions;
pub mod drivers;
pub mod generator;
pub mod heads;
pub mod interleavings;
pub mod place;
pub mod prolog;
pub mod random_functions;
pub mod subjects;
pub mod tools;
