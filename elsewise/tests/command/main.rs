//! The built command, from the outside.

mod help;
mod messages;
mod support;
mod whole;
