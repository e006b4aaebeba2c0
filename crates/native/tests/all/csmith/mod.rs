//! Random C programs, written by csmith, whose globals are inputs.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// Globals of one program that are made inputs.
const MAX_INPUTS: usize = 100;
/// Options that keep programs small: many small ones show more than a few large ones.
const CSMITH: &str = "--max-funcs 4 --max-array-len-per-dim 6 --max-array-dim 2";

/// What all builds are given; csmith is careless about types of pointers.
pub const COMPILE: [&str; 3] = [
    "-w",
    "-Wno-incompatible-pointer-types",
    "-I/usr/include/csmith",
];

/// The program of a seed, with its plain globals made inputs where it is given no arguments, and
/// an exit code that says whether the checksum is `EXPECTED`.
pub fn program(seed: u64, folder: &Path) -> (String, String) {
    let mut options = format!("--seed {seed} {CSMITH}");
    if seed.is_multiple_of(3) {
        options.push_str(" --float");
    }
    // Without pointers, what is computed comes from globals far more often.
    if seed.is_multiple_of(2) {
        options.push_str(" --no-pointers");
    }
    let output = Command::new("csmith")
        .args(options.split_whitespace())
        // It writes a file of its own where it stands.
        .current_dir(folder)
        .output()
        .expect("csmith is needed: scripts/setup installs it");
    let source = String::from_utf8(output.stdout).expect("csmith writes ASCII");
    let mut inputs = String::from("    if (argc < 2) {\n");
    for name in globals(&source).take(MAX_INPUTS) {
        let _ = writeln!(
            inputs,
            "        elsewise_input((void *)&{name}, sizeof {name}, \"{name}\");"
        );
    }
    inputs.push_str("    }\n    crc32_gentab();");
    let (before, after) = source
        .rsplit_once("return 0;")
        .expect("main ends with return 0");
    let whole = format!(
        "#include <stddef.h>\nvoid elsewise_input(void *, size_t, const char *);\n\
         {before}if ((uint32_t)(crc32_context ^ 0xFFFFFFFFUL) != EXPECTED) return 1;\n    return 0;{after}"
    );
    let whole = whole.replacen("crc32_gentab();", &inputs, 1);
    (whole, format!("csmith {options}"))
}

/// Globals that are no pointers and may be written.
pub fn globals(source: &str) -> impl Iterator<Item = &str> {
    source.lines().filter_map(|line| {
        let declared = line.strip_prefix("static ")?.split_once(" = ")?.0;
        if declared.contains('*') || declared.contains("const") {
            return None;
        }
        let name = declared.rsplit(' ').next()?.split('[').next()?;
        name.starts_with("g_").then_some(name)
    })
}
