//! Code that is not instrumented may call code that is: labels of the one must not be taken for
//! those of the other.

use anyhow::{Result, ensure};
use elsewise_tests::command::explore;

/// `tfind` returns a pointer right after `order` has returned a number that depends on the
/// input.
const SOURCE: &str = r#"
#include <search.h>
#include <stdlib.h>
#include <unistd.h>

static int order(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

int main(void)
{
    static const int table[] = {3, 14, 15, 92, 653};
    int (*by)(const void *, const void *) = order;
    int key;
    if (read(0, &key, sizeof key) != (ssize_t)sizeof key)
        return 99;
    void *tree = NULL;
    for (int i = 0; i < 5; i++)
        tsearch(&table[i], &tree, by);
    const int **found = tfind(&key, &tree, by);
    if (found != NULL && **found != key)
        abort();
    return found != NULL ? (int)(*found - table) : 7;
}
"#;

#[test]
fn a_result_does_not_get_the_label_of_a_callback() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let source = folder.path().join("callback.c");
    std::fs::write(&source, SOURCE)?;
    let explored = explore(&[source], &["--input-size=4".to_owned()], folder.path())?;
    let summary = explored.summary;
    ensure!(summary.findings.is_empty(), "{summary:?}");
    // That the library was given input bytes is said, and what it was answered is made concrete;
    // nothing else went wrong.
    let kinds: Vec<&str> = summary.approximations.keys().map(String::as_str).collect();
    ensure!(
        kinds == ["opaque-call", "value-limit"] && !summary.complete,
        "{summary:?}"
    );
    Ok(())
}

/// What `main` returns ends the run: nobody chooses by it.
#[test]
fn the_result_of_main_is_no_choice() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let source = folder.path().join("result.c");
    let text = "#include <unistd.h>\nint main(void) { unsigned char b;\n\
        if (read(0, &b, 1) != 1) return 1; return b > 9 ? b : 0; }\n";
    std::fs::write(&source, text)?;
    let summary = explore(&[source], &["--input-size=1".to_owned()], folder.path())?.summary;
    ensure!(summary.paths == 2 && summary.complete, "{summary:?}");
    Ok(())
}
