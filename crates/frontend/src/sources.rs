//! Sources, as far as they are quoted in what is shown of a campaign.
//!
//! Names of files in a campaign are whatever its maker, or a `#line` in a source, has written there. Reading any of
//! them would put files of the reader's into a page that is then published. So lines come from the project,
//! which is what lies below the working directory or the campaign's folder, or from the copy that the campaign
//! has: text, and no path.

use crate::problem::Problem;
use crate::record;
use elsewise_campaign::{Store, read_regular};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

const RECORD: &str = "sources.json";
const SCHEMA: u32 = 1;
/// Bytes of a file that is quoted.
const LARGEST: u64 = 8 << 20;
/// Bytes of all files that a campaign has a copy of.
const ALL: usize = 32 << 20;

#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Copies {
    schema: u32,
    /// By the names that sites have.
    files: BTreeMap<String, String>,
}

/// What can be said of a file.
pub enum Quoted {
    /// As it is now, and since when if that is known.
    Text(String, Option<SystemTime>),
    /// It is none of the project's.
    Withheld,
    /// There is no such file, or it is none that could be shown.
    Gone,
}

pub struct Sources {
    folders: Folders,
    copies: BTreeMap<String, String>,
}

impl Sources {
    pub fn of(campaign: &Path) -> Sources {
        Sources {
            folders: Folders::new([Path::new("."), parent(campaign)]),
            copies: copies(campaign),
        }
    }

    pub fn quote(&self, name: &str) -> Quoted {
        let path = self.folders.lead_to(Path::new(name));
        let text = path.as_deref().and_then(read);
        match (text, self.copies.get(name)) {
            (Some((text, since)), _) => Quoted::Text(text, since),
            (None, Some(copy)) => Quoted::Text(copy.clone(), None),
            (None, None) if path.is_none() && Path::new(name).exists() => Quoted::Withheld,
            (None, None) => Quoted::Gone,
        }
    }
}

/// The sources of a campaign as they were when it was explored, by the names that its sites have for them.
pub fn copies(campaign: &Path) -> BTreeMap<String, String> {
    let copies = record::read::<Copies>(campaign, RECORD, SCHEMA);
    copies.ok().flatten().unwrap_or_default().files
}

/// Keeps the sources of a campaign whose subject was given by these names. What a `#line` names elsewhere is none.
pub fn save(campaign: &Path, named: &[String]) -> Result<(), Problem> {
    let Ok(sites) = Store::open_read(campaign).and_then(|store| store.sites()) else {
        return Ok(());
    };
    let named = named.iter().map(|name| match name.split_once("::") {
        Some((file, _)) => parent(Path::new(file)),
        None => parent(Path::new(name)),
    });
    let usual = [Path::new("."), parent(campaign)];
    let folders = Folders::new(usual.into_iter().chain(named));
    let mut copies = Copies {
        schema: SCHEMA,
        files: BTreeMap::new(),
    };
    let mut room = ALL;
    for site in sites.iter().filter(|site| !site.hidden) {
        let name = &site.location.file;
        if copies.files.contains_key(name) {
            continue;
        }
        let text = folders
            .lead_to(Path::new(name))
            .and_then(|path| read(&path));
        if let Some((text, _)) = text.filter(|(text, _)| text.len() <= room) {
            room -= text.len();
            copies.files.insert(name.clone(), text);
        }
    }
    record::write(campaign, RECORD, &copies)
}

fn read(path: &Path) -> Option<(String, Option<SystemTime>)> {
    let about = fs::metadata(path).ok()?;
    if !about.is_file() || about.len() > LARGEST {
        return None;
    }
    let text = read_regular(path).ok()?;
    let text = String::from_utf8_lossy(&text).into_owned();
    Some((text, about.modified().ok()))
}

fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Folders of a project, without links.
struct Folders(Vec<PathBuf>);

impl Folders {
    fn new<'a>(folders: impl IntoIterator<Item = &'a Path>) -> Folders {
        let home = std::env::var_os("HOME").and_then(|home| fs::canonicalize(home).ok());
        Folders::outside_of(folders, home.as_deref())
    }

    /// A home is no project, nor is what it lies in.
    fn outside_of<'a>(folders: impl IntoIterator<Item = &'a Path>, home: Option<&Path>) -> Folders {
        let found = folders
            .into_iter()
            .filter_map(|folder| fs::canonicalize(folder).ok())
            .filter(|folder| folder.parent().is_some())
            .filter(|folder| !home.is_some_and(|home| home.starts_with(folder)));
        Folders(found.collect())
    }

    /// Where a file lies that is in one of them, by whatever links, and is not hidden there.
    fn lead_to(&self, file: &Path) -> Option<PathBuf> {
        let file = fs::canonicalize(file).ok()?;
        let hidden = |part: Component| part.as_os_str().as_encoded_bytes().starts_with(b".");
        let below = |folder: &PathBuf| {
            let rest = file.strip_prefix(folder);
            rest.is_ok_and(|rest| !rest.components().any(hidden))
        };
        self.0.iter().any(below).then_some(file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn only_what_is_in_the_project_is_found() {
        let place = tempfile::tempdir().unwrap();
        let place = fs::canonicalize(place.path()).unwrap();
        for folder in ["home/project/src", "home/project/.git", "home/.ssh"] {
            fs::create_dir_all(place.join(folder)).unwrap();
        }
        for file in ["project/src/a.c", "project/.git/config", ".ssh/key", "note"] {
            fs::write(place.join("home").join(file), "text").unwrap();
        }
        let project = place.join("home/project");
        symlink(place.join("home/note"), project.join("link.c")).unwrap();
        symlink(project.join("src/a.c"), place.join("home/way.c")).unwrap();
        let home = place.join("home");
        let folders = |folder: &Path| Folders::outside_of([folder], Some(&home));
        let leads = |folder: &Path, file: &str| folders(folder).lead_to(&home.join(file)).is_some();
        assert!(leads(&project, "project/src/a.c"));
        assert!(leads(&project, "project/src/../src/a.c"));
        assert!(leads(&project, "way.c"));
        for elsewhere in [
            "project/.git/config",
            "project/link.c",
            "project/../note",
            ".ssh/key",
            "note",
            "project/missing.c",
        ] {
            assert!(!leads(&project, elsewhere), "{elsewhere}");
        }
        for folder in [&home, &place, Path::new("/")] {
            assert!(!leads(folder, "note"), "{}", folder.display());
        }
    }
}
