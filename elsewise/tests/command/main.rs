//! The built command, from the outside.

mod capture;
mod help;
mod messages;
mod support;
mod whole;
