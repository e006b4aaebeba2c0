//! How many workers explore, where nobody says it.

use crate::args::Settings;
use crate::error::VerbError;
use std::fs;
use std::path::Path;
use std::thread::available_parallelism;
use std::time::Duration;

/// What says it where neither the command line nor the settings file does.
const VARIABLE: &str = "ELSEWISE_JOBS";

/// Workers that nobody has asked for are not more than this, even on larger machines: for so many it is known who has
/// the trace of which run.
const MOST: u16 = 16;
/// Memory that there is to be for each of them: what an engine keeps of its runs, and the run itself.
const MEMORY: u64 = 1 << 30;

/// What has so few runs, and takes no longer than this, is explored by one worker: others would hardly have begun.
pub const ALONE_RUNS: u64 = 1_000;
pub const ALONE: Duration = Duration::from_secs(2);

/// Workers of a campaign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Jobs {
    /// From the beginning.
    pub begin: u16,
    /// More, if it turns out to take long.
    pub reserve: u16,
}

impl Jobs {
    /// Of a campaign of `explore`. `beside`: fuzzers work at the same time.
    pub fn of_campaign(settings: &Settings, beside: bool) -> Result<Jobs, VerbError> {
        if let Some(begin) = said(settings.jobs)? {
            return Ok(Jobs { begin, reserve: 0 });
        }
        let runs = settings.budget.is_some_and(|budget| budget.runs.is_some());
        // Who gives a seed or a number of runs wants the same runs every time, and a fuzzer has a core of its own.
        let one = settings.seed.is_some() || runs || beside;
        let all = if one { 1 } else { cores() };
        Ok(match settings.fleet {
            // What a member has to do is other every time.
            Some(_) => Jobs {
                begin: all,
                reserve: 0,
            },
            None => Jobs {
                begin: 1,
                reserve: all - 1,
            },
        })
    }
}

/// Workers of a member of a fleet.
pub fn of_member(given: Option<u16>) -> Result<u16, VerbError> {
    Ok(said(given)?.unwrap_or_else(cores))
}

/// What a flag or the environment says.
fn said(given: Option<u16>) -> Result<Option<u16>, VerbError> {
    let variable = || {
        let text = std::env::var_os(VARIABLE).filter(|text| !text.is_empty())?;
        let jobs = text.to_str().and_then(|text| text.parse().ok());
        Some(jobs.ok_or_else(|| VerbError::JobsVariable {
            text: text.display().to_string(),
        }))
    };
    let jobs = match given {
        Some(jobs) => Some(jobs),
        None => variable().transpose()?,
    };
    match jobs {
        Some(0) => Err(VerbError::NoJobs),
        jobs => Ok(jobs),
    }
}

/// Those that this process may use, as far as there is memory.
fn cores() -> u16 {
    // It knows what a container may use.
    let cores = available_parallelism().map_or(1, |cores| cores.get());
    workers(cores, memory(Path::new("/")))
}

fn workers(cores: usize, memory: Option<u64>) -> u16 {
    let cores = u16::try_from(cores).unwrap_or(MOST);
    let room = memory.map_or(MOST, |bytes| u16::try_from(bytes / MEMORY).unwrap_or(MOST));
    cores.min(room).clamp(1, MOST)
}

/// Bytes of memory that this process may use: those of the machine, or of its control group and those around it, below
/// `root`.
fn memory(root: &Path) -> Option<u64> {
    let meminfo = fs::read_to_string(root.join("proc/meminfo")).ok()?;
    let total = meminfo.lines().find_map(|line| {
        let rest = line.strip_prefix("MemTotal:")?;
        rest.trim().strip_suffix(" kB")?.parse::<u64>().ok()
    })?;
    let groups = fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
    let limits = groups.lines().filter_map(|line| {
        let mut fields = line.splitn(3, ':');
        let (_, controllers, path) = (fields.next()?, fields.next()?, fields.next()?);
        let (folder, file) = match controllers {
            "" => ("sys/fs/cgroup", "memory.max"),
            "memory" => ("sys/fs/cgroup/memory", "memory.limit_in_bytes"),
            _ => return None,
        };
        let path = Path::new(path.trim_start_matches('/'));
        let groups = path.ancestors().filter_map(|group| {
            let said = fs::read_to_string(root.join(folder).join(group).join(file)).ok()?;
            // `max` is no number.
            said.trim().parse::<u64>().ok()
        });
        groups.min()
    });
    Some(
        limits
            .min()
            .unwrap_or(u64::MAX)
            .min(total.saturating_mul(1024)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_for_each_core_that_has_memory() {
        let gib = |many: u64| Some(many << 30);
        assert_eq!(workers(2, gib(16)), 2);
        assert_eq!(workers(8, gib(4)), 4);
        assert_eq!(workers(64, gib(256)), MOST);
        assert_eq!(workers(4, Some(1 << 20)), 1);
        assert_eq!(workers(4, None), 4);
    }

    #[test]
    fn a_container_has_less_memory_than_the_machine() {
        let root = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let file = root.path().join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        };
        assert_eq!(memory(root.path()), None);
        write("proc/meminfo", "MemFree: 7 kB\nMemTotal:   4096 kB\n");
        assert_eq!(memory(root.path()), Some(4 << 20));
        write("proc/self/cgroup", "0::/pod/box\n");
        write("sys/fs/cgroup/pod/box/memory.max", "max\n");
        assert_eq!(memory(root.path()), Some(4 << 20));
        write("sys/fs/cgroup/pod/memory.max", "1048576\n");
        assert_eq!(memory(root.path()), Some(1 << 20));
        write("proc/self/cgroup", "5:cpu:/a\n4:memory:/a\n");
        write("sys/fs/cgroup/memory/memory.limit_in_bytes", "65536\n");
        assert_eq!(memory(root.path()), Some(65536));
    }

    #[test]
    fn who_wants_the_same_runs_every_time_has_one_worker() {
        let jobs = |settings: Settings, beside| Jobs::of_campaign(&settings, beside).unwrap();
        let one = Jobs {
            begin: 1,
            reserve: 0,
        };
        let seed = Settings {
            seed: Some(0),
            ..Settings::default()
        };
        let runs = Settings {
            budget: "9runs".parse().ok(),
            ..Settings::default()
        };
        assert_eq!(jobs(seed.clone(), false), one);
        assert_eq!(jobs(runs, false), one);
        assert_eq!(jobs(Settings::default(), true), one);
        let two = Settings {
            jobs: Some(2),
            ..seed
        };
        let begin = jobs(two, true);
        assert_eq!((begin.begin, begin.reserve), (2, 0));
        let none = Settings {
            jobs: Some(0),
            ..Settings::default()
        };
        assert!(Jobs::of_campaign(&none, false).is_err());
    }
}
