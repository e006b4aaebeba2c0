//! The loop at work.
