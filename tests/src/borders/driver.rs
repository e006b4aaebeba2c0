//! A program for each file of the table that calls all of its snippets on many inputs, and says how many
//! results each has.
//!
//! Each call is made twice, so that a snippet that does not depend on its input alone is seen.

use super::table::{Form, TableFile};
use crate::compile::Compiler;
use anyhow::{Context, Result, ensure};
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Builds and runs it in `folder`, with so many calls of each snippet; how many different results each
/// has.
pub fn results(
    file: &TableFile,
    calls: usize,
    options: &[&str],
    folder: &Path,
) -> Result<Vec<(String, usize)>> {
    let extension = if file.cplusplus { "cc" } else { "c" };
    let source = folder.join(format!("{}.{extension}", file.name));
    let out = folder.join(format!("{}-{extension}", file.name));
    std::fs::write(&source, program(file))?;
    let path = source.to_string_lossy().into_owned();
    let calls = format!("-DBORDER_CALLS={calls}");
    let mut all = options.to_vec();
    all.extend(["-w", &calls, &path]);
    all.extend(file.link.iter().map(String::as_str));
    let compiler = if file.cplusplus {
        Compiler::ClangCpp
    } else {
        Compiler::Clang
    };
    compiler.build(&[], &all, &out)?;
    let output = Command::new(&out)
        .current_dir(folder)
        .stdin(Stdio::null())
        .env("ASAN_OPTIONS", "detect_leaks=0")
        .output()?;
    let errors = String::from_utf8_lossy(&output.stderr);
    let said = folder.join("results");
    let text = std::fs::read_to_string(&said).unwrap_or_default();
    ensure!(
        output.status.success(),
        "{}: {}, after {:?}\n{errors}",
        file.name,
        output.status,
        text.lines().last()
    );
    let line = |line: &str| -> Result<(String, usize)> {
        let (name, count) = line.split_once(' ').context("a line without a count")?;
        Ok((name.to_owned(), count.parse()?))
    };
    text.lines().map(line).collect()
}

fn program(file: &TableFile) -> String {
    let mut text = String::from("#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif\n");
    text.push_str("#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n");
    text.push_str(&file.prelude);
    for one in &file.snippets {
        text.push_str(&one.text);
    }
    text.push_str(HEAD);
    for one in &file.snippets {
        let name = &one.name;
        let call = match one.form {
            Form::Input(_) => continue,
            Form::BytesToNumber => format!("border_number({name}(s, n))"),
            Form::BytesToBytes => format!("border_text(s, {name}(s, n))"),
            Form::NumberToNumber => format!("border_number({name}(v))"),
            Form::NumberToBytes => format!("border_text(s, {name}(s, v))"),
        };
        let _ = writeln!(text, "    TRY({name}, {call});");
    }
    text.push_str("    return fclose(out) != 0;\n}\n");
    text
}

const HEAD: &str = r#"
static unsigned long border_results[BORDER_CALLS];

static unsigned long border_number(long v)
{
    return (unsigned long)v;
}

static unsigned long border_text(const char *s, size_t n)
{
    unsigned long hash = n;
    size_t i;
    if (n > 70 || s[n] != 0)
        abort();
    for (i = 0; i < n; i++)
        hash = hash * 1000003 + (unsigned char)s[i];
    return hash;
}

/* The same for each number, and all single bytes among them. */
static size_t border_input(char *s, int number)
{
    static const char alphabet[] = "0123456789abcdefkmqxyzAEKQZ +-.,;:=/<>&'*?[]()|%#!\n\t_~\300\251";
    unsigned long x = (unsigned long)number * 6364136223846793005ul + 1442695040888963407ul;
    size_t n = number < 257 ? number > 0 : 2 + (number & 1) + (number & 2), i;
    memset(s, 0, 256);
    for (i = 0; i < n; i++) {
        x = x * 6364136223846793005ul + 1442695040888963407ul;
        s[i] = number < 257 ? (char)number : alphabet[(x >> 33) % (sizeof alphabet - 1)];
    }
    return n;
}

static unsigned border_count(const char *name)
{
    unsigned different = 0;
    int i, j;
    (void)name;
    for (i = 0; i < BORDER_CALLS; i++) {
        for (j = 0; j < i && border_results[j] != border_results[i]; j++)
            ;
        different += j == i;
    }
    return different;
}

#define TRY(name, call)                                                                                \
    do {                                                                                               \
        int border_at, border_again;                                                                   \
        fprintf(out, "%s ", #name);                                                                    \
        fflush(out);                                                                                   \
        for (border_at = 0; border_at < BORDER_CALLS; border_at++) {                                   \
            for (border_again = 0; border_again < 2; border_again++) {                                 \
                size_t n = border_input(s, border_at);                                                 \
                long v = border_at < 500 ? border_at - 50 : (border_at * 7919L) % 140001 - 70000;      \
                unsigned long result = call;                                                           \
                (void)n;                                                                               \
                (void)v;                                                                               \
                if (border_again && result != border_results[border_at])                               \
                    abort();                                                                           \
                border_results[border_at] = result;                                                    \
            }                                                                                          \
        }                                                                                              \
        fprintf(out, "%u\n", border_count(#name));                                                     \
        fflush(out);                                                                                   \
    } while (0)

int main(void)
{
    static char s[256];
    FILE *out = fopen("results", "w");
    if (!out)
        return 1;
"#;
