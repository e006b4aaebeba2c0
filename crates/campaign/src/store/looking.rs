//! Opening a campaign's database to look at it, also where nothing can be written.
//!
//! A database with a write-ahead log is not read without writing: the log's index is a file beside it, which is made
//! where it is not there. In a folder that cannot be written to, a database whose log is empty is opened as one
//! that nobody changes, and one with a log (its explorer was killed) is copied.

use rusqlite::{Connection, ErrorCode, OpenFlags};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const NO_MUTEX: OpenFlags = OpenFlags::SQLITE_OPEN_NO_MUTEX;

/// The copy must be there as long as the connection is.
pub fn open(path: &Path) -> rusqlite::Result<(Connection, Option<TempDir>)> {
    refuse_journal(path)?;
    let write = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE | NO_MUTEX);
    let read = |_| connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY | NO_MUTEX);
    let error = match write.or_else(read) {
        Ok(connection) => return Ok((connection, None)),
        Err(error) => error,
    };
    let denied = [ErrorCode::ReadOnly, ErrorCode::CannotOpen];
    if !error
        .sqlite_error_code()
        .is_some_and(|code| denied.contains(&code))
    {
        return Err(error);
    }
    open_unwritable(path).map_err(|_| error)
}

/// One more, to a database that is open already; none where that cannot be had.
pub fn another(path: &Path) -> Option<Connection> {
    refuse_journal(path).ok()?;
    connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY | NO_MUTEX).ok()
}

/// A journal beside a database is rolled back by whoever opens it, and the file that it names as the
/// one above it is deleted, wherever that is. Campaigns have a log instead: a journal is none of ours.
pub fn refuse_journal(path: &Path) -> rusqlite::Result<()> {
    match fs::symlink_metadata(beside(path, "-journal")) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        _ => {
            let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT);
            let what = "there is a journal beside it, which no campaign has".to_owned();
            Err(rusqlite::Error::SqliteFailure(code, Some(what)))
        }
    }
}

fn open_unwritable(path: &Path) -> io::Result<(Connection, Option<TempDir>)> {
    let log = beside(path, "-wal");
    if fs::metadata(&log).is_ok_and(|log| log.len() > 0) {
        let (copy, copied) = copied(path, &log)?;
        let connection = connect(&copied, OpenFlags::SQLITE_OPEN_READ_WRITE | NO_MUTEX);
        return Ok((connection.map_err(io::Error::other)?, Some(copy)));
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | NO_MUTEX;
    let connection = connect(Path::new(&unchanging(path)), flags);
    Ok((connection.map_err(io::Error::other)?, None))
}

fn connect(path: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(std::time::Duration::from_secs(20))?;
    connection.pragma_update(None, "query_only", true)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    // Whether it can be read is known when something was.
    connection.pragma_query_value(None, "application_id", |row| row.get::<_, i64>(0))?;
    Ok(connection)
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    name.into()
}

fn copied(path: &Path, log: &Path) -> io::Result<(TempDir, PathBuf)> {
    let folder = tempfile::Builder::new()
        .prefix("elsewise-look.")
        .tempdir()?;
    let copied = folder.path().join("campaign.db");
    for (from, to) in [(path, copied.clone()), (log, beside(&copied, "-wal"))] {
        let mut options = fs::OpenOptions::new();
        let mut from = crate::regular::open(options.read(true), from, 0)?;
        // Made anew: the copy can be written whatever the original's mode is.
        io::copy(&mut from, &mut fs::File::create_new(to)?)?;
    }
    Ok((folder, copied))
}

/// The name by which SQLite opens a file that nobody changes.
fn unchanging(path: &Path) -> String {
    let mut name = String::from("file:");
    for byte in path.as_os_str().as_bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' => name.push(char::from(*byte)),
            byte if byte.is_ascii_alphanumeric() => name.push(char::from(*byte)),
            byte => name.push_str(&format!("%{byte:02x}")),
        }
    }
    // Two slashes in the beginning would be a host.
    name.replacen("file://", "file:/", 1) + "?immutable=1"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(path: &Path) -> i64 {
        let (connection, _copy) = open_unwritable(path).unwrap();
        let count = "SELECT count(*) FROM rows";
        connection.query_row(count, [], |row| row.get(0)).unwrap()
    }

    #[test]
    fn a_journal_is_none_of_ours() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("campaign.db");
        let writer = Connection::open(&path).unwrap();
        writer.execute_batch("CREATE TABLE rows (id)").unwrap();
        drop(writer);
        assert!(open(&path).is_ok());
        // It would be rolled back, and the file deleted that it names.
        fs::write(beside(&path, "-journal"), "whatever").unwrap();
        let error = open(&path).err().unwrap().to_string();
        assert!(error.contains("journal"), "{error}");
        assert!(beside(&path, "-journal").exists());
    }

    #[test]
    fn what_is_in_the_log_alone_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("campaign.db");
        let writer = Connection::open(&path).unwrap();
        writer.pragma_update(None, "journal_mode", "WAL").unwrap();
        writer
            .execute_batch(
                "CREATE TABLE rows (id); INSERT INTO rows VALUES (1);
                 PRAGMA wal_checkpoint(TRUNCATE); INSERT INTO rows VALUES (2);",
            )
            .unwrap();
        // As its explorer leaves it that is killed.
        let left = folder.path().join("left.db");
        for ending in ["", "-wal"] {
            fs::copy(beside(&path, ending), beside(&left, ending)).unwrap();
        }
        drop(writer);
        for path in [left, path] {
            let before = fs::read_dir(folder.path()).unwrap().count();
            assert_eq!(rows(&path), 2, "{}", path.display());
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), before);
        }
    }

    #[test]
    fn names_hold_whatever_paths_do() {
        for (path, name) in [
            (
                "a.elsewise/campaign.db",
                "file:a.elsewise/campaign.db?immutable=1",
            ),
            ("/a b?c#d%.db", "file:/a%20b%3fc%23d%25.db?immutable=1"),
            ("//a/b.db", "file:/a/b.db?immutable=1"),
        ] {
            assert_eq!(unchanging(Path::new(path)), name);
        }
    }
}
