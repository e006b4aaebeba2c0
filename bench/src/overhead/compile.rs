//! `cargo measure overhead compile`: what a compilation with `elsewise-cc` costs beside one with clang.
//!
//! Processor time of all files of a library, one after the other, the least of several rounds in which
//! both compilers take turns; nothing is taken from earlier builds. Beside libraries of the
//! distribution there are sources as generators write them: one function with a branch for each line,
//! over global variables, as in SV-COMP's ECA programs, and state machines.

use crate::compile::{prepare, succeed};
use crate::engine::Engine;
use crate::package::Package;
use crate::runner::{Clock, Missed, Session, Table, in_turns};
use crate::source;
use anyhow::{Result, ensure};
use elsewise_statechart::Project;
use elsewise_statechart::generate::Options;
use elsewise_statechart::model::Format;
use elsewise_statechart_testing::random::{Shape, random};
use elsewise_test_random::Random;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const ROUNDS: usize = 3;
/// What takes clang longer is compiled once.
const LONG: f64 = 5.0;

/// Packages, options beside theirs, and how many times as long their compilation may take.
const LIBRARIES: [(&str, &[&str], f64); 8] = [
    ("cjson", &["-O2"], 4.0),
    ("expat", &["-O2"], 4.0),
    ("libyaml", &["-O2"], 4.0),
    ("zlib", &["-O2"], 4.0),
    ("lua5.4", &["-O2"], 4.0),
    ("sqlite3", &["-O2"], 4.0),
    ("tinyxml2", &[], 5.0),
    ("pugixml", &[], 5.0),
];
/// How many of the libraries, the first ones, count for the mean.
const COUNTED: usize = 6;
const MEAN: f64 = 3.0;
/// Lines of generated programs, and how many times as long their compilation may take.
const ECA: [usize; 2] = [1_000, 10_000];
const ECA_MOST: f64 = 4.0;
/// Branches of models, and the seconds that building one may take.
const MODELS: [(usize, f64); 2] = [(600, 4.0), (5_000, 40.0)];

pub fn run(session: &Session, names: &[String]) -> Result<()> {
    let known = LIBRARIES.iter().map(|(name, ..)| *name);
    let known: Vec<&str> = known.chain(["eca", "models"]).collect();
    for name in names {
        let there = known.join(", ");
        ensure!(known.contains(&&**name), "no {name}; there are {there}");
    }
    let wanted = |name: &str| names.is_empty() || names.iter().any(|one| one == name);
    let engine = session.engine()?;
    let mut missed = Missed::default();
    let mut table = Table::live("what | clang | elsewise-cc | ratio");
    let mut logarithms = Vec::new();
    for (index, (name, options, most)) in LIBRARIES.into_iter().enumerate() {
        if wanted(name) {
            let package = Package::named(name)?;
            let cost = library(&engine, package, options)?;
            let ratio = row(&mut table, &mut missed, &package.title(), most, cost);
            logarithms.extend((index < COUNTED).then(|| ratio.ln()));
        }
    }
    if logarithms.len() == COUNTED {
        let mean = (logarithms.iter().sum::<f64>() / COUNTED as f64).exp();
        table.row(format_args!(
            "geometric mean of the first {COUNTED} | | | {mean:.2}x"
        ));
        missed.unless(mean <= MEAN, format_args!("mean {mean:.2}x, not {MEAN}x"));
    }
    let folder = source::cache()?.join("overhead/generated");
    fs::create_dir_all(&folder)?;
    for lines in ECA.into_iter().filter(|_| wanted("eca")) {
        let file = folder.join(format!("eca{lines}.c"));
        fs::write(&file, eca(lines))?;
        let compilers = [Path::new("clang-22"), &engine.cc];
        let cost = measure(compilers, &folder, &[file], &["-O2"])?;
        let name = format!("as ECA, {lines} lines");
        row(&mut table, &mut missed, &name, ECA_MOST, cost);
    }
    for (branches, most) in MODELS.into_iter().filter(|_| wanted("models")) {
        let seconds = model(&engine, branches, &folder)?;
        table.row(format_args!(
            "model of {branches} branches | | {seconds:.2} s | "
        ));
        let what = format!("model of {branches}: {seconds:.1} s, not {most} s");
        missed.unless(seconds <= most, what);
    }
    missed.none("missed")
}

/// The ratio.
fn row(
    table: &mut Table,
    missed: &mut Missed,
    name: &str,
    most: f64,
    [plain, ours]: [f64; 2],
) -> f64 {
    let ratio = ours / plain.max(1e-9);
    table.row(format_args!(
        "{name} | {plain:.2} s | {ours:.2} s | {ratio:.2}x"
    ));
    missed.unless(
        ratio <= most,
        format_args!("{name} {ratio:.2}x, not {most}x"),
    );
    ratio
}

fn library(engine: &Engine, package: &Package, options: &[&'static str]) -> Result<[f64; 2]> {
    let source = source::fetch_original(package.name, package.version)?;
    let folder = source::cache()?.join("overhead/compile").join(package.name);
    let folder = prepare(&folder, &source, package.prepare)?;
    let options: Vec<&str> = package.options().chain(options.iter().copied()).collect();
    let compilers = match package.is_cxx() {
        true => [Path::new("clang++-22"), &engine.cxx],
        false => [Path::new("clang-22"), &engine.cc],
    };
    measure(compilers, &folder, &package.files(&folder)?, &options)
}

/// Seconds of each compiler for all files.
fn measure(
    compilers: [&Path; 2],
    folder: &Path,
    sources: &[PathBuf],
    options: &[&str],
) -> Result<[f64; 2]> {
    let out = folder.join("measured.o");
    let rounds = |rounds| {
        in_turns::<2>(rounds, |way| {
            let compile = |file: &PathBuf| {
                let mut command = compiler(compilers[way]);
                command.args(options).arg("-c").arg(file);
                succeed(command.arg("-o").arg(&out).current_dir(folder))
            };
            let all = || sources.iter().try_for_each(compile);
            Ok(Clock::Processor.time(all)?.0)
        })
    };
    let mut least = rounds(1)?;
    if least[0] <= LONG {
        let more = rounds(ROUNDS - 1)?;
        least = [least[0].min(more[0]), least[1].min(more[1])];
    }
    fs::remove_file(&out)?;
    Ok(least)
}

fn compiler(path: &Path) -> Command {
    let mut command = Command::new(path);
    command.arg("-w").env("ELSEWISE_CACHE_SIZE", "0");
    command
}

/// Processor time of building a random model as `elsewise explore` does.
fn model(engine: &Engine, branches: usize, folder: &Path) -> Result<f64> {
    let made = random(Shape {
        seed: 1,
        format: Format::Qm,
        branches,
        depth: 4,
    });
    let project = Project::of(made.model, &Options::default())?;
    let folder = folder.join(format!("model{branches}"));
    fs::create_dir_all(&folder)?;
    let main = project.write(&folder)?;
    let mut command = compiler(&engine.cc);
    command.arg(&main).arg("-o").arg(folder.join("model"));
    Ok(Clock::Processor.time(|| succeed(&mut command))?.0)
}

/// A reactive system as a generator writes it: one function, whose branches test an input and global
/// variables and set them, about one a line.
fn eca(lines: usize) -> String {
    let mut random = Random::new(1);
    let mut below = |limit| random.word_below(limit);
    let variables = 12;
    let mut text =
        String::from("extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n");
    for variable in 0..variables {
        let _ = writeln!(text, "int a{variable} = {};", below(20));
    }
    text += "int calculate_output(int input) {\n";
    let mut written = variables as usize + 3;
    while written < lines.saturating_sub(10) {
        let mut conditions = vec![format!("input == {}", 1 + below(6))];
        for _ in 0..2 + below(3) {
            let (variable, value) = (below(variables), below(20));
            let compare = ["==", "!=", "<", ">="][below(4) as usize];
            conditions.push(format!("(a{variable} {compare} {value})"));
        }
        let _ = writeln!(text, "    if (({})) {{", conditions.join(" && "));
        for _ in 0..1 + below(3) {
            let (to, from, value) = (below(variables), below(variables), 1 + below(9));
            let _ = writeln!(
                text,
                "        a{to} = ((a{from} * {value}) + {}) % 299;",
                below(99)
            );
            written += 1;
        }
        if below(40) == 0 {
            text += "        if (a0 == 77 && a1 == 33) reach_error();\n";
            written += 1;
        }
        let _ = writeln!(text, "        return {};\n    }}", 20 + below(7));
        written += 3;
    }
    text += "    return -2;\n}\nint main(void) {\n    while (1) {\n        int input = __VERIFIER_nondet_int();\n        \
             if (input < 1 || input > 6) return -2;\n        calculate_output(input);\n    }\n}\n";
    text
}

/// The generated text has about as many lines as it says.
#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context;

    #[test]
    fn generated_programs_have_their_lines() -> Result<()> {
        for lines in ECA {
            let found = eca(lines).lines().count();
            let near = (lines * 9 / 10..=lines * 11 / 10).contains(&found);
            ensure!(near, "{found} lines, not {lines}");
        }
        eca(1_000)
            .lines()
            .find(|line| line.contains("reach_error();"))
            .context("no error can be reached")?;
        Ok(())
    }
}
