//! Builds the artefacts that native subjects need and embeds them, so that one program is all that
//! has to be installed: the compiler pass (a plugin for clang, one for each release whose headers are there), the runtime (an object, and a
//! shared library), the models of library functions that are written in C and instrumented, and
//! what is linked beside the runtime or in its place (two archives). Nothing of this changes from
//! subject to subject, so nothing of it is compiled when a subject is built.

#[path = "build/exports.rs"]
mod exports;
#[path = "../pass/build/headers.rs"]
mod headers;

use exports::{EXPORTS, WEAK};
use headers::{Headers, RELEASES};
use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    for path in [
        "../pass/src",
        "../pass/build",
        "../pass/build.rs",
        "../pass/Cargo.toml",
        "../runtime/src",
        "../../operators/src",
        "../../wire/src",
        "support",
        "include",
    ] {
        println!("cargo::rerun-if-changed={}", here.join(path).display());
    }
    let runtime = build_runtime(&here, &out);
    let passes: Vec<(u32, PathBuf)> = Headers::all()
        .iter()
        .map(|headers| (headers.release, build_pass(&here, &out, headers)))
        .collect();
    if passes.is_empty() {
        println!("cargo::warning=no headers of LLVM 18 to 22: built without the compiler pass");
    }
    let list: Vec<String> = passes
        .iter()
        .map(|(release, pass)| format!("({release}, include_bytes!({pass:?}))"))
        .collect();
    let models = build_models(&here, &out, &passes);
    let support = build_support(&here, &out);
    let shared_runtime = build_shared_runtime(&out, &runtime);
    let text = format!(
        "/// The compiler pass for releases of LLVM, newest first: those whose headers were there.\n\
         pub const PASSES: &[(u32, &[u8])] = &[{}];\n\
         /// The runtime, one object file.\n\
         pub const RUNTIME: &[u8] = include_bytes!({runtime:?});\n\
         /// The models in C; empty when there was no pass or no clang to compile them with.\n\
         pub const MODELS: &[u8] = include_bytes!({models:?});\n\
         /// What programs are linked with beside the runtime, or in its place; empty without clang.\n\
         pub const SUPPORT: &[u8] = include_bytes!({support:?});\n\
         /// The runtime as a shared library; empty without clang.\n\
         pub const SHARED_RUNTIME: &[u8] = include_bytes!({shared_runtime:?});\n",
        list.join(", ")
    );
    std::fs::write(out.join("artefacts.rs"), text).expect("OUT_DIR can be written");
}

fn run(command: &mut Command) {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(
        output.status.success(),
        "{command:?} failed:\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// The runtime is compiled apart from the engine's profile (a subject runs it millions of times),
/// joined with the parts of `core` that it uses, and reduced to its entry points.
fn build_runtime(here: &Path, out: &Path) -> PathBuf {
    let rustc = || {
        let mut command = Command::new(env::var_os("RUSTC").expect("cargo sets it"));
        command.args([
            "--edition",
            "2024",
            "-Cpanic=abort",
            "-Copt-level=3",
            "-Ccodegen-units=1",
        ]);
        command.args([
            "-Crelocation-model=pic",
            "-Cforce-frame-pointers=yes",
            "-Cdebuginfo=0",
        ]);
        command
    };
    let wire = out.join("libelsewise_wire.rlib");
    run(rustc()
        .args([
            "--crate-name",
            "elsewise_wire",
            "--crate-type",
            "rlib",
            "-o",
        ])
        .arg(&wire)
        .arg(here.join("../../wire/src/lib.rs")));
    let archive = out.join("libelsewise_runtime.a");
    run(rustc()
        .args([
            "--crate-name",
            "elsewise_runtime",
            "--crate-type",
            "staticlib",
        ])
        .args(["--cfg", "elsewise_object", "--extern"])
        .arg(format!("elsewise_wire={}", wire.display()))
        .arg("-o")
        .arg(&archive)
        .arg(here.join("../runtime/src/lib.rs")));
    let object = out.join("elsewise_rt.o");
    let parts = out.join("elsewise_rt_parts.o");
    let mut link = Command::new("ld");
    link.args(["-r", "--force-group-allocation", "--gc-sections", "-o"])
        .arg(&parts);
    let models: Vec<String> = elsewise_wire::libc::runtime_symbols().collect();
    let exports = || {
        EXPORTS
            .iter()
            .copied()
            .chain(models.iter().map(String::as_str))
    };
    for export in exports().chain(WEAK.iter().copied()) {
        link.args(["-u", export]);
    }
    run(link.arg(&archive));
    // One piece of code and two of variables, with names for their ends: so the runtime knows its own. Apart from what
    // drops sections, which with a script takes the unwinder's along.
    let script = out.join("elsewise_rt.ld");
    let pieces = "SECTIONS {
        .text : { __elw_own_code = .; *(.text .text.*) __elw_own_code_ends = .; }
        .data.rel.ro : { *(.data.rel.ro .data.rel.ro.*) }
        .data : { __elw_own_data = .; *(.data .data.*) __elw_own_data_ends = .; }
        .bss : { __elw_own_bss = .; *(.bss .bss.*) __elw_own_bss_ends = .; }
    }";
    std::fs::write(&script, pieces).expect("OUT_DIR can be written");
    let mut join = Command::new("ld");
    join.args(["-r", "-T"]).arg(&script).arg("-o").arg(&object);
    run(join.arg(&parts));
    let mut reduce = Command::new("objcopy");
    reduce.args([
        "--strip-unneeded",
        "--remove-section=.comment",
        "--remove-section=.llvm*",
    ]);
    for export in exports().chain(WEAK.iter().copied()) {
        reduce.arg(format!("--keep-global-symbol={export}"));
    }
    // So are models: a subject's own function by that name has the symbol, too.
    let models = exports().filter(|name| name.starts_with("__elw_m_"));
    for name in WEAK.iter().copied().chain(models) {
        reduce.arg(format!("--weaken-symbol={name}"));
    }
    run(reduce.arg(&object));
    object
}

/// The pass is a package of its own (a plugin cannot be a dependency), built in a target
/// directory of its own because cargo holds the lock of ours; one for each release, so that what is built of one stays.
fn build_pass(here: &Path, out: &Path, headers: &Headers) -> PathBuf {
    let target = out.join(format!("pass-{}", headers.release));
    run(Command::new(env::var_os("CARGO").expect("cargo sets it"))
        .args([
            "build",
            "--release",
            "--quiet",
            "--package",
            "elsewise-pass",
            "--target-dir",
        ])
        .arg(&target)
        .arg("--manifest-path")
        .arg(here.join("../pass/Cargo.toml"))
        .env("ELSEWISE_LLVM_INCLUDE", &headers.include)
        // What cargo says about the outer build is not for the inner one.
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env_remove("RUSTC_WORKSPACE_WRAPPER")
        .env_remove("RUSTC_WRAPPER"));
    let built = target.join("release/libelsewise_pass.so");
    let stripped = out.join(format!("libelsewise_pass-{}.so", headers.release));
    run(Command::new("objcopy")
        .arg("--strip-unneeded")
        .arg(&built)
        .arg(&stripped));
    stripped
}

/// The models in C go through the pass as a subject does, one object for each file, so that a
/// program gets those it uses. The objects also fit what clang of another release compiles.
fn build_models(here: &Path, out: &Path, passes: &[(u32, PathBuf)]) -> PathBuf {
    let archive = out.join("libelsewise_models.a");
    std::fs::write(&archive, b"").expect("OUT_DIR can be written");
    let fitting = clangs().into_iter().find_map(|(release, clang)| {
        let (_, pass) = passes.iter().find(|(of, _)| *of == release)?;
        Some((clang, pass))
    });
    let Some((clang, pass)) = fitting else {
        println!(
            "cargo::warning=no clang that fits the pass: built without the models of the C library"
        );
        return archive;
    };
    let folder = here.join("support/models");
    let mut plugin = std::ffi::OsString::from("-fpass-plugin=");
    plugin.push(pass);
    let mut objects = Vec::new();
    for source in &sources(&folder) {
        let object = out.join(format!("model_{source}.o"));
        // From their own folder, so that no path of this machine gets into the objects.
        run(Command::new(&clang)
            .current_dir(&folder)
            .args([
                "-std=gnu11",
                "-O1",
                "-gline-tables-only",
                "-fPIC",
                "-fno-builtin",
            ])
            .args([
                "-fno-omit-frame-pointer",
                "-fexceptions",
                "-Wall",
                "-Wextra",
                "-Werror",
            ])
            .arg(
                "-ffile-prefix-map=".to_owned()
                    + &folder.display().to_string()
                    + "=elsewise-models",
            )
            .args(["-Wno-unused-function", "-U_FORTIFY_SOURCE", "-c", "-o"])
            .arg(&object)
            .arg(&plugin)
            .arg(source));
        weaken_models(&object);
        objects.push(object);
    }
    join(&archive, &objects);
    archive
}

/// Models that an object defines become weak; those that it only uses do not.
fn weaken_models(object: &Path) {
    let output = Command::new("nm")
        .args(["--defined-only", "--extern-only", "--format=posix"])
        .arg(object)
        .output()
        .unwrap_or_else(|error| panic!("nm: {error}"));
    let text = String::from_utf8_lossy(&output.stdout);
    let names = text.lines().filter_map(|line| line.split(' ').next());
    let mut command = Command::new("objcopy");
    for name in names.filter(|name| name.starts_with("__elw_m_")) {
        command.arg(format!("--weaken-symbol={name}"));
    }
    run(command.arg(object));
}

/// Compilers that subjects can be built with, and of which release they are; those of newer ones first.
fn clangs() -> Vec<(u32, PathBuf)> {
    println!("cargo::rerun-if-env-changed=ELSEWISE_CLANG");
    let places: Vec<PathBuf> = match env::var_os("ELSEWISE_CLANG") {
        Some(given) => vec![given.into()],
        None => RELEASES
            .iter()
            .flat_map(|release| {
                [
                    format!("/usr/lib/llvm-{release}/bin/clang"),
                    format!("/usr/lib64/llvm{release}/bin/clang"),
                    format!("/usr/lib/llvm{release}/bin/clang"),
                ]
            })
            .chain(["clang".to_string()])
            .map(PathBuf::from)
            .collect(),
    };
    places
        .into_iter()
        .filter_map(|clang| {
            let output = Command::new(&clang).arg("--version").output().ok()?;
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let number = text.split("version ").nth(1)?.split('.').next()?;
            Some((number.parse().ok()?, clang))
        })
        .filter(|(release, _)| RELEASES.contains(release))
        .collect()
}

fn clang() -> Option<PathBuf> {
    clangs().into_iter().next().map(|(_, clang)| clang)
}

/// The C files of a folder, in a fixed order.
fn sources(folder: &Path) -> Vec<String> {
    let mut sources: Vec<String> = std::fs::read_dir(folder)
        .expect("the folder is part of the crate")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.ends_with(".c"))
        .collect();
    sources.sort();
    sources
}

/// Makes an archive in the place of the empty file.
fn join(archive: &Path, objects: &[PathBuf]) {
    std::fs::remove_file(archive).expect("it was just written");
    run(Command::new("ar").arg("rcsD").arg(archive).args(objects));
}

/// What a plain program has in place of the runtime, and `main` for a harness, which has none, in
/// either build. An archive and not objects: a program that asks for nothing of it gets nothing.
fn build_support(here: &Path, out: &Path) -> PathBuf {
    let archive = out.join("libelsewise_support.a");
    std::fs::write(&archive, b"").expect("OUT_DIR can be written");
    let Some(clang) = clang() else {
        return archive;
    };
    let folder = here.join("support");
    let mut objects = Vec::new();
    for source in &sources(&folder) {
        let object = out.join(format!("support_{source}.o"));
        // From their own folder, so that no path of this machine gets into the objects.
        run(Command::new(&clang)
            .current_dir(&folder)
            .args(["-O2", "-fPIC", "-I", "../include", "-c", "-o"])
            .arg(&object)
            .arg(source));
        objects.push(object);
    }
    join(&archive, &objects);
    archive
}

/// The runtime as a shared library, without a name of its own: what is linked with it names its
/// path.
fn build_shared_runtime(out: &Path, runtime: &Path) -> PathBuf {
    let library = out.join("libelsewise_rt.so");
    std::fs::write(&library, b"").expect("OUT_DIR can be written");
    let Some(clang) = clang() else {
        return library;
    };
    // A shared library may not have what runs before all constructors.
    let object = out.join("elsewise_rt_shared.o");
    run(Command::new("objcopy")
        .args(["--remove-section", ".preinit_array"])
        .arg(runtime)
        .arg(&object));
    run(Command::new(&clang)
        .args(["-shared", "-o"])
        .arg(&library)
        .arg(&object));
    library
}
