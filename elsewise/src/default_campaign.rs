//! Where a campaign is when nobody says where.
//!
//! It is named after its subject. Where another subject's campaign has that name, the names of the file and of its
//! folders are put before it, and at last a number behind it, until one is free: `main.elsewise`, `p-main.elsewise`,
//! `main-2.elsewise`.

use crate::campaigns::{ENDING, is_campaign};
use crate::named::subject_of;
use elsewise_frontend::file_of;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Campaigns of the same name that one folder may have, at most.
const MOST: u32 = 1000;

/// The directory for the campaign of a subject.
pub struct Place {
    pub directory: PathBuf,
    /// The campaign of another subject that has the first name, where this one is new.
    pub taken: Option<PathBuf>,
}

/// Where the campaign of a subject is, or is to be. `stem` is what its front end names it after, `part` the directory
/// for the part of a whole campaign that is explored.
pub fn place(subject: &[String], stem: &OsStr, part: &dyn Fn(PathBuf) -> PathBuf) -> Place {
    let word = subject.first().map_or("", String::as_str);
    let here = fs::canonicalize(".").unwrap_or_default();
    let directory = |name: OsString| {
        let mut name = name;
        name.push(format!(".{ENDING}"));
        part(name.into())
    };
    let named: Vec<PathBuf> = names(word, stem, &here).map(directory).collect();
    let numbered = (2..MOST).map(|number| {
        let mut name = stem.to_os_string();
        name.push(format!("-{number}"));
        directory(name)
    });
    let theirs = numbered.clone().take_while(|one| is_campaign(one));
    let mut all = named.iter().cloned().chain(theirs);
    if let Some(directory) = all.find(|one| is_campaign(one) && is_of(one, word)) {
        return Place {
            directory,
            taken: None,
        };
    }
    let mut all = named.iter().cloned().chain(numbered);
    let free = all.find(|one| !is_campaign(one));
    let first = named.first().cloned().unwrap_or_default();
    Place {
        taken: Some(first.clone()).filter(|first| free.as_ref() != Some(first)),
        directory: free.unwrap_or(first),
    }
}

/// Whether a campaign is of this subject. One that does not say of what it is, or whose file is gone, is: it makes
/// room as an older one of the same subject does.
fn is_of(campaign: &Path, word: &str) -> bool {
    let theirs = subject_of(campaign);
    let Some(theirs) = theirs.first() else {
        return true;
    };
    let parts = |word: &str| {
        let file = file_of(word);
        let rest = word[file.len()..].to_string();
        (fs::canonicalize(file), rest)
    };
    match (parts(theirs), parts(word)) {
        ((Ok(file), rest), (Ok(own), own_rest)) => file == own && rest == own_rest,
        ((Err(_), _), _) => true,
        ((Ok(_), _), (Err(_), _)) => theirs == word,
    }
}

/// The stem, and what it is with the file and its folders before it.
fn names(word: &str, stem: &OsStr, here: &Path) -> impl Iterator<Item = OsString> {
    let file = Path::new(file_of(word));
    let file = fs::canonicalize(file).unwrap_or_else(|_| file.to_path_buf());
    let file = file.strip_prefix(here).unwrap_or(&file);
    let mut before: Vec<OsString> = Vec::new();
    // Of a function, the file says more than its name.
    before.extend(file.file_stem().filter(|own| *own != stem).map(Into::into));
    let folders = file.parent().into_iter().flat_map(Path::components).rev();
    before.extend(folders.filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_os_string()),
        _ => None,
    }));
    let mut name = stem.to_os_string();
    let longer = before.into_iter().map(move |mut part| {
        part.push("-");
        part.push(&name);
        name.clone_from(&part);
        part
    });
    std::iter::once(stem.to_os_string()).chain(longer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_grow_from_the_path() {
        let of = |word: &str, stem: &str| -> Vec<String> {
            let names = names(word, stem.as_ref(), Path::new("/a/me"));
            let names = names.map(|name| name.into_string().unwrap());
            names.collect()
        };
        assert_eq!(of("main.c", "main"), ["main"]);
        assert_eq!(of("p/q/main.c", "main"), ["main", "q-main", "p-q-main"]);
        assert_eq!(
            of("src/list.c::add", "add"),
            ["add", "list-add", "src-list-add"]
        );
        assert_eq!(of("/a/me/p/main.c", "main"), ["main", "p-main"]);
    }
}
