//! `replay`: one case on the uninstrumented program, or by its schedule on the instrumented one.

use crate::args::ReplayArgs;
use crate::campaigns::{self, CaseName};
use crate::named::{self, Meant};
use crate::{languages, output};
use elsewise_explore::{Case, Outcome};
use elsewise_frontend::verbs::Format;
use elsewise_frontend::{Debugger, Exit, Problem, Rerun, contain, made_here};
use elsewise_report::{OutcomeView, call_line};
use serde::Serialize;
use std::path::{Path, PathBuf};

#[derive(Serialize)]
struct Replayed<'a> {
    schema: u32,
    campaign: &'a Path,
    fails: bool,
    /// The call, where the case is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<&'a str>,
    outcome: OutcomeView<'a>,
    stdout: String,
    stderr: String,
}

pub fn replay(args: &ReplayArgs) -> Result<Exit, Problem> {
    contain::allow(&args.allowed.flags)?;
    let (campaign, case) = case(args)?;
    let saved = languages::saved(&campaign)?;
    let debugger = match (args.gdb, args.shell) {
        (true, _) => Some(Debugger::Gdb),
        (_, true) => Some(Debugger::Shell),
        _ => None,
    };
    if let Some(debugger) = debugger {
        return saved.debug(debugger, &case).map(|never| match never {});
    }
    let run = saved.rerun(&case)?;
    let fails = matches!(run.outcome, Outcome::Failure { .. });
    let view = OutcomeView::returning(&run.outcome, run.returned.as_deref());
    match args.place.format {
        Format::Json => output::json(&Replayed {
            schema: 1,
            campaign: &campaign,
            fails,
            call: run.call.as_deref(),
            outcome: view,
            stdout: String::from_utf8_lossy(&run.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&run.stderr).into_owned(),
        })?,
        Format::Text => {
            if let Some(call) = &run.call {
                output::text(&call_line(call));
            }
            show_output(&run);
            output::text(&view.text());
        }
    }
    Ok(if fails { Exit::Findings } else { Exit::Clean })
}

/// The campaign that is meant, if it may be run, and the case to run.
fn case(args: &ReplayArgs) -> Result<(PathBuf, Case), Problem> {
    let Meant { campaign, case } = named::meant(&args.what, args.place.campaign.as_deref())?;
    made_here::require(&campaign, args.allowed.trust)?;
    let case = match case {
        // As it is now: whoever changes a file of a case wants to see what that changes.
        Some(CaseName::Folder(folder)) => campaigns::read_case(&folder)?,
        Some(CaseName::File(file)) => {
            let key = languages::saved(&campaign)?.main_key()?;
            Case {
                inputs: [(key, campaigns::read_input(&file)?)].into(),
                ..Case::default()
            }
        }
        Some(CaseName::Finding(id)) => {
            let store = campaigns::open(&campaign)?;
            let finding = store.finding(id)?;
            languages::saved(&campaign)?.case_of(&store, &finding)?
        }
        Some(CaseName::Run(run)) => campaigns::open(&campaign)?.case(run)?,
        None => first(&campaign)?,
    };
    Ok((campaign, case))
}

/// The case of a campaign's first finding.
fn first(campaign: &Path) -> Result<Case, Problem> {
    let store = campaigns::open(campaign)?;
    let finding = named::first_finding(&store)?;
    languages::saved(campaign)?.case_of(&store, &finding)
}

/// What the program wrote, each line marked with where it wrote it.
fn show_output(run: &Rerun) {
    for (name, bytes) in [("stdout", &run.stdout), ("stderr", &run.stderr)] {
        output::text(&elsewise_report::output_text(name, bytes));
    }
}
