//! What CTest and Meson need to build and run exported tests.

use super::{Framework, Suite};
use crate::File;
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

/// The compiler's flags by what they are for.
#[derive(Default)]
struct Flags<'a> {
    /// Folders of headers, which build systems find from where the test is.
    folders: Vec<&'a str>,
    common: Vec<&'a str>,
    c: Vec<&'a str>,
    cpp: Vec<&'a str>,
    link: Vec<&'a str>,
}

impl<'a> Flags<'a> {
    fn new(suite: &Suite<'a>, framework: Framework, failing: bool) -> Flags<'a> {
        let mut flags = Flags::default();
        let mut words = suite.flags.iter();
        while let Some(word) = words.next() {
            match word.strip_prefix("-I") {
                Some("") => flags.folders.extend(words.next().map(String::as_str)),
                Some(folder) => flags.folders.push(folder),
                None if word.starts_with("-std=") || word == "-ansi" => flags.c.push(word),
                None => flags.common.push(word),
            }
        }
        let includes_c = |line: &String| line.contains(".c\"");
        if framework.is_cpp() && suite.includes.iter().any(includes_c) {
            // C that is read as C++ assigns from `void *`.
            flags.cpp.push("-fpermissive");
        }
        if failing {
            let extra = suite.failing_flags.iter().map(String::as_str);
            flags.common.extend(extra.clone());
            flags.link.extend(extra);
        }
        flags
    }
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
            let _ = writeln!(
                out,
                "# Fails until the code is repaired: cmake --build . --target {name} && ./{name}"
            );
        }
        let excluded = if failing { " EXCLUDE_FROM_ALL" } else { "" };
        let _ = write!(out, "add_executable({name}{excluded} {file}");
        for source in suite.sources {
            let _ = write!(out, " {source}");
        }
        out.push_str(")\n");
        let flags = Flags::new(suite, framework, failing);
        let c_only = |flag: &&str| format!("\"$<$<COMPILE_LANGUAGE:C>:{}>\"", escaped(flag));
        let cpp_only = |flag: &&str| format!("\"$<$<COMPILE_LANGUAGE:CXX>:{}>\"", escaped(flag));
        let any = |flag: &&str| format!("\"{}\"", escaped(flag));
        let mut options: Vec<String> = flags.common.iter().map(any).collect();
        if framework.is_cpp() {
            options.extend(flags.c.iter().map(c_only));
            options.extend(flags.cpp.iter().map(cpp_only));
        } else {
            options.extend(flags.c.iter().map(any));
        }
        let folders: Vec<String> = flags.folders.iter().map(any).collect();
        let link: Vec<String> = flags.link.iter().map(any).collect();
        for (command, words) in [
            ("target_include_directories", folders),
            ("target_compile_options", options),
            ("target_link_options", link),
        ] {
            if !words.is_empty() {
                let _ = writeln!(out, "{command}({name} PRIVATE {})", words.join(" "));
            }
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
        let flags = Flags::new(suite, framework, failing);
        let mut options = dependency.clone();
        if !flags.folders.is_empty() {
            let folders: Vec<String> = flags.folders.iter().map(|f| quoted(f)).collect();
            let folders = folders.join(", ");
            let _ = write!(
                options,
                ", include_directories: include_directories({folders})"
            );
        }
        let cpp = if framework.is_cpp() {
            [flags.common.clone(), flags.cpp].concat()
        } else {
            Vec::new()
        };
        for (name, words) in [
            ("c_args", [flags.common, flags.c].concat()),
            ("cpp_args", cpp),
            ("link_args", flags.link),
        ] {
            if !words.is_empty() {
                let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
                let _ = write!(options, ", {name}: [{}]", words.join(", "));
            }
        }
        if failing {
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

/// For a quoted argument of CMake.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for char in text.chars() {
        if matches!(char, '\\' | '"' | '$' | ';') {
            out.push('\\');
        }
        out.push(char);
    }
    out
}

/// For Meson.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}
