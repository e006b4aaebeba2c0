//! A model that is generated, built and can be explored.

use crate::error::ModelError;
use crate::saved::{self, ModelRecord};
use crate::{ModelTarget, open};
use elsewise_campaign::{Finding, Summary};
use elsewise_explore::{Case, Outcome, Subject};
use elsewise_frontend::flags::IncludeFlags;
use elsewise_frontend::{BuiltSubject, ExploreRequest, Problem, notices, record};
use elsewise_native::NativeSubject;
use elsewise_native_frontend::{BuiltNative, Runs, build_written, problem};
use elsewise_statechart::Project;
use elsewise_statechart::model::Language;
use elsewise_statechart::{ChartSubject, Places};
use serde_json::Value;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

pub fn build(
    target: &ModelTarget,
    request: &ExploreRequest,
) -> Result<Box<dyn BuiltSubject>, Problem> {
    let project = open(&target.file, &target.options(&request.flags)?)?;
    if !request.quiet {
        for warning in &project.warnings {
            notices::warning(warning);
        }
    }
    let runs = Runs::new(request)?;
    let includes: IncludeFlags = request.flags.read()?;
    let built = build_written(
        |folder| project.write(folder),
        &target.others,
        flags(&project, target, &includes.include),
        request,
    )
    .map_err(ModelError::Generated)?;
    Ok(Box::new(BuiltModel {
        program: BuiltNative::new(built, &runs, project.bounds(), true),
        places: Places::new(&project.generated, &project.model.file),
        project,
        file: target.file.clone(),
    }))
}

/// What the compiler is told: headers lie beside the model, or where the user says.
fn flags(project: &Project, target: &ModelTarget, include: &[PathBuf]) -> Vec<OsString> {
    // Generated functions are long, reactions to messages are short: the compiler is what takes time.
    let mut flags: Vec<OsString> = vec!["-w".into(), "-g".into(), "-O0".into()];
    if project.model.language == Language::Cpp {
        flags.push("-std=gnu++17".into());
    }
    let beside = target
        .file
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let beside = beside.unwrap_or(Path::new("."));
    for folder in include.iter().map(PathBuf::as_path).chain([beside]) {
        let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf());
        let mut flag = OsString::from("-I");
        flag.push(folder);
        flags.push(flag);
    }
    flags
}

struct BuiltModel {
    program: BuiltNative,
    project: Project,
    places: Places,
    file: PathBuf,
}

impl BuiltSubject for BuiltModel {
    fn weaker(&self) -> Vec<String> {
        self.program.weaker()
    }

    fn bounds(&self) -> Vec<String> {
        self.program.bounds()
    }

    fn subject(&self) -> Result<Box<dyn Subject>, Problem> {
        let (program, how) = (&self.program.built.program, &self.program.how);
        let subject = NativeSubject::new(program, how).map_err(problem)?;
        let file = &self.project.model.file;
        let subject = ChartSubject::new(subject, &self.project.generated, file);
        Ok(Box::new(subject))
    }

    fn save(&mut self, campaign: &Path) -> Result<Value, Problem> {
        let program = self.program.save_files(campaign)?;
        saved::save_files(&self.project, &self.file, campaign)?;
        record::value(&ModelRecord::new(&self.project, &self.file, program))
    }

    fn save_for(&mut self, findings: &[Finding], campaign: &Path) -> Result<(), Problem> {
        self.program.save_for(findings, campaign)
    }

    fn finish(&mut self, summary: &Summary) -> Result<(), Problem> {
        self.program.finish(summary)
    }

    fn confirm_all(&mut self, case: &Case) -> Result<Vec<Outcome>, Problem> {
        let outcomes = self.program.confirm_all(case)?.into_iter();
        Ok(outcomes.map(|one| self.places.outcome(one)).collect())
    }
}
