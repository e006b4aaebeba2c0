//! Objects with damaged bytes: whatever is read from them, there is no panic and no endless work.

use super::dwarf::elf;
use super::{FLAGS, Types, TypesError, lengths, reach};
use elsewise_driver::Toolchain;
use elsewise_test_random::Random;
use object::{Object, ObjectSection};
use std::fs;
use std::process::Command;

const SOURCE: &str = "
typedef struct node { struct node *next; int items[2][3]; unsigned low : 3; } node;
enum color { RED = -1, BLUE }; union any { float f; enum color c; };
typedef int compare(const void *, const void *);
extern int elsewhere(node *, union any); int global;
static compare *const table[] = {0};
int f(node *nodes, int count, compare *by) { return elsewhere(nodes, (union any){1}) + by(nodes, table); }
";

fn object() -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("source.c");
    fs::write(&file, SOURCE).unwrap();
    let output = Command::new(Toolchain::find().unwrap().clang)
        .arg(&file)
        .args(FLAGS)
        .arg("-o")
        .arg(folder.path().join("source.o"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    fs::read(folder.path().join("source.o")).unwrap()
}

/// Everything that anybody does with what was read.
fn use_all(object: &[u8]) -> Result<usize, TypesError> {
    let types = Types::read(object)?;
    let mut letters = 0;
    for id in types.ids() {
        letters += types.declare(id, "x").map_or(0, |text| text.len());
        letters += types.declare_mutable(id, "x").map_or(0, |text| text.len());
        types.resolve(id);
    }
    for function in &types.functions {
        letters += types.prototype(function).map_or(0, |text| text.len());
        letters += lengths(&types, function).len();
    }
    Ok(letters)
}

#[test]
fn no_damage_to_an_object_makes_reading_its_types_panic() {
    let whole = object();
    assert!(use_all(&whole).unwrap() > 100);
    assert_eq!(reach(&whole, "f").unwrap().undefined, ["elsewhere"]);
    let sections = [
        ".debug_info",
        ".debug_abbrev",
        ".debug_line",
        ".rela.debug_info",
    ];
    let file = elf(&whole).unwrap();
    let ranges: Vec<(usize, usize)> = sections
        .iter()
        .map(|name| file.section_by_name(name).unwrap().data().unwrap())
        .map(|data| (data.as_ptr() as usize - whole.as_ptr() as usize, data.len()))
        .chain([(0, whole.len())])
        .collect();
    let mut random = Random::new(0x5eed);
    let (mut good, mut bad) = (0, 0);
    let mut bytes = whole.clone();
    let rounds = std::env::var("ELSEWISE_MUTATIONS").map_or(10_000, |n| n.parse().unwrap());
    for round in 0..rounds {
        let (begin, size) = ranges[round % ranges.len()];
        let mut touched = Vec::new();
        for _ in 0..1 + random.below(3) {
            let at = begin + random.below(size.max(1));
            bytes[at] = random.below(256) as u8;
            touched.push(at);
        }
        match use_all(&bytes) {
            Ok(_) => good += 1,
            Err(_) => bad += 1,
        }
        // Nothing about the result matters but that there is one.
        let _ = reach(&bytes, "f");
        for at in touched {
            bytes[at] = whole[at];
        }
    }
    assert!(good > 100 && bad > 100, "{good} good, {bad} bad");
}
