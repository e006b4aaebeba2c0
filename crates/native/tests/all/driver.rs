//! The compiler driver in the ways that build systems use it.

use elsewise_driver::cc::{Driver, Messages, Mode};
use elsewise_driver::{Cache, NativeError, Program, Toolchain};
use elsewise_explore::{Case, Outcome, Subject};
use elsewise_native::{NativeOptions, NativeSubject};
use elsewise_term::Terms;
use elsewise_wire::map::ProgramMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A folder with sources and a driver. Paths in arguments are given as `{}/name`.
struct Shop {
    folder: TempDir,
    driver: Driver,
    cache: Cache,
}

impl Shop {
    fn new(files: &[(&str, &str)]) -> Shop {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        let cache = Cache::at(folder.path().join("cache"));
        let driver = Driver::new(Toolchain::find().unwrap(), cache.clone(), Messages::Keep);
        Shop {
            driver: driver.unwrap(),
            cache,
            folder,
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn args(&self, line: &str) -> Vec<OsString> {
        let folder = self.folder.path().display().to_string();
        line.split_whitespace()
            .map(|arg| arg.replace("{}", &folder).into())
            .collect()
    }

    fn try_cc(&self, line: &str) -> Result<(), NativeError> {
        self.driver.build(&self.args(line))
    }

    fn cc(&self, line: &str) {
        self.try_cc(line)
            .unwrap_or_else(|error| panic!("{line}: {error}"));
    }

    /// Opens the program and runs both builds; their exit codes and the maps' sources.
    fn run(&self, name: &str) -> (i32, i32, Vec<String>) {
        let program = Program::open_with(&self.path(name), &self.cache)
            .unwrap_or_else(|error| panic!("{error}"));
        let code = |path: &Path, env| {
            let status = Command::new(path)
                .envs::<_, OsString, OsString>(env)
                .status();
            status.unwrap().code().unwrap()
        };
        let mut sources: Vec<String> = program
            .maps
            .iter()
            .map(|map| map.source.rsplit('/').next().unwrap_or("").to_string())
            .collect();
        sources.sort();
        (
            code(&program.instrumented, program.env()),
            code(&program.plain, program.plain_env()),
            sources,
        )
    }
}

const MAIN: &str = "int f(int); int main(void) { return f(3); }";
const F: &str = "int f(int x) { return x > 2 ? x + 4 : 0; }";

fn two_files() -> Shop {
    Shop::new(&[("main.c", MAIN), ("f.c", F)])
}

#[test]
fn compile_and_link_in_one_go() {
    let shop = two_files();
    shop.cc("{}/main.c {}/f.c -o {}/prog");
    let (instrumented, plain, sources) = shop.run("prog");
    assert_eq!((instrumented, plain), (7, 7));
    assert_eq!(sources, ["f.c", "main.c"]);
    // Nothing is left beside the program.
    assert!(!shop.path("main.o").exists());
}

#[test]
fn objects_carry_their_twins_through_an_archive() {
    let shop = two_files();
    shop.cc("-c {}/main.c -o {}/main.o");
    shop.cc("-O0 -fPIC -c {}/f.c -o {}/f.o");
    let ar = Command::new("ar")
        .arg("rcs")
        .arg(shop.path("libf.a"))
        .arg(shop.path("f.o"))
        .status()
        .unwrap();
    assert!(ar.success());
    for link in [
        "{}/main.o {}/f.o -o {}/prog",
        "{}/main.o {}/libf.a -o {}/prog",
        "{}/main.o -L{} -lf -o {}/prog",
        "{}/main.o -L {} -l f -o {}/prog",
        "{}/main.o -Wl,--whole-archive {}/libf.a -Wl,--no-whole-archive -o {}/prog",
        "-static {}/main.o {}/libf.a -o {}/prog",
        "-no-pie -s {}/main.o {}/libf.a -o {}/prog",
    ] {
        shop.cc(link);
        let (instrumented, plain, sources) = shop.run("prog");
        assert_eq!((instrumented, plain), (7, 7), "{link}");
        assert_eq!(sources, ["f.c", "main.c"], "{link}");
        fs::remove_file(shop.path("prog")).unwrap();
    }
    assert!(
        shop.driver
            .take_notes()
            .iter()
            .any(|note| note.contains("-static"))
    );
}

#[test]
fn thin_archives_and_members_of_one_name() {
    let shop = Shop::new(&[
        (
            "main.c",
            "int f(int); int g(void); int main(void) { return f(3) + g(); }",
        ),
        ("a/x.c", F),
        ("b/x.c", "int g(void) { return 10; }"),
    ]);
    shop.cc("-c {}/main.c -o {}/main.o");
    shop.cc("-c {}/a/x.c -o {}/a/x.o");
    shop.cc("-c {}/b/x.c -o {}/b/x.o");
    for mode in ["qcs", "qcsT"] {
        let ar = Command::new("ar")
            .current_dir(shop.folder.path())
            .args([mode, "libx.a", "a/x.o", "b/x.o"])
            .status()
            .unwrap();
        assert!(ar.success());
        shop.cc("{}/main.o {}/libx.a -o {}/prog");
        let (instrumented, plain, _) = shop.run("prog");
        assert_eq!((instrumented, plain), (17, 17), "{mode}");
        fs::remove_file(shop.path("libx.a")).unwrap();
    }
}

#[test]
fn relocatable_links_keep_both() {
    let shop = two_files();
    shop.cc("-c {}/main.c -o {}/main.o");
    shop.cc("-c {}/f.c -o {}/f.o");
    shop.cc("-r {}/main.o {}/f.o -o {}/both.o");
    shop.cc("{}/both.o -o {}/prog");
    let (instrumented, plain, sources) = shop.run("prog");
    assert_eq!((instrumented, plain), (7, 7));
    assert_eq!(sources, ["f.c", "main.c"]);
}

#[test]
fn a_shared_library_is_part_of_the_program() {
    let shop = two_files();
    fs::write(shop.path("f.map"), "F_1 { global: f; absent; local: *; };").unwrap();
    shop.cc("-fPIC -c {}/f.c -o {}/f.o");
    for how in [
        "",
        "-Wl,--no-undefined -Wl,-z,defs",
        "-Wl,--version-script={}/f.map -Wl,-Bsymbolic",
        "-Wl,--as-needed -fvisibility=hidden",
        "-fuse-ld=bfd",
    ] {
        shop.cc(&format!("-shared {how} {{}}/f.o -o {{}}/libf.so"));
        shop.cc("{}/main.c -L{} -lf -Wl,-rpath,{} -o {}/prog");
        let (instrumented, plain, sources) = shop.run("prog");
        assert_eq!((instrumented, plain), (7, 7), "{how}");
        assert_eq!(sources, ["f.c", "main.c"], "{how}");
    }
}

/// What the plain program loads is plain: nothing of it names the runtime.
#[test]
fn the_plain_program_loads_plain_libraries() {
    let shop = two_files();
    shop.cc("-fPIC -shared {}/f.c -Wl,-soname,libf.so.3 -o {}/libf.so.3");
    std::os::unix::fs::symlink(shop.path("libf.so.3"), shop.path("libf.so")).unwrap();
    shop.cc("{}/main.c -L{} -lf -Wl,-rpath,{} -o {}/prog");
    let program = Program::open_with(&shop.path("prog"), &shop.cache).unwrap();
    let twins = program.plain_libraries.clone().unwrap();
    assert!(twins.join("libf.so.3").is_file());
    let listed = |path: &Path, env: Vec<(OsString, OsString)>| {
        let output = Command::new(path)
            .env("LD_TRACE_LOADED_OBJECTS", "1")
            .envs(env)
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let plain = listed(&program.plain, program.plain_env());
    assert!(plain.contains(&twins.display().to_string()), "{plain}");
    assert!(!plain.contains("libelsewise_rt"), "{plain}");
    let instrumented = listed(&program.instrumented, program.env());
    assert!(instrumented.contains("libelsewise_rt"), "{instrumented}");
}

/// A library keeps its models to itself: the program is linked with its own, and starts whichever
/// copy of the library the loader finds.
#[test]
fn a_program_starts_with_another_copy_of_the_library() {
    let shop = Shop::new(&[
        (
            "f.c",
            "#include <string.h>
             int f(char *s) { char t[4]; strncpy(t, s, 4); return strlen(strtok(t, \",\")); }",
        ),
        (
            "main.c",
            "#include <string.h>
             int f(char *); int main(void) { char t[4]; strncpy(t, \"a,b\", 4); return f(t); }",
        ),
        ("empty.c", ""),
    ]);
    shop.cc("-fPIC -shared {}/f.c -o {}/libf.so");
    shop.cc("{}/main.c -L{} -lf -Wl,-rpath,{} -o {}/prog");
    assert_eq!(shop.run("prog").0, 1);
    let replace = |source: &str| {
        let status = Command::new("gcc")
            .args(shop.args(&format!("-fPIC -shared {{}}/{source} -o {{}}/libf.so")))
            .status();
        assert!(status.unwrap().success());
    };
    replace("f.c");
    assert_eq!(shop.run("prog").0, 1);

    // One that does not fit: what the loader says is passed on.
    let told = || {
        let program = Program::open_with(&shop.path("prog"), &shop.cache).unwrap();
        let started = NativeSubject::new(&program, &NativeOptions::default());
        started.err().unwrap().to_string()
    };
    replace("empty.c");
    let text = told();
    assert!(text.contains("undefined symbol: f"), "{text}");
    fs::remove_file(shop.path("libf.so")).unwrap();
    let text = told();
    assert!(
        text.contains("libf.so: cannot open shared object"),
        "{text}"
    );
}

/// What models remember is one thing, whoever calls them.
#[test]
fn models_of_a_library_and_of_the_program_remember_the_same() {
    let shop = Shop::new(&[
        (
            "f.c",
            "#include <stdio.h>\n#include <string.h>
             int f(void) { ungetc('x', stdin); return strtok(0, \",\")[0] - 'b'; }",
        ),
        (
            "main.c",
            "#include <stdio.h>\n#include <string.h>
             int f(void);
             int main(void) {
                 char t[] = \"a,b\"; int c = getchar(), first = strtok(t, \",\")[0] - 'a';
                 return first + f() + (getchar() == 'x') + 2 * (getchar() == c);
             }",
        ),
    ]);
    shop.cc("-fPIC -shared {}/f.c -o {}/libf.so");
    shop.cc("{}/main.c -L{} -lf -Wl,-rpath,{} -o {}/prog");
    let program = Program::open_with(&shop.path("prog"), &shop.cache).unwrap();
    let mut subject = NativeSubject::new(&program, &NativeOptions::default()).unwrap();
    let mut case = Case::default();
    case.inputs.insert("stdin".into(), vec![7; 2]);
    let trace = subject.run(&case, &mut Terms::new()).unwrap();
    assert_eq!(trace.outcome, Outcome::Exit(3));
}

#[test]
fn an_uninstrumented_program_can_use_an_instrumented_library() {
    let shop = two_files();
    shop.cc("-fPIC -shared {}/f.c -o {}/libf.so");
    let prog = shop.path("foreign");
    let status = Command::new("gcc")
        .args(shop.args("{}/main.c -L{} -lf -Wl,-rpath,{} -o {}/foreign"))
        .status()
        .unwrap();
    assert!(status.success());
    assert_eq!(Command::new(&prog).status().unwrap().code(), Some(7));
}

#[test]
fn a_script_of_libtool_stands_for_the_program_behind_it() {
    let shop = two_files();
    fs::create_dir(shop.path(".libs")).unwrap();
    shop.cc("-fPIC -shared {}/f.c -o {}/.libs/libf.so");
    shop.cc("{}/main.c -L{}/.libs -lf -o {}/.libs/prog");
    let script = format!(
        "#! /bin/sh\n# prog - temporary wrapper script for .libs/prog\n# Generated by libtool\n\
         LD_LIBRARY_PATH=\"{}:$LD_LIBRARY_PATH\"\n",
        shop.path(".libs").display()
    );
    fs::write(shop.path("prog"), script).unwrap();
    let program = Program::open_with(&shop.path("prog"), &shop.cache).unwrap();
    assert_eq!(program.maps.len(), 2);
    for (path, env) in [
        (&program.instrumented, program.env()),
        (&program.plain, program.plain_env()),
    ] {
        let status = Command::new(path).envs(env).status().unwrap();
        assert_eq!(status.code(), Some(7));
    }
}

#[test]
fn a_program_without_the_c_library_is_left_alone() {
    let shop = Shop::new(&[(
        "start.c",
        "void _start(void) { __asm__(\"mov $60, %eax; mov $7, %edi; syscall\"); }",
    )]);
    shop.cc("-nostdlib -static {}/start.c -o {}/prog");
    assert!(shop.driver.take_notes()[0].contains("uninstrumented"));
    let status = Command::new(shop.path("prog")).status().unwrap();
    assert_eq!(status.code(), Some(7));
}

#[test]
fn cxx_and_c_in_one_program() {
    let shop = Shop::new(&[
        (
            "main.cc",
            "#include <stdexcept>\n#include <string>\nextern \"C\" int f(int);\n\
             int main() { try { if (f(3) == 7) throw std::runtime_error(\"seven\"); }\n\
             catch (const std::exception &e) { return std::string(e.what()) == \"seven\" ? 7 : 1; }\n\
             return 2; }",
        ),
        ("f.c", F),
        (
            "g.c",
            "class f { public: int x; }; int g() { return f().x; }",
        ),
    ]);
    let sources = [shop.path("main.cc"), shop.path("f.c")];
    let folder = shop.path("built");
    let program = Program::from_source_with(&sources, &[], &folder, &shop.cache).unwrap();
    // Models of the library have maps too.
    let own = |map: &&ProgramMap| sources.iter().any(|source| source.ends_with(&map.source));
    assert_eq!(program.maps.iter().filter(own).count(), 2);
    for path in [&program.instrumented, &program.plain] {
        assert_eq!(Command::new(path).status().unwrap().code(), Some(7));
    }
    let driver = Driver::new(
        Toolchain::find().unwrap(),
        shop.cache.clone(),
        Messages::Keep,
    );
    // A C++ compiler takes a `.c` file for C++; a C compiler does not.
    let driver = driver.unwrap().with_mode(Mode::Cxx);
    driver.build(&shop.args("-w -c {}/g.c -o {}/g.o")).unwrap();
    assert!(shop.try_cc("-c {}/g.c -o {}/h.o").is_err());
    assert_eq!(Mode::of_name("elsewise-c++"), Mode::Cxx);
    assert_eq!(Mode::of_name("clang++-22"), Mode::Cxx);
    assert_eq!(Mode::of_name("elsewise-cxx"), Mode::Cxx);
    assert_eq!(Mode::of_name("elsewise-cc"), Mode::C);
}

#[test]
fn assembly_serves_both_builds() {
    let shop = Shop::new(&[
        ("main.c", MAIN),
        (
            "f.s",
            ".globl f\nf: lea 4(%rdi), %eax\n ret\n.section .note.GNU-stack,\"\",@progbits\n",
        ),
    ]);
    shop.cc("-c {}/f.s -o {}/f.o");
    shop.cc("{}/main.c {}/f.o -o {}/prog");
    assert_eq!(shop.run("prog").0, 7);
    shop.cc("{}/main.c {}/f.s -o {}/prog2");
    assert_eq!(shop.run("prog2").1, 7);
}

#[test]
fn dependency_files_are_the_users() {
    let shop = Shop::new(&[("main.c", "#include \"m.h\"\n"), ("m.h", MAIN), ("f.c", F)]);
    shop.cc("-MD -c {}/main.c -o {}/main.o");
    let deps = fs::read_to_string(shop.path("main.d")).unwrap();
    assert!(
        deps.starts_with(&shop.path("main.o").display().to_string()),
        "{deps}"
    );
    assert!(deps.contains("m.h"), "{deps}");
    shop.cc("-MMD -MF {}/x.d -MT target -c {}/main.c -o {}/main.o");
    let deps = fs::read_to_string(shop.path("x.d")).unwrap();
    assert!(deps.starts_with("target:"), "{deps}");
    shop.cc("-MD {}/main.c {}/f.c -o {}/prog");
    let deps = fs::read_to_string(shop.path("prog.d")).unwrap();
    assert!(
        deps.starts_with(&shop.path("prog").display().to_string()),
        "{deps}"
    );
}

#[test]
fn preprocessing_and_response_files() {
    let shop = Shop::new(&[
        (
            "main.c",
            "#include <elsewise.h>\nint main(void) { return 7; }",
        ),
        ("args", "-DX=1\n\"-O1\" -c"),
    ]);
    shop.cc("-E {}/main.c -o {}/main.i");
    let text = fs::read_to_string(shop.path("main.i")).unwrap();
    assert!(text.contains("elsewise_input"));
    shop.cc("@{}/args {}/main.c -o {}/main.o");
    shop.cc("{}/main.o -o {}/prog");
    assert_eq!(shop.run("prog").1, 7);
}

#[test]
fn a_failed_build_leaves_no_half_product() {
    let shop = Shop::new(&[
        ("bad.c", "int main(void) { return nowhere; }"),
        ("main.c", MAIN),
    ]);
    let error = shop.try_cc("-c {}/bad.c -o {}/bad.o").unwrap_err();
    assert!(error.to_string().contains("nowhere"));
    assert!(!shop.path("bad.o").exists());
    let error = shop.try_cc("{}/main.c -o {}/prog").unwrap_err();
    assert!(error.to_string().contains("undefined"), "{error}");
    assert!(!shop.path("prog").exists());
    assert!(shop.try_cc("-c {}/bad.c {}/main.c -o {}/x.o").is_err());
}

#[test]
fn the_users_optimisation_is_that_of_both_builds() {
    let shop = Shop::new(&[(
        "main.c",
        "int main(void) {\n#ifdef __OPTIMIZE__\nreturn 1;\n#else\nreturn 2;\n#endif\n}",
    )]);
    for (level, seen) in [("-O0", 2), ("", 2), ("-O2", 1), ("-Os", 1)] {
        shop.cc(&format!("{level} {{}}/main.c -o {{}}/prog"));
        let (instrumented, plain, _) = shop.run("prog");
        assert_eq!((instrumented, plain), (seen, seen), "{level}");
    }
}

/// What is compiled only to see whether it can be: `configure` does.
#[test]
fn a_device_is_neither_filled_nor_removed() {
    let shop = two_files();
    std::os::unix::fs::symlink("/dev/null", shop.path("nothing")).unwrap();
    fs::write(
        shop.path("a.c"),
        "int f(int x) { return x > 3; }\nint main(void) { return f(1); }\n",
    )
    .unwrap();
    for line in ["-c {}/a.c -o {}/nothing", "{}/a.c -o {}/nothing"] {
        shop.cc(line);
        assert!(shop.path("nothing").exists(), "{line}");
    }
}

/// What does not compile is left to the installed library, and an archive that was cut short is not
/// there.
#[test]
fn a_standard_library_is_built_from_its_source() {
    let shop = Shop::new(&[
        ("v3/src/c++98/good.cc", "int elsewise_good() { return 1; }"),
        ("v3/src/c++98/mutex.cc", "this is left out"),
        ("v3/src/c++11/bad.cc", "this is no C++"),
        (
            "v3/src/c++11/cow-old.cc",
            "int elsewise_old() { return sizeof(char8_t); }",
        ),
        (
            "v3/src/c++17/x.cc",
            "int elsewise_new(auto... x) { return 0; }",
        ),
        ("v3/src/c++20/readme.txt", ""),
        (
            "v3/config/locale/gnu/numeric_members.cc",
            "#include <bits/c++locale_internal.h>
             #if _GLIBCXX_USE_CXX11_ABI
             int elsewise_now() { return 1; }
             #else
             int elsewise_then() { return 1; }
             #endif",
        ),
        (
            "v3/config/locale/gnu/c++locale_internal.h",
            "#include <string>",
        ),
        ("v3/config/io/x.h", ""),
        ("v3/config/os/gnu-linux/x.h", ""),
        (
            "v3/libsupc++/hash_bytes.cc",
            "int elsewise_hash() { return 1; }",
        ),
    ]);
    assert_eq!(shop.driver.standard_library(), None);
    let told = std::sync::atomic::AtomicUsize::new(0);
    let built = shop
        .driver
        .build_standard_library(Some(&shop.path("v3")), &|_, all| {
            told.store(all, std::sync::atomic::Ordering::Relaxed);
        })
        .unwrap();
    assert_eq!(told.into_inner(), 7);
    assert_eq!(built.sources, (5, 7));
    assert_eq!(built.left, ["c++11-bad", "c++17-x"]);
    assert_eq!(shop.driver.standard_library(), Some(built.clone()));

    let bytes = fs::read(&built.archive).unwrap();
    fs::write(&built.archive, &bytes[..bytes.len() / 2]).unwrap();
    assert_eq!(shop.driver.standard_library(), None);
    let nothing = shop
        .driver
        .build_standard_library(Some(&shop.path("v4")), &|_, _| ());
    assert!(nothing.is_err());
}
