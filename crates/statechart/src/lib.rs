//! State-machine models as subjects: QM, UML-RT and SCXML files, read into one representation.
//!
//! A reader (`qm.rs`, `umlrt.rs`, `scxml.rs`) makes a [`model::Model`] of a file or says what is wrong
//! with it, in the model's terms; `validate.rs` looks at what all of them have in common.
//!
//! A state-machine model is read into one representation (`crates/statechart/src/model.rs`), whatever format it
//! is written in: flat tables of vertices and transitions, so that nothing recurses over the depth of a machine, and
//! all names looked up, so that no index dangles. What is drawn alike but means different things stands in one
//! record, `Semantics`, each field with its source; readers (`qm.rs`, `umlrt.rs`, `scxml.rs`) give every transition the
//! kind that makes it leave and enter what its format says. `validate.rs` says what cannot be meant, in the model's
//! terms. Safety properties and invariants stand in a text file beside the model (`rules.rs`), since none of the formats
//! has a place for them. What a machine does is told by a reference in `testing/`, which generated code is tested against
//! on random models.
//!
//! ```text
//! FILE.qm ── reader ──▶ model ── generate/ ──▶ C: capsules, and a `main` that asks for messages
//!                                               │ built and run as any C program (`native`)
//!   finding ◀── places of the model ◀── `subject.rs` ◀── trace of the native front end
//! ```
//!
//! `generate/` writes a function for each state (what it does with a message) and for each transition (what is left,
//! done and entered), and keeps for each line which element it came from. `main` asks for one message after the
//! other (`step_3`, `step_3_speed`), so that the next message is a choice as any other. `elw_reached` is a switch with
//! a side for each state and transition: coverage of the model is coverage of its sides. `subject.rs` wraps the native
//! subject: it shows places of the generated code as places of the model, hides what is no part of it, and joins the
//! functions to one graph in which a transition leads to the handlers of its target, so that strategies which go
//! towards what is not covered see the state chart and not one loop that everything passes. In a system of several parts
//! (`generate/system.rs`), what sends a message leads to the handlers of who gets it; whose turn it is, and whether
//! something comes from outside before, are inputs; and wherever all are at rest, those who wait only for each other
//! are a failure. `project.rs` tells what a
//! case means, `drawing.rs` what was reached and why the rest was not; both give types of `crates/graph`, which
//! `crates/report` draws.

mod drawing;
pub mod expression;
pub mod generate;
pub mod model;
mod problem;
mod project;
mod qm;
mod rules;
mod scxml;
mod subject;
mod umlrt;
mod validate;
mod xml;

pub use problem::{Problem, Refusal, Severity};
pub use project::{CannotOpen, Project};
pub use rules::apply as apply_rules;
pub use subject::{ChartSubject, Elements, Places};
pub use validate::validate;

use model::{Model, SourcePosition};
use std::fs;
use std::path::Path;

/// A file that was read.
#[derive(Clone, Debug)]
pub struct Reading {
    pub model: Model,
    pub warnings: Vec<Problem>,
}

/// Reads a model from its text. The file's name says what it is written in.
pub fn read_text(file: &str, text: &str) -> Result<Reading, Refusal> {
    // What Windows puts before UTF-8 is no part of it.
    let text = text.trim_start_matches('\u{feff}');
    match file.rsplit('.').next() {
        Some("qm") => qm::read(file, text),
        Some("uml") => umlrt::read(file, text),
        Some("scxml") => scxml::read(file, text),
        _ => Err(Refusal::one(
            file,
            Problem::error(
                SourcePosition::default(),
                "unknown format",
                "models are .qm (QM), .uml (UML-RT) and .scxml files",
            ),
        )),
    }
}

/// Reads a model from its file, and the rules beside it, if there are any (see `rules.rs`).
pub fn read(path: &Path) -> Result<Reading, Refusal> {
    let mut reading = read_text(&path.to_string_lossy(), &text_of(path)?)?;
    let rules = path.with_extension("rules");
    if rules.is_file() {
        let text = text_of(&rules)?;
        apply_rules(&mut reading.model, &rules.to_string_lossy(), &text)?;
    }
    Ok(reading)
}

fn text_of(path: &Path) -> Result<String, Refusal> {
    let file = path.to_string_lossy();
    let refuse = |reason, message: String| {
        Refusal::one(
            &file,
            Problem::error(SourcePosition::default(), reason, message),
        )
    };
    let length = fs::metadata(path)
        .map_err(|error| refuse("cannot be read", format!("cannot be read: {error}")))?
        .len();
    if length > xml::MOST_BYTES as u64 {
        return Err(refuse(
            "too large",
            format!(
                "the file has {length} bytes; models of up to {} bytes are read",
                xml::MOST_BYTES
            ),
        ));
    }
    fs::read_to_string(path)
        .map_err(|error| refuse("cannot be read", format!("cannot be read: {error}")))
}

/// What every reader ends with: the model, unless something is wrong with it.
fn finish(model: Model, mut problems: Vec<Problem>) -> Result<Reading, Refusal> {
    problems.extend(validate(&model));
    problems.sort_by_key(|problem| (problem.place, problem.severity));
    if problems
        .iter()
        .any(|problem| problem.severity == Severity::Error)
    {
        return Err(Refusal {
            file: model.file,
            problems,
        });
    }
    Ok(Reading {
        model,
        warnings: problems,
    })
}
