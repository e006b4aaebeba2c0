//! `cargo xtask realworld`: what exploration reaches in real libraries, beside AFL++ and after it.
//!
//! Each library is compiled with a harness of ours and given one trivial input. Elsewise has a
//! core for the time that is said, AFL++ (with its record of comparisons) the same, and the third
//! column is what AFL++ had after half the time and then Elsewise for the other half, beginning
//! with that. Branches are those that llvm-cov counts in the plain library over all inputs that
//! were kept.

mod build;
mod libraries;
mod measure;

use crate::engine::{Engine, Profile};
use crate::packages::{compile, source};
use anyhow::{Context, Result, bail, ensure};
use build::Place;
use libraries::Library;
use measure::Measured;
use serde_json::Value;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

pub struct Options {
    time: Duration,
    jobs: usize,
    /// Figures of earlier measurements that took the same time are kept.
    resume: bool,
    profile: Profile,
    libraries: Vec<&'static Library>,
}

impl Options {
    pub fn new(words: &[&str]) -> Result<Options> {
        let mut options = Options {
            time: Duration::from_secs(600),
            jobs: 1,
            resume: false,
            profile: Profile::Release,
            libraries: Vec::new(),
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match *word {
                "--time" => {
                    options.time = words
                        .next()
                        .and_then(|text| duration(text))
                        .context("--time takes a time such as 90s or 10m")?;
                }
                "--jobs" => {
                    options.jobs = words
                        .next()
                        .and_then(|text| text.parse().ok())
                        .context("--jobs takes how many libraries are measured at a time")?;
                }
                "--resume" => options.resume = true,
                "--debug" => options.profile = Profile::Debug,
                name => {
                    let known = libraries::ALL.iter().find(|library| library.name == name);
                    let Some(library) = known else {
                        let all: Vec<&str> = libraries::ALL.iter().map(|l| l.name).collect();
                        bail!("no library {name}; there are {}", all.join(", "));
                    };
                    options.libraries.push(library);
                }
            }
        }
        if options.libraries.is_empty() {
            options.libraries = libraries::ALL.iter().collect();
        }
        Ok(options)
    }
}

/// `90s` or `10m`; at least two seconds, since it is halved.
fn duration(text: &str) -> Option<Duration> {
    let (number, scale) = match text.strip_suffix('m') {
        Some(number) => (number, 60),
        None => (text.strip_suffix('s')?, 1),
    };
    let seconds = number.parse::<u64>().ok()?.checked_mul(scale)?;
    (seconds >= 2).then(|| Duration::from_secs(seconds))
}

/// A library with its harness, built for exploration.
pub struct Built {
    pub program: PathBuf,
    /// Where the names of its source files lead to them.
    pub source: PathBuf,
    pub seed: &'static [u8],
}

/// Builds one library.
pub fn subject(root: &Path, engine: &Engine, name: &str) -> Result<Built> {
    let library = libraries::ALL.iter().find(|library| library.name == name);
    let library = library.with_context(|| format!("no library {name}"))?;
    let cache = source::cache()?;
    source::fetch_lists(&cache)?;
    let place = Place {
        library,
        folder: cache.join("realworld").join(library.name),
        harness: root.join("xtask/harness").join(library.harness()),
    };
    let source = source::fetch(&cache, library.name, library.version)?;
    compile::prepare(&place.folder, &source, library.prepare)?;
    Ok(Built {
        program: place.build(engine, build::Variant::Elsewise)?,
        source: place.folder.join("source"),
        seed: library.seed,
    })
}

pub fn run(root: &Path, options: &Options) -> Result<()> {
    let engine = Engine::build(root, options.profile)?;
    let cache = source::cache()?;
    source::fetch_lists(&cache)?;
    let mut places = Vec::new();
    for &library in &options.libraries {
        let place = Place {
            library,
            folder: cache.join("realworld").join(library.name),
            harness: root.join("xtask/harness").join(library.harness()),
        };
        let source = source::fetch(&cache, library.name, library.version)?;
        compile::prepare(&place.folder, &source, library.prepare)?;
        places.push(place);
    }
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<Option<Result<Measured>>>> =
        Mutex::new(places.iter().map(|_| None).collect());
    std::thread::scope(|scope| {
        for _ in 0..options.jobs.clamp(1, places.len()) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(place) = places.get(at) else { break };
                    let before = options.resume.then(|| measure::before(place, options.time));
                    let result = match before.flatten() {
                        Some(measured) => Ok(measured),
                        None => {
                            println!("{} ...", place.library.name);
                            measure::measure(&engine, place, options.time)
                        }
                    };
                    if let Ok(mut results) = results.lock() {
                        results[at] = Some(result);
                    }
                }
            });
        }
    });
    let results = results
        .into_inner()
        .ok()
        .context("a measurement panicked")?;
    let mut good = Vec::new();
    let mut bad = Vec::new();
    for (place, result) in places.iter().zip(results) {
        match result.context("not measured")? {
            Ok(measured) => good.push((place.library, measured)),
            Err(error) => {
                println!("{}: {error:#}", place.library.name);
                bad.push(place.library.name);
            }
        }
    }
    let measured: Vec<(&Library, &Measured)> =
        good.iter().map(|(library, of)| (*library, of)).collect();
    print!("{}", reached(&measured, options.time)?);
    print!("{}", how(&measured)?);
    ensure!(bad.is_empty(), "not measured: {}", bad.join(", "));
    Ok(())
}

/// Branches that each of the three reached.
fn reached(measured: &[(&Library, &Measured)], time: Duration) -> Result<String> {
    let mut table = format!(
        "\nBranches reached in {} s, of all branches of the library:\n\n\
         | library | branches | Elsewise | AFL++ | AFL++, then Elsewise | AFL++ runs/s |\n\
         |---|---|---|---|---|---|\n",
        time.as_secs()
    );
    for (library, of) in measured {
        let crashes = match of.afl.crashes {
            0 => String::new(),
            some => format!(", {some} crashes"),
        };
        writeln!(
            table,
            "| {} {} | {} | {}{} | {}{crashes} | {}{} | {:.0} |",
            library.name,
            source::upstream(library.version),
            of.total,
            of.elsewise.branches,
            findings(&of.elsewise.summary),
            of.afl.branches,
            of.both.branches,
            findings(&of.both.summary),
            of.afl.runs_per_second,
        )?;
    }
    Ok(table)
}

fn findings(summary: &Value) -> String {
    match summary["findings"].as_array().map_or(0, Vec::len) {
        0 => String::new(),
        some => format!(", {some} findings"),
    }
}

/// How Elsewise spent its time, and what it gave up.
fn how(measured: &[(&Library, &Measured)]) -> Result<String> {
    let mut table = String::from(
        "\nElsewise alone:\n\n\
         | library | runs/s | queries/s | decided by | diverged | given up most |\n\
         |---|---|---|---|---|---|\n",
    );
    for (library, of) in measured {
        let summary = &of.elsewise.summary;
        let number = |value: &Value| value.as_f64().unwrap_or(0.0);
        let seconds = number(&summary["wall_seconds"]).max(1e-9);
        let runs = number(&summary["runs"]);
        let asked = number(&summary["queries"]["asked"]);
        writeln!(
            table,
            "| {} | {:.0} | {:.0} | {} | {} | {} |",
            library.name,
            runs / seconds,
            asked / seconds,
            stages(summary),
            share(number(&summary["approximations"]["divergence"]), runs),
            given_up(summary),
        )?;
    }
    Ok(table)
}

fn share(part: f64, whole: f64) -> String {
    if whole == 0.0 {
        return "none".into();
    }
    let percent = 100.0 * part / whole;
    if percent == 0.0 || percent >= 9.95 {
        format!("{percent:.0} %")
    } else {
        format!("{percent:.1} %")
    }
}

/// The share of all queries that each stage decided, where it decided any.
fn stages(summary: &Value) -> String {
    let queries = &summary["queries"];
    let asked = queries["asked"].as_f64().unwrap_or(0.0);
    let mut words = Vec::new();
    let mut name = |what: &str, count: f64| {
        if count > 0.0 {
            words.push(format!("{what} {}", share(count, asked)));
        }
    };
    for stage in queries["stages"].as_array().into_iter().flatten() {
        let decided = stage["sat"].as_f64().unwrap_or(0.0) + stage["unsat"].as_f64().unwrap_or(0.0);
        name(stage["name"].as_str().unwrap_or("?"), decided);
    }
    name("none", queries["unknown"].as_f64().unwrap_or(0.0));
    words.join(", ")
}

/// The places with most approximations.
fn given_up(summary: &Value) -> String {
    let mut words = Vec::new();
    for place in summary["approximation_places"]
        .as_array()
        .into_iter()
        .flatten()
        .take(3)
    {
        let text = |name: &str| place[name].as_str().unwrap_or("?").to_owned();
        let file = text("file");
        let file = Path::new(&file)
            .file_name()
            .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        words.push(format!(
            "{} in `{}` ({file}:{}) {}×",
            text("kind"),
            text("function"),
            place["line"],
            place["count"]
        ));
    }
    if words.is_empty() {
        words.push("nothing".into());
    }
    words.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn times() {
        assert_eq!(duration("90s"), Some(Duration::from_secs(90)));
        assert_eq!(duration("10m"), Some(Duration::from_secs(600)));
        assert_eq!(duration("1s"), None);
        assert_eq!(duration("10"), None);
        assert!(Options::new(&["--time", "soon"]).is_err());
        assert!(Options::new(&["nonsense"]).is_err());
        assert_eq!(Options::new(&["zlib"]).unwrap().libraries.len(), 1);
    }

    #[test]
    fn a_summary_in_words() {
        let summary = json!({
            "queries": {"asked": 200, "unknown": 1, "stages": [
                {"name": "slice", "sat": 0, "unsat": 0},
                {"name": "cache", "sat": 100, "unsat": 80},
                {"name": "search", "sat": 19, "unsat": 0},
            ]},
            "approximation_places": [
                {"kind": "opaque-call", "file": "a/b.c", "line": 3, "function": "f", "count": 9},
            ],
        });
        assert_eq!(stages(&summary), "cache 90 %, search 9.5 %, none 0.5 %");
        assert_eq!(given_up(&summary), "opaque-call in `f` (b.c:3) 9×");
        assert_eq!(share(0.0, 10.0), "0 %");
    }
}
