//! What each framework calls a check, a test and a suite.

pub mod check;
pub mod cmocka;
pub mod criterion;
pub mod gtest;
pub mod tap;
