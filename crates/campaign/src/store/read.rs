//! Reading a campaign back: to go on with it, or to show what it holds.

use super::ahead::ahead;
use super::codec::{Bad, Stored, restore, stored, unpack_case};
use super::looking;
use super::rows::{TraceBlob, read_entries, sum_of};
use super::{
    APPLICATION, Entry, FORMAT, FindingRow, MAX_CHAIN, Origin, OutcomeCode, SCHEMA, hash64,
};
use crate::summary::Totals;
use crate::{ApproximationPlace, CampaignError, Finding, Frame, Summary, is_link};
use elsewise_explore::{Case, SideId};
use rusqlite::{Connection, OptionalExtension, Row};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What a campaign's folder has that could lead elsewhere.
const PARTS: [&str; 6] = [
    "campaign.db",
    "campaign.db-wal",
    "campaign.db-shm",
    "subject",
    "cases",
    "findings",
];

/// So many runs are read by a thread of their own, while what is read is made use of.
const MANY: u64 = 4096;

/// A campaign's folder, open for looking only; it may be in use by an explorer at the same time.
pub struct Store {
    connection: Connection,
    /// Where the database was copied to, if it was.
    _copy: Option<tempfile::TempDir>,
    dir: PathBuf,
}

/// One run, for lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunInfo {
    pub run: u64,
    /// The run whose case this one's was made from.
    pub parent: Option<u64>,
    /// Made without regard to the path's earlier choices.
    pub optimistic: bool,
    pub outcome: RunEnd,
    /// Sides that no earlier run had taken.
    pub new: Vec<SideId>,
    pub cpu_micros: u64,
    /// When it ended, in the campaign's life: time between explorations does not count.
    pub millis: u64,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    Exit(i32),
    Assumed,
    /// With the finding's number.
    Failure(u32),
}

impl From<OutcomeCode> for RunEnd {
    fn from(code: OutcomeCode) -> RunEnd {
        match code {
            OutcomeCode::Exit(code) => RunEnd::Exit(code),
            OutcomeCode::Assumed => RunEnd::Assumed,
            OutcomeCode::Failure(finding) => RunEnd::Failure(finding),
        }
    }
}

/// A run as resuming needs it.
pub(crate) struct LoadedRun {
    pub origin: Origin,
    /// The run that the case was made from, and the alternative that was wanted.
    pub parent: Option<(u32, u32, u64)>,
    pub outcome: OutcomeCode,
    pub cpu_micros: u64,
    pub millis: u64,
    pub hash: i64,
    pub trace: TraceBlob,
}

/// Readers that a store and a resuming campaign share.
pub(crate) struct Replay<'a> {
    pub connection: &'a Connection,
    pub path: PathBuf,
}

/// What a database has of tables and all else, in words.
fn layout(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let query = "SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_master";
    let mut query = connection.prepare(query)?;
    let rows = query.query_map([], |row| row.get::<_, String>(0))?;
    let mut found = Vec::new();
    for row in rows {
        let row = row?;
        found.push(row.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    found.sort();
    Ok(found)
}

impl Replay<'_> {
    pub fn damaged(&self, what: impl ToString) -> CampaignError {
        CampaignError::damaged(&self.path, what)
    }

    fn bad(&self, bad: Bad) -> CampaignError {
        self.damaged(bad.0)
    }

    /// The format is one that this version reads.
    pub fn check_format(&self, dir: &Path) -> Result<(), CampaignError> {
        let pragma = |name| {
            self.connection
                .pragma_query_value(None, name, |row| row.get::<_, i64>(0))
                .map_err(|error| self.damaged(error))
        };
        if pragma("application_id")? != APPLICATION {
            return Err(self.damaged("it is no campaign's database"));
        }
        let found = pragma("user_version")?;
        if found != FORMAT {
            return Err(CampaignError::Version {
                dir: dir.to_owned(),
                found,
                known: FORMAT,
            });
        }
        // A view has no end, or a trigger more to do, if its maker wants.
        let ours = Connection::open_in_memory()
            .and_then(|ours| ours.execute_batch(SCHEMA).and_then(|()| layout(&ours)));
        let ours = ours.map_err(|error| self.damaged(error))?;
        if layout(self.connection).map_err(|error| self.damaged(error))? != ours {
            return Err(self.damaged("its tables are not those of a campaign"));
        }
        Ok(())
    }

    pub fn meta(&self, name: &str) -> Result<Option<String>, CampaignError> {
        self.connection
            .query_row("SELECT value FROM meta WHERE name = ?1", [name], |row| {
                row.get(0)
            })
            .optional()
            .map_err(|error| self.damaged(error))
    }

    /// All runs in order; their numbers have no gaps.
    pub fn runs(
        &self,
        each: impl FnMut(u32, LoadedRun) -> Result<(), CampaignError>,
    ) -> Result<(), CampaignError> {
        let Some(connection) = self.aside()? else {
            return self.runs_here(each);
        };
        let path = self.path.clone();
        let read = move |give: &mut dyn FnMut(LoadedRun) -> bool| {
            let replay = Replay {
                connection: &connection,
                path,
            };
            replay.runs_here(|_, run| match give(run) {
                true => Ok(()),
                false => Err(replay.damaged("it is not read to its end")),
            })
        };
        ahead(read, each)
    }

    /// Another connection to the same database, where reading it takes so long that it is worth a thread.
    fn aside(&self) -> Result<Option<Connection>, CampaignError> {
        let path = self.connection.path().map(Path::new);
        let path = path.filter(|path| !path.as_os_str().is_empty());
        // What is not written yet is seen here only.
        let path = path.filter(|_| self.connection.is_autocommit());
        Ok(match path {
            Some(path) if self.run_count()? >= MANY => looking::another(path),
            _ => None,
        })
    }

    /// Number of runs.
    pub fn run_count(&self) -> Result<u64, CampaignError> {
        let last: Option<i64> = self
            .connection
            .query_row("SELECT max(id) FROM runs", [], |row| row.get(0))
            .map_err(|error| self.damaged(error))?;
        Ok(last.map_or(0, |last| last.saturating_add(1) as u64))
    }

    /// How many runs there are if the database says so, and is large enough for them.
    pub fn likely_runs(&self) -> Result<usize, CampaignError> {
        /// None takes less room.
        const LEAST: u64 = 32;
        let room = std::fs::metadata(&self.path).map_or(0, |file| file.len() / LEAST);
        Ok(self.run_count()?.min(room) as usize)
    }

    fn runs_here(
        &self,
        mut each: impl FnMut(u32, LoadedRun) -> Result<(), CampaignError>,
    ) -> Result<(), CampaignError> {
        let mut statement = self
            .connection
            .prepare(
                "SELECT id, origin, parent, choice, alternative, outcome, detail, cpu, millis, hash, \
                 sum, trace FROM runs ORDER BY id",
            )
            .map_err(|error| self.damaged(error))?;
        let mut rows = statement.query([]).map_err(|error| self.damaged(error))?;
        let mut next = 0u32;
        while let Some(row) = rows.next().map_err(|error| self.damaged(error))? {
            let run = self.run(row, next)?;
            each(next, run)?;
            next = next
                .checked_add(1)
                .ok_or_else(|| self.damaged("too many runs"))?;
        }
        Ok(())
    }

    fn run(&self, row: &Row<'_>, expected: u32) -> Result<LoadedRun, CampaignError> {
        let read = || -> rusqlite::Result<_> {
            let mut columns = [0i64; 10];
            for (index, column) in columns.iter_mut().enumerate() {
                *column = row.get::<_, Option<i64>>(index)?.unwrap_or(-1);
            }
            Ok((columns, row.get::<_, i64>(10)?, row.get_ref(11)?))
        };
        let (columns, sum, blob) = read().map_err(|error| self.damaged(error))?;
        let blob = blob.as_blob().map_err(|error| self.damaged(error))?;
        if columns[0] != i64::from(expected) {
            return Err(self.damaged(format!("run {expected} is missing")));
        }
        if sum_of(blob, &columns) != sum {
            return Err(self.damaged(format!("run {expected} was changed")));
        }
        let outcome = OutcomeCode::unpack(columns[5], columns[6]);
        let origin = Origin::from_i64(columns[1]);
        let (Some(outcome), Some(origin)) = (outcome, origin) else {
            return Err(self.damaged(format!("run {expected} makes no sense")));
        };
        let parent = u32::try_from(columns[2]).ok();
        let choice = u32::try_from(columns[3]).unwrap_or(0);
        Ok(LoadedRun {
            origin,
            parent: parent.map(|parent| (parent, choice, columns[4] as u64)),
            outcome,
            cpu_micros: columns[7].max(0) as u64,
            millis: columns[8].max(0) as u64,
            hash: columns[9],
            trace: TraceBlob::read(blob).map_err(|bad| self.bad(bad))?,
        })
    }

    pub fn journal(
        &self,
        mut each: impl FnMut(Entry) -> Result<(), CampaignError>,
    ) -> Result<(), CampaignError> {
        let mut statement = self
            .connection
            .prepare("SELECT sum, entries FROM journal ORDER BY id")
            .map_err(|error| self.damaged(error))?;
        let mut rows = statement.query([]).map_err(|error| self.damaged(error))?;
        while let Some(row) = rows.next().map_err(|error| self.damaged(error))? {
            let sum: i64 = row.get(0).map_err(|error| self.damaged(error))?;
            let blob = row.get_ref(1).map_err(|error| self.damaged(error))?;
            let blob = blob.as_blob().map_err(|error| self.damaged(error))?;
            if hash64(blob) != sum {
                return Err(self.damaged("the journal was changed"));
            }
            for entry in read_entries(blob).map_err(|bad| self.bad(bad))? {
                each(entry)?;
            }
        }
        Ok(())
    }

    pub fn words(&self) -> Result<Vec<String>, CampaignError> {
        let read = || -> rusqlite::Result<Vec<(i64, String)>> {
            self.connection
                .prepare("SELECT id, word FROM words ORDER BY id")?
                .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect()
        };
        let rows = read().map_err(|error| self.damaged(error))?;
        if rows
            .iter()
            .enumerate()
            .any(|(index, (id, _))| index as i64 != *id)
        {
            return Err(self.damaged("a word is missing"));
        }
        Ok(rows.into_iter().map(|(_, word)| word).collect())
    }

    pub fn findings(&self) -> Result<Vec<FindingRow>, CampaignError> {
        let read = || -> rusqlite::Result<Vec<(FindingRow, String)>> {
            self.connection
                .prepare(
                    "SELECT id, cause, kind, message, confirmed, note, tries, run, stack \
                     FROM findings ORDER BY id",
                )?
                .query_map([], |row| {
                    let finding = FindingRow {
                        id: row.get(0)?,
                        cause: row.get(1)?,
                        kind: row.get(2)?,
                        message: row.get(3)?,
                        stack: Vec::new(),
                        confirmed: row.get(4)?,
                        note: row.get(5)?,
                        tries: row.get(6)?,
                        run: row.get(7)?,
                    };
                    Ok((finding, row.get(8)?))
                })?
                .collect()
        };
        let mut findings = Vec::new();
        for (mut finding, stack) in read().map_err(|error| self.damaged(error))? {
            if finding.id as usize != findings.len() + 1 {
                return Err(self.damaged("a finding is missing"));
            }
            finding.stack =
                serde_json::from_str::<Vec<Frame>>(&stack).map_err(|error| self.damaged(error))?;
            findings.push(finding);
        }
        Ok(findings)
    }

    /// A run's case, packed, and the length of its chain of differences.
    pub fn case(&self, run: u32) -> Result<(Vec<u8>, u8), CampaignError> {
        let mut blobs: Vec<Vec<u8>> = Vec::new();
        let mut at = run;
        let mut chain = 0;
        let mut expected = 0;
        let mut packed = loop {
            let row: Option<(i64, Vec<u8>)> = self
                .connection
                .prepare_cached("SELECT hash, input FROM runs WHERE id = ?1")
                .and_then(|mut statement| {
                    statement
                        .query_row([at], |row| Ok((row.get(0)?, row.get(1)?)))
                        .optional()
                })
                .map_err(|error| self.damaged(error))?;
            let (hash, blob) = row.ok_or_else(|| self.damaged(format!("no run {at}")))?;
            if at == run {
                expected = hash;
            }
            match stored(&blob).map_err(|bad| self.bad(bad))? {
                Stored::Whole(whole) => break whole.to_vec(),
                Stored::Difference(base, length, difference) => {
                    if base >= at || blobs.len() >= usize::from(MAX_CHAIN) {
                        return Err(self.damaged("a case has no beginning"));
                    }
                    if at == run {
                        chain = length;
                    }
                    at = base;
                    blobs.push(difference.to_vec());
                }
            }
        };
        for difference in blobs.iter().rev() {
            packed = restore(&packed, difference).map_err(|bad| self.bad(bad))?;
        }
        if hash64(&packed) != expected {
            return Err(self.damaged(format!("the case of run {run} was changed")));
        }
        Ok((packed, chain))
    }

    pub fn unpack(&self, packed: &[u8]) -> Result<Case, CampaignError> {
        unpack_case(packed).map_err(|bad| self.bad(bad))
    }

    /// Runs whose cases are worth keeping for another build: those that reached something new,
    /// and those that failed first.
    pub fn worthy(&self) -> Result<Vec<u32>, CampaignError> {
        let mut worthy = Vec::new();
        let mut failures = std::collections::BTreeSet::new();
        self.runs(|id, run| {
            let failed = match run.outcome {
                OutcomeCode::Failure(finding) => failures.insert(finding),
                _ => false,
            };
            if failed || !run.trace.new_sides.is_empty() {
                worthy.push(id);
            }
            Ok(())
        })?;
        Ok(worthy)
    }
}

impl Store {
    /// Opens a campaign to look at it. It may be somebody else's: nothing in it leads elsewhere.
    pub fn open_read(dir: &Path) -> Result<Store, CampaignError> {
        let path = dir.join("campaign.db");
        for name in PARTS {
            let part = dir.join(name);
            if is_link(&part) {
                return Err(CampaignError::damaged(&part, "it is a link"));
            }
        }
        if !path.is_file() {
            return Err(CampaignError::Missing {
                dir: dir.to_owned(),
            });
        }
        let (connection, copy) =
            looking::open(&path).map_err(|error| CampaignError::damaged(&path, error))?;
        let store = Store {
            connection,
            _copy: copy,
            dir: dir.to_owned(),
        };
        store.replay().check_format(dir)?;
        Ok(store)
    }

    pub(crate) fn replay(&self) -> Replay<'_> {
        Replay {
            connection: &self.connection,
            path: self.dir.join("campaign.db"),
        }
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The subject as the user wrote it.
    pub fn title(&self) -> Result<String, CampaignError> {
        Ok(self.replay().meta("title")?.unwrap_or_default())
    }

    /// Which build of the subject was explored.
    pub fn build(&self) -> Result<String, CampaignError> {
        Ok(self.replay().meta("build")?.unwrap_or_default())
    }

    /// Number of runs.
    pub fn run_count(&self) -> Result<u64, CampaignError> {
        self.replay().run_count()
    }

    /// How the campaign stood when it was last written down: at its end, or, while it explores or
    /// after it was killed, up to a second ago. `None` before the first time.
    pub fn summary(&self) -> Result<Option<Summary>, CampaignError> {
        let replay = self.replay();
        let Some(text) = replay.meta("summary")? else {
            return Ok(None);
        };
        let summary: Summary =
            serde_json::from_str(&text).map_err(|error| replay.damaged(error))?;
        Ok(Some(Summary {
            runs: self.run_count()?,
            findings: self.findings()?,
            unconfirmed: self.unconfirmed()?,
            campaign: self.dir.clone(),
            ..summary
        }))
    }

    /// The places with most approximations, as of [`Store::summary`].
    pub fn approximations(&self) -> Result<Vec<ApproximationPlace>, CampaignError> {
        Ok(self
            .summary()?
            .map_or_else(Vec::new, |summary| summary.approximation_places))
    }

    /// Confirmed findings.
    pub fn findings(&self) -> Result<Vec<Finding>, CampaignError> {
        self.all_findings(true)
    }

    /// Failures that the plain build did not show.
    pub fn unconfirmed(&self) -> Result<Vec<Finding>, CampaignError> {
        self.all_findings(false)
    }

    fn all_findings(&self, confirmed: bool) -> Result<Vec<Finding>, CampaignError> {
        let replay = self.replay();
        let hits: BTreeMap<i64, u64> = self
            .connection
            .prepare("SELECT detail, count(*) FROM runs WHERE outcome = 2 GROUP BY detail")
            .and_then(|mut statement| {
                statement
                    .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
                    .collect()
            })
            .map_err(|error| replay.damaged(error))?;
        let totals = replay.meta("totals")?;
        let totals = totals.and_then(|text| serde_json::from_str::<Totals>(&text).ok());
        let races = totals.map(|totals| totals.races).unwrap_or_default();
        let rows = replay.findings()?.into_iter();
        Ok(rows
            .filter(|row| row.confirmed == confirmed)
            .map(|row| {
                let runs = hits.get(&i64::from(row.id)).copied().unwrap_or(0);
                row.public(&self.dir, runs, &races)
            })
            .collect())
    }

    pub fn finding(&self, id: u32) -> Result<Finding, CampaignError> {
        let mut all = self.findings()?;
        all.extend(self.unconfirmed()?);
        let found = all.into_iter().find(|finding| finding.id == id);
        found.ok_or(CampaignError::NoFinding { id })
    }

    /// The case of a run.
    pub fn case(&self, run: u64) -> Result<Case, CampaignError> {
        let runs = self.run_count()?;
        let id = u32::try_from(run).ok().filter(|_| run < runs);
        let id = id.ok_or(CampaignError::NoRun { run, runs })?;
        let replay = self.replay();
        let (packed, _) = replay.case(id)?;
        replay.unpack(&packed)
    }

    /// Up to `limit` runs from number `from` on.
    pub fn runs(&self, from: u64, limit: u64) -> Result<Vec<RunInfo>, CampaignError> {
        let replay = self.replay();
        let mut statement = self
            .connection
            .prepare_cached(
                "SELECT id, origin, parent, choice, alternative, outcome, detail, cpu, millis, hash, \
                 sum, trace FROM runs WHERE id >= ?1 ORDER BY id LIMIT ?2",
            )
            .map_err(|error| replay.damaged(error))?;
        let bounds = [from, limit].map(|bound| i64::try_from(bound).unwrap_or(i64::MAX));
        let mut rows = statement
            .query(bounds)
            .map_err(|error| replay.damaged(error))?;
        let mut infos = Vec::new();
        let mut next = from;
        while let Some(row) = rows.next().map_err(|error| replay.damaged(error))? {
            let id = u32::try_from(next).map_err(|error| replay.damaged(error))?;
            let run = replay.run(row, id)?;
            let parent: Option<i64> = row.get(2).map_err(|error| replay.damaged(error))?;
            infos.push(RunInfo {
                run: next,
                parent: parent.map(|parent| parent as u64),
                optimistic: run.origin == Origin::Optimistic,
                outcome: run.outcome.into(),
                new: run.trace.new_sides,
                cpu_micros: run.cpu_micros,
                millis: run.millis,
            });
            next += 1;
        }
        Ok(infos)
    }
}
