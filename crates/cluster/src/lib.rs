//! One campaign on many machines.
//!
//! Everybody who takes part (a *member*) explores portions of one tree, each in a campaign of its own that it forgets
//! afterwards. What travels is small: a [`Queue`] has the names of portions, and leases them; a [`Store`] has what a portion
//! is, and in the end what was found behind it. Whoever has nothing to do says so, and whoever has something leaves half of
//! it. Nobody keeps the tree: whoever wants it puts the parts together as shards are put together ([`gather`]), and
//! that tree alone says what is complete. So whatever queue and store lose or do twice costs time, and never a word that
//! is not true.
//!
//! Absent on purpose: languages, the command, and whatever an engine for queues does: leases, redelivery, replication.

mod access;
mod address;
mod books;
mod bucket;
mod bucket_address;
#[cfg(feature = "buckets")]
mod cloud;
mod error;
mod explorer;
mod files;
mod folder;
mod gather;
mod member;
mod memory;
mod names;
mod nats;
mod objects;
mod pack;
mod place;
mod pulse;
#[cfg(feature = "server")]
pub mod server;
mod watch;

pub use access::{Permissions, authority, credentials};
pub use address::{Place, Storage};
pub use bucket::{AgreedBucket, Bucket, bucket_credentials};
pub use bucket_address::{BucketAddress, Provider};
pub use error::ClusterError;
pub use explorer::{Duty, Explored, Explorer, World};
pub use folder::Folder;
pub use gather::{Gathered, Status, gather, status};
pub use member::{Agreed, Joined, Member};
pub use memory::Memory;
pub use names::{Key, Kind, Task};
pub use nats::Nats;
pub use pack::About;
pub use place::{Cluster, Got, Lease, Queue, Store};
pub use pulse::{Doing, Heart, Pulse, Watching, members};
