//! Which campaigns there are, and the forms in which findings and cases are named.

use crate::error::VerbError;
use elsewise_campaign::Store;
use elsewise_frontend::Problem;
pub use elsewise_frontend::campaigns::*;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Ending of a campaign directory's name.
pub const ENDING: &str = "elsewise";
/// The file that makes a folder a campaign, and what was last written of it.
const DATABASE: &str = "campaign.db";
const LOG: &str = "campaign.db-wal";

/// All campaigns in the working directory; there is at least one.
pub fn all_here() -> Result<Vec<PathBuf>, Problem> {
    let found = listed()?;
    match found.is_empty() {
        true => Err(VerbError::NoCampaign.into()),
        false => Ok(found),
    }
}

/// The campaigns in the working directory, by their names.
pub fn listed() -> Result<Vec<PathBuf>, Problem> {
    let entries = fs::read_dir(".").map_err(VerbError::UnlistedFolder)?;
    let mut found: Vec<PathBuf> = entries
        .filter_map(|entry| Some(PathBuf::from(entry.ok()?.file_name())))
        .filter(|path| path.extension().is_some_and(|ending| ending == ENDING))
        .filter(|path| is_campaign(path))
        .collect();
    found.sort();
    Ok(found)
}

/// Whether a folder holds a campaign.
pub fn is_campaign(folder: &Path) -> bool {
    folder.join(DATABASE).is_file()
}

/// The one of these that was explored last.
pub fn newest(campaigns: &[PathBuf]) -> Option<&PathBuf> {
    campaigns.iter().max_by_key(|campaign| changed(campaign))
}

/// When something was last written into a campaign.
fn changed(campaign: &Path) -> Option<SystemTime> {
    let files = [DATABASE, LOG];
    let times = files.iter().map(|name| fs::metadata(campaign.join(name)));
    times.filter_map(|file| file.ok()?.modified().ok()).max()
}

pub fn open(directory: &Path) -> Result<Store, Problem> {
    Ok(Store::open_read(directory)?)
}

/// A finding or case, as named on the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CaseName {
    Finding(u32),
    Run(u64),
    /// A folder with one file for each input.
    Folder(PathBuf),
    /// A file that is the standard input.
    File(PathBuf),
}

impl CaseName {
    pub fn new(text: &str) -> Result<CaseName, Problem> {
        if let Ok(id) = text.parse() {
            return Ok(CaseName::Finding(id));
        }
        let text = text.to_string();
        if let Some(run) = text.strip_prefix("run:") {
            let number = run.parse().map_err(|_| VerbError::RunNumber { text })?;
            return Ok(CaseName::Run(number));
        }
        let path = PathBuf::from(&text);
        match fs::metadata(&path) {
            Ok(metadata) if metadata.is_dir() => Ok(CaseName::Folder(path)),
            Ok(_) => Ok(CaseName::File(path)),
            Err(_) => Err(VerbError::NoCase { text }.into()),
        }
    }

    /// The campaign that a folder lies in, and its number there.
    pub fn campaign(&self) -> Option<(PathBuf, CaseName)> {
        let CaseName::Folder(folder) = self else {
            return None;
        };
        let folder = fs::canonicalize(folder).ok()?;
        let kind = folder.parent()?;
        let campaign = kind.parent()?;
        if !is_campaign(campaign) {
            return None;
        }
        let number = folder.file_name()?.to_str()?;
        let target = match kind.file_name()?.to_str()? {
            "findings" => CaseName::Finding(number.parse().ok()?),
            "cases" => CaseName::Run(number.parse().ok()?),
            _ => return None,
        };
        Some((campaign.to_path_buf(), target))
    }
}

/// The process that explores a campaign now. The kernel's list of locks is read rather than the
/// lock tried: trying would keep an explorer out that starts at the same moment.
pub fn explorer(directory: &Path) -> Option<u32> {
    let inode = fs::metadata(directory.join("lock")).ok()?.ino();
    let locks = fs::read_to_string("/proc/locks").ok()?;
    locks.lines().find_map(|line| {
        let mut words = line.split_whitespace();
        let pid = words.clone().nth(4)?;
        let file = words.nth(5)?;
        (file.rsplit(':').next()? == inode.to_string()).then(|| pid.parse().ok())?
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_findings_and_runs() {
        assert_eq!(CaseName::new("3").unwrap(), CaseName::Finding(3));
        assert_eq!(CaseName::new("run:17").unwrap(), CaseName::Run(17));
        assert!(CaseName::new("run:x").is_err());
        assert!(CaseName::new("no/such/folder").is_err());
    }

    #[test]
    fn a_folder_in_a_campaign_knows_its_number() {
        let place = tempfile::tempdir().unwrap();
        let campaign = place.path().join("x.elsewise");
        let folder = campaign.join("findings/12");
        fs::create_dir_all(&folder).unwrap();
        assert_eq!(CaseName::Folder(folder.clone()).campaign(), None);
        fs::write(campaign.join("campaign.db"), "").unwrap();
        let (directory, target) = CaseName::Folder(folder).campaign().unwrap();
        assert_eq!(directory, fs::canonicalize(&campaign).unwrap());
        assert_eq!(target, CaseName::Finding(12));
    }
}
