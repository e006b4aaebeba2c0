//! A subject: the file, the predicate in it, and what is known of both before any run.

use crate::amended::Amended;
use crate::inputs::Limits;
use crate::outcome::{Plain, shortened};
use crate::program::{Kind, Misunderstood, Program};
use crate::term::Term;
use crate::text;
use crate::types::{Determinism, Mode, Type};
use crate::vm::{Vm, VmError, install};
use elsewise_child::{Left, Starter};
use elsewise_explore::{Blueprint, Case, Location, RunError, SiteInfo};
use elsewise_term::{Model, Terms};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

#[derive(Clone, Debug)]
pub struct Options {
    pub file: PathBuf,
    pub predicate: String,
    pub arity: Option<u32>,
    /// `route(+,+,-)`: which arguments are ground, unbound, or either.
    pub mode: Option<String>,
    /// Solutions of one run: more than one by backtracking.
    pub solutions: u32,
    /// Elements of lists, and how deep terms stand in terms.
    pub depth: u32,
    pub integer_bits: u32,
    /// Steps of one run.
    pub inferences: u64,
    /// Of one run.
    pub timeout: Duration,
    /// Who starts SWI-Prolog.
    pub starter: Starter,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            file: PathBuf::new(),
            predicate: String::new(),
            arity: None,
            mode: None,
            solutions: 1,
            depth: 5,
            integer_bits: 64,
            inferences: 1_000_000,
            timeout: Duration::from_secs(10),
            starter: Starter::default(),
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    #[error(transparent)]
    Vm(#[from] VmError),
    #[error(transparent)]
    Misunderstood(#[from] Misunderstood),
    #[error("{0}")]
    Io(String),
}

pub(crate) struct Inner {
    pub options: Options,
    pub program: Program,
    pub parameters: Vec<(Mode, Arc<Type>)>,
    pub determinism: Determinism,
    /// Whether a mode line says what the arguments are.
    pub declared: bool,
    pub limits: Limits,
    pub blueprint: Blueprint,
    load: Term,
    helper: tempfile::TempDir,
    directory: PathBuf,
    spare: Mutex<Option<Vm>>,
}

/// What one run gave.
pub(crate) struct Ran {
    pub plain: Plain,
    pub events: String,
    pub ends: Vec<Term>,
    pub left: Left,
}

/// Built once; each worker has a subject of it.
#[derive(Clone)]
pub struct Project {
    pub(crate) inner: Arc<Inner>,
}

const LOAD: Duration = Duration::from_secs(120);

impl Project {
    pub fn open(options: &Options) -> Result<Project, BuildError> {
        let io = |error: std::io::Error| BuildError::Io(error.to_string());
        let file = options
            .file
            .canonicalize()
            .map_err(|error| BuildError::Io(format!("{}: {error}", options.file.display())))?;
        let helper = tempfile::Builder::new()
            .prefix("elsewise-prolog.")
            .tempdir()
            .map_err(io)?;
        install(helper.path()).map_err(io)?;
        let directory = file.parent().unwrap_or(Path::new("/")).to_path_buf();
        let mut vm = Vm::start(&options.starter, helper.path(), &directory)?;
        let load = load_request(&file, options);
        let program = Program::read(&vm.load(&load, LOAD)?)?;
        let entry = &program.preds[program.entry];
        let modes = entry.modes.clone();
        let declared = modes.is_some();
        let (parameters, determinism) = match modes {
            Some((modes, determinism)) if modes.len() == entry.arity => (modes, determinism),
            other => (
                vec![(Mode::Ground, Arc::new(Type::Any)); entry.arity],
                other.map_or(Determinism::Any, |(_, determinism)| determinism),
            ),
        };
        let blueprint = blueprint(&program, &file);
        Ok(Project {
            inner: Arc::new(Inner {
                limits: Limits {
                    depth: options.depth.max(1),
                    integer_bits: options.integer_bits.clamp(8, 256),
                },
                options: options.clone(),
                parameters,
                determinism,
                declared,
                blueprint,
                load,
                helper,
                directory,
                spare: Mutex::new(Some(vm)),
                program,
            }),
        })
    }

    pub(crate) fn values(&self, case: &Case) -> Vec<Term> {
        let stored = case.inputs.get("args");
        let text = stored.and_then(|bytes| std::str::from_utf8(bytes).ok());
        let list = text.and_then(text::parse);
        list.and_then(|list| list.elements()).unwrap_or_default()
    }

    pub(crate) fn case(&self, arguments: Vec<Term>) -> Case {
        let text = text::plain(&Term::list(arguments));
        Case {
            inputs: [("args".to_string(), text.into_bytes())].into(),
            schedule: Vec::new(),
        }
    }

    pub(crate) fn first_case(&self) -> Case {
        let parameters = self.inner.parameters.iter().zip(0..);
        let arguments = parameters.map(|((mode, of), at)| match mode {
            Mode::Unbound => Term::Var(at),
            _ => of.simplest(),
        });
        self.case(arguments.collect())
    }

    pub(crate) fn amended(&self, case: &Case, terms: &Terms, model: &Model) -> Case {
        let inner = &self.inner;
        let amended = Amended {
            signature: &inner.program.signature,
            terms,
            model,
        };
        let arguments = self.values(case);
        let parameters = inner.parameters.iter().zip(&arguments).enumerate();
        let arguments = parameters
            .map(|(at, ((mode, of), present))| amended.argument(at, *mode, of, present))
            .collect();
        self.case(arguments)
    }

    /// Each argument as one would write it.
    pub fn arguments(&self, case: &Case) -> Vec<String> {
        self.values(case).iter().map(text::show).collect()
    }

    /// The goal of a case, as one would write it.
    pub fn call_text(&self, case: &Case) -> String {
        let name = text::atom(self.predicate().1);
        match self.arguments(case) {
            all if all.is_empty() => name,
            all => format!("{name}({})", all.join(", ")),
        }
    }

    /// Module, name and number of arguments.
    pub fn predicate(&self) -> (&str, &str, usize) {
        let entry = &self.inner.program.preds[self.inner.program.entry];
        (&entry.module, &entry.name, entry.arity)
    }

    /// Beyond what size no inputs are tried, for people.
    pub fn bounds(&self) -> Vec<String> {
        let limits = &self.inner.limits;
        let fresh = self.inner.program.signature.fresh.len();
        let mut bounds = vec![
            format!("terms nested at most {} deep", limits.depth),
            format!("integers of at most {} bits", limits.integer_bits),
            format!("{fresh} constants that the program does not mention"),
        ];
        if !self.inner.declared && !self.inner.parameters.is_empty() {
            bounds.push("ground arguments, since no mode line or --mode says otherwise".into());
        }
        if self.inner.options.solutions > 1 {
            bounds.push(format!(
                "{} solutions of a call",
                self.inner.options.solutions
            ));
        }
        bounds
    }

    /// What the call of a case gives on the program as it is.
    pub fn result_text(&self, case: &Case) -> Result<String, RunError> {
        let plain = self.inner.plain(&self.values(case))?;
        let words = plain.ends.iter().map(|end| match end.parts() {
            Some(("true", [args])) => {
                let before = self.values(case);
                let after = args.elements().unwrap_or_default();
                let changed: Vec<String> = before
                    .iter()
                    .zip(&after)
                    .filter(|(before, _)| !before.is_ground())
                    .map(|(before, after)| {
                        format!("{} = {}", text::show(before), text::show(after))
                    })
                    .collect();
                match changed.is_empty() {
                    true => "true".to_string(),
                    false => changed.join(", "),
                }
            }
            Some(("exception", [ball, _])) => format!("raises {}", text::show(ball)),
            Some(("limit", _)) => "does not end".into(),
            _ => "false".into(),
        });
        Ok(words.collect::<Vec<_>>().join(" ; "))
    }
}

impl Inner {
    pub(crate) fn start(&self) -> Result<Vm, RunError> {
        let failed = |error: VmError| RunError::Start(error.to_string());
        let mut vm = Vm::start(&self.options.starter, self.helper.path(), &self.directory)
            .map_err(failed)?;
        vm.load(&self.load, LOAD).map_err(failed)?;
        Ok(vm)
    }

    fn request(&self, name: &str, arguments: &[Term]) -> Term {
        let limits = Term::compound(
            "limits",
            vec![
                Term::int(self.options.inferences as i64),
                Term::int(self.options.solutions.into()),
            ],
        );
        Term::compound(name, vec![Term::list(arguments.to_vec()), limits])
    }

    fn limit(&self) -> Duration {
        self.options.timeout + Duration::from_secs(2)
    }

    pub(crate) fn run(&self, vm: &mut Vm, arguments: &[Term]) -> Result<Ran, VmError> {
        let request = self.request("run", arguments);
        let asked = Instant::now();
        let (plain, events, end) = vm.run(&request, self.limit())?;
        let wrong = || VmError::Silent("its answer to a run cannot be read".into());
        let ends = match end.args_of("end") {
            Some([ends]) => ends.elements().ok_or_else(wrong)?,
            None => return Err(wrong()),
        };
        let plain = Plain::read(&plain).ok_or_else(wrong)?;
        // The instrumented program has run as well.
        let took = asked.elapsed();
        Ok(Ran {
            left: vm.clean(took)?,
            plain,
            events,
            ends,
        })
    }

    /// Runs the program as it is.
    pub(crate) fn plain(&self, arguments: &[Term]) -> Result<Plain, RunError> {
        let mut vm = self.taken()?;
        let plain = self.plain_on(&mut vm, arguments)?;
        if !plain.left {
            self.give_back(vm);
        }
        Ok(plain)
    }

    /// A server that is loaded.
    pub(crate) fn taken(&self) -> Result<Vm, RunError> {
        let spare = self.spare.lock().ok().and_then(|mut vm| vm.take());
        spare.map_or_else(|| self.start(), Ok)
    }

    pub(crate) fn give_back(&self, vm: Vm) {
        if let Ok(mut spare) = self.spare.lock() {
            *spare = Some(vm);
        }
    }

    pub(crate) fn plain_on(&self, vm: &mut Vm, arguments: &[Term]) -> Result<Plain, RunError> {
        let damaged = |error: VmError| RunError::Damaged(error.to_string());
        let request = self.request("plain", arguments);
        let answer = vm.ask(&request, self.limit()).map_err(damaged)?;
        let plain = Plain::read(&answer);
        let plain = plain.ok_or_else(|| RunError::Damaged("the answer to a run".into()))?;
        vm.clean(Duration::from_micros(plain.micros))
            .map_err(damaged)?;
        Ok(plain)
    }

    /// Where the predicate is.
    pub(crate) fn home(&self) -> Location {
        let entry = &self.program.preds[self.program.entry];
        Location {
            file: shortened(&entry.file),
            line: entry.line,
            column: 0,
            function: format!("{}/{}", entry.name, entry.arity),
        }
    }

    /// Whether arguments are as the mode line says.
    pub(crate) fn takes(&self, arguments: &[Term]) -> bool {
        self.parameters
            .iter()
            .zip(arguments)
            .all(|((mode, of), value)| match value {
                Term::Var(_) => *mode != Mode::Ground,
                value => *mode != Mode::Unbound && of.contains(value),
            })
    }
}

fn load_request(file: &Path, options: &Options) -> Term {
    let arity = match options.arity {
        Some(arity) => Term::int(arity.into()),
        None => Term::Var(0),
    };
    let mut said = vec![Term::compound(
        "all",
        vec![Term::atom(if options.solutions > 1 {
            "true"
        } else {
            "false"
        })],
    )];
    if let Some(mode) = &options.mode {
        said.push(Term::compound("mode", vec![Term::atom(mode)]));
    }
    Term::compound(
        "load",
        vec![
            Term::atom(&file.to_string_lossy()),
            Term::atom(&options.predicate),
            arity,
            Term::list(said),
        ],
    )
}

fn blueprint(program: &Program, file: &Path) -> Blueprint {
    use std::hash::{Hash, Hasher};
    let mut sites = Vec::new();
    let mut sides = 0;
    for (index, site) in program.sites.iter().enumerate() {
        let pred = &program.preds[site.pred];
        let function = format!("{}/{}", pred.name, pred.arity);
        let mut key = rustc_hash::FxHasher::default();
        (index, site.line, &function).hash(&mut key);
        let hidden = pred.kind == Kind::Library;
        let count = if hidden { 0 } else { site.sides };
        sites.push(SiteInfo {
            key: key.finish(),
            location: Location {
                file: shortened(&pred.file),
                line: site.line,
                column: 0,
                function,
            },
            first_side: sides,
            sides: count,
            hidden,
            inserted: false,
            clauses: false,
            callee: String::new(),
        });
        sides += count;
    }
    let build = Blueprint::build_of(&[
        &file,
        &program.preds,
        &program.clauses,
        &program.sites,
        &program.facts,
        &program.signature,
    ]);
    Blueprint {
        build,
        sites,
        functions: Vec::new(),
        sides,
    }
}
