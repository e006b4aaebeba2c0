//! What `explore` can be told, flag by flag.

use super::ResultFormat;
use crate::budget::Budget;
use clap::{Args, ValueEnum};
use elsewise_explore::schedule::Schedules;
use elsewise_native::MemoryModel as Threads;
use serde::{Deserialize, Deserializer, Serialize};
use std::path::PathBuf;

/// What `explore` can be told, on the command line or in `elsewise.toml`.
#[derive(Clone, Debug, Default, Args, Deserialize)]
#[serde(rename_all = "kebab-case", default, deny_unknown_fields)]
pub struct Settings {
    /// Flags for the compiler, as a shell would read them: '-DN=3 -Iinclude'.
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true)]
    pub cflags: Option<String>,

    /// Build the subject with clang's sanitizers, separated by commas, and report what they find.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub sanitize: Vec<Sanitizer>,

    /// The main input (standard input, or the file that @@ stands for) has exactly this many
    /// bytes; without it, its length is explored too.
    #[arg(long, value_name = "BYTES")]
    pub input_size: Option<u32>,

    /// The main input has at most this many bytes [default: 4096].
    #[arg(long, value_name = "BYTES")]
    pub max_input: Option<u32>,

    /// Set a variable in the subject's environment; in VALUE, @@ and @arg mean what they mean in
    /// arguments.
    #[arg(long, value_name = "NAME=VALUE")]
    pub env: Vec<String>,

    /// End after a time, a number of runs, or whichever comes first: 60s, 5m, 1000runs,
    /// 60s,1000runs [default: until all is explored].
    #[arg(long)]
    pub budget: Option<Budget>,

    /// How the next alternative is picked [default: mix].
    #[arg(long, value_enum)]
    pub strategy: Option<Strategy>,

    /// Close what can hold no failure that was not seen, without running it: by what runs have explored
    /// and bounded looks at the rest, or by what runs have explored alone [default: on after 2,000
    /// runs, with --cover].
    #[arg(long, value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "on")]
    pub subsume: Option<Subsumed>,

    /// With --subsume, close nothing from which a branch side could be reached that no run has reached.
    #[arg(long)]
    pub cover: bool,

    /// Fail where nothing was found but something was given up, so that not all is known to be explored.
    #[arg(long)]
    pub require_complete: bool,

    /// Turn around only the first N choices of a run.
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,

    /// Seed of everything that is picked at random [default: 0].
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,

    /// Begin with the inputs in this directory: each file is one main input.
    #[arg(long, value_name = "DIR")]
    pub seeds: Option<PathBuf>,

    /// Milliseconds that one run may take; longer is a hang [default: 2000].
    #[arg(long, value_name = "MS")]
    pub timeout: Option<u64>,

    /// Megabytes of memory that one run may use [default: 2048].
    #[arg(long, value_name = "MB")]
    pub memory: Option<u64>,

    /// Megabytes that one run may write to files [default: 256].
    #[arg(long, value_name = "MB")]
    pub disk: Option<u64>,

    /// Let the subject use the network and other sockets.
    #[arg(long)]
    pub allow_network: bool,

    /// Let the subject write to this file or directory, too; may be given more than once.
    #[arg(long, value_name = "PATH")]
    pub allow_write: Vec<PathBuf>,

    /// Run the subject in this directory, which it may only read, instead of in one of its own.
    #[arg(long, value_name = "DIR")]
    pub workdir: Option<PathBuf>,

    /// Let the subject do whatever you may do, in the working directory.
    #[arg(long)]
    pub no_containment: bool,

    /// Give every run a process of its own, even where one that has changed nothing could have the
    /// next, too.
    #[arg(long)]
    pub fork: bool,

    /// Workers that explore at the same time; with one, the order of runs repeats exactly unless
    /// queries take long [default: 1].
    #[arg(long, value_name = "N")]
    pub jobs: Option<u16>,

    /// Directory of the campaign [default: SUBJECT.elsewise].
    #[arg(long, value_name = "DIR")]
    pub campaign: Option<PathBuf>,

    /// Put an existing campaign aside and begin anew.
    #[arg(long)]
    pub fresh: bool,

    /// Form of the result: text, one JSON object, or lines as compilers write them, all on standard
    /// output [default: text].
    #[arg(long, value_enum)]
    pub format: Option<ResultFormat>,

    /// No progress, only the result.
    #[arg(long, short)]
    pub quiet: bool,

    /// Milliseconds that one query to the solver may take [default: 5000].
    #[arg(long, value_name = "MS")]
    pub query_timeout: Option<u64>,

    /// Solver stages to leave out, separated by commas: slice, syntactic, cache, search, bitblast,
    /// enumerate, z3.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub stages_off: Vec<Stage>,

    /// Values to try where a run goes on with one value of many [default: 256].
    #[arg(long, value_name = "N")]
    pub max_values: Option<u32>,

    /// Do not ask what input would make a sum overflow, a shift go too far, an index leave its
    /// array or an allocation fail.
    #[arg(long)]
    pub no_checks: bool,

    /// Which schedules of threads are run: all; bounded:N, those with at most N preemptions; or samples
    /// by chance, random, pct:D (priorities of threads, bugs of depth D) or pos (priorities of moves).
    /// auto is all, and samples after half of the time if all are too many for it [default: auto].
    #[arg(long, value_name = "WHICH")]
    #[serde(deserialize_with = "schedules")]
    pub schedules: Option<Schedules>,

    /// Waits for a condition that may end without a signal, of each thread [default: 0].
    #[arg(long, value_name = "N")]
    pub spurious: Option<u64>,

    /// When other threads see what a thread stores: sc, at once; or tso, possibly after it has read other memory,
    /// as on x86 [default: sc].
    #[arg(long, value_name = "MODEL")]
    pub memory_model: Option<MemoryModel>,

    /// Functions of a data structure, separated by commas: in every execution, their results must be
    /// those of some order in which the same calls come one after the other.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub linearizable: Vec<String>,

    /// Moves of threads after which a run counts as one that does not end [default: 100000].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub moves: Option<u64>,

    /// The parameter P of the function is an array of N elements, where N is another parameter;
    /// without it, that is told from their names.
    #[arg(long, value_name = "P:N")]
    pub array: Vec<String>,

    /// Variables at file scope that the function uses are inputs too.
    #[arg(long)]
    pub globals: bool,

    /// Explore calls of these functions of the file, in any order that begins with the first of
    /// them: 'new,add,remove'. What one returns others are given.
    #[arg(long, value_name = "FUNCTIONS", value_delimiter = ',')]
    pub sequence: Vec<String>,

    /// Calls of a sequence, or messages that a model is given, at most [default: 6 calls, 10 messages].
    #[arg(long, value_name = "N")]
    pub steps: Option<u32>,

    /// Only values of this type count for which FUNCTION, called with one, does not return 0; in a
    /// sequence, it must not return 0 after any step.
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

    /// The compilation database, or its folder, that says how the function's file is compiled
    /// [default: compile_commands.json beside the file or above it].
    #[arg(long, value_name = "PATH")]
    pub compile_commands: Option<PathBuf>,

    /// Terms that a function of Erlang or Elixir or a predicate of Prolog is given are nested at most so
    /// deep, and lists as long [default: 8, of Prolog 5].
    #[arg(long, value_name = "N")]
    pub term_depth: Option<u32>,

    /// Integers that a function of Erlang or Elixir or a predicate of Prolog is given have at most so
    /// many bits [default: 64].
    #[arg(long, value_name = "N")]
    pub integer_bits: Option<u32>,

    /// Arguments for which an Erlang or Elixir function without a specification has no clause count
    /// as failures, too.
    #[arg(long)]
    pub any_arguments: bool,

    /// Where header files are of Erlang, or of the C code in a model; may be given more than once.
    #[arg(long, value_name = "DIR")]
    pub include: Vec<PathBuf>,

    /// Where compiled modules are that an Erlang or Elixir function calls; may be given more than
    /// once.
    #[arg(long, value_name = "DIR")]
    pub code_path: Vec<PathBuf>,

    /// A macro for Erlang's preprocessor; may be given more than once.
    #[arg(long = "macro", value_name = "NAME[=VALUE]")]
    #[serde(rename = "macro")]
    pub macros: Vec<String>,

    /// Which arguments of a predicate of Prolog are given (+), unbound (-), or either (?), with types if
    /// you like: 'route(+,+,-)', 'take(+nonneg,+list,-) is det' [default: what its pldoc comment says].
    #[arg(long, value_name = "MODE")]
    pub mode: Option<String>,

    /// Explore all solutions of a predicate of Prolog, not only the first.
    #[arg(long)]
    pub all_solutions: bool,

    /// Transitions of a model are taken at most so often in one sequence of messages [default: as often
    /// as there are messages].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub loops: Option<u32>,

    /// A message for which no active state of a model has a transition is a failure.
    #[arg(long)]
    pub unhandled: bool,

    /// Where several machines of a model run together: how often in a sequence something comes from
    /// outside before they have come to rest, at most [default: 1].
    #[arg(long, value_name = "N")]
    pub overtake: Option<u32>,

    /// Inferences of a predicate of Prolog after which a run counts as one that does not end
    /// [default: 1000000].
    #[arg(long, value_name = "N")]
    pub max_inferences: Option<u64>,
}

/// As the flag has it.
fn schedules<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Schedules>, D::Error> {
    let text = String::deserialize(from)?;
    text.parse().map(Some).map_err(serde::de::Error::custom)
}

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
    pub fn for_threads(self) -> Threads {
        match self {
            MemoryModel::Sc => Threads::SequentiallyConsistent,
            MemoryModel::Tso => Threads::TotalStoreOrder,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Strategy {
    /// By what has paid lately
    #[default]
    Mix,
    /// Nearest to a run that counts
    Near,
    /// Deepest first
    Dfs,
    /// All alternatives of the run that added most
    Generational,
    /// Any, with equal chance
    Random,
    /// Nearest to what no run has reached
    Cfg,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Subsumed {
    /// Run everything
    Off,
    /// Close by what runs have explored alone
    Explored,
    /// Look at what no run has explored, too; as long as it pays
    On,
    /// The same, whether it pays or not
    Always,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sanitizer {
    /// Accesses outside of an object, or after its end
    Address,
    /// Undefined behaviour
    Undefined,
    /// Memory that is not freed
    Leak,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    Slice,
    Syntactic,
    Cache,
    Search,
    Bitblast,
    Enumerate,
    Z3,
}
