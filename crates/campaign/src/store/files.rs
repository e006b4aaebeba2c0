//! Cases as files, for people and for other programs.

use crate::CampaignError;
use elsewise_explore::Case;
use std::fs;
use std::path::{Path, PathBuf};

/// Writes a case into a folder, one file per input. What is there under the same names is
/// replaced.
pub(crate) fn write_case(dir: &Path, case: &Case) -> Result<(), CampaignError> {
    fs::create_dir_all(dir).map_err(CampaignError::io("create", dir))?;
    for (name, bytes) in &case.inputs {
        let path = dir.join(file_name(name));
        fs::write(&path, bytes).map_err(CampaignError::io("write", &path))?;
    }
    if !case.schedule.is_empty() {
        let path = dir.join(SCHEDULE);
        let numbers: Vec<String> = case.schedule.iter().map(u32::to_string).collect();
        let text = numbers.join(" ") + "\n";
        fs::write(&path, text).map_err(CampaignError::io("write", &path))?;
    }
    Ok(())
}

/// The schedule of a case in a folder, if it has one.
pub(crate) fn read_schedule(dir: &Path) -> Option<Vec<u32>> {
    let text = crate::read_unlinked_text(&dir.join(SCHEDULE)).ok()?;
    text.split_whitespace()
        .map(|number| number.parse().ok())
        .collect()
}

/// The file with a case's schedule; no input has this name.
pub const SCHEDULE: &str = "%schedule";

/// A file name for an input's name: letters, digits, `.`, `_` and `-` stay, other bytes become
/// `%` and two hexadecimal digits. Different names get different files, none of them leaves the
/// folder, and none is too long for a file system.
pub fn file_name(name: &str) -> String {
    let mut safe = String::new();
    for (index, byte) in name.bytes().enumerate() {
        let plain = byte.is_ascii_alphanumeric()
            || matches!(byte, b'_' | b'-')
            || (byte == b'.' && index > 0);
        match plain {
            true => safe.push(char::from(byte)),
            false => safe.push_str(&format!("%{byte:02X}")),
        }
    }
    if safe.is_empty() {
        return "%".to_owned();
    }
    if safe.len() > 200 {
        let hash = blake3::hash(name.as_bytes()).to_hex();
        safe.truncate(120);
        safe.push_str("%%");
        safe.push_str(&hash.as_str()[..32]);
    }
    safe
}

/// Gives `dir` a free place beside it: `dir.1`, after `dir.1` became `dir.2` and so on. The
/// oldest of `keep` is removed. What is no campaign stays as it is, and its number is left out.
pub(crate) fn rotate(dir: &Path, keep: u32) -> Result<PathBuf, CampaignError> {
    let numbered = |number: u32| {
        let mut name = dir.as_os_str().to_owned();
        name.push(format!(".{number}"));
        PathBuf::from(name)
    };
    let is_free = |path: &PathBuf| fs::symlink_metadata(path).is_err() || is_campaign(path);
    let places = (1..).map(numbered).filter(is_free);
    let places: Vec<PathBuf> = places.take(keep.max(1) as usize).collect();
    if let Some(oldest) = places.last().filter(|path| path.exists()) {
        fs::remove_dir_all(oldest).map_err(CampaignError::io("remove", oldest))?;
    }
    for two in places.windows(2).rev() {
        if two[0].exists() {
            fs::rename(&two[0], &two[1]).map_err(CampaignError::io("rename", &two[0]))?;
        }
    }
    fs::rename(dir, &places[0]).map_err(CampaignError::io("rename", dir))?;
    Ok(places[0].clone())
}

/// Is it a folder with a database in it? Links are followed nowhere.
fn is_campaign(path: &Path) -> bool {
    let database = fs::symlink_metadata(path.join("campaign.db"));
    fs::symlink_metadata(path).is_ok_and(|path| path.is_dir())
        && database.is_ok_and(|database| database.is_file())
}

/// Explains a campaign's folder to a person who finds it.
pub(crate) const README: &str = "\
This folder is a campaign of Elsewise: what it has learned about one program so far.

  findings/N/     a failure that was seen to happen: the case that makes it happen
                  (one file per input) and finding.json, which says what and where
  cases/N/        the case of run N, for every run that reached something new
                  (one file per input; characters that a file name cannot have
                  are written as % and two hexadecimal digits)
  subject/        the uninstrumented program and how it is run, for `elsewise replay`
  campaign.db     every run, in SQLite; `elsewise status` and `elsewise show` read it
  lock            names the process that is exploring now, if one is

Exploring the same program again with the same options goes on where this stopped.
If the program or the options have changed, this folder is renamed (NAME.1, NAME.2, …)
and a new one is begun with its cases. The folder can be removed at any time; only
what was learned goes with it.
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_inside_the_folder_and_apart() {
        assert_eq!(file_name("stdin"), "stdin");
        assert_eq!(file_name("../a b"), "%2E.%2Fa%20b");
        assert_eq!(file_name(".."), "%2E.");
        assert_eq!(file_name(""), "%");
        assert_ne!(file_name("%2F"), file_name("/"));
        let (a, b) = ("x".repeat(300), "x".repeat(301));
        assert_ne!(file_name(&a), file_name(&b));
        assert!(file_name(&a).len() < 255);
    }

    #[test]
    fn three_old_campaigns_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().join("c");
        for round in 0..5 {
            fs::create_dir(&dir).unwrap();
            fs::write(dir.join("campaign.db"), round.to_string()).unwrap();
            rotate(&dir, 3).unwrap();
        }
        let mut kept: Vec<String> = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| fs::read_to_string(entry.unwrap().path().join("campaign.db")).unwrap())
            .collect();
        kept.sort();
        assert_eq!(kept, ["2", "3", "4"]);
    }
    #[test]
    fn what_is_no_campaign_stays_where_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().join("c");
        for name in ["c.1", "c.3"] {
            fs::create_dir(folder.path().join(name)).unwrap();
            fs::write(folder.path().join(name).join("notes"), name).unwrap();
        }
        let mut places = Vec::new();
        for round in 0..5 {
            fs::create_dir(&dir).unwrap();
            fs::write(dir.join("campaign.db"), round.to_string()).unwrap();
            places.push(rotate(&dir, 3).unwrap());
        }
        assert!(places.iter().all(|place| place.ends_with("c.2")));
        for name in ["c.1", "c.3"] {
            let notes = fs::read_to_string(folder.path().join(name).join("notes"));
            assert_eq!(notes.unwrap(), name);
        }
        let old = |name: &str| fs::read_to_string(folder.path().join(name).join("campaign.db"));
        for (name, round) in [("c.2", "4"), ("c.4", "3"), ("c.5", "2")] {
            assert_eq!(old(name).unwrap(), round);
        }
    }
}
