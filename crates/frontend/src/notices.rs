//! What front ends say to the user while they work. They do not print: the command says where it goes.

use crate::error::FrontEndError;
use crate::problem::Problem;
use elsewise_report::Terminal;
use serde::Serialize;
use std::sync::OnceLock;

/// Where words for the user go.
pub trait Notices: Sync + Send {
    /// A part of the result.
    fn result(&self, text: &str);

    /// A part of the result that is not for people: nothing is taken out of it.
    fn raw(&self, text: &str);

    /// Something that the user ought to know, beside the result.
    fn note(&self, text: &str);

    /// The same where something may not be as the user expects it.
    fn warning(&self, text: &str);

    /// What results are drawn on.
    fn terminal(&self) -> Terminal;
}

static NOTICES: OnceLock<&'static dyn Notices> = OnceLock::new();

/// From now on, words go there; the first who says so is obeyed.
pub fn go_to(notices: &'static dyn Notices) {
    NOTICES.get_or_init(|| notices);
}

pub fn result(text: &str) {
    if let Some(notices) = NOTICES.get() {
        notices.result(text);
    }
}

/// A result, as one JSON object on one line.
pub fn json(value: &impl Serialize) -> Result<(), Problem> {
    let line = elsewise_report::json_object(value).map_err(FrontEndError::NotJson)?;
    if let Some(notices) = NOTICES.get() {
        notices.raw(&format!("{line}\n"));
    }
    Ok(())
}

pub fn note(text: &str) {
    if let Some(notices) = NOTICES.get() {
        notices.note(text);
    }
}

pub fn warning(text: &str) {
    if let Some(notices) = NOTICES.get() {
        notices.warning(text);
    }
}

pub fn terminal() -> Terminal {
    let notices = NOTICES.get();
    notices.map_or_else(Terminal::default, |notices| notices.terminal())
}
