//! `--fleet` and `worker`: a campaign that several machines explore together.

use crate::args::{PermissionsFor, WorkerArgs};
use crate::error::VerbError;
use crate::metrics::Metrics;
use crate::progress::{Building, Watcher};
use crate::quota::Quota;
use crate::request::Explore;
use crate::telemetry::Spans;
use crate::{interrupt, jobs, output};
use elsewise_campaign::{CampaignError, Options, Progress, Store, Summary, can_merge};
use elsewise_cluster::{
    Agreed, BucketAddress, Cluster, ClusterError, Joined, Member, Place, Storage, gather,
};
use elsewise_explore::Subject;
use elsewise_frontend::{Exit, Problem, contain};
use elsewise_report::{LiveView, count, escape_text};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How often it is looked whether a campaign has been begun, and whether there is a server.
const LOOK: Duration = Duration::from_millis(200);
/// How long a worker waits for a server that is not there at first.
const PATIENCE: Duration = Duration::from_secs(120);

pub fn told(error: ClusterError) -> Problem {
    match error {
        ClusterError::Campaign(error) => error.into(),
        other => VerbError::Fleet(other).into(),
    }
}

/// No subject reads by what this member says who it is, nor what all members have found.
pub fn hide_from_subjects(place: &Place, bucket: Option<&BucketAddress>) -> Result<(), Problem> {
    let bucket = bucket_of(place, bucket).map_err(told)?;
    let folders = place.folders(bucket.as_ref()).map_err(told)?;
    let files = elsewise_cluster::credentials().into_iter();
    let mut files = files
        .chain(elsewise_cluster::bucket_credentials())
        .filter(|file| file.exists())
        .chain(folders);
    let hidden = files.try_for_each(|file| elsewise_contain::hide(&file));
    hidden.map_err(|error| VerbError::Credentials(error).into())
}

/// The bucket that is named here or by the environment, if somebody needs one.
fn bucket_of(
    place: &Place,
    bucket: Option<&BucketAddress>,
) -> Result<Option<BucketAddress>, ClusterError> {
    match (place, bucket) {
        (Place::Nats(..), None) => BucketAddress::of_environment(),
        (_, bucket) => Ok(bucket.cloned()),
    }
}

/// Opens a place, with the bucket that is named here or by the environment.
fn open(
    place: &Place,
    bucket: Option<&BucketAddress>,
    quota: Option<Quota>,
    stop: &Arc<AtomicBool>,
) -> Result<Cluster, ClusterError> {
    let bucket = bucket_of(place, bucket)?;
    let storage = Storage {
        bucket: bucket.as_ref(),
        quota: quota.map(Quota::bytes),
    };
    place.open_with(storage, stop)
}

/// The same for a worker, whose server may be started after it; `None` if it is to end before there is one.
fn open_soon(
    args: &WorkerArgs,
    stop: &Arc<AtomicBool>,
    end: Option<Instant>,
) -> Result<Option<Cluster>, Problem> {
    let patience = Instant::now() + PATIENCE;
    let last = end.map_or(patience, |end| end.min(patience));
    let mut said = args.quiet;
    loop {
        let error = match open(&args.join, args.bucket.as_ref(), None, stop) {
            Ok(cluster) => return Ok(Some(cluster)),
            Err(error) => error,
        };
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        if !error.is_away() || Instant::now() >= last {
            return Err(told(error));
        }
        if !said {
            let limit = PATIENCE.as_secs() / 60;
            output::note(&format!("{error}; waiting for it, {limit} minutes at most"));
            said = true;
        }
        std::thread::sleep(LOOK);
    }
}

/// What all members have explored.
pub struct Explored {
    /// Where the parts are, until this is dropped.
    _folder: TempDir,
    pub parts: Vec<PathBuf>,
    /// Somebody has more to do.
    pub unfinished: bool,
}

/// How an exploration joins others.
pub struct Joining<'a> {
    pub place: &'a Place,
    /// Where what is large is kept there, if the environment does not say so.
    pub bucket: Option<&'a BucketAddress>,
    /// What the campaign may have there, if it is begun.
    pub quota: Option<Quota>,
    pub command: &'a [String],
    pub metrics: Option<&'a Metrics>,
    pub spans: &'a Spans,
}

/// Explores with all who meet at a place, until everything has been explored or there is no more time.
pub fn explore(
    joining: Joining,
    options: &Options,
    subjects: &mut [Box<dyn Subject>],
    watch: &mut dyn FnMut(&Progress),
    stop: &Arc<AtomicBool>,
) -> Result<Explored, Problem> {
    let cluster = open(joining.place, joining.bucket, joining.quota, stop).map_err(told)?;
    let mut member = join(&cluster, joining.command, options, subjects, stop)?;
    if let Some(metrics) = joining.metrics {
        metrics.of_member(member.heart());
    }
    joining.spans.of_member(member.heart());
    match member.explore(subjects, watch) {
        Ok(_) => {}
        // What is there is put together, and what is not stays open.
        Err(ClusterError::Full(name)) => {
            output::warning(&told(ClusterError::Full(name)).to_string());
        }
        Err(error) => return Err(told(error)),
    }
    let Some(first) = subjects.first() else {
        return Err(VerbError::NoJobs.into());
    };
    let folder = tempfile::tempdir().map_err(VerbError::NoTemporaryFolder)?;
    let store = cluster.store.as_ref();
    let gathered = gather(store, folder.path(), options, first.blueprint()).map_err(told)?;
    for why in &gathered.refused {
        let why = escape_text(why);
        output::warning(&format!("what a member has explored is left out: {why}"));
    }
    Ok(Explored {
        _folder: folder,
        parts: gathered.parts,
        unfinished: gathered.unfinished > 0,
    })
}

/// Makes one campaign of what members have explored, without the parts that cannot be read, and explores what is left if
/// there is time. `began`: when this process began to explore.
pub fn put_together(
    options: &Options,
    subjects: &mut [Box<dyn Subject>],
    watch: &mut dyn FnMut(&Progress),
    stop: &AtomicBool,
    began: Instant,
) -> Result<Summary, Problem> {
    let mut options = options.clone();
    loop {
        options.merged_took = Some(began.elapsed());
        let result = elsewise_campaign::explore_on(&options, subjects, watch, stop);
        let bad = match &result {
            Err(error) => options.merge.iter().position(|part| error.is_of(part)),
            Ok(_) => None,
        };
        let Some(bad) = bad else {
            let mut summary = result?;
            remove_superseded(&mut summary, &options, subjects);
            return Ok(summary);
        };
        options.merge.remove(bad);
        output::warning("what a member has explored is left out: its part is damaged");
    }
}

/// Removes the campaign that was in the folder before, if all that it has run has been run in this one, too.
fn remove_superseded(summary: &mut Summary, options: &Options, subjects: &[Box<dyn Subject>]) {
    let (Some(before), Some(first)) = (&summary.rotated, subjects.first()) else {
        return;
    };
    if can_merge(before, options, first.blueprint()).is_ok()
        && has_no_more(before, &summary.campaign).unwrap_or(false)
    {
        let removed = std::fs::remove_dir_all(before).is_ok();
        summary.rotated = summary.rotated.take().filter(|_| !removed);
    }
}

fn has_no_more(before: &Path, now: &Path) -> Result<bool, CampaignError> {
    let cases = |campaign: &Path| -> Result<HashSet<_>, CampaignError> {
        let store = Store::open_read(campaign)?;
        (0..store.run_count()?)
            .map(|run| {
                let case = store.case(run)?;
                Ok((case.inputs, case.schedule))
            })
            .collect()
    };
    Ok(cases(before)?.is_subset(&cases(now)?))
}

fn join<'a>(
    cluster: &Cluster,
    command: &[String],
    options: &'a Options,
    subjects: &[Box<dyn Subject>],
    stop: &'a AtomicBool,
) -> Result<Member<'a>, Problem> {
    if options.budget.runs.is_some() {
        return Err(VerbError::RunsOfFleet.into());
    }
    let build = subjects.first().map(|one| one.blueprint().build.clone());
    let build = build.unwrap_or_default();
    // Where the results go is nobody else's business.
    let command = without("--campaign", command);
    Member::join(cluster, options, &build, &command, stop).map_err(told)
}

/// The words of a command without those that are about where it runs, of which an address may have a password.
pub fn without_place(words: &[String]) -> Vec<String> {
    let placeless = without("--bucket", &without("--fleet", words));
    without("--fleet-quota", &placeless)
}

/// The words of a command without a flag and its value.
fn without(flag: &str, words: &[String]) -> Vec<String> {
    let mut rest = words.iter();
    let mut kept = Vec::new();
    while let Some(word) = rest.next() {
        match word.as_str() {
            "--" => {
                kept.push(word.clone());
                kept.extend(rest.by_ref().cloned());
            }
            word if word == flag => drop(rest.next()),
            word if word
                .strip_prefix(flag)
                .is_some_and(|it| it.starts_with('=')) => {}
            _ => kept.push(word.clone()),
        }
    }
    kept
}

fn portions(many: u64) -> String {
    match many {
        1 => "1 portion".to_owned(),
        many => format!("{} portions", count(many)),
    }
}

/// A word of a campaign's command that could make a member build or hand out what is not in its working directory, or
/// that is no plain option of the compiler.
fn unusual(command: &[String]) -> Option<String> {
    let flags = command.iter().enumerate().filter_map(|(at, word)| {
        let after = || command.get(at + 1).map(String::as_str).unwrap_or_default();
        match word.as_str() {
            "--cflags" => Some(after()),
            word => word.strip_prefix("--cflags="),
        }
    });
    let mut flags = flags.flat_map(str::split_whitespace);
    if let Some(flag) = flags.find(|flag| !is_plain(flag)) {
        return Some(flag.to_owned());
    }
    let here = std::fs::canonicalize(".").unwrap_or_default();
    let is_outside = |piece: &str| {
        let there = std::fs::canonicalize(piece);
        match there {
            Ok(there) => !there.starts_with(&here),
            Err(_) => piece.starts_with('/') || piece.split('/').any(|part| part == ".."),
        }
    };
    let leads_out = |word: &&String| {
        let pieces = word.split(['=', ':', ',', ' ']);
        pieces.filter(|piece| !piece.is_empty()).any(is_outside)
    };
    command.iter().find(leads_out).cloned()
}

/// Is this an option of the compiler that names no file, and a macro's value that is no code?
fn is_plain(flag: &str) -> bool {
    let is_word = |text: &str| {
        let letter =
            |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'+');
        text.bytes().all(letter)
    };
    let Some(rest) = flag.strip_prefix('-') else {
        return false;
    };
    let whole = [
        "ansi",
        "fsanitize",
        "fwrapv",
        "pedantic",
        "pthread",
        "std",
        "w",
    ];
    let begins = ["D", "O", "U", "W", "fno-", "g", "m"];
    let (name, value) = rest.split_once('=').unwrap_or((rest, ""));
    let known = whole.contains(&name) || begins.iter().any(|it| name.starts_with(it));
    known && is_word(name) && is_word(value)
}

/// Takes part in a campaign that somebody else has begun, or begins.
pub fn worker(args: &WorkerArgs) -> Result<Exit, Problem> {
    if let Some(whom) = args.permissions {
        let begin = whom == PermissionsFor::Begin;
        let permissions = args.join.permissions(begin).map_err(told)?;
        output::raw(&permissions.to_string());
        return Ok(Exit::Clean);
    }
    contain::allow(&args.flags)?;
    hide_from_subjects(&args.join, args.bucket.as_ref())?;
    let jobs = jobs::of_member(args.jobs)?;
    let stop = interrupt::stop_flag()?;
    let end = args
        .budget
        .and_then(|budget| budget.time)
        .map(|time| Instant::now() + time);
    if args.budget.is_some_and(|budget| budget.runs.is_some()) {
        return Err(VerbError::RunsOfFleet.into());
    }
    let metrics = args.metrics.as_deref();
    let metrics = metrics.map(|address| Metrics::serve(address, args.quiet));
    let metrics = metrics.transpose()?;
    let spans = Spans::begin("worker");
    let Some(cluster) = open_soon(args, &stop, end)? else {
        return Ok(Exit::Budget);
    };
    let mut said = args.quiet;
    let agreed = loop {
        if let Some(agreed) = Agreed::of(cluster.store.as_ref()).map_err(told)? {
            break agreed;
        }
        if stop.load(Ordering::Relaxed) || end.is_some_and(|end| Instant::now() >= end) {
            output::note("nobody has begun a campaign there");
            return Ok(Exit::Budget);
        }
        if !said {
            output::note("waiting for somebody to begin a campaign there");
            said = true;
        }
        std::thread::sleep(LOOK);
    };
    // Before anything is done that the campaign says.
    agreed
        .accepts_bucket(cluster.store.as_ref())
        .map_err(told)?;
    if !args.trust
        && let Some(word) = unusual(&agreed.command)
    {
        return Err(VerbError::ForeignWord { word }.into());
    }
    let explore = Explore::again(&agreed.command, args.config.as_deref());
    let explore = explore.unwrap_or_else(|| Err(VerbError::NoCommandOfFleet.into()))?;
    explore.refuse_unsaid(&args.flags, args.cflags.as_deref())?;
    let mut options = crate::options::options(&explore, PathBuf::new())?;
    options.budget.time = end.map(|end| end.saturating_duration_since(Instant::now()));
    options.budget.runs = None;
    let (_, target, mut request) = explore.request()?;
    request.quiet = args.quiet;
    request.contained.common_environment = true;
    spans.explores(&options.title);
    let building = Building::new(args.quiet, &options.title);
    let built = target.build(&request)?;
    drop(building);
    crate::options::say_of(&mut options, built.as_ref());
    built.warn();
    let subjects: Result<Vec<_>, _> = (0..jobs).map(|_| built.subject()).collect();
    let mut subjects = subjects?;
    let live = LiveView::new(&options.title, options.budget.time, None);
    let mut watcher = Watcher::new(args.quiet, live, &stop, false);
    let mut member = join(&cluster, &agreed.command, &options, &subjects, &stop)?;
    if let Some(metrics) = &metrics {
        metrics.of_member(member.heart());
    }
    spans.of_member(member.heart());
    let joined = member.explore(&mut subjects, &mut |progress| {
        if let Some(metrics) = &metrics {
            metrics.note(progress);
        }
        spans.note(progress);
        watcher.show(progress);
    });
    watcher.end();
    let joined = joined.map_err(told)?;
    let end = match joined {
        Joined::Done => "everything has been explored",
        Joined::Budget => "what is left is others'",
    };
    output::text(&format!(
        "{} in {} runs; {end}\n",
        portions(member.portions()),
        count(member.runs())
    ));
    Ok(match joined {
        Joined::Done => Exit::Clean,
        Joined::Budget => Exit::Budget,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_lead_elsewhere_are_not_usual() {
        let unusual = |text: &str| {
            let words: Vec<String> = text.split('|').map(str::to_string).collect();
            unusual(&words)
        };
        for usual in [
            "explore|a.c|--input-size|8|--cflags=-O2 -DN=3 -pthread -Wall -std=c11",
            "explore|src/a.c::f|--valid|list:list_check|--env|MODE=hard",
            "explore|a.c|--|-x|name",
        ] {
            assert_eq!(unusual(usual), None, "{usual}");
        }
        for bad in [
            "explore|/etc/passwd",
            "explore|../a.c",
            "explore|a.c|--seeds|/srv/keys",
            "explore|a.c|--seeds=/srv/keys",
            "explore|a.c|--cflags|-include x.h",
            "explore|a.c|--cflags=-I.",
            "explore|a.c|--cflags=-Dmain(v)=f",
            "explore|a.c|--cflags=-fplugin=x.so",
            "explore|a.c|--cflags=-fmodules",
            "explore|a.c|--cflags=x.c",
            "explore|a.c|--env|LD_PRELOAD=/tmp/x.so",
            "explore|a.c|--|/etc/passwd",
        ] {
            assert!(unusual(bad).is_some(), "{bad}");
        }
    }

    #[test]
    fn a_saved_command_names_no_fleet() {
        let kept = |words: &str| {
            let words: Vec<String> = words.split(' ').map(str::to_string).collect();
            without_place(&words).join(" ")
        };
        assert_eq!(
            kept("explore a.c --fleet nats://me:secret@host/x --bucket s3://b/x --jobs 2"),
            "explore a.c --jobs 2"
        );
        assert_eq!(
            kept("explore --fleet=dir a.c -- --fleet x"),
            "explore a.c -- --fleet x"
        );
    }
}
