//! The page of a campaign: what it shows is gathered here.

use crate::{campaigns, languages};
use elsewise_campaign::{Finding, RunEnd, RunInfo, Store, Summary, Survey};
use elsewise_explore::Case;
use elsewise_frontend::sources::{Quoted, Sources};
use elsewise_frontend::{FindingPicture, Problem, SavedSubject, saved};
use elsewise_report::html::{CaseRow, FindingPart, Page, SourceFile};
use elsewise_report::{CaseLine, Picture, SideNames, escape_bytes, sides};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Cases that the page lists.
const CASES: usize = 500;
/// Cases of a function, each of which is run to see what it does.
const BEHAVIOURS: usize = 200;
/// Bytes of an input that a line of the table begins with.
const INPUT: usize = 96;

/// The page of a campaign; `live` while it is being explored.
pub fn page(campaign: &Path, live: bool) -> Result<String, Problem> {
    let store = campaigns::open(campaign)?;
    let summary = campaigns::summary(&store)?;
    let survey = store.survey()?;
    let subject = languages::saved(campaign)?;
    let sides = sides(&survey, summary.reaches_all());
    let sources = sources(campaign, &survey, &summary);
    let shown: Vec<(FindingPicture, Option<Case>)> = summary
        .findings
        .iter()
        .map(|finding| {
            let case = subject.case_of(&store, finding).ok();
            let shown = subject.picture(finding, case.as_ref(), Some(&survey));
            (shown, case)
        })
        .collect();
    let pictures: Vec<Option<Box<dyn Picture + '_>>> =
        shown.iter().map(|(shown, _)| shown.picture()).collect();
    let findings = summary
        .findings
        .iter()
        .zip(&shown)
        .zip(&pictures)
        .map(|((finding, (_, case)), picture)| FindingPart {
            finding,
            case: case.as_ref(),
            picture: picture.as_deref(),
            debug: subject.debug_command(finding),
            keep: campaigns::keep(campaign, finding, subject.tests_folder()),
        })
        .collect();
    let drawings = subject.drawings(&store, summary.reaches_all())?;
    let page = Page {
        drawings: &drawings,
        cases: cases(&store, &survey, &summary, subject.as_ref())?,
        summary: &summary,
        survey: &survey,
        sides: &sides,
        sources: &sources,
        findings,
        live,
    };
    Ok(page.html())
}

/// The files that the page has something to say about, as they are now.
fn sources(campaign: &Path, survey: &Survey, summary: &Summary) -> Vec<SourceFile> {
    let sites = survey.sites.iter().filter(|site| !site.hidden);
    let mut names: BTreeSet<&str> = sites.map(|site| site.location.file.as_str()).collect();
    names.extend(summary.findings.iter().map(|finding| finding.file.as_str()));
    let quoted = Sources::of(campaign);
    let built = fs::metadata(campaign.join("README.txt"));
    let built = built.and_then(|built| built.modified()).ok();
    names
        .into_iter()
        .filter(|name| !name.is_empty())
        .map(|name| {
            let (text, changed, withheld) = match quoted.quote(name) {
                Quoted::Text(text, since) => (Some(text), since, false),
                Quoted::Withheld => (None, None, true),
                Quoted::Gone => (None, None, false),
            };
            SourceFile {
                name: name.to_string(),
                text,
                withheld,
                syntax: languages::syntax(name),
                changed: changed.zip(built).is_some_and(|(file, built)| file > built),
            }
        })
        .collect()
}

fn cases(
    store: &Store,
    survey: &Survey,
    summary: &Summary,
    subject: &dyn SavedSubject,
) -> Result<Vec<CaseRow>, Problem> {
    let told = |finding: &&Finding, run: u64| finding.case == run;
    let behaviours = match subject.has_calls() {
        true => saved::behaviours(subject, store, BEHAVIOURS)?,
        false => Vec::new(),
    };
    let names = SideNames::new(&survey.sites);
    let mut rows = Vec::new();
    for info in campaigns::runs(store) {
        let info = info?;
        if rows.len() == CASES {
            break;
        }
        let finding = summary.findings.iter().find(|f| told(f, info.run));
        let adds: Vec<String> = info
            .new
            .iter()
            .filter_map(|side| names.name(*side))
            .collect();
        if adds.is_empty() && finding.is_none() {
            continue;
        }
        let line = behaviours.iter().find(|b| b.case == info.run);
        let line = line.map(CaseLine::new);
        let (inputs, result) = match line {
            Some(line) => (line.inputs, line.result),
            None if subject.has_calls() => continue,
            None => (inputs(store, &info)?, result(&info, finding)),
        };
        rows.push(CaseRow {
            run: info.run,
            from: info.parent,
            inputs,
            result,
            finding: finding.map(|finding| finding.id),
            adds,
            millis: info.millis,
        });
    }
    Ok(rows)
}

/// The inputs of a program's case in one line.
fn inputs(store: &Store, info: &RunInfo) -> Result<String, Problem> {
    let case = store.case(info.run)?;
    let telling = case.inputs.iter().filter(|(_, bytes)| !bytes.is_empty());
    let words: Vec<String> = telling
        .map(|(name, bytes)| {
            let shown = escape_bytes(&bytes[..bytes.len().min(INPUT)]);
            let more = if bytes.len() > INPUT { "…" } else { "" };
            match name.as_str() {
                "stdin" => format!("{shown}{more}"),
                name => format!("{name} = {shown}{more}"),
            }
        })
        .collect();
    Ok(match words.is_empty() {
        true => "(empty)".into(),
        false => words.join(", "),
    })
}

fn result(info: &RunInfo, finding: Option<&Finding>) -> String {
    match (info.outcome, finding) {
        (_, Some(finding)) => finding.kind.clone(),
        (RunEnd::Exit(code), _) => format!("exits with {code}"),
        (RunEnd::Assumed, _) => "dismissed by an assumption".into(),
        (RunEnd::Failure(_), _) => "fails".into(),
    }
}
