//! Findings in the page: what, where, by which choices, on which input, and what to do about it.

use super::highlight::{Highlighter, Syntax};
use super::source::{FileView, SourceFile};
use super::{push_html, visible};
use crate::decisive::{Decisive, decisive};
use crate::finding::{fatal, place, replay_command};
use crate::numbers::{self, plural};
use crate::{Picture, hex};
use elsewise_campaign::{Finding, Survey};
use elsewise_explore::Case;
use std::fmt::Write;

/// Lines of source on either side of the failing one.
const CONTEXT: u32 = 4;
/// Bytes of one input that are shown.
const DUMP: usize = 1024;
/// Frames of the stack.
const FRAMES: usize = 16;

/// A finding with what belongs to it.
pub struct FindingPart<'a> {
    pub finding: &'a Finding,
    /// The inputs that make it happen, where they could be read.
    pub case: Option<&'a Case>,
    /// What the case looks like to those who wrote the subject, where a front end knows.
    pub picture: Option<&'a dyn Picture>,
    /// The command that looks at it more closely.
    pub debug: String,
    /// The command that keeps it as a test.
    pub keep: String,
}

/// A finding as the page has it.
pub(super) struct FindingView {
    pub id: u32,
    pub kind: String,
    pub message: String,
    pub place: String,
    /// Where its line is in the page.
    pub link: Option<String>,
    pub excerpt: String,
    pub decisive: Vec<(String, String, Option<String>)>,
    pub stack: Vec<String>,
    pub picture: Option<String>,
    pub picture_text: String,
    /// It needs a schedule of threads.
    pub scheduled: bool,
    /// Name, size and bytes.
    pub inputs: Vec<(String, String, String)>,
    pub runs: String,
    /// Of a data race, whether executions that have it fail; empty of others.
    pub fatal: String,
    pub commands: Vec<(&'static str, String)>,
}

pub(super) fn views(
    parts: &[FindingPart<'_>],
    files: &[FileView],
    sources: &[SourceFile],
    survey: &Survey,
) -> Vec<FindingView> {
    let link = |file: &str, line: u32| {
        let name = visible(file);
        let file = files.iter().find(|file| file.name == name)?;
        (line > 0 && !file.html.is_empty()).then(|| format!("#f{}l{line}", file.number))
    };
    let text_of = |file: &str| {
        let source = sources.iter().find(|source| source.name == file)?;
        source.text.clone()
    };
    parts
        .iter()
        .map(|part| {
            let finding = part.finding;
            let source = sources.iter().find(|source| source.name == finding.file);
            let excerpt = source.and_then(|source| {
                let text = source.text.as_deref()?;
                Some(excerpt(text, source.syntax, finding))
            });
            let decisive = decisive(survey, finding);
            let folder = finding.path.to_string_lossy();
            let terminal = crate::Terminal::default();
            FindingView {
                id: finding.id,
                kind: visible(&finding.kind),
                message: visible(&finding.message),
                place: place(&finding.file, finding.line, &finding.function),
                link: link(&finding.file, finding.line),
                excerpt: excerpt.unwrap_or_default(),
                decisive: decisive
                    .iter()
                    .map(|choice| deciding(choice, survey, &link, &text_of))
                    .collect(),
                stack: finding
                    .stack
                    .iter()
                    .take(FRAMES)
                    .map(|frame| place(&frame.file, frame.line, &frame.function))
                    .collect(),
                picture: part.picture.map(Picture::svg),
                picture_text: part
                    .picture
                    .map(|picture| picture.text(terminal))
                    .map_or_else(String::new, |text| unstyled(&text)),
                scheduled: part.case.is_some_and(|case| !case.schedule.is_empty()),
                inputs: inputs(part),
                runs: plural(finding.runs, "run", "runs"),
                fatal: fatal(finding).unwrap_or_default(),
                commands: vec![
                    ("Reproduce", replay_command(&folder, "")),
                    ("Debug", visible(&part.debug)),
                    ("Keep as a test", visible(&part.keep)),
                ],
            }
        })
        .collect()
}

fn deciding(
    choice: &Decisive,
    survey: &Survey,
    link: &dyn Fn(&str, u32) -> Option<String>,
    text_of: &dyn Fn(&str) -> Option<String>,
) -> (String, String, Option<String>) {
    let location = &survey.sites[choice.site.0 as usize].location;
    (
        place(&location.file, location.line, &location.function),
        choice.words(survey, text_of),
        link(&location.file, location.line),
    )
}

/// Inputs as bytes, where no picture says what they mean.
fn inputs(part: &FindingPart<'_>) -> Vec<(String, String, String)> {
    let told = part.picture.is_some_and(Picture::shows_inputs);
    let inputs = part.case.filter(|_| !told);
    inputs
        .into_iter()
        .flat_map(|case| &case.inputs)
        .map(|(name, bytes)| {
            (
                visible(name),
                numbers::bytes(bytes.len() as u64),
                hex::dump(bytes, DUMP),
            )
        })
        .collect()
}

fn excerpt(text: &str, syntax: &'static Syntax, finding: &Finding) -> String {
    let first = finding.line.saturating_sub(CONTEXT).max(1);
    let last = finding.line.saturating_add(CONTEXT);
    let mut highlighter = Highlighter::new(syntax);
    let mut html = String::new();
    if finding.line == 0 || text.lines().nth(finding.line as usize - 1).is_none() {
        return html;
    }
    for (line, text) in (1u32..).zip(text.lines()) {
        // Lines before the excerpt may begin a comment.
        let mut shown = String::new();
        highlighter.line(&text.replace('\t', "    "), &mut shown);
        if (first..=last).contains(&line) {
            let class = if line == finding.line { " bad" } else { "" };
            let _ = writeln!(
                html,
                "<div class=\"l{class}\"><a>{line}</a><code>{shown}</code></div>"
            );
            if line == finding.line {
                html.push_str("<div class=\"why bad\">");
                push_html(&mut html, &finding.message);
                html.push_str("</div>\n");
            }
        }
        if line >= last {
            break;
        }
    }
    html
}

/// Text without the styles that a terminal is given, line by line.
fn unstyled(text: &str) -> String {
    let bare = anstream::adapter::strip_str(text).to_string();
    let lines: Vec<String> = bare.lines().map(visible).collect();
    lines.join("\n")
}
