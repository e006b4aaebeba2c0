//! Functions as subjects: a harness is written from the types of a function's parameters, and its
//! inputs are the values and the graph of objects that they reach.
//!
//! A function becomes a program (`plan.rs`): from the types, a *plan* says what its inputs are. Each
//! parameter, each global that is an input and each stub's result is a *root* with an input of its own;
//! all objects of one type are a *pool*, one input, in which object k has its image at k times its size.
//! In these images a pointer is a *selector*: 0 is null, the others count the objects of the pools that it
//! can lead to. Cells with few values (enumerations, truth values, pointers to functions) are selectors
//! too. From the plan a harness is written, which includes the file, and says in `elw_offered` which of its
//! symbols other files need: all else that `main` does not reach is left out before it is instrumented,
//! which is where most of the time to build would go. `driver/support/graph.c` builds the graph of a case from
//! its descriptions, in both builds. In the instrumented one every object has its place before
//! the first input, so that addresses are the same in all runs, and what a pointer holds is a look-up of
//! its selector in the table of addresses that it could be: null, alias and new object are solved like
//! everything else. Which object of a pool a pointer leads to is a value made concrete where it is
//! followed, and its alternative has a *name* (`explore/src/symmetry.rs`): the first object of a pool that a
//! path follows has the first name, whatever its number, and all that no pointer on the path has led to
//! are one alternative, since they could change places. So graphs that are the same but for the numbers
//! of their objects are one path. That holds as long as a program only asks whether addresses are equal;
//! where a choice depends on anything else of them (`native/src/import/pointers.rs`), it is counted as an
//! approximation. After the call, the harness of the uninstrumented
//! build can write down memory in the same form, with selectors in the place of pointers; `values.rs`
//! makes a `Graph` of either, which views draw and exported tests build.
//!
//! A sequence of calls (`sequence.rs`) is one case too: the input `steps` has the number of an
//! operation for each step, each call has inputs of its own, and an argument that an earlier call made is
//! the number of that step. So the calls of a case can be read, left out and written again without a
//! run, which is how the shortest sequence that fails is found (`native/frontend/src/shrink.rs`) after the
//! exploration; the store keeps the case that was explored, the finding's folder the shortest.

mod arrays;
mod calls;
mod declared;
mod hooks;
mod images;
mod numbers;
mod plan;
mod planner;
mod pointers;
mod pools;
mod reader;
mod real;
mod said;
mod scalars;
mod sequence;
mod shared;
pub mod types;
mod values;
mod write;
mod write_pieces;
mod write_sequence;

pub use declared::Declared;
use elsewise_driver::{NativeError, Part};
pub use plan::{Cell, Plan, Pool, Root, RootKind, RootLength, Stub, Ways};
pub use scalars::{Scalar, pointed, scalars};
pub use sequence::Steps;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use types::Types;
pub use values::{CaseValues, Observed, stubs_return_zero};

/// What the user said about a function.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq, Eq)]
pub struct FunctionOptions {
    /// Empty for a sequence.
    pub function: String,
    /// The operations of a sequence.
    #[serde(default)]
    pub sequence: Vec<String>,
    /// Calls of a sequence, at most.
    #[serde(default)]
    pub steps: u32,
    /// Pointers that are arrays, with the parameters that say how long they are.
    pub arrays: Vec<(String, String)>,
    /// Parameters that are never null; `*` stands for all.
    #[serde(default)]
    pub nonnull: Vec<String>,
    /// Functions of other files that never return null, as the source says.
    #[serde(default)]
    pub returned: Vec<String>,
    /// Globals that the function reads are inputs too.
    pub globals: bool,
    /// Invariants: a type and the function that says whether a value of it is valid.
    pub valid: Vec<(String, String)>,
    /// Functions that are linked from wherever the build defines them.
    pub real: Vec<String>,
    /// Symbols that other files define.
    pub defined: Vec<String>,
    /// What the source says of the parameters, beyond their types.
    #[serde(default)]
    pub declared: Vec<Declared>,
    /// Objects of a type.
    pub max_objects: u32,
    /// Elements of an array.
    pub max_elements: u32,
    /// Characters of a string.
    pub max_string: u32,
}

fn refused(function: &str, why: impl std::fmt::Display) -> NativeError {
    NativeError::Usage(format!(
        "`{function}` cannot be called from a harness: {why}"
    ))
}

/// A function with its harness.
pub struct FunctionSubject {
    /// The file that has the function.
    pub file: PathBuf,
    pub options: FunctionOptions,
    pub plan: Plan,
    pub types: Types,
    /// The harness, and the files that are linked with it.
    pub files: Vec<PathBuf>,
    /// Options to compile them with.
    pub flags: Vec<OsString>,
    /// Files that are linked too, each with options of its own.
    pub reals: Vec<Part>,
    /// The object that describes the types.
    pub object: PathBuf,
}

/// How the file of a function is compiled.
#[derive(Clone, Copy, Debug)]
pub struct Build<'a> {
    /// All options.
    pub flags: &'a [OsString],
    /// Those of them that are for every file.
    pub for_all: &'a [OsString],
    /// The compilation database that knows the other files.
    pub database: Option<&'a Path>,
}

/// Writes the harness of a function of `file` into `folder`; `include` has our headers.
pub fn harness(
    clang: &Path,
    include: &Path,
    file: &Path,
    others: &[PathBuf],
    build: Build<'_>,
    options: &FunctionOptions,
    folder: &Path,
) -> Result<FunctionSubject, NativeError> {
    let flags = build.flags;
    let file = fs::canonicalize(file).map_err(NativeError::io("read", file))?;
    let object = folder.join("types.o");
    let mut described = flags.to_vec();
    described.extend(["-isystem".into(), include.into()]);
    let bytes = describe(clang, &file, &described, &object)?;
    let types = Types::read(&bytes)?;
    let mut options = options.clone();
    if options.sequence.is_empty() {
        options.declared = declared::declared(clang, &file, &described, &options.function);
    }
    let declarations = types.functions.iter().filter(|one| !one.defined);
    let elsewhere: Vec<&str> = declarations.map(|one| one.name.as_str()).collect();
    options.returned = declared::returned(clang, &file, &described, &elsewhere);
    let mut needed = Vec::new();
    for (index, other) in others.iter().enumerate() {
        let object = folder.join(format!("other{index}.o"));
        let object = describe(clang, other, &described, &object)?;
        options.defined.extend(types::defined(&object)?);
        needed.extend(types::undefined(&object)?);
    }
    let reals = real::find(
        clang,
        build.database,
        (&file, &bytes),
        &options.real,
        build.for_all,
        folder,
    )?;
    options.defined.extend(reals.defined);
    needed.extend(reals.needed);
    let plan = planner::plan(&types, &bytes, &options, &options.defined)?;
    let harness = folder.join("harness.c");
    let text = write::harness(&plan, &types, &options, &file, &needed)?;
    fs::write(&harness, text).map_err(NativeError::io("write", &harness))?;
    let mut all = flags.to_vec();
    if let Some(place) = file.parent() {
        all.extend(["-I".into(), place.into()]);
    }
    for name in ["free", "realloc"] {
        all.push(format!("-Wl,--wrap={name}").into());
        // Sanitizers make these names weak, and a weak name takes nothing from an archive.
        all.push(format!("-Wl,--undefined=__wrap_{name}").into());
    }
    // The file need not say itself which libraries it is linked with.
    all.push("-lm".into());
    let mut files = vec![harness];
    files.extend_from_slice(others);
    Ok(FunctionSubject {
        file,
        options,
        plan,
        types,
        files,
        flags: all,
        reals: reals.files,
        object,
    })
}

/// The plan of a function from the object that was kept of it.
pub fn read(object: &[u8], options: &FunctionOptions) -> Result<(Plan, Types), NativeError> {
    let types = Types::read(object)?;
    let plan = planner::plan(&types, object, options, &options.defined)?;
    Ok((plan, types))
}

/// The object that the compiler makes of a file, with all that it can tell about it.
fn describe(
    clang: &Path,
    file: &Path,
    flags: &[OsString],
    object: &Path,
) -> Result<Vec<u8>, NativeError> {
    let output = Command::new(clang)
        .args(flags)
        .args(types::FLAGS)
        .arg("-o")
        .arg(object)
        .arg(file)
        .output()
        .map_err(NativeError::io("run", clang))?;
    if !output.status.success() {
        return Err(NativeError::Tool {
            tool: clang
                .file_name()
                .unwrap_or(clang.as_os_str())
                .to_string_lossy()
                .into_owned(),
            output: String::from_utf8_lossy(&output.stderr).into_owned(),
        });
    }
    fs::read(object).map_err(NativeError::io("read", object))
}
