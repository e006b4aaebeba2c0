//! A C program as a subject.

mod histories;
mod started;
mod texts;

use crate::blueprint::{self, Sites};
use crate::code::{self, Setup};
use crate::decode::{Decoded, Decoder, opaque_kind};
use crate::globals::Globals;
use crate::memory::SharedMemory;
use crate::options::{NativeOptions, joined, settings};
use crate::outcome::outcome;
use crate::plain::Plain;
use crate::server::{RawRun, Server};
use crate::streams::{self, LENGTH_OFFSET, MAIN_ID, Stdin, entry_name, variable_key};
use crate::surroundings::SurroundingInput;
use crate::symbols::Symbols;
use crate::threads::{ThreadedRun, is_livelock};
use elsewise_driver::NativeError;
use elsewise_driver::{Program, names};
use elsewise_explore::program;
use elsewise_explore::schedule::{Rule, Sampling};
use elsewise_explore::{
    Approximation, ApproximationKind, Blueprint, Case, Deadline, FailureKind, Location, Outcome,
    RunError, SideId, SiteId, StoryLine, Subject, Suspect, Text, Trace,
};
use elsewise_term::{Model, Terms};
use elsewise_wire as wire;
use elsewise_wire::sampler;
use elsewise_wire::{REASONS, Reason};
use histories::Histories;
use rustc_hash::FxHashMap;
use started::{check_lost_server, libraries, registered};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

/// How a case is run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    /// In whatever process is at hand.
    Usual,
    /// The same; where the schedule has ended, threads move by this rule.
    Sampled(sampler::Words),
    /// In a process of its own.
    Alone,
    /// The same, with many more moves of threads than a run may have.
    Patient,
    /// Alone, with operations one after the other, in the order of threads that the schedule says.
    Serial,
}

pub struct NativeSubject {
    server: Server,
    plain: Plain,
    stdin: Stdin,
    /// Moves of threads that a run may have.
    moves: u64,
    /// Arguments and variables that are inputs, as the runtime and as a case knows them.
    given: Vec<SurroundingInput>,
    /// An input is a variable that the C library reads by itself.
    library_reads: bool,
    inputs: Vec<(String, u64)>,
    is_function: bool,
    /// Its inputs that are pointers, and what they are called.
    pointers: Vec<(String, String)>,
    pub(crate) blueprint: Blueprint,
    sites: Sites,
    decoder: Decoder,
    symbols: Symbols,
    globals: Globals,
    /// What the threads of the run did that was confirmed last.
    story: Vec<StoryLine>,
    /// What is known of calls of operations, if they are looked at.
    pub(crate) histories: Option<Histories>,
    /// A run with threads has been repeated.
    repeated: bool,
    /// What the sanitized build did on the latest cases.
    watched: FxHashMap<Case, Outcome>,
    relation: Relation,
}

/// What the program as a transition relation is made from, when somebody asks for it.
struct Relation {
    codes: Vec<Arc<[u8]>>,
    modules: Vec<wire::ModuleEntry>,
    setup: Setup,
    made: OnceLock<Option<Arc<program::Program>>>,
}

/// So many times as many moves tell a long run from one without end.
const PATIENCE: u64 = 8;

/// So many outcomes of the sanitized build are kept, for runs that are repeated.
const WATCHED: usize = 4096;

impl NativeSubject {
    /// Starts the program up to its first input.
    pub fn new(program: &Program, options: &NativeOptions) -> Result<NativeSubject, NativeError> {
        let settings = settings(program, options)?;
        let surroundings = settings.surroundings.clone();
        let main = surroundings.main_key();
        let server = Server::start(settings)?;
        let modules = registered(server.memory())?;
        let (libraries, plugins) = libraries(program, &server)?;
        let (mut maps, mut codes) = (program.maps.clone(), program.codes.clone());
        for plugin in plugins {
            maps.extend(plugin.maps);
            codes.push(plugin.code);
        }
        let (mut blueprint, sites) = blueprint::assemble(program.build.clone(), &maps, &modules)
            .map_err(|reason| NativeError::BadProgram {
                path: program.instrumented.clone(),
                reason,
            })?;
        if let Some(counted) = &options.counted {
            for site in &mut blueprint.sites {
                site.hidden |= !counted.contains(&site.location.function);
            }
        }
        let plain = Plain {
            program: program.plain.clone(),
            args: options.args.clone(),
            env: joined(program.plain_env(), &options.env),
            stdin: options.stdin,
            // A slow machine must not turn a confirmed hang into a finished run.
            time_limit: options.time_limit * 3,
            memory_limit: options.memory_limit,
            containment: options.containment.clone(),
            sanitizers: program.sanitizers,
            deadline: Deadline::default(),
        };
        if let Some(run) = server.finished() {
            check_lost_server(run, &plain)?;
        }
        let globals = Globals::new(&program.instrumented, server.mapped(), &libraries);
        Ok(NativeSubject {
            server,
            plain,
            stdin: options.stdin,
            moves: options.move_limit,
            blueprint,
            sites,
            given: surroundings.given(),
            library_reads: surroundings.library_reads(),
            inputs: surroundings.inputs(),
            is_function: options.counted.is_some(),
            pointers: options.pointers.clone(),
            decoder: Decoder::new(main),
            symbols: Symbols::new(&program.instrumented).with_libraries(libraries),
            globals,
            story: Vec::new(),
            histories: options.operations.then(Histories::default),
            repeated: false,
            watched: FxHashMap::default(),
            relation: Relation {
                codes,
                modules,
                setup: Setup::new(&program.instrumented, &surroundings, options.stdin),
                made: OnceLock::new(),
            },
        })
    }

    /// The uninstrumented program, for replay.
    pub fn plain(&self) -> &Plain {
        &self.plain
    }

    /// Runs after which their process was again what it had been before.
    pub fn runs_put_back(&self) -> u64 {
        self.server.runs_put_back()
    }

    /// Runs a case, and decodes what it wrote.
    pub(crate) fn execute(
        &mut self,
        case: &Case,
        terms: &mut Terms,
        how: How,
    ) -> Result<(RawRun, Decoded), RunError> {
        self.server.memory().rule(match how {
            How::Sampled(rule) => rule,
            _ => NO_RULE,
        });
        self.server.memory().limit_moves(match how {
            How::Patient => self.moves.saturating_mul(PATIENCE),
            _ => self.moves,
        });
        let streams = streams::of_case(case, self.decoder.streams.main(), self.stdin);
        let given: Vec<(Vec<u8>, u32, &[u8])> = streams
            .iter()
            .map(|(name, occurrence, bytes)| (name.clone(), *occurrence, bytes.as_slice()))
            .collect();
        let run = match how {
            How::Usual | How::Sampled(_) => self.server.run(&given),
            How::Alone | How::Patient => self.server.run_alone(&given),
            How::Serial => self.server.run_serial(&given),
        };
        let run = run.map_err(|error| of_run(error, RunError::Damaged))?;
        let memory = self.server.memory();
        let decoded = self
            .decoder
            .decode(memory, &self.sites, self.stdin, case, terms)
            .map_err(|error| RunError::Damaged(error.to_string()))?;
        if self.decoder.deadline.is_over() {
            return Err(RunError::Late);
        }
        Ok((run, decoded))
    }

    fn run_by(&mut self, case: &Case, how: How, terms: &mut Terms) -> Result<Trace, RunError> {
        let (run, mut decoded) = self.execute(case, terms, how)?;
        let mut approximations = std::mem::take(&mut decoded.approximations);
        let memory = self.server.memory();
        let mut count = |kind, site: Option<u32>| {
            let site = site.filter(|site| self.sites.kind(*site).is_some());
            let site = site.map(SiteId);
            approximations.push(Approximation { kind, site });
        };
        let before = memory.before(Reason::Input);
        if before.is_some() || self.library_reads || !self.all_given(memory) {
            count(opaque_kind(Reason::Input), before);
        }
        let others = (0..REASONS).filter_map(|code| Reason::from_u8(code as u8));
        for reason in others.filter(|reason| *reason != Reason::Input) {
            if let Some(before) = memory.before(reason) {
                count(opaque_kind(reason), Some(before));
            }
        }
        for (kind, holds) in [
            (ApproximationKind::UnwatchedInput, !memory.is_watched()),
            (ApproximationKind::Overrun, run.overrun.is_some()),
            (ApproximationKind::UnlikeAlone, run.unlike),
            (ApproximationKind::LeftProcesses, run.left > 0),
        ] {
            if holds {
                count(kind, None);
            }
        }
        // Further runs may be needed to tell how this one ended.
        let covered = self.covered();
        let (mut outcome, flaws) = self.ended(case, run, &decoded)?;
        let all_moves = decoded.threads.moves.moves.len() as u64 >= self.moves;
        if is_livelock(&outcome) && all_moves {
            // What it would have chosen later is not known.
            approximations.push(Approximation {
                kind: ApproximationKind::RunLimit,
                site: decoded.choices.last().map(|choice| choice.site),
            });
        }
        let gave_up = self.histories.as_mut();
        let gave_up = gave_up.is_some_and(|histories| std::mem::take(&mut histories.gave_up));
        if gave_up || decoded.threads.lost_operations {
            approximations.push(Approximation::nowhere(ApproximationKind::UnexplainedCalls));
        }
        let mut watch_micros = 0;
        if decoded.threads.moves.moves.is_empty() {
            let began = Instant::now();
            outcome = self.watched_outcome(case, outcome)?;
            if self.plain.sanitizers.any() {
                watch_micros = began.elapsed().as_micros() as u64;
            }
        } else if self.plain.sanitizers.any() {
            // The sanitized build knows no schedule: what it does with one is up to chance.
            approximations.push(Approximation::nowhere(ApproximationKind::UnwatchedThreads));
        }
        let mut trace = Trace {
            outcome,
            flaws,
            covered,
            choices: decoded.choices,
            bounds: decoded.bounds,
            preferences: decoded.preferences,
            moves: decoded.threads.moves,
            present: decoded.present,
            approximations,
            cpu_micros: run.cpu_micros,
            watch_micros,
        };
        if how == How::Usual && !trace.moves.moves.is_empty() && !self.repeated {
            self.repeated = true;
            trace
                .approximations
                .extend(self.unlike(case, terms, &trace)?);
        }
        Ok(trace)
    }

    /// Runs a case with threads once more: it must do the same, or something has a say in it that is
    /// neither input nor schedule.
    fn unlike(
        &mut self,
        case: &Case,
        terms: &mut Terms,
        trace: &Trace,
    ) -> Result<Option<Approximation>, RunError> {
        let (_, again) = self.execute(case, terms, How::Usual)?;
        let (one, other) = (&trace.choices, &again.choices);
        let mut pairs = one.iter().zip(other);
        let differs = pairs.position(|(a, b)| (a.site, a.taken) != (b.site, b.taken));
        let ends = one.len().min(other.len());
        let moves =
            (one.len() != other.len() || trace.moves != again.threads.moves).then_some(ends);
        Ok(differs.or(moves).map(|at| Approximation {
            kind: ApproximationKind::UnlikeAgain,
            site: one
                .get(at.min(one.len().saturating_sub(1)))
                .map(|choice| choice.site),
        }))
    }

    /// How a run ended, and what is wrong with what its threads did: blocks that were broken into, calls
    /// that no order explains, data races.
    fn ended(
        &mut self,
        case: &Case,
        run: RawRun,
        decoded: &Decoded,
    ) -> Result<(Outcome, Vec<Outcome>), RunError> {
        let place = |site: SiteId| Some(&self.blueprint.sites.get(site.0 as usize)?.location);
        let choices = decoded.choices.iter().rev().map(|choice| choice.site);
        let last = decoded
            .last_site
            .into_iter()
            .chain(choices)
            .filter_map(place)
            // Places that are no source of the subject's.
            .find(|place| !place.is_library())
            .cloned();
        let told = ThreadedRun {
            threads: &decoded.threads,
            sites: &self.blueprint.sites,
            globals: &self.globals,
        };
        let seen = outcome(run, self.server.memory(), &mut self.symbols, &told, last);
        let mut flaws = told.broken_blocks();
        let races = told.data_races();
        if matches!(seen, Outcome::Exit(_)) {
            flaws.extend(self.unexplained(case, &decoded.threads)?);
        }
        flaws.extend(races);
        Ok((seen, flaws))
    }

    /// How the run ended, if the sanitized build has nothing worse to say of its case.
    fn watched_outcome(&mut self, case: &Case, seen: Outcome) -> Result<Outcome, RunError> {
        if !self.plain.sanitizers.any() || seen == Outcome::Assumed {
            return Ok(seen);
        }
        if !self.watched.contains_key(case) {
            if self.watched.len() >= WATCHED {
                self.watched.clear();
            }
            let run = self.plain.run(case);
            let run = run.map_err(|error| of_run(error, RunError::Start))?;
            self.watched.insert(case.clone(), run.outcome);
        }
        Ok(match self.watched.get(case) {
            // What no sanitizer has reported has no place there, but may have one here.
            Some(Outcome::Failure { place, .. })
                if place.is_empty() && matches!(seen, Outcome::Failure { .. }) =>
            {
                seen
            }
            Some(failure @ Outcome::Failure { .. }) => failure.clone(),
            _ => seen,
        })
    }

    /// Has the run taken up every argument and variable that is an input?
    fn all_given(&self, memory: &SharedMemory) -> bool {
        self.given.iter().enumerate().all(|(index, given)| {
            let entry = memory.stream(index as u32 + 1);
            entry.is_some_and(|entry| entry_name(&entry) == given.name)
                && memory.counters().streams_used > index as u32 + 1
        })
    }

    fn covered(&self) -> Vec<SideId> {
        let bytes = self.server.memory().coverage(self.blueprint.sides);
        let taken = bytes.iter().enumerate().filter(|(_, byte)| **byte != 0);
        taken.map(|(side, _)| SideId(side as u32)).collect()
    }
}

/// Whoever moves goes on, where the schedule has ended.
const NO_RULE: sampler::Words = [0; 3];

impl Subject for NativeSubject {
    fn blueprint(&self) -> &Blueprint {
        &self.blueprint
    }

    fn first_case(&self) -> Case {
        let mut case = Case::default();
        let size = self.stdin.length(0);
        let main = self.decoder.streams.main().to_string();
        case.inputs.insert(main, vec![0; size as usize]);
        for (key, _) in &self.inputs {
            case.inputs.insert(key.clone(), Vec::new());
        }
        case
    }

    fn texts(&self, case: &Case) -> Vec<Text> {
        self.texts_of(case)
    }

    fn suspects(&self, case: &Case, failure: &Outcome) -> Vec<Suspect> {
        self.null_arguments(case, failure)
    }

    fn keep_to(&mut self, deadline: Deadline) {
        self.server.keep_to(deadline.clone());
        self.plain.deadline = deadline.clone();
        self.decoder.deadline = deadline;
    }

    fn run(&mut self, case: &Case, terms: &mut Terms) -> Result<Trace, RunError> {
        self.run_by(case, How::Usual, terms)
    }

    fn sample(&mut self, case: &Case, rule: &Rule, terms: &mut Terms) -> Result<Trace, RunError> {
        let (kind, depth) = match rule.sampling {
            Sampling::Random => (sampler::UNIFORM, 0),
            Sampling::Pct(depth) => (sampler::PCT, depth),
            Sampling::Pos => (sampler::POS, 0),
        };
        let words = sampler::words(kind, depth, rule.seed, rule.length);
        self.run_by(case, How::Sampled(words), terms)
    }

    fn apply_model(&self, case: &Case, terms: &Terms, model: &Model) -> Case {
        let mut amended = case.clone();
        let split = |var| {
            let key = terms.var_key(var);
            ((key >> 32) as u32, key as u32)
        };
        // The length first: bytes beyond it are nobody's.
        let length = model
            .iter()
            .find(|(var, _)| split(*var) == (MAIN_ID, LENGTH_OFFSET))
            .and_then(|(_, value)| value.to_u64());
        let main = self.decoder.streams.main().to_string();
        let input = amended.inputs.entry(main).or_default();
        let length = match (self.stdin, length) {
            (Stdin::Free { max }, Some(length)) => length.min(max),
            _ => self.stdin.length(input.len()),
        };
        input.resize(length as usize, 0);
        for (var, value) in model.iter() {
            let (stream, offset) = split(var);
            let offset = offset as usize;
            let (Some(key), Some(value)) = (self.decoder.streams.key(stream), value.to_u64())
            else {
                continue;
            };
            let limit = match stream {
                MAIN_ID => length,
                _ => self.server.settings().capacities.input,
            };
            if offset as u64 >= limit {
                continue;
            }
            let bytes = amended.inputs.entry(key.to_string()).or_default();
            if bytes.len() <= offset {
                bytes.resize(offset + 1, 0);
            }
            bytes[offset] = value as u8;
        }
        amended
    }

    fn confirm_all(&mut self, case: &Case) -> Result<Vec<Outcome>, RunError> {
        self.story.clear();
        if case.schedule.is_empty() {
            return Ok(vec![self.confirm(case)?]);
        }
        let (run, decoded) = self.execute(case, &mut Terms::new(), How::Alone)?;
        let (outcome, flaws) = self.ended(case, run, &decoded)?;
        // Many moves, or no end? More of them tell.
        if is_livelock(&outcome) && decoded.threads.moves.moves.len() as u64 >= self.moves {
            let (run, longer) = self.execute(case, &mut Terms::new(), How::Patient)?;
            let (ended, _) = self.ended(case, run, &longer)?;
            if !is_livelock(&ended) {
                return Ok(vec![ended]);
            }
        }
        let told = ThreadedRun {
            threads: &decoded.threads,
            sites: &self.blueprint.sites,
            globals: &self.globals,
        };
        self.story = told.story(&mut self.symbols);
        if matches!(
            &outcome,
            Outcome::Failure {
                kind: FailureKind::Deadlock | FailureKind::LostWakeUp,
                ..
            }
        ) {
            self.story.extend(told.stuck());
        }
        // What a thread does last is told by how the run ended: a call that does not return says nothing.
        let ends = decoded
            .threads
            .moves
            .moves
            .last()
            .is_some_and(|last| last.ends);
        if let Outcome::Failure { place, .. } = &outcome
            && let (true, Some(place), Some(last)) =
                (ends, Location::of_stack(place), self.story.last_mut())
        {
            last.place = place.clone();
        }
        Ok([outcome].into_iter().chain(flaws).collect())
    }

    fn confirm(&mut self, case: &Case) -> Result<Outcome, RunError> {
        // The uninstrumented build cannot be told which thread is to move. What it can be told is
        // confirmed by the schedule, once more, in a process of its own.
        if !case.schedule.is_empty() {
            let mut shown = self.confirm_all(case)?.into_iter();
            let outcome = shown.next().unwrap_or(Outcome::Exit(0));
            return Ok(match (outcome, shown.next()) {
                (Outcome::Exit(_), Some(other)) => other,
                (outcome, _) => outcome,
            });
        }
        self.plain
            .run(case)
            .map(|run| run.outcome)
            .map_err(|error| of_run(error, RunError::Start))
    }

    fn program(&self) -> Result<Arc<program::Program>, String> {
        if self.plain.sanitizers.any() {
            return Err("what sanitizers report is in no program".into());
        }
        let Relation {
            codes,
            modules,
            setup,
            made,
        } = &self.relation;
        made.get_or_init(|| code::join(codes, modules, setup).map(Arc::new))
            .clone()
            .ok_or_else(|| "its code was not written down when it was built".into())
    }

    fn input_bytes(&self, case: &Case, name: &str, occurrence: u32) -> Vec<u8> {
        let main = self.decoder.streams.main();
        let name = name.as_bytes();
        let key = names::key(&name[..name.len().min(wire::NAME_BYTES - 1)], occurrence);
        let bytes = case.inputs.get(&key);
        let mut bytes = bytes.cloned().unwrap_or_default();
        if key == main {
            bytes.resize(self.stdin.length(bytes.len()) as usize, 0);
        }
        bytes
    }

    fn input_key(&self, name: &str, occurrence: u32, offset: u32) -> Option<u64> {
        let name = name.as_bytes();
        let name = &name[..name.len().min(wire::NAME_BYTES - 1)];
        let streams = &self.decoder.streams;
        let id = match names::key(name, occurrence) == streams.main() {
            true => MAIN_ID,
            false => streams.known_id(name, occurrence)?,
        };
        Some(variable_key(id, offset))
    }

    fn story(&mut self) -> Vec<StoryLine> {
        std::mem::take(&mut self.story)
    }
}

/// What an error means for a run; `otherwise` if it was not just late.
fn of_run(error: NativeError, otherwise: fn(String) -> RunError) -> RunError {
    match error {
        NativeError::Late => RunError::Late,
        other => otherwise(other.to_string()),
    }
}
