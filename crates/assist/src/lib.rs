//! Explorations and campaigns for those who do not type commands: editors, by a language server (`lsp`), and coding
//! agents, by tools of the Model Context Protocol (`mcp`).
//!
//! Campaigns are read here, and reading runs nothing. Whatever runs something (`explore`, `replay`) is this very program
//! as a child process with words that could as well have been typed: contained as ever, ended with the server, and
//! unable to take the server down. What weakens containment, by whomever it is said, is asked of a person first; an
//! agent is refused it.
//!
//! The language server is written against the specification directly. `lsp-server` ends with the first malformed
//! message, and allocates what a header asks for; `lsp-types`, `gen-lsp-types` and `ls-types` each compile all of the
//! protocol, which takes as long as all of this crate, for the twenty objects that are used. The tools for agents use
//! `rmcp`: its handshake has several versions, and that is work for those who make the protocol.
//!
//! Absent on purpose: languages, and the terminal.

mod commands;
pub mod lsp;
pub mod mcp;

use elsewise_frontend::{FrontEnd, Problem, SavedSubject};
use std::path::{Path, PathBuf};

/// What the command has for whoever serves others with it.
#[derive(Clone)]
pub struct Host {
    pub front_ends: &'static [&'static dyn FrontEnd],
    /// The program that explores.
    pub program: PathBuf,
    /// Its version.
    pub version: &'static str,
    /// Opens what a campaign has saved of its subject.
    pub saved: fn(&Path) -> Result<Box<dyn SavedSubject>, Problem>,
    /// What an `explore` of these words in this folder, with the settings file there, would let a subject or a compiler
    /// do beyond what they usually may.
    pub risks: fn(&Path, &[String]) -> Result<Vec<String>, Problem>,
}
