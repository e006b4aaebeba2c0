//! `cargo xtask overhead compile`: what a compilation with `elsewise-cc` costs beside one with clang.
//!
//! Processor time of all files of a library, one after the other, the least of several rounds in which
//! both compilers take turns; nothing is taken from earlier builds. Beside libraries of the
//! distribution there are sources as generators write them: one function with a branch for each line,
//! over global variables, as in SV-COMP's ECA programs, and state machines.

use crate::cpu::children_seconds;
use crate::engine::{Engine, Profile};
use crate::packages::compile::{prepare, succeed};
use crate::packages::source;
use anyhow::{Result, bail, ensure};
use elsewise_statechart::Project;
use elsewise_statechart::generate::Options;
use elsewise_statechart::model::Format;
use elsewise_statechart::random::{Shape, random};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const ROUNDS: usize = 3;
/// What takes clang longer is compiled once.
const LONG: f64 = 5.0;

struct Library {
    /// Of the source package.
    name: &'static str,
    version: &'static str,
    prepare: &'static str,
    /// What the shell's patterns find, below the package's root.
    sources: &'static str,
    options: &'static [&'static str],
    most: f64,
}

const LIBRARIES: &[Library] = &[
    Library {
        name: "cjson",
        version: "1.7.15-1+deb12u4",
        prepare: "",
        sources: "cJSON.c",
        options: &["-O2"],
        most: 4.0,
    },
    Library {
        name: "expat",
        version: "2.5.0-1+deb12u5",
        prepare: "cmake -S expat -B config -DEXPAT_BUILD_DOCS=Off && \
                  sed -i 's/define XML_DTD$/& 1/' config/expat_config.h",
        sources: "expat/lib/xmlparse.c expat/lib/xmlrole.c expat/lib/xmltok.c",
        options: &["-O2", "-Iconfig", "-Iexpat/lib", "-DXML_STATIC"],
        most: 4.0,
    },
    Library {
        name: "libyaml",
        version: "0.2.5-1",
        prepare: "cmake -S . -B config",
        sources: "src/*.c",
        options: &["-O2", "-Iinclude", "-Iconfig/include", "-DHAVE_CONFIG_H"],
        most: 4.0,
    },
    Library {
        name: "zlib",
        version: "1:1.2.13.dfsg-1",
        prepare: "",
        sources: "adler32.c compress.c crc32.c deflate.c inffast.c inflate.c inftrees.c trees.c zutil.c",
        options: &["-O2", "-I."],
        most: 4.0,
    },
    Library {
        name: "lua5.4",
        version: "5.4.4-3+deb12u1",
        // A file that the distribution's rules would write.
        prepare: r#"echo '#define DEB_HOST_MULTIARCH "x"' > src/lua5.4-deb-multiarch.h && rm src/luac.c"#,
        sources: "src/l*.c",
        options: &["-O2", "-DLUA_USE_POSIX"],
        most: 4.0,
    },
    Library {
        name: "sqlite3",
        version: "3.40.1-2+deb12u2",
        prepare: "mkdir config && cd config && ../configure --disable-tcl && make sqlite3.c",
        sources: "config/sqlite3.c",
        options: &["-O2", "-Iconfig", "-DSQLITE_THREADSAFE=0"],
        most: 4.0,
    },
    Library {
        name: "tinyxml2",
        version: "9.0.0+dfsg-3.1",
        prepare: "",
        sources: "tinyxml2.cpp",
        options: &["-I."],
        most: 5.0,
    },
    Library {
        name: "pugixml",
        version: "1.13-0.2",
        prepare: "",
        sources: "src/pugixml.cpp",
        options: &[],
        most: 5.0,
    },
];

/// How many of the libraries, the first ones, count for the mean.
const COUNTED: usize = 6;
const MEAN: f64 = 3.0;
/// Lines of generated programs, and how many times as long their compilation may take.
const ECA: [usize; 2] = [1_000, 10_000];
const ECA_MOST: f64 = 4.0;
/// Branches of models, and the seconds that building one may take.
const MODELS: [(u32, f64); 2] = [(600, 4.0), (5_000, 40.0)];

/// One row of the table.
struct Measured {
    name: String,
    plain: f64,
    ours: f64,
}

impl Measured {
    fn ratio(&self) -> f64 {
        self.ours / self.plain
    }
}

pub fn run(root: &Path, words: &[&str]) -> Result<()> {
    let mut profile = Profile::Release;
    let mut names = Vec::new();
    for word in words {
        match *word {
            "--debug" => profile = Profile::Debug,
            name => names.push(name),
        }
    }
    let wanted = |name: &str| names.is_empty() || names.contains(&name);
    let engine = Engine::build(root, profile)?;
    let cache = source::cache()?;
    source::fetch_lists(&cache)?;
    let mut missed = Vec::new();
    println!("\n| what | clang | elsewise-cc | ratio |\n|---|---|---|---|");
    let mut logarithms = Vec::new();
    for (index, library) in LIBRARIES.iter().enumerate() {
        if !wanted(library.name) {
            continue;
        }
        let row = library.measure(&engine, &cache)?;
        print(&row, library.most, &mut missed);
        if index < COUNTED {
            logarithms.push(row.ratio().ln());
        }
    }
    if logarithms.len() == COUNTED {
        let mean = (logarithms.iter().sum::<f64>() / COUNTED as f64).exp();
        println!("| geometric mean of the first {COUNTED} | | | {mean:.2}x |");
        if mean > MEAN {
            missed.push(format!("mean {mean:.2}x, not {MEAN}x"));
        }
    }
    let folder = cache.join("overhead/generated");
    fs::create_dir_all(&folder)?;
    if wanted("eca") {
        for lines in ECA {
            let file = folder.join(format!("eca{lines}.c"));
            fs::write(&file, eca(lines))?;
            let name = format!("as ECA, {lines} lines");
            let row = measure(&engine, name, &folder, &[file], &["-O2"])?;
            print(&row, ECA_MOST, &mut missed);
        }
    }
    if wanted("models") {
        for (branches, most) in MODELS {
            let seconds = model(&engine, branches, &folder)?;
            println!("| model of {branches} branches | | {seconds:.2} s | |");
            if seconds > most {
                missed.push(format!("model of {branches}: {seconds:.1} s, not {most} s"));
            }
        }
    }
    ensure!(missed.is_empty(), "missed: {}", missed.join("; "));
    Ok(())
}

fn print(row: &Measured, most: f64, missed: &mut Vec<String>) {
    let ratio = row.ratio();
    println!(
        "| {} | {:.2} s | {:.2} s | {ratio:.2}x |",
        row.name, row.plain, row.ours
    );
    if ratio > most {
        missed.push(format!("{} {ratio:.2}x, not {most}x", row.name));
    }
}

impl Library {
    fn measure(&self, engine: &Engine, cache: &Path) -> Result<Measured> {
        let source = source::fetch_original(cache, self.name, self.version)?;
        let folder = cache.join("overhead/compile").join(self.name);
        let folder = prepare(&folder, &source, self.prepare)?;
        let listed = Command::new("sh")
            .args(["-c", &format!("ls {}", self.sources)])
            .current_dir(&folder)
            .output()?;
        let listed = String::from_utf8(listed.stdout)?;
        let sources: Vec<PathBuf> = listed.lines().map(PathBuf::from).collect();
        ensure!(!sources.is_empty(), "{}: no sources", self.name);
        let name = format!("{} {}", self.name, source::upstream(self.version));
        measure(engine, name, &folder, &sources, self.options)
    }
}

/// Both compilers take turns.
fn measure(
    engine: &Engine,
    name: String,
    folder: &Path,
    sources: &[PathBuf],
    options: &[&str],
) -> Result<Measured> {
    let cxx = sources
        .iter()
        .any(|file| file.extension().is_some_and(|it| it == "cpp"));
    let (plain, ours) = match cxx {
        true => (Path::new("clang++-22"), &engine.cxx),
        false => (Path::new("clang-22"), &engine.cc),
    };
    let out = folder.join("measured.o");
    let mut least = [f64::INFINITY; 2];
    for round in 0..ROUNDS {
        for (index, compiler) in [plain, ours.as_path()].into_iter().enumerate() {
            let before = children_seconds();
            for file in sources {
                succeed(
                    Command::new(compiler)
                        .args(options)
                        .args(["-w", "-c"])
                        .arg(file)
                        .arg("-o")
                        .arg(&out)
                        .current_dir(folder)
                        .env("ELSEWISE_CACHE_SIZE", "0"),
                )?;
            }
            least[index] = least[index].min(children_seconds() - before);
        }
        if round == 0 && least[0] > LONG {
            break;
        }
    }
    fs::remove_file(&out)?;
    Ok(Measured {
        name,
        plain: least[0].max(1e-9),
        ours: least[1],
    })
}

/// Processor time of building a random model as `elsewise explore` does.
fn model(engine: &Engine, branches: u32, folder: &Path) -> Result<f64> {
    let made = random(Shape {
        seed: 1,
        format: Format::Qm,
        branches: branches as usize,
        depth: 4,
    });
    let project =
        Project::of(made.model, &Options::default()).map_err(|error| anyhow::anyhow!("{error}"))?;
    let folder = folder.join(format!("model{branches}"));
    fs::create_dir_all(&folder)?;
    let main = project
        .write(&folder)
        .map_err(|error| anyhow::anyhow!("{error}"))?;
    let out = folder.join("model");
    let before = children_seconds();
    succeed(
        Command::new(&engine.cc)
            .arg("-w")
            .arg(&main)
            .arg("-o")
            .arg(&out)
            .env("ELSEWISE_CACHE_SIZE", "0"),
    )?;
    let seconds = children_seconds() - before;
    if !out.is_file() {
        bail!("{} was not built", out.display());
    }
    Ok(seconds)
}

/// A reactive system as a generator writes it: one function, whose branches test an input and global
/// variables and set them, about one a line.
fn eca(lines: usize) -> String {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut below = |limit: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % limit
    };
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
