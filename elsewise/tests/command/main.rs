//! The built command, from the outside.

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
mod lsp;
mod mcp;
mod messages;
mod prolog_classes;
mod read_only;
mod report;
mod session;
mod shards;
mod solving;
mod support;
mod trust;
mod verdicts;
mod whole;
