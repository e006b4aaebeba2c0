//! A process for each run or one for many: an exploration makes the same runs in the same order and
//! finds the same.

use anyhow::{Result, ensure};
use elsewise_tests::command::{Exploration, explore};
use std::fs;

const SUBJECTS: &str = r#"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node { int value; struct node *next; };

/* Would return something else if it saw what other runs have left. */
int counts(int a, int b)
{
    static int count;
    count++;
    if (a > b) count += 10;
    if (a == 7) count += 20;
    if (count % 10 != 1) abort();
    return count;
}

int keeps(const struct node *list)
{
    int n = 0;
    for (; list && n < 4; list = list->next, n++) {
        int *copy = malloc(100);
        if (!copy || copy[3] != 0) return -1;
        copy[3] = list->value;
        if (copy[3] == 9) free(copy);
    }
    return n;
}

int opens(int a)
{
    char line[8] = "";
    FILE *log = fopen("log", "a+");
    if (!log) return -1;
    if (fgets(line, sizeof line, log)) abort();
    fprintf(log, "%d\n", a);
    fclose(log);
    return a > 3 ? 1 : a < -3;
}

static volatile int heard;
static void hear(int number) { heard = number; }

int handles(unsigned char a)
{
    if (signal(SIGUSR1, SIG_IGN) != SIG_DFL) abort();
    if (a > 100) {
        signal(SIGUSR1, hear);
        raise(SIGUSR1);
    }
    return heard;
}

int crashes(const struct node *node, int a)
{
    static int runs;
    if (runs++) abort();
    if (a > 5) return node->value > 5;
    if (a < -2) return 100 / (a + 50);
    return 0;
}

int hangs(unsigned char a)
{
    static int runs;
    if (runs++) abort();
    while (a == 77) { }
    return a > 200;
}

int is_sorted(const struct node *list)
{
    int n = 0;
    if (!list) return 0;
    for (; list->next && n < 4; list = list->next, n++)
        if (list->value > list->next->value) return 0;
    return !list->next;
}

int total(const struct node *list)
{
    int sum = 0;
    for (; list; list = list->next) sum += list->value > 3;
    printf("%d\n", sum);
    return sum;
}

struct stack { int used; int places[3]; };
struct stack *stack_new(void) { return calloc(1, sizeof(struct stack)); }
int stack_push(struct stack *stack, int value)
{
    stack->places[stack->used++] = value;
    return stack->used;
}
void stack_free(struct stack *stack) { free(stack); }
"#;

/// Explores both ways.
fn compare(subject: &str, options: &[&str]) -> Result<Exploration> {
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join("subjects.c"), SUBJECTS)?;
    let name = folder.path().join(format!("subjects.c{subject}"));
    let mut options: Vec<String> = options.iter().map(|word| (*word).to_owned()).collect();
    options.extend(["--timeout=300".into(), "--budget=150runs".into()]);
    let many = explore(std::slice::from_ref(&name), &options, folder.path())?;
    options.push("--fork".into());
    let alone = explore(std::slice::from_ref(&name), &options, folder.path())?;
    ensure!(many.cases == alone.cases, "{many:?}\n{alone:?}");
    let shown = |of: &Exploration| {
        let summary = &of.summary;
        let findings = summary.findings.iter();
        let findings: Vec<_> = findings
            .map(|known| (known.kind.clone(), known.line, known.case, known.confirmed))
            .collect();
        let counts = (summary.runs, summary.paths, summary.complete);
        let rest = (summary.branch_sides, summary.approximations.clone());
        (of.exit_code, findings, counts, rest)
    };
    ensure!(shown(&many) == shown(&alone), "{many:?}\n{alone:?}");
    Ok(many)
}

fn kinds(exploration: &Exploration) -> Vec<&str> {
    let findings = exploration.summary.findings.iter();
    let mut kinds: Vec<&str> = findings.map(|known| known.kind.as_str()).collect();
    kinds.sort_unstable();
    kinds
}

#[test]
fn what_a_run_leaves_in_memory() -> Result<()> {
    for subject in ["::counts", "::keeps"] {
        let explored = compare(subject, &[])?;
        ensure!(kinds(&explored).is_empty(), "{explored:?}");
        ensure!(explored.summary.runs > 3, "{explored:?}");
    }
    Ok(())
}

#[test]
fn what_a_run_does_to_the_system() -> Result<()> {
    for subject in ["::opens", "::handles"] {
        let explored = compare(subject, &[])?;
        ensure!(kinds(&explored).is_empty(), "{explored:?}");
        ensure!(explored.summary.runs > 1, "{explored:?}");
    }
    Ok(())
}

#[test]
fn runs_that_end_badly() -> Result<()> {
    let explored = compare("::crashes", &[])?;
    ensure!(kinds(&explored) == ["fpe", "segv"], "{explored:?}");
    let explored = compare("::hangs", &[])?;
    ensure!(kinds(&explored) == ["hang"], "{explored:?}");
    Ok(())
}

#[test]
fn invariants_and_sequences() -> Result<()> {
    let explored = compare("::total", &["--valid=node:is_sorted"])?;
    ensure!(kinds(&explored).is_empty(), "{explored:?}");
    let words = ["--sequence=stack_new,stack_push,stack_free", "--steps=6"];
    let explored = compare("", &words)?;
    ensure!(explored.summary.runs > 3, "{explored:?}");
    Ok(())
}
