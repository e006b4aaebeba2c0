//! A subject: the file, the function in it, and what is known of both before any run.

mod machines;
mod requests;

use crate::amended::Amended;
use crate::blueprint::blueprint;
use crate::elixir;
use crate::error::BuildError;
use crate::kinds::{Atoms, Limits};
use crate::outcome::End;
use crate::program::{Misunderstood, Program};
use crate::types::{ANY, Signature, TypeId, Types};
use crate::value::Value;
use crate::value::closure::FunctionName;
use crate::vm::{Starting, Vm, helper};
use crate::{etf, text};
use elsewise_child::Starter;
use elsewise_explore::{Blueprint, Case, Deadline, RunError};
use elsewise_term::{Model, Terms};
use machines::{LOAD, Plain};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

#[derive(Clone, Debug)]
pub struct Options {
    /// A source of Erlang or Elixir, or a compiled module with debug information.
    pub file: PathBuf,
    /// Where the file has several modules.
    pub module: Option<String>,
    pub function: String,
    pub arity: Option<u32>,
    /// Elements of lists, and how deep terms stand in terms.
    pub depth: u32,
    pub integer_bits: u32,
    /// Of one run.
    pub timeout: Duration,
    /// Bytes of one run.
    pub memory: u64,
    pub include: Vec<PathBuf>,
    /// Folders with compiled modules that it uses.
    pub paths: Vec<PathBuf>,
    pub macros: Vec<(String, String)>,
    /// Arguments that no clause of the function takes are findings even without a specification.
    pub any: bool,
    /// Who starts the machines.
    pub starter: Starter,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            file: PathBuf::new(),
            module: None,
            function: String::new(),
            arity: None,
            depth: Limits::default().depth,
            integer_bits: Limits::default().integer_bits,
            timeout: Duration::from_secs(2),
            memory: 512 << 20,
            include: Vec::new(),
            paths: Vec::new(),
            macros: Vec::new(),
            any: false,
            starter: Starter::default(),
        }
    }
}

/// Whether a target is a function of Erlang or Elixir: `bank.erl::transfer/3`.
pub fn is_target(target: &str) -> bool {
    let file = target.rsplit_once("::").map_or(target, |(file, _)| file);
    let extension = Path::new(file).extension().and_then(|it| it.to_str());
    matches!(extension, Some("erl" | "ex" | "exs" | "beam" | "core"))
}

pub(crate) struct Inner {
    pub options: Options,
    pub program: Program,
    pub types: Types,
    pub signatures: Vec<Signature>,
    /// Types of the parameters, over all signatures.
    pub parameters: Vec<TypeId>,
    pub entry: usize,
    pub module: Arc<str>,
    pub function: FunctionName,
    pub atoms: Atoms,
    pub limits: Limits,
    pub blueprint: Blueprint,
    pub elixir: bool,
    load: Value,
    /// For machines that have the modules as they are.
    enter: Value,
    paths: Vec<PathBuf>,
    helper: PathBuf,
    /// Compiled Elixir, and the folder that runs are in.
    folder: tempfile::TempDir,
    /// A machine that is loaded and not in use.
    spare: Mutex<Option<Vm>>,
    /// One that has the modules as they are.
    plain: Mutex<Option<Plain>>,
}

/// Built once; each worker has a subject of it.
#[derive(Clone)]
pub struct Project {
    pub(crate) inner: Arc<Inner>,
}

impl Project {
    pub fn open(options: &Options) -> Result<Project, BuildError> {
        let io = |error: std::io::Error| BuildError::Io(error.to_string());
        let file = options
            .file
            .canonicalize()
            .map_err(|error| BuildError::Io(format!("{}: {error}", options.file.display())))?;
        let folder = tempfile::Builder::new()
            .prefix("elsewise-erlang.")
            .tempdir()
            .map_err(io)?;
        let extension = file.extension().and_then(|it| it.to_str()).unwrap_or("");
        let mut paths = options.paths.clone();
        let (files, elixir) = match extension {
            "ex" | "exs" => {
                paths.extend(elixir::library()?);
                (elixir::modules(&file, folder.path())?, true)
            }
            _ => (vec![file.clone()], false),
        };
        paths.push(folder.path().to_path_buf());
        let load = requests::load(&files, options, &paths);
        let helper = helper()?;
        let starting = || Starting::new(&options.starter, &helper, folder.path(), &paths);
        let vm = starting()?;
        // Nearly every campaign has something to confirm in the end; two machines start in the time of one.
        let plain = starting()?;
        let mut vm = vm.vm();
        let enter = match vm.ask(&requests::plain(&load), LOAD)?.as_tuple() {
            Some([_, modules]) => requests::enter(modules.clone()),
            _ => return Err(Misunderstood("compiling".into()).into()),
        };
        let plain = Plain::new(plain, &enter)?;
        let answer = vm.ask(&load, LOAD)?;
        vm.is_ready()?;
        let mut program = match answer.as_tuple() {
            Some([_, modules, redirects, primitives]) => {
                Program::read(modules, redirects, primitives)?
            }
            _ => return Err(Misunderstood("loading".into()).into()),
        };
        shorten(&mut program);
        let (entry, function) = find(options, &program, &file)?;
        let module = program.functions[entry].module.clone();
        let elixir = elixir || module.starts_with("Elixir.");
        let mut types = Types::default();
        let home = program.modules.iter().find(|home| home.name == module);
        let signatures = match home {
            Some(home) => types.signatures(&program, home, &function),
            None => Vec::new(),
        };
        let parameters = (0..function.1 as usize)
            .map(|at| match signatures.as_slice() {
                [] => ANY,
                all => types.any_of(all.iter().map(|one| one.parameters[at]).collect()),
            })
            .collect();
        let letters = ('a'..='h').map(|letter| Arc::from(letter.to_string()));
        let common = ["true", "false", "ok", "error", "undefined"].map(Arc::from);
        let atoms = program.atoms.iter().cloned().chain(types.atoms());
        let atoms = Atoms::new(atoms.chain(letters).chain(common));
        let limits = Limits {
            depth: options.depth.max(1),
            // Wide enough to be on either side of every number that the program mentions.
            integer_bits: match program.widest {
                0 => options.integer_bits,
                widest => options.integer_bits.max(widest + 2),
            }
            .clamp(8, 512),
            ..Limits::default()
        };
        let blueprint = blueprint(&program, &file, &program.reachable(entry));
        Ok(Project {
            inner: Arc::new(Inner {
                options: options.clone(),
                types,
                signatures,
                parameters,
                entry,
                module,
                function,
                atoms,
                limits,
                blueprint,
                elixir,
                load,
                enter,
                paths,
                helper,
                folder,
                spare: Mutex::new(Some(vm)),
                plain: Mutex::new(Some(plain)),
                program,
            }),
        })
    }

    /// Arguments of a case.
    pub(crate) fn values(&self, case: &Case) -> Vec<Value> {
        let stored = case.inputs.get("args").and_then(|bytes| etf::decode(bytes));
        stored.and_then(|list| list.elements()).unwrap_or_default()
    }

    pub(crate) fn case(&self, arguments: Vec<Value>) -> Case {
        let bytes = etf::encode(&Value::list(arguments));
        Case {
            inputs: [("args".to_string(), bytes)].into(),
            schedule: Vec::new(),
        }
    }

    pub(crate) fn first_case(&self) -> Case {
        let inner = &self.inner;
        let terms = Terms::new();
        let model = Model::default();
        let amended = inner.amended(&inner.atoms, &terms, &model);
        let arguments = inner.parameters.iter().enumerate();
        self.case(
            arguments
                .map(|(at, of)| amended.argument(at, *of, None))
                .collect(),
        )
    }

    /// The call of a case, as one would write it.
    pub fn call_text(&self, case: &Case) -> String {
        let function = &self.inner.function.0;
        match self.inner.elixir {
            true => {
                let arguments = self.elixir_arguments(case).join(", ");
                let module = self.inner.module.trim_start_matches("Elixir.");
                format!("{module}.{function}({arguments})")
            }
            false => {
                let arguments = self.arguments(case).join(", ");
                format!("{}({arguments})", text::erlang_atom(function))
            }
        }
    }

    /// Each argument in Erlang.
    pub fn arguments(&self, case: &Case) -> Vec<String> {
        self.values(case).iter().map(text::erlang).collect()
    }

    /// Each argument in Elixir.
    pub fn elixir_arguments(&self, case: &Case) -> Vec<String> {
        self.values(case).iter().map(text::elixir).collect()
    }

    /// The events of a run in the form of the paper's definitions: call, exit, bind, case and exitcase
    /// with the patterns of the flat program. None of them where the program is not flat.
    pub fn flat_events(&self, case: &Case) -> Result<Option<Vec<String>>, RunError> {
        let inner = &self.inner;
        let mut vm = inner.start()?;
        let ran = inner.run(&mut vm, &self.values(case), None, &Deadline::default())?;
        let (events, _) = crate::events::read(&ran.events);
        Ok(crate::flat::events(&inner.program, inner.entry, &events))
    }

    /// A case with these arguments, in Erlang's external term format each.
    pub fn case_of(&self, arguments: &[Vec<u8>]) -> Option<Case> {
        let values = arguments.iter().map(|bytes| etf::decode(bytes));
        Some(self.case(values.collect::<Option<_>>()?))
    }

    /// Beyond what size no inputs are tried, for people.
    pub fn bounds(&self) -> Vec<String> {
        let limits = &self.inner.limits;
        vec![
            format!("terms nested at most {} deep", limits.depth),
            format!("integers of at most {} bits", limits.integer_bits),
            format!(
                "binaries of at most {} bytes, tuples of any type of {} elements",
                limits.binary / 8,
                limits.tuple
            ),
        ]
    }

    pub fn is_elixir(&self) -> bool {
        self.inner.elixir
    }

    /// Module, function and number of parameters.
    pub fn function(&self) -> (&str, &str, u32) {
        let (name, arity) = &self.inner.function;
        (&self.inner.module, name, *arity)
    }

    /// What the call of a case gives on the module as it is, or how it ends.
    pub fn result_text(&self, case: &Case) -> Result<String, RunError> {
        let show = if self.inner.elixir {
            text::elixir
        } else {
            text::erlang
        };
        Ok(
            match self
                .inner
                .plain_run(&self.values(case), &Deadline::default())?
            {
                End::Value(value) => show(&value),
                End::Exception(class, reason, _) => {
                    format!("{}: {}", class.as_atom().unwrap_or("error"), show(&reason))
                }
                End::Timeout(_) => "does not end".into(),
                End::Memory(_) => "takes too much memory".into(),
                End::Stuck(_) => "waits for ever".into(),
            },
        )
    }
}

impl Inner {
    pub(crate) fn amended<'a>(
        &'a self,
        atoms: &'a Atoms,
        terms: &'a Terms,
        model: &'a Model,
    ) -> Amended<'a> {
        Amended::new(&self.types, atoms, terms, model)
    }

    /// A site of the function that is explored.
    pub(crate) fn home(&self) -> u32 {
        let sites = self.program.sites.iter();
        sites
            .clone()
            .position(|site| site.home == self.entry)
            .unwrap_or(0) as u32
    }

    /// The source of a module, for people.
    pub(crate) fn file_of(&self, module: &str) -> Option<String> {
        let home = self
            .program
            .modules
            .iter()
            .find(|home| &*home.name == module)?;
        (!home.hidden).then(|| home.file.clone())
    }

    /// Whether some signature of the function takes these arguments.
    pub(crate) fn takes(&self, arguments: &[Value]) -> bool {
        self.signatures.is_empty() || self.signature_of(arguments).is_some()
    }

    pub(crate) fn signature_of(&self, arguments: &[Value]) -> Option<&Signature> {
        self.signatures.iter().find(|signature| {
            signature
                .parameters
                .iter()
                .zip(arguments)
                .all(|(of, value)| self.types.contains(*of, value))
        })
    }
}

/// Names of files as those who work in this directory write them.
fn shorten(program: &mut Program) {
    let here = std::env::current_dir().unwrap_or_default();
    for module in &mut program.modules {
        if let Ok(inside) = Path::new(&module.file).strip_prefix(&here) {
            module.file = inside.to_string_lossy().into_owned();
        }
    }
}

fn find(
    options: &Options,
    program: &Program,
    file: &Path,
) -> Result<(usize, FunctionName), BuildError> {
    let own = |module: &Arc<str>| {
        program
            .modules
            .iter()
            .any(|home| home.name == *module && !home.hidden)
    };
    let wanted_module = |module: &str| match &options.module {
        Some(wanted) => module == wanted || module.strip_prefix("Elixir.") == Some(wanted.as_str()),
        None => true,
    };
    let mut found: Vec<usize> = (0..program.functions.len())
        .filter(|index| {
            let function = &program.functions[*index];
            own(&function.module)
                && wanted_module(&function.module)
                && *function.name.0 == *options.function
                && options.arity.is_none_or(|arity| arity == function.name.1)
                && function.module.as_ref() != "elsewise_models"
        })
        .collect();
    found.sort_by_key(|index| program.functions[*index].name.1);
    match found.first() {
        Some(index) => Ok((*index, program.functions[*index].name.clone())),
        None => {
            let exported = program
                .modules
                .iter()
                .filter(|home| !home.hidden)
                .flat_map(|home| &home.exports)
                .filter(|(name, _)| !matches!(&**name, "module_info" | "__info__"))
                .map(|(name, arity)| format!("{name}/{arity}"))
                .collect();
            let arity = options
                .arity
                .map_or(String::new(), |arity| format!("/{arity}"));
            Err(BuildError::NoFunction {
                file: file.display().to_string(),
                function: format!("{}{arity}", options.function),
                exported,
            })
        }
    }
}
