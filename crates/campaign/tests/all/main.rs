//! Tests of campaigns through the crate: one binary, since each is linked anew.

mod damage;
mod exchange;
mod findings;
mod killed;
mod paths;
mod portions;
mod resume;
mod sessions;
mod shards;
mod survey;
mod threads;

/// A folder in memory where there is such a place: thousands of small campaigns wait for the disk
/// otherwise.
fn folder() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").unwrap_or_else(|_| tempfile::tempdir().unwrap())
}
