//! What a campaign has saved of a model: the model as it was, and the program that was made from it.

mod export;

use crate::open;
use elsewise_campaign::{Finding, Store, Survey, read_unlinked};
use elsewise_explore::Case;
use elsewise_frontend::record::{self, SavedRecord, folder, put_copy};
use elsewise_frontend::{
    Debugger, End, ExportRequest, FindingPicture, FrontEndError, Never, Observations, Problem,
    Rerun, SavedSubject, campaigns, ends,
};
use elsewise_graph::{
    Behaviour, Call, Ending, Field, Graph, MessageStep, Messages, StateChart, Value,
};
use elsewise_native_frontend::{NativeRecord, SavedProgram, problem};
use elsewise_statechart::Project;
use elsewise_statechart::generate::Options;
use elsewise_statechart::{Elements, Places};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Variable with the file that the program writes what it did to.
const OBSERVED: &str = "ELSEWISE_OBSERVED";
/// What is beside a model and belongs to it.
const RULES: &str = "rules";

/// What `subject.json` says of a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelRecord {
    /// The model's file as it was given.
    file: PathBuf,
    /// Its copy, beside the record.
    copy: String,
    capsule: Option<String>,
    steps: u32,
    loops: Option<u32>,
    unhandled: bool,
    overtake: u32,
    /// The program that was made from it.
    program: NativeRecord,
}

impl ModelRecord {
    pub fn new(project: &Project, file: &Path, program: NativeRecord) -> ModelRecord {
        let options = &project.options;
        ModelRecord {
            file: file.to_path_buf(),
            copy: name(file),
            capsule: options.capsule.clone(),
            steps: options.steps,
            loops: options.loops,
            unhandled: options.unhandled,
            overtake: options.overtake,
            program,
        }
    }
}

fn name(file: &Path) -> String {
    let name = file.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// Puts the model, and what was generated from it, into a campaign's folder.
pub fn save_files(project: &Project, file: &Path, campaign: &Path) -> Result<(), Problem> {
    let folder = folder(campaign);
    let name = name(file);
    let copy = || -> std::io::Result<()> {
        put_copy(&folder, &name, file)?;
        let rules = file.with_extension(RULES);
        if rules.is_file() {
            let name = Path::new(&name).with_extension(RULES);
            put_copy(&folder, &name.to_string_lossy(), &rules)?;
        }
        project.write(&folder.join("generated"))?;
        Ok(())
    };
    Ok(copy().map_err(FrontEndError::not_saved("the model", &folder))?)
}

/// A model whose campaign is looked at.
pub struct SavedModel {
    pub project: Project,
    campaign: PathBuf,
    places: Places,
    /// The program that was made from it.
    program: SavedProgram,
    observations: Observations,
}

impl SavedModel {
    pub fn open(saved: &SavedRecord) -> Result<SavedModel, Problem> {
        let model: ModelRecord = saved.subject()?;
        let options = Options {
            capsule: model.capsule,
            steps: model.steps,
            loops: model.loops,
            unhandled: model.unhandled,
            overtake: model.overtake,
        };
        let copy = folder(&saved.campaign).join(name(Path::new(&model.copy)));
        for path in [&copy, &copy.with_extension(RULES)] {
            // Somebody else's campaign could have it lead to a file of the reader's, or be a pipe.
            if path.symlink_metadata().is_ok_and(|it| !it.is_file()) {
                return Err(record::damaged(path, "it is not a regular file"));
            }
        }
        let project = open(&copy, &options)?;
        Ok(SavedModel {
            places: Places::new(&project.generated, &model.file.to_string_lossy()),
            project,
            campaign: saved.campaign.clone(),
            program: SavedProgram::open(saved, model.program)?,
            observations: Observations::of(&saved.campaign),
        })
    }

    /// What came of a case on the uninstrumented build, message by message.
    pub fn observed(&self, case: &Case) -> Result<(End, Messages), Problem> {
        let (end, observed) = self
            .observations
            .of_case("observed", case, || self.run(case))?;
        Ok((end, self.project.told(case, &observed)))
    }

    fn run(&self, case: &Case) -> Result<(End, String), Problem> {
        let cannot = FrontEndError::no_folder("to observe in");
        let folder = tempfile::tempdir().map_err(cannot)?;
        let file = folder.path().join("observed");
        let record = &self.program.record;
        let mut plain = record.plain(&record.program_in(&self.campaign)?)?;
        plain.containment.write.push(folder.path().to_path_buf());
        plain.env.push((OBSERVED.into(), file.clone().into()));
        let run = plain.run(case).map_err(problem)?;
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

impl SavedSubject for SavedModel {
    fn picture(
        &self,
        finding: &Finding,
        case: Option<&Case>,
        survey: Option<&Survey>,
    ) -> FindingPicture {
        let messages = case.and_then(|case| self.observed(case).ok());
        let messages = messages.map(|(_, messages)| messages);
        FindingPicture::new(finding, case, survey, &|number| self.mover(number))
            .with_messages(messages)
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
        let (outcome, messages) = self.observed(case)?;
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

    fn observe(&self, case: &Case, finding: Option<&Finding>) -> Result<(), Problem> {
        match ends(finding) {
            true => self.observed(case).map(|_| ()),
            false => Ok(()),
        }
    }

    fn save_observations(&self) -> Result<(), Problem> {
        self.observations.save()
    }

    fn export(&self, store: &Store, request: &ExportRequest) -> Result<(), Problem> {
        export::export(self, store, request)
    }

    fn test_suite(&self, store: &Store, folder: &Path) -> Result<Option<usize>, Problem> {
        self.program.test_suite(store, folder)
    }

    fn drawings(&self, store: &Store, complete: bool) -> Result<Vec<StateChart>, Problem> {
        let sites = store.sites()?;
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

    fn command(&self) -> &[String] {
        self.program.command()
    }
}

/// A message, written down.
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
