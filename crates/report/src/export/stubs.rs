//! What CTest and Meson need to build and run exported tests.

use super::{File, Framework, Suite};
use std::fmt::Write;

/// The framework's name for pkg-config.
fn package(framework: Framework) -> Option<&'static str> {
    match framework {
        Framework::Tap => None,
        Framework::Cmocka => Some("cmocka"),
        Framework::Check => Some("check"),
        Framework::Criterion => Some("criterion"),
        Framework::Gtest => Some("gtest_main"),
    }
}

pub fn stubs(suite: &Suite, framework: Framework, base: &str, files: &[String]) -> [File; 2] {
    [
        File {
            name: "CMakeLists.txt".to_owned(),
            text: cmake(suite, framework, base, files),
        },
        File {
            name: "meson.build".to_owned(),
            text: meson(suite, framework, base, files),
        },
    ]
}

fn program(file: &str) -> &str {
    file.rsplit_once('.').map_or(file, |(name, _)| name)
}

fn is_failing(file: &str) -> bool {
    program(file).ends_with("_failing")
}

fn cmake(suite: &Suite, framework: Framework, base: &str, files: &[String]) -> String {
    let languages = if framework.is_cpp() { "C CXX" } else { "C" };
    let mut out = format!(
        "# Builds and runs the tests of {}: by itself, or with add_subdirectory.\n\
         cmake_minimum_required(VERSION 3.13)\nproject({base} {languages})\nenable_testing()\n",
        suite.function
    );
    let library = match framework {
        Framework::Tap => None,
        Framework::Gtest => {
            out.push_str("\nfind_package(GTest REQUIRED)\ninclude(GoogleTest)\n");
            Some("GTest::gtest_main".to_owned())
        }
        _ => {
            let package = package(framework).unwrap_or_default();
            let upper = package.to_uppercase();
            let _ = write!(
                out,
                "\nfind_package(PkgConfig REQUIRED)\n\
                 pkg_check_modules({upper} REQUIRED IMPORTED_TARGET {package})\n"
            );
            Some(format!("PkgConfig::{upper}"))
        }
    };
    for file in files {
        let name = program(file);
        let failing = is_failing(file);
        out.push('\n');
        if failing {
            let _ = write!(
                out,
                "# Fails until the code is repaired: cmake --build . --target {name} && ./{name}\n"
            );
        }
        let excluded = if failing { " EXCLUDE_FROM_ALL" } else { "" };
        let _ = write!(out, "add_executable({name}{excluded} {file}");
        for source in suite.sources {
            let _ = write!(out, " {source}");
        }
        out.push_str(")\n");
        let mut flags: Vec<&str> = suite.flags.iter().map(String::as_str).collect();
        let extra: Vec<&str> = suite.failing_flags.iter().map(String::as_str).collect();
        if failing {
            flags.extend(&extra);
        }
        if !flags.is_empty() {
            let _ = writeln!(
                out,
                "target_compile_options({name} PRIVATE {})",
                flags.join(" ")
            );
        }
        if failing && !extra.is_empty() {
            let _ = writeln!(
                out,
                "target_link_options({name} PRIVATE {})",
                extra.join(" ")
            );
        }
        if let Some(library) = &library {
            let _ = writeln!(out, "target_link_libraries({name} PRIVATE {library})");
        }
        if failing {
            continue;
        }
        let _ = match framework {
            // Each test in a process of its own.
            Framework::Gtest => writeln!(out, "gtest_discover_tests({name})"),
            _ => writeln!(out, "add_test(NAME {name} COMMAND {name})"),
        };
    }
    out
}

fn meson(suite: &Suite, framework: Framework, base: &str, files: &[String]) -> String {
    let languages = if framework.is_cpp() {
        "['c', 'cpp']"
    } else {
        "'c'"
    };
    let mut out = format!(
        "# Builds and runs the tests of {}. With subdir() in a project of yours, leave this line out.\n\
         project('{base}', {languages})\n\n",
        suite.function
    );
    let dependency = match package(framework) {
        None => String::new(),
        Some(package) => {
            let _ = write!(out, "framework = dependency('{package}')\n\n");
            ", dependencies: framework".to_owned()
        }
    };
    for file in files {
        let name = program(file);
        let failing = is_failing(file);
        if failing {
            let _ = write!(
                out,
                "\n# Fails until the code is repaired: meson compile {name} && ./{name}\n"
            );
        }
        let mut all = vec![quoted(file)];
        all.extend(suite.sources.iter().map(|source| quoted(source)));
        let mut flags: Vec<String> = suite.flags.iter().map(|flag| quoted(flag)).collect();
        let extra: Vec<String> = suite
            .failing_flags
            .iter()
            .map(|flag| quoted(flag))
            .collect();
        if failing {
            flags.extend(extra.iter().cloned());
        }
        let mut options = dependency.clone();
        if !flags.is_empty() {
            let flags = flags.join(", ");
            let _ = write!(options, ", c_args: [{flags}]");
            if framework.is_cpp() {
                let _ = write!(options, ", cpp_args: [{flags}]");
            }
        }
        if failing {
            if !extra.is_empty() {
                let _ = write!(options, ", link_args: [{}]", extra.join(", "));
            }
            options.push_str(", build_by_default: false");
        }
        let made = format!("executable('{name}', {}{options})", all.join(", "));
        let _ = if failing {
            writeln!(out, "{made}")
        } else {
            let protocol = match framework {
                Framework::Tap => ", protocol: 'tap'",
                Framework::Gtest => ", protocol: 'gtest'",
                _ => "",
            };
            writeln!(out, "{name} = {made}\ntest('{name}', {name}{protocol})")
        };
    }
    out
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}
