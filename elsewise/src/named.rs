//! What the words behind a verb mean: a campaign, and what is wanted of it.

use crate::campaigns::{self, CaseName, ENDING, is_campaign, newest};
use crate::error::VerbError;
use crate::{output, request};
use elsewise_campaign::{Finding, Store};
use elsewise_frontend::record::SavedRecord;
use elsewise_frontend::{Problem, file_of};
use elsewise_report::escape_text;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// What a verb is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meant {
    pub campaign: PathBuf,
    /// A finding or case, if one was named.
    pub case: Option<CaseName>,
}

impl Meant {
    /// The finding or run that was named, by its number.
    pub fn number(&self) -> Option<CaseName> {
        let case = self.case.as_ref()?;
        Some(case.campaign().map_or(case.clone(), |(_, number)| number))
    }
}

/// What at most two words mean: a campaign, a finding or case, or one after the other. `flag` is what --campaign says.
/// Where nothing says which campaign, it is the newest in the working directory.
pub fn meant(words: &[PathBuf], flag: Option<&Path>) -> Result<Meant, Problem> {
    match words {
        [] => Ok(Meant {
            campaign: located(flag)?,
            case: None,
        }),
        [word] => match named(word)? {
            Some(campaign) => Ok(Meant {
                campaign: only(campaign, flag, word)?,
                case: None,
            }),
            None => of_case(word, None, flag),
        },
        [first, second, ..] => {
            let none = || VerbError::NotCampaign {
                text: first.display().to_string(),
            };
            let campaign = only(named(first)?.ok_or_else(none)?, flag, first)?;
            of_case(second, Some(campaign), None)
        }
    }
}

/// The campaign that a word means, or that has what the word means. What is nothing of that is taken for the folder of
/// one: whoever opens it says what is wrong.
pub fn campaign(word: Option<&Path>, flag: Option<&Path>) -> Result<PathBuf, Problem> {
    let Some(word) = word else {
        return located(flag);
    };
    if let Some(campaign) = named(word)? {
        return only(campaign, flag, word);
    }
    match CaseName::new(&word.to_string_lossy()) {
        Ok(CaseName::Finding(_) | CaseName::Run(_)) => located(flag),
        Ok(case) => Ok(case
            .campaign()
            .map_or(word.into(), |(campaign, _)| campaign)),
        Err(_) => Ok(word.into()),
    }
}

/// A campaign's first finding; with several, it is said that it is not all.
pub fn first_finding(store: &Store) -> Result<Finding, Problem> {
    let mut findings = store.findings()?;
    if findings.is_empty() {
        let campaign = store.dir().to_path_buf();
        return Err(VerbError::NoFindings { campaign }.into());
    }
    let number = findings.len();
    let finding = findings.swap_remove(0);
    if number > 1 {
        output::note(&format!(
            "note: finding {}, the first of {number}",
            finding.id
        ));
    }
    Ok(finding)
}

/// A finding or case, in this campaign if it does not say itself where it is.
fn of_case(word: &Path, of: Option<PathBuf>, flag: Option<&Path>) -> Result<Meant, Problem> {
    let case = CaseName::new(&word.to_string_lossy())?;
    let campaign = match (of, case.campaign()) {
        (Some(campaign), _) => campaign,
        (None, Some((campaign, _))) => campaign,
        (None, None) => located(flag)?,
    };
    let case = Some(case);
    Ok(Meant { campaign, case })
}

/// The campaign that --campaign names, or the newest here; with several, it is said which.
fn located(flag: Option<&Path>) -> Result<PathBuf, Problem> {
    if let Some(flag) = flag {
        return Ok(flag.to_path_buf());
    }
    let all = campaigns::all_here()?;
    newest_of(&all, "campaigns here").ok_or_else(|| VerbError::NoCampaign.into())
}

/// The newest of these; with several, it is said which.
fn newest_of(campaigns: &[PathBuf], what: &str) -> Option<PathBuf> {
    let newest = newest(campaigns)?;
    if campaigns.len() > 1 {
        output::note(&format!(
            "note: {}, the newest of {} {what}; name another to see it",
            escape_text(&newest.to_string_lossy()),
            campaigns.len()
        ));
    }
    Some(newest.clone())
}

/// Refuses two campaigns where one is to be named.
fn only(campaign: PathBuf, flag: Option<&Path>, word: &Path) -> Result<PathBuf, Problem> {
    match flag.is_some_and(|flag| flag != campaign) {
        true => {
            let text = word.display().to_string();
            Err(VerbError::TwoCampaigns { text }.into())
        }
        false => Ok(campaign),
    }
}

/// The campaign that a word means: its directory, or its subject as `explore` was given it, or the last part of that.
fn named(word: &Path) -> Result<Option<PathBuf>, Problem> {
    if is_campaign(word) {
        return Ok(Some(word.to_path_buf()));
    }
    // Numbers are findings, and a folder is one of a campaign's.
    let text = word.to_string_lossy();
    if text.parse::<u32>().is_ok() || text.starts_with("run:") || word.is_dir() {
        return Ok(None);
    }
    let Ok(here) = campaigns::listed() else {
        return Ok(None);
    };
    let mut directory = word.as_os_str().to_os_string();
    directory.push(format!(".{ENDING}"));
    if here
        .iter()
        .any(|campaign| campaign.as_os_str() == directory)
    {
        return Ok(Some(directory.into()));
    }
    let with_subjects: Vec<(PathBuf, Vec<String>)> = here
        .into_iter()
        .map(|campaign| {
            let subject = subject_of(&campaign);
            (campaign, subject)
        })
        .collect();
    let find = |is: &dyn Fn(&str) -> bool| -> Vec<PathBuf> {
        let found = with_subjects
            .iter()
            .filter(|(_, words)| words.iter().any(|one| is(one)));
        found.map(|(campaign, _)| campaign.clone()).collect()
    };
    let wanted = parts(&text);
    let mut found = find(&|one| parts(one) == wanted);
    if found.is_empty() {
        found = find(&|one| last_part(one) == text);
    }
    Ok(newest_of(
        &found,
        &format!("campaigns of {}", escape_text(&text)),
    ))
}

/// The words for its subject with which a campaign was begun; none where it does not say.
pub fn subject_of(campaign: &Path) -> Vec<String> {
    match SavedRecord::read(campaign) {
        Ok(Some(saved)) => request::subject_of(&saved.command),
        _ => Vec::new(),
    }
}

/// The file of a subject, however it is written, and what follows it, as in `FILE::NAME`.
fn parts(word: &str) -> (PathBuf, &str) {
    let file = file_of(word);
    let plain = Path::new(file).components();
    let plain = plain.filter(|part| *part != Component::CurDir);
    let path = fs::canonicalize(file).unwrap_or_else(|_| plain.collect());
    (path, &word[file.len()..])
}

/// `list.c::add` of `src/list.c::add`.
fn last_part(word: &str) -> &str {
    let from = file_of(word).rfind('/').map_or(0, |at| at + 1);
    &word[from..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_part_of_a_subject() {
        for (word, last) in [
            ("src/list.c::add", "list.c::add"),
            ("bank.ex::Bank.f/2", "bank.ex::Bank.f/2"),
            ("./readtags", "readtags"),
            ("main.c", "main.c"),
        ] {
            assert_eq!(last_part(word), last);
        }
        assert_eq!(parts("./src/./a.c::f"), (PathBuf::from("src/a.c"), "::f"));
    }
}
