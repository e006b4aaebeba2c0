//! Where control leaves instrumented code: what goes there is counted, what is known is followed, and
//! what nobody reads is not counted.

use elsewise_driver::{Cache, Program};
use elsewise_explore::{Case, Outcome, Subject, Trace};
use elsewise_native::{NativeOptions, NativeSubject, Stdin};
use elsewise_term::Terms;
use std::ffi::OsString;
use std::fs;
use tempfile::TempDir;

struct Built {
    _folder: TempDir,
    subject: NativeSubject,
}

impl Built {
    fn new(files: &[(&str, &str)], flags: &[&str]) -> Built {
        let folder = tempfile::tempdir().unwrap();
        let mut paths = Vec::new();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::write(&path, text).unwrap();
            paths.push(path);
        }
        let cache = Cache::at(folder.path().join("cache"));
        let flags: Vec<OsString> = flags.iter().map(OsString::from).collect();
        let program = Program::from_source_with(&paths, &flags, &folder.path().join("out"), &cache)
            .unwrap_or_else(|error| panic!("{error}"));
        let options = NativeOptions {
            stdin: Stdin::Fixed(4),
            ..NativeOptions::default()
        };
        Built {
            subject: NativeSubject::new(&program, &options).unwrap(),
            _folder: folder,
        }
    }

    fn run(&mut self, what: u8, stdin: &[u8; 4]) -> Trace {
        let mut case = Case::default();
        case.inputs.insert("stdin".into(), stdin.to_vec());
        case.inputs.insert("what".into(), vec![what]);
        self.subject.run(&case, &mut Terms::new()).unwrap()
    }
}

fn kinds(trace: &Trace) -> Vec<&'static str> {
    trace
        .approximations
        .iter()
        .map(|one| one.kind.word())
        .collect()
}

/// A program of many parts, of which one is run: `in` is four bytes of input, `r` the result.
fn program(parts: &[&str]) -> String {
    let parts: String = parts
        .iter()
        .enumerate()
        .map(|(number, part)| format!("case {number}: {{ {part} break; }}\n"))
        .collect();
    format!(
        "#define _GNU_SOURCE
        #include <elsewise.h>
        #include <fcntl.h>
        #include <iconv.h>
        #include <search.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/mman.h>
        #include <sys/socket.h>
        #include <time.h>
        #include <unistd.h>
        #include <wchar.h>
        struct box {{ long size; char *text; struct box *next; }};
        int main(void) {{
            static char in[4];
            unsigned char what;
            int r = 0;
            if (read(0, in, 4) != 4) return 9;
            elsewise_input(&what, 1, \"what\");
            switch (what) {{ {parts} default: return 8; }}
            if (r == 'x') abort();
            return 0;
        }}"
    )
}

#[test]
fn what_goes_where_nobody_follows_is_counted() {
    let parts = [
        // Through memory that is reached from what is given.
        "char *from = in, out[8], *to = out; size_t n = 4, m = 8; \
         iconv_t c = iconv_open(\"UTF-16LE\", \"ASCII\"); iconv(c, &from, &n, &to, &m); r = out[0];",
        "static char big[600]; memset(big, 'a', 599); big[500] = in[0]; r = strfry(big)[0];",
        "struct box b = {1, in, 0}, a = {1, 0, &b}; insque(&a, 0); r = 0;",
        "const char *p = in; mbstate_t s = {0}; wchar_t w[8]; mbsrtowcs(w, &p, 3, &s); r = w[0];",
        // Written, and read again.
        "int p[2]; pipe(p); write(p[1], in, 1); char c; read(p[0], &c, 1); r = c;",
        "int p[2]; socketpair(AF_UNIX, SOCK_STREAM, 0, p); send(p[1], in, 1, 0); char c; \
         recv(p[0], &c, 1, 0); r = c;",
        "int f = memfd_create(\"m\", 0); write(f, in, 4); lseek(f, 0, 0); char c; read(f, &c, 1); r = c;",
        "int p[2]; pipe(p); FILE *f = fdopen(p[1], \"w\"); fputc(in[0], f); fflush(f); char c; \
         read(p[0], &c, 1); r = c;",
        "int p[2]; pipe(p); dprintf(p[1], \"%c\", in[0]); FILE *f = fdopen(p[0], \"r\"); r = fgetc(f);",
        "int f = memfd_create(\"m\", 0); write(f, in, 4); \
         r = *(char *)mmap(0, 4, PROT_READ, MAP_PRIVATE, f, 0);",
        "char *m; size_t n; FILE *f = open_memstream(&m, &n); fputc(in[0], f); fclose(f); r = m[0];",
        // A count that a format asks for which is not known when the program is compiled.
        "volatile int n = 0; char *format = in[1] ? \"%s%n\" : \"%s\"; \
         printf(format, in[0] == 'x' ? \"a\" : \"\", &n); r = n;",
    ];
    let mut built = Built::new(&[("all.c", &program(&parts))], &["-w"]);
    for (number, part) in parts.iter().enumerate() {
        let trace = built.run(number as u8, b"xyz\0");
        assert!(!kinds(&trace).is_empty(), "{part}");
    }
}

#[test]
fn what_is_made_ready_before_the_input_is_counted() {
    let source = "
        #include <stdio.h>
        int main(void) {
            char *text; size_t size;
            FILE *f = open_memstream(&text, &size);
            fputc(getchar(), f);
            fclose(f);
            return text[0] == 'x';
        }";
    let mut built = Built::new(&[("stream.c", source)], &["-w"]);
    assert_eq!(kinds(&built.run(0, b"xyz\0")), ["unfollowed-input"]);
}

/// Where the stack of a program begins depends on what it is given. Wherever that is, a call that is made for the program
/// before the input puts nothing where the system keeps its registers meanwhile.
#[test]
fn calls_before_the_input_can_be_made_on_any_stack() {
    let source = "
        #include <locale.h>
        #include <stdio.h>
        int main(void) {
            setlocale(LC_ALL, \"\");
            FILE *f = fopen(\"nowhere\", \"r\");
            if (f) return 2;
            return getchar() == 'x';
        }";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("first.c");
    fs::write(&path, source).unwrap();
    let cache = Cache::at(folder.path().join("cache"));
    let out = folder.path().join("out");
    let program = Program::from_source_with(&[path], &[], &out, &cache).unwrap();
    for length in (0..64).step_by(8) {
        let given = ("GIVEN".into(), "a".repeat(length).into());
        let options = NativeOptions {
            stdin: Stdin::Fixed(1),
            env: vec![given, ("LC_ALL".into(), "C.UTF-8".into())],
            ..NativeOptions::default()
        };
        let mut subject = NativeSubject::new(&program, &options).unwrap();
        let mut case = Case::default();
        case.inputs.insert("stdin".into(), b"x".to_vec());
        let trace = subject.run(&case, &mut Terms::new()).unwrap();
        assert_eq!(trace.outcome, Outcome::Exit(1), "{length}");
        assert_eq!(kinds(&trace), [""; 0], "{length}");
    }
}

#[test]
fn results_of_output_are_followed() {
    let parts = [
        "r = putchar(in[0]);",
        "r = fputc(in[0], stderr);",
        "r = putc(in[0], stdout);",
        "int n = printf(\"%s\", in[0] == 'q' ? \"a\" : \"bc\"); r = n == 1 ? 'x' : 0;",
        "int n = 0; printf(\"%s%n\", in[0] == 'q' ? \"a\" : \"bc\", &n); r = n == 1 ? 'x' : 0;",
        "r = fwrite(\"abcdefgh\", 1, in[0] & 7, stdout) == 5 ? 'x' : 0;",
        "r = write(1, \"abcdefgh\", in[0] & 7) == 5 ? 'x' : 0;",
    ];
    let mut built = Built::new(&[("all.c", &program(&parts))], &["-w"]);
    for (number, part) in parts.iter().enumerate() {
        let trace = built.run(number as u8, b"xyz\0");
        assert_eq!(kinds(&trace), [""; 0], "{part}");
        // Which part, and what becomes of the result.
        assert!(trace.choices.len() >= 2, "{part}: {:?}", trace.choices);
    }
}

#[test]
fn what_nobody_reads_is_not_counted() {
    let parts = [
        "char *p = malloc(4); memcpy(p, in, 4); free(p); r = in[0];",
        "time_t now = time(0); char line[40]; memcpy(line, in, 4); localtime(&now); r = line[0];",
        "printf(\"%s %d\\n\", in, in[1]); fputs(in, stderr); puts(in); r = in[0];",
        "int p[2]; pipe(p); write(p[1], \"t\", 1); char c; read(p[0], &c, 1); r = in[0];",
        "char text[8] = \"ab\"; memcpy(text + 4, in, 4); r = getenv(\"NO_SUCH\") ? 1 : text[4];",
        "struct timespec t; char line[64]; memcpy(line, in, 4); clock_gettime(0, &t); r = line[0];",
    ];
    let mut built = Built::new(&[("all.c", &program(&parts))], &["-w"]);
    for (number, part) in parts.iter().enumerate() {
        let trace = built.run(number as u8, b"xyz\0");
        assert_eq!(kinds(&trace), [""; 0], "{part}");
    }
}

/// Functions of the program by names that the C library has, in another file.
#[test]
fn what_the_program_defines_is_the_programs() {
    let calls = "
        void warn(int c); void error(int c); int index(int a, int b); int getline(char *s, int n);
        int alarm(int c); int strsep(int c); long send(int c); int fputs(int c); int bzero(int c);
        int putchar(int c);
        #include <elsewise.h>
        int read(int, void *, unsigned long);
        int main(void) {
            char in[4]; unsigned char what;
            if (read(0, in, 4) != 4) return 9;
            elsewise_input(&what, 1, \"what\");
            switch (what) {
            case 0: warn(in[0]); break;
            case 1: error(in[0]); break;
            case 2: return index(1, in[0]);
            case 3: return getline(in, 4);
            case 4: return alarm(in[0]);
            case 5: return strsep(in[0]);
            case 6: return send(in[0]);
            case 7: return fputs(in[0]);
            case 8: return bzero(in[0]);
            case 9: return putchar(in[0]);
            }
            return 0;
        }";
    let own = "
        void abort(void);
        static int look(int c) { if (c == 'x') abort(); return c == 'y'; }
        void warn(int c) { look(c); }
        void error(int c) { look(c); }
        int index(int a, int b) { return look(b) + a; }
        int getline(char *s, int n) { return n == 4 ? look(s[0]) : 7; }
        int alarm(int c) { return look(c); }
        int strsep(int c) { return look(c); }
        long send(int c) { return look(c); }
        int fputs(int c) { return look(c); }
        int bzero(int c) { return look(c); }
        int putchar(int c) { return look(c); }";
    let files = [("calls.c", calls), ("own.c", own)];
    let mut built = Built::new(&files, &["-w", "-fno-builtin"]);
    for what in 0..10 {
        let trace = built.run(what, b"a...");
        assert_eq!(kinds(&trace), [""; 0], "{what}");
        // Which one, and whether its byte is an x.
        assert!(trace.choices.len() >= 2, "{what}: {:?}", trace.choices);
        let trace = built.run(what, b"x...");
        let failed =
            matches!(&trace.outcome, Outcome::Failure { kind, .. } if kind.word() == "abort");
        assert!(failed, "{what}: {:?}", trace.outcome);
    }
}

/// A body that is there only to be inlined is not put into instrumented code as it is.
#[test]
fn copies_for_inlining_are_not_taken_as_they_are() {
    let always = "
        #include <unistd.h>
        extern inline __attribute__((gnu_inline, always_inline)) int twice(int x) {
            return x > 100 ? 2 * x : x;
        }
        extern inline __attribute__((gnu_inline)) int half(int x) { return x > 9 ? x / 2 : x; }
        int main(void) {
            char in[4];
            if (read(0, in, 4) != 4) return 9;
            return twice(in[0]) == 202 || half(in[1]) == 60;
        }";
    let elsewhere = "int half(int x) { return x > 9 ? x / 2 : x; }";
    for flags in ["-O0", "-O2"] {
        let files = [("main.c", always), ("half.c", elsewhere)];
        let mut built = Built::new(&files, &["-w", flags]);
        let trace = built.run(0, b"axyz");
        assert_eq!(kinds(&trace), [""; 0], "{flags}");
        assert!(!trace.choices.is_empty(), "{flags}");
        assert_eq!(trace.outcome, Outcome::Exit(1));
    }
}
