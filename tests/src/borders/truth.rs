//! The truth about a program of the borders: what the plain build makes of many inputs.

use super::generate::Program;
use super::table::{VARIABLE, Way};
use crate::compile::Compiler;
use anyhow::{Context, Result, ensure};
use elsewise_test_random::Random;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Inputs that are tried where not all can be.
const SAMPLES: usize = 300;

/// What is in the language of many parsers.
const ALPHABET: &[u8] = b"0123456789abcdefkmqxyzAEKQZ +-.,;:=/<>&'\"*?[]()|%\\#!\n\t_~";

/// Values that are special to many.
const SPECIAL: &[u8] = &[0, 1, 7, 27, 31, 127, 128, 0xa9, 0xc3, 0xe9, 254, 255];

/// The value on which a program aborts, and what is known of who reaches it.
#[derive(Clone, Debug)]
pub struct Truth {
    pub target: i64,
    /// An input that reaches it, if one is known.
    pub witness: Option<Vec<u8>>,
    /// Were all inputs within the bounds tried?
    pub exhaustive: bool,
    /// Different values that were seen.
    pub values: usize,
}

impl Truth {
    /// Builds the program in `folder`, runs it, and picks the value on which it is to abort.
    pub fn of(program: &Program, folder: &Path) -> Result<Truth> {
        let plain = build(
            program,
            &program.source(0),
            "table",
            &["-DBORDER_TABLE"],
            folder,
        )?;
        let mut random = Random::new(program.seed ^ 0x0074_7275_7468);
        let (inputs, exhaustive) = inputs(program, &mut random);
        let mut seen: BTreeMap<i64, Vec<&Vec<u8>>> = BTreeMap::new();
        for input in &inputs {
            let output = run(program.way, &plain, input, folder)?;
            let value =
                said(&output).with_context(|| format!("{} on {input:?}", program.chain()))?;
            seen.entry(value).or_default().push(input);
        }
        let values = seen.len();
        if program.never || values == 1 {
            let all: Vec<i64> = seen.keys().copied().collect();
            let mut target = *random.pick(&all) + 1;
            while seen.contains_key(&target) {
                target += 1;
            }
            return Ok(Truth {
                target,
                witness: None,
                exhaustive,
                values,
            });
        }
        // One that few inputs reach, and not those that an exploration begins with.
        let first = |by: &[&Vec<u8>]| by.iter().any(|one| one.iter().all(|&byte| byte == 0));
        let mut rare: Vec<_> = seen.iter().filter(|(_, by)| !first(by)).collect();
        if rare.is_empty() {
            rare = seen.iter().collect();
        }
        let fewest = rare.iter().map(|(_, by)| by.len()).min();
        let few = fewest.context("no input")?.max(inputs.len() / 32);
        rare.retain(|(_, by)| by.len() <= few);
        let (target, by) = *random.pick(&rare);
        Ok(Truth {
            target: *target,
            witness: Some((*random.pick(by)).clone()),
            exhaustive,
            values,
        })
    }
}

/// All inputs within the bounds, or some of them; and whether they are all.
fn inputs(program: &Program, random: &mut Random) -> (Vec<Vec<u8>>, bool) {
    // The text of an argument ends at a zero.
    let text = matches!(program.way, Way::Argument | Way::Variable);
    let least = if program.exact { program.bytes } else { 0 };
    let mut all = Vec::new();
    if program.bytes == 1 {
        if least == 0 {
            all.push(Vec::new());
        }
        all.extend((u8::from(text)..=255).map(|byte| vec![byte]));
        return (all, true);
    }
    all.push(vec![0; if text { 0 } else { program.bytes }]);
    if least == 0 {
        all.push(Vec::new());
    }
    for _ in 0..SAMPLES {
        let length = if random.chance(70) {
            program.bytes
        } else {
            random.between(least as i64, program.bytes as i64) as usize
        };
        let input = (0..length).map(|_| match random.below(10) {
            0..7 => *random.pick(ALPHABET),
            7 | 8 => random.between(i64::from(text), 255) as u8,
            _ => *random.pick(&SPECIAL[usize::from(text)..]),
        });
        all.push(input.collect());
    }
    (all, false)
}

/// Builds `source` in `folder`, as plainly as can be.
pub fn build(
    program: &Program,
    source: &str,
    name: &str,
    options: &[&str],
    folder: &Path,
) -> Result<PathBuf> {
    let file = folder.join(program.file_name());
    let out = folder.join(name);
    std::fs::write(&file, source)?;
    // The file, then the libraries that it needs.
    let mut all: Vec<&str> = options.to_vec();
    let path = file.to_string_lossy().into_owned();
    all.extend(["-w", &path]);
    all.extend(program.flags.iter().map(String::as_str));
    let compiler = if program.cplusplus {
        Compiler::ClangCpp
    } else {
        Compiler::Clang
    };
    compiler
        .build(&[], &all, &out)
        .with_context(|| format!("seed {}", program.seed))?;
    Ok(out)
}

/// Runs a build on one input, which it is given as Elsewise gives it.
pub fn run(way: Way, plain: &Path, input: &[u8], folder: &Path) -> Result<Output> {
    let mut command = Command::new(plain);
    let file = folder.join("input");
    command.current_dir(folder).stdin(Stdio::null());
    let text = || {
        let end = input.iter().position(|&byte| byte == 0);
        OsString::from_vec(input[..end.unwrap_or(input.len())].to_vec())
    };
    match way {
        Way::Stdin => {
            std::fs::write(&file, input)?;
            command.stdin(File::open(&file)?);
        }
        Way::File => {
            std::fs::write(&file, input)?;
            command.arg(&file);
        }
        Way::Argument => {
            command.arg(text());
        }
        Way::Variable => {
            command.env(VARIABLE, text());
        }
    }
    Ok(command.output()?)
}

/// What a build with `-DBORDER_TABLE` says.
fn said(output: &Output) -> Result<i64> {
    let text = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{}: {text}", output.status);
    let last = text.trim_end().rsplit('\n').next().unwrap_or_default();
    let number = last.strip_prefix('=').context("no result")?;
    Ok(number.parse()?)
}

/// Did a run call `abort`?
pub fn aborted(output: &Output) -> bool {
    output.status.signal() == Some(6)
}
