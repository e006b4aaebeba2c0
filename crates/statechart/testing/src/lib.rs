//! What state-machine models are tested and measured with; nothing of the product uses it.
//!
//! `reference.rs` tells what a machine does, step by step and as plainly as possible: generated code is
//! tested against it on random models (`random.rs`), and it runs the W3C's tests of SCXML. The code in a
//! model is evaluated by `evaluate.rs`. `chance.rs` sends messages by chance, which exploration is measured
//! against.

pub mod chance;
mod evaluate;
pub mod random;
pub mod reference;
