//! A native subject that is built: what it is run with, and what is saved of it.

use crate::building::{self, BuiltProgram};
use crate::contained_flags;
use crate::exchange::{Fuzzers, Place};
use crate::flags::{InputFlags, NativeFlags, variables};
use crate::names::NativeTarget;
use crate::program_error::problem;
use crate::record::{FunctionRecord, Limits, NativeRecord, Threads};
use crate::target_error::TargetError;
use crate::{harness, not_followed, saved_function, schedules, seeds, shrink};
use elsewise_campaign::{Exchange, Finding, Summary};
use elsewise_explore::{Case, Outcome, Subject};
use elsewise_frontend::contain::{self, Contained};
use elsewise_frontend::{BuiltSubject, ExploreRequest, Hint, Problem, record};
use elsewise_native::{
    Capacities, MOVES, MemoryModel, NativeOptions, NativeSubject, Stdin, Surroundings,
};
use serde_json::Value;
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

const MAX_INPUT: u32 = 4096;

/// How runs of a native program are, as the user wants them.
pub struct Runs {
    flags: NativeFlags,
    variables: Vec<(OsString, OsString)>,
    surroundings: Surroundings,
    stdin: Stdin,
    limits: Limits,
    contained: Contained,
    /// Of the subject.
    arguments: Vec<String>,
}

impl Runs {
    pub fn new(request: &ExploreRequest) -> Result<Runs, Problem> {
        let flags: NativeFlags = request.flags.read()?;
        let given: Vec<OsString> = request.arguments.iter().map(Into::into).collect();
        let variables = variables(&flags.run.env)?;
        let surroundings = Surroundings::new(&given, &variables).map_err(problem)?;
        let (folder, disk) = (flags.run.workdir.as_ref(), flags.run.disk);
        let contained = request.contained.clone().in_folder(folder, disk)?;
        Ok(Runs {
            variables,
            surroundings,
            stdin: stdin(&flags.input)?,
            limits: Limits {
                timeout_ms: request.timeout_or_usual(),
                memory_mb: request.memory_or_usual(),
                threads: Threads {
                    spurious: flags.threads.spurious.unwrap_or(0),
                    memory_model: flags.threads.memory_model.unwrap_or_default(),
                    moves: flags.threads.moves.unwrap_or(MOVES),
                    linearizable: !flags.operations.linearizable.is_empty(),
                },
            },
            arguments: contained_flags::arguments(&request.arguments, &contained),
            contained,
            flags,
        })
    }

    /// Cases to begin with.
    fn seeds(&self) -> Result<Vec<Case>, Problem> {
        match &self.flags.input.seeds {
            Some(folder) => seeds::seeds(folder, self.surroundings.main_key(), self.stdin),
            None => Ok(Vec::new()),
        }
    }
}

fn stdin(flags: &InputFlags) -> Result<Stdin, Problem> {
    match (flags.input_size, flags.max_input) {
        (Some(size), Some(max)) if size > max => Err(TargetError::InputSize { size, max }.into()),
        (Some(size), _) => Ok(Stdin::Fixed(size.into())),
        (None, max) => Ok(Stdin::Free {
            max: max.unwrap_or(MAX_INPUT).into(),
        }),
    }
}

pub fn build(
    target: &NativeTarget,
    request: &ExploreRequest,
) -> Result<Box<dyn BuiltSubject>, Problem> {
    let runs = Runs::new(request)?;
    let seeds = runs.seeds()?;
    let built = building::build(target, request)?;
    let bounds = match &built.function {
        Some(function) => harness::bounds(function),
        None => bounds(&runs.surroundings, runs.stdin),
    };
    let small = built.function.is_some();
    let mut native = BuiltNative::new(built, &runs, bounds, small);
    native.hints = hints(target, &runs.surroundings);
    native.seeds = seeds;
    Ok(Box::new(native))
}

pub struct BuiltNative {
    pub built: BuiltProgram,
    pub how: NativeOptions,
    bounds: Vec<String>,
    record: NativeRecord,
    /// What the user called operations.
    operations: Vec<String>,
    /// What to try where nothing depends on the inputs.
    hints: Vec<Hint>,
    /// The instrumented program, which can follow a schedule, is saved.
    saved_explored: bool,
    seeds: Vec<Case>,
    /// What the main input is called in cases.
    main: &'static str,
    /// Who looks for inputs at the same time.
    fuzzers: Option<Place>,
}

impl BuiltNative {
    /// A program that is built; `small` for one whose runs are short.
    pub fn new(
        built: BuiltProgram,
        runs: &Runs,
        mut bounds: Vec<String>,
        small: bool,
    ) -> BuiltNative {
        let (limits, contained, flags) = (runs.limits, &runs.contained, &runs.flags);
        bounds.extend(contain::words(contained));
        let how = NativeOptions {
            args: runs.arguments.iter().map(Into::into).collect(),
            env: runs.variables.clone(),
            stdin: runs.stdin,
            time_limit: Duration::from_millis(limits.timeout_ms),
            memory_limit: limits.memory_mb.saturating_mul(1 << 20),
            checks: !flags.run.no_checks,
            spurious: limits.threads.spurious,
            memory_model: limits.threads.memory_model.for_threads(),
            move_limit: limits.threads.moves,
            operations: limits.threads.linearizable,
            counted: built
                .function
                .as_ref()
                .map(|function| function.plan.counted.clone()),
            pointers: built
                .function
                .as_ref()
                .map(|function| function.plan.pointers())
                .unwrap_or_default(),
            reuse: !flags.run.fork,
            containment: built.containment(contained),
            capacities: match small {
                true => harness::CAPACITIES,
                false => Capacities::default(),
            },
        };
        let mut record = NativeRecord::new(
            &built.program.plain,
            &runs.arguments,
            &flags.run.env,
            runs.stdin,
            limits,
            contained.clone(),
        );
        record.function = built.function.as_ref().map(FunctionRecord::new);
        BuiltNative {
            bounds,
            record,
            operations: flags.operations.linearizable.clone(),
            hints: Vec::new(),
            built,
            how,
            saved_explored: false,
            seeds: Vec::new(),
            main: runs.surroundings.main_key(),
            fuzzers: Place::of(&flags.input),
        }
    }

    /// Puts the files into a campaign's folder that are run later.
    pub fn save_files(&self, campaign: &Path) -> Result<NativeRecord, Problem> {
        let program = &self.built.program;
        let libraries = program.plain_libraries.as_deref();
        self.record
            .save_files(&program.plain, libraries, campaign)?;
        if let Some(function) = &self.built.function {
            saved_function::save_files(function, program, campaign)?;
        }
        Ok(self.record.clone())
    }
}

impl BuiltSubject for BuiltNative {
    fn bounds(&self) -> Vec<String> {
        self.bounds.clone()
    }

    fn weaker(&self) -> Vec<String> {
        self.how.containment.weaknesses()
    }

    fn thread_bounds(&self) -> Vec<String> {
        let memory: &[&str] = match self.how.memory_model {
            MemoryModel::SequentiallyConsistent => &["sequentially consistent memory"],
            MemoryModel::TotalStoreOrder => &[
                "total store order: at most 64 stores of up to 32 bytes wait in a thread's buffer",
                "as fences: locks, signals, assembly, functions outside the program, stores to its own stack",
            ],
        };
        let freed = "memory that a thread has freed is not handed out again";
        let bounds = memory.iter().copied().chain([freed]);
        let mut bounds: Vec<String> = bounds.map(String::from).collect();
        if self.how.spurious > 0 {
            let most = self.how.spurious;
            bounds.push(format!(
                "at most {most} waits of a thread that end without a signal"
            ));
        }
        bounds
    }

    fn warn(&self) {
        schedules::warn_of_operations(&self.built.program, &self.operations);
        contain::warn_of_shortcoming(&self.how.containment);
    }

    fn subject(&self) -> Result<Box<dyn Subject>, Problem> {
        let subject = NativeSubject::new(&self.built.program, &self.how).map_err(problem)?;
        Ok(Box::new(subject))
    }

    fn seeds(&self) -> Vec<Case> {
        self.seeds.clone()
    }

    fn exchange(&self, campaign: &Path) -> Result<Option<Box<dyn Exchange>>, Problem> {
        let Some(place) = &self.fuzzers else {
            return Ok(None);
        };
        if self.built.function.is_some() {
            return Err(TargetError::ExchangeOfFunction.into());
        }
        let fuzzers = Fuzzers::new(place.clone(), campaign, self.main, self.how.stdin)?;
        Ok(Some(Box::new(fuzzers)))
    }

    fn save(&mut self, campaign: &Path) -> Result<Value, Problem> {
        record::value(&self.save_files(campaign)?)
    }

    /// What a finding with a schedule is replayed on.
    fn save_for(&mut self, findings: &[Finding], campaign: &Path) -> Result<(), Problem> {
        if self.saved_explored || !schedules::have_threads(findings) {
            return Ok(());
        }
        self.saved_explored = true;
        schedules::save(&self.built.program.instrumented, campaign)
    }

    /// Failing sequences are made as short as they get.
    fn finish(&mut self, summary: &Summary) -> Result<(), Problem> {
        let function = self.built.function.as_ref();
        if function.is_some_and(|function| function.plan.sequence.is_some()) {
            shrink::shrink(summary, self.subject()?.as_mut())?;
        }
        Ok(())
    }

    fn when_indifferent(&self) -> Option<Vec<Hint>> {
        // A function without a choice is explored with its one path.
        self.built.function.is_none().then(|| self.hints.clone())
    }

    fn when_incomplete(&self, summary: &Summary) -> Vec<Hint> {
        not_followed::hints(summary, &self.built.program)
    }

    fn confirm_all(&mut self, case: &Case) -> Result<Vec<Outcome>, Problem> {
        let program = &self.built.program;
        // The uninstrumented program cannot be told which thread is to move.
        if !case.schedule.is_empty() {
            return schedules::follow_all(program, &self.record, case);
        }
        let mut plain = self.record.plain(&program.plain)?;
        plain.env.extend(program.plain_env());
        plain.containment = self.how.containment.clone();
        Ok(vec![plain.run(case).map_err(problem)?.outcome])
    }
}

/// A bound, to the byte.
fn bytes(size: u64) -> String {
    match size {
        1 => "1 byte".into(),
        _ => format!("{size} bytes"),
    }
}

/// Other ways to give a program its input.
fn hints(target: &NativeTarget, surroundings: &Surroundings) -> Vec<Hint> {
    let (subject, file) = match target {
        NativeTarget::Sources(files) => {
            let words = files.iter().map(|file| file.to_string_lossy());
            let words: Vec<_> = words.collect();
            (words.join(" "), words.first().map(ToString::to_string))
        }
        NativeTarget::Executable(file) => (file.to_string_lossy().into_owned(), None),
        _ => return Vec::new(),
    };
    let hint = |words: String, meaning: &str| (format!("elsewise explore {words}"), meaning.into());
    let mut hints = Vec::new();
    if !surroundings.names_file() {
        let meaning = "a file of unknown content is its argument";
        hints.push(hint(format!("{subject} -- @@"), meaning));
    }
    if surroundings.inputs().is_empty() {
        let meaning = "an unknown text of up to 8 bytes is its argument";
        hints.push(hint(format!("{subject} -- @arg:8"), meaning));
    }
    if let Some(file) = file {
        let meaning = "one function with unknown arguments, without `main`";
        hints.push(hint(format!("{file}::FUNCTION"), meaning));
    }
    hints
}

/// What bounds the inputs of a program.
fn bounds(surroundings: &Surroundings, stdin: Stdin) -> Vec<String> {
    let main = surroundings.main_key();
    let mut bounds = vec![match stdin {
        Stdin::Fixed(size) => format!("{main} of exactly {}", bytes(size)),
        Stdin::Free { max } => format!("{main} of at most {}", bytes(max)),
    }];
    for (key, size) in surroundings.inputs() {
        bounds.push(format!("{key} of at most {}", bytes(size)));
    }
    bounds
}
