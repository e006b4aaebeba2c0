//! gdb on a case, laid out so that it outlives this process.

use crate::program_error::{ProgramError, problem};
use crate::record::NativeRecord;
use crate::saved_function::SavedFunction;
use crate::{gdb, schedules};
use elsewise_explore::Case;
use elsewise_frontend::{Never, Problem, notices};
use elsewise_report::{GraphPicture, Picture};
use std::fs;
use std::path::{Path, PathBuf};

/// What the case gives to a function.
pub fn show_graph(function: &SavedFunction, case: &Case) {
    let picture = GraphPicture {
        graph: &function.graph(case),
        title: &function.plan.function.name,
    };
    notices::result(&picture.text(notices::terminal()));
}

/// Where the subject ran when it was explored, or a directory as empty as that was.
fn work_directory(record: &NativeRecord, folder: &Path) -> Result<Option<PathBuf>, Problem> {
    if !record.containment.on {
        return Ok(None);
    }
    if let Some(workdir) = &record.containment.workdir {
        return Ok(Some(workdir.clone()));
    }
    let path = folder.join("%work");
    match fs::create_dir(&path) {
        Ok(()) => Ok(Some(path)),
        Err(source) => Err(ProgramError::NoWorkFolder { path, source }.into()),
    }
}

/// Becomes gdb on the case.
pub fn debug(
    campaign: &Path,
    record: &NativeRecord,
    program: &Path,
    case: &Case,
) -> Result<Never, Problem> {
    let Some(gdb) = gdb::find() else {
        return Err(ProgramError::NoGdb.into());
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
        .map_err(|source| ProgramError::UnwrittenCase {
            campaign: campaign.to_path_buf(),
            source,
        })?;
    let work = work_directory(record, &folder)?;
    let (program, laid_out, script) = match case.schedule.is_empty() {
        true => {
            let plain = record.plain(program)?;
            let laid_out = plain.lay_out(case, &folder).map_err(problem)?;
            (program.to_path_buf(), laid_out, None)
        }
        false => {
            let (program, laid_out) = schedules::lay_out(campaign, record, case, &folder)?;
            let script = folder.join("%schedule.py");
            fs::write(&script, gdb::SCHEDULE).map_err(|source| {
                let path = script.clone();
                ProgramError::UnwrittenScript { path, source }
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
    // gdb gives it what it has itself.
    elsewise_contain::narrow(&mut command, &record.containment.containment());
    let source = gdb::become_gdb(command);
    Err(ProgramError::NotStarted { gdb, source }.into())
}
