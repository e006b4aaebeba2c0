//! What one run may take where nothing is said, and what it gets at most of somebody else's campaign.

/// Milliseconds.
pub const TIMEOUT_MS: u64 = 2000;
/// Megabytes of memory.
pub const MEMORY_MB: u64 = 2048;
/// Megabytes of files.
pub(crate) const DISK_MB: u64 = 256;

/// The same of somebody else's campaign, whatever that says. Replaying waits three times as long.
pub(crate) const STRANGERS_TIMEOUT_MS: u64 = 10_000;
