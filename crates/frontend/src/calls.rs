//! What subjects have in common whose cases are calls with arguments that can be written down, made by a machine of
//! their language: functions and predicates.

mod built;
mod saved;

pub use built::BuiltCalls;
pub use saved::SavedCalls;

use crate::contain::Contained;
use crate::error::FrontEndError;
use crate::notices;
use crate::observations::runs_nothing;
use crate::problem::Problem;
use crate::request::ExportRequest;
use crate::saved::Never;
use elsewise_campaign::{Store, read_regular};
use elsewise_child::Starter;
use elsewise_explore::{Case, Subject};
use elsewise_graph::{Behaviour, Call, Derivation, Ending, Field, Graph, Value};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The input that cases have the arguments in.
pub const ARGUMENTS: &str = "args";
/// How such a subject is built and called; what a campaign saves of it.
pub trait CallRecord: Clone + Serialize + DeserializeOwned {
    type Project: CallProject + Clone;

    /// What a schedule moves.
    const MOVER: &'static str;
    /// What a shell of the language is that has made the call, in words.
    const SHELL: &'static str;

    /// What is called.
    fn name(&self) -> &str;

    /// Where it is, and a hash of that file as it was.
    fn file(&self) -> (&Path, &str);

    fn contained(&self) -> &Contained;

    /// Compiles or loads it on machines of this starter, where runs may take so many times longer.
    fn open(&self, starter: Starter, patience: u32) -> Result<Self::Project, Problem>;

    /// The call of a case in the subject's language.
    fn written(&self, project: &Self::Project, case: &Case) -> String;

    /// Becomes a shell of the language that has made the call.
    fn become_shell(saved: &SavedCalls<Self>, case: &Case) -> Result<Never, Problem>;

    /// Runs what has to be run so that its cases can become tests.
    fn observe_tests(saved: &SavedCalls<Self>, store: &Store, end: Instant) -> Result<(), Problem>;

    /// Writes its cases as tests.
    fn export(
        saved: &SavedCalls<Self>,
        store: &Store,
        request: &ExportRequest,
    ) -> Result<(), Problem>;
}

/// Such a subject, compiled or loaded.
pub trait CallProject {
    /// What bounds its inputs, in words.
    fn bounds(&self) -> Vec<String>;

    fn subject(&self) -> Result<Box<dyn Subject>, Problem>;

    /// The arguments of a case in the subject's language.
    fn arguments(&self, case: &Case) -> Vec<String>;

    /// What the call of a case gives.
    fn result(&self, case: &Case) -> Result<String, Problem>;

    /// What called what, where the language has that.
    fn derivation(&self, case: &Case) -> Option<Derivation> {
        let _ = case;
        None
    }
}

/// Independent of the working directory, so that a replay elsewhere does the same.
pub fn absolute(file: &Path) -> Result<PathBuf, Problem> {
    let absolute = fs::canonicalize(file).map_err(|source| FrontEndError::UnreadableSubject {
        name: file.display().to_string(),
        source,
    })?;
    Ok(absolute)
}

/// The file as it is.
pub fn hash(file: &Path) -> String {
    let bytes = read_regular(file).unwrap_or_default();
    let hash = Sha256::digest(&bytes);
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Says so if a file is not as it was.
pub fn warn_if_changed(file: &Path, was: &str) {
    // Who only looks is shown what it did, and the file may be any of the reader's.
    if !runs_nothing() && hash(file) != was {
        notices::warning(&format!(
            "{} has changed since it was explored: what is shown is what it does now",
            file.display()
        ));
    }
}

/// What a case does, as far as its call tells.
pub fn behaviour(
    run: u64,
    function: &str,
    arguments: Vec<String>,
    returned: Option<String>,
    ending: Ending,
) -> Behaviour {
    let field = |text: String| Field {
        name: String::new(),
        ty: "term()".into(),
        value: Value::Named(text),
    };
    Behaviour {
        case: run,
        before: Graph::default(),
        calls: vec![Call {
            function: function.into(),
            arguments: arguments.into_iter().map(field).collect(),
            result: returned.map(field),
            returns: None,
        }],
        stubs: Vec::new(),
        after: None,
        ending,
        reached: Vec::new(),
    }
}
