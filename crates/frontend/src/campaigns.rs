//! Campaigns as front ends read them: their runs, and the cases of their findings.

use crate::error::FrontEndError;
use crate::problem::{Advice, CommandError, Exit, Problem};
use elsewise_campaign::{
    CampaignError, Finding, RunInfo, SCHEDULE, STORY, Store, Summary, file_name, is_link,
    read_regular, write_unlinked,
};
use elsewise_explore::{Case, strategy};
use elsewise_report::keep_command;
use std::path::Path;
use std::{fs, io};

/// More than this of a case is not read: no run gets so much.
const LARGEST_INPUT: u64 = 64 << 20;
/// Files that a finding's folder holds beside its inputs.
const NOT_AN_INPUT: [&str; 2] = ["finding.json", STORY];

/// How a campaign stands.
pub fn summary(store: &Store) -> Result<Summary, Problem> {
    let none = || FrontEndError::NoRunYet {
        campaign: store.dir().to_path_buf(),
    };
    Ok(store.summary()?.ok_or_else(none)?)
}

/// All runs of a campaign in order, read as they are asked for.
pub fn runs(store: &Store) -> impl Iterator<Item = Result<RunInfo, Problem>> {
    /// Read at once.
    const MANY: u64 = 1000;
    let mut from = 0;
    let mut read = Vec::new().into_iter();
    std::iter::from_fn(move || {
        if let Some(info) = read.next() {
            return Some(Ok(info));
        }
        let more = match store.runs(from, MANY) {
            Ok(more) => more,
            Err(error) => return Some(Err(error.into())),
        };
        from += more.len() as u64;
        read = more.into_iter();
        read.next().map(Ok)
    })
}

/// A campaign's errors say what is wrong; what to do about it in words of the command is known here.
impl CommandError for CampaignError {
    fn exit(&self) -> Exit {
        match self {
            CampaignError::Subject(_) => Exit::Subject,
            _ => Exit::Usage,
        }
    }

    fn advice(&self) -> Option<Advice> {
        use CampaignError::*;
        match self {
            Thread(_) => Advice::semicolon("it needs 256 MB of address space (ulimit -v)"),
            Locked { .. } => {
                Advice::semicolon("wait for it, stop it, or give another campaign folder")
            }
            NotACampaign { .. } => Advice::semicolon("give another folder, or empty this one"),
            Missing { .. } => Advice::semicolon("run `explore` first, or give another folder"),
            Version { .. } => Advice::semicolon(
                "start afresh with `elsewise explore --fresh` (the old campaign is kept beside the new \
                 one), or use the version that made it",
            ),
            Damaged { .. } => Advice::semicolon(
                "start afresh (the old campaign is kept beside the new one) with `elsewise explore \
                 --fresh`",
            ),
            ReadOnly { .. } => {
                Advice::semicolon("copy the folder, or give another with --campaign")
            }
            Write(_) => Advice::semicolon("is the disk full?"),
            Strategy { .. } => {
                let names: Vec<_> = strategy::names().collect();
                Advice::semicolon(format!("there are {}", names.join(", ")))
            }
            NoRun { runs, .. } => Advice::semicolon(format!("it has {runs} runs, numbered from 0")),
            NoFinding { .. } => Advice::semicolon("`show` lists what there is"),
            ThreadsInShard => Advice::colon("leave --shard out; --jobs N explores with N workers"),
            OtherCampaign { .. } => Advice::semicolon(
                "a shard is explored with the same words, and --shard in place of --merge",
            ),
            IntoItself { .. } => Advice::semicolon("give another folder with --campaign"),
            Late | Io { .. } | NoSubject | Subject(_) => None,
        }
    }
}

/// The case of a finding: the smallest that is known to fail, with its whole schedule, is in the finding's folder.
pub fn case_of(store: &Store, finding: &Finding) -> Result<Case, Problem> {
    match read_kept_case(&finding.path) {
        Ok(case) if !case.inputs.is_empty() || !case.schedule.is_empty() => Ok(case),
        _ => Ok(store.case(finding.case)?),
    }
}

/// What a finding is and where, in a few words.
pub fn failure(finding: &Finding) -> String {
    match Path::new(&finding.file).file_name() {
        Some(file) => format!(
            "{} at {}:{}",
            finding.kind,
            file.to_string_lossy(),
            finding.line
        ),
        None => finding.kind.clone(),
    }
}

/// The command that keeps a finding as a test.
pub fn keep(campaign: &Path, finding: &Finding, tests: Option<&str>) -> String {
    keep_command(
        &campaign.to_string_lossy(),
        &finding.path.to_string_lossy(),
        tests,
    )
}

/// Puts the inputs of a case in the place of those in a finding's folder, which must be a folder itself.
pub fn put_case(folder: &Path, case: &Case) -> io::Result<()> {
    if is_link(folder) {
        return Err(io::ErrorKind::NotADirectory.into());
    }
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if !NOT_AN_INPUT.iter().any(|other| name == **other) && entry.file_type()?.is_file() {
            fs::remove_file(entry.path())?;
        }
    }
    for (name, bytes) in &case.inputs {
        write_unlinked(&folder.join(file_name(name)), bytes)?;
    }
    Ok(())
}

/// A case from a folder: each file is an input, named as the campaign names files.
pub fn read_case(folder: &Path) -> Result<Case, Problem> {
    read_folder(folder, true)
}

/// A case from a campaign's folder. Links there may be somebody else's, and lead to what is the reader's.
fn read_kept_case(folder: &Path) -> Result<Case, Problem> {
    match is_link(folder) {
        true => Ok(Case::default()),
        false => read_folder(folder, false),
    }
}

fn read_folder(folder: &Path, follow: bool) -> Result<Case, Problem> {
    let cannot = |source| FrontEndError::UnreadableCase {
        folder: folder.to_path_buf(),
        source,
    };
    let mut case = Case::default();
    for entry in fs::read_dir(folder).map_err(cannot)? {
        let entry = entry.map_err(cannot)?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let path = entry.path();
        if NOT_AN_INPUT.contains(&name.as_ref()) || !path.is_file() || !follow && is_link(&path) {
            continue;
        }
        if name == SCHEDULE {
            let text = String::from_utf8(read_input(&entry.path())?).unwrap_or_default();
            let numbers = text.split_whitespace().map(str::parse);
            let bad = |_| FrontEndError::BadSchedule { path: entry.path() };
            case.schedule = numbers.collect::<Result<_, _>>().map_err(bad)?;
            continue;
        }
        case.inputs
            .insert(input_name(&name), read_input(&entry.path())?);
    }
    Ok(case)
}

/// One input from a file.
pub fn read_input(path: &Path) -> Result<Vec<u8>, Problem> {
    let cannot = |source| FrontEndError::UnreadableInput {
        path: path.to_path_buf(),
        source,
    };
    let size = fs::metadata(path).map_err(cannot)?.len();
    if size > LARGEST_INPUT {
        let path = path.to_path_buf();
        let most = LARGEST_INPUT;
        return Err(FrontEndError::LargeInput { path, size, most }.into());
    }
    Ok(read_regular(path).map_err(cannot)?)
}

/// The input's name behind a file's: `%2F` is `/` again.
fn input_name(file: &str) -> String {
    let bytes = file.as_bytes();
    let mut name = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = file.get(at + 1..at + 3);
        let code = code.and_then(|code| u8::from_str_radix(code, 16).ok());
        match (bytes[at], code) {
            (b'%', Some(code)) => {
                name.push(code);
                at += 3;
            }
            (byte, _) => {
                name.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&name).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_give_input_names_back() {
        for name in ["stdin", "../a b", "x%2Fy", "%", "", "\u{fc}"] {
            let file = elsewise_campaign::file_name(name);
            if name.is_empty() {
                continue;
            }
            assert_eq!(input_name(&file), name);
        }
        assert_eq!(input_name("100%"), "100%");
        assert_eq!(input_name("%zz"), "%zz");
    }

    #[test]
    fn a_case_is_read_from_its_folder() {
        let place = tempfile::tempdir().unwrap();
        fs::write(place.path().join("stdin"), b"GO").unwrap();
        fs::write(place.path().join("finding.json"), b"{}").unwrap();
        let case = read_case(place.path()).unwrap();
        assert_eq!(case.inputs.len(), 1);
        assert_eq!(case.inputs["stdin"], b"GO");
    }
}
