//! Pass.
