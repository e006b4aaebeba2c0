//! The programs in C. A program exits with its variables, two bits of each, and each value is a path of its own. With
//! `-DDELAYS` threads take their time now and then.

use super::{Op, Outside, Program, Source, VARIABLES};
use std::collections::BTreeSet;
use std::fmt::{self, Display};

const BEGIN: &str = r#"#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static unsigned char in[2];
static unsigned char v[8] __attribute__((aligned(8)));
static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t s;
static const struct timespec soon = {1, 0};
static int folder[2], file;

#ifdef DELAYS
static void delay(void)
{
    static _Thread_local unsigned long long x;
    x = (x ^ __builtin_ia32_rdtsc()) * 0x9e3779b97f4a7c15;
    struct timespec some = {0, (long)(x >> 40) % 90000};
    if (x >> 62 == 0)
        syscall(SYS_nanosleep, &some, NULL);
    else
        for (volatile unsigned n = x >> 50 & 1023; n > 0; n--)
            ;
}
#define DELAY delay();
#define ALARM ualarm(1 + __builtin_ia32_rdtsc() % 200, 0)
#else
#define DELAY
#define ALARM alarm(1)
#endif
"#;

const MIDDLE: &str = r"
static int two_bits(int of)
{
    DELAY
    switch (__atomic_load_n(&v[of], __ATOMIC_RELAXED) & 3) {
    case 0: return 0;
    case 1: return 1;
    case 2: return 2;
    }
    return 3;
}
";

impl Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Number(number) => write!(f, "{number}"),
            Source::Input(input) => write!(f, "i{input}"),
            Source::Register(register) => write!(f, "r{register}"),
        }
    }
}

impl Program {
    pub(super) fn has(&self, what: impl Fn(&Op) -> bool) -> bool {
        let mut ops = self.threads.iter().flat_map(|thread| &thread.ops);
        ops.any(what)
    }

    fn body(&self, f: &mut fmt::Formatter<'_>, thread: usize) -> fmt::Result {
        let ops = &self.threads[thread].ops;
        let mut ends = BTreeSet::new();
        for (at, op) in ops.iter().enumerate() {
            if ends.contains(&at) {
                writeln!(f, "L{at}:;")?;
            }
            match op {
                Op::Check(of) => self.checks(f, *of)?,
                Op::Tell(_) | Op::End => {}
                _ => writeln!(f, "    DELAY {}", statement(*op, thread, at))?,
            }
            if let Op::Skip(_, _, count) = op {
                ends.insert(at + 1 + count);
            }
        }
        if ends.contains(&ops.len()) {
            writeln!(f, "L{}:;", ops.len())?;
        }
        Ok(())
    }

    fn checks(&self, f: &mut fmt::Formatter<'_>, thread: usize) -> fmt::Result {
        for (at, op) in self.threads[thread].ops.iter().enumerate() {
            if matches!(op, Op::Fail(..)) {
                writeln!(f, "    if (f{thread} == {}) abort();", at + 1)?;
            }
        }
        Ok(())
    }

    fn tells(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("    int code = 0;\n")?;
        for variable in 0..VARIABLES {
            writeln!(f, "    code |= two_bits({variable}) << {};", 2 * variable)?;
        }
        Ok(())
    }

    /// The line of the C program at which it fails for an operation.
    pub fn line(&self, thread: usize, at: usize) -> Option<u32> {
        let text = self.to_string();
        let check = format!("    if (f{thread} == {}) abort();", at + 1);
        let line = text.lines().position(|line| line == check)?;
        u32::try_from(line + 1).ok()
    }
}

impl Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Inputs are no memory that threads share.
        const REGISTERS: &str = "    unsigned char r0 = 0, r1 = 0, i0 = given & 3, i1 = given >> 2;\n    \
             (void)r0, (void)r1, (void)i0, (void)i1;\n";
        f.write_str(BEGIN)?;
        let (outside, alarms) = (
            self.has(|op| matches!(op, Op::Outside(_))),
            self.has(|op| matches!(op, Op::Alarm)),
        );
        if self.threads.iter().any(|thread| thread.cleans) {
            f.write_str(
                "\nstatic void cleans(void *unused)\n{\n    (void)unused;\n    DELAY\n    \
                 __atomic_fetch_add(&v[2], 1, __ATOMIC_RELAXED);\n}\n",
            )?;
        }
        if alarms {
            f.write_str(
                "\nstatic void rings(int unused)\n{\n    (void)unused;\n    \
                 __atomic_store_n(&v[2], 1, __ATOMIC_RELAXED);\n}\n",
            )?;
        }
        for (thread, of) in self.threads[..self.main()].iter().enumerate() {
            write!(
                f,
                "\nstatic int f{thread};\nstatic void *t{thread}(void *argument)\n{{\n    \
                 unsigned long given = (unsigned long)argument;\n{REGISTERS}"
            )?;
            if of.cleans {
                f.write_str("    pthread_cleanup_push(cleans, NULL);\n")?;
            }
            self.body(f, thread)?;
            f.write_str("    goto out;\nout:;\n")?;
            if of.cleans {
                f.write_str("    pthread_cleanup_pop(0);\n")?;
            }
            f.write_str("    return NULL;\n}\n")?;
        }
        f.write_str(MIDDLE)?;
        if self.exits {
            f.write_str("\nstatic void at_the_end(void)\n{\n")?;
            Self::tells(f)?;
            f.write_str("    _exit(code);\n}\n")?;
        }
        write!(
            f,
            "\nint main(void)\n{{\n    if (read(0, in, 2) != 2)\n        return 64;\n    unsigned long given = (in[0] & 3) | (in[1] & 3) << 2;\n{REGISTERS}    \
             sem_init(&s, 0, 0);\n"
        )?;
        if outside {
            f.write_str(
                "    umask(0);\n    mkdir(\"d0\", 0700);\n    mkdir(\"d1\", 0700);\n    \
                 folder[0] = open(\"d0\", O_RDONLY);\n    folder[1] = open(\"d1\", O_RDONLY);\n    \
                 file = open(\"g\", O_RDWR | O_CREAT | O_TRUNC, 0600);\n    \
                 if (fchdir(folder[0]))\n        return 65;\n",
            )?;
        }
        if alarms {
            f.write_str("    signal(SIGALRM, rings);\n")?;
        }
        if self.exits {
            f.write_str("    atexit(at_the_end);\n")?;
        }
        let count = self.main();
        writeln!(f, "    pthread_t t[{count}];")?;
        for thread in 0..count {
            writeln!(
                f,
                "    pthread_create(&t[{thread}], NULL, t{thread}, (void *)given);"
            )?;
        }
        self.body(f, count)?;
        if self.exits {
            return f.write_str("    return 0;\n}\n");
        }
        Self::tells(f)?;
        f.write_str("    return code;\n}\n")
    }
}

fn statement(op: Op, thread: usize, at: usize) -> String {
    match op {
        Op::Load(register, variable) => {
            format!("r{register} = __atomic_load_n(&v[{variable}], __ATOMIC_RELAXED);")
        }
        Op::Store(variable, from) => {
            format!("__atomic_store_n(&v[{variable}], {from}, __ATOMIC_RELAXED);")
        }
        Op::StoreNow(variable, from) => {
            format!("__atomic_store_n(&v[{variable}], {from}, __ATOMIC_SEQ_CST);")
        }
        Op::Fence => "__atomic_thread_fence(__ATOMIC_SEQ_CST);".into(),
        Op::Add(register, variable, from) => {
            format!("r{register} = __atomic_fetch_add(&v[{variable}], {from}, __ATOMIC_SEQ_CST);")
        }
        Op::LoadBoth(register) => format!(
            "{{ unsigned short b = __atomic_load_n((unsigned short *)v, __ATOMIC_RELAXED); \
             r{register} = (b & 255) + (b >> 8); }}"
        ),
        Op::StoreBoth(from) => {
            format!(
                "__atomic_store_n((unsigned short *)v, (unsigned short)({from} | {from} << 8), \
                 __ATOMIC_RELAXED);"
            )
        }
        Op::Lock(lock) => format!("pthread_mutex_lock(&m[{lock}]);"),
        Op::Unlock(lock) => format!("pthread_mutex_unlock(&m[{lock}]);"),
        Op::Wait(lock, None) => format!("pthread_cond_wait(&c, &m[{lock}]);"),
        Op::Wait(lock, Some(register)) => {
            format!("r{register} = pthread_cond_timedwait(&c, &m[{lock}], &soon) == 0;")
        }
        Op::Signal => "pthread_cond_signal(&c);".into(),
        Op::Broadcast => "pthread_cond_broadcast(&c);".into(),
        Op::Down => "sem_wait(&s);".into(),
        Op::Up => "sem_post(&s);".into(),
        Op::Outside(outside) => touches(outside),
        Op::Rest => "pthread_testcancel();".into(),
        Op::Cancellable(true) => "pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);".into(),
        Op::Cancellable(false) => "pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);".into(),
        Op::Cancel(thread) => format!("pthread_cancel(t[{thread}]);"),
        Op::Alarm => "ALARM;".into(),
        Op::Fork => "if (fork() == 0) _exit(0);".into(),
        Op::Join(thread) => format!("pthread_join(t[{thread}], NULL);"),
        Op::Check(_) | Op::Tell(_) | Op::End => unreachable!("more than a statement"),
        Op::Spin([(one, first), (other, second)]) => format!(
            "while (__atomic_load_n(&v[{one}], __ATOMIC_RELAXED) == {first} && \
             __atomic_load_n(&v[{other}], __ATOMIC_RELAXED) == {second}) DELAY;"
        ),
        Op::Skip(register, than, count) => {
            format!("if (r{register} < {than}) goto L{};", at + 1 + count)
        }
        Op::Fail(register, with) => {
            let told = at + 1;
            format!("if (r{register} == {with}) {{ f{thread} = {told}; goto out; }}")
        }
    }
}

fn touches(outside: Outside) -> String {
    match outside {
        Outside::SetEnvironment(number) => format!("setenv(\"ELW_E\", \"{number}\", 1);"),
        Outside::GetEnvironment(register) => {
            format!("{{ const char *e = getenv(\"ELW_E\"); r{register} = e ? e[0] - '0' : 3; }}")
        }
        Outside::Seed(number) => format!("srand({number});"),
        Outside::Random(register) => format!("r{register} = rand() & 3;"),
        Outside::Create(register) => {
            format!("r{register} = open(\"f\", O_CREAT | O_EXCL | O_WRONLY, 0600) >= 0;")
        }
        Outside::Remove(register) => format!("r{register} = unlink(\"f\") == 0;"),
        Outside::Exists(register) => format!("r{register} = access(\"f\", F_OK) == 0;"),
        Outside::Go(folder) => format!("if (fchdir(folder[{folder}])) abort();"),
        Outside::Where(register) => format!(
            "{{ char p[512]; r{register} = getcwd(p, sizeof p) ? p[strlen(p) - 1] - '0' : 3; }}"
        ),
        Outside::Rights(register, number) => format!("r{register} = umask({number});"),
        Outside::Write(number) => {
            format!("{{ unsigned char b = {number}; if (write(file, &b, 1) != 1) abort(); }}")
        }
        Outside::Read(register) => {
            format!("{{ unsigned char b; r{register} = read(file, &b, 1) == 1 ? b : 3; }}")
        }
        Outside::First(register) => {
            format!("{{ unsigned char b; r{register} = pread(file, &b, 1, 0) == 1 ? b : 3; }}")
        }
        Outside::Rewind => "lseek(file, 0, SEEK_SET);".into(),
    }
}
