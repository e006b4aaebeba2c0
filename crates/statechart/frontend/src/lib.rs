//! State-machine models as subjects of the command: what the user named, and what can be said of it.

mod built;
mod error;
mod saved;

use clap::Args;
use elsewise_frontend::flags::{FlagGroup, Flags, INCLUDES, STEPS, SUBSUMPTION, StepFlags};
use elsewise_frontend::outline::Explorable;
use elsewise_frontend::record::SavedRecord;
use elsewise_frontend::{
    BuiltSubject, ExploreRequest, Form, FrontEnd, Problem, SavedSubject, Target, file_of,
    must_be_file, with_ending,
};
use elsewise_native_frontend::flags::{BUILD, RUN, THREADS};
use elsewise_native_frontend::is_source;
use elsewise_statechart::Project;
use elsewise_statechart::generate::Options;
use error::ModelError;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The front end.
pub struct Statechart;

pub static FRONT_END: Statechart = Statechart;

/// Endings of files that are models.
const ENDINGS: [&str; 3] = ["qm", "uml", "scxml"];
/// Messages of a sequence when nothing is said.
const MESSAGES: u32 = 10;

#[derive(Clone, Debug, Default, Args)]
struct ModelFlags {
    /// A model's transition is taken at most so often in one sequence.
    ///
    /// [default: as often as there are messages in it]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    loops: Option<u32>,

    /// A message that no active state of a model handles is a failure.
    #[arg(long)]
    unhandled: bool,

    /// Where several machines of a model run together: how often in a sequence something comes from
    /// outside before they have come to rest, at most [default: 1].
    #[arg(long, value_name = "N")]
    overtake: Option<u32>,
}

static FLAGS: FlagGroup = FlagGroup {
    name: "statechart",
    about: "state-machine models",
    heading: "For state-machine models",
    augment: ModelFlags::augment_args,
};

impl FrontEnd for Statechart {
    fn name(&self) -> &'static str {
        "statechart"
    }

    fn forms(&self) -> &'static [Form] {
        &[
            Form {
                text: "FILE.qm::CAPSULE",
                means: "a state-machine model, with C files that its actions call",
            },
            Form {
                text: "FILE.uml, FILE.scxml",
                means: "other forms of them",
            },
        ]
    }

    fn examples(&self) -> &'static [&'static str] {
        &["door.qm::Door --steps 12"]
    }

    fn flags(&self) -> Vec<&'static FlagGroup> {
        vec![&INCLUDES, &STEPS, &FLAGS]
    }

    /// A model as a whole, at its first line.
    fn explorables(&self, file: &str, text: &str) -> Vec<Explorable> {
        let path = Path::new(file);
        let ending = path.extension().and_then(|ending| ending.to_str());
        if !ending.is_some_and(|ending| ENDINGS.contains(&ending)) {
            return Vec::new();
        }
        let stem = path.file_stem().unwrap_or("model".as_ref());
        vec![Explorable {
            name: "model".into(),
            word: None,
            stem: stem.to_string_lossy().into_owned(),
            start: 0,
            end: text.len(),
        }]
    }

    fn target(&self, words: &[String], _: &Flags) -> Result<Option<Box<dyn Target>>, Problem> {
        let Some(word) = with_ending(words, &ENDINGS) else {
            return Ok(None);
        };
        let file = file_of(word);
        must_be_file(file)?;
        let capsule = match word.split_once("::") {
            Some((_, "")) => {
                let (word, file) = (word.clone(), file.to_string());
                return Err(ModelError::NoCapsule { word, file }.into());
            }
            named => named.map(|(_, capsule)| capsule.to_owned()),
        };
        let mut others = Vec::new();
        for other in words.iter().filter(|other| *other != word) {
            must_be_file(other)?;
            if !is_source(other) {
                let name = other.clone();
                return Err(ModelError::NotSource { name }.into());
            }
            others.push(PathBuf::from(other));
        }
        Ok(Some(Box::new(ModelTarget {
            file: file.into(),
            capsule,
            others,
        })))
    }

    fn reopen(&self, saved: SavedRecord) -> Result<Box<dyn SavedSubject>, Problem> {
        Ok(Box::new(saved::SavedModel::open(&saved)?))
    }
}

/// A model as named.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ModelTarget {
    file: PathBuf,
    /// None for the only one, or for the whole system.
    capsule: Option<String>,
    /// C files that its action code calls.
    others: Vec<PathBuf>,
}

impl Target for ModelTarget {
    fn describe(&self) -> &'static str {
        "a state-machine model"
    }

    fn stem(&self) -> OsString {
        match &self.capsule {
            Some(capsule) => capsule.into(),
            None => self.file.file_stem().unwrap_or("model".as_ref()).into(),
        }
    }

    fn flags(&self) -> Vec<&'static FlagGroup> {
        vec![
            &BUILD,
            &RUN,
            &THREADS,
            &SUBSUMPTION,
            &INCLUDES,
            &STEPS,
            &FLAGS,
        ]
    }

    fn build(&self, request: &ExploreRequest) -> Result<Box<dyn BuiltSubject>, Problem> {
        built::build(self, request)
    }
}

impl ModelTarget {
    fn options(&self, flags: &Flags) -> Result<Options, Problem> {
        let steps: StepFlags = flags.read()?;
        let own: ModelFlags = flags.read()?;
        Ok(Options {
            capsule: self.capsule.clone(),
            steps: steps.steps.unwrap_or(MESSAGES),
            loops: own.loops,
            unhandled: own.unhandled,
            overtake: own.overtake.unwrap_or(1),
        })
    }
}

fn open(file: &Path, options: &Options) -> Result<Project, Problem> {
    Ok(Project::open(file, options).map_err(ModelError::Open)?)
}
