//! What all tests of a suite share.

use super::makers::Maker;
use super::names::Names;
use std::collections::BTreeSet;

/// What all tests of a suite share.
#[derive(Debug)]
pub struct Context {
    pub cpp: bool,
    pub names: Names,
    pub makers: Vec<Maker>,
    /// Parameters, with their functions, of which some behaviour gave back what they pointed to.
    pub freed: BTreeSet<(String, String)>,
}
