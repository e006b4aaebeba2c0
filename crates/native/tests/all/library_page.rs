//! The book's table of library functions is the one from which the pass has their names.

use std::{env, fs};

#[test]
fn the_page_has_the_functions_that_have_models() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/src/library.md");
    let page = fs::read_to_string(path).unwrap();
    let table = elsewise_wire::libc::book();
    let (before, rest) = page.split_once("| functions |").unwrap();
    let (_, after) = rest.split_once("\n\n").unwrap();
    let wanted = format!("{before}{table}\n{after}");
    if env::var_os("ELSEWISE_BLESS").is_some() {
        fs::write(path, &wanted).unwrap();
    }
    assert!(
        page == wanted,
        "docs/src/library.md is not what the table of models says; write it anew with\n    \
         ELSEWISE_BLESS=1 cargo test -p elsewise-native --test all library_page"
    );
}
