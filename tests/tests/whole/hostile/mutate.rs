//! Makes a campaign one that nobody has explored: records, rows, cases, links, sizes and names as an attacker, or a
//! broken disk, would have them.

use anyhow::Result;
use elsewise_test_random::Random;
use rusqlite::{Connection, types::Value as Cell};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::fs::{self, File};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Command;

pub struct Mutator<'a> {
    pub random: Random,
    /// Has files of the reader's that nothing may lead to.
    pub canary: &'a Path,
}

/// All files below a folder.
pub fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        match path.symlink_metadata()?.is_dir() {
            true => found.extend(files(&path)?),
            false => found.push(path),
        }
    }
    found.sort();
    Ok(found)
}

impl Mutator<'_> {
    /// Changes something, and says what.
    pub fn mutate(&mut self, campaign: &Path) -> Result<String> {
        let all = files(campaign)?;
        if all.is_empty() {
            return Ok("nothing".into());
        }
        let path = self.random.pick(&all).clone();
        let name = path.strip_prefix(campaign)?.display().to_string();
        // What an earlier change has left need not be a file, or one that can be read.
        let about = path.symlink_metadata()?;
        if !about.is_file() || about.len() > 64 << 20 {
            return Ok(format!("{name}: {}", self.kind(&path)?));
        }
        let ending = path.extension().and_then(|ending| ending.to_str());
        let how = match (self.random.below(10), ending) {
            (0..=6, Some("json")) => self.record(&path)?,
            (0..=7, Some("db")) => self.database(&path)?,
            (0..=1, _) => self.bytes(&path)?,
            (2, _) => self.word(&path)?,
            (3..=6, _) => self.kind(&path)?,
            (7, _) => self.folder(campaign)?,
            (8, _) => self.database(&campaign.join("campaign.db"))?,
            _ => self.name(&path)?,
        };
        Ok(format!("{name}: {how}"))
    }

    fn bytes(&mut self, path: &Path) -> Result<String> {
        let Ok(mut bytes) = fs::read(path) else {
            return Ok("cannot be read".into());
        };
        for _ in 0..1 + self.random.below(8) {
            let at = self.random.below(bytes.len() + 1);
            match self.random.below(4) {
                0 => bytes.truncate(at),
                1 => {
                    let more = self.random.below(64);
                    bytes.splice(at..at, self.random.bytes(more));
                }
                _ if at < bytes.len() => bytes[at] = self.random.word() as u8,
                _ => {}
            }
        }
        fs::write(path, bytes)?;
        Ok("other bytes".into())
    }

    /// Another word in a text.
    fn word(&mut self, path: &Path) -> Result<String> {
        let Ok(text) = fs::read_to_string(path) else {
            return self.bytes(path);
        };
        let ends = |c: char| c.is_whitespace();
        let words: Vec<&str> = text.split_inclusive(ends).collect();
        if words.is_empty() {
            return Ok("is empty".into());
        }
        let at = self.random.below(words.len());
        let (word, end) = match words[at].char_indices().next_back() {
            Some((last, c)) if ends(c) => words[at].split_at(last),
            _ => (words[at], ""),
        };
        let other = self.text();
        let said = format!("{word:.80} is {other:.80}");
        let other = other + end;
        let changed: String = words
            .iter()
            .enumerate()
            .map(|(index, word)| if index == at { other.as_str() } else { word })
            .collect();
        fs::write(path, changed)?;
        Ok(said)
    }

    /// What else could be there instead of a file.
    fn kind(&mut self, path: &Path) -> Result<String> {
        fs::remove_file(path)?;
        let to = match self.random.below(12) {
            0 => self.canary.join("secret"),
            1 => self.canary.join("secret.json"),
            2 => self.canary.join("secret.db"),
            3 => "/dev/zero".into(),
            4 => "/dev/tty".into(),
            5 => path.to_path_buf(),
            6 => self.canary.to_path_buf(),
            7 => {
                let made = Command::new("mkfifo").arg(path).status()?.success();
                return Ok(format!("a pipe ({made})"));
            }
            8 => {
                // A path may be too long for one.
                let made = UnixListener::bind(path).is_ok();
                return Ok(format!("a socket ({made})"));
            }
            9 => {
                fs::create_dir(path)?;
                fs::write(path.join("more"), "x")?;
                return Ok("a folder".into());
            }
            10 => {
                File::create(path)?.set_len(1 << 40)?;
                return Ok("a file of a terabyte without blocks".into());
            }
            _ => return Ok("removed".into()),
        };
        symlink(&to, path)?;
        Ok(format!("a link to {}", to.display()))
    }

    /// A folder of the campaign that leads elsewhere.
    fn folder(&mut self, campaign: &Path) -> Result<String> {
        let name = *self
            .random
            .pick(&["cases", "findings", "subject", "cases/1", "findings/1"]);
        let path = campaign.join(name);
        if path.is_dir() {
            fs::remove_dir_all(&path)?;
        } else {
            let _ = fs::remove_file(&path);
        }
        let Some(true) = path.parent().map(Path::is_dir) else {
            return Ok(format!("{name} has no folder"));
        };
        symlink(self.canary, &path)?;
        Ok(format!("{name} is a link to a folder"))
    }

    fn name(&mut self, path: &Path) -> Result<String> {
        let name: Vec<u8> = match self.random.below(7) {
            0 => b"-rf".to_vec(),
            1 => vec![b'x'; 240],
            2 => b"a\nb\x1b[31m\x07".to_vec(),
            3 => vec![0xff, 0xfe, b'x'],
            4 => b"%schedule".to_vec(),
            5 => b"<script>alert(1)</script>"
                .iter()
                .filter(|c| **c != b'/')
                .copied()
                .collect(),
            _ => b"finding.json".to_vec(),
        };
        let name = OsString::from_vec(name);
        let _ = fs::rename(path, path.with_file_name(&name));
        Ok(format!("is called {}", name.display()))
    }

    fn text(&mut self) -> String {
        let canary = self.canary.display();
        match self.random.below(14) {
            0 => format!("{canary}/secret"),
            1 => format!("../../../../../../../../../..{canary}/secret"),
            2 => format!("{canary}/tool"),
            3 => "<script>alert(1)</script>".into(),
            4 => "a\0b".into(),
            5 => "\u{1b}]0;title\u{7}\u{1b}[31mred\n\r\u{8}\u{202e}".into(),
            6 => "x".repeat(1 << 20),
            7 => String::new(),
            8 => "%s%n%s".into(),
            9 => "; touch made; $(touch made) `touch made`".into(),
            10 => "]]>&<!--".into(),
            11 => "-fplugin=x".into(),
            12 => "18446744073709551616".into(),
            _ => "/".into(),
        }
    }

    fn value(&mut self) -> Value {
        match self.random.below(12) {
            0 => json!(u64::MAX),
            1 => json!(i64::MIN),
            2 => json!(-1),
            3 => json!(1e308),
            4 => Value::Null,
            5 => json!(true),
            6 => json!([]),
            7 => json!({}),
            8 => json!(1u64 << self.random.below(64)),
            _ => json!(self.text()),
        }
    }

    fn record(&mut self, path: &Path) -> Result<String> {
        let read = fs::read_to_string(path).ok();
        let parsed = read.as_deref().map(serde_json::from_str::<Value>);
        let Some(Ok(mut value)) = parsed else {
            return self.bytes(path);
        };
        if self.random.chance(4) {
            let deep = "[".repeat(100_000);
            fs::write(path, deep)?;
            return Ok("a hundred thousand brackets".into());
        }
        for _ in 0..1 + self.random.below(3) {
            self.change(&mut value);
        }
        let text = serde_json::to_string(&value)?;
        fs::write(path, &text)?;
        Ok(format!("says {:.300}", text))
    }

    fn change(&mut self, value: &mut Value) {
        // Down to somewhere.
        match value {
            Value::Array(all) if !all.is_empty() && self.random.chance(80) => {
                let at = self.random.below(all.len());
                match self.random.below(8) {
                    0 => {
                        all.remove(at);
                    }
                    1 => {
                        let copies = 1 << self.random.below(12);
                        let copy = all[at].clone();
                        all.extend(std::iter::repeat_n(copy, copies));
                    }
                    _ => self.change(&mut all[at]),
                }
            }
            Value::Object(all) if !all.is_empty() && self.random.chance(90) => {
                let keys: Vec<String> = all.keys().cloned().collect();
                let key = self.random.pick(&keys).clone();
                match self.random.below(10) {
                    0 => {
                        all.remove(&key);
                    }
                    1 => {
                        let name = self.text();
                        let value = self.value();
                        all.insert(name, value);
                    }
                    _ => {
                        if let Some(value) = all.get_mut(&key) {
                            self.change(value);
                        }
                    }
                }
            }
            value => *value = self.value(),
        }
    }

    fn cell(&mut self) -> Cell {
        match self.random.below(12) {
            0 => Cell::Null,
            1 => Cell::Integer(i64::MAX),
            2 => Cell::Integer(i64::MIN),
            3 => Cell::Integer(-1),
            4 => Cell::Integer(1 << self.random.below(63)),
            5 => Cell::Real(f64::INFINITY),
            6 => {
                let length = self.random.below(300);
                Cell::Blob(self.random.bytes(length))
            }
            7 => Cell::Blob(vec![0xff; 1 << 20]),
            _ => Cell::Text(self.text()),
        }
    }

    /// By its own rules: what a random byte does not do.
    fn database(&mut self, path: &Path) -> Result<String> {
        let name = path.file_name().unwrap_or_default();
        let regular = path
            .symlink_metadata()
            .is_ok_and(|it| it.is_file() && it.len() < 1 << 30);
        if name != "campaign.db" || !regular {
            return Ok("no database".into());
        }
        let connection = Connection::open(path)?;
        match self.change_rows(&connection) {
            Ok(how) => Ok(how),
            // It was damaged before.
            Err(error) => Ok(format!("cannot be changed: {error}")),
        }
    }

    fn change_rows(&mut self, connection: &Connection) -> rusqlite::Result<String> {
        let mut tables = Vec::new();
        {
            let query = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name";
            let mut query = connection.prepare(query)?;
            let mut rows = query.query([])?;
            while let Some(row) = rows.next()? {
                tables.push(row.get::<_, String>(0)?);
            }
        }
        if tables.is_empty() {
            return Ok("has no tables".into());
        }
        let table = self.random.pick(&tables).clone();
        let mut columns = Vec::new();
        {
            let mut query = connection.prepare(&format!("PRAGMA table_info(\"{table}\")"))?;
            let mut rows = query.query([])?;
            while let Some(row) = rows.next()? {
                columns.push(row.get::<_, String>(1)?);
            }
        }
        let column = self.random.pick(&columns).clone();
        let count: i64 =
            connection.query_row(&format!("SELECT count(*) FROM \"{table}\""), [], |row| {
                row.get(0)
            })?;
        let one = format!(
            "LIMIT 1 OFFSET {}",
            self.random.below(count.max(1) as usize)
        );
        let of = format!("WHERE rowid IN (SELECT rowid FROM \"{table}\" {one})");
        match self.random.below(12) {
            0 => {
                connection.execute(&format!("DELETE FROM \"{table}\" {of}"), [])?;
                Ok(format!("{table}: a row less"))
            }
            1 => {
                connection.execute(&format!("DROP TABLE \"{table}\""), [])?;
                Ok(format!("{table}: gone"))
            }
            2 => {
                // Looks the same, and has no end.
                let names: Vec<String> =
                    columns.iter().map(|it| format!("n AS \"{it}\"")).collect();
                connection.execute_batch(&format!(
                    "DROP TABLE \"{table}\"; CREATE VIEW \"{table}\" AS
                     WITH RECURSIVE c(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM c)
                     SELECT {} FROM c",
                    names.join(", ")
                ))?;
                Ok(format!("{table}: a view without end"))
            }
            3 => {
                let version = self.random.word() as i32;
                connection.pragma_update(None, "user_version", version)?;
                Ok(format!("version {version}"))
            }
            4 => {
                connection.execute_batch(&format!(
                    "CREATE TEMP TABLE t AS SELECT * FROM \"{table}\";
                     INSERT OR REPLACE INTO \"{table}\" SELECT * FROM t"
                ))?;
                Ok(format!("{table}: written anew"))
            }
            how => {
                let value = self.cell();
                let said = format!("{table}.{column} = {value:.80?}");
                let of = if how == 5 { String::new() } else { of };
                let update = format!("UPDATE OR REPLACE \"{table}\" SET \"{column}\" = ?1 {of}");
                connection.execute(&update, [value])?;
                Ok(said.chars().take(200).collect())
            }
        }
    }
}
