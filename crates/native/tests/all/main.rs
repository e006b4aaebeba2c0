//! Tests of C and C++ subjects through the crate: one binary, since each is linked anew.

mod again;
mod borders;
mod csmith;
mod cxx;
mod driver;
mod library_page;
mod program;
mod random_programs;
mod relation;
mod sanitizers;
mod soundness;
