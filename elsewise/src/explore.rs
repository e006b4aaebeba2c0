//! `explore`: builds the subject, explores it, says what came of it.

use crate::args::{ExploreArgs, ResultFormat, Settings, word};
use crate::behaviours::Function;
use crate::exit::{Exit, Problem};
use crate::pictures::{self, Shown};
use crate::progress::{Building, Watcher};
use crate::record::{Contained, Limits, Record, Threads};
use crate::subject::{self, Named};
use crate::{
    behaviours, campaigns, config, contain, functions, interrupt, native, output, report, shrink,
    threads,
};
use elsewise_campaign::{Budget, Ended, Finding, Options, Store, Summary};
use elsewise_explore::Case;
use elsewise_explore::schedule::Schedules;
use elsewise_native::function::FunctionSubject;
use elsewise_native::{Capacities, MOVES, NativeOptions, Program, Stdin, Surroundings};
use elsewise_report::machine::{self, Told};
use elsewise_report::{CasesView, FindingView, LiveView, Picture, SummaryView};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

const MAX_INPUT: u32 = 4096;
const TIMEOUT_MS: u64 = 2000;
const MEMORY_MB: u64 = 2048;
/// Findings of one exploration that are shown in full.
const SHOWN: usize = 20;
/// Branch sides that no run reached that are named.
const MISSED: usize = 12;
/// Cases of a function that are shown.
const CASES: usize = 24;

/// What the user asked for, looked at before anything is built.
pub struct Wanted {
    pub settings: Settings,
    pub variables: Vec<(OsString, OsString)>,
    pub surroundings: Surroundings,
    pub named: Named,
    pub stdin: Stdin,
    pub limits: Limits,
    pub contained: Contained,
    /// Arguments of the subject.
    pub arguments: Vec<String>,
}

impl Wanted {
    pub fn new(args: &ExploreArgs) -> Result<Wanted, Problem> {
        let from_file = config::load(args.config.as_deref(), Path::new("."))?;
        let settings = args.settings.clone().or(from_file);
        let given: Vec<OsString> = args.args.iter().map(Into::into).collect();
        let variables = subject::variables(&settings.env)?;
        let surroundings = Surroundings::new(&given, &variables).map_err(native::problem)?;
        let named = Named::new(&args.subject)?;
        // What the settings file says is for all subjects.
        match &named {
            Named::Function { .. } if !args.args.is_empty() => {
                return Err(Problem::usage(
                    "a function has no arguments after --: its parameters are the inputs",
                ));
            }
            Named::Function { .. } => {}
            _ if settings.sequence.is_empty() => functions::only_for_functions(&args.settings)?,
            _ => {}
        }
        if args.settings.steps.is_some() && settings.sequence.is_empty() {
            return Err(Problem::usage(
                "--steps counts the calls of a --sequence: name its functions, or leave it out",
            ));
        }
        let stdin = stdin(&settings)?;
        let limits = Limits {
            timeout_ms: settings.timeout.unwrap_or(TIMEOUT_MS).max(1),
            memory_mb: settings.memory.unwrap_or(MEMORY_MB),
            threads: Threads {
                spurious: settings.spurious.unwrap_or(0),
                moves: settings.moves.unwrap_or(MOVES),
                linearizable: !settings.linearizable.is_empty(),
            },
        };
        let contained = contain::contained(&settings)?;
        Ok(Wanted {
            arguments: contain::arguments(&args.args, &contained),
            settings,
            variables,
            surroundings,
            named,
            stdin,
            limits,
            contained,
        })
    }

    /// How the subject's uninstrumented build is run.
    pub fn record(&self, program: &Path) -> Record {
        let (args, env) = (&self.arguments, &self.settings.env);
        let contained = self.contained.clone();
        Record::new(program, args, env, self.stdin, self.limits, contained)
    }
}

pub fn explore(args: &ExploreArgs) -> Result<Exit, Problem> {
    let wanted = Wanted::new(args)?;
    let (settings, surroundings) = (&wanted.settings, &wanted.surroundings);
    let (named, stdin, limits) = (&wanted.named, wanted.stdin, wanted.limits);
    let contained = &wanted.contained;
    let jobs = settings.jobs.unwrap_or(1);
    if jobs == 0 {
        return Err(Problem::usage("--jobs 0 explores nothing: give at least 1"));
    }
    let seeds = match &settings.seeds {
        Some(folder) => seeds(folder, surroundings.main_key(), stdin)?,
        None => Vec::new(),
    };
    let campaign = settings
        .campaign
        .clone()
        .unwrap_or_else(|| named.campaign());
    let mut options = options(settings, args, seeds, campaign);

    let stop = interrupt::stop_flag()?;
    let building = Building::new(settings.quiet, &options.title);
    let built = native::build(named, settings)?;
    drop(building);
    threads::warn_of_operations(&built.program, &settings.linearizable);
    options.bounds = match &built.function {
        Some(function) => functions::bounds(function),
        None => bounds(surroundings, stdin),
    };
    options.bounds.extend(contain::words(contained));
    if let Schedules::Bounded(most) = options.schedules {
        options.bounds.push(match most {
            1 => "schedules with at most 1 preemption".into(),
            _ => format!("schedules with at most {most} preemptions"),
        });
    }
    let how = NativeOptions {
        args: wanted.arguments.iter().map(Into::into).collect(),
        env: wanted.variables.clone(),
        stdin,
        time_limit: Duration::from_millis(limits.timeout_ms),
        memory_limit: limits.memory_mb.saturating_mul(1 << 20),
        checks: !settings.no_checks,
        spurious: limits.threads.spurious,
        move_limit: limits.threads.moves,
        operations: limits.threads.linearizable,
        counted: built
            .function
            .as_ref()
            .map(|function| function.plan.counted.clone()),
        reuse: !settings.fork,
        containment: built.containment(contained),
        capacities: match built.function {
            Some(_) => functions::CAPACITIES,
            None => Capacities::default(),
        },
    };
    if let Some(shortcoming) = how.containment.shortcoming() {
        output::warning(&shortcoming);
    }
    let subjects = native::subjects(&built.program, &how, jobs)?;
    let mut keep = Keep {
        instrumented: Some(built.program.instrumented.clone()),
        record: Record {
            command: args.typed.clone(),
            ..wanted.record(&built.program.plain)
        },
        program: built.program.plain.clone(),
        libraries: built.program.plain_libraries.clone(),
        campaign: options.dir.clone(),
        function: built.function.as_ref().map(|f| (f, &built.program)),
        result: None,
    };

    let live = LiveView::new(&options.title, options.budget.time, options.budget.runs);
    let mut watcher = Watcher::new(settings.quiet, live);
    let mut watch = |progress: &elsewise_campaign::Progress| {
        keep.once();
        keep.threads(&progress.findings);
        watcher.show(progress);
    };
    let result = elsewise_campaign::explore(&options, subjects, &mut watch, &stop);
    watcher.end();
    let summary = result.map_err(campaigns::problem)?;
    keep.once();
    keep.threads(&summary.findings);
    if let Some(Err(problem)) = &keep.result {
        output::warning(&problem.message);
    }
    if let (false, Some(function)) = (summary.findings.is_empty(), &built.function)
        && function.plan.sequence.is_some()
        && let Some(subject) = native::subjects(&built.program, &how, 1)?.first_mut()
    {
        shrink::shrink(&summary, subject.as_mut())?;
    }
    match settings.format.unwrap_or_default() {
        ResultFormat::Json => output::json(&summary)?,
        ResultFormat::Text => output::text(&text(&summary)),
        ResultFormat::Problems => output::raw(&problems(&summary)),
    }
    Ok(exit(&summary))
}

/// How the command ends: findings matter more than an ended budget.
fn exit(summary: &Summary) -> Exit {
    match summary.ended {
        _ if !summary.findings.is_empty() => Exit::Findings,
        Ended::Complete | Ended::Exhausted => Exit::Clean,
        Ended::Budget | Ended::Stopped => Exit::Budget,
    }
}

/// Keeps the subject in the campaign's directory as soon as the campaign is there: from then on
/// its findings can be replayed, however the exploration ends.
struct Keep<'a> {
    function: Option<(&'a FunctionSubject, &'a Program)>,
    record: Record,
    program: PathBuf,
    libraries: Option<PathBuf>,
    /// What can follow a schedule; none once it is kept.
    instrumented: Option<PathBuf>,
    campaign: PathBuf,
    result: Option<Result<(), Problem>>,
}

impl Keep<'_> {
    fn once(&mut self) {
        if self.result.is_none() {
            let libraries = self.libraries.as_deref();
            let mut kept = self.record.write(&self.program, libraries, &self.campaign);
            if let (Ok(()), Some((function, program))) = (&kept, self.function) {
                kept = behaviours::keep(function, program, &self.campaign);
            }
            self.result = Some(kept);
        }
    }

    /// Keeps what a finding with a schedule is replayed on.
    fn threads(&mut self, findings: &[Finding]) {
        if self.instrumented.is_some()
            && threads::have_threads(findings)
            && let Some(program) = self.instrumented.take()
            && let Err(problem) = threads::keep(&program, &self.campaign)
        {
            self.result = Some(Err(problem));
        }
    }
}

fn stdin(settings: &Settings) -> Result<Stdin, Problem> {
    match (settings.input_size, settings.max_input) {
        (Some(size), Some(max)) if size > max => Err(Problem::usage(format!(
            "--input-size {size} is more than --max-input {max}: leave one of them out"
        ))),
        (Some(size), _) => Ok(Stdin::Fixed(size.into())),
        (None, max) => Ok(Stdin::Free {
            max: max.unwrap_or(MAX_INPUT).into(),
        }),
    }
}

fn options(settings: &Settings, args: &ExploreArgs, seeds: Vec<Case>, dir: PathBuf) -> Options {
    let defaults = Options::default();
    let mut title = args.subject.join(" ");
    if !args.args.is_empty() {
        title.push_str(" -- ");
        title.push_str(&args.args.join(" "));
    }
    let mut solver = defaults.solver;
    if let Some(limit) = settings.query_timeout {
        solver.query_millis = limit;
    }
    solver.off = settings
        .stages_off
        .iter()
        .map(|stage| word(*stage))
        .collect();
    let budget = settings.budget.unwrap_or_default();
    Options {
        dir,
        title,
        budget: Budget {
            time: budget.time,
            runs: budget.runs,
        },
        strategy: word(settings.strategy.unwrap_or_default()),
        seed: settings.seed.unwrap_or(0),
        schedules: settings.schedules.unwrap_or_default(),
        depth: settings.depth,
        max_values: settings.max_values.unwrap_or(defaults.max_values),
        solver,
        seeds,
        fresh: settings.fresh,
        check: defaults.check,
        bounds: Vec::new(),
    }
}

/// What bounds the inputs of a program.
fn bounds(surroundings: &Surroundings, stdin: Stdin) -> Vec<String> {
    let main = surroundings.main_key();
    let mut bounds = vec![match stdin {
        Stdin::Fixed(size) => format!("{main} of exactly {size} bytes"),
        Stdin::Free { max } => format!("{main} of at most {max} bytes"),
    }];
    for (key, size) in surroundings.inputs() {
        bounds.push(format!("{key} of at most {size} bytes"));
    }
    bounds
}

/// Cases to begin with: each file is a main input, which cases keep under `main`, each folder a
/// whole case.
fn seeds(folder: &Path, main: &str, stdin: Stdin) -> Result<Vec<Case>, Problem> {
    let cannot = |error| {
        Problem::usage(format!(
            "cannot read the seeds in {}: {error}; give a directory with one file per input",
            folder.display()
        ))
    };
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(cannot)? {
        paths.push(entry.map_err(cannot)?.path());
    }
    // The order in which a directory is listed is nobody's choice; the exploration repeats.
    paths.sort();
    let mut cases = Vec::new();
    for path in &paths {
        let mut case = match path.is_dir() {
            true => campaigns::read_case(path)?,
            false => Case {
                inputs: [(main.to_string(), campaigns::read_input(path)?)].into(),
                ..Case::default()
            },
        };
        let input = case.inputs.entry(main.into()).or_default();
        let length = stdin.length(input.len()) as usize;
        if input.len() > length {
            output::warning(&format!(
                "the seed {} has {} bytes: only the first {length} are used",
                path.display(),
                input.len()
            ));
        }
        input.resize(length, 0);
        cases.push(case);
    }
    if cases.is_empty() {
        return Err(Problem::usage(format!(
            "there are no seeds in {}: put one file per input there, or leave --seeds out",
            folder.display()
        )));
    }
    Ok(cases)
}

/// Findings as compilers write errors.
fn problems(summary: &Summary) -> String {
    let told = summary.findings.iter().map(|finding| Told {
        finding,
        case: None,
        path: Vec::new(),
        reproduce: report::reproduce(&finding.path),
    });
    machine::problems(&summary.subject, &told.collect::<Vec<_>>())
}

fn text(summary: &Summary) -> String {
    // The cases are in the store; where it cannot be read any more, findings show without them.
    let store = Store::open_read(&summary.campaign).ok();
    let function = Function::of(&summary.campaign).ok().flatten();
    let findings: Vec<(&Finding, Option<Case>)> = summary
        .findings
        .iter()
        .take(SHOWN)
        .map(|finding| {
            let case = store.as_ref().and_then(|store| match &function {
                Some(function) => function.case_of(store, finding).ok(),
                None => campaigns::case_of(store, finding, false).ok(),
            });
            (finding, case)
        })
        .collect();
    let cases = findings.iter().filter_map(|(_, case)| case.as_ref());
    let survey = store
        .as_ref()
        .filter(|_| pictures::needs_survey(cases))
        .and_then(|store| store.survey().ok());
    let shown: Vec<(Shown, Option<Case>, String, String)> = findings
        .into_iter()
        .map(|(finding, case)| {
            let function = function.as_ref();
            let folder = finding.path.to_string_lossy().into_owned();
            let keep = campaigns::keep(&summary.campaign, finding, function.is_some());
            let shown = Shown::new(function, finding, case.as_ref(), survey.as_ref());
            (shown, case, folder, keep)
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
            |((finding, (_, case, folder, keep)), picture)| FindingView {
                finding,
                case: case.as_ref(),
                folder,
                keep,
                excerpt: None,
                picture: picture.as_deref(),
                terminal: output::terminal(),
            },
        )
        .collect();
    let mut text = SummaryView { summary, findings }.text();
    if let (Some(function), Some(store)) = (&function, &store)
        && let Ok(behaviours) = function.behaviours(store, CASES)
    {
        text.push('\n');
        text.push_str(
            &CasesView {
                behaviours: &behaviours,
            }
            .text(output::terminal()),
        );
        if let Ok(missed) = function.missed(store)
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
