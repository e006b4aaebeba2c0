//! Members of a fleet whose clocks jump by hours and years, each by its own: what they explore together is what one explores.
//!
//! Their clocks are those of the calendar; how much time has gone by, a system counts apart. Debian's libfaketime would
//! do the same, but leaves memory behind that is shared with each process that is killed, and changes the times of files.

use crate::fleet::{QUERY, Tree, worker};
use anyhow::{Context, Result, ensure};
use elsewise_cluster::server::Server;
use elsewise_test_random::{Random, number};
use elsewise_tests::command::{explore, explore_with};
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const MEMBERS: usize = 3;
/// Branches of the program, each of which doubles its paths.
const BRANCHES: usize = 10;
/// Clocks jump so far at most: three years.
const FAR: i64 = 3 * 365 * 24 * 3600;

/// A run takes so long that clocks jump many times in a campaign. One path fails, and one does for one value.
const SOURCE: &str = r#"
#include <assert.h>
#include <unistd.h>

int main(void)
{
    unsigned char b[BRANCHES];
    int above = 0;
    if (read(0, b, sizeof b) != (ssize_t)sizeof b)
        return 99;
    usleep(3000);
    for (int i = 0; i < (int)sizeof b; i++)
        if (b[i] > 100 + i)
            above++;
    assert(above != BRANCHES);
    if (above == BRANCHES - 1 && b[3] == 7)
        *(volatile int *)0 = 1;
    return above;
}
"#;

/// Stands before the C library: what it says of the time of day is wrong by as many seconds as a file has.
const CLOCK: &str = r#"
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile long none;
static const volatile long *wrong = &none;

__attribute__((constructor)) static void begin(void)
{
    const char *name = getenv("WRONG_BY");
    int file = name ? open(name, O_RDONLY | O_CLOEXEC) : -1;
    void *place = file < 0 ? MAP_FAILED : mmap(0, sizeof none, PROT_READ, MAP_SHARED, file, 0);
    if (place != MAP_FAILED)
        wrong = place;
    close(file);
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    int result = syscall(SYS_clock_gettime, clock, now);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        now->tv_sec += *wrong;
    return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    struct timespec exact;
    (void)zone;
    if (clock_gettime(CLOCK_REALTIME, &exact) != 0)
        return -1;
    now->tv_sec = exact.tv_sec;
    now->tv_usec = exact.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *place)
{
    struct timespec exact;
    clock_gettime(CLOCK_REALTIME, &exact);
    if (place)
        *place = exact.tv_sec;
    return exact.tv_sec;
}
"#;

/// The clock of a member.
struct Clock<'a> {
    library: &'a Path,
    path: PathBuf,
    wrong_by: File,
}

impl Clock<'_> {
    fn new(library: &Path) -> Result<Clock<'_>> {
        let (wrong_by, path) =
            tempfile::NamedTempFile::new_in(library.parent().context("where")?)?.keep()?;
        let clock = Clock {
            library,
            path,
            wrong_by,
        };
        clock.jump(0)?;
        Ok(clock)
    }

    fn jump(&self, seconds: i64) -> Result<()> {
        Ok(self.wrong_by.write_all_at(&seconds.to_ne_bytes(), 0)?)
    }

    fn of(&self, command: &mut Command) {
        command
            .env("LD_PRELOAD", self.library)
            .env("WRONG_BY", &self.path);
    }

    /// By how many seconds a process that has it is wrong.
    fn is_wrong_by(&self) -> Result<i64> {
        let mut date = Command::new("date");
        date.arg("+%s");
        self.of(&mut date);
        let said = String::from_utf8(date.output()?.stdout)?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs() as i64;
        Ok(said.trim().parse::<i64>()? - now)
    }
}

fn library(folder: &Path) -> Result<PathBuf> {
    let (source, library) = (folder.join("clock.c"), folder.join("clock.so"));
    fs::write(&source, CLOCK)?;
    let mut gcc = Command::new("gcc");
    gcc.args(["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o"]);
    let output = gcc.arg(&library).arg(&source).output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{said}");
    Ok(library)
}

fn campaign(server: &Server, seed: u64) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let folder = folder.path();
    let mut random = Random::new(seed);
    let source = folder.join("program.c");
    fs::write(&source, SOURCE.replace("BRANCHES", &BRANCHES.to_string()))?;
    let options = vec![
        format!("--input-size={BRANCHES}"),
        format!("--query-timeout={QUERY}"),
    ];
    let sources = [source];
    let alone = Tree::of(&explore(&sources, &options, folder)?);
    ensure!(alone.complete && alone.findings.len() == 2, "{alone:?}");

    let library = library(folder)?;
    let clocks = (0..MEMBERS).map(|_| Clock::new(&library));
    let clocks = clocks.collect::<Result<Vec<_>>>()?;
    clocks[0].jump(-FAR)?;
    let wrong = clocks[0].is_wrong_by()?;
    ensure!((wrong + FAR).abs() < 60, "a process is wrong by {wrong} s");
    let place = format!("{}/c{seed}", server.address());
    let in_fleet = [options, vec![format!("--fleet={place}")]].concat();
    let over = AtomicBool::new(false);
    let (together, jumps) = std::thread::scope(|scope| {
        let jumping = scope.spawn(|| -> Result<u64> {
            let mut jumps = 0;
            while !over.load(Relaxed) {
                random.pick(&clocks).jump(random.between(-FAR, FAR))?;
                jumps += 1;
                std::thread::sleep(Duration::from_millis(random.word_below(100)));
            }
            Ok(jumps)
        });
        let (place, own) = (&place, folder.join("fleet"));
        let workers: Vec<_> = clocks[1..]
            .iter()
            .map(|clock| scope.spawn(|| worker(place, folder, |command| clock.of(command))))
            .collect();
        let together = fs::create_dir(&own).map_err(Into::into).and_then(|()| {
            explore_with(&sources, &in_fleet, &own, |command| {
                command.current_dir(folder);
                clocks[0].of(command);
            })
        });
        let workers: Vec<_> = workers.into_iter().map(|it| it.join()).collect();
        over.store(true, Relaxed);
        for worker in workers {
            worker.expect("no panic")?;
        }
        Ok::<_, anyhow::Error>((together?, jumping.join().expect("no panic")?))
    })?;
    let together = Tree::of(&together);
    ensure!(
        together == alone,
        "seed {seed}: {together:?}\nalone: {alone:?}"
    );
    println!("seed {seed}: {jumps} jumps");
    ensure!(jumps >= 10, "{jumps} jumps are too few to say anything");
    Ok(())
}

/// One campaign for ten of those with other faults (`cargo xtask soak faults`).
#[test]
fn members_whose_clocks_jump() -> Result<()> {
    let campaigns = number("ELSEWISE_RANDOM_FAULTS").map_or(1, |count| count.div_ceil(10));
    let first = number("ELSEWISE_RANDOM_FIRST").unwrap_or(0);
    let server = Server::start();
    (first..first + campaigns).try_for_each(|seed| campaign(&server, seed))
}
