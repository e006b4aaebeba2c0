//! Processes that have several runs: whatever a run has done, the next one sees nothing of it, and
//! is what it would be in a process of its own.

use elsewise_driver::{Cache, Program};
use elsewise_explore::{Case, Subject, Trace};
use elsewise_native::{NativeOptions, NativeSubject, Stdin};
use elsewise_term::Terms;
use std::fs;
use std::time::Duration;
use tempfile::TempDir;

/// Builds a program with an input byte `what`, and one subject of it that gives every run a process of
/// its own, one that does not.
fn build(body: &str) -> (TempDir, [NativeSubject; 2]) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("subject.c");
    let source = format!("#define _GNU_SOURCE\n#include <elsewise.h>\n{body}");
    fs::write(&file, source).unwrap();
    let cache = Cache::at(folder.path().join("cache"));
    let out = folder.path().join("out");
    let flags = ["-O0".into(), "-lm".into()];
    let program = Program::from_source_with(&[file], &flags, &out, &cache)
        .unwrap_or_else(|error| panic!("{error}"));
    let subjects = [false, true].map(|reuse| {
        let options = NativeOptions {
            stdin: Stdin::Fixed(0),
            time_limit: Duration::from_millis(500),
            reuse,
            ..NativeOptions::default()
        };
        NativeSubject::new(&program, &options).unwrap_or_else(|error| panic!("{error}"))
    });
    (folder, subjects)
}

fn case(what: u8) -> Case {
    let mut case = Case::default();
    case.inputs.insert("stdin".into(), Vec::new());
    case.inputs.insert("what".into(), vec![what]);
    case
}

/// All of a trace but for the time it took.
fn words(trace: &Trace) -> String {
    let mut trace = trace.clone();
    trace.cpu_micros = 0;
    format!("{trace:?}")
}

/// Runs the case both ways; the traces must be the same. True if its process can have another run.
fn same(subjects: &mut [NativeSubject; 2], what: u8, terms: &mut Terms) -> bool {
    let [alone, many] = subjects;
    let before = many.runs_put_back();
    let expected = alone.run(&case(what), terms).unwrap();
    let seen = many.run(&case(what), terms).unwrap();
    assert_eq!(words(&expected), words(&seen), "case {what}");
    assert_eq!(alone.runs_put_back(), 0);
    many.runs_put_back() > before
}

/// Runs cases 0.. of a program, of which 0 looks for what others have left; says for each whether its
/// process could have another run.
fn compare(body: &str, cases: u8) -> Vec<bool> {
    let (_folder, mut subjects) = build(body);
    let mut terms = Terms::new();
    let mut put_back = vec![false; cases.into()];
    for first in (0..cases).rev() {
        for what in [first, first, 0, first, (first + 1) % cases, 0] {
            put_back[usize::from(what)] |= same(&mut subjects, what, &mut terms);
        }
    }
    put_back
}

/// A server that is slow after it has forked, as one is on a busy machine.
const SLOW: &str = r#"
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
static void slow(void) { struct timespec some = { 0, 20000000 }; syscall(SYS_nanosleep, &some, 0); }
__attribute__((constructor)) static void begin(void) { pthread_atfork(0, slow, 0); }
int main(void) {
    unsigned char what;
    elsewise_input(&what, 1, "what");
    if (what == 3) return 3;
    return 0;
}
"#;

#[test]
fn a_run_may_be_over_before_its_server_goes_on() {
    compare(SLOW, 4);
}

const MEMORY: &str = r#"
#include <errno.h>
#include <fenv.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int counter;
static int table[100000] = { 1 };
static char zeros[1 << 20];
static __thread int own = 5;
static int *kept;
static void at_end(void) { counter++; }
static int deep(int n) { volatile char room[1000]; room[0] = n; return n ? deep(n - 1) + room[0] : 0; }
int main(void) {
    unsigned char what;
    elsewise_input(&what, 1, "what");
    int seen = counter++ + (table[50000] != 0) + (zeros[700000] != 0) + (own != 5) + (kept != NULL)
        + (errno != 0) + (fegetround() != FE_TONEAREST) + (getenv("LEFT") != NULL)
        + (rand() != 1804289383);
    if (seen) return 100 + seen;
    switch (what) {
    case 0: return 0;
    case 1: table[50000] = 1; zeros[700000] = 1; own = 6; return 1;
    case 2: kept = malloc(40); *kept = 7; return (long)kept >> 4 & 63;
    case 3: for (int i = 0; i < 3000; i++) { kept = malloc(100); memset(kept, i, 100); } return (long)kept >> 4 & 63;
    case 4: fesetround(FE_UPWARD); errno = EDOM; return nearbyint(what + 0.25);
    case 5: setenv("LEFT", "x", 1); setlocale(LC_ALL, "C"); return 5;
    case 6: printf("%d, %s\n", what, "said"); fprintf(stderr, "x"); atexit(at_end); return 6;
    case 7: for (int i = 0; i < 50; i++) rand(); exit(7);
    case 8: return deep(20);
    case 9: _Exit(9);
    case 10: elsewise_assume(what != 10); return 10;
    case 11: { char *block = malloc(500); int dirty = block[100] != 0; memset(block, 1, 500); free(block); return dirty; }
    }
    return 0;
}
"#;

#[test]
fn a_run_sees_no_memory_of_the_one_before() {
    let put_back = compare(MEMORY, 12);
    assert_eq!(put_back, [true; 12], "what only memory knows is put back");
}

const SYSTEM: &str = r#"
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile int handled;
static void on_signal(int signal) { handled = signal; }
static void *thread(void *unused) { handled = 1; return unused; }
static int deep(int n) { volatile char room[4096]; room[0] = n; return n ? deep(n - 1) + room[0] : 0; }
int main(void) {
    unsigned char what;
    elsewise_input(&what, 1, "what");
    struct sigaction action;
    sigset_t mask;
    struct stat stat_;
    int left;
    if (what == 0) {
        sigaction(SIGUSR1, NULL, &action);
        sigprocmask(SIG_BLOCK, NULL, &mask);
        mode_t old = umask(022);
        left = (action.sa_handler != SIG_DFL) + sigismember(&mask, SIGUSR2) + (stat("log", &stat_) == 0)
            + (old != 022) + (fcntl(5, F_GETFD) >= 0) + handled + (getpriority(PRIO_PROCESS, 0) > 5);
        return left;
    }
    switch (what) {
    case 1: { FILE *f = fopen("log", "a"); fprintf(f, "line\n"); fclose(f); return 1; }
    case 2: signal(SIGUSR1, on_signal); raise(SIGUSR1); return handled == SIGUSR1 ? 2 : 1;
    case 3: sigemptyset(&mask); sigaddset(&mask, SIGUSR2); sigprocmask(SIG_BLOCK, &mask, NULL); return 3;
    case 4: umask(077); setpriority(PRIO_PROCESS, 0, 10); return 4;
    case 5: dup2(1, 5); return 5;
    case 6: if (fork() == 0) _exit(6); { int status; wait(&status); return WEXITSTATUS(status); }
    case 7: { pthread_t t; pthread_create(&t, NULL, thread, NULL); pthread_join(t, NULL); return 6 + handled; }
    case 8: { char *m = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); m[5] = 1; return (long)m >> 12 & 63; }
    case 9: { char *m = malloc(1 << 20); memset(m, 1, 1 << 20); return (long)m >> 4 & 63; }
    case 10: alarm(1); return 10;
    case 11: return deep(100) & 63;
    case 12: abort();
    case 13: return *(volatile char *)(long)(what - 13);
    case 14: return 14 / (what - 14);
    case 15: for (;;) { }
    case 16: chdir("/"); return 16;
    case 17: close(0); close(1); return 17;
    case 18: { char *end = sbrk(0); brk(end - 4096); return 18; }
    case 19: return 19;
    }
    return 0;
}
"#;

#[test]
fn what_was_done_to_the_system_ends_with_the_process() {
    let put_back = compare(SYSTEM, 20);
    // Nothing was asked of the system in the last case only.
    let mut expected = [false; 20];
    expected[19] = true;
    assert_eq!(put_back, expected);
}

#[test]
fn a_run_that_is_not_the_same_alone_is_told_of_and_the_last_of_its_kind() {
    let (_folder, subjects) = build(
        r#"
        int main(void) {
            unsigned char what;
            elsewise_input(&what, 1, "what");
            unsigned long now = __builtin_ia32_rdtsc() | 256;
            return what == now;
        }"#,
    );
    let [mut alone, mut many] = subjects;
    let mut terms = Terms::new();
    let kinds = |trace: &Trace| -> Vec<&str> {
        let approximations = trace.approximations.iter();
        approximations.map(|known| known.kind.word()).collect()
    };
    let trace = alone.run(&case(1), &mut terms).unwrap();
    assert!(kinds(&trace).is_empty());
    let trace = many.run(&case(1), &mut terms).unwrap();
    assert_eq!(kinds(&trace), ["unlike-alone"]);
    assert_eq!(many.runs_put_back(), 1);
    for _ in 0..3 {
        let trace = many.run(&case(1), &mut terms).unwrap();
        assert!(kinds(&trace).is_empty());
    }
    assert_eq!(many.runs_put_back(), 1);
}

#[test]
fn what_lies_below_the_stack_is_the_same_in_every_run() {
    let (_folder, [_, mut many]) = build(
        r#"
        static int garbage(void) {
            volatile int room[2000];
            int sum = 0;
            for (int i = 0; i < 2000; i++) {
                sum = sum * 3 + room[i];
                room[i] = i;
            }
            return sum & 127;
        }
        int main(void) {
            unsigned char what;
            elsewise_input(&what, 1, "what");
            return garbage();
        }"#,
    );
    // Every other of the first runs is compared with a forked one.
    let mut terms = Terms::new();
    let traces: Vec<String> = (0..9)
        .map(|_| words(&many.run(&case(0), &mut terms).unwrap()))
        .collect();
    assert_eq!(traces, vec![traces[0].clone(); 9]);
    assert!(traces[0].contains("approximations: []"), "{}", traces[0]);
    assert_eq!(many.runs_put_back(), 9);
}

#[test]
fn memory_that_others_see_is_left_alone() {
    let (_folder, mut subjects) = build(
        r#"
        #include <sys/mman.h>
        int main(void) {
            int *seen = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
            unsigned char what;
            elsewise_input(&what, 1, "what");
            return what + seen[0];
        }"#,
    );
    let mut terms = Terms::new();
    for what in 0..3 {
        assert!(!same(&mut subjects, what, &mut terms));
    }
}

#[test]
fn long_series_are_compared_and_their_processes_replaced() {
    let (_folder, mut subjects) = build(
        r#"
        #include <stdlib.h>
        static int count;
        int main(void) {
            unsigned char what;
            elsewise_input(&what, 1, "what");
            char *block = malloc(what + 1);
            block[what] = ++count;
            return block[what] + (what > 100);
        }"#,
    );
    let mut terms = Terms::new();
    let put_back = (0..600u32)
        .filter(|step| same(&mut subjects, (step * 7 % 256) as u8, &mut terms))
        .count();
    assert_eq!(put_back, 600);
}
