//! Made-up campaigns for the tests of what other tools read.

use super::{BranchSite, FindingContext, Material, Passed, Side};
use crate::samples;
use elsewise_campaign::{Finding, Frame, Summary};
use elsewise_explore::Case;

/// What a [`Material`] borrows.
pub struct Sample {
    pub summary: Summary,
    pub finding: Finding,
    pub case: Case,
    pub call: Option<String>,
    pub path: Vec<Passed>,
    pub places: Vec<BranchSite>,
}

impl Sample {
    pub fn material(&self) -> Material<'_> {
        Material {
            summary: &self.summary,
            findings: vec![FindingContext {
                finding: &self.finding,
                case: Some(&self.case),
                call: self.call.clone(),
                path: self.path.clone(),
                reproduce: "elsewise replay bst.elsewise/findings/1".into(),
            }],
            places: self.places.clone(),
            made: 1_700_000_000,
        }
    }
}

fn frame(file: &str, line: u32, function: &str) -> Frame {
    Frame {
        file: file.into(),
        line,
        column: 9,
        function: function.into(),
    }
}

fn place(file: &str, line: u32, reached: &[bool]) -> BranchSite {
    let count = reached.len() as u64;
    let sides = reached.iter().enumerate().map(|(way, reached)| Side {
        name: super::way_name(count, way as u64),
        reached: *reached,
    });
    BranchSite {
        at: frame(file, line, "insert"),
        sides: sides.collect(),
    }
}

pub fn usual() -> Sample {
    let (finding, case) = samples::finding();
    let mut summary = samples::summary();
    summary.findings = vec![finding.clone()];
    Sample {
        summary,
        finding,
        case,
        call: None,
        path: vec![
            Passed {
                at: frame("bst.c", 12, "insert"),
                way: "true".into(),
            },
            Passed {
                at: frame("bst.c", 20, "insert"),
                way: "case 2".into(),
            },
        ],
        places: vec![
            place("bst.c", 12, &[true, true]),
            place("bst.c", 12, &[true, false]),
            place("bst.c", 20, &[false, true, false, false]),
            place("lib/list.c", 7, &[false, false]),
        ],
    }
}

/// The same with `text` wherever a subject, a source or its author has a word to say.
pub fn with(text: &str) -> Sample {
    let mut sample = usual();
    for word in [
        &mut sample.finding.kind,
        &mut sample.finding.message,
        &mut sample.finding.file,
        &mut sample.finding.function,
        &mut sample.finding.note,
        &mut sample.summary.subject,
    ] {
        *word = text.to_owned();
    }
    let frames = sample.finding.stack.iter_mut();
    let frames = frames.chain(sample.path.iter_mut().map(|passed| &mut passed.at));
    for frame in frames.chain(sample.places.iter_mut().map(|place| &mut place.at)) {
        frame.file = text.to_owned();
        frame.function = text.to_owned();
    }
    for passed in &mut sample.path {
        passed.way = text.to_owned();
    }
    // Where there is a call, some forms leave the inputs out.
    sample.call = (text.len() % 2 == 1).then(|| text.to_owned());
    sample.case = samples::case(&[(text, text.as_bytes().to_vec())]);
    sample.summary.findings = vec![sample.finding.clone()];
    sample.summary.unconfirmed = vec![sample.finding.clone()];
    sample
}
