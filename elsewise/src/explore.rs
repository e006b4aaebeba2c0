//! `explore`: builds the subject, explores it, says what came of it.

use crate::args::ResultFormat;
use crate::error::VerbError;
use crate::fleet::Joining;
use crate::jobs::{self, Jobs};
use crate::metrics::Metrics;
use crate::options::{options, say_of};
use crate::progress::{Building, Watcher};
use crate::request::Explore;
use crate::shard::directory;
use crate::telemetry::Spans;
use crate::{campaigns, default_campaign, fleet, interrupt, languages, output, report};
use elsewise_campaign::{
    Company, Ended, Exchange, Finding, Progress, Reserve, Store, Summary, explore_together,
};
use elsewise_explore::Case;
use elsewise_frontend::{
    BuiltSubject, Exit, FindingPicture, Hint, Problem, SavedSubject, contain, made_here,
    needs_survey, record, saved, sources,
};
use elsewise_report::machine::{self, FindingContext};
use elsewise_report::{
    CasesView, ChartPicture, FindingView, IndifferentView, LiveView, OneRun, OutcomeView, Picture,
    SummaryView, escape_text,
};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Findings of one exploration that are shown in full.
const SHOWN: usize = 20;
/// Branch sides that no run reached that are named.
const MISSED: usize = 12;
/// Cases of a function that are shown.
const CASES: usize = 24;

/// Cases of which it is written down what comes of them, and for how long; and then, how long cases
/// are chosen that become tests: without a budget, with one that has ended (a small part of it, at
/// least this), and at most so much of what is left of it.
const OBSERVED: usize = 200;
const OBSERVING: Duration = Duration::from_secs(3);
const OBSERVING_LATE: Duration = Duration::from_millis(500);
const OBSERVING_IN_BUDGET: Duration = Duration::from_secs(10);
const PART: u32 = 40;

pub fn explore(explore: &Explore) -> Result<Exit, Problem> {
    contain::trust();
    let (front_end, target, request) = explore.request()?;
    let settings = &explore.args.settings;
    let beside = ["afl", "corpus"].map(|flag| explore.flags.was_typed(flag));
    let beside = beside.contains(&true);
    let jobs = Jobs::of_campaign(settings, beside)?;
    let campaign = settings.campaign.clone();
    let campaign = campaign.unwrap_or_else(|| {
        let part = |whole: PathBuf| match settings.shard {
            Some(shard) => directory(&whole, shard.0),
            None => whole,
        };
        let place = default_campaign::place(&explore.args.subject, &target.stem(), &part);
        if let (Some(taken), false) = (&place.taken, settings.quiet) {
            output::note(&format!(
                "note: the campaign is {}: {} is of another subject",
                escape_text(&place.directory.to_string_lossy()),
                escape_text(&taken.to_string_lossy())
            ));
        }
        place.directory
    });
    if !settings.fresh {
        made_here::require(&campaign, explore.args.trust)?;
    }
    for shard in &settings.merge {
        made_here::require(shard, explore.args.trust)?;
    }
    if beside && (settings.fleet.is_some() || settings.shard.is_some()) {
        return Err(VerbError::ExchangeTogether.into());
    }
    if let Some(place) = &settings.fleet {
        fleet::hide_from_subjects(place, settings.bucket.as_ref())?;
    }
    let mut options = options(explore, campaign)?;

    let stop = interrupt::stop_flag()?;
    let metrics = settings.metrics.as_deref();
    let metrics = metrics.map(|address| Metrics::serve(address, settings.quiet));
    let metrics = metrics.transpose()?;
    let spans = Spans::begin("explore");
    spans.explores(&options.title);
    let building = Building::new(settings.quiet, &options.title);
    let built = target.build(&request);
    drop(building);
    let built = match built {
        // The terminal tells the compilers, too, which end with errors of their own.
        Err(_) if stop.load(Ordering::Relaxed) => {
            output::warning("stopped while the subject was built");
            return Ok(Exit::Budget);
        }
        built => built?,
    };
    say_of(&mut options, built.as_ref());
    let mut exchange = built.exchange(&options.dir)?;
    built.warn();
    let subjects: Result<Vec<_>, _> = (0..jobs.begin).map(|_| built.subject()).collect();
    let mut subjects = subjects?;
    // Whoever saves it and whoever needs another subject work in turn.
    let built = RefCell::new(built);
    // Trust is for once.
    let typed = explore.typed.iter().filter(|word| *word != "--trust");
    let command = fleet::without_place(&typed.cloned().collect::<Vec<_>>());
    let mut saving = Saving {
        built: &built,
        kind: front_end.name(),
        named: &explore.args.subject,
        command: &command,
        campaign: &options.dir,
        result: None,
    };

    let note = |progress: &Progress| {
        if let Some(metrics) = &metrics {
            metrics.note(progress);
        }
        spans.note(progress);
    };
    let live = LiveView::new(&options.title, options.budget.time, options.budget.runs);
    let mut watcher = Watcher::new(settings.quiet, live, &stop, settings.fleet.is_none());
    let pressed = watcher.pressed();
    let began = Instant::now();
    let together = match &settings.fleet {
        Some(place) => {
            let mut watch = |progress: &Progress| {
                note(progress);
                watcher.show(progress);
            };
            let subjects = &mut subjects;
            let joining = Joining {
                place,
                bucket: settings.bucket.as_ref(),
                quota: settings.fleet_quota,
                command: &command,
                metrics: metrics.as_ref(),
                spans: &spans,
            };
            let explored = fleet::explore(joining, &options, subjects, &mut watch, &stop);
            Some(explored.inspect_err(|_| watcher.end())?)
        }
        None => None,
    };
    if let Some(explored) = &together {
        options.merge.clone_from(&explored.parts);
        if explored.unfinished && !stop.load(Ordering::Relaxed) {
            options.budget.time = Some(Duration::ZERO);
        }
    }
    let mut watch = |progress: &Progress| {
        saving.save(&progress.findings);
        note(progress);
        watcher.show(progress);
    };
    let mut make = || built.borrow().subject().ok();
    let reserve = Reserve {
        workers: jobs.reserve.into(),
        after_runs: jobs::ALONE_RUNS,
        after: jobs::ALONE,
        make: &mut make,
    };
    let company = Company {
        others: None,
        exchange: exchange.as_deref_mut().map(|it| it as &mut dyn Exchange),
        reserve: Some(reserve).filter(|reserve| reserve.workers > 0),
        pause: Some(&pressed.pause),
    };
    let result = match together {
        Some(_) => fleet::put_together(&options, &mut subjects, &mut watch, &stop, began),
        None => explore_together(&options, &mut subjects, &mut watch, &stop, company)
            .map_err(Into::into),
    };
    watcher.end();
    drop((exchange, subjects));
    let summary = result?;
    saving.save(&summary.findings);
    if let Some(Err(problem)) = &saving.result {
        output::warning(&problem.to_string());
    }
    let mut built = built.into_inner();
    if !summary.findings.is_empty() {
        built.finish(&summary)?;
    }
    let indifferent = built
        .when_indifferent()
        .filter(|_| summary.is_indifferent());
    let exit = exit(&summary, indifferent.is_some(), settings.require_complete);
    let saved = built.saved(&summary.campaign);
    let saved = saved.unwrap_or_else(|| languages::saved_or_bytes(&summary.campaign));
    let budget = settings.budget.unwrap_or_default().time;
    let used = began.elapsed();
    let observing = budget.map_or(OBSERVING, |budget| {
        let left = budget.saturating_sub(used).min(OBSERVING_IN_BUDGET);
        let part = (budget / PART).clamp(OBSERVING_LATE, OBSERVING);
        left.max(part)
    });
    // Whoever has stopped it does not want to wait.
    let observing = match stop.load(Ordering::Relaxed) {
        true => observing.min(OBSERVING_LATE),
        false => observing,
    };
    if let Ok(store) = Store::open_read(&summary.campaign)
        && let Err(problem) = saved::observe_cases(saved.as_ref(), &store, OBSERVED, observing)
    {
        output::warning(&problem.to_string());
    }
    match settings.format.unwrap_or_default() {
        ResultFormat::Json => output::json(&summary)?,
        ResultFormat::Text => {
            let hints = built.when_incomplete(&summary);
            output::text(&text(&summary, saved.as_ref(), indifferent, hints));
        }
        ResultFormat::Problems => output::raw(&problems(&summary)),
    }
    if let Ok(store) = Store::open_read(&summary.campaign)
        && let Err(problem) = saved::observe_tests(saved.as_ref(), &store, observing)
    {
        output::warning(&format!("no tests can be exported: {problem}"));
    }
    Ok(exit)
}

/// How the command ends: findings matter more than an ended budget.
fn exit(summary: &Summary, indifferent: bool, require_complete: bool) -> Exit {
    match summary.ended {
        _ if !summary.findings.is_empty() => Exit::Findings,
        Ended::Complete if indifferent => Exit::Indifferent,
        Ended::Exhausted if require_complete => Exit::Incomplete,
        Ended::Complete | Ended::Exhausted => Exit::Clean,
        Ended::Budget | Ended::Stopped => Exit::Budget,
    }
}

/// Saves the subject in the campaign's directory as soon as the campaign is there: from then on
/// its findings can be replayed, however the exploration ends.
struct Saving<'a> {
    built: &'a RefCell<Box<dyn BuiltSubject>>,
    /// The front end's name.
    kind: &'a str,
    /// The subject as it was given.
    named: &'a [String],
    command: &'a [String],
    campaign: &'a Path,
    result: Option<Result<(), Problem>>,
}

impl Saving<'_> {
    fn save(&mut self, findings: &[Finding]) {
        if self.result.is_none() {
            self.result = Some(self.begin());
        }
        if let Err(problem) = self.built.borrow_mut().save_for(findings, self.campaign) {
            self.result = Some(Err(problem));
        }
    }

    fn begin(&mut self) -> Result<(), Problem> {
        made_here::clear(self.campaign).map_err(|source| VerbError::NotEmptied {
            folder: record::folder(self.campaign),
            source,
        })?;
        let subject = self.built.borrow_mut().save(self.campaign)?;
        record::save(self.campaign, self.kind, self.command, subject)?;
        sources::save(self.campaign, self.named)
    }
}

/// Findings as compilers write errors.
fn problems(summary: &Summary) -> String {
    let told = summary.findings.iter().map(|finding| FindingContext {
        finding,
        case: None,
        call: None,
        path: Vec::new(),
        reproduce: report::reproduce(&finding.path),
    });
    machine::problems(&summary.subject, &told.collect::<Vec<_>>())
}

/// `hints`: what to try, of a program on whose input nothing depends.
fn text(
    summary: &Summary,
    saved: &dyn SavedSubject,
    indifferent: Option<Vec<Hint>>,
    mut hints: Vec<Hint>,
) -> String {
    // The cases are in the store; where it cannot be read any more, findings show without them.
    let store = Store::open_read(&summary.campaign).ok();
    let findings: Vec<(&Finding, Option<Case>)> = summary
        .findings
        .iter()
        .take(SHOWN)
        .map(|finding| {
            let case = store.as_ref();
            let case = case.and_then(|store| saved.case_of(store, finding).ok());
            (finding, case)
        })
        .collect();
    let cases = findings.iter().filter_map(|(_, case)| case.as_ref());
    let survey = store
        .as_ref()
        .filter(|_| needs_survey(cases))
        .and_then(|store| store.survey().ok());
    let shown: Vec<(FindingPicture, Option<Case>, [String; 3])> = findings
        .into_iter()
        .map(|(finding, case)| {
            let folder = finding.path.to_string_lossy().into_owned();
            let debug = saved.debug_command(finding);
            let keep = campaigns::keep(&summary.campaign, finding, saved.tests_folder());
            let shown = saved.picture(finding, case.as_ref(), survey.as_ref());
            (shown, case, [folder, debug, keep])
        })
        .collect();
    let pictures: Vec<Option<Box<dyn Picture + '_>>> =
        shown.iter().map(|(shown, ..)| shown.picture()).collect();
    let findings = summary
        .findings
        .iter()
        .zip(&shown)
        .zip(&pictures)
        .map(
            |((finding, (_, case, [folder, debug, keep])), picture)| FindingView {
                finding,
                case: case.as_ref(),
                folder,
                debug,
                keep,
                excerpt: None,
                path: &[],
                picture: picture.as_deref(),
                terminal: output::terminal(),
            },
        )
        .collect();
    // Its one case once more, for what it shows.
    let shown = store.as_ref().filter(|_| indifferent.is_some());
    let shown = shown.and_then(|store| saved.rerun(&store.case(0).ok()?).ok());
    let indifferent = indifferent.map(|tries| {
        hints.extend(tries);
        IndifferentView {
            run: shown.as_ref().map(|run| OneRun {
                outcome: OutcomeView::new(&run.outcome),
                stdout: &run.stdout,
                stderr: &run.stderr,
            }),
        }
    });
    let mut text = SummaryView {
        summary,
        findings,
        indifferent,
        hints,
    }
    .text();
    if let Some(Ok(drawings)) = store
        .as_ref()
        .map(|store| saved.drawings(store, summary.reaches_all()))
    {
        for chart in &drawings {
            text.push_str(&ChartPicture { chart }.text(output::terminal()));
        }
    }
    if let (true, Some(store)) = (saved.has_calls(), &store)
        && let Ok(behaviours) = saved::behaviours(saved, store, CASES)
    {
        text.push('\n');
        text.push_str(
            &CasesView {
                behaviours: &behaviours,
            }
            .text(output::terminal()),
        );
        if let Ok(missed) = saved::missed(store)
            && !missed.is_empty()
        {
            let shown: Vec<&str> = missed.iter().take(MISSED).map(String::as_str).collect();
            let more = match missed.len() - shown.len() {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            text.push_str(&format!("not reached: {}{more}\n", shown.join(", ")));
        }
    }
    text
}
