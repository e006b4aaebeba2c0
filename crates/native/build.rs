//! Builds the artefacts that native subjects need and embeds them, so that one program is all that
//! has to be installed: the compiler pass (a plugin for clang), the runtime (an object, and a
//! shared library), the models of library functions that are written in C and instrumented, and
//! what is linked beside the runtime or in its place (two archives). Nothing of this changes from
//! subject to subject, so nothing of it is compiled when a subject is built.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Global symbols of the runtime object, beside its models; all others become local.
const EXPORTS: &[&str] = &[
    "__elw_assembly",
    "__elw_binary",
    "__elw_branch",
    "__elw_by_value",
    "__elw_check",
    "__elw_clear",
    "__elw_comes_back",
    "__elw_concrete",
    "__elw_concrete_memory",
    "__elw_copy",
    "__elw_division",
    "__elw_environment",
    "__elw_exchange",
    "__elw_file_told",
    "__elw_file_written",
    "__elw_fill",
    "__elw_for_stream",
    "__elw_forget",
    "__elw_format",
    "__elw_formula",
    "__elw_frame",
    "__elw_fresh",
    "__elw_h_print_float",
    "__elw_harness",
    "__elw_input_fd",
    "__elw_load",
    "__elw_looked_at",
    "__elw_may_be_null",
    "__elw_loses_input",
    "__elw_m_assert_fail",
    "__elw_m_call",
    "__elw_m_cxa_allocate_exception",
    "__elw_m_here",
    "__elw_m_return",
    "__elw_model",
    "__elw_moves",
    "__elw_once_begins",
    "__elw_once_done",
    "__elw_once_left",
    "__elw_opaque",
    "__elw_prints",
    "__elw_reaches",
    "__elw_read_at",
    "__elw_reads",
    "__elw_reads_text",
    "__elw_reads_until",
    "__elw_outside",
    "__elw_outside_unknown",
    "__elw_register",
    "__elw_remembered",
    "__elw_settle",
    "__elw_slow",
    "__elw_stops",
    "__elw_store",
    "__elw_switch",
    "__elw_threads",
    "__elw_within",
    "__elw_touch",
    "__elw_unary",
    "__elw_unfollowed",
    "__elw_va_keep",
    "__elw_va_start",
    "__elw_value",
    "__elw_write_at",
    "__elw_writes",
    "elsewise_assume",
    "elsewise_atomic_begin",
    "elsewise_atomic_end",
    "elsewise_fail",
    "elsewise_graph_beside",
    "elsewise_graph_count",
    "elsewise_graph_known",
    "elsewise_graph_left_out",
    "elsewise_graph_length",
    "elsewise_graph_object",
    "elsewise_graph_pool",
    "elsewise_graph_set",
    "elsewise_graph_take",
    "elsewise_graph_traced",
    "elsewise_input",
];

/// Names of the C library's, and of other tools', that the runtime takes: weak, so that a subject
/// may have functions of its own by them.
const WEAK: &[&str] = &[
    "_Exit",
    "_ZNSt28__atomic_futex_unsigned_base19_M_futex_notify_allEPj",
    "_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE",
    "_ZNSt28__atomic_futex_unsigned_base26_M_futex_wait_until_steadyEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE",
    "__VERIFIER_assume",
    "__VERIFIER_error",
    "__VERIFIER_nondet_bool",
    "__VERIFIER_nondet_char",
    "__VERIFIER_nondet_double",
    "__VERIFIER_nondet_float",
    "__VERIFIER_nondet_int",
    "__VERIFIER_nondet_loff_t",
    "__VERIFIER_nondet_long",
    "__VERIFIER_nondet_longlong",
    "__VERIFIER_nondet_pointer",
    "__VERIFIER_nondet_short",
    "__VERIFIER_nondet_size_t",
    "__VERIFIER_nondet_u16",
    "__VERIFIER_nondet_u32",
    "__VERIFIER_nondet_u8",
    "__VERIFIER_nondet_uchar",
    "__VERIFIER_nondet_uint",
    "__VERIFIER_nondet_ulong",
    "__VERIFIER_nondet_ulonglong",
    "__VERIFIER_nondet_unsigned",
    "__VERIFIER_nondet_unsigned_char",
    "__VERIFIER_nondet_ushort",
    "__cxa_guard_abort",
    "__cxa_guard_acquire",
    "__cxa_guard_release",
    "__libc_start_main",
    "_exit",
    "aligned_alloc",
    "arc4random",
    "arc4random_buf",
    "arc4random_uniform",
    "call_once",
    "calloc",
    "clock",
    "clock_gettime",
    "clock_nanosleep",
    "cnd_broadcast",
    "cnd_signal",
    "cnd_timedwait",
    "cnd_wait",
    "exit",
    "fopen",
    "fopen64",
    "free",
    "fstat",
    "fstat64",
    "fstatat",
    "fstatat64",
    "getentropy",
    "getpid",
    "getppid",
    "getrandom",
    "gettid",
    "gettimeofday",
    "kill",
    "klee_abort",
    "klee_assume",
    "klee_close_merge",
    "klee_int",
    "klee_is_symbolic",
    "klee_make_symbolic",
    "klee_open_merge",
    "klee_prefer_cex",
    "klee_range",
    "klee_report_error",
    "klee_silent_exit",
    "klee_warning",
    "klee_warning_once",
    "lseek",
    "lseek64",
    "lstat",
    "lstat64",
    "malloc",
    "malloc_usable_size",
    "memalign",
    "mmap",
    "mmap64",
    "mtx_lock",
    "mtx_timedlock",
    "mtx_trylock",
    "mtx_unlock",
    "munmap",
    "nanosleep",
    "open",
    "open64",
    "openat",
    "openat64",
    "posix_memalign",
    "pread",
    "pread64",
    "pthread_barrier_destroy",
    "pthread_barrier_init",
    "pthread_barrier_wait",
    "pthread_cancel",
    "pthread_clockjoin_np",
    "pthread_cond_broadcast",
    "pthread_cond_clockwait",
    "pthread_cond_destroy",
    "pthread_cond_signal",
    "pthread_cond_timedwait",
    "pthread_cond_wait",
    "pthread_create",
    "pthread_join",
    "pthread_mutex_clocklock",
    "pthread_mutex_consistent",
    "pthread_mutex_destroy",
    "pthread_mutex_init",
    "pthread_mutex_lock",
    "pthread_mutex_timedlock",
    "pthread_mutex_trylock",
    "pthread_mutex_unlock",
    "pthread_once",
    "pthread_rwlock_clockrdlock",
    "pthread_rwlock_clockwrlock",
    "pthread_rwlock_destroy",
    "pthread_rwlock_init",
    "pthread_rwlock_rdlock",
    "pthread_rwlock_timedrdlock",
    "pthread_rwlock_timedwrlock",
    "pthread_rwlock_tryrdlock",
    "pthread_rwlock_trywrlock",
    "pthread_rwlock_unlock",
    "pthread_rwlock_wrlock",
    "pthread_setcancelstate",
    "pthread_spin_init",
    "pthread_spin_lock",
    "pthread_spin_trylock",
    "pthread_spin_unlock",
    "pthread_testcancel",
    "pthread_timedjoin_np",
    "pthread_tryjoin_np",
    "pthread_yield",
    "quick_exit",
    "reach_error",
    "read",
    "readv",
    "realloc",
    "reallocarray",
    "sched_yield",
    "sem_clockwait",
    "sem_destroy",
    "sem_getvalue",
    "sem_init",
    "sem_post",
    "sem_timedwait",
    "sem_trywait",
    "sem_wait",
    "sleep",
    "stat",
    "stat64",
    "thrd_create",
    "thrd_join",
    "thrd_yield",
    "time",
    "times",
    "usleep",
];

fn main() {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    for path in [
        "pass/src",
        "pass/build.rs",
        "pass/Cargo.toml",
        "runtime/src",
        "../wire/src",
        "support",
        "include",
    ] {
        println!("cargo::rerun-if-changed={}", here.join(path).display());
    }
    let runtime = build_runtime(&here, &out);
    let pass = build_pass(&here, &out);
    let models = build_models(&here, &out, &pass);
    let support = build_support(&here, &out);
    let shared_runtime = build_shared_runtime(&out, &runtime);
    let text = format!(
        "/// The compiler pass; empty when it was built without LLVM's headers.\n\
         pub const PASS: &[u8] = include_bytes!({pass:?});\n\
         /// The runtime, one object file.\n\
         pub const RUNTIME: &[u8] = include_bytes!({runtime:?});\n\
         /// The models in C; empty when there was no pass or no clang to compile them with.\n\
         pub const MODELS: &[u8] = include_bytes!({models:?});\n\
         /// What programs are linked with beside the runtime, or in its place; empty without clang.\n\
         pub const SUPPORT: &[u8] = include_bytes!({support:?});\n\
         /// The runtime as a shared library; empty without clang.\n\
         pub const SHARED_RUNTIME: &[u8] = include_bytes!({shared_runtime:?});\n"
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
        .arg(here.join("../wire/src/lib.rs")));
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
        .arg(here.join("runtime/src/lib.rs")));
    let object = out.join("elsewise_rt.o");
    let mut link = Command::new("ld");
    link.args(["-r", "--force-group-allocation", "--gc-sections", "-o"])
        .arg(&object);
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
/// directory of its own because cargo holds the lock of ours.
fn build_pass(here: &Path, out: &Path) -> PathBuf {
    let target = out.join("pass");
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
        .arg(here.join("pass/Cargo.toml"))
        // What cargo says about the outer build is not for the inner one.
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env_remove("RUSTC_WORKSPACE_WRAPPER")
        .env_remove("RUSTC_WRAPPER"));
    let built = target.join("release/libelsewise_pass.so");
    let stripped = out.join("libelsewise_pass.so");
    run(Command::new("objcopy")
        .arg("--strip-unneeded")
        .arg(&built)
        .arg(&stripped));
    let entry = b"llvmGetPassPluginInfo";
    let bytes = std::fs::read(&stripped).expect("it was just written");
    if !bytes.windows(entry.len()).any(|window| window == entry) {
        std::fs::write(&stripped, b"").expect("OUT_DIR can be written");
    }
    stripped
}

/// The models in C go through the pass as a subject does, one object for each file, so that a
/// program gets those it uses.
fn build_models(here: &Path, out: &Path, pass: &Path) -> PathBuf {
    let archive = out.join("libelsewise_models.a");
    std::fs::write(&archive, b"").expect("OUT_DIR can be written");
    let whole = std::fs::metadata(pass).is_ok_and(|found| found.len() > 0);
    let Some(clang) = clang().filter(|_| whole) else {
        println!("cargo::warning=no clang of LLVM 22: built without the models of the C library");
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

/// The compiler that subjects are built with, if it is there.
fn clang() -> Option<PathBuf> {
    println!("cargo::rerun-if-env-changed=ELSEWISE_CLANG");
    let clang = env::var_os("ELSEWISE_CLANG").map_or_else(
        || PathBuf::from("/usr/lib/llvm-22/bin/clang"),
        PathBuf::from,
    );
    let works = Command::new(&clang).arg("--version").output().is_ok();
    works.then_some(clang)
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
