//! State-machine models as subjects: QM, UML-RT and SCXML files, read into one representation.
//!
//! A reader (`qm.rs`, `umlrt.rs`, `scxml.rs`) makes a [`model::Model`] of a file or says what is wrong
//! with it, in the model's terms; `validate.rs` looks at what all of them have in common.

pub mod chance;
mod drawing;
pub mod expression;
pub mod generate;
pub mod model;
mod problem;
mod project;
pub mod qm;
pub mod random;
pub mod reference;
mod rules;
pub mod scxml;
mod subject;
pub mod umlrt;
mod validate;
mod xml;

pub use problem::{Problem, Refusal, Severity};
pub use project::{CannotOpen, Project};
pub use rules::apply as apply_rules;
pub use subject::{ChartSubject, Elements, Places};
pub use validate::validate;

use model::{Model, Place};
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
                Place::default(),
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
        Refusal::one(&file, Problem::error(Place::default(), reason, message))
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
