//! A native subject that is built: what it is run with, and what is kept of it.

use crate::exit::Problem;
use crate::native::{self, Built};
use crate::ready::{Hint, Ready};
use crate::record::Record;
use crate::subject::Named;
use crate::wanted::Wanted;
use crate::{behaviours, contain, functions, shrink, stdlib, threads};
use elsewise_campaign::{Finding, Summary};
use elsewise_explore::{Case, Outcome, Subject};
use elsewise_native::cc::is_of_standard_library;
use elsewise_native::{Capacities, MemoryModel, NativeOptions, Stdin, Surroundings};
use std::path::Path;
use std::time::Duration;

pub fn build(wanted: &Wanted) -> Result<Box<dyn Ready>, Problem> {
    let settings = &wanted.settings;
    let built = native::build(&wanted.named, settings)?;
    let bounds = match &built.function {
        Some(function) => functions::bounds(function),
        None => bounds(&wanted.surroundings, wanted.stdin),
    };
    let small = built.function.is_some();
    Ok(Box::new(ready(built, wanted, bounds, small)))
}

/// A program that is built; `small` for one whose runs are short.
pub fn ready(built: Built, wanted: &Wanted, mut bounds: Vec<String>, small: bool) -> ReadyNative {
    let settings = &wanted.settings;
    let (limits, contained) = (wanted.limits, &wanted.contained);
    bounds.extend(contain::words(contained));
    let how = NativeOptions {
        args: wanted.arguments.iter().map(Into::into).collect(),
        env: wanted.variables.clone(),
        stdin: wanted.stdin,
        time_limit: Duration::from_millis(limits.timeout_ms),
        memory_limit: limits.memory_mb.saturating_mul(1 << 20),
        checks: !settings.no_checks,
        spurious: limits.threads.spurious,
        memory_model: limits.threads.memory_model.for_threads(),
        move_limit: limits.threads.moves,
        operations: limits.threads.linearizable,
        counted: built
            .function
            .as_ref()
            .map(|function| function.plan.counted.clone()),
        reuse: !settings.fork,
        containment: built.containment(contained),
        capacities: match small {
            true => functions::CAPACITIES,
            false => Capacities::default(),
        },
    };
    ReadyNative {
        bounds,
        record: wanted.record(&built.program.plain),
        operations: settings.linearizable.clone(),
        hints: hints(wanted),
        built,
        how,
        kept_explored: false,
    }
}

pub struct ReadyNative {
    pub built: Built,
    pub how: NativeOptions,
    bounds: Vec<String>,
    record: Record,
    /// What the user called operations.
    operations: Vec<String>,
    /// What to try where nothing depends on the inputs.
    hints: Vec<Hint>,
    /// The instrumented program, which can follow a schedule, is kept.
    kept_explored: bool,
}

impl Ready for ReadyNative {
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

    fn subjects(&self, jobs: u16) -> Result<Vec<Box<dyn Subject>>, Problem> {
        threads::warn_of_operations(&self.built.program, &self.operations);
        contain::warn_of_shortcoming(&self.how.containment);
        native::subjects(&self.built.program, &self.how, jobs)
    }

    fn keep(&mut self, campaign: &Path, command: &[String]) -> Result<(), Problem> {
        let program = &self.built.program;
        let record = Record {
            command: command.to_vec(),
            ..self.record.clone()
        };
        record.write(&program.plain, program.plain_libraries.as_deref(), campaign)?;
        match &self.built.function {
            Some(function) => behaviours::keep(function, program, campaign),
            None => Ok(()),
        }
    }

    /// What a finding with a schedule is replayed on.
    fn keep_for(&mut self, findings: &[Finding], campaign: &Path) -> Result<(), Problem> {
        if self.kept_explored || !threads::have_threads(findings) {
            return Ok(());
        }
        self.kept_explored = true;
        threads::keep(&self.built.program.instrumented, campaign)
    }

    /// Failing sequences are made as short as they get.
    fn finish(&mut self, summary: &Summary) -> Result<(), Problem> {
        let function = self.built.function.as_ref();
        if function.is_some_and(|function| function.plan.sequence.is_some())
            && let Some(subject) = native::subjects(&self.built.program, &self.how, 1)?.first_mut()
        {
            shrink::shrink(summary, subject.as_mut())?;
        }
        Ok(())
    }

    fn when_indifferent(&self) -> Option<Vec<Hint>> {
        // A function without a choice is explored with its one path.
        self.built.function.is_none().then(|| self.hints.clone())
    }

    fn when_given_up(&self, summary: &Summary) -> Vec<Hint> {
        let mut places = summary.approximation_places.iter();
        let in_library = places
            .any(|at| is_of_standard_library(&at.callee) || is_of_standard_library(&at.function));
        match in_library && stdlib::found().is_none() {
            true => vec![(
                "elsewise stdlib".into(),
                "builds the C++ library once, so that input is followed through it".into(),
            )],
            false => Vec::new(),
        }
    }

    fn again(&mut self, case: &Case) -> Result<Vec<Outcome>, Problem> {
        let program = &self.built.program;
        // The uninstrumented program cannot be told which thread is to move.
        if !case.schedule.is_empty() {
            return threads::follow_all(program, &self.record, case);
        }
        let mut plain = self.record.plain(&program.plain)?;
        plain.env.extend(program.plain_env());
        plain.containment = self.how.containment.clone();
        Ok(vec![plain.run(case).map_err(native::problem)?.outcome])
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
fn hints(wanted: &Wanted) -> Vec<Hint> {
    let (subject, file) = match &wanted.named {
        Named::Sources(files) => {
            let words = files.iter().map(|file| file.to_string_lossy());
            let words: Vec<_> = words.collect();
            (words.join(" "), words.first().map(ToString::to_string))
        }
        Named::Executable(file) => (file.to_string_lossy().into_owned(), None),
        _ => return Vec::new(),
    };
    let hint = |words: String, meaning: &str| (format!("elsewise explore {words}"), meaning.into());
    let mut hints = Vec::new();
    if !wanted.surroundings.names_file() {
        let meaning = "a file of unknown content is its argument";
        hints.push(hint(format!("{subject} -- @@"), meaning));
    }
    if wanted.surroundings.inputs().is_empty() {
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
