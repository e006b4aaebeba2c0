//! A model that is generated, built and can be explored.

use crate::charts::{self, Chart, kept};
use crate::exit::Problem;
use crate::kept::Kept;
use crate::native::ready::ReadyNative;
use crate::native::{self};
use crate::output;
use crate::ready::Ready;
use crate::wanted::Wanted;
use elsewise_campaign::{Finding, Summary};
use elsewise_explore::{Case, Outcome, Subject};
use elsewise_native::NativeSubject;
use elsewise_statechart::model::Language;
use elsewise_statechart::{ChartSubject, Places, Project};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

pub fn build(chart: &Chart, wanted: &Wanted) -> Result<Box<dyn Ready>, Problem> {
    let settings = &wanted.settings;
    let options = charts::options(chart, settings);
    let project = charts::open(&chart.file, &options)?;
    if !settings.quiet {
        for warning in &project.warnings {
            output::warning(warning);
        }
    }
    let built = native::build_written(
        |folder| project.write(folder),
        &chart.others,
        flags(&project, chart, &settings.include),
        settings,
    )
    .map_err(in_model)?;
    let inner = native::ready::ready(built, wanted, project.bounds(), true);
    Ok(Box::new(ReadyChart {
        places: Places::new(&project.generated, &project.model.file),
        inner,
        project,
        file: chart.file.clone(),
    }))
}

/// What the compiler is told: headers lie beside the model, or where the user says.
fn flags(project: &Project, chart: &Chart, include: &[PathBuf]) -> Vec<OsString> {
    // Generated functions are long, reactions to messages are short: the compiler is what takes time.
    let mut flags: Vec<OsString> = vec!["-w".into(), "-g".into(), "-O0".into()];
    if project.model.language == Language::Cpp {
        flags.push("-std=gnu++17".into());
    }
    let beside = chart
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

/// What the compiler says is about generated code: whoever wrote the model should know.
fn in_model(problem: Problem) -> Problem {
    Problem {
        message: format!(
            "the code of the model cannot be built: {}\n(headers are found with --include DIR, and \
             functions that action code calls in C files that are named beside the model)",
            problem.message
        ),
        ..problem
    }
}

struct ReadyChart {
    inner: ReadyNative,
    project: Project,
    places: Places,
    file: PathBuf,
}

impl Ready for ReadyChart {
    fn weaker(&self) -> Vec<String> {
        self.inner.weaker()
    }

    fn bounds(&self) -> Vec<String> {
        self.inner.bounds()
    }

    fn subjects(&self, jobs: u16) -> Result<Vec<Box<dyn Subject>>, Problem> {
        let (program, how) = (&self.inner.built.program, &self.inner.how);
        (0..jobs)
            .map(|_| {
                let subject = NativeSubject::new(program, how).map_err(native::problem)?;
                let file = &self.project.model.file;
                let subject = ChartSubject::new(subject, &self.project.generated, file);
                Ok(Box::new(subject) as Box<dyn Subject>)
            })
            .collect()
    }

    fn keep(&mut self, campaign: &Path, command: &[String]) -> Result<(), Problem> {
        self.inner.keep(campaign, command)?;
        kept::keep(&self.project, &self.file, campaign)
    }

    fn keep_for(&mut self, findings: &[Finding], campaign: &Path) -> Result<(), Problem> {
        self.inner.keep_for(findings, campaign)
    }

    fn finish(&mut self, summary: &Summary) -> Result<(), Problem> {
        self.inner.finish(summary)
    }

    fn kept(&self, campaign: &Path) -> Box<dyn Kept> {
        crate::kept::of_or_bytes(campaign)
    }

    fn again(&mut self, case: &Case) -> Result<Vec<Outcome>, Problem> {
        let outcomes = self.inner.again(case)?.into_iter();
        Ok(outcomes.map(|one| self.places.outcome(one)).collect())
    }
}
