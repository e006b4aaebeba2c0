//! Tests of what is read of C and of the harnesses that are written: one binary, since each is linked anew.

mod function;
mod types;
