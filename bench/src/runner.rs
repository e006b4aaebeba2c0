//! What all measurements share: which checkout and build, rounds in which ways take turns, clocks, tables
//! and verdicts.
//!
//! The machine may have other things to do, which makes everything slower and nothing faster: so the least
//! of several rounds counts, and ratios are between measurements of the same rounds.

use crate::engine::Engine;
use anyhow::{Context, Result, ensure};
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// What one call of the command measures.
pub struct Session {
    pub root: PathBuf,
    /// Figures are those of the release build; what only has to work is tried with the build that
    /// developers have anyway.
    pub debug: bool,
}

impl Session {
    /// In the checkout that this program was built from.
    pub fn new(debug: bool) -> Result<Session> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
        let root = root.context("bench stands directly below the root")?.into();
        Ok(Session { root, debug })
    }

    pub fn engine(&self) -> Result<Engine> {
        Engine::build(&self.root, self.debug)
    }

    pub fn harness(&self, file: &str) -> PathBuf {
        self.root.join("bench/harness").join(file)
    }

    /// The subjects on which other tools were measured: beside the checkout unless it is said where.
    pub fn yardstick(&self, given: Option<&Path>) -> Result<PathBuf> {
        let beside = || self.root.join("../shared/yardstick");
        let folder = given.map_or_else(beside, Path::to_path_buf);
        ensure!(
            folder.join("bst.c").exists(),
            "no yardstick at {}: say where it is with --yardstick DIR",
            folder.display()
        );
        Ok(folder)
    }
}

/// Reads `90s` or `10m`, in seconds.
pub fn seconds(text: &str) -> Result<u64, String> {
    let (number, scale) = match text.strip_suffix('m') {
        Some(number) => (number, 60),
        None => (text.strip_suffix('s').unwrap_or_default(), 1),
    };
    let seconds = number
        .parse::<u64>()
        .ok()
        .and_then(|n| n.checked_mul(scale));
    let seconds = seconds.filter(|seconds| *seconds > 0);
    seconds.ok_or_else(|| "a time is such as 90s or 10m".to_owned())
}

/// The rows of a table that are named, all if none is.
pub fn chosen<'t, T>(
    what: &str,
    table: &'t [T],
    name: impl Fn(&T) -> &str,
    names: &[String],
) -> Result<Vec<&'t T>> {
    if names.is_empty() {
        return Ok(table.iter().collect());
    }
    let find = |wanted: &String| {
        let found = table.iter().find(|row| name(row) == wanted);
        found.with_context(|| {
            let known: Vec<&str> = table.iter().map(&name).collect();
            format!("no {what} {wanted}; there are {}", known.join(", "))
        })
    };
    names.iter().map(find).collect()
}

/// What is measured of a piece of work.
#[derive(Clone, Copy)]
pub enum Clock {
    Wall,
    /// Of the processes that it starts and waits for, in user mode and in the kernel.
    Processor,
    /// The same, in user mode only.
    User,
}

impl Clock {
    /// Seconds that the work takes, and what it gives.
    pub fn time<T>(self, work: impl FnOnce() -> Result<T>) -> Result<(f64, T)> {
        let begun = Instant::now();
        let before = self.children();
        let given = work()?;
        let seconds = match self {
            Clock::Wall => begun.elapsed().as_secs_f64(),
            _ => self.children() - before,
        };
        Ok((seconds, given))
    }

    fn children(self) -> f64 {
        let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
        // SAFETY: getrusage fills the structure that it is given; zeroes are a valid one too.
        let usage = unsafe {
            libc::getrusage(libc::RUSAGE_CHILDREN, usage.as_mut_ptr());
            usage.assume_init()
        };
        let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
        match self {
            Clock::User => seconds(usage.ru_utime),
            _ => seconds(usage.ru_utime) + seconds(usage.ru_stime),
        }
    }
}

/// The least that each of several ways costs, which take turns in all rounds.
pub fn in_turns<const WAYS: usize>(
    rounds: usize,
    mut cost: impl FnMut(usize) -> Result<f64>,
) -> Result<[f64; WAYS]> {
    let mut least = [f64::INFINITY; WAYS];
    for _ in 0..rounds {
        for (way, least) in least.iter_mut().enumerate() {
            *least = least.min(cost(way)?);
        }
    }
    Ok(least)
}

/// What the cheapest of several rounds gives.
pub fn cheapest<T>(
    rounds: usize,
    cost: impl Fn(&T) -> f64,
    mut round: impl FnMut() -> Result<T>,
) -> Result<T> {
    let mut best = round()?;
    for _ in 1..rounds {
        let next = round()?;
        if cost(&next) < cost(&best) {
            best = next;
        }
    }
    Ok(best)
}

/// Does something with every item, several at a time; the results in the order of the items.
pub fn each<T: Sync, R: Send>(
    jobs: usize,
    items: &[T],
    work: impl Fn(usize, &T) -> R + Sync,
) -> Result<Vec<R>> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, items.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(at) else { break };
                    let result = work(at, item);
                    if let Ok(mut results) = results.lock() {
                        results.push((at, result));
                    }
                }
            });
        }
    });
    let mut results = results.into_inner().ok().context("a job panicked")?;
    results.sort_by_key(|(at, _)| *at);
    Ok(results.into_iter().map(|(_, result)| result).collect())
}

/// A table as Markdown has it, whose cells are given with ` | ` between them.
pub struct Table {
    text: String,
    live: bool,
}

impl Table {
    /// Printed with [`Table::print`].
    pub fn new(columns: &str) -> Table {
        Table::with(columns, false)
    }

    /// Each row is printed as soon as it is there.
    pub fn live(columns: &str) -> Table {
        Table::with(columns, true)
    }

    fn with(columns: &str, live: bool) -> Table {
        let mut table = Table {
            text: String::new(),
            live,
        };
        table.line(&format!("| {columns} |"));
        table.line(&format!("|{}", "---|".repeat(columns.split(" |").count())));
        table
    }

    pub fn row(&mut self, cells: impl Display) {
        self.line(&format!("| {cells} |"));
    }

    fn line(&mut self, line: &str) {
        let line = line.replace("  |", " |");
        if self.live {
            println!("{line}");
        }
        self.text += &line;
        self.text.push('\n');
    }

    /// Prints it below a title, which may be empty.
    pub fn print(&self, title: &str) {
        println!("{title}\n{}", self.text.trim_end());
    }

    #[cfg(test)]
    pub fn text(&self) -> &str {
        &self.text
    }
}

pub fn yes_or_no(it: bool) -> &'static str {
    if it { "yes" } else { "no" }
}

/// What was wanted and is not so.
#[derive(Default)]
pub struct Missed(pub Vec<String>);

impl Missed {
    /// Notes what is wanted unless it is so; the word for a table.
    pub fn unless(&mut self, kept: bool, what: impl Display) -> &'static str {
        if !kept {
            self.0.push(what.to_string());
        }
        if kept { "kept" } else { "missed" }
    }

    /// An error that names everything, if there is something.
    pub fn none(&self, what: &str) -> Result<()> {
        ensure!(self.0.is_empty(), "{what}: {}", self.0.join("; "));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        assert_eq!(seconds("90s"), Ok(90));
        assert_eq!(seconds("10m"), Ok(600));
        for wrong in ["0s", "10", "soon", "s", "m"] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_is_not_known_is_said_to_be() {
        let table = ["a", "b"];
        let names = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
        let found = |wanted| chosen("thing", &table, |row| row, &names(wanted));
        assert_eq!(found(&[]).unwrap(), [&"a", &"b"]);
        assert_eq!(found(&["b"]).unwrap(), [&"b"]);
        let error = found(&["c"]).unwrap_err().to_string();
        assert_eq!(error, "no thing c; there are a, b");
    }

    #[test]
    fn ways_take_turns_and_the_least_counts() {
        let mut order = Vec::new();
        let least = in_turns::<2>(2, |way| {
            order.push(way);
            Ok([5.0, 7.0, 6.0, 3.0][order.len() - 1])
        });
        assert_eq!(least.unwrap(), [5.0, 3.0]);
        assert_eq!(order, [0, 1, 0, 1]);
        let mut costs = [3.0, 1.0, 2.0].into_iter();
        let best = cheapest(3, |cost| *cost, || costs.next().context("no more"));
        assert_eq!(best.unwrap(), 1.0);
    }

    #[test]
    fn results_are_in_order() {
        let doubled = each(3, &[1, 2, 3, 4], |_, number| number * 2).unwrap();
        assert_eq!(doubled, [2, 4, 6, 8]);
        assert!(each(1, &[0u8; 0], |_, _| ()).unwrap().is_empty());
    }

    #[test]
    fn a_table_is_markdown() {
        let mut table = Table::new("what | | much");
        table.row(format_args!("a |  | {}", 1));
        assert_eq!(
            table.text(),
            "| what | | much |\n|---|---|---|\n| a | | 1 |\n"
        );
    }
}
