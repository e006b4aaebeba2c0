//! `keep`: a finding becomes a regression case of the project.

use crate::args::KeepArgs;
use crate::campaigns::{self, CaseName};
use crate::error::VerbError;
use crate::kept::{self, KeptRecord, RECORD};
use crate::{again, languages, named, output};
use elsewise_campaign::{Finding, SCHEDULE, file_name, write_unlinked};
use elsewise_explore::Case;
use elsewise_export::registration::{BuildSystem, Registration};
use elsewise_export::regression::{PlainProgram, PlainRun, RegressionCase, SCRIPT};
use elsewise_frontend::export::relative;
use elsewise_frontend::{Exit, ExportRequest, Problem, contain, made_here, run_nothing};
use elsewise_report::{NAME, escape_text, paint};
use std::fmt::Write;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Cases of one name in a folder, at most.
const MOST: u32 = 1000;

pub fn keep(args: &KeepArgs) -> Result<Exit, Problem> {
    run_nothing();
    let meant = named::meant(&args.what, args.campaign.as_deref())?;
    let campaign = &meant.campaign;
    // Its words become a script that somebody runs.
    made_here::require(campaign, args.trust)?;
    contain::trust();
    let store = campaigns::open(campaign)?;
    let finding = match meant.number() {
        Some(CaseName::Finding(id)) => store.finding(id)?,
        None => named::first_finding(&store)?,
        Some(_) => {
            let name = args.what.last().map(|name| name.display().to_string());
            let name = name.unwrap_or_default();
            return Err(VerbError::NotFinding { name }.into());
        }
    };
    let saved = languages::saved(campaign)?;
    if let Some(tests) = saved.tests_folder() {
        let folder = args.out.clone().unwrap_or(tests.into());
        let framework = None;
        saved.export(&store, &ExportRequest { framework, folder })?;
        return Ok(Exit::Clean);
    }
    let explore = again::explore(saved.command(), campaign, args.config.as_deref())?;
    let (_, _, request) = explore.request()?;
    let case = saved.case_of(&store, &finding)?;
    let run = saved.plain_run(&request, &finding, &case)?;
    let out = args.out.clone().unwrap_or_else(|| kept::FOLDER.into());
    let subject = explore.args.subject.join(" ");
    let kept = Kept {
        subject: &subject,
        command: saved.command(),
        finding: &finding,
        case: &case,
        run: run.as_ref(),
    };
    let name = args
        .name
        .clone()
        .unwrap_or_else(|| name(campaign, &finding));
    let folder = kept.place(&out, &name);
    kept.write(&folder)?;
    let registrations = register(&out)?;
    output::text(&kept.text(&folder, &registrations));
    Ok(Exit::Clean)
}

/// A finding on its way into the project.
struct Kept<'a> {
    subject: &'a str,
    command: &'a [String],
    finding: &'a Finding,
    case: &'a Case,
    run: Option<&'a PlainRun>,
}

impl Kept<'_> {
    /// The files of the case but for the record and the script.
    fn files(&self) -> Vec<(String, Vec<u8>)> {
        let inputs = self.run.map_or(&self.case.inputs, |run| &run.inputs);
        let mut files: Vec<(String, Vec<u8>)> = inputs
            .iter()
            .map(|(key, bytes)| (file_name(key), bytes.clone()))
            .collect();
        if !self.case.schedule.is_empty() {
            let moves = self.case.schedule.iter().map(u32::to_string);
            let moves: Vec<String> = moves.collect();
            files.push((SCHEDULE.into(), format!("{}\n", moves.join(" ")).into()));
        }
        files
    }

    /// The folder of this name, or if another case has that, of a name with a number.
    fn place(&self, out: &Path, name: &str) -> PathBuf {
        let files = self.files();
        let is_this = |folder: &Path| {
            let same = |(name, bytes): &(String, Vec<u8>)| {
                fs::read(folder.join(name)).is_ok_and(|there| there == *bytes)
            };
            !folder.exists() || files.iter().all(same)
        };
        let numbered = (2..MOST).map(|number| out.join(format!("{name}-{number}")));
        let mut all = std::iter::once(out.join(name)).chain(numbered);
        all.find(|folder| is_this(folder))
            .unwrap_or_else(|| out.join(name))
    }

    fn write(&self, folder: &Path) -> Result<(), Problem> {
        fs::create_dir_all(folder).map_err(unwritten(folder))?;
        for (name, bytes) in self.files() {
            put(&folder.join(name), &bytes)?;
        }
        let program = self.run.and_then(|run| match &run.program {
            PlainProgram::Executable(path) => Some(path.clone()),
            PlainProgram::Sources { .. } => None,
        });
        let record = KeptRecord::new(self.subject, self.command, program, self.finding);
        let record = serde_json::to_string_pretty(&record);
        let record = record.map_err(elsewise_frontend::FrontEndError::NotJson)? + "\n";
        put(&folder.join(RECORD), record.as_bytes())?;
        made_here::note(RECORD, &folder.join(RECORD));
        let root = fs::canonicalize(folder)
            .and_then(|folder| Ok(relative(&fs::canonicalize(".")?, &folder)))
            .map_err(unwritten(folder))?;
        let title = format!(
            "Finding {} of {}: {} ({})",
            self.finding.id,
            self.subject,
            campaigns::failure(self.finding),
            self.finding.message
        );
        let script = RegressionCase {
            title: &title,
            root: &root.to_string_lossy(),
            run: self.run,
        }
        .script();
        let path = folder.join(SCRIPT);
        put(&path, script.text.as_bytes())?;
        let all_may_run = fs::Permissions::from_mode(0o755);
        Ok(fs::set_permissions(&path, all_may_run).map_err(unwritten(&path))?)
    }

    fn text(&self, folder: &Path, registrations: &[Registration]) -> String {
        let script = folder.join(SCRIPT);
        let script = paint(NAME, escape_text(&script.to_string_lossy()));
        let how = match self.run {
            Some(PlainRun {
                program: PlainProgram::Sources { .. },
                ..
            }) => "builds the program and runs it on the input",
            Some(_) => "runs the program on the input",
            None => "asks `elsewise check`: the program alone does not show this failure",
        };
        let mut out = format!("{script}  {how}; it fails while the bug is there\n");
        for one in registrations {
            let command = paint(NAME, format!("`{}`", one.command));
            if one.lines.is_empty() {
                let file = escape_text(&one.file.name);
                let _ = writeln!(out, "{file}  has {command} run all that are kept");
                continue;
            }
            let _ = writeln!(
                out,
                "\nto have {command} run all that are kept, add to {}, behind its targets:\n",
                one.into
            );
            for line in one.lines.lines() {
                let _ = writeln!(out, "    {}", escape_text(line));
            }
        }
        let _ = writeln!(out, "\n{} runs them, too", paint(NAME, "`elsewise check`"));
        out
    }
}

/// What a case is called: after its campaign, and the finding's number.
fn name(campaign: &Path, finding: &Finding) -> String {
    let stem = campaign.file_stem().unwrap_or_default().to_string_lossy();
    let good = |char: char| char.is_ascii_alphanumeric() || "._-".contains(char);
    let stem: String = stem
        .chars()
        .map(|char| if good(char) { char } else { '-' })
        .collect();
    format!("{}-{}", stem.trim_start_matches(['.', '-']), finding.id)
}

/// Writes a file for each build system that the project has; those whose lines are to be added are given back.
fn register(out: &Path) -> Result<Vec<Registration>, Problem> {
    let cases = kept::registered(out);
    let folder = out.to_string_lossy();
    let mut told = Vec::new();
    for system in BuildSystem::ALL {
        let own = system.files().iter().find_map(|file| {
            let text = fs::read(file).ok()?;
            Some((*file, String::from_utf8_lossy(&text).into_owned()))
        });
        let Some((file, build)) = own else {
            continue;
        };
        let mut registration = system.register(&folder, &cases, (file, &build));
        let path = match registration.is_of_project {
            true => PathBuf::from(&registration.file.name),
            false => out.join(&registration.file.name),
        };
        put(&path, registration.file.text.as_bytes())?;
        // What is there need not be added.
        let lines = registration.lines.lines();
        let missing: Vec<&str> = lines.filter(|line| !build.contains(line)).collect();
        let is_complete = missing.is_empty() && !registration.lines.is_empty();
        registration.lines = missing.join("\n");
        if !is_complete {
            told.push(registration);
        }
    }
    Ok(told)
}

fn put(path: &Path, bytes: &[u8]) -> Result<(), Problem> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(unwritten(folder))?;
    }
    Ok(write_unlinked(path, bytes).map_err(unwritten(path))?)
}

fn unwritten(path: &Path) -> impl FnOnce(io::Error) -> VerbError {
    let file = path.to_path_buf();
    move |source| VerbError::UnwrittenCase { file, source }
}
