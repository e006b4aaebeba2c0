//! The input that a finding is shown with is as small as one that fails can be: how small that is was worked out by hand, and
//! is tried with all shorter ones on the plain program where there are few.

use anyhow::{Result, ensure};
use elsewise_tests::command::explore;
use elsewise_tests::compile::Compiler;
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
