//! Programs side by side, each of which is stopped when it has used its share of processor time.

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant, SystemTime};

/// How often it is looked how much time was used.
const LOOK: Duration = Duration::from_millis(200);
/// How long a program may take to end that was asked to.
const ENDING: Duration = Duration::from_secs(60);

/// A program that takes part.
pub struct Instance {
    command: Command,
    /// Seconds of processor time that it may use, with all processes that come from it.
    share: f64,
    name: String,
}

impl Instance {
    /// What it prints goes to `log` with `out` and `err` as endings.
    pub fn new(mut command: Command, share: f64, log: &Path) -> Result<Instance> {
        let file = |ending| fs::File::create(log.with_extension(ending));
        command.stdin(Stdio::null());
        command.stdout(file("out")?).stderr(file("err")?);
        Ok(Instance {
            command,
            share,
            name: log.display().to_string(),
        })
    }
}

/// How it went.
#[derive(Serialize, Deserialize)]
pub struct Raced {
    /// Seconds of processor time that each instance has used, and seconds on the clock.
    pub used: Vec<f64>,
    pub seconds: f64,
    /// Not all of them had used their share when the time on the clock was over.
    pub cut_short: bool,
    /// Moments, and the processor time that all had used by then.
    moments: Vec<(SystemTime, f64)>,
}

impl Raced {
    /// Processor time that had been used at a moment.
    pub fn used_by(&self, moment: SystemTime) -> f64 {
        let at = self.moments.partition_point(|(then, _)| *then < moment);
        let at = at.min(self.moments.len().saturating_sub(1));
        self.moments.get(at).map_or(0.0, |(_, used)| *used)
    }
}

/// One that has been started.
struct Running {
    child: Child,
    share: f64,
    name: String,
    used: f64,
    /// When it was asked to end.
    asked: Option<Instant>,
    ended: Option<ExitStatus>,
}

impl Running {
    /// Looks whether it is to end, or has ended.
    fn look(&mut self, used: f64, over: bool) -> Result<()> {
        if self.ended.is_some() {
            return Ok(());
        }
        // A process that is gone without being waited for is not counted any more.
        self.used = self.used.max(used);
        self.ended = self.child.try_wait()?;
        let id = i32::try_from(self.child.id())?;
        match self.asked {
            None if over || self.used >= self.share => {
                self.asked = Some(Instant::now());
                // SAFETY: a signal to a child that has not been waited for.
                unsafe { libc::kill(id, libc::SIGTERM) };
            }
            Some(then) if then.elapsed() > ENDING => self.child.kill()?,
            _ => {}
        }
        Ok(())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if self.ended.is_none() {
            // It may be gone already.
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// Lets them go on until each has used its share, or has ended by itself, at most for so long.
pub fn race(instances: Vec<Instance>, at_most: Duration) -> Result<Raced> {
    let begun = Instant::now();
    let mut running = Vec::new();
    for mut instance in instances {
        let name = instance.name;
        let child = instance.command.spawn();
        running.push(Running {
            child: child.with_context(|| format!("{name} cannot be started"))?,
            share: instance.share,
            name,
            used: 0.0,
            asked: None,
            ended: None,
        });
    }
    let mut raced = Raced {
        used: Vec::new(),
        seconds: 0.0,
        cut_short: false,
        moments: vec![(SystemTime::now(), 0.0)],
    };
    while running.iter().any(|it| it.ended.is_none()) {
        std::thread::sleep(LOOK);
        let over = begun.elapsed() >= at_most;
        let times = processes()?;
        for it in &mut running {
            raced.cut_short |= over && it.ended.is_none() && it.asked.is_none();
            it.look(used(&times, it.child.id()), over)?;
        }
        let all = running.iter().map(|it| it.used).sum();
        raced.moments.push((SystemTime::now(), all));
    }
    raced.seconds = begun.elapsed().as_secs_f64();
    for it in &running {
        raced.used.push(it.used);
        // Findings, or an ended budget, are no failure of the program.
        let code = it.ended.and_then(|status| status.code());
        ensure!(
            matches!(code, Some(0 | 2 | 3)),
            "{} failed ({:?}): see {}.err and .out",
            it.name,
            it.ended,
            it.name
        );
    }
    Ok(raced)
}

/// A process: who has started it, and the seconds of processor time of it and of those that it has waited for.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Process {
    parent: u32,
    seconds: f64,
}

/// All processes of the machine.
fn processes() -> Result<HashMap<u32, Process>> {
    // SAFETY: a question without arguments that point anywhere.
    let ticks = unsafe { libc::sysconf(libc::_SC_CLK_TCK) }.max(1) as f64;
    let mut all = HashMap::new();
    for entry in fs::read_dir("/proc")? {
        let entry = entry?;
        let Ok(id) = entry.file_name().to_string_lossy().parse() else {
            continue;
        };
        // It may have ended in the meantime.
        let text = fs::read_to_string(entry.path().join("stat"));
        if let Some(process) = text.ok().and_then(|text| process(&text, ticks)) {
            all.insert(id, process);
        }
    }
    Ok(all)
}

/// From what stands in `/proc/ID/stat`.
fn process(text: &str, ticks: f64) -> Option<Process> {
    // The name of the program, which may have anything in it, ends with the last bracket.
    let (_, rest) = text.rsplit_once(')')?;
    let mut fields = rest.split_whitespace();
    let parent = fields.nth(1)?.parse().ok()?;
    let times = fields.skip(9).take(4);
    let seconds: Option<f64> = times.map(|time| time.parse::<f64>().ok()).sum();
    Some(Process {
        parent,
        seconds: seconds? / ticks,
    })
}

/// What a process and all that come from it have used.
fn used(all: &HashMap<u32, Process>, root: u32) -> f64 {
    let is_below = |mut id: u32| {
        // No chain is longer than there are processes.
        for _ in 0..all.len() {
            if id == root {
                return true;
            }
            match all.get(&id) {
                Some(process) => id = process.parent,
                None => return false,
            }
        }
        false
    };
    let below = all.iter().filter(|(id, _)| is_below(**id));
    below.map(|(_, process)| process.seconds).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(line: &str, share: f64, log: &Path) -> Instance {
        let mut command = Command::new("sh");
        command.args(["-c", line]);
        Instance::new(command, share, log).unwrap()
    }

    #[test]
    fn what_comes_from_a_process_counts() {
        let text = "7 (a (b) c) S 3 7 7 0 -1 4194560 1 2 3 4 100 20 3 1 20 0 1 0 99";
        let of = |parent, seconds| Process { parent, seconds };
        assert_eq!(process(text, 100.0), Some(of(3, 1.24)));
        let all = [
            (1, of(0, 9.0)),
            (3, of(1, 1.0)),
            (7, of(3, 2.0)),
            (8, of(1, 4.0)),
        ];
        assert_eq!(used(&all.into(), 3), 3.0);
    }

    #[test]
    fn who_has_used_its_share_is_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let log = |name: &str| folder.path().join(name);
        // What is used by a child of it counts, and one that ends by itself is not waited for.
        let busy = "trap 'kill $!; exit 0' TERM; (while :; do :; done) & wait";
        let instances = vec![
            shell(busy, 0.3, &log("busy")),
            shell("exit 0", 9.0, &log("brief")),
        ];
        let raced = race(instances, Duration::from_secs(60)).unwrap();
        assert!(
            raced.used[0] >= 0.3 && raced.used[1] < 0.3,
            "{:?}",
            raced.used
        );
        assert!(!raced.cut_short && raced.seconds < 60.0);
        let (begun, used) = raced.moments[0];
        assert!(used == 0.0 && raced.used_by(begun) == 0.0);
        assert!(raced.used_by(SystemTime::now()) >= 0.3);

        let idle = vec![shell("exec sleep 60", 9.0, &log("idle"))];
        let error = race(idle, Duration::from_millis(300)).err().unwrap();
        assert!(error.to_string().contains("failed"), "{error}");
    }
}
