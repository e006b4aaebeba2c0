//! Projects that CMake and Meson build with our compilers, with a static and a shared library, in C
//! and C++: their tests pass, and a bug in the shared library is found through it.

use anyhow::{Context, Result, ensure};
use elsewise_tests::command::program;
use elsewise_tests::compile::root;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const SHAPE_H: &str = "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\
    int area(int w, int h);\nint check(const unsigned char *b);\n\
    #ifdef __cplusplus\n}\n#endif\n";
const AREA_C: &str = "#include \"shape.h\"\nint area(int w, int h) { return w * h; }\n";
const CHECK_C: &str = "#include \"shape.h\"\n#include <stdlib.h>\n\
    int check(const unsigned char *b) {\n\
    if (b[0] == 'k' && b[1] == (b[2] ^ 0x21))\n\
    abort();\n\
    return b[3] == 'c'; }\n";
const MAIN_CC: &str = "#include \"shape.h\"\n#include <string>\n#include <unistd.h>\n\
    int main() { unsigned char b[4]; if (read(0, b, 4) != 4) return area(3, 4) == 12 ? 0 : 9;\n\
    std::string s(b, b + 4); return check(b) ? (int)s.size() : 0; }\n";

const CMAKE: &str = "cmake_minimum_required(VERSION 3.16)\nproject(shape C CXX)\nenable_testing()\n\
    add_library(area STATIC area.c)\nadd_library(check SHARED check.c)\n\
    add_executable(main main.cc)\ntarget_link_libraries(main area check)\n\
    add_test(NAME nothing COMMAND sh -c \"$<TARGET_FILE:main> </dev/null\")\n";
const MESON: &str = "project('shape', 'c', 'cpp')\n\
    a = static_library('area', 'area.c')\nc = shared_library('check', 'check.c')\n\
    m = executable('main', 'main.cc', link_with: [a, c])\ntest('nothing', m)\n";

/// A project's folder.
fn project(build_file: (&str, &str)) -> Result<tempfile::TempDir> {
    let folder = tempfile::tempdir()?;
    for (name, text) in [
        ("shape.h", SHAPE_H),
        ("area.c", AREA_C),
        ("check.c", CHECK_C),
        ("main.cc", MAIN_CC),
        build_file,
    ] {
        fs::write(folder.path().join(name), text)?;
    }
    Ok(folder)
}

fn shared(name: &str) -> String {
    root()
        .join("elsewise/share")
        .join(name)
        .display()
        .to_string()
}

/// Runs a tool with the folder of our compilers first on the path.
fn run(folder: &Path, tool: &str, args: &[&str]) -> Result<()> {
    let bin = program()?.parent().context("no folder of the programs")?;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::iter::once(PathBuf::from(bin)).chain(std::env::split_paths(&path));
    let output = Command::new(tool)
        .args(args)
        .current_dir(folder)
        .env("PATH", std::env::join_paths(path)?)
        .env("ELSEWISE_CACHE", folder.join("cache"))
        .env_remove("CC")
        .env_remove("CXX")
        .output()
        .with_context(|| format!("{tool} cannot be run: scripts/setup installs it"))?;
    ensure!(
        output.status.success(),
        "{tool} {args:?}: {}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(())
}

/// Explores what was built: the abort in the shared library is found, at its line.
fn explored(folder: &Path, executable: &str) -> Result<()> {
    let output = Command::new(program()?)
        .args([
            "explore",
            executable,
            "--input-size=4",
            "--format=json",
            "--quiet",
        ])
        .current_dir(folder)
        .output()?;
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout)
        .with_context(|| String::from_utf8_lossy(&output.stderr).into_owned())?;
    let finding = &summary["findings"][0];
    ensure!(
        finding["kind"] == "abort"
            && finding["line"] == 5
            && finding["confirmed"] == true
            && finding["file"]
                .as_str()
                .is_some_and(|file| file.ends_with("check.c")),
        "{summary}"
    );
    let replay = Command::new(program()?)
        .args(["replay", "1"])
        .current_dir(folder)
        .output()?;
    ensure!(replay.status.code() == Some(2), "{replay:?}");
    Ok(())
}

#[test]
fn a_cmake_project() -> Result<()> {
    let folder = project(("CMakeLists.txt", CMAKE))?;
    let folder = folder.path();
    run(
        folder,
        "cmake",
        &["--toolchain", &shared("elsewise.cmake"), "-B", "build"],
    )?;
    run(folder, "cmake", &["--build", "build"])?;
    run(folder, "ctest", &["--test-dir", "build"])?;
    explored(folder, "build/main")
}

#[test]
fn a_meson_project() -> Result<()> {
    let folder = project(("meson.build", MESON))?;
    let folder = folder.path();
    let native = shared("elsewise-native.ini");
    run(
        folder,
        "meson",
        &["setup", "build", "--native-file", &native],
    )?;
    run(folder, "meson", &["compile", "-C", "build"])?;
    run(folder, "meson", &["test", "-C", "build"])?;
    explored(folder, "build/main")
}
