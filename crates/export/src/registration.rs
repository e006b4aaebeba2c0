//! How a project's build runs regression cases: a file for it to include, and the lines that do so. Nobody's build
//! files are changed.

use crate::File;
use crate::regression::{SCRIPT, word};
use std::fmt::Write;

/// What builds a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildSystem {
    CMake,
    Meson,
    Make,
    Cargo,
}

/// A case in the folder that all of them have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registered {
    /// Its folder's name.
    pub name: String,
    /// What the build makes, if the case is run on that.
    pub program: Option<String>,
}

/// What is written for a build, and what its user adds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registration {
    /// Seen from the folder of the cases, or from the project.
    pub file: File,
    /// In the project, not among the cases.
    pub is_of_project: bool,
    /// The file that is to have the lines.
    pub into: &'static str,
    pub lines: String,
    /// What runs the cases then.
    pub command: String,
}

const HEAD: &str =
    "Runs the regression cases in this folder. Written by `elsewise keep`, which writes it anew.";

impl BuildSystem {
    pub const ALL: [BuildSystem; 4] = [
        BuildSystem::CMake,
        BuildSystem::Meson,
        BuildSystem::Make,
        BuildSystem::Cargo,
    ];

    /// The files by which a project is known to have it.
    pub fn files(self) -> &'static [&'static str] {
        match self {
            BuildSystem::CMake => &["CMakeLists.txt"],
            BuildSystem::Meson => &["meson.build"],
            BuildSystem::Make => &["GNUmakefile", "makefile", "Makefile"],
            BuildSystem::Cargo => &["Cargo.toml"],
        }
    }

    /// `folder` is that of the cases, seen from the project; `own` the file by which the project was known, with what it
    /// says.
    pub fn register(
        self,
        folder: &str,
        cases: &[Registered],
        own: (&'static str, &str),
    ) -> Registration {
        let (into, build) = own;
        let (file, lines, command) = match self {
            BuildSystem::CMake => (
                cmake(cases),
                format!("enable_testing()\ninclude({folder}/elsewise.cmake)\n"),
                "ctest".to_string(),
            ),
            BuildSystem::Meson => (
                meson(cases),
                format!("subdir('{folder}')\n"),
                "meson test".into(),
            ),
            BuildSystem::Make => (
                make(cases, build),
                format!("include {folder}/elsewise.mk\ncheck: check-elsewise\n"),
                "make check-elsewise".into(),
            ),
            BuildSystem::Cargo => (cargo(folder), String::new(), "cargo test".into()),
        };
        Registration {
            file,
            is_of_project: self == BuildSystem::Cargo,
            into,
            lines,
            command,
        }
    }
}

fn cmake(cases: &[Registered]) -> File {
    let mut text = format!("# {HEAD}\nset(ELSEWISE_CASES \"${{CMAKE_CURRENT_LIST_DIR}}\")\n\n");
    text.push_str(
        "# The target of that name is run, where there is one.\n\
         function(elsewise_case name program)\n  \
           set(command \"${ELSEWISE_CASES}/${name}/run.sh\")\n  \
           if(program AND TARGET \"${program}\")\n    \
             list(APPEND command \"$<TARGET_FILE:${program}>\")\n  \
           endif()\n  \
           add_test(NAME \"elsewise-${name}\" COMMAND ${command})\n  \
           set_tests_properties(\"elsewise-${name}\" PROPERTIES SKIP_RETURN_CODE 77)\n\
         endfunction()\n\n",
    );
    for case in cases {
        let program = case.program.as_deref().unwrap_or_default();
        let _ = writeln!(
            text,
            "elsewise_case(\"{}\" \"{}\")",
            case.name,
            file_name(program)
        );
    }
    File {
        name: "elsewise.cmake".into(),
        text,
    }
}

fn meson(cases: &[Registered]) -> File {
    let mut text = format!("# {HEAD}\n");
    for case in cases {
        let name = &case.name;
        let _ = write!(
            text,
            "\ntest('elsewise-{name}', find_program('{name}/{SCRIPT}'), timeout: 300"
        );
        // An executable is known by the variable that holds it, which often has its name.
        if let Some(program) = case.program.as_deref().map(file_name) {
            let variable: String = program
                .chars()
                .map(|char| {
                    if char.is_ascii_alphanumeric() {
                        char
                    } else {
                        '_'
                    }
                })
                .collect();
            let _ = write!(
                text,
                ",\n  args: is_variable('{variable}') ? [get_variable('{variable}')] : []"
            );
        }
        text.push_str(")\n");
    }
    File {
        name: "meson.build".into(),
        text,
    }
}

fn make(cases: &[Registered], build: &str) -> File {
    let mut text = format!(
        "# {HEAD}\nELSEWISE_CASES := $(dir $(lastword $(MAKEFILE_LIST)))\n\n.PHONY: check-elsewise\n"
    );
    text.push_str("check-elsewise:");
    let mut programs: Vec<&str> = cases
        .iter()
        .filter_map(|case| case.program.as_deref())
        .filter(|program| has_rule(build, program))
        .collect();
    programs.dedup();
    for program in programs {
        let _ = write!(text, " {program}");
    }
    text.push('\n');
    for case in cases {
        let run = word(&format!("{}/{SCRIPT}", case.name));
        // 77: it cannot be told here.
        let _ = writeln!(text, "\t$(ELSEWISE_CASES){run} || [ $$? -eq 77 ]");
    }
    File {
        name: "elsewise.mk".into(),
        text,
    }
}

/// Whether a makefile says how something is made.
fn has_rule(build: &str, program: &str) -> bool {
    build.lines().any(|line| {
        let targets = line.split_once(':').map(|(targets, _)| targets);
        let mut targets = targets.into_iter().flat_map(str::split_whitespace);
        !line.starts_with('\t') && targets.any(|target| target == program)
    })
}

fn cargo(folder: &str) -> File {
    let text = format!(
        r#"//! Runs the regression cases in {folder}. Written by `elsewise keep`, which writes it anew.

use std::path::Path;
use std::process::Command;

#[test]
fn elsewise_cases() {{
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("{folder}");
    let mut failed = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the folder of the cases") {{
        let case = entry.expect("a case").path();
        let run = case.join("{SCRIPT}");
        if !run.is_file() {{
            continue;
        }}
        let status = Command::new(run).status().expect("the script of a case");
        // 77: it cannot be told here.
        if !matches!(status.code(), Some(0 | 77)) {{
            failed.push((case, status));
        }}
    }}
    assert!(failed.is_empty(), "{{failed:?}}");
}}
"#
    );
    File {
        name: "tests/elsewise.rs".into(),
        text,
    }
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cases() -> Vec<Registered> {
        vec![
            Registered {
                name: "parser-1".into(),
                program: None,
            },
            Registered {
                name: "readtags-2".into(),
                program: Some("build/readtags".into()),
            },
        ]
    }

    #[test]
    fn files_for_builds() {
        let makefile = "all: build/readtags\nbuild/readtags: readtags.c\n\tcc readtags.c -o $@\n";
        for system in BuildSystem::ALL {
            let own = (system.files()[0], makefile);
            let made = system.register("tests/elsewise", &cases(), own);
            let text = format!(
                "--- {}\n{}--- into {}\n{}--- {}",
                made.file.name, made.file.text, made.into, made.lines, made.command
            );
            insta::assert_snapshot!(format!("registration_{system:?}"), text);
        }
    }

    #[test]
    fn only_rules_are_prerequisites() {
        assert!(has_rule("a b: c\n", "b"));
        assert!(!has_rule("a: b\n", "b"));
        assert!(!has_rule("\techo b: c\n", "b"));
    }
}
