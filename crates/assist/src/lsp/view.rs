//! A campaign as an editor shows it. It is read as any other campaign is looked at: nothing of it is run, and what it says
//! is somebody's word.

use super::documents::uri_of;
use crate::Host;
use elsewise_campaign::{Finding, Store, Summary, read_regular_text};
use elsewise_frontend::made_here::{Maker, maker};
use elsewise_frontend::{SavedSubject, needs_survey, sources};
use elsewise_report::{
    Fate, Terminal, case_inputs, escape_bytes, escape_text, replay_command, sides,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

/// Campaigns of a folder that are shown: the newest.
const CAMPAIGNS: usize = 64;
/// Findings of a campaign that are shown, and bytes of an input.
const FINDINGS: usize = 500;
const INPUT: usize = 96;
/// What inputs are written on.
const LINE: Terminal = Terminal {
    width: 100,
    unicode: true,
};

/// What tells whether a campaign is as it was when it was read.
pub type Stamp = (Option<SystemTime>, u64);

/// What an editor shows of a campaign.
pub struct View {
    pub folder: PathBuf,
    /// The folder that names of files are relative to.
    pub base: PathBuf,
    pub subject: String,
    /// How it stands, in a line.
    pub state: String,
    /// It was not made here by this user.
    pub stranger: bool,
    /// A source is not as it was when it was explored.
    pub outdated: bool,
    pub findings: Vec<Mark>,
    /// By file, in the order of their lines.
    pub branches: BTreeMap<PathBuf, Vec<Branch>>,
    /// Sources as they were explored.
    pub explored: BTreeMap<PathBuf, String>,
    /// When these sources were changed, as they were read.
    pub since: Vec<(PathBuf, Option<SystemTime>)>,
    /// Where tests of its cases are usually kept; none if they cannot become tests.
    pub tests: Option<&'static str>,
}

/// A finding, and where it shows.
pub struct Mark {
    pub id: u32,
    pub kind: String,
    pub message: String,
    /// The call, or the inputs, in a line each.
    pub input: Vec<String>,
    /// The innermost first.
    pub stack: Vec<Place>,
}

pub struct Place {
    /// None where it is no file of the workspace.
    pub file: Option<PathBuf>,
    /// As the campaign calls it.
    pub name: String,
    /// From 0.
    pub line: usize,
    /// From 1; 0 if it is not known.
    pub column: u32,
    pub function: String,
}

/// A place where a choice is made.
pub struct Branch {
    /// From 0.
    pub line: usize,
    pub column: u32,
    pub sides: Vec<Side>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side {
    pub name: String,
    pub fate: Fate,
    pub why: String,
}

/// Campaigns in a folder, the newest first.
pub fn campaigns(folder: &Path) -> Vec<(PathBuf, Stamp)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<(PathBuf, Stamp)> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "elsewise"))
        .filter_map(|path| {
            let stamp = stamp(&path)?;
            Some((path, stamp))
        })
        .collect();
    found.sort_by(|one, other| (other.1, &one.0).cmp(&(one.1, &other.0)));
    found.truncate(CAMPAIGNS);
    found
}

fn changed(file: &Path) -> Option<SystemTime> {
    fs::metadata(file).and_then(|about| about.modified()).ok()
}

/// What is known of a campaign, and would be read again where it is no longer so.
#[derive(Clone)]
pub struct Known {
    pub campaign: PathBuf,
    pub stamp: Stamp,
    pub since: Vec<(PathBuf, Option<SystemTime>)>,
}

impl Known {
    pub fn holds(&self, campaign: &Path, stamp: Stamp) -> bool {
        let same = self.campaign == campaign && self.stamp == stamp;
        same && self
            .since
            .iter()
            .all(|(file, since)| changed(file) == *since)
    }
}

/// None where it is no campaign.
fn stamp(campaign: &Path) -> Option<Stamp> {
    let database = fs::metadata(campaign.join("campaign.db")).ok()?;
    let log = fs::metadata(campaign.join("campaign.db-wal")).ok();
    let time = |about: &fs::Metadata| about.modified().ok();
    let newest = log.as_ref().and_then(time).max(time(&database));
    let size = database.len() + log.map_or(0, |log| log.len());
    database.is_file().then_some((newest, size))
}

/// Reads a campaign; what is wrong where that cannot be done. `roots`: what a campaign may show something in.
pub fn read(host: &Host, campaign: &Path, roots: &[PathBuf]) -> Result<View, String> {
    // Nothing of what is read is used after a panic.
    let read = AssertUnwindSafe(|| of(host, campaign, roots));
    catch_unwind(read)
        .unwrap_or_else(|_| Err("it cannot be read: a fault of Elsewise's own".into()))
}

fn of(host: &Host, campaign: &Path, roots: &[PathBuf]) -> Result<View, String> {
    let said = |error: &dyn std::fmt::Display| escape_text(&error.to_string());
    let store = Store::open_read(campaign).map_err(|error| said(&error))?;
    let summary = store.summary().map_err(|error| said(&error))?;
    let summary = summary.ok_or("no run has ended yet")?;
    let survey = store.survey().map_err(|error| said(&error))?;
    let saved = (host.saved)(campaign).ok();
    let base = campaign.parent().unwrap_or(campaign).to_path_buf();
    let files = Files {
        base: base.clone(),
        roots,
    };
    let mut explored = BTreeMap::new();
    let mut outdated = false;
    let mut since = Vec::new();
    for (name, text) in sources::copies(campaign) {
        // What is gone, or lies elsewhere, may have changed as well.
        outdated |= files.find(&name).is_none();
        if let Some(file) = files.find(&name) {
            since.push((file.clone(), changed(&file)));
            outdated |= read_regular_text(&file).ok().as_ref() != Some(&text);
            explored.insert(file, text);
        }
    }
    let mut branches: BTreeMap<PathBuf, Vec<Branch>> = BTreeMap::new();
    let mut known: BTreeMap<&str, Option<PathBuf>> = BTreeMap::new();
    let sides = sides(&survey, summary.reaches_all());
    for ways in sides.chunk_by(|one, other| one.site == other.site) {
        let Some(site) = ways
            .first()
            .and_then(|way| survey.sites.get(way.site.0 as usize))
        else {
            continue;
        };
        let place = &site.location;
        let file = known
            .entry(&place.file)
            .or_insert_with(|| files.find(&place.file));
        let (Some(file), Some(line)) = (file, (place.line as usize).checked_sub(1)) else {
            continue;
        };
        let ways = ways.iter().map(|way| Side {
            name: escape_text(&way.way),
            fate: way.fate,
            why: escape_text(&way.why),
        });
        branches.entry(file.clone()).or_default().push(Branch {
            line,
            column: place.column,
            sides: ways.collect(),
        });
    }
    for of_file in branches.values_mut() {
        of_file.sort_by_key(|branch| (branch.line, branch.column));
    }
    let findings = summary.findings.iter().take(FINDINGS);
    let findings = findings.map(|finding| mark(finding, &store, saved.as_deref(), &files));
    Ok(View {
        findings: findings.collect(),
        subject: escape_text(&summary.subject),
        state: state(&summary),
        stranger: maker(campaign) == Maker::Stranger,
        tests: saved.as_ref().and_then(|saved| saved.tests_folder()),
        folder: campaign.to_path_buf(),
        base,
        outdated,
        since,
        branches,
        explored,
    })
}

/// How a campaign stands.
pub fn state(summary: &Summary) -> String {
    let how = match summary.complete {
        true => "explored completely",
        false => "not explored completely",
    };
    let findings = match summary.findings.len() {
        0 => "no findings".to_string(),
        1 => "1 finding".to_string(),
        more => format!("{more} findings"),
    };
    let sides = summary.branch_sides;
    format!(
        "{how}: {} runs, {} of {} branch sides, {findings}",
        summary.runs, sides.reached, sides.total
    )
}

fn mark(finding: &Finding, store: &Store, saved: Option<&dyn SavedSubject>, files: &Files) -> Mark {
    let case = saved.and_then(|saved| saved.case_of(store, finding).ok());
    let call = case.as_ref().zip(saved);
    let call = call.and_then(|(case, saved)| saved.call_text(case));
    // What is known of a function's case without a run; bytes say less.
    let behaviour = case.as_ref().zip(saved);
    let behaviour = behaviour.and_then(|(case, saved)| {
        let known = saved.behaviour(finding.case, case, Some(finding), Vec::new());
        known.ok().flatten()
    });
    let input = match (call, behaviour, &case) {
        (Some(call), ..) => vec![escape_text(&call)],
        (None, Some(behaviour), _) => vec![escape_text(&case_inputs(&behaviour, LINE))],
        (None, None, Some(case)) => case
            .inputs
            .iter()
            .filter(|(_, bytes)| !bytes.is_empty())
            .map(|(name, bytes)| {
                let more = if bytes.len() > INPUT { "…" } else { "" };
                let shown = escape_bytes(&bytes[..bytes.len().min(INPUT)]);
                format!("{} = {shown}{more}", escape_text(name))
            })
            .collect(),
        (None, None, None) => Vec::new(),
    };
    let place = |file: &str, line: u32, column: u32, function: &str| Place {
        file: files.find(file),
        name: escape_text(file),
        line: (line as usize).saturating_sub(1),
        column,
        function: escape_text(function),
    };
    let mut stack: Vec<Place> = finding
        .stack
        .iter()
        .map(|frame| place(&frame.file, frame.line, frame.column, &frame.function))
        .collect();
    if stack.is_empty() {
        stack.push(place(&finding.file, finding.line, 0, &finding.function));
    }
    Mark {
        id: finding.id,
        kind: escape_text(&finding.kind),
        message: headline(finding),
        input,
        stack,
    }
}

/// The failure in one line.
fn headline(finding: &Finding) -> String {
    let (kind, message) = (escape_text(&finding.kind), escape_text(&finding.message));
    match message.is_empty() {
        true => kind,
        false if message.starts_with(&kind) => message,
        false => format!("{kind}: {message}"),
    }
}

impl View {
    /// The command that shows a finding fail, for a shell in the folder of the campaign.
    pub fn replay(&self, id: u32) -> String {
        let name = self.folder.file_name().unwrap_or_default();
        let folder = Path::new(name).join("findings").join(id.to_string());
        replay_command(&folder.to_string_lossy(), "")
    }

    pub fn name(&self) -> String {
        let name = self.folder.file_name().unwrap_or_default();
        escape_text(&name.to_string_lossy())
    }
}

/// A campaign in a list of them.
pub fn told(folder: &Path, view: &Result<View, String>) -> Value {
    let uri = uri_of(folder);
    match view {
        Ok(view) => json!({
            "campaign": uri,
            "subject": view.subject,
            "state": view.state,
            "findings": view.findings.len(),
            "stranger": view.stranger,
            "outdated": view.outdated,
        }),
        Err(why) => json!({ "campaign": uri, "error": why }),
    }
}

/// What a finding is shown with: what it is, the drawing, and the same as text; none where there is nothing to draw.
pub fn picture(host: &Host, campaign: &Path, id: u32) -> Result<Option<Drawing>, String> {
    let read =
        AssertUnwindSafe(|| drawing(host, campaign, id).map_err(|error| escape_text(&error)));
    catch_unwind(read)
        .unwrap_or_else(|_| Err("it cannot be drawn: a fault of Elsewise's own".into()))
}

pub struct Drawing {
    pub heading: &'static str,
    pub title: String,
    pub svg: String,
}

fn drawing(host: &Host, campaign: &Path, id: u32) -> Result<Option<Drawing>, String> {
    let store = Store::open_read(campaign).map_err(|error| error.to_string())?;
    let finding = store.finding(id).map_err(|error| error.to_string())?;
    let saved = (host.saved)(campaign).map_err(|error| error.to_string())?;
    let case = saved.case_of(&store, &finding).ok();
    let survey = needs_survey(case.iter())
        .then(|| store.survey().ok())
        .flatten();
    let shown = saved.picture(&finding, case.as_ref(), survey.as_ref());
    let title = format!("{}: {}", escape_text(&finding.function), headline(&finding));
    Ok(shown.picture().map(|picture| Drawing {
        heading: picture.heading(),
        title,
        svg: picture.svg(),
    }))
}

/// Files of the workspace, by the names that a campaign has for them.
struct Files<'a> {
    base: PathBuf,
    roots: &'a [PathBuf],
}

impl Files<'_> {
    /// Where it lies, if it is not hidden and lies in the workspace: a campaign may name any file.
    fn find(&self, name: &str) -> Option<PathBuf> {
        if name.is_empty() || name.contains('\0') {
            return None;
        }
        let file = fs::canonicalize(self.base.join(name)).ok()?;
        let hidden = |part: Component| part.as_os_str().as_encoded_bytes().starts_with(b".");
        let below = |root: &PathBuf| {
            let rest = file.strip_prefix(root);
            rest.is_ok_and(|rest| !rest.components().any(hidden))
        };
        (self.roots.iter().any(below) && file.is_file()).then_some(file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_the_workspace_are_marked() {
        let place = tempfile::tempdir().unwrap();
        let place = fs::canonicalize(place.path()).unwrap();
        let root = place.join("work");
        fs::create_dir_all(root.join(".git")).unwrap();
        for file in ["work/a.c", "work/.git/config", "b.c"] {
            fs::write(place.join(file), "x").unwrap();
        }
        let files = Files {
            base: root.clone(),
            roots: std::slice::from_ref(&root),
        };
        assert_eq!(files.find("a.c"), Some(root.join("a.c")));
        assert_eq!(files.find("./a.c"), Some(root.join("a.c")));
        for none in [
            "",
            "../b.c",
            "/etc/passwd",
            ".git/config",
            "gone.c",
            "a\0.c",
            ".",
        ] {
            assert_eq!(files.find(none), None, "{none}");
        }
    }
}
