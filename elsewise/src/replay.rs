//! `replay`: one case on the uninstrumented program, or by its schedule on the instrumented one.

use crate::args::{Format, ReplayArgs};
use crate::behaviours::Function;
use crate::campaigns::{self, Target};
use crate::exit::{Exit, Problem};
use crate::record::Record;
use crate::{gdb, native, output, threads};
use elsewise_explore::{Case, Outcome};
use elsewise_native::PlainRun;
use elsewise_report::{GraphPicture, OutcomeView, Picture};
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Serialize)]
struct Replayed<'a> {
    schema: u32,
    campaign: &'a Path,
    fails: bool,
    outcome: OutcomeView<'a>,
    stdout: String,
    stderr: String,
}

pub fn replay(args: &ReplayArgs) -> Result<Exit, Problem> {
    let target = Target::new(&args.case)?;
    let (campaign, case) = case(&target, args)?;
    let (record, program) = Record::read(&campaign)?;
    if args.gdb {
        return debug(&campaign, &record, &program, &case).map(|never| match never {});
    }
    if !record.containment.on {
        output::warning("this campaign's subject is not contained: it can do whatever you may do");
    }
    let run = match case.schedule.is_empty() {
        true => {
            let plain = record.plain(&program)?;
            plain.run(&case).map_err(native::problem)?
        }
        false => PlainRun {
            outcome: threads::replay(&campaign, &record, &case)?,
            stdout: Vec::new(),
            stderr: Vec::new(),
            left: 0,
        },
    };
    let fails = matches!(run.outcome, Outcome::Failure { .. });
    let view = OutcomeView::new(&run.outcome);
    match args.place.format {
        Format::Json => output::json(&Replayed {
            schema: 1,
            campaign: &campaign,
            fails,
            outcome: view,
            stdout: String::from_utf8_lossy(&run.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&run.stderr).into_owned(),
        })?,
        Format::Text => {
            show_output(&run);
            output::text(&view.text());
        }
    }
    Ok(if fails { Exit::Findings } else { Exit::Clean })
}

/// The campaign that is meant, and the case to run.
fn case(target: &Target, args: &ReplayArgs) -> Result<(PathBuf, Case), Problem> {
    if let (Target::Folder(folder), Some((campaign, _))) = (target, target.campaign()) {
        // As it is now: whoever changes a file of a case wants to see what that changes.
        return Ok((campaign, campaigns::read_case(folder)?));
    }
    let campaign = campaigns::locate(args.place.campaign.as_deref())?;
    let case = match target {
        Target::Folder(folder) => campaigns::read_case(folder)?,
        Target::File(file) => {
            let (record, _) = Record::read(&campaign)?;
            let key = record.main_key()?.to_string();
            Case {
                inputs: [(key, campaigns::read_input(file)?)].into(),
                ..Case::default()
            }
        }
        Target::Finding(id) => {
            let store = campaigns::open(&campaign)?;
            let finding = store.finding(*id).map_err(campaigns::problem)?;
            let function = Function::of(&campaign)?;
            let sequence = function.is_some_and(|function| function.is_sequence());
            campaigns::case_of(&store, &finding, sequence)?
        }
        Target::Run(run) => {
            let store = campaigns::open(&campaign)?;
            store.case(*run).map_err(campaigns::problem)?
        }
    };
    Ok((campaign, case))
}

/// What the program wrote, each line marked with where it wrote it.
fn show_output(run: &PlainRun) {
    for (name, bytes) in [("stdout", &run.stdout), ("stderr", &run.stderr)] {
        output::text(&elsewise_report::output_text(name, bytes));
    }
}

/// What the case gives to a function, where that is what the subject is.
fn show_graph(campaign: &Path, case: &Case) -> Result<(), Problem> {
    if let Some(function) = Function::of(campaign)? {
        let picture = GraphPicture {
            graph: &function.graph(case),
            title: &function.plan.function.name,
        };
        output::text(&picture.text(output::terminal()));
    }
    Ok(())
}

/// Where the subject ran when it was explored, or a directory as empty as that was.
fn work_directory(record: &Record, folder: &Path) -> Result<Option<PathBuf>, Problem> {
    if !record.containment.on {
        return Ok(None);
    }
    if let Some(workdir) = &record.containment.workdir {
        return Ok(Some(workdir.clone()));
    }
    let work = folder.join("%work");
    match fs::create_dir(&work) {
        Ok(()) => Ok(Some(work)),
        Err(error) => Err(Problem::usage(format!(
            "cannot make {}: {error}; is the disk full?",
            work.display()
        ))),
    }
}

enum Never {}

/// Becomes gdb on the case.
fn debug(campaign: &Path, record: &Record, program: &Path, case: &Case) -> Result<Never, Problem> {
    let Some(gdb) = gdb::find() else {
        return Err(Problem::subject(
            "gdb was not found: run `apt-get install gdb`, or replay without --gdb",
        ));
    };
    // gdb takes this process's place, so nobody is left to remove a temporary folder: the case
    // lies in the campaign until the next one is debugged.
    let folder = fs::canonicalize(campaign)
        .map(|campaign| campaign.join("subject/case"))
        .and_then(|folder| {
            if folder.exists() {
                fs::remove_dir_all(&folder)?;
            }
            fs::create_dir_all(&folder)?;
            Ok(folder)
        })
        .map_err(|error| {
            Problem::usage(format!(
                "cannot write the case into {}: {error}; is the directory writable?",
                campaign.display()
            ))
        })?;
    show_graph(campaign, case)?;
    let work = work_directory(record, &folder)?;
    let (program, laid_out, script) = match case.schedule.is_empty() {
        true => {
            let plain = record.plain(program)?;
            let laid_out = plain.lay_out(case, &folder).map_err(native::problem)?;
            (program.to_path_buf(), laid_out, None)
        }
        false => {
            let (program, laid_out) = threads::lay_out(campaign, record, case, &folder)?;
            let script = folder.join("%schedule.py");
            fs::write(&script, gdb::SCHEDULE).map_err(|error| {
                Problem::usage(format!(
                    "cannot write {}: {error}; is the disk full?",
                    script.display()
                ))
            })?;
            (program, laid_out, Some(script))
        }
    };
    let begin = gdb::Begin {
        stdin: &laid_out.stdin,
        folder: work.as_deref(),
        script: script.as_deref(),
    };
    let mut command = gdb::command(&gdb, &program, &laid_out.args, &begin);
    command.envs(laid_out.env);
    let error = gdb::become_gdb(command);
    Err(Problem::subject(format!(
        "cannot start {}: {error}",
        gdb.display()
    )))
}
