//! The built command, from the outside.

mod building;
mod capture;
mod check;
mod export;
mod fleet;
mod fleet_access;
mod fleet_people;
mod foreign;
mod functions;
mod help;
mod jobs;
mod keep;
mod keys;
mod messages;
mod named;
mod prolog_classes;
mod read_only;
mod report;
mod shards;
mod solving;
mod support;
mod trust;
mod verdicts;
mod whole;
