//! What is expected of a subject: the fields of `expect.toml`, for all languages.

use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expectation {
    /// The kind of the failure, as the summary spells it: `assertion`, `segv`, `deadlock`, `badmatch` …
    pub kind: String,
    /// Kinds of what the same bug shows as well, in marked lines.
    #[serde(default)]
    pub also: Vec<String>,
    /// Words of the message.
    #[serde(default)]
    pub message: String,
    /// Options of `elsewise explore`.
    #[serde(default)]
    pub options: Vec<String>,
    /// The program's own arguments; `@@` and `@arg:N` mark inputs.
    #[serde(default)]
    pub args: Vec<String>,
    /// The function or predicate, as the command line names it behind `::`.
    pub entry: Option<String>,
    /// Whether all paths of both twins are explored, without any approximation.
    #[serde(default)]
    pub complete: bool,
    /// What fails, worked out by hand, and is tried on the plain program.
    pub witness: Option<Witness>,
    /// Inputs of any length: some that fail and have as few bytes as any that do, by name, in hexadecimal. What is
    /// found must have at most twice as many.
    pub smallest: Option<BTreeMap<String, String>>,
    /// Why random testing does not find the bug.
    pub random: Option<String>,

    /// C: can random testing's driver run it? It knows standard input and `elsewise_input` only.
    #[serde(default = "yes")]
    pub driver: bool,
    /// C: further translation units, of both twins.
    #[serde(default)]
    pub units: Vec<String>,
    /// C: the failed assertion does not say where it stands.
    #[serde(default)]
    pub says_no_place: bool,
    /// Functions of C: runs that it takes at most to find everything that fails.
    pub runs: Option<u64>,

    /// Erlang: orders of messages that differ; the source says why they are so many.
    pub executions: Option<u64>,
    /// Erlang: what CutEr needed for the function that this one is told after.
    pub cuter_executions: Option<u64>,
    pub cuter_seconds: Option<f64>,
    pub cuter_crashing: Option<u64>,

    /// Prolog: a pattern of what is thrown, for the check of the plain program.
    pub ball: Option<String>,

    /// State machines: what is wrong, as many findings as sentences.
    #[serde(default)]
    pub bugs: Vec<String>,
    /// State machines: where a bug can show itself at several places, at most so many are found.
    pub most: Option<usize>,
    /// State machines: what makes the twin of one that has none as a file: a piece of the text, and what it should
    /// be.
    pub repair: Option<[String; 2]>,
    /// State machines: it has tests of its own, in `tests/tests/whole/charts.rs`, and none here.
    #[serde(default)]
    pub elsewhere: bool,
}

fn yes() -> bool {
    true
}

#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Witness {
    /// A call or a query, in the language's own words.
    Call(String),
    /// Inputs by name (`stdin`, `file`, or as `elsewise_input` was told), in hexadecimal.
    Inputs(BTreeMap<String, String>),
}
