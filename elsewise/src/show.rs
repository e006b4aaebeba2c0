//! `show`: a finding, or all of them.

use crate::args::ShowArgs;
use crate::campaigns::{self, CaseName};
use crate::error::VerbError;
use crate::{languages, named, output};
use elsewise_campaign::{Finding, Store};
use elsewise_explore::Case;
use elsewise_frontend::sources::{Quoted, Sources};
use elsewise_frontend::verbs::Format;
use elsewise_frontend::{Exit, Problem, SavedSubject, made_here, run_nothing};
use elsewise_report::{
    FindingJson, FindingView, GOOD, GraphJson, GraphPicture, Terminal, decisive, escape_text,
    findings_list, paint, remarks, snippet,
};
use serde::Serialize;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

#[derive(Serialize)]
struct List<'a> {
    schema: u32,
    campaign: &'a Path,
    findings: &'a [Finding],
}

pub fn show(args: &ShowArgs) -> Result<Exit, Problem> {
    run_nothing();
    let meant = named::meant(&args.what, args.place.campaign.as_deref())?;
    let directory = &meant.campaign;
    made_here::announce(directory);
    let id = match meant.number() {
        None if args.svg.is_some() || args.dot.is_some() => {
            return Err(VerbError::NoFindingNamed.into());
        }
        None => return list(&campaigns::open(directory)?, directory, args.place.format),
        Some(CaseName::Finding(id)) => id,
        Some(_) => {
            let name = args.what.last();
            let name = name.map_or(String::new(), |name| name.display().to_string());
            return Err(VerbError::NotFinding { name }.into());
        }
    };
    let store = campaigns::open(directory)?;
    let finding = store.finding(id)?;
    let saved = languages::saved(directory)?;
    let case = saved.case_of(&store, &finding)?;
    one(&store, saved.as_ref(), &finding, &case, args)?;
    Ok(Exit::Clean)
}

fn list(store: &Store, campaign: &Path, format: Format) -> Result<Exit, Problem> {
    let findings = store.findings()?;
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

fn one(
    store: &Store,
    saved: &dyn SavedSubject,
    finding: &Finding,
    case: &Case,
    args: &ShowArgs,
) -> Result<(), Problem> {
    let graph = saved.graph(case);
    let survey = store.survey()?;
    let shown = saved.picture(finding, Some(case), Some(&survey));
    let picture = shown.picture();
    if let Some(path) = args.svg.as_ref().or(args.dot.as_ref()) {
        let drawing = match (args.dot.is_some(), &picture, &graph) {
            (true, _, Some(graph)) => GraphPicture {
                graph,
                title: &format!("{}, finding {}", finding.function, finding.id),
            }
            .dot(),
            (false, Some(picture), _) => picture.svg(),
            _ => return Err(VerbError::NoPicture.into()),
        };
        let unwritten = |source| VerbError::UnwrittenPicture {
            file: path.clone(),
            source,
        };
        return Ok(fs::write(path, drawing).map_err(unwritten)?);
    }
    if args.place.format == Format::Json {
        let graph = graph.as_ref().map(GraphJson);
        return output::json(&FindingJson {
            graph,
            call: saved.call_text(case),
            ..FindingJson::new(store.dir(), finding, case)
        });
    }
    let decisive = decisive(&survey, finding);
    let remarks = remarks(finding, &decisive, &survey);
    // The source may be gone or have changed; then the place is all there is to show.
    let sources = Sources::of(store.dir());
    let withheld = RefCell::new(BTreeSet::new());
    let source = |file: &str| match sources.quote(file) {
        Quoted::Text(text, _) => Some(text),
        Quoted::Withheld => {
            withheld.borrow_mut().insert(file.to_string());
            None
        }
        Quoted::Gone => None,
    };
    let terminal = output::terminal();
    let narrower = Terminal {
        width: terminal.width.saturating_sub(5),
        ..terminal
    };
    let excerpt = snippet(&remarks, &source, narrower);
    let path: Vec<String> = decisive
        .iter()
        .map(|choice| choice.line(&survey, &source))
        .collect();
    let folder = finding.path.to_string_lossy();
    let keep = campaigns::keep(store.dir(), finding, saved.tests_folder());
    let debug = saved.debug_command(finding);
    let view = FindingView {
        finding,
        case: Some(case),
        folder: &folder,
        excerpt: excerpt.as_deref(),
        path: &path,
        picture: picture.as_deref(),
        debug: &debug,
        keep: &keep,
        terminal,
    };
    output::text(&view.long());
    let other = |run: &Case| run.inputs != case.inputs;
    if !decisive.is_empty() && store.case(finding.case).is_ok_and(|run| other(&run)) {
        output::note("note: the choices are those of the run that found it, with a larger input");
    }
    for file in withheld.into_inner() {
        output::note(&format!(
            "note: {} is not quoted: it is neither in this folder nor in the campaign's",
            escape_text(&file)
        ));
    }
    Ok(())
}
