//! Graphs of objects are explored completely and each once: as many as counting finds, in functions
//! whose paths tell all of them apart.

use anyhow::{Context, Result, ensure};
use elsewise_tests::command::program;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

const SUBJECTS: &str = r#"
#include <stddef.h>

struct node {
    struct node *left;
    struct node *right;
};

/* Asks of every pointer that can be reached which node it is. */
int shape(const struct node *first, const struct node *second)
{
    const struct node *ways[2] = { first, second };
    const struct node *known[8];
    int count = 0;
    for (int i = -1; i < count; i++) {
        if (i >= 0) {
            ways[0] = known[i]->left;
            ways[1] = known[i]->right;
        }
        for (int way = 0; way < 2; way++) {
            int k = 0;
            while (k < count && known[k] != ways[way])
                k++;
            if (ways[way] && k == count)
                known[count++] = ways[way];
        }
    }
    return count;
}

struct item {
    struct item *next;
    struct item **from;
};

struct chain {
    struct item *first;
};

/* A list of at most four items, each of which knows the pointer to it. */
int check(const struct chain *chain)
{
    int length = 0;
    if (!chain)
        return 0;
    struct item *const *from = &chain->first;
    for (; *from; from = &(*from)->next) {
        if ((*from)->from != from || ++length > 4)
            return 0;
    }
    return 1;
}

int length(const struct chain *chain)
{
    int length = 0;
    for (const struct item *item = chain->first; item; item = item->next)
        length++;
    return length;
}

/* One condition that is true for two objects only. */
int both(const struct node *p, const struct node *q)
{
    int two = (p != NULL) & (q != NULL) & (p != q);
    return two ? 1 : 0;
}

/* Which of two objects comes first in memory is no question of how they are connected. */
int before(const struct node *p, const struct node *q)
{
    if (p && q && !p->left && !q->left && p < q)
        return 1;
    return 0;
}

/* Two places in one object are another matter. */
int within(const struct node *p)
{
    const struct node *const *place = &p->right;
    if (p && p->left && place > &p->left)
        return 1;
    return 0;
}

/* An address that two pointers could be. */
int either(const struct node *p, const struct node *q, int which)
{
    const struct node *ways[2] = { p, q };
    if (!p || !q)
        return 0;
    if (ways[which & 1]->left == ways[which & 1])
        return 1;
    return 0;
}
"#;

struct Explored {
    summary: Value,
}

impl Explored {
    fn paths(&self) -> u64 {
        self.summary["paths"].as_u64().unwrap_or(0)
    }

    fn complete(&self) -> bool {
        self.summary["complete"] == Value::Bool(true)
    }

    fn all_sides(&self) -> bool {
        let sides = &self.summary["branch_sides"];
        sides["reached"] == sides["total"]
    }
}

fn explore(folder: &Path, function: &str, flags: &[&str]) -> Result<Explored> {
    fs::write(folder.join("shapes.c"), SUBJECTS)?;
    let output = Command::new(program()?)
        .arg("explore")
        .arg(format!("shapes.c::{function}"))
        .args(flags)
        .args(["--fresh", "--quiet", "--format", "json", "--budget", "60s"])
        .current_dir(folder)
        .output()?;
    let summary = serde_json::from_slice(&output.stdout)
        .with_context(|| String::from_utf8_lossy(&output.stderr).into_owned())?;
    Ok(Explored { summary })
}

/// What `shape` asks, of one way to connect objects: for each pointer that is reached whether it is
/// null (0), or the how manieth object it leads to. `cells` are the two parameters and then the two
/// pointers of each object: 0 for null, otherwise an object.
fn shape(cells: &[usize]) -> Vec<usize> {
    let mut known: Vec<usize> = Vec::new();
    let mut asked = Vec::new();
    let mut from = 0;
    loop {
        for way in [cells[from], cells[from + 1]] {
            if way != 0 && !known.contains(&way) {
                known.push(way);
            }
            asked.push(known.iter().position(|k| *k == way).map_or(0, |k| k + 1));
        }
        match known.get(asked.len() / 2 - 1) {
            Some(next) => from = 2 * next,
            None => return asked,
        }
    }
}

#[test]
fn every_shape_is_a_path_and_every_path_another_shape() -> Result<()> {
    let folder = tempfile::tempdir()?;
    for objects in 1..=2usize {
        let cells = 2 + 2 * objects;
        let ways = objects + 1;
        let mut shapes = BTreeSet::new();
        for number in 0..ways.pow(cells as u32) {
            let cells = (0..cells).map(|cell| number / ways.pow(cell as u32) % ways);
            shapes.insert(shape(&cells.collect::<Vec<usize>>()));
        }
        let explored = explore(
            folder.path(),
            "shape",
            &["--max-objects", &objects.to_string()],
        )?;
        ensure!(explored.complete(), "{}", explored.summary);
        ensure!(
            explored.paths() == shapes.len() as u64,
            "{objects} objects: {} paths of {} shapes",
            explored.paths(),
            shapes.len()
        );
    }
    Ok(())
}

#[test]
fn pointers_into_objects_are_explored_once_each() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let explored = explore(folder.path(), "length", &["--valid", "chain:check"])?;
    ensure!(explored.complete(), "{}", explored.summary);
    // Of each length one, from 0 to 4; what is no such list counts for nothing.
    ensure!(explored.paths() == 5, "{}", explored.summary);
    ensure!(
        explored.summary["runs"].as_u64().unwrap_or(u64::MAX) < 100,
        "{}",
        explored.summary
    );
    Ok(())
}

#[test]
fn a_condition_may_ask_for_two_new_objects_at_once() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let explored = explore(folder.path(), "both", &[])?;
    ensure!(
        explored.complete() && explored.all_sides(),
        "{}",
        explored.summary
    );
    Ok(())
}

#[test]
fn the_order_of_objects_is_said_not_to_be_explored() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let explored = explore(folder.path(), "before", &[])?;
    let order = &explored.summary["approximations"]["address-order"];
    ensure!(
        !explored.complete() && order.as_u64() > Some(0),
        "{}",
        explored.summary
    );
    let explored = explore(folder.path(), "within", &[])?;
    ensure!(explored.complete(), "{}", explored.summary);
    Ok(())
}

#[test]
fn a_pointer_from_an_array_is_followed_to_all_that_it_could_be() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let explored = explore(folder.path(), "either", &[])?;
    ensure!(
        explored.complete() && explored.all_sides(),
        "{}",
        explored.summary
    );
    Ok(())
}
