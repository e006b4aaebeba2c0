//! The input that a finding is shown with is as small as one that fails can be: how small that is was worked out by hand, and
//! is tried with all shorter ones on the plain program where there are few.

use anyhow::{Result, ensure};
use elsewise_tests::checked::unless_checked;
use elsewise_tests::command::{explore, program};
use elsewise_tests::compile::Compiler;
use elsewise_tests::subjects::{self, Ending, Subject, Twin, run_plain};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};

/// Explores a program; the bytes of the input with this name that its only finding is shown with.
fn shown(source: &str, options: &[&str], input: &str, folder: &Path) -> Result<Vec<u8>> {
    let file = folder.join("program.c");
    fs::write(&file, source)?;
    let options: Vec<String> = options.iter().map(|word| (*word).to_owned()).collect();
    let explored = explore(&[file], &options, folder)?;
    ensure!(
        explored.summary.findings.len() == 1,
        "{:?}",
        explored.summary
    );
    Ok(fs::read(folder.join("campaign/findings/1").join(input))?)
}

fn plain_fails(program: &Path, input: &[u8], folder: &Path) -> Result<bool> {
    let file = folder.join("input");
    fs::write(&file, input)?;
    let mut command = Command::new(program);
    let command = command.stdin(File::open(&file)?).stdout(Stdio::null());
    Ok(command.stderr(Stdio::null()).status()?.signal().is_some())
}

const SETTINGS: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
    char line[32];
    for (int i = 0; i < 2 && fgets(line, sizeof line, stdin); i++) {
        char *value = strchr(line, '=');
        if (!value)
            continue;
        *value++ = 0;
        if (!strcmp(line, "key") && strlen(value) > 3)
            abort();
    }
    return 0;
}
"#;

/// Three letters, the sign, and four bytes that may be any: these are plain.
#[test]
fn lines_that_do_not_matter_are_left_out() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let options = ["--max-input=16", "--budget=20s"];
    let input = shown(SETTINGS, &options, "stdin", folder.path())?;
    ensure!(
        input == b"key=0000",
        "{:?}",
        String::from_utf8_lossy(&input)
    );
    Ok(())
}

const SQUARE: &str = r#"
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    int side;
    if (scanf("%d", &side) == 1 && side > -1000 && side < 1000 && side * side == 1764)
        abort();
    return 0;
}
"#;

/// No input of one byte fails on the plain program, so that two are the fewest.
#[test]
fn a_number_is_as_short_as_numbers_that_fail_are() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let input = shown(SQUARE, &["--max-input=6"], "stdin", folder.path())?;
    ensure!(input == b"42", "{:?}", String::from_utf8_lossy(&input));
    let plain = folder.path().join("plain");
    Compiler::Clang.build(&[folder.path().join("program.c")], &["-w"], &plain)?;
    ensure!(plain_fails(&plain, &input, folder.path())?, "it fails");
    for byte in 0..=u8::MAX {
        ensure!(!plain_fails(&plain, &[byte], folder.path())?, "{byte}");
    }
    Ok(())
}

const FIELDS: &str = r#"
#include <stdlib.h>
#include <unistd.h>
int main(void)
{
    unsigned char bytes[6];
    if (read(0, bytes, 6) == 6 && bytes[1] == 0x7f && bytes[4] > 'x')
        abort();
    return 0;
}
"#;

/// The length is given: what is not looked at is plain, and the rest is what it has to be.
#[test]
fn bytes_of_an_input_of_one_length_are_plain() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let input = shown(FIELDS, &["--input-size=6"], "stdin", folder.path())?;
    let given = [b'0', 0x7f, b'0', b'0', input[4], b'0'];
    ensure!(input == given && input[4] > b'x', "{input:?}");
    Ok(())
}

const WORD: &str = r#"
#include <stdlib.h>
#include <string.h>
int main(int count, char **words)
{
    if (count > 1 && strstr(words[1], "go"))
        abort();
    return 0;
}
"#;

#[test]
fn arguments_are_as_short_as_they_can_be() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let options = ["--budget=20s", "--", "@arg:8"];
    let input = shown(WORD, &options, "arg1", folder.path())?;
    ensure!(input == b"go", "{input:?}");
    Ok(())
}

/// What the check of the smallest inputs depends on.
const FILES: &[&str] = &[
    "tests/subjects/inputs",
    "tests/subjects/programs",
    "crates/native/driver/support",
    "crates/native/driver/include",
    "tests/tests/whole/smaller.rs",
];
/// Smaller inputs that are tried for each subject.
const SMALLER: usize = 1500;

/// What subjects say of their smallest inputs holds: those fail, and none with fewer bytes does, of all that are made of
/// the same bytes and a few others as far as they are few.
#[test]
fn the_smallest_inputs_of_subjects_fail_and_smaller_ones_do_not() -> Result<()> {
    unless_checked(
        "smaller::the_smallest_inputs_of_subjects_fail_and_smaller_ones_do_not",
        FILES,
        || {
            let mut count = 0;
            for group in ["inputs", "programs"] {
                for subject in subjects::all(group)? {
                    if let Some(smallest) = subject.smallest()? {
                        is_smallest(&subject, &smallest)?;
                        count += 1;
                    }
                }
            }
            ensure!(count >= 12, "{count} subjects have inputs of any length");
            Ok(())
        },
    )
}

fn is_smallest(subject: &Subject, smallest: &BTreeMap<String, Vec<u8>>) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let program = folder.path().join("program");
    subject.build_plain(Twin::Bug, Compiler::Clang, "-O1", &program)?;
    let failing = Ending::Signal(subject.signal()?);
    let (ending, said) = run_plain(subject, &program, smallest)?;
    ensure!(ending == failing, "{}: {ending:?} {said}", subject.name);
    // Where there are several inputs, their bytes are tried one less at a time, in the last of them.
    let Some((name, bytes)) = smallest.iter().next_back() else {
        return Ok(());
    };
    let mut alphabet = bytes.clone();
    alphabet.extend(b"0a \n\x00\xff");
    alphabet.sort_unstable();
    alphabet.dedup();
    let mut shorter = vec![Vec::new()];
    let mut next = 0;
    while shorter.len() < SMALLER && next < shorter.len() {
        let longer: Vec<Vec<u8>> = alphabet
            .iter()
            .map(|byte| [shorter[next].as_slice(), &[*byte]].concat())
            .filter(|longer| longer.len() < bytes.len())
            .collect();
        shorter.extend(longer);
        next += 1;
    }
    for other in shorter {
        // What an argument or a variable cannot hold is none.
        if name != "stdin" && name != "file" && other.contains(&0) {
            continue;
        }
        let mut case = smallest.clone();
        case.insert(name.clone(), other.clone());
        let (ending, _) = run_plain(subject, &program, &case)?;
        ensure!(ending != failing, "{}: {other:?} fails", subject.name);
    }
    Ok(())
}

const COMMAND: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
    char line[64] = "";
    int depth = 0;
    size_t got = fread(line, 1, sizeof line - 1, stdin);
    for (size_t i = 0; i < got; i++)
        depth += (line[i] == '(') - (line[i] == ')');
    if (depth == 0 && strstr(line, "go") && atoi(line) > 255)
        abort();
    return 0;
}
"#;

/// A longer search than the one that each finding gets: three digits and two letters are the fewest.
#[test]
fn a_finding_is_made_smaller_when_asked_for() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let seeds = folder.path().join("seeds");
    fs::create_dir(&seeds)?;
    let large = b"1234567 some words (and (more) of them), then go on, please";
    fs::write(seeds.join("large"), large)?;
    let seeds = format!("--seeds={}", seeds.display());
    let options = ["--max-input=63", "--budget=1runs", &seeds];
    shown(COMMAND, &options, "stdin", folder.path())?;
    // As if it had been found so.
    let finding = folder.path().join("campaign/findings/1");
    fs::write(finding.join("stdin"), large)?;
    let minimize = |words: &[&str]| -> Result<serde_json::Value> {
        let mut command = Command::new(program()?);
        command.current_dir(folder.path()).arg("minimize");
        command.arg(&finding).arg("--format=json").args(words);
        let output = command.output()?;
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "{said}");
        Ok(serde_json::from_slice(&output.stdout)?)
    };
    let bounded = minimize(&["--budget=3runs"])?;
    ensure!(
        bounded["runs"] == 3 && bounded["finished"] == false,
        "{bounded}"
    );
    let whole = minimize(&["--budget=30s"])?;
    ensure!(whole["finished"] == true && whole["after"] == 5, "{whole}");
    let input = fs::read(finding.join("stdin"))?;
    let text = String::from_utf8_lossy(&input);
    ensure!(input.len() == 5 && text.ends_with("go"), "{text}");
    let again = minimize(&[])?;
    ensure!(again["changed"] == false, "{again}");
    Ok(())
}

const FUNCTION: &str = r#"
#include <stdlib.h>
struct item { long price; int count; struct item *next; };
int total(struct item *items, const char *name, int limit)
{
    if (items && items->price > 1000 && name && name[1] == 'x' && limit != 3)
        abort();
    return 0;
}
"#;

/// Values of a function are plain where they do not matter: null, empty, zero, and else as small as they get.
#[test]
fn arguments_of_functions_are_plain() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("items.c");
    fs::write(&file, FUNCTION)?;
    let mut target = file.into_os_string();
    target.push("::total");
    let options = vec!["--budget=20s".to_owned()];
    explore(&[target.into()], &options, folder.path())?;
    let mut command = Command::new(program()?);
    command
        .args(["show", "1", "--campaign"])
        .arg(folder.path().join("campaign"));
    let output = command.output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    for words in ["price 1001", "count    0", "next     ∅", "limit = 0"] {
        ensure!(text.contains(words), "{words}: {text}");
    }
    Ok(())
}
