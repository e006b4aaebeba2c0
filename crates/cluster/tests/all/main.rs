//! Members that share a campaign, wherever they meet: together they are one campaign.

mod access;
mod buckets;
mod faults;
mod members;
