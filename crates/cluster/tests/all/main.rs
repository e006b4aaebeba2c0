//! Members that share a campaign, wherever they meet: together they are one campaign.

mod access;
mod buckets;
mod damaged;
mod faults;
mod foreign;
mod members;
mod network;
mod relay;
