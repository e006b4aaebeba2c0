//! `minimize`: the input of a finding as small as a longer search makes it.

use crate::again::{self, Again, Said};
use crate::args::MinimizeArgs;
use crate::campaigns::{self, CaseName};
use crate::error::VerbError;
use crate::named;
use crate::{interrupt, languages, output};
use elsewise_campaign::{Effort, same_failure, smaller};
use elsewise_explore::{Case, Outcome, RunError, Subject};
use elsewise_frontend::made_here::{self, Maker};
use elsewise_frontend::verbs::Format;
use elsewise_frontend::{Exit, Problem, contain};
use elsewise_report::MinimizedView;
use elsewise_term::Terms;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Without `--budget`.
const USUAL: Duration = Duration::from_secs(60);

pub fn minimize(args: &MinimizeArgs) -> Result<Exit, Problem> {
    contain::allow(&args.allowed.flags)?;
    let (directory, id) = finding(args)?;
    made_here::require(&directory, args.allowed.trust)?;
    if let Some(pid) = campaigns::explorer(&directory) {
        let campaign = directory;
        return Err(VerbError::Explored { campaign, pid }.into());
    }
    let store = campaigns::open(&directory)?;
    let finding = store.finding(id)?;
    let saved = languages::saved(&directory)?;
    let case = saved.case_of(&store, &finding)?;
    if !case.schedule.is_empty() {
        return Err(VerbError::MinimalSchedule.into());
    }
    let said = Said {
        allowed: &args.allowed.flags,
        cflags: args.cflags.as_deref(),
        config: args.config.as_deref(),
    };
    let foreign = made_here::maker(&directory) == Maker::Stranger;
    let Again { built, .. } = again::built(saved.command(), &directory, &said, foreign)?;
    let mut subject = built.subject()?;
    let texts = subject.texts(&case);
    let size = |case: &Case| {
        texts
            .iter()
            .map(|text| case.inputs[&text.input].len())
            .sum()
    };
    if texts.is_empty() {
        return Err(VerbError::NothingToMinimize.into());
    }
    let wanted = fails(subject.as_mut(), &case).filter(|outcome| kind_of(outcome) == finding.kind);
    let wanted = wanted.ok_or(VerbError::FailsNoMore { id })?;
    let effort = Effort {
        tries: args
            .budget
            .and_then(|budget| budget.runs)
            .unwrap_or(u64::MAX),
        end: match args.budget {
            Some(budget) => budget.time.map(|time| Instant::now() + time),
            None => Some(Instant::now() + USUAL),
        },
    };
    let stop = interrupt::stop_flag()?;
    let found = smaller(&case, &texts, effort, &mut |case| {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        fails(subject.as_mut(), case).filter(|outcome| same_failure(outcome, &wanted))
    });
    let interrupted = stop.load(Ordering::Relaxed);
    let smallest = found.best.as_ref().map(|(case, _)| case);
    if let Some(smallest) = smallest {
        let unwritten = |source| VerbError::UnwrittenSmaller {
            folder: finding.path.clone(),
            source,
        };
        campaigns::put_case(&finding.path, smallest).map_err(unwritten)?;
    }
    let view = MinimizedView {
        schema: 1,
        campaign: &directory,
        finding: id,
        before: size(&case),
        after: size(smallest.unwrap_or(&case)),
        changed: smallest.is_some(),
        runs: found.tries,
        finished: found.finished && !interrupted,
        case: smallest.unwrap_or(&case),
        folder: &finding.path,
    };
    match args.place.format {
        Format::Json => output::json(&view)?,
        Format::Text => output::text(&view.text()),
    }
    Ok(Exit::Clean)
}

/// The campaign and the finding that are meant.
fn finding(args: &MinimizeArgs) -> Result<(PathBuf, u32), Problem> {
    let meant = named::meant(&args.what, args.place.campaign.as_deref())?;
    match meant.number() {
        Some(CaseName::Finding(id)) => Ok((meant.campaign, id)),
        None => {
            let store = campaigns::open(&meant.campaign)?;
            let first = named::first_finding(&store)?;
            Ok((meant.campaign, first.id))
        }
        Some(_) => {
            let name = args.what.last();
            let name = name.map_or(String::new(), |name| name.display().to_string());
            Err(VerbError::NotFinding { name }.into())
        }
    }
}

/// How a case fails on the instrumented build, if the uninstrumented one fails like that, too.
fn fails(subject: &mut dyn Subject, case: &Case) -> Option<Outcome> {
    let trace = subject.run(case, &mut Terms::new()).ok()?;
    let is_failure = matches!(trace.outcome, Outcome::Failure { .. });
    if !is_failure || trace.was_refused() {
        return None;
    }
    let again: Result<Outcome, RunError> = subject.confirm(case);
    let same = kind_of(&again.ok()?) == kind_of(&trace.outcome);
    same.then_some(trace.outcome)
}

fn kind_of(outcome: &Outcome) -> &str {
    match outcome {
        Outcome::Failure { kind, .. } => kind.word(),
        _ => "",
    }
}
