//! What a campaign keeps of a model: the model as it was, and the program that was made from it.

use crate::exit::Problem;
use crate::kept::{Debugger, Kept, Never, Rerun, ends};
use crate::pictures::Shown;
use crate::record::{self, Record};
use crate::told::{End, Told};
use crate::{campaigns, charts, native};
use elsewise_campaign::{Finding, Store, Survey, read_unlinked};
use elsewise_explore::Case;
use elsewise_graph::{
    Behaviour, Call, Ending, Field, Graph, MessageStep, Messages, StateChart, Value,
};
use elsewise_statechart::generate::Options;
use elsewise_statechart::{Elements, Places, Project};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const RECORD: &str = "chart.json";
const SCHEMA: u32 = 1;
/// Variable with the file that the program writes what it did to.
const OBSERVED: &str = "ELSEWISE_OBSERVED";
/// What is beside a model and belongs to it.
const RULES: &str = "rules";

/// `chart.json` in the campaign's `subject` folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeptModel {
    schema: u32,
    /// The model's file as it was given.
    file: PathBuf,
    /// Its copy, beside this file.
    copy: String,
    capsule: Option<String>,
    steps: u32,
    loops: Option<u32>,
    unhandled: bool,
    #[serde(default)]
    overtake: u32,
}

/// Keeps the model, and what was generated from it.
pub fn keep(project: &Project, file: &Path, campaign: &Path) -> Result<(), Problem> {
    let options = &project.options;
    let name = file.file_name().unwrap_or_default();
    let kept = KeptModel {
        schema: SCHEMA,
        file: file.to_path_buf(),
        copy: name.to_string_lossy().into_owned(),
        capsule: options.capsule.clone(),
        steps: options.steps,
        loops: options.loops,
        unhandled: options.unhandled,
        overtake: options.overtake,
    };
    let folder = record::folder(campaign);
    let copy = || -> std::io::Result<()> {
        record::put_copy(&folder, &name.to_string_lossy(), file)?;
        let rules = file.with_extension(RULES);
        if rules.is_file() {
            let name = Path::new(name).with_extension(RULES);
            record::put_copy(&folder, &name.to_string_lossy(), &rules)?;
        }
        project.write(&folder.join("generated"))?;
        Ok(())
    };
    copy().map_err(|error| {
        Problem::usage(format!(
            "cannot keep the model in {}: {error}; is the disk full?",
            folder.display()
        ))
    })?;
    record::keep(campaign, RECORD, &kept)
}

/// What a campaign keeps, if its subject is a model.
pub fn of(campaign: &Path) -> Result<Option<KeptChart>, Problem> {
    let Some(kept) = record::kept::<KeptModel>(campaign, RECORD, SCHEMA)? else {
        return Ok(None);
    };
    let folder = record::folder(campaign);
    let name = Path::new(&kept.copy).file_name().unwrap_or_default();
    let options = Options {
        capsule: kept.capsule,
        steps: kept.steps,
        loops: kept.loops,
        unhandled: kept.unhandled,
        overtake: kept.overtake,
    };
    let model = folder.join(name);
    for path in [&model, &model.with_extension(RULES)] {
        // Somebody else's campaign could have it lead to a file of the reader's, or be a pipe.
        if path.symlink_metadata().is_ok_and(|it| !it.is_file()) {
            return Err(record::damaged(path, "it is not a regular file"));
        }
    }
    let project = charts::open(&model, &options)?;
    Ok(Some(KeptChart {
        places: Places::new(&project.generated, &kept.file.to_string_lossy()),
        project,
        campaign: campaign.to_path_buf(),
        program: native::kept::bytes(campaign),
        told: Told::of(campaign),
    }))
}

/// A model whose campaign is looked at.
pub struct KeptChart {
    pub project: Project,
    campaign: PathBuf,
    places: Places,
    /// The program that was made from it.
    program: Box<dyn Kept>,
    told: Told,
}

impl KeptChart {
    /// What came of a case on the uninstrumented build, message by message.
    pub fn observe(&self, case: &Case) -> Result<(End, Messages), Problem> {
        let (end, observed) = self.told.ask("observed", case, || self.run(case))?;
        Ok((end, self.project.told(case, &observed)))
    }

    fn run(&self, case: &Case) -> Result<(End, String), Problem> {
        let cannot = |error| {
            Problem::usage(format!(
                "cannot make a folder to observe in: {error}; set TMPDIR"
            ))
        };
        let folder = tempfile::tempdir().map_err(cannot)?;
        let file = folder.path().join("observed");
        let (record, program) = Record::read(&self.campaign)?;
        let mut plain = record.plain(&program)?;
        plain.containment.write.push(folder.path().to_path_buf());
        plain.env.push((OBSERVED.into(), file.clone().into()));
        let run = plain.run(case).map_err(native::problem)?;
        let observed = read_unlinked(&file).unwrap_or_default();
        let observed = String::from_utf8_lossy(&observed).into_owned();
        Ok((self.places.outcome(run.outcome).into(), observed))
    }

    /// What a case does in a line: its messages, and the state that they lead to.
    fn behaved(&self, run: u64, messages: &Messages, ending: Ending) -> Behaviour {
        let several = messages.parts.len() > 1;
        let outside = messages.steps.iter().filter(|step| step.outside);
        let words: Vec<String> = outside
            .map(|step| match messages.parts.get(step.part) {
                Some(part) if several => format!("{part}: {}", written(step)),
                _ => written(step),
            })
            .collect();
        let field = |name: &str, text: String| Field {
            name: name.to_owned(),
            ty: String::new(),
            value: Value::Named(text),
        };
        let last = messages.steps.iter().rev();
        let state = last.map(|step| &step.state).find(|state| !state.is_empty());
        Behaviour {
            case: run,
            before: Graph::default(),
            calls: vec![Call {
                function: self.project.model.name.clone(),
                arguments: vec![field("messages", words.join(", "))],
                result: state.map(|state| field("", state.clone())),
                returns: None,
            }],
            stubs: Vec::new(),
            after: None,
            ending,
            reached: Vec::new(),
        }
    }
}

impl Kept for KeptChart {
    fn case_of(&self, store: &Store, finding: &Finding) -> Result<Case, Problem> {
        campaigns::case_of(store, finding, false)
    }

    fn shown(&self, finding: &Finding, case: Option<&Case>, survey: Option<&Survey>) -> Shown {
        let messages = case.and_then(|case| self.observe(case).ok());
        let messages = messages.map(|(_, messages)| messages);
        let mover = |number| self.mover(number);
        Shown::new(None, finding, case, survey, &mover).with_messages(messages)
    }

    fn call_text(&self, case: &Case) -> Option<String> {
        let messages = self.project.messages(case);
        let words: Vec<String> = messages.steps.iter().map(written).collect();
        Some(words.join(", "))
    }

    fn tests_folder(&self) -> Option<&'static str> {
        Some("tests")
    }

    fn behaviour(
        &self,
        run: u64,
        case: &Case,
        finding: Option<&Finding>,
        reached: Vec<String>,
    ) -> Result<Option<Behaviour>, Problem> {
        let (outcome, messages) = self.observe(case)?;
        let ending = match (finding, outcome) {
            (Some(finding), _) => Ending::Failed(campaigns::failure(finding)),
            (None, End::Exit(_)) => Ending::Returned,
            (None, End::Failed(kind)) => Ending::Failed(kind),
            (None, End::Assumed) => return Ok(None),
        };
        let mut behaviour = self.behaved(run, &messages, ending);
        behaviour.reached = reached;
        Ok(Some(behaviour))
    }

    fn tell(&self, case: &Case, finding: Option<&Finding>) -> Result<(), Problem> {
        match ends(finding) {
            true => self.observe(case).map(|_| ()),
            false => Ok(()),
        }
    }

    fn keep_told(&self) -> Result<(), Problem> {
        self.told.keep()
    }

    fn drawings(&self, store: &Store, complete: bool) -> Result<Vec<StateChart>, Problem> {
        let sites = store.sites().map_err(campaigns::problem)?;
        let sites = sites
            .iter()
            .map(|site| (&site.location, site.first_side, site.sides));
        let elements = Elements::find(sites);
        let mut reached = BTreeSet::new();
        for info in campaigns::runs(store) {
            reached.extend(info?.new.iter().filter_map(|side| elements.of(*side)));
        }
        Ok(self.project.drawings(&reached, complete))
    }

    fn mover(&self, number: u32) -> String {
        self.program.mover(number)
    }

    fn debug_command(&self, finding: &Finding) -> String {
        self.program.debug_command(finding)
    }

    fn rerun(&self, case: &Case) -> Result<Rerun, Problem> {
        let mut rerun = self.program.rerun(case)?;
        rerun.outcome = self.places.outcome(rerun.outcome);
        rerun.call = self.call_text(case);
        Ok(rerun)
    }

    fn debug(&self, with: Debugger, case: &Case) -> Result<Never, Problem> {
        self.program.debug(with, case)
    }

    fn main_key(&self) -> Result<String, Problem> {
        self.program.main_key()
    }

    fn command(&self) -> Result<Vec<String>, Problem> {
        self.program.command()
    }
}

/// A message as people write it.
pub fn written(step: &MessageStep) -> String {
    let arguments: Vec<String> = step
        .arguments
        .iter()
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    match arguments.is_empty() {
        true => step.message.clone(),
        false => format!("{}({})", step.message, arguments.join(", ")),
    }
}
