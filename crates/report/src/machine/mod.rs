//! What other tools read of a campaign: SARIF, JUnit, Code Climate's issues, lcov, Cobertura, JSON, Graphviz,
//! and lines as compilers write them.
//!
//! All of them are made from one [`Material`]; each has a file of its own. What a subject or its
//! author chose (names, messages, inputs, source) goes through the escaping of the format.

mod cobertura;
mod code_quality;
mod document;
mod dot;
mod junit;
mod lcov;
mod markdown;
mod problems;
#[cfg(test)]
mod samples;
mod sarif;
#[cfg(test)]
mod tests;
mod uri;
mod xml;

pub use cobertura::cobertura;
pub use code_quality::code_quality;
pub use document::{SCHEMA as DOCUMENT_SCHEMA, document};
pub(crate) use dot::quoted as dot_quoted;
pub use dot::{TreeEnd, TreeNode, TreeWay, tree_dot};
pub use junit::junit;
pub use lcov::lcov;
pub use markdown::markdown;
pub use problems::problems;
pub use sarif::{FINGERPRINT, fingerprint, sarif};
pub use xml::content as xml_content;

use crate::names;
use elsewise_campaign::{Finding, Frame, Summary};
use elsewise_explore::Case;

/// A format, as `report` has a flag for it.
pub struct Format {
    pub flag: &'static str,
    /// What it is, and for whom.
    pub about: &'static str,
    /// What is wrong where a campaign cannot be written so.
    pub write: fn(&Material<'_>) -> Result<String, String>,
}

/// The formats that are made from a [`Material`] alone.
pub const FORMATS: &[Format] = &[
    Format {
        flag: "sarif",
        about: "Findings as SARIF 2.1.0, with the choices of each run as a code flow: for GitHub and editors",
        write: |material| sarif(material).map_err(|error| error.to_string()),
    },
    Format {
        flag: "junit",
        about: "Findings as JUnit's XML: for CI services",
        write: |material| junit(material).map_err(|error| error.to_string()),
    },
    Format {
        flag: "code-quality",
        about: "Findings as Code Climate's issues in JSON: for GitLab's merge requests",
        write: |material| code_quality(material).map_err(|error| error.to_string()),
    },
    Format {
        flag: "problems",
        about: "Findings as lines that compilers write, FILE:LINE:COLUMN: error: MESSAGE: for editors",
        write: |material| Ok(problems(&material.summary.subject, &material.findings)),
    },
    Format {
        flag: "markdown",
        about: "Findings as a comment in Markdown, empty if there are none: for a pull request",
        write: |material| Ok(markdown(material)),
    },
    Format {
        flag: "lcov",
        about: "Coverage of branches as lcov's tracefile: for genhtml and coverage views",
        write: |material| Ok(lcov(&material.places)),
    },
    Format {
        flag: "cobertura",
        about: "Coverage of branches as Cobertura's XML: for GitLab and Jenkins",
        write: |material| Ok(cobertura(material)),
    },
    Format {
        flag: "json",
        about: "Everything as one JSON document, whose schema is in the book",
        write: |material| document(material).map_err(|error| error.to_string()),
    },
];

/// What a campaign has to tell.
pub struct Material<'a> {
    pub summary: &'a Summary,
    pub findings: Vec<FindingContext<'a>>,
    /// Places where choices are made, by file, line and column; not those of our own libraries.
    pub places: Vec<BranchSite>,
    /// When the report was made: seconds since 1970.
    pub made: u64,
}

/// A finding and what led to it.
pub struct FindingContext<'a> {
    pub finding: &'a Finding,
    pub case: Option<&'a Case>,
    /// The call that the case is, where it can be written down: it says more than the bytes.
    pub call: Option<String>,
    /// Choices of the run in their order.
    pub path: Vec<Passed>,
    /// Command that reproduces it.
    pub reproduce: String,
}

/// A choice that a run made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passed {
    pub at: Frame,
    /// What it took: `true`, `case 2`, `value 17`.
    pub way: String,
}

/// A place where choices are made, and what came of its sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BranchSite {
    pub at: Frame,
    pub sides: Vec<Side>,
}

/// One way out of a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side {
    /// `true`, `false`, `case 2`, `default`.
    pub name: String,
    pub reached: bool,
}

/// The name of a place's side.
pub fn way_name(sides: u64, way: u64) -> String {
    match (sides, way) {
        (2, 0) => "true".to_owned(),
        (2, _) => "false".to_owned(),
        (sides, way) if way + 1 == sides => "default".to_owned(),
        (_, way) => format!("case {}", way + 1),
    }
}

impl BranchSite {
    fn is_reached(&self) -> bool {
        self.sides.iter().any(|side| side.reached)
    }
}

/// Places by file, in the order in which they come.
fn by_file(places: &[BranchSite]) -> Vec<(&str, &[BranchSite])> {
    places
        .chunk_by(|one, other| one.at.file == other.at.file)
        .map(|chunk| (chunk[0].at.file.as_str(), chunk))
        .collect()
}

/// Places of one file by line.
fn by_line(places: &[BranchSite]) -> Vec<(u32, &[BranchSite])> {
    places
        .chunk_by(|one, other| one.at.line == other.at.line)
        .map(|chunk| (chunk[0].at.line, chunk))
        .collect()
}

/// The failure in one line, with its function but without its file.
fn headline(finding: &Finding) -> String {
    let what = crate::finding::what(finding);
    match names::readable(&finding.function).as_ref() {
        "" => what,
        function => format!("{what} (in {function})"),
    }
}

/// The kind of a failure and its place, as they stand above it everywhere.
fn title(finding: &Finding) -> String {
    let place = crate::finding::place(&finding.file, finding.line, &finding.function);
    format!("{} at {place}", crate::escape::text(&finding.kind))
}
