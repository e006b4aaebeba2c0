//! The store while a campaign explores.

use super::looking;
use super::rows::write_entries;
use super::sites::write_sites;
use super::{APPLICATION, Entry, FORMAT, FindingRow, Replay, RunRow, SCHEMA, hash64};
use crate::CampaignError;
use elsewise_explore::SiteInfo;
use rusqlite::{Connection, params};
use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

pub(crate) struct StoreWriter {
    connection: Connection,
    dir: PathBuf,
    /// Groups of input objects that have been noted.
    pub(super) objects: usize,
}

/// The database of a new campaign until it is whole.
const UNFINISHED: &str = "campaign.db.new";

/// Files that there may be of a database that is not whole.
pub fn unfinished_files() -> impl Iterator<Item = String> {
    let endings = ["", "-journal", "-wal", "-shm"];
    endings.into_iter().map(|end| format!("{UNFINISHED}{end}"))
}

impl StoreWriter {
    /// Makes the database of a new campaign. It appears under its name only when it is whole, so
    /// a process killed here leaves no half of one behind.
    pub fn create(
        dir: &Path,
        meta: &[(&str, String)],
        sites: &[SiteInfo],
    ) -> Result<StoreWriter, CampaignError> {
        let path = dir.join("campaign.db");
        let begun = dir.join(UNFINISHED);
        for left in unfinished_files() {
            let left = dir.join(left);
            match std::fs::remove_file(&left) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(CampaignError::io("remove", &left)(error));
                }
                _ => {}
            }
        }
        let connection = Connection::open(&begun).map_err(CampaignError::Write)?;
        let make = || {
            // Nobody reads it before it is whole: the disk is waited for once, at the end.
            connection.pragma_update(None, "journal_mode", "MEMORY")?;
            connection.pragma_update(None, "synchronous", "OFF")?;
            connection.execute_batch("BEGIN IMMEDIATE")?;
            connection.execute_batch(SCHEMA)?;
            connection.pragma_update(None, "application_id", APPLICATION)?;
            connection.pragma_update(None, "user_version", FORMAT)?;
            for (name, value) in meta {
                connection.execute("INSERT INTO meta VALUES (?1, ?2)", params![name, value])?;
            }
            write_sites(&connection, sites)?;
            connection.execute_batch("COMMIT")?;
            connection.pragma_update(None, "journal_mode", "WAL")
        };
        make().map_err(CampaignError::Write)?;
        connection
            .close()
            .map_err(|(_, error)| CampaignError::Write(error))?;
        let written = File::open(&begun).and_then(|file| file.sync_all());
        written.map_err(CampaignError::io("write", &begun))?;
        std::fs::rename(&begun, &path).map_err(CampaignError::io("rename", &begun))?;
        StoreWriter::open(dir)
    }

    /// Opens the database of a campaign whose format has been checked.
    pub fn open(dir: &Path) -> Result<StoreWriter, CampaignError> {
        let path = dir.join("campaign.db");
        let open = || {
            looking::refuse_journal(&path)?;
            let connection = Connection::open(&path)?;
            connection.pragma_update(None, "journal_mode", "WAL")?;
            // What is in the log survives the process; the disk is waited for at checkpoints only.
            connection.pragma_update(None, "synchronous", "NORMAL")?;
            connection.pragma_update(None, "wal_autocheckpoint", 8192)?;
            connection.pragma_update(None, "cache_size", -16_000)?;
            connection.pragma_update(None, "cell_size_check", true)?;
            connection.pragma_update(None, "trusted_schema", false)?;
            connection.busy_timeout(std::time::Duration::from_secs(20))?;
            connection.set_prepared_statement_cache_capacity(32);
            Ok(connection)
        };
        let connection =
            open().map_err(|error: rusqlite::Error| CampaignError::damaged(&path, error))?;
        Ok(StoreWriter {
            connection,
            dir: dir.to_owned(),
            objects: 0,
        })
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Reads what has been written.
    pub fn replay(&self) -> Replay<'_> {
        Replay {
            connection: &self.connection,
            path: self.dir.join("campaign.db"),
        }
    }

    /// One transaction: a run if there is one, and what happened beside it.
    pub fn commit(
        &self,
        run: Option<&RunRow<'_>>,
        entries: &[Entry],
        words: &[(u32, String)],
        findings: &[&FindingRow],
    ) -> Result<(), CampaignError> {
        let write = || {
            let single = entries.is_empty() && words.is_empty() && findings.is_empty();
            let single = single || !self.connection.is_autocommit();
            if !single {
                self.connection
                    .prepare_cached("BEGIN IMMEDIATE")?
                    .execute([])?;
            }
            if let Some(run) = run {
                self.insert_run(run)?;
            }
            for (id, word) in words {
                self.connection
                    .execute("INSERT INTO words VALUES (?1, ?2)", params![id, word])?;
            }
            if !entries.is_empty() {
                let blob = write_entries(entries);
                self.connection
                    .prepare_cached("INSERT INTO journal (sum, entries) VALUES (?1, ?2)")?
                    .execute(params![hash64(&blob), blob])?;
            }
            for finding in findings {
                self.put_finding(finding)?;
            }
            if !single {
                self.connection.prepare_cached("COMMIT")?.execute([])?;
            }
            Ok(())
        };
        write().map_err(|error| {
            // The error that led here is what is told; there may be nothing to roll back.
            let _ = self.connection.execute_batch("ROLLBACK");
            CampaignError::Write(error)
        })
    }

    /// Several rows in one transaction.
    pub fn together(
        &self,
        write: impl FnOnce() -> Result<(), CampaignError>,
    ) -> Result<(), CampaignError> {
        let run = |sql| {
            self.connection
                .execute_batch(sql)
                .map_err(CampaignError::Write)
        };
        run("BEGIN IMMEDIATE")?;
        match write() {
            Ok(()) => run("COMMIT"),
            Err(error) => {
                // The error that led here is what is told.
                let _ = run("ROLLBACK");
                Err(error)
            }
        }
    }

    fn insert_run(&self, run: &RunRow<'_>) -> rusqlite::Result<()> {
        let trace = run.trace_blob();
        let (outcome, detail) = run.outcome.pack();
        self.connection
            .prepare_cached("INSERT INTO runs VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13)")?
            .execute(params![
                run.id,
                run.origin as i64,
                run.parent.map(|(parent, ..)| parent),
                run.parent.map(|(_, choice, _)| choice),
                run.parent.map(|(.., alternative)| alternative as i64),
                outcome,
                detail,
                run.cpu_micros as i64,
                run.millis as i64,
                run.hash,
                run.sum(&trace),
                trace,
                run.input,
            ])?;
        Ok(())
    }

    fn put_finding(&self, finding: &FindingRow) -> rusqlite::Result<()> {
        let stack = serde_json::to_string(&finding.stack).unwrap_or_default();
        self.connection
            .prepare_cached("INSERT OR REPLACE INTO findings VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9)")?
            .execute(params![
                finding.id,
                finding.cause,
                finding.kind,
                finding.message,
                stack,
                finding.confirmed,
                finding.note,
                finding.tries,
                finding.run,
            ])?;
        Ok(())
    }

    /// Copies the database to a file that is not there.
    pub fn copy(&self, to: &Path) -> Result<(), CampaignError> {
        let to = to.to_string_lossy();
        let copied = self.connection.execute("VACUUM INTO ?1", params![to]);
        copied.map(|_| ()).map_err(CampaignError::Write)
    }

    pub fn set_meta(&self, name: &str, value: &str) -> Result<(), CampaignError> {
        self.connection
            .prepare_cached("INSERT OR REPLACE INTO meta VALUES (?1, ?2)")
            .and_then(|mut statement| statement.execute(params![name, value]))
            .map_err(CampaignError::Write)?;
        Ok(())
    }
}
