//! Programs that read input are what they say: the bug fails on its witness at its line, whatever the compiler,
//! the twin does not, and random testing does not find it.

use anyhow::{Context, Result, ensure};
use elsewise_tests::checked::unless_checked;
use elsewise_tests::compile::Compiler;
use elsewise_tests::heads::marked;
use elsewise_tests::subjects::{self, Ending, Twin, run_plain};
use std::process::Command;

/// What the checks depend on.
const FILES: &[&str] = &[
    "tests/subjects/inputs",
    "crates/native/driver/support",
    "crates/native/driver/include",
    "tests/tests/whole/subjects.rs",
];

const GROUP: &str = "inputs";

/// How many random cases each subject is given.
const RANDOM_RUNS: u32 = 2000;

#[test]
fn there_are_enough_subjects_and_one_has_two_translation_units() -> Result<()> {
    let all = subjects::all(GROUP)?;
    ensure!(all.len() >= 14, "{} subjects", all.len());
    ensure!(all.iter().any(|subject| !subject.expect.units.is_empty()));
    ensure!(all.iter().any(|subject| subject.input_size().is_none()));
    Ok(())
}

/// One statement of the bug is marked, and none of the twin.
#[test]
fn one_line_is_marked_as_failing() -> Result<()> {
    for subject in subjects::all(GROUP)? {
        let twin = subject.fixed().context("no twin")?;
        let of_twin = marked(&std::fs::read_to_string(twin)?);
        ensure!(
            subject.marks.len() == 1 && of_twin.is_empty(),
            "{}: {:?}",
            subject.name,
            subject.marks
        );
    }
    Ok(())
}

#[test]
fn the_bug_fails_on_its_case_and_the_twin_does_not() -> Result<()> {
    unless_checked(
        "subjects::the_bug_fails_on_its_case_and_the_twin_does_not",
        FILES,
        || {
            let folder = tempfile::tempdir()?;
            for subject in subjects::all(GROUP)? {
                let case = subject.case()?;
                if let Some(size) = subject.input_size() {
                    ensure!(
                        case.get("stdin").or(case.get("file")).map(Vec::len) == Some(size),
                        "{}: the case has another size",
                        subject.name
                    );
                }
                for (compiler, optimisation) in [(Compiler::Gcc, "-O0"), (Compiler::Clang, "-O2")] {
                    let what = format!("{} with {compiler:?} {optimisation}", subject.name);
                    let program = folder.path().join("program");
                    subject.build_plain(Twin::Bug, compiler, optimisation, &program)?;
                    let (ending, stderr) = run_plain(&subject, &program, &case)?;
                    ensure!(
                        ending == Ending::Signal(subject.signal()?),
                        "{what}: {ending:?}"
                    );
                    if subject.expect.kind == "assertion" && !subject.expect.says_no_place {
                        let said = subject.marks.iter().any(|mark| {
                            stderr.contains(&format!("{}:{}:", subject.file_name(), mark.line))
                        });
                        ensure!(said, "{what}: {stderr}");
                    }
                    subject.build_plain(Twin::Fixed, compiler, optimisation, &program)?;
                    let (ending, stderr) = run_plain(&subject, &program, &case)?;
                    ensure!(
                        matches!(ending, Ending::Exit(code) if code < 77),
                        "{what}, repaired: {ending:?} {stderr}"
                    );
                }
            }
            Ok(())
        },
    )
}

/// The subject's `main` is called in a fork for every case, since starting a program for each would
/// take most of the time.
const RANDOM_DRIVER: &str = r#"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int subject_main(void);

static uint64_t state;

static unsigned char next(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    return (unsigned char)((z ^ (z >> 27)) >> 56);
}

void elsewise_input(void *p, size_t size, const char *name)
{
    (void)name;
    for (size_t i = 0; i < size; i++)
        ((unsigned char *)p)[i] = next();
}

void elsewise_assume(int holds)
{
    if (!holds)
        _exit(77);
}

void elsewise_fail(const char *text, const char *file, int line)
{
    (void)text, (void)file, (void)line;
    abort();
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 1;
    unsigned runs = (unsigned)atoi(argv[1]);
    size_t size = (size_t)atoi(argv[2]);
    for (unsigned i = 0; i < runs; i++) {
        state = i;
        pid_t child = fork();
        if (child == 0) {
            unsigned char bytes[256];
            elsewise_input(bytes, size, "stdin");
            int fd = memfd_create("stdin", 0);
            if (write(fd, bytes, size) != (ssize_t)size || lseek(fd, 0, SEEK_SET) != 0)
                _exit(98);
            dup2(fd, 0);
            _exit(subject_main());
        }
        int status;
        if (child < 0 || waitpid(child, &status, 0) != child)
            return 2;
        if (!WIFEXITED(status) || WEXITSTATUS(status) >= 98) {
            printf("%u\n", i);
            return 3;
        }
    }
    return 0;
}
"#;

#[test]
fn random_testing_does_not_find_the_bug() -> Result<()> {
    unless_checked(
        "subjects::random_testing_does_not_find_the_bug",
        FILES,
        || {
            let folder = tempfile::tempdir()?;
            let driver = folder.path().join("driver.c");
            std::fs::write(&driver, RANDOM_DRIVER)?;
            let include = format!(
                "-I{}",
                elsewise_tests::compile::root()
                    .join("crates/native/driver/include")
                    .display()
            );
            for subject in subjects::all(GROUP)? {
                ensure!(
                    subject
                        .expect
                        .random
                        .as_ref()
                        .is_some_and(|why| why.len() > 20),
                    "{}: say why",
                    subject.name
                );
                if !subject.expect.driver {
                    continue;
                }
                let object = folder.path().join("subject.o");
                // Units are linked in one by one, because only the first one's `main` gets another name.
                let program = folder.path().join("program");
                let sources = subject.sources(Twin::Bug);
                let rename = ["-O1", "-Dmain=subject_main", "-c", &include];
                Compiler::Gcc.build(&sources[..1], &rename, &object)?;
                let mut parts = vec![object, driver.clone()];
                parts.extend_from_slice(&sources[1..]);
                Compiler::Gcc.build(&parts, &["-O1", "-D_GNU_SOURCE", &include], &program)?;
                let size = subject.input_size().unwrap_or(0).to_string();
                let output = Command::new(&program)
                    .args([&RANDOM_RUNS.to_string(), &size])
                    .output()?;
                ensure!(
                    output.status.success(),
                    "{}: {} at random run {}",
                    subject.name,
                    output.status,
                    String::from_utf8_lossy(&output.stdout).trim()
                );
            }
            Ok(())
        },
    )
}
