//! Machines of other languages, contained as subjects are: each has namespaces, a directory and a jail of its own,
//! for as long as it lives. Between two of its runs, what the first has left is ended and removed.

use super::{Area, Containment, Family, Jail, Launch, SupervisedProcess, narrow, place};
use elsewise_child::{Left, Machine, Running, Start, Starter, by_starter};
use std::ffi::OsStr;
use std::io;
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

/// How often it is looked whether the processes of a run end by themselves, each after a millisecond.
const PATIENCE: u32 = 20;

/// A run that takes less has started no process: that alone takes longer. To look for some takes as long as many a run.
const SHORT: Duration = Duration::from_micros(300);
/// But it is looked from time to time.
const OFTEN: Duration = Duration::from_millis(100);

/// Starts machines that are contained so, or that are not.
pub struct ContainedMachines(pub Containment);

struct Contained {
    kept: SupervisedProcess,
    area: Area,
    /// Processes that it has besides those of a run.
    own: Vec<i32>,
    /// What the dead children of these have cost.
    children: u64,
    /// When it was looked for others last.
    looked: Instant,
}

impl Start for ContainedMachines {
    fn start(&self, mut machine: Machine) -> io::Result<Box<dyn Running>> {
        if !self.0.on {
            narrow(&mut machine.command, &self.0);
            return Starter::default().start(machine);
        }
        let area = Area::new(self.0.place.as_deref())?;
        let mut containment = self.0.clone();
        if !machine.own_folder {
            containment.workdir = machine.command.get_current_dir().map(Path::to_path_buf);
        }
        let jail = Jail::new(&containment, &[area.path()])?;
        // Its end is bound to that of the thread that makes it.
        let kept = by_starter({
            let own = area.path().to_path_buf();
            move || begin(machine, &containment, jail, &own)
        })??;
        Ok(Box::new(Contained {
            kept,
            area,
            own: Vec::new(),
            children: 0,
            looked: Instant::now(),
        }))
    }
}

fn begin(
    machine: Machine,
    how: &Containment,
    jail: Jail,
    own: &Path,
) -> io::Result<SupervisedProcess> {
    let wanted = &machine.command;
    let mut command = Command::new(find(wanted.get_program())?);
    command.args(wanted.get_args());
    for (name, value) in wanted.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    place(&mut command, how, own);
    // As SWI-Prolog calls it.
    command.env("TMP", own).env("TEMP", own);
    SupervisedProcess::start(Launch {
        command: &command,
        stdio: machine.stdio,
        inherit: machine.inherit.iter().map(AsRawFd::as_raw_fd).collect(),
        // It has limits of its own, and reserves much more than it uses.
        address_space: None,
        jail,
    })
}

/// Where a program lies.
fn find(program: &OsStr) -> io::Result<PathBuf> {
    if Path::new(program).components().count() > 1 {
        return Ok(program.into());
    }
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let mut found = std::env::split_paths(&paths).map(|folder| folder.join(program));
    let found = found.find(|path| path.is_file());
    found.ok_or_else(|| io::ErrorKind::NotFound.into())
}

impl Running for Contained {
    fn has_ended(&mut self) -> io::Result<bool> {
        Ok(self.kept.try_wait()?.is_some())
    }

    fn is_ready(&mut self) -> io::Result<()> {
        let family = self.kept.family();
        self.own = family.numbers()?;
        self.children = children(family, &self.own);
        // What loading has written is there for every run.
        self.area.keep()
    }

    fn clean(&mut self, took: Duration) -> io::Result<Left> {
        if self.area.may_have_changed() {
            self.area.restore()?;
        }
        if took < SHORT && self.looked.elapsed() < OFTEN {
            return Ok(Left::default());
        }
        self.looked = Instant::now();
        let family = self.kept.family();
        let others = || -> io::Result<bool> {
            let all = family.numbers()?;
            Ok(all.iter().any(|pid| !self.own.contains(pid)))
        };
        let mut left = others()?;
        // A shell whose output has ended is about to.
        for _ in 0..PATIENCE {
            if !left {
                break;
            }
            thread::sleep(Duration::from_millis(1));
            left = others()?;
        }
        let processes = match left {
            true => family.end(&self.own)?,
            false => 0,
        };
        let children = children(family, &self.own);
        let unseen = processes > 0 || children != self.children;
        self.children = children;
        Ok(Left { processes, unseen })
    }
}

/// Faults of pages of the children that these have had: no process is without any.
fn children(family: &Family, own: &[i32]) -> u64 {
    own.iter().map(|pid| family.faults_of_children(*pid)).sum()
}
