//! `show`: a finding, or all of them.

use crate::args::{Format, ShowArgs};
use crate::campaigns::{self, Target};
use crate::exit::{Exit, Problem};
use crate::output;
use elsewise_campaign::{Finding, Store};
use elsewise_explore::Case;
use elsewise_report::{FindingJson, FindingView, GOOD, Terminal, excerpt, findings_list, paint};
use serde::Serialize;
use std::fs;
use std::path::Path;

/// Lines of source on either side of the failing one.
const CONTEXT: u32 = 4;

#[derive(Serialize)]
struct List<'a> {
    schema: u32,
    campaign: &'a Path,
    findings: &'a [Finding],
}

pub fn show(args: &ShowArgs) -> Result<Exit, Problem> {
    let Some(name) = &args.finding else {
        let directory = campaigns::locate(args.place.campaign.as_deref())?;
        return list(&campaigns::open(&directory)?, &directory, args.place.format);
    };
    let target = Target::new(name)?;
    let (directory, target) = match target.campaign() {
        Some(found) => found,
        None => (campaigns::locate(args.place.campaign.as_deref())?, target),
    };
    let Target::Finding(id) = target else {
        return Err(Problem::usage(format!(
            "`{name}` is not a finding: give its number, or its folder in the campaign's findings"
        )));
    };
    let store = campaigns::open(&directory)?;
    let finding = store.finding(id).map_err(campaigns::problem)?;
    let case = store.case(finding.case).map_err(campaigns::problem)?;
    one(&directory, &finding, &case, args.place.format)?;
    Ok(Exit::Clean)
}

fn list(store: &Store, campaign: &Path, format: Format) -> Result<Exit, Problem> {
    let findings = store.findings().map_err(campaigns::problem)?;
    match format {
        Format::Json => output::json(&List {
            schema: 1,
            campaign,
            findings: &findings,
        })?,
        Format::Text if findings.is_empty() => {
            output::text(&format!("{}\n", paint(GOOD, "no findings")));
        }
        Format::Text => output::text(&findings_list(&findings)),
    }
    Ok(Exit::Clean)
}

fn one(campaign: &Path, finding: &Finding, case: &Case, format: Format) -> Result<(), Problem> {
    if format == Format::Json {
        return output::json(&FindingJson::new(campaign, finding, case));
    }
    // The source may be gone or have changed; then the place is all there is to show.
    let source = fs::read_to_string(&finding.file).ok();
    let excerpt = source.and_then(|source| excerpt(&source, finding.line, CONTEXT));
    let folder = finding.path.to_string_lossy();
    let view = FindingView {
        finding,
        case: Some(case),
        folder: &folder,
        excerpt: excerpt.as_deref(),
        picture: None,
        terminal: Terminal::default(),
    };
    output::text(&view.long());
    Ok(())
}
