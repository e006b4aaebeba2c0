//! The flags of `explore` that are about native programs and functions.

use crate::target_error::TargetError;
use clap::{Args, ValueEnum};
use elsewise_frontend::Problem;
use elsewise_frontend::flags::FlagGroup;
use elsewise_native::MemoryModel as ThreadMemory;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::path::PathBuf;

/// All of them.
#[derive(Clone, Debug, Default, Args)]
pub struct NativeFlags {
    #[command(flatten)]
    pub build: BuildFlags,
    #[command(flatten)]
    pub database: DatabaseFlags,
    #[command(flatten)]
    pub input: InputFlags,
    #[command(flatten)]
    pub run: RunFlags,
    #[command(flatten)]
    pub threads: ThreadFlags,
    #[command(flatten)]
    pub operations: OperationFlags,
    #[command(flatten)]
    pub sequence: SequenceFlags,
    #[command(flatten)]
    pub function: FunctionFlags,
}

#[derive(Clone, Debug, Default, Args)]
pub struct BuildFlags {
    /// Flags for the compiler, as a shell would read them: '-DN=3 -Iinclude'.
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true)]
    pub cflags: Option<String>,

    /// Build the subject with clang's sanitizers, separated by commas, and report what they find.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub sanitize: Vec<Sanitizer>,
}

#[derive(Clone, Debug, Default, Args)]
pub struct DatabaseFlags {
    /// The compilation database, or its folder, that says how the subject's files are compiled
    /// [default: compile_commands.json beside a file or above it].
    #[arg(long, value_name = "PATH")]
    pub compile_commands: Option<PathBuf>,
}

#[derive(Clone, Debug, Default, Args)]
pub struct InputFlags {
    /// The main input has exactly this many bytes.
    ///
    /// It is standard input, or the file that @@ stands for; without this, its length is explored too.
    #[arg(long, value_name = "BYTES")]
    pub input_size: Option<u32>,

    /// The main input has at most this many bytes [default: 4096].
    #[arg(long, value_name = "BYTES")]
    pub max_input: Option<u32>,

    /// Begin with the inputs in this directory: each file is one main input.
    #[arg(long, value_name = "DIR")]
    pub seeds: Option<PathBuf>,

    /// Work beside AFL++, whose instances share this directory (afl-fuzz -o): take what they find, and give them what
    /// reaches something new.
    #[arg(long, value_name = "DIR")]
    pub afl: Option<PathBuf>,

    /// The same with libFuzzer or LibAFL, by way of this directory of inputs.
    #[arg(long, value_name = "DIR", conflicts_with = "afl")]
    pub corpus: Option<PathBuf>,
}

#[derive(Clone, Debug, Default, Args)]
pub struct RunFlags {
    /// Set a variable in the subject's environment; in VALUE, @@ and @arg mean what they mean in
    /// arguments.
    #[arg(long, value_name = "NAME=VALUE")]
    pub env: Vec<String>,

    /// Megabytes that one run may write to files [default: 256].
    #[arg(long, value_name = "MB")]
    pub disk: Option<u64>,

    /// Run the subject in this directory, which it may only read, instead of in one of its own.
    #[arg(long, value_name = "DIR")]
    pub workdir: Option<PathBuf>,

    /// Give every run a process of its own, even where one that has changed nothing could have the
    /// next, too.
    #[arg(long)]
    pub fork: bool,

    /// Do not ask what input would make a sum overflow, a shift go too far, an index leave its
    /// array or an allocation fail.
    #[arg(long)]
    pub no_checks: bool,
}

#[derive(Clone, Debug, Default, Args)]
pub struct ThreadFlags {
    /// Waits for a condition that may end without a signal, of each thread [default: 0].
    #[arg(long, value_name = "N")]
    pub spurious: Option<u64>,

    /// When other threads see what a thread stores: sc, at once; or tso, possibly after it has read other memory,
    /// as on x86 [default: sc].
    #[arg(long, value_name = "MODEL")]
    pub memory_model: Option<MemoryModel>,

    /// Moves of threads after which a run counts as one that does not end [default: 100000].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub moves: Option<u64>,
}

#[derive(Clone, Debug, Default, Args)]
pub struct OperationFlags {
    /// Functions of a data structure, separated by commas: in every execution, their results must be
    /// those of some order in which the same calls come one after the other.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub linearizable: Vec<String>,
}

#[derive(Clone, Debug, Default, Args)]
pub struct SequenceFlags {
    /// Explore calls of these functions of the file, in any order that begins with the first of
    /// them: 'new,add,remove'. What one returns others are given.
    #[arg(long, value_name = "FUNCTIONS", value_delimiter = ',')]
    pub sequence: Vec<String>,
}

#[derive(Clone, Debug, Default, Args)]
pub struct FunctionFlags {
    /// The parameter P of the function is an array of N elements, where N is another parameter;
    /// without it, that is told from their names.
    #[arg(long, value_name = "P:N")]
    pub array: Vec<String>,

    /// Parameters of the function that are never null, separated by commas; without names, none of them is.
    #[arg(
        long,
        value_name = "PARAMETERS",
        value_delimiter = ',',
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "*"
    )]
    pub nonnull: Vec<String>,

    /// Variables at file scope that the function uses are inputs too.
    #[arg(long)]
    pub globals: bool,

    /// Only values count of which FUNCTION does not return 0.
    ///
    /// It is called with each value of this type; in a sequence, it must not return 0 after any step.
    #[arg(long, value_name = "TYPE:FUNCTION")]
    pub valid: Vec<String>,

    /// Link the real FUNCTION, from whichever file of the build defines it, in place of a stub.
    #[arg(long, value_name = "FUNCTION")]
    pub real: Vec<String>,

    /// At most so many objects of each type [default: 24].
    #[arg(long, value_name = "N")]
    pub max_objects: Option<u32>,

    /// Arrays have at most so many elements [default: 8].
    #[arg(long, value_name = "N")]
    pub max_array: Option<u32>,

    /// Strings have at most so many characters [default: 8].
    #[arg(long, value_name = "N")]
    pub max_string: Option<u32>,
}

pub static BUILD: FlagGroup = FlagGroup {
    name: "native-build",
    about: "C and C++",
    heading: "For C and C++",
    augment: BuildFlags::augment_args,
};

pub static DATABASE: FlagGroup = FlagGroup {
    name: "native-database",
    about: "C and C++",
    heading: "For C and C++",
    augment: DatabaseFlags::augment_args,
};

pub static INPUT: FlagGroup = FlagGroup {
    name: "native-input",
    about: "programs of C and C++",
    heading: "For programs of C and C++",
    augment: InputFlags::augment_args,
};

pub static RUN: FlagGroup = FlagGroup {
    name: "native-run",
    about: "C and C++",
    heading: "For C and C++",
    augment: RunFlags::augment_args,
};

pub static THREADS: FlagGroup = FlagGroup {
    name: "native-threads",
    about: "C and C++",
    heading: "For C and C++",
    augment: ThreadFlags::augment_args,
};

pub static OPERATIONS: FlagGroup = FlagGroup {
    name: "native-operations",
    about: "C and C++",
    heading: "For C and C++",
    augment: OperationFlags::augment_args,
};

pub static SEQUENCE: FlagGroup = FlagGroup {
    name: "native-sequence",
    about: "functions of C",
    heading: "For functions of C",
    augment: SequenceFlags::augment_args,
};

pub static FUNCTION: FlagGroup = FlagGroup {
    name: "native-function",
    about: "functions of C",
    heading: "For functions of C",
    augment: FunctionFlags::augment_args,
};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MemoryModel {
    /// Sequential consistency
    #[default]
    Sc,
    /// Total store order
    Tso,
}

impl MemoryModel {
    /// As threads are told.
    pub fn for_threads(self) -> ThreadMemory {
        match self {
            MemoryModel::Sc => ThreadMemory::SequentiallyConsistent,
            MemoryModel::Tso => ThreadMemory::TotalStoreOrder,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Sanitizer {
    /// Accesses outside of an object, or after its end
    Address,
    /// Undefined behaviour
    Undefined,
    /// Memory that is not freed
    Leak,
}

/// Variables as `--env` has them.
pub fn variables(given: &[String]) -> Result<Vec<(OsString, OsString)>, Problem> {
    given
        .iter()
        .map(|text| match text.split_once('=') {
            Some((name, value)) if !name.is_empty() => Ok((name.into(), value.into())),
            _ => Err(TargetError::Env { text: text.clone() }.into()),
        })
        .collect()
}
