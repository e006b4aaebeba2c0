//! Whole programs: built by the driver, run through the fork server and on their plain twins.

use elsewise_driver::{Cache, NativeError, Program};
use elsewise_explore::{Case, Outcome, Shape, Subject, Trace};
use elsewise_native::{NativeOptions, NativeSubject, Stdin};
use elsewise_term::Terms;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tempfile::TempDir;

struct Built {
    folder: TempDir,
    program: Program,
}

fn build(source: &str, cflags: &[&str]) -> Built {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("subject.c");
    fs::write(&file, source).unwrap();
    let cflags: Vec<OsString> = cflags.iter().map(OsString::from).collect();
    let cache = Cache::at(folder.path().join("cache"));
    let out = folder.path().join("out");
    let program = Program::from_source_with(&[file], &cflags, &out, &cache)
        .unwrap_or_else(|error| panic!("{error}"));
    Built { folder, program }
}

impl Built {
    fn subject(&self, stdin: Stdin) -> NativeSubject {
        self.subject_within(Duration::from_millis(500), stdin)
    }

    fn subject_within(&self, time_limit: Duration, stdin: Stdin) -> NativeSubject {
        let options = NativeOptions {
            stdin,
            time_limit,
            ..NativeOptions::default()
        };
        NativeSubject::new(&self.program, &options).unwrap_or_else(|error| panic!("{error}"))
    }
}

fn stdin(bytes: &[u8]) -> Case {
    let mut case = Case::default();
    case.inputs.insert("stdin".into(), bytes.to_vec());
    case
}

/// Runs the case on both builds; every condition must hold for the case that made it, and both
/// must end alike.
fn run(subject: &mut NativeSubject, case: &Case) -> Trace {
    let mut terms = Terms::new();
    let trace = subject.run(case, &mut terms).unwrap();
    for choice in &trace.choices {
        let condition = choice.taken_condition(&mut terms);
        assert!(terms.eval_bool(condition, &trace.present), "{choice:?}");
    }
    let plain = subject.confirm(case).unwrap();
    assert_eq!(kind(&plain), kind(&trace.outcome), "{case:?}");
    trace
}

fn kind(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Exit(code) => format!("exit {code}"),
        Outcome::Assumed => "assumed".into(),
        Outcome::Failure { kind, .. } => kind.to_string(),
    }
}

const BRANCHES: &str = r#"
#include <unistd.h>
#include <assert.h>
#include <stdlib.h>
int main(void) {
    unsigned char b[4];
    if (read(0, b, 4) != 4) return 9;
    if (b[0] == 'x') {
        if (b[1] + b[2] == 300) assert(b[3] != 7);
        return 3;
    }
    switch (b[1]) {
    case 1: return 4;
    case 200: abort();
    case 7: return 100 / (b[2] - 1);
    case 8: return *(volatile char *)(long)b[2];
    case 9: for (;;) { }
    }
    return 0;
}
"#;

#[test]
fn a_program_ends_alike_on_both_builds() {
    let built = build(BRANCHES, &["-O1"]);
    let mut subject = built.subject(Stdin::Fixed(4));
    for (bytes, expected) in [
        (&b"\0\0\0\0"[..], "exit 0"),
        (b"x\0\0\0", "exit 3"),
        (&[b'x', 200, 100, 6], "exit 3"),
        (&[b'x', 200, 100, 7], "assertion"),
        (&[0, 1, 0, 0], "exit 4"),
        (&[0, 200, 0, 0], "abort"),
        (&[0, 7, 1, 0], "fpe"),
        (&[0, 8, 0, 0], "segv"),
        (&[0, 9, 0, 0], "hang"),
        (&[0, 7, 3, 0], "exit 50"),
    ] {
        let trace = run(&mut subject, &stdin(bytes));
        assert_eq!(kind(&trace.outcome), expected, "{bytes:?}");
        assert!(!trace.choices.is_empty());
        assert!(!trace.covered.is_empty());
    }
}

#[test]
fn a_failure_says_where() {
    let built = build(BRANCHES, &[]);
    let mut subject = built.subject(Stdin::Fixed(4));
    for (bytes, line) in [
        ([b'x', 200, 100, 7], 9),
        ([0, 200, 0, 0], 14),
        ([0, 8, 0, 0], 16),
    ] {
        let trace = run(&mut subject, &stdin(&bytes));
        let Outcome::Failure { place, message, .. } = &trace.outcome else {
            panic!("{:?}", trace.outcome);
        };
        assert!(!message.is_empty());
        assert_eq!(place[0].line, line, "{place:?}");
        assert_eq!(place[0].function, "main");
        assert!(place[0].file.ends_with("subject.c"));
    }
}

#[test]
fn the_same_case_gives_the_same_trace() {
    let built = build(BRANCHES, &[]);
    let mut subject = built.subject(Stdin::Fixed(4));
    let mut terms = Terms::new();
    let case = stdin(&[b'x', 200, 100, 6]);
    let first = subject.run(&case, &mut terms).unwrap();
    for between in [[0, 200, 0, 0], [0, 0, 0, 0], [0, 9, 0, 0]] {
        subject.run(&stdin(&between), &mut terms).unwrap();
        let again = subject.run(&case, &mut terms).unwrap();
        assert_eq!(again.choices, first.choices);
        assert_eq!(again.covered, first.covered);
    }
}

#[test]
fn a_free_length_is_an_input() {
    let built = build(BRANCHES, &[]);
    let mut subject = built.subject(Stdin::Free { max: 64 });
    for (length, expected) in [(0, "exit 9"), (3, "exit 9"), (4, "exit 0"), (60, "exit 0")] {
        let trace = run(&mut subject, &stdin(&vec![0; length]));
        assert_eq!(kind(&trace.outcome), expected, "{length}");
        let bound = trace
            .choices
            .iter()
            .filter(|choice| matches!(choice.shape, Shape::Assume { .. }));
        assert_eq!(bound.count(), 1);
    }
}

#[test]
fn inputs_by_name() {
    let built = build(
        r#"
        #include <elsewise.h>
        int main(void) {
            int a, b, s;
            elsewise_input(&a, sizeof a, "x");
            elsewise_input(&b, sizeof b, "x");
            elsewise_input(&s, sizeof s, "stdin");
            elsewise_assume(a < b);
            elsewise_assert(a * 2 != b);
            return s == 0x01020304 ? 5 : 0;
        }
        "#,
        &[],
    );
    let mut subject = built.subject(Stdin::Free { max: 64 });
    let case = |a: i32, b: i32| {
        let mut case = subject.first_case();
        case.inputs.insert("x".into(), a.to_le_bytes().to_vec());
        case.inputs.insert("x.1".into(), b.to_le_bytes().to_vec());
        case.inputs.insert("stdin.1".into(), vec![4, 3, 2, 1]);
        case
    };
    let (fine, assumed, failed) = (case(3, 4), case(5, 4), case(3, 6));
    let mut shorter = fine.clone();
    shorter.inputs.insert("x.1".into(), vec![4]);
    shorter.inputs.remove("stdin.1");
    assert_eq!(kind(&run(&mut subject, &fine).outcome), "exit 5");
    assert_eq!(kind(&run(&mut subject, &shorter).outcome), "exit 0");
    assert_eq!(kind(&run(&mut subject, &assumed).outcome), "assumed");
    let trace = run(&mut subject, &failed);
    let Outcome::Failure { message, place, .. } = trace.outcome else {
        panic!("{:?}", trace.outcome);
    };
    assert_eq!(message, "assertion failed: a * 2 != b");
    assert_eq!(place[0].line, 9);
}

#[test]
fn a_model_becomes_a_case() {
    let built = build(BRANCHES, &[]);
    let mut subject = built.subject(Stdin::Free { max: 64 });
    let mut terms = Terms::new();
    let short = stdin(&[1, 2]);
    let trace = subject.run(&short, &mut terms).unwrap();
    assert_eq!(subject.apply_model(&short, &terms, &trace.present), short);
    let long = stdin(&[9, 8, 7, 6, 5]);
    let present = subject.run(&long, &mut terms).unwrap().present;
    let amended = subject.apply_model(&short, &terms, &present);
    assert_eq!(&amended.inputs["stdin"][..2], &[9, 8]);
    assert_eq!(amended.inputs["stdin"].len(), 5);
}

#[test]
fn a_program_that_reads_nothing_is_one_run() {
    let built = build(
        "int main(int argc, char **argv) { return argc > 1 ? 2 : 6; }",
        &[],
    );
    let mut subject = built.subject(Stdin::Fixed(0));
    let case = subject.first_case();
    for _ in 0..2 {
        let trace = run(&mut subject, &case);
        assert_eq!(kind(&trace.outcome), "exit 6");
        assert!(trace.choices.is_empty());
    }
}

#[test]
fn a_server_that_is_killed_is_started_again() {
    // The run kills its parent, the server.
    let built = build(
        r#"
        #include <unistd.h>
        #include <signal.h>
        #include <sys/syscall.h>
        int main(void) {
            char c = 0;
            if (read(0, &c, 1) != 1) return 1;
            if (c == 'k') { syscall(SYS_kill, syscall(SYS_getppid), SIGKILL); for (;;) pause(); }
            return c == 'a' ? 5 : 0;
        }
        "#,
        &[],
    );
    let mut subject = built.subject(Stdin::Fixed(1));
    let mut terms = Terms::new();
    assert_eq!(kind(&run(&mut subject, &stdin(b"a")).outcome), "exit 5");
    assert!(subject.run(&stdin(b"k"), &mut terms).is_err());
    assert!(!left_behind(&built.program.instrumented));
    assert_eq!(kind(&run(&mut subject, &stdin(b"a")).outcome), "exit 5");
}

/// Is a process of the program left? One that was just killed takes a moment to go.
fn left_behind(program: &std::path::Path) -> bool {
    let deadline = Instant::now() + Duration::from_secs(10);
    loop {
        let there = fs::read_dir("/proc")
            .unwrap()
            .flatten()
            .any(|entry| fs::read_link(entry.path().join("exe")).is_ok_and(|exe| exe == program));
        if !there || Instant::now() > deadline {
            return there;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn what_is_not_instrumented_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let cache = Cache::at(folder.path());
    let path = PathBuf::from("/bin/true");
    assert!(matches!(
        Program::open_with(&path, &cache),
        Err(NativeError::NotInstrumented(_))
    ));
    let missing = folder.path().join("missing.c");
    assert!(matches!(
        Program::from_source_with(&[missing], &[], folder.path(), &cache),
        Err(NativeError::Io { .. })
    ));
}

#[test]
fn a_compile_error_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bad.c");
    fs::write(&file, "int main(void) { return nowhere; }").unwrap();
    let cache = Cache::at(folder.path().join("cache"));
    let error = Program::from_source_with(&[file], &[], folder.path(), &cache)
        .unwrap_err()
        .to_string();
    assert!(error.contains("nowhere"), "{error}");
}

#[test]
fn the_build_changes_with_the_code() {
    let one = build("int main(void) { return 1; }", &[]);
    let two = build("int main(void) { return 2; }", &[]);
    assert_ne!(one.program.build, two.program.build);
    let again = Program::open_with(
        &one.program.instrumented,
        &Cache::at(one.folder.path().join("another")),
    );
    assert_eq!(again.unwrap().build, one.program.build);
}

#[test]
fn input_that_the_runtime_does_not_follow_is_said() {
    let built = build(
        "#include <wchar.h>\nint main(void) { return getwchar() == 'x' ? 1 : 0; }",
        &[],
    );
    let mut subject = built.subject(Stdin::Free { max: 4 });
    let trace = subject.run(&stdin(b""), &mut Terms::new()).unwrap();
    assert_eq!(trace.approximations[0].kind.word(), "unfollowed-input");
}

#[test]
fn a_hang_is_told_from_waiting_for_a_processor() {
    let built = build(
        r#"
        #include <unistd.h>
        int main(void) {
            char c = 0;
            if (read(0, &c, 1) != 1) return 1;
            if (c == 's') pause();
            return 0;
        }
        "#,
        &[],
    );
    let mut subject = built.subject(Stdin::Fixed(1));
    assert_eq!(kind(&run(&mut subject, &stdin(b"s")).outcome), "hang");
    assert_eq!(kind(&run(&mut subject, &stdin(b"t")).outcome), "exit 0");
}

#[test]
fn a_program_that_closes_every_descriptor_is_explored() {
    let built = build(
        r#"
        #define _GNU_SOURCE
        #include <unistd.h>
        int main(void) {
            char c;
            for (int fd = 3; fd < 1024; fd++) close(fd);
            if (close_range(3, ~0u, 0) != 0) return 7;
            return read(0, &c, 1) == 1 && c == 'x' ? 2 : 0;
        }
        "#,
        &[],
    );
    let options = NativeOptions {
        stdin: Stdin::Fixed(1),
        ..NativeOptions::default()
    };
    let mut subject = NativeSubject::new(&built.program, &options).expect("it starts");
    for (byte, code) in [(b'a', 0), (b'x', 2), (b'b', 0)] {
        let case = Case {
            inputs: [("stdin".to_owned(), vec![byte])].into(),
            ..Case::default()
        };
        let trace = subject.run(&case, &mut Terms::new()).expect("a run");
        assert_eq!(trace.outcome, Outcome::Exit(code));
    }
}

#[test]
fn a_stack_overflow_is_called_one() {
    let built = build(
        r#"
        #include <unistd.h>
        static int deep(int n, volatile char *p) {
            volatile char b[1000];
            b[0] = p[0];
            return n == 0 ? b[0] : deep(n - 1, b) + b[0];
        }
        int main(void) {
            char c[2];
            if (read(0, c, 2) != 2 || c[0] != 'd')
                return 0;
            volatile char *room = __builtin_alloca(16 * (unsigned)c[1] + 16);
            room[0] = c[0];
            return deep(1000000, room);
        }
        "#,
        &[],
    );
    // The whole stack is touched, and its shadow: on a busy machine that takes its time.
    let mut subject = built.subject_within(Duration::from_secs(20), Stdin::Fixed(2));
    // Wherever in the function, or in what is called there on its behalf, the stack ends.
    for shift in 0..72 {
        let trace = run(&mut subject, &stdin(&[b'd', shift]));
        let Outcome::Failure {
            kind,
            message,
            place,
        } = trace.outcome
        else {
            panic!("{:?}", trace.outcome);
        };
        assert_eq!(kind.word(), "segv");
        assert!(message.starts_with("stack overflow"), "{message}");
        assert_eq!(place[0].function, "deep", "shifted by {shift}");
    }
}

/// Input that code which is not instrumented takes by itself, or is told of: whoever makes the system
/// call, it is seen.
#[test]
fn input_is_seen_to_go_whatever_way_it_goes() {
    let ways = [
        ("getw(stdin)", "stdio.h"),
        ("({ wchar_t c = getwchar(); (int)c; })", "wchar.h"),
        (
            "({ char c[2]; struct iovec v = {c, 2}; (int)preadv(0, &v, 1, 0) + c[0]; })",
            "sys/uio.h",
        ),
        (
            "({ long got; char c; __asm__ volatile(\"syscall\" : \"=a\"(got) : \"a\"(0), \"D\"(0), \
             \"S\"(&c), \"d\"(1) : \"rcx\", \"r11\", \"memory\"); c; })",
            "stdio.h",
        ),
        ("({ int n = 0; ioctl(0, 0x541B, &n); n; })", "sys/ioctl.h"),
        (
            "({ struct statx s; statx(0, \"\", 0x1000, 0xfff, &s); (int)s.stx_size; })",
            "sys/stat.h",
        ),
        (
            "(int)lseek(dup(0), 0, 2) + system(\"cat >/dev/null\")",
            "unistd.h",
        ),
    ];
    for (way, header) in ways {
        let built = build(
            &format!(
                "#define _GNU_SOURCE\n#include <stdio.h>\n#include <stdlib.h>\n#include <{header}>\n\
                 int main(void) {{ return {way} == 'x'; }}"
            ),
            &[],
        );
        let mut subject = built.subject(Stdin::Free { max: 4 });
        let trace = subject.run(&stdin(b"xy"), &mut Terms::new()).unwrap();
        let unfollowed = trace
            .approximations
            .iter()
            .find(|a| a.kind.word() == "unfollowed-input");
        assert!(unfollowed.is_some(), "{way}: {:?}", trace.approximations);
        assert!(unfollowed.unwrap().site.is_some(), "{way}: without a place");
    }
}

/// What is followed, or does not touch the input, counts nothing.
#[test]
fn what_does_not_touch_the_input_is_not_counted() {
    let built = build(
        r#"
        #define _GNU_SOURCE
        #include <pthread.h>
        #include <signal.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <sys/mman.h>
        #include <sys/stat.h>
        #include <time.h>
        #include <unistd.h>
        static void on(int s) { (void)s; getppid(); }
        static void *run(void *p) { sigset_t all; sigfillset(&all);
            pthread_sigmask(SIG_BLOCK, &all, NULL); getppid(); return p; }
        int main(void) {
            char c = 0;
            struct stat s;
            fstat(0, &s);
            if (read(0, &c, 1) != 1) return 2;
            sigset_t all, old;
            sigfillset(&all);
            sigprocmask(SIG_BLOCK, &all, &old);
            getppid();
            struct sigaction act = {.sa_handler = on};
            sigfillset(&act.sa_mask);
            sigaction(SIGUSR1, &act, NULL);
            sigprocmask(SIG_SETMASK, &old, NULL);
            raise(SIGUSR1);
            char *p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            p[0] = c;
            munmap(p, 8192);
            pthread_t t;
            pthread_create(&t, NULL, run, NULL);
            pthread_join(t, NULL);
            struct timespec little = {0, 1000};
            nanosleep(&little, NULL);
            FILE *f = fopen("/etc/hostname", "r");
            if (f) { fgetc(f); fclose(f); }
            fprintf(stderr, "%d\n", isatty(0));
            return c == 'x';
        }
        "#,
        &["-pthread"],
    );
    let mut subject = built.subject(Stdin::Free { max: 4 });
    let trace = subject.run(&stdin(b"xy"), &mut Terms::new()).unwrap();
    let kinds: Vec<_> = trace.approximations.iter().map(|a| a.kind).collect();
    assert!(
        !kinds.iter().any(|kind| kind.word().ends_with("-input")),
        "{kinds:?}"
    );
    assert_eq!(trace.outcome, Outcome::Exit(1), "{kinds:?}");
}
