//! What the user asked for, looked at before anything is built.

use crate::args::{ExploreArgs, Settings};
use crate::exit::Problem;
use crate::record::{Contained, Limits, Record, Threads};
use crate::subject::{self, Named};
use crate::{calls, charts, config, contain, erlang, functions, native, output, prolog};
use elsewise_native::{MOVES, Stdin, Surroundings};
use std::ffi::OsString;
use std::path::Path;

const MAX_INPUT: u32 = 4096;
const TIMEOUT_MS: u64 = 2000;
const MEMORY_MB: u64 = 2048;

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
        let settings = args.settings.clone().or(from_file.clone());
        if let Some(words) = contain::allowed_by_file(&from_file, &args.settings) {
            output::warning(&words);
        }
        let given: Vec<OsString> = args.args.iter().map(Into::into).collect();
        let variables = subject::variables(&settings.env)?;
        let surroundings = Surroundings::new(&given, &variables).map_err(native::problem)?;
        let named = Named::new(&args.subject)?;
        // What the settings file says is for all subjects.
        match &named {
            Named::Function { .. } | Named::Call(_) | Named::Predicate(_) | Named::Chart(_)
                if !args.args.is_empty() =>
            {
                return Err(Problem::usage(
                    "a function, predicate or model has no arguments after --: its parameters and \
                     messages are the inputs",
                ));
            }
            Named::Chart(_) => charts::refuse(&args.settings)?,
            Named::Call(_) => calls::refuse(&args.settings, erlang::SUBJECT)?,
            Named::Predicate(_) => prolog::refuse(&args.settings)?,
            Named::Function { .. } => {}
            _ if settings.sequence.is_empty() => functions::only_for_functions(&args.settings)?,
            _ => {}
        }
        if !matches!(named, Named::Call(_) | Named::Predicate(_)) {
            calls::only_for_calls(&args.settings)?;
        }
        if !matches!(named, Named::Chart(_)) {
            charts::only_for_charts(&args.settings)?;
        }
        if !matches!(named, Named::Call(_) | Named::Chart(_)) {
            erlang::only_for_functions(&args.settings)?;
        }
        if !matches!(named, Named::Predicate(_)) {
            prolog::only_for_predicates(&args.settings)?;
        }
        let is_chart = matches!(named, Named::Chart(_));
        if args.settings.steps.is_some() && settings.sequence.is_empty() && !is_chart {
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
                memory_model: settings.memory_model.unwrap_or_default(),
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
