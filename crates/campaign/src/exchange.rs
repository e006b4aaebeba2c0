//! Others who look for inputs of the same program in a way of their own, as fuzzers do.

use elsewise_explore::Case;

/// A case that others have found.
pub struct Found {
    pub case: Case,
    /// It has reached something that nobody among them had reached. Others are run when nothing else is left to try.
    pub is_new: bool,
}

/// See the module's comment.
pub trait Exchange {
    /// Cases that they have found since they were asked last. Those that were run before are not run again.
    fn take(&mut self) -> Vec<Found>;

    /// Gives them a case that has reached something new here.
    fn give(&mut self, case: &Case);
}
